//! What mistakes make of elements, and pieces that several of them share.

use dml_case::number::{self, Number};

/// Elements of every output; `None` where the mistake leaves the element open, so that it may be unwritten.
pub type Elements = Vec<Vec<Option<u64>>>;

/// Elements none of which is left open.
pub fn fixed(outputs: Vec<Vec<u64>>) -> Elements {
    outputs
        .into_iter()
        .map(|elements| elements.into_iter().map(Some).collect())
        .collect()
}

/// The low bits of an index; a negative one counts from the end as it is.
pub fn low_bits(index: i128, bits: u32) -> i128 {
    if index < 0 {
        index
    } else {
        index & i128::from(dml_case::number::mask(bits))
    }
}

/// An index that was rounded to FLOAT16; those beyond its range stay as they are.
pub fn halved_index(index: i128) -> i128 {
    let rounded = through_half(Number::Int(index)).double();
    if rounded.is_finite() { rounded as i128 } else { index }
}

/// A number rounded to FLOAT16.
pub fn through_half(number: Number) -> Number {
    let half = |x: f64| {
        let magnitude = if x.abs() >= 65520.0 { f64::INFINITY } else { x.abs() };
        let step = 2f64.powi((number::exponent(magnitude) - 10).max(-24));
        if magnitude.is_finite() {
            (x / step).round_ties_even() * step
        } else {
            x.signum() * magnitude
        }
    };
    match number {
        Number::Float(x) if x.is_nan() || x == 0.0 => number,
        Number::Float(x) => Number::Float(half(x)),
        Number::Int(0) => number,
        Number::Int(n) => Number::Float(half(n as f64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_have_eleven_digits_and_a_short_range() {
        assert_eq!(through_half(Number::Int(2049)), Number::Float(2048.0));
        assert_eq!(through_half(Number::Float(-70000.0)), Number::Float(f64::NEG_INFINITY));
        assert_eq!(through_half(Number::Float(2f64.powi(-26))), Number::Float(0.0));
    }
}
