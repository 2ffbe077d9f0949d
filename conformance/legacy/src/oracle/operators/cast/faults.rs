//! Wrong conversions for the zoo: each is written here once more, without the oracle.

use dml_spec::model::{DataType, NumberClass};

use crate::oracle::{Call, ComputingFault, Right};
use dml_case::number::{Number, encode_float, encode_int, mask};

/// All of them.
pub(super) fn all() -> Vec<ComputingFault> {
    vec![
        fraction(
            "fractions-to-nearest",
            "fractions are rounded to the nearest whole number",
            f64::round,
        ),
        fraction("fractions-down", "fractions are rounded down", f64::floor),
        fraction("fractions-up", "fractions are rounded up", f64::ceil),
        fraction(
            "nearly-whole-rounded",
            "numbers that a millionth makes whole are rounded, others cut",
            |x| {
                if (x - x.round()).abs() <= 1e-6 * x.abs() {
                    x.round()
                } else {
                    x.trunc()
                }
            },
        ),
        fault(
            "bits-copied",
            "the bits are copied instead of the number",
            &["precision", "signedness"],
            |_, _, bits, to| Some(bits & mask(to.bits)),
        ),
        fault(
            "signs-lost",
            "numbers lose their sign",
            &["signedness", "precision"],
            |_, number, _, to| {
                Some(match number {
                    Number::Int(n) => encode_int(to, n.abs()),
                    Number::Float(x) => encode_float(to, x.abs()),
                })
            },
        ),
        fault(
            "negative-to-zero",
            "negative numbers become 0",
            &["signedness", "precision"],
            |_, number, _, to| {
                Some(match number {
                    Number::Int(n) => encode_int(to, n.max(0)),
                    Number::Float(x) => encode_float(to, if x < 0.0 { 0.0 } else { x }),
                })
            },
        ),
        through_whole(
            "through-int32",
            "numbers go through 32-bit whole numbers",
            |n| (n as i32).into(),
            |x| (x as i32).into(),
        ),
        through_whole(
            "through-uint32",
            "numbers go through 32-bit whole numbers without a sign",
            |n| (n as u32).into(),
            |x| (x as u32).into(),
        ),
        through_whole(
            "through-int16",
            "numbers go through 16-bit whole numbers",
            |n| (n as i16).into(),
            |x| (x as i16).into(),
        ),
        through_whole(
            "through-uint8",
            "numbers go through 8-bit whole numbers without a sign",
            |n| (n as u8).into(),
            |x| (x as u8).into(),
        ),
        through_whole(
            "through-int8",
            "numbers go through 8-bit whole numbers",
            |n| (n as i8).into(),
            |x| (x as i8).into(),
        ),
        fault(
            "truth",
            "all numbers but 0 become 1",
            &["precision"],
            |_, number, _, to| Some(encode_int(to, i128::from(number.double() != 0.0))),
        ),
        fault(
            "whole-numbers-normalized",
            "whole numbers are divided by the greatest of their type",
            &["precision"],
            |from, number, _, to| {
                let Number::Int(n) = number else { return None };
                let greatest = if from.class == NumberClass::Signed {
                    mask(from.bits - 1)
                } else {
                    mask(from.bits)
                };
                (to.class == NumberClass::Float).then(|| encode_float(to, n as f64 / greatest as f64))
            },
        ),
    ]
}

/// A fault that converts elements otherwise, from the type of the input with a number and its bits; `None` where it
/// does not show.
fn fault(
    name: &'static str,
    says: &'static str,
    also: &'static [&'static str],
    of: impl Fn(&DataType, Number, u64, &DataType) -> Option<u64> + Send + Sync + 'static,
) -> ComputingFault {
    ComputingFault::new(name, says, Right::Symptom(also), move |call: &Call, _| {
        let (input, output) = (call.inputs.first()?, call.outputs.first()?);
        let numbers = input.numbers().into_iter().zip(&input.elements);
        let given = numbers.map(|(number, bits)| of(&input.shape.ty, number, *bits, &output.ty).map(Some));
        Some(vec![given.collect::<Option<Vec<_>>>()?])
    })
}

/// A fault of numbers with fractions that become whole.
fn fraction(name: &'static str, says: &'static str, of: fn(f64) -> f64) -> ComputingFault {
    fault(name, says, &["precision"], move |_, number, _, to| match number {
        Number::Float(x) if to.class != NumberClass::Float => Some(encode_float(to, of(x))),
        _ => None,
    })
}

/// A fault of conversions that make a whole number of another kind on their way.
fn through_whole(
    name: &'static str,
    says: &'static str,
    of_int: fn(i128) -> i128,
    of_float: fn(f64) -> i128,
) -> ComputingFault {
    fault(name, says, &["precision", "signedness"], move |_, number, _, to| {
        Some(encode_int(
            to,
            match number {
                Number::Int(n) => of_int(n),
                Number::Float(x) => of_float(x),
            },
        ))
    })
}
