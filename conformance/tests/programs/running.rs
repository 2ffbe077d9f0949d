//! Programs that fail in every way: the guilty case pays, and nothing else.

use std::collections::BTreeMap;

use crate::common::{GARBAGE, INNOCENT, ORDERED, SLOW, dml_cts, outcomes, sevens, temporary, with_fault};

/// What the bad program deserves.
fn deserved(id: &str) -> &'static str {
    if id.contains(",k=7,") {
        "crash"
    } else if id.contains("type=INT16,") && id.contains(",axis=2,") {
        "timeout"
    } else if id.contains("type=UINT8,") {
        "harness-error"
    } else if id == ORDERED[2] {
        "flaky"
    } else {
        "pass"
    }
}

pub(crate) fn a_bad_program_gets_exactly_what_it_deserves() {
    for jobs in ["1", "4"] {
        let report = temporary(&format!("bad-{jobs}.jsonl"));
        let program = with_fault("bad");
        let report_path = report.display().to_string();
        let options = [
            "run",
            "--backend",
            &program,
            "--jobs",
            jobs,
            "--timeout",
            "2",
            "--report",
            &report_path,
        ];
        let sevens = sevens();
        let crashing: Vec<&str> = sevens.iter().map(String::as_str).collect();
        let cases = [&[GARBAGE, INNOCENT], &SLOW[..], &crashing[..], &ORDERED[..]].concat();
        let ran = dml_cts(&[&options[..], &cases].concat());
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        let outcomes = outcomes(&report);
        let mut counts = BTreeMap::new();
        for (id, (outcome, message)) in &outcomes {
            assert_eq!(outcome, deserved(id), "{jobs} workers: {id}: {message}");
            *counts.entry(outcome.as_str()).or_insert(0) += 1;
            match outcome.as_str() {
                "crash" => assert!(message.contains("last words"), "{message}"),
                "timeout" => assert!(message.contains("no answer within 2 s"), "{message}"),
                "harness-error" => assert!(message.contains("no JSON") && message.contains("%s {}"), "{message}"),
                "flaky" => assert!(message.ends_with(&format!("it ran after {}", ORDERED[1])), "{message}"),
                _ => {}
            }
        }
        let kinds: Vec<&str> = counts.keys().copied().collect();
        assert_eq!(
            kinds,
            ["crash", "flaky", "harness-error", "pass", "timeout"],
            "{counts:?}"
        );
        assert_eq!((counts["crash"], counts["flaky"]), (sevens.len(), 1), "{jobs} workers");
    }
}

pub(crate) fn a_debugger_has_all_the_time_it_needs() {
    // The input ends at once, as if Enter was pressed.
    let program = with_fault("none");
    let ran = dml_cts(&["run", "--backend", &program, "--timeout", "1", "--debug", ORDERED[0]]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(
        ran.err.contains("is process ") && ran.err.contains("press Enter"),
        "{}",
        ran.err
    );
    assert!(ran.out.contains("conformant; 1 cases"), "{}", ran.out);
}

pub(crate) fn a_program_without_operators_is_incomplete() {
    let ran = dml_cts(&[
        "run",
        "--tier",
        "smoke",
        "TOP_K1",
        "--backend",
        &with_fault("no-operators"),
    ]);
    assert_eq!(ran.code, Some(3), "{}", ran.out);
    assert!(ran.err.contains("no case was judged"), "{}", ran.err);
}

pub(crate) fn a_program_that_skips_everything_is_incomplete() {
    let program = with_fault("skip-all");
    for more in [&[][..], &["--allow-skip", "tired"]] {
        let ran = dml_cts(&[&["run", "--tier", "smoke", "TOP_K1", "--backend", &program][..], more].concat());
        assert_eq!(ran.code, Some(3), "{}", ran.out);
        assert!(ran.err.contains("no case was judged"), "{}", ran.err);
    }
}

pub(crate) fn a_program_cannot_excuse_itself() {
    for reason in ["not-expressible", "level-not-enforced", "create-only"] {
        let program = with_fault(&format!("skip-as:{reason}"));
        let run = |more: &[&str]| {
            let options = [
                "run",
                "--tier",
                "smoke",
                "TOP_K1:2.1:values",
                "TOP_K1:2.1:faults:type=FLOAT32",
            ];
            dml_cts(&[&options[..], &["--backend", &program], more].concat())
        };
        let (ran, said) = (run(&[]), format!("program says: {reason}"));
        assert_eq!(ran.code, Some(3), "{}", ran.out);
        assert!(ran.out.contains(&format!(" x {said}; first in")), "{}", ran.out);
        assert!(ran.err.contains(&format!("cases skipped ({said})")), "{}", ran.err);
        assert_eq!(run(&["--allow-skip", &said]).code, Some(0));
    }
}

pub(crate) fn a_program_that_dies_in_every_case_is_blamed() {
    let program = with_fault("abort:");
    // Many more than are tried: while one worker probes, the other still goes on.
    let options = [
        "run",
        "--tier",
        "smoke",
        "TOP_K1:*:sizes",
        "TOP_K1:*:values",
        "TOP_K1:2.1:faults:type=FLOAT32",
    ];
    let ran = dml_cts(&[&options[..], &["--backend", &program]].concat());
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(
        ran.err.contains("cases were not run: every attempted case"),
        "{}",
        ran.err
    );
    assert!(ran.out.contains(" crash") && ran.out.contains(" pass"), "{}", ran.out);
}

pub(crate) fn a_program_that_dies_at_its_start_says_why() {
    let ran = dml_cts(&["run", "TOP_K1", "--backend", &with_fault("die-at-start")]);
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    assert!(
        ran.err.contains("did not start in 3 tries") && ran.err.contains("it wrote: last words"),
        "{}",
        ran.err
    );
    let ran = dml_cts(&["run", "TOP_K1", "--backend", "exec:/there/is/nothing"]);
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    assert!(ran.err.contains("cannot be started"), "{}", ran.err);
}

#[cfg(target_os = "linux")]
pub(crate) fn a_program_without_room_says_why() {
    let program = with_fault("none");
    let run = |room: &str| {
        dml_cts(&[
            "run",
            "--tier",
            "smoke",
            "TOP_K1:2.1:values",
            "--backend",
            &program,
            "--worker-memory",
            room,
        ])
    };
    assert_eq!(run("4G").code, Some(0));
    let ran = run("1M");
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    assert!(ran.err.contains("did not start in 3 tries"), "{}", ran.err);
}

pub(crate) fn nothing_that_is_printed_reaches_the_terminal() {
    for fault in ["bad", "skip-rudely"] {
        let program = with_fault(fault);
        let ran = dml_cts(&["run", "-v", "--backend", &program, GARBAGE]);
        assert!(ran.code.is_some_and(|code| code != 0), "{}", ran.out);
        for text in [&ran.out, &ran.err] {
            assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
        }
    }
}
