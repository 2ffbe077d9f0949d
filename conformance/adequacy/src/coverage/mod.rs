//! Coverage: declared ↔ validated ↔ tested on both sides, per clause and support cell.
//!
//! A clause that no descriptor violates alone is *coupled*: a bounded search over all single steps from the base
//! descriptors, and all pairs of steps of which one alone violates it, shows that no smaller set includes it.

mod count;
mod coupled;
mod prove;

use dml_spec::model::{ClauseKind, Operator, Tier, dimension_cell_id, type_cell_id};
use rayon::prelude::*;

use self::{
    count::{Counts, count, merge},
    prove::{Couplings, couplings},
};
use dml_case::clause::status_word;
use dml_judge::MutantCache;
use dml_plan::{
    self,
    builder::Builder,
    planner::Planner,
    target::{Target, is_cell},
};

/// Largest dimension count that the tables are checked for.
const DIMENSIONS: u32 = 8;

/// How one clause, on one tensor, is covered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Clause or cell id.
    pub clause: String,
    /// Tensor, for `TENSOR/` clauses.
    pub tensor: Option<String>,
    /// What it is: `constraint`, `cell allowed`, `cell forbidden`, `guarantee`, `silence`, `example`.
    pub kind: &'static str,
    /// Status word.
    pub status: &'static str,
    /// Whether validators check it; `None` if there is nothing to check in a descriptor.
    pub validated: Option<bool>,
    /// Cases in which it holds; for guarantees the cases that could break it, for silences and
    /// examples those that exercise it.
    pub positive: u64,
    /// Cases in which it is violated; `None` if no case can violate it.
    pub negative: Option<u64>,
    /// Clauses that are always violated with it, with the proof.
    pub coupled: Option<Coupling>,
}

/// A clause that is not violated alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coupling {
    /// The other violations in the smallest case.
    pub with: Vec<String>,
    /// Descriptors searched for a smaller set.
    pub searched: u64,
    /// A smaller set that the search found, in which case the plan is not minimal.
    pub smaller: Option<Vec<String>>,
}

impl Row {
    /// The clause, and the tensor if it has one.
    pub fn subject(&self) -> String {
        self.tensor
            .as_ref()
            .map_or_else(|| self.clause.clone(), |tensor| format!("{} on {tensor}", self.clause))
    }

    /// Why it is not covered; `None` if it is.
    pub fn gap(&self) -> Option<String> {
        let is_forbidden = self.kind == "cell forbidden";
        if self.validated == Some(false) {
            return Some("no validator checks it".to_owned());
        }
        if let Some(smaller) = self.coupled.as_ref().and_then(|coupled| coupled.smaller.as_ref()) {
            return Some(format!("a smaller fault exists, with {}", smaller.join(" and ")));
        }
        if self.coupled.as_ref().is_some_and(|coupled| coupled.searched == 0) {
            return Some("no descriptor is valid at its level, so nothing shows what breaks with it".into());
        }
        match (self.positive, self.negative) {
            (_, Some(0)) => Some("no case breaks it".to_owned()),
            (0, _) if self.kind == "guarantee" => Some("no case could break it".to_owned()),
            (0, _) if !is_forbidden => Some("no case in which it holds".to_owned()),
            _ => None,
        }
    }
}

/// The coupled clauses in the form of the lock, in their order.
pub fn coupled_lines(suite: &Planner) -> Vec<String> {
    let operators = 0..suite.catalog.operators.len();
    coupled::lines(operators.flat_map(|operator| {
        // What tests a guarantee costs most, and couples nothing.
        let counted = Counted::new(suite, operator, Tier::Standard, None);
        counted.map(|counted| counted.rows()).unwrap_or_default()
    }))
}

/// The coverage of one operator at a tier.
pub fn coverage(suite: &Planner, operator: usize, tier: Tier) -> Vec<Row> {
    let Some(counted) = Counted::new(suite, operator, tier, Some(&MutantCache::default())) else {
        return Vec::new();
    };
    let mut rows = counted.rows();
    rows.extend(other_rows(suite, counted.builder.operator, &counted.counts));
    rows
}

/// What the cases of an operator break, and why some of it is never broken alone.
struct Counted<'a> {
    builder: Builder<'a>,
    counts: Counts,
    couplings: Couplings,
}

impl<'a> Counted<'a> {
    /// Counts the cases of a tier; those that test a guarantee only with mutants.
    fn new(suite: &'a Planner, operator: usize, tier: Tier, mutants: Option<&MutantCache>) -> Option<Self> {
        let builder = Builder::new(suite, operator)?;
        let counts = dml_plan::buckets_of(suite, operator, tier)
            .par_iter()
            .map(|bucket| count(suite, mutants, &builder, bucket, tier))
            .reduce(Counts::default, merge);
        Some(Self {
            couplings: couplings(&builder, &counts),
            builder,
            counts,
        })
    }

    /// The rows of constraints and of cells.
    fn rows(&self) -> Vec<Row> {
        let mut rows = constraint_rows(&self.builder, &self.counts, &self.couplings);
        rows.extend(cell_rows(&self.builder, &self.counts, &self.couplings));
        rows
    }
}

fn constraint_rows(builder: &Builder<'_>, counts: &Counts, couplings: &Couplings) -> Vec<Row> {
    let catalog = &builder.suite.catalog;
    let clauses = catalog.tensor_clauses.iter().chain(builder.operator.clauses.iter());
    let mut rows = Vec::new();
    for clause in clauses.filter(|c| c.kind == ClauseKind::Constraint && c.retired.is_none()) {
        let checks: Vec<_> = builder
            .program
            .checks
            .iter()
            .filter(|c| c.clause == clause.id)
            .collect();
        let subjects: Vec<Option<String>> = if checks.is_empty() {
            vec![None]
        } else {
            checks
                .iter()
                .map(|c| c.subject.map(|f| builder.operator.fields[f].name.to_string()))
                .collect()
        };
        for tensor in subjects {
            let broken = broken_on(counts, &clause.id, tensor.as_deref());
            // Strides mean nothing for one element: where a tensor never has more, no descriptor breaks a clause about them.
            let is_single = tensor.as_ref().is_some_and(|tensor| !counts.spread.contains(tensor));
            let target = broken
                .first()
                .map_or_else(|| (clause.id.to_string(), tensor.clone()), |(t, _)| (*t).clone());
            rows.push(Row {
                clause: clause.id.to_string(),
                kind: "constraint",
                status: status_word(clause.status),
                validated: Some(!checks.is_empty()),
                positive: counts.accepted,
                negative: Some(broken.iter().map(|(_, n)| n).sum()).filter(|n: &u64| *n > 0 || !is_single),
                coupled: couplings.get(&target).cloned(),
                tensor,
            });
        }
    }
    rows
}

/// Where a clause is broken on a tensor, or on an element of an array of them, and how often.
fn broken_on<'a>(counts: &'a Counts, clause: &str, tensor: Option<&str>) -> Vec<(&'a Target, u64)> {
    let field = |label: &'a str| label.split_once('[').map_or(label, |(field, _)| field);
    let of_clause = counts.broken.range((clause.to_owned(), None)..);
    let of_clause = of_clause.take_while(|(target, _)| target.0 == clause);
    let on = of_clause.filter(|(target, _)| target.1.as_deref().map(field) == tensor);
    on.map(|(target, count)| (target, *count)).collect()
}

fn cell_rows(builder: &Builder<'_>, counts: &Counts, couplings: &Couplings) -> Vec<Row> {
    let (catalog, operator) = (&builder.suite.catalog, builder.operator);
    let mut rows = Vec::new();
    for table in operator.support.iter() {
        for row in table.rows.iter() {
            let types = catalog.data_types.iter().map(|t| {
                (
                    type_cell_id(&operator.name, table.level, row, &t.name),
                    row.allows_type(&t.name),
                )
            });
            let dimensions = (1..=DIMENSIONS).map(|n| {
                (
                    dimension_cell_id(&operator.name, table.level, row, n),
                    row.allows_dimensions(n),
                )
            });
            for (clause, allowed) in types.chain(dimensions) {
                let from = counts.broken.range((clause.clone(), None)..);
                let broken: Vec<_> = from.take_while(|((id, _), _)| *id == clause).collect();
                let target = broken.first().map(|(target, _)| (*target).clone());
                rows.push(Row {
                    tensor: None,
                    kind: if allowed { "cell allowed" } else { "cell forbidden" },
                    status: "normative",
                    validated: Some(true),
                    positive: counts.allowed_cells.get(&clause).copied().unwrap_or(0),
                    negative: (!allowed).then(|| broken.iter().map(|(_, n)| **n).sum()),
                    coupled: target
                        .filter(|t| is_cell(&t.0))
                        .and_then(|t| couplings.get(&t).cloned()),
                    clause,
                });
            }
        }
    }
    rows
}

fn other_rows(suite: &Planner, operator: &Operator, counts: &Counts) -> Vec<Row> {
    let clauses = suite.catalog.tensor_clauses.iter().chain(operator.clauses.iter());
    let row = |clause: &str, kind, status, positive| Row {
        clause: clause.to_owned(),
        tensor: None,
        kind,
        status,
        validated: None,
        positive,
        negative: None,
        coupled: None,
    };
    let mut rows = Vec::new();
    for clause in clauses.filter(|c| c.retired.is_none()) {
        match clause.kind {
            ClauseKind::Constraint => {}
            // Nothing runs that could break it.
            ClauseKind::Guarantee if !operator.is_computed() => {}
            ClauseKind::Guarantee => {
                let n = counts.guarantees.get(clause.id.as_ref()).copied().unwrap_or(0);
                rows.push(row(&clause.id, "guarantee", status_word(clause.status), n));
            }
            // The elements that one without a rule leaves open are those that the meaning says.
            ClauseKind::Silence if clause.rule.is_none() => {}
            ClauseKind::Silence => {
                let n = counts.silences.get(clause.id.as_ref()).copied().unwrap_or(0);
                rows.push(row(&clause.id, "silence", status_word(clause.status), n));
            }
        }
    }
    for example in operator.examples.iter() {
        let n = counts.examples.get(example.name.as_ref()).copied().unwrap_or(0);
        rows.push(row(
            &format!("{}/example/{}", operator.name, example.name),
            "example",
            "normative",
            n,
        ));
    }
    rows
}
