//! Violations as they are judged and shown. As unit tests these would have all that is generated compiled once more.

use dml_ops::{Violation, Violations};

#[test]
fn what_only_the_text_objects_to_is_a_note() {
    let mut found = Violations::new();
    assert!(found.judge("A/disputed", Some(false), Some(true)));
    assert_eq!(found.clone().into_result(), Ok(()));
    assert_eq!((found.notes().count(), found.errors().count()), (1, 0));
    assert!(!found.judge("A/observed", Some(true), None));
    assert!(!found.normative("A/normative", Some(false)));
    assert!(found.normative("A/held", Some(true)));
    let sides: Vec<_> = found.iter().map(|v| (v.clause, v.text, v.runtime)).collect();
    assert_eq!(
        sides,
        [
            ("A/disputed", true, false),
            ("A/observed", false, true),
            ("A/normative", true, true)
        ]
    );
    assert_eq!(found.to_string(), "violates A/observed, A/normative");
    assert_eq!(found.clone().into_result(), Err(found));
}

#[test]
fn elements_of_arrays_are_named() {
    let violation = |element| Violation {
        clause: "TENSOR/size-nonzero",
        tensor: Some("InputTensors"),
        element,
        text: true,
        runtime: true,
    };
    assert_eq!(violation(Some(1)).to_string(), "TENSOR/size-nonzero (InputTensors[1])");
    assert_eq!(violation(None).to_string(), "TENSOR/size-nonzero (InputTensors)");
}
