//! Worked examples held against the meaning of their operator.

use std::cell::Cell;

use dml_oracle::{Basis, Expectation, Fault, Request, case_inputs};
use dml_spec::{
    Diagnostic,
    model::{Example, Family, Role},
};
use dml_spec_yaml::{
    load::{Files, locate_meaning},
    tree::Node,
};

use super::Source;
use dml_case::{
    case::{Case, Mode},
    context::Context,
    number::decode,
    tensor::{Shape, named_tensors},
};
use dml_plan::{builder::Builder, examples};

/// Points that the meaning may look at for an example: those of pages are small.
const POINTS: u64 = 1 << 26;

const WRONG: &str = "spec::wrong-example";

/// Examples of which no case comes, and those whose outputs are not what the operator computes: the first element of each
/// output.
pub(super) fn check(builder: &Builder<'_>, source: &Source<'_>, files: &Files) -> Vec<Diagnostic> {
    let examples = builder.operator.examples.iter().zip(source.items("examples"));
    let checked = examples.flat_map(|(example, node)| {
        let name = &example.name;
        let wrong = |message| vec![source.mistake(WRONG, &node.span, message, None)];
        match executed(builder, example) {
            Ok(Some(case)) => compare(builder, source, example, node, &case)
                .unwrap_or_else(|why| vec![without_value(files, why, name, node, source)]),
            Ok(None) => Vec::new(),
            Err(why) => wrong(format!("no case comes of the example {name}: {why}")),
        }
    });
    checked.collect()
}

/// The mistake of a meaning that has no value for an example.
fn without_value(files: &Files, fault: Fault, example: &str, node: &Node, source: &Source<'_>) -> Diagnostic {
    let message = format!("{fault}, in the example {example}");
    let place = fault
        .within
        .and_then(|within| locate_meaning(files, &within.operator, within.place, fault.span));
    let diagnostic = source.mistake(WRONG, &node.span, message, None);
    match place {
        Some(place) => Diagnostic { place, ..diagnostic },
        None => diagnostic,
    }
}

/// The example's case at the first level at which it runs. Levels that refuse it are looked at elsewhere.
fn executed(builder: &Builder<'_>, example: &Example) -> Result<Option<Case>, String> {
    for table in builder.operator.support.iter() {
        let id = examples::example_id(builder, table.level, example);
        let case = builder.case(id, Family::Examples).map_err(|error| error.to_string())?;
        if case.mode == Mode::Execute {
            return Ok(Some(case));
        }
    }
    Ok(None)
}

fn compare(
    builder: &Builder<'_>,
    source: &Source<'_>,
    example: &Example,
    node: &Node,
    case: &Case,
) -> Result<Vec<Diagnostic>, Fault> {
    let (suite, operator) = (builder.suite, builder.operator);
    let Some(given) = case.given.as_ref().filter(|_| operator.is_computed()) else {
        return Ok(Vec::new());
    };
    let Some(inputs) = Context::new(suite, case).and_then(case_inputs) else {
        let message = format!("the inputs of the example {} do not fit", example.name);
        return Ok(vec![source.mistake(WRONG, &node.span, message, None)]);
    };
    let request = Request {
        catalog: &suite.catalog,
        meanings: &**suite,
        descriptor: &case.descriptor,
        inputs: &inputs,
        basis: Basis::Text,
        variants: &[],
        half_precision: false,
    };
    let expected = Expectation::compute_within(&request, &Cell::new(POINTS))?;
    let tensors = named_tensors(operator, &case.descriptor, Role::Output);
    let mut found = Vec::new();
    for (output, (name, tensor)) in tensors.into_iter().enumerate() {
        let parts = (
            given.get(output),
            expected.outputs.get(output),
            expected.acceptances.get(output),
        );
        let (Some(given), Some(computed), Some(acceptance)) = parts else {
            continue;
        };
        let mut pairs = given.iter().zip(computed).enumerate();
        let wrong = pairs.find(|(at, (given, computed))| !acceptance.accepts(*at, **computed, **given));
        let (Some((at, (given, computed))), Some(shape)) = (wrong, Shape::of(&suite.catalog, tensor)) else {
            continue;
        };
        let place: Vec<String> = shape.coordinates(at as u64).iter().map(u32::to_string).collect();
        let (given, computed) = (decode(&shape.ty, *given), decode(&shape.ty, *computed));
        let message = format!(
            "the example {} gives {name}[{}] as {given}, the meaning computes {computed}",
            example.name,
            place.join(",")
        );
        let data = node.get(&name).and_then(|tensor| tensor.get("data")?.items());
        let span = &data.and_then(|items| items.get(at)).unwrap_or(node).span;
        found.push(source.mistake(WRONG, span, message, None));
    }
    Ok(found)
}
