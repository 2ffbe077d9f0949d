//! Wrong outputs of what computes one element from many: sets and running sums.

use dml_case::number::{Number, decode, encode_float, encode_int};
use dml_ops::{Descriptor, Value};
use dml_spec::model::DataType;

use crate::{
    call::{Call, Elements, is_float, sets},
    golden::{Golden, golden},
};

pub(crate) fn goldens() -> Vec<Golden> {
    let mut all = extremes();
    all.extend(reductions());
    all.extend(lost_and_single());
    all.extend(scans());
    all
}

/// The index that `choose` finds in each set, from the bits of the set's elements; what is right if one is NaN.
pub(crate) fn chosen(call: &Call<'_>, choose: impl Fn(&[u64], &[usize]) -> usize) -> Elements {
    let (input, ty) = (&call.inputs[0], &call.outputs[0].ty);
    let numbers = input.numbers();
    call.edit(|outputs| {
        for (element, set) in outputs[0].iter_mut().zip(sets(&input.sizes(), &call.list("Axes"))) {
            if !set.iter().any(|at| numbers[*at].is_nan()) {
                let bits: Vec<u64> = set.iter().map(|at| input.bits[*at]).collect();
                *element = Some(encode_int(ty, choose(&bits, &set) as i128));
            }
        }
    })
}

/// The first or last place of the greatest key.
pub(crate) fn greatest<K: PartialOrd>(keys: &[K], last: bool) -> usize {
    let better = |a: &K, b: &K| a > b || last && a >= b;
    (1..keys.len()).fold(0, |best, at| if better(&keys[at], &keys[best]) { at } else { best })
}

/// A number to compare.
pub(crate) fn key(ty: &DataType, bits: u64) -> (i128, f64) {
    match decode(ty, bits) {
        Number::Int(n) => (n, 0.0),
        Number::Float(x) => (0, x),
    }
}

/// The words of an INT64, the low one with a sign.
fn halves(bits: u64) -> (i32, i32) {
    ((bits >> 32) as u32 as i32, bits as u32 as i32)
}

fn extremes() -> Vec<Golden> {
    vec![
        golden("direction ignored", "ARGMAX", |call| {
            call.set("AxisDirection", Value::UInt(0))
        })
        .is("attribute", "AxisDirection")
        .is("branch", "AxisDirection")
        .is("tie-order", "first")
        .is("tie-order", "AxisDirection"),
        golden("index within the tensor", "ARGMAX", |call| {
            let (ty, right) = (&call.outputs[0].ty, call.right());
            let sets = sets(&call.inputs[0].sizes(), &call.list("Axes"));
            let within = right[0].iter().zip(&sets).map(|(index, set)| {
                let at = set.get(index.unwrap_or_default() as usize).copied();
                at.map(|at| encode_int(ty, at as i128))
            });
            vec![within.collect()]
        })
        .is("index", "tensor"),
        golden("low words of INT64 compared as signed", "ARGMAX", |call| {
            if !call.inputs[0].is("INT64") {
                return call.right();
            }
            let last = call.has("AxisDirection", "DECREASING");
            chosen(call, |bits, _| {
                let keys: Vec<(i32, i32)> = bits.iter().map(|bits| halves(*bits)).collect();
                greatest(&keys, last)
            })
        })
        .is("signedness", "halves, the low one with a sign")
        .when("INT64")
        .on_standard("ARGMAX:*:*:type=INT64 ARGMAX:*:*:type=UINT64")
        .by_text(),
        golden("starts at zero", "ARGMIN", |call| {
            let (last, ty) = (call.has("AxisDirection", "DECREASING"), call.inputs[0].shape.ty.clone());
            chosen(call, |bits, _| {
                let mut best = (key(&ty, 0), 0);
                for (at, bits) in bits.iter().enumerate() {
                    let x = key(&ty, *bits);
                    if x < best.0 || last && x <= best.0 {
                        best = (x, at);
                    }
                }
                best.1
            })
        })
        .is("bounds", "0")
        .is("operand-dropped", "starts at 0")
        .is("branch", "starts at 0")
        .is("operator", "starts at 0"),
        golden("greatest if DECREASING", "ARGMIN", |call| {
            call.with(|descriptor| {
                if call.has("AxisDirection", "DECREASING") {
                    as_other(descriptor, "ARGMAX");
                }
            })
        })
        .is("operator", "computed as the greatest"),
    ]
}

fn as_other(descriptor: &mut Descriptor, operator: &'static str) {
    descriptor.operator = operator.into();
}

/// The bits without their sign: magnitudes of floats and of whole numbers.
fn magnitude(ty: &DataType, bits: u64) -> u64 {
    match decode(ty, bits) {
        Number::Int(number) => encode_int(ty, number.abs()),
        Number::Float(x) => encode_float(ty, x.abs()),
    }
}

fn reductions() -> Vec<Golden> {
    let is_float_sum = |call: &Call<'_>, function: &str| call.has("Function", function) && call.inputs[0].is_float();
    vec![
        golden("MAX of magnitudes", "REDUCE", |call| {
            call.on(|inputs| {
                let ty = inputs[0].shape.ty.clone();
                if call.has("Function", "MAX") {
                    inputs[0].bits.iter_mut().for_each(|bits| *bits = magnitude(&ty, *bits));
                }
            })
        })
        .is("operator", "magnitude")
        .is("signedness", "magnitude")
        .implying("Function is MAX"),
        golden("average of one element fewer", "REDUCE", move |call| {
            if !is_float_sum(call, "AVERAGE") {
                return call.right();
            }
            let (input, ty) = (&call.inputs[0], &call.outputs[0].ty);
            let numbers = input.numbers();
            let sets = sets(&input.sizes(), &call.list("Axes"));
            let average = |set: &Vec<usize>| {
                let sum: f64 = set.iter().map(|at| numbers[*at]).sum();
                Some(encode_float(ty, sum / (set.len() as f64 - 1.0)))
            };
            vec![sets.iter().map(average).collect()]
        })
        .is("off-by-one", "product(set)")
        .is("off-by-one", "- 1")
        .is("off-by-one", "less"),
        golden("L2 without a root", "REDUCE", |call| match call.has("Function", "L2") {
            true => call.set("Function", Value::UInt(11)),
            false => call.right(),
        })
        .is("operator", "sqrt")
        .is("operand-dropped", "sqrt")
        .is("attribute", "L2 is computed as SUM_SQUARE")
        .is(
            "operator",
            "computed as `sum(r in set: InputTensor[o + r] * InputTensor[o + r])`",
        ),
        golden("FLOAT16 summed in FLOAT16", "REDUCE", move |call| {
            if !is_float_sum(call, "SUM") || !call.inputs[0].is("FLOAT16") {
                return call.right();
            }
            let (input, ty) = (&call.inputs[0], &call.outputs[0].ty);
            let numbers = input.numbers();
            let sets = sets(&input.sizes(), &call.list("Axes"));
            let rounded = |x: f64| decode(ty, encode_float(ty, x)).double();
            let sum = |set: &Vec<usize>| {
                let sum = set.iter().fold(0.0, |sum, at| rounded(sum + numbers[*at]));
                Some(encode_float(ty, sum))
            };
            vec![sets.iter().map(sum).collect()]
        })
        .is("precision", "FLOAT16")
        .is("precision", "half"),
    ]
}

/// Elements beyond the first 256 of a set, replaced by ones that change no result.
fn first_256(call: &Call<'_>) -> Elements {
    let is = |functions: &[&str]| functions.iter().any(|function| call.has("Function", function));
    call.on(|inputs| {
        let input = &mut inputs[0];
        let ty = input.shape.ty.clone();
        for set in sets(&input.sizes(), &call.list("Axes")) {
            let first = set.first().map(|at| input.bits[*at]).unwrap_or_default();
            for at in set.iter().skip(256) {
                input.bits[*at] = match () {
                    () if is(&["MAX", "MIN", "ARGMAX", "ARGMIN"]) => first,
                    () if is(&["LOG_SUM_EXP"]) => encode_float(&ty, f64::NEG_INFINITY),
                    () => encode_int(&ty, i128::from(is(&["MULTIPLY"]))),
                };
            }
        }
    })
}

fn lost_and_single() -> Vec<Golden> {
    vec![
        golden("256 elements of a set", "REDUCE", first_256)
            .is("size", "256")
            .is("bounds", "256"),
        golden("sets of one element copied", "REDUCE", |call| {
            let input = &call.inputs[0];
            let is_copied = input.shape.ty.name == call.outputs[0].ty.name
                && input.bits.len() == call.outputs[0].elements() as usize
                && !call.has("Function", "ARGMAX")
                && !call.has("Function", "ARGMIN");
            match is_copied {
                true => vec![input.bits.iter().copied().map(Some).collect()],
                false => call.right(),
            }
        })
        .is("size", "one element")
        // Where every set has one element, the greatest one is a copy, whatever is asked for.
        .is("branch", "`Function == MAX` is taken to hold always")
        .when("all tensors have the same sizes"),
    ]
}

/// The words of `a` and `b` added apart: what the low ones carry is lost.
fn without_carry(a: u64, b: u64) -> u64 {
    let word = |shift: u32| u64::from(((a >> shift) as u32).wrapping_add((b >> shift) as u32)) << shift;
    word(0) | word(32)
}

/// Running sums of elements by their bits.
pub(crate) fn scanned_by(call: &Call<'_>, add: fn(u64, u64) -> u64) -> Elements {
    let input = &call.inputs[0];
    let exclusive = call.uint("HasExclusiveSum") != 0;
    let mut elements = vec![None; input.bits.len()];
    for mut line in sets(&input.sizes(), &[call.uint("Axis")]) {
        if call.has("AxisDirection", "DECREASING") {
            line.reverse();
        }
        let mut sum = 0;
        for at in line {
            let before = sum;
            sum = add(sum, input.bits[at]);
            elements[at] = Some(if exclusive { before } else { sum });
        }
    }
    vec![elements]
}

/// Running sums that start again after `block` elements.
pub(crate) fn scanned(call: &Call<'_>, block: usize) -> Elements {
    let (input, ty) = (&call.inputs[0], &call.outputs[0].ty);
    let exclusive = call.uint("HasExclusiveSum") != 0;
    let mut elements = vec![None; input.bits.len()];
    for mut line in sets(&input.sizes(), &[call.uint("Axis")]) {
        if call.has("AxisDirection", "DECREASING") {
            line.reverse();
        }
        for part in line.chunks(block) {
            let (mut real, mut whole) = (0.0, 0);
            for at in part {
                let before = (real, whole);
                match decode(&input.shape.ty, input.bits[*at]) {
                    Number::Float(x) => real += x,
                    Number::Int(n) => whole += n,
                }
                let (real, whole) = if exclusive { before } else { (real, whole) };
                elements[*at] = Some(match is_float(ty) {
                    true => encode_float(ty, real),
                    false => encode_int(ty, whole),
                });
            }
        }
    }
    vec![elements]
}

fn scans() -> Vec<Golden> {
    let exclusive = |call: &Call<'_>| call.uint("HasExclusiveSum") != 0;
    vec![
        golden("exclusive only forwards", "CUMULATIVE_SUMMATION", |call| {
            match call.has("AxisDirection", "DECREASING") {
                true => call.set("HasExclusiveSum", Value::UInt(0)),
                false => call.right(),
            }
        })
        .is("attribute", "HasExclusiveSum")
        .is("branch", "HasExclusiveSum")
        .is("off-by-one", "HasExclusiveSum")
        .is("operand-dropped", "HasExclusiveSum")
        .when("AxisDirection is DECREASING"),
        golden("own results read in place", "CUMULATIVE_SUMMATION", move |call| {
            // The sum that replaces an element is what the next one adds: zero, from the first on.
            call.edit(|outputs| {
                if call.in_place && exclusive(call) {
                    outputs[0].fill(Some(0));
                }
            })
        })
        .is("input-overwritten", "read after they were written over"),
        golden("sums end with a block of 256", "CUMULATIVE_SUMMATION", |call| {
            let is_long = call.inputs[0].sizes()[call.uint("Axis")] > 256;
            if is_long { scanned(call, 256) } else { call.right() }
        })
        .is("size", "256")
        // Blocks are counted from where the sums start.
        .implying("AxisDirection is INCREASING")
        .implying("AxisDirection is DECREASING"),
        golden("carry between words lost", "CUMULATIVE_SUMMATION", |call| {
            match call.inputs[0].is_wide() {
                true => scanned_by(call, without_carry),
                false => call.right(),
            }
        })
        .is("precision", "carry")
        .is("signedness", "carry")
        .is("operator", "carry")
        .implying("INT64"),
    ]
}
