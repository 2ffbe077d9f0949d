//! Worked examples checked against the clauses of the operator, if the specification has it.

use dml_spec::{
    Descriptor, TensorDesc, Value,
    model::{ExampleTensor, ExampleValue, FieldKind, Operator},
    program::Program,
};

use super::Findings;
use crate::import::page::PageExample;
use dml_spec::path::{self, EMPTY, Path};

pub(super) fn check_rules(findings: &mut Findings<'_>) {
    let (page, catalog) = (findings.page, findings.catalog);
    let Some(operator) = catalog.operator(&page.operator) else {
        return;
    };
    let Ok(program) = Program::compile(catalog, operator) else {
        return;
    };
    for (index, example) in page.examples.iter().enumerate() {
        let Some(descriptor) = build_descriptor(findings, operator, &example.value) else {
            continue;
        };
        for clause in find_broken_clauses(findings, operator, &program, &descriptor) {
            let says = operator
                .clauses
                .iter()
                .find(|c| c.id == clause)
                .map_or("", |c| c.says.as_ref());
            let message = format!("example {}: {clause} does not hold", index + 1);
            findings.add(
                "page::example-rule",
                &example.at,
                message,
                Some(says).filter(|s| !s.is_empty()),
            );
        }
    }
}

/// Clauses whose text an example violates, at the level at which they are fewest. Support is judged by the page's own
/// tables.
fn find_broken_clauses(
    findings: &Findings<'_>,
    operator: &Operator,
    program: &Program,
    descriptor: &Descriptor,
) -> Vec<String> {
    let at = |level| {
        let violations = program.evaluate(findings.catalog, operator, descriptor, level);
        let text = violations.iter().filter(|v| v.text && v.clause.split('/').count() == 2);
        text.map(|v| v.clause.to_string()).collect::<Vec<String>>()
    };
    operator.table_levels().map(at).min_by_key(Vec::len).unwrap_or_default()
}

/// The example as a descriptor; `None` if it is incomplete or has no such form.
fn build_descriptor(findings: &Findings<'_>, operator: &Operator, example: &PageExample) -> Option<Descriptor> {
    let catalog = findings.catalog;
    let mut made = Descriptor::zeroed(operator);
    let tensor = |tensor: &ExampleTensor| {
        let ty = catalog.data_type_named(&tensor.data_type)?;
        Some(TensorDesc::packed(ty.value, ty.bits, &tensor.sizes))
    };
    for (index, field) in operator.fields.iter().enumerate() {
        let given = example
            .values
            .iter()
            .find(|(name, _)| *name == field.name)
            .map(|(_, value)| value);
        let value = match (given, &field.kind) {
            (None, _) if field.optional => continue,
            (None, _) => return None,
            (Some(ExampleValue::Tensor(t)), FieldKind::Tensor(_)) => Value::Tensor(Some(tensor(t)?)),
            (Some(ExampleValue::Tensors(t)), FieldKind::Tensors(..)) => {
                Value::Tensors(Some(t.iter().map(tensor).collect::<Option<_>>()?))
            }
            (Some(ExampleValue::Attribute(text)), _) => {
                let list = matches!(
                    field.kind,
                    FieldKind::UInts(_) | FieldKind::Ints(_) | FieldKind::Floats(_)
                );
                let text = if list && text.is_empty() {
                    EMPTY.to_owned()
                } else {
                    text.replace(' ', "x")
                };
                path::set(catalog, operator, &mut made, &Path::Attribute(index), &text).ok()?;
                continue;
            }
            _ => return None,
        };
        *made.fields.get_mut(index)? = value;
    }
    Some(made)
}
