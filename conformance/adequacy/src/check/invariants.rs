//! Invariants that do not hold: of a silence, if a variant of it violates them, so that they do not hold whatever it leaves
//! open; of a guarantee, if what the meaning gives does.

use std::{collections::BTreeSet, ops::ControlFlow};

use dml_case::{
    case::{Case, Mode, Verdict},
    context::Context,
};
use dml_judge::{guarantee_speaks_of, shared_properties};
use dml_oracle::{
    Acceptance, Basis, Broken, Expectation, Keeps, Library, Request, Tensor, applies, case_inputs, case_tensors,
    find_broken, keep_guarantees,
};
use dml_plan::{buckets_of, builder::Builder, for_each_case};
use dml_spec::{
    Diagnostic,
    meaning::{Place, typed::Variant},
    model::{Clause, ClauseKind, Text, Tier},
};
use dml_spec_yaml::load::{Files, locate_meaning};

use super::Source;

/// Most planned cases of an operator that are looked at for its silences, and for its guarantees.
const CASES: usize = 64;

/// Most points at which one invariant of a guarantee is looked at in a case, and most elements.
const POINTS: u64 = 1 << 16;
const ELEMENTS: usize = 256;

/// Invariants that do not hold, each with the first planned case of which that is so.
pub(super) fn check(builder: &Builder<'_>, index: usize, source: &Source<'_>, files: &Files) -> Vec<Diagnostic> {
    if !builder.operator.is_computed() {
        return Vec::new();
    }
    let (mut found, mut known, mut left) = (Vec::new(), BTreeSet::new(), [CASES; 2]);
    let has_invariants = |clause: &Clause| clause.kind == ClauseKind::Guarantee && !clause.holds.is_empty();
    if !builder.operator.clauses.iter().any(has_invariants) {
        left[1] = 0;
    }
    for bucket in buckets_of(builder.suite, index, Tier::Smoke) {
        let _ = for_each_case(builder.suite, &bucket, Tier::Smoke, 0, &mut |case| {
            let [silences, guarantees] = &mut left;
            let violations = match (case.mode, &case.verdict) {
                (Mode::Execute, Verdict::Unspecified(clauses)) if *silences > 0 => {
                    *silences -= 1;
                    violations(builder, &case, clauses)
                }
                (Mode::Execute, verdict) if *guarantees > 0 && !verdict.is_rejection() => {
                    *guarantees -= 1;
                    violated_guarantees(builder, &case)
                }
                _ => Vec::new(),
            };
            for (of, broken) in violations {
                if known.insert((broken.clause.clone(), broken.name.clone())) {
                    found.push(diagnostic(builder, &case, &of, &broken, source, files));
                }
            }
            if left == [0, 0] {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        if left == [0, 0] {
            break;
        }
    }
    found
}

/// Of which outputs an invariant does not hold: those of a variant, or `None` of the meaning.
type Of = Option<Text>;

/// What the outputs that the meaning gives violate of the guarantees that speak of a case.
fn violated_guarantees(builder: &Builder<'_>, case: &Case) -> Vec<(Of, Broken)> {
    let Some((context, inputs)) = context_of(builder, case) else {
        return Vec::new();
    };
    let request = request(builder, case, &inputs);
    let given = Expectation::compute(&request).ok().filter(|given| given.open() == 0);
    let Some(tensors) = given.and_then(|given| case_tensors(context, &given.outputs)) else {
        return Vec::new();
    };
    let violated = keep_guarantees(&request, &tensors, &|_, _| (0..ELEMENTS).collect(), POINTS).into_iter();
    let violated = violated.filter(|(_, keeps)| *keeps == Keeps::Not);
    let violated = violated.filter(|(short, _)| {
        let mut clauses = builder.operator.clauses.iter();
        let clause = clauses.find(|clause| clause.id.rsplit('/').next() == Some(short));
        clause.is_some_and(|clause| guarantee_speaks_of(context, clause))
    });
    let broken = |(short, _): (Text, Keeps)| find_broken(&request, &tensors, &|clause, _| clause == short).ok()?;
    violated.filter_map(|of| Some((None, broken(of)?))).collect()
}

/// A case with its input tensors.
fn context_of<'a>(builder: &Builder<'a>, case: &'a Case) -> Option<(Context<'a>, Vec<Vec<Tensor>>)> {
    let context = Context::new(builder.suite, case)?;
    Some((context, case_inputs(context)?))
}

/// What is asked of the meaning as it is written.
fn request<'a>(builder: &Builder<'a>, case: &'a Case, inputs: &'a [Vec<Tensor>]) -> Request<'a> {
    Request {
        catalog: &builder.suite.catalog,
        meanings: &**builder.suite,
        descriptor: &case.descriptor,
        inputs,
        basis: Basis::Runtime,
        half_precision: false,
        variants: &[],
    }
}

/// What the outputs of variants violate, if a variant says what each of them is.
fn violations(builder: &Builder<'_>, case: &Case, clauses: &[Text]) -> Vec<(Of, Broken)> {
    let suite = builder.suite;
    let holding = shared_properties(suite, builder.operator, clauses);
    let (Some((context, inputs)), Some(meaning)) = (context_of(builder, case), suite.meaning(&builder.operator.name))
    else {
        return Vec::new();
    };
    if holding.is_empty() {
        return Vec::new();
    }
    let wanted = |clause: &str, name: &str| {
        let mut holding = holding.iter();
        holding.any(|(of, held)| held.name == name && of.id.rsplit('/').next() == Some(clause))
    };
    let is_meant = |variant: &&Variant| {
        let id = meaning.clauses.get(usize::from(variant.clause));
        id.is_some_and(|id| clauses.iter().any(|clause| clause.rsplit('/').next() == Some(id)))
    };
    let broken = |variant: &Variant| {
        let plain = request(builder, case, &inputs);
        let read = Request {
            variants: &[variant],
            ..plain
        };
        // A fault is a matter of probing.
        if !applies(&read, variant).ok()? {
            return None;
        }
        let given = Expectation::compute(&read).ok()?;
        // Only if the variant says what each of them is.
        let is_exact = given.open() == 0 && given.acceptances.iter().all(Acceptance::is_exact);
        let tensors = case_tensors(context, &given.outputs).filter(|_| is_exact)?;
        let broken = find_broken(&plain, &tensors, &wanted).ok()??;
        Some((Some(variant.name.clone()), broken))
    };
    meaning.variants.iter().filter(is_meant).filter_map(broken).collect()
}

fn diagnostic(
    builder: &Builder<'_>,
    case: &Case,
    of: &Of,
    broken: &Broken,
    source: &Source<'_>,
    files: &Files,
) -> Diagnostic {
    let operator = builder.operator;
    let mut clauses = operator.clauses.iter().enumerate();
    let clause = clauses.find(|(_, clause)| clause.id.rsplit('/').next() == Some(&broken.clause));
    let output = operator.fields.get(broken.field).map(|field| &field.name);
    let place = clause.and_then(|(clause, of)| {
        let invariant = of.holds.iter().position(|held| held.name == broken.name)?;
        let conditions = &of.holds.get(invariant)?.conditions;
        let entry = conditions.iter().position(|(tensor, _)| Some(tensor) == output)?;
        let length = conditions.get(entry)?.1.len();
        let place = Place::Holds {
            clause,
            invariant,
            entry,
            in_key: false,
        };
        locate_meaning(files, &operator.name, place, 0..length)
    });
    let mistake = source.mistake(
        "spec::wrong-invariant",
        &(0..0),
        match of {
            Some(variant) => format!(
                "the invariant `{}` does not hold in the variant `{variant}`",
                broken.name
            ),
            None => format!(
                "the invariant `{}` does not hold of what the meaning gives",
                broken.name
            ),
        },
        Some(format!(
            "of element {} of {} in the case {}",
            broken.at,
            output.map_or("", |name| name),
            case.id
        )),
    );
    match place {
        Some(place) => Diagnostic { place, ..mistake },
        None => mistake,
    }
}
