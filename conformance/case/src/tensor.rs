//! Tensors as elements in row-major order, independent of their layout.

use dml_spec::{
    Catalog, Descriptor, Dims, TensorDesc, Value, layout,
    model::{DataType, Operator, Role},
};

/// A valid tensor descriptor: known type, sizes, strides.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Data type.
    pub ty: DataType,
    /// Sizes, all nonzero.
    pub sizes: Dims,
    /// Strides in elements; packed ones if the descriptor gives none.
    pub strides: Dims,
    /// `TotalTensorSizeInBytes`.
    pub total_bytes: u64,
}

impl Shape {
    /// The shape of a descriptor; `None` if it is invalid or an element lies outside the buffer.
    pub fn of(catalog: &Catalog, tensor: &TensorDesc) -> Option<Self> {
        let ty = catalog.data_type(tensor.data_type)?.clone();
        let sizes = tensor.sizes.clone()?;
        let strides = match &tensor.strides {
            Some(strides) => strides.clone(),
            None => layout::packed_strides(&sizes)?,
        };
        let needed = layout::minimum_total_size(&sizes, Some(&strides), ty.bits)?;
        let bytes_fit = needed <= tensor.total_tensor_size_in_bytes && ty.bits >= 8;
        bytes_fit.then_some(Self {
            ty,
            sizes,
            strides,
            total_bytes: tensor.total_tensor_size_in_bytes,
        })
    }

    /// Why a descriptor has no [`Shape`].
    pub fn why_none(catalog: &Catalog, tensor: &TensorDesc) -> String {
        let Some(ty) = catalog.data_type(tensor.data_type) else {
            return format!("{} is no data type", tensor.data_type);
        };
        let Some(sizes) = &tensor.sizes else {
            return "it has no sizes".to_owned();
        };
        if let Some(d) = sizes.iter().position(|size| *size == 0) {
            return format!("its size in dimension {d} is 0");
        }
        if ty.bits < 8 {
            return format!("elements of {} share bytes, which is not supported", ty.name);
        }
        let strides = tensor.strides.clone().or_else(|| layout::packed_strides(sizes));
        let Some(strides) = strides else {
            return "its sizes are so large that a packed stride exceeds 32 bits".to_owned();
        };
        if strides.len() != sizes.len() {
            return format!("it has {} strides for {} sizes", strides.len(), sizes.len());
        }
        match layout::minimum_total_size(sizes, Some(&strides), ty.bits) {
            None => "its bytes exceed 64 bits".to_owned(),
            Some(needed) => format!(
                "its elements need {needed} bytes, TotalTensorSizeInBytes is {}",
                tensor.total_tensor_size_in_bytes
            ),
        }
    }

    /// Number of elements.
    #[inline]
    pub fn elements(&self) -> u64 {
        self.sizes
            .iter()
            .fold(1, |all: u64, n| all.saturating_mul(u64::from(*n)))
    }

    /// Bytes an element.
    #[inline]
    pub fn width(&self) -> usize {
        (self.ty.bits / 8) as usize
    }

    /// Coordinates of the element at this index of the row-major order.
    #[inline]
    pub fn coordinates(&self, mut index: u64) -> Dims {
        let mut coordinates = Dims::from_elem(0, self.sizes.len());
        for (at, size) in coordinates.iter_mut().zip(&self.sizes).rev() {
            *at = (index % u64::from(*size)) as u32;
            index /= u64::from(*size);
        }
        coordinates
    }

    /// Whether elements are contiguous in row-major order.
    pub fn is_packed(&self) -> bool {
        let packed = |strides: Dims| {
            let differs = |d: usize| self.sizes[d] > 1 && self.strides.get(d) != strides.get(d);
            !(0..self.sizes.len()).any(differs)
        };
        layout::packed_strides(&self.sizes).is_some_and(packed)
    }

    /// Whether elements along some dimension share one place.
    pub fn is_repeated(&self) -> bool {
        let mut dimensions = self.sizes.iter().zip(&self.strides);
        dimensions.any(|(size, stride)| *size > 1 && *stride == 0)
    }

    /// Calls `visit` with the buffer offset, in elements, of every element in row-major order.
    #[inline]
    pub fn for_each_offset(&self, mut visit: impl FnMut(usize)) {
        if self.is_packed() {
            return (0..self.elements() as usize).for_each(visit);
        }
        let (Some((&size, sizes)), Some((&stride, strides))) = (self.sizes.split_last(), self.strides.split_last())
        else {
            return visit(0);
        };
        let (size, stride) = (u64::from(size), u64::from(stride));
        let mut at = Dims::from_elem(0, sizes.len());
        let mut row = Some(0);
        while let Some(start) = row {
            (0..size).for_each(|n| visit((start + n * stride) as usize));
            row = next_row(start, &mut at, sizes, strides);
        }
    }

    /// All elements in row-major order, as raw bits.
    pub fn read(&self, bytes: &[u8]) -> Vec<u64> {
        match self.width() {
            1 => self.read_as(bytes, |[byte]: [u8; 1]| byte.into()),
            2 => self.read_as(bytes, |raw| u16::from_le_bytes(raw).into()),
            4 => self.read_as(bytes, |raw| u32::from_le_bytes(raw).into()),
            _ => self.read_as(bytes, u64::from_le_bytes),
        }
    }

    /// Bytes outside the buffer count as 0.
    fn read_as<const N: usize>(&self, bytes: &[u8], load: impl Fn([u8; N]) -> u64) -> Vec<u64> {
        let places = bytes.as_chunks().0;
        let count = self.elements() as usize;
        if let Some(packed) = places.get(..count)
            && self.is_packed()
        {
            return packed.iter().map(|raw| load(*raw)).collect();
        }
        let mut elements = Vec::with_capacity(count);
        self.for_each_offset(|offset| elements.push(places.get(offset).map_or(0, |raw| load(*raw))));
        elements
    }

    /// Writes elements, given in row-major order, to their places. If places overlap, the last one wins.
    pub fn write(&self, bytes: &mut [u8], elements: impl IntoIterator<Item = u64>) {
        self.write_some(bytes, elements.into_iter().map(Some));
    }

    /// The same, but the places of missing elements are unchanged.
    pub fn write_some(&self, bytes: &mut [u8], elements: impl IntoIterator<Item = Option<u64>>) {
        let elements = elements.into_iter();
        match self.width() {
            1 => self.write_as(bytes, elements, |bits| [bits as u8]),
            2 => self.write_as(bytes, elements, |bits| (bits as u16).to_le_bytes()),
            4 => self.write_as(bytes, elements, |bits| (bits as u32).to_le_bytes()),
            _ => self.write_as(bytes, elements, u64::to_le_bytes),
        }
    }

    fn write_as<const N: usize>(
        &self,
        bytes: &mut [u8],
        mut elements: impl Iterator<Item = Option<u64>>,
        raw: impl Fn(u64) -> [u8; N],
    ) {
        let places = bytes.as_chunks_mut().0;
        self.for_each_offset(|offset| {
            if let (Some(Some(bits)), Some(place)) = (elements.next(), places.get_mut(offset)) {
                *place = raw(bits);
            }
        });
    }
}

/// The start of the row after the one at `start`, of rows along these dimensions; none after the last.
fn next_row(start: u64, at: &mut [u32], sizes: &[u32], strides: &[u32]) -> Option<u64> {
    let mut start = start;
    for ((at, size), stride) in at.iter_mut().zip(sizes).zip(strides).rev() {
        *at += 1;
        start += u64::from(*stride);
        if *at < *size {
            return Some(start);
        }
        start -= u64::from(*stride) * u64::from(*at);
        *at = 0;
    }
    None
}

/// The tensors of one role that are present, in struct order, each with its name: `InputTensors[0]` in arrays.
pub fn named_tensors<'a>(
    operator: &'a Operator,
    descriptor: &'a Descriptor,
    role: Role,
) -> Vec<(String, &'a TensorDesc)> {
    let mut found = Vec::new();
    for (field, value) in operator.fields.iter().zip(&descriptor.fields) {
        if field.kind.role() != Some(role) {
            continue;
        }
        match value {
            Value::Tensor(Some(tensor)) => found.push((field.name.to_string(), tensor)),
            Value::Tensors(Some(tensors)) => {
                let names = (0..).map(|i: usize| format!("{}[{i}]", field.name));
                found.extend(names.zip(tensors));
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::ty;
    use dml_spec::model::NumberClass;

    #[test]
    fn offsets_are_coordinates_times_strides() {
        let layouts: [(&[u32], &[u32]); 9] = [
            (&[5], &[1]),
            (&[5], &[3]),
            (&[5], &[0]),
            (&[2, 3], &[3, 1]),
            (&[2, 3], &[1, 2]),
            (&[2, 3, 4], &[50, 0, 7]),
            (&[3, 1, 2, 1], &[4, 9, 2, 9]),
            (&[1, 1], &[8, 8]),
            (&[2, 2, 2, 2, 2, 2, 2, 2], &[1, 2, 4, 8, 16, 32, 64, 200]),
        ];
        for (sizes, strides) in layouts {
            let shape = Shape {
                ty: ty(NumberClass::Unsigned, 8),
                sizes: Dims::from_slice(sizes),
                strides: Dims::from_slice(strides),
                total_bytes: 1 << 10,
            };
            let offset = |index| {
                let coordinates = shape.coordinates(index);
                let parts = coordinates.iter().zip(strides).map(|(at, stride)| at * stride);
                parts.sum::<u32>() as usize
            };
            let mut found = Vec::new();
            shape.for_each_offset(|offset| found.push(offset));
            let expected: Vec<usize> = (0..shape.elements()).map(offset).collect();
            assert_eq!(found, expected, "{sizes:?} {strides:?}");
        }
    }
}
