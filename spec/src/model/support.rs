//! Support tables: data types and dimension counts by feature level.

use serde::{Deserialize, Serialize};

use super::{Citation, List, Text, form};
use crate::level::FeatureLevel;

/// Descriptors that have rows of their own in the support tables.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct SupportGroup {
    /// Its name in the ids of cells.
    pub name: Text,
    /// Condition on the descriptor (rule language). At most one group's holds.
    pub when: Text,
}

/// What a feature level supports, until the next table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct SupportTable {
    /// First level it is valid for.
    pub level: FeatureLevel,
    /// One row for each tensor in struct order; with groups these rows for each group in turn.
    pub rows: List<SupportRow>,
    /// Citation of the reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Citation>,
    /// Cells that some releases judge otherwise, while others agree with the table.
    pub differs: List<CellDifference>,
}

/// What releases did with cells of a table against what it says.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename = "a difference of releases", deny_unknown_fields)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct CellDifference {
    /// Releases, such as `DirectML 1.4.0`.
    pub runtime: Text,
    /// Day of the measurement, `YYYY-MM-DD`.
    #[serde(deserialize_with = "form::text::<form::Day, _>")]
    pub date: Text,
    /// Fields of the tensors.
    pub tensors: List<Text>,
    /// Data type names.
    #[serde(default, deserialize_with = "form::optional_texts::<form::DataTypeName, _>")]
    pub types: List<Text>,
    /// Dimension counts.
    #[serde(default, deserialize_with = "form::optional", skip_serializing_if = "form::is_empty")]
    pub dimensions: List<u32>,
    /// What was seen, in our words.
    pub says: Text,
}

/// Supported dimension counts and data types of one tensor.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename = "a support row", deny_unknown_fields)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct SupportRow {
    /// Name of its group, empty if there are no groups.
    #[serde(skip_deserializing, skip_serializing_if = "str::is_empty")]
    pub group: Text,
    /// Field name.
    #[serde(skip_deserializing)]
    pub tensor: Text,
    /// Smallest and largest dimension count, inclusive.
    #[serde(deserialize_with = "form::dimensions")]
    pub dimensions: (u32, u32),
    /// Data type names.
    #[serde(deserialize_with = "form::texts::<form::DataTypeName, _>")]
    pub types: List<Text>,
    /// The reference's Dimensions column, such as `{ [BatchCount], M, K }`; empty if it has none.
    #[serde(
        default,
        deserialize_with = "form::optional_text::<form::Shape, _>",
        skip_serializing_if = "str::is_empty"
    )]
    pub shape: Text,
    /// Citation of the reference, for the rows of groups.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub source: Option<Citation>,
}

impl SupportTable {
    /// What some releases judge otherwise of a tensor.
    pub fn differences(&self, tensor: &str) -> impl Iterator<Item = &CellDifference> {
        self.differs
            .iter()
            .filter(move |difference| difference.tensors.iter().any(|of| of == tensor))
    }

    /// The row of this tensor in a group; the group's name is empty if there are none.
    pub fn row(&self, group: &str, tensor: &str) -> Option<&SupportRow> {
        self.rows.iter().find(|r| r.tensor == tensor && r.group == group)
    }

    /// The rows of this tensor in all groups.
    pub fn rows_of(&self, tensor: &str) -> impl Iterator<Item = &SupportRow> {
        self.rows.iter().filter(move |r| r.tensor == tensor)
    }
}

impl SupportRow {
    /// Whether the table allows this data type.
    pub fn allows_type(&self, name: &str) -> bool {
        self.types.iter().any(|t| t == name)
    }

    /// Whether the table allows this dimension count.
    pub fn allows_dimensions(&self, count: u32) -> bool {
        (self.dimensions.0..=self.dimensions.1).contains(&count)
    }
}

/// Id of a support cell for a data type: `TOP_K1/5.0/InputTensor/FLOAT64`, in a group
/// `REDUCE/3.0/sum/InputTensor/FLOAT64`.
pub fn type_cell_id(operator: &str, level: FeatureLevel, row: &SupportRow, data_type: &str) -> String {
    format!("{}/{data_type}", row_id(operator, level, row))
}

/// Id of a support cell for a dimension count: `TOP_K1/5.0/InputTensor/4-D`.
pub fn dimension_cell_id(operator: &str, level: FeatureLevel, row: &SupportRow, count: u32) -> String {
    format!("{}/{count}-D", row_id(operator, level, row))
}

fn row_id(operator: &str, level: FeatureLevel, row: &SupportRow) -> String {
    let SupportRow { group, tensor, .. } = row;
    if group.is_empty() {
        format!("{operator}/{level}/{tensor}")
    } else {
        format!("{operator}/{level}/{group}/{tensor}")
    }
}
