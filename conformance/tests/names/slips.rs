//! Wrong outputs of those who do something at another place, in another order, or in one way for two.

use dml_case::number::{Number, decode, encode_float, encode_int};
use dml_ops::Value;
use dml_spec::model::DataType;

use crate::{
    call::{Call, Elements, coordinates, sets, sizes},
    golden::{Golden, golden},
    ordering::{is_greatest, selected},
};

/// The value of DML_REDUCE_FUNCTION_SUM.
const SUM: u32 = 10;

/// Each of them has one true name.
pub(crate) fn goldens() -> Vec<Golden> {
    let mut all = calculating();
    all.extend(moving());
    all.extend(coincidences());
    all
}

/// Mistakes that others looked like, of which some cases are right by chance.
fn coincidences() -> Vec<Golden> {
    vec![
        golden("FLOAT16 limits cut off", "ELEMENT_WISE_CLIP", |call| {
            let ty = &call.inputs[0].shape.ty;
            if ty.name != "FLOAT16" {
                return call.right();
            }
            call.with(|descriptor| {
                for value in &mut descriptor.fields {
                    if let Value::Float(limit) = value {
                        let nearest = encode_float(ty, f64::from(*limit));
                        let rounded = decode(ty, nearest).double();
                        let is_above = rounded.is_finite() && rounded.abs() > f64::from(*limit).abs();
                        *limit = decode(ty, nearest - u64::from(is_above)).double() as f32;
                    }
                }
            })
        })
        .is("rounding", "numbers are rounded toward zero instead of to the nearest")
        .on_standard("ELEMENT_WISE_CLIP:*:*"),
        // Few cases show it, and in all that are made around them the limits are the same.
        golden("UINT32 compared as INT32", "ELEMENT_WISE_CLIP", |call| {
            if !call.inputs[0].is("UINT32") {
                return call.right();
            }
            let limit = |name: &str| (call.float(name) as u32).cast_signed();
            let (low, high) = (limit("Min"), limit("Max"));
            let limited = |bits: &u64| (*bits as u32).cast_signed().max(low).min(high).cast_unsigned();
            let elements = call.inputs[0].bits.iter().map(|bits| Some(u64::from(limited(bits))));
            call.edit(|outputs| outputs[0] = elements.clone().collect())
        })
        .unnamed()
        .on_standard("ELEMENT_WISE_CLIP:*:*"),
        golden("coordinates reversed", "NONZERO_COORDINATES", |call| {
            let width = sizes(&call.outputs[1]).last().copied().unwrap_or(1);
            call.edit(|outputs| outputs[1].chunks_mut(width.max(1)).for_each(<[_]>::reverse))
        })
        .unnamed(),
        // Elements that lie beyond the buffer are zeros.
        golden("indices read as packed", "GATHER", |call| {
            let count = call.inputs[1].bits.len();
            call.on(|inputs| inputs[1].bits = call.linear(1, 0, count))
        })
        .is("strides-ignored", "the strides of `IndicesTensor` are ignored"),
    ]
}

fn calculating() -> Vec<Golden> {
    vec![
        golden("the greater of both branches", "ACTIVATION_LEAKY_RELU", |call| {
            let alpha = call.float("Alpha");
            call.each(|x| if x.is_nan() { x } else { x.max(alpha * x) })
        })
        .is("branch", "the greater of both branches"),
        golden("magnitude of the sum", "REDUCE", |call| {
            if !call.has("Function", "L1") {
                return call.right();
            }
            let mut sums = call.set("Function", Value::UInt(SUM));
            let ty = &call.outputs[0].ty;
            for element in sums[0].iter_mut().flatten() {
                *element = match decode(ty, *element) {
                    Number::Int(n) => encode_int(ty, n.abs()),
                    Number::Float(_) => *element & !(1 << (ty.bits - 1)),
                };
            }
            sums
        })
        .is("operands-swapped", "`abs` is taken of the sum"),
        golden("an odd last term lost", "REDUCE", |call| {
            if !call.has("Function", "SUM") {
                return call.right();
            }
            let odd = sets(&call.inputs[0].sizes(), &call.list("Axes"));
            let odd = odd.iter().filter(|set| set.len() % 2 == 1 && set.len() > 1);
            call.on(|inputs| odd.clone().for_each(|set| inputs[0].bits[set[set.len() - 1]] = 0))
        })
        .is("bounds", "what is left after the last whole block of 2 is left out"),
        golden("second number of the activation", "ELEMENT_WISE_ADD1", |call| {
            call.with(|descriptor| {
                for value in &mut descriptor.fields {
                    if let Value::Operator(Some(nested)) = value {
                        let numbers = nested
                            .fields
                            .iter_mut()
                            .filter(|value| matches!(value, Value::Float(_)));
                        numbers.skip(1).take(1).for_each(|value| *value = Value::Float(0.0));
                    }
                }
            })
        })
        .is("attribute", "the second number of `FusedActivation` is taken for 0"),
    ]
}

fn moving() -> Vec<Golden> {
    vec![
        golden("ends exchanged if they are out of order", "DIAGONAL_MATRIX1", |call| {
            let (begin, end) = (call.value("DiagonalFillBegin"), call.value("DiagonalFillEnd"));
            let (Value::Int(low), Value::Int(high)) = (begin, end) else {
                panic!("{begin:?} and {end:?} are no numbers")
            };
            if low <= high {
                return call.right();
            }
            call.with(|descriptor| {
                for value in &mut descriptor.fields {
                    match value {
                        Value::Int(x) if x == low => *x = *high,
                        Value::Int(x) if x == high => *x = *low,
                        _ => {}
                    }
                }
            })
        })
        .is("attribute", "`DiagonalFillBegin` and `DiagonalFillEnd` are exchanged")
        .when("DiagonalFillBegin is greater than DiagonalFillEnd"),
        golden("worst of the best first", "TOP_K", backwards).is(
            "index",
            "outputs are written from the last element to the first along `Axis`",
        ),
        golden("sorted by negatives", "TOP_K1", |call| {
            let greatest = is_greatest(call);
            let negative = |ty: &DataType, bits: u64| match decode(ty, bits) {
                Number::Int(n) => decode(ty, encode_int(ty, -n)),
                Number::Float(x) => Number::Float(-x),
            };
            selected(call, |ty, a, b| {
                let order = match greatest {
                    true => negative(ty, a.1).order(negative(ty, b.1)),
                    false => decode(ty, a.1).order(decode(ty, b.1)),
                };
                order.unwrap().then(a.0.cmp(&b.0))
            })
        })
        .is("signedness", "is compared by its negative, in its own type"),
        golden("coordinates column by column", "NONZERO_COORDINATES", column_by_column).is(
            "axis-confused",
            "is counted with the first dimension as the fastest, everywhere",
        ),
        // Words with the sign of the low one give indices that are nowhere, which is the same.
        golden("negative INT64 indices taken as 0", "GATHER", |call| {
            let ty = &call.inputs[1].shape.ty;
            call.on(|inputs| {
                let indices = inputs[1].bits.iter_mut();
                let negative = indices.filter(|bits| decode(ty, **bits).double() < 0.0);
                negative.filter(|_| ty.name == "INT64").for_each(|bits| *bits = 0);
            })
        })
        .is("branch", "`i + InputTensor.Sizes[Axis]` is taken for 0")
        .when("IndicesTensor.DataType is INT64")
        .on_standard("GATHER:*:*"),
        golden("size of the last dimension", "GATHER", |call| {
            let data = call.inputs[0].sizes();
            let (axis, ty) = (call.uint("Axis"), &call.inputs[1].shape.ty);
            let (own, last) = (data[axis] as f64, data[data.len() - 1] as f64);
            call.on(|inputs| {
                for bits in &mut inputs[1].bits {
                    let index = decode(ty, *bits).double();
                    if index < 0.0 {
                        let index = (index + last).clamp(0.0, own - 1.0);
                        *bits = encode_int(ty, index as i128);
                    }
                }
            })
        })
        .is("axis-confused", "is taken for the size of the last dimension"),
    ]
}

fn backwards(call: &Call<'_>) -> Elements {
    let along = sets(&sizes(&call.outputs[0]), &[call.uint("Axis")]);
    call.edit(|outputs| {
        for output in outputs {
            for set in &along {
                let turned: Vec<Option<u64>> = set.iter().rev().map(|at| output[*at]).collect();
                set.iter().zip(turned).for_each(|(at, element)| output[*at] = element);
            }
        }
    })
}

/// The rows of coordinates in the order in which elements lie if the first dimension is the fastest.
fn column_by_column(call: &Call<'_>) -> Elements {
    let input = &call.inputs[0];
    let (all, to) = (input.sizes(), sizes(&call.outputs[1]));
    let width = to[to.len() - 1];
    let numbers = input.numbers();
    let mut rows: Vec<Vec<usize>> = (0..numbers.len())
        .filter(|at| numbers[*at] != 0.0)
        .map(|at| coordinates(&all, at))
        .collect();
    rows.sort_by(|a, b| a.iter().rev().cmp(b.iter().rev()));
    call.edit(|outputs| {
        for (n, row) in rows.iter().enumerate() {
            for (column, coordinate) in row[all.len() - width..].iter().enumerate() {
                if let Some(element) = outputs[1].get_mut(n * width + column) {
                    *element = Some(*coordinate as u64);
                }
            }
        }
    })
}
