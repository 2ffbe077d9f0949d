//! What the unchanged specification says of an operator: its plan, and the verdict on every descriptor in it.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    ops::ControlFlow,
    sync::Arc,
};

use dml_spec::{
    Catalog, Descriptor, FeatureLevel, TensorDesc, Value,
    model::{Generator, List, Operator, Text, Tier},
};
use xxhash_rust::xxh3::xxh3_128;

use dml_case::{case::Verdict, digest::descriptor_bytes, id::CaseId, lock::DEFAULT_SEED};
use dml_plan::{Bucket, planner::Planner, verdict};

/// An operator's plan under the unchanged specification.
#[derive(Debug)]
pub(super) struct Base {
    /// The operator, as the first of a suite, and those that it nests.
    pub(super) suite: Planner,
    /// Every descriptor of the plan once at each level; those of support cells and faults first.
    pub(super) planned: Vec<Planned>,
    /// Cases that run, in the order of the plan, with what is expected of them.
    pub(super) running: Vec<(CaseId, Verdict)>,
    /// The tier.
    pub(super) tier: Tier,
    /// How many descriptors break a clause or cell.
    broken: BTreeMap<String, usize>,
}

/// A descriptor of the plan.
#[derive(Debug)]
pub(super) struct Planned {
    pub id: CaseId,
    pub bucket: Bucket,
    pub descriptor: Arc<Descriptor>,
    /// What violated clauses lead to, whatever stands in the inputs.
    pub verdict: Verdict,
    /// Whether its family breaks clauses or cells.
    pub breaks: bool,
}

impl Base {
    /// Plans an operator.
    ///
    /// # Errors
    /// Mistakes in its rules or its case model.
    pub(super) fn new(catalog: &Catalog, operator: &Operator, tier: Tier) -> Result<Self, Vec<String>> {
        let suite = Planner::new(alone(catalog, operator))?;
        let (mut planned, mut running, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
        for bucket in buckets(&suite) {
            let _ = dml_plan::for_each_case(&suite, &bucket, tier, DEFAULT_SEED, &mut |case| {
                let mut bytes = case.id.level().0.to_le_bytes().to_vec();
                descriptor_bytes(&case.descriptor, &mut bytes);
                if seen.insert(xxh3_128(&bytes)) {
                    planned.push(Planned {
                        id: case.id.clone(),
                        bucket: bucket.clone(),
                        breaks: rank(&suite, &bucket) < VALID,
                        verdict: judged(&suite, &case.descriptor, case.id.level()),
                        descriptor: Arc::clone(&case.descriptor),
                    });
                }
                if !case.verdict.is_rejection() {
                    running.push((case.id, in_order(case.verdict)));
                }
                ControlFlow::Continue(())
            });
        }
        let mut broken = BTreeMap::new();
        for one in &planned {
            for clause in one.verdict.clauses().into_iter().collect::<BTreeSet<Text>>() {
                *broken.entry(clause.into_owned()).or_default() += 1;
            }
        }
        Ok(Self {
            suite,
            planned,
            running,
            tier,
            broken,
        })
    }

    /// The operator.
    pub(super) fn operator(&self) -> Option<&Operator> {
        self.suite.catalog.operators.first()
    }

    /// How many descriptors there are, and how many of them break this clause.
    pub(super) fn descriptors(&self, clause: &str) -> (usize, usize) {
        (self.planned.len(), self.broken.get(clause).copied().unwrap_or(0))
    }
}

/// The buckets of a suite's first operator, those that break clauses and cells in front.
pub(super) fn buckets(suite: &Planner) -> Vec<Bucket> {
    let mut found: Vec<Bucket> = dml_plan::buckets_of(suite, 0);
    found.sort_by_key(|bucket| rank(suite, bucket));
    found
}

/// Rank of the families whose cases are valid all.
const VALID: u8 = 2;

/// Families that break clauses and cells come first.
fn rank(suite: &Planner, bucket: &Bucket) -> u8 {
    let families = suite.recipes.first().map(|recipe| &recipe.families);
    match families.and_then(|f| f.get(bucket.family)).map(|f| f.generator) {
        Some(Generator::Support) => 0,
        Some(Generator::Faults) => 1,
        _ => VALID,
    }
}

/// The tensors of a field: none, one, or an array's.
pub(super) fn tensors(descriptor: &Descriptor, field: usize) -> &[TensorDesc] {
    match descriptor.fields.get(field) {
        Some(Value::Tensor(Some(tensor))) => std::slice::from_ref(tensor),
        Some(Value::Tensors(Some(tensors))) => tensors,
        _ => &[],
    }
}

/// The verdict on a descriptor, whatever stands in its inputs.
pub(super) fn judged(suite: &Planner, descriptor: &Descriptor, level: FeatureLevel) -> Verdict {
    let found = suite.catalog.operators.first().zip(suite.programs.first());
    let violations = found.map(|(operator, program)| program.evaluate(&suite.catalog, operator, descriptor, level));
    in_order(verdict::from_violations(&violations.unwrap_or_default()))
}

/// A verdict whose clauses stand in an order of their own: that of the checks says nothing.
pub(super) fn in_order(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Rejected(mut violations) => {
            violations.sort_unstable();
            Verdict::Rejected(violations)
        }
        Verdict::Observed { mut clauses, rejected } => {
            clauses.sort_unstable();
            clauses.dedup();
            Verdict::Observed { clauses, rejected }
        }
        Verdict::Unspecified(mut clauses) => {
            clauses.sort_unstable();
            Verdict::Unspecified(clauses)
        }
        Verdict::Valid => Verdict::Valid,
    }
}

/// The catalog of one operator and those that it nests, without what no case depends on: changed thousands of times, it
/// has to be small.
fn alone(catalog: &Catalog, operator: &Operator) -> Catalog {
    let nested = catalog.operators.iter().filter(|other| {
        let mut names = operator.cases.nested.iter().map(|nested| &nested.operator);
        other.name != operator.name && names.any(|name| *name == other.name)
    });
    let bare = |operator: &Operator| Operator {
        sources: List::default(),
        ledger: List::default(),
        superseded: List::default(),
        onnx: List::default(),
        ..operator.clone()
    };
    Catalog {
        sources: List::default(),
        operators: std::iter::once(operator).chain(nested).map(bare).collect(),
        ..catalog.clone()
    }
}
