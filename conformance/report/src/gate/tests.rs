//! Invented runs, at a gate of two operators.

use super::*;
use crate::results::fixture;
use dml_case::digest::Digest;
use dml_case::record::ShardInfo;

fn header() -> Header {
    let mut header = fixture::header("mine");
    header.spec_digest = "abcdefabcdefabcdef".to_owned();
    header.backend.feature_level = "3.1".to_owned();
    header.tier = "standard".to_owned();
    header
}

fn case(id: &str, outcome: &str, reason: Option<&str>) -> Record {
    Record {
        expectation: Digest(1),
        reason: reason.map(str::to_owned),
        ..fixture::case(id, outcome)
    }
}

fn gate(operators: &[&str]) -> Gate {
    let level = FeatureLevel::new(3, 1);
    let entry = |cases: u64| Entry {
        cases,
        digest: Digest(u128::from(cases)),
    };
    Gate {
        level,
        required: Sums::from([
            (("A".to_owned(), FeatureLevel::new(2, 1)), entry(2)),
            (("B".to_owned(), level), entry(1)),
        ]),
        spec_digest: header().spec_digest,
        corpus_digest: header().corpus_digest,
        operators: operators.iter().map(|name| (*name).to_owned()).collect(),
        all: ["A", "B", "C"].map(str::to_owned).to_vec(),
        described: BTreeSet::new(),
        create_only: false,
        tables: Tables {
            judged: 3,
            bracketed: 0,
            unjudged: 1,
        },
    }
}

const WHOLE: [&str; 3] = ["A:2.1:ties:k=1", "A:2.1:ties:k=2", "B:3.1:ties:k=1"];

fn footer() -> Footer {
    Footer {
        kind: "footer".to_owned(),
        counts: BTreeMap::new(),
        complete: true,
        seconds: 0.0,
        timings: BTreeMap::new(),
        groups: Default::default(),
        incomplete: Default::default(),
        mistakes: Vec::new(),
        samples: Vec::new(),
        dismissed: std::collections::BTreeSet::new(),
        dismissed_grounds: std::collections::BTreeSet::new(),
        doubts: Vec::new(),
        contradicted: None,
    }
}

/// The whole run with one case changed.
fn with(outcome: &str, reason: Option<&str>) -> Verdict {
    let mut tally = Tally::new(gate(&[]), &header());
    tally.case(&case(WHOLE[0], "pass", None));
    tally.case(&case(WHOLE[1], outcome, reason));
    tally.case(&case(WHOLE[2], "unspecified", None));
    // What is not required does not count.
    tally.case(&case("A:5.0:ties:k=1", "fail", None));
    tally.case(&case("Z:2.1:ties:k=1", "crash", None));
    tally.finish(Some(&footer()))
}

#[test]
fn what_conforms_is_counted_of_all_that_the_level_has() {
    let verdict = with("pass", None);
    assert_eq!(verdict.passage(), Passage::Holds);
    assert_eq!(
        verdict.says(),
        "conforms for 2 of 3 operators of DML_FEATURE_LEVEL_3_1 (spec digest abcdefabcdef)"
    );
    assert_eq!(verdict.uncovered, ["C"]);
    assert_eq!(endpoint(&verdict)["message"], "2 of 3 operators");
    assert!(svg(&verdict).contains("<title>DirectML 3.1: 2 of 3 operators</title>"));
}

#[test]
fn operators_of_which_only_descriptors_are_tested_are_counted_apart() {
    let mut gate = gate(&[]);
    gate.described = BTreeSet::from(["A".to_owned()]);
    let mut tally = Tally::new(gate, &header());
    WHOLE.iter().for_each(|id| tally.case(&case(id, "pass", None)));
    let verdict = tally.finish(Some(&footer()));
    assert_eq!(
        (verdict.passage(), verdict.conforming(), verdict.described()),
        (Passage::Holds, 1, 1)
    );
    let says =
        "conforms for 1 of 3 operators of DML_FEATURE_LEVEL_3_1, and for the descriptors of 1 more (spec digest ";
    assert!(verdict.says().starts_with(says), "{}", verdict.says());
    assert_eq!(endpoint(&verdict)["message"], "1 of 3 operators");
}

#[test]
fn a_gate_of_descriptors_requires_no_outputs() {
    let verdict = |create_only: bool, reasons: [Option<&str>; 3]| {
        let mut tally = Tally::new(
            Gate {
                create_only,
                ..gate(&[])
            },
            &header(),
        );
        for (id, reason) in WHOLE.iter().zip(reasons) {
            let outcome = if reason.is_some() { "skip" } else { "pass" };
            tally.case(&case(id, outcome, reason));
        }
        tally.finish(Some(&footer()))
    };
    let some = [None, Some("create-only"), None];
    let of = |verdict: Verdict| (verdict.passage(), verdict.conforming(), verdict.described());
    assert_eq!(of(verdict(true, some)), (Passage::Holds, 0, 2));
    assert_eq!(of(verdict(false, some)), (Passage::Incomplete, 1, 0));
    // Other reasons are no better for it, and an operator of which nothing was judged does not conform.
    assert_eq!(
        of(verdict(true, [None, Some("tired"), None])),
        (Passage::Incomplete, 0, 1)
    );
    assert_eq!(of(verdict(true, [Some("create-only"); 3])), (Passage::Incomplete, 0, 0));
    let verdict = verdict(true, some);
    let says = "conforms for the descriptors of 2 of 3 operators of DML_FEATURE_LEVEL_3_1 (spec digest ";
    assert!(verdict.says().starts_with(says), "{}", verdict.says());
    assert_eq!(endpoint(&verdict)["message"], "descriptors of 2 of 3 operators");
    assert_eq!(verdict.tables.all(), 4);
}

#[test]
fn every_outcome_has_its_passage() {
    for (outcome, reason, passage, conforming) in [
        ("fail", None, Passage::Fails, 1),
        ("crash", None, Passage::Fails, 1),
        ("xpass", None, Passage::Fails, 1),
        ("flaky", None, Passage::Fails, 1),
        ("xfail", Some("known"), Passage::Holds, 1),
        ("skip", Some("tired"), Passage::Incomplete, 1),
        ("skip", Some("create-only"), Passage::Incomplete, 1),
        ("skip", Some("level-not-enforced"), Passage::Holds, 2),
        ("unspecified", None, Passage::Holds, 2),
    ] {
        let verdict = with(outcome, reason);
        assert_eq!(
            (verdict.passage(), verdict.conforming()),
            (passage, conforming),
            "{outcome}"
        );
    }
    assert_eq!(with("fail", None).operators["A"].why(), "1 fail");
    assert_eq!(with("fail", None).operators["A"].first, [WHOLE[1]]);
}

#[test]
fn a_run_that_holds_something_else_is_incomplete() {
    let verdict = |cases: &[Record], header: &Header, footer: Option<&Footer>| {
        let mut tally = Tally::new(gate(&[]), header);
        cases.iter().for_each(|line| tally.case(line));
        tally.finish(footer)
    };
    let whole = WHOLE.map(|id| case(id, "pass", None));
    assert_eq!(verdict(&whole, &header(), Some(&footer())).passage(), Passage::Holds);
    assert_eq!(verdict(&whole, &header(), None).passage(), Passage::Incomplete);
    let less = verdict(&whole[1..], &header(), Some(&footer()));
    assert_eq!(less.passage(), Passage::Incomplete);
    assert_eq!(less.operators["A"].why(), "not run as required: 2.1 (1 of 2 cases)");
    let mut other = whole.clone();
    other[0].expectation = Digest(7);
    let other = verdict(&other, &header(), Some(&footer()));
    assert_eq!(other.operators["A"].lacking, ["2.1 (with other content)"]);
    let shard = ShardInfo {
        index: 1,
        of: 2,
        times: None,
    };
    for header in [
        Header {
            tier: "smoke".to_owned(),
            ..header()
        },
        Header { seed: 7, ..header() },
        Header {
            basis: "text".to_owned(),
            ..header()
        },
        Header {
            options: vec!["--half-precision".to_owned()],
            ..header()
        },
        Header {
            spec_digest: "0".to_owned(),
            ..header()
        },
        Header {
            shard: Some(shard),
            ..header()
        },
    ] {
        let verdict = verdict(&whole, &header, Some(&footer()));
        assert_eq!(
            (verdict.passage(), verdict.problems.len()),
            (Passage::Incomplete, 1),
            "{header:?}"
        );
    }
}

#[test]
fn a_run_of_another_corpus_is_not_judged() {
    let mut other = header();
    other.corpus_digest = "0".to_owned();
    let mut tally = Tally::new(gate(&[]), &other);
    WHOLE.iter().for_each(|id| tally.case(&case(id, "pass", None)));
    let verdict = tally.finish(Some(&footer()));
    assert_eq!(verdict.passage(), Passage::Incomplete);
    assert!(verdict.problems[0].contains("of corpus 0"), "{:?}", verdict.problems);
}

#[test]
fn some_operators_can_be_asked_for() {
    let mut tally = Tally::new(gate(&["B"]), &header());
    tally.case(&case(WHOLE[0], "fail", None));
    tally.case(&case(WHOLE[2], "pass", None));
    let verdict = tally.finish(Some(&footer()));
    assert_eq!((verdict.passage(), verdict.conforming()), (Passage::Holds, 1));
    assert!(verdict.uncovered.is_empty(), "what was not asked for is not lacking");
}

#[test]
fn a_run_whose_lines_are_in_doubt_is_incomplete() {
    let mut tally = Tally::new(gate(&[]), &header());
    WHOLE.iter().for_each(|id| tally.case(&case(id, "pass", None)));
    let doubtful = Footer {
        doubts: vec!["2 pass of 3".to_owned()],
        ..footer()
    };
    let verdict = tally.finish(Some(&doubtful));
    assert_eq!(verdict.passage(), Passage::Incomplete);
    assert_eq!(verdict.problems, ["2 pass of 3"]);
}

#[test]
fn badges_are_as_green_as_the_share_that_conforms() {
    let of = |conforming: usize, all: usize| {
        let tally = |n: usize| OperatorTally {
            cases: 1,
            judged: 1,
            known: u64::from(n >= conforming),
            ..OperatorTally::default()
        };
        let verdict = Verdict {
            backend: "mine".to_owned(),
            level: FeatureLevel::new(3, 1),
            spec_digest: String::new(),
            operators: (0..4).map(|n| (format!("OP_{n}"), tally(n))).collect(),
            uncovered: Vec::new(),
            of: all,
            create_only: false,
            tables: Tables::default(),
            problems: Vec::new(),
        };
        assert_eq!(verdict.passage(), Passage::Holds);
        endpoint(&verdict)["color"].as_str().unwrap().to_owned()
    };
    let colours = [of(0, 4), of(1, 4), of(2, 4), of(4, 4), of(4, 100)];
    assert_eq!(colours, ["red", "orange", "yellow", "brightgreen", "orange"]);
}
