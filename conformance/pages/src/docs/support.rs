//! Support tables, the newest first; by function if they are in groups.

use dml_spec::{
    FeatureLevel,
    model::{Catalog, FieldKind, Operator, Role, SupportRow},
};

use super::{Markdown, capitalise, join_names};
use crate::import::groups;

pub(super) fn write_support(page: &mut Markdown, catalog: &Catalog, operator: &Operator) {
    let rows = groups::list_rows(catalog, operator);
    if operator.groups.is_empty() {
        page.paragraph("## Tensor support");
        return write_tables(page, operator, "###", rows.iter().map(|(_, level, row)| (*level, *row)));
    }
    page.paragraph("## Tensor support according to function");
    for group in operator.groups.iter() {
        let of_group = || rows.iter().filter(|(_, _, row)| row.group == group.name);
        let functions = of_group().next().map(|(functions, ..)| functions.clone());
        let heading = match functions.filter(|names| !names.is_empty()) {
            Some(names) => join_names(&names),
            None => group.name.to_string(),
        };
        page.paragraph(&format!("### {heading}"));
        write_tables(page, operator, "####", of_group().map(|(_, level, row)| (*level, *row)));
    }
}

/// One table a level.
fn write_tables<'a>(
    page: &mut Markdown,
    operator: &Operator,
    heading: &str,
    rows: impl Iterator<Item = (FeatureLevel, &'a SupportRow)> + Clone,
) {
    let mut levels: Vec<FeatureLevel> = rows.clone().map(|(level, _)| level).collect();
    levels.sort_unstable();
    levels.dedup();
    for level in levels.into_iter().rev() {
        let (major, minor) = (level.major(), level.minor());
        page.paragraph(&format!("{heading} DML_FEATURE_LEVEL_{major}_{minor} and above"));
        let rows: Vec<&SupportRow> = rows
            .clone()
            .filter(|(at, _)| *at == level)
            .map(|(_, row)| row)
            .collect();
        write_rows(page, operator, &rows);
    }
}

/// A table; shapes have a column if a row has one.
fn write_rows(page: &mut Markdown, operator: &Operator, rows: &[&SupportRow]) {
    let has_shapes = rows.iter().any(|row| !row.shape.is_empty());
    let (heading, rule) = if has_shapes {
        ("Dimensions | ", "---------- | ")
    } else {
        ("", "")
    };
    page.line(&format!(
        "| Tensor | Kind | {heading}Supported dimension counts | Supported data types |"
    ));
    page.line(&format!(
        "| ------ | ---- | {rule}-------------------------- | -------------------- |"
    ));
    for row in rows {
        let (tensor, kind) = (&row.tensor, format_kind(operator, &row.tensor));
        let shape = if has_shapes {
            format!("{} | ", row.shape)
        } else {
            String::new()
        };
        let counts = match row.dimensions {
            (least, most) if least == most => least.to_string(),
            (least, most) => format!("{least} to {most}"),
        };
        let types = row.types.join(", ");
        page.line(&format!("| {tensor} | {kind} | {shape}{counts} | {types} |"));
    }
}

/// The kind column.
fn format_kind(operator: &Operator, tensor: &str) -> String {
    let Some(field) = operator.fields.iter().find(|field| field.name == tensor) else {
        return String::new();
    };
    let role = match field.kind.role() {
        Some(Role::Output) => "output",
        _ => "input",
    };
    let optional = if field.optional { "optional " } else { "" };
    capitalise(&match field.kind {
        FieldKind::Tensors(..) => format!("{optional}array of {role}s"),
        _ => format!("{optional}{role}"),
    })
}
