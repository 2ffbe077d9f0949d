//! The suite of the specification that is compiled in, for the tests of this crate: one for all of them, so that each
//! plan is made once.

use std::sync::LazyLock;

use dml_plan::{Bucket, planner::Planner};
use dml_spec::model::{Operator, Tier};

/// The suite.
pub(crate) fn suite() -> &'static Planner {
    static SUITE: LazyLock<Planner> = LazyLock::new(|| Planner::new(dml_spec_yaml::load::catalog().clone()).unwrap());
    &SUITE
}

/// The buckets of standard of these operators. The others are not planned.
pub(crate) fn buckets(of: &dyn Fn(&Operator) -> bool) -> Vec<Bucket> {
    let operators = suite().catalog.operators.iter().enumerate();
    let of = operators.filter(|(_, operator)| of(operator));
    of.flat_map(|(at, _)| dml_plan::buckets_of(suite(), at, Tier::Standard))
        .collect()
}
