//! The case model: how the planner makes cases of an operator.

use serde::Deserialize;

use super::{List, Text, form};

/// How cases of an operator are made: data for the planner. If it is empty, the operator is only described.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename = "the case model", deny_unknown_fields)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct CaseModel {
    /// Id keys in canonical order.
    #[serde(deserialize_with = "form::named")]
    pub keys: List<Key>,
    /// Derived values: path and an expression of the rule language.
    #[serde(default, deserialize_with = "form::optional_pairs")]
    pub derive: List<(Text, Text)>,
    /// The sequences along which value patterns run.
    pub lanes: Option<Lanes>,
    /// Nested operators by the names that ids give them.
    #[serde(default, deserialize_with = "form::optional_named")]
    pub nested: List<Nested>,
    /// The pattern of values that ids leave out; empty for the one of all operators.
    #[serde(default, deserialize_with = "form::optional")]
    pub values: Text,
    /// Inputs that hold indices, and an expression: how many there are to choose from.
    #[serde(default, deserialize_with = "form::optional_pairs")]
    pub bounds: List<(Text, Text)>,
    /// Values worth trying together, of keys and of numbers that expressions mention; most follow from the fields.
    #[serde(default, deserialize_with = "form::optional_named")]
    pub parameters: List<Parameter>,
    /// Values that are tried together beyond pairs.
    #[serde(default, deserialize_with = "form::optional_named")]
    pub together: List<Together>,
}

/// Values of several parameters that a case has together, since no pair of them shows what they show.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(from = "form::Pairs")]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct Together {
    /// A name.
    pub name: Text,
    /// What it shows, in our words.
    pub because: Text,
    /// Parameters and their values.
    pub values: List<(Text, Text)>,
}

impl From<form::Pairs> for Together {
    fn from(form::Pairs(mut pairs): form::Pairs) -> Self {
        let because = pairs.iter().position(|(key, _)| key == "because");
        Self {
            name: Text::default(),
            because: because.map(|place| pairs.remove(place).1).unwrap_or_default(),
            values: pairs.into(),
        }
    }
}

/// Values worth trying.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct Parameter {
    /// A key, a part of the first sizes (`rank`, `long`, `length`), or a word that expressions of other parameters mention.
    #[serde(skip)]
    pub name: Text,
    /// The values: as ids spell them, or expressions.
    #[serde(deserialize_with = "form::texts::<form::Verbatim, _>")]
    pub values: List<Text>,
}

/// A key of a case id.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct Key {
    /// Name in the id, such as `sizes`.
    #[serde(skip)]
    pub name: Text,
    /// Path it sets, such as `InputTensor.Sizes` or `Axis`.
    pub sets: Text,
}

/// A nested operator without tensors, as fused activations are.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(from = "form::Pairs")]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct Nested {
    /// Name in ids.
    pub name: Text,
    /// The operator.
    pub operator: Text,
    /// Its attributes, spelled as in ids.
    pub attributes: List<(Text, Text)>,
}

impl From<form::Pairs> for Nested {
    fn from(form::Pairs(mut pairs): form::Pairs) -> Self {
        let operator = pairs.iter().position(|(key, _)| key == "operator");
        Self {
            name: Text::default(),
            operator: operator.map(|place| pairs.remove(place).1).unwrap_or_default(),
            attributes: pairs.into(),
        }
    }
}

/// Value patterns are laid out along an axis, around the K-th element.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename = "the lanes", deny_unknown_fields)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct Lanes {
    /// Expression: the axis.
    pub axis: Text,
    /// Expression: how many elements are selected.
    pub k: Text,
}

/// What a case is about. How a case is made decides it, and ids name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// The worked examples of the page.
    Examples,
    /// The cells of the tables.
    Support,
    /// Sizes and attributes, tensors packed, the usual data.
    Sizes,
    /// Patterns of data.
    Values,
    /// Tensors that lie otherwise than packed.
    Layout,
    /// Outputs in the place of inputs.
    InPlace,
    /// Constraints broken, and valid neighbours: descriptors only.
    Faults,
}

impl Family {
    /// All of them, in the order of the plan.
    pub const ALL: [Self; 7] = [
        Self::Examples,
        Self::Support,
        Self::Sizes,
        Self::Values,
        Self::Layout,
        Self::InPlace,
        Self::Faults,
    ];

    /// Its name in ids.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Examples => "examples",
            Self::Support => "support",
            Self::Sizes => "sizes",
            Self::Values => "values",
            Self::Layout => "layout",
            Self::InPlace => "in-place",
            Self::Faults => "faults",
        }
    }

    /// The family of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|family| family.name() == name)
    }

    /// What its cases show, in a sentence.
    pub const fn says(self) -> &'static str {
        match self {
            Self::Examples => "The worked examples of the page, at every table level that allows them.",
            Self::Support => "Every cell of the tables, allowed and forbidden, at every level.",
            Self::Sizes => "Sizes and attributes, with packed tensors and the usual data.",
            Self::Values => "Patterns of data: ties, limits, zeros of both signs, numbers that are not exact.",
            Self::Layout => "Tensors with strides, gaps, repeated elements and bytes to spare.",
            Self::InPlace => "An output in the place of an input.",
            Self::Faults => "Every constraint broken as alone as it can be, beside valid neighbours.",
        }
    }
}

/// A tier of cases; each holds the ones before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename = "tier", rename_all = "kebab-case")]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub enum Tier {
    /// Under a second.
    Smoke,
    /// The default.
    #[default]
    Standard,
    /// Everything.
    Exhaustive,
}

/// The two expressions of a range of points, `from..to` (exclusive); `None` for a single one.
pub fn range(point: &str) -> Option<(&str, &str)> {
    point.split_once("..")
}

/// Whether a point of a list is spelled as in ids (`0x2`, `1x-2`, `null`, `empty`), not as an expression.
pub fn is_literal_list(point: &str) -> bool {
    let number = |word: &str| {
        let digits = word.strip_prefix('-').unwrap_or(word);
        !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
    };
    matches!(point, "null" | "empty") || point.split('x').all(number)
}

/// The one spelling of a number in ids: with an exponent if it is tiny or has many digits, and else without one, whole
/// numbers with all their digits.
pub fn spell_float(x: f32) -> String {
    const LONG: usize = 24;
    const TINY: f32 = 1e-4;
    let plain = match x.fract() == 0.0 {
        true => format!("{x:.0}"),
        false => x.to_string().to_lowercase(),
    };
    let is_tiny = x != 0.0 && x.abs() < TINY;
    if is_tiny || plain.len() > LONG {
        format!("{x:e}")
    } else {
        plain
    }
}
