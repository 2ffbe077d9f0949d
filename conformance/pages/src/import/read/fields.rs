//! The members of the descriptor, in struct order.

use std::collections::{HashMap, HashSet};

use dml_spec::{
    Diagnostic,
    model::{FieldKind, Role, Text as Name},
};
use dml_spec_yaml::ledger::{self, Sentence};

use super::{
    blocks::{Blocks, What},
    source::Text,
    syntax::{self, Declaration},
    words,
};
use crate::import::{
    declared::c_type,
    page::{At, PageField, RowKind, Spot, Table},
};

/// `DML_TENSOR_DATA_TYPE` is an enumeration that the specification keeps apart.
pub(in crate::import) const DATA_TYPE: &str = "DML_TENSOR_DATA_TYPE";

/// A member with its declaration.
struct Member {
    name: String,
    declaration: Declaration,
    at: At,
    place: usize,
}

/// Reads the syntax block, else the `Type:` lines.
pub(super) fn read_fields(
    text: &Text<'_>,
    blocks: &Blocks,
    tables: &[Spot<Table>],
    found: &mut Vec<Diagnostic>,
) -> Vec<Spot<PageField>> {
    let described = first_of_each(described(text, blocks), text, found);
    let mut members = first_of_each(declared(text, blocks), text, found);
    if members.is_empty() {
        members = described;
    } else {
        let optional: HashMap<&str, &Member> = described.iter().map(|m| (m.name.as_str(), m)).collect();
        for member in &mut members {
            let other = optional.get(member.name.as_str()).map(|m| &m.declaration);
            member.declaration.optional |= other.is_some_and(|d| d.optional);
            if member.declaration.count.is_none() {
                member.declaration.count = other.and_then(|d| d.count.clone());
            }
        }
    }
    let prose = Prose::new(text, tables);
    let mut fields: Vec<Spot<PageField>> = Vec::new();
    for member in &members {
        let kind = kind(member, &members, &prose);
        let Some(kind) = kind else {
            let message = format!(
                "`{}` has the type `{}`, which no field has",
                member.name, member.declaration.base
            );
            let hint = "types are tensors, numbers, enumerations and structures of DirectML";
            found.push(text.diagnostic("page::unknown-kind", member.place, message, Some(hint)));
            continue;
        };
        let optional = member.declaration.optional || prose.is_optional(&member.name, &kind);
        fields.push(Spot {
            value: PageField {
                name: member.name.clone(),
                kind,
                optional,
            },
            at: member.at.clone(),
        });
    }
    fields
}

/// Members of the syntax block.
fn declared(text: &Text<'_>, blocks: &Blocks) -> Vec<Member> {
    let structure = blocks.blocks.iter().find_map(|block| match &block.what {
        What::Code(code) if syntax::is_structure(code) => Some((block, code)),
        _ => None,
    });
    let Some((block, code)) = structure else {
        return Vec::new();
    };
    let places = Places::new(text, block.at, code);
    let fields = syntax::read_structure(code).into_iter().map(|field| {
        let place = places.of(code, field.at);
        Member {
            at: text.at(blocks.anchor(block), place),
            place,
            name: field.name,
            declaration: field.declaration,
        }
    });
    fields.collect()
}

/// Lines of code in the Markdown, which may end them in another way.
struct Places {
    code: Vec<usize>,
    markdown: Vec<usize>,
}

impl Places {
    /// The start of the code is unknown within its fences: its first line is searched for.
    fn new(text: &Text<'_>, block: usize, code: &str) -> Self {
        let rest = text.markdown.text.get(block..).unwrap_or_default();
        let start = block + rest.find(code.lines().next().unwrap_or_default()).unwrap_or_default();
        let starts = |text: &str, from: usize| {
            let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
            let behind = breaks.map(|(at, _)| from + at + 1);
            [from].into_iter().chain(behind).collect::<Vec<usize>>()
        };
        Self {
            code: starts(code, 0),
            markdown: starts(text.markdown.text.get(start..).unwrap_or_default(), start),
        }
    }

    /// Place in the Markdown of a place in the code, in bytes.
    fn of(&self, code: &str, at: usize) -> usize {
        let at = at.min(code.len());
        let line = self.code.partition_point(|start| *start <= at).saturating_sub(1);
        let column = at - self.code.get(line).copied().unwrap_or_default();
        self.markdown.get(line).copied().unwrap_or_default() + column
    }
}

/// Members that have a section of their own with a type.
fn described(text: &Text<'_>, blocks: &Blocks) -> Vec<Member> {
    let mut last = None;
    let types = blocks.blocks.iter().filter_map(|block| {
        let section = blocks.sections.get(block.section)?;
        let first = last.replace(block.section) != Some(block.section);
        let What::Paragraph(paragraph) = &block.what else {
            return None;
        };
        if !(section.is_field && first && ledger::is_type_line(paragraph)) {
            return None;
        }
        let declared = paragraph.split_once([':', '：'])?.1;
        Some(Member {
            name: section.anchor.clone(),
            declaration: syntax::read_declaration(declared)?,
            at: text.at(&section.anchor, block.at),
            place: block.at,
        })
    });
    types.collect()
}

/// No operator has that many fields.
const MOST_FIELDS: usize = 256;

/// The first of each name; a second one is a mistake of the page.
fn first_of_each(mut members: Vec<Member>, text: &Text<'_>, found: &mut Vec<Diagnostic>) -> Vec<Member> {
    let mut seen = HashSet::new();
    members.truncate(MOST_FIELDS);
    members.retain(|member| {
        let is_first = seen.insert(member.name.clone());
        if !is_first {
            let message = format!("the page has the member `{}` twice", member.name);
            let hint = "remove the one that does not count";
            found.push(text.diagnostic("page::member-twice", member.place, message, Some(hint)));
        }
        is_first
    });
    members
}

/// Adds to declarations what tables and sentences say.
struct Prose<'a> {
    /// Kind columns by tensor.
    rows: HashMap<&'a str, RowKind>,
    /// First sentence of each member.
    first: HashMap<&'a str, &'a str>,
}

impl<'a> Prose<'a> {
    fn new(text: &'a Text<'_>, tables: &'a [Spot<Table>]) -> Self {
        let mut rows: HashMap<&str, RowKind> = HashMap::new();
        for row in tables.iter().flat_map(|table| &table.value.rows) {
            let Some(kind) = row.kind else { continue };
            let known = rows.entry(&row.tensor).or_default();
            known.output |= kind.output;
            known.array |= kind.array;
            known.optional |= kind.optional;
        }
        let starts = text.sentences.iter().filter(|s| s.number == 1);
        let first = starts
            .map(|s: &Sentence| (s.anchor.as_str(), s.text.as_str()))
            .collect();
        Self { rows, first }
    }

    fn role(&self, name: &str) -> Role {
        let written = match self.rows.get(name) {
            Some(kind) => kind.output,
            None => {
                let says = self.first.get(name).copied().unwrap_or_default();
                name.starts_with("Output") || says.contains("to write") || says.contains("utput tensor")
            }
        };
        if written { Role::Output } else { Role::Input }
    }

    fn is_array(&self, name: &str) -> bool {
        self.rows.get(name).is_some_and(|kind| kind.array)
    }

    /// Numbers and enumerations are never absent, whatever a sentence says about their meaning.
    fn is_optional(&self, name: &str, kind: &FieldKind) -> bool {
        let (_, is_pointer) = c_type(kind);
        let in_tables = self.rows.get(name).map(|kind| kind.optional);
        let says = || {
            let first = self.first.get(name).copied().unwrap_or_default();
            words::says_optional(&first.chars().take(40).collect::<String>())
        };
        is_pointer && in_tables.unwrap_or_else(says)
    }
}

fn kind(member: &Member, members: &[Member], prose: &Prose<'_>) -> Option<FieldKind> {
    let declaration = &member.declaration;
    let count = || {
        Name::Owned(
            declaration
                .count
                .clone()
                .or_else(|| find_count(member, members))
                .unwrap_or_default(),
        )
    };
    let list = declaration.count.is_some() || declaration.pointer;
    let base = declaration.base.as_str();
    Some(match base.to_ascii_uppercase().as_str() {
        "DML_TENSOR_DESC" => {
            let role = prose.role(&member.name);
            if declaration.count.is_some() || prose.is_array(&member.name) {
                FieldKind::Tensors(role, count())
            } else {
                FieldKind::Tensor(role)
            }
        }
        "UINT" | "UINT32" if list => FieldKind::UInts(count()),
        "UINT" | "UINT32" => FieldKind::UInt,
        "INT" | "INT32" if list => FieldKind::Ints(count()),
        "INT" | "INT32" => FieldKind::Int,
        "FLOAT" if list => FieldKind::Floats(count()),
        "FLOAT" => FieldKind::Float,
        "BOOL" => FieldKind::Bool,
        "DML_SCALE_BIAS" => FieldKind::ScaleBias,
        "DML_SIZE_2D" => FieldKind::Size2D,
        "DML_SCALAR_UNION" => FieldKind::Scalar(Name::Owned(find_type(member, members))),
        "DML_OPERATOR_DESC" => {
            let several = member.name.ends_with('s') && find_count(member, members).is_some();
            match declaration.count.is_some() || several {
                true => FieldKind::Operators(count()),
                false => FieldKind::Operator,
            }
        }
        _ if base.starts_with("DML_") => FieldKind::Enum(Name::Owned(base.to_owned())),
        _ => return None,
    })
}

/// `ActivationDescCount` of `ActivationDescs`, else the last field before that is called a count.
fn find_count(member: &Member, members: &[Member]) -> Option<String> {
    let named = format!("{}Count", member.name.strip_suffix('s').unwrap_or(&member.name));
    let before = members.iter().take_while(|m| m.name != member.name);
    let counts: Vec<&str> = before
        .map(|m| m.name.as_str())
        .filter(|name| name.ends_with("Count"))
        .collect();
    let found = counts.iter().find(|name| **name == named).or(counts.last())?;
    Some((*found).to_owned())
}

/// The data type field that is meant: the last one before, else the first.
fn find_type(member: &Member, members: &[Member]) -> String {
    let types = || members.iter().filter(|m| m.declaration.base == DATA_TYPE);
    let position = members.iter().position(|m| m.name == member.name).unwrap_or_default();
    let before = members.iter().take(position).rfind(|m| m.declaration.base == DATA_TYPE);
    before
        .or_else(|| types().next())
        .map(|m| m.name.clone())
        .unwrap_or_default()
}
