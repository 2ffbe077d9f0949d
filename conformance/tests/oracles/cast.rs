//! CAST: lost signs and fractions.

use dml_case::number::{decode, is_denormal, mask};
use dml_legacy::oracle::oracle;
use dml_spec::model::{NumberClass, Tier};

use crate::planned;

#[test]
fn lost_signs_and_fractions_have_their_own_classes() {
    let oracle = oracle("CAST").unwrap();
    let (mut extended, mut floored) = (0, 0);
    planned::each_case("CAST", "", Tier::Standard, false, |case, call| {
        let (id, input) = (&case.id, &call.inputs[0]);
        let (from, to) = (&input.shape.ty, &call.outputs[0].ty);
        let classes = |found: Vec<u64>| oracle.check(call, &[found]).into_iter().map(|broken| broken.class);
        if from.class == NumberClass::Signed && to.class == NumberClass::Signed && to.bits > from.bits {
            // The bits of the element, with zeros above them.
            let class = classes(input.elements.clone()).next();
            assert!(class.is_none_or(|class| class == "signedness"), "{id}: {class:?}");
            extended += usize::from(class.is_some());
        }
        if from.class == NumberClass::Float && to.class == NumberClass::Unsigned {
            let mut found = oracle.reference(call).remove(0);
            for (bits, written) in input.elements.iter().zip(&mut found) {
                let x = decode(from, *bits).double();
                // What is cut off to 0; anything less is left open.
                if !is_denormal(from, *bits) && -1.0 < x && x < 0.0 {
                    *written = x.floor() as i64 as u64 & mask(to.bits);
                }
            }
            // Where all elements are one, other mistakes fit as well.
            let named: Vec<&str> = classes(found).collect();
            assert!(named.is_empty() || named.contains(&"not-truncated"), "{id}: {named:?}");
            floored += usize::from(!named.is_empty());
        }
    });
    assert!(extended > 20 && floored > 20, "{extended} {floored}");
}
