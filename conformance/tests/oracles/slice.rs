//! SLICE1: what is ignored in one dimension is named with it.

use dml_legacy::oracle::{Call, Seen, oracle};
use dml_spec::{Descriptor, Value};

use crate::planned;

/// The descriptor without the offset of a dimension, or with a stride that only keeps its sign.
fn without(call: &Call, field: &str, dimension: usize) -> Descriptor {
    let mut descriptor = call.descriptor.clone();
    match &mut descriptor.fields[call.operator.field_index(field).unwrap()] {
        Value::UInts(Some(offsets)) => offsets[dimension] = 0,
        Value::Ints(Some(strides)) => strides[dimension] = strides[dimension].signum(),
        other => panic!("{other:?}"),
    }
    descriptor
}

#[test]
fn what_is_ignored_in_one_dimension_is_named_with_it() {
    let (oracle, mut tried) = (oracle("SLICE1").unwrap(), [0, 0]);
    let fields = [
        ("InputWindowOffsets", "offset", "offset-ignored"),
        ("InputWindowStrides", "stride", "window-stride-ignored"),
    ];
    planned::each_of_family("SLICE1", "variants", |id, call| {
        let expected = oracle.reference(call);
        for d in 0..call.outputs[0].sizes.len() {
            for (at, (field, what, class)) in fields.into_iter().enumerate() {
                let descriptor = without(call, field, d);
                let changed = Call {
                    descriptor: &descriptor,
                    ..call.clone()
                };
                let outputs = oracle.reference(&changed);
                if outputs.is_empty() || outputs == expected {
                    continue;
                }
                let seen = Seen {
                    outputs: &outputs,
                    expected: &expected,
                    untouched: &[],
                    tolerances: &[],
                };
                let guesses = oracle.guesses(call, &seen);
                let mut named = guesses
                    .iter()
                    .filter(|guess| guess.class == class && guess.explains(&seen));
                let says = format!("the {what} of dimension {d} is ignored");
                assert!(named.any(|guess| guess.says == says), "{id}: {says}");
                tried[at] += 1;
            }
        }
    });
    assert!(tried.iter().all(|tried| *tried > 100), "{tried:?}");
}
