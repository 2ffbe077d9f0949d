//! What the answers say of each clause and cell.

use std::{collections::BTreeMap, fmt};

use dml_spec::{
    FeatureLevel, Value,
    model::{Applies, Clause, ClauseKind, Operator, Role, Status, dimension_cell_id, type_cell_id},
};

use super::{Answered, Question, Questions, Reply};
use dml_case::case::Verdict;
use dml_plan::{planner::Planner, target::Target};

/// How the answers of one library bear on one clause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Descriptors that break it, or that it leaves open, and how many of them were refused.
    pub broken: (u64, u64),
    /// How many of those break nothing else.
    pub alone: u64,
    /// Descriptors that keep it, and how many of them were refused.
    pub kept: (u64, u64),
    /// Answers that are not what the specification expects of runtimes, among those that break it.
    pub wrong: u64,
    /// Descriptors that break it and that the library could not be asked about.
    pub unasked: u64,
}

impl Tally {
    /// Whether what breaks it always breaks something else as well.
    pub fn is_coupled(&self) -> bool {
        self.broken.0 > 0 && self.alone == 0
    }
}

impl fmt::Display for Tally {
    /// Of those that keep it how many were taken, of those that break it how many were refused. A star: none of these
    /// breaks it alone.
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

/// Whether text and libraries agree on a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// Every library does what the text says.
    Agrees,
    /// Some library does otherwise.
    Disagrees,
    /// The clause says itself that the runtimes do otherwise, and they do that.
    Disputed,
    /// The text is silent, and the libraries do what was observed.
    Observed,
    /// Some library refuses some descriptors for which there is no reason, others like them not.
    InPart,
    /// Nothing that breaks it can be said to a library.
    NotExpressible,
    /// No library was asked, or about nothing that breaks it.
    NotAsked,
}

impl Agreement {
    /// All there are.
    pub const ALL: [Self; 7] = [
        Self::Agrees,
        Self::Disagrees,
        Self::Disputed,
        Self::Observed,
        Self::InPart,
        Self::NotExpressible,
        Self::NotAsked,
    ];

    /// In words.
    pub fn word(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Disagrees => "DISAGREES",
            Self::Disputed => "disputed",
            Self::Observed => "observed",
            Self::InPart => "in part",
            Self::NotExpressible => "not expressible",
            Self::NotAsked => "not asked",
        }
    }
}

/// One clause or cell at one table level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Level of the table.
    pub table: FeatureLevel,
    /// The clause or cell, and for tensor clauses the tensor.
    pub target: Target,
    /// Status of the clause.
    pub status: Status,
    /// What the text says of descriptors that break it: `rejects`, `accepts`, or `silent`. For a cell that the table
    /// allows, what it says of those that stand on it.
    pub text: &'static str,
    /// A tally a library of this table, in their order.
    pub tallies: Vec<Tally>,
    /// What it comes to.
    pub agreement: Agreement,
}

/// An answer that is not what the specification expects, or none at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Otherwise {
    /// The case.
    pub id: String,
    /// Name of the library.
    pub library: String,
    /// What it did.
    pub reply: Reply,
    /// Clauses and cells that it breaks.
    pub broken: Vec<Target>,
    /// Whether what was expected rests on the text.
    pub normative: bool,
}

/// Rows of an operator, by table level.
pub fn rows(suite: &Planner, operator: &Operator, questions: &Questions, answered: &[Answered]) -> Vec<Row> {
    let mut rows = Vec::new();
    for table in operator.support.iter() {
        let speak: Vec<&Answered> = answered
            .iter()
            .filter(|a| a.table(operator) == Some(table.level))
            .collect();
        let mut tallies: BTreeMap<Target, Vec<Tally>> = BTreeMap::new();
        for question in questions.all.iter().filter(|q| q.id.level() == table.level) {
            let kept = kept(suite, operator, question, questions);
            for (at, library) in speak.iter().enumerate() {
                let reply = &library.replies[question.number];
                let mut tally = |target: &Target| {
                    let all = tallies.entry(target.clone()).or_default();
                    all.resize(speak.len(), Tally::default());
                    count(&mut all[at], question, target, reply);
                };
                question.broken.iter().for_each(&mut tally);
                kept.iter().for_each(&mut tally);
            }
        }
        rows.extend(tallies.into_iter().map(|(target, tallies)| {
            let status = status(suite, operator, &target.0);
            Row {
                table: table.level,
                agreement: agreement(clause(suite, operator, &target.0), status, &tallies),
                text: text(suite, operator, &target.0, &tallies),
                target,
                status,
                tallies,
            }
        }));
    }
    rows
}

fn count(tally: &mut Tally, question: &Question, target: &Target, reply: &Reply) {
    let is_open = question.verdict.clauses().contains(&target.0.as_str().into());
    let is_broken = question.broken.contains(target) || is_open;
    let Some(rejected) = reply.rejected() else {
        tally.unasked += u64::from(is_broken && !reply.was_asked());
        return;
    };
    if is_broken {
        tally.broken.0 += 1;
        tally.broken.1 += u64::from(rejected);
        tally.alone += u64::from(question.broken.len() <= 1);
        tally.wrong += u64::from(rejected != question.verdict.is_rejection());
    } else if question.is_normative() || !rejected {
        // What a library refuses against what others were seen to do counts with the clause that says so.
        tally.kept.0 += 1;
        tally.kept.1 += u64::from(rejected);
    }
}

/// `clause` is none for a cell.
fn agreement(clause: Option<&Clause>, status: Status, tallies: &[Tally]) -> Agreement {
    if clause.is_none() && status == Status::Disputed {
        return Agreement::Disputed;
    }
    let asked = |tally: &Tally| tally.broken.0 + tally.kept.0 > 0;
    let broken = |tally: &Tally| tally.broken.0 > 0;
    // Where nothing that keeps it is accepted, it is the clause that is wrong.
    let wrong = |tally: &Tally| tally.wrong > 0 || (tally.kept.0 > 0 && tally.kept.1 == tally.kept.0);
    let is_constraint = clause.is_some_and(|clause| clause.kind == ClauseKind::Constraint);
    if tallies.iter().any(wrong) {
        return Agreement::Disagrees;
    }
    if !tallies.iter().any(asked) || (is_constraint && !tallies.iter().any(broken)) {
        let is_inexpressible = tallies.iter().any(|tally| tally.unasked > 0);
        return if is_inexpressible {
            Agreement::NotExpressible
        } else {
            Agreement::NotAsked
        };
    }
    match status {
        _ if tallies.iter().any(|tally| tally.kept.1 > 0) => Agreement::InPart,
        Status::Disputed => Agreement::Disputed,
        Status::Observed | Status::Open => Agreement::Observed,
        Status::Normative | Status::ByExample => Agreement::Agrees,
    }
}

fn text(suite: &Planner, operator: &Operator, id: &str, tallies: &[Tally]) -> &'static str {
    let broken = tallies.iter().any(|tally| tally.broken.0 > 0);
    match clause(suite, operator, id) {
        Some(clause) if matches!(clause.status, Status::Observed | Status::Open) => "silent",
        // A rule that always holds: only runtimes want more.
        Some(clause) if clause.rule.as_deref() == Some("true") => "accepts",
        None if !broken => "accepts",
        _ => "rejects",
    }
}

fn clause<'a>(suite: &'a Planner, operator: &'a Operator, id: &str) -> Option<&'a Clause> {
    let mut all = suite.catalog.tensor_clauses.iter().chain(operator.clauses.iter());
    all.find(|clause| clause.id == id)
}

fn status(suite: &Planner, operator: &Operator, id: &str) -> Status {
    match clause(suite, operator, id) {
        Some(clause) => clause.status,
        None if is_known_to_differ(operator, id) => Status::Disputed,
        None => Status::Normative,
    }
}

/// Whether an id is that of a cell which some releases are known to judge otherwise than the table.
fn is_known_to_differ(operator: &Operator, id: &str) -> bool {
    operator.support.iter().any(|table| {
        table.rows.iter().any(|row| {
            let mut types = table.differs.iter().flat_map(|difference| difference.types.iter());
            types.any(|name| {
                table.differs_in(&row.tensor, name) && type_cell_id(&operator.name, table.level, row, name) == id
            })
        })
    })
}

/// Clauses and cells that an accepted descriptor keeps, and the silences that it touches.
fn kept(suite: &Planner, operator: &Operator, question: &Question, questions: &Questions) -> Vec<Target> {
    if question.verdict.is_rejection() {
        return Vec::new();
    }
    let mut found = cells(suite, operator, question, questions);
    let is_constraint = |c: &&Clause| c.kind == ClauseKind::Constraint && c.retired.is_none();
    let constraints = operator.clauses.iter().filter(is_constraint);
    found.extend(constraints.map(|c| (c.id.to_string(), None)));
    for field in operator.fields.iter() {
        let Some(role) = field.kind.role() else { continue };
        let applies = |clause: &&Clause| match clause.applies {
            Applies::Operator => false,
            Applies::Required => !field.optional,
            Applies::Any => true,
            Applies::Input => role == Role::Input,
            Applies::Output => role == Role::Output,
        };
        let clauses = suite.catalog.tensor_clauses.iter();
        let constraints = clauses.filter(is_constraint).filter(applies);
        found.extend(constraints.map(|c| (c.id.to_string(), Some(field.name.to_string()))));
    }
    if let Verdict::Observed { clauses, .. } = &question.verdict {
        let silences = clauses
            .iter()
            .filter(|id| clause(suite, operator, id).is_some_and(|c| c.kind == ClauseKind::Silence));
        found.extend(silences.map(|id| (id.to_string(), None)));
    }
    found.retain(|target| !question.broken.contains(target));
    found
}

fn cells(suite: &Planner, operator: &Operator, question: &Question, questions: &Questions) -> Vec<Target> {
    let mut found = Vec::new();
    let level = question.id.level();
    let descriptor = &questions.descriptors[question.number];
    for (field, value) in descriptor.fields.iter().enumerate() {
        let tensors = match value {
            Value::Tensor(Some(tensor)) => std::slice::from_ref(tensor),
            Value::Tensors(Some(tensors)) => tensors,
            _ => continue,
        };
        let Some((_, row)) = suite.row(operator, descriptor, level, field) else {
            continue;
        };
        let tensor_name = Some(row.tensor.to_string());
        for tensor in tensors {
            let count = tensor.dimension_count();
            let id = dimension_cell_id(&operator.name, level, row, count);
            found.push((id, tensor_name.clone()));
            if let Some(data_type) = suite.catalog.data_type(tensor.data_type) {
                let id = type_cell_id(&operator.name, level, row, &data_type.name);
                found.push((id, tensor_name.clone()));
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Answers that are not as expected, of the libraries that speak for a table.
pub fn otherwise(operator: &Operator, questions: &Questions, answered: &[Answered]) -> Vec<Otherwise> {
    let mut found = Vec::new();
    for library in answered {
        let table = library.table(operator);
        for question in questions.all.iter().filter(|q| Some(q.id.level()) == table) {
            let reply = &library.replies[question.number];
            let differs = reply.rejected().is_some_and(|is| is != question.verdict.is_rejection());
            let crashed = matches!(reply, Reply::Crashed(_));
            let known = |target: &Target| is_known_to_differ(operator, &target.0);
            let known = !question.broken.is_empty() && question.broken.iter().all(known);
            if (differs && !known) || crashed || matches!(reply, Reply::Broken(_)) {
                found.push(Otherwise {
                    id: question.id.to_string(),
                    library: library.name.clone(),
                    reply: reply.clone(),
                    broken: question.broken.iter().cloned().collect(),
                    // Nobody promises that a library survives a descriptor that it need not take.
                    normative: question.is_normative() && !(crashed && question.verdict.is_rejection()),
                });
            }
        }
    }
    found
}
