//! Wrong sums for the zoo: each is written here once more, without the oracle. They show where no activation is fused.

use crate::oracle::{Call, ComputingFault, Right, numbers};
use dml_case::number::Number;

/// All of them.
pub(super) fn all() -> Vec<ComputingFault> {
    vec![
        fault(
            "subtracted",
            "the second operand is subtracted",
            |a, b| a - b,
            |a, b| a - b,
        ),
        fault(
            "multiplied",
            "the operands are multiplied",
            |a, b| a * b,
            |a, b| a.wrapping_mul(b),
        ),
        fault(
            "first-twice",
            "the first operand is added to itself",
            |a, _| a + a,
            |a, _| a + a,
        ),
        fault(
            "second-twice",
            "the second operand is added to itself",
            |_, b| b + b,
            |_, b| b + b,
        ),
        fault("second-ignored", "the second operand takes no part", |a, _| a, |a, _| a),
        fault(
            "halved",
            "the mean of the operands",
            |a, b| (a + b) / 2.0,
            |a, b| (a + b) / 2,
        ),
        fault(
            "magnitudes",
            "the magnitudes are added",
            |a, b| a.abs() + b.abs(),
            |a, b| a.abs() + b.abs(),
        ),
        fault(
            "one-more",
            "the sums are 1 too large",
            |a, b| a + b + 1.0,
            |a, b| a + b + 1,
        ),
        fault(
            "larger-operand",
            "the larger operand instead of the sum",
            f64::max,
            |a, b| a.max(b),
        ),
    ]
}

/// A fault that makes something else of two floats, or of two whole numbers.
fn fault(
    name: &'static str,
    says: &'static str,
    floats: impl Fn(f64, f64) -> f64 + Send + Sync + 'static,
    wholes: impl Fn(i128, i128) -> i128 + Send + Sync + 'static,
) -> ComputingFault {
    numbers(name, says, Right::Symptom(&["precision"]), move |call: &Call| {
        let ([a, b], None) = (call.inputs.as_slice(), call.nested("FusedActivation")) else {
            return None;
        };
        let sum = |(a, b): (Number, Number)| match (a, b) {
            (Number::Float(a), Number::Float(b)) => Some(Number::Float(floats(a, b))),
            (Number::Int(a), Number::Int(b)) => Some(Number::Int(wholes(a, b))),
            _ => None,
        };
        a.numbers().into_iter().zip(b.numbers()).map(sum).collect()
    })
}
