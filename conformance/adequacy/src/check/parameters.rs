//! Parameters that mean nothing, and values of them that no row can hold.

use dml_plan::{
    builder::Builder,
    design::{Place, missing, missing_together, obstacle, parameters, together},
};
use dml_spec::Diagnostic;

use super::Source;

/// Parameters and values that mean nothing.
pub(super) fn check(builder: &Builder<'_>, source: &Source<'_>) -> Vec<Diagnostic> {
    if builder.operator.cases.keys.is_empty() {
        return Vec::new();
    }
    let found = parameters(builder).and_then(|all| together(builder, &all).map(|_| ()));
    let mistakes = found.err().unwrap_or_default().into_iter();
    mistakes
        .map(|mistake| at(source, &mistake.place, mistake.what, "spec::bad-parameter"))
        .collect()
}

/// Values and combinations that no row of the operator can hold.
pub(super) fn check_rows(builder: &Builder<'_>, source: &Source<'_>) -> Vec<Diagnostic> {
    let declared = &builder.operator.cases.parameters;
    let Ok(all) = parameters(builder) else {
        return Vec::new();
    };
    if let Some(why) = obstacle(builder, &all) {
        let node = source.root.at("cases").unwrap_or(&source.root);
        let what = format!("no case is legal: {why}");
        return vec![source.mistake("spec::no-case", &node.span, what, None)];
    }
    let combinations = missing_together(builder, &all).into_iter().filter_map(|at_fault| {
        let name = builder.operator.cases.together.get(at_fault)?.name.to_string();
        let what = format!("no case can have all values of `{name}` together");
        Some(at(source, &Place::Together(name), what, "spec::idle-value"))
    });
    let unheld = missing(builder, &all).into_iter().filter_map(|(parameter, value)| {
        let parameter = all.get(parameter)?;
        let label = &parameter.values.get(value)?.label;
        // What follows from fields and tables may be more than a row can hold.
        let texts = &declared.iter().find(|of| of.name == parameter.name)?.values;
        let place = texts.iter().position(|text| text == label)?;
        let what = format!("no case can have the value `{label}` of `{}`", parameter.name);
        let place = Place::Parameter(parameter.name.clone(), Some(place));
        Some(at(source, &place, what, "spec::idle-value"))
    });
    unheld.chain(combinations).collect()
}

fn at(source: &Source<'_>, place: &Place, what: String, code: &'static str) -> Diagnostic {
    let node = match place {
        Place::Parameter(name, value) => {
            let node = source.root.at(&format!("cases.parameters.{name}"));
            let of_value = node.zip(*value).and_then(|(node, value)| node.items()?.get(value));
            of_value.or(node).or_else(|| source.root.at("cases.parameters"))
        }
        Place::Together(name) => source.root.at(&format!("cases.together.{name}")),
    };
    let span = node.map_or(&source.root.span, |node| &node.span);
    source.mistake(code, span, what, None)
}
