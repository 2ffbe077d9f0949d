//! Support tables: data types and dimension counts by feature level.

use super::{Citation, List, Text};
use crate::level::FeatureLevel;

/// What a feature level supports, until the next table.
#[derive(Clone, Debug, PartialEq)]
pub struct SupportTable {
    /// First level it is valid for.
    pub level: FeatureLevel,
    /// One row a tensor, in struct order.
    pub rows: List<SupportRow>,
    /// Where the reference has it.
    pub source: Option<Citation>,
}

/// Supported dimension counts and data types of one tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct SupportRow {
    /// Field name.
    pub tensor: Text,
    /// Smallest and largest dimension count, inclusive.
    pub dimensions: (u32, u32),
    /// Data type names.
    pub types: List<Text>,
}

impl SupportTable {
    /// The row of this tensor.
    pub fn row(&self, tensor: &str) -> Option<&SupportRow> {
        self.rows.iter().find(|r| r.tensor == tensor)
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

/// Id of a support cell for a data type: `TOP_K1/5.0/InputTensor/FLOAT64`.
pub fn type_cell_id(operator: &str, level: FeatureLevel, tensor: &str, data_type: &str) -> String {
    format!("{operator}/{level}/{tensor}/{data_type}")
}

/// Id of a support cell for a dimension count: `TOP_K1/5.0/InputTensor/4-D`.
pub fn dimension_cell_id(operator: &str, level: FeatureLevel, tensor: &str, count: u32) -> String {
    format!("{operator}/{level}/{tensor}/{count}-D")
}
