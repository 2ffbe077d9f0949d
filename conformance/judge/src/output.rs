//! The outputs of a case: names, shapes, how they are compared, and which of their bytes belong to no element.

use dml_spec::answer::Buffer;
use dml_spec::{
    TensorDesc, Value, layout,
    model::{Compare, Role, Text},
};

use dml_case::{
    context::Context,
    poison::{self, Initial},
    tensor::Shape,
};

/// An output tensor that is present.
#[derive(Clone, Debug)]
pub(super) struct Output<'a> {
    /// Field name, `OutputTensors[1]` for an element of an array.
    pub(super) name: Text,
    /// How it is compared.
    pub(super) compare: &'a Compare,
    /// Its shape.
    pub(super) shape: Shape,
}

impl Output<'_> {
    /// Whether some of its bytes belong to no element.
    pub(super) fn has_padding(&self) -> bool {
        self.shape.elements() * self.shape.width() as u64 != self.shape.total_bytes
    }

    /// Whether two of its elements lie in the same place.
    pub(super) fn shares_places(&self) -> bool {
        layout::overlaps(&self.shape.sizes, &self.shape.strides)
    }
}

/// The present outputs of a case in struct order; `None` if one is invalid.
pub(super) fn list_outputs(context: Context<'_>) -> Option<Vec<Output<'_>>> {
    let Context { suite, operator, case } = context;
    let (catalog, descriptor) = (&suite.catalog, &case.descriptor);
    let mut found = Vec::new();
    for (field, value) in operator.fields.iter().zip(&descriptor.fields) {
        if field.kind.role() != Some(Role::Output) {
            continue;
        }
        let output = |name: Text, tensor: &TensorDesc| {
            let shape = Shape::of(catalog, tensor)?;
            let own = field.compare.as_ref().map(|compare| compare.of(&shape.ty.name));
            Some(Output {
                name,
                compare: own.unwrap_or(&Compare::Exact),
                shape,
            })
        };
        match value {
            Value::Tensor(Some(tensor)) => {
                found.push(output(field.name.clone(), tensor)?);
            }
            Value::Tensors(Some(tensors)) => {
                for (i, tensor) in tensors.iter().enumerate() {
                    let name = Text::Owned(format!("{}[{i}]", field.name));
                    found.push(output(name, tensor)?);
                }
            }
            _ => {}
        }
    }
    Some(found)
}

/// The element at an offset counted in elements; 0 outside the buffer.
pub(super) fn read_element(bytes: &[u8], offset: usize, width: usize) -> u64 {
    let place = bytes.get(offset * width..(offset + 1) * width);
    match place {
        Some(&[a]) => a.into(),
        Some(&[a, b]) => u16::from_le_bytes([a, b]).into(),
        Some(&[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]).into(),
        Some(&[a, b, c, d, e, f, g, h]) => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => 0,
    }
}

/// Whether the bytes of each element, in row-major order, are still what they were at first.
pub(super) fn find_untouched(shape: &Shape, buffer: &Buffer, initial: &Initial) -> Vec<bool> {
    let (bytes, width) = (buffer.tensor(), shape.width());
    let mut found = Vec::with_capacity(usize::try_from(shape.elements()).unwrap_or(0));
    shape.for_each_offset(|offset| {
        let mut places = offset * width..(offset + 1) * width;
        found.push(places.all(|at| bytes.get(at).is_some_and(|found| initial.byte(at) == Some(*found))));
    });
    found
}

/// The first byte of a gap or the tail that is no longer poison, as an offset into the tensor.
pub(super) fn find_touched_padding(shape: &Shape, buffer: &Buffer, salt: u64) -> Option<usize> {
    let (bytes, width) = (buffer.tensor(), shape.width());
    let changed = |at: usize| bytes.get(at).is_some_and(|found| *found != poison::byte(salt, at));
    let elements = usize::try_from(shape.elements()).ok()?;
    if shape.is_packed() {
        return (elements * width..bytes.len()).find(|at| changed(*at));
    }
    let mut owned = vec![false; bytes.len().div_ceil(width.max(1))];
    shape.for_each_offset(|offset| {
        if let Some(owned) = owned.get_mut(offset) {
            *owned = true;
        }
    });
    (0..bytes.len()).find(|at| !owned[at / width.max(1)] && changed(*at))
}
