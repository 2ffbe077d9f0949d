//! Wrong limiting for the zoo: each is written here once more, without the oracle. They show where nothing is scaled.

use crate::oracle::{Call, ComputingFault, Right, numbers};
use dml_case::number::Number;

/// All of them.
pub(super) fn all() -> Vec<ComputingFault> {
    vec![
        fault("no-upper-limit", "the upper limit is not kept", |x, min, _| x.max(min)),
        fault("no-lower-limit", "the lower limit is not kept", |x, _, max| x.min(max)),
        fault(
            "limits-swapped",
            "the lower limit is taken for the upper one, and the other way round",
            |x, min, max| x.max(max).min(min),
        ),
        fault(
            "limits-of-magnitude",
            "the upper limit bounds the magnitude",
            |x, _, max| x.clamp(-max.abs(), max.abs()),
        ),
        fault(
            "outside-becomes-zero",
            "what is out of range becomes 0",
            |x, min, max| {
                if x < min || x > max { 0.0 } else { x }
            },
        ),
        fault(
            "limits-crossed",
            "what is below becomes the upper limit, what is above the lower one",
            |x, min, max| {
                if x < min {
                    max
                } else if x > max {
                    min
                } else {
                    x
                }
            },
        ),
        fault(
            "limits-without-fraction",
            "limits lose their fraction",
            |x, min, max| x.max(min.trunc()).min(max.trunc()),
        ),
        fault(
            "range-zero-to-one",
            "elements are limited to 0 and 1, whatever is asked for",
            |x, _, _| x.clamp(0.0, 1.0),
        ),
    ]
}

/// A fault that makes something else of an element, given the limits.
fn fault(
    name: &'static str,
    says: &'static str,
    of: impl Fn(f64, f64, f64) -> f64 + Send + Sync + 'static,
) -> ComputingFault {
    numbers(name, says, Right::Symptom(&["precision"]), move |call: &Call| {
        if call.scale_bias("ScaleBias").is_some() {
            return None;
        }
        let (min, max) = (f64::from(call.float("Min")?), f64::from(call.float("Max")?));
        let float = |number: Number| match number {
            Number::Float(x) => Some(Number::Float(of(x, min, max))),
            Number::Int(_) => None,
        };
        call.inputs.first()?.numbers().into_iter().map(float).collect()
    })
}
