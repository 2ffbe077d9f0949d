//! Planned cases for tests of oracles: the calls of an operator whose outputs are defined.

use std::{ops::ControlFlow, sync::OnceLock};

use dml_case::case::{Case, Mode, Verdict};
use dml_conformance::spec;
use dml_legacy::compare::Tolerance;
use dml_legacy::oracle::{Call, oracle};
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
    each_case(operator, "", Tier::Smoke, open, |case, call| {
        test(&case.id.to_string(), call)
    })
}

/// The same of a family at standard.
pub(crate) fn each_of_family(operator: &str, family: &str, mut test: impl FnMut(&str, &Call)) -> usize {
    each_case(operator, family, Tier::Standard, false, |case, call| {
        test(&case.id.to_string(), call)
    })
}

/// The same of a tier, and of a family if one is named, with the case itself. Standard is walked at the newest table
/// alone: planning it takes most of the time, and the others have few cases of their own.
pub(crate) fn each_case(
    operator: &str,
    family: &str,
    tier: Tier,
    open: bool,
    mut test: impl FnMut(&Case, &Call),
) -> usize {
    let suite = suite();
    let place = suite.catalog.operators.iter().position(|o| o.name == operator).unwrap();
    let operator = &suite.catalog.operators[place];
    let newest = operator.support.iter().map(|table| table.level).max();
    let mut count = 0;
    for bucket in dml_plan::buckets_of(suite, place) {
        let is_asked = family.is_empty() || operator.cases.families[bucket.family].name == family;
        if !is_asked || (tier == Tier::Standard && newest != Some(bucket.level)) {
            continue;
        }
        let _ = dml_plan::for_each_case(suite, &bucket, tier, 0, &mut |case| {
            let undefined = matches!(case.verdict, Verdict::Unspecified(_));
            if case.mode == Mode::Execute && !case.verdict.is_rejection() && undefined == open {
                let call = Call::new(&suite.catalog, operator, &case.descriptor, &case.inputs).unwrap();
                test(&case, &call);
                count += 1;
            }
            ControlFlow::Continue(())
        });
    }
    count
}

/// More elements than this in an input are many.
const LARGE: usize = 512;

/// Reference and checker agree on every planned case: the reference breaks no promise, and elements that are not close
/// enough to it do, by a class that the oracle declares.
pub(crate) fn holds_together(operator: &str) {
    let (suite, oracle) = (suite(), oracle(operator).unwrap());
    let (entry, _) = suite.operator(operator).unwrap();
    let compares: Vec<_> = entry.fields.iter().filter_map(|field| field.compare.as_ref()).collect();
    let count = each(operator, false, |id, call| {
        let reference = oracle.reference(call);
        let (slack, also) = (oracle.slack(call, &reference), oracle.also(call));
        assert_eq!(oracle.check(call, &reference), [], "{id}");
        for (output, shape) in call.outputs.iter().enumerate() {
            let top = 1u64 << (shape.ty.bits - 1);
            let tolerance = Tolerance::new(compares[output].of(&shape.ty.name), &shape.ty, &slack[output])
                .or(also.get(output).map_or(&[], Vec::as_slice));
            let last = reference[output].len() - 1;
            // Of many elements a few changes are enough: each is looked for in all of them.
            let is_large = call.inputs.iter().any(|input| input.elements.len() > LARGE);
            let (places, changes) = if is_large { (1, 2) } else { (3, 4) };
            for at in [last / 2, 0, last].into_iter().take(places) {
                let bits = reference[output][at];
                let others = [bits ^ 1, bits ^ top, bits ^ (top >> 2), 0];
                for other in others.into_iter().take(changes) {
                    let mut changed = reference.clone();
                    changed[output][at] = other;
                    let found = oracle.check(call, &changed);
                    let accepted = tolerance.accepts(at, bits, other);
                    assert_eq!(
                        found.is_empty(),
                        accepted,
                        "{id}: {other:x} for {bits:x} at {at}: {found:?}"
                    );
                    assert!(
                        found.iter().all(|m| oracle.classes().contains(&m.class)),
                        "{id}: {found:?}"
                    );
                }
            }
        }
    });
    assert!(count > 20, "{count} cases of {operator}");
}
