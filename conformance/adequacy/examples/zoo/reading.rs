//! Backends that read their inputs wrongly.

use dml_spec::model::{DataType, NumberClass};

use crate::fault::{About, Fault, Stage, Wrong};
use dml_case::number::{
    Number, decode, encode_float, encode_int, greatest_finite, is_denormal, is_infinite, is_negative_zero,
};
use dml_legacy::oracle::{Call, Right, guess::through_half, smallest_normal};

/// Ways to read inputs wrongly that this operator's tensors leave room for.
pub(crate) fn faults(about: &About) -> Vec<Fault> {
    let mut all = types(about);
    all.extend(values(about));
    all.extend(inputs(about));
    all
}

/// A fault that changes the call before it is computed; `change` says whether it does.
pub(crate) fn reading(
    name: &str,
    says: &str,
    right: Right,
    change: impl Fn(&mut Call) -> bool + Send + Sync + 'static,
) -> Fault {
    Fault::new(Stage::Reading, name, says, right, move |scene| {
        let mut call = scene.call()?.clone();
        change(&mut call)
            .then(|| scene.computed(&call).map(Wrong::Elements))
            .flatten()
    })
}

/// A fault that reads every element of some types as something else.
fn elements(
    name: &str,
    says: &str,
    right: Right,
    becomes: impl Fn(&DataType, u64) -> u64 + Send + Sync + 'static,
) -> Fault {
    reading(name, says, right, move |call| {
        let mut changed = false;
        for input in &mut call.inputs {
            let ty = input.shape.ty.clone();
            for bits in &mut input.elements {
                let read = becomes(&ty, *bits);
                changed |= read != *bits;
                *bits = read;
            }
        }
        changed
    })
}

fn types(about: &About) -> Vec<Fault> {
    let mut all = Vec::new();
    let named = |names: &'static [&'static str]| Right::Named(names);
    if about.input(|ty| ty.class == NumberClass::Signed) {
        all.push(class(
            "signed-as-unsigned",
            "signed integers are read as unsigned ones",
            NumberClass::Signed,
            NumberClass::Unsigned,
        ));
    }
    if about.input(|ty| ty.class == NumberClass::Unsigned) {
        all.push(class(
            "unsigned-as-signed",
            "unsigned integers are read as signed ones",
            NumberClass::Unsigned,
            NumberClass::Signed,
        ));
    }
    if about.input(|ty| ty.class != NumberClass::Float && ty.bits == 64) {
        all.push(elements(
            "high-words-dropped",
            "of 64-bit integers only the low 32 bits are read",
            named(&["precision", "index-width", "narrowed"]),
            |ty, bits| match (ty.class, ty.bits) {
                (NumberClass::Float, _) | (_, ..=32) => bits,
                (NumberClass::Signed, _) => i64::from(bits as i32).cast_unsigned(),
                _ => bits & u64::from(u32::MAX),
            },
        ));
    }
    if about.input(|ty| ty.class == NumberClass::Float && ty.bits > 16) {
        all.push(elements(
            "floats-through-half",
            "floats are rounded to FLOAT16 first",
            named(&["precision"]),
            |ty, bits| {
                if ty.class == NumberClass::Float {
                    halved(ty, bits)
                } else {
                    bits
                }
            },
        ));
    }
    if about.input(|ty| ty.class != NumberClass::Float && ty.bits >= 32) {
        all.push(elements(
            "integers-through-float",
            "integers are rounded to FLOAT32 first",
            named(&["precision"]),
            |ty, bits| match decode(ty, bits) {
                Number::Int(n) => encode_int(ty, saturated(ty, f64::from(n as f32))),
                Number::Float(_) => bits,
            },
        ));
    }
    all
}

/// The bits of a finite float after it was rounded to FLOAT16.
pub(crate) fn halved(ty: &DataType, bits: u64) -> u64 {
    let number = decode(ty, bits);
    if number.is_finite() {
        encode_float(ty, through_half(number).double())
    } else {
        bits
    }
}

/// The whole number of a type that is nearest.
fn saturated(ty: &DataType, x: f64) -> i128 {
    let (least, most) = ty.whole_numbers().unwrap_or((0, 0));
    (x as i128).clamp(least, most)
}

fn class(name: &str, says: &str, from: NumberClass, to: NumberClass) -> Fault {
    let right = Right::Named(&["signedness", "negative-index", "past-end-index"]);
    reading(name, says, right, move |call| {
        let mut changed = false;
        for input in call.inputs.iter_mut().filter(|input| input.shape.ty.class == from) {
            let top = 1_u64 << (input.shape.ty.bits - 1);
            changed |= input.elements.iter().any(|bits| bits & top != 0);
            input.shape.ty.class = to;
        }
        for output in call.outputs.iter_mut().filter(|shape| shape.ty.class == from) {
            output.ty.class = to;
        }
        changed
    })
}

fn values(about: &About) -> Vec<Fault> {
    if !about.input(|ty| ty.class == NumberClass::Float) {
        return Vec::new();
    }
    let float = |ty: &DataType| ty.class == NumberClass::Float;
    let mut all = vec![
        elements(
            "infinities-clamped",
            "infinities are read as the greatest finite number of their sign",
            Right::Symptom(&["precision"]),
            move |ty, bits| {
                if !float(ty) || !is_infinite(ty, bits) {
                    return bits;
                }
                let sign = decode(ty, bits).double().signum();
                encode_float(ty, sign * greatest_finite(ty))
            },
        ),
        elements(
            "infinity-as-zero",
            "infinities are read as 0",
            Right::Symptom(&["precision"]),
            move |ty, bits| if float(ty) && is_infinite(ty, bits) { 0 } else { bits },
        ),
        elements(
            "sign-of-float-ignored",
            "floats are read without their sign",
            Right::Symptom(&["signedness"]),
            move |ty, bits| if float(ty) { bits & !(1 << (ty.bits - 1)) } else { bits },
        ),
    ];
    if about.exact || about.denormals {
        all.push(elements(
            "denormals-with-a-leading-one",
            "denormals are read with the leading one of normal numbers",
            Right::Symptom(&["precision"]),
            move |ty, bits| {
                if float(ty) && is_denormal(ty, bits) {
                    let denormal = decode(ty, bits).double();
                    encode_float(ty, denormal + smallest_normal(ty).copysign(denormal))
                } else {
                    bits
                }
            },
        ));
    }
    // Where outputs have a tolerance, they are within it.
    if about.exact {
        if about.input(|ty| float(ty) && ty.bits == 16) && about.input(|ty| float(ty) && ty.bits > 16) {
            all.push(elements(
                "half-denormals-flushed",
                "denormals of FLOAT16 alone are read as 0",
                Right::Symptom(&["precision"]),
                move |ty, bits| {
                    if float(ty) && ty.bits == 16 && is_denormal(ty, bits) {
                        0
                    } else {
                        bits
                    }
                },
            ));
        }
        all.push(elements(
            "denormals-flushed",
            "denormals are read as 0",
            Right::Symptom(&["precision"]),
            move |ty, bits| if float(ty) && is_denormal(ty, bits) { 0 } else { bits },
        ));
        all.push(elements(
            "sign-of-zero-lost",
            "-0 is read as +0",
            Right::Symptom(&["precision"]),
            move |ty, bits| {
                if float(ty) && is_negative_zero(ty, bits) {
                    0
                } else {
                    bits
                }
            },
        ));
    }
    all
}

fn inputs(about: &About) -> Vec<Fault> {
    let mut all = vec![
        reading(
            "input-zero",
            "the first input is read as zeros",
            Right::Symptom(&["precision"]),
            |call| zeroed(call, 0),
        ),
        reading(
            "last-element-skipped",
            "the last element of the first input is read as 0",
            Right::Symptom(&["precision"]),
            |call| {
                let last = call.inputs.first_mut().and_then(|input| input.elements.last_mut());
                last.is_some_and(|last| std::mem::take(last) != 0)
            },
        ),
        reading(
            "over-256-read-as-zero",
            "elements beyond the 256th are read as 0",
            Right::Symptom(&["precision"]),
            |call| beyond(call, 256),
        ),
        reading(
            "over-1024-read-as-zero",
            "elements beyond the 1024th are read as 0",
            Right::Symptom(&["precision"]),
            |call| beyond(call, 1024),
        ),
    ];
    if about.input_count > 1 {
        all.push(reading(
            "second-input-zero",
            "the second input is read as zeros",
            Right::Symptom(&["precision"]),
            |call| zeroed(call, 1),
        ));
        all.push(reading(
            "second-input-twice",
            "the second input is read in the place of the first",
            Right::Symptom(&[]),
            |call| {
                let [first, second, ..] = call.inputs.as_mut_slice() else {
                    return false;
                };
                let fits = first.shape.ty == second.shape.ty && first.elements.len() == second.elements.len();
                let changed = fits && first.elements != second.elements;
                if changed {
                    first.elements.clone_from(&second.elements);
                }
                changed
            },
        ));
    }
    all
}

fn zeroed(call: &mut Call, input: usize) -> bool {
    let elements = call.inputs.get_mut(input).map(|input| &mut input.elements);
    elements.is_some_and(|elements| {
        let changed = elements.iter().any(|bits| *bits != 0);
        elements.fill(0);
        changed
    })
}

fn beyond(call: &mut Call, count: usize) -> bool {
    let mut changed = false;
    for input in &mut call.inputs {
        for bits in input.elements.iter_mut().skip(count) {
            changed |= std::mem::take(bits) != 0;
        }
    }
    changed
}
