//! What a selection does about NaN, zeros and denormals where nobody defines it: told, never judged.

use super::Selection;
use dml_case::number::{Number, is_denormal};

/// Whether the outputs do what this behaviour says; `None` where there is none of the name.
pub(in crate::oracle) fn does(s: &Selection, behaviour: &str, outputs: &[Vec<u64>]) -> Option<bool> {
    // In an increasing order the greatest stands last.
    let last = !s.decreasing;
    Some(match behaviour {
        "nan-greatest" => is_ordered(s, outputs, last),
        "nan-least" => is_ordered(s, outputs, !last),
        "nan-last" => is_ordered(s, outputs, true),
        "nan-first" => is_ordered(s, outputs, false),
        "zeros-tie" | "denormals-kept" => outputs == s.select(&s.input.numbers()),
        "zeros-by-sign" => {
            outputs
                == s.select(
                    &s.input
                        .numbers()
                        .into_iter()
                        .map(Number::with_signed_zeros)
                        .collect::<Vec<_>>(),
                )
        }
        "denormals-flushed" => outputs == s.select(&flushed(s)),
        "others-in-order" => (0..s.out.count()).all(|lane| others_in_order(s, lane, outputs)),
        _ => return None,
    })
}

/// The elements with denormals as zeros.
fn flushed(s: &Selection) -> Vec<Number> {
    let elements = s.input.numbers().into_iter().zip(&s.input.elements);
    let flush = |(number, bits): (Number, &u64)| {
        if is_denormal(&s.input.shape.ty, *bits) {
            Number::Float(0.0)
        } else {
            number
        }
    };
    elements.map(flush).collect()
}

/// The indices of a lane's elements that are numbers, in order.
fn numbers(s: &Selection, lane: usize) -> Vec<usize> {
    let keys = (0..s.lanes.size).map(|index| (s.number(lane, index), index));
    let mut keys: Vec<(Number, usize)> = keys.filter(|(number, _)| !number.is_nan()).collect();
    keys.sort_by(|a, b| super::rank(a.0, b.0, s.decreasing));
    keys.into_iter().map(|(_, index)| index).collect()
}

/// Whether NaN stands behind all numbers, or before them, and the numbers are in order.
fn is_ordered(s: &Selection, outputs: &[Vec<u64>], nan_last: bool) -> bool {
    (0..s.out.count()).all(|lane| {
        let numbers = numbers(s, lane);
        let nans = s.lanes.size - numbers.len();
        let start = if nan_last { 0 } else { nans.min(s.out.size) };
        let mut due = numbers.iter();
        (0..s.out.size).all(|slot| match if slot < start { None } else { due.next() } {
            Some(index) => holds(s, lane, slot, outputs) == Some((s.bits(lane, *index), *index as u64)),
            None => holds(s, lane, slot, outputs).is_some_and(|(bits, _)| is_nan(s, bits)),
        })
    })
}

/// Whether the numbers among the outputs are the first ones of their sequence, in order.
fn others_in_order(s: &Selection, lane: usize, outputs: &[Vec<u64>]) -> bool {
    let mut due = numbers(s, lane).into_iter();
    (0..s.out.size).all(|slot| {
        holds(s, lane, slot, outputs).is_some_and(|(bits, index)| {
            is_nan(s, bits)
                || due
                    .next()
                    .is_some_and(|next| (s.bits(lane, next), next as u64) == (bits, index))
        })
    })
}

fn is_nan(s: &Selection, bits: u64) -> bool {
    dml_case::number::is_nan(&s.input.shape.ty, bits)
}

/// Value and index of a slot.
fn holds(s: &Selection, lane: usize, slot: usize, outputs: &[Vec<u64>]) -> Option<(u64, u64)> {
    let place = s.out.place(lane, slot);
    Some((*outputs.first()?.get(place)?, *outputs.get(1)?.get(place)?))
}
