//! Tests of entries against cases, and of files with mistakes.

use dml_case::{
    digest::Digest,
    outcome::{Diagnosis, Judged, Outcome},
    record::Record,
};
use dml_plan::planner::Planner;
use dml_report::expectations::{Facts, SeenCases};

use super::read_expectations;
use crate::spec;

const ID: &str = "TOP_K1:2.1:examples:example=largest-two";

fn suite() -> Planner {
    Planner::new(spec::catalog().clone()).unwrap()
}

fn record(outcome: Outcome, class: &'static str) -> Record {
    let diagnosis = Diagnosis::new(class, Vec::new(), String::new());
    let judged = match outcome {
        Outcome::Skip => Judged::skipped("tired"),
        outcome if outcome.is_failure() => Judged::explained(outcome, diagnosis),
        outcome => Judged::plain(outcome),
    };
    Record::new(ID.parse().unwrap(), outcome).judged(judged)
}

/// What an entry with these lines makes of a case.
fn applied(lines: &str, outcome: Outcome, class: &'static str) -> (Record, bool) {
    let text = format!("- query: TOP_K1:*:examples\n  because: known\n{lines}");
    let expectations = read_expectations(&suite(), "known.yaml", &text).unwrap();
    let mut record = record(outcome, class);
    let skip = expectations.apply(&mut record);
    (record, skip)
}

#[test]
fn outcomes_are_held_against_what_an_entry_allows() {
    let (fails, crashes) = ((Outcome::Fail, "tie-order"), (Outcome::Crash, "crash"));
    let other = (Outcome::Fail, "not-sorted");
    let (passes, is_open) = ((Outcome::Pass, ""), (Outcome::Unspecified, ""));
    let of_class = "  class: tie-order\n";
    let either = "  outcome: [pass, fail]\n  class: tie-order\n";
    for (lines, (outcome, class), word) in [
        // What is not said is `fail`.
        ("", fails, "xfail"),
        ("", crashes, "crash"),
        ("", passes, "xpass"),
        ("", is_open, "unspecified"),
        (of_class, fails, "xfail"),
        (of_class, other, "fail"),
        ("  outcome: crash\n", fails, "fail"),
        ("  outcome: crash\n", crashes, "xfail"),
        ("  outcome: flaky\n", passes, "pass"),
        ("  outcome: flaky\n", fails, "xfail"),
        (either, passes, "pass"),
        (either, fails, "xfail"),
        (either, other, "fail"),
        (either, crashes, "crash"),
        ("  outcome: [crash, timeout]\n", (Outcome::Timeout, "timeout"), "xfail"),
        ("  outcome: [crash, timeout]\n", passes, "xpass"),
        (
            "  outcome: device-lost\n",
            (Outcome::DeviceLost, "device-lost"),
            "xfail",
        ),
        (
            "  outcome: harness-error\n",
            (Outcome::HarnessError, "harness-error"),
            "xfail",
        ),
    ] {
        assert_eq!(
            applied(lines, outcome, class).0.outcome.word(),
            word,
            "{lines}, {outcome:?}"
        );
    }
    for (lines, is_known) in [
        ("", false),
        ("  outcome: skip\n", true),
        ("  outcome: [fail, skip]\n", true),
    ] {
        let (record, known) = applied(lines, Outcome::Skip, "");
        assert_eq!((record.reason.as_deref(), known), (Some("tired"), is_known), "{lines}");
    }
}

#[test]
fn records_say_why_a_failure_is_accepted_and_a_pass_is_not() {
    let (record, _) = applied("  link: http://x/1\n", Outcome::Fail, "tie-order");
    assert_eq!(record.reason.as_deref(), Some("known (http://x/1)"));
    // Mistakes are reported all the same.
    assert!(record.class.is_some());
    let (record, _) = applied("", Outcome::Pass, "");
    let message = record.message.unwrap();
    assert_eq!(message, "it passes, but known.yaml:1:3 expects fail: known");
}

#[test]
fn reasons_are_fit_to_be_printed() {
    let text = "- query: TOP_K1:*:examples\n  because: \"a\\e[2Jb\\nc\"\n  link: \"\\x07\"\n";
    let expectations = read_expectations(&suite(), "known.yaml", text).unwrap();
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
    let expectations =
        read_expectations(&suite(), "known.yaml", "- {query: 'TOP_K1:*:values', because: known}\n").unwrap();
    let mut record = record(Outcome::Fail, "tie-order");
    expectations.apply(&mut record);
    assert_eq!(record.outcome, Outcome::Fail);
}

#[test]
fn every_mistake_has_its_place() {
    let text = "\
- query: TOP_K1:*:examples
- {query: 'TOP_K1:*:exampels', because: known}
- {query: 'TOP_K1:*:examples', because: '', colour: red}
- {query: 'TOP_K1:*:examples', because: known, outcome: pass}
- {query: 'a:b:c:d:e', because: known}
- known
- {query: 'TOP_K1:2.1:examples:k=12345', because: known, class: [x]}
- {query: 'TOP_K1:*:examples', because: known, class: tie-ordr}
- {query: 'TOP_K1:*:examples', because: known, class: bogus}
";
    let found = read_expectations(&suite(), "known.yaml", text).unwrap_err();
    let messages: Vec<String> = found.iter().map(ToString::to_string).collect();
    let expected = [
        "known.yaml:1:3: the entry has no `because`",
        "known.yaml:2:11: `TOP_K1:*:exampels` matches no case of any tier; nearest:",
        "known.yaml:3:41: expected text",
        "known.yaml:3:45: unknown field `colour`",
        "known.yaml:4:57: `pass` alone is not a known failure",
        "known.yaml:5:11: invalid query `a:b:c:d:e`",
        "known.yaml:6:3: expected an entry with query",
        "known.yaml:7:11: `TOP_K1:2.1:examples:k=12345` matches no case",
        "known.yaml:7:65: expected text",
        "known.yaml:8:55: no failure is of the class `tie-ordr`",
        "known.yaml:9:55: no failure is of the class `bogus`",
    ];
    for (message, expected) in messages.iter().zip(expected) {
        assert!(message.starts_with(expected), "{message}\nexpected: {expected}");
    }
    assert_eq!(messages.len(), expected.len(), "{messages:#?}");
    let hints: Vec<&str> = found.iter().filter_map(|d| d.hint.as_deref()).collect();
    assert!(
        hints.iter().any(|hint| hint.starts_with("nearest: tie-order")),
        "{hints:?}"
    );
    assert!(
        hints
            .iter()
            .any(|hint| hint.starts_with("expected: ") && hint.contains("crash, ")),
        "{hints:?}"
    );
    assert!(read_expectations(&suite(), "known.yaml", "a: 1\n").is_err());
    assert!(read_expectations(&suite(), "known.yaml", "- [\n").is_err());
    assert!(
        read_expectations(&suite(), "known.yaml", "")
            .unwrap()
            .entries
            .is_empty()
    );
}

#[test]
fn all_entries_of_a_case_count_together() {
    let text = "- {query: TOP_K1, because: one}\n- {query: 'TOP_K1:2.1', because: other, outcome: [pass, crash]}\n";
    let expectations = read_expectations(&suite(), "known.yaml", text).unwrap();
    let word = |outcome: Outcome, class| {
        let mut record = record(outcome, class);
        expectations.apply(&mut record);
        record.outcome.word()
    };
    assert_eq!(word(Outcome::Fail, "tie-order"), "xfail");
    assert_eq!(word(Outcome::Crash, "crash"), "xfail");
    assert_eq!(word(Outcome::Timeout, "timeout"), "timeout");
    assert_eq!(word(Outcome::Pass, ""), "pass");
}

#[test]
fn an_entry_holds_where_it_says() {
    let text = "- {query: TOP_K1, because: one, only: {backend: other}}\n";
    let expectations = read_expectations(&suite(), "known.yaml", text).unwrap();
    let facts = |name: &str| {
        let info = crate::backends::find("cpu").unwrap().info();
        Facts::of(
            &dml_spec::answer::Info {
                name: name.to_owned(),
                ..info
            },
            name,
        )
    };
    for (name, word) in [("other", "xfail"), ("cpu", "fail")] {
        let mut record = record(Outcome::Fail, "tie-order");
        expectations.holding(&facts(name), Digest::default()).apply(&mut record);
        assert_eq!(record.outcome.word(), word, "{name}");
    }
}

#[test]
fn cases_that_are_newer_than_the_file_are_told() {
    let seen = |ids: &[&str]| ids.iter().copied().collect::<SeenCases>().to_text();
    let warned = |entry: &str, seen: &str, corpus: u128| {
        let text = format!(
            "corpus: {}\nexpect:\n- {{query: '{entry}', because: old}}\nseen: {seen}\n",
            Digest(7)
        );
        let expectations = read_expectations(&suite(), "known.yaml", &text).unwrap();
        let info = crate::backends::find("cpu").unwrap().info();
        let expectations = expectations.holding(&Facts::of(&info, "cpu"), Digest(corpus));
        let mut record = record(Outcome::Fail, "tie-order");
        expectations.apply(&mut record);
        assert_eq!(record.outcome.word(), "xfail");
        record.warnings
    };
    assert!(warned("TOP_K1", &seen(&["x"]), 7).is_empty(), "the same corpus");
    assert!(warned("TOP_K1", &seen(&["x", ID]), 8).is_empty(), "it was there");
    assert!(warned(ID, &seen(&["x"]), 8).is_empty(), "it is named");
    let found = warned("TOP_K1", &seen(&["x"]), 8);
    assert!(
        found[0].starts_with("known.yaml:3:3 covers it by `TOP_K1:*:*`, but was written for an older"),
        "{found:?}"
    );
}

#[test]
fn a_whole_id_is_about_its_case_alone() {
    let expectations =
        read_expectations(&suite(), "known.yaml", &format!("- {{query: '{ID}', because: one}}\n")).unwrap();
    let entry = &expectations.entries[0];
    assert!(entry.covers(&ID.parse().unwrap()));
    assert!(!entry.covers(&format!("{ID},seed=7").parse().unwrap()));
}
