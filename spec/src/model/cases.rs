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
    /// Families in order; the YAML has them beside the rest.
    #[serde(skip)]
    pub families: List<Family>,
}

/// Values worth trying.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct Parameter {
    /// A key, a part of the first sizes (`rank`, `long`, `length`), or a word that expressions of other parameters mention.
    #[serde(skip)]
    pub name: Text,
    /// The values, as sweeps spell points.
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

/// The cases of one purpose.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename = "a family", deny_unknown_fields)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct Family {
    /// Name in the id.
    #[serde(skip)]
    pub name: Text,
    /// Why it exists, in our words.
    pub says: Text,
    /// Mistakes it exists to catch.
    #[serde(default, deserialize_with = "form::optional")]
    pub catches: List<Text>,
    /// How its cases are generated.
    #[serde(default, deserialize_with = "form::optional")]
    pub generator: Generator,
    /// Products of key values; what they mean depends on the generator. Their keys are those of the operator.
    #[serde(default, deserialize_with = "form::later")]
    pub sweeps: List<Sweep>,
}

/// A way to make cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename = "generator", rename_all = "kebab-case")]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub enum Generator {
    /// The worked examples.
    Examples,
    /// Every combination of the sweeps that is valid.
    #[default]
    Sweep,
    /// Like `Sweep`, and every forbidden support cell as a fault around the sweeps marked `base`.
    Support,
    /// Every constraint broken with as few others as possible, around the sweeps.
    Faults,
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

/// A product of key values.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct Sweep {
    /// Lowest tier that holds its cases.
    pub tier: Tier,
    /// Serves as the starting point of faults.
    pub base: bool,
    /// Disputed clauses its cases may break (full ids).
    pub allow: List<Text>,
    /// Condition a combination must meet (rule language).
    pub only: Option<Text>,
    /// Key and its points, in canonical key order. `values`, `layout` and `seed` are keys of every operator.
    pub points: List<(Text, List<Text>)>,
}

/// The two expressions of a range of points, `from..to` (exclusive); `None` for a single one.
pub fn range(point: &str) -> Option<(&str, &str)> {
    point.split_once("..")
}

/// The expression inside `subsets(…)`, a point of a list of axes: how many axes there are.
pub fn subsets(point: &str) -> Option<&str> {
    point.strip_prefix("subsets(")?.strip_suffix(')')
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
