//! ARGMAX and ARGMIN: the function of REDUCE that the page calls equivalent.

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
            assert_eq!(own.reference(call), other.reference(&twin), "{id}");
            same += 1;
        });
        assert!(same > 20, "{same} cases");
    }
}
