//! REDUCE: what may come out beside the result.

use dml_case::number::encode_float;
use dml_legacy::compare::Also;
use dml_legacy::oracle::{Call, oracle};

use crate::planned;

#[test]
fn what_overflows_may_come_to_infinity() {
    let suite = planned::suite();
    let oracle = oracle("REDUCE").unwrap();
    let (operator, _) = suite.operator("REDUCE").unwrap();
    for function in ["AVERAGE", "L1", "L2", "SUM", "SUM_SQUARE"] {
        // 600 numbers of one sign, of several hundred each.
        let id =
            format!("REDUCE:5.0:variants:fn={function},type=FLOAT16,out=FLOAT16,sizes=3x600,axes=1,values=near-equal");
        let case = dml_plan::build(suite, &id.parse().unwrap()).unwrap();
        let call = Call::new(&suite.catalog, operator, &case.descriptor, &case.inputs).unwrap();
        let ty = &call.outputs[0].ty;
        assert_eq!(
            oracle.also(&call),
            [[Some(Also::Is(encode_float(ty, f64::INFINITY))); 3]],
            "{id}"
        );
    }
}
