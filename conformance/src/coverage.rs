//! Coverage: declared ↔ validated ↔ tested on both sides, per clause and support cell.
//!
//! A clause that no descriptor breaks alone is *coupled*: a bounded search over all single steps and all pairs of
//! steps from the base descriptors shows that nothing smaller breaks it.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::ControlFlow,
};

use dml_spec::{
    FeatureLevel,
    model::{ClauseKind, Generator, Operator, Status, Tier, dimension_cell_id, type_cell_id},
};
use rayon::prelude::*;

use crate::{
    case::Verdict,
    plan::{
        self, Bucket,
        build::Builder,
        faults::{Around, Target, bases_of, is_cell, targets},
        sweep::Walk,
    },
    suite::Suite,
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
    /// Whether validators check it; `None` where there is nothing to check in a descriptor.
    pub validated: Option<bool>,
    /// Cases in which it holds; for guarantees, silences and examples the cases that exercise it.
    pub positive: u64,
    /// Cases in which it is broken; `None` where it cannot be broken by a case.
    pub negative: Option<u64>,
    /// Clauses that always break with it, with what proves that.
    pub coupled: Option<Coupling>,
}

/// A clause that does not break alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coupling {
    /// What else breaks in the smallest case.
    pub with: Vec<String>,
    /// Descriptors searched for a smaller set.
    pub searched: u64,
    /// A smaller set that the search found, in which case the plan is not minimal.
    pub smaller: Option<Vec<String>>,
}

impl Row {
    /// The clause, and the tensor where it has one.
    pub fn subject(&self) -> String {
        self.tensor
            .as_ref()
            .map_or_else(|| self.clause.clone(), |tensor| format!("{} on {tensor}", self.clause))
    }

    /// Why it is not covered; `None` where it is.
    pub fn gap(&self) -> Option<String> {
        let is_forbidden = self.kind == "cell forbidden";
        if self.validated == Some(false) {
            return Some("no validator checks it".to_owned());
        }
        if let Some(smaller) = self.coupled.as_ref().and_then(|coupled| coupled.smaller.as_ref()) {
            return Some(format!("a smaller fault exists, with {}", smaller.join(" and ")));
        }
        match (self.positive, self.negative) {
            (_, Some(0)) => Some("no case breaks it".to_owned()),
            (0, _) if !is_forbidden => Some("no case in which it holds".to_owned()),
            _ => None,
        }
    }
}

/// What the lock holds of coupled clauses: a line each, in the order of the clauses.
pub fn coupled_lines(suite: &Suite) -> Vec<String> {
    let operators = 0..suite.catalog.operators.len();
    let rows = operators.flat_map(|operator| coverage(suite, operator, Tier::Standard));
    rows.filter_map(|row| {
        Some(format!(
            "{} with {}",
            row.subject(),
            row.coupled.as_ref()?.with.join(", ")
        ))
    })
    .collect()
}

/// Counts per target.
#[derive(Default)]
struct Counts {
    accepted: u64,
    executed: u64,
    broken: BTreeMap<Target, u64>,
    smallest: BTreeMap<(FeatureLevel, Target), BTreeSet<Target>>,
    allowed_cells: BTreeMap<String, u64>,
    silences: BTreeMap<String, u64>,
    examples: BTreeMap<String, u64>,
}

/// The coverage of one operator at a tier.
pub fn coverage(suite: &Suite, operator: usize, tier: Tier) -> Vec<Row> {
    let Some(builder) = Builder::new(suite, operator) else {
        return Vec::new();
    };
    let buckets: Vec<Bucket> = plan::buckets(suite)
        .into_iter()
        .filter(|b| b.operator == operator)
        .collect();
    let counts = buckets
        .par_iter()
        .map(|bucket| count(suite, &builder, bucket, tier))
        .reduce(Counts::default, merge);
    let proofs = proofs(&builder, &counts);
    let mut rows = constraint_rows(&builder, &counts, &proofs);
    rows.extend(cell_rows(&builder, &counts, &proofs));
    rows.extend(other_rows(suite, builder.operator, &counts));
    rows
}

fn count(suite: &Suite, builder: &Builder<'_>, bucket: &Bucket, tier: Tier) -> Counts {
    let mut counts = Counts::default();
    let _ = plan::for_each_case(suite, bucket, tier, 0, &mut |case| {
        let violations = builder
            .program
            .evaluate(&suite.catalog, builder.operator, &case.descriptor, bucket.level);
        let broken = targets(&violations);
        for target in &broken {
            let smallest = counts
                .smallest
                .entry((bucket.level, target.clone()))
                .or_insert_with(|| broken.clone());
            if broken.len() < smallest.len() {
                smallest.clone_from(&broken);
            }
        }
        if !case.verdict.is_rejection() {
            counts.accepted += 1;
            counts.executed += u64::from(matches!(case.mode, crate::case::Mode::Execute));
            for cell in allowed_cells(suite, builder.operator, &case) {
                *counts.allowed_cells.entry(cell).or_default() += 1;
            }
        }
        for target in broken {
            *counts.broken.entry(target).or_default() += 1;
        }
        if let Verdict::Observed { clauses, .. } | Verdict::Unspecified(clauses) = &case.verdict {
            for clause in clauses {
                *counts.silences.entry(clause.to_string()).or_default() += 1;
            }
        }
        if let Some(example) = case.id.get(plan::recipe::EXAMPLE_KEY) {
            *counts.examples.entry(example.to_owned()).or_default() += 1;
        }
        ControlFlow::Continue(())
    });
    counts
}

fn merge(mut a: Counts, b: Counts) -> Counts {
    a.accepted += b.accepted;
    a.executed += b.executed;
    let add = |into: &mut BTreeMap<String, u64>, from: BTreeMap<String, u64>| {
        from.into_iter().for_each(|(key, n)| *into.entry(key).or_default() += n);
    };
    b.broken
        .into_iter()
        .for_each(|(key, n)| *a.broken.entry(key).or_default() += n);
    add(&mut a.allowed_cells, b.allowed_cells);
    add(&mut a.silences, b.silences);
    add(&mut a.examples, b.examples);
    for (key, set) in b.smallest {
        let smallest = a.smallest.entry(key).or_insert_with(|| set.clone());
        if set.len() < smallest.len() {
            *smallest = set;
        }
    }
    a
}

/// Cells of the tables that an accepted case rests on.
fn allowed_cells(suite: &Suite, operator: &Operator, case: &crate::case::Case) -> Vec<String> {
    let mut cells = Vec::new();
    let Some(table) = operator.table_at(case.id.level()) else {
        return cells;
    };
    for (field, value) in operator.fields.iter().zip(&case.descriptor.fields) {
        let tensors = match value {
            dml_spec::Value::Tensor(Some(tensor)) => std::slice::from_ref(tensor),
            dml_spec::Value::Tensors(Some(tensors)) => tensors,
            _ => continue,
        };
        for tensor in tensors {
            cells.push(dimension_cell_id(
                &operator.name,
                table.level,
                &field.name,
                tensor.dimension_count(),
            ));
            if let Some(ty) = suite.catalog.data_type(tensor.data_type) {
                cells.push(type_cell_id(&operator.name, table.level, &field.name, &ty.name));
            }
        }
    }
    cells
}

/// Searches, per level, for smaller sets around the bases of the smoke sweeps.
fn proofs(builder: &Builder<'_>, counts: &Counts) -> BTreeMap<(FeatureLevel, Target), Coupling> {
    let coupled: Vec<_> = counts.smallest.iter().filter(|(_, set)| set.len() > 1).collect();
    let levels: BTreeSet<FeatureLevel> = coupled.iter().map(|((level, _), _)| *level).collect();
    let searched: Vec<(FeatureLevel, u64, BTreeSet<BTreeSet<Target>>)> =
        levels.into_par_iter().map(|level| search(builder, level)).collect();
    let mut proofs = BTreeMap::new();
    for ((level, target), set) in coupled {
        let Some((_, searched, found)) = searched.iter().find(|(l, ..)| l == level) else {
            continue;
        };
        let smaller = found
            .iter()
            .find(|f| f.contains(target) && f.is_subset(set) && f.len() < set.len());
        let others = |set: &BTreeSet<Target>| set.iter().filter(|t| *t != target).map(spell).collect();
        let coupling = Coupling {
            with: others(set),
            searched: *searched,
            smaller: smaller.map(others),
        };
        proofs.insert((*level, target.clone()), coupling);
    }
    proofs
}

/// Everything that the base descriptors with one or two steps break, at one level.
fn search(builder: &Builder<'_>, level: FeatureLevel) -> (FeatureLevel, u64, BTreeSet<BTreeSet<Target>>) {
    let (mut tried, mut found) = (0, BTreeSet::new());
    for (family, compiled) in builder.recipe.families.iter().enumerate() {
        if compiled.generator != Generator::Faults {
            continue;
        }
        let Some(sweep) = compiled.sweeps.first() else { continue };
        let mut bases: Vec<Around<'_>> = Vec::new();
        let buckets: Vec<Bucket> = builder
            .suite
            .catalog
            .data_types
            .iter()
            .map(|t| Bucket {
                operator: 0,
                level,
                family,
                data_type: t.name.to_string(),
            })
            .collect();
        for bucket in buckets.iter().filter(|b| !builder.is_forbidden_type(b)) {
            let walk = Walk {
                builder: *builder,
                bucket,
                sweep,
                seed: 0,
            };
            let _ = bases_of(&walk, &mut |params| {
                bases.push(Around {
                    builder,
                    bucket,
                    base: params.to_vec(),
                })
            });
        }
        for around in bases {
            let moves = around.moves();
            let sets: Vec<BTreeSet<BTreeSet<Target>>> = (0..moves.len())
                .into_par_iter()
                .map(|i| {
                    let mut sets = BTreeSet::new();
                    let mut keep = |steps: &[_]| sets.extend(around.try_moves(steps).map(|c| c.broken));
                    keep(&moves[i..=i]);
                    for other in moves[i + 1..].iter().filter(|m| m.0 != moves[i].0) {
                        keep(&[moves[i].clone(), other.clone()]);
                    }
                    sets
                })
                .collect();
            let n = moves.len() as u64;
            tried += n * (n + 1) / 2;
            found.extend(sets.into_iter().flatten());
        }
    }
    (level, tried, found)
}

fn spell(target: &Target) -> String {
    match &target.1 {
        Some(tensor) if target.0.starts_with("TENSOR/") => format!("{} on {tensor}", target.0),
        _ => target.0.clone(),
    }
}

fn status_word(status: Status) -> &'static str {
    match status {
        Status::Normative => "normative",
        Status::ByExample => "by-example",
        Status::Disputed => "disputed",
        Status::Observed => "observed",
        Status::Open => "open",
    }
}

type Proofs = BTreeMap<(FeatureLevel, Target), Coupling>;

/// The coupling of a target at the level where it is loosest: it counts as coupled only where it is so everywhere.
fn coupling_of(target: &Target, counts: &Counts, proofs: &Proofs) -> Option<Coupling> {
    let of_target: Vec<_> = counts.smallest.iter().filter(|((_, t), _)| t == target).collect();
    let ((level, _), _) = of_target.iter().min_by_key(|(_, set)| set.len())?;
    proofs.get(&(*level, target.clone())).cloned()
}

fn constraint_rows(builder: &Builder<'_>, counts: &Counts, proofs: &Proofs) -> Vec<Row> {
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
            let target = (clause.id.to_string(), tensor.clone());
            rows.push(Row {
                clause: clause.id.to_string(),
                kind: "constraint",
                status: status_word(clause.status),
                validated: Some(!checks.is_empty()),
                positive: counts.accepted,
                negative: Some(counts.broken.get(&target).copied().unwrap_or(0)),
                coupled: coupling_of(&target, counts, proofs),
                tensor,
            });
        }
    }
    rows
}

fn cell_rows(builder: &Builder<'_>, counts: &Counts, proofs: &Proofs) -> Vec<Row> {
    let (catalog, operator) = (&builder.suite.catalog, builder.operator);
    let mut rows = Vec::new();
    for table in operator.support.iter() {
        for row in table.rows.iter() {
            let types = catalog.data_types.iter().map(|t| {
                (
                    type_cell_id(&operator.name, table.level, &row.tensor, &t.name),
                    row.allows_type(&t.name),
                )
            });
            let dimensions = (1..=DIMENSIONS).map(|n| {
                (
                    dimension_cell_id(&operator.name, table.level, &row.tensor, n),
                    row.allows_dimensions(n),
                )
            });
            for (clause, allowed) in types.chain(dimensions) {
                let broken: Vec<_> = counts.broken.iter().filter(|((id, _), _)| *id == clause).collect();
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
                        .and_then(|t| coupling_of(&t, counts, proofs)),
                    clause,
                });
            }
        }
    }
    rows
}

fn other_rows(suite: &Suite, operator: &Operator, counts: &Counts) -> Vec<Row> {
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
            ClauseKind::Guarantee => rows.push(row(
                &clause.id,
                "guarantee",
                status_word(clause.status),
                counts.executed,
            )),
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
