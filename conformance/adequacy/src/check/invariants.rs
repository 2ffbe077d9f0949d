//! Invariants that a variant of their own clause violates: then they do not hold whatever the clause leaves open.

use std::{collections::BTreeSet, ops::ControlFlow};

use dml_case::{
    case::{Case, Mode, Verdict},
    context::Context,
    tensor::Shape,
};
use dml_judge::shared_properties;
use dml_oracle::{Basis, Broken, Expectation, Library, Request, Tensor, applies, case_inputs, descs, find_broken};
use dml_plan::{buckets_of, builder::Builder, for_each_case};
use dml_spec::{
    Diagnostic,
    meaning::{Place, typed::Variant},
    model::{Role, Text, Tier},
};
use dml_spec_yaml::load::{Files, locate_meaning};

use super::Source;

/// Most planned cases of an operator that are looked at.
const CASES: usize = 64;

/// Invariants that do not hold, each with the first planned case of which that is so.
pub(super) fn check(builder: &Builder<'_>, index: usize, source: &Source<'_>, files: &Files) -> Vec<Diagnostic> {
    if !builder.operator.is_computed() {
        return Vec::new();
    }
    let (mut found, mut known, mut left) = (Vec::new(), BTreeSet::new(), CASES);
    for bucket in buckets_of(builder.suite, index, Tier::Smoke) {
        let _ = for_each_case(builder.suite, &bucket, Tier::Smoke, 0, &mut |case| {
            if let (Mode::Execute, Verdict::Unspecified(clauses)) = (case.mode, &case.verdict) {
                left -= 1;
                for (variant, broken) in violations(builder, &case, clauses) {
                    if known.insert((broken.clause.clone(), broken.name.clone())) {
                        found.push(diagnostic(builder, &case, &variant, &broken, source, files));
                    }
                }
            }
            if left > 0 {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        if left == 0 {
            break;
        }
    }
    found
}

/// What the outputs of variants violate, if a variant says what each of them is.
fn violations(builder: &Builder<'_>, case: &Case, clauses: &[Text]) -> Vec<(Text, Broken)> {
    let suite = builder.suite;
    let holding = shared_properties(suite, builder.operator, clauses);
    let inputs = Context::new(suite, case).and_then(case_inputs);
    let (Some(inputs), Some(meaning)) = (inputs, suite.meaning(&builder.operator.name)) else {
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
        let plain = Request {
            catalog: &suite.catalog,
            meanings: &**suite,
            descriptor: &case.descriptor,
            inputs: &inputs,
            basis: Basis::Runtime,
            half_precision: false,
            variants: &[],
        };
        let read = Request {
            variants: &[variant],
            ..plain
        };
        // A fault is a matter of probing.
        let tensors = with_outputs(builder, case, &read)?;
        let broken = find_broken(&plain, &tensors, &wanted).ok()??;
        Some((variant.name.clone(), broken))
    };
    meaning.variants.iter().filter(is_meant).filter_map(broken).collect()
}

/// The tensors of a case with the outputs of a reading; `None` if it does not say exactly what they are.
fn with_outputs(builder: &Builder<'_>, case: &Case, read: &Request<'_>) -> Option<Vec<Vec<Tensor>>> {
    if !applies(read, read.variants.first()?).ok()? {
        return None;
    }
    let expected = Expectation::compute(read).ok()?;
    if expected.open() > 0 || !expected.acceptances.iter().all(|acceptance| acceptance.is_exact()) {
        return None;
    }
    let (mut tensors, mut outputs) = (read.inputs.to_vec(), expected.outputs.iter());
    for (at, (field, value)) in builder.operator.fields.iter().zip(&case.descriptor.fields).enumerate() {
        if field.kind.role() != Some(Role::Output) {
            continue;
        }
        for desc in descs(value) {
            let shape = Shape::of(read.catalog, desc)?;
            tensors
                .get_mut(at)?
                .push(Tensor::new(desc, &shape.ty, outputs.next()?)?);
        }
    }
    Some(tensors)
}

fn diagnostic(
    builder: &Builder<'_>,
    case: &Case,
    variant: &Text,
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
        format!(
            "the invariant `{}` does not hold in the variant `{variant}`",
            broken.name
        ),
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
