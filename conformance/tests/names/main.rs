//! Goldens of names: sixty wrong backends made by hand, and what a run says of each.
//!
//! No golden is made by what explains failures: each is a closure around the kernel of the CPU, and the names that are
//! true of it were decided by thinking. A certain name that is not true fails the test.

#![expect(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod call;
mod controls;
mod elementwise;
mod followed;
mod golden;
mod moving;
mod ordering;
mod sets;
mod slips;
mod sums;

use std::{collections::BTreeSet, path::Path, sync::LazyLock, time::Duration};

use dml_case::{mistake::Mistake, tensor::Shape};
use dml_conformance::spec;
use dml_plan::planner::Planner;
use dml_run::engine::Settings;
use dml_spec::model::NamedMistake;
use rayon::prelude::*;

use call::{Call, Elements};
use elementwise::noise;
use golden::{Golden, Outcome, Verdict, found, golden, settings};

/// Goldens with a true name, or none if none is true, by the cases of smoke. It may only rise.
const RIGHT: usize = 55;

/// Longest run of smoke of one operator, what explains its failures included. It takes a second on an idle machine.
const LONGEST: Duration = Duration::from_secs(60);

fn all() -> Vec<Golden> {
    let mut all = elementwise::goldens();
    all.extend(sets::goldens());
    all.extend(sums::goldens());
    all.extend(moving::goldens());
    all.extend(ordering::goldens());
    all
}

/// One suite for all tests, so that each plan is made once.
fn suite() -> &'static Planner {
    static SUITE: LazyLock<Planner> = LazyLock::new(|| Planner::new(spec::catalog().clone()).unwrap());
    &SUITE
}

/// What is said of a golden that so many workers ran in this order.
fn mistakes(golden: &Golden, suite: &Planner, jobs: usize, shuffle: Option<u64>) -> Vec<Mistake> {
    let settings = Settings {
        jobs,
        shuffle,
        batch: 7 * jobs,
        ..settings()
    };
    found(golden.run(suite, &settings).mistakes)
}

#[test]
fn wrong_outputs_get_a_true_name_or_none() {
    let suite = suite();
    let goldens = all();
    assert_eq!(goldens.len(), 60);
    let names: BTreeSet<(&str, &str)> = goldens.iter().map(|golden| (golden.operator, golden.name)).collect();
    assert_eq!(names.len(), 60, "a name stands twice");
    let operators: BTreeSet<&str> = goldens.iter().map(|golden| golden.operator).collect();
    assert!(operators.len() >= 15);

    let mut outcomes: Vec<Outcome> = goldens.into_par_iter().map(|golden| golden.tried(suite)).collect();
    outcomes.sort_by_key(|outcome| std::cmp::Reverse(outcome.verdict));
    let count = |verdict| outcomes.iter().filter(|outcome| outcome.verdict == verdict).count();
    let lines: Vec<String> = outcomes.iter().map(ToString::to_string).collect();
    let table = lines.join("\n");
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("names.txt");
    std::fs::write(file, &table).unwrap();
    let (unseen, wrong, right) = (count(Verdict::Unseen), count(Verdict::False), count(Verdict::Right));
    assert_eq!(unseen, 0, "no case fails:\n{table}");
    assert_eq!(wrong, 0, "false names:\n{table}");
    assert!(right >= RIGHT, "only {right} right names:\n{table}");
    let coincidences = outcomes.iter().filter(|outcome| outcome.is_coincidence);
    let coincidences: Vec<&str> = coincidences.map(|outcome| outcome.golden.name).collect();
    // Which cases fail rests on those before, which no condition speaks of.
    assert_eq!(coincidences, [moving::STATEFUL], "what failing cases share:\n{table}");
}

#[test]
fn what_is_done_elsewhere_or_in_another_order_is_named() {
    let suite = suite();
    let outcomes: Vec<Outcome> = slips::goldens()
        .into_par_iter()
        .map(|golden| golden.tried(suite))
        .collect();
    let wrong: Vec<String> = outcomes
        .iter()
        .filter(|outcome| outcome.verdict != Verdict::Right)
        .map(ToString::to_string)
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn without_its_mistake_nothing_fails() {
    let suite = suite();
    let failing = controls::controls().into_par_iter().filter_map(|control| {
        let totals = control.run(suite, &settings());
        (totals.failures() > 0).then(|| format!("{} {}: {:?}", control.operator, control.name, totals.outcomes))
    });
    let failing: Vec<String> = failing.collect();
    assert!(failing.is_empty(), "{}", failing.join("\n"));
}

#[test]
fn what_is_said_depends_on_no_order_of_work() {
    let suite = suite();
    // What the job before left is another thing in another order.
    let goldens = all().into_iter().filter(|golden| golden.name != moving::STATEFUL);
    let goldens: Vec<Golden> = goldens.step_by(6).collect();
    assert!(goldens.len() >= 9);
    goldens.par_iter().for_each(|golden| {
        let known = mistakes(golden, suite, 1, None);
        let found = mistakes(golden, suite, 2, Some(8));
        assert_eq!(found, known, "{}", golden.name);
    });
}

/// What is said of ties in a random order if TOP_K1 has one named mistake: an index may be any for which this holds.
fn said_of_ties(condition: &'static str) -> Vec<String> {
    let mut catalog = spec::catalog().clone();
    let operators = catalog.operators.to_mut();
    let top_k1 = operators.iter_mut().find(|of| of.name == "TOP_K1").unwrap();
    // Zeros of both signs are tied.
    let value = "x == InputTensor[o with [Axis] = ranked[o with [Axis] = 0][o[Axis]]]";
    let any = [("OutputIndexTensor", condition), ("OutputValueTensor", value)];
    top_k1.mistakes = vec![NamedMistake {
        name: "free".into(),
        any: any
            .map(|(output, condition)| (output.into(), condition.into()))
            .to_vec()
            .into(),
        ..NamedMistake::default()
    }]
    .into();
    let suite = Planner::new(catalog).unwrap();
    let golden = all().into_iter().find(|golden| golden.name == "ties in a random order");
    let found = mistakes(&golden.unwrap(), &suite, 1, None).into_iter();
    found.map(|mistake| mistake.kind.into_owned()).collect()
}

#[test]
fn an_element_speaks_for_a_set_only_if_the_condition_asks_for_it() {
    let tied = "x < InputTensor.Sizes[Axis] and InputTensor[o with [Axis] = x] == OutputValueTensor[o]";
    assert_eq!(said_of_ties(tied), ["free"]);
    // Whatever is written there fits, so that it is no evidence.
    assert!(said_of_ties("o[Axis] < K").is_empty());
    // Not all that was written fulfils it.
    assert!(said_of_ties("x == 0").is_empty());
}

/// Answers of any bytes.
#[derive(Clone, Copy, Debug)]
enum Bytes {
    Noise,
    /// NaN, or numbers of ones alone.
    Ones,
    /// What an output held before.
    Poison,
}

fn answer(call: &Call<'_>, bytes: Bytes) -> Elements {
    let first = call.inputs.iter().filter_map(|input| input.bits.first());
    let first = first.fold(0, |all, bits| all ^ bits);
    let element = |output: usize, at: u64| match bytes {
        Bytes::Noise => Some(noise(first ^ (output as u64) << 48 ^ at)),
        Bytes::Ones => Some(u64::MAX),
        Bytes::Poison => None,
    };
    let outputs = call.outputs.iter().enumerate();
    let output = |(n, shape): (usize, &Shape)| (0..shape.elements()).map(|at| element(n, at)).collect();
    outputs.map(output).collect()
}

/// What is said for certain of an operator whose outputs are these, whatever it should compute.
fn said_of(suite: &Planner, name: &'static str, bytes: Bytes) -> Vec<String> {
    let made = golden("any bytes", name, move |call| answer(call, bytes));
    let totals = made.run(suite, &settings());
    assert!(totals.failures() > 0, "{name}: {bytes:?}");
    let took = totals.elapsed;
    assert!(took < LONGEST, "{name}: {bytes:?} took {took:?}");
    let mistakes = found(totals.mistakes);
    let certain = mistakes.iter().filter(|mistake| !mistake.uncertain);
    // Poison that is left was not written.
    let wrong = certain.filter(|mistake| mistake.kind != "unwritten");
    wrong
        .map(|of| format!("{name}: {bytes:?}: {}: {}, {:?}", of.kind, of.sentence, of.condition))
        .collect()
}

#[test]
fn answers_of_any_bytes_take_bounded_time_and_get_no_name() {
    let suite = suite();
    let computed = spec::catalog().operators.iter().filter(|of| of.is_computed());
    let all: Vec<(&'static str, Bytes)> = computed
        .map(|of| &*of.name)
        .flat_map(|name| [Bytes::Noise, Bytes::Ones, Bytes::Poison].map(|bytes| (name, bytes)))
        .collect();
    let said = all
        .into_par_iter()
        .flat_map_iter(|(name, bytes)| said_of(suite, name, bytes));
    let said: Vec<String> = said.collect();
    assert!(said.is_empty(), "{}", said.join("\n"));
}
