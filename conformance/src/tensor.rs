//! Tensors as the suite sees them: elements in row-major order, wherever the layout puts them.

use dml_spec::{Catalog, Dims, TensorDesc, layout, model::DataType};

/// A tensor descriptor that makes sense: known type, sizes, strides.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Data type.
    pub ty: DataType,
    /// Sizes, all nonzero.
    pub sizes: Dims,
    /// Strides in elements; packed ones where the descriptor gives none.
    pub strides: Dims,
    /// `TotalTensorSizeInBytes`.
    pub total_bytes: u64,
}

impl Shape {
    /// The shape of a descriptor; `None` where it makes no sense or an element lies outside the buffer.
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

    /// Number of elements.
    pub fn elements(&self) -> u64 {
        self.sizes
            .iter()
            .fold(1, |all: u64, n| all.saturating_mul(u64::from(*n)))
    }

    /// Bytes an element.
    pub fn width(&self) -> usize {
        (self.ty.bits / 8) as usize
    }

    /// Coordinates of the element at this place of the row-major order.
    pub fn coordinates(&self, mut index: u64) -> Dims {
        let mut coordinates = Dims::from_elem(0, self.sizes.len());
        for (at, size) in coordinates.iter_mut().zip(&self.sizes).rev() {
            *at = (index % u64::from(*size)) as u32;
            index /= u64::from(*size);
        }
        coordinates
    }

    /// Calls `visit` with the buffer offset, in elements, of every element in row-major order.
    pub fn for_each_offset(&self, mut visit: impl FnMut(usize)) {
        let rank = self.sizes.len();
        let mut at = Dims::from_elem(0, rank);
        let mut offset = 0u64;
        loop {
            visit(offset as usize);
            let mut d = rank;
            loop {
                if d == 0 {
                    return;
                }
                d -= 1;
                at[d] += 1;
                offset += u64::from(self.strides[d]);
                if at[d] < self.sizes[d] {
                    break;
                }
                offset -= u64::from(self.strides[d]) * u64::from(at[d]);
                at[d] = 0;
            }
        }
    }

    /// All elements in row-major order, as raw bits.
    pub fn read(&self, bytes: &[u8]) -> Vec<u64> {
        let width = self.width();
        let mut elements = Vec::with_capacity(self.elements() as usize);
        self.for_each_offset(|offset| elements.push(load(bytes, offset * width, width)));
        elements
    }

    /// Puts elements, given in row-major order, where they belong. Where places overlap the last one wins.
    pub fn write(&self, bytes: &mut [u8], elements: impl IntoIterator<Item = u64>) {
        self.write_some(bytes, elements.into_iter().map(Some));
    }

    /// The same, where places of elements that are missing are left as they are.
    pub fn write_some(&self, bytes: &mut [u8], elements: impl IntoIterator<Item = Option<u64>>) {
        let width = self.width();
        let mut elements = elements.into_iter();
        self.for_each_offset(|offset| {
            let place = bytes.get_mut(offset * width..(offset + 1) * width);
            if let (Some(Some(bits)), Some(place)) = (elements.next(), place) {
                place.copy_from_slice(&bits.to_le_bytes()[..width]);
            }
        });
    }
}

fn load(bytes: &[u8], at: usize, width: usize) -> u64 {
    let mut raw = [0; 8];
    if let Some(found) = bytes.get(at..at + width) {
        raw[..width].copy_from_slice(found);
    }
    u64::from_le_bytes(raw)
}
