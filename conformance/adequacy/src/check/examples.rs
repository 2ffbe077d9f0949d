//! Worked examples held against the meaning of their operator.

use dml_oracle::{Basis, Expectation, Request, case_inputs};
use dml_spec::{
    Diagnostic,
    model::{Example, Role},
};
use dml_spec_yaml::tree::Node;

use super::Source;
use dml_case::{
    case::{Case, Mode},
    context::Context,
    number::decode,
    tensor::{Shape, named_tensors},
};
use dml_plan::{builder::Builder, examples};

/// Examples of which no case comes, and those whose outputs are not what the operator computes: the first element of each
/// output.
pub(super) fn check(builder: &Builder<'_>, source: &Source<'_>) -> Vec<Diagnostic> {
    let examples = builder.operator.examples.iter().zip(source.items("examples"));
    let checked = examples.flat_map(|(example, node)| {
        let found = match executed(builder, example) {
            Ok(Some(case)) => compare(builder, source, example, node, &case),
            Ok(None) => Ok(Vec::new()),
            Err(why) => Err(format!("no case comes of the example {}: {why}", example.name)),
        };
        found.unwrap_or_else(|message| vec![source.mistake("spec::wrong-example", &node.span, message, None)])
    });
    checked.collect()
}

/// The example's case at the first level at which it runs. Levels that refuse it are looked at elsewhere.
fn executed(builder: &Builder<'_>, example: &Example) -> Result<Option<Case>, String> {
    for table in builder.operator.support.iter() {
        let id = examples::example_id(builder, table.level, "examples", example);
        let case = builder.case(id, 0).map_err(|error| error.to_string())?;
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
) -> Result<Vec<Diagnostic>, String> {
    let (suite, operator) = (builder.suite, builder.operator);
    let Some(given) = case.given.as_ref().filter(|_| !operator.meaning.is_empty()) else {
        return Ok(Vec::new());
    };
    let inputs = Context::new(suite, case).and_then(case_inputs);
    let request = Request {
        catalog: &suite.catalog,
        meanings: &**suite,
        descriptor: &case.descriptor,
        inputs: &inputs.ok_or_else(|| format!("the inputs of the example {} do not fit", example.name))?,
        basis: Basis::Text,
        variants: &[],
        half_precision: false,
    };
    let expected = Expectation::compute(&request)
        .map_err(|fault| format!("the meaning has no value for the example {}: {fault}", example.name))?;
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
        found.push(source.mistake("spec::wrong-example", span, message, None));
    }
    Ok(found)
}
