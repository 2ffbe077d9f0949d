//! Which mutants give what a backend gave, and under which conditions.
//!
//! Statements are found one after the other (sequential covering, as rule learners do): the one that explains most failing
//! cases, then the one that explains most of those left. Every statement is consistent with every case that is compared.
//! Steps are counted, never timed, so that the same cases give the same statements.

use dml_case::{
    condition::{Condition, Conditions, Demand, LEAST},
    id::CaseId,
    mistake::{Claim, Mistake, Mistakes},
    suite::Suite,
    traits::Traits,
};
use dml_spec::model::{Family, Text};

use super::{
    Mutant,
    list::mutants,
    observed::{Fit, Given, Observed},
};
use crate::machine::open::Basis;

/// Most statements about one operator.
const STATEMENTS: usize = 3;

/// Failing cases that a mutant is tried on first: one that decides none of them is not looked at further.
const FIRST: usize = 12;

/// Failing cases that tell which mutants are worth being held against all.
const SCREEN: usize = 24;

/// Mutants that are held against all cases, for one statement.
const FINALISTS: usize = 24;

/// Cases with more elements are tried last.
const SMALL: usize = 256;

/// Statements that explain fewer failing cases than three of four are coincidences too easily.
const ENOUGH: (usize, usize) = (3, 4);

/// What fits one thing or another says so much less than what gives one thing.
const SET: usize = 2;

/// A further mistake that explains a smaller part of the failing cases, one of so many, is a coincidence too easily.
const PART: usize = 8;

/// Further mutants that are named.
const OTHERS: usize = 3;

/// A mutant that gives what a backend gave in every compared case that fulfils a condition.
#[derive(Clone, Debug)]
pub struct Statement<'a> {
    /// The mutant.
    pub mutant: &'a Mutant,
    /// What it reads outside a tensor is the nearest element.
    pub clamps: bool,
    /// The condition, if it needs one.
    pub condition: Option<String>,
    /// That lists sizes of a tensor.
    lists_sizes: bool,
    /// What it demands of any case.
    demand: Demand,
    /// The failing cases that it explains, by their numbers.
    pub explains: Vec<usize>,
    /// Too few cases fail to tell it from the others.
    pub is_uncertain: bool,
    /// Mutants that explain as many cases under as simple a condition.
    pub others: Vec<&'a Mutant>,
}

/// What explains the wrong outputs of an operator; `None` if no case can be compared. It rests on nothing but what it is
/// given, in this order.
pub fn explain_failures(
    suite: &Suite,
    operator: &str,
    failing: &[Given<'_>],
    passing: &[Given<'_>],
    basis: Basis,
) -> Option<Mistakes> {
    let (of, program) = suite.operator(operator)?;
    let mutants = mutants(&suite.catalog, of, program.meaning.as_ref()?);
    let (failing, passing) = (observe_all(suite, failing, basis), observe_all(suite, passing, basis));
    if failing.is_empty() {
        return None;
    }
    let statements = explain(&mutants, &failing, &passing);
    let counted = counted(&failing);
    let made = failing.iter().chain(&passing).filter(|case| case.made).count();
    let failing_made = counted
        .iter()
        .filter(|at| failing.get(**at).is_some_and(|case| case.made))
        .count();
    let mut left = counted.clone();
    left.retain(|case| !statements.iter().any(|of| of.explains.contains(case)));
    let mistake = |of: &Statement<'_>| Mistake {
        smallest: smallest(&failing, &of.explains),
        ..of.mistake()
    };
    // What some cases of the plan have in common is a coincidence too easily, and so is what few have and those made
    // around them.
    let common = fails_if(&failing, &passing, &left).filter(|_| made > 0 && failing_made == 0);
    let (fails_if, fails_if_cases) = common.unzip();
    Some(Mistakes {
        operator: of.name.clone(),
        failing: counted.len(),
        failing_made,
        passing: passing.iter().filter(|case| !case.made).count(),
        unexplained: left.len(),
        found: statements.iter().map(mistake).collect(),
        fails_if: fails_if.as_ref().map(|of| of.text.clone()),
        fails_if_cases: fails_if_cases.unwrap_or_default(),
        fails_if_demand: fails_if.map(|of| of.demand),
        followed_up: made,
        smallest: smallest(&failing, &left),
        large: 0,
    })
}

/// The failing cases that support an explanation: those of the run, unless they are too few to tell mistakes apart. Those that
/// were made around one of them share what it has, so that they would make a coincidence look like a rule.
fn counted(failing: &[Observed<'_>]) -> Vec<usize> {
    let of_run = |at: &usize| failing.get(*at).is_some_and(|case| !case.made);
    let all = 0..failing.len();
    match all.clone().filter(of_run).count() {
        ..LEAST => all.collect(),
        _ => all.filter(of_run).collect(),
    }
}

/// The smallest of these failing cases; an example of the page, which has no keys that could be changed, only if there is
/// nothing else.
fn smallest(failing: &[Observed<'_>], cases: &[usize]) -> Option<CaseId> {
    let all = cases.iter().filter_map(|at| failing.get(*at));
    let is_example = |of: &Observed<'_>| of.id.family() == Family::Examples.name();
    let smallest = all.min_by_key(|of| (is_example(of), of.outputs.iter().map(Vec::len).sum::<usize>()))?;
    Some(smallest.id.clone())
}

/// What these failing cases have in common and passing ones lack, if that is so of most of them; and of how many it is.
fn fails_if(failing: &[Observed<'_>], passing: &[Observed<'_>], cases: &[usize]) -> Option<(Condition, usize)> {
    let traits: Vec<Traits> = failing.iter().chain(passing).map(|case| case.traits.clone()).collect();
    let wanted: Vec<bool> = (0..traits.len()).map(|at| cases.contains(&at)).collect();
    let refuting: Vec<bool> = (0..traits.len()).map(|at| at >= failing.len()).collect();
    let found = Conditions::new(&traits).find(&wanted, &refuting, LEAST)?;
    let held = cases.iter().filter(|at| found.holds.get(**at) == Some(&true)).count();
    (held * ENOUGH.1 >= cases.len() * ENOUGH.0).then_some((found, held))
}

fn observe_all<'a>(suite: &'a Suite, all: &[Given<'a>], basis: Basis) -> Vec<Observed<'a>> {
    all.iter()
        .filter_map(|given| Observed::new(suite, given, basis))
        .collect()
}

/// The statements that explain failing cases, those first that explain most: none if they leave more than a part
/// unexplained.
pub fn explain<'a>(mutants: &'a [Mutant], failing: &[Observed<'_>], passing: &[Observed<'_>]) -> Vec<Statement<'a>> {
    let mut table = Table::new(mutants, failing, passing);
    let counted = counted(failing);
    if counted.len() < LEAST {
        return table.candidates().into_iter().collect();
    }
    let mut left = counted.clone();
    let mut statements: Vec<Statement<'a>> = Vec::new();
    while statements.len() < STATEMENTS && left.len() >= LEAST {
        let Some(statement) = table.best(&left) else { break };
        let is_known = |known: &Statement| known.mutant.id == statement.mutant.id;
        let is_small = statement.explains.len() * PART < counted.len();
        if is_small && !statements.is_empty() && !statements.iter().any(is_known) {
            break;
        }
        left.retain(|case| !statement.explains.contains(case));
        statements.push(statement);
    }
    // Sizes that tell some failing cases from passing ones, and leave others unexplained, are a coincidence.
    if !left.is_empty() {
        let (kept, dropped): (Vec<_>, Vec<_>) = statements.into_iter().partition(|of: &Statement<'_>| !of.lists_sizes);
        statements = kept;
        left.extend(dropped.into_iter().flat_map(|of| of.explains));
    }
    let explained = counted.len() - left.len();
    if explained * ENOUGH.1 < counted.len() * ENOUGH.0 {
        statements.clear();
    }
    statements
}

/// A mutant, and how it reads outside tensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Hypothesis {
    mutant: usize,
    clamps: bool,
}

/// What is known of each mutant and case; it is computed when it is first asked for.
struct Table<'a, 'b> {
    mutants: &'a [Mutant],
    /// Failing cases, then passing ones.
    cases: Vec<&'b Observed<'b>>,
    failing: usize,
    /// For each mutant and case how it fits, and whether it reads outside a tensor.
    linear: Vec<Vec<Option<(Fit, bool)>>>,
    /// How it fits if it reads the nearest element there.
    clamped: Vec<Vec<Option<Fit>>>,
    conditions: Conditions,
    /// Made cases support explanations, since few of the run fail.
    is_followed: bool,
}

/// A hypothesis that may become a statement.
struct Finalist {
    hypothesis: Hypothesis,
    condition: Option<Condition>,
    explains: Vec<usize>,
    score: usize,
}

impl<'a, 'b> Table<'a, 'b> {
    fn new(mutants: &'a [Mutant], failing: &'b [Observed<'b>], passing: &'b [Observed<'b>]) -> Self {
        let cases: Vec<&Observed<'_>> = failing.iter().chain(passing).collect();
        let traits: Vec<Traits> = cases.iter().map(|case| case.traits.clone()).collect();
        Self {
            mutants,
            failing: failing.len(),
            linear: vec![vec![None; cases.len()]; mutants.len()],
            clamped: vec![vec![None; cases.len()]; mutants.len()],
            conditions: Conditions::new(&traits),
            cases,
            is_followed: failing.iter().filter(|case| !case.made).count() < LEAST,
        }
    }

    fn fit(&mut self, hypothesis: Hypothesis, case: usize) -> Fit {
        let Hypothesis { mutant, clamps } = hypothesis;
        let known = |table: &Vec<Vec<Option<(Fit, bool)>>>| table.get(mutant).and_then(|row| *row.get(case)?);
        let (Some(of), Some(observed)) = (self.mutants.get(mutant), self.cases.get(case)) else {
            return Fit::Undecided;
        };
        let (fit, outside) = known(&self.linear).unwrap_or_else(|| observed.fit(of, false));
        if let Some(place) = self.linear.get_mut(mutant).and_then(|row| row.get_mut(case)) {
            *place = Some((fit, outside));
        }
        if !clamps || !outside {
            return fit;
        }
        let Some(place) = self.clamped.get_mut(mutant).and_then(|row| row.get_mut(case)) else {
            return fit;
        };
        *place.get_or_insert_with(|| observed.fit(of, true).0)
    }

    /// Whether the mutant read outside a tensor in some case that was looked at.
    fn reads_outside(&self, mutant: usize) -> bool {
        let row = self.linear.get(mutant).map_or(&[][..], Vec::as_slice);
        row.iter().flatten().any(|(_, outside)| *outside)
    }

    /// How many of the first of these failing cases speak for a hypothesis.
    fn screen(&mut self, hypothesis: Hypothesis, cases: &[usize]) -> usize {
        let mut decided = 0;
        for (number, case) in cases.iter().take(SCREEN).enumerate() {
            if number == FIRST && decided == 0 {
                break;
            }
            decided += usize::from(self.fit(hypothesis, *case) == Fit::Decided);
        }
        decided
    }

    /// The hypotheses that some of these failing cases speak for, those first that most do.
    fn finalists(&mut self, left: &[usize]) -> Vec<Hypothesis> {
        let mut order = left.to_vec();
        order.sort_by_key(|case| {
            let elements = |of: &&Observed<'_>| of.outputs.iter().map(Vec::len).sum::<usize>();
            self.cases.get(*case).map_or(0, elements) / SMALL
        });
        let mut found: Vec<(usize, Hypothesis)> = Vec::new();
        for mutant in 0..self.mutants.len() {
            for clamps in [false, true] {
                if clamps && !self.reads_outside(mutant) {
                    continue;
                }
                let hypothesis = Hypothesis { mutant, clamps };
                let decided = self.screen(hypothesis, &order);
                if decided > 0 {
                    found.push((decided, hypothesis));
                }
            }
        }
        let rank = |of: &Hypothesis| self.mutants.get(of.mutant).map(Mutant::rank);
        found.sort_by_key(|(decided, of)| (usize::MAX - decided, rank(of), of.mutant, of.clamps));
        found.truncate(FINALISTS);
        found.into_iter().map(|(_, hypothesis)| hypothesis).collect()
    }

    /// The statement that explains most of these failing cases.
    fn best(&mut self, left: &[usize]) -> Option<Statement<'a>> {
        let hypotheses = self.finalists(left);
        let mut finalists: Vec<Finalist> = Vec::new();
        for hypothesis in hypotheses {
            finalists.extend(self.finalist(hypothesis, left));
        }
        let rank = |of: &Finalist| self.mutants.get(of.hypothesis.mutant).map(Mutant::rank);
        finalists.sort_by_key(|of| {
            (
                usize::MAX - of.score,
                of.hypothesis.clamps,
                rank(of),
                of.hypothesis.mutant,
            )
        });
        let (first, rest) = finalists.split_first()?;
        // They stand beside the first one's condition, so that it has to be theirs.
        let text = |of: &Finalist| of.condition.as_ref().map(|condition| condition.text.clone());
        let condition = text(first);
        let stands_beside = |other: &Finalist| {
            text(other) == condition || other.condition.is_none() && self.is_conditional(other.hypothesis)
        };
        let alike = rest
            .iter()
            .filter(|other| other.score == first.score && stands_beside(other));
        self.statement(first, alike, false)
    }

    fn is_set(&self, hypothesis: Hypothesis) -> bool {
        self.mutants.get(hypothesis.mutant).is_some_and(Mutant::is_set)
    }

    fn is_conditional(&self, hypothesis: Hypothesis) -> bool {
        self.mutants.get(hypothesis.mutant).is_some_and(Mutant::is_conditional)
    }

    fn statement<'c>(
        &self,
        first: &Finalist,
        alike: impl Iterator<Item = &'c Finalist>,
        is_uncertain: bool,
    ) -> Option<Statement<'a>> {
        let mutants = self.mutants;
        let mutant = mutants.get(first.hypothesis.mutant)?;
        let mut others: Vec<&Mutant> = Vec::new();
        for other in alike.filter_map(|other| mutants.get(other.hypothesis.mutant)) {
            let is_new = others
                .iter()
                .chain([&mutant])
                .all(|known| known.sentence != other.sentence);
            if is_new && others.len() < OTHERS {
                others.push(other);
            }
        }
        Some(Statement {
            mutant,
            clamps: first.hypothesis.clamps,
            condition: first.condition.as_ref().map(|condition| condition.text.clone()),
            lists_sizes: first.condition.as_ref().is_some_and(|condition| condition.lists_sizes),
            demand: first
                .condition
                .as_ref()
                .map(|condition| condition.demand.clone())
                .unwrap_or_default(),
            explains: first.explains.clone(),
            is_uncertain,
            others,
        })
    }

    /// Holds a hypothesis against all cases, and looks for the condition that it needs.
    fn finalist(&mut self, hypothesis: Hypothesis, left: &[usize]) -> Option<Finalist> {
        let failing: Vec<Fit> = (0..self.failing).map(|case| self.fit(hypothesis, case)).collect();
        let of = |case: &usize| failing.get(*case).copied().unwrap_or(Fit::Undecided);
        if 2 * left.iter().filter(|case| of(case) == Fit::Decided).count() < LEAST {
            return None;
        }
        // A set is seldom refuted, least of all by cases made around one.
        if self.is_followed && self.is_set(hypothesis) {
            return None;
        }
        let mut all = failing;
        for case in self.failing..self.cases.len() {
            all.push(self.fit(hypothesis, case));
        }
        let refuting: Vec<bool> = all.iter().map(|fit| *fit == Fit::Refuted).collect();
        let mut wanted = vec![false; all.len()];
        for case in left {
            if let (Some(place), Some(fit)) = (wanted.get_mut(*case), all.get(*case)) {
                *place = *fit == Fit::Decided;
            }
        }
        let condition = if refuting.contains(&true) {
            Some(self.conditions.find(&wanted, &refuting, LEAST)?)
        } else {
            None
        };
        let holds = |case: usize| {
            let condition = condition.as_ref();
            condition.is_none_or(|condition| condition.holds.get(case) == Some(&true))
        };
        let explains: Vec<usize> = left.iter().copied().filter(|case| holds(*case)).collect();
        let decided = explains.iter().filter(|case| wanted.get(**case) == Some(&true)).count();
        if explains.len() < LEAST || 2 * decided < explains.len() {
            return None;
        }
        let traits = condition.as_ref().map_or(0, |condition| condition.demand.traits());
        // Nor is a condition found among these if it does not hold for all of them, or needs two traits.
        if self.is_followed && (traits > 1 || traits == 1 && explains.len() < self.failing) {
            return None;
        }
        // A condition within a mutant says as much as one that was found.
        let conditions = traits + usize::from(self.is_conditional(hypothesis));
        Some(Finalist {
            hypothesis,
            score: (explains.len() + decided) * 10usize.saturating_sub(conditions)
                / if self.is_set(hypothesis) { SET } else { 1 },
            condition,
            explains,
        })
    }

    /// Of few failing cases: the hypotheses that fit all cases.
    fn candidates(&mut self) -> Option<Statement<'a>> {
        let all: Vec<usize> = (0..self.failing).collect();
        let mut found: Vec<Finalist> = Vec::new();
        for hypothesis in self.finalists(&all) {
            let fits: Vec<Fit> = (0..self.cases.len()).map(|case| self.fit(hypothesis, case)).collect();
            let wanted: Vec<bool> = (0..fits.len()).map(|case| case < self.failing).collect();
            let refuting: Vec<bool> = fits.iter().map(|fit| *fit == Fit::Refuted).collect();
            let decided = fits.iter().filter(|fit| **fit == Fit::Decided).count();
            if 2 * decided < self.failing {
                continue;
            }
            let condition = if refuting.contains(&true) {
                let condition = self.conditions.find(&wanted, &refuting, self.failing);
                match condition.filter(|condition| condition.demand.traits() == 1) {
                    Some(condition) => Some(condition),
                    None => continue,
                }
            } else {
                None
            };
            found.push(Finalist {
                hypothesis,
                score: usize::from(condition.is_none()),
                condition,
                explains: all.clone(),
            });
        }
        let rank = |of: &Finalist| self.mutants.get(of.hypothesis.mutant).map(Mutant::rank);
        let is_set = |of: &Finalist| self.is_set(of.hypothesis);
        found.sort_by_key(|of| {
            let hypothesis = of.hypothesis;
            (1 - of.score, is_set(of), hypothesis.clamps, rank(of), hypothesis.mutant)
        });
        let (first, rest) = found.split_first()?;
        let alike = rest.iter();
        let alike = alike.filter(|other| other.score == first.score && is_set(other) == is_set(first));
        self.statement(first, alike, true)
    }
}

impl Statement<'_> {
    fn mistake(&self) -> Mistake {
        let nearest = if self.clamps {
            "; outside a tensor the nearest element is read"
        } else {
            ""
        };
        Mistake {
            kind: Text::Owned(self.mutant.class().to_owned()),
            clause: None,
            sentence: format!("{}{nearest}", self.mutant.sentence),
            place: self.mutant.place.clone(),
            at: None,
            failing: self.explains.len(),
            condition: self.condition.clone(),
            uncertain: self.is_uncertain,
            others: self.others.iter().map(|other| other.sentence.clone()).collect(),
            smallest: None,
            claim: Some(Claim {
                mutant: self.mutant.id.clone(),
                clamps: self.clamps,
                demand: self.demand.clone(),
            }),
        }
    }
}
