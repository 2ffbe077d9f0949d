//! Whether a value shows: pairs are planned by their effect, not by their labels.

use dml_case::random::Random;
use dml_spec::{
    Descriptor, FeatureLevel, TensorDesc, Value,
    layout::packed_strides,
    model::{DataType, Role},
};

use super::maker::Maker;
use crate::{eval, layouts, values};

impl Maker<'_> {
    /// Elements of all tensors.
    pub(super) fn elements(&self, descriptor: &Descriptor) -> u64 {
        let count = |tensor: &TensorDesc| tensor.sizes().iter().map(|size| u64::from(*size)).product::<u64>();
        let tensors = [Role::Input, Role::Output].map(|role| descriptor.tensors(self.builder.operator, role));
        tensors.concat().into_iter().map(count).sum()
    }

    /// Whether some tensor of more than one element lies otherwise than packed.
    pub(super) fn lies_otherwise(&self, layout: &str, descriptor: &Descriptor) -> bool {
        if matches!(
            layout,
            layouts::DEFAULT | "explicit" | "singleton-strides" | "slack" | "slack-odd"
        ) {
            return true;
        }
        let tensors = descriptor.fields.iter().flat_map(|value| match value {
            Value::Tensor(Some(tensor)) => std::slice::from_ref(tensor),
            Value::Tensors(Some(tensors)) => tensors,
            _ => &[],
        });
        let differs = |tensor: &TensorDesc| {
            let Some(strides) = &tensor.strides else { return false };
            let Some(packed) = packed_strides(tensor.sizes()) else {
                return true;
            };
            let mut all = tensor.sizes().iter().zip(strides).zip(&packed);
            all.any(|((size, stride), packed)| *size > 1 && stride != packed)
        };
        tensors.into_iter().any(differs)
    }

    /// The first input whose elements a pattern of values fills.
    pub(super) fn first_input<'d>(&self, descriptor: &'d Descriptor) -> Option<&'d TensorDesc> {
        let fields = self.builder.operator.fields.iter().zip(&descriptor.fields).enumerate();
        let is_free = |field: usize| !self.builder.recipe.bounds.iter().any(|(of, _)| *of == field);
        let inputs = fields.filter(|(at, (field, _))| field.kind.role() == Some(Role::Input) && is_free(*at));
        inputs.into_iter().find_map(|(_, (_, value))| match value {
            Value::Tensor(tensor) => tensor.as_ref(),
            Value::Tensors(Some(tensors)) => tensors.first(),
            _ => None,
        })
    }

    /// Whether a pattern shows in the data; `None` if there are none.
    pub(super) fn has_pattern(&self, pattern: &str, descriptor: &Descriptor, level: FeatureLevel) -> Option<bool> {
        if pattern == self.builder.recipe.values {
            return Some(true);
        }
        let first = self.first_input(descriptor)?;
        let ty = self.builder.suite.catalog.data_type(first.data_type)?;
        if !means(pattern, ty) {
            return None;
        }
        let along = match eval::eval_lanes(self.builder, descriptor, level) {
            Some((axis, _)) => u64::from(*first.sizes().get(axis as usize)?),
            None => first.sizes().iter().map(|size| u64::from(*size)).product(),
        };
        Some(along >= values::least_length(pattern))
    }
}

/// Whether a layout can mean something for tensors of so many dimensions.
pub(super) fn applies(layout: &str, rank: u32) -> bool {
    let Some(apply) = layouts::find_layout(layout) else {
        return true;
    };
    let sizes: Vec<u32> = (0..rank)
        .map(|dimension| if dimension == 0 && rank > 1 { 2 } else { 3 })
        .collect();
    let others: Vec<u32> = sizes.iter().map(|_| 1).collect();
    [Role::Input, Role::Output].into_iter().any(|role| {
        [&sizes, &others].into_iter().any(|sizes| {
            let mut tensor = TensorDesc::packed(1, 32, sizes);
            apply(&mut tensor, role).is_some_and(|slack| slack > 0 || tensor.strides.is_some())
        })
    })
}

/// Whether a pattern means something for a type.
pub(super) fn means(pattern: &str, ty: &DataType) -> bool {
    if values::is_of_indices(pattern) {
        return values::fill_indices(pattern, ty, 1, 1, &mut Random::of(0)).is_some();
    }
    let lanes = values::Lanes {
        outer: 1,
        length: 4,
        inner: 1,
        k: 1,
    };
    values::fill(pattern, ty, lanes, &mut Random::of(0)).is_some()
}
