//! What has no value gives a fault with its place, never a panic, an endless run or a full memory.

use dml_oracle::Tensor;
use dml_spec::desc::{TensorDesc, Value};

use crate::tiny::{CATALOG, Tiny, fault, run};

const A: &str =
    "A: FLOAT32 [2, 3] = 1 2 3 4 5 6; B: FLOAT32 [2] = 3 4; I: INT64 [2] = 1 -9223372036854775808; O: INT64 [2]";

/// Bodies, each with its fault behind an arrow.
fn faults(table: &str) {
    let mut wrong = Vec::new();
    for (body, expected) in table.lines().filter_map(|line| line.trim().split_once(" => ")) {
        let found = fault(A, &format!("B opens bad: x == 4\nO[o]: {body}"));
        if found != expected {
            wrong.push(format!("        {body} => {found}"));
        }
    }
    assert!(wrong.is_empty(), "found\n{}", wrong.join("\n"));
}

#[test]
fn reads_outside_name_the_index_and_the_sizes() {
    faults(
        r#"
        o[9] => index 9 lies outside a list of 1 at `o[9]`
        o[-1] => index -1 lies outside a list of 1 at `o[-1]`
        o[o[0] * 3] => index 3 lies outside a list of 1 at `o[o[0] * 3]`
        int(A[0, o[0] + 2]) => index [0, 3] lies outside the tensor of sizes [2, 3] at `A[0, o[0] + 2]`
        int(A[[0, 1] ++ o]) => the index has 3 numbers, the tensor 2 dimensions at `A[[0, 1] ++ o]`
        int(A[I[[0]], I[[1]]]) => index [1, -9223372036854775808] lies outside the tensor of sizes [2, 3] at `A[I[[0]], I[[1]]]`
        int(A[0, 170141183460469231731687303715884105727]) => index [0, 170141183460469231731687303715884105727] lies outside the tensor of sizes [2, 3] at `A[0, 170141183460469231731687303715884105727]`
        o[I[o]] => index 1 lies outside a list of 1 at `o[I[o]]`
        [1, 2][I[[1]]] => index -9223372036854775808 lies outside a list of 2 at `[1, 2][I[[1]]]`
        count(o[1..5]) => 1..5 is no part of a list of 1 at `o[1..5]`
        count(o[-1..0]) => -1..0 is no part of a list of 1 at `o[-1..0]`
        count(o with [3] = 1) => index 3 lies outside a list of 1 at `o with [3] = 1`
        order(j in 0..2, by: j)[2] => index 2 lies outside a list of 2 at `order(j in 0..2, by: j)[2]`
        prefix(sum, j in 0..0: j)[0] => index 0 lies outside a list of 0 at `prefix(sum, j in 0..0: j)[0]`
        scan(t in 0..0, s = 1: s)[0] => index 0 lies outside a list of 0 at `scan(t in 0..0, s = 1: s)[0]`
        "#,
    );
}

#[test]
fn numbers_beyond_their_type_are_faults() {
    faults(
        r#"
        170141183460469231731687303715884105727 + 1 => a number does not fit INT64 at `170141183460469231731687303715884105727 + 1`
        -I[[1]] * I[[1]] * I[[1]] => a number does not fit INT64 at `-I[[1]] * I[[1]] * I[[1]]`
        I[[1]] - 1 => a number does not fit INT64 at `I[[1]] - 1`
        1 << 127 => this has no value: a division by zero, or a number beyond 128 bits at `1 << 127`
        1 << -1 => this has no value: a division by zero, or a number beyond 128 bits at `1 << -1`
        5 / 0 => this has no value: a division by zero, or a number beyond 128 bits at `5 / 0`
        5 % (o[0] - o[0]) => this has no value: a division by zero, or a number beyond 128 bits at `5 % (o[0] - o[0])`
        popcount(-1) => this has no value: a division by zero, or a number beyond 128 bits at `popcount(-1)`
        pow(2, -1) => this has no value: a division by zero, or a number beyond 128 bits at `pow(2, -1)`
        ravel(unravel(7, [2, 0, 3]), [2, 2, 3]) => this has no value: a division by zero, or a number beyond 128 bits at `unravel(7, [2, 0, 3])`
        int(0.0 / 0.0) => this is no whole number: round it first, with `floor` or the like at `int(0.0 / 0.0)`
        int(1.0 / 0.0) => this is no whole number: round it first, with `floor` or the like at `int(1.0 / 0.0)`
        0.5 => this is no whole number: round it first, with `floor` or the like at `0.5`
        cast(0.5, FLOAT32) => this is no whole number: round it first, with `floor` or the like at `cast(0.5, FLOAT32)`
        int(0.5) => this is no whole number: round it first, with `floor` or the like at `int(0.5)`
        cast(0.0 / 0.0, INT8) => a number does not fit INT8 at `cast(0.0 / 0.0, INT8)`
        cast(300, INT8) => a number does not fit INT8 at `cast(300, INT8)`
        cast(1e30, INT64) => a number does not fit INT64 at `cast(1e30, INT64)`
        sum(i in 0..3: 170141183460469231731687303715884105727) => a number does not fit INT64 at `sum(i in 0..3: 170141183460469231731687303715884105727)`
        I[[1]] * I[[1]] * 4 / 8 => this has no value: a division by zero, or a number beyond 128 bits at `I[[1]] * I[[1]] * 4 / 8`
        I[[1]] * I[[1]] * 4 - I[[1]] * I[[1]] * 4 => this has no value: a division by zero, or a number beyond 128 bits at `I[[1]] * I[[1]] * 4 - I[[1]] * I[[1]] * 4`
        prefix(sum, i in 0..3: 170141183460469231731687303715884105727)[1] => a number does not fit INT64 at `prefix(sum, i in 0..3: 170141183460469231731687303715884105727)[1]`
        cast(300, INT8, overflow: fits) => a number does not fit INT8 at `cast(300, INT8, overflow: fits)`
        cast(1000000.1 * 1000000.1, INT64, overflow: wrap, rounding: either) => a number does not fit INT64 at `cast(1000000.1 * 1000000.1, INT64, overflow: wrap, rounding: either)`
        "#,
    );
}

#[test]
fn lists_of_different_lengths_are_faults() {
    faults(
        r#"
        ravel([1, 2], [3]) => the index and the sizes have different lengths at `ravel([1, 2], [3])`
        count([1, 2] + [1]) => the lists have 2 and 1 numbers at `[1, 2] + [1]`
        count(if o[0] == 0 then [1] else [1, 2]) => the branches are lists of different lengths at `if o[0] == 0 then [1] else [1, 2]`
        list(d in 0..3: list(e in 0..d: e))[o[0]][0] => the branches are lists of different lengths at `list(d in 0..3: list(e in 0..d: e))[o[0]]`
        list(d in 0..o[0]: d)[0] => this has to be one number for all elements at `o[0]`
        sum(i in 0..2: ravel([i, 1], list(d in 0..2 - i: 1))) => this has to be one number for all elements at `2 - i`
        "#,
    );
    assert_eq!(run(A, "O[o]: scan(t in 0..3, s = [0]: s ++ [t])[2][3]"), "2, 2");
}

#[test]
fn what_is_too_long_or_too_much_is_refused() {
    faults(
        r#"
        list(d in 0..1000000000: 0)[0] => a list of 1000000000, longer than 16384 at `list(d in 0..1000000000: 0)`
        count(list(d in 0..9000: list(e in 0..9000: 0))) => a list of 18000, longer than 16384 at `list(d in 0..9000: list(e in 0..9000: 0))`
        order(j in 0..1000000000, by: -j)[0] => 2 times 1000000000 values are more than the 67108864 that may be kept at `order(j in 0..1000000000, by: -j)`
        prefix(sum, j in 0..1000000000: j)[0] => 2 times 1000000000 values are more than the 67108864 that may be kept at `prefix(sum, j in 0..1000000000: j)`
        scan(t in 0..1000000000, s = 0: s)[0] => a list of 1000000000, longer than 16384 at `scan(t in 0..1000000000, s = 0: s)`
        sum(i in 0..170141183460469231731687303715884105727: 1) => 170141183460469231731687303715884105727 is too far from zero for the end of a range at `170141183460469231731687303715884105727`
        sum(i in -170141183460469231731687303715884105727..9: 1) => -170141183460469231731687303715884105727 is too far from zero for the end of a range at `-170141183460469231731687303715884105727`
        any(i in -170141183460469231731687303715884105727..o[0]: i > 0) => -170141183460469231731687303715884105727 is too far from zero for the end of a range at `-170141183460469231731687303715884105727`
        max(r in [4294967296, 4294967296, 4294967296]: r[0]) else 0 => this runs over too many points at `max(r in [4294967296, 4294967296, 4294967296]: r[0]) else 0`
        count(let a = [o, o, o, o, o, o, o, o] in let b = [a, a, a, a, a, a, a, a] in let c = [b, b, b, b, b, b, b, b] in let d = [c, c, c, c, c, c, c, c] in [d, d, d, d, d, d, d, d]) => a list of 16385, longer than 16384 at `[d, d, d, d, d, d, d, d]`
        "#,
    );
    assert_eq!(
        fault(A, "r[i in 0..1000000000]: i\nO[o]: r[0]"),
        "1000000000 times 1 values are more than the 67108864 that may be kept at `r[0]`"
    );
    assert_eq!(
        fault(A, "r[i in 0..2]: order(j in 0..60000000, by: j)\nO[o]: r[0][0]"),
        "2 times 60000000 values are more than the 67108864 that may be kept at `order(j in 0..60000000, by: j)`"
    );
}

#[test]
fn a_long_sum_is_given_up() {
    let fault = |meaning: &str| {
        let mut tiny = Tiny::new(A, "");
        tiny.compile(meaning).unwrap();
        tiny.evaluate_within(100_000)
    };
    let why = "fault: the evaluation takes too long: it looks at too many points at";
    // Before it starts, or as soon as its parts have looked at too many.
    assert_eq!(
        fault("O[o]: sum(i in 0..1000000000000000: 1)"),
        format!("{why} `sum(i in 0..1000000000000000: 1)`")
    );
    let parts = fault("O[o]: sum(i in 0..20000: i * i * i)");
    assert!(parts.starts_with(why), "{parts}");
}

#[test]
fn ends_of_ranges_have_to_be_sure() {
    faults(
        r#"
        sum(i in 0..int(B[o]): i) => the ends of a range have to be plain numbers at `sum(i in 0..int(B[o]): i)`
        list(i in 0..int(B[[1]]): i)[0] => this has to be one number for all elements at `int(B[[1]])`
        sum(i in 0..int(floor(0.1 * 30)): i) => the ends of a range have to be plain numbers at `sum(i in 0..int(floor(0.1 * 30)): i)`
        order(i in 0..int(B[[1]]), by: i)[0] => this has to be one number for all elements at `int(B[[1]])`
        "#,
    );
}

#[test]
fn what_is_empty_is_no_mistake() {
    let fields = "A: FLOAT32 [0, 3] = ; B: FLOAT32 [] = 7; O: FLOAT32 [1]; E: FLOAT32 [0]";
    let one = |meaning: &str| run(fields, &format!("{meaning}\nE[o]: 1"));
    assert_eq!(one("O[o]: 1 + sum(r in A.Sizes: A[r])"), "1");
    assert_eq!(one("O[o]: B[[]]"), "7");
    assert_eq!(
        one("O[o]: max(r in A.Sizes with [0] = 2, where false: A[r]) else 3"),
        "3"
    );
    let lists = "none: A.Sizes[2..2]\nn[i in 0..2]: none\nO[o]: count(none) + count(n[1]) + product(none)";
    assert_eq!(one(lists), "1");
    assert_eq!(
        one("none[r in A.Sizes]: A[r]\nO[o]: 1 + count(r in A.Sizes: none[r] > 0)"),
        "1"
    );
    assert_eq!(
        one("none[r in A.Sizes]: A[r]\nO[o]: none[[0, 0]]"),
        "fault: index 0 lies outside 0..0 at `[0, 0]`"
    );
}

#[test]
fn raw_reads_say_what_lies_beyond() {
    assert_eq!(run(A, "O[o]: int(raw(A, o[0] * 7 - 1) else 9)"), "9, 9");
    assert_eq!(run(A, "O[o]: int(raw(A, I[[1]] * I[[1]]) else 9)"), "9, 9");
    assert_eq!(run(A, "O[o]: int(raw(A, o[0] * 5) else 9)"), "1, 6");
    assert_eq!(
        run(
            A,
            "O[o]: let z = int(floor(0.1 * 30)) in int(raw(A, z + o[0] * 3) else 40 + o[0])"
        ),
        "4 or 3, 41 or 6"
    );
    assert_eq!(
        run(A, "O[o]: int(raw(A, int(floor(0.1 * 30)) + o[0] * 3) else 40 + o[0])"),
        "4 or 3, 41 or 6"
    );
}

#[test]
fn too_many_outcomes_are_a_fault_for_whole_numbers() {
    faults(
        r#"
        let x = [floor(0.1 * 30), floor(0.1 * 30), floor(0.1 * 30), floor(0.1 * 30), floor(0.1 * 30), floor(0.1 * 30), floor(0.1 * 30), floor(0.1 * 30), floor(0.1 * 30)] in int(x[0]) => rounding leaves more than 256 whole numbers at `x`
        count(i in 0..999: 0.1 * 30 >= 3.0) => rounding decides too many of what is counted at `count(i in 0..999: 0.1 * 30 >= 3.0)`
        argmax(i in 0..999: 0.1 * 3 + 0.0 * i) => rounding leaves too many places at `argmax(i in 0..999: 0.1 * 3 + 0.0 * i)`
        first(i in 0..999: 0.1 * 30 > 3.0) else 0 => rounding leaves too many places at `first(i in 0..999: 0.1 * 30 > 3.0) else 0`
        "#,
    );
}

#[test]
fn definitions_may_follow_each_other_far() {
    let chain = |step: &str, count: usize| {
        let mut meaning = "d0: 1\n".to_owned();
        for i in 1..count {
            meaning.push_str(&format!("d{i}: {}\n", step.replace("{}", &format!("d{}", i - 1))));
        }
        format!("{meaning}O[o]: d{}", count - 1)
    };
    assert_eq!(run(A, &chain("{} + 1", 30)), "30, 30");
    // The deepest that is allowed has to fit the stack of a thread.
    for step in [
        "{} + 1",
        "sum(i in 0..1: let x = i in if A[0, x] > 0.0 and x == 0 then {} else 0)",
        "[[{}]][0][0]",
        "cast(abs({}), INT64)",
        "list(i in 0..2: scan(t in 0..2, s = {}: s + 0 * t)[1])[0]",
        "order(j in 0..2, by: j * {})[1]",
        "prefix(sum, j in 0..2: {})[0]",
        "int(either(0.0 + {}, 1.0))",
        "(last(r in [2, 1], where {} > 0: true) else [0, 1])[1] + 1",
    ] {
        let found = fault(A, &chain(step, 128));
        assert!(
            found.starts_with("expressions are nested more than 128 deep"),
            "{step}: {found}"
        );
    }
}

#[test]
fn strange_descriptors_are_faults() {
    let meaning = "O[o]: int(A[o[0], 0]) + count(A.Strides) + 1 / A.Sizes[0]";
    let mut tiny = Tiny::new(A, meaning);
    tiny.compile(meaning).unwrap();
    let whole = tiny.descriptor.clone();
    // Fields that are missing, or of another kind.
    tiny.descriptor.fields.truncate(1);
    assert_eq!(tiny.evaluate_within(1000), "");
    tiny.descriptor = whole.clone();
    tiny.descriptor.fields[0] = Value::UInt(7);
    assert_eq!(
        tiny.evaluate_within(1000),
        "fault: there is no such tensor at `A.Strides`"
    );
    // More elements than any machine holds, and more dimensions than the index has.
    let output = tiny.descriptor.fields.len() - 1;
    tiny.descriptor = whole.clone();
    tiny.descriptor.fields[output] = Value::Tensor(Some(TensorDesc::packed(1, 32, &[u32::MAX; 8])));
    assert!(
        tiny.evaluate_within(1000)
            .starts_with("fault: the output has too many elements")
    );
    tiny.descriptor.fields[output] = Value::Tensor(Some(TensorDesc::packed(99, 32, &[2])));
    assert!(tiny.evaluate_within(1000).starts_with("fault: unknown data type 99"));
    // Inputs that are not given, or smaller than the descriptor says.
    tiny.descriptor = whole;
    tiny.inputs[0].clear();
    assert!(
        tiny.evaluate_within(1000)
            .starts_with("fault: this tensor is not given")
    );
    tiny.inputs.clear();
    assert!(
        tiny.evaluate_within(1000)
            .starts_with("fault: this tensor is not given")
    );
}

#[test]
fn tensors_that_do_not_hold_together_are_refused() {
    let ty = CATALOG.data_type_named("FLOAT32").unwrap();
    let mut desc = TensorDesc::packed(1, 32, &[2, 3]);
    assert!(Tensor::new(&desc, ty, &[0; 6]).is_some());
    assert!(Tensor::new(&desc, ty, &[0; 5]).is_none());
    desc.strides = Some([3].into_iter().collect());
    assert!(Tensor::new(&desc, ty, &[0; 6]).is_none());
    desc.sizes = Some([u32::MAX; 8].into_iter().collect());
    assert!(Tensor::new(&desc, ty, &[0; 6]).is_none());
}
