//! Guesses about any operator: mistakes in how inputs are read and elements compared.

use dml_spec::model::{DataType, NumberClass};

use super::{
    Call, Oracle, Seen,
    guess::{Elements, Guess, fixed, through_half},
    strides,
};
use dml_case::number::{self, Number, decode, encode_float, encode_int};

/// Classes that [`general`] names.
pub const CLASSES: &[&str] = &[strides::STRIDES_IGNORED, "signedness", "precision"];

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
}
