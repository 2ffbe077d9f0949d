//! Forms that bind variables: over nothing, over one, over several ranges.

use crate::tiny::{fault, run};

const A: &str = "A: FLOAT32 [2, 3] = 1 5 3 4 5 6; O: FLOAT32 [2]";

fn each(cases: &[(&str, &str)]) {
    for (body, expected) in cases {
        assert_eq!(run(A, &format!("O[o]: {body}")), *expected, "{body}");
    }
}

#[test]
fn forms_over_nothing() {
    each(&[
        ("1 + sum(i in 0..0: A[0, i])", "1, 1"),
        ("product(i in 0..0: A[0, i])", "1, 1"),
        ("count(i in 0..0: A[0, i] > 0)", "0, 0"),
        ("all(i in 0..0: A[0, i] > 9)", "1, 1"),
        ("any(i in 0..0: A[0, i] > 0)", "0, 0"),
        ("min(i in 0..0: A[0, i]) else 7.0", "7, 7"),
        ("max(i in 0..3, where A[0, i] > 9: A[0, i]) else 7.0", "7, 7"),
        ("argmin(i in 0..0: A[0, i]) else 7", "7, 7"),
        ("first(i in 0..3: A[0, i] > 9) else 7", "7, 7"),
        ("last(i in 5..2: true) else 7", "7, 7"),
        ("sum(i in 0..o[0]: A[0, i]) + 1", "1, 2"),
        ("product(i in 0..o[0]: A[1, i])", "1, 4"),
        ("max(i in 0..o[0]: A[1, i]) else -1.0", "-1, 4"),
        ("count(list(d in 0..0: 1))", "±0, ±0"),
        ("count(order(j in 0..0, by: j))", "±0, ±0"),
    ]);
}

#[test]
fn forms_over_ranges_and_index_vectors() {
    each(&[
        ("sum(r in A.Sizes: A[r])", "24, 24"),
        ("sum(i in 0..2, j in 0..3: A[i, j])", "24, 24"),
        ("sum(j in 0..3, where j != 1: A[o[0], j])", "4, 10"),
        ("product(j in 0..3: A[o[0], j])", "15, 120"),
        ("min(j in 0..3: A[o[0], j]) else 0.0", "1, 4"),
        ("max(j in 0..3: A[o[0], j]) else 0.0", "5, 6"),
        ("count(r in A.Sizes: A[r] == 5)", "2, 2"),
        ("first(j in 0..3: A[o[0], j] == 5) else 9", "1, 1"),
        ("last(j in 0..3: A[o[0], j] > 2) else 9", "2, 2"),
        ("ravel(last(r in A.Sizes: A[r] == 5) else [0, 0], A.Sizes)", "4, 4"),
        ("argmax(j in 0..3: A[o[0], j]) else 0", "1, 2"),
        ("argmin(j in 0..3: A[o[0], j]) else 0", "0, 0"),
        ("ravel(argmax(r in A.Sizes: -A[r]), A.Sizes)", "0, 0"),
        ("sum(i in -1..2: i * i)", "2, 2"),
        ("sum(i in o[0]..3: i)", "3, 3"),
        ("all(j in 0..3: A[o[0], j] >= 4)", "0, 1"),
        ("any(j in 0..20: j == 17 + o[0])", "1, 1"),
    ]);
}

#[test]
fn sequences_have_a_place_for_each_number() {
    each(&[
        ("order(j in 0..3, by: A[0, j])[o[0] + 1]", "2, 1"),
        ("order(j in 0..3, by: A[0, j], true)[o[0]]", "1, 2"),
        ("order(j in 4..7, by: A[0, j - 4])[o[0]]", "4, 6"),
        ("order(j in 0..3, by: 1)[o[0]]", "0, 1"),
        ("order(j in 0..3, by: 1, true)[o[0]]", "0, 1"),
        ("prefix(sum, j in 0..3: A[0, j])[o[0]]", "1, 6"),
        ("prefix(product, j in 0..3: A[0, j])[o[0] + 1]", "5, 15"),
        ("prefix(sum, j in 5..8: j)[o[0]]", "5, 11"),
        ("scan(t in 0..3, s = 1: s * 2)[o[0] + 1]", "4, 8"),
        ("scan(t in 0..3, s = [1, 1]: [s[1], s[0] + s[1]])[2][o[0]]", "3, 5"),
        ("scan(t in 0..2, s = A[0, 0]: s + A[1, t])[o[0]]", "5, 10"),
        ("count(A.Sizes ++ o ++ [1])", "4, 4"),
        ("(A.Sizes with [0] = 9)[o[0]]", "9, 3"),
        (
            "product(A.Sizes[o[0]..2])",
            "fault: this has to be one number for all elements at `o[0]`",
        ),
    ]);
    let doubtful = "O[o]: order(j in 0..2, by: if j == 0 then 0.1 * 30 else 3.0)[o[0]]";
    assert!(fault(A, doubtful).starts_with("rounding decides the order of keys"));
    let whole = "O[o]: order(j in 0..2, by: int(floor(0.1 * 30)) + j)[o[0]]";
    assert!(fault(A, whole).starts_with("rounding decides the order of keys"));
}

const SCATTER: &str = "A: FLOAT32 [4] = 10 20 30 40; I: INT32 [4] = 2 0 2 -1; O: FLOAT32 [3]; N: UINT32 [3]";

#[test]
fn scatter_takes_the_last_point_that_leads_to_an_element() {
    let meaning = "O[o]: last(u in A.Sizes, to: [I[u]], value: A[u]) else -1.0\nN[o]: count(u in A.Sizes, to: [I[u]])";
    assert_eq!(run(SCATTER, meaning), "20, -1, 30 | 1, 0, 2");
    let filtered = "O[o]: last(u in A.Sizes, where A[u] < 25, to: [I[u]], value: A[u]) else 0.5\nN[o]: count(u in A.Sizes, to: [I[u] + 1])";
    assert_eq!(run(SCATTER, filtered), "20, 0.5, 10 | 1, 1, 0");
    let wrong = "O[o]: last(u in A.Sizes, to: [I[u], 0], value: A[u]) else 0.0\nN[o]: 0";
    assert_eq!(
        fault(SCATTER, wrong),
        "the index has 2 numbers, the output 1 dimensions at `[I[u], 0]`"
    );
    let doubtful = "O[o]: last(u in A.Sizes, to: [int(floor(0.1 * 10))], value: A[u]) else 0.0\nN[o]: 0";
    assert!(fault(SCATTER, doubtful).starts_with("rounding decides where a point leads"));
}

#[test]
fn an_open_target_opens_all_elements() {
    let meaning = "I opens outside: x < 0\nO[o]: last(u in A.Sizes, to: [I[u]], value: A[u]) else 0.0\nN[o]: count(u in A.Sizes, to: [I[u]])";
    let open = "open outside, open outside, open outside";
    assert_eq!(run(SCATTER, meaning), format!("{open} | {open}"));
    let filter =
        "I opens outside: x < 0\nO[o]: last(u in A.Sizes, where I[u] >= 0, to: [u[0]], value: A[u]) else 0.0\nN[o]: 0";
    assert_eq!(run(SCATTER, filter), format!("{open} | 0, 0, 0"));
}

#[test]
fn a_count_may_open_elements_that_are_hit_twice() {
    let meaning = "O opens twice: count(u in A.Sizes, to: [I[u]]) > 1\nO[o]: last(u in A.Sizes, to: [I[u]], value: A[u]) else 0.0\nN[o]: 0";
    assert_eq!(run(SCATTER, meaning), "20, 0, open twice | 0, 0, 0");
}

#[test]
fn arrays_of_tensors_are_read_by_their_place() {
    let fields = "S: FLOAT32 [2] = 1 2 / FLOAT32 [3] = 3 4 5; O: FLOAT32 [5]";
    let ends = "ends: prefix(sum, n in 0..count(S): S[n].Sizes[0])\nO[o]: let n = (first(n in 0..count(S): o[0] < ends[n]) else 0) in S[n][[o[0] - ends[n] + S[n].Sizes[0]]]";
    assert_eq!(run(fields, ends), "1, 2, 3, 4, 5");
    assert_eq!(
        fault(fields, "O[o]: S[2][[0]]"),
        "this tensor is not given at `S[2][[0]]`"
    );
    assert_eq!(
        fault(fields, "O[o]: S[o[0]].Sizes[0]"),
        "there is no such tensor at `S[o[0]].Sizes`"
    );
    let outputs = "A: FLOAT32 [3] = 1 2 3; T: FLOAT32 [1] / FLOAT32 [2]";
    assert_eq!(run(outputs, "T[n][o]: A[[n + o[0]]]"), "1 | 2, 3");
}
