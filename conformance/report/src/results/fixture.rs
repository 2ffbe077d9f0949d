//! Invented lines of runs, for tests.

use std::collections::BTreeMap;

use super::{BackendInfo, FORMAT, Header};
use dml_case::{outcome::Outcome, record::Record};

/// The header of a smoke run of a backend of this name.
pub fn header(name: &str) -> Header {
    Header {
        kind: "header".to_owned(),
        format: FORMAT,
        suite: "0".to_owned(),
        backend: BackendInfo {
            label: name.to_owned(),
            name: name.to_owned(),
            version: "1".to_owned(),
            feature_level: "6.4".to_owned(),
            levels: "strict".to_owned(),
            validator: "own".to_owned(),
            details: BTreeMap::new(),
        },
        os: "linux".to_owned(),
        arch: "x86_64".to_owned(),
        tier: "smoke".to_owned(),
        basis: "runtime".to_owned(),
        ..Header::default()
    }
}

/// A case of which only the outcome is known.
///
/// # Panics
/// If one of them is invalid.
#[allow(clippy::expect_used, reason = "tests give valid ids and outcomes")]
pub fn case(id: &str, outcome: &str) -> Record {
    let outcome = Outcome::of_word(outcome).expect("an outcome");
    Record::new(id.parse().expect("an id"), outcome)
}
