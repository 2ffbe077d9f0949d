//! Support tables: which data types and dimension counts each level allows a tensor.

use dml_spec::FeatureLevel;

/// What a feature level supports, until the next table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SupportTable {
    /// First level it is valid for.
    pub level: FeatureLevel,
    /// One row for each tensor in struct order; with groups these rows for each group in turn.
    pub rows: &'static [SupportRow],
}

/// Supported dimension counts and data types of one tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SupportRow {
    /// Name of its group, empty if there are no groups.
    pub group: &'static str,
    /// Field name.
    pub tensor: &'static str,
    /// Smallest and largest dimension count, inclusive.
    pub dimensions: (u32, u32),
    /// Allowed data types, by value.
    pub types: &'static [u32],
    /// Ids of the cells that forbid a data type, by value.
    pub no_types: &'static [(u32, &'static str)],
    /// Ids of the cells that forbid a dimension count.
    pub no_dimensions: &'static [(u32, &'static str)],
}

impl SupportRow {
    /// The cell that forbids this data type; `None` if it is allowed, or unknown.
    #[inline]
    pub fn type_cell(&self, data_type: u32) -> Option<&'static str> {
        if self.types.contains(&data_type) {
            return None;
        }
        cell(self.no_types, data_type)
    }

    /// The cell that forbids this dimension count; `None` if it is allowed, or beyond the limits of all tensors.
    #[inline]
    pub fn dimension_cell(&self, count: u32) -> Option<&'static str> {
        if (self.dimensions.0..=self.dimensions.1).contains(&count) {
            return None;
        }
        cell(self.no_dimensions, count)
    }
}

fn cell(cells: &[(u32, &'static str)], value: u32) -> Option<&'static str> {
    cells.iter().find(|(v, _)| *v == value).map(|(_, id)| *id)
}
