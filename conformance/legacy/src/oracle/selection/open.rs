//! What holds of a selection even where nobody defines the order, as with NaN.

use super::Selection;
use crate::oracle::Mismatch;
use dml_case::number::is_nan;

/// Looks for the first element that breaks a property.
pub(in crate::oracle) type Property = fn(&Selection, &[Vec<u64>]) -> Option<Mismatch>;

/// The property of this name, one of those silences name in `holds`.
pub(in crate::oracle) fn property(name: &str) -> Option<Property> {
    match name {
        "values-are-copies" => Some(values_are_copies),
        "indices-in-range" => Some(indices_in_range),
        _ => None,
    }
}

/// Every value is a copy of an element of its sequence, up to the payload of NaN.
fn values_are_copies(s: &Selection, outputs: &[Vec<u64>]) -> Option<Mismatch> {
    let ty = &s.input.shape.ty;
    let values = outputs.first()?;
    for lane in 0..s.out.count() {
        let mut elements: Vec<u64> = (0..s.lanes.size).map(|index| s.bits(lane, index)).collect();
        elements.sort_unstable();
        let holds_nan = elements.iter().any(|bits| is_nan(ty, *bits));
        for at in (0..s.out.size).map(|slot| s.out.place(lane, slot)) {
            let bits = *values.get(at)?;
            if elements.binary_search(&bits).is_err() && !(holds_nan && is_nan(ty, bits)) {
                let number = dml_case::number::decode(ty, bits);
                let message = format!("value {number} is no element of the sequence {}", s.name(lane));
                return Some(Mismatch {
                    class: "values-are-copies",
                    output: 0,
                    at: at as u64,
                    message,
                    whole: true,
                });
            }
        }
    }
    None
}

/// Every index lies within its sequence; where that holds no NaN, all are different.
fn indices_in_range(s: &Selection, outputs: &[Vec<u64>]) -> Option<Mismatch> {
    let indices = outputs.get(1)?;
    for lane in 0..s.out.count() {
        let holds_nan = (0..s.lanes.size).any(|index| is_nan(&s.input.shape.ty, s.bits(lane, index)));
        let mut seen = vec![false; s.lanes.size];
        for at in (0..s.out.size).map(|slot| s.out.place(lane, slot)) {
            let raw = *indices.get(at)?;
            let known = usize::try_from(raw).ok().and_then(|index| seen.get_mut(index));
            let message = match known.map(|seen| std::mem::replace(seen, true)) {
                None => format!(
                    "index {raw} lies outside the {} elements of the sequence {}",
                    s.lanes.size,
                    s.name(lane)
                ),
                Some(true) if !holds_nan => format!(
                    "index {raw} stands twice in the sequence {}, which holds no NaN",
                    s.name(lane)
                ),
                Some(_) => continue,
            };
            return Some(Mismatch {
                class: "indices-in-range",
                output: 1,
                at: at as u64,
                message,
                whole: true,
            });
        }
    }
    None
}
