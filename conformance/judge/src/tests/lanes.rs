//! Lanes: the sequences along one axis of a tensor in row-major order.

/// The sequences along an axis: `outer × size × inner` elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lanes {
    /// Product of the sizes before the axis.
    pub(super) outer: usize,
    /// Size of the axis.
    pub(super) size: usize,
    /// Product of the sizes behind the axis.
    pub(super) inner: usize,
}

impl Lanes {
    /// The lanes along `axis`; `None` where there is no such axis or no memory holds so many elements.
    pub(super) fn along(sizes: &[u32], axis: usize) -> Option<Self> {
        let size = usize::try_from(*sizes.get(axis)?).ok()?;
        let product = |part: &[u32]| {
            let checked = |n: usize, size: &u32| n.checked_mul(usize::try_from(*size).ok()?);
            part.iter().try_fold(1, checked)
        };
        let (outer, inner) = (product(&sizes[..axis])?, product(&sizes[axis + 1..])?);
        outer.checked_mul(size)?.checked_mul(inner)?;
        Some(Self { outer, size, inner })
    }

    /// How many lanes there are.
    pub(super) fn count(&self) -> usize {
        self.outer * self.inner
    }

    /// Place, in row-major order, of element `index` of a lane.
    #[inline]
    pub(super) fn place(&self, lane: usize, index: usize) -> usize {
        let inner = self.inner.max(1);
        (lane / inner * self.size + index) * inner + lane % inner
    }

    /// Lane and index within it of a place.
    pub(super) fn locate(&self, place: usize) -> (usize, usize) {
        let (inner, size) = (self.inner.max(1), self.size.max(1));
        (place / (size * inner) * inner + place % inner, place / inner % size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_lanes_are_inverse() {
        for axis in 0..3 {
            let lanes = Lanes::along(&[2, 3, 4], axis).unwrap();
            let mut seen = [false; 24];
            for lane in 0..lanes.count() {
                for index in 0..lanes.size {
                    let place = lanes.place(lane, index);
                    assert_eq!(lanes.locate(place), (lane, index));
                    assert!(!std::mem::replace(&mut seen[place], true));
                }
            }
            assert!(seen.iter().all(|s| *s));
        }
    }

    #[test]
    fn axes_that_are_not_there_have_no_lanes() {
        assert_eq!(Lanes::along(&[2, 3], 2), None);
        assert_eq!(Lanes::along(&[], 0), None);
        assert_eq!(Lanes::along(&[u32::MAX; 3], 1), None);
    }
}
