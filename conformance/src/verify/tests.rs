//! Libraries that are made up, and what is said of them.

use std::{
    sync::{
        Arc, LazyLock,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use dml_ops::{Answer, Job, JobId, Loss, Rejection, Session, Unavailable};
use dml_spec::{Descriptor, TensorDesc, Value};

use super::*;
use dml_case::names::NOT_EXPRESSIBLE;
use dml_plan::verdict;

pub(crate) static SUITE: LazyLock<Planner> =
    LazyLock::new(|| Planner::new(dml_spec_yaml::load::catalog().clone()).unwrap());

pub(crate) static QUESTIONS: LazyLock<Questions> = LazyLock::new(|| questions(&SUITE, at(), Tier::Smoke));

/// Index of the operator that is asked about.
fn at() -> usize {
    let mut operators = SUITE.catalog.operators.iter();
    operators.position(|operator| operator.name == "TOP_K1").unwrap()
}

pub(crate) fn operator() -> &'static Operator {
    &SUITE.catalog.operators[at()]
}

/// A library that follows the runtimes' rules of a level but for what it does of its own.
struct Planted<F> {
    rules: FeatureLevel,
    own: F,
    resets: Arc<AtomicUsize>,
}

impl<F: Fn(&Descriptor) -> Option<Answer> + Send> Session for Planted<F> {
    fn create(&mut self, job: &Job) -> Answer {
        let descriptor = &*job.descriptor;
        if let Some(answer) = (self.own)(descriptor) {
            return answer;
        }
        let miscounted = |t: &TensorDesc| {
            t.strides
                .as_ref()
                .is_some_and(|s| s.len() != t.sizes.as_ref().map_or(0, |s| s.len()))
        };
        if tensors(descriptor).any(miscounted) {
            let reason = NOT_EXPRESSIBLE.to_owned();
            return Answer::Skipped { reason };
        }
        let broken = SUITE.programs[at()].evaluate(&SUITE.catalog, operator(), descriptor, self.rules);
        if verdict::from_violations(&broken).is_rejection() {
            rejected()
        } else {
            Answer::Created
        }
    }

    fn submit(&mut self, _: Vec<Job>) {}

    fn poll(&mut self, _: Duration) -> Vec<(JobId, Answer)> {
        Vec::new()
    }

    fn reset(&mut self) -> Result<(), Unavailable> {
        self.resets.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

fn rejected() -> Answer {
    Answer::Rejected(Rejection {
        reason: String::new(),
        clauses: Vec::new(),
        hresult: Some(0x8007_0057),
    })
}

fn tensors(descriptor: &Descriptor) -> impl Iterator<Item = &TensorDesc> {
    descriptor.fields.iter().filter_map(|value| match value {
        Value::Tensor(tensor) => tensor.as_ref(),
        _ => None,
    })
}

fn level(major: u32, minor: u32) -> FeatureLevel {
    FeatureLevel::new(major, minor)
}

/// The answers of a library of one level with the rules of another, and with some of its own.
fn planted(
    name: &str,
    (is, rules): (FeatureLevel, FeatureLevel),
    own: impl Fn(&Descriptor) -> Option<Answer> + Send,
) -> Answered {
    let mut session = Planted {
        rules,
        own,
        resets: Arc::default(),
    };
    let replies = ask(&QUESTIONS, is, &mut session, &|_| true, &mut |_| {}).unwrap();
    let name = name.to_owned();
    Answered {
        name,
        level: is,
        replies,
    }
}

/// A library that does what its table says.
pub(crate) fn faithful(name: &str, is: FeatureLevel) -> Answered {
    planted(name, (is, is), |_| None)
}

fn verified(answered: &[Answered]) -> Verified {
    Verified::new(&SUITE, operator(), &QUESTIONS, answered)
}

/// What rows about a clause or cell come to.
fn agreements(verified: &Verified, id: &str) -> Vec<Agreement> {
    let rows = verified.rows.iter().filter(|row| row.target.0 == id);
    let mut found: Vec<Agreement> = rows.map(|row| row.agreement).collect();
    found.dedup();
    found
}

#[test]
fn a_library_that_does_as_it_should_agrees() {
    let verified = verified(&[faithful("good", level(3, 1))]);
    assert!(!verified.disagrees());
    assert_eq!(verified.otherwise, []);
    for (id, expected) in [
        ("TOP_K1/axis-in-range", Agreement::Agrees),
        ("TOP_K1/k-below-axis-size", Agreement::Disputed),
        ("TENSOR/alignment-at-least-16", Agreement::Disputed),
        ("TENSOR/output-reach", Agreement::Observed),
        ("TENSOR/input-may-overlap", Agreement::Observed),
        ("TENSOR/strides-per-dimension", Agreement::NotExpressible),
        ("TOP_K1/3.1/InputTensor/INT64", Agreement::Agrees),
        ("TOP_K1/3.1/InputTensor/INT8", Agreement::Agrees),
    ] {
        assert_eq!(agreements(&verified, id), [expected], "{id}");
    }
    assert!(verified.rows.iter().all(|row| row.table == level(3, 1)));
    assert_eq!(agreements(&verified, "TENSOR/output-no-overlap"), [], "it is retired");
}

#[test]
fn cells_that_are_forbidden_have_to_be_rejected() {
    // Rules of a later level: 64-bit values at 3.1, and 3-D at 3.0.
    let lax = verified(&[planted("lax", (level(3, 1), level(5, 0)), |_| None)]);
    assert!(lax.disagrees());
    for cell in [
        "InputTensor/INT64",
        "OutputValueTensor/UINT64",
        "OutputIndexTensor/UINT64",
    ] {
        assert_eq!(
            agreements(&lax, &format!("TOP_K1/3.1/{cell}")),
            [Agreement::Disagrees],
            "{cell}"
        );
    }
    assert_eq!(agreements(&lax, "TOP_K1/3.1/InputTensor/FLOAT64"), [Agreement::Agrees]);
    let lax = verified(&[planted("lax", (level(3, 0), level(3, 1)), |_| None)]);
    assert!(lax.disagrees());
    assert_eq!(agreements(&lax, "TOP_K1/2.1/InputTensor/3-D"), [Agreement::Disagrees]);
    assert_eq!(agreements(&lax, "TOP_K1/2.1/InputTensor/FLOAT64"), [Agreement::Agrees]);
}

#[test]
fn what_should_be_accepted_and_is_not_is_found() {
    let int8 = 8;
    let never = planted("never", (level(3, 1), level(3, 1)), |d| {
        tensors(d).any(|t| t.data_type == int8).then(rejected)
    });
    let never = verified(&[never]);
    assert!(never.disagrees());
    assert_eq!(
        agreements(&never, "TOP_K1/3.1/InputTensor/INT8"),
        [Agreement::Disagrees]
    );
    assert_eq!(
        agreements(&never, "TOP_K1/3.1/InputTensor/FLOAT32"),
        [Agreement::Agrees]
    );
    let seldom = planted("seldom", (level(3, 1), level(3, 1)), |d| {
        tensors(d)
            .any(|t| t.data_type == int8 && t.dimension_count() == 8)
            .then(rejected)
    });
    let mut seldom = verified(&[seldom]);
    assert_eq!(agreements(&seldom, "TOP_K1/3.1/InputTensor/INT8"), [Agreement::InPart]);
    seldom.retain_clause("TOP_K1/3.1/InputTensor/INT8");
    assert!(seldom.disagrees());
}

#[test]
fn a_library_against_what_was_observed_is_shown_and_breaks_no_text() {
    // It follows the text where the runtimes do not.
    let sorted = |d: &Descriptor| match d.fields.as_slice() {
        [Value::Tensor(Some(input)), _, _, Value::UInt(axis), Value::UInt(k), ..] => {
            let sizes = input.sizes.as_deref().unwrap_or_default();
            (sizes.get(*axis as usize) == Some(k)).then(rejected)
        }
        _ => None,
    };
    let verified = verified(&[planted("strict", (level(3, 1), level(3, 1)), sorted)]);
    assert_eq!(
        agreements(&verified, "TOP_K1/k-below-axis-size"),
        [Agreement::Disagrees]
    );
    assert_eq!(agreements(&verified, "TOP_K1/k-within-axis"), [Agreement::Agrees]);
    assert!(!verified.otherwise.is_empty() && verified.otherwise.iter().all(|answer| !answer.normative));
    assert!(!verified.disagrees());
}

#[test]
fn a_library_that_crashes_is_started_again() {
    let resets = Arc::new(AtomicUsize::new(0));
    let two_dimensions = |d: &Descriptor| tensors(d).all(|t| t.dimension_count() == 2);
    let lost = || Answer::Lost {
        how: Loss::Crash,
        message: "gone".to_owned(),
    };
    let mut session = Planted {
        rules: level(5, 0),
        own: |d: &Descriptor| two_dimensions(d).then(lost),
        resets: Arc::clone(&resets),
    };
    let replies = ask(&QUESTIONS, level(5, 0), &mut session, &|_| true, &mut |_| {}).unwrap();
    let lost = replies
        .iter()
        .filter(|reply| matches!(reply, Reply::Crashed(_)))
        .count();
    assert!(lost > 0 && lost < replies.len() / 2, "{lost}");
    assert_eq!(resets.load(Ordering::Relaxed), lost);
    let (name, is) = ("crashing".to_owned(), level(5, 0));
    let verified = verified(&[Answered {
        name,
        level: is,
        replies,
    }]);
    assert!(verified.disagrees(), "no verdict is no agreement");
    let standing = &verified.standings.iter().find(|(of, _)| *of == is).unwrap().1;
    assert!(matches!(standing, Standing::Unverified { .. }), "{standing}");
}

#[test]
fn a_library_that_stays_away_ends_the_questions() {
    struct Gone;
    impl Session for Gone {
        fn create(&mut self, _: &Job) -> Answer {
            Answer::DeviceLost { message: String::new() }
        }
        fn submit(&mut self, _: Vec<Job>) {}
        fn poll(&mut self, _: Duration) -> Vec<(JobId, Answer)> {
            Vec::new()
        }
        fn reset(&mut self) -> Result<(), Unavailable> {
            let reason = "it does not come back".to_owned();
            Err(Unavailable {
                reason,
                remedy: String::new(),
            })
        }
    }
    let error = ask(&QUESTIONS, level(5, 0), &mut Gone, &|_| true, &mut |_| {}).unwrap_err();
    assert!(error.reason.contains("come back"));
    let unwanted = ask(&QUESTIONS, level(5, 0), &mut Gone, &|_| false, &mut |_| {}).unwrap();
    assert!(unwanted.iter().all(|reply| !reply.was_asked()));
}

/// How levels stand, in lines.
fn lines(answered: &[Answered]) -> Vec<String> {
    let found = standings(&SUITE, operator(), &QUESTIONS, answered);
    found
        .into_iter()
        .map(|(level, standing)| format!("{level} {standing}"))
        .collect()
}

#[test]
fn levels_are_verified_bracketed_or_neither() {
    let all = [
        ("a", level(3, 0)),
        ("b", level(3, 1)),
        ("c", level(5, 0)),
        ("d", level(6, 2)),
    ];
    let all = all.map(|(name, is)| faithful(name, is));
    let starts = |lines: &[String], starts: &[&str]| {
        assert_eq!(lines.len(), starts.len(), "{lines:#?}");
        for (line, start) in lines.iter().zip(starts) {
            assert!(line.starts_with(start), "{line}: {start}");
        }
    };
    let found = lines(&all);
    starts(
        &found,
        &[
            "2.1 bracketed   by a on",
            "3.0 verified",
            "3.1 verified",
            "4.0 unverified  between two tables: c takes the",
            "4.1 unverified  between two tables: c takes the",
            "5.0 verified",
            "5.1 bracketed   by c and d on",
            "5.2 bracketed",
            "6.0 bracketed",
            "6.1 bracketed",
            "6.2 verified",
            "6.3 unverified  no library above it was asked",
            "6.4 unverified  no library above it was asked",
        ],
    );
    assert!(found[3].ends_with("that table 5.0 adds"), "{}", found[3]);
    let newest = lines(&all[2..]);
    assert!(
        newest[0].starts_with("2.1 unverified  between two tables: c takes the "),
        "{}",
        newest[0]
    );
    assert_eq!(newest[1], "3.0 unverified  no library below it was asked");
    assert!(lines(&[]).iter().all(|line| line.contains("unverified")));
}

#[test]
fn a_level_is_only_as_good_as_its_library() {
    let wrong = planted("wrong", (level(5, 1), level(3, 1)), |_| None);
    let found = lines(&[faithful("c", level(5, 0)), wrong, faithful("d", level(6, 2))]);
    let of = |level: &str| found.iter().find(|line| line.starts_with(level)).unwrap();
    assert!(of("5.0 ").contains(" verified "));
    assert!(of("5.1 ").contains("unverified  wrong judges "), "{}", of("5.1 "));
    assert!(of("5.2 ").contains("unverified  wrong judges "), "{}", of("5.2 "));
    // Nothing about the table was asked.
    let mut silent = faithful("c", level(5, 0));
    silent.replies.fill(Reply::NotAsked("not wanted".to_owned()));
    let found = lines(&[silent]);
    assert!(
        found.iter().any(|line| line == "5.0 unverified  nothing was asked"),
        "{found:#?}"
    );
}
