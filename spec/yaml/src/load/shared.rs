//! `directml.yaml`: what all operators share.

use super::{
    clause,
    reader::{Fields, Source},
};
use crate::tree::Node;
use dml_spec::model::{Catalog, DataType, Enum, EnumMember, Level, List, NumberClass, Source as Document, Text};

/// A catalog without operators, as far as the file allows.
pub(super) fn read(source: &Source<'_>, root: &Node) -> Catalog {
    let mut fields = source.fields(root, "directml.yaml");
    let levels = levels(source, &mut fields);
    let data_types = data_types(source, &mut fields, &levels);
    let mut enums = enums(source, &mut fields, "enums", false);
    enums.extend(self::enums(source, &mut fields, "flags", true));
    let sources = sources(source, fields.optional("sources"));
    let tensor_clauses = fields.each("tensor_clauses", |node| {
        clause::read(
            &clause::Scope {
                source,
                prefix: "TENSOR",
                tensor: true,
                sources: &sources,
            },
            node,
        )
    });
    fields.finish();
    Catalog {
        levels,
        data_types,
        enums: enums.into(),
        sources,
        tensor_clauses,
        operators: List::default(),
    }
}

fn levels(source: &Source<'_>, fields: &mut Fields<'_>) -> List<Level> {
    let entries = fields.required("levels").map_or(&[][..], |n| source.entries(n));
    let mut levels: Vec<Level> = Vec::new();
    for (key, node) in entries {
        let level = source.level_key(key, &[]);
        // Level 0 has its diagnostic already.
        if level.0 > 0 && levels.last().is_some_and(|l| l.level >= level) {
            source.report("spec::level-order", &key.span, format!("level {level} does not ascend"));
        }
        levels.push(Level {
            level,
            release: source.string(node),
        });
    }
    levels.into()
}

fn data_types(source: &Source<'_>, fields: &mut Fields<'_>, levels: &[Level]) -> List<DataType> {
    let entries = fields.required("data_types").map_or(&[][..], |n| source.entries(n));
    let mut types: Vec<DataType> = Vec::new();
    for (key, node) in entries {
        let mut entry = source.fields(node, "a data type");
        let value = entry.uint("value");
        if types.iter().any(|t| t.value == value) {
            source.report(
                "spec::duplicate-value",
                &node.span,
                format!("two data types have the value {value}"),
            );
        }
        let class = entry.choice("class", &CLASSES);
        if class.is_none() {
            entry.required("class");
        }
        let data_type = DataType {
            name: Text::Owned(key.text.clone()),
            value,
            bits: entry.uint("bits"),
            class: class.unwrap_or(NumberClass::Unknown),
            introduced: entry
                .required("introduced")
                .map_or(dml_spec::FeatureLevel(0), |n| source.level(n, levels)),
        };
        entry.finish();
        types.push(data_type);
    }
    types.sort_by_key(|t| t.value);
    types.into()
}

const CLASSES: [(&str, NumberClass); 4] = [
    ("unknown", NumberClass::Unknown),
    ("float", NumberClass::Float),
    ("unsigned", NumberClass::Unsigned),
    ("signed", NumberClass::Signed),
];

fn enums(source: &Source<'_>, fields: &mut Fields<'_>, name: &str, flags: bool) -> Vec<Enum> {
    let entries = fields.optional(name).map_or(&[][..], |n| source.entries(n));
    let mut enums = Vec::new();
    for (key, node) in entries {
        let mut members: Vec<EnumMember> = Vec::new();
        for (member, value) in source.entries(node) {
            let number = source.uint(value);
            if members.iter().any(|m| m.value == number) {
                let message = format!("two members of {} have the value {number}", key.text);
                source.report("spec::duplicate-value", &value.span, message);
            }
            members.push(EnumMember {
                name: Text::Owned(member.text.clone()),
                value: number,
            });
        }
        members.sort_by_key(|m| m.value);
        enums.push(Enum {
            name: Text::Owned(key.text.clone()),
            flags,
            members: members.into(),
        });
    }
    enums
}

/// Short hashes that an import wrote.
fn hashes(source: &Source<'_>, entry: &mut Fields<'_>, key: &str) -> Text {
    let Some(node) = entry.optional(key) else {
        return Text::default();
    };
    let text = source.string(node);
    let short = |hash: &str| hash.len() == 8 && hash.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    if !text.split(' ').all(short) {
        let message = "expected short hashes of eight lower-case hex digits, separated by one blank".to_owned();
        source.report_hint(
            "spec::bad-hash",
            &node.span,
            message,
            Some("`spec import` writes them".to_owned()),
        );
    }
    text
}

/// The documents a file cites; also used for operators.
pub(super) fn sources(source: &Source<'_>, node: Option<&Node>) -> List<Document> {
    let entries = node.map_or(&[][..], |n| source.entries(n));
    let read = |(key, node): &(crate::tree::Key, Node)| {
        source.check_id(&key.text, &key.span);
        let mut entry = source.fields(node, "a source");
        let document = Document {
            name: Text::Owned(key.text.clone()),
            page: entry.string("page"),
            locale: entry.string("locale"),
            revision: entry.string("revision"),
            facts: entry
                .optional("facts")
                .map(|n| super::clause::digest(source, n))
                .unwrap_or_default(),
            stated: hashes(source, &mut entry, "stated"),
            sentences: hashes(source, &mut entry, "sentences"),
        };
        entry.finish();
        document
    };
    entries.iter().map(read).collect()
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
