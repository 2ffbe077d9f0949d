//! The suite of the specification that is compiled in, for the tests of this crate: one for all of them, so that each
//! plan is made once.

use std::sync::LazyLock;

use dml_plan::planner::Planner;

/// The suite.
pub(crate) fn suite() -> &'static Planner {
    static SUITE: LazyLock<Planner> = LazyLock::new(|| Planner::new(dml_spec_yaml::load::catalog().clone()).unwrap());
    &SUITE
}
