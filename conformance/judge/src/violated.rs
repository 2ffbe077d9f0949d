//! Which clauses a failure violates.

use dml_spec::{
    Catalog, TensorDesc, Value,
    model::{ClauseKind, Operator, Text, dimension_cell_id, type_cell_id},
};

use dml_case::{context::Context, names::OVERWRITTEN};

/// Full ids of the guarantees that a class of failures violates, the operator's own first.
pub fn clauses_of_class(catalog: &Catalog, operator: &Operator, class: &str) -> Vec<Text> {
    let all = operator.clauses.iter().chain(catalog.tensor_clauses.iter());
    let blamed =
        all.filter(|c| c.kind == ClauseKind::Guarantee && c.retired.is_none() && c.class.iter().any(|n| n == class));
    blamed.map(|clause| clause.id.clone()).collect()
}

/// The guarantees that a case rests on because an output lies in the place of an input.
pub(super) fn in_place_clauses(context: Context) -> Vec<Text> {
    match context.case.aliases.is_empty() {
        true => Vec::new(),
        false => clauses_of_class(context.catalog(), context.operator, OVERWRITTEN),
    }
}

/// Adds the ids that are missing.
pub(super) fn add_missing(clauses: &mut Vec<Text>, more: impl IntoIterator<Item = Text>) {
    for id in more {
        if !clauses.contains(&id) {
            clauses.push(id);
        }
    }
}

/// The support cells that allow the descriptor of a case: data types first, then dimension counts, in struct order.
pub fn supporting_cells(context: Context) -> Vec<Text> {
    let Context { suite, operator, case } = context;
    let (catalog, descriptor) = (&suite.catalog, &case.descriptor);
    let (mut types, mut dimensions) = (Vec::new(), Vec::new());
    for (field, value) in descriptor.fields.iter().enumerate() {
        let tensors: &[TensorDesc] = match value {
            Value::Tensor(Some(tensor)) => std::slice::from_ref(tensor),
            Value::Tensors(Some(tensors)) => tensors,
            _ => &[],
        };
        let row = suite.row(operator, descriptor, case.id.level(), field);
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
