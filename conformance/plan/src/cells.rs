//! Cells of the tables that a descriptor rests on.

use std::collections::BTreeSet;

use dml_spec::{
    Descriptor, FeatureLevel, TensorDesc, Value,
    model::{Operator, dimension_cell_id, type_cell_id},
};

use dml_case::suite::Suite;

/// The tensors of a descriptor, each with its field.
pub fn tensors(descriptor: &Descriptor) -> impl Iterator<Item = (usize, &TensorDesc)> {
    descriptor.fields.iter().enumerate().flat_map(|(field, value)| {
        let tensors: &[TensorDesc] = match value {
            Value::Tensor(Some(tensor)) => std::slice::from_ref(tensor),
            Value::Tensors(Some(tensors)) => tensors,
            _ => &[],
        };
        tensors.iter().map(move |tensor| (field, tensor))
    })
}

/// The cells that allow a descriptor at a level: a data type and a dimension count for each tensor.
pub fn cells_of(suite: &Suite, operator: &Operator, descriptor: &Descriptor, level: FeatureLevel) -> BTreeSet<String> {
    let mut cells = BTreeSet::new();
    for (field, tensor) in tensors(descriptor) {
        let Some((table, row)) = suite.row(operator, descriptor, level, field) else {
            continue;
        };
        let dimensions = tensor.dimension_count();
        cells.insert(dimension_cell_id(&operator.name, table.level, row, dimensions));
        if let Some(ty) = suite.catalog.data_type(tensor.data_type) {
            cells.insert(type_cell_id(&operator.name, table.level, row, &ty.name));
        }
    }
    cells
}
