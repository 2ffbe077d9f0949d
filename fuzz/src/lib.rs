//! What the fuzz targets share.

use std::sync::OnceLock;

use dml_plan::planner::Planner;

/// The suite of the specification that is compiled in.
pub fn suite() -> &'static Planner {
    static SUITE: OnceLock<Planner> = OnceLock::new();
    SUITE.get_or_init(|| Planner::new(dml_conformance::spec::catalog().clone()).expect("the specification compiles"))
}

/// Runs what must not hold more than `limit` bytes at a time, whatever sizes its input names.
pub fn within<T>(limit: u64, run: impl FnOnce() -> T) -> T {
    // The suite is made once, and is not the input's.
    suite();
    let mut result = None;
    let used = allocation_counter::measure(|| result = Some(run()));
    assert!(
        used.bytes_max <= limit,
        "{} bytes were held at a time, at most {limit} are allowed",
        used.bytes_max
    );
    result.expect("it ran")
}
