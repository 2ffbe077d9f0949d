//! What reducing operators share: the sets of elements that differ in the reduced axes only, and what functions make
//! of a set.

pub(super) mod faults;
mod function;
mod properties;
mod range;
mod slack;

pub(super) use function::Function;
pub(super) use properties::Reduced;

use dml_spec::Dims;
use smallvec::SmallVec;

/// The sets of a tensor: for each output in row-major order the places of its elements, in row-major order, too.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    size: usize,
    members: Vec<usize>,
}

impl Sets {
    /// The sets that reducing `axes` makes; `None` where one is no dimension or no memory holds so many elements.
    pub(super) fn of(sizes: &[u32], axes: &[u32]) -> Option<Self> {
        let is_reduced = |d: usize| axes.iter().any(|axis| usize::try_from(*axis) == Ok(d));
        if axes.iter().any(|axis| *axis as usize >= sizes.len()) {
            return None;
        }
        let product = |reduced: bool| {
            let mut of = sizes.iter().enumerate().filter(|(d, _)| is_reduced(*d) == reduced);
            of.try_fold(1usize, |n, (_, size)| n.checked_mul(usize::try_from(*size).ok()?))
        };
        let (size, count) = (product(true)?, product(false)?);
        let mut members = vec![0; size.checked_mul(count)?];
        let mut filled = vec![0; count];
        // How far a step along each dimension leads in the output.
        let mut steps: SmallVec<[usize; 8]> = SmallVec::from_elem(0, sizes.len());
        let mut step = 1;
        for d in (0..sizes.len()).rev().filter(|d| !is_reduced(*d)) {
            steps[d] = step;
            step *= sizes[d] as usize;
        }
        let mut at = Dims::from_elem(0, sizes.len());
        let mut output = 0;
        for place in 0..members.len() {
            members[output * size + filled[output]] = place;
            filled[output] += 1;
            for d in (0..sizes.len()).rev() {
                at[d] += 1;
                output += steps[d];
                if at[d] < sizes[d] {
                    break;
                }
                output -= steps[d] * sizes[d] as usize;
                at[d] = 0;
            }
        }
        Some(Self { size, members })
    }

    /// How many sets there are.
    pub(super) fn count(&self) -> usize {
        self.members.len() / self.size.max(1)
    }

    /// Elements of each set.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Every set in turn.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[usize]> {
        self.members.chunks_exact(self.size.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_what_differs_in_the_axes() {
        let sets = Sets::of(&[2, 3, 2], &[2, 0]).unwrap();
        let all: Vec<&[usize]> = sets.iter().collect();
        assert_eq!(all, [[0, 1, 6, 7], [2, 3, 8, 9], [4, 5, 10, 11]]);
        assert_eq!((sets.count(), sets.size()), (3, 4));
        assert!(Sets::of(&[2, 3], &[2]).is_none());
        assert!(Sets::of(&[u32::MAX; 8], &[0]).is_none());
    }
}
