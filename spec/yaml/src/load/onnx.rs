//! The node of ONNX that an operator is: `onnx`, one entry or a list of them.

use std::ops::Range;

use dml_spec::{
    model::{Catalog, List, OnnxEntry, OnnxInput, Operator, Text},
    onnx::{self, Part},
};

use super::reader::Source;
use crate::tree::{Key, Node, Plain};

const KEYS: [&str; 5] = ["node", "inputs", "outputs", "attributes", "fields"];

/// The entries of the file; none if it has none.
pub(super) fn read(source: &Source<'_>, node: Option<&Node>) -> List<OnnxEntry> {
    if let Some(node) = node.filter(|node| node.items().is_some_and(<[Node]>::is_empty)) {
        source.report_hint(
            "spec::wrong-type",
            &node.span,
            "found an empty sequence, expected nodes of ONNX",
            Some("leave out `onnx`".to_owned()),
        );
    }
    entries(node).map(|node| entry(source, node)).collect()
}

/// A mapping is one entry.
fn entries(node: Option<&Node>) -> impl Iterator<Item = &Node> {
    let items = node.map(|node| node.items().unwrap_or(std::slice::from_ref(node)));
    items.unwrap_or_default().iter()
}

fn entry(source: &Source<'_>, node: &Node) -> OnnxEntry {
    source.fields(node, "a node of ONNX", &KEYS[..3], &KEYS[3..]);
    let texts = |key: &str| {
        let entries = node.get(key).map(|node| source.entries(node)).unwrap_or_default();
        entries
            .iter()
            .map(|(name, node)| (named(source, name), expression(source, node)))
            .collect()
    };
    let inputs = node.get("inputs").map(|node| source.entries(node)).unwrap_or_default();
    OnnxEntry {
        nodes: node.get("node").map(|node| nodes(source, node)).unwrap_or_default(),
        inputs: inputs
            .iter()
            .map(|(name, node)| (named(source, name), input(source, node)))
            .collect(),
        outputs: texts("outputs"),
        attributes: texts("attributes"),
        fields: texts("fields"),
    }
}

/// One name, or names with their rules.
fn nodes(source: &Source<'_>, node: &Node) -> List<(Text, Text)> {
    let Some(entries) = node.entries() else {
        let name = source.string(node);
        // What is no text has been reported.
        if node.plain() == Plain::Text && node.text().is_some() {
            operator_name(source, &name, &node.span);
        }
        return vec![(name, Text::default())].into();
    };
    if entries.is_empty() {
        source.wrong_type(node, "the name of a node, or names with rules");
    }
    let rule = |(key, node): &(Key, Node)| {
        operator_name(source, &key.text, &key.span);
        (Text::Owned(key.text.clone()), expression(source, node))
    };
    entries.iter().map(rule).collect()
}

fn operator_name(source: &Source<'_>, name: &str, span: &Range<usize>) {
    let is_name = name.starts_with(|c: char| c.is_ascii_uppercase()) && name.chars().all(|c| c.is_ascii_alphanumeric());
    if !is_name {
        let message = format!("{} is no operator of ONNX, expected one such as TopK", shown(name));
        source.report("spec::bad-name", span, message);
    }
}

/// A name of ONNX, which has letters of both cases, digits and underscores, and does not start with a digit.
fn named(source: &Source<'_>, key: &Key) -> Text {
    let is_start = |c: char| c.is_ascii_alphabetic() || c == '_';
    let is_name = key.text.starts_with(is_start) && key.text.chars().all(|c| is_start(c) || c.is_ascii_digit());
    if !is_name {
        let message = format!("{} is no name of ONNX, expected one such as keepdims", shown(&key.text));
        source.report("spec::bad-name", &key.span, message);
    }
    Text::Owned(key.text.clone())
}

fn shown(name: &str) -> String {
    match name.is_empty() {
        true => "an empty text".to_owned(),
        false => format!("`{name}`"),
    }
}

fn input(source: &Source<'_>, node: &Node) -> OnnxInput {
    if node.entries().is_none() {
        return OnnxInput {
            value: expression(source, node),
            ..OnnxInput::default()
        };
    }
    source.fields(node, "an input of a node", &["value"], &["type", "sizes"]);
    let text = |key| node.get(key).map(|node| expression(source, node)).unwrap_or_default();
    OnnxInput {
        value: text("value"),
        data_type: text("type"),
        sizes: text("sizes"),
    }
}

/// The text of an expression: a number and a truth value are such, too.
fn expression(source: &Source<'_>, node: &Node) -> Text {
    match node.text() {
        Some(text) if !text.is_empty() => Text::Owned(text.to_owned()),
        _ => {
            source.wrong_type(node, "an expression");
            Text::default()
        }
    }
}

/// Reports mistakes in the expressions.
pub(super) fn check(source: &Source<'_>, catalog: &Catalog, operator: &Operator, root: &Node) {
    // Entries that contain a mistake of another kind have it reported already.
    let nodes = entries(root.get("onnx")).map(|node| Some(node).filter(|node| !source.any_within(&node.span)));
    let nodes: Vec<Option<&Node>> = nodes.collect();
    for mistake in onnx::compile(catalog, operator).err().unwrap_or_default() {
        let Some(Some(entry)) = nodes.get(mistake.entry) else {
            continue;
        };
        let error = mistake.error;
        let span = place(source.text, entry, mistake.part, error.span).unwrap_or_else(|| {
            let at = entry.span.start;
            at..at
        });
        source.report_hint(error.code, &span, error.message, error.hint);
    }
}

/// Byte range in the file of a part of the entry of a number; `root` is the whole file.
pub fn node_span(text: &str, root: &Node, entry: usize, part: Part, span: Range<usize>) -> Option<Range<usize>> {
    place(text, entries(root.get("onnx")).nth(entry)?, part, span)
}

/// Byte range in the file of a part of an entry.
fn place(text: &str, entry: &Node, part: Part, span: Range<usize>) -> Option<Range<usize>> {
    let at = |key: &str, index: usize| entry.get(key)?.entries()?.get(index);
    let node = match part {
        Part::Whole => return None,
        Part::FieldName(index) => return Some(at("fields", index)?.0.span.clone()),
        Part::Node(index) => match entry.get("node")?.entries() {
            Some(nodes) => &nodes.get(index)?.1,
            None => entry.get("node")?,
        },
        Part::Input(index, key) => {
            let (_, node) = at("inputs", index)?;
            node.get(key).unwrap_or(node)
        }
        Part::Output(index) => &at("outputs", index)?.1,
        Part::Attribute(index) => &at("attributes", index)?.1,
        Part::Field(index) => &at("fields", index)?.1,
    };
    Some(node.inner_span(text, span))
}
