//! `spec verify`: creation cases of the plan, run on each library, and their records counted by clause.
//!
//! The cases are descriptors of the plan: every support cell and every constraint, kept and violated. A library has one
//! set of rules, that of its highest feature level, so it is asked about the table of that level.

use std::{collections::HashSet, fmt};

use dml_adequacy::fuzz::walks;
use dml_case::{
    case::{Case, Mode, Verdict},
    clause::{self, Cell, Found},
    context::Context,
    digest::content_digest,
    id::CaseId,
    outcome::Outcome,
    record::Record,
};
use dml_judge::relation::{Relation, relate_to};
use dml_plan::{Bucket, builder::Builder, planner::Planner};
use dml_spec::{
    FeatureLevel,
    model::{Clause, ClauseKind, Family, Operator, Status, SupportTable, Tier},
};

mod asking;
mod count;
mod telling;

pub use asking::Asking;
pub use count::{Answered, Count, Judge};
use telling::{Telling, find_differences};

/// What a library did with the cases about its table.
#[derive(Clone, Debug)]
pub struct Answers {
    /// Its release or file.
    pub name: String,
    /// Its highest feature level.
    pub level: FeatureLevel,
    /// A record for each case, in their order.
    pub records: Vec<Record>,
}

/// Plans the creation cases about one table of an operator, with those of tables before it, each descriptor once. Cells and faults are planned
/// at the standard tier or above, all others up to `tier`.
pub fn plan_creations(
    suite: &Planner,
    operator: &Operator,
    table: FeatureLevel,
    tier: Tier,
    wants: &dyn Fn(&CaseId) -> bool,
) -> Vec<Case> {
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    let mut operators = suite.catalog.operators.iter();
    let buckets = operators.position(|known| known.name == operator.name);
    let buckets = buckets
        .map(|index| dml_plan::buckets_of(suite, index, tier.max(Tier::Standard)))
        .unwrap_or_default();
    // A case has the lowest level that has it: rules of a later table are asked with it as well. Cells are those of a table.
    let asked = |bucket: &&Bucket| match bucket.family {
        Family::Support | Family::Examples => bucket.level == table,
        _ => bucket.level <= table,
    };
    for bucket in buckets.iter().filter(asked) {
        let tier = match bucket.family {
            Family::Support | Family::Faults => tier.max(Tier::Standard),
            _ => tier,
        };
        for (id, _) in dml_plan::ids_of(suite, bucket, tier, 0) {
            let id = CaseId::new(id.operator(), table, id.family(), id.params());
            let Some(case) = dml_plan::build(suite, &id).ok().and_then(|case| creation(suite, case)) else {
                continue;
            };
            if wants(&case.id) && seen.insert(content_digest(&case)) {
                found.push(case);
            }
        }
    }
    found
}

/// The case as one that only creates; `None` if some library answers it by what lies in memory.
fn creation(suite: &Planner, case: Case) -> Option<Case> {
    let case = Case {
        mode: Mode::Create,
        inputs: Vec::new(),
        aliases: Vec::new(),
        given: None,
        ..case
    };
    let is_erratic = Context::new(suite, &case).is_some_and(Context::is_erratic);
    (!is_erratic).then_some(case)
}

/// Descriptors that random changes lead to from valid ones of a table, those with wanted ids and without those among
/// `planned`.
pub fn plan_walks(
    suite: &Planner,
    operator: &Operator,
    table: FeatureLevel,
    (count, wants): (u32, &dyn Fn(&CaseId) -> bool),
    planned: &[Case],
) -> Vec<Case> {
    let mut operators = suite.catalog.operators.iter();
    let index = operators.position(|known| known.name == operator.name);
    let found = index.and_then(|index| Some(walks(&Builder::new(suite, index)?, index, table, count)));
    let known: HashSet<u128> = planned.iter().map(content_digest).collect();
    let creations = found
        .unwrap_or_default()
        .into_iter()
        .filter_map(|case| creation(suite, case));
    creations
        .filter(|case| wants(&case.id) && !known.contains(&content_digest(case)))
        .collect()
}

fn clauses<'a>(suite: &'a Planner, operator: &'a Operator) -> impl Iterator<Item = &'a Clause> {
    suite.catalog.tensor_clauses.iter().chain(operator.clauses.iter())
}

/// Whether the library rejected the descriptor; `None` if it gave no verdict.
pub fn is_rejected(case: &Case, record: &Record) -> Option<bool> {
    match (record.outcome, record.class.as_deref()) {
        (Outcome::Pass, _) => Some(case.verdict.is_rejection()),
        (Outcome::Fail, Some("wrongly-accepted")) => Some(false),
        (Outcome::Fail, Some("wrongly-rejected")) => Some(true),
        _ => None,
    }
}

/// Whether the expected verdict rests on the text, not on observations of runtimes.
fn is_normative(case: &Case) -> bool {
    matches!(case.verdict, Verdict::Valid | Verdict::Rejected(_))
}

/// The answers of one library about one clause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Descriptors that violate it or that it leaves open, and how many of them were rejected.
    pub broken: (u64, u64),
    /// How many of those violate nothing else.
    pub alone: u64,
    /// Descriptors that keep it, and how many of them were rejected.
    pub kept: (u64, u64),
    /// Unexpected answers among those that violate it.
    pub wrong: u64,
    /// Descriptors that violate it and that the library could not be asked about.
    pub unasked: u64,
}

impl Tally {
    /// Whether every descriptor that violates it also violates something else.
    pub fn is_coupled(&self) -> bool {
        self.broken.0 > 0 && self.alone == 0
    }

    fn count(&mut self, relation: Relation, case: &Case, record: &Record) {
        match (relation, is_rejected(case, record)) {
            (Relation::Negative, None) => self.unasked += u64::from(record.outcome == Outcome::Skip),
            (Relation::Negative, Some(rejected)) => {
                self.broken.0 += 1;
                self.broken.1 += u64::from(rejected);
                self.alone += u64::from(case.verdict.clauses().len() <= 1);
                self.wrong += u64::from(rejected != case.verdict.is_rejection());
            }
            // A rejection that contradicts an observation counts for the observed clause only.
            (Relation::Positive, Some(rejected)) if is_normative(case) || !rejected => {
                self.kept.0 += 1;
                self.kept.1 += u64::from(rejected);
            }
            (Relation::Positive, _) => {}
        }
    }
}

impl fmt::Display for Tally {
    /// `+accepted/kept -rejected/violated`; a star if no descriptor violates it alone.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kept, broken) = (self.kept, self.broken);
        if kept.0 > 0 {
            write!(f, "+{}/{}", kept.0 - kept.1, kept.0)?;
        }
        if broken.0 > 0 {
            let gap = if kept.0 > 0 { " " } else { "" };
            let coupled = if self.is_coupled() { "*" } else { "" };
            write!(f, "{gap}-{}/{}{coupled}", broken.1, broken.0)?;
        }
        Ok(())
    }
}

/// Whether text and libraries agree on a clause, in the order of the sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// Every library does what the text says.
    Agrees,
    /// Some library does not.
    Disagrees,
    /// The clause says that runtimes differ from the text, and they do as it says.
    Disputed,
    /// The text is silent, and the libraries do what was observed.
    Observed,
    /// Some library rejects some valid descriptors and accepts similar ones.
    InPart,
    /// No descriptor that violates it can be passed to a library.
    NotExpressible,
    /// No library was asked about a descriptor that violates it.
    NotAsked,
}

impl Agreement {
    /// All values with their words.
    pub const WORDS: [(Self, &str); 7] = [
        (Self::Agrees, "agrees"),
        (Self::Disagrees, "DISAGREES"),
        (Self::Disputed, "disputed"),
        (Self::Observed, "observed"),
        (Self::InPart, "in part"),
        (Self::NotExpressible, "not expressible"),
        (Self::NotAsked, "not asked"),
    ];
}

/// One clause or cell, with the answers of the libraries of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Id of the clause or cell.
    pub id: String,
    /// Status of the clause.
    pub status: Status,
    /// What the text says of descriptors that violate it: `rejects`, `accepts`, or `silent`. For a cell that the table
    /// allows, what it says of descriptors in that cell.
    pub text: &'static str,
    /// A tally for each library, in their order.
    pub tallies: Vec<Tally>,
    /// Whether they agree with the text.
    pub agreement: Agreement,
}

impl Row {
    /// Whether a library contradicts the text.
    pub fn disagrees(&self) -> bool {
        matches!(self.status, Status::Normative | Status::ByExample)
            && matches!(self.agreement, Agreement::Disagrees | Agreement::InPart)
    }
}

/// Counts the answers of the libraries of one table, by clause and cell.
pub fn tally_clauses(
    suite: &Planner,
    operator: &Operator,
    table: &SupportTable,
    cases: &[Case],
    answers: &[Answers],
) -> Vec<Row> {
    let clauses = clauses(suite, operator).filter(|c| c.kind != ClauseKind::Guarantee && c.retired.is_none());
    let cells = clause::table_cells(&suite.catalog, operator, table).into_iter();
    let mutants = dml_judge::MutantCache::default();
    let telling = |library| {
        let telling = Telling::new(suite, operator, table, library);
        cases.iter().map(|case| telling.of(case)).collect()
    };
    let told: Vec<Vec<bool>> = answers.iter().map(telling).collect();
    let row = |found: Found<'_>| {
        let (id, clause, status) = match &found {
            Found::Clause(clause) => (clause.id.to_string(), Some(*clause), clause.status),
            Found::Cell(cell) if is_known_to_differ(table, cell) => (clause::cell_id(cell), None, Status::Disputed),
            Found::Cell(cell) => (clause::cell_id(cell), None, Status::Normative),
        };
        let relate = |case: &Case| relate_to(suite, &mutants, case, (&id, Some(&found)));
        let relations: Vec<Option<Relation>> = cases.iter().map(relate).collect();
        relations.iter().any(Option::is_some).then(|| {
            let mut tallies = vec![Tally::default(); answers.len()];
            for ((tally, library), told) in tallies.iter_mut().zip(answers).zip(&told) {
                let records = cases.iter().zip(&library.records).zip(&relations).zip(told);
                for (((case, record), relation), _) in records.filter(|(_, told)| **told) {
                    relation
                        .iter()
                        .for_each(|relation| tally.count(*relation, case, record));
                }
            }
            // What is known of a release says nothing of the clause.
            let counted = tallies.iter().zip(answers);
            let counted =
                counted.filter(|(_, library)| !clause.is_some_and(|clause| clause.is_differing(&library.name)));
            let counted: Vec<Tally> = counted.map(|(tally, _)| *tally).collect();
            Row {
                text: text_verdict(clause, &tallies),
                agreement: match counted.len() < tallies.len() {
                    true if agreement(clause, status, &counted) != Agreement::Disagrees => Agreement::Disputed,
                    _ => agreement(clause, status, &counted),
                },
                id,
                status,
                tallies,
            }
        })
    };
    let found = clauses.map(Found::Clause).chain(cells.map(Found::Cell));
    let mut rows: Vec<Row> = found.filter_map(row).collect();
    rows.sort_by(|a, b| a.id.cmp(&b.id));
    rows
}

/// `clause` is `None` for a cell.
fn agreement(clause: Option<&Clause>, status: Status, tallies: &[Tally]) -> Agreement {
    if clause.is_none() && status == Status::Disputed {
        return Agreement::Disputed;
    }
    // If no descriptor that keeps it is accepted, the clause itself is wrong.
    let wrong = |tally: &Tally| tally.wrong > 0 || (tally.kept.0 > 0 && tally.kept.1 == tally.kept.0);
    if tallies.iter().any(wrong) {
        return Agreement::Disagrees;
    }
    let is_constraint = clause.is_some_and(|clause| clause.kind == ClauseKind::Constraint);
    let asked = |tally: &Tally| tally.broken.0 > 0 || (!is_constraint && tally.kept.0 > 0);
    if !tallies.iter().any(asked) {
        return match tallies.iter().any(|tally| tally.unasked > 0) {
            true => Agreement::NotExpressible,
            false => Agreement::NotAsked,
        };
    }
    match status {
        _ if tallies.iter().any(|tally| tally.kept.1 > 0) => Agreement::InPart,
        Status::Disputed => Agreement::Disputed,
        Status::Observed | Status::Open => Agreement::Observed,
        Status::Normative | Status::ByExample => Agreement::Agrees,
    }
}

fn text_verdict(clause: Option<&Clause>, tallies: &[Tally]) -> &'static str {
    match clause {
        Some(clause) if matches!(clause.status, Status::Observed | Status::Open) => "silent",
        // The rule always holds: only runtimes reject more.
        Some(clause) if clause.rule.as_deref() == Some("true") => "accepts",
        None if tallies.iter().all(|tally| tally.broken.0 == 0) => "accepts",
        _ => "rejects",
    }
}

/// Whether some releases are known to judge this cell differently from the table.
fn is_known_to_differ(table: &SupportTable, cell: &Cell<'_>) -> bool {
    find_differences(table, cell).next().is_some()
}

/// An unexpected answer, or no verdict.
#[derive(Clone, Debug)]
pub struct Unexpected<'a> {
    /// Name of the library.
    pub library: &'a str,
    /// The case.
    pub case: &'a Case,
    /// What became of it.
    pub record: &'a Record,
    /// Whether the expected verdict rests on the text.
    pub normative: bool,
}

impl Unexpected<'_> {
    /// Whether the library answered otherwise than was foretold; a crash on what it need not accept is no answer.
    pub fn is_otherwise(&self) -> bool {
        self.normative || self.record.outcome != Outcome::Crash
    }
}

/// The unexpected answers of the libraries of one table, except for known differences between releases.
pub fn find_unexpected<'a>(
    suite: &Planner,
    operator: &Operator,
    table: &SupportTable,
    cases: &'a [Case],
    answers: &'a [Answers],
) -> Vec<Unexpected<'a>> {
    let mut found = Vec::new();
    for library in answers {
        let judge = Judge::new(suite, operator, table, library);
        for (case, record) in cases.iter().zip(&library.records) {
            let answered = judge.judge(case, record);
            if matches!(answered, Answered::Otherwise | Answered::Crashed) {
                found.push(Unexpected {
                    library: &library.name,
                    case,
                    record,
                    // A library may crash on a descriptor that it need not accept.
                    normative: is_normative(case) && answered == Answered::Otherwise,
                });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests;
