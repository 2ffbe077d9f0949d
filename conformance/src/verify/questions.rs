//! Plans the creation cases to ask a library about, with the clauses and cells that each one tests.

use std::{
    collections::{BTreeSet, HashSet},
    ops::ControlFlow,
};

use dml_case::{
    case::{Case, Mode, Verdict},
    context::Context,
    id::CaseId,
};
use dml_plan::{
    planner::Planner,
    target::{Target, broken_targets},
};
use dml_spec::{
    FeatureLevel, Value,
    model::{Applies, Clause, ClauseKind, Generator, Operator, Role, Tier, dimension_cell_id, type_cell_id},
};

/// A creation case, and what it tests.
#[derive(Clone, Debug)]
pub struct Question {
    /// The case.
    pub case: Case,
    /// Clauses and cells that its descriptor breaks.
    pub broken: BTreeSet<Target>,
    /// Clauses and cells that a valid descriptor keeps, and silences that it touches.
    pub kept: Vec<Target>,
}

impl Question {
    /// Whether the expected verdict rests on the text, not on observations of runtimes.
    pub fn is_normative(&self) -> bool {
        matches!(self.case.verdict, Verdict::Valid | Verdict::Rejected(_))
    }
}

/// Plans the questions about one table of an operator, each descriptor once. Support and fault families are asked at the
/// standard tier or above, families about values up to `tier`.
pub fn plan_questions(
    suite: &Planner,
    operator: &Operator,
    table: FeatureLevel,
    tier: Tier,
    wants: &dyn Fn(&CaseId) -> bool,
) -> Vec<Question> {
    let mut found = Vec::new();
    let Some(index) = suite
        .catalog
        .operators
        .iter()
        .position(|known| known.name == operator.name)
    else {
        return found;
    };
    let mut seen = HashSet::new();
    let buckets = dml_plan::buckets_of(suite, index);
    for bucket in buckets.iter().filter(|bucket| bucket.level == table) {
        let family = operator.cases.families.get(bucket.family);
        let tier = match family.map(|family| family.generator) {
            Some(Generator::Support | Generator::Faults) => tier.max(Tier::Standard),
            _ => tier,
        };
        // A bucket that cannot be planned to its end is reported by `run`.
        let _ = dml_plan::for_each_case(suite, bucket, tier, 0, &mut |case| {
            if wants(&case.id)
                && seen.insert(format!("{:?}", case.descriptor))
                && let Some(question) = question(suite, operator, case)
            {
                found.push(question);
            }
            ControlFlow::Continue(())
        });
    }
    found
}

/// The question that a case comes to; `None` if a library may end, or answer at random.
fn question(suite: &Planner, operator: &Operator, case: Case) -> Option<Question> {
    let violations = Context::new(suite, &case)?.violations();
    let is_erratic = |id: &str| {
        let observed = find_clause(suite, operator, id)
            .into_iter()
            .flat_map(|clause| clause.observed.iter());
        observed.into_iter().any(|observation| observation.erratic)
    };
    if violations.iter().any(|violation| is_erratic(&violation.clause)) {
        return None;
    }
    let broken = broken_targets(&violations);
    let mut kept = kept_targets(suite, operator, &case);
    kept.retain(|target| !broken.contains(target));
    let case = Case {
        mode: Mode::Create,
        inputs: Vec::new(),
        given: None,
        ..case
    };
    Some(Question { case, broken, kept })
}

/// The clause of this id; `None` for a cell.
pub(super) fn find_clause<'a>(suite: &'a Planner, operator: &'a Operator, id: &str) -> Option<&'a Clause> {
    let mut all = suite.catalog.tensor_clauses.iter().chain(operator.clauses.iter());
    all.find(|clause| clause.id == id)
}

/// Clauses and cells that apply to an accepted descriptor, and the silences that it touches.
fn kept_targets(suite: &Planner, operator: &Operator, case: &Case) -> Vec<Target> {
    if case.verdict.is_rejection() {
        return Vec::new();
    }
    let mut found = cells(suite, operator, case);
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
        let constraints = suite
            .catalog
            .tensor_clauses
            .iter()
            .filter(is_constraint)
            .filter(applies);
        found.extend(constraints.map(|c| (c.id.to_string(), Some(field.name.to_string()))));
    }
    if let Verdict::Observed { clauses, .. } = &case.verdict {
        let is_silence = |id: &str| find_clause(suite, operator, id).is_some_and(|c| c.kind == ClauseKind::Silence);
        let silences = clauses.iter().filter(|id| is_silence(id));
        found.extend(silences.map(|id| (id.to_string(), None)));
    }
    found
}

/// The support cells of the tensors of a descriptor.
fn cells(suite: &Planner, operator: &Operator, case: &Case) -> Vec<Target> {
    let mut found = BTreeSet::new();
    let level = case.id.level();
    for (field, value) in case.descriptor.fields.iter().enumerate() {
        let tensors = match value {
            Value::Tensor(Some(tensor)) => std::slice::from_ref(tensor),
            Value::Tensors(Some(tensors)) => tensors,
            _ => continue,
        };
        let Some((_, row)) = suite.row(operator, &case.descriptor, level, field) else {
            continue;
        };
        for tensor in tensors {
            let count = dimension_cell_id(&operator.name, level, row, tensor.dimension_count());
            let data_type = suite.catalog.data_type(tensor.data_type);
            let data_type = data_type.map(|known| type_cell_id(&operator.name, level, row, &known.name));
            found.extend(
                [Some(count), data_type]
                    .into_iter()
                    .flatten()
                    .map(|id| (id, Some(row.tensor.to_string()))),
            );
        }
    }
    found.into_iter().collect()
}
