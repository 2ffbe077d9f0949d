//! One operator file: its head, fields and support tables; the larger parts are read by their own modules.

use super::{
    cases, clause, example, field,
    reader::{Fields, Source},
    shared,
};
use crate::{
    FeatureLevel,
    model::{Catalog, Field, List, Operator, SupportRow, SupportTable, Text},
    tree::{Key, Node},
};

/// The operator, as far as the file allows. `shared` is the catalog without operators.
pub(super) fn read(source: &Source<'_>, shared: &Catalog, root: &Node) -> Operator {
    let mut fields = source.fields(root, "an operator");
    let name = fields
        .required("operator")
        .map(|n| operator_name(source, n))
        .unwrap_or_default();
    let mut operator = Operator {
        type_value: fields.uint("type"),
        introduced: fields
            .required("introduced")
            .map_or(FeatureLevel(0), |n| source.level(n, &shared.levels)),
        says: fields.string("says"),
        file: Text::Owned(source.file.to_owned()),
        sources: shared::sources(source, fields.optional("sources")),
        fields: List::default(),
        clauses: List::default(),
        support: List::default(),
        examples: List::default(),
        cases: cases::none(),
        name,
    };
    operator.fields = fields
        .required("fields")
        .map(|n| field::list(source, shared, n))
        .unwrap_or_default();
    let scope = clause::Scope {
        source,
        prefix: &operator.name,
        tensor: false,
        sources: &operator.sources,
    };
    operator.clauses = clause::list(&scope, &mut fields);
    let doubt = root.get("fields").is_none_or(|n| source.any_within(&n.span));
    let scope = Scope {
        source,
        shared,
        operator: &operator,
        doubt,
    };
    operator.support = support(&scope, &mut fields);
    operator.examples = fields.each("examples", |n| example::read(source, shared, &operator, n));
    operator.cases = cases::read(source, shared, &operator, &mut fields);
    fields.finish();
    operator
}

fn operator_name(source: &Source<'_>, node: &Node) -> Text {
    let text = source.string(node);
    let good = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let good = text.starts_with(|c: char| c.is_ascii_uppercase()) && text.chars().all(good);
    if !good && !text.is_empty() {
        let message = format!("`{text}` is no operator name, expected upper-case letters, digits and underscores");
        source.report("spec::bad-name", &node.span, message);
    } else {
        same_as_file(source, node, &text);
    }
    text
}

/// Oracles and kernels are found by the file's name, which is therefore the operator's.
fn same_as_file(source: &Source<'_>, node: &Node, name: &str) {
    let file = source.file.rsplit('/').next().unwrap_or(source.file);
    let wanted = format!("{}.yaml", name.to_ascii_lowercase());
    if !name.is_empty() && file != wanted {
        let message = format!("the file {file} describes the operator {name}");
        let hint = Some(format!("name the file {wanted}, or the operator after the file"));
        source.report_hint("spec::wrong-file-name", &node.span, message, hint);
    }
}

/// What a support table is read within.
struct Scope<'a> {
    source: &'a Source<'a>,
    shared: &'a Catalog,
    operator: &'a Operator,
    /// Something is wrong with the fields, so that nobody knows which are tensors.
    doubt: bool,
}

fn support(scope: &Scope<'_>, fields: &mut Fields<'_>) -> List<SupportTable> {
    let entries = fields.required("support").map_or(&[][..], |n| scope.source.entries(n));
    let table = |(key, node): &(Key, Node)| {
        let level = scope.source.level_key(key, &scope.shared.levels);
        table(scope, level, key, node)
    };
    let mut tables: Vec<SupportTable> = entries.iter().map(table).collect();
    tables.sort_by_key(|t| t.level);
    tables.into()
}

fn table(scope: &Scope<'_>, level: FeatureLevel, key: &Key, node: &Node) -> SupportTable {
    let Scope { source, operator, .. } = scope;
    let citation = node
        .get("source")
        .map(|n| clause::citation(source, &operator.sources, n));
    let tensors: Vec<&Field> = operator.fields.iter().filter(|f| f.kind.role().is_some()).collect();
    for (name, _) in source.entries(node).iter().filter(|(name, _)| name.text != "source") {
        let known = tensors.iter().map(|f| f.name.as_ref());
        let doubtful = scope.doubt && operator.field_index(&name.text).is_some();
        if !doubtful && !known.clone().any(|k| k == name.text) {
            let message = format!("`{}` is no tensor of {}", name.text, operator.name);
            source.unknown("spec::unknown-tensor", &name.span, message, &name.text, known);
        }
    }
    let mut rows = Vec::new();
    for field in tensors.iter().filter(|_| node.entries().is_some()) {
        match node.get(&field.name) {
            Some(row) => rows.push(support_row(source, scope.shared, &field.name, row)),
            None => {
                let message = format!("the table of level {level} has no row for {}", field.name);
                source.report("spec::missing-row", &key.span, message);
            }
        }
    }
    SupportTable {
        level,
        rows: rows.into(),
        source: citation,
    }
}

fn support_row(source: &Source<'_>, shared: &Catalog, tensor: &str, node: &Node) -> SupportRow {
    let mut fields = source.fields(node, "a support row");
    let dimensions = fields.required("dimensions").map_or((1, 8), |n| dimensions(source, n));
    let types = fields.required("types").map_or(&[][..], |n| source.list(n));
    let row = SupportRow {
        tensor: Text::Owned(tensor.to_owned()),
        dimensions,
        types: types.iter().map(|n| data_type(source, shared, n)).collect(),
    };
    fields.finish();
    row
}

/// `4` or `1..8`.
fn dimensions(source: &Source<'_>, node: &Node) -> (u32, u32) {
    let text = node.text().unwrap_or_default();
    let (low, high) = text.split_once("..").unwrap_or((text, text));
    match (low.parse(), high.parse()) {
        (Ok(low), Ok(high)) if 1 <= low && low <= high && high <= 8 => (low, high),
        _ => {
            let message = format!(
                "found {}, expected a dimension count such as 4 or 1..8",
                node.describe()
            );
            source.report("spec::bad-dimensions", &node.span, message);
            (1, 8)
        }
    }
}

/// A data type by name.
pub(super) fn data_type(source: &Source<'_>, shared: &Catalog, node: &Node) -> Text {
    let name = source.string(node);
    if !name.is_empty() && shared.data_type_named(&name).is_none() {
        let known = shared.data_types.iter().map(|t| t.name.as_ref());
        let message = format!("`{name}` is no tensor data type");
        source.unknown("spec::unknown-data-type", &node.span, message, &name, known);
    }
    name
}
