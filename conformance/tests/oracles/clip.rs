//! ELEMENT_WISE_CLIP: what its limits promise.

use dml_case::number::{encode_float, is_infinite};
use dml_legacy::oracle::{Call, oracle};

use crate::planned;

#[test]
fn outputs_lie_between_the_limits() {
    let oracle = oracle("ELEMENT_WISE_CLIP").unwrap();
    planned::each("ELEMENT_WISE_CLIP", false, |id, call| {
        let reference = oracle.reference(call);
        assert_eq!(
            oracle.holds("within-limits", call, &reference),
            Some(Vec::new()),
            "{id}"
        );
        // Limited twice is limited once.
        if call.scale_bias("ScaleBias").is_none() {
            let mut again = call.clone();
            again.inputs[0].elements = reference[0].clone();
            assert_eq!(oracle.reference(&again), reference, "{id}");
        }
    });
}

#[test]
fn nothing_times_infinity_is_open() {
    let (suite, oracle) = (planned::suite(), oracle("ELEMENT_WISE_CLIP").unwrap());
    let (operator, _) = suite.operator("ELEMENT_WISE_CLIP").unwrap();
    for (limits, property, other) in [
        ("min=3,max=0", "one-of-the-limits", 3.0),
        ("min=0,max=3", "within-limits", 0.5),
    ] {
        let id = format!("ELEMENT_WISE_CLIP:3.0:extremes:type=FLOAT32,sizes=4x8,bias=0x0.5,{limits},values=infinities");
        let case = dml_plan::build(suite, &id.parse().unwrap()).unwrap();
        let call = Call::new(&suite.catalog, operator, &case.descriptor, &case.inputs).unwrap();
        let ty = &call.outputs[0].ty;
        let output = |infinite: f64, other: f64| {
            let of = |bits: &u64| {
                if is_infinite(ty, *bits) { infinite } else { other }
            };
            let elements = call.inputs[0].elements.iter();
            [elements.map(|bits| encode_float(ty, of(bits))).collect()]
        };
        let is_right = |outputs: &[Vec<u64>]| {
            let broken = oracle.holds(property, &call, outputs).unwrap();
            broken.is_empty() && oracle.check(&call, outputs).is_empty()
        };
        assert!(
            is_right(&output(f64::NAN, other)) && is_right(&output(other, other)),
            "{id}"
        );
        assert!(!is_right(&output(other, f64::NAN)), "{id}");
    }
}
