//! What operators share that only copy: each element of their output is one of their inputs', and the output's
//! coordinates say which.

/// Where an element comes from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    /// Input, counted among those present.
    pub(super) input: usize,
}

/// Place, in row-major order, of the element at `coordinates`; `None` where there is none.
pub(super) fn place(sizes: &[u32], coordinates: &[u32]) -> Option<usize> {
    let mut place = 0usize;
    for (size, at) in sizes.iter().zip(coordinates) {
        if at >= size {
            return None;
        }
        place = place.checked_mul(*size as usize)?.checked_add(*at as usize)?;
    }
    (sizes.len() == coordinates.len()).then_some(place)
}
