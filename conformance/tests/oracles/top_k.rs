//! TOP_K and the twin that the page calls equivalent.

use std::borrow::Cow;

use dml_legacy::oracle::{Call, oracle};
use dml_spec::{Descriptor, FeatureLevel, Value};

use crate::planned;

/// The same descriptor of TOP_K1, which selects the largest elements.
fn twin(descriptor: &Descriptor) -> Descriptor {
    let mut fields = descriptor.fields.clone();
    fields.push(Value::UInt(1));
    Descriptor {
        operator: Cow::Borrowed("TOP_K1"),
        fields,
    }
}

#[test]
fn its_twin_gives_the_same_in_every_case() {
    let suite = planned::suite();
    let (own, other) = (oracle("TOP_K").unwrap(), oracle("TOP_K1").unwrap());
    let ((one, program), (two, twins)) = (suite.operator("TOP_K").unwrap(), suite.operator("TOP_K1").unwrap());
    for open in [false, true] {
        let count = planned::each("TOP_K", open, |id, call| {
            let descriptor = twin(call.descriptor);
            let twin = Call {
                operator: two,
                descriptor: &descriptor,
                ..call.clone()
            };
            assert_eq!(own.reference(call), other.reference(&twin), "{id}");
            // Where both have tables, both take the same.
            for level in [(2, 1), (3, 1), (5, 0)].map(|(major, minor)| FeatureLevel::new(major, minor)) {
                let broken = |operator, program: &dml_spec::program::Program, descriptor| {
                    let violations = program.evaluate(&suite.catalog, operator, descriptor, level);
                    let own = violations
                        .into_iter()
                        .map(|v| v.clause.rsplit('/').next().unwrap_or_default().to_owned());
                    own.collect::<Vec<_>>()
                };
                assert_eq!(
                    broken(one, program, call.descriptor),
                    broken(two, twins, &descriptor),
                    "{id} at {level}"
                );
            }
        });
        assert!(count > 4, "{count} cases");
    }
}
