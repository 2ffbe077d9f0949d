//! Wrong encodings for the zoo: each is written here once more, without the oracle.

use super::parts;
use crate::oracle::{
    Call, ComputingFault, Right,
    guess::{halved_index, low_bits},
};

/// All of them. Each says where along a sequence the value that is on stands, from the index and the size; the
/// values are (off, on).
pub(super) fn all() -> Vec<ComputingFault> {
    vec![
        place("index-from-one", "indices count from 1", |index, _| Some(index - 1)),
        place("index-from-the-end", "indices count from the end", |index, size| {
            Some(size - 1 - index)
        }),
        place(
            "index-clamped",
            "indices out of range mean the last place",
            |index, size| Some(index.min(size - 1)),
        ),
        place("index-modulo", "indices out of range start anew", |index, size| {
            Some(index.rem_euclid(size))
        }),
        place("negative-ignored", "negative indices mean no place", |index, _| {
            (index >= 0).then_some(index)
        }),
        place(
            "negative-clamped",
            "negative indices mean the first place",
            |index, _| Some(index.max(0)),
        ),
        place("index-of-eight-bits", "indices have 8 bits", |index, _| {
            Some(low_bits(index, 8))
        }),
        place("index-through-half", "indices are rounded to FLOAT16", |index, _| {
            Some(halved_index(index))
        }),
        place("first-place-never", "the first place is never on", |index, _| {
            (index > 0).then_some(index)
        }),
        values(
            "values-swapped",
            "the value that is on stands where none is, and the other way round",
            |off, on| (on, off),
        ),
        values(
            "off-is-zero",
            "0 stands where nothing is on, whatever is asked for",
            |_, on| (0, on),
        ),
        values("on-everywhere", "the value that is on stands everywhere", |_, on| {
            (on, on)
        }),
    ]
}

fn place(
    name: &'static str,
    says: &'static str,
    of: impl Fn(i128, i128) -> Option<i128> + Send + Sync + 'static,
) -> ComputingFault {
    fault(name, says, of, |off, on| (off, on))
}

fn values(
    name: &'static str,
    says: &'static str,
    of: impl Fn(u64, u64) -> (u64, u64) + Send + Sync + 'static,
) -> ComputingFault {
    fault(name, says, |index, _| Some(index), of)
}

fn fault(
    name: &'static str,
    says: &'static str,
    place: impl Fn(i128, i128) -> Option<i128> + Send + Sync + 'static,
    values: impl Fn(u64, u64) -> (u64, u64) + Send + Sync + 'static,
) -> ComputingFault {
    ComputingFault::new(
        name,
        says,
        Right::Symptom(&["signedness", "precision", "index-width"]),
        move |call: &Call, _| {
            let parts = parts(call)?;
            let (off, on) = values(parts.off, parts.on);
            let mut out = vec![Some(off); parts.lanes.count() * parts.lanes.size];
            for lane in 0..parts.lanes.count() {
                let index = parts.written(lane);
                // What a right backend does with a negative index, before the mistake or without it.
                let meant = place(index, parts.size()).map(|at| if at < 0 { at + parts.size() } else { at });
                let Some(at) = meant.filter(|at| (0..parts.size()).contains(at)) else {
                    continue;
                };
                *out.get_mut(parts.lanes.place(lane, usize::try_from(at).ok()?))? = Some(on);
            }
            Some(vec![out])
        },
    )
}
