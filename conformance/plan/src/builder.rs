//! What building cases of one operator needs.

use dml_spec::{
    Descriptor, FeatureLevel, TensorDesc, Value,
    model::{FieldKind, Operator, SupportRow},
    path::Path,
    program::Program,
};

use crate::{bucket::Bucket, count_fields::count_field, planner::Planner, recipe::Recipe};

/// Everything needed to build cases of one operator.
#[derive(Clone, Copy, Debug)]
pub struct Builder<'a> {
    /// The suite.
    pub suite: &'a Planner,
    /// The operator.
    pub operator: &'a Operator,
    /// Its compiled rules.
    pub program: &'a Program,
    /// Its compiled case model.
    pub recipe: &'a Recipe,
}

impl<'a> Builder<'a> {
    /// The builder of the operator at this index of the catalog.
    pub fn new(suite: &'a Planner, operator: usize) -> Option<Self> {
        Some(Self {
            suite,
            operator: suite.catalog.operators.get(operator)?,
            program: suite.program(operator)?,
            recipe: suite.recipes.get(operator)?,
        })
    }

    /// A descriptor with the required tensors in place and everything else zero.
    pub fn blank(&self) -> Descriptor {
        let mut descriptor = Descriptor::zeroed(self.operator);
        for (field, value) in self.operator.fields.iter().zip(&mut descriptor.fields) {
            match field.kind {
                _ if field.optional => {}
                FieldKind::Tensor(_) => *value = Value::Tensor(Some(TensorDesc::blank())),
                FieldKind::Tensors(..) => *value = Value::Tensors(Some(vec![TensorDesc::blank()])),
                _ => {}
            }
        }
        descriptor
    }

    /// The row of the support tables for a tensor of this descriptor.
    pub fn row(&self, descriptor: &Descriptor, level: FeatureLevel, field: usize) -> Option<&'a SupportRow> {
        self.suite
            .row(self.operator, descriptor, level, field)
            .map(|(_, row)| row)
    }

    /// The fields that an override of this path changes: its own, and that which counts it.
    pub(super) fn changed_by(&self, path: &Path) -> Vec<usize> {
        let own = self.operator.fields.get(path.field());
        let count = own.and_then(|field| count_field(&field.kind));
        let count = count.and_then(|name| self.operator.field_index(name));
        [path.field()].into_iter().chain(count).collect()
    }

    /// Whether the table forbids the bucket's data type for the tensor whose type the type key sets.
    pub fn is_forbidden_type(&self, bucket: &Bucket) -> bool {
        let Some((_, path)) = self.recipe.type_key().and_then(|key| self.recipe.keys.get(key)) else {
            return false;
        };
        let table = self.operator.table_at(bucket.level);
        let tensor = &self.operator.fields[path.field()].name;
        let mut rows = table.into_iter().flat_map(|table| table.rows_of(tensor));
        !rows.any(|row| row.allows_type(&bucket.data_type))
    }
}
