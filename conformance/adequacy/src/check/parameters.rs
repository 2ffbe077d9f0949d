//! Parameters that mean nothing, and values of them that no row can hold.

use dml_plan::{
    builder::Builder,
    design::{family, missing, parameters},
};
use dml_spec::Diagnostic;

use super::Source;

/// Parameters and values that mean nothing.
pub(super) fn check(builder: &Builder<'_>, source: &Source<'_>) -> Vec<Diagnostic> {
    if builder.operator.cases.parameters.is_empty() {
        return Vec::new();
    }
    let Err(mistakes) = parameters(builder) else {
        return Vec::new();
    };
    let found = mistakes.into_iter();
    found
        .map(|mistake| {
            at(
                source,
                &mistake.parameter,
                mistake.value,
                mistake.what,
                "spec::bad-parameter",
            )
        })
        .collect()
}

/// Values that no row of the operator can hold.
pub(super) fn check_rows(builder: &Builder<'_>, source: &Source<'_>) -> Vec<Diagnostic> {
    let declared = &builder.operator.cases.parameters;
    let (false, Some((_, family)), Ok(all)) = (declared.is_empty(), family(builder), parameters(builder)) else {
        return Vec::new();
    };
    let unheld = missing(builder, &all, family)
        .into_iter()
        .filter_map(|(parameter, value)| {
            let parameter = all.get(parameter)?;
            let label = &parameter.values.get(value)?.label;
            // What follows from fields and tables may be more than a row can hold.
            let texts = &declared.iter().find(|of| of.name == parameter.name)?.values;
            let place = texts.iter().position(|text| text == label)?;
            let what = format!("no case can have the value `{label}` of `{}`", parameter.name);
            Some(at(source, &parameter.name, Some(place), what, "spec::idle-value"))
        });
    unheld.collect()
}

fn at(source: &Source<'_>, name: &str, value: Option<usize>, what: String, code: &'static str) -> Diagnostic {
    let node = source.root.at(&format!("cases.parameters.{name}"));
    let place = node.and_then(|node| match value {
        Some(value) => node.items()?.get(value),
        None => Some(node),
    });
    let span = place.or(node).or_else(|| source.root.at("cases.parameters"));
    let span = span.map_or(&source.root.span, |node| &node.span);
    source.mistake(code, span, what, None)
}
