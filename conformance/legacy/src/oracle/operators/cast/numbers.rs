//! One number as another type, as the page has it.

use dml_spec::model::{DataType, NumberClass};

use crate::oracle::{rounding, wanted::Wanted};
use dml_case::number::Number;

/// A number of another type: exact where the type holds it, cut off towards zero for whole types, either neighbour for
/// floats. Open beyond the type's range, and for NaN.
pub(super) fn convert(number: Number, to: &DataType) -> Wanted {
    match (number, to.class) {
        (Number::Float(x), _) if x.is_nan() => Wanted::Open,
        (Number::Float(x), NumberClass::Float) => real(x, to),
        (Number::Int(n), NumberClass::Float) => whole_to_real(n, to),
        (number, _) => {
            let n = match number {
                Number::Int(n) => n,
                // Saturates far beyond every type's range.
                Number::Float(x) => x.trunc() as i128,
            };
            let (least, greatest) = rounding::limits(to);
            if (least..=greatest).contains(&n) {
                Wanted::Whole(n)
            } else {
                Wanted::Open
            }
        }
    }
}

fn real(x: f64, to: &DataType) -> Wanted {
    if x.is_infinite() {
        return Wanted::exactly(x);
    }
    if x.trunc().abs() > rounding::greatest(to) {
        return Wanted::Open;
    }
    let value = rounding::nearest(to, x);
    Wanted::Real {
        value,
        slack: if value == x { 0.0 } else { between(x, to) },
    }
}

fn whole_to_real(n: i128, to: &DataType) -> Wanted {
    if n.unsigned_abs() as f64 > rounding::greatest(to) {
        return Wanted::Open;
    }
    // Straight to the type: through a double, a 64-bit number would be rounded twice.
    let value = if to.bits == 32 {
        f64::from(n as f32)
    } else {
        rounding::nearest(to, n as f64)
    };
    let exact = value as i128 == n;
    Wanted::Real {
        value,
        slack: if exact { 0.0 } else { between(n as f64, to) },
    }
}

/// How far the other neighbour may be from the nearest one; below the smallest normal number, 0 is a neighbour too.
fn between(x: f64, to: &DataType) -> f64 {
    let step = rounding::step(to, x);
    if x.abs() < rounding::smallest_normal(to) {
        step + x.abs()
    } else {
        step
    }
}
