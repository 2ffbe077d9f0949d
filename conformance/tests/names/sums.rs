//! Wrong outputs of sums of products, and of sums of patches.

use dml_case::number::{Number, decode, encode_float, encode_int};
use dml_ops::Value;

use crate::{
    call::{Call, Elements, coordinates, is_float, place, sizes},
    golden::{Golden, golden},
};

pub(crate) fn goldens() -> Vec<Golden> {
    let mut all = factors();
    all.extend(products());
    all.extend(folds());
    all
}

/// The right-hand matrices as they lie in memory, rows for columns, although they are to be transposed.
fn untransposed(call: &Call<'_>) -> Elements {
    if call.has("TransB", "NONE") {
        return call.right();
    }
    call.on_with(
        |inputs| {
            let strides = inputs[1].shape.strides.clone();
            let shape = &mut inputs[1].shape;
            let rank = shape.sizes.len();
            shape.sizes.swap(rank - 2, rank - 1);
            let now = sizes(shape);
            let element = |at: usize| {
                let at = coordinates(&now, at);
                let offset: usize = at.iter().zip(&strides).map(|(at, stride)| at * *stride as usize).sum();
                call.linear(1, offset, 1)[0]
            };
            inputs[1].bits = (0..now.iter().product()).map(element).collect();
        },
        |descriptor| descriptor.fields[5] = Value::UInt(0),
    )
}

fn factors() -> Vec<Golden> {
    vec![
        golden("products not scaled", "GEMM", |call| {
            call.set("Alpha", Value::Float(1.0))
        })
        .is("attribute", "Alpha")
        .is("operand-dropped", "Alpha"),
        golden("right-hand matrices never transposed", "GEMM", untransposed)
            .is("attribute", "TransB")
            .is("branch", "TransB"),
        golden("repeated addends read as packed", "GEMM", |call| {
            if !call.inputs.get(2).is_some_and(|addends| addends.shape.is_repeated()) {
                return call.right();
            }
            let count = call.inputs[2].bits.len();
            call.on(|inputs| inputs[2].bits = call.linear(2, 0, count))
        })
        .is("strides-ignored", "CTensor"),
    ]
}

fn products() -> Vec<Golden> {
    vec![
        golden("terms beyond a multiple of 4 lost", "GEMM", |call| {
            call.on(|inputs| {
                for (at, (input, trans)) in inputs.iter_mut().zip(["TransA", "TransB"]).enumerate() {
                    let (sizes, rank) = (input.sizes(), input.shape.sizes.len());
                    // The left-hand matrices have the terms in their columns, the others in their rows.
                    let along = if call.has(trans, "NONE") == (at == 0) {
                        rank - 1
                    } else {
                        rank - 2
                    };
                    let kept = sizes[along] / 4 * 4;
                    for (at, bits) in input.bits.iter_mut().enumerate() {
                        if coordinates(&sizes, at)[along] >= kept {
                            *bits = 0;
                        }
                    }
                }
            })
        })
        .is(
            "bounds",
            "of `0..terms` what is left after the last whole block of 4 is left out",
        ),
        golden("FLOAT16 twice as great", "GEMM", |call| {
            let ty = &call.outputs[0].ty;
            call.edit(|outputs| {
                if call.inputs[0].is("FLOAT16") {
                    let twice = |element: &u64| encode_float(ty, 2.0 * decode(ty, *element).double());
                    outputs[0]
                        .iter_mut()
                        .flatten()
                        .for_each(|element| *element = twice(element));
                }
            })
        })
        .implying("DataType is FLOAT16")
        .unnamed(),
    ]
}

/// What becomes of an element that a patch reaches: the new one, from it and the patch's.
pub(crate) type Meet = fn(f64, f64) -> f64;

/// The sums of patches whose elements lie so far apart.
pub(crate) fn folded(call: &Call<'_>, dilations: &[usize], meet: Meet) -> Elements {
    let (input, out) = (&call.inputs[0], &call.outputs[0]);
    let (from, to) = (input.sizes(), sizes(out));
    let (window, strides) = (call.list("WindowSizes"), call.list("Strides"));
    let (start, end, right) = (
        call.list("StartPadding"),
        call.list("EndPadding"),
        call.list("Dilations"),
    );
    let spatial = window.len();
    let padded = |d: usize| to[d + 2] + start[d] + end[d];
    let blocks: Vec<usize> = (0..spatial)
        .map(|d| (padded(d) - right[d] * (window[d] - 1) - 1) / strides[d] + 1)
        .collect();
    let taps: usize = window.iter().product();
    let mut sums = vec![0.0; to.iter().product()];
    for (at, bits) in input.bits.iter().enumerate() {
        let place_of = coordinates(&from, at);
        let tap = coordinates(&window, place_of[1] % taps);
        let block = coordinates(&blocks, place_of[2]);
        let reached: Option<Vec<usize>> = (0..spatial)
            .map(|d| (block[d] * strides[d] + tap[d] * dilations[d]).checked_sub(start[d]))
            .zip(&to[2..])
            .map(|(x, size)| x.filter(|x| x < size))
            .collect();
        if let Some(reached) = reached {
            let at = [&[place_of[0], place_of[1] / taps], &reached[..]].concat();
            let sum = &mut sums[place(&to, &at)];
            *sum = meet(*sum, decode(&input.shape.ty, *bits).double());
        }
    }
    let encode = |sum: &f64| match is_float(&out.ty) {
        true => encode_float(&out.ty, *sum),
        false => encode_int(&out.ty, *sum as i128),
    };
    vec![sums.iter().map(|sum| Some(encode(sum))).collect()]
}

/// Whether a double holds all elements, so that nothing but a mistake changes the sums.
pub(crate) fn is_exact(call: &Call<'_>) -> bool {
    let exact = |bits: &u64| match decode(&call.inputs[0].shape.ty, *bits) {
        Number::Int(n) => n.abs() < 1 << 50,
        Number::Float(_) => true,
    };
    call.inputs[0].bits.iter().all(exact)
}

fn folds() -> Vec<Golden> {
    vec![
        golden("elements of a patch side by side", "FOLD", |call| {
            let dilations = vec![1; call.list("Dilations").len()];
            let is_wrong = is_exact(call) && dilations != call.list("Dilations");
            if is_wrong {
                folded(call, &dilations, |a, b| a + b)
            } else {
                call.right()
            }
        })
        .is("attribute", "Dilations")
        .is("operand-dropped", "Dilations"),
        golden("last patch wins", "FOLD", |call| match is_exact(call) {
            true => folded(call, &call.list("Dilations"), |_, b| b),
            false => call.right(),
        })
        .is("operator", "last")
        .is("operator", "replace"),
    ]
}
