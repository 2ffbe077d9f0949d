//! Controls: what wrong outputs are computed with, without the mistake. Each has to pass, so that a golden has no mistake
//! beside its own.

use dml_ops::Value;

use crate::{
    elementwise::{scaled, shares},
    golden::{Golden, golden},
    ordering::{by_number, is_greatest, selected},
    sets::{chosen, greatest, key, scanned, scanned_by},
    sums::{folded, is_exact},
};

pub(crate) fn controls() -> Vec<Golden> {
    let mut all = of_kernels();
    all.extend(by_hand());
    all.extend(of_many());
    all
}

/// The kernel on the inputs as they are, packed.
fn of_kernels() -> Vec<Golden> {
    let operators = dml_conformance::spec::catalog().operators.iter();
    let operators = operators.filter(|operator| operator.is_computed());
    let same = |name: &'static str| golden("packed inputs", name, |call| call.on(|_| {}));
    operators.map(|operator| same(&operator.name)).collect()
}

fn by_hand() -> Vec<Golden> {
    vec![
        golden("by hand", "ACTIVATION_LINEAR", |call| {
            let (alpha, beta) = (call.float("Alpha"), call.float("Beta"));
            call.each(|x| alpha * x + beta)
        }),
        golden("by hand", "ACTIVATION_LEAKY_RELU", |call| {
            let alpha = call.float("Alpha");
            call.each(|x| if x >= 0.0 { x } else { alpha * x })
        }),
        golden("by hand", "ELEMENT_WISE_CLIP", |call| {
            if !call.inputs[0].is_float() || call.value("ScaleBias") == &Value::ScaleBias(None) {
                return call.right();
            }
            let ((scale, bias), least, most) = (scaled(call), call.float("Min"), call.float("Max"));
            call.each(|x| (scale * x + bias).max(least).min(most))
        }),
        golden("by hand", "ACTIVATION_SOFTMAX1", |call| {
            shares(call, |x, top| libm::exp(x - top), |powers| powers.iter().sum())
        }),
    ]
}

fn of_many() -> Vec<Golden> {
    vec![
        golden("by hand", "ARGMAX", |call| {
            let (last, ty) = (call.has("AxisDirection", "DECREASING"), call.inputs[0].shape.ty.clone());
            chosen(call, |bits, _| {
                let keys: Vec<(i128, f64)> = bits.iter().map(|bits| key(&ty, *bits)).collect();
                greatest(&keys, last)
            })
        }),
        golden("one block", "CUMULATIVE_SUMMATION", |call| scanned(call, usize::MAX)),
        golden("by hand", "CUMULATIVE_SUMMATION", |call| {
            match call.inputs[0].is_wide() {
                true => scanned_by(call, u64::wrapping_add),
                false => call.right(),
            }
        }),
        golden("by hand", "FOLD", |call| match is_exact(call) {
            true => folded(call, &call.list("Dilations"), |a, b| a + b),
            false => call.right(),
        }),
        golden("by hand", "TOP_K1", |call| {
            let greatest = is_greatest(call);
            selected(call, |ty, a, b| by_number(ty, a, b, greatest).then(a.0.cmp(&b.0)))
        }),
    ]
}
