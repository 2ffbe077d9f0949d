//! Which clauses a failure is a breach of.

use dml_spec::{
    Catalog, Descriptor, FeatureLevel, TensorDesc, Value,
    model::{ClauseKind, Operator, Text, dimension_cell_id, type_cell_id},
};

use dml_case::suite::Suite;

/// Full ids of the guarantees that a class blames, the operator's own first.
pub fn clauses_of(catalog: &Catalog, operator: &Operator, class: &str) -> Vec<Text> {
    let all = operator.clauses.iter().chain(catalog.tensor_clauses.iter());
    let blamed =
        all.filter(|c| c.kind == ClauseKind::Guarantee && c.retired.is_none() && c.class.iter().any(|n| n == class));
    blamed.map(|clause| clause.id.clone()).collect()
}

/// The support cells that allow a descriptor at a level: data types first, then dimension counts, in struct order.
pub fn cells(suite: &Suite, operator: &Operator, descriptor: &Descriptor, level: FeatureLevel) -> Vec<Text> {
    let catalog = &suite.catalog;
    let (mut types, mut dimensions) = (Vec::new(), Vec::new());
    for (field, value) in descriptor.fields.iter().enumerate() {
        let tensors: &[TensorDesc] = match value {
            Value::Tensor(Some(tensor)) => std::slice::from_ref(tensor),
            Value::Tensors(Some(tensors)) => tensors,
            _ => &[],
        };
        let row = suite.row(operator, descriptor, level, field);
        let Some((tensor, (table, row))) = tensors.first().zip(row) else {
            continue;
        };
        if let Some(ty) = catalog
            .data_type(tensor.data_type)
            .filter(|ty| row.allows_type(&ty.name))
        {
            types.push(Text::Owned(type_cell_id(&operator.name, table.level, row, &ty.name)));
        }
        let count = tensor.dimension_count();
        if row.allows_dimensions(count) {
            dimensions.push(Text::Owned(dimension_cell_id(&operator.name, table.level, row, count)));
        }
    }
    types.append(&mut dimensions);
    types
}
