use super::*;
use crate::oracle::planned;

#[test]
fn reference_and_checker_agree() {
    planned::holds_together("ELEMENT_WISE_CLIP");
    planned::knows_what_is_open("ELEMENT_WISE_CLIP");
}

#[test]
fn outputs_lie_between_the_limits() {
    let suite = planned::suite();
    planned::each(&suite, "ELEMENT_WISE_CLIP", false, |id, call| {
        let c = Clip::of(call).unwrap();
        let reference = ORACLE.reference(call);
        assert_eq!(
            ORACLE.holds("within-limits", call, &reference),
            Some(Vec::new()),
            "{id}"
        );
        // Limited twice is limited once.
        if c.scale_bias.is_none() {
            let mut again = call.clone();
            again.inputs[0].elements = reference[0].clone();
            assert_eq!(ORACLE.reference(&again), reference, "{id}");
        }
    });
}

#[test]
fn nothing_times_infinity_is_open() {
    let suite = planned::suite();
    let (operator, _) = suite.operator("ELEMENT_WISE_CLIP").unwrap();
    for (limits, property, other) in [
        ("min=3,max=0", "one-of-the-limits", 3.0),
        ("min=0,max=3", "within-limits", 0.5),
    ] {
        let id = format!("ELEMENT_WISE_CLIP:3.0:extremes:type=FLOAT32,sizes=4x8,bias=0x0.5,{limits},values=infinities");
        let case = crate::plan::build(&suite, &id.parse().unwrap()).unwrap();
        let call = Call::new(&suite.catalog, operator, &case.descriptor, &case.inputs).unwrap();
        let ty = &call.outputs[0].ty;
        let output = |infinite: f64, other: f64| {
            let of = |bits: &u64| {
                if crate::number::is_infinite(ty, *bits) {
                    infinite
                } else {
                    other
                }
            };
            let elements = call.inputs[0].elements.iter();
            [elements.map(|bits| crate::number::encode_float(ty, of(bits))).collect()]
        };
        let is_right = |outputs: &[Vec<u64>]| {
            let broken = ORACLE.holds(property, &call, outputs).unwrap();
            broken.is_empty() && ORACLE.check(&call, outputs).is_empty()
        };
        assert!(
            is_right(&output(f64::NAN, other)) && is_right(&output(other, other)),
            "{id}"
        );
        assert!(!is_right(&output(other, f64::NAN)), "{id}");
    }
}
