//! Arithmetic of tensor layouts, shared by the interpreter and generated validators.

mod lattice;

use smallvec::SmallVec;

/// Sizes, strides and other short lists; up to eight entries without allocation.
pub type Dims = SmallVec<[u32; 8]>;

/// Smallest legal `TotalTensorSizeInBytes` for elements of `bits` width: up to the last element that sizes and
/// strides (packed if `None`) reach, in whole bytes, rounded up to 4. `None` if a size is 0, strides are of
/// another length, or the result exceeds 64 bits.
pub fn minimum_total_size(sizes: &[u32], strides: Option<&[u32]>, bits: u32) -> Option<u64> {
    if sizes.contains(&0) {
        return None;
    }
    let elements = match strides {
        None => sizes
            .iter()
            .try_fold(1_u128, |product, size| product.checked_mul((*size).into()))?,
        Some(strides) if strides.len() == sizes.len() => span(sizes, strides)?,
        Some(_) => return None,
    };
    let bytes = elements.checked_mul(bits.into())?.div_ceil(8);
    u64::try_from(bytes.checked_next_multiple_of(4)?).ok()
}

/// Places from the first element to the last, both included; no size is 0.
fn span(sizes: &[u32], strides: &[u32]) -> Option<u128> {
    sizes.iter().zip(strides).try_fold(1_u128, |sum, (size, stride)| {
        let last = u128::from(size.saturating_sub(1)).checked_mul((*stride).into())?;
        sum.checked_add(last)
    })
}

/// Strides of a tensor whose elements follow each other in row-major order; `None` if one exceeds 32 bits.
pub fn packed_strides(sizes: &[u32]) -> Option<Dims> {
    let mut strides = Dims::from_elem(1, sizes.len());
    let mut stride = Some(1_u32);
    for (place, size) in strides.iter_mut().zip(sizes).rev() {
        *place = stride?;
        stride = stride.and_then(|s| s.checked_mul(*size));
    }
    Some(strides)
}

/// Whether two different elements share a place. Exact up to eight dimensions above size 1; more of them that do not
/// nest count as overlapping. `false` if a size is 0 or the lengths differ, because such layouts have no elements.
/// Takes microseconds for any sizes.
pub fn overlaps(sizes: &[u32], strides: &[u32]) -> bool {
    if sizes.len() != strides.len() || sizes.contains(&0) {
        return false;
    }
    // Dimensions of size 1 are left out; all others as (stride, size - 1), smallest stride first.
    let pairs = sizes.iter().zip(strides).filter(|(size, _)| **size > 1);
    let mut steps: SmallVec<[(u32, u32); 8]> = pairs.map(|(size, stride)| (*stride, size - 1)).collect();
    steps.sort_unstable();
    if steps.first().is_some_and(|(stride, _)| *stride == 0) {
        return true;
    }
    if nests(&steps) {
        return false;
    }
    // More elements than places to put them.
    let elements = steps
        .iter()
        .try_fold(1_u128, |product, (_, last)| product.checked_mul(u128::from(*last) + 1));
    let places = steps.iter().fold(1_u128, |sum, (stride, last)| {
        sum.saturating_add(u128::from(*stride) * u128::from(*last))
    });
    if elements.is_none_or(|elements| elements > places) {
        return true;
    }
    lattice::has_coincidence(&steps)
}

/// Whether every stride exceeds the span of all smaller ones.
fn nests(steps: &[(u32, u32)]) -> bool {
    let mut reach = 0_u128;
    steps.iter().all(|(stride, last)| {
        let free = u128::from(*stride) > reach;
        reach = reach.saturating_add(u128::from(*stride) * u128::from(*last));
        free
    })
}

#[cfg(test)]
mod tests;
