//! Checks mistakes that have a name: meanings of which some lines are others.

use std::borrow::Cow;

use super::{Checker, Entry, Mistake, Place};
use crate::{
    meaning::typed::{Meaning, Node, Op},
    model::{Catalog, NamedMistake, Operator, Text},
    rule::{RuleError, names::nearest, parse_head},
};

/// The intermediate that holds the size of a block.
const BLOCK: &str = "block";

/// What the code of a mistake that changes nothing says.
const NO_EFFECT: &str = "spec::mistake-without-effect";

/// What implementations with a named mistake compute.
#[derive(Clone, Debug)]
pub struct Mistaken {
    /// The name.
    pub name: Text,
    /// The size of its blocks, if it has some.
    pub block: Option<u32>,
    /// What they do, in words.
    pub says: String,
    /// Where the first line that is another stands, and how long it is.
    pub place: (Place, usize),
    /// What they compute. The invariants are conditions on elements that may be anything.
    pub meaning: Meaning,
}

/// Checks the mistakes of an operator that have a name, each with every size of its blocks.
///
/// # Errors
/// Every mistake found in them; of sizes of blocks, those of the first.
pub fn mistaken(catalog: &Catalog, operator: &Operator) -> Result<Vec<Mistaken>, Vec<Mistake>> {
    check_all(catalog, operator, true)
}

/// The same; what is wrong of the lines that stay is not reported unless they are right by themselves.
pub(super) fn check_all(catalog: &Catalog, operator: &Operator, is_right: bool) -> Result<Vec<Mistaken>, Vec<Mistake>> {
    let (mut all, mut wrong) = (Vec::new(), Vec::new());
    for (at, named) in operator.mistakes.iter().enumerate() {
        let mut blocks: Vec<Option<u32>> = named.block.iter().copied().map(Some).collect();
        if blocks.is_empty() {
            blocks.push(None);
        }
        if let Some(what) = doubtful_block(&named.block) {
            let place = Place::Named {
                mistake: at,
                in_any: false,
                entry: usize::MAX,
                in_key: true,
            };
            wrong.push(without_effect(place, &named.name, &what, None).mistake);
            continue;
        }
        for block in blocks {
            match one(catalog, operator, (at, named), block) {
                Ok(found) => all.push(found),
                Err(found) => {
                    wrong.extend(
                        found
                            .into_iter()
                            .filter(|found| is_right || !found.is_caused)
                            .map(|found| found.mistake),
                    );
                    break;
                }
            }
        }
    }
    if wrong.is_empty() { Ok(all) } else { Err(wrong) }
}

/// What is wrong with sizes of blocks.
fn doubtful_block(sizes: &[u32]) -> Option<String> {
    let is_known = |at: usize, size: u32| sizes.iter().take(at).any(|before| *before == size);
    let again = sizes.iter().enumerate().find(|(at, size)| is_known(*at, **size));
    match again {
        _ if sizes.contains(&0) => Some("has blocks of no element".to_owned()),
        Some((_, size)) => Some(format!("has blocks of {size} twice")),
        None => None,
    }
}

/// What is wrong.
struct Found {
    mistake: Mistake,
    /// In a line that stays, because of one that is another.
    is_caused: bool,
}

/// Where a line of a meaning with a mistake comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Meaning,
    Mistake(usize),
    Block,
}

/// A line: its head, its text, and where it comes from.
type Line<'a> = (Cow<'a, str>, Cow<'a, str>, Origin);

fn one(
    catalog: &Catalog,
    operator: &Operator,
    (mistake, named): (usize, &NamedMistake),
    block: Option<u32>,
) -> Result<Mistaken, Vec<Found>> {
    let place = |entry: usize, in_key: bool| Place::Named {
        mistake,
        in_any: false,
        entry,
        in_key,
    };
    let lines = merged(operator, named, block);
    let unchanged = unchanged(operator, named).map(|entry| (entry, "is as in the meaning".to_owned()));
    if let Some((entry, what)) = unchanged {
        let key = named.meaning.get(entry).map_or("", |(key, _)| key);
        return Err(vec![without_effect(place(entry, true), key, &what, None)]);
    }
    if named.meaning.is_empty() && named.any.is_empty() {
        return Err(vec![without_effect(
            place(usize::MAX, true),
            &named.name,
            "has neither `meaning` nor `any`",
            None,
        )]);
    }
    let entries: Vec<Entry<'_>> = lines.iter().map(|(head, text, _)| (&**head, &**text)).collect();
    let mut checker = Checker::new(catalog, operator, &entries);
    checker.lines(&entries);
    checker.openings();
    for (entry, (tensor, condition)) in named.any.iter().enumerate() {
        let place = |in_key| Place::Named {
            mistake,
            in_any: true,
            entry,
            in_key,
        };
        checker.enter(place(true));
        match checker.condition((tensor, condition), place(false)) {
            Ok(found) => checker.meaning.invariants.extend(found),
            Err(error) => checker.note(Err(error)),
        }
    }
    let first = lines.iter().find_map(|(.., origin)| match origin {
        Origin::Mistake(entry) => Some(*entry),
        _ => None,
    });
    // A mistake may read beyond a tensor.
    let found = checker
        .mistakes
        .into_iter()
        .filter(|found| found.error.code != "spec::no-value");
    let mut wrong: Vec<Found> = found
        .filter_map(|found| {
            moved(
                found,
                &lines,
                |entry, in_key| place(entry.unwrap_or(first.unwrap_or_default()), in_key),
                named,
            )
        })
        .collect();
    if wrong.is_empty() {
        wrong.extend(unused(&checker.meaning, named).map(|(entry, key)| {
            let heads = operator
                .meaning
                .iter()
                .filter_map(|(head, _)| Some(parse_head(head).ok()?.name));
            let hint = nearest(head_name(key), heads.collect::<Vec<_>>());
            let what = "replaces no line, and no line after it uses it";
            match entry {
                usize::MAX => without_effect(place(entry, true), key, "is used by no line", None),
                _ => without_effect(place(entry, true), key, what, hint),
            }
        }));
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let block_text = block.map(|block| block.to_string()).unwrap_or_default();
    let (entry, in_any) = first.map_or((0, true), |entry| (entry, false));
    let length = if in_any {
        named.any.first()
    } else {
        named.meaning.get(entry)
    };
    Ok(Mistaken {
        name: named.name.clone(),
        block,
        says: named.says.replace("{block}", &block_text),
        place: (
            Place::Named {
                mistake,
                in_any,
                entry,
                in_key: false,
            },
            length.map_or(0, |(_, text)| text.len()),
        ),
        meaning: checker.meaning,
    })
}

/// The lines of the meaning with those of the mistake: each in the place of the line of its name, or before the next one
/// that replaces a line.
fn merged<'a>(operator: &'a Operator, named: &'a NamedMistake, block: Option<u32>) -> Vec<Line<'a>> {
    let mut lines: Vec<Line<'a>> = block
        .map(|size| (Cow::Borrowed(BLOCK), Cow::Owned(size.to_string()), Origin::Block))
        .into_iter()
        .collect();
    lines.extend(operator.meaning.iter().map(|(head, text)| {
        let line: Line<'a> = (Cow::Borrowed(&**head), Cow::Borrowed(&**text), Origin::Meaning);
        line
    }));
    let mut further: Vec<Line<'a>> = Vec::new();
    for (entry, (key, text)) in named.meaning.iter().enumerate() {
        let new: Line<'a> = (Cow::Borrowed(&**key), Cow::Borrowed(&**text), Origin::Mistake(entry));
        let Some(at) = lines
            .iter()
            .position(|(head, _, origin)| *origin != Origin::Block && head_name(head) == head_name(key))
        else {
            further.push(new);
            continue;
        };
        if let Some((head, body, origin)) = lines.get_mut(at) {
            if key.contains('[') {
                *head = new.0;
            }
            (*body, *origin) = (new.1, new.2);
        }
        lines.splice(at..at, std::mem::take(&mut further));
    }
    // What nothing replaces a line after is used by no line; it stands before the outputs.
    let is_output = |(head, ..): &Line<'a>| operator.field_index(head_name(head)).is_some();
    let outputs = lines.iter().position(is_output).unwrap_or(lines.len());
    lines.splice(outputs..outputs, further);
    lines
}

fn head_name(head: &str) -> &str {
    head.split('[').next().unwrap_or_default().trim()
}

/// The first line that replaces one of the same text.
fn unchanged(operator: &Operator, named: &NamedMistake) -> Option<usize> {
    let plain = |text: &str| text.split_whitespace().collect::<String>();
    let is_same = |(key, text): &(Text, Text)| {
        operator.meaning.iter().any(|(head, own)| {
            let same_head = plain(key) == plain(head) || **key == *head_name(head);
            same_head && plain(text) == plain(own)
        })
    };
    named.meaning.iter().position(is_same)
}

/// New intermediates that no line uses, and the size of a block if none does.
fn unused<'a>(meaning: &Meaning, named: &'a NamedMistake) -> impl Iterator<Item = (usize, &'a str)> + use<'a> {
    let mut used = vec![false; meaning.definitions.len()];
    let domains = meaning.definitions.iter().flat_map(|of| &of.domain);
    let bounds = domains.flat_map(|bound| [Some(&bound.from), bound.to.as_ref()].into_iter().flatten());
    let bodies = meaning.definitions.iter().map(|of| &of.body);
    let outputs = meaning.outputs.iter().map(|of| &of.body);
    let conditions = meaning.invariants.iter().map(|of| &of.condition);
    let all: Vec<&Node> = bounds.chain(bodies).chain(outputs).chain(conditions).collect();
    all.into_iter().for_each(|node| note_used(node, &mut used));
    let names: Vec<String> = meaning.definitions.iter().map(|of| of.name.to_string()).collect();
    let own = named.meaning.iter().enumerate();
    let block = (!named.block.is_empty()).then_some((usize::MAX, BLOCK));
    let mut keys = own.map(|(entry, (key, _))| (entry, &**key)).chain(block);
    let unused = keys.by_ref().filter(|(_, key)| {
        let at = names.iter().position(|name| name == head_name(key));
        at.is_some_and(|at| used.get(at) == Some(&false))
    });
    unused.collect::<Vec<_>>().into_iter()
}

fn note_used(node: &Node, used: &mut [bool]) {
    if let Op::Definition(at, _) = &node.op
        && let Some(place) = used.get_mut(*at)
    {
        *place = true;
    }
    node.parts().into_iter().for_each(|part| note_used(part, used));
}

fn without_effect(place: Place, name: &str, what: &str, hint: Option<String>) -> Found {
    let error = RuleError {
        hint,
        ..RuleError::new(NO_EFFECT, 0..name.len(), format!("`{name}` {what}"))
    };
    Found {
        mistake: Mistake { place, error },
        is_caused: false,
    }
}

/// What was found in the lines, at its place in the file; what was found of clauses is reported with the meaning.
fn moved(
    found: Mistake,
    lines: &[Line<'_>],
    place: impl Fn(Option<usize>, bool) -> Place,
    named: &NamedMistake,
) -> Option<Found> {
    let own = |mistake: Mistake| Found {
        mistake,
        is_caused: false,
    };
    let (at, in_key) = match found.place {
        Place::Head(at) => (at, true),
        Place::Body(at) => (at, false),
        Place::Named { .. } => return Some(own(found)),
        _ => return None,
    };
    let line = lines.get(at);
    if let Some((head, _, Origin::Mistake(entry))) = line {
        // The head of the line that is replaced has no place in the mistake.
        let has_place = !in_key || named.meaning.get(*entry).is_some_and(|(key, _)| key == head);
        let span = if has_place { found.error.span.clone() } else { 0..0 };
        return Some(own(Mistake {
            place: place(Some(*entry), in_key),
            error: RuleError { span, ..found.error },
        }));
    }
    let head = line.map_or("", |(head, ..)| head_name(head));
    let message = format!("then `{head}` is wrong: {}", found.error.message);
    let error = RuleError {
        span: 0..0,
        message,
        ..found.error
    };
    Some(Found {
        mistake: Mistake {
            place: place(None, true),
            error,
        },
        is_caused: true,
    })
}
