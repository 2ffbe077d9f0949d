//! Parameters and their values: those that follow from a field's kind, and those that the specification declares.

use std::collections::BTreeMap;

use dml_spec::{
    model::{FieldKind, Text},
    path::{self, Path, constant_name},
    patterns::{INDICES, NUMBERS, VALUES},
    scalar,
};

use crate::{
    builder::Builder,
    recipe::{Point, compile_point},
};

/// Ranks that a descriptor can have.
pub(super) const RANKS: std::ops::RangeInclusive<u32> = 1..=8;

/// What a parameter decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sets {
    /// The value of the key at this place.
    Key(usize),
    /// The number of dimensions of the first sizes.
    Rank,
    /// Which of their dimensions have one element, whatever hash says.
    Ones,
    /// Which of their dimensions is the long one.
    Long,
    /// How long that is.
    Length,
    /// A number that expressions of other parameters mention.
    Number,
    /// How tensors lie in memory.
    Layout,
    /// The pattern of the data.
    Values,
    /// The input that an output shares memory with.
    Alias,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The key, or a word of its own.
    pub name: String,
    /// What it decides.
    pub sets: Sets,
    /// Its values.
    pub values: Vec<Choice>,
    /// It is a data type or an enumeration, which tables bind to one another: all of these are chosen together.
    pub is_bound: bool,
}

/// A value of a parameter.
#[derive(Clone, Debug)]
pub struct Choice {
    /// How the specification spells it; of ranges each number.
    pub label: String,
    /// What it comes to, by the numbers that its expression mentions.
    pub(super) points: BTreeMap<Vec<String>, Point>,
    /// It is covered once, and enters no pair: nothing is judged with it, or it is large.
    pub alone: bool,
}

impl Choice {
    /// What ids spell, whatever the numbers and the rest of the descriptor are.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.points.values().filter_map(|point| match point {
            Point::Text(text) => Some(text.as_str()),
            _ => None,
        })
    }

    pub(super) fn of(label: impl Into<String>, point: Point) -> Self {
        Self {
            label: label.into(),
            points: BTreeMap::from([(Vec::new(), point)]),
            alone: false,
        }
    }

    pub(super) fn text(label: impl Into<String>) -> Self {
        let label = label.into();
        Self::of(label.clone(), Point::Text(label))
    }
}

/// Values that the specification declares.
#[derive(Default)]
pub(super) struct Values {
    pub(super) values: Vec<Choice>,
    /// The places of those that mean nothing, and why.
    pub(super) mistakes: Vec<(usize, String)>,
}

/// The values of a key that its field has by its kind; none if it has to be declared.
pub(super) fn derived_values(builder: &Builder<'_>, path: &Path) -> Vec<Choice> {
    let (catalog, operator) = (&builder.suite.catalog, builder.operator);
    let Some(field) = operator.fields.get(path.field()) else {
        return Vec::new();
    };
    match path {
        Path::Data(_) => INDICES.iter().map(|name| Choice::text(*name)).collect(),
        path if path.is_data_type() => {
            let rows = || operator.support.iter().flat_map(|table| table.rows_of(&field.name));
            let allowed = |name: &str| rows().any(|row| row.types.iter().any(|ty| ty == name));
            let types = catalog.data_types.iter().filter(|ty| allowed(&ty.name));
            types.map(|ty| Choice::text(ty.name.to_string())).collect()
        }
        Path::Attribute(_) => match &field.kind {
            FieldKind::Enum(name) => {
                let members = catalog.enumeration(name).map(|of| of.members.iter());
                let names = members.into_iter().flatten();
                names
                    .map(|of| Choice::text(constant_name(catalog, name, of.value)))
                    .collect()
            }
            FieldKind::Bool => ["0", "1"].map(Choice::text).to_vec(),
            FieldKind::Operator => {
                let nested = operator.cases.nested.iter().map(|nested| nested.name.to_string());
                nested.chain(["null".to_owned()]).map(Choice::text).collect()
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The values that the specification declares for a key, each with every value of the numbers that it mentions.
pub(super) fn declared_values(builder: &Builder<'_>, path: &Path, texts: &[Text], numbers: &[Parameter]) -> Values {
    let mut found = Values::default();
    for (at, text) in texts.iter().enumerate() {
        match declared_value(builder, path, text, numbers) {
            Ok(choices) => found.values.extend(choices),
            Err(what) => found.mistakes.push((at, what)),
        }
    }
    found
}

fn declared_value(
    builder: &Builder<'_>,
    path: &Path,
    text: &str,
    numbers: &[Parameter],
) -> Result<Vec<Choice>, String> {
    let (catalog, operator) = (&builder.suite.catalog, builder.operator);
    let mut points = BTreeMap::new();
    for (values, spelled) in with_numbers(text, numbers) {
        let point = compile_point(catalog, operator, path, &spelled)?;
        if let (Point::Text(text), false) = (&point, scalar::is_scalar(operator, path.field())) {
            path::set(catalog, operator, &mut builder.blank(), path, text)?;
        }
        if matches!(path, Path::Data(_)) && !INDICES.contains(&&*spelled) && !is_pattern(&spelled) {
            return Err(format!("`{spelled}` is no pattern of values or indices"));
        }
        points.insert(values, point);
    }
    let choice = |label: String| Choice {
        label,
        points: points.clone(),
        alone: false,
    };
    if points.values().any(|point| matches!(point, Point::Range(..))) {
        // Each number is a value of its own.
        return Ok((0..*RANKS.end()).map(|number| choice(number.to_string())).collect());
    }
    Ok(vec![choice(text.to_owned())])
}

/// A text with each combination of values in place of the numbers that it mentions; with the values of all numbers, empty
/// for those that it does not mention.
fn with_numbers(text: &str, numbers: &[Parameter]) -> Vec<(Vec<String>, String)> {
    let mut all = vec![(Vec::new(), text.to_owned())];
    for number in numbers {
        let mut next = Vec::new();
        for (values, text) in all {
            if !mentions(&text, &number.name) {
                next.push(([values, vec![String::new()]].concat(), text));
                continue;
            }
            for value in &number.values {
                let values = [values.clone(), vec![value.label.clone()]].concat();
                next.push((values, replaced(&text, &number.name, &value.label)));
            }
        }
        all = next;
    }
    all
}

fn words(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c: char| is_word(c) != is_word(first)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        found.push(word);
        rest = after;
    }
    found
}

pub(super) fn mentions(text: &str, name: &str) -> bool {
    words(text).contains(&name)
}

fn replaced(text: &str, name: &str, value: &str) -> String {
    words(text)
        .into_iter()
        .map(|word| if word == name { value } else { word })
        .collect()
}

pub(super) fn is_pattern(text: &str) -> bool {
    VALUES.contains(&text) || NUMBERS.contains(&text)
}
