//! Products held against every order of their multiplications.

use super::*;
use crate::format::Format;

fn single(granted: bool) -> Arithmetic {
    Arithmetic {
        format: Format::single(),
        granted,
        half: false,
        wraps: false,
    }
}

fn product(factors: &[f64], granted: bool) -> Product {
    let mut product = Product::default();
    let arithmetic = single(granted);
    factors
        .iter()
        .for_each(|x| product.multiply(Real::exact(*x), &arithmetic));
    product
}

fn total(factors: &[f64]) -> Real {
    product(factors, false).total(&single(false))
}

/// Whether a number of single precision is accepted, the last rounding with it.
fn accepts(of: &Product, granted: bool, x: f32) -> bool {
    let (format, x) = (Format::single(), f64::from(x));
    let (one, other) = of.outcomes(&single(granted));
    let outcomes = [Some(one), other].into_iter().flatten();
    outcomes.into_iter().any(|real| {
        let pending = real.flags & PENDING != 0;
        let end = |x: f64| if pending { format.nearest(x) } else { x };
        let (mut lo, mut hi) = (end(real.lo), end(real.hi));
        if pending && lo < format.normal && hi > -format.normal {
            (lo, hi) = (lo.min(0.0), hi.max(0.0));
        }
        if x.is_nan() {
            return real.flags & MAY_BE_NAN != 0 || real.value.is_nan();
        }
        let flag = if x > 0.0 {
            MAY_BE_INFINITE
        } else {
            crate::real::MAY_BE_NEGATIVE_INFINITE
        };
        lo <= x && x <= hi || x.is_infinite() && real.flags & flag != 0
    })
}

/// Every result of multiplying in every order and association, with denormals kept or not.
fn results(factors: &[f32], flushes: bool) -> Vec<f32> {
    if let [one] = factors {
        return vec![*one];
    }
    let mut all = Vec::new();
    for set in 1..(1_usize << factors.len()) - 1 {
        let part = |inside: bool| -> Vec<f32> {
            let chosen = factors.iter().enumerate();
            chosen
                .filter(|(at, _)| (set >> at & 1 == 1) == inside)
                .map(|(_, x)| *x)
                .collect()
        };
        for a in results(&part(true), flushes) {
            for b in results(&part(false), flushes) {
                let product = a * b;
                let flushed = flushes && product.is_subnormal();
                all.push(if flushed { 0.0_f32.copysign(product) } else { product });
            }
        }
    }
    all.sort_by(f32::total_cmp);
    all.dedup_by_key(|x| x.to_bits());
    all
}

/// Factors of all magnitudes, by a plain sequence of pseudo-random numbers.
fn drawn(seed: u64) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = |below: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let count = 3 + next(3);
    let magnitudes: &[f32] = &[1e30, 1e-30, 1e19, 1e-19, 1e10, 1e-10, 1.0, 3e38, 2e-38, 1.0];
    let factor = |next: &mut dyn FnMut(u64) -> u64| match next(24) {
        0 => 0.0,
        1 => f32::INFINITY,
        _ => {
            let magnitude = magnitudes[next(magnitudes.len() as u64) as usize];
            let mantissa = 1.0 + next(1 << 12) as f32 / 4096.0;
            let sign = if next(3) == 0 { -1.0 } else { 1.0 };
            let x = sign * magnitude * mantissa;
            if x.is_finite() { x } else { sign }
        }
    };
    (0..count).map(|_| factor(&mut next)).collect()
}

#[test]
fn products_are_exact_by_their_bits() {
    assert!(total(&[3.0, 5.0, 0.5]).is_exact());
    assert!(!total(&[1.1, 1.3]).is_exact());
    assert_eq!(total(&[1e300, 1e300, -2.0, 0.0]).value, 0.0);
    assert!(total(&[f64::INFINITY, 0.0]).value.is_nan());
}

#[test]
fn what_any_order_gives_is_accepted() {
    for seed in 0..4000 {
        let factors = drawn(seed);
        let wide: Vec<f64> = factors.iter().map(|x| f64::from(*x)).collect();
        let (granted, strict) = (product(&wide, true), product(&wide, false));
        let of_inputs = factors.iter().any(|x| x.is_infinite());
        let all = [results(&factors, false), results(&factors, true)].concat();
        for x in &all {
            assert!(accepts(&granted, true, *x), "{factors:?} may give {x}");
            assert!(
                accepts(&strict, false, *x) || !x.is_finite(),
                "{factors:?} may give {x} where nothing is granted"
            );
        }
        // What no order gives.
        let has = |test: &dyn Fn(&f32) -> bool| all.iter().any(test);
        for infinity in [f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(
                accepts(&granted, true, infinity),
                has(&|x| *x == infinity),
                "{factors:?}: {infinity}"
            );
        }
        assert_eq!(
            accepts(&granted, true, f32::NAN),
            has(&|x| x.is_nan()),
            "{factors:?}: NaN"
        );
        let finite = || all.iter().filter(|x| x.is_finite());
        let most = finite().fold(f32::NEG_INFINITY, |most, x| most.max(*x));
        let least = finite().fold(f32::INFINITY, |least, x| least.min(*x));
        if !of_inputs && finite().count() > 0 {
            let beyond = |x: f32| x + x.abs() * 1e-5 + 1e-37;
            assert!(
                !accepts(&granted, true, beyond(most).min(f32::MAX)) || beyond(most) > f32::MAX,
                "{factors:?}: more than {most}"
            );
            assert!(
                !accepts(&granted, true, -beyond(-least)) || beyond(-least) > f32::MAX,
                "{factors:?}: less than {least}"
            );
        }
    }
}

#[test]
fn nothing_lies_between_a_lost_product_and_the_value() {
    let of = product(&[1e30, 1e30, 1e-30, 1e-30].map(|x: f64| f64::from(x as f32)), true);
    for possible in [0.0, 1.0, f32::INFINITY, f32::NAN] {
        assert!(accepts(&of, true, possible), "{possible}");
    }
    for impossible in [-1e-7, 1e-3, 0.5, 0.999_99, 1.000_01, 2.0, f32::NEG_INFINITY] {
        assert!(!accepts(&of, true, impossible), "{impossible}");
    }
    assert!(!accepts(&of, false, f32::INFINITY) && !accepts(&of, false, f32::NAN));
}

#[test]
fn a_factor_of_zero_leaves_zero_or_nan() {
    let of = product(&[1e30, 1e30, 0.0, -3.0], true);
    assert!(accepts(&of, true, 0.0) && accepts(&of, true, f32::NAN));
    assert!(!accepts(&of, true, f32::INFINITY) && !accepts(&of, true, f32::NEG_INFINITY) && !accepts(&of, true, 1e-30));
    assert!(!accepts(&product(&[1e30, 0.5, 0.0], true), true, f32::NAN));
}

#[test]
fn a_product_beyond_all_formats_is_infinite() {
    let many = total(&[1e38; 20]);
    assert_eq!((many.lo, many.hi), (f64::INFINITY, f64::INFINITY));
    let negative = total(&[&[1e38; 20][..], &[-1.5]].concat());
    assert_eq!((negative.lo, negative.hi), (f64::NEG_INFINITY, f64::NEG_INFINITY));
    let lost = total(&[&[1e38; 20][..], &[1e-20; 2]].concat());
    assert_eq!((lost.lo, lost.hi), (0.0, f64::INFINITY));
}

#[test]
fn many_factors_keep_their_sign_and_size() {
    // Too many for every order to be looked at, of all orders some.
    let factors: Vec<f64> = (0..12)
        .map(|at| f64::from(if at % 2 == 0 { 1.25e30_f32 } else { 0.8e-30 }))
        .collect();
    let of = product(&factors, true);
    assert!(accepts(&of, true, 1.0) && accepts(&of, true, 0.0) && accepts(&of, true, f32::INFINITY));
    // Each of eleven multiplications may round up by a factor of 2 below the normal numbers, and no more.
    assert!(!accepts(&of, true, -1e-7) && !accepts(&of, true, f32::NEG_INFINITY) && !accepts(&of, true, 2049.0));
    let small = product(&[0.1; 30], true);
    assert!(!accepts(&small, true, 1.01e-30) && !accepts(&small, true, f32::INFINITY));
}

#[test]
fn what_stays_at_the_smallest_denormal_is_accepted() {
    // Each factor of 0.51 rounds up to the smallest denormal again.
    let power = |exponent: i32| 2_f32.powi(exponent);
    for halves in [3, 4] {
        let mut factors = vec![power(-75), 0.51 * power(-74)];
        factors.extend(vec![0.51; halves]);
        factors.push(power(100));
        let forward = factors.iter().skip(1).fold(factors[0], |product, x| product * x);
        let factors: Vec<f64> = factors.into_iter().map(f64::from).collect();
        assert!(
            accepts(&product(&factors, false), false, forward),
            "{halves}: {forward}"
        );
    }
}
