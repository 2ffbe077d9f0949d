//! Which guarantee wrong outputs violate: the one whose invariants they break.

use crate::{embedded::suite, expected::expected_outputs, tests::open::buffers_of, tests::*};

/// The bits of a number of single precision.
fn single(number: f32) -> u64 {
    u64::from(number.to_bits())
}

/// The first clause that is blamed for the outputs of a case, changed in this way.
fn blamed(id: &str, change: fn(&mut [Vec<u64>])) -> String {
    let Ok(case) = dml_plan::build(suite(), &id.parse().unwrap()) else {
        panic!("{id}")
    };
    let mut elements = expected_outputs(suite(), &case).unwrap();
    change(&mut elements);
    let outputs = buffers_of(suite(), &case, &elements);
    let judged = on(Basis::Runtime, suite(), &case, &Answer::Executed { outputs });
    assert_eq!(judged.outcome, Outcome::Fail, "{id}");
    let clauses = judged.diagnosis.unwrap().clauses;
    clauses.first().unwrap().to_string()
}

#[test]
fn orders_break_the_sentence_about_them() {
    const TIES: &str = "TOP_K1:2.1:examples:example=tied-values";
    const TOP: &str = "TOP_K1:2.1:examples:example=largest-two";
    let ties = |change| blamed(TIES, change);
    let top = |change| blamed(TOP, change);
    // Values 3 2 2 at 3 1 2 of 1 2 2 3: both twos the other way round.
    assert_eq!(ties(|of| of[1].swap(1, 2)), "TOP_K1/ties-ascend");
    // Values 5 5 4, one of them at the place of no five.
    assert_eq!(ties(|of| of[1][4] = 0), "TOP_K1/value-at-index");
    // Values 6 6 6: the last three of four.
    assert_eq!(
        ties(|of| of[1][6..].copy_from_slice(&[1, 2, 3])),
        "TOP_K1/ties-at-boundary"
    );
    assert_eq!(top(|of| of.iter_mut().for_each(|of| of.swap(0, 1))), "TOP_K1/sorted");
    assert_eq!(
        top(|of| {
            of[0][1] = single(1.0);
            of[1][1] = 1;
        }),
        "TOP_K1/selects-top"
    );
    assert_eq!(top(|of| of[1][0] = 7), "TOP_K1/indices-of-sequence");
    assert_eq!(top(|of| of[0][0] = single(10.5)), "TOP_K1/value-at-index");
    const FIRST: &str = "ARGMAX:3.0:examples:example=first-of-equals";
    assert_eq!(blamed(FIRST, |of| of[0][0] = 4), "ARGMAX/ties-increasing");
    assert_eq!(blamed(FIRST, |of| of[0][0] = 1), "ARGMAX/names-extreme");
    assert_eq!(blamed(FIRST, |of| of[0][0] = 5), "ARGMAX/index-within-axes");
    // Counted along the first axis first, it names another element.
    const ENTIRE: &str = "ARGMAX:3.0:examples:example=entire-tensor";
    assert_eq!(blamed(ENTIRE, |of| of[0][0] = 5), "ARGMAX/names-extreme");
}

/// The first wrong element is looked at even if eight of them would take too long.
#[test]
fn long_sequences_break_the_sentence_about_them_too() {
    const LONG: &str =
        "TOP_K1:2.1:values:type=INT8,index=UINT32,sizes=3x3x1024x1,axis=2,k=1023,dir=DECREASING,values=two-values";
    // All but one of each sequence are selected: that one instead of the last.
    let boundary = blamed(LONG, |of| {
        for sequence in of[1].chunks_mut(1023) {
            let left_out = (0..1024).find(|index| !sequence.contains(index)).unwrap();
            sequence[1022] = left_out;
        }
    });
    assert_eq!(boundary, "TOP_K1/ties-at-boundary");
}

#[test]
fn a_special_case_that_is_right_is_not_blamed() {
    const STRIDES: &str = "SLICE1:2.1:examples:example=negative-strides";
    assert_eq!(blamed(STRIDES, |of| of[0][0] = single(2.0)), "SLICE1/starts-at-end");
    const FORWARD: &str = "SLICE1:2.1:examples:example=positive-strides";
    assert_eq!(
        blamed(FORWARD, |of| of[0][0] = single(16.0)),
        "SLICE1/starts-at-beginning"
    );
    assert_eq!(blamed(STRIDES, |of| of[0][3] = single(7.0)), "SLICE1/window-copied");
    const UPPER: &str = "DIAGONAL_MATRIX1:5.1:examples:example=upper-triangle";
    assert_eq!(
        blamed(UPPER, |of| of[0][0] = single(4.0)),
        "DIAGONAL_MATRIX1/fills-diagonals"
    );
    assert_eq!(blamed(UPPER, |of| of[0][1] = single(0.0)), "DIAGONAL_MATRIX1/rest-kept");
    const PAST: &str = "ONE_HOT:2.0:values:type=FLOAT32,index=UINT32,sizes=3x255x1x1,axis=1,pair=1x1x1x2,indices=past-end,values=near-equal";
    let past = |change| blamed(PAST, change);
    assert_eq!(past(|of| of[0][0] = single(0.0)), "ONE_HOT/index-past-end-ignored");
    const COUNT: &str = "NONZERO_COORDINATES:3.0:examples:example=four-of-eight";
    assert_eq!(blamed(COUNT, |of| of[0][0] = 5), "NONZERO_COORDINATES/counts");
    // Two rows of the list the other way round, and one that names a zero.
    let order = blamed(COUNT, |of| of[1][3..9].rotate_left(3));
    assert_eq!(order, "NONZERO_COORDINATES/in-order");
    let zero = blamed(COUNT, |of| of[1][11] = 2);
    assert_eq!(zero, "NONZERO_COORDINATES/lists-coordinates");
    const ABOVE: &str = "ELEMENT_WISE_CLIP:1.0:sizes:type=FLOAT32,sizes=3x1x1x3,bias=-3x-7,min=-inf,max=7.5";
    assert_eq!(
        blamed(ABOVE, |of| of[0][0] = single(8.0)),
        "ELEMENT_WISE_CLIP/limits-above"
    );
    const BELOW: &str =
        "ELEMENT_WISE_CLIP:1.0:values:type=FLOAT32,sizes=2x63x1x1,bias=-1.5x0,min=0.3,max=60,values=cancelling";
    assert_eq!(
        blamed(BELOW, |of| of[0][0] = single(0.125)),
        "ELEMENT_WISE_CLIP/limits-below"
    );
    // Within the limits, but not the one that is due.
    assert_eq!(
        blamed(BELOW, |of| of[0].iter_mut().for_each(|of| *of = single(60.0))),
        "ELEMENT_WISE_CLIP/limits-below"
    );
}

#[test]
fn a_number_that_the_type_holds_keeps_its_value_and_sign() {
    const ZEROS: &str = "CAST:3.1:values:type=FLOAT32,to=FLOAT16,sizes=2x2x3x1,values=zeros";
    let lost = blamed(ZEROS, |of| of[0].iter_mut().for_each(|of| *of = 0));
    assert_eq!(lost, "CAST/value-kept");
    const SINGLES: &str = "CAST:3.1:values:type=FLOAT32,to=FLOAT16,sizes=1x2x2x1x65x3x1,values=wide";
    // Hardly any of these is a number of half precision: two units away from the right one.
    let away = blamed(SINGLES, |of| of[0].iter_mut().for_each(|of| *of ^= 2));
    assert_eq!(away, "CAST/nearest-numbers");
}

#[test]
fn what_outputs_keep_is_not_blamed() {
    // The last of equal elements is one of the largest as well.
    const TIES: &str = "REDUCE:3.0:values:fn=ARGMAX,type=INT32,out=UINT32,sizes=1x1x1x4,axes=3,values=constant";
    assert_eq!(blamed(TIES, |of| of[0][0] = 3), "REDUCE/equals-argmax");
    // An element of the input that another index names is a copy too; a number that no element is none.
    const COPIES: &str = "GATHER:3.0:examples:example=concatenate-rows";
    assert_eq!(blamed(COPIES, |of| of[0].swap(0, 2)), "GATHER/takes-by-index");
    assert_eq!(blamed(COPIES, |of| of[0][0] ^= 1 << 20), "GATHER/elements-copied");
    let Ok(case) = dml_plan::build(suite(), &COPIES.parse().unwrap()) else {
        panic!("{COPIES}")
    };
    let context = dml_case::context::Context::new(suite(), &case).unwrap();
    let mut elements = expected_outputs(suite(), &case).unwrap();
    elements[0].swap(0, 2);
    assert_eq!(crate::clauses_of_mistake(context, "precision", &elements), [""; 0]);
    elements[0][0] ^= 1 << 20;
    assert_eq!(
        crate::clauses_of_mistake(context, "precision", &elements),
        ["GATHER/elements-copied"]
    );
}

#[test]
fn poison_breaks_no_invariant() {
    // Each run of a case has its own poison. The blame does not depend on it.
    const TOP: &str = "TOP_K1:2.1:examples:example=largest-two";
    let Ok(case) = dml_plan::build(suite(), &TOP.parse().unwrap()) else {
        panic!("{TOP}")
    };
    let (operator, _) = suite().operator(case.id.operator()).unwrap();
    let (_, outputs) = dml_case::poison::buffers(operator, &case);
    let judged = on(Basis::Runtime, suite(), &case, &Answer::Executed { outputs });
    let diagnosis = judged.diagnosis.unwrap();
    assert_eq!(
        (&*diagnosis.class, &diagnosis.clauses[..]),
        ("unwritten", &["TOP_K1/selects-top".into()][..])
    );
}
