//! Bounds of reals, whole numbers, zeros and denormals, each with numbers worked out by hand.
//!
//! u is 2^-24, half a unit in the last place of 1 in FLOAT32. A FLOAT64 output of FLOAT32 arithmetic shows the bound
//! itself: `in FLOAT32:` states the arithmetic, since the output would make it FLOAT64.

use crate::tiny::{ends, run};

/// Half a unit in the last place of 1.
const U: f64 = 1.0 / 16_777_216.0;

/// Both ends of the one element of a FLOAT64 output, computed in FLOAT32 of these numbers.
fn bound(values: &str, body: &str) -> (f64, f64) {
    let count = values.split_whitespace().count();
    let fields = format!("A: FLOAT32 [{count}] = {values}; O: FLOAT64 [1]");
    ends(&fields, &format!("O[o]: in FLOAT32: {body}"))
}

/// Whether an interval reaches at least as far as one and no further than another around the same number.
fn lies(found: (f64, f64), center: f64, least: f64, most: f64) -> bool {
    let off = (center - found.0).max(found.1 - center);
    let near = (center - found.0).min(found.1 - center);
    near >= least && off <= most
}

#[test]
fn an_operation_is_rounded_once() {
    // 1 + 3·2^-25 lies between 1 and 1 + 2^-23; the nearest is 1 + 2^-23, and either neighbour will do.
    let sum = "A: FLOAT32 [2] = 1 8.940696716308594e-8; O: FLOAT32 [1]";
    assert_eq!(run(sum, "O[o]: A[[0]] + A[[1]]"), "1..1.0000001192092896");
    // Exact results have no neighbours.
    assert_eq!(
        run("A: FLOAT32 [2] = 1 2.5; O: FLOAT32 [1]", "O[o]: A[[0]] + A[[1]]"),
        "3.5"
    );
    // 4097² = 2^24 + 2^13 + 1 is no FLOAT32: the neighbours are 2^24 + 2^13 and that plus 2.
    let square = "A: FLOAT32 [1] = 4097; O: FLOAT32 [1]";
    assert_eq!(run(square, "O[o]: A[[0]] * A[[0]]"), "16785408..16785410");
}

#[test]
fn a_rounding_on_the_way_is_counted() {
    // (a·b)·c: a·b = 4097² is rounded to 2^24 + 2^13 (down by 1); the second product is exact, and so are both ends.
    let found = bound("4097 1024", "(A[[0]] * A[[0]]) * A[[1]]");
    let ends = (16_785_408.0 * 1024.0, 16_785_409.0 * 1024.0);
    assert!(
        (found.0 - ends.0).abs() < 1e-5 && (found.1 - ends.1).abs() < 1e-5,
        "{found:?}"
    );
    // A sum of three: one addition on the way, u of the sum of magnitudes.
    let found = bound("1 1e-9 -1e-9", "sum(i in 0..3: A[[i]])");
    assert!(lies(found, 1.0, U * 0.9, U * 1.2), "{found:?}");
    // Five terms: three on the way, γ(3).
    let found = bound("1 1e-9 -1e-9 1e-9 -1e-9", "sum(i in 0..5: A[[i]])");
    assert!(lies(found, 1.0, U * 2.9, U * 3.2), "{found:?}");
}

#[test]
fn a_sum_of_one_sign_is_no_smaller_than_its_largest_term() {
    let found = bound("1 1e-9 1e-9", "sum(i in 0..3: A[[i]])");
    assert!(found.0 > 1.0 - 1e-12 && found.1 > 1.0 + U * 0.9, "{found:?}");
    let found = bound("-1 -1e-9 -1e-9", "sum(i in 0..3: A[[i]])");
    assert!(found.1 < -1.0 + 1e-12 && found.0 < -1.0 - U * 0.9, "{found:?}");
    // The largest term may be off itself.
    let found = bound("4097 1e-9", "A[[0]] * A[[0]] + A[[1]] + A[[1]]");
    assert!(found.0 > 16_785_407.9 && found.0 < 16_785_408.1, "{found:?}");
}

#[test]
fn a_sum_of_two_has_no_rounding_but_the_last() {
    let found = bound("1 1e-9", "sum(i in 0..2: A[[i]])");
    // The interval is the exact sum: FLOAT64's cast adds the neighbours in FLOAT64.
    assert!(found.1 - found.0 <= 2.0 * U && found.0 >= 1.0 - U, "{found:?}");
    let narrow = "A: FLOAT32 [2] = 1 1e-9; O: FLOAT32 [1]";
    assert_eq!(run(narrow, "O[o]: sum(i in 0..2: A[[i]])"), "1..1.0000001192092896");
}

#[test]
fn a_sum_beyond_the_widest_format_has_an_interval_too() {
    let sum = |terms: &str| {
        let count = terms.split(' ').count();
        run(
            &format!("A: FLOAT64 [{count}] = {terms}; O: FLOAT64 [1]"),
            &format!("O[o]: sum(i in 0..{count}: A[[i]])"),
        )
    };
    let (most, half) = ("1.7976931348623157e308", "1e308");
    assert_eq!(sum(&format!("{most} -{most}")), "±0");
    assert_eq!(sum(&format!("{most} {half}")), "inf");
    assert_eq!(sum(&format!("-{half} -{half} -{half}")), "-inf");
    // The order decides: it may be half, or have left the range on the way.
    for terms in [format!("{most} {half} -{most}"), format!("{half} -{most} {most}")] {
        assert_eq!(
            sum(&terms),
            format!("-{most}..{most}").replace("e308", "e308"),
            "{terms}"
        );
    }
}

#[test]
fn the_logarithm_of_what_left_the_range_is_not_of_nothing() {
    let fields = "A: FLOAT32 [2] = 1000 999; O: FLOAT32 [1]";
    let found = run(
        fields,
        "O[o]: granted(\"far\", either(log(sum(i in 0..2: exp(A[[i]]))), A[[0]] + log(sum(i in 0..2: exp(A[[i]] - A[[0]])))))",
    );
    assert!(found.starts_with("1000.313"), "{found}");
    assert!(found.contains("inf") && !found.contains("-inf"), "{found}");
}

#[test]
fn the_logarithm_of_a_denormal_is_as_far_off_as_that() {
    // exp(-95) is a denormal, of which few bits are left, and may have become 0.
    let fields = "A: FLOAT32 [1] = -95; O: FLOAT32 [1]";
    let found = run(
        fields,
        "O[o]: granted(\"near\", either(log(sum(i in 0..1: exp(A[[i]]))), A[[0]] + log(sum(i in 0..1: exp(A[[i]] - A[[0]])))))",
    );
    assert!(found.contains("-94.95") && found.contains("-inf"), "{found}");
}

#[test]
fn a_bias_is_a_term_of_its_sum() {
    // 2^24 + 1 + 1 in any order: 2^24 + 1 is a tie that goes to 2^24, 1 + 1 is exact, so that 2^24 and 2^24 + 2 are right.
    // γ(1) of 2^24 + 2 is just above 1, and the last rounding takes either neighbour. Without the bias nothing is off.
    let fields = "A: FLOAT32 [2] = 1 1; B: FLOAT32 [1] = 16777216; O: FLOAT32 [1]";
    let found = run(fields, "O[o]: B[[0]] + sum(i in 0..2: A[[i]])");
    assert_eq!(found, "16777216..16777220");
    let found = run(fields, "O[o]: sum(i in 0..2: A[[i]])");
    assert_eq!(found, "2");
    // A bias that cancels leaves the error of what it cancelled.
    let found = ends(
        "A: FLOAT32 [2] = 16777216 1; B: FLOAT32 [1] = -16777216; O: FLOAT32 [1]",
        "O[o]: sum(i in 0..2: A[[i]]) + B[[0]]",
    );
    assert!(found.0 <= -1.0 && found.1 >= 3.0, "{found:?}");
}

#[test]
fn a_product_is_off_relatively() {
    // γ(1) of the product 1.1³, not of a sum of magnitudes 3.3.
    let (x, found) = (f64::from(1.1_f32), bound("1.1 1.1 1.1", "product(i in 0..3: A[[i]])"));
    let cube = x * x * x;
    assert!(lies(found, cube, U * cube * 0.95, U * cube * 1.3), "{found:?}");
    // Factors of few bits have an exact product, of however many.
    assert_eq!(
        run(
            "A: FLOAT32 [4] = 3 5 0.5 7; O: FLOAT32 [1]",
            "O[o]: product(i in 0..4: A[[i]])"
        ),
        "52.5"
    );
    // Small factors: the bound is as small as they are.
    let found = bound("0.001 0.001 0.001", "product(i in 0..3: A[[i]])");
    assert!(found.1 - found.0 < 1e-15, "{found:?}");
}

#[test]
fn whole_numbers_wrap_where_the_cast_says_so() {
    let fields = "A: INT32 [4] = 2147483647 -2147483648 100 -1; B: INT32 [4] = 1 -1 100 -1; O: INT32 [4]; S: INT8 [4]";
    let meaning = "O[o]: cast(A[o] + B[o], INT32, overflow: wrap)\nS[o]: cast(A[o] * B[o], INT8, overflow: wrap)";
    assert_eq!(run(fields, meaning), "-2147483648, 2147483647, 200, -2 | -1, 0, 16, 1");
    let unsigned = "A: UINT8 [3] = 0 200 255; O: UINT8 [3]";
    assert_eq!(
        run(unsigned, "O[o]: cast(A[o] - 1, UINT8, overflow: wrap)"),
        "255, 199, 254"
    );
    assert_eq!(
        run(unsigned, "O[o]: cast(A[o] * 2, UINT8, overflow: wrap)"),
        "0, 144, 254"
    );
    // What wraps is a number of its type, whatever is made of it.
    let inner = "A: INT32 [2] = 200 -129; O: INT32 [2]";
    assert_eq!(run(inner, "O[o]: cast(A[o], INT8, overflow: wrap) * 2"), "-112, 254");
    // 2^64 - 1 squared is 1 modulo 2^64.
    let wide = "A: UINT64 [1] = 18446744073709551615; O: UINT64 [1]; P: UINT64 [1]";
    assert_eq!(
        run(
            wide,
            "O[o]: cast(A[o] * A[o], UINT64, overflow: wrap)\nP[o]: cast(product(i in 0..4: A[o]), UINT64, overflow: wrap)"
        ),
        "1 | 1"
    );
}

#[test]
fn numbers_of_64_bits_stay_whole() {
    // 2^53 + 1 and 2^63 - 1 are no numbers of binary64.
    let fields = "A: INT64 [2] = 9007199254740993 9223372036854775807; O: INT64 [2]";
    for body in [
        "A[o]",
        "A[o] + 0",
        "-(-A[o])",
        "max(A[o], A[o] - 1)",
        "abs(A[o])",
        "cast(A[o], INT64)",
        "sum(i in 0..1: A[o])",
        "max(i in 0..2: A[o] - i) else 0",
        "prefix(sum, i in 0..2: A[o] * (1 - i))[1]",
        "A[[order(i in 0..2, by: A[[i]])[o[0]]]]",
        "if A[o] > A[o] - 1 then A[o] else 0",
        "int(A[o])",
        "clamp(A[o], A[o] - 1, A[o] + 1)",
        "let x = A[o] in x",
    ] {
        assert_eq!(
            run(fields, &format!("O[o]: {body}")),
            "9007199254740993, 9223372036854775807",
            "{body}"
        );
    }
    let unsigned = "A: UINT64 [1] = 18446744073709551615; O: UINT64 [1]; H: UINT64 [1]";
    assert_eq!(
        run(unsigned, "O[o]: A[o]\nH[o]: A[o] >> 1"),
        "18446744073709551615 | 9223372036854775807"
    );
    let close = "A: INT64 [2] = 9007199254740993 9007199254740992; O: UINT8 [1]; P: UINT32 [1]; Q: UINT32 [2]";
    assert_eq!(
        run(
            close,
            "O[o]: A[[0]] > A[[1]]\nP[o]: argmax(i in 0..2: A[[1 - i]])\nQ[o]: order(j in 0..2, by: A[[j]])[o[0]]"
        ),
        "1 | 1 | 1, 0"
    );
}

#[test]
fn zeros_keep_their_sign_where_bits_are_copied() {
    let fields = "A: FLOAT32 [3] = -0 0 1; O: FLOAT32 [3]";
    assert_eq!(run(fields, "O[o]: A[o]"), "-0, 0, 1");
    assert_eq!(run(fields, "O[o]: -A[o]"), "0, -0, -1");
    assert_eq!(run(fields, "O[o]: if A[o] == 0.0 then A[o] else 2.0"), "-0, 0, 2");
    // The sign of a computed zero is free.
    assert_eq!(run(fields, "O[o]: A[o] + 0.0"), "±0, ±0, 1");
    assert_eq!(run(fields, "O[o]: A[o] * 2.0"), "±0, ±0, 2");
    assert_eq!(run(fields, "O[o]: max(A[o], -A[o])"), "±0, ±0, 1");
    // Zeros tie: the first one comes first, in both directions.
    let order = "A: FLOAT32 [3] = 0 -0 -1; O: UINT32 [3]; P: UINT32 [3]";
    assert_eq!(
        run(
            order,
            "O[o]: order(j in 0..3, by: A[[j]])[o[0]]\nP[o]: order(j in 0..3, by: A[[j]], true)[o[0]]"
        ),
        "2, 0, 1 | 0, 1, 2"
    );
}

#[test]
fn halves_are_rounded_to_even() {
    let fields = "A: FLOAT32 [6] = -2.5 -1.5 -0.5 0.5 1.5 2.5; O: FLOAT32 [6]";
    assert_eq!(run(fields, "O[o]: round(A[o])"), "-2, -2, -0, 0, 2, 2");
    assert_eq!(run(fields, "O[o]: floor(A[o])"), "-3, -2, -1, 0, 1, 2");
    assert_eq!(run(fields, "O[o]: ceil(A[o])"), "-2, -1, -0, 1, 2, 3");
    assert_eq!(run(fields, "O[o]: trunc(A[o])"), "-2, -1, -0, 0, 1, 2");
}

#[test]
fn denormals_may_vanish_in_single_precision_alone() {
    // 2^-140 is below 2^-126; 2^-20 is below FLOAT16's 2^-14.
    let single = "A: FLOAT32 [1] = 7.174648137343064e-43; O: FLOAT32 [1]";
    assert_eq!(run(single, "O[o]: A[o]"), "7.174648137343064e-43 or 0 or -0");
    // Twice the greater end, one step outward.
    assert_eq!(run(single, "O[o]: A[o] * 2.0"), "0..1.4363309259329375e-42");
    let half = "A: FLOAT16 [1] = 9.5367431640625e-7; O: FLOAT16 [1]";
    assert_eq!(run(half, "O[o]: A[o]"), "9.5367431640625e-7");
    assert_eq!(run(half, "O[o]: A[o] + A[o]"), "1.9073486328125e-6");
    let double = "A: FLOAT64 [1] = 4e-320; O: FLOAT64 [1]";
    assert_eq!(
        run(double, "O[o]: A[o]"),
        run(double, "O[o]: if true then A[o] else 0.0")
    );
    // Attributes are read as tensors are.
    let scaled = "A: FLOAT32 [1] = 2; X: FLOAT = 7.174648137343064e-43; O: FLOAT32 [1]";
    assert_eq!(run(scaled, "O[o]: X"), "7.174648137343064e-43 or 0 or -0");
    assert_eq!(run(scaled, "O[o]: X * A[o]"), "0..1.4363309259329375e-42");
    let half = "A: FLOAT16 [1] = 2; X: FLOAT = 0.00000095367431640625; O: FLOAT16 [1]";
    assert_eq!(run(half, "O[o]: X * A[o]"), "1.9073486328125e-6");
    // A product that falls below the normal numbers: 2^-70 squared.
    let small = "A: FLOAT32 [1] = 8.470329472543003e-22; O: FLOAT32 [1]";
    assert_eq!(run(small, "O[o]: A[o] * A[o]"), "0..7.174648137343064e-43");
    // A difference of normal numbers that is exact, and below them: 1.5 - 1 times 2^-126.
    let normal = "A: FLOAT32 [1] = 1.7632415262334313e-38; B: FLOAT32 [1] = 1.1754943508222875e-38; O: FLOAT32 [1]";
    assert_eq!(run(normal, "O[o]: A[o] - B[o]"), "0..5.877471754111438e-39");
    // A number that single precision cannot hold, among those that may vanish.
    let double = "A: FLOAT64 [1] = 1e-40; O: FLOAT32 [1]";
    let cast = "O[o]: cast(A[o], FLOAT32, rounding: either, overflow: infinity)";
    assert_eq!(run(double, cast), "0..1.0000086230961192e-40");
    // One that it can hold, made of another type or by a factor that is a power of two.
    let made = "5.877471754111438e-39 or 0 or -0";
    let double = "A: FLOAT64 [2] = 5.877471754111438e-39 5.877471754111438e-39; O: FLOAT32 [2]";
    assert_eq!(run(double, cast), format!("{made}, {made}"));
    let normal = "A: FLOAT32 [1] = 1.1754943508222875e-38; X: FLOAT = 0.5; O: FLOAT32 [1]";
    assert_eq!(run(normal, "O[o]: X * sum(i in 0..1: A[[i]]) + 0.0"), made);
}

#[test]
fn a_logarithm_is_that_of_a_number_of_the_format_or_of_zero() {
    // Certainly negative: no number is a logarithm of it.
    let negative = "A: FLOAT32 [3] = -1.1 -2.3 0.7; O: FLOAT32 [1]";
    assert_eq!(run(negative, "O[o]: log(sum(i in 0..3: A[[i]]))"), "NaN");
    assert_eq!(run(negative, "O[o]: sqrt(sum(i in 0..3: A[[i]]))"), "NaN");
    // 2^-149 is the smallest number but zero, and its logarithm -103.28.
    let vanishing = "A: FLOAT32 [2] = -90 -90; O: FLOAT32 [1]";
    let ends = run(vanishing, "O[o]: log(sum(i in 0..2: exp(A[[i]])))");
    assert_eq!(ends, "-103.27899169921875..-89.30648040771484 or -inf");
    // A sum that may have either sign, and be zero.
    let cancelled = "A: FLOAT32 [3] = 1.1 2.3 -3.4; O: FLOAT32 [1]";
    let ends = run(cancelled, "O[o]: log(sum(i in 0..3: A[[i]]))");
    assert!(ends.starts_with("-103.27"), "{ends}");
    assert!(ends.contains("nan") && ends.contains("-inf"), "{ends}");
}

#[test]
fn an_infinity_beside_what_may_have_left_the_range_is_it_or_nan() {
    let fields = "A: FLOAT32 [3] = 3e38 -3e38 0; X: FLOAT = -inf; O: FLOAT32 [3]";
    let grants = "A opens bad: isnan(x)\nO[o]: granted(\"bad\", 2.0 * A[o] + X)";
    assert_eq!(run(fields, grants), "-inf..-inf or nan, -inf, -inf");
    // An infinite factor: the infinity of the sum's sign, or NaN, where terms have both signs or vanish.
    let fields = "A: FLOAT32 [2] = 0.1 0.2; B: FLOAT32 [2] = 0.1 -0.3; X: FLOAT = inf; O: FLOAT32 [1]";
    let scaled = |name: &str| run(fields, &format!("O[o]: X * sum(i in 0..2: {name}[[i]]) + 0.5"));
    assert!(scaled("A").ends_with("or nan or inf"), "{}", scaled("A"));
    assert!(scaled("B").ends_with("or nan or inf or -inf"), "{}", scaled("B"));
    // The smaller of two terms that leave the range, one far beyond the other, is not lost.
    let fields = "A: FLOAT32 [2] = -6.7e35 4e12; X: FLOAT = 1e30; O: FLOAT32 [1]";
    let grants = "A opens bad: isnan(x)\nO[o]: granted(\"bad\", X * sum(i in 0..2: A[[i]]) + 0.5)";
    assert!(run(fields, grants).contains("nan"));
}

#[test]
fn a_denormal_equals_itself_whether_it_vanishes_or_not() {
    let fields = "A: FLOAT32 [3] = 7e-43 7e-43 1.4e-42; O: UINT32 [1]";
    assert_eq!(run(fields, "O[o]: argmax(i in 0..2: A[[i]]) else 9"), "0");
    assert_eq!(run(fields, "O[o]: last(i in 0..2: A[[i]] == A[[0]]) else 9"), "1");
    assert_eq!(run(fields, "O[o]: argmax(i in 0..3: A[[i]]) else 9"), "0 or 2");
}

#[test]
fn one_number_for_all_elements_is_not_read_as_many() {
    let fields = "A: FLOAT32 [2, 3] = 1 2 3 4 5 6; B: FLOAT32 [3] = 10 20 30; C: FLOAT32 [1] = 100; X: UINT = 7; O: FLOAT32 [2, 3]";
    assert_eq!(run(fields, "O[o]: A[o] + B[[o[1]]]"), "11, 22, 33, 14, 25, 36");
    assert_eq!(run(fields, "O[o]: A[o] + C[[0]]"), "101, 102, 103, 104, 105, 106");
    assert_eq!(run(fields, "O[o]: X + B[[o[0]]]"), "17, 17, 17, 27, 27, 27");
    assert_eq!(run(fields, "O[o]: if o[0] == 0 then X else A[o]"), "7, 7, 7, 4, 5, 6");
    assert_eq!(run(fields, "O[o]: if X == 7 then A[o] else C[[0]]"), "1, 2, 3, 4, 5, 6");
    assert_eq!(
        run(fields, "O[o]: sum(i in 0..2: if i == 0 then X else A[o])"),
        "8, 9, 10, 11, 12, 13"
    );
    assert_eq!(
        run(fields, "O[o]: sum(i in 0..o[1] + 1: B[[o[0]]])"),
        "10, 20, 30, 20, 40, 60"
    );
    assert_eq!(run(fields, "s[i in 0..3]: X\nO[o]: s[o[1]] + o[0]"), "7, 7, 7, 8, 8, 8");
}

#[test]
fn axes_run_in_row_major_order() {
    let fields = "A: INT32 [2, 3] = 1 2 3 4 5 6; O: INT32 [3, 2]; P: INT32 [2, 3]";
    let meaning = "O[o]: A[o[1], o[0]]\nP[o]: ravel(o, [2, 3])";
    assert_eq!(run(fields, meaning), "1, 4, 2, 5, 3, 6 | 0, 1, 2, 3, 4, 5");
    let through = "t[i in 0..3, j in 0..2]: A[j, i]\nO[o]: t[o[0], o[1]]\nP[o]: t[o[1], o[0]]";
    assert_eq!(run(fields, through), "1, 4, 2, 5, 3, 6 | 1, 2, 3, 4, 5, 6");
    let first =
        "O[o]: ravel(first(r in A.Sizes: A[r] > 3) else [0, 0], A.Sizes)\nP[o]: unravel(ravel(o, A.Sizes), [3, 2])[0]";
    assert_eq!(run(fields, first), "3, 3, 3, 3, 3, 3 | 0, 0, 1, 1, 2, 2");
}

#[test]
fn whole_numbers_among_reals_are_summed_with_them() {
    // The first 1,024 points are whole numbers, the others real.
    let fields = "O: FLOAT32 [1]; P: FLOAT32 [1]; Q: UINT32 [1]";
    let meaning = "O[o]: sum(i in 0..3000: if i < 2000 then 1 else 0.5)\n\
        P[o]: max(i in 0..3000: if i < 2000 then 7 else 0.5) else 0\n\
        Q[o]: argmax(i in 0..3000: if i < 2000 then i else 2500.5)";
    assert_eq!(run(fields, meaning), "2500 | 7 | 2000");
}

/// How far apart the ends are, in units in the last place of numbers in [1, 2).
fn units(found: (f64, f64), center: f64) -> (f64, f64) {
    ((center - found.0) / (2.0 * U), (found.1 - center) / (2.0 * U))
}

#[test]
fn a_quotient_is_off_by_two_and_a_half_units() {
    // 4 / 3 lies in [1, 2).
    let (below, above) = units(bound("4 3", "A[[0]] / A[[1]]"), 4.0 / 3.0);
    assert!(
        (2.5..2.51).contains(&below) && (2.5..2.51).contains(&above),
        "{below} {above}"
    );
    // A power of two divides exactly, and nothing else does.
    assert_eq!(bound("3 4", "A[[0]] / A[[1]]"), (0.75, 0.75));
    assert!(bound("6 3", "A[[0]] / A[[1]]").0 < 2.0);
}

#[test]
fn a_root_is_off_by_seven_half_units() {
    let root = f64::from(2.25_f32).sqrt();
    let (below, above) = units(bound("2.25", "sqrt(A[[0]])"), root);
    // Relatively: 7 · 1.5 half units.
    assert!(
        (5.24..5.26).contains(&below) && (5.24..5.26).contains(&above),
        "{below} {above}"
    );
}

#[test]
fn an_exponential_is_off_by_its_row_of_the_table() {
    // At 0.5: 4 units, or 9 half units relatively, which is more: 9 · 1.6487.
    let (below, above) = units(bound("0.5", "exp(A[[0]])"), 1.648_721_270_700_128_2);
    assert!(
        (7.4..7.5).contains(&below) && (7.4..7.5).contains(&above),
        "{below} {above}"
    );
}

#[test]
fn errors_of_terms_are_carried_into_their_sum() {
    // Two quotients of 4 / 3, each off by 2.5 units; the sum lies in [2, 4) and has no rounding but the last.
    let (below, above) = units(bound("4 3", "sum(i in 0..2: A[[0]] / A[[1]])"), 8.0 / 3.0);
    assert!(
        (5.0..5.02).contains(&below) && (5.0..5.02).contains(&above),
        "{below} {above}"
    );
    // Of a difference as well, with its ends exchanged.
    let (below, above) = units(bound("4 3", "1.0 - A[[0]] / A[[1]]"), -1.0 / 3.0);
    assert!(
        (2.5..2.6).contains(&below) && (2.5..2.6).contains(&above),
        "{below} {above}"
    );
}

#[test]
fn a_last_operation_on_a_bound_is_rounded_by_the_cast_alone() {
    // 4 / 3 ± 2.5 units, then + 1: [2.3333…] ± 2.5 units of [1, 2), outward to the grid of [2, 4), whose step is two
    // of these: at most three steps either way, and not four.
    let fields = "A: FLOAT32 [2] = 4 3; O: FLOAT32 [1]";
    let found = ends(fields, "O[o]: A[[0]] / A[[1]] + 1.0");
    let (below, above) = units(found, 7.0 / 3.0);
    assert!(below < 4.0 && above < 4.0, "{below} {above}");
    assert!(below > 2.5 && above > 2.5, "{below} {above}");
}

#[test]
fn what_leaves_128_bits_is_beyond_every_type() {
    // (2^64 - 1)² is more than 2^127; so is the sum of two of them, and still with -1.
    let fields = "A: UINT64 [2] = 18446744073709551615 3; O: UINT64 [2]; P: UINT64 [2]; Q: UINT64 [2]";
    let meaning = "O[o]: cast(A[o] * A[o], UINT64, overflow: open(\"beyond\"))\n\
        P[o]: cast(sum(i in 0..2: A[o] * A[o]) - 1, UINT64, overflow: saturate)\n\
        Q[o]: if A[o] * A[o] > A[o] then 1 else 2";
    assert_eq!(run(fields, meaning), "open beyond, 9 | 18446744073709551615, 17 | 1, 1");
    // 1.3e19² lies between 2^126 and 2^127: more of the same sign never comes back.
    let fields = "A: UINT64 [3] = 18446744073709551615 13000000000000000000 13000000000000000000; O: UINT64 [1]";
    let meaning = "O[o]: cast(sum(i in 0..3: A[[i]] * A[[i]]), UINT64, overflow: saturate)";
    assert_eq!(run(fields, meaning), "18446744073709551615");
}

#[test]
fn a_product_leaves_the_range_on_the_way_by_its_sign_and_order() {
    let of = |values: &str, granted: bool| {
        let count = values.split_whitespace().count();
        let product = format!("product(i in 0..{count}: A[[i]])");
        let body = if granted {
            format!("granted(\"g\", {product})")
        } else {
            product
        };
        run(
            &format!("A: FLOAT32 [{count}] = {values}; O: FLOAT32 [1]"),
            &format!("O[o]: {body}"),
        )
    };
    let lost = "1e30 1e30 1e-30 1e-30";
    let one = "0.9999999403953552..1.0000001192092896";
    assert_eq!(of(lost, false), format!("{one} or ±0"));
    assert_eq!(of(lost, true), format!("{one} or nan or inf or ±0"));
    // Nothing but infinity times zero makes anything else than zero.
    assert_eq!(
        (of("1e30 1e30 0 -2", false), of("1e30 1e30 0 -2", true)),
        ("±0".to_owned(), "±0 or nan".to_owned())
    );
    assert_eq!(of("1e5 1e5 0 -2", true), "±0");
    let beyond = "1e38 1e38 1e38 -1e38 1e38 1e38 1e38 1e38 1e38 1e38";
    assert_eq!(
        (of(beyond, false), of(beyond, true)),
        ("-inf".to_owned(), "-inf".to_owned())
    );
    // 1e-40 has lost bits, or is zero; the product keeps its sign.
    let small = of("1e-30 -1e-10 1e5", true);
    assert!(
        small.starts_with("-1.00000") && small.ends_with("e-36 or ±0"),
        "{small}"
    );
}

#[test]
fn a_bias_may_be_added_before_a_sum_with_a_factor() {
    // 2^24 + 1 + 1 and the like, with a factor of 0.5 at the terms 2: the bias may come first or last.
    let fields = "A: FLOAT32 [2] = 2 2; B: FLOAT32 [1] = 16777216; O: FLOAT32 [1]";
    assert_eq!(
        run(fields, "O[o]: 0.5 * sum(i in 0..2: A[[i]]) + B[[0]]"),
        "16777216..16777220"
    );
    assert_eq!(
        run(fields, "O[o]: B[[0]] + sum(i in 0..2: A[[i]]) / 2.0"),
        "16777216..16777220"
    );
    // A factor that rounds does so at each term.
    let (lo, hi) = ends(
        "A: FLOAT32 [2] = 3 3; B: FLOAT32 [1] = 1; O: FLOAT32 [1]",
        "O[o]: 0.1 * sum(i in 0..2: A[[i]]) + B[[0]]",
    );
    let each = f64::from((1.0_f32 + 0.1 * 3.0) + 0.1 * 3.0);
    assert!(lo <= each && each <= hi && hi - lo < 1e-6, "{lo}..{hi}, {each}");
    // What is exact stays so.
    let fields = "A: FLOAT32 [3] = 5 -7 9; B: FLOAT32 [1] = 4; O: FLOAT32 [1]";
    assert_eq!(run(fields, "O[o]: 2.0 * sum(i in 0..3: A[[i]]) + 0.5 * B[[0]]"), "16");
    assert_eq!(run(fields, "O[o]: B[[0]] - 2.0 * sum(i in 0..3: A[[i]])"), "-10");
}

#[test]
fn sums_and_extremes_of_64_bits_are_exact() {
    let fields = "A: INT64 [3] = 9223372036854775807 9223372036854775807 4; O: INT64 [1]";
    let meaning = "O[o]: cast(sum(i in 0..3: A[[i]]), INT64, overflow: wrap)";
    assert_eq!(run(fields, meaning), "2");
    let meaning = "O[o]: cast(sum(i in 0..3: A[[i]]), INT64, overflow: saturate)";
    assert_eq!(run(fields, meaning), "9223372036854775807");
    let fields = "A: INT64 [3] = 9007199254740992 9007199254740993 -9007199254740993; O: INT64 [1]; P: INT64 [1]";
    let meaning = "O[o]: max(i in 0..3: A[[i]]) else 0\nP[o]: argmax(i in 0..3: A[[i]]) else 0";
    assert_eq!(run(fields, meaning), "9007199254740993 | 1");
    assert_eq!(
        run(
            fields,
            "O[o]: min(i in 0..3: A[[i]]) else 0\nP[o]: argmin(i in 0..3: A[[i]]) else 0"
        ),
        "-9007199254740993 | 2"
    );
}

#[test]
fn elementary_functions_are_off_by_what_the_table_says() {
    // At least the bound of the table, and no more than a tenth beyond it and the roundings of argument and result.
    for (x, formula, value, off) in [
        (1000.0, "log(A[o])", libm::log(1000.0), 10.0 * U * libm::log(1000.0)),
        (1.5, "log(A[o])", libm::log(1.5), 8.0 * U),
        (3.0, "exp(A[o])", libm::exp(3.0), 14.0 * U * libm::exp(3.0)),
        (3.0, "sqrt(A[o])", libm::sqrt(3.0), 7.0 * U * libm::sqrt(3.0)),
        (0.5, "sin(A[o])", libm::sin(0.5), 0.0008),
        (0.5, "tanh(A[o])", libm::tanh(0.5), 1e-5),
        (0.5, "acos(A[o])", libm::acos(0.5), 6.81e-5),
    ] {
        let found = ends(
            &format!("A: FLOAT32 [1] = {x}; O: FLOAT32 [1]"),
            &format!("O[o]: {formula}"),
        );
        let rounding = 4.0 * U * value.abs();
        assert!(
            lies(found, value, off, 1.1 * off + rounding),
            "{formula} at {x}: {found:?}"
        );
    }
}
