//! Every kind of mistake in a meaning, with its place and its hint.

use std::sync::LazyLock;

use dml_spec::{
    Catalog,
    meaning::{self, Mistake, Place},
};
use dml_spec_yaml::load::{File, embedded, load};

static CATALOG: LazyLock<Catalog> = LazyLock::new(|| {
    let mut files = embedded();
    files.0.retain(|f| f.name() == "directml.yaml");
    files.0.push(File::new("meant.yaml", include_str!("meant.yaml")));
    let (catalog, diagnostics) = load(&files);
    catalog.unwrap_or_else(|| panic!("{diagnostics:#?}"))
});

fn mistakes(entries: &[(&str, &str)]) -> Vec<Mistake> {
    let operator = CATALOG.operator("MEANT").unwrap();
    meaning::check(&CATALOG, operator, entries).err().unwrap_or_default()
}

/// What is wrong, each with its text: `code: message at text; hint`.
fn found(entries: &[(&str, &str)]) -> String {
    let show = |mistake: &Mistake| {
        let text = match mistake.place {
            Place::Head(at) => entries.get(at).map_or("", |(head, _)| head),
            Place::Body(at) => entries[at].1,
            Place::Opens { .. } | Place::Tells { .. } | Place::Holds { .. } | Place::Named { .. } => "",
        };
        let at = text.get(mistake.error.span.clone()).unwrap();
        let code = mistake.error.code.trim_start_matches("spec::");
        let hint = mistake
            .error
            .hint
            .as_deref()
            .map_or(String::new(), |hint| format!("; {hint}"));
        format!("{code}: {} at `{at}`{hint}", mistake.error.message)
    };
    mistakes(entries).iter().map(show).collect::<Vec<_>>().join(" | ")
}

/// Bodies of the output, each with what is wrong behind an arrow.
fn table(lines: &str) {
    let mut wrong = Vec::new();
    for (body, expected) in lines.lines().filter_map(|line| line.trim().split_once(" => ")) {
        let found = found(&[("OutputTensor[o]", body)]);
        if found != expected {
            wrong.push(format!("        {body} => {found}"));
        }
    }
    assert!(wrong.is_empty(), "found\n{}", wrong.join("\n"));
}

#[test]
fn names_are_known() {
    table(
        r#"
        InputTensr[o] => unknown-name: `InputTensr` is neither a field nor a variable nor an intermediate above at `InputTensr`; did you mean `InputTensor`?
        Cuont => unknown-name: `Cuont` is neither a field nor a variable nor an intermediate above at `Cuont`; did you mean `Count`?
        InputTensor.Size[0] => unknown-property: a tensor has no property `Size` at `Size`; did you mean `Sizes`?
        let value = Scale in valu => unknown-name: `valu` is neither a field nor a variable nor an intermediate above at `valu`; did you mean `value`?
        sqr(Scale) => unknown-function: unknown function `sqr` at `sqr`; did you mean `sqrt`?
        summ(i in 0..4: Scale) => unknown-function: unknown form `summ` at `summ`; did you mean `sum`?
        Direction == INCREASE => unknown-name: `INCREASE` is neither a field nor a variable nor an intermediate above at `INCREASE`; did you mean `INCREASING`?
        cast(Scale, FLOAT31) => unknown-name: `FLOAT31` is neither a field nor a variable nor an intermediate above at `FLOAT31`; did you mean `FLOAT32`?
        sum(i in 0..4: Scale) + i => unknown-name: `i` is neither a field nor a variable nor an intermediate above at `i`; did you mean `o`?
        open("nan-ordr") => unknown-clause: unknown clause `nan-ordr` at `"nan-ordr"`; did you mean `nan-order`?
        granted("no-such", Scale) => unknown-clause: unknown clause `no-such` at `"no-such"`
        ScaleBias.Offset => unknown-property: a scale and bias has no property `Offset` at `Offset`
        InputTensor[o with [0] = x] => unknown-name: `x` is neither a field nor a variable nor an intermediate above at `x`; did you mean `o`?
        "#,
    );
}

#[test]
fn labels_and_words_are_known() {
    table(
        r#"
        cast(Scale, FLOAT16, roundin: up) => unknown-label: unknown label `roundin` at `roundin`; did you mean `rounding`?
        cast(Scale, FLOAT16, rounding: upward) => unknown-word: unknown word; expected one of nearest_even, toward_zero, down, up, either at `upward`
        cast(Scale, FLOAT16, overflow: saturat) => unknown-word: unknown word; expected one of fits, saturate, wrap, infinity at `saturat`; did you mean `saturate`?
        cast(Scale, FLOAT16, rounding: up, rounding: down) => unknown-label: `rounding:` stands twice at `rounding`
        cast(Scale, FLOAT16, rounding: 1) => unknown-word: unknown word; expected one of nearest_even, toward_zero, down, up, either at `1`
        cast(Scale, FLOAT16, overflow: open("nan-ordr")) => unknown-clause: unknown clause `nan-ordr` at `"nan-ordr"`; did you mean `nan-order`?
        cast(Scale, FLOAT16, overflow: open("nan-order", among: 1)) => ill-typed-meaning: expected `open("clause")` alone at `open("nan-order", among: 1)`
        sum(i in 0..4, were: true: Scale) => unknown-label: `sum` takes no `were:` at `were`; did you mean `where`?
        sum(i in 0..4, where true, where false: Scale) => unknown-label: `where` stands twice at `false`
        order(j in 0..4, b: j)[0] => unknown-label: `order` takes no `b:` at `b`; did you mean `by`?
        scan(t in 0..4, s = 0, where true: s)[0] => unknown-label: `scan` takes no `where:` at `true`
        open("nan-order", amon: 1) => unknown-label: unknown label `amon` at `amon`; did you mean `among`?
        last(u in [4], too: [0, 0, 0, 0], value: 1) else 0 => unknown-label: `last` takes no `too:` at `too`
        "#,
    );
}

#[test]
fn types_fit() {
    table(
        r#"
        InputTensor => ill-typed-meaning: found a tensor, expected the number of an element at `InputTensor`
        InputTensors => ill-typed-meaning: found an array of tensors, expected the number of an element at `InputTensors`
        o => ill-typed-meaning: found a list of whole numbers, expected the number of an element at `o`
        Count > 1 => ill-typed-meaning: found a truth value, expected the number of an element at `Count > 1`; write `if … then 1 else 0`
        all(i in 0..4: o[i] > 0) => ill-typed-meaning: found a truth value, expected the number of an element at `all(i in 0..4: o[i] > 0)`; write `if … then 1 else 0`
        [o[0], Scale][o] => ill-typed-meaning: found a list of whole numbers, expected a whole number at `o`
        Scale[0] => ill-typed-meaning: found a real number, expected a tensor or list to index at `Scale[0]`
        InputTensor[0] => ill-typed-meaning: found a whole number, expected a list of whole numbers at `0`
        InputTensor[Scale, 0, 0, 0] => ill-typed-meaning: found a list, expected a list of whole numbers at `Scale, 0, 0, 0`
        InputTensors[o] => ill-typed-meaning: found a list of whole numbers, expected a whole number at `o`
        InputTensors[Scale][o] => ill-typed-meaning: found a real number, expected a whole number at `Scale`
        "#,
    );
}

#[test]
fn types_of_operators_fit() {
    table(
        r#"
        not Scale => ill-typed-meaning: found a real number, expected a truth value at `Scale`
        -true => ill-typed-meaning: found a truth value, expected a number at `true`
        ~Scale => ill-typed-meaning: found a real number, expected a whole number at `Scale`
        Scale & 1 => ill-typed-meaning: found a real number, expected a whole number at `Scale`
        Scale << 1 => ill-typed-meaning: found a real number, expected a whole number at `Scale`
        Scale % 2 => ill-typed-meaning: `%` needs whole numbers, found reals at `Scale % 2`
        Scale + true => ill-typed-meaning: found a truth value beside a real number at `Scale + true`
        Count + Axes => ill-typed-meaning: found a list of whole numbers beside a whole number at `Count + Axes`
        Axes ++ 1 => ill-typed-meaning: found a whole number beside a list of whole numbers at `Axes ++ 1`
        1 and true => ill-typed-meaning: found a whole number, expected a truth value at `1`
        Scale == true => ill-typed-meaning: found a truth value beside a real number at `Scale == true`
        Axes < Axes => ill-typed-meaning: a list of whole numbers cannot be compared so at `Axes < Axes`
        Direction < Direction => ill-typed-meaning: a member of DML_AXIS_DIRECTION cannot be compared so at `Direction < Direction`
        Direction == FLOAT32 => unknown-name: `FLOAT32` is neither a field nor a variable nor an intermediate above at `FLOAT32`
        Scale in {1, 2} => ill-typed-meaning: found a real number, expected a whole number or a constant at `Scale`
        Count in {1, Scale} => ill-typed-meaning: found a real number, expected a whole number at `Scale`
        if Count then 1 else 2 => ill-typed-meaning: found a whole number, expected a truth value at `Count`
        if true then 1 else Axes => ill-typed-meaning: found a list of whole numbers beside a whole number at `1 else Axes`
        let t = InputTensor in 1 => ill-typed-meaning: found a tensor, expected a value at `InputTensor`
        [InputTensor, IndexTensor][0] => ill-typed-meaning: found a tensor, expected a value at `InputTensor` | ill-typed-meaning: found a tensor, expected a value at `IndexTensor`
        Axes[Scale] => ill-typed-meaning: found a real number, expected a whole number at `Scale`
        Axes[0..Scale][0] => ill-typed-meaning: found a real number, expected a whole number at `Scale`
        (Axes with [Scale] = 1)[0] => ill-typed-meaning: found a real number, expected a whole number at `Scale`
        (Axes with [0] = 0.5)[0] => ill-typed-meaning: found a real number, expected a whole number at `0.5`
        "#,
    );
}

#[test]
fn types_of_calls_fit() {
    table(
        r#"
        sqrt(true) => ill-typed-meaning: found a truth value, expected a number for `sqrt` at `true`
        sqrt(1, 2) => ill-typed-meaning: `sqrt` has 2 arguments, expected 1 at `sqrt`
        popcount(Scale) => ill-typed-meaning: found a real number, expected a whole number for `popcount` at `Scale`
        contains(1, Axes) => ill-typed-meaning: found a whole number, expected a list of whole numbers for `contains` at `1`
        unravel(Axes, 1)[0] => ill-typed-meaning: found a list of whole numbers, expected a whole number for `unravel` at `Axes`
        present(1) => ill-typed-meaning: `present` asks about a field at `1`
        apply(Scale, 1) => ill-typed-meaning: found a real number, expected a nested operator at `Scale`
        apply(FusedActivation, Axes) => ill-typed-meaning: found a list of whole numbers, expected a number at `Axes`
        either(1, true) => ill-typed-meaning: found a truth value, expected a number at `true`
        continuous(Axes) => ill-typed-meaning: found a list of whole numbers, expected a number at `Axes`
        cast(Axes, INT8) => ill-typed-meaning: found a list of whole numbers, expected a number at `Axes`
        cast(Scale, 3) => ill-typed-meaning: found a whole number, expected a data type at `3`
        in INT8: Scale => ill-typed-meaning: arithmetic is done in a floating point type at `INT8`
        in Scale: Scale => ill-typed-meaning: found a real number, expected a data type at `Scale`
        raw(Axes, 0) else 0 => ill-typed-meaning: `raw` reads a tensor at `Axes`
        raw(InputTensor, 0) => ill-typed-meaning: `raw` needs an `else` for what lies beyond the buffer at `raw(InputTensor, 0)`
        raw(InputTensor, 0.5) else 0 => ill-typed-meaning: found a real number, expected a whole number at `0.5`
        level("3.1") => ill-typed-meaning: a meaning does not depend on the level at `level("3.1")`
        "#,
    );
}

#[test]
fn forms_fit() {
    table(
        r#"
        sum(i in 0..Scale: 1) => ill-typed-meaning: found a real number, expected a whole number at `Scale`
        sum(i in Scale: 1) => ill-typed-meaning: found a real number, expected a list of whole numbers at `Scale`
        sum(i in 0..4: true) => ill-typed-meaning: found a truth value, expected a number for `sum` at `true`
        sum(i in 0..4: Axes) => ill-typed-meaning: found a list of whole numbers, expected a number for `sum` at `Axes`
        all(i in 0..4: 1) => ill-typed-meaning: found a whole number, expected a truth value for `all` at `1`
        count(i in 0..4: 1) => ill-typed-meaning: found a whole number, expected a truth value for `count` at `1`
        count(i in 0..4, where 1: true) => ill-typed-meaning: found a whole number, expected a truth value at `1`
        argmax(i in 0..4: true) else 0 => ill-typed-meaning: found a truth value, expected a number for `argmax` at `true`
        first(i in 0..4: 1) else 0 => ill-typed-meaning: found a whole number, expected a truth value for `first` at `1`
        list(r in Axes: 1)[0] => ill-typed-meaning: `list` runs over one range, `j in a..b` at `list(r in Axes: 1)`
        order(j in 0..4, k in 0..4, by: j)[0] => ill-typed-meaning: `order` runs over one range, `j in a..b` at `order(j in 0..4, k in 0..4, by: j)`
        order(j in 0..4, by: j, 1)[0] => ill-typed-meaning: found a whole number, expected a direction at `1`
        order(j in 0..4, by: j, true, false)[0] => ill-typed-meaning: `order` takes one direction at `false`
        prefix(max, j in 0..4: j)[0] => rule-syntax: found `max`, expected `sum` or `product` at `max`
        prefix(sum, r in Axes: 1)[0] => ill-typed-meaning: `prefix sum` runs over one range, `j in a..b` at `prefix(sum, r in Axes: 1)`
        scan(t in 0..4: 1)[0] => ill-typed-meaning: `scan` needs a state, as in `s = 0` at `scan(t in 0..4: 1)`
        scan(t in 0..4, s = 0: s) else 0 => ill-typed-meaning: this form has a value over nothing: leave out the `else` at `0`
        scan(r in Axes, s = 0: s)[0] => ill-typed-meaning: a state stands in `scan(t in a..b, s = start: next)` only at `scan(r in Axes, s = 0: s)`
        scan(t in 0..4, s = 0: true)[0] => ill-typed-meaning: found a truth value beside a whole number at `scan(t in 0..4, s = 0: true)`
        sum(t in 0..4, s = 0: s) => ill-typed-meaning: a state stands in `scan(t in a..b, s = start: next)` only at `sum(t in 0..4, s = 0: s)`
        sum(i in 0..4, 7: 1) => ill-typed-meaning: unexpected argument of `sum` at `7`
        sum(i in 0..4) => rule-syntax: found `)`, expected `:` and what to ask for each at `)`
        "#,
    );
}

#[test]
fn what_may_be_empty_needs_an_else() {
    table(
        r#"
        max(i in 0..Count: i) => empty-range: this may run over nothing: say what it is then at `max(i in 0..Count: i)`; add `else` and a value
        min(r in Axes: r[0]) => empty-range: this may run over nothing: say what it is then at `min(r in Axes: r[0])`; add `else` and a value
        max(r in InputTensor.Sizes, where r[0] > 0: InputTensor[r]) => empty-range: this may run over nothing: say what it is then at `max(r in InputTensor.Sizes, where r[0] > 0: InputTensor[r])`; add `else` and a value
        argmax(i in 1..InputTensor.Sizes[0]: i) => empty-range: this may run over nothing: say what it is then at `argmax(i in 1..InputTensor.Sizes[0]: i)`; add `else` and a value
        argmin(i in 0..Count: i) => empty-range: this may run over nothing: say what it is then at `argmin(i in 0..Count: i)`; add `else` and a value
        first(r in InputTensor.Sizes: true)[0] => empty-range: this may run over nothing: say what it is then at `first(r in InputTensor.Sizes: true)`; add `else` and a value
        last(i in 0..4: true) => empty-range: this may run over nothing: say what it is then at `last(i in 0..4: true)`; add `else` and a value
        last(u in [4], to: [0, 0, 0, 0], value: 1) => empty-range: this may run over nothing: say what it is then at `last(u in [4], to: [0, 0, 0, 0], value: 1)`; add `else` and a value
        sum(i in 0..4: 1) else 0 => rule-syntax: found `else`, expected the end of the rule at `else`
        max(r in InputTensor.Sizes: InputTensor[r]) => 
        argmax(i in 0..InputTensor.Sizes[0]: i) => 
        max(r in InputTensor.Sizes with [0] = Count: 1) => empty-range: this may run over nothing: say what it is then at `max(r in InputTensor.Sizes with [0] = Count: 1)`; add `else` and a value
        "#,
    );
}

#[test]
fn ranks_that_are_known_are_kept() {
    table(
        r#"
        InputTensor[o[0], o[1]] => ill-typed-meaning: the index has 2 numbers, the tensor 4 dimensions at `o[0], o[1]`
        InputTensor[o] => 
        InputTensor[o ++ [0]] => ill-typed-meaning: the index has 5 numbers, the tensor 4 dimensions at `o ++ [0]`
        InputTensor[o[0..2]] => ill-typed-meaning: the index has 2 numbers, the tensor 4 dimensions at `o[0..2]`
        InputTensor[o[0..2] ++ [0, 1]] => 
        InputTensor[o with [3] = 1] => 
        InputTensor[[0, 0, 0]] => ill-typed-meaning: the index has 3 numbers, the tensor 4 dimensions at `[0, 0, 0]`
        IndexTensor[o] => ill-typed-meaning: the index has 4 numbers, the tensor 1 to 3 dimensions at `o`
        IndexTensor[o[0..3]] => 
        InputTensors[0][o[0], 0] => ill-typed-meaning: the index has 2 numbers, the tensor 4 dimensions at `o[0], 0`
        o[4] => ill-typed-meaning: index 4 lies outside a list of 4 at `4`
        o[-1] => ill-typed-meaning: index -1 lies outside a list of 4 at `-1`
        [1, 2][2] => ill-typed-meaning: index 2 lies outside a list of 2 at `2`
        sum(r in [4, 4]: InputTensor[r]) => ill-typed-meaning: the index has 2 numbers, the tensor 4 dimensions at `r`
        let p = o[0..3] in InputTensor[p] => ill-typed-meaning: the index has 3 numbers, the tensor 4 dimensions at `p`
        let p = o + 1 in InputTensor[p] => ill-typed-meaning: found a whole number beside a list of whole numbers at `o + 1`
        InputTensor.Sizes[4] => ill-typed-meaning: index 4 lies outside a list of 4 at `4`
        OutputTensor[o] => ill-typed-meaning: `OutputTensor` is an output: no meaning reads its elements at `OutputTensor[o]`
        raw(OutputTensor, 0) else 0 => ill-typed-meaning: `OutputTensor` is an output: no meaning reads its elements at `OutputTensor`
        "#,
    );
}

#[test]
fn scatter_stands_in_outputs_and_stands_apart() {
    table(
        r#"
        last(u in [4], to: [o[0], 0, 0, 0], value: 1) else 0 => unknown-name: `o` is neither a field nor a variable nor an intermediate above at `o`; did you mean `u`?
        last(u in [4], to: u[0], value: 1) else 0 => ill-typed-meaning: found a whole number, expected a list of whole numbers at `u[0]`
        last(u in [4], to: [0, 0, 0, 0]) else 0 => ill-typed-meaning: `last` with `to:` needs a `value:` at `last`
        last(u in [4], to: [0, 0, 0, 0], value: true) else 0 => ill-typed-meaning: found a truth value, expected a number at `true`
        count(u in [4], to: [0, 0, 0, 0]: 1) => ill-typed-meaning: a form with `to:` has no body at `count`
        count(u in [4], to: [0, 0, 0, 0], value: 1) => unknown-label: `count` takes no `value:` at `value`
        sum(u in [4], to: [0, 0, 0, 0]: 1) => unknown-label: `sum` takes no `to:` at `to`
        last(u in [4], to: [0, 0, 0, 0], value: InputTensor[o]) else 0 => unknown-name: `o` is neither a field nor a variable nor an intermediate above at `o`; did you mean `u`?
        "#,
    );
    let outside = found(&[("n", "count(u in [4], to: [0, 0, 0, 0])"), ("OutputTensor[o]", "n")]);
    let expected =
        "ill-typed-meaning: `to:` leads to elements of an output, so it stands in an output's meaning at `count`";
    assert_eq!(outside, expected);
}

#[test]
fn texts_are_read_as_far_as_they_go() {
    table(
        r#"
        1 + => rule-syntax: found the end of the rule, expected a value at ``
        (1 => rule-syntax: found the end of the rule, expected `)` at ``
        InputTensor[o => rule-syntax: found the end of the rule, expected `]` at ``
        1 2 => rule-syntax: found `2`, expected the end of the rule at `2`
        not => rule-syntax: found the end of the rule, expected a value at ``
        let x = 1 => rule-syntax: found the end of the rule, expected `in` at ``
        let 1 = 2 in 3 => rule-syntax: found `1`, expected a name at `1`
        if true then 1 => rule-syntax: found the end of the rule, expected `else` at ``
        a ? b => rule-syntax: unexpected character `?` at `?`
        "open => rule-syntax: text without its closing quote at `"open`
        170141183460469231731687303715884105728 => rule-syntax: the number `170141183460469231731687303715884105728` is too large at `170141183460469231731687303715884105728`
        1e999 => rule-syntax: the number `1e999` is too large at `1e999`
        3x => rule-syntax: `3x` is neither a number nor a name at `3x`
        sum(i in 0..4 1) => rule-syntax: found `1`, expected `:` and what to ask for each at `1`
        in FLOAT16 Scale => rule-syntax: found `Scale`, expected `:` and what is computed in this type at `Scale`
        "#,
    );
    let deep = format!("{}1{}", "(".repeat(70), ")".repeat(70));
    assert!(found(&[("OutputTensor[o]", &deep)]).starts_with("rule-syntax: the rule is nested more than 64 deep"));
    let nested = "-".repeat(200) + "1";
    assert!(found(&[("OutputTensor[o]", &nested)]).starts_with("rule-syntax: the rule is nested more than 64 deep"));
    let long = format!("1{}", " + 1".repeat(3000));
    let expected = "rule-syntax: the rule has 12001 bytes, more than 8192 at ``";
    assert_eq!(found(&[("OutputTensor[o]", &long)]), expected);
    let expected = "rule-syntax: found the end of the rule, expected a value at ``";
    assert_eq!(found(&[("OutputTensor[o]", "")]), expected);
}

/// Whole meanings, each entry `head: body`, entries separated by ` ; `.
fn whole(lines: &str) {
    let mut wrong = Vec::new();
    for (text, expected) in lines.lines().filter_map(|line| line.trim().split_once(" => ")) {
        let entries: Vec<(&str, &str)> = text.split(" ; ").map(|entry| entry.split_once(": ").unwrap()).collect();
        let found = found(&entries);
        if found != expected {
            wrong.push(format!("        {text} => {found}"));
        }
    }
    assert!(wrong.is_empty(), "found\n{}", wrong.join("\n"));
}

#[test]
fn heads_name_what_they_define() {
    whole(
        r#"
        n: 1 => meaning-head: the output `OutputTensor` has no meaning at ``
        OutputTensor[o]: 1 ; OutputTensor[o]: 2 => meaning-head: `OutputTensor` has a meaning already at `OutputTensor`
        OutputTensor: 1 => meaning-head: `OutputTensor` needs `[o]`: the index vector at `OutputTensor`
        OutputTensor[n][o]: 1 => meaning-head: `OutputTensor` needs `[o]`: the index vector at `OutputTensor`
        OutputTensor[o in Axes]: 1 => meaning-head: `OutputTensor` needs `[o]`: the index vector at `OutputTensor`
        InputTensor[o]: 1 => meaning-head: `InputTensor` is no output at `InputTensor`
        Count: 1 => meaning-head: `Count` is no output at `Count`
        n[i]: 1 ; OutputTensor[o]: 1 => meaning-head: the index `i` of an intermediate needs a domain, as in `[i in Sizes]` at `i`
        OuptutTensor[o]: 1 => meaning-head: the index `o` of an intermediate needs a domain, as in `[o in Sizes]` at `o`; did you mean `OutputTensor`?
        n: 1 ; n: 2 ; OutputTensor[o]: 1 => meaning-head: `n` has a sense already at `n`
        sqrt: 1 ; OutputTensor[o]: 1 => meaning-head: `sqrt` has a sense already at `sqrt`
        order: 1 ; OutputTensor[o]: 1 => meaning-head: `order` has a sense already at `order`
        FLOAT32: 1 ; OutputTensor[o]: 1 => meaning-head: `FLOAT32` has a sense already at `FLOAT32`
        n[i in Scale]: 1 ; OutputTensor[o]: 1 => ill-typed-meaning: found a real number, expected a list of whole numbers at `Scale`
        n[i in 0..x]: 1 ; OutputTensor[o]: 1 => unknown-name: `x` is neither a field nor a variable nor an intermediate above at `x`
        1[o]: 1 => rule-syntax: found `1`, expected an output or the name of an intermediate at `1`
        OutputTensor[o: 1 => rule-syntax: found the end of the rule, expected `]` at ``
        OutputTensor[o] x: 1 => rule-syntax: found `x`, expected the end of the rule at `x`
        "#,
    );
}

#[test]
fn intermediates_use_those_above_them() {
    whole(
        r#"
        n: n + 1 ; OutputTensor[o]: n => unknown-name: `n` is used before it is defined at `n`; an intermediate uses those above it, and not itself
        n[i in 0..4]: if i == 0 then 1 else n[i - 1] ; OutputTensor[o]: n[0] => unknown-name: `n` is used before it is defined at `n`; an intermediate uses those above it, and not itself
        a: b ; b: 1 ; OutputTensor[o]: a => unknown-name: `b` is used before it is defined at `b`; an intermediate uses those above it, and not itself
        a[i in 0..b]: 1 ; b: 1 ; OutputTensor[o]: 1 => unknown-name: `b` is used before it is defined at `b`; an intermediate uses those above it, and not itself
        OutputTensor[o]: late ; late: 1 => unknown-name: `late` is used before it is defined at `late`; an intermediate uses those above it, and not itself
        n[i in 0..4]: 1 ; OutputTensor[o]: n => ill-typed-meaning: the intermediate `n` needs its indices, as in `n[…]` at `n`
        n[i in 0..4]: 1 ; OutputTensor[o]: n[0, 1] => ill-typed-meaning: `n` has 1 indices, found 2 at `0, 1`
        n[i in 0..4, j in 0..2]: 1 ; OutputTensor[o]: n[0] => ill-typed-meaning: `n` has 2 indices, found 1 at `0`
        n[r in Axes]: 1 ; OutputTensor[o]: n[0] => ill-typed-meaning: found a whole number, expected a list of whole numbers at `0`
        n: 1 ; OutputTensor[o]: n[0] => ill-typed-meaning: found a whole number, expected a tensor or list to index at `n[0]`
        n: InputTensor ; OutputTensor[o]: 1 => ill-typed-meaning: found a tensor, expected a value at `InputTensor`
        n: o ; OutputTensor[o]: 1 => unknown-name: `o` is neither a field nor a variable nor an intermediate above at `o`
        OutputTensor[OutputTensor]: 1 => 
        "#,
    );
}

#[test]
fn one_mistake_hides_no_other() {
    let found = found(&[
        ("a", "Cuont"),
        ("b", "a + Scael"),
        ("OutputTensor[o]", "b + a + sqr(1)"),
    ]);
    assert_eq!(found.matches(" | ").count(), 2, "{found}");
}

/// Tensor and condition of what a clause opens, and what is wrong: code, place, whether it is the tensor, hint.
const OPENS: &[(&str, &str, &str)] = &[
    (
        "InputTensr",
        "isnan(x)",
        "spec::unknown-tensor 0..10 true did you mean `InputTensor`?",
    ),
    ("Count", "isnan(x)", "spec::unknown-tensor 0..5 true "),
    (
        "InputTensor",
        "isnan(y)",
        "spec::unknown-name 6..7 false did you mean `x`?",
    ),
    ("InputTensor", "x + 1", "spec::ill-typed-meaning 0..5 false "),
    ("InputTensor", "isnan(x", "spec::rule-syntax 7..7 false "),
    (
        "OutputTensor",
        "isnan(x)",
        "spec::unknown-name 6..7 false did you mean `o`?",
    ),
    ("OutputTensor", "o[4] > 0", "spec::ill-typed-meaning 2..3 false "),
    ("OutputTensor", "count(u in [4], to: [0, 0, 0, 0]) > 1", ""),
    (
        "InputTensor",
        "count(u in [4], to: [0, 0, 0, 0]) > 1",
        "spec::ill-typed-meaning 0..5 false ",
    ),
];

#[test]
fn what_clauses_open_is_checked_as_well() {
    let mut operator = CATALOG.operator("MEANT").unwrap().clone();
    for (tensor, condition, expected) in OPENS {
        operator.clauses.to_mut()[0].opens = vec![((*tensor).into(), (*condition).into())].into();
        let found = meaning::check(&CATALOG, &operator, &[("OutputTensor[o]", "1")])
            .err()
            .unwrap_or_default();
        let show = |mistake: &Mistake| {
            let Place::Opens { in_tensor, .. } = mistake.place else {
                panic!("{mistake:?}")
            };
            let hint = mistake.error.hint.as_deref().unwrap_or("");
            format!("{} {:?} {in_tensor} {hint}", mistake.error.code, mistake.error.span)
        };
        let found: Vec<String> = found.iter().map(show).collect();
        assert_eq!(found.join(" | "), *expected, "{tensor}: {condition}");
    }
}
