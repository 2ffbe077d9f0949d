//! Openness: what rests on an open element is open, what is merely scanned is not.

use crate::tiny::run;

/// Element 2 of the first row is open.
const A: &str = "A: FLOAT32 [2, 3] = 1 2 nan 4 5 6; O: FLOAT32 [2]";

fn each(cases: &[(&str, &str)]) {
    for (body, expected) in cases {
        assert_eq!(
            run(A, &format!("A opens nan: isnan(x)\nO[o]: {body}")),
            *expected,
            "{body}"
        );
    }
}

#[test]
fn arithmetic_and_forms_carry_it() {
    each(&[
        ("A[o[0], 2]", "open nan, 6"),
        ("A[o[0], 2] + 1.0", "open nan, 7"),
        ("A[o[0], 0] - A[o[0], 2] * 0.0", "open nan, 4"),
        ("-A[o[0], 2]", "open nan, -6"),
        ("sqrt(A[o[0], 2] - 6.0) + 1", "open nan, 1"),
        ("max(A[o[0], 2], 9.0)", "open nan, 9"),
        ("sum(j in 0..3: A[o[0], j])", "open nan, 15"),
        ("product(j in 0..3: A[o[0], j])", "open nan, 120"),
        ("max(j in 0..3: A[o[0], j]) else 0.0", "open nan, 6"),
        ("argmin(j in 0..3: A[o[0], j]) else 0", "open nan, ±0"),
        ("order(j in 0..3, by: A[o[0], j])[0]", "open nan, ±0"),
        ("A[o[0], order(j in 0..3, by: A[o[0], j])[0]]", "open nan, 4"),
        ("prefix(sum, j in 0..3: A[o[0], j])[2]", "open nan, 15"),
        ("prefix(sum, j in 0..3: A[o[0], j])[1]", "3, 9"),
        ("prefix(product, j in 0..3: A[o[0], j])[1]", "2, 20"),
        ("scan(t in 0..3, s = 0.0: s + A[o[0], t])[2]", "open nan, 15"),
        ("scan(t in 0..3, s = 0.0: s + A[o[0], t])[1]", "3, 9"),
        ("cast(floor(A[o[0], 2]), INT32)", "open nan, 6"),
        ("int(A[o[0], 2])", "open nan, 6"),
        ("A[[0, int(A[o[0], 2]) - 6 + o[0]]]", "open nan, 2"),
        ("let x = A[o[0], 2] in 7.0", "7, 7"),
        ("either(A[o[0], 2], 6.0)", "open nan, 6"),
        ("continuous(A[o[0], 2])", "open nan, 6"),
    ]);
}

#[test]
fn what_is_not_read_taints_nothing() {
    each(&[
        ("A[o[0], 1]", "2, 5"),
        ("sum(j in 0..2: A[o[0], j])", "3, 9"),
        ("if o[0] > 0 then A[o[0], 2] else 3.0", "3, 6"),
        ("count([A[o[0], 2], 1.0])", "2, 2"),
        ("first(j in 0..3: A[o[0], j] > 0) else 9", "0, 0"),
    ]);
}

#[test]
fn truth_has_three_values() {
    each(&[
        ("A[o[0], 2] > 0", "open nan, 1"),
        ("A[o[0], 0] > 9 and A[o[0], 2] > 0", "0, 0"),
        ("A[o[0], 2] > 0 and A[o[0], 0] > 9", "0, 0"),
        ("A[o[0], 2] > 0 or A[o[0], 0] > 0", "1, 1"),
        ("A[o[0], 0] > 0 or A[o[0], 2] > 0", "1, 1"),
        ("A[o[0], 0] > 9 implies A[o[0], 2] > 0", "1, 1"),
        ("A[o[0], 2] > 0 implies A[o[0], 0] > 0", "1, 1"),
        ("A[o[0], 2] > 0 and A[o[0], 0] > 0", "open nan, 1"),
        ("not (A[o[0], 2] > 0)", "open nan, 0"),
        ("all(j in 0..3: A[o[0], j] > 1)", "0, 1"),
        ("all(j in 0..3: A[o[0], j] > 0)", "open nan, 1"),
        ("any(j in 0..3: A[o[0], j] > 1)", "1, 1"),
        ("any(j in 0..3: A[o[0], j] > 5)", "open nan, 1"),
        ("any(j in 0..30: A[o[0], j % 3] > 5)", "open nan, 1"),
        ("all(j in 0..30: A[o[0], j % 3] > 1)", "0, 1"),
        ("count(j in 0..3: A[o[0], j] > 1)", "open nan, 3"),
        ("last(j in 0..3: A[o[0], j] > 1) else 9", "open nan, 2"),
        ("first(j in 0..3: A[o[0], 2 - j] > 1) else 9", "open nan, ±0"),
        ("if A[o[0], 2] > 0 then 1 else 2", "open nan, 1"),
        ("if A[o[0], 2] > 0 then 1 else 1", "open nan, 1"),
    ]);
}

#[test]
fn an_open_condition_opens_what_it_filters() {
    each(&[
        ("sum(j in 0..3, where A[o[0], j] > 0: 0.5)", "open nan, 1.5"),
        ("sum(j in 0..3, where A[o[0], j] > 0: 1)", "open nan, 3"),
        ("product(j in 0..3, where A[o[0], j] > 0: 0.5)", "open nan, 0.125"),
        ("max(j in 0..3, where A[o[0], j] > 0: j) else 0", "open nan, 2"),
        ("max(j in 0..3, where A[o[0], j] > 0: 0.5) else 0.0", "open nan, 0.5"),
        ("count(j in 0..3, where A[o[0], j] > 0: true)", "open nan, 3"),
        ("all(j in 0..3, where A[o[0], j] > 0: j < 2)", "open nan, 0"),
        ("all(j in 0..3, where A[o[0], j] > 0: j > 0)", "0, 0"),
        ("any(j in 0..3, where A[o[0], j] > 0: j > 0)", "1, 1"),
    ]);
}

#[test]
fn openness_is_kept_with_an_intermediate() {
    let kept = "A opens nan: isnan(x)\nt[i in 0..2]: sum(j in 0..3: A[i, j])\nO[o]: t[1 - o[0]]";
    assert_eq!(run(A, kept), "15, open nan");
    let rows = "A opens nan: isnan(x)\nt[i in 0..2]: if A[i, 2] > 0 then order(j in 0..3, by: -j) else order(j in 0..3, by: -j)\nO[o]: t[o[0]][0]";
    assert_eq!(run(A, rows), "open nan, 2");
    let lists = "A opens nan: isnan(x)\nt[i in 0..2]: [i, int(A[i, 2])]\nO[o]: t[o[0]][1] + t[o[0]][0]";
    assert_eq!(run(A, lists), "open nan, 7");
}

#[test]
fn an_output_is_open_where_its_clause_says_so() {
    let by_index = "O opens odd: o[0] % 2 == 1\nO[o]: A[o[0], 0]";
    assert_eq!(run(A, by_index), "1, open odd");
    let all = "O opens never: false\nO opens always: true\nO[o]: A[o[0], 0]";
    assert_eq!(run(A, all), "open always, open always");
    // A condition on an open element leaves the output open by that element's clause.
    let rests = "A opens nan: isnan(x)\nO opens big: A[o[0], 2] > 5\nO[o]: A[o[0], 0]";
    assert_eq!(run(A, rests), "open nan, open big");
}

#[test]
fn denormals_and_signed_zeros_are_asked_for() {
    let fields = "A: FLOAT32 [4] = 1e-40 -0 0 1; O: FLOAT32 [4]";
    assert_eq!(
        run(fields, "A opens small: is_denormal(x)\nO[o]: A[o]"),
        "open small, -0, 0, 1"
    );
    assert_eq!(
        run(fields, "A opens zero: is_negative_zero(x)\nO[o]: A[o] * 2.0 + 1.0")
            .split(", ")
            .nth(1),
        Some("open zero")
    );
    assert_eq!(
        run("A: INT32 [2] = -3 3; O: INT32 [2]", "A opens below: x < 0\nO[o]: A[o]"),
        "open below, 3"
    );
    let infinite = "A: FLOAT32 [2] = inf -inf; O: FLOAT32 [2]";
    assert_eq!(
        run(infinite, "A opens up: x > 0 and isinf(x)\nO[o]: A[o]"),
        "open up, -inf"
    );
}

#[test]
fn an_index_that_is_open_for_every_element_is_a_number_all_the_same() {
    let fields = "A: FLOAT32 [3] = 1 2 3; I: INT32 [1] = -9; O: FLOAT32 [1]";
    let meaning = "I opens outside: x < 0\nO[o]: A[[if I[o] < 0 then I[o] + 3 else I[o]]]";
    assert_eq!(run(fields, meaning), "open outside");
    let list = "I opens outside: x < 0\nO[o]: [1.0, 2.0][if I[o] < 0 then 0 else 1]";
    assert_eq!(run(fields, list), "open outside");
}

#[test]
fn the_clause_that_opened_an_element_is_named() {
    // A condition on an element that is open already is neither true nor false, and opens nothing.
    let clauses =
        "A opens nan: isnan(x)\nA opens infinite: isinf(x) and B[[0]] > 0\nA opens negative: x < 0 and B[[0]] > 0";
    let of = |values: &str, body: &str| {
        let fields = format!("A: FLOAT32 [3] = {values}; B: FLOAT32 [1] = 1; O: FLOAT32 [1]");
        run(&fields, &format!("{clauses}\nO[o]: {body}"))
    };
    for body in [
        "sum(i in 0..3: A[[i]])",
        "product(i in 0..3: A[[i]])",
        "max(i in 0..3: A[[i]]) else 0.0",
        "argmin(i in 0..3: A[[i]]) else 0",
        "order(i in 0..3, by: A[[i]])[0]",
        "A[[0]] + A[[1]] + A[[2]]",
    ] {
        for (values, clause) in [
            ("1 nan 2", "nan"),
            ("1 inf 2", "infinite"),
            ("1 -3 2", "negative"),
            // Of several, the first element that is open names its clause.
            ("1 nan -3", "nan"),
            ("-3 nan inf", "negative"),
        ] {
            assert_eq!(of(values, body), format!("open {clause}"), "{body} of {values}");
        }
    }
}
