//! Cases made after a run, to find out under which condition others fail: a covering array confounds causes.
//!
//! From the smallest failing case one thing is changed at a time; between a number that passes and one that fails the one
//! in the middle is tried next. These cases are outside the plan and its counts. What explains the failures is held against
//! them too, and what is found then [against] further cases.

mod against;

use std::collections::{BTreeMap, BTreeSet};

use super::{Run, Shared, batch, explain::explain_operator};
use dml_case::{
    case::Case,
    digest::Digest,
    id::CaseId,
    mistake::Mistakes,
    outcome::Outcome,
    record::{Record, Totals},
    sample::{ELEMENTS, Sampled, Samples},
};
use dml_plan::{
    builder::Builder,
    design::{Around, Change, Dial, parameters},
};
use dml_spec::model::Text;

/// Most cases for an operator.
const MOST: usize = 64;

/// Of these so many are changes of one thing; the others look for the number from which cases fail.
const FIRST: usize = 44;

/// Outcomes of a backend that is gone.
const LOSSES: [Outcome; 3] = [Outcome::Timeout, Outcome::Crash, Outcome::DeviceLost];

/// Cases that are asked for at a time: if the backend hangs in one of them, no more are.
const BATCH: usize = 4;

/// Most numbers between which it is looked at a time.
const GAPS: usize = 4;

/// How often what was found is held against further cases, and then looked for again.
const ROUNDS: usize = 2;

impl Run<'_> {
    /// Looks at doubtful explanations of a run once more, with cases that are made for it.
    pub(super) fn follow_up(&self, totals: &mut Totals) {
        // A backend that hangs or ends is not asked for more. Of a part of the cases it is not known which is smallest, and
        // who names cases one by one asks for nothing else.
        let is_lost = LOSSES.iter().any(|outcome| totals.count(outcome.word()) > 0);
        let is_whole = self.selection.plans() && self.selection.shard().is_none() && !totals.cut_short;
        if !self.settings.follow_up || !is_whole || is_lost {
            return;
        }
        for of in &mut totals.mistakes {
            let Some(found) = self.made(of) else { return };
            self.explain_again(of, &mut totals.samples, found);
            for _ in 0..ROUNDS {
                let Some(found) = self.contradicting(of, &totals.samples) else {
                    return;
                };
                if !self.explain_again(of, &mut totals.samples, found) {
                    break;
                }
            }
        }
    }

    /// Adds cases to the sample and explains the operator's failures again; `false` if there are none to add.
    fn explain_again(&self, of: &mut Mistakes, samples: &mut Samples, found: Vec<Sampled>) -> bool {
        let is_new = !found.is_empty();
        found.into_iter().for_each(|sampled| samples.keep(sampled));
        if is_new {
            let again = explain_operator(self.suite, samples, &of.operator, self.settings.basis);
            *of = again.unwrap_or_else(|| of.clone());
        }
        is_new
    }

    fn index_of(&self, operator: &Text) -> Option<usize> {
        let mut all = self.suite.catalog.operators.iter();
        all.position(|op| op.name == *operator)
    }

    /// What the backend gave in the cases that are made for an operator; `None` if it was lost.
    fn made(&self, of: &Mistakes) -> Option<Vec<Sampled>> {
        let index = self.index_of(&of.operator);
        let builder = index.and_then(|index| Builder::new(self.suite, index));
        let parameters = builder.as_ref().and_then(|builder| parameters(builder).ok());
        let (Some(builder), Some(parameters)) = (builder, parameters) else {
            return Some(Vec::new());
        };
        let level = self.level();
        let bases: BTreeSet<&CaseId> = of.doubtful().collect();
        let around = bases.into_iter().filter_map(|base| {
            let around = Around::new(&builder, &parameters, base, level)?;
            Some(Search::new(around, base))
        });
        let mut searches: Vec<Search<'_>> = around.collect();
        if searches.is_empty() {
            return Some(Vec::new());
        }
        let shared = Shared {
            expects_losses: true,
            ..self.shared(Vec::new())
        };
        let mut asked = Asked {
            run: self,
            runner: batch::BatchRunner::open(&shared).ok()?,
            known: BTreeSet::new(),
        };
        let share = searches.len();
        for search in &mut searches {
            asked.search(search, (FIRST / share, MOST / share))?;
        }
        drop(asked);
        Some(as_follow_up(shared.samples.into_inner()))
    }
}

/// What was asked after the run.
fn as_follow_up(samples: Samples) -> Vec<Sampled> {
    let made = samples.into_cases().map(|sampled| Sampled {
        follow_up: true,
        ..sampled
    });
    made.collect()
}

/// What is changed around one failing case, and which numbers fail.
struct Search<'a> {
    around: Around<'a>,
    /// For each dial the numbers that were tried, and whether the case failed.
    lines: BTreeMap<Dial, BTreeMap<i64, bool>>,
    base: CaseId,
}

impl<'a> Search<'a> {
    fn new(around: Around<'a>, base: &CaseId) -> Self {
        Self {
            around,
            lines: BTreeMap::new(),
            base: base.clone(),
        }
    }

    /// The changes that are tried first: one of each dial, then the next of each, by hash.
    fn first(&self) -> Vec<Change> {
        let mut by_dial: BTreeMap<Dial, Vec<(Digest, Change)>> = BTreeMap::new();
        for change in self.around.changes() {
            let order = Digest::of_text(&format!("{} {change:?}", self.base));
            by_dial.entry(change.dial).or_default().push((order, change));
        }
        by_dial.values_mut().for_each(|all| all.sort());
        let most = by_dial.values().map(Vec::len).max().unwrap_or_default();
        let nth = |n: usize| by_dial.values().filter_map(move |all| all.get(n));
        (0..most).flat_map(nth).map(|(_, change)| change.clone()).collect()
    }

    /// The middle of each gap between a number that fails and one that passes.
    fn middles(&self) -> Vec<Change> {
        let mut found = Vec::new();
        for (dial, line) in &self.lines {
            let pairs = line.iter().zip(line.iter().skip(1));
            let gaps = pairs.filter(|((low, below), (high, above))| below != above && *high - *low > 1);
            found.extend(gaps.map(|((low, _), (high, _))| Around::to(*dial, low + (high - low) / 2)));
        }
        found.truncate(GAPS);
        found
    }

    fn note(&mut self, change: &Change, id: &CaseId, failed: bool) {
        let own = self.around.number(change.dial, &self.base);
        let number = self.around.number(change.dial, id);
        if let Some((own, number)) = own.zip(number) {
            let line = self.lines.entry(change.dial).or_default();
            line.insert(own, true);
            line.insert(number, failed);
        }
    }
}

/// What the backend was asked.
struct Asked<'a> {
    run: &'a Run<'a>,
    runner: batch::BatchRunner<'a>,
    /// Cases that were asked for.
    known: BTreeSet<CaseId>,
}

impl Asked<'_> {
    /// Asks around one failing case: so many cases first, and so many in all.
    fn search(&mut self, search: &mut Search<'_>, (first, most): (usize, usize)) -> Option<()> {
        let mut left = most;
        let mut changes = search.first();
        let mut room = first;
        loop {
            let mut made: Vec<(Change, Case)> = Vec::new();
            for change in changes {
                if made.len() >= room {
                    break;
                }
                let case = search.around.case(&change);
                let is_small = |case: &Case| case.elements(&self.run.suite.catalog) <= ELEMENTS;
                let case = case.filter(is_small).filter(|case| !self.known.contains(&case.id));
                made.extend(case.map(|case| (change, case)));
            }
            if made.is_empty() {
                return Some(());
            }
            left -= made.len();
            made.chunks(BATCH).try_for_each(|made| self.ask(search, made))?;
            (changes, room) = (search.middles(), left);
        }
    }

    /// Asks these; `None` if the backend was lost.
    fn ask(&mut self, search: &mut Search<'_>, made: &[(Change, Case)]) -> Option<()> {
        let cases: Vec<Case> = made.iter().map(|(_, case)| case.clone()).collect();
        let before: Vec<batch::Before> = cases.iter().map(batch::Before::of).collect();
        let mut records: Vec<Record> = Vec::new();
        self.runner.run(&cases, &before, &mut records).ok()?;
        for ((change, case), record) in made.iter().zip(records) {
            match record.outcome {
                Outcome::Pass => search.note(change, &case.id, false),
                Outcome::Fail => search.note(change, &case.id, true),
                outcome if LOSSES.contains(&outcome) => return None,
                _ => {}
            }
            self.known.insert(case.id.clone());
        }
        Some(())
    }
}
