//! Tests that need what a machine may lack: another program, a library, a device.
//!
//! On a person's machine such a test is left out, and says why. In CI (`CI` is set) it fails: whoever runs the tests there
//! installs what they need. Every crate includes this file in its tests; no test skips itself in another way.

#![allow(dead_code, reason = "tests of one crate use one of the two functions, or both")]

use std::{env, io::Write as _};

/// What a test needs, if it is here. If it is not, the test has to return, and the reason is on standard error, past the
/// test runner, which hides what passing tests print.
///
/// # Panics
/// If it is missing in CI.
pub(crate) fn found<T>(test: &str, needed: Result<T, String>) -> Option<T> {
    match (needed, in_ci()) {
        (Ok(found), _) => Some(found),
        (Err(why), true) => panic!("{test} must not be skipped in CI: {why}"),
        (Err(why), false) => {
            let _ = writeln!(std::io::stderr(), "skipped {test}: {why}");
            None
        }
    }
}

/// Why a trial of libtest-mimic is to be ignored; `None` in CI, for the trial itself has to fail there.
pub(crate) fn missing<T>(needed: &Result<T, String>) -> Option<&str> {
    let why = needed.as_ref().err()?;
    (!in_ci()).then_some(why)
}

fn in_ci() -> bool {
    env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false")
}
