//! Strided views over byte buffers: offsets of elements, and access to their bits.
//!
//! A [`Layout`] is checked against its buffer once; the offsets that walks hand out are then known to fit. All of it
//! works without allocating, because most tensors of a test suite are tiny.

use dml_ops::TensorDesc;

use super::KernelError;

/// Maximum number of dimensions of a tensor.
pub const MAX_RANK: usize = 8;

/// The tensor, if the descriptor has it: valid descriptors have every tensor that their operator needs.
///
/// # Errors
/// If it is null.
pub(super) fn require_tensor(tensor: &Option<TensorDesc>) -> Result<&TensorDesc, KernelError> {
    tensor.as_ref().ok_or(KernelError::Absent)
}

/// Sizes and strides of a tensor, in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    rank: usize,
    sizes: [usize; MAX_RANK],
    strides: [usize; MAX_RANK],
}

impl Layout {
    /// The layout of `tensor` in a buffer of `length` bytes, with elements of `width` bytes.
    ///
    /// # Errors
    /// If sizes are null or zero, the strides are not one a dimension, there are none or too many dimensions, or
    /// the furthest element lies outside the buffer.
    #[inline(always)]
    pub fn new(tensor: &TensorDesc, width: usize, length: usize) -> Result<Self, KernelError> {
        let given = tensor.sizes();
        let rank = given.len();
        if rank == 0 || rank > MAX_RANK {
            return Err(KernelError::Rank(rank));
        }
        let mut layout = Self {
            rank,
            sizes: [1; MAX_RANK],
            strides: [0; MAX_RANK],
        };
        copy_dims(&mut layout.sizes, given).ok_or(KernelError::Layout)?;
        match tensor.strides.as_deref() {
            Some(strides) if strides.len() == rank => copy_dims(&mut layout.strides, strides),
            Some(_) => None,
            None => layout.pack(),
        }
        .ok_or(KernelError::Layout)?;
        let needed = layout.bytes(width).ok_or(KernelError::Layout)?;
        if needed > length {
            return Err(KernelError::Buffer { needed, length });
        }
        Ok(layout)
    }

    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The same sizes with other strides, by dimension: another tensor as it is walked along with this one. The strides
    /// lead nowhere outside its buffer.
    pub fn with_strides(&self, stride: impl Fn(usize) -> usize) -> Self {
        let mut other = *self;
        for (d, to) in other.strides.iter_mut().enumerate().take(self.rank) {
            *to = stride(d);
        }
        other
    }

    /// Elements in dimension `axis`; 1 beyond the rank.
    pub fn size(&self, axis: usize) -> usize {
        self.sizes.get(axis).copied().unwrap_or(1)
    }

    /// Distance between neighbours in dimension `axis`; 0 beyond the rank.
    pub fn stride(&self, axis: usize) -> usize {
        self.strides.get(axis).copied().unwrap_or(0)
    }

    /// Offset of every element, in row-major order.
    pub fn elements(&self) -> Walk<1> {
        Walk::over([self], MAX_RANK)
    }

    /// The same tensor with only these dimensions: all others have one element, the first.
    pub fn keep_axes(&self, keep: impl Fn(usize) -> bool) -> Self {
        let mut part = *self;
        for axis in (0..self.rank).filter(|axis| !keep(*axis)) {
            part.sizes[axis] = 1;
        }
        part
    }

    /// Number of elements; saturates if broadcasting makes more of them.
    pub fn count(&self) -> usize {
        self.sizes.iter().fold(1, |all, size| all.saturating_mul(*size))
    }

    /// The tensor's innermost dimensions as one, as far as possible: the tensor without them, the number of their
    /// elements, and the distance between these.
    pub fn innermost(&self) -> (Self, usize, usize) {
        let (mut outer, mut size, mut stride) = (*self, 1usize, 1usize);
        for axis in (0..self.rank).rev().filter(|axis| self.sizes[*axis] > 1) {
            if size == 1 {
                stride = self.strides[axis];
            } else if self.strides[axis] != size * stride {
                break;
            }
            size *= self.sizes[axis];
            outer.sizes[axis] = 1;
        }
        (outer, size, stride)
    }

    /// Sets the strides of a packed tensor; `None` if they exceed the address space.
    fn pack(&mut self) -> Option<()> {
        let mut stride = 1usize;
        for axis in (0..self.rank).rev() {
            self.strides[axis] = stride;
            stride = stride.checked_mul(self.sizes[axis])?;
        }
        Some(())
    }

    /// Bytes up to the end of the furthest element; `None` if a size is 0 or the sum exceeds the address space.
    fn bytes(&self, width: usize) -> Option<usize> {
        let mut furthest = 0usize;
        for (size, stride) in self.sizes.iter().zip(&self.strides).take(self.rank) {
            furthest = furthest.checked_add(size.checked_sub(1)?.checked_mul(*stride)?)?;
        }
        furthest.checked_add(1)?.checked_mul(width)
    }
}

fn copy_dims(to: &mut [usize; MAX_RANK], from: &[u32]) -> Option<()> {
    for (to, from) in to.iter_mut().zip(from) {
        *to = usize::try_from(*from).ok()?;
    }
    Some(())
}

/// Walks the sequences along `axis` of tensors that agree in every other size, in row-major order. Each item holds,
/// for each tensor, the offset of the sequence's first element; [`Layout::stride`] leads to the next.
///
/// # Errors
/// If the axis is out of range, or ranks or sizes other than the axis' differ.
#[inline(always)]
pub fn sequences<const N: usize>(layouts: [&Layout; N], axis: usize) -> Result<Walk<N>, KernelError> {
    let Some(first) = layouts.first() else {
        return Err(KernelError::Layout);
    };
    if axis >= first.rank {
        return Err(KernelError::Axis { axis, rank: first.rank });
    }
    let agrees = |other: &&Layout| {
        other.rank == first.rank && (0..first.rank).all(|d| d == axis || other.sizes[d] == first.sizes[d])
    };
    if layouts.iter().all(agrees) {
        Ok(Walk::over(layouts, axis))
    } else {
        Err(KernelError::Sizes)
    }
}

/// Walks the elements of tensors of the same sizes together, in row-major order. Each item holds, for each tensor, the
/// offset of the element.
///
/// # Errors
/// If ranks or sizes differ.
pub fn together<const N: usize>(layouts: [&Layout; N]) -> Result<Walk<N>, KernelError> {
    let same = layouts
        .windows(2)
        .all(|pair| matches!(pair, [a, b] if a.rank == b.rank && a.sizes == b.sizes));
    if same {
        Ok(Walk::over(layouts, MAX_RANK))
    } else {
        Err(KernelError::Sizes)
    }
}

/// An odometer over the dimensions of tensors, row-major. See [`sequences`] and [`Layout::elements`].
#[derive(Clone, Debug)]
pub struct Walk<const N: usize> {
    sizes: [usize; MAX_RANK],
    strides: [[usize; N]; MAX_RANK],
    position: [usize; MAX_RANK],
    rank: usize,
    next: Option<[usize; N]>,
}

impl<const N: usize> Walk<N> {
    /// Leaves dimension `skip` out. The layouts agree in all other sizes.
    #[inline(always)]
    fn over(layouts: [&Layout; N], skip: usize) -> Self {
        let mut walk = Self {
            sizes: [1; MAX_RANK],
            strides: [[0; N]; MAX_RANK],
            position: [0; MAX_RANK],
            rank: 0,
            next: Some([0; N]),
        };
        let Some(first) = layouts.first() else {
            return walk;
        };
        // Dimensions of one element never move the odometer.
        for axis in (0..first.rank).filter(|&d| d != skip && first.sizes[d] > 1) {
            walk.sizes[walk.rank] = first.sizes[axis];
            walk.strides[walk.rank] = layouts.map(|layout| layout.strides[axis]);
            walk.rank += 1;
        }
        walk
    }
}

impl<const N: usize> Walk<N> {
    /// Number of items of the whole walk; saturates if broadcasting makes more of them.
    pub fn total(&self) -> usize {
        let sizes = self.sizes.iter().take(self.rank);
        sizes.fold(1, |all, size| all.saturating_mul(*size))
    }

    /// The walk from its `place`-th item on; what was walked before does not count.
    #[must_use]
    pub fn from_place(mut self, place: usize) -> Self {
        let (mut left, mut offsets) = (place, [0; N]);
        for axis in (0..self.rank).rev() {
            self.position[axis] = left % self.sizes[axis];
            left /= self.sizes[axis];
            for (offset, stride) in offsets.iter_mut().zip(self.strides[axis]) {
                *offset += self.position[axis] * stride;
            }
        }
        self.next = (left == 0).then_some(offsets);
        self
    }

    /// The item after the last element of the innermost axis.
    fn carried(&mut self, last: [usize; N]) -> Option<[usize; N]> {
        let mut following = last;
        for axis in (0..self.rank).rev() {
            // The innermost one is at its end, and goes past it.
            self.position[axis] += 1;
            if self.position[axis] < self.sizes[axis] {
                return Some(ahead(following, self.strides[axis]));
            }
            self.position[axis] = 0;
            for (offset, stride) in following.iter_mut().zip(self.strides[axis]) {
                *offset -= (self.sizes[axis] - 1) * stride;
            }
        }
        None
    }
}

impl<const N: usize> Iterator for Walk<N> {
    type Item = [usize; N];

    #[inline]
    fn next(&mut self) -> Option<[usize; N]> {
        let current = self.next?;
        // Mostly the innermost axis advances: apart from the loop, that takes a quarter fewer instructions.
        if let Some(axis) = self.rank.checked_sub(1) {
            self.position[axis] += 1;
            if self.position[axis] < self.sizes[axis] {
                self.next = Some(ahead(current, self.strides[axis]));
                return Some(current);
            }
        }
        self.next = self.carried(current);
        Some(current)
    }
}

/// Offsets one step on.
#[inline]
fn ahead<const N: usize>(mut offsets: [usize; N], strides: [usize; N]) -> [usize; N] {
    for (offset, stride) in offsets.iter_mut().zip(strides) {
        *offset += stride;
    }
    offsets
}

/// Bits of the element at `offset`, zero-extended; 0 outside the buffer. `W` is its width in bytes, at most 8.
#[inline]
pub fn read<const W: usize>(bytes: &[u8], offset: usize) -> u64 {
    bytes.get(offset.saturating_mul(W)..).map_or(0, read_first::<W>)
}

/// Bits of the first element, zero-extended; 0 if the buffer is too short for one.
#[inline]
pub fn read_first<const W: usize>(bytes: &[u8]) -> u64 {
    let mut wide = [0; 8];
    if let (Some(wide), Some(element)) = (wide.first_chunk_mut::<W>(), bytes.first_chunk::<W>()) {
        *wide = *element;
    }
    u64::from_le_bytes(wide)
}

/// Writes the low `W` bytes of `bits` to the element at `offset`; nothing if it would not fit.
#[inline]
pub fn write<const W: usize>(bytes: &mut [u8], offset: usize, bits: u64) {
    let place = bytes
        .get_mut(offset.saturating_mul(W)..)
        .and_then(<[u8]>::first_chunk_mut::<W>);
    if let (Some(place), Some(element)) = (place, bits.to_le_bytes().first_chunk::<W>()) {
        *place = *element;
    }
}

#[cfg(test)]
mod tests;
