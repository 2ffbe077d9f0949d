//! Computation in half precision: what FLOAT16 arithmetic comes to is accepted beside what FLOAT32 arithmetic comes to.
//!
//! u is 2^-11. FLOAT16 has every whole number up to 2048, every second one up to 4096; the greatest number is 65504, and
//! from 65520 on the nearest is an infinity.

use crate::tiny::{ends_in_half, run, run_in_half};

/// What the one element of a FLOAT16 output may be without the permission and with it.
fn both(values: &str, body: &str) -> (String, String) {
    let count = values.split_whitespace().count();
    let fields = format!("A: FLOAT16 [{count}] = {values}; Alpha: FLOAT = 0.1; Large: FLOAT = 100000; O: FLOAT16 [1]");
    let meaning = format!("O[o]: {body}");
    (run(&fields, &meaning), run_in_half(&fields, &meaning))
}

fn pair(without: &str, with: &str) -> (String, String) {
    (without.to_owned(), with.to_owned())
}

#[test]
fn ties_on_the_way_go_to_even() {
    // 2049 lies between 2048 and 2050, 2051 between 2050 and 2052.
    assert_eq!(both("2048 1", "abs(A[[0]] + A[[1]]) - A[[0]]"), pair("1", "0..1"));
    assert_eq!(both("2048 3", "abs(A[[0]] + A[[1]]) - A[[0]]"), pair("3", "3..4"));
    // The last rounding takes either neighbour, in FLOAT32 as well.
    assert_eq!(both("2048 1", "A[[0]] + A[[1]]"), pair("2048..2050", "2048..2050"));
}

#[test]
fn what_leaves_elements_open_is_decided_by_attributes_as_they_are() {
    // FLOAT16 holds neither 0.1 nor 6.1.
    let fields = "A: FLOAT16 [2] = 1 9; Low: FLOAT = 0.1; High: FLOAT = 6.1; O: FLOAT16 [2]";
    let meaning = |condition: &str| format!("O opens bad: {condition}\nO[o]: clamp(A[o], Low, High)");
    for never in ["Low != Low or High != High", "Low > High"] {
        let judged = run_in_half(fields, &meaning(never));
        assert!(!judged.contains("open"), "{never}: {judged}");
    }
    assert_eq!(run_in_half(fields, &meaning("Low < High")), "open bad, open bad");
}

#[test]
fn an_infinity_is_accepted_only_where_half_precision_reaches_it() {
    let mean = "sum(i in 0..2: A[[i]]) / 2";
    assert_eq!(both("60000 60000", mean), pair("60000", "59968..60032 or inf"));
    assert_eq!(both("-60000 -60000", mean), pair("-60000", "-60032..-59968 or -inf"));
    assert_eq!(both("1000 1000", mean), pair("1000", "1000"));
    // 65519 is rounded to 65504, 65520 to infinity.
    let there_and_back = "abs(A[[0]] + A[[1]]) - A[[0]]";
    assert_eq!(both("65504 15", there_and_back), pair("15", "0..15"));
    assert_eq!(both("65504 16", there_and_back), pair("16", "16..16 or inf"));
    // Infinities of both signs make NaN, those of one sign none.
    let sum = "sum(i in 0..4: A[[i]])";
    let (without, with) = both("60000 60000 -60000 -60000", sum);
    assert_eq!(without, "±0");
    assert!(with.ends_with(" or nan or inf or -inf"), "{with}");
    let (_, with) = both("60000 60000 60000 -60000", sum);
    assert!(
        with.ends_with("inf") && !with.contains("-inf") && !with.contains("nan"),
        "{with}"
    );
}

#[test]
fn infinities_go_on_as_arithmetic_says() {
    // A quotient by an infinity is zero, the greater of negative infinity and zero is zero.
    let (without, with) = both("60000 60000", "1 / abs(A[[0]] + A[[1]])");
    assert!(
        without.starts_with("8.2850") && with.starts_with("0..") && !with.contains("inf"),
        "{with}"
    );
    assert_eq!(both("-60000 -60000", "max(A[[0]] + A[[1]], 0.0)"), pair("0", "±0"));
    // The exponential of 12 is 162754.8, and its logarithm 12 unless it has become infinite.
    let (without, with) = both("12", "log(exp(A[[0]]))");
    assert!(
        without.starts_with("11.99") && with.ends_with(" or inf") && !with.contains("nan"),
        "{with}"
    );
    // A constant beyond the range is infinite, and nothing times that is NaN.
    assert_eq!(both("0", "A[[0]] * Large"), pair("±0", "±0 or nan or inf or -inf"));
}

#[test]
fn a_sum_of_n_terms_is_off_by_gamma_of_n_less_one() {
    // 1 + 4·2^-11 with three roundings on the way: γ(3) = 3u / (1 - 3u) = 0.0014670, and the neighbours beyond that.
    let small = "1 0.00048828125 0.00048828125 0.00048828125 0.00048828125";
    let sum = both(small, "sum(i in 0..5: A[[i]])");
    assert_eq!(sum, pair("1.001953125", "1..1.00390625"));
    // Up to 2048 ones are exact in any order; 62 times 33 is 2046, 64 times 33 is 2112: γ(62) of it is
    // 65.93, and what is not exact has reached 2048.
    assert_eq!(both("33", "sum(i in 0..62: A[[0]])"), pair("2046", "2046"));
    assert_eq!(both("33", "sum(i in 0..64: A[[0]])"), pair("2112", "2048..2178"));
    // A running sum of ones stands still at 2048; none grows beyond 4096 times 4096^(1/10).
    assert_eq!(both("1", "sum(i in 0..2048: A[[0]])"), pair("2048", "2048"));
    assert_eq!(both("1", "sum(i in 0..4096: A[[0]])"), pair("4096", "2048..9416"));
    // A mean may divide each term, which is rounded twice then and makes the sum inexact: γ(60) + γ(2).
    assert_eq!(
        both("33", "sum(i in 0..62: A[[0]]) / 62"),
        pair("32.96875..33.03125", "32.46875..34.03125")
    );
}

/// What n numbers come to if they are added one after the other, or by halves, in half precision.
fn added(terms: &[f64], one_by_one: bool) -> f64 {
    let half = dml_oracle::Format::half();
    match terms {
        [] => 0.0,
        [one] => *one,
        _ if one_by_one => terms.iter().fold(0.0, |sum, x| half.nearest(sum + x)),
        _ => {
            let (left, right) = terms.split_at(terms.len() / 2);
            half.nearest(added(left, false) + added(right, false))
        }
    }
}

#[test]
fn long_sums_of_one_sign_hold_what_any_order_gives_and_little_else() {
    for (x, sign, count) in [
        (1.0, 1.0, 4096),
        (3.0, 1.0, 3000),
        (0.1, -1.0, 2500),
        (2.5, -1.0, 6000),
        (0.001, 1.0, 20_000),
    ] {
        let x = sign * dml_oracle::Format::half().nearest(x);
        let terms = vec![x; count];
        let body = |form: &str| {
            format!(
                "O[o]: {}",
                form.replace("SUM", &format!("sum(i in 0..{count}: A[[0]])"))
            )
        };
        let within = |form: &str| ends_in_half(&format!("A: FLOAT16 [1] = {x}; O: FLOAT16 [1]"), &body(form));
        let (lo, hi) = within("SUM");
        let sums = [added(&terms, true), added(&terms, false), x * count as f64];
        assert!(
            sums.iter().all(|sum| lo <= *sum && *sum <= hi),
            "{x}, {count} times: {sums:?}, {lo}..{hi}"
        );
        // Much less than what stands still, and four times as much, no order gives; nor another sign.
        let sum = x * count as f64;
        let impossible = [sums[0] / 2.2, sum * 4.0, -sum, 0.0];
        assert!(
            impossible.iter().all(|sum| *sum < lo || *sum > hi),
            "{x}, {count} times: {lo}..{hi}"
        );
        // The mean divides at the end, or each term.
        let (lo, hi) = within(&format!("SUM / {count}"));
        let half = dml_oracle::Format::half();
        let each = vec![half.nearest(x / count as f64); count];
        let inverse = vec![half.nearest(x * half.nearest(1.0 / count as f64)); count];
        let whole = added(&terms, true) / count as f64;
        let means = [
            half.nearest(whole),
            x,
            added(&each, true),
            added(&each, false),
            added(&inverse, true),
        ];
        assert!(
            means.iter().all(|mean| lo <= *mean && *mean <= hi),
            "{x}, {count} times: {means:?}, {lo}..{hi}"
        );
    }
}

#[test]
fn a_share_among_thousands_is_neither_a_quarter_nor_four_times_as_much() {
    let count = 4096;
    let softmax = format!("O[o]: exp(A[o] - 5.0) / sum(i in 0..{count}: exp(A[o] - 5.0))");
    for (x, power) in [(5.0, 1.0), (4.5, 0.607)] {
        let (lo, hi) = ends_in_half(&format!("A: FLOAT16 [1] = {x}; O: FLOAT16 [1]"), &softmax);
        let share = 1.0 / f64::from(count);
        // One by one, the sum stands still at 2048.
        assert!(lo <= share && hi >= power / 2048.0, "{lo}..{hi}");
        assert!(lo > share / 4.0 && hi < share * 4.0, "{x}: {lo}..{hi}");
    }
}

#[test]
fn a_share_of_exponentials_is_stable_in_half_precision_too() {
    let softmax = "t: max(i in 0..2: A[[i]]) else 0.0\nO[o]: exp(A[o] - t) / sum(i in 0..2: exp(A[[i]] - t))";
    let shares = |values: &str| run_in_half(&format!("A: FLOAT16 [2] = {values}; O: FLOAT16 [2]"), softmax);
    assert_eq!(shares("-200 -200"), "0.5, 0.5");
    for values in ["1000 999", "60000 -60000", "-65504 65504"] {
        let found = shares(values);
        assert!(!found.contains("nan") && !found.contains("inf"), "{values}: {found}");
    }
    assert!(shares("1000 999").starts_with("0.7285"), "{}", shares("1000 999"));
}

#[test]
fn an_attribute_may_be_rounded_first() {
    // 0.1 is 0.100000001490 in FLOAT32 and 0.0999755859375 in FLOAT16.
    assert_eq!(
        both("1000", "A[[0]] * Alpha"),
        pair("100..100.0625", "99.9375..100.0625")
    );
}

#[test]
fn outcomes_of_both_arithmetics_are_accepted() {
    // 2047.75 is rounded to 2048 before its whole part is taken; 2048 + 1 is no more than 2048.
    assert_eq!(
        both("2047 0.75", "floor(A[[0]] + A[[1]])"),
        pair("2047", "2047 or 2048")
    );
    let more = "if A[[0]] + A[[1]] > A[[0]] then 1.0 else 5.0";
    assert_eq!(both("2048 1", more), pair("1", "1 or 5"));
    assert_eq!(both("2048 2", more), pair("1", "1"));
}

#[test]
fn arithmetic_that_is_written_stays() {
    let mean = "sum(i in 0..2: A[[i]]) / 2";
    assert_eq!(
        both("60000 60000", &format!("in FLOAT32: {mean}")),
        pair("60000", "60000")
    );
    let (without, _) = both("60000 60000", &format!("in FLOAT16: {mean}"));
    assert_eq!(without, "59968..60032");
    // FLOAT32's own range is left where a clause grants it, as ever: the exponential of 100 is beyond it.
    let (without, with) = both("100", "in FLOAT32: log(exp(A[[0]]))");
    assert!(without == with && !with.contains("inf"), "{with}");
    // What comes out of it may be rounded there: 2049 to 2048.
    let sum = "abs(in FLOAT32: A[[0]] + A[[1]]) - A[[0]]";
    assert_eq!(both("2048 1", sum), pair("1", "0..1"));
}

#[test]
fn only_operators_whose_tensors_are_all_float16_have_it() {
    let mean = "O[o]: sum(i in 0..2: A[[i]]) / 2";
    for fields in [
        "A: FLOAT16 [2] = 60000 60000; B: FLOAT32 [1] = 1; O: FLOAT16 [1]",
        "A: FLOAT32 [2] = 60000 60000; O: FLOAT16 [1]",
        "A: FLOAT16 [2] = 60000 60000; O: FLOAT32 [1]",
    ] {
        assert_eq!(run_in_half(fields, mean), "60000", "{fields}");
    }
    // Whole numbers beside them change nothing.
    let fields = "A: FLOAT16 [2] = 60000 60000; I: INT32 [1] = 1; O: FLOAT16 [1]";
    assert_eq!(run_in_half(fields, mean), "59968..60032 or inf");
}
