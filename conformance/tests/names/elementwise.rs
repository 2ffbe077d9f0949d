//! Wrong outputs of activations, and of what computes each element from those in its place.

use dml_case::number::{decode, encode_float};
use dml_ops::Value;
use smallvec::SmallVec;

use crate::{
    call::{Call, Elements, is_float, sets},
    golden::{Golden, golden},
};

pub(crate) fn goldens() -> Vec<Golden> {
    let mut all = copies();
    all.extend(activations());
    all.extend(softmax());
    all.extend(clip());
    all.extend(add());
    all.extend(counts_and_casts());
    all
}

fn copies() -> Vec<Golden> {
    vec![
        golden("input read as packed", "ACTIVATION_IDENTITY", |call| {
            let count = call.inputs[0].bits.len();
            call.on(|inputs| inputs[0].bits = call.linear(0, 0, count))
        })
        .is("strides-ignored", "InputTensor")
        .implying("InputTensor.Strides is"),
        golden("nothing written beyond 1,024 elements", "ACTIVATION_IDENTITY", |call| {
            call.edit(|outputs| outputs[0].iter_mut().skip(1024).for_each(|element| *element = None))
        })
        .is("size", "1,024")
        .is("size", "1024")
        .is("unwritten", "1,024")
        .is("unwritten", "1024"),
        golden("nothing written at all", "ACTIVATION_IDENTITY", |call| {
            call.edit(|outputs| outputs[0].fill(None))
        })
        .is("unwritten", "the outputs are not written"),
    ]
}

fn activations() -> Vec<Golden> {
    vec![
        golden("slope is always 0.01", "ACTIVATION_LEAKY_RELU", |call| {
            call.set("Alpha", Value::Float(0.01))
        })
        .is("attribute", "Alpha"),
        golden("slope on the wrong side", "ACTIVATION_LEAKY_RELU", |call| {
            let alpha = call.float("Alpha");
            call.each(|x| if x >= 0.0 { alpha * x } else { x })
        })
        .is("branch", "branches of `InputTensor[o] >= 0.0`")
        .is("operator", "`InputTensor[o] >= 0.0` is compared by `<`"),
        golden("bias added before scaling", "ACTIVATION_LINEAR", |call| {
            let (alpha, beta) = (call.float("Alpha"), call.float("Beta"));
            call.each(|x| alpha * (x + beta))
        })
        .is("operands-swapped", "`Beta` is added before `Alpha`"),
        golden("square instead", "ACTIVATION_LINEAR", |call| call.each(|x| x * x)).unnamed(),
        golden("FLOAT16 copied", "ACTIVATION_RELU", |call| {
            match call.inputs[0].is("FLOAT16") {
                true => vec![call.inputs[0].bits.iter().copied().map(Some).collect()],
                false => call.right(),
            }
        })
        .is("operand-dropped", "computed as `InputTensor[o]`")
        .when("DataType is FLOAT16"),
    ]
}

/// Shares of each set: what `power` makes of each number and the greatest of the set, by what `total` makes of all these.
pub(crate) fn shares(call: &Call<'_>, power: impl Fn(f64, f64) -> f64, total: impl Fn(&[f64]) -> f64) -> Elements {
    let input = &call.inputs[0];
    let (numbers, ty) = (input.numbers(), &call.outputs[0].ty);
    let mut elements = vec![None; numbers.len()];
    for set in sets(&input.sizes(), &call.list("Axes")) {
        let top = set.iter().map(|at| numbers[*at]).fold(f64::NEG_INFINITY, f64::max);
        let powers: Vec<f64> = set.iter().map(|at| power(numbers[*at], top)).collect();
        let total = total(&powers);
        for (at, power) in set.iter().zip(&powers) {
            elements[*at] = Some(encode_float(ty, power / total));
        }
    }
    vec![elements]
}

fn single_exp(x: f64) -> f64 {
    f64::from(libm::exp(x) as f32)
}

fn softmax() -> Vec<Golden> {
    vec![
        golden("first axis only", "ACTIVATION_SOFTMAX1", |call| {
            let first: SmallVec<[u32; 8]> = call.list("Axes").iter().take(1).map(|axis| *axis as u32).collect();
            call.with(|descriptor| {
                descriptor.fields[2] = Value::UInt(first.len() as u32);
                descriptor.fields[3] = Value::UInts(Some(first.clone()));
            })
        })
        .is("attribute", "Axes")
        .is("axis-confused", "Axes"),
        golden("greatest not subtracted", "ACTIVATION_SOFTMAX1", |call| {
            shares(
                call,
                |x, _| single_exp(x),
                |powers| f64::from(powers.iter().sum::<f64>() as f32),
            )
        })
        .is("operand-dropped", "top")
        .is("operator", "top"),
        golden("total of 256 elements", "ACTIVATION_SOFTMAX1", |call| {
            shares(
                call,
                |x, top| libm::exp(x - top),
                |powers| powers.iter().take(256).sum(),
            )
        })
        .is("size", "256")
        .is("bounds", "256"),
        golden("NaN everywhere", "ACTIVATION_SOFTMAX1", |call| call.each(|_| f64::NAN)).unnamed(),
    ]
}

/// Scale and bias of an operator that may have none.
pub(crate) fn scaled(call: &Call<'_>) -> (f64, f64) {
    match call.value("ScaleBias") {
        Value::ScaleBias(Some((scale, bias))) => (f64::from(*scale), f64::from(*bias)),
        _ => (1.0, 0.0),
    }
}

fn clip() -> Vec<Golden> {
    vec![
        golden("lower limit ignored", "ELEMENT_WISE_CLIP", |call| {
            let ((scale, bias), least) = (scaled(call), call.float("Min"));
            let (input, ty, most) = (&call.inputs[0], &call.outputs[0].ty, call.float("Max"));
            if is_float(ty) {
                // A sum with 0 would lose the sign of -0.
                let is_scaled = call.value("ScaleBias") != &Value::ScaleBias(None);
                return call.each(|x| match if is_scaled { scale * x + bias } else { x } {
                    above if above > most => most,
                    other => other,
                });
            }
            call.edit(|outputs| {
                for ((element, bits), x) in outputs[0].iter_mut().zip(&input.bits).zip(input.numbers()) {
                    if x < least {
                        let most = encode_float(ty, most.trunc());
                        *element = Some(if x < call.float("Max") { *bits } else { most });
                    }
                }
            })
        })
        .is("attribute", "Min")
        .is("operand-dropped", "Min")
        .is("operand-dropped", "low"),
        golden("scaled after limiting", "ELEMENT_WISE_CLIP", |call| {
            if !call.inputs[0].is_float() || call.value("ScaleBias") == &Value::ScaleBias(None) {
                return call.right();
            }
            let (scale, bias) = scaled(call);
            let (least, most) = (call.float("Min"), call.float("Max"));
            call.each(|x| scale * x.max(least).min(most) + bias)
        })
        .is("operands-swapped", "Scale")
        .is("operator", "after"),
        golden("integer limits to the nearest", "ELEMENT_WISE_CLIP", |call| {
            if call.inputs[0].is_float() {
                return call.right();
            }
            call.with(|descriptor| {
                for value in &mut descriptor.fields {
                    if let Value::Float(x) = value {
                        *x = x.round_ties_even();
                    }
                }
            })
        })
        .is("rounding", "nearest"),
    ]
}

/// Any bits at all, the same each time.
pub(crate) fn noise(seed: u64) -> u64 {
    let mixed = (seed.wrapping_add(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

fn add() -> Vec<Golden> {
    vec![
        golden("activation ignored", "ELEMENT_WISE_ADD1", |call| {
            call.set("FusedActivation", Value::Operator(None))
        })
        .is("attribute", "FusedActivation")
        .is("operand-dropped", "FusedActivation")
        .is("branch", "FusedActivation"),
        golden("every other result doubled", "ELEMENT_WISE_ADD1", |call| {
            let ty = &call.outputs[0].ty;
            call.edit(|outputs| {
                for element in outputs[0].iter_mut().flatten().skip(1).step_by(2) {
                    *element = match is_float(ty) {
                        true => encode_float(ty, 2.0 * decode(ty, *element).double()),
                        false => *element << 1,
                    };
                }
            })
        })
        .unnamed(),
        golden("FLOAT16 subtracted", "ELEMENT_WISE_ADD1", |call| {
            call.on(|inputs| {
                if inputs[1].is("FLOAT16") {
                    inputs[1].bits.iter_mut().for_each(|bits| *bits ^= 0x8000);
                }
            })
        })
        .is("operator", "`BTensor[o]` is subtracted")
        .is("operator", "`BTensor[o]` is negated")
        .when("DataType is FLOAT16"),
        golden("noise", "ELEMENT_WISE_ADD1", |call| {
            let first = call.inputs[0].bits.first().copied().unwrap_or_default();
            call.edit(|outputs| {
                for (at, element) in outputs[0].iter_mut().enumerate() {
                    *element = Some(noise(first ^ (at as u64) << 17));
                }
            })
        })
        .unnamed(),
    ]
}

fn counts_and_casts() -> Vec<Golden> {
    vec![
        golden("bits of low halves only", "ELEMENT_WISE_BIT_COUNT", |call| {
            call.on(|inputs| inputs[0].bits.iter_mut().for_each(|bits| *bits &= 0xffff))
        })
        .is("precision", "UINT16")
        .is("precision", "16 bits")
        .is("size", "16 bits")
        .is("bounds", "16 bits")
        .implying("DataType is UINT32"),
        golden("rounded to the nearest", "CAST", |call| {
            let (from, to) = (&call.inputs[0], &call.outputs[0].ty);
            if !from.is_float() || is_float(to) {
                return call.right();
            }
            call.on(|inputs| {
                let ty = inputs[0].shape.ty.clone();
                for bits in &mut inputs[0].bits {
                    let x = decode(&ty, *bits).double();
                    // Beyond the type's range it is open what comes out.
                    if x.is_finite() {
                        *bits = encode_float(&ty, x.round_ties_even());
                    }
                }
            })
        })
        .is("rounding", "nearest"),
        golden("UINT8 read as INT8", "CAST", |call| {
            let int8 = call.data_type("INT8").clone();
            call.on(|inputs| {
                if inputs[0].is("UINT8") {
                    inputs[0].shape.ty = int8.clone();
                }
            })
        })
        // Results as INT8 are the same: values of UINT8 are written.
        .is("signedness", "INT8")
        .is("signedness", "as signed")
        .is("signedness", "`InputTensor` are read with the other signedness")
        .when("InputTensor.DataType is UINT8"),
        golden("through FLOAT32", "CAST", |call| {
            let single = call.data_type("FLOAT32").clone();
            call.on(|inputs| {
                let ty = inputs[0].shape.ty.clone();
                if ty.bits >= 32 && ty.name != "FLOAT32" {
                    let through = |bits: &u64| u64::from((decode(&ty, *bits).double() as f32).to_bits());
                    inputs[0].bits = inputs[0].bits.iter().map(through).collect();
                    inputs[0].shape.ty = single.clone();
                }
            })
        })
        .is("precision", "FLOAT32"),
    ]
}
