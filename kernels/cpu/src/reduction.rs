//! Reductions: all elements that differ in some axes only form a set, and each set becomes one element.

use super::{
    KernelError,
    view::{self, Layout, MAX_RANK, Walk},
};

/// The sets of an input, and the places of their results.
#[derive(Clone, Debug)]
pub(super) struct Reduction {
    /// The input's first element of every set.
    starts: Layout,
    /// The elements of a set, from its first on.
    set: Layout,
    sets: Walk<2>,
}

impl Reduction {
    /// Reduces `axes` of `input`.
    ///
    /// # Errors
    /// If an axis is not a dimension, or the output has other sizes than the input with 1 in each axis.
    pub(super) fn new(input: &Layout, output: &Layout, axes: &[u32]) -> Result<Self, KernelError> {
        let (rank, mut reduced) = (input.rank(), [false; MAX_RANK]);
        for axis in axes.iter().map(|axis| *axis as usize) {
            match reduced.get_mut(axis) {
                Some(reduced) if axis < rank => *reduced = true,
                _ => return Err(KernelError::Axis { axis, rank }),
            }
        }
        let is_reduced = |axis: usize| reduced.get(axis).copied().unwrap_or(false);
        let starts = input.keep_axes(|axis| !is_reduced(axis));
        let sets = view::together([&starts, output])?;
        Ok(Self {
            starts,
            set: input.keep_axes(is_reduced),
            sets,
        })
    }

    /// Offsets of the first element of every set and of its output.
    pub(super) fn sets(&self) -> Walk<2> {
        self.sets.clone()
    }

    /// Number of sets.
    pub(super) fn count(&self) -> usize {
        self.starts.count()
    }

    /// The elements of a set from its first on.
    pub(super) fn layout(&self) -> Layout {
        self.set
    }

    /// Offsets of the elements of a set from its first one, in row-major order.
    pub(super) fn set(&self) -> Walk<1> {
        self.set.elements()
    }
}

#[cfg(test)]
mod tests {
    use dml_ops::TensorDesc;

    use super::*;

    fn layout(sizes: &[u32]) -> Layout {
        Layout::new(&TensorDesc::packed(1, 8, sizes), 1, usize::MAX).unwrap()
    }

    #[test]
    fn axes_part_a_tensor_in_sets() {
        let reduction = Reduction::new(&layout(&[2, 3, 2]), &layout(&[1, 3, 1]), &[2, 0]).unwrap();
        assert_eq!(reduction.sets().collect::<Vec<_>>(), [[0, 0], [2, 1], [4, 2]]);
        let set: Vec<_> = reduction.set().map(|[offset]| offset).collect();
        assert_eq!(set, [0, 1, 6, 7]);
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        let input = layout(&[2, 3]);
        let error = |output: &[u32], axes: &[u32]| Reduction::new(&input, &layout(output), axes).unwrap_err();
        assert_eq!(error(&[2, 1], &[2]), KernelError::Axis { axis: 2, rank: 2 });
        assert_eq!(
            error(&[2, 1], &[u32::MAX]),
            KernelError::Axis {
                axis: u32::MAX as usize,
                rank: 2
            }
        );
        assert_eq!(error(&[2, 1], &[0]), KernelError::Sizes);
        assert_eq!(error(&[2], &[1]), KernelError::Sizes);
    }
}
