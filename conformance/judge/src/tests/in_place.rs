//! Outputs in the memory of an input: what a backend finds there, and what is said of wrong ones.

use crate::embedded::suite;
use crate::tests::*;
use dml_plan::planner::Planner;
use dml_spec::model::Family;

fn case(suite: &Planner, id: &str) -> Case {
    dml_plan::build(suite, &id.parse().unwrap()).unwrap()
}

/// The explanation of outputs that hold these elements.
fn diagnose_elements(suite: &Planner, case: &Case, elements: &[u64]) -> Diagnosis {
    let operator = suite.operator(case.id.operator()).unwrap().0;
    let (_, mut outputs) = buffers(operator, case);
    let shape = &shapes(suite, case)[case.inputs.len()];
    shape.write(outputs[0].tensor_mut(), elements.iter().copied());
    diagnosis(suite, case, outputs)
}

/// The index of the operator and the family of a case.
fn index_case(suite: &Planner, case: &Case) -> (usize, Family) {
    let operators = &suite.catalog.operators;
    let index = operators.iter().position(|o| o.name == case.id.operator()).unwrap();
    (index, Family::named(case.id.family()).unwrap())
}

const ADD: &str = "ELEMENT_WISE_ADD1:3.0:in-place:type=FLOAT32,sizes=2x3x4x5,act=null";

#[test]
fn an_output_starts_as_the_input_with_poison_between() {
    let suite = suite();
    for layout in ["", ",layout=padded", ",layout=transposed", ",layout=slack"] {
        let case = case(suite, &format!("{ADD}{layout},alias=BTensor"));
        let operator = suite.operator("ELEMENT_WISE_ADD1").unwrap().0;
        let (inputs, outputs) = buffers(operator, &case);
        assert_eq!(inputs[1], outputs[0], "{layout}");
        assert_eq!(inputs[1].tensor(), case.inputs[1]);
        let (index, family) = index_case(suite, &case);
        let builder = dml_plan::builder::Builder::new(suite, index).unwrap();
        let twin = builder.case(case.id.without("alias"), family).unwrap();
        let shape = &shapes(suite, &case)[1];
        assert_eq!(shape.read(outputs[0].tensor()), shape.read(&twin.inputs[1]), "{layout}");
    }
}

#[test]
fn what_cannot_share_memory_is_no_case() {
    let suite = suite();
    for (id, why) in [
        (format!("{ADD},alias=OutputTensor"), "possible: ATensor, BTensor"),
        (format!("{ADD},alias=none"), "did you mean"),
        (
            format!("{ADD},layout=padded-input,alias=ATensor"),
            "have to be the same",
        ),
        (
            format!("{ADD},layout=broadcast-first,alias=ATensor"),
            "have to be the same",
        ),
        (
            format!("{ADD},layout=broadcast-second,alias=BTensor"),
            "have to be the same",
        ),
        (
            "ARGMAX:3.0:support:type=FLOAT32,index=UINT32,sizes=2x3x4x5,axes=1,dir=INCREASING,alias=InputTensor"
                .to_owned(),
            "possible: none",
        ),
    ] {
        let error = dml_plan::build(suite, &id.parse().unwrap()).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn any_wrong_result_in_place_blames_that_too() {
    let suite = suite();
    let case = case(suite, &format!("{ADD},alias=ATensor"));
    let found = diagnose_elements(suite, &case, &vec![0x7f00_0000; 120]);
    assert_eq!(found.class, "differs");
    assert!(
        found.clauses.contains(&"ELEMENT_WISE_ADD1/in-place".into()),
        "{:?}",
        found.clauses
    );
}

#[test]
fn a_refusal_in_place_blames_that_first() {
    let suite = suite();
    let shared = case(suite, &format!("{ADD},alias=BTensor"));
    let refused = on(Basis::Runtime, suite, &shared, &Answer::Rejected(Rejection::default()));
    let found = refused.diagnosis.unwrap();
    assert_eq!(found.class, "wrongly-rejected");
    assert_eq!(found.clauses[0], "ELEMENT_WISE_ADD1/in-place", "{:?}", found.clauses);
    assert!(
        found.message.contains("lies in the memory of an input"),
        "{}",
        found.message
    );
    let named = Rejection {
        clauses: vec!["ELEMENT_WISE_ADD1/same-sizes".to_owned()],
        ..Rejection::default()
    };
    let found = on(Basis::Runtime, suite, &shared, &Answer::Rejected(named))
        .diagnosis
        .unwrap();
    assert_eq!(
        found.clauses,
        ["ELEMENT_WISE_ADD1/in-place", "ELEMENT_WISE_ADD1/same-sizes"]
    );
}

#[test]
fn a_case_that_is_open_in_part_is_judged_by_its_other_elements() {
    let suite = suite();
    let id = "ELEMENT_WISE_ADD1:3.0:in-place:type=FLOAT32,sizes=2x3x4x5,act=null,values=nan-one,alias=ATensor";
    let case = case(suite, id);
    assert!(matches!(case.verdict, Verdict::Unspecified(_)));
    let [a, b] = [0, 1].map(|input: usize| shapes(suite, &case)[input].read(&case.inputs[input]));
    let sum = |(a, b): (&u64, &u64)| u64::from((f32::from_bits(*a as u32) + f32::from_bits(*b as u32)).to_bits());
    let sums: Vec<u64> = a.iter().zip(&b).map(sum).collect();
    // The other operand counts: the sum is far from what was there.
    let message = |at: &usize| {
        let [a, b, sum] = [&a, &b, &sums].map(|of| f32::from_bits(of[*at] as u32));
        a.is_normal() && b.is_normal() && sum.is_normal() && (sum - a).abs() > a.abs()
    };
    let at = (0..a.len()).find(message);
    let mut one = sums.clone();
    one[at.unwrap()] = a[at.unwrap()];
    // One that equals what was there may have been written; nothing was if all of the output is as it was.
    assert_eq!(diagnose_elements(suite, &case, &one).class, "differs");
    let left = diagnose_elements(suite, &case, &a);
    assert_eq!(left.class, "unwritten");
    let says = "still hold what the input held in their place";
    assert!(left.message.contains(says), "{}", left.message);
    // Of a few elements it may be an accident.
    let few = self::case(
        suite,
        &format!("{},alias=ATensor", ADD.replace("sizes=2x3x4x5", "sizes=3")),
    );
    let left = shapes(suite, &few)[0].read(&few.inputs[0]);
    assert_eq!(diagnose_elements(suite, &few, &left).class, "differs");
}
