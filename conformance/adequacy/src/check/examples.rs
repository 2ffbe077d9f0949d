//! Worked examples checked against the oracle: first the naive reference, then the properties.

use dml_spec::{
    Diagnostic,
    model::{Compare, Example, Role},
};
use dml_spec_yaml::tree::Node;

use super::Source;
use dml_case::{
    case::{Case, Mode, Verdict},
    number::decode,
    tensor::named_tensors,
};
use dml_legacy::compare::Tolerance;
use dml_legacy::oracle::{Call, Oracle, oracle};
use dml_plan::{builder::Builder, examples};

/// Outputs of examples that are not what the operator computes: the first element of each.
pub(super) fn check(builder: &Builder<'_>, source: &Source<'_>) -> Vec<Diagnostic> {
    let Some(oracle) = oracle(&builder.operator.name) else {
        return Vec::new();
    };
    let examples = builder.operator.examples.iter().zip(source.items("examples"));
    let checked = examples.flat_map(|(example, node)| {
        let case = executed(builder, example);
        case.map(|case| one(builder, source, oracle, example, node, &case))
    });
    checked.flatten().collect()
}

/// The example's case at the first level at which its outputs are defined.
fn executed(builder: &Builder<'_>, example: &Example) -> Option<Case> {
    builder.operator.support.iter().find_map(|table| {
        let id = examples::example_id(builder, table.level, "examples", example);
        let case = builder.case(id, 0).ok()?;
        (case.mode == Mode::Execute && !matches!(case.verdict, Verdict::Unspecified(_))).then_some(case)
    })
}

fn one(
    builder: &Builder<'_>,
    source: &Source<'_>,
    oracle: &dyn Oracle,
    example: &Example,
    node: &Node,
    case: &Case,
) -> Vec<Diagnostic> {
    let (catalog, operator) = (&builder.suite.catalog, builder.operator);
    let (Some(call), Some(given)) = (
        Call::new(catalog, operator, &case.descriptor, &case.inputs),
        &case.given,
    ) else {
        return Vec::new();
    };
    let tensors = named_tensors(operator, &case.descriptor, Role::Output);
    let names: Vec<String> = tensors.into_iter().map(|(name, _)| name).collect();
    let at = |output: usize, element: usize| {
        let data = names.get(output).and_then(|name| node.get(name)?.get("data")?.items());
        data.and_then(|items| items.get(element)).unwrap_or(node).span.clone()
    };
    let mistake = |output, element, message| source.mistake("spec::wrong-example", &at(output, element), message, None);
    let mut found = Vec::new();
    let reference = oracle.reference(&call);
    let slack = oracle.slack(&call, &reference);
    for (output, ((name, shape), (given, computed))) in names
        .iter()
        .zip(&call.outputs)
        .zip(given.iter().zip(&reference))
        .enumerate()
    {
        let field = operator.fields.iter().find(|f| f.name == *name);
        let compare = field.and_then(|f| f.compare.as_ref()).map(|c| c.of(&shape.ty.name));
        let compare = compare.unwrap_or(&Compare::Exact);
        let slack = slack.get(output).map_or(&[][..], Vec::as_slice);
        let tolerance = Tolerance::new(compare, &shape.ty, slack);
        let wrong = given
            .iter()
            .zip(computed)
            .enumerate()
            .position(|(at, (g, c))| !tolerance.accepts(at, *c, *g));
        if let Some(element) = wrong {
            let place: Vec<String> = shape.coordinates(element as u64).iter().map(u32::to_string).collect();
            let (given, computed) = (decode(&shape.ty, given[element]), decode(&shape.ty, computed[element]));
            let message = format!(
                "the example {} gives {name}[{}] as {given}, the oracle computes {computed}",
                example.name,
                place.join(",")
            );
            found.push(mistake(output, element, message));
        }
    }
    if found.is_empty() {
        let broken = oracle.check(&call, given).into_iter();
        found.extend(broken.map(|m| {
            let message = format!("the example {} is {}: {}", example.name, m.class, m.message);
            mistake(m.output, m.at as usize, message)
        }));
    }
    found
}
