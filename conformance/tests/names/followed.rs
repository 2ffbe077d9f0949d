//! Cases made after a run: they find the number from which cases fail, and are made only where they may.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use dml_case::record::Totals;
use dml_ops::{Simple, Stopped};
use dml_run::engine::{Division, Run, Selection, Settings, Times};
use dml_spec::FeatureLevel;

use crate::{
    call::Call,
    golden::{Nowhere, settings},
    suite,
};

/// The longest sequence that is summed up rightly. No length of the plan is near.
const LONGEST: usize = 21;

/// Runs CUMULATIVE_SUMMATION, which gives zeros for longer sequences; at a call it does something else.
fn run(
    settings: &Settings,
    queries: &[&str],
    shard: Option<&str>,
    at: impl Fn(usize) + Send + Sync + 'static,
) -> Totals {
    let (suite, calls) = (suite(), AtomicUsize::new(0));
    let backend = Simple::new(
        "wrong",
        "1",
        FeatureLevel::new(6, 4),
        ["CUMULATIVE_SUMMATION"],
        move |descriptor, inputs, outputs| {
            at(calls.fetch_add(1, Ordering::Relaxed));
            let call = Call::new(descriptor, inputs, outputs);
            let is_long = |call: &Call<'_>| call.inputs[0].sizes()[call.uint("Axis")] > LONGEST;
            match call.filter(is_long) {
                Some(call) => call.write(&call.edit(|outputs| outputs[0].fill(Some(0))), outputs),
                None => dml_cpu::execute(descriptor, inputs, outputs).map_err(Stopped::from),
            }
        },
    );
    let selection = Selection {
        queries: queries.iter().map(|query| query.parse().unwrap()).collect(),
        shard: shard.map(|shard| Division::balanced(shard.parse().unwrap(), &Times::default())),
        ..Selection::default()
    };
    Run {
        suite,
        backend: &backend,
        selection: &selection.resolve(suite).unwrap(),
        settings,
        lock: None,
    }
    .execute(&mut Nowhere)
}

const ALL: &[&str] = &["CUMULATIVE_SUMMATION"];

/// How many cases were made, and what they say.
fn made(totals: &Totals) -> (usize, String) {
    let [of] = totals.mistakes.as_slice() else {
        panic!("{:?}", totals.mistakes)
    };
    let conditions = of.found.iter().filter_map(|mistake| mistake.condition.clone());
    let all: Vec<String> = conditions.chain(of.fails_if.clone()).collect();
    (of.followed_up, all.join("; "))
}

#[test]
fn the_number_from_which_cases_fail_is_found() {
    let calls = Arc::new(Mutex::new(0));
    let counted = Arc::clone(&calls);
    let totals = run(&settings(), ALL, None, move |call| *counted.lock().unwrap() = call + 1);
    let (cases, says) = made(&totals);
    assert!(says.contains("the length along Axis is greater than 21"), "{says}");
    assert!((10..=64 + 32).contains(&cases), "{cases}");
    // They are no cases of the plan.
    let without = Settings {
        follow_up: false,
        ..settings()
    };
    let planned = run(&without, ALL, None, |_| ());
    assert_eq!(totals.outcomes, planned.outcomes);
    let (none, says) = made(&planned);
    assert_eq!(none, 0);
    assert!(!says.contains("21"), "{says}");
    assert!(*calls.lock().unwrap() > planned.outcomes.values().sum::<u64>() as usize / 2);
    // They support nothing: as many failing cases are counted without them.
    assert_eq!(totals.mistakes[0].failing, planned.mistakes[0].failing);
}

#[test]
fn a_backend_that_ends_in_made_cases_is_asked_for_few() {
    let counted = Arc::new(AtomicUsize::new(0));
    let calls = |settings: &Settings, last: usize| {
        let own = Arc::clone(&counted);
        let totals = run(settings, ALL, None, move |call| {
            own.store(call + 1, Ordering::Relaxed);
            assert!(call < last, "the backend ends");
        });
        (totals, counted.load(Ordering::Relaxed))
    };
    let without = Settings {
        follow_up: false,
        ..settings()
    };
    let (_, planned) = calls(&without, usize::MAX);
    let (totals, all) = calls(&settings(), planned);
    assert_eq!(totals.count("crash"), 0, "the plan's cases are over by then");
    assert_eq!(made(&totals).0, 0);
    assert!(all > planned && all < planned + 20, "{all} after {planned}");
}

#[test]
fn what_is_found_is_the_same_in_any_order_of_work() {
    let known = run(&settings(), ALL, None, |_| ()).mistakes;
    let shuffled = Settings {
        jobs: 2,
        shuffle: Some(5),
        ..settings()
    };
    assert_eq!(run(&shuffled, ALL, None, |_| ()).mistakes, known);
}

#[test]
fn no_cases_are_made_for_a_part_or_for_what_was_named_or_for_a_backend_that_ends() {
    let shard = run(&settings(), ALL, Some("1/2"), |_| ());
    assert_eq!(made(&shard).0, 0);
    let stopped = Settings {
        max_failures: Some(20),
        ..settings()
    };
    assert_eq!(made(&run(&stopped, ALL, None, |_| ())).0, 0);
    let failing: Vec<String> = run(&settings(), ALL, None, |_| ())
        .samples
        .into_cases()
        .filter(|sampled| sampled.failed && !sampled.follow_up)
        .map(|sampled| sampled.id.to_string())
        .collect();
    let named: Vec<&str> = failing.iter().map(String::as_str).collect();
    let totals = run(&settings(), &named, None, |_| ());
    assert_eq!(totals.count("fail") as usize, named.len());
    assert_eq!(made(&totals).0, 0);
    let ends = run(&settings(), ALL, None, |call| assert!(call < 100, "the backend ends"));
    assert!(ends.count("crash") > 0, "{:?}", ends.outcomes);
    assert_eq!(made(&ends).0, 0);
}
