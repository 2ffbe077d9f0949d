//! Guesses: what outputs would look like if the implementation made a known mistake.
//!
//! A guess that gives exactly what was seen names the mistake, where a list of differing elements only shows its
//! effects. [`general`](super::general) has the mistakes any operator can make; an oracle adds its own.

use dml_spec::model::{DataType, NumberClass};

use crate::compare::Tolerance;
use dml_case::number::{self, Number, decode};

/// Elements of every output; `None` where the mistake leaves the element open, so that it may be unwritten.
pub type Elements = Vec<Vec<Option<u64>>>;

/// What a backend computed, beside what it should have.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// Elements of every output in row-major order.
    pub outputs: &'a [Vec<u64>],
    /// What they should be.
    pub expected: &'a [Vec<u64>],
    /// Elements that still hold what they held before the run.
    pub untouched: &'a [Vec<bool>],
    /// How each output is compared; exactly where nothing stands for it.
    pub tolerances: &'a [Tolerance<'a>],
}

/// A mistake and the outputs it leads to.
pub struct Guess<'a> {
    /// Diagnosis class.
    pub class: &'static str,
    /// The mistake in words: lower case, no final period.
    pub says: String,
    /// Whether what it gives may also be unwritten; what it leaves open has to be then.
    pub partial: bool,
    /// The outputs; `None` where the mistake changes nothing or cannot be made here.
    pub gives: Box<dyn Fn() -> Option<Elements> + 'a>,
}

impl<'a> Guess<'a> {
    /// A guess that leaves no element unwritten.
    pub fn new(class: &'static str, says: impl Into<String>, gives: impl Fn() -> Option<Elements> + 'a) -> Self {
        Self {
            class,
            says: says.into(),
            partial: false,
            gives: Box::new(gives),
        }
    }

    /// Whether it gives exactly what was seen, wrong elements included. An element that is wrong because it was never
    /// written counts where the mistake leaves it open; one that is wrong but hardly apart from what the mistake gives
    /// counts where that is wrong as well.
    pub fn explains(&self, seen: &Seen) -> bool {
        let Some(given) = (self.gives)() else { return false };
        let mut proof = Proof::default();
        for (output, given) in given.iter().enumerate() {
            let (Some(actual), Some(expected)) = (seen.outputs.get(output), seen.expected.get(output)) else {
                return false;
            };
            if given.len() != actual.len() {
                return false;
            }
            for (at, (given, actual)) in given.iter().zip(actual).enumerate() {
                let due = expected.get(at).copied();
                let is_wrong = |bits: u64| due.is_none_or(|due| !seen.accepts(output, at, due, bits));
                let told = match (given, seen.is_untouched(output, at)) {
                    (Some(given), _) if seen.accepts(output, at, *given, *actual) => is_wrong(*given),
                    (Some(_), untouched) if !(self.partial && untouched) => return false,
                    (None, false) if self.partial => return false,
                    (None, untouched) => untouched,
                    // Unwritten, and by no merit of this mistake.
                    (Some(_), _) => continue,
                };
                if is_wrong(*actual) {
                    proof.note(told);
                }
            }
        }
        proof.holds()
    }
}

/// How far wrong elements speak for a mistake: where it gives something of its own. One that would let anything pass
/// there, or gives what is right, explains nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Proof {
    wrong: usize,
    told: usize,
}

impl Proof {
    /// Adds a wrong element, and whether the mistake foretells it.
    pub(super) fn note(&mut self, told: bool) {
        self.wrong += 1;
        self.told += usize::from(told);
    }

    /// Whether enough wrong elements were foretold.
    pub(super) fn holds(self) -> bool {
        self.told > 0 && 2 * self.told >= self.wrong
    }
}

/// Whether elements can speak for a way to compute them: zeros alone are what many mistakes lead to.
pub(super) fn tell(elements: &[u64]) -> bool {
    elements.len() < 2 || elements.iter().any(|bits| *bits != 0)
}

impl Seen<'_> {
    /// Whether an element is as near to `wanted` as the output has to be.
    pub fn accepts(&self, output: usize, at: usize, wanted: u64, actual: u64) -> bool {
        let tolerance = self.tolerances.get(output);
        wanted == actual || tolerance.is_some_and(|tolerance| tolerance.accepts(at, wanted, actual))
    }

    /// Whether these elements are near enough to the expected ones.
    pub fn is_expected(&self, outputs: &[Vec<u64>]) -> bool {
        let near = |(output, (found, wanted)): (usize, (&Vec<u64>, &Vec<u64>))| {
            let mut pairs = found.iter().zip(wanted).enumerate();
            found.len() == wanted.len() && pairs.all(|(at, (a, w))| self.accepts(output, at, *w, *a))
        };
        outputs.len() == self.expected.len() && outputs.iter().zip(self.expected).enumerate().all(near)
    }

    /// Whether the element still holds what it held before the run.
    pub fn is_untouched(&self, output: usize, at: usize) -> bool {
        self.untouched
            .get(output)
            .and_then(|u| u.get(at))
            .copied()
            .unwrap_or(false)
    }
}

/// Elements none of which is left open.
pub fn fixed(outputs: Vec<Vec<u64>>) -> Elements {
    outputs
        .into_iter()
        .map(|elements| elements.into_iter().map(Some).collect())
        .collect()
}

/// The key of an element. Where `by_bits`, floats are ordered by their bits, so that NaN lies beyond the infinity of
/// its sign: what a mistake makes of bytes that are no elements is nobody's to define, and this is how many do it.
pub(super) fn key(ty: &DataType, bits: u64, by_bits: bool) -> Number {
    if !by_bits || ty.class != NumberClass::Float {
        return decode(ty, bits);
    }
    let magnitude = i128::from(bits & number::mask(ty.bits - 1));
    let negative = bits >> (ty.bits - 1) & 1 == 1;
    Number::Int(if negative { -magnitude } else { magnitude })
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
