//! Wrong outputs of what moves elements.

use std::sync::Mutex;

use dml_case::number::{decode, encode_int};
use dml_ops::Value;

use crate::{
    call::{Call, Elements, coordinates, place, sizes},
    elementwise::noise,
    golden::{Golden, golden},
};

/// The golden that keeps something from one job to the next.
pub(crate) const STATEFUL: &str = "what the job before left";

pub(crate) fn goldens() -> Vec<Golden> {
    let mut all = fills();
    all.extend(gathers());
    all.extend(joins_and_slices());
    all
}

fn int(call: &Call<'_>, field: &str) -> i64 {
    match call.value(field) {
        Value::Int(value) => i64::from(*value),
        other => panic!("{field} is {other:?}"),
    }
}

/// Diagonals filled up to and including the one that ends them.
fn one_diagonal_more(call: &Call<'_>) -> Elements {
    let end = int(call, "DiagonalFillEnd");
    let Value::Scalar(bytes) = call.value("Value") else {
        return call.right();
    };
    let bits = u64::from_le_bytes(*bytes);
    let sizes = sizes(&call.outputs[0]);
    call.edit(|outputs| {
        for (n, element) in outputs[0].iter_mut().enumerate() {
            let at = coordinates(&sizes, n);
            let (row, column) = (at[at.len() - 2] as i64, at[at.len() - 1] as i64);
            if column - row == end {
                *element = Some(bits);
            }
        }
    })
}

/// Whether an index of this type is negative.
fn is_negative(ty: &dml_spec::model::DataType, bits: u64) -> bool {
    decode(ty, bits).double() < 0.0
}

fn fills() -> Vec<Golden> {
    vec![
        golden("one diagonal more", "DIAGONAL_MATRIX1", one_diagonal_more)
            .is("off-by-one", "DiagonalFillEnd")
            .is("off-by-one", "diagonal")
            .is("operator", "`diagonal < DiagonalFillEnd` is compared by `<=`"),
        golden("on and off exchanged", "ONE_HOT", |call| {
            call.on(|inputs| inputs[1].bits.swap(0, 1))
        })
        .is("operands-swapped", "ValuesTensor")
        .is("branch", "branches of `o[Axis] ==")
        .is("operator", "!=")
        .is("index", "ValuesTensor"),
        golden("negative indices hold nothing", "ONE_HOT", |call| {
            let (input, off) = (&call.inputs[0], call.inputs[1].bits[0]);
            let (sizes, axis) = (sizes(&call.outputs[0]), call.uint("Axis"));
            let indexed = input.sizes();
            call.edit(|outputs| {
                for (n, element) in outputs[0].iter_mut().enumerate() {
                    let mut at = coordinates(&sizes, n);
                    at[axis] = 0;
                    if is_negative(&input.shape.ty, input.bits[place(&indexed, &at)]) {
                        *element = Some(off);
                    }
                }
            })
        })
        .is("branch", "`i < 0` is taken never to hold")
        .is("operand-dropped", "OutputTensor.Sizes[Axis]")
        .is("signedness", "IndicesTensor")
        .is("bounds", "negative"),
        golden("-0 is not zero in long tensors", "NONZERO_COORDINATES", |call| {
            let input = &call.inputs[0];
            if !input.is_float() || input.bits.len() <= 32 {
                return call.right();
            }
            let (sizes, ty) = (input.sizes(), &call.outputs[1].ty);
            let found: Vec<usize> = (0..input.bits.len()).filter(|at| input.bits[*at] != 0).collect();
            call.edit(|outputs| {
                outputs[0].fill(Some(encode_int(&call.outputs[0].ty, found.len() as i128)));
                let width = call.outputs[1].sizes.last().map_or(1, |size| *size as usize);
                for (row, at) in outputs[1].chunks_mut(width).zip(&found) {
                    let at = coordinates(&sizes, *at);
                    let kept = at.iter().skip(at.len() - width.min(at.len()));
                    for (element, at) in row.iter_mut().zip(kept) {
                        *element = Some(encode_int(ty, *at as i128));
                    }
                }
            })
        })
        .is("precision", "-0")
        .is("signedness", "-0")
        .is("operator", "-0")
        .is("operator", "bits")
        .when("the number of elements of InputTensor is greater than")
        .on_standard("NONZERO_COORDINATES:*:*"),
    ]
}

fn gathers() -> Vec<Golden> {
    vec![
        golden("negative indices taken as 0", "GATHER", |call| {
            call.on(|inputs| {
                let ty = inputs[1].shape.ty.clone();
                for bits in &mut inputs[1].bits {
                    if is_negative(&ty, *bits) {
                        *bits = 0;
                    }
                }
            })
        })
        .is("branch", "`i + InputTensor.Sizes[Axis]` is taken for 0")
        .is("index", "is taken for 0")
        .is("bounds", "is taken for 0"),
        golden("garbage beyond 37 elements", "GATHER", |call| {
            let width = call.outputs[0].ty.bits;
            call.edit(|outputs| {
                for (at, element) in outputs[0].iter_mut().enumerate().skip(37) {
                    *element = Some(noise(at as u64) >> (64 - width));
                }
            })
        })
        .is("size", "37")
        .implying("the number of elements of OutputTensor is greater than 36")
        .unnamed(),
        golden("tuples from the last coordinate on", "GATHER_ND", |call| {
            call.on(|inputs| {
                let length = inputs[1].shape.sizes.last().map_or(1, |size| *size as usize);
                inputs[1].bits.chunks_mut(length).for_each(<[u64]>::reverse);
            })
        })
        .is("index", "IndicesTensor")
        .is("operands-swapped", "IndicesTensor")
        .is("axis-confused", "IndicesTensor"),
    ]
}

fn joins_and_slices() -> Vec<Golden> {
    let before: Mutex<Vec<u64>> = Mutex::default();
    vec![
        golden(STATEFUL, "JOIN", move |call| {
            let mut before = before.lock().unwrap();
            let right = call.right();
            let now: Vec<u64> = right[0].iter().copied().flatten().collect();
            let left = std::mem::replace(&mut *before, now);
            call.edit(|outputs| {
                let elements = outputs[0].iter_mut();
                elements
                    .zip(left.iter().cycle())
                    .for_each(|(element, old)| *element = Some(*old));
            })
        })
        .unnamed(),
        golden("strides never negative", "SLICE1", |call| {
            call.with(|descriptor| {
                if let Value::Ints(Some(strides)) = &mut descriptor.fields[5] {
                    strides.iter_mut().for_each(|stride| *stride = stride.saturating_abs());
                }
            })
        })
        .is("attribute", "InputWindowStrides"),
    ]
}
