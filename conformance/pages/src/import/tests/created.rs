//! What a new file gets besides facts: rules about sizes, and a case model.

use super::*;
use crate::import::{
    cases,
    page::{ComputedSize, Dimension, Formula, LOOP, Shape},
    shapes,
};

/// A list of dimensions: numbers, names, and either in brackets if it may be dropped.
fn dimensions(text: &str) -> Vec<Dimension> {
    let one = |word: &str| {
        let inner = word.trim_matches(['[', ']']);
        let number = inner.parse().ok();
        Dimension {
            factor: number.unwrap_or(1),
            name: number.is_none().then(|| inner.to_owned()),
            may_drop: word.starts_with('['),
        }
    };
    text.split(' ').map(one).collect()
}

#[test]
fn sizes_that_a_block_of_code_computes_follow_from_the_keys() {
    let mut page = page("new", "en-us", 1);
    let count = || "Count".to_owned();
    page.fields.push(field("Window", FieldKind::UInts(count().into())));
    page.fields.push(field("Count", FieldKind::UInt));
    let size = |dimension, count, value: &str| ComputedSize {
        tensor: "OutputTensor".to_owned(),
        dimension,
        count,
        value: value.to_owned(),
    };
    let formula = Formula {
        tensor: "OutputTensor".to_owned(),
        rule: "OutputTensor.Sizes[0] == InputTensor.Sizes[0]".to_owned(),
        sizes: vec![
            size(0, None, "InputTensor.Sizes[0]"),
            size(
                1,
                Some(count()),
                &format!("InputTensor.Sizes[{LOOP} + 1] - Window[{LOOP}] * {LOOP}"),
            ),
        ],
    };
    page.constraints.clear();
    page.formulas.push(spot(formula, "OutputTensor", 60));
    let cases = cases::write_cases(&page);
    for line in [
        "OutputTensor.Sizes: \"list(d in 0..InputTensor.DimensionCount: if d == 0 then InputTensor.Sizes[0] else \
         InputTensor.Sizes[d] - Window[d - 1] * (d - 1))\"",
        "window: [\"list(d in 0..InputTensor.DimensionCount - 1: 1)\"]",
    ] {
        assert!(cases.contains(line), "{cases}");
    }
}

#[test]
fn lists_of_sizes_say_no_more_and_no_less() {
    let rules = |shapes: &[(&str, &[&str])]| {
        let mut page = page("new", "en-us", 2);
        for (tensor, lists) in shapes {
            let shape = Shape {
                tensor: (*tensor).to_owned(),
                lists: lists.iter().map(|list| dimensions(list)).collect(),
                broadcasts: lists.contains(&"M N"),
            };
            page.shapes.push(spot(shape, tensor, 40));
        }
        let found = shapes::list_constraints(&page).into_iter().map(|found| found.rule);
        found.collect::<Vec<_>>()
    };
    // Names that stand nowhere else are names alone: tables say how many dimensions there are.
    assert_eq!(rules(&[("OutputTensor", &["N C H W"])]), [""; 0]);
    assert_eq!(
        rules(&[("InputTensor", &["N C"]), ("OutputTensor", &["1 C [1] [1] 1"])]),
        [
            "OutputTensor.Sizes[0] == 1 and OutputTensor.Sizes[1] == InputTensor.Sizes[1] and \
             OutputTensor.Sizes[OutputTensor.DimensionCount - 1] == 1 and \
             all(d in 2..OutputTensor.DimensionCount - 1: OutputTensor.Sizes[d] == 1)"
        ]
    );
    // Sizes that may be replaced with 1.
    assert_eq!(
        rules(&[("InputTensor", &["M N"]), ("OutputTensor", &["M N"])]),
        [
            "all(d in 0..InputTensor.DimensionCount: OutputTensor.Sizes[d] == 1 or OutputTensor.Sizes[d] == InputTensor.Sizes[d])"
        ]
    );
    // A name ties tensors of several lists, where it is as far from the end in all of them.
    assert_eq!(
        rules(&[("InputTensor", &["N 4", "1 N 4"]), ("OutputTensor", &["N", "1 N"])])
            .last()
            .unwrap(),
        "(OutputTensor.Sizes == [InputTensor.Sizes[InputTensor.DimensionCount - 2]]) or \
         (OutputTensor.Sizes == [1, InputTensor.Sizes[InputTensor.DimensionCount - 2]])"
    );
    let apart = rules(&[("InputTensor", &["N 4", "N 4 1"]), ("OutputTensor", &["N", "1 N"])]);
    assert!(
        !apart
            .iter()
            .any(|rule| rule.contains("InputTensor.Sizes[InputTensor.DimensionCount")),
        "{apart:?}"
    );
}

#[test]
fn a_sentence_tells_more_of_sizes_than_a_name_for_all_of_them() {
    let mut page = page("new", "en-us", 1);
    page.constraints.clear();
    let all = vec![Dimension {
        factor: 1,
        name: Some("All[]".to_owned()),
        may_drop: false,
    }];
    let lists = [
        ("InputTensor", dimensions("M K")),
        ("OutputTensor", all),
        ("OutputTensor", dimensions("1 K")),
    ];
    for (tensor, list) in lists {
        let shape = Shape {
            tensor: tensor.to_owned(),
            lists: vec![list],
            broadcasts: false,
        };
        page.shapes.push(spot(shape, tensor, 40));
    }
    let cases = cases::write_cases(&page);
    assert!(
        cases.contains("OutputTensor.Sizes: \"[1, InputTensor.Sizes[1]]\""),
        "{cases}"
    );
}

#[test]
fn what_follows_from_keys_is_derived_in_order() {
    let mut page = page("new", "en-us", 1);
    page.fields[0].value.optional = true;
    page.fields.insert(
        1,
        field("OthersTensors", FieldKind::Tensors(Role::Input, "Count".into())),
    );
    page.fields.push(field("Count", FieldKind::UInt));
    page.constraints.clear();
    let cases = cases::write_cases(&page);
    // Nothing follows from what may be absent, and only a key says how many tensors there are.
    for line in [
        "    type: OthersTensors.DataType\n",
        "    sizes: OthersTensors.Sizes\n",
        "    InputTensor.Sizes: OthersTensors[0].Sizes\n",
        "    inputs: [1, 2]\n",
    ] {
        assert!(cases.contains(line), "{line}{cases}");
    }
    let mut page = super::page("new", "en-us", 1);
    let mut extra = field("ExtraTensor", FieldKind::Tensor(Role::Input));
    extra.value.optional = true;
    page.fields.insert(1, extra);
    page.constraints = vec![spot(
        SharedProperty {
            tensors: vec!["ExtraTensor".to_owned(), "OutputTensor".to_owned()],
            property: Property::Sizes,
        },
        "tensor-constraints",
        30,
    )];
    let cases = cases::write_cases(&page);
    let at = |line: &str| cases.find(line).unwrap_or_else(|| panic!("{line} in {cases}"));
    assert!(at("ExtraTensor.Sizes: OutputTensor.Sizes") > at("OutputTensor.Sizes: InputTensor.Sizes"));
}

#[test]
fn a_table_without_data_types_gets_those_of_the_examples() {
    let mut page = page("new", "en-us", 2);
    page.examples.push(example("1 -0"));
    page.tables.truncate(1);
    page.tables[0].value.rows.iter_mut().for_each(|row| row.types.clear());
    let (files, made) = imported(std::slice::from_ref(&page));
    // The next import leaves them.
    assert!(!applied(&files, &[page]).changed);
    assert!(
        made.text.contains("OutputTensor: {dimensions: 1..8, types: [FLOAT32]}"),
        "{}",
        made.text
    );
    let note = "no data types of OutputTensor; the file gets those of the examples";
    assert!(made.notes.iter().any(|said| said.contains(note)), "{:?}", made.notes);
}
