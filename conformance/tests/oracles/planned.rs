//! Planned cases for tests of oracles: the calls of an operator whose outputs are defined.

use std::{ops::ControlFlow, sync::OnceLock};

use dml_case::case::{Mode, Verdict};
use dml_conformance::spec;
use dml_legacy::oracle::Call;
use dml_plan::planner::Planner;
use dml_spec::model::Tier;

/// The suite of the specification that is built in, made once.
pub(crate) fn suite() -> &'static Planner {
    static SUITE: OnceLock<Planner> = OnceLock::new();
    SUITE.get_or_init(|| Planner::new(spec::catalog().clone()).unwrap())
}

/// Calls `test` with every case of the smoke tier that runs, its id first; undefined ones only where `open`. Tells how
/// many there were.
pub(crate) fn each(operator: &str, open: bool, mut test: impl FnMut(&str, &Call)) -> usize {
    let suite = suite();
    let place = suite.catalog.operators.iter().position(|o| o.name == operator).unwrap();
    let operator = &suite.catalog.operators[place];
    let mut count = 0;
    for bucket in dml_plan::buckets_of(suite, place) {
        let _ = dml_plan::for_each_case(suite, &bucket, Tier::Smoke, 0, &mut |case| {
            let undefined = matches!(case.verdict, Verdict::Unspecified(_));
            if case.mode == Mode::Execute && !case.verdict.is_rejection() && undefined == open {
                let call = Call::new(&suite.catalog, operator, &case.descriptor, &case.inputs).unwrap();
                test(&case.id.to_string(), &call);
                count += 1;
            }
            ControlFlow::Continue(())
        });
    }
    count
}
