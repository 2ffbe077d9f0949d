//! One operator file: its head and support tables; the larger parts are read by their own modules.

use dml_spec::{
    FeatureLevel,
    model::{
        CaseModel, Catalog, CellDifference, Citation, Clause, Equivalent, Field, LedgerEntry, List, NamedMistake,
        Operator, Source as Document, Superseded, SupportGroup, SupportRow, SupportTable, Text, form,
    },
};
use serde::{Deserialize, de::IgnoredAny};

use super::{
    cases, clause, example,
    field::{self, FieldEntry},
    onnx,
    reader::Source,
};
use crate::tree::{Key, Node};

/// An operator as its file has it. What depends on the fields is read after them.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(rename = "an operator", deny_unknown_fields)]
struct OperatorFile {
    #[serde(deserialize_with = "form::text::<form::OperatorName, _>")]
    operator: Text,
    #[serde(rename = "type")]
    type_value: u32,
    introduced: FeatureLevel,
    says: Text,
    #[serde(default, deserialize_with = "form::optional_named")]
    sources: List<Document>,
    fields: Vec<FieldEntry>,
    #[serde(default, deserialize_with = "form::optional_pairs")]
    meaning: List<(Text, Text)>,
    #[serde(default, deserialize_with = "form::optional_named")]
    mistakes: List<NamedMistake>,
    #[serde(rename = "onnx")]
    _onnx: Option<IgnoredAny>,
    #[serde(default, deserialize_with = "form::optional")]
    clauses: List<Clause>,
    #[serde(default, deserialize_with = "form::optional")]
    ledger: List<LedgerEntry>,
    #[serde(default, deserialize_with = "form::optional")]
    superseded: List<Superseded>,
    #[serde(default, deserialize_with = "form::optional")]
    equivalent: List<Equivalent>,
    #[serde(rename = "support")]
    _support: IgnoredAny,
    #[serde(rename = "examples")]
    _examples: Option<IgnoredAny>,
    #[serde(default, deserialize_with = "form::optional")]
    cases: CaseModel,
}

/// The operator, as far as the file allows. `shared` is the catalog without operators.
pub(super) fn read(source: &Source<'_>, shared: &Catalog, root: &Node) -> Operator {
    let file: OperatorFile = source.read(root);
    let mut operator = Operator {
        name: file.operator,
        type_value: file.type_value,
        introduced: file.introduced,
        says: file.says,
        file: Text::Owned(source.file.to_owned()),
        sources: file.sources,
        meaning: file.meaning,
        mistakes: file.mistakes,
        onnx: onnx::read(source, root.get("onnx")),
        clauses: file.clauses,
        ledger: file.ledger,
        superseded: file.superseded,
        equivalent: file.equivalent,
        ..Operator::default()
    };
    let items = |name: &str| root.get(name).and_then(Node::items).unwrap_or_default();
    operator.fields = field::list(source, shared, file.fields, items("fields"));
    for (clause, node) in operator.clauses.to_mut().iter_mut().zip(items("clauses")) {
        clause::complete(source, &operator.name, clause, node);
    }
    for (entry, node) in operator.ledger.to_mut().iter_mut().zip(items("ledger")) {
        clause::covering(source, &operator.name, &operator.clauses, entry, node);
    }
    for (entry, node) in operator.equivalent.to_mut().iter_mut().zip(items("equivalent")) {
        clause::resting(source, &operator.name, &operator.clauses, entry, node);
    }
    let doubt = root.get("fields").is_none_or(|n| source.any_within(&n.span));
    let scope = Scope {
        source,
        operator: &operator,
        doubt,
    };
    (operator.groups, operator.support) = support(&scope, root.get("support"));
    let examples = root.get("examples").map(|n| source.list(n)).unwrap_or_default();
    operator.examples = examples
        .iter()
        .map(|n| example::read(source, shared, &operator, n))
        .collect();
    cases::check(source, &operator, &file.cases, root);
    operator.cases = file.cases;
    source.check_mentions(&shared.levels, &shared.data_types, &operator.sources);
    operator
}

/// What a support table is read within.
struct Scope<'a> {
    source: &'a Source<'a>,
    operator: &'a Operator,
    /// Some field is wrong, so that it is unknown which ones are tensors.
    doubt: bool,
}

/// Tables by level, or groups of them.
fn support(scope: &Scope<'_>, node: Option<&Node>) -> (List<SupportGroup>, List<SupportTable>) {
    let entries = node.map_or(&[][..], |n| scope.source.entries(n));
    let grouped = entries.first().is_some_and(|(_, node)| node.get("when").is_some());
    let mut groups = Vec::new();
    let mut tables: Vec<SupportTable> = Vec::new();
    if grouped {
        let read: Vec<_> = entries.iter().map(|(key, node)| group(scope, key, node)).collect();
        tables = joined(&read);
        groups.extend(read.into_iter().map(|(group, _)| group));
    } else {
        tables.extend(entries.iter().map(|(key, node)| {
            let level = scope.source.level_key(key);
            table(scope, level, key, node, "")
        }));
    }
    tables.sort_by_key(|t| t.level);
    (groups.into(), tables.into())
}

/// One group with its tables.
fn group(scope: &Scope<'_>, key: &Key, node: &Node) -> (SupportGroup, Vec<SupportTable>) {
    scope.source.key_of_form(form::Id::NAME, key);
    let levels: Vec<&str> = node
        .entries()
        .unwrap_or_default()
        .iter()
        .map(|(key, _)| key.text.as_str())
        .collect();
    let entries = scope
        .source
        .fields(node, "a group of support tables", &["when"], &levels);
    let group = SupportGroup {
        name: Text::Owned(key.text.clone()),
        when: scope.source.text_at(node, "when"),
    };
    let mut tables = Vec::new();
    for (key, node) in entries.iter().filter(|(key, _)| key.text != "when") {
        let level = scope.source.level_key(key);
        tables.push(table(scope, level, key, node, &group.name));
    }
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
    let citation: Option<Citation> = node.get("source").map(|n| source.read(n));
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
            Some(row) => rows.push(SupportRow {
                group: Text::Owned(group.to_owned()),
                tensor: field.name.clone(),
                ..source.read(row)
            }),
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
    let found: CellDifference = source.read(node);
    let is_tensor = |name: &str| {
        operator
            .fields
            .iter()
            .any(|field| field.name == name && field.kind.role().is_some())
    };
    for name in found.tensors.iter().filter(|name| !is_tensor(name)) {
        let tensors = operator.fields.iter().filter(|field| field.kind.role().is_some());
        let known = tensors.map(|field| field.name.as_ref());
        let message = format!("`{name}` is no tensor of {}", operator.name);
        source.unknown("spec::unknown-tensor", &node.span, message, name, known);
    }
    if found.types.is_empty() && found.dimensions.is_empty() && !source.any_within(&node.span) {
        source.missing(node, "a difference of releases", "types` or `dimensions");
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{load::embedded, tree::read::parse};

    /// Operators of all files, by our tree and by another parser, which knows no places.
    #[test]
    fn both_parsers_fill_the_types_alike() {
        let files = embedded().0.into_iter().filter(|file| file.name() != "directml.yaml");
        let mut seen = 0;
        for file in files {
            let root = parse(&file.text).0.expect("a tree");
            let source = Source::new(&file.path, &file.text);
            let ours: OperatorFile = source.read(&root);
            assert!(source.into_found().is_empty(), "{}", file.path);
            assert_eq!(
                serde_yaml::from_str::<OperatorFile>(&file.text).expect("an operator"),
                ours
            );
            seen += 1;
        }
        assert!(seen > 0);
    }
}
