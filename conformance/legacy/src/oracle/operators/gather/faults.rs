//! Wrong gathering for the zoo: each is written here once more, without the oracle.

use super::parts;
use crate::oracle::{
    Call, ComputingFault, Right,
    guess::{halved_index, low_bits},
};

/// All of them. Each says which element along the axis an index takes, from its place among the indices, the index and
/// the size.
pub(super) fn all() -> Vec<ComputingFault> {
    vec![
        fault("index-from-one", "indices count from 1", |_, index, size| {
            (index - 1).rem_euclid(size)
        }),
        fault("index-from-the-end", "indices count from the end", |_, index, size| {
            (size - 1 - index).rem_euclid(size)
        }),
        fault(
            "negative-clamped",
            "negative indices mean the first element",
            |_, index, _| index.max(0),
        ),
        fault(
            "negative-as-magnitude",
            "negative indices lose their sign",
            |_, index, size| index.abs().rem_euclid(size),
        ),
        fault("indices-ignored", "elements are taken in their order", |at, _, size| {
            at as i128 % size
        }),
        fault("index-of-eight-bits", "indices have 8 bits", |_, index, size| {
            low_bits(index, 8).rem_euclid(size)
        }),
        fault("index-of-sixteen-bits", "indices have 16 bits", |_, index, size| {
            low_bits(index, 16).rem_euclid(size)
        }),
        fault(
            "index-through-half",
            "indices are rounded to FLOAT16",
            |_, index, size| halved_index(index).rem_euclid(size),
        ),
    ]
}

fn fault(
    name: &'static str,
    says: &'static str,
    of: impl Fn(usize, i128, i128) -> i128 + Send + Sync + 'static,
) -> ComputingFault {
    ComputingFault::new(
        name,
        says,
        Right::Symptom(&["signedness", "precision", "index-width"]),
        move |call: &Call, _| {
            let parts = parts(call)?;
            let given = parts.gathered(|at| {
                let taken = of(at, parts.written(at)?, parts.size);
                Some(if taken < 0 { taken + parts.size } else { taken })
            })?;
            Some(vec![given])
        },
    )
}
