//! Conditions, `let`, `either`, `continuous`, `granted`, `open`: which outcomes are possible.

use crate::tiny::{fault, run, run_on};
use dml_oracle::Basis;

/// 0.1 · A, which is just below 3 or just above it.
const BORDER: &str = "A: FLOAT32 [1] = 30; O: FLOAT32 [1]";

#[test]
fn a_border_gives_both_sides() {
    assert_eq!(run(BORDER, "O[o]: floor(0.1 * A[o])"), "3 or 2");
    assert_eq!(run(BORDER, "O[o]: ceil(0.1 * A[o])"), "3 or 4");
    assert_eq!(run(BORDER, "O[o]: round(0.1 * A[o])"), "3");
    assert_eq!(run(BORDER, "O[o]: if 0.1 * A[o] > 3.0 then 1 else 2"), "1 or 2");
    assert_eq!(run(BORDER, "O[o]: sign(0.1 * A[o] - 3.0) + 5.0"), "5 or 4 or 6");
    assert_eq!(run(BORDER, "O[o]: 0.1 * A[o] > 3.0"), "1 or 0");
    assert_eq!(run(BORDER, "O[o]: if 0.1 * A[o] > 2.5 then 1 else 2"), "1");
}

#[test]
fn let_fixes_one_outcome_for_all_its_uses() {
    assert_eq!(run(BORDER, "O[o]: let x = floor(0.1 * A[o]) in x - x"), "±0");
    assert_eq!(
        run(BORDER, "O[o]: floor(0.1 * A[o]) - floor(0.1 * A[o])"),
        "±0 or 1 or -1"
    );
    assert_eq!(
        run(BORDER, "O[o]: let x = floor(0.1 * A[o]) in x * 10.0 + x"),
        "33 or 22"
    );
    assert_eq!(
        run(
            BORDER,
            "O[o]: let b = 0.1 * A[o] > 3.0 in (if b then 1 else 0) + (if b then 10 else 20)"
        ),
        "11 or 20"
    );
    let list = "O[o]: let v = [int(floor(0.1 * A[o])), 7] in v[0] * v[0] + v[1]";
    assert_eq!(run(BORDER, list), "16 or 11");
    assert_eq!(
        run(
            BORDER,
            "O[o]: let n = int(floor(0.1 * A[o])) in if n in {3, 5} then n else 10 * n"
        ),
        "3 or 20"
    );
    assert_eq!(
        run(BORDER, "O[o]: if int(floor(0.1 * A[o])) in {3, 5} then 1 else 2"),
        "1 or 2"
    );
    assert_eq!(
        run(
            BORDER,
            "O[o]: if contains([int(floor(0.1 * A[o])), 9], 3) then 1 else 2"
        ),
        "1 or 2"
    );
    assert_eq!(
        run(
            BORDER,
            "O[o]: if contains([3, 5], int(floor(0.1 * A[o]))) then 1 else 2"
        ),
        "1 or 2"
    );
}

#[test]
fn an_index_with_two_outcomes_reads_both() {
    let fields = "A: FLOAT32 [1] = 10; B: FLOAT32 [4] = 5 6 7 8; O: FLOAT32 [2]";
    assert_eq!(
        run(fields, "O[o]: B[[int(floor(0.1 * A[[0]])) + o[0]]]"),
        "6 or 5, 7 or 6"
    );
    assert_eq!(
        run(fields, "O[o]: [5, 6 + o[0], 7 + o[0]][int(floor(0.1 * A[[0]])) + o[0]]"),
        "6 or 5, 8 or 7"
    );
    assert_eq!(
        run(fields, "b[i in 0..4]: B[[i]]\nO[o]: b[int(floor(0.1 * A[[0]])) + o[0]]"),
        "6 or 5, 7 or 6"
    );
    let list = "s[i in 0..2]: if i == 0 then order(j in 0..4, by: -j) else order(j in 0..4, by: j)\nO[o]: s[int(floor(0.1 * A[[0]]))][o[0]]";
    assert_eq!(run(fields, list), "±0 or 3, 1 or 2");
}

#[test]
fn a_branch_is_evaluated_for_its_elements_alone() {
    let fields = "A: FLOAT32 [3] = 1 2 3; N: UINT = 0; O: FLOAT32 [3]";
    assert_eq!(run(fields, "O[o]: if o[0] == 0 then 0.0 else A[[o[0] - 1]]"), "0, 1, 2");
    assert_eq!(
        run(fields, "O[o]: if o[0] > 0 and A[[o[0] - 1]] > 1.0 then 1 else 0"),
        "0, 0, 1"
    );
    assert_eq!(
        run(fields, "O[o]: if o[0] == 0 or A[[o[0] - 1]] > 1.0 then 1 else 0"),
        "1, 0, 1"
    );
    assert_eq!(
        run(fields, "O[o]: if o[0] > 0 implies A[[o[0] - 1]] > 1.0 then 1 else 0"),
        "1, 0, 1"
    );
    assert_eq!(run(fields, "O[o]: if N > 0 then 1 / N else 7"), "7, 7, 7");
    assert_eq!(
        fault(fields, "O[o]: A[[o[0] - 1]]"),
        "index [-1] lies outside the tensor of sizes [3] at `A[[o[0] - 1]]`"
    );
}

#[test]
fn either_takes_both_ways_but_none_that_leaves_the_range() {
    let fields = "A: FLOAT32 [1] = 100; O: FLOAT32 [1]";
    assert_eq!(run(fields, "O[o]: either(A[o] + 1.0, A[o] + 3.0)"), "101..103");
    // exp(100) is beyond FLOAT32.
    let stable = run(fields, "O[o]: A[o] + log(exp(A[o] - A[o]))");
    assert_eq!(stable, "100");
    assert_eq!(run(fields, "O[o]: either(exp(A[o]), A[o])"), "100");
    // An open way is open.
    assert_eq!(run(fields, "O[o]: either(open(\"way\"), A[o])"), "open way");
}

#[test]
fn continuous_takes_all_between() {
    assert_eq!(run(BORDER, "O[o]: continuous(floor(0.1 * A[o]) * 4.0)"), "8..12");
}

#[test]
fn leaving_the_range_on_the_way_counts_where_it_is_granted() {
    let fields = "A: FLOAT32 [3] = 3e38 3e38 -3e38; O: FLOAT32 [1]";
    let sum = "sum(i in 0..3: A[[i]])";
    assert!(!run(fields, &format!("O[o]: {sum}")).contains("inf"));
    assert!(run(fields, &format!("O[o]: granted(\"way\", {sum})")).ends_with(" or inf"));
    // Outside of `granted` nothing is.
    assert!(!run(fields, &format!("O[o]: granted(\"way\", 1.0) + {sum}")).contains("inf"));
}

#[test]
fn open_names_its_clause_or_some_numbers() {
    let fields = "A: FLOAT32 [2] = 1 2; O: FLOAT32 [2]";
    assert_eq!(
        run(fields, "O[o]: if A[o] > 1.5 then open(\"big\") else 7.0"),
        "7, open big"
    );
    assert_eq!(
        run(fields, "O[o]: open(\"some\", among: 1.0, 2.0, A[o])"),
        "1 or 2, 1 or 2"
    );
    assert_eq!(
        run(fields, "O[o]: if A[o] > 1.5 then 7 else open(\"small\")"),
        "open small, 7"
    );
    assert_eq!(run(fields, "O[o]: open(\"all\")"), "open all, open all");
}

#[test]
fn in_a_type_arithmetic_is_that_types() {
    // 1 + 2^-12 is no FLOAT16; its neighbours are 1 and 1 + 2^-10.
    let fields = "A: FLOAT32 [1] = 0.000244140625; O: FLOAT32 [1]";
    assert_eq!(run(fields, "O[o]: A[o] + 1.0"), "1.000244140625");
    assert_eq!(
        run(fields, "O[o]: in FLOAT16: (A[o] + 1.0) * 1.0"),
        "0.9999999403953552..1.0002442598342896"
    );
}

#[test]
fn an_activation_is_applied_by_its_own_meaning() {
    let fields = "A: FLOAT32 [3] = -1 2 nan; F: OPERATOR = ACTIVATION_RELU; O: FLOAT32 [3]";
    assert_eq!(
        run(fields, "O[o]: if present(F) then apply(F, A[o] + A[o]) else 9"),
        "±0, 4, ±0 or nan"
    );
    // Its branches are for some of the elements each.
    let leaky = "A: FLOAT32 [4] = 1 -2 3 -4; F: OPERATOR = ACTIVATION_LEAKY_RELU; O: FLOAT32 [4]";
    assert_eq!(run(leaky, "O[o]: apply(F, A[o])"), "1, ±0, 3, ±0");
    // What is compared as zero may be handed on as it is.
    let denormal = "A: FLOAT32 [1] = -7.174648137343064e-43; F: OPERATOR = ACTIVATION_LEAKY_RELU; O: FLOAT32 [1]";
    let found = run(denormal, "O[o]: apply(F, A[o])");
    assert!(
        found.contains("-7.174648137343064e-43") && found.contains("0"),
        "{found}"
    );
    let none = "A: FLOAT32 [1] = -1; F: OPERATOR = ; O: FLOAT32 [1]";
    assert_eq!(run(none, "O[o]: if present(F) then apply(F, A[o]) else 9"), "9");
    assert_eq!(
        fault(none, "O[o]: apply(F, A[o])"),
        "the nested operator is null at `F`"
    );
}

#[test]
fn what_runtimes_agree_on_is_open_by_the_text_alone() {
    let fields = "A: FLOAT32 [2] = nan 1; O: FLOAT32 [2]";
    let meaning = "A opens observed-nan: isnan(x)\nO[o]: A[o]";
    assert_eq!(run_on(fields, meaning, Basis::Text), "open observed-nan, 1");
    assert_eq!(run_on(fields, meaning, Basis::Runtime), "NaN, 1");
}

#[test]
fn inputs_are_read_as_they_were() {
    // Nothing that an output is given changes what another one reads.
    let fields = "A: FLOAT32 [2] = 1 2; O: FLOAT32 [2]; P: FLOAT32 [2]";
    assert_eq!(run(fields, "O[o]: A[[1 - o[0]]]\nP[o]: A[o]"), "2, 1 | 1, 2");
}

#[test]
fn questions_about_infinities_know_what_may_be_one() {
    let fields = "A: FLOAT32 [3] = 3e38 3e38 -3e38; O: UINT8 [1]";
    let sum = "sum(i in 0..3: A[[i]])";
    assert_eq!(run(fields, &format!("O[o]: isinf({sum})")), "0");
    assert_eq!(run(fields, &format!("O[o]: isinf(granted(\"way\", {sum}))")), "1 or 0");
    assert_eq!(run(fields, &format!("O[o]: isnan(granted(\"way\", {sum}))")), "0");
    let both = "A: FLOAT32 [5] = 3e38 3e38 -3e38 -3e38 7; O: UINT8 [1]";
    assert_eq!(
        run(both, "O[o]: isnan(granted(\"way\", sum(i in 0..5: A[[i]])))"),
        "1 or 0"
    );
}
