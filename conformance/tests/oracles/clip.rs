//! ELEMENT_WISE_CLIP: what its limits promise.

use dml_legacy::oracle::oracle;

use crate::planned;

#[test]
fn outputs_lie_between_the_limits() {
    let oracle = oracle("ELEMENT_WISE_CLIP").unwrap();
    planned::each("ELEMENT_WISE_CLIP", false, |id, call| {
        let reference = oracle.reference(call);
        // Limited twice is limited once.
        if call.scale_bias("ScaleBias").is_none() {
            let mut again = call.clone();
            again.inputs[0].elements = reference[0].clone();
            assert_eq!(oracle.reference(&again), reference, "{id}");
        }
    });
}
