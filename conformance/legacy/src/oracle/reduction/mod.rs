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

    /// Places of a set's elements.
    pub(super) fn get(&self, output: usize) -> &[usize] {
        self.members
            .get(output * self.size..(output + 1) * self.size)
            .unwrap_or_default()
    }
}

/// Other axes that an implementation may have reduced, the likeliest first: single ones, then sets of them. Those that
/// make the same sets are left out.
pub(super) fn other_axes(sizes: &[u32], axes: &[u32]) -> Vec<Vec<u32>> {
    // More would take too long, and nobody confuses so many.
    let rank = u32::try_from(sizes.len()).unwrap_or(0).min(6);
    let counts = |mask: u32| {
        let long = |d: &u32| mask >> d & 1 == 1 && sizes.get(*d as usize).is_some_and(|size| *size > 1);
        (0..rank).filter(long).fold(0, |mask, d| mask | 1u32 << d)
    };
    let right = counts(
        axes.iter()
            .filter(|axis| **axis < 32)
            .fold(0, |mask, axis| mask | 1 << axis),
    );
    let mut masks: Vec<u32> = (1u32..1 << rank).collect();
    masks.sort_by_key(|mask| (mask.count_ones(), *mask));
    let mut known = vec![right];
    let mut fresh = |mask: &u32| {
        let counted = counts(*mask);
        let fresh = !known.contains(&counted);
        known.push(counted);
        fresh
    };
    masks.retain(|mask| fresh(mask));
    masks
        .into_iter()
        .map(|mask| (0..rank).filter(|d| mask >> d & 1 == 1).collect())
        .collect()
}

/// Where a set may end too early: before its last element, after whole blocks, after the first block.
pub(super) fn tails(size: usize) -> Vec<usize> {
    let mut tails: Vec<usize> = size.checked_sub(1).filter(|end| *end > 0).into_iter().collect();
    for block in (2..16).map(|bits| 1usize << bits).take_while(|block| *block < size) {
        for end in [size / block * block, block] {
            if end < size && !tails.contains(&end) {
                tails.push(end);
            }
        }
    }
    tails
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_what_differs_in_the_axes() {
        let sets = Sets::of(&[2, 3, 2], &[2, 0]).unwrap();
        let all: Vec<&[usize]> = sets.iter().collect();
        assert_eq!(all, [[0, 1, 6, 7], [2, 3, 8, 9], [4, 5, 10, 11]]);
        assert_eq!((sets.count(), sets.size(), sets.get(1)), (3, 4, &[2, 3, 8, 9][..]));
        assert!(Sets::of(&[2, 3], &[2]).is_none());
        assert!(Sets::of(&[u32::MAX; 8], &[0]).is_none());
    }

    #[test]
    fn axes_of_one_element_make_no_difference() {
        assert_eq!(other_axes(&[2, 1, 3], &[2]), [vec![0], vec![1], vec![0, 2]]);
        assert_eq!(other_axes(&[4], &[0]), Vec::<Vec<u32>>::new());
    }
}
