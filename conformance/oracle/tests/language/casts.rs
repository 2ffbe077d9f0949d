//! `cast`: rounding, then the range, then NaN; and the cast that every output ends in.

use crate::tiny::{fault, run};

/// What becomes of these numbers in an output of this type.
fn cast(values: &str, ty: &str, words: &str) -> String {
    let count = values.split_whitespace().count();
    let fields = format!("A: FLOAT32 [{count}] = {values}; O: {ty} [{count}]");
    run(&fields, &format!("O[o]: cast(A[o], {ty}{words})"))
}

#[test]
fn fractions_are_rounded_as_the_word_says() {
    let values = "-2.5 -1.5 -0.5 0.5 1.5 2.5 2.75";
    for (words, expected) in [
        (", rounding: nearest_even", "-2, -2, 0, 0, 2, 2, 3"),
        (", rounding: toward_zero", "-2, -1, 0, 0, 1, 2, 2"),
        (", rounding: down", "-3, -2, -1, 0, 1, 2, 2"),
        (", rounding: up", "-2, -1, 0, 1, 2, 3, 3"),
        (
            ", rounding: either",
            "-3 or -2, -2 or -1, -1 or 0, 0 or 1, 1 or 2, 2 or 3, 2 or 3",
        ),
    ] {
        assert_eq!(cast(values, "INT32", words), expected, "{words}");
    }
}

#[test]
fn whole_numbers_between_two_of_binary64_become_either_of_them() {
    let fields = "A: INT64 [3] = 9007199254740993 9007199254740995 -9007199254740993; O: FLOAT64 [3]";
    assert_eq!(
        run(fields, "O[o]: cast(A[o], FLOAT64, rounding: either)"),
        "9007199254740992..9007199254740994, 9007199254740994..9007199254740996, \
         -9007199254740994..-9007199254740992"
    );
}

#[test]
fn the_range_is_tested_after_rounding() {
    // 127.4 rounds to 127, which fits; 127.5 to 128, which does not.
    assert_eq!(cast("127.4 -128.4", "INT8", ", rounding: nearest_even"), "127, -128");
    assert_eq!(
        cast("127.5", "INT8", ", rounding: nearest_even"),
        "fault: a number does not fit INT8 at `cast(A[o], INT8, rounding: nearest_even)`"
    );
    let values = "-129 -128.5 127.5 300";
    for (words, expected) in [
        ("saturate", "-128, -128, 127, 127"),
        ("wrap", "127, -128, 127, 44"),
        ("open(\"range\")", "open range, -128, 127, open range"),
    ] {
        let words = format!(", rounding: toward_zero, overflow: {words}");
        assert_eq!(cast(values, "INT8", &words), expected, "{words}");
    }
    assert_eq!(cast("-inf inf", "INT8", ", overflow: saturate"), "-128, 127");
    assert_eq!(
        cast("-inf inf", "INT8", ", overflow: open(\"range\")"),
        "open range, open range"
    );
    assert_eq!(
        cast("inf", "INT8", ", overflow: wrap"),
        "fault: a number does not fit INT8 at `cast(A[o], INT8, overflow: wrap)`"
    );
}

#[test]
fn nan_becomes_what_is_said() {
    assert_eq!(cast("nan 1", "INT8", ", nan: -7"), "-7, 1");
    assert_eq!(cast("nan 1", "INT8", ", nan: open(\"nan\")"), "open nan, 1");
    assert_eq!(
        cast("nan", "INT8", ""),
        "fault: a number does not fit INT8 at `cast(A[o], INT8)`"
    );
}

#[test]
fn whole_numbers_and_floats_become_each_other() {
    let fields = "A: INT32 [3] = 16777217 -2147483648 70000; O: FLOAT32 [3]; P: FLOAT16 [3]";
    let meaning = "O[o]: A[o]\nP[o]: A[o]";
    // 2^24 + 1 lies between two numbers of FLOAT32; 65536 and beyond are infinite in FLOAT16.
    assert_eq!(
        run(fields, meaning),
        "16777216..16777218, -2147483648, 70000 | inf, -inf, inf"
    );
    let nearest = "O[o]: cast(A[o], FLOAT32, rounding: nearest_even)\nP[o]: cast(A[o], FLOAT16, overflow: saturate)";
    assert_eq!(
        run(fields, nearest),
        "16777216, -2147483648, 70000 | 65504, -65504, 65504"
    );
}

#[test]
fn a_float_is_rounded_to_a_narrower_one() {
    // 2049 lies between 2048 and 2050, 65519 below the border to infinity, 65520 on it.
    let values = "2049 65519 -65520 70000 0.1";
    let of = |words: &str| cast(values, "FLOAT16", words);
    assert_eq!(
        of(""),
        "2048..2050, 65504..inf, -inf..-65504, inf, 0.0999755859375..0.10003662109375"
    );
    assert_eq!(
        of(", rounding: nearest_even"),
        "2048, 65504, -inf, inf, 0.0999755859375"
    );
    assert_eq!(
        of(", rounding: toward_zero"),
        "2048, 65504, -65504, inf, 0.0999755859375"
    );
    assert_eq!(of(", rounding: up"), "2050, inf, -65504, inf, 0.10003662109375");
    assert_eq!(of(", rounding: down"), "2048, 65504, -inf, inf, 0.0999755859375");
    assert_eq!(
        of(", rounding: nearest_even, overflow: saturate"),
        "2048, 65504, -65504, 65504, 0.0999755859375"
    );
    assert_eq!(
        of(", rounding: nearest_even, overflow: open(\"range\")"),
        "2048, 65504, open range, open range, 0.0999755859375"
    );
}

#[test]
fn what_rounding_leaves_open_stays_several_numbers() {
    // 0.1 · 30 in FLOAT32 may be just below 3 or just above it.
    let fields = "A: FLOAT32 [1] = 30; O: INT32 [1]; P: INT8 [1]";
    let meaning = "O[o]: cast(0.1 * A[o], INT32, rounding: down)\nP[o]: cast(0.1 * A[o] * 1000.0, INT8, rounding: down, overflow: saturate)";
    assert_eq!(run(fields, meaning), "3 or 2 | 127");
    // A wide interval beyond the range is one number.
    let wide = "A: FLOAT32 [1] = 1e20; O: UINT8 [1]; P: UINT8 [1]";
    let meaning = "O[o]: cast(A[o] * 1.1, UINT8, rounding: down, overflow: saturate)\nP[o]: cast(A[o] * 1.1, UINT8, rounding: down, overflow: open(\"range\"))";
    assert_eq!(run(wide, meaning), "255 | open range");
}

#[test]
fn infinity_and_nan_of_an_interval_count() {
    // A granted sum that may leave the range on the way, and come back.
    let fields = "A: FLOAT32 [3] = 3e38 3e38 -3e38; O: UINT8 [1]";
    let found = run(
        fields,
        "O[o]: cast(granted(\"way\", sum(i in 0..3: A[[i]])), UINT8, rounding: down, overflow: saturate)",
    );
    assert_eq!(found, "255");
    let both = "A: FLOAT32 [5] = 3e38 3e38 -3e38 -3e38 7; O: UINT8 [1]";
    let sum = "granted(\"way\", sum(i in 0..5: A[[i]]))";
    let words = "rounding: down, overflow: saturate";
    assert_eq!(
        run(both, &format!("O[o]: cast({sum}, UINT8, {words}, nan: open(\"nan\"))")),
        "open nan"
    );
    let found = fault(both, &format!("O[o]: cast({sum}, UINT8, {words})"));
    assert!(found.starts_with("a number does not fit UINT8"), "{found}");
}

#[test]
fn every_output_ends_in_a_cast_to_its_type() {
    let fields = "A: INT32 [2] = 7 300; O: UINT8 [2]";
    assert_eq!(fault(fields, "O[o]: A[o]"), "a number does not fit UINT8 at `A[o]`");
    assert_eq!(run(fields, "O[o]: A[o] > 8"), "0, 1");
    // A cast to another type does not replace it.
    assert_eq!(
        fault(fields, "O[o]: cast(A[o], INT32)"),
        "a number does not fit UINT8 at `cast(A[o], INT32)`"
    );
    assert_eq!(run(fields, "O[o]: cast(A[o], INT8, overflow: saturate)"), "7, 127");
    assert_eq!(run(fields, "O[o]: cast(A[o], O.DataType, overflow: wrap)"), "7, 44");
}
