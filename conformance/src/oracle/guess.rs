//! Guesses: what outputs would look like if the implementation made a known mistake.
//!
//! A guess that gives exactly what was seen names the mistake, where a list of differing elements only shows its
//! effects. Here stand the mistakes any operator can make; an oracle adds its own.

use dml_spec::model::{DataType, NumberClass};

use super::{Call, Oracle, strides};
use crate::compare::Tolerance;
use crate::number::{self, Number, decode, encode_float, encode_int};

/// Classes that [`general`] names.
pub const CLASSES: &[&str] = &[strides::STRIDES_IGNORED, "signedness", "precision"];

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

/// Mistakes that any operator can make, the most likely first.
pub fn general<'a>(oracle: &'a dyn Oracle, call: &'a Call<'a>, seen: &Seen<'a>) -> Vec<Guess<'a>> {
    let mut guesses = strides::guesses(oracle, call);
    if oracle.may_be_ordered(call, seen) {
        guesses.extend(reinterpreted(oracle, call));
        guesses.extend(rounded(oracle, call, *seen));
    }
    guesses.extend(misread(oracle, call));
    guesses
}

/// Inputs whose elements are read as something else before anything is computed from them.
fn misread<'a>(oracle: &'a dyn Oracle, call: &'a Call<'a>) -> Vec<Guess<'a>> {
    let classes = [
        (
            NumberClass::Signed,
            NumberClass::Unsigned,
            "signed integers are read as unsigned ones",
        ),
        (
            NumberClass::Unsigned,
            NumberClass::Signed,
            "unsigned integers are read as signed ones",
        ),
    ];
    let of_class = |(from, to, says)| Guess::new("signedness", says, move || read_as(oracle, call, from, to));
    let mut guesses: Vec<Guess> = classes.into_iter().map(of_class).collect();
    for input in 0..call.inputs.len() {
        let ty = &call.inputs[input].shape.ty;
        if call.inputs[..input].iter().any(|other| other.shape.ty == *ty) {
            continue;
        }
        let losses = roundings(ty).into_iter().filter(|(how, _)| !how.contains("cut off to"));
        for (how, loss) in losses.chain(cut_off(ty)).chain(without_infinities(ty)) {
            let says = format!("{} elements are read {how}", ty.name);
            let saturates = how.starts_with("as FLOAT");
            guesses.push(Guess::new("precision", says, move || {
                let (mut changed, mut changes) = (call.clone(), false);
                for input in changed.inputs.iter_mut().filter(|input| input.shape.ty == *ty) {
                    for bits in &mut input.elements {
                        let number = decode(ty, *bits);
                        let read = if number.is_nan() {
                            *bits
                        } else {
                            encode(ty, within(ty, loss(number), saturates))
                        };
                        changes |= read != *bits;
                        *bits = read;
                    }
                }
                changes.then(|| fixed(oracle.reference(&changed)))
            }));
        }
    }
    guesses
}

/// Ways to read infinities as numbers.
fn without_infinities(ty: &DataType) -> Vec<(String, Rounding)> {
    if ty.class != NumberClass::Float {
        return Vec::new();
    }
    let most = number::greatest_finite(ty);
    let clamped: Rounding = Box::new(move |n| on_float(n, |x| x.clamp(-most, most)));
    let zero: Rounding = Box::new(|n| on_float(n, |x| if x.is_infinite() { 0.0 } else { x }));
    vec![
        ("with infinities as the greatest finite number".to_owned(), clamped),
        ("with infinities as zero".to_owned(), zero),
    ]
}

/// A number that a conversion back to a type of whole numbers leaves, if that saturates.
fn within(ty: &DataType, number: Number, saturates: bool) -> Number {
    match (number, ty.whole_numbers()) {
        (Number::Int(n), Some((least, most))) if saturates => Number::Int(n.clamp(least, most)),
        _ => number,
    }
}

/// What comes out where integers of one class are taken for those of another.
fn read_as(oracle: &dyn Oracle, call: &Call, from: NumberClass, to: NumberClass) -> Option<Elements> {
    let mut changed = call.clone();
    let inputs = changed.inputs.iter_mut().map(|input| &mut input.shape);
    let mut changes = false;
    for shape in inputs
        .chain(&mut changed.outputs)
        .filter(|shape| shape.ty.class == from)
    {
        shape.ty.class = to;
        changes = true;
    }
    changes.then(|| fixed(oracle.reference(&changed)))
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

/// Elements compared as if they were of another number class.
fn reinterpreted<'a>(oracle: &'a dyn Oracle, call: &'a Call<'a>) -> Vec<Guess<'a>> {
    let classes = [(NumberClass::Signed, "signed"), (NumberClass::Unsigned, "unsigned")];
    let guess = |(class, name): (NumberClass, &str)| {
        Guess::new(
            "signedness",
            format!("elements are compared as if their bits were {name} integers"),
            move || {
                let read = |ty: &DataType, bits: u64| decode(&DataType { class, ..ty.clone() }, bits);
                let changes = call.inputs.iter().any(|input| input.shape.ty.class != class);
                let keys = |input: &super::Input| input.elements.iter().map(|b| read(&input.shape.ty, *b)).collect();
                let keys: Vec<Vec<Number>> = call.inputs.iter().map(keys).collect();
                changes.then(|| oracle.ordered_by(call, &keys)).flatten().map(fixed)
            },
        )
    };
    classes.into_iter().map(guess).collect()
}

/// A way to lose digits.
type Rounding = Box<dyn Fn(Number) -> Number>;

/// Elements compared, and perhaps copied, after digits were lost.
fn rounded<'a>(oracle: &'a dyn Oracle, call: &'a Call<'a>, seen: Seen<'a>) -> Vec<Guess<'a>> {
    let Some(ty) = call.inputs.first().map(|input| &input.shape.ty) else {
        return Vec::new();
    };
    let mut guesses = Vec::new();
    let rounded = roundings(ty).into_iter();
    let rounded = rounded.filter(|(_, rounding)| same_after(rounding, call, &seen));
    for (how, rounding) in rounded.chain(cut_off(ty)) {
        let gives = move || {
            let keys = |input: &super::Input| input.numbers().into_iter().map(&rounding).collect();
            let keys: Vec<Vec<Number>> = call.inputs.iter().map(keys).collect();
            let mut given = fixed(oracle.ordered_by(call, &keys)?);
            // The values themselves may have been rounded as well, all of them.
            for (output, given) in given.iter_mut().enumerate() {
                let Some(shape) = call.outputs.get(output).filter(|shape| shape.ty == *ty) else {
                    continue;
                };
                let lossy = |bits: &Option<u64>| bits.map(|bits| encode(ty, rounding(decode(&shape.ty, bits))));
                let lossy: Vec<Option<u64>> = given.iter().map(lossy).collect();
                let actual = seen.outputs.get(output)?.iter().copied().map(Some);
                if actual.eq(lossy.iter().copied()) {
                    *given = lossy;
                }
            }
            Some(given)
        };
        guesses.push(Guess::new("precision", format!("elements are compared {how}"), gives));
    }
    guesses
}

/// Whether an output of the input's type differs, but no longer after rounding: an order by rounded keys keeps the
/// rounded values in place.
fn same_after(rounding: &Rounding, call: &Call, seen: &Seen) -> bool {
    let Some(ty) = call.inputs.first().map(|input| &input.shape.ty) else {
        return false;
    };
    call.outputs
        .iter()
        .zip(seen.outputs)
        .zip(seen.expected)
        .any(|((shape, actual), expected)| {
            let same = |(a, b): (&u64, &u64)| rounding(decode(ty, *a)) == rounding(decode(ty, *b));
            shape.ty == *ty && actual != expected && actual.iter().zip(expected).all(same)
        })
}

/// Ways to lose digits of a type that keep the order of the rest, the finest first, and what to say of them.
fn roundings(ty: &DataType) -> Vec<(String, Rounding)> {
    let mut all: Vec<(String, Rounding)> = Vec::new();
    if ty.class == NumberClass::Float {
        let normal = smallest_normal(ty.bits);
        let flush = move |n| {
            if denormal(normal, n) { Number::Float(0.0) } else { n }
        };
        all.push(("with denormals as zero".to_owned(), Box::new(flush)));
        for bits in (1..number::mantissa_bits(ty.bits)).rev() {
            all.push((
                format!("rounded to {bits} bits of mantissa or fewer"),
                rounding(ty, bits, true),
            ));
            all.push((
                format!("cut off to {bits} bits of mantissa or fewer"),
                rounding(ty, bits, false),
            ));
        }
        all.push(("as FLOAT16".to_owned(), Box::new(through_half)));
        all.push(("as whole numbers".to_owned(), Box::new(|n| on_float(n, f64::trunc))));
        all.push((
            "as rounded whole numbers".to_owned(),
            Box::new(|n| on_float(n, f64::round_ties_even)),
        ));
    } else {
        all.push(("as FLOAT64".to_owned(), Box::new(|n| on_int(n, |i| i as f64 as i128))));
        all.push(("as FLOAT32".to_owned(), Box::new(|n| on_int(n, |i| i as f32 as i128))));
        all.push(("as FLOAT16".to_owned(), Box::new(through_half)));
        let saturated = |i: i128| i.clamp(i128::from(i32::MIN), i128::from(i32::MAX));
        all.push((
            "as INT32, saturated".to_owned(),
            Box::new(move |n| on_int(n, saturated)),
        ));
    }
    all
}

/// Ways to lose the high word of a number, which keep nothing of the order.
fn cut_off(ty: &DataType) -> Vec<(String, Rounding)> {
    if ty.class == NumberClass::Float || ty.bits <= 32 {
        return Vec::new();
    }
    let signed: Rounding = Box::new(|n| on_int(n, |i| i128::from(i as i32)));
    let unsigned: Rounding = Box::new(|n| on_int(n, |i| i128::from(i as u32)));
    [("INT32", signed), ("UINT32", unsigned)]
        .map(|(name, cut)| (format!("as {name}, their high words cut off"), cut))
        .into()
}

fn encode(ty: &DataType, number: Number) -> u64 {
    match number {
        Number::Int(n) => encode_int(ty, n),
        Number::Float(x) => encode_float(ty, x),
    }
}

/// Smallest normal number of a float of this width.
fn smallest_normal(width: u32) -> f64 {
    match width {
        16 => 2f64.powi(-14),
        32 => f64::from(f32::MIN_POSITIVE),
        _ => f64::MIN_POSITIVE,
    }
}

fn denormal(smallest_normal: f64, number: Number) -> bool {
    matches!(number, Number::Float(x) if x.abs() < smallest_normal)
}

fn on_float(number: Number, change: impl Fn(f64) -> f64) -> Number {
    match number {
        Number::Float(x) => Number::Float(change(x)),
        whole => whole,
    }
}

fn on_int(number: Number, change: impl Fn(i128) -> i128) -> Number {
    match number {
        Number::Int(n) => Number::Int(change(n)),
        float => float,
    }
}

/// The low bits of an index; a negative one counts from the end as it is.
pub(crate) fn low_bits(index: i128, bits: u32) -> i128 {
    if index < 0 {
        index
    } else {
        index & i128::from(crate::number::mask(bits))
    }
}

/// An index that was rounded to FLOAT16; those beyond its range stay as they are.
pub(crate) fn halved_index(index: i128) -> i128 {
    let rounded = through_half(Number::Int(index)).double();
    if rounded.is_finite() { rounded as i128 } else { index }
}

/// A number rounded to FLOAT16.
pub(crate) fn through_half(number: Number) -> Number {
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

/// Keeps `bits` bits of the mantissa of a float type, rounded to nearest even or cut off. Works on the type's own
/// bits, so that denormals lose digits and the greatest numbers become infinite as they do in hardware.
fn rounding(ty: &DataType, bits: u32, nearest: bool) -> Rounding {
    let ty = ty.clone();
    let drop = number::mantissa_bits(ty.bits).saturating_sub(bits);
    Box::new(move |number| match number {
        Number::Float(x) if x.is_finite() && drop > 0 => {
            let raw = encode_float(&ty, x);
            let up = if nearest {
                (1 << (drop - 1)) - 1 + (raw >> drop & 1)
            } else {
                0
            };
            decode(&ty, (raw + up) >> drop << drop)
        }
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mantissas_round_to_nearest_even() {
        let ty = |bits| DataType {
            name: "FLOAT".into(),
            value: 1,
            bits,
            class: NumberClass::Float,
            introduced: dml_spec::FeatureLevel::new(1, 0),
        };
        let x = |n: f64| Number::Float(n);
        let (near, cut) = (rounding(&ty(32), 7, true), rounding(&ty(32), 7, false));
        assert_eq!(near(x(1.0 + 2f64.powi(-8))), x(1.0));
        assert_eq!(near(x(1.0 + 3.0 * 2f64.powi(-8))), x(1.0 + 2f64.powi(-6)));
        assert_eq!(cut(x(-1.0 - 3.0 * 2f64.powi(-8))), x(-1.0 - 2f64.powi(-7)));
        assert_eq!(near(x(f64::INFINITY)), x(f64::INFINITY));
        let (near, cut) = (rounding(&ty(16), 7, true), rounding(&ty(16), 7, false));
        assert_eq!(cut(x(7.0 * 2f64.powi(-24))), x(0.0), "denormals lose digits");
        assert_eq!(near(x(65504.0)), x(f64::INFINITY));
    }

    #[test]
    fn halves_have_eleven_digits_and_a_short_range() {
        assert_eq!(through_half(Number::Int(2049)), Number::Float(2048.0));
        assert_eq!(through_half(Number::Float(-70000.0)), Number::Float(f64::NEG_INFINITY));
        assert_eq!(through_half(Number::Float(2f64.powi(-26))), Number::Float(0.0));
    }
}
