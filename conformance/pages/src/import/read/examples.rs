//! Worked examples.

use std::collections::{BTreeMap, HashMap};

use dml_spec::model::{ExampleTensor, ExampleValue, FieldKind, List, Role, Text as Name};

use super::{
    blocks::{Blocks, What},
    fields::DATA_TYPE,
    literal::{self, Assignment, Given, Literal},
    source::Text,
};
use crate::import::page::{At, PageExample, PageField, Spot};

type Fields<'a> = HashMap<&'a str, &'a PageField>;

/// Every example; inputs that several share are part of each of them.
pub(super) fn read_examples(text: &Text<'_>, blocks: &Blocks, fields: &[Spot<PageField>]) -> Vec<Spot<PageExample>> {
    let known: Fields<'_> = fields.iter().map(|f| (f.value.name.as_str(), &f.value)).collect();
    let finish = |draft: Draft| Spot {
        value: finish_values(draft.given, fields, &known),
        at: draft.at,
    };
    read_drafts(text, blocks, &known).into_iter().map(finish).collect()
}

fn is_output(known: &Fields<'_>, name: &str) -> bool {
    known
        .get(name)
        .is_some_and(|field| field.kind.role() == Some(Role::Output))
}

/// The values of a field, elements of an array by their index.
#[derive(Clone)]
enum Value {
    Tensors(BTreeMap<usize, Literal>),
    Tensor(Literal),
    Words(Vec<String>),
    Absent,
}

/// An example in the making.
struct Draft {
    at: At,
    section: usize,
    given: Vec<(String, Value)>,
}

/// Groups of assignments: a new one starts at each heading, and at a repeated name. A block without outputs applies to
/// all later examples under its heading and the headings below.
fn read_drafts(text: &Text<'_>, blocks: &Blocks, known: &Fields<'_>) -> Vec<Draft> {
    let mut drafts: Vec<Draft> = Vec::new();
    let mut shared: Vec<Draft> = Vec::new();
    for block in &blocks.blocks {
        let What::Code(code) = &block.what else { continue };
        if !blocks.ancestors(block.section).any(|s| s.anchor.starts_with("example")) {
            continue;
        }
        let mut assignments = literal::read_assignments(code);
        assignments.retain(|a| a.name.starts_with(|c: char| c.is_ascii_uppercase()));
        let means_fields = |a: &Assignment| known.contains_key(a.name.as_str()) || matches!(a.given, Given::Tensor(_));
        if !assignments.iter().any(means_fields) {
            continue;
        }
        let blank = |given| Draft {
            at: text.at(blocks.anchor(block), block.at),
            section: block.section,
            given,
        };
        if !assignments.iter().any(|a| is_output(known, &a.name)) {
            shared.retain(|draft| blocks.is_under(block.section, draft.section));
            let full = shared.iter().map(|draft| draft.given.len()).sum::<usize>() >= MOST_FIELDS;
            let mut draft = blank(Vec::new());
            let each = assignments.into_iter().take(if full { 0 } else { MOST_FIELDS });
            each.for_each(|assignment| add(&mut draft, assignment));
            if count_values(&draft.given) <= MOST_SHARED {
                shared.push(draft);
            }
            continue;
        }
        for assignment in assignments {
            let full = drafts.len() == MOST_EXAMPLES;
            let fits = |draft: &&mut Draft| draft.section == block.section && takes_assignment(draft, &assignment);
            match drafts.last_mut().filter(fits) {
                Some(draft) => add(draft, assignment),
                None if full => return drafts,
                None => {
                    let mut draft = blank(Vec::new());
                    add(&mut draft, assignment);
                    drafts.push(draft);
                }
            }
        }
        inherit_values(&mut drafts, &shared, blocks);
    }
    drafts
}

/// Adds the values of earlier shared blocks to an example, as far as it has none of its own.
fn inherit_values(drafts: &mut [Draft], shared: &[Draft], blocks: &Blocks) {
    let Some(draft) = drafts.last_mut() else { return };
    // Later blocks override earlier ones.
    for from in shared
        .iter()
        .rev()
        .filter(|from| blocks.is_under(draft.section, from.section))
    {
        let missing = from
            .given
            .iter()
            .filter(|(name, _)| !draft.given.iter().any(|(own, _)| own == name));
        let missing: Vec<(String, Value)> = missing.cloned().collect();
        draft.given.splice(0..0, missing);
    }
}

/// No page has that many examples.
const MOST_EXAMPLES: usize = 256;
/// Bytes of inputs that each of many examples may repeat.
const MOST_SHARED: usize = 1 << 20;
/// No operator has that many fields.
const MOST_FIELDS: usize = 256;

fn count_values(given: &[(String, Value)]) -> usize {
    let one = |value: &Value| match value {
        Value::Tensor(literal) => literal.elements.len(),
        Value::Tensors(elements) => elements.values().map(|literal| literal.elements.len()).sum(),
        Value::Words(words) => words.iter().map(String::len).sum(),
        Value::Absent => 0,
    };
    given.iter().map(|(_, value)| one(value)).sum()
}

fn takes_assignment(draft: &Draft, assignment: &Assignment) -> bool {
    let known = draft
        .given
        .iter()
        .find(|(name, _)| *name == assignment.name)
        .map(|(_, value)| value);
    match (known, assignment.element) {
        (None, _) => draft.given.len() < MOST_FIELDS,
        (Some(Value::Tensors(elements)), Some(index)) => !elements.contains_key(&index),
        _ => false,
    }
}

fn add(draft: &mut Draft, assignment: Assignment) {
    let Assignment { name, element, given } = assignment;
    let value = match (given, element) {
        (Given::Tensor(literal), Some(index)) => {
            let known = draft.given.iter_mut().find(|(known, _)| *known == name);
            if let Some((_, Value::Tensors(elements))) = known {
                elements.insert(index, literal);
                return;
            }
            Value::Tensors(BTreeMap::from([(index, literal)]))
        }
        (Given::Tensor(literal), None) => Value::Tensor(literal),
        (Given::Words(words), _) => Value::Words(words),
        (Given::Absent, _) => Value::Absent,
    };
    draft.given.push((name, value));
}

/// Brings values to the form of a specification's examples.
fn finish_values(given: Vec<(String, Value)>, fields: &[Spot<PageField>], known: &Fields<'_>) -> PageExample {
    let mut example = PageExample {
        values: Vec::new(),
        unusable: None,
    };
    for (name, value) in given {
        let kind = known.get(name.as_str()).map(|field| &field.kind);
        match self::value(&name, value, kind) {
            Ok(Some(value)) => {
                if let Some(why) = find_miscount(&name, &value) {
                    example.unusable.get_or_insert(why);
                }
                example.values.push((name, value));
            }
            Ok(None) => {}
            Err(why) => {
                example.unusable.get_or_insert(why);
            }
        }
    }
    count(&mut example, fields);
    let required = fields.iter().map(|f| &f.value).filter(|f| !f.optional);
    let mut missing = required.filter(|field| !example.values.iter().any(|(name, _)| *name == field.name));
    if let Some(field) = missing.next() {
        example.unusable.get_or_insert(format!("{} has no value", field.name));
    }
    example
}

/// Adds the counts that examples omit to their lists.
fn count(example: &mut PageExample, fields: &[Spot<PageField>]) {
    for field in fields {
        let (FieldKind::Tensors(_, by) | FieldKind::UInts(by) | FieldKind::Ints(by) | FieldKind::Floats(by)) =
            &field.value.kind
        else {
            continue;
        };
        let counted = fields
            .iter()
            .any(|f| f.value.name == *by && f.value.kind == FieldKind::UInt);
        if !counted || example.values.iter().any(|(name, _)| name == by) {
            continue;
        }
        let value = example.values.iter().find(|(name, _)| *name == field.value.name);
        let length = value.map(|(_, value)| count_elements(value));
        let counts = length.map(|n| (by.to_string(), ExampleValue::Attribute(Name::Owned(n.to_string()))));
        example.values.extend(counts);
    }
}

/// Elements of a list, tensors of an array.
pub(in crate::import) fn count_elements(value: &ExampleValue) -> usize {
    match value {
        ExampleValue::Attribute(text) => text.split_whitespace().count(),
        ExampleValue::Tensors(tensors) => tensors.len(),
        ExampleValue::Tensor(_) => 1,
    }
}

/// `Ok(None)` for absent values, `Err` for values that cannot be expressed.
fn value(name: &str, value: Value, kind: Option<&FieldKind>) -> Result<Option<ExampleValue>, String> {
    Ok(Some(match value {
        Value::Absent => return Ok(None),
        Value::Tensor(literal) => {
            let tensor = tensor(name, literal)?;
            match kind {
                Some(FieldKind::Tensors(..)) => ExampleValue::Tensors(List::Owned(vec![tensor])),
                _ => ExampleValue::Tensor(tensor),
            }
        }
        Value::Tensors(elements) => {
            let gap = elements.keys().enumerate().find(|(at, index)| at != *index);
            if let Some((at, _)) = gap {
                return Err(format!("{name}[{at}] is not given"));
            }
            let tensors = elements.into_values().map(|literal| tensor(name, literal));
            ExampleValue::Tensors(List::Owned(tensors.collect::<Result<_, _>>()?))
        }
        Value::Words(words) => ExampleValue::Attribute(Name::Owned(attribute(&words, kind))),
    }))
}

fn tensor(name: &str, literal: Literal) -> Result<ExampleTensor, String> {
    if let Some(problem) = literal.problem {
        return Err(format!("{name} has {problem}"));
    }
    Ok(ExampleTensor {
        sizes: List::Owned(literal.sizes),
        data_type: Name::Owned(literal.data_type),
        data: Name::Owned(literal.elements),
    })
}

/// The message if elements and sizes do not match.
pub(in crate::import) fn find_miscount(name: &str, value: &ExampleValue) -> Option<String> {
    let one = |tensor: &ExampleTensor| {
        let given = tensor.data.split_whitespace().count() as u64;
        let expected = tensor
            .sizes
            .iter()
            .try_fold(1_u64, |product, size| product.checked_mul(u64::from(*size)));
        let made = expected.map_or("too many".to_owned(), |n| n.to_string());
        (expected != Some(given)).then(|| format!("{name} has {given} elements, its sizes make {made}"))
    };
    match value {
        ExampleValue::Tensor(tensor) => one(tensor),
        ExampleValue::Tensors(tensors) => tensors.iter().find_map(one),
        ExampleValue::Attribute(_) => None,
    }
}

/// A constant in full, numbers in one spelling, lists with single spaces.
fn attribute(words: &[String], kind: Option<&FieldKind>) -> String {
    let first = words.first().map_or("", String::as_str);
    match kind {
        Some(FieldKind::Enum(of)) => read_constant(first, of),
        Some(_) => {
            let numbers: Option<Vec<String>> = words.iter().map(|word| literal::read_number(word)).collect();
            numbers.unwrap_or_else(|| words.to_vec()).join(" ")
        }
        None => words.join(" "),
    }
}

fn read_constant(word: &str, of: &str) -> String {
    let short = word.strip_prefix(of).and_then(|rest| rest.strip_prefix('_'));
    if of == DATA_TYPE {
        return short.unwrap_or(word).to_owned();
    }
    let is_short = word.starts_with(|c: char| c.is_ascii_alphabetic()) && !word.starts_with("DML_");
    if is_short {
        format!("{of}_{word}")
    } else {
        word.to_owned()
    }
}
