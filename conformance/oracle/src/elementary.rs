//! Elementary functions and how exact an implementation has to be: one table.
//!
//! Each bound is the widest of its sources: "D3D" is the functional specification of Direct3D 11.3, section 22.10 and the
//! instructions' own pages; "VK" the Vulkan specification, "Precision and Operation of SPIR-V Instructions"; "WGSL" its
//! table of accuracies, made of what drivers do. `u` is half a unit in the last place of 1 (2^-24 for FLOAT32).
//!
//! | function | off by at most | sources |
//! | --- | --- | --- |
//! | exp | the greater of 3 + 2·abs(x) units in the last place and (8 + 2·abs(x))·u, relative | VK; D3D: 2^-21 for exp2, and the roundings of x·log2 e |
//! | log | 2^-21 in \[0.5, 2\] (FLOAT16: 2^-7), else 10·u relative | D3D: log2, and the constant; VK for FLOAT16 |
//! | pow | that of exp2(y·log2(x)), at least 16 units in the last place | VK, OpenCL |
//! | sqrt | 7·u relative | VK: through an inverse root |
//! | sin, cos | 0.0008 (FLOAT16: 2^-7) for abs(x) up to 100·π | D3D; VK for FLOAT16 |
//! | tan | sin(x) / cos(x) | VK |
//! | asin, acos | 6.81e-5, at least 16·u | WGSL |
//! | atan | 4096 units in the last place (FLOAT16: 5) | VK |
//! | sinh, cosh, asinh, acosh, atanh | their formulas by exp, log and sqrt | VK |
//! | tanh | 1e-5, at least 8·u, or sinh(x) / cosh(x) | WGSL; drivers were measured at this |
//! | erf | 40·u and 16 units in the last place | an older page of DirectML names the polynomial (Abramowitz and Stegun, 7.1.26) |
//! | sigmoid | 1 / (1 + exp(-x)), and 2^-22 | libraries measured |
//!
//! Exact are exp(0), log(1), the root, sine, tangent and their inverses of 0. Values come from `libm`, so that they are
//! the same on every machine.

use dml_spec::meaning::Function;

use super::real::{ANY_ZERO, Arithmetic, INFINITIES, MAY_BE_INFINITE, MAY_BE_NAN, MAY_BE_NEGATIVE_INFINITE, Real};

/// A function of one real, with its bound.
#[inline(always)]
pub(crate) fn apply(function: Function, x: Real, arithmetic: &Arithmetic) -> Option<Real> {
    let x = x.settled(&arithmetic.format);
    if x.open != 0 {
        return Some(x);
    }
    if function == Function::Exp
        && let Some(near) = exp_nearby(&x, arithmetic)
    {
        return Some(near);
    }
    apply_rule(function, x, arithmetic)
}

/// A function of a settled number, by its row of the table.
fn apply_rule(function: Function, x: Real, arithmetic: &Arithmetic) -> Option<Real> {
    let rule = rule(function)?;
    if x.is_exact()
        && let Some((_, value)) = rule.exact.iter().find(|(at, _)| *at == x.value)
    {
        return Some(Real::exact(*value).with(ANY_ZERO));
    }
    let value = (rule.value)(x.value);
    if x.is_exact() && (value.is_nan() || !x.value.is_finite()) {
        return Some(Real::exact(value));
    }
    let end = |at: f64| {
        let here = if at == x.value { value } else { (rule.value)(at) };
        (here, (rule.error)(at, here, arithmetic))
    };
    let mut result = Real::exact(value).with(ANY_ZERO);
    result.flags |= infinite(function, &x);
    // No number of the format but zero is closer to zero than its smallest one.
    let smallest = arithmetic.format.step(0.0);
    let near_zero = function == Function::Log && x.lo < smallest && x.hi > 0.0;
    let below = if near_zero { smallest.min(x.hi) } else { x.lo };
    let ends = [end(below), end(x.hi), end(x.value.max(below))];
    let undefined = x.lo < 0.0 && near_zero || ends.iter().any(|(here, error)| here.is_nan() || error.is_nan());
    if undefined {
        result.flags |= MAY_BE_NAN;
    }
    if near_zero && x.lo <= 0.0 {
        result.flags |= MAY_BE_NEGATIVE_INFINITE;
    }
    if ends.iter().all(|(here, _)| here.is_nan()) {
        return Some(Real::exact(f64::NAN).with(result.flags & INFINITIES));
    }
    if near_zero && x.value > 0.0 {
        result.value = ends[2].0;
    }
    let ends = ends.iter().filter(|(here, error)| !here.is_nan() && !error.is_nan());
    let (lo, hi) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), (here, error)| {
        (lo.min(here - error), hi.max(here + error))
    });
    let (lo, hi) = if lo <= hi { (lo, hi) } else { (value, value) };
    // A function that turns between the ends of the interval does not leave it by more than the interval is long.
    let bend = if rule.monotone { 0.0 } else { x.hi - x.lo };
    (result.lo, result.hi) = ((lo - bend).max(rule.range.0), (hi + bend).min(rule.range.1));
    if arithmetic.grants() && result.hi > arithmetic.format.greatest {
        result.flags |= MAY_BE_INFINITE;
    }
    // A denormal may have become zero before its logarithm is taken.
    let least = if arithmetic.format.flushes {
        arithmetic.format.normal
    } else {
        f64::from_bits(1)
    };
    if arithmetic.grants() && function == Function::Log && x.lo < least {
        result.flags |= MAY_BE_NEGATIVE_INFINITE;
    }
    Some(result)
}

/// The exponential of an interval so short that its ends follow from its middle: exp(x + d) lies between 1 + d and
/// 1 + 1.001·d times exp(x), for d below a thousandth.
#[inline(always)]
fn exp_nearby(x: &Real, arithmetic: &Arithmetic) -> Option<Real> {
    let (below, above) = (x.value - x.lo, x.hi - x.value);
    // The exponential of 0 is exact.
    let short = below < 1e-3 && above < 1e-3 && (x.value != 0.0 || !x.is_exact());
    if !short || x.flags & !ANY_ZERO != 0 || arithmetic.grants() {
        return None;
    }
    let value = libm::exp(x.value);
    if value == 0.0 || !value.is_finite() {
        return None;
    }
    let error = of_exp(x.value, value, arithmetic) * 1.002 + value * 2f64.powi(-50);
    Some(Real {
        lo: (value - value * below - error).max(0.0),
        hi: value + value * above * 1.001 + error,
        ..Real::exact(value).with(ANY_ZERO)
    })
}

/// What becomes of infinities and NaN beside the interval.
fn infinite(function: Function, x: &Real) -> u16 {
    let (nan, up, down) = (
        x.flags & MAY_BE_NAN,
        x.flags & MAY_BE_INFINITE,
        x.flags & MAY_BE_NEGATIVE_INFINITE,
    );
    let nan_if = |flag: u16| if flag == 0 { 0 } else { MAY_BE_NAN };
    nan | match function {
        Function::Exp => up,
        Function::Log | Function::Sqrt => up | nan_if(down),
        Function::Sinh | Function::Asinh => up | down,
        Function::Sin | Function::Cos | Function::Tan | Function::Acosh | Function::Atanh => nan_if(up | down),
        _ => 0,
    }
}

/// A row of the table.
struct Rule {
    value: fn(f64) -> f64,
    /// How far an implementation may be off at an argument with this value.
    error: fn(f64, f64, &Arithmetic) -> f64,
    monotone: bool,
    /// What no implementation leaves.
    range: (f64, f64),
    exact: &'static [(f64, f64)],
}

const ALL: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);
const ZERO: &[(f64, f64)] = &[(0.0, 0.0)];
const NEVER: &[(f64, f64)] = &[];

fn rule(function: Function) -> Option<Rule> {
    let row = |value, error, monotone, range, exact| Rule {
        value,
        error,
        monotone,
        range,
        exact,
    };
    Some(match function {
        Function::Exp => row(libm::exp, of_exp, true, (0.0, f64::INFINITY), &[(0.0, 1.0)]),
        Function::Log => row(libm::log, of_log, true, ALL, &[(1.0, 0.0)]),
        Function::Sqrt => row(
            libm::sqrt,
            |_, y, a| 7.0 * a.format.unit * y,
            true,
            (0.0, f64::INFINITY),
            ZERO,
        ),
        Function::Sin => row(libm::sin, of_sine, false, (-1.0, 1.0), ZERO),
        Function::Cos => row(libm::cos, of_sine, false, (-1.0, 1.0), &[(0.0, 1.0)]),
        Function::Tan => row(libm::tan, of_tangent, false, ALL, ZERO),
        Function::Asin => row(libm::asin, of_arc, true, ALL, NEVER),
        Function::Acos => row(libm::acos, of_arc, true, ALL, NEVER),
        Function::Atan => row(libm::atan, of_atan, true, ALL, ZERO),
        Function::Sinh => row(libm::sinh, |x, _, a| of_exponentials(x, a), true, ALL, ZERO),
        Function::Cosh => row(
            libm::cosh,
            |x, _, a| of_exponentials(x, a),
            false,
            (0.0, f64::INFINITY),
            NEVER,
        ),
        Function::Tanh => row(libm::tanh, |_, _, a| (8.0 * a.format.unit).max(1e-5), true, ALL, ZERO),
        Function::Asinh => row(libm::asinh, of_asinh, true, ALL, ZERO),
        Function::Acosh => row(
            libm::acosh,
            |x, y, a| of_log(x + (x * x - 1.0).max(0.0).sqrt(), y, a) + 16.0 * a.format.unit,
            true,
            ALL,
            NEVER,
        ),
        Function::Atanh => row(
            libm::atanh,
            |x, y, a| of_log((1.0 + x) / (1.0 - x), 2.0 * y, a) + 8.0 * a.format.unit,
            true,
            ALL,
            ZERO,
        ),
        Function::Erf => row(
            libm::erf,
            |_, y, a| 40.0 * a.format.unit + 16.0 * a.format.step(y),
            true,
            ALL,
            NEVER,
        ),
        Function::Sigmoid => row(sigmoid, of_sigmoid, true, (0.0, f64::INFINITY), &[(0.0, 0.5)]),
        _ => return None,
    })
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}

#[inline]
fn of_exp(x: f64, y: f64, a: &Arithmetic) -> f64 {
    if x == 0.0 || !y.is_finite() {
        return 0.0;
    }
    // Below what the format holds, an argument that is further off makes no difference.
    let distance = x.abs().min(a.format.exponential_limit());
    let units = (3.0 + 2.0 * distance) * a.format.step(y);
    units.max((8.0 + 2.0 * distance) * a.format.unit * y)
}

fn of_log(x: f64, y: f64, a: &Arithmetic) -> f64 {
    if (0.5..=2.0).contains(&x) {
        // 2^-21 for FLOAT32: eight times its unit. 2^-7 for FLOAT16.
        let units = if a.format.bits == 16 { 16.0 } else { 8.0 };
        units * a.format.unit
    } else {
        10.0 * a.format.unit * y.abs()
    }
}

fn of_arc(_: f64, _: f64, a: &Arithmetic) -> f64 {
    (16.0 * a.format.unit).max(6.81e-5)
}

fn of_atan(_: f64, y: f64, a: &Arithmetic) -> f64 {
    let units = if a.format.bits == 16 { 5.0 } else { 4096.0 };
    units * a.format.step(y)
}

fn of_sine(x: f64, _: f64, a: &Arithmetic) -> f64 {
    if x.abs() <= 100.0 * std::f64::consts::PI {
        (16.0 * a.format.unit).max(0.0008)
    } else {
        2.0
    }
}

fn of_tangent(x: f64, y: f64, a: &Arithmetic) -> f64 {
    let (cosine, error) = (libm::cos(x).abs(), of_sine(x, 0.0, a));
    if cosine <= error {
        f64::INFINITY
    } else {
        (error + y.abs() * error) / (cosine - error) + 2.5 * a.format.step(y)
    }
}

/// Half the sum or difference of two exponentials.
fn of_exponentials(x: f64, a: &Arithmetic) -> f64 {
    let (up, down) = (libm::exp(x), libm::exp(-x));
    0.5 * (of_exp(x, up, a) + of_exp(-x, down, a)) + a.format.unit * (up + down)
}

/// log(x + sqrt(x² + 1)), whose sum cancels below zero.
fn of_asinh(x: f64, y: f64, a: &Arithmetic) -> f64 {
    let root = libm::sqrt(x * x + 1.0);
    let sum = x + root;
    let off = a.format.unit * (9.0 * root + x.abs());
    if off >= sum {
        f64::INFINITY
    } else {
        -libm::log1p(-off / sum) + of_log(sum, y, a)
    }
}

fn of_sigmoid(x: f64, y: f64, a: &Arithmetic) -> f64 {
    let power = libm::exp(-x);
    let below = of_exp(-x, power, a) + a.format.unit * (1.0 + power);
    let carried = if power.is_finite() { y * y * below } else { 0.0 };
    // 2^-22 for FLOAT32.
    carried + 2.5 * a.format.step(y) + 4.0 * a.format.unit
}

/// `x` to the power of `y`.
pub(crate) fn pow(x: Real, y: Real, arithmetic: &Arithmetic) -> Real {
    let (x, y) = (x.settled(&arithmetic.format), y.settled(&arithmetic.format));
    let open = if x.open != 0 { x.open } else { y.open };
    if open != 0 {
        return Real {
            open,
            ..Real::exact(0.0)
        };
    }
    let value = libm::pow(x.value, y.value);
    let sure = !value.is_finite() || y.value == 0.0 || x.value == 0.0 || x.value.abs() == 1.0;
    if x.is_exact() && y.is_exact() && sure {
        return Real::exact(value);
    }
    let ends = [
        (x.lo, y.lo),
        (x.lo, y.hi),
        (x.hi, y.lo),
        (x.hi, y.hi),
        (x.value, y.value),
    ];
    let mut result = Real::exact(value).with(ANY_ZERO);
    for (base, exponent) in ends {
        let here = libm::pow(base, exponent);
        if here.is_nan() {
            result.flags |= MAY_BE_NAN;
            continue;
        }
        let error = of_pow(base.abs(), exponent, here, arithmetic);
        result.lo = result.lo.min(here - error);
        result.hi = result.hi.max(here + error);
    }
    if x.lo >= 0.0 {
        result.lo = result.lo.max(0.0);
    }
    result.flags |= (x.flags | y.flags) & MAY_BE_NAN;
    if (x.flags | y.flags) & (MAY_BE_INFINITE | MAY_BE_NEGATIVE_INFINITE) != 0 {
        // An infinite base or exponent leads to 0, 1 or an infinity, by signs and sizes.
        (result.lo, result.hi) = (result.lo.min(0.0), result.hi.max(1.0));
        result.flags |= MAY_BE_INFINITE | if x.lo >= 0.0 { 0 } else { MAY_BE_NEGATIVE_INFINITE };
    }
    if arithmetic.grants() && result.hi > arithmetic.format.greatest {
        result.flags |= MAY_BE_INFINITE;
    }
    result
}

fn of_pow(base: f64, exponent: f64, value: f64, a: &Arithmetic) -> f64 {
    if base == 0.0 || !value.is_finite() {
        return 0.0;
    }
    let log = libm::log2(base);
    let of_log = if (0.5..=2.0).contains(&base) {
        8.0 * a.format.unit
    } else {
        8.0 * a.format.unit * log.abs()
    };
    let power = exponent * log;
    let off = exponent.abs() * of_log + a.format.unit * power.abs();
    let carried = value.abs() * (libm::exp2(off) - 1.0);
    let own = (3.0 + 2.0 * power.abs()) * a.format.step(value);
    (carried + own.max(8.0 * a.format.unit * value.abs())).max(16.0 * a.format.step(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Format;

    fn single() -> Arithmetic {
        Arithmetic {
            format: Format::single(),
            granted: false,
            half: false,
            wraps: false,
        }
    }

    fn of(function: Function, x: f64) -> Real {
        apply(function, Real::exact(x), &single()).unwrap()
    }

    #[test]
    fn exact_points_have_no_bound() {
        assert!(of(Function::Exp, 0.0).is_exact() && of(Function::Log, 1.0).is_exact());
        assert!(of(Function::Sqrt, 0.0).is_exact() && !of(Function::Sqrt, 4.0).is_exact());
        assert!(of(Function::Exp, f64::NEG_INFINITY).is_exact());
        assert!(of(Function::Log, -1.0).value.is_nan());
    }

    #[test]
    fn bounds_are_those_of_the_table() {
        let exp = of(Function::Exp, 1.0);
        assert!(
            (exp.hi - exp.value) > 9.9 * 2f64.powi(-24) * exp.value
                && exp.hi - exp.value < 12.0 * 2f64.powi(-24) * exp.value
        );
        let log = of(Function::Log, 1.5);
        assert!((log.hi - log.value - 2f64.powi(-21)).abs() < 1e-12);
        assert!(of(Function::Sin, 1e6).lo == -1.0);
        assert!(of(Function::Exp, -80.0).lo >= 0.0);
        assert!(of(Function::Tan, std::f64::consts::FRAC_PI_2).hi.is_infinite());
    }

    #[test]
    fn an_argument_that_is_off_carries_its_error() {
        let x = Real::around(2.0, 0.1, 0.1);
        let exp = apply(Function::Exp, x, &single()).unwrap();
        assert!(exp.lo < libm::exp(1.9) && exp.hi > libm::exp(2.1));
        // Of what lies around the exponential of a great number, nothing is no number.
        let beyond = apply(Function::Exp, Real::around(800.0, 1e-6, 1e-6), &single()).unwrap();
        assert!(
            beyond.hi == f64::INFINITY && beyond.lo > f64::from(f32::MAX),
            "{beyond:?}"
        );
        let cos = apply(Function::Cos, Real::around(0.0, 0.5, 0.5), &single()).unwrap();
        assert!(cos.hi == 1.0 && cos.lo <= libm::cos(0.5));
    }
}
