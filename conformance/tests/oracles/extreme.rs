//! ARGMAX and ARGMIN: mistakes are told apart, and the function of REDUCE that the page calls equivalent.

use std::borrow::Cow;

use dml_legacy::oracle::{Call, oracle};
use dml_spec::{Descriptor, Value};

use crate::planned;

/// The operators, and the function of REDUCE that is each.
const ALL: [(&str, u32); 2] = [("ARGMAX", 0), ("ARGMIN", 1)];

#[test]
fn reduce_gives_the_same_where_the_first_of_equals_counts() {
    for (name, function) in ALL {
        let suite = planned::suite();
        let (own, other) = (oracle(name).unwrap(), oracle("REDUCE").unwrap());
        let (reduce, _) = suite.operator("REDUCE").unwrap();
        let mut same = 0;
        planned::each(name, false, |id, call| {
            let Some((Value::UInt(0), fields)) = call.descriptor.fields.split_last() else {
                return;
            };
            let fields = [&[Value::UInt(function)], fields].concat();
            let descriptor = Descriptor {
                operator: Cow::Borrowed("REDUCE"),
                fields,
            };
            let twin = Call {
                operator: reduce,
                descriptor: &descriptor,
                ..call.clone()
            };
            let reference = own.reference(call);
            assert_eq!(reference, other.reference(&twin), "{id}");
            let mut wrong = reference.clone();
            wrong[0].reverse();
            assert_eq!(own.check(call, &wrong), other.check(&twin, &wrong), "{id}");
            same += 1;
        });
        assert!(same > 20, "{same} cases");
    }
}

#[test]
fn mistakes_are_told_apart() {
    for (name, _) in ALL {
        let oracle = oracle(name).unwrap();
        let mut seen = std::collections::BTreeSet::new();
        planned::each(name, false, |id, call| {
            let reference = oracle.reference(call);
            // An index that is one too large is out of range, of another element, or of an equal one.
            let larger = vec![reference[0].iter().map(|index| index + 1).collect()];
            let found = oracle.check(call, &larger);
            assert!(!found.is_empty(), "{id}");
            seen.extend(found.iter().map(|mismatch| mismatch.class));
            let exposed = oracle.exposes(call);
            assert!(
                exposed.iter().all(|class| oracle.classes().contains(class)),
                "{id}: {exposed:?}"
            );
        });
        for class in ["index-out-of-range", "not-extreme"] {
            assert!(seen.contains(class), "{seen:?}");
        }
    }
}

#[test]
fn indices_that_lost_their_high_bits_are_named() {
    for (name, _) in ALL {
        let oracle = oracle(name).unwrap();
        let mut lost = 0;
        planned::each_of_family(name, "sizes", |id, call| {
            // More would take too long.
            if call.inputs[0].elements.len() > 5000 {
                return;
            }
            let reference = oracle.reference(call);
            let low: Vec<u64> = reference[0].iter().map(|index| index & 0xff).collect();
            let tells = low
                .iter()
                .zip(&reference[0])
                .any(|(low, right)| low != right && *low != 0);
            if tells {
                let found = oracle.check(call, &[low]);
                assert_eq!(
                    found.first().map(|mismatch| mismatch.class),
                    Some("index-width"),
                    "{id}"
                );
                lost += 1;
            }
        });
        assert!(lost > 5, "{lost} cases");
    }
}
