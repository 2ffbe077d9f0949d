//! One operator file: its head, fields and support tables; the larger parts are read by their own modules.

use super::{
    cases, clause, example, field, provenance,
    reader::{Fields, Source},
    shared::{self, data_type},
};
use crate::tree::{Key, Node};
use dml_spec::{
    FeatureLevel,
    model::{
        CaseModel, Catalog, CellDifference, Citation, Field, List, Operator, SupportGroup, SupportRow, SupportTable,
        Text,
    },
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
        groups: List::default(),
        support: List::default(),
        examples: List::default(),
        cases: CaseModel::default(),
        ledger: List::default(),
        superseded: List::default(),
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
    operator.ledger = fields.each("ledger", |n| provenance::entry(&scope, &operator.clauses, n));
    operator.superseded = fields.each("superseded", |n| provenance::superseded(&scope, n));
    let doubt = root.get("fields").is_none_or(|n| source.any_within(&n.span));
    let scope = Scope {
        source,
        shared,
        operator: &operator,
        doubt,
    };
    let (groups, tables) = support(&scope, &mut fields);
    (operator.groups, operator.support) = (groups, tables);
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

/// Tables by level, or groups of them.
fn support(scope: &Scope<'_>, fields: &mut Fields<'_>) -> (List<SupportGroup>, List<SupportTable>) {
    let entries = fields.required("support").map_or(&[][..], |n| scope.source.entries(n));
    let grouped = entries.first().is_some_and(|(_, node)| node.get("when").is_some());
    let mut groups = Vec::new();
    let mut tables: Vec<SupportTable> = Vec::new();
    if grouped {
        let read: Vec<_> = entries.iter().map(|(key, node)| group(scope, key, node)).collect();
        tables = joined(&read);
        groups.extend(read.into_iter().map(|(group, _)| group));
    } else {
        tables.extend(entries.iter().map(|(key, node)| {
            let level = scope.source.level_key(key, &scope.shared.levels);
            table(scope, level, key, node, "")
        }));
    }
    tables.sort_by_key(|t| t.level);
    (groups.into(), tables.into())
}

/// One group with its tables.
fn group(scope: &Scope<'_>, key: &Key, node: &Node) -> (SupportGroup, Vec<SupportTable>) {
    scope.source.check_id(&key.text, &key.span);
    let mut fields = scope.source.fields(node, "a group of support tables");
    let group = SupportGroup {
        name: Text::Owned(key.text.clone()),
        when: fields.string("when"),
    };
    let mut tables = Vec::new();
    for (key, node) in scope.source.entries(node).iter().filter(|(key, _)| key.text != "when") {
        fields.optional(&key.text);
        let level = scope.source.level_key(key, &scope.shared.levels);
        tables.push(table(scope, level, key, node, &group.name));
    }
    fields.finish();
    tables.sort_by_key(|t| t.level);
    (group, tables)
}

/// One table for each level at which any group has one: the rows of each group's newest.
fn joined(groups: &[(SupportGroup, Vec<SupportTable>)]) -> Vec<SupportTable> {
    let mut levels: Vec<FeatureLevel> = groups.iter().flat_map(|(_, tables)| tables).map(|t| t.level).collect();
    levels.sort();
    levels.dedup();
    let newest = |tables: &'_ [SupportTable], level| tables.iter().rev().find(|t| t.level <= level).cloned();
    let rows = |table: SupportTable| {
        let rows = table.rows.into_owned().into_iter();
        rows.map(move |row| SupportRow {
            source: table.source.clone(),
            ..row
        })
    };
    let table = |level| SupportTable {
        level,
        rows: groups
            .iter()
            .filter_map(|(_, tables)| newest(tables, level))
            .flat_map(rows)
            .collect(),
        source: None,
        differs: List::default(),
    };
    levels.into_iter().map(table).collect()
}

fn table(scope: &Scope<'_>, level: FeatureLevel, key: &Key, node: &Node, group: &str) -> SupportTable {
    let Scope { source, operator, .. } = scope;
    let citation: Option<Citation> = node
        .get("source")
        .map(|n| clause::citation(source, &operator.sources, n));
    let tensors: Vec<&Field> = operator.fields.iter().filter(|f| f.kind.role().is_some()).collect();
    let differs = node.get("differs").map(|n| source.list(n)).unwrap_or_default();
    let is_row = |name: &str| name != "source" && name != "differs";
    for (name, _) in source.entries(node).iter().filter(|(name, _)| is_row(&name.text)) {
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
            Some(row) => rows.push(support_row(source, scope.shared, (group, &field.name), row)),
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
        differs: differs.iter().map(|n| difference(scope, n)).collect(),
    }
}

/// Cells that some releases judge otherwise.
fn difference(scope: &Scope<'_>, node: &Node) -> CellDifference {
    let Scope { source, operator, .. } = scope;
    let mut fields = source.fields(node, "a difference of releases");
    let tensors = fields
        .required("tensors")
        .map(|n| source.strings(n))
        .unwrap_or_default();
    for name in tensors.iter().filter(|name| operator.field_index(name).is_none()) {
        let known = operator.fields.iter().map(|f| f.name.as_ref());
        let message = format!("`{name}` is no tensor of {}", operator.name);
        source.unknown("spec::unknown-tensor", &node.span, message, name, known);
    }
    let types = fields.required("types").map_or(&[][..], |n| source.list(n));
    let found = CellDifference {
        runtime: fields.string("runtime"),
        date: fields.required("date").map(|n| source.date(n)).unwrap_or_default(),
        tensors,
        types: types.iter().map(|n| data_type(source, scope.shared, n)).collect(),
        says: fields.string("says"),
    };
    fields.finish();
    found
}

fn support_row(source: &Source<'_>, shared: &Catalog, (group, tensor): (&str, &str), node: &Node) -> SupportRow {
    let mut fields = source.fields(node, "a support row");
    let dimensions = fields.required("dimensions").map_or((1, 8), |n| dimensions(source, n));
    let types = fields.required("types").map_or(&[][..], |n| source.list(n));
    let row = SupportRow {
        group: Text::Owned(group.to_owned()),
        tensor: Text::Owned(tensor.to_owned()),
        dimensions,
        types: types.iter().map(|n| data_type(source, shared, n)).collect(),
        shape: fields.optional_string("shape").unwrap_or_default(),
        source: None,
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
