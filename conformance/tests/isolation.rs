//! Backends in other processes that die, hang and talk nonsense: each such thing costs the guilty case only.
//!
//! This program is its own worker: started with a fault as its argument, it serves the CPU backend with that fault.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

mod faulty;

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
    thread,
    time::Duration,
};

use dml_case::record::{Record, Sink, Totals};
use dml_conformance::spec;
use dml_ops::{Backend, FeatureLevel};
use dml_plan::planner::Planner;
use dml_report::Ending;
use dml_run::{
    engine::{Run, Selection, Settings},
    process::{Limits, Process, Program, StartError},
};
use dml_spec::model::Tier;
#[cfg(feature = "wgpu")]
use faulty::trial_that_needs;
use faulty::{tests, trial};
use libtest_mimic::Trial;

/// Cases of several K, axes and types, all of which run: many in one bucket, so that none runs alone at first.
const QUERY: &str = "TOP_K1:2.1:values";

/// Of those, few enough to wait for each that hangs.
const FEW: &str = "TOP_K1:2.1:values:type=FLOAT16";

/// What is not judged, whatever a backend gives.
const NAN: &str = "TOP_K1:*:*:values=nan-*";

/// Those, and after them cases that no tier holds: some of K = 4, then some of K = 5.
fn with_four_and_five() -> String {
    let cases = |k, sizes, patterns: [&str; 4]| {
        let id = move |pattern: &str, direction| {
            format!("TOP_K1:2.1:values:type=FLOAT32,index=UINT32,sizes={sizes},k={k},dir={direction},values={pattern}")
        };
        let both = |pattern| ["INCREASING", "DECREASING"].map(|direction| id(pattern, direction));
        patterns.map(both).concat().join(" ")
    };
    let four = cases(4, "1x1x3x9,axis=3", ["constant", "runs", "tie-at-k", "two-values"]);
    let five = cases(
        5,
        "1x2x17x3,axis=2",
        ["ascending", "descending", "organ-pipe", "shuffled"],
    );
    format!("{QUERY} {four} {five}")
}

fn main() -> ExitCode {
    faulty::main(trials)
}

fn trials() -> Vec<Trial> {
    let tests = tests![
        a_healthy_worker_changes_nothing,
        answers_in_any_order_find_their_requests,
        a_crash_costs_the_guilty_case_only,
        a_data_type_that_always_crashes_costs_its_cases_only,
        a_crash_in_creation_costs_the_guilty_case_only,
        a_hang_costs_the_guilty_case_only,
        nonsense_costs_the_guilty_case_only,
        wrong_answers_to_known_requests_are_no_loss,
        a_second_answer_is_told,
        an_answer_to_the_next_request_costs_the_guilty_case_only,
        a_lost_device_costs_the_guilty_case_only,
        what_fails_only_behind_another_is_flaky,
        an_accident_is_nobodys_fault,
        a_program_that_every_case_loses_is_given_up,
        a_program_that_stops_running_at_all_ends_the_run,
        only_our_own_worker_decides_what_a_run_need_not_have,
        a_program_that_does_not_start_says_why,
        large_buffers_go_through_files,
        a_failure_that_does_not_come_again_is_flaky,
    ];
    #[cfg(unix)]
    let tests = [tests, tests![a_killed_worker_is_nobodys_fault]].concat();
    #[cfg_attr(not(feature = "wgpu"), expect(unused_mut, reason = "nothing is added"))]
    let mut trials: Vec<Trial> = tests.into_iter().map(trial).collect();
    #[cfg(feature = "wgpu")]
    trials.extend(tests![a_destroyed_device_is_nobodys_fault].into_iter().map(|test| {
        let missing = dml_wgpu::Wgpu::adapters().is_empty();
        let adapter = if missing { Err("no adapter".to_owned()) } else { Ok(()) };
        trial_that_needs(&adapter, test)
    }));
    trials
}

/// A program that does not ask for its timeout to be waited for.
const PATIENT: Duration = Duration::from_secs(60);

fn start(fault: &str, answer: Duration) -> Result<Process, StartError> {
    start_as(fault, answer, false)
}

fn start_as(fault: &str, answer: Duration, own: bool) -> Result<Process, StartError> {
    let program = Program {
        path: env::current_exe().unwrap(),
        arguments: vec![faulty::WORKER.into(), fault.into()],
        name: "the worker".to_owned(),
        own,
    };
    let start = if fault == "mute" {
        Duration::from_secs(1)
    } else {
        PATIENT
    };
    let limits = Limits::of_time(start, answer);
    Process::start(program, Arc::new(spec::catalog().clone()), limits)
}

/// Outcome, message and remarks of every case.
#[derive(Default)]
struct Records(BTreeMap<String, (&'static str, String, Vec<String>)>);

impl Sink for Records {
    fn record(&mut self, record: &Record) {
        let message = record.message.clone().unwrap_or_default();
        let text = (record.outcome.word(), message, record.warnings.clone());
        assert!(
            self.0.insert(record.id.to_string(), text).is_none(),
            "{} has two outcomes",
            record.id
        );
    }
}

impl Records {
    /// Ids with this outcome, each with its message.
    fn with(&self, outcome: &str) -> BTreeMap<&str, &str> {
        let found = self.0.iter().filter(|(_, (word, ..))| *word == outcome);
        found
            .map(|(id, (_, message, _))| (id.as_str(), message.as_str()))
            .collect()
    }

    /// Fails unless exactly those have this outcome that are guilty, and all others passed.
    fn only(&self, outcome: &str, guilty: impl Fn(&str) -> bool) -> BTreeMap<&str, &str> {
        let mut both = [0, 0];
        for (id, (word, message, _)) in &self.0 {
            let is_guilty = guilty(id);
            let expected = if is_guilty { outcome } else { "pass" };
            assert_eq!(*word, expected, "{id}: {message}");
            both[usize::from(is_guilty)] += 1;
        }
        assert!(both[0] > 3 && both[1] > 0, "{both:?} innocent and guilty");
        self.with(outcome)
    }
}

fn run_with(backend: &dyn Backend, query: &str, settings: Settings) -> (Totals, Records) {
    let suite = Planner::new(spec::catalog().clone()).unwrap();
    let selection = Selection {
        queries: query.split_whitespace().map(|q| q.parse().unwrap()).collect(),
        exclude: vec![NAN.parse().unwrap()],
        level: Some(FeatureLevel::new(2, 1)),
        ..Selection::default()
    };
    let run = Run {
        suite: &suite,
        backend,
        selection: &selection.resolve(&suite).unwrap(),
        settings: &settings,
        lock: None,
    };
    let mut records = Records::default();
    let totals = run.execute(&mut records);
    (totals, records)
}

fn settings() -> Settings {
    Settings {
        tier: Tier::Smoke,
        jobs: 1,
        ..Settings::default()
    }
}

fn run(fault: &str, timeout: Duration, settings: Settings) -> (Totals, Records) {
    run_with(&start(fault, timeout).unwrap(), QUERY, settings)
}

/// Workers and cases of a batch: one worker and large batches, or four and small ones.
const WAYS: [(usize, usize); 2] = [(1, 64), (4, 5)];

/// Each way once.
fn both(fault: &str, timeout: Duration, check: impl Fn(&Totals, &Records)) {
    for way in WAYS {
        one_way(QUERY, way, (fault, timeout), &check);
    }
}

fn one_way(
    query: &str,
    (jobs, batch): (usize, usize),
    (fault, timeout): (&str, Duration),
    check: &impl Fn(&Totals, &Records),
) {
    let settings = Settings {
        jobs,
        batch,
        ..settings()
    };
    let (totals, records) = run_with(&start(fault, timeout).unwrap(), query, settings);
    assert!(
        totals.unavailable.is_none() && !totals.cut_short,
        "{:?}",
        totals.unavailable
    );
    assert_eq!(totals.cases, planned(query), "{jobs} workers");
    check(&totals, &records);
}

/// Number of cases that a query selects.
fn planned(query: &str) -> u64 {
    let cpu = dml_conformance::backends::find("cpu").unwrap();
    run_with(&*cpu, query, settings()).0.cases
}

/// A path for one test, where nothing is.
fn marker(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

fn a_healthy_worker_changes_nothing() {
    both("none", PATIENT, |totals, records| {
        assert_eq!(totals.failures(), 0);
        assert!(records.0.values().all(|(word, ..)| *word == "pass"));
        assert_eq!(Ending::of(totals, &[]), Ending::Conformant);
    });
}

fn has_k2(id: &str) -> bool {
    id.contains(",k=2,")
}

fn answers_in_any_order_find_their_requests() {
    let (totals, records) = run("backwards", PATIENT, settings());
    let failed = records.with("fail");
    assert_eq!((totals.cases, totals.failures()), (planned(QUERY), 0), "{failed:?}");
}

fn a_data_type_that_always_crashes_costs_its_cases_only() {
    // The plan begins with it, and ends with it.
    let backend = start("abort:type=FLOAT32", PATIENT).unwrap();
    let queries = format!("TOP_K1:2.1:examples {QUERY} TOP_K1:2.1:layout:type=FLOAT32");
    let (totals, records) = run_with(&backend, &queries, settings());
    assert!(totals.unavailable.is_none(), "{:?}", totals.unavailable);
    let is_guilty = |id: &str| id.contains(":type=FLOAT32,") || id.contains(":examples:");
    assert!(!records.only("crash", is_guilty).is_empty());
}

fn a_crash_costs_the_guilty_case_only() {
    both("abort:k=2", PATIENT, |_, records| {
        for (id, message) in records.only("crash", has_k2) {
            assert!(message.contains("last words"), "{id}: {message}");
        }
    });
}

fn a_crash_in_creation_costs_the_guilty_case_only() {
    let backend = start("abort-create:k=4", PATIENT).unwrap();
    let (totals, records) = run_with(
        &backend,
        "TOP_K1:2.1:support:type=FLOAT32,index=UINT32 TOP_K1:2.1:faults",
        settings(),
    );
    let crashed = records.with("crash");
    assert!(!crashed.is_empty() && totals.unavailable.is_none());
    assert_eq!(totals.cases as usize, records.0.len());
    assert!(records.0.values().all(|(word, ..)| ["crash", "pass"].contains(word)));
}

fn a_hang_costs_the_guilty_case_only() {
    let check = |_: &Totals, records: &Records| {
        for (id, message) in records.only("timeout", has_k2) {
            assert!(message.contains("no answer within 1 s"), "{id}: {message}");
        }
    };
    // Nearly all of this is waiting.
    thread::scope(|scope| {
        for way in WAYS {
            scope.spawn(move || one_way(FEW, way, ("hang:k=2", Duration::from_secs(1)), &check));
        }
    });
}

fn nonsense_costs_the_guilty_case_only() {
    let id = "id: expected a whole number from 0 to 18446744073709551615, found";
    let faults = [
        ("print:k=2", "no JSON", "just looking around"),
        (
            "unknown-id:k=2",
            "an answer to request 999999, which was never made",
            "{\"type\":\"created\",\"id\":999999}",
        ),
        ("endless:k=2", "a line is longer than any answer", "xxx"),
        ("partial:k=2", "ended within a line", "{\"type\":\"exe`"),
        ("id-string:k=2", id, "{\"id\":\""),
        ("id-null:k=2", id, "{\"id\":null"),
        ("id-negative:k=2", id, "{\"id\":-1,"),
        ("id-missing:k=2", "`id` is missing", "{\"outputs\":"),
    ];
    let check = |(fault, text, line): (&str, &str, &str)| {
        let (_, records) = run(fault, PATIENT, settings());
        for (id, message) in records.only("harness-error", has_k2) {
            let (before, cited) = message.split_once("; the line: `").unwrap();
            assert!(
                before.contains(text) && cited.starts_with(line),
                "{fault}: {id}: {message}"
            );
        }
    };
    thread::scope(|scope| {
        for fault in faults {
            scope.spawn(move || check(fault));
        }
    });
    let (_, records) = run("partial-abort:k=2", PATIENT, settings());
    for (id, message) in records.only("crash", has_k2) {
        assert!(message.contains("; the line: `{\"type\":\"exe`"), "{id}: {message}");
    }
    let hanging = start("partial-hang:k=2", Duration::from_secs(1)).unwrap();
    let (_, records) = run_with(&hanging, FEW, settings());
    for (id, message) in records.only("harness-error", has_k2) {
        let text = "a line has no end within 1 s; the line: `{\"type\":\"exe`";
        assert!(message.contains(text), "{id}: {message}");
    }
}

fn wrong_answers_to_known_requests_are_no_loss() {
    for (fault, text) in [
        ("short:k=2", "bytes, expected"),
        ("rename:k=2", "output `OutputIndexTensor` is missing"),
        ("extra:k=2", "unknown output `Another`"),
        ("no-base64:k=2", "no base64"),
        ("unknown-field:k=2", "unknown field `colour`"),
        ("unknown-type:k=2", "unknown type `done`"),
        ("created:k=2", "`created` answers `execute`"),
    ] {
        let (_, records) = run(fault, PATIENT, settings());
        for (id, message) in records.only("harness-error", has_k2) {
            let (before, line) = message.split_once("; the line: ").unwrap();
            assert!(before.contains(text), "{fault}: {id}: {message}");
            assert!(
                line.starts_with("`{\"") && line.ends_with("}`"),
                "{fault}: {id}: {message}"
            );
        }
    }
}

fn a_second_answer_is_told() {
    both("twice:k=2", PATIENT, |totals, records| {
        assert_eq!(totals.problems, [""; 0]);
        for (id, message) in records.only("harness-error", has_k2) {
            let is_named = message.contains("was answered before; the line: `{\"");
            assert!(is_named, "{id}: {message}");
        }
    });
    // One that comes after the batch finds its case judged: the run cannot be complete any more.
    for (jobs, batch) in [(1, 64), (1, 1), (4, 5)] {
        let settings = Settings {
            jobs,
            batch,
            ..settings()
        };
        let (totals, records) = run("twice-late:k=2", PATIENT, settings);
        let blamed = records.with("harness-error");
        assert!(blamed.keys().all(|id| has_k2(id)), "{blamed:?}");
        assert_eq!(blamed.len() as u64 + totals.count("pass"), totals.cases);
        assert!(
            totals.problems.iter().all(|problem| has_k2(problem)),
            "{:?}",
            totals.problems
        );
        assert!(!blamed.is_empty() || !totals.problems.is_empty());
        assert!(Ending::of(&totals, &[]) != Ending::Conformant);
    }
    let only = "TOP_K1:3.1:examples:example=largest-two";
    let backend = start("twice-late:", PATIENT).unwrap();
    let suite = Planner::new(spec::catalog().clone()).unwrap();
    let selection = Selection {
        queries: vec![only.parse().unwrap()],
        ..Selection::default()
    };
    let run = Run {
        suite: &suite,
        backend: &backend,
        selection: &selection.resolve(&suite).unwrap(),
        settings: &settings(),
        lock: None,
    };
    let totals = run.execute(&mut Records::default());
    assert_eq!(totals.cases, 1);
    let is_named = totals
        .problems
        .iter()
        .any(|problem| problem.contains("was answered before"));
    assert!(is_named || totals.count("harness-error") == 1, "{:?}", totals.problems);
}

fn an_answer_to_the_next_request_costs_the_guilty_case_only() {
    both("early:k=2", PATIENT, |_, records| {
        for (id, message) in records.only("harness-error", has_k2) {
            assert!(
                message.contains("which was never made; the line: `{\""),
                "{id}: {message}"
            );
        }
    });
}

fn a_lost_device_costs_the_guilty_case_only() {
    both("lose:k=2", PATIENT, |_, records| {
        records.only("device-lost", has_k2);
    });
}

fn what_fails_only_behind_another_is_flaky() {
    // It dies on K = 5 once it has seen K = 4.
    for (jobs, batch) in [(1, 64), (1, 1), (4, 5)] {
        let settings = Settings {
            jobs,
            batch,
            ..settings()
        };
        let backend = start("abort-behind:k=5", PATIENT).unwrap();
        let (totals, records) = run_with(&backend, &with_four_and_five(), settings);
        assert!(totals.unavailable.is_none(), "{:?}", totals.unavailable);
        let flaky = records.with("flaky");
        for (id, message) in &flaky {
            assert!(
                id.contains(",k=5,") && message.contains("last words, but not alone"),
                "{id}: {message}"
            );
            let (_, before) = message.split_once("it ran after ").unwrap();
            assert!(
                before.starts_with("TOP_K1:2.1:values:") && before.contains(",k=4,"),
                "{before}"
            );
            assert_eq!(before.split_whitespace().count(), 1, "{before}");
        }
        assert_eq!(totals.count("pass") + flaky.len() as u64, totals.cases);
        // One worker has them all, and those of K = 5 come after all others.
        assert_eq!(flaky.len(), 1, "{jobs} workers, batches of {batch}");
    }
}

fn an_accident_is_nobodys_fault() {
    let path = marker("accident");
    both(&format!("abort-once:{}", path.display()), PATIENT, |totals, records| {
        assert_eq!(totals.failures(), 0);
        let noted = records
            .0
            .values()
            .filter(|(.., warnings)| warnings.iter().any(|w| w.contains("was lost once")));
        assert!(noted.count() > 0);
        fs::remove_file(&path).unwrap();
    });
}

#[cfg(unix)]
fn a_killed_worker_is_nobodys_fault() {
    let path = marker("killed");
    let fault = format!("wait-once:{}", path.display());
    let killer = thread::spawn({
        let path = path.clone();
        move || {
            let until = std::time::Instant::now() + PATIENT;
            while std::time::Instant::now() < until {
                let pid = fs::read_to_string(&path).unwrap_or_default();
                if let Some(pid) = pid.strip_suffix('\n') {
                    return std::process::Command::new("kill")
                        .args(["-9", pid])
                        .status()
                        .unwrap()
                        .success();
                }
                thread::sleep(Duration::from_millis(5));
            }
            false
        }
    });
    let (totals, records) = run(&fault, PATIENT, settings());
    assert!(killer.join().unwrap());
    assert_eq!((totals.cases, totals.failures()), (planned(QUERY), 0));
    let noted = records
        .0
        .values()
        .filter(|(.., warnings)| warnings.iter().any(|w| w.contains("SIGKILL")));
    assert!(noted.count() > 1, "several were in flight");
}

/// Cases that run, and those that only judge descriptors.
const BOTH_MODES: &str = "TOP_K1:2.1:sizes TOP_K1:2.1:values TOP_K1:2.1:faults:type=FLOAT32";

fn a_program_that_every_case_loses_is_given_up() {
    for (fault, timeout, outcome, least) in [
        ("abort:", PATIENT, "crash", 32),
        ("hang:", Duration::from_millis(500), "timeout", 4),
        ("print:", PATIENT, "harness-error", 32),
        ("lose:", PATIENT, "device-lost", 32),
        ("twice:", PATIENT, "harness-error", 32),
    ] {
        let (totals, records) = run_with(&start(fault, timeout).unwrap(), BOTH_MODES, settings());
        assert!(totals.unavailable.is_none() && !totals.cut_short, "{fault}");
        assert_eq!(records.with(outcome).len(), least, "{fault}");
        let (passed, left) = (records.with("pass"), records.with("skip"));
        assert!(
            !left.is_empty() && left.keys().all(|id| !id.contains(":faults:")),
            "{fault}"
        );
        assert!(
            !passed.is_empty() && passed.keys().all(|id| id.contains(":faults:")),
            "{fault}"
        );
        assert_eq!(least + passed.len() + left.len(), records.0.len(), "{fault}");
        assert_eq!(totals.skips.keys().collect::<Vec<_>>(), ["not-run"], "{fault}");
        assert!(!totals.complete(&[]) && Ending::of(&totals, &[]).code() == 1);
    }
    // The other way round.
    let queries = "TOP_K1:2.1:sizes TOP_K1:2.1:faults";
    let (totals, records) = run_with(&start("abort-create:", PATIENT).unwrap(), queries, settings());
    assert!(records.with("crash").keys().all(|id| id.contains(":faults:")));
    assert!(records.with("pass").keys().all(|id| !id.contains(":faults:")));
    assert_eq!(totals.count("crash"), 32, "{:?}", totals.outcomes);
    assert!(totals.count("pass") > 0 && totals.count("skip") > 0);
}

fn a_program_that_stops_running_at_all_ends_the_run() {
    let path = marker("ever since");
    // Cases that are named are one piece of work: the losses that end the run lie in it, and it is not recorded then.
    let backend = start(&format!("abort-ever-since:{}", path.display()), PATIENT).unwrap();
    let (totals, records) = run_with(&backend, &with_four_and_five(), settings());
    let why = totals.unavailable.as_ref().unwrap().to_string();
    assert!(
        why.contains("ran earlier and does not run now") && why.contains("last words"),
        "{why}"
    );
    assert!(!records.0.is_empty());
    assert!(
        records.0.values().all(|(word, ..)| *word == "pass"),
        "no case is blamed"
    );
    assert_eq!(Ending::of(&totals, &[]).code(), 3);
}

fn only_our_own_worker_decides_what_a_run_need_not_have() {
    for reason in ["not-expressible", "level-not-enforced", "create-only"] {
        let fault = format!("skip-as:{reason}");
        let skips = |own| {
            let program = start_as(&fault, PATIENT, own).unwrap();
            let (totals, _) = run_with(&program, BOTH_MODES, settings());
            let reasons: Vec<String> = totals.skips.keys().cloned().collect();
            (reasons, Ending::of(&totals, &[]))
        };
        assert_eq!(skips(true), (vec![reason.to_owned()], Ending::Conformant));
        assert_eq!(
            skips(false),
            (vec![format!("program says: {reason}")], Ending::Incomplete)
        );
    }
}

fn a_program_that_does_not_start_says_why() {
    let message = |fault: &str| match start(fault, PATIENT) {
        Err(StartError::Unavailable(why)) => why.to_string(),
        other => panic!("{fault}: {other:?}"),
    };
    assert!(
        message("die-at-start").contains("did not start in 3 tries"),
        "{}",
        message("die-at-start")
    );
    assert!(message("die-at-start").contains("last words"));
    assert!(
        message("mute").contains("did not answer `hello` within 1 s"),
        "{}",
        message("mute")
    );
    assert!(
        message("no-abilities")
            .contains("neither `create` nor `execute` is named, so nothing can be tested; the line: `{"),
        "{}",
        message("no-abilities")
    );
    assert!(
        message("greet-wrongly").contains("did not answer `hello`: no JSON"),
        "{}",
        message("greet-wrongly")
    );
    assert!(
        message("protocol-2").contains("protocol 2, expected 1"),
        "{}",
        message("protocol-2")
    );
    assert!(
        message("unavailable").contains("no device; plug one in"),
        "{}",
        message("unavailable")
    );
    assert!(matches!(start("usage", PATIENT), Err(StartError::Usage(message)) if message == "wrong arguments"));
}

fn large_buffers_go_through_files() {
    let large = "TOP_K1:2.1:sizes:type=FLOAT32,index=UINT32,sizes=1x1x2x40000,axis=3,k=30000,dir=DECREASING";
    let (totals, _) = run_with(&start("none", PATIENT).unwrap(), large, settings());
    assert_eq!((totals.cases, totals.count("pass")), (1, 1));
    // A worker without that ability gets base64.
    let (totals, _) = run_with(&start("no-files", PATIENT).unwrap(), large, settings());
    assert_eq!((totals.cases, totals.count("pass")), (1, 1));
}

fn a_failure_that_does_not_come_again_is_flaky() {
    let path = marker("wrong-once");
    let settings = Settings {
        retries: 2,
        ..settings()
    };
    let (totals, records) = run(&format!("wrong-once:{}", path.display()), PATIENT, settings);
    let flaky = records.with("flaky");
    assert_eq!((totals.failures(), flaky.len()), (1, 1));
    assert!(
        flaky
            .values()
            .all(|message| message.contains("fail at first, but not when run again"))
    );
}

#[cfg(feature = "wgpu")]
fn a_destroyed_device_is_nobodys_fault() {
    use dml_wgpu::Wgpu;

    let check = |backend: &dyn Backend| {
        let (totals, records) = run_with(backend, QUERY, settings());
        assert_eq!(
            (totals.cases, totals.failures()),
            (planned(QUERY), 0),
            "{:?}",
            records.with("flaky")
        );
        let lost = |w: &String| w.contains("was lost once") && w.contains("device lost");
        assert!(records.0.values().any(|(.., warnings)| warnings.iter().any(lost)));
    };
    for batch in [1, 2] {
        check(&Wgpu::default().losing_its_device_at(batch));
    }
    check(&start(&format!("wgpu-once:{}", marker("destroyed").display()), PATIENT).unwrap());
}
