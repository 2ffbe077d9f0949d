//! Wrong outputs of what orders elements.

use std::cmp::Ordering;

use dml_case::number::{Number, decode, encode_int};
use dml_spec::model::DataType;

use crate::{
    call::{Call, Elements, sets, sizes},
    elementwise::noise,
    golden::{Golden, golden},
};

/// Sequences from which a long path is taken.
const LONG: usize = 64;

pub(crate) fn goldens() -> Vec<Golden> {
    let mut all = directions_and_ties();
    all.extend(comparisons());
    all
}

/// An element of a sequence: its index, and its bits.
pub(crate) type Element = (usize, u64);

/// The first elements of each sequence in this order; what is right in a sequence that holds NaN.
pub(crate) fn selected(call: &Call<'_>, order: impl Fn(&DataType, Element, Element) -> Ordering) -> Elements {
    let (input, axis) = (&call.inputs[0], call.uint("Axis"));
    let ty = &input.shape.ty;
    let to = sets(&sizes(&call.outputs[0]), &[axis]);
    let is_nan = |bits: &u64| decode(ty, *bits).is_nan();
    call.edit(|outputs| {
        for (from, to) in sets(&input.sizes(), &[axis]).iter().zip(&to) {
            let mut line: Vec<Element> = from.iter().map(|at| input.bits[*at]).enumerate().collect();
            if line.iter().any(|(_, bits)| is_nan(bits)) {
                continue;
            }
            line.sort_by(|a, b| order(ty, *a, *b));
            for (at, (index, bits)) in to.iter().zip(line) {
                outputs[0][*at] = Some(bits);
                outputs[1][*at] = Some(encode_int(&call.outputs[1].ty, index as i128));
            }
        }
    })
}

/// The order of two numbers, the greatest first if `greatest`.
fn ordered<K: PartialOrd>(a: K, b: K, greatest: bool) -> Ordering {
    let order = a.partial_cmp(&b).unwrap_or(Ordering::Equal);
    if greatest { order.reverse() } else { order }
}

/// The order of two elements by their numbers.
pub(crate) fn by_number(ty: &DataType, a: Element, b: Element, greatest: bool) -> Ordering {
    let order = decode(ty, a.1).order(decode(ty, b.1)).unwrap_or(Ordering::Equal);
    if greatest { order.reverse() } else { order }
}

pub(crate) fn is_greatest(call: &Call<'_>) -> bool {
    call.has("AxisDirection", "DECREASING")
}

fn directions_and_ties() -> Vec<Golden> {
    vec![
        golden("smallest elements", "TOP_K", |call| {
            selected(call, |ty, a, b| by_number(ty, a, b, false).then(a.0.cmp(&b.0)))
        })
        .is("branch", "`true` is taken")
        .is("operator", "order")
        .is("operands-swapped", "order"),
        golden("ties from the last on if DECREASING", "TOP_K1", |call| {
            let greatest = is_greatest(call);
            selected(call, |ty, a, b| {
                let ties = if greatest { b.0.cmp(&a.0) } else { a.0.cmp(&b.0) };
                by_number(ty, a, b, greatest).then(ties)
            })
        })
        .is("tie-order", "the last one comes first")
        .when("AxisDirection is DECREASING"),
        golden("ties in a random order", "TOP_K1", |call| {
            let (greatest, seed) = (is_greatest(call), call.inputs[0].bits.len() as u64);
            let drawn = |a: Element| noise(seed << 32 ^ a.0 as u64 ^ a.1 << 8);
            selected(call, |ty, a, b| {
                by_number(ty, a, b, greatest).then(drawn(a).cmp(&drawn(b)).then(a.0.cmp(&b.0)))
            })
        })
        .is("ties-in-any-order", "any comes first")
        .is("tie-order", "any")
        .unnamed(),
    ]
}

fn comparisons() -> Vec<Golden> {
    vec![
        golden("high words only", "TOP_K1", |call| {
            let (greatest, wide) = (is_greatest(call), call.inputs[0].is_wide());
            let high = |ty: &DataType, bits: u64| match decode(ty, bits) {
                Number::Int(n) => n >> 32,
                Number::Float(_) => 0,
            };
            match wide {
                true => selected(call, |ty, a, b| {
                    ordered(high(ty, a.1), high(ty, b.1), greatest).then(a.0.cmp(&b.0))
                }),
                false => call.right(),
            }
        })
        .is("precision", "high word")
        .is("signedness", "high word")
        .implying("DataType is INT64 or UINT64"),
        golden("UINT32 compared as signed", "TOP_K1", |call| {
            let greatest = is_greatest(call);
            match call.inputs[0].is("UINT32") {
                true => selected(call, |_, a, b| {
                    ordered(a.1 as u32 as i32, b.1 as u32 as i32, greatest).then(a.0.cmp(&b.0))
                }),
                false => call.right(),
            }
        })
        .is("signedness", "as signed")
        .is("signedness", "INT32")
        .is("signedness", "`InputTensor` are read with the other signedness")
        .when("DataType is UINT32"),
        golden("-0 below +0 in long sequences", "TOP_K1", |call| {
            let input = &call.inputs[0];
            let greatest = is_greatest(call);
            if !input.is_float() || input.sizes()[call.uint("Axis")] <= LONG {
                return call.right();
            }
            let signed = |ty: &DataType, a: Element| decode(ty, a.1).with_signed_zeros().double();
            selected(call, |ty, a, b| {
                ordered(signed(ty, a), signed(ty, b), greatest).then(a.0.cmp(&b.0))
            })
        })
        .is("signedness", "-0")
        .is("tie-order", "-0")
        .is("precision", "-0")
        .is("signedness", "bits")
        .when("the length along Axis is greater than")
        // All long ones that are compared have this length.
        .when("the length along Axis is 65")
        .on_standard("TOP_K1:*:values"),
    ]
}
