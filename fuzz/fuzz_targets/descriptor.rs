//! Any bytes are a descriptor in JSON, and a saved case; what was read is written, and read again.

#![no_main]

use dml_run::json;
use dml_fuzz::{suite, within};
use dml_run::saved::{self, What};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    within((64 << 20) + 1024 * bytes.len() as u64, || {
        descriptor(bytes);
        saved_case(bytes);
    });
});

fn descriptor(bytes: &[u8]) {
    let catalog = &suite().catalog;
    match json::read(catalog, bytes) {
        Ok(descriptor) => {
            let Ok(text) = json::write(catalog, &descriptor) else {
                return;
            };
            let again = json::read(catalog, text.to_string().as_bytes()).expect("it was written here");
            // NaN equals nothing: descriptors are compared as they are shown.
            assert_eq!(format!("{again:?}"), format!("{descriptor:?}"));
        }
        Err(why) => drop(why.to_string()),
    }
}

fn saved_case(bytes: &[u8]) {
    let saved = match saved::read(suite(), bytes) {
        Ok(saved) => saved,
        Err(why) => return drop(why.to_string()),
    };
    if let What::Case(case) = &saved.what {
        saved::differing(suite(), bytes, case);
    }
    let Ok(text) = saved::write(suite(), &saved) else {
        return;
    };
    let again = saved::read(suite(), text.as_bytes()).unwrap_or_else(|why| panic!("{why}\n{text}"));
    match (&saved.what, &again.what) {
        (What::Case(one), What::Case(other)) => {
            assert_eq!(format!("{:?}", one.descriptor), format!("{:?}", other.descriptor));
            assert_eq!(one.inputs, other.inputs);
        }
        (What::Order(one), What::Order(other)) => assert_eq!(one, other),
        _ => panic!("another kind of file was written"),
    }
}
