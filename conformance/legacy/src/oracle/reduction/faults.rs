//! Wrong reductions for the zoo: each is written here once more, without the oracle.

use dml_spec::model::DataType;

use super::Sets;
use crate::oracle::{
    Call, ComputingFault, Right,
    elementary::{exp, ln, ln_1p, log2},
    guess::through_half,
};
use dml_case::number::{Number, decode, encode_float, encode_int, greatest_finite};

/// The elements of a set.
type Set<'a> = &'a [Number];

/// Values of `DML_REDUCE_FUNCTION`.
const AVERAGE: u32 = 2;
const L1: u32 = 3;
const L2: u32 = 4;
const LOG_SUM: u32 = 5;
const LOG_SUM_EXP: u32 = 6;
const MAX: u32 = 7;
const MIN: u32 = 8;
const MULTIPLY: u32 = 9;
const SUM: u32 = 10;
const SUM_SQUARE: u32 = 11;

/// Mistakes of single functions.
pub(in crate::oracle) fn all() -> Vec<ComputingFault> {
    let mut all = sums();
    all.extend(overflows());
    all.extend(averages());
    all.extend(logarithms());
    all.extend(extremes());
    all.extend(CUTS.map(shortened));
    all
}

/// Elements that a search or a sum may stop behind.
pub(in crate::oracle) const CUTS: [usize; 7] = [64, 128, 256, 512, 1024, 2048, 4096];

/// Name of the mistake, and what it is.
pub(in crate::oracle) fn cut(most: usize) -> (String, String) {
    (
        format!("set-over-{most}-cut"),
        format!("elements beyond the first {most} of a set take no part"),
    )
}

/// Elements beyond the first so many of a set take no part.
fn shortened(most: usize) -> ComputingFault {
    let (name, says) = cut(most);
    let name = format!("{name}-from-results");
    ComputingFault::new(name, says, Right::Symptom(&[]), move |call, right| {
        let function = call.uint("Function")?;
        let (input, output) = (call.inputs.first()?, call.outputs.first()?);
        let sets = Sets::of(&input.shape.sizes, call.uints("Axes").unwrap_or_default())?;
        if sets.size() <= most {
            return None;
        }
        let number = |place: &usize| decode(&input.shape.ty, input.elements.get(*place).copied().unwrap_or(0));
        let given = sets.iter().map(|places| {
            let set: Vec<Number> = places.iter().take(most).map(number).collect();
            Some(Some(match reduced(&set, function)? {
                Number::Int(n) => encode_int(&output.ty, n),
                Number::Float(x) => encode_float(&output.ty, x),
            }))
        });
        (right.len() == 1).then_some(vec![given.collect::<Option<Vec<_>>>()?])
    })
}

/// What a function makes of a set; `None` for those that look for indices, and for averages and roots of whole numbers.
fn reduced(set: Set, function: u32) -> Option<Number> {
    if let Some(set) = wholes(set) {
        let set = set.into_iter();
        return Some(Number::Int(match function {
            L1 => set.map(i128::abs).sum(),
            MAX => set.max()?,
            MIN => set.min()?,
            MULTIPLY => set.fold(1, i128::wrapping_mul),
            SUM => set.sum(),
            SUM_SQUARE => set.map(|n| n.wrapping_mul(n)).fold(0, i128::wrapping_add),
            _ => return None,
        }));
    }
    let set = doubles(set)?;
    let top = set.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Some(Number::Float(match function {
        AVERAGE => sum(&set) / set.len() as f64,
        L1 => set.iter().map(|x| x.abs()).sum(),
        L2 => squares(&set).sqrt(),
        LOG_SUM => ln(sum(&set)),
        LOG_SUM_EXP => top + ln(set.iter().map(|x| exp(x - top)).sum()),
        MAX => top,
        MIN => set.iter().copied().fold(f64::INFINITY, f64::min),
        MULTIPLY => set.iter().product(),
        SUM => sum(&set),
        SUM_SQUARE => squares(&set),
        _ => return None,
    }))
}

fn sums() -> Vec<ComputingFault> {
    vec![
        floats(&[L1], "signs-kept", "the sum of magnitudes keeps the signs", |set| {
            sum(set)
        }),
        integers(
            &[L1],
            "signs-kept-of-integers",
            "the sum of magnitudes keeps the signs of whole numbers",
            |set| set.iter().sum(),
        ),
        floats(
            &[L1],
            "magnitude-of-the-sum",
            "the magnitude of the sum, not the sum of magnitudes",
            |set| sum(set).abs(),
        ),
        floats(&[L2], "no-root", "the root of the sum of squares is not drawn", |set| {
            squares(set)
        }),
        floats(&[L2], "root-of-the-mean", "the root of the mean of squares", |set| {
            (squares(set) / set.len() as f64).sqrt()
        }),
        floats(
            &[SUM_SQUARE],
            "squares-with-signs",
            "squares keep the signs of their elements",
            |set| set.iter().map(|x| x * x.abs()).sum(),
        ),
        floats(
            &[SUM_SQUARE],
            "square-of-the-sum",
            "the square of the sum, not the sum of squares",
            |set| sum(set) * sum(set),
        ),
        integers(
            &[SUM_SQUARE],
            "square-of-the-sum-of-integers",
            "the square of the sum of whole numbers",
            |set| {
                let sum: i128 = set.iter().sum();
                sum.wrapping_mul(sum)
            },
        ),
        floats(&[MULTIPLY], "product-from-zero", "the product starts from 0", |_| 0.0),
        integers(
            &[MULTIPLY],
            "product-of-integers-from-zero",
            "the product of whole numbers starts from 0",
            |_| 0,
        ),
        floats(
            &[MULTIPLY],
            "zeros-left-out",
            "zeros are left out of the product",
            |set| set.iter().filter(|x| **x != 0.0).product(),
        ),
        floats(
            &[MULTIPLY],
            "product-of-magnitudes",
            "the product loses its sign",
            |set| set.iter().product::<f64>().abs(),
        ),
        floats(
            &[SUM, AVERAGE, L1],
            "sum-in-half-precision",
            "sums are rounded to half precision at every step",
            |set| set.iter().fold(0.0, |sum, x| half(sum + x)),
        ),
        integers(
            &[SUM, L1],
            "sum-through-single-precision",
            "sums of whole numbers are kept in single precision",
            |set| set.iter().fold(0f32, |sum, n| sum + *n as f32) as i128,
        ),
        of(
            &[SUM, L1, MULTIPLY],
            "sums-saturate",
            "sums and products stop at the limits of their type",
            |set, ty, function| {
                let whole = wholes(set)?;
                let all = match function {
                    SUM => whole.iter().sum(),
                    L1 => whole.iter().map(|n| n.abs()).sum(),
                    _ => whole.iter().fold(1i128, |all, n| all.saturating_mul(*n)),
                };
                let limit = 1i128.checked_shl(ty.bits.checked_sub(1)?)?;
                let (least, greatest) = match decode(ty, encode_int(ty, -1)) {
                    Number::Int(-1) => (-limit, limit - 1),
                    _ => (0, limit * 2 - 1),
                };
                Some(Number::Int(all.clamp(least, greatest)))
            },
        ),
    ]
}

/// Sums and products of floats that leave the range of their type.
fn overflows() -> Vec<ComputingFault> {
    let stopped = |name, says, at: fn(f64) -> f64| {
        of(
            &[SUM, L1, L2, SUM_SQUARE, MULTIPLY],
            name,
            says,
            move |set, ty, function| {
                let (set, greatest) = (doubles(set)?, greatest_finite(ty));
                let all: f64 = match function {
                    SUM => sum(&set),
                    L1 => set.iter().map(|x| x.abs()).sum(),
                    MULTIPLY => set.iter().product(),
                    _ => squares(&set),
                };
                let all = if all.abs() > greatest {
                    all.signum() * at(greatest)
                } else {
                    all
                };
                Some(Number::Float(if function == L2 { all.sqrt() } else { all }))
            },
        )
    };
    vec![
        stopped(
            "overflow-to-greatest",
            "what leaves the range becomes the greatest finite number",
            |greatest| greatest,
        )
        // As arithmetic that rounds towards zero has it.
        .or(&["precision"]),
        stopped("overflow-to-zero", "what leaves the range becomes zero", |_| 0.0),
    ]
}

fn averages() -> Vec<ComputingFault> {
    vec![
        floats(
            &[AVERAGE],
            "divided-by-one-less",
            "the sum is divided by one less than there are elements",
            |set| sum(set) / (set.len() - 1).max(1) as f64,
        ),
        floats(&[AVERAGE], "not-divided", "the sum is not divided", sum),
        floats(
            &[AVERAGE],
            "average-rounded-down",
            "the average loses its fraction",
            |set| (sum(set) / set.len() as f64).trunc(),
        )
        .or(&["precision"]),
        floats(
            &[AVERAGE],
            "average-of-nonzero",
            "zeros do not count for the average",
            |set| sum(set) / set.iter().filter(|x| **x != 0.0).count().max(1) as f64,
        ),
        floats(
            &[AVERAGE],
            "average-of-extremes",
            "the middle between the extremes, not the average",
            |set| {
                let top = set.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
                let low = set.iter().fold(f64::INFINITY, |a, b| a.min(*b));
                (top + low) / 2.0
            },
        ),
    ]
}

fn logarithms() -> Vec<ComputingFault> {
    vec![
        floats(
            &[LOG_SUM],
            "log-of-magnitude",
            "the logarithm of the magnitude of the sum",
            |set| ln(sum(set).abs()),
        ),
        floats(
            &[LOG_SUM],
            "log-of-clamped",
            "sums below the least normal number are raised to it",
            |set| ln(sum(set).max(f64::from(f32::MIN_POSITIVE))),
        ),
        floats(
            &[LOG_SUM, LOG_SUM_EXP],
            "log-of-base-two",
            "the logarithm has base 2",
            |set| log2(sum(set)),
        ),
        floats(
            &[LOG_SUM],
            "sum-of-logs",
            "the sum of logarithms, not the logarithm of the sum",
            |set| set.iter().map(|x| ln(*x)).sum(),
        ),
        floats(&[LOG_SUM], "log-of-one-more", "the logarithm of the sum and 1", |set| {
            ln_1p(sum(set))
        }),
        floats(
            &[LOG_SUM_EXP],
            "largest-lost",
            "the largest element is not added again behind the logarithm",
            |set| {
                let top = set.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
                ln(set.iter().map(|x| exp(x - top)).sum::<f64>())
            },
        ),
        floats(&[LOG_SUM_EXP], "no-logarithm", "the logarithm is left out", |set| {
            set.iter().map(|x| exp(*x)).sum()
        }),
        floats(
            &[LOG_SUM_EXP],
            "largest-alone",
            "the largest element stands for the logarithm of the sum",
            |set| set.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b)),
        ),
    ]
}

fn extremes() -> Vec<ComputingFault> {
    vec![
        floats(
            &[MAX],
            "maximum-from-zero",
            "the search for the largest starts from 0",
            |set| set.iter().fold(0.0, |a, b| if *b > a { *b } else { a }),
        ),
        floats(
            &[MIN],
            "minimum-from-zero",
            "the search for the smallest starts from 0",
            |set| set.iter().fold(0.0, |a, b| if *b < a { *b } else { a }),
        ),
        integers(
            &[MAX],
            "integer-maximum-from-zero",
            "the search for the largest whole number starts from 0",
            |set| set.iter().copied().fold(0, i128::max),
        ),
        // As good as elements that are read without their sign.
        floats(&[MAX], "maximum-of-magnitudes", "the largest magnitude", |set| {
            set.iter().fold(0.0, |a, b| if b.abs() > a { b.abs() } else { a })
        })
        .or(&["signedness"]),
        floats(&[MIN], "minimum-of-magnitudes", "the smallest magnitude", |set| {
            set.iter().fold(f64::INFINITY, |a, b| a.min(b.abs()))
        })
        .or(&["signedness"]),
        of(
            &[MAX],
            "maximum-from-least-normal",
            "the search for the largest starts from the least positive number",
            |set, ty, _| {
                let start = match ty.bits {
                    16 => 2f64.powi(-14),
                    _ => f64::from(f32::MIN_POSITIVE),
                };
                Some(Number::Float(
                    doubles(set)?.iter().fold(start, |a, b| if *b > a { *b } else { a }),
                ))
            },
        ),
        of(
            &[MAX],
            "maximum-from-lowest",
            "minus infinity is no largest element: the search starts from the lowest finite number",
            |set, ty, _| {
                let all = doubles(set)?;
                let start = -greatest_finite(ty);
                Some(Number::Float(
                    all.iter().fold(start, |a, b| if *b > a { *b } else { a }),
                ))
            },
        ),
        of(
            &[MIN, MAX],
            "start-of-32-bits",
            "the search among 64-bit whole numbers starts from a limit of 32 bits",
            |set, ty, function| {
                let all = wholes(set)?;
                let (least, most) = match ty.whole_numbers()? {
                    _ if ty.bits < 64 => return None,
                    (0, _) => (0, i128::from(u32::MAX)),
                    _ => (i128::from(i32::MIN), i128::from(i32::MAX)),
                };
                Some(Number::Int(match function {
                    MIN => all.into_iter().fold(most, i128::min),
                    _ => all.into_iter().fold(least, i128::max),
                }))
            },
        ),
        of(
            &[MIN],
            "minimum-from-greatest",
            "infinities are no smallest element: the search starts from the greatest finite number",
            |set, ty, _| {
                let all = doubles(set)?;
                Some(Number::Float(
                    all.iter().fold(greatest_finite(ty), |a, b| if *b < a { *b } else { a }),
                ))
            },
        ),
    ]
}

fn sum(set: &[f64]) -> f64 {
    set.iter().sum()
}

fn squares(set: &[f64]) -> f64 {
    set.iter().map(|x| x * x).sum()
}

fn half(x: f64) -> f64 {
    through_half(Number::Float(x)).double()
}

fn doubles(set: Set) -> Option<Vec<f64>> {
    let float = |number: &Number| match number {
        Number::Float(x) => Some(*x),
        Number::Int(_) => None,
    };
    set.iter().map(float).collect()
}

fn wholes(set: Set) -> Option<Vec<i128>> {
    let whole = |number: &Number| match number {
        Number::Int(n) => Some(*n),
        Number::Float(_) => None,
    };
    set.iter().map(whole).collect()
}

/// A fault that shows with floats.
fn floats(
    functions: &'static [u32],
    name: &'static str,
    says: &'static str,
    of_set: impl Fn(&[f64]) -> f64 + Send + Sync + 'static,
) -> ComputingFault {
    of(functions, name, says, move |set, _, _| {
        Some(Number::Float(of_set(&doubles(set)?)))
    })
}

/// A fault that shows with whole numbers.
fn integers(
    functions: &'static [u32],
    name: &'static str,
    says: &'static str,
    of_set: impl Fn(&[i128]) -> i128 + Send + Sync + 'static,
) -> ComputingFault {
    of(functions, name, says, move |set, _, _| {
        Some(Number::Int(of_set(&wholes(set)?)))
    })
}

/// A fault that makes something else of every set, for these functions; `None` where it does not show.
fn of(
    functions: &'static [u32],
    name: &'static str,
    says: &'static str,
    of_set: impl Fn(Set, &DataType, u32) -> Option<Number> + Send + Sync + 'static,
) -> ComputingFault {
    ComputingFault::new(name, says, Right::Symptom(&[]), move |call: &Call, _| {
        let function = call.uint("Function").filter(|function| functions.contains(function))?;
        let (input, output) = (call.inputs.first()?, call.outputs.first()?);
        let sets = Sets::of(&input.shape.sizes, call.uints("Axes").unwrap_or_default())?;
        let number = |place: &usize| decode(&input.shape.ty, input.elements.get(*place).copied().unwrap_or(0));
        let given = sets.iter().map(|places| {
            let set: Vec<Number> = places.iter().map(number).collect();
            Some(Some(match of_set(&set, &input.shape.ty, function)? {
                Number::Int(n) => encode_int(&output.ty, n),
                Number::Float(x) => encode_float(&output.ty, x),
            }))
        });
        Some(vec![given.collect::<Option<Vec<_>>>()?])
    })
}
