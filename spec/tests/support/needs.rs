//! Tests that need something a machine may lack: another program, a library, a device.
//!
//! On a developer's machine such a test is skipped and says why. In CI (`CI` is set) it fails, because CI installs what
//! the tests need. Every crate includes this file in its tests; no test skips itself in another way.

#![allow(dead_code, reason = "tests of one crate use one of the two functions, or both")]

use std::{env, io::Write as _};

/// Returns what a test needs, if it is available. If it is not, the test has to return; the reason is printed to
/// standard error without the test runner's capture, which hides the output of passing tests.
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

/// Why a trial of libtest-mimic is to be ignored; `None` in CI, so that the trial itself fails there.
pub(crate) fn missing<T>(needed: &Result<T, String>) -> Option<&str> {
    let why = needed.as_ref().err()?;
    (!in_ci()).then_some(why)
}

fn in_ci() -> bool {
    env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false")
}
