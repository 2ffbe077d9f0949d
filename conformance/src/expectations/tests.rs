//! Entries against cases, and files with mistakes.

use super::*;
use crate::{case::Mode, digest::Digest, outcome::Judged, spec, suite::Suite};

const ID: &str = "TOP_K1:2.1:examples:example=largest-two";

fn suite() -> Suite {
    Suite::new(spec::catalog().clone()).unwrap()
}

fn record(outcome: Outcome, class: &'static str) -> Record {
    let diagnosis = outcome
        .is_failure()
        .then(|| Diagnosis::new(class, Vec::new(), String::new()));
    Record {
        id: ID.parse().unwrap(),
        mode: Mode::Execute,
        verdict: "valid",
        expectation: Digest::default(),
        elements: 1,
        judged: Judged {
            diagnosis,
            ..Judged::plain(outcome)
        },
        time: None,
        order: Vec::new(),
        outputs: Vec::new(),
    }
}

/// What an entry with these lines makes of a case.
fn applied(lines: &str, outcome: Outcome, class: &'static str) -> (Record, bool) {
    let text = format!("- query: TOP_K1:*:examples\n  reason: known\n{lines}");
    let expectations = read(&suite(), "known.yaml", &text).unwrap();
    let mut record = record(outcome, class);
    let skip = expectations.apply(&mut record);
    (record, skip)
}

#[test]
fn failures_that_are_known_are_xfail() {
    let word = |lines: &str, outcome: Outcome, class| applied(lines, outcome, class).0.judged.outcome.word();
    assert_eq!(word("", Outcome::Fail, "tie-order"), "xfail");
    assert_eq!(word("", Outcome::Crash, "crash"), "xfail");
    assert_eq!(word("  class: tie-order\n", Outcome::Fail, "tie-order"), "xfail");
    assert_eq!(word("  class: tie-order\n", Outcome::Fail, "not-sorted"), "fail");
    assert_eq!(word("  outcome: crash\n", Outcome::Fail, "tie-order"), "fail");
    assert_eq!(word("  outcome: crash\n", Outcome::Crash, "crash"), "xfail");
    let (record, _) = applied("  issue: http://x/1\n", Outcome::Fail, "tie-order");
    assert_eq!(record.judged.outcome, Outcome::XFail("known (http://x/1)".to_owned()));
    // What is wrong is told all the same.
    assert!(record.judged.diagnosis.is_some());
}

#[test]
fn what_passes_although_it_is_known_to_fail_is_told() {
    let (record, _) = applied("", Outcome::Pass, "");
    assert_eq!(record.judged.outcome, Outcome::XPass);
    let message = record.judged.diagnosis.unwrap().message;
    assert_eq!(message, "it passes, but known.yaml:1:3 expects a failure: known");
    assert_eq!(
        applied("  outcome: flaky\n", Outcome::Pass, "").0.judged.outcome,
        Outcome::Pass
    );
    let flaky = applied("  outcome: flaky\n", Outcome::Fail, "tie-order")
        .0
        .judged
        .outcome;
    assert_eq!(flaky.word(), "xfail");
    let open = applied("", Outcome::Unspecified, "").0.judged.outcome;
    assert_eq!(open, Outcome::Unspecified);
}

#[test]
fn skips_are_known_where_an_entry_says_so() {
    let skip = || Outcome::Skip("tired".to_owned());
    let (record, known) = applied("  outcome: skip\n", skip(), "");
    assert_eq!((record.judged.outcome, known), (skip(), true));
    assert!(!applied("", skip(), "").1);
}

#[test]
fn reasons_are_fit_to_be_printed() {
    let text = "- query: TOP_K1:*:examples\n  reason: \"a\\e[2Jb\\nc\"\n  issue: \"\\x07\"\n";
    let expectations = read(&suite(), "known.yaml", text).unwrap();
    assert_eq!(expectations.entries[0].why(), "a\\u{1b}[2Jb\\nc (\\u{7})");
}

#[test]
fn every_class_that_is_found_can_be_expected() {
    for class in [
        "tie-boundary",
        "wrongly-accepted",
        "strides-ignored",
        "padding-touched",
        "indices-in-range",
        "flaky",
    ] {
        applied(&format!("  class: {class}\n"), Outcome::Pass, "");
    }
}

#[test]
fn other_cases_are_left_alone() {
    let expectations = read(&suite(), "known.yaml", "- {query: 'TOP_K1:*:ties', reason: known}\n").unwrap();
    let mut record = record(Outcome::Fail, "tie-order");
    expectations.apply(&mut record);
    assert_eq!(record.judged.outcome, Outcome::Fail);
}

#[test]
fn every_mistake_has_its_place() {
    let text = "\
- query: TOP_K1:*:examples
- {query: 'TOP_K1:*:exampels', reason: known}
- {query: 'TOP_K1:*:examples', reason: '', colour: red}
- {query: 'TOP_K1:*:examples', reason: known, outcome: pass}
- {query: 'a:b:c:d:e', reason: known}
- known
- {query: 'TOP_K1:2.1:examples:k=12345', reason: known, class: [x]}
- {query: 'TOP_K1:*:examples', reason: known, class: tie-ordr}
- {query: 'TOP_K1:*:examples', reason: known, class: bogus}
";
    let found = read(&suite(), "known.yaml", text).unwrap_err();
    let told: Vec<String> = found.iter().map(ToString::to_string).collect();
    let expected = [
        "known.yaml:1:3: the entry has no `reason`",
        "known.yaml:2:11: `TOP_K1:*:exampels` matches no case of any tier; nearest:",
        "known.yaml:3:44: unknown field `colour`",
        "known.yaml:3:40: expected text",
        "known.yaml:4:56: there is no outcome `pass` to expect",
        "known.yaml:5:11: `a:b:c:d:e`",
        "known.yaml:6:3: expected an entry with query",
        "known.yaml:7:11: `TOP_K1:2.1:examples:k=12345` matches no case",
        "known.yaml:7:64: expected text",
        "known.yaml:8:54: no failure is of the class `tie-ordr`",
        "known.yaml:9:54: no failure is of the class `bogus`",
    ];
    for (told, expected) in told.iter().zip(expected) {
        assert!(told.starts_with(expected), "{told}\nexpected: {expected}");
    }
    assert_eq!(told.len(), expected.len(), "{told:#?}");
    let hints: Vec<&str> = found.iter().filter_map(|d| d.hint.as_deref()).collect();
    assert!(
        hints.iter().any(|hint| hint.starts_with("nearest: tie-order")),
        "{hints:?}"
    );
    assert!(
        hints
            .iter()
            .any(|hint| hint.starts_with("there are: ") && hint.contains("crash, ")),
        "{hints:?}"
    );
    assert!(read(&suite(), "known.yaml", "a: 1\n").is_err());
    assert!(read(&suite(), "known.yaml", "- [\n").is_err());
    assert!(read(&suite(), "known.yaml", "").unwrap().entries.is_empty());
}
