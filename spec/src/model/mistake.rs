//! Mistakes of implementations that have a name and an expression of their own.

use serde::{Deserialize, Serialize};

use super::{List, Text, form};

/// A mistake of a whole way to compute, which no small change of the meaning gives.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename = "a mistake", deny_unknown_fields)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct NamedMistake {
    /// Its name, which is the class that a report prints.
    #[serde(skip_deserializing)]
    pub name: Text,
    /// What an implementation with this mistake does: lower case, no final period. `{block}` stands for the size of a
    /// block.
    pub says: Text,
    /// Sizes of blocks: each gives a mistake of its own, in whose expressions `block` is this number.
    #[serde(default, deserialize_with = "form::optional", skip_serializing_if = "form::is_empty")]
    pub block: List<u32>,
    /// Lines of the meaning that are others, by their names, and further intermediates, each before the line that uses
    /// it.
    #[serde(
        default,
        deserialize_with = "form::optional_pairs",
        skip_serializing_if = "form::is_empty"
    )]
    pub meaning: List<(Text, Text)>,
    /// Outputs, each with a condition on its elements, `x` at the index `o`: those for which it holds are what an
    /// implementation with this mistake may write as well.
    #[serde(
        default,
        deserialize_with = "form::optional_pairs",
        skip_serializing_if = "form::is_empty"
    )]
    pub any: List<(Text, Text)>,
}
