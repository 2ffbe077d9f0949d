//! REDUCE: mistakes are told apart.

use dml_case::number::{Number, decode, encode_float};
use dml_legacy::compare::Also;
use dml_legacy::oracle::{Call, oracle};

use crate::planned;

#[test]
fn what_a_function_gives_is_named() {
    let oracle = oracle("REDUCE").unwrap();
    let mut seen = std::collections::BTreeSet::new();
    planned::each("REDUCE", false, |id, call| {
        let shape = &call.outputs[0];
        let axes = call.uints("Axes").unwrap_or_default();
        let size: u32 = axes
            .iter()
            .map(|axis| call.inputs[0].shape.sizes[*axis as usize])
            .product();
        let scaled = |factor: f64| -> Vec<Vec<u64>> {
            let float = |bits: &u64| match decode(&shape.ty, *bits) {
                Number::Float(x) => encode_float(&shape.ty, x * factor),
                Number::Int(_) => *bits,
            };
            vec![oracle.reference(call)[0].iter().map(float).collect()]
        };
        let classes = |outputs: &[Vec<u64>]| -> Vec<&str> {
            let found = oracle.check(call, outputs);
            found.iter().map(|mismatch| mismatch.class).collect()
        };
        if id.contains("fn=AVERAGE") && id.contains("values=unit") && size > 1 {
            seen.extend(classes(&scaled(f64::from(size))));
        }
        if id.contains("fn=L2") && id.contains("values=unit") {
            let squares = |bits: &u64| match decode(&shape.ty, *bits) {
                Number::Float(x) => encode_float(&shape.ty, x * x),
                Number::Int(_) => *bits,
            };
            seen.extend(classes(&[oracle.reference(call)[0].iter().map(squares).collect()]));
        }
        if id.contains("fn=LOG_SUM,") {
            seen.extend(classes(&scaled(std::f64::consts::LOG2_E)));
        }
        if id.contains("fn=SUM") && id.contains("values=unit") {
            seen.extend(classes(&scaled(1.0 + 1.0 / 512.0)));
        }
    });
    let seen: Vec<&str> = seen.into_iter().collect();
    assert_eq!(seen, ["function-confused", "log-sum-wrong", "precision"]);
}

#[test]
fn a_function_that_may_give_anything_is_no_explanation() {
    let oracle = oracle("REDUCE").unwrap();
    let mut wrong = 0;
    planned::each_of_family("REDUCE", "large-exponents", |id, call| {
        let ty = &call.outputs[0].ty;
        let faults: [fn(f64) -> f64; 4] = [
            |x| x * (1.0 + 2f64.powi(-17)),
            |x| x * 1.5,
            |_| f64::NEG_INFINITY,
            |x| x.clamp(-10.0, 10.0),
        ];
        for fault in faults {
            let float = |bits: &u64| match decode(ty, *bits) {
                Number::Float(x) => encode_float(ty, fault(x)),
                Number::Int(_) => *bits,
            };
            let outputs: Vec<u64> = oracle.reference(call)[0].iter().map(float).collect();
            let found = oracle.check(call, &[outputs]);
            assert!(found.iter().all(|m| m.class != "function-confused"), "{id}: {found:?}");
            wrong += found.len();
        }
    });
    assert!(wrong > 10, "{wrong}");
}

#[test]
fn what_overflows_comes_to_infinity_or_to_the_result() {
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
        let accepts = |x: f64| oracle.check(&call, &[vec![encode_float(ty, x); 3]]).is_empty();
        assert_eq!(
            oracle.also(&call),
            [[Some(Also::Is(encode_float(ty, f64::INFINITY))); 3]],
            "{id}"
        );
        assert!(
            oracle.check(&call, &oracle.reference(&call)).is_empty() && accepts(f64::INFINITY),
            "{id}"
        );
        for wrong in [-7.0, 0.0, 65504.0, f64::NEG_INFINITY, f64::NAN] {
            assert!(!accepts(wrong), "{id}: {wrong}");
        }
    }
}
