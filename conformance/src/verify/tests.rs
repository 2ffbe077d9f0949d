//! Tests with invented libraries.

use std::{
    collections::HashMap,
    sync::{
        Arc, LazyLock,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use dml_case::names::NOT_EXPRESSIBLE;
use dml_ops::{Answer, Backend, Info, Job, JobId, Loss, Rejection, Session, Unavailable};
use dml_plan::{planner::Planner, verdict};
use dml_spec::{Descriptor, FeatureLevel, TensorDesc, Value, model::Operator, model::Tier};

use super::*;

pub(crate) static SUITE: LazyLock<Planner> =
    LazyLock::new(|| Planner::new(dml_spec_yaml::load::catalog().clone()).unwrap());

/// The questions about the tables that the tests use, by level.
pub(crate) static QUESTIONS: LazyLock<HashMap<FeatureLevel, Vec<Question>>> = LazyLock::new(|| {
    let tables = [(2, 1), (3, 1), (5, 0)].map(|(major, minor)| level(major, minor));
    let plan = |table| plan_questions(&SUITE, operator(), table, Tier::Smoke, &|_| true);
    tables.into_iter().map(|table| (table, plan(table))).collect()
});

pub(crate) fn operator() -> &'static Operator {
    SUITE.operator("TOP_K1").unwrap().0
}

type Own = dyn Fn(&Descriptor) -> Option<Answer> + Send + Sync;

/// A library with the rules of a level, but for some answers of its own.
struct Planted {
    rules: FeatureLevel,
    own: Arc<Own>,
    resets: Arc<AtomicUsize>,
}

impl Backend for Planted {
    fn info(&self) -> Info {
        Info {
            feature_level: self.rules,
            ..dml_run::backends::find("cpu").unwrap().info()
        }
    }

    fn open(&self) -> Result<Box<dyn Session>, Unavailable> {
        let (rules, own, resets) = (self.rules, Arc::clone(&self.own), Arc::clone(&self.resets));
        Ok(Box::new(Self { rules, own, resets }))
    }
}

impl Session for Planted {
    fn create(&mut self, job: &Job) -> Answer {
        let descriptor = &*job.descriptor;
        if let Some(answer) = (self.own)(descriptor) {
            return answer;
        }
        let miscounted = |t: &TensorDesc| {
            let strides = t.strides.as_ref();
            strides.is_some_and(|s| s.len() != t.sizes.as_ref().map_or(0, |s| s.len()))
        };
        if tensors(descriptor).any(miscounted) {
            let reason = NOT_EXPRESSIBLE.to_owned();
            return Answer::Skipped { reason };
        }
        let (operator, program) = SUITE.operator("TOP_K1").unwrap();
        let broken = program.evaluate(&SUITE.catalog, operator, descriptor, self.rules);
        match verdict::from_violations(&broken).is_rejection() {
            true => rejected(),
            false => Answer::Created,
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

/// A library that was asked about the table of its level.
struct Asked {
    table: FeatureLevel,
    answers: Vec<Answers>,
}

/// The answers of a library that is asked about a table, has the rules of another level, and some answers of its own.
fn planted(
    table: FeatureLevel,
    rules: FeatureLevel,
    own: impl Fn(&Descriptor) -> Option<Answer> + Send + Sync + 'static,
) -> Asked {
    let library = Planted {
        rules,
        own: Arc::new(own),
        resets: Arc::default(),
    };
    ask(table, &library)
}

fn ask(table: FeatureLevel, library: &Planted) -> Asked {
    let records = ask_library(&SUITE, library, &QUESTIONS[&table], &mut |_| {}).unwrap();
    let answers = vec![Answers {
        name: "planted".to_owned(),
        level: table,
        records,
    }];
    Asked { table, answers }
}

impl Asked {
    fn rows(&self) -> Vec<Row> {
        tally_clauses(&SUITE, operator(), &QUESTIONS[&self.table], &self.answers)
    }

    fn unexpected(&self) -> Vec<Unexpected<'_>> {
        find_unexpected(operator(), &QUESTIONS[&self.table], &self.answers)
    }

    /// Whether the library contradicts the text.
    fn disagrees(&self) -> bool {
        self.rows().iter().any(Row::disagrees) || self.unexpected().iter().any(|answer| answer.normative)
    }

    /// The agreements of the rows about a clause or cell.
    fn agreements(&self, id: &str) -> Vec<Agreement> {
        let rows = self.rows();
        let mut found: Vec<Agreement> = rows
            .iter()
            .filter(|row| row.target.0 == id)
            .map(|row| row.agreement)
            .collect();
        found.dedup();
        found
    }
}

#[test]
fn a_library_with_the_rules_of_its_table_agrees() {
    let asked = planted(level(3, 1), level(3, 1), |_| None);
    assert!(!asked.disagrees());
    assert_eq!(asked.unexpected().len(), 0);
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
        assert_eq!(asked.agreements(id), [expected], "{id}");
    }
    assert_eq!(asked.agreements("TENSOR/output-no-overlap"), [], "it is retired");
}

#[test]
fn forbidden_cells_must_be_rejected() {
    // Rules of a later level: 64-bit values at 3.1, and 3-D at 3.0.
    let lax = planted(level(3, 1), level(5, 0), |_| None);
    assert!(lax.disagrees());
    for cell in [
        "InputTensor/INT64",
        "OutputValueTensor/UINT64",
        "OutputIndexTensor/UINT64",
    ] {
        let found = lax.agreements(&format!("TOP_K1/3.1/{cell}"));
        assert_eq!(found, [Agreement::Disagrees], "{cell}");
    }
    assert_eq!(lax.agreements("TOP_K1/3.1/InputTensor/FLOAT64"), [Agreement::Agrees]);
    let lax = planted(level(2, 1), level(3, 1), |_| None);
    assert!(lax.disagrees());
    assert_eq!(lax.agreements("TOP_K1/2.1/InputTensor/3-D"), [Agreement::Disagrees]);
    assert_eq!(lax.agreements("TOP_K1/2.1/InputTensor/FLOAT64"), [Agreement::Agrees]);
}

#[test]
fn refused_valid_descriptors_are_found() {
    let int8 = 8;
    let never = planted(level(3, 1), level(3, 1), move |d| {
        tensors(d).any(|t| t.data_type == int8).then(rejected)
    });
    assert!(never.disagrees());
    assert_eq!(never.agreements("TOP_K1/3.1/InputTensor/INT8"), [Agreement::Disagrees]);
    assert_eq!(never.agreements("TOP_K1/3.1/InputTensor/FLOAT32"), [Agreement::Agrees]);
    let seldom = planted(level(3, 1), level(3, 1), move |d| {
        tensors(d)
            .any(|t| t.data_type == int8 && t.dimension_count() == 8)
            .then(rejected)
    });
    assert_eq!(seldom.agreements("TOP_K1/3.1/InputTensor/INT8"), [Agreement::InPart]);
    assert!(seldom.disagrees());
}

#[test]
fn a_library_that_contradicts_observations_violates_no_text() {
    // It follows the text, unlike the runtimes.
    let by_text = |d: &Descriptor| match d.fields.as_slice() {
        [Value::Tensor(Some(input)), _, _, Value::UInt(axis), Value::UInt(k), ..] => {
            let sizes = input.sizes.as_deref().unwrap_or_default();
            (sizes.get(*axis as usize) == Some(k)).then(rejected)
        }
        _ => None,
    };
    let asked = planted(level(3, 1), level(3, 1), by_text);
    assert_eq!(asked.agreements("TOP_K1/k-below-axis-size"), [Agreement::Disagrees]);
    assert_eq!(asked.agreements("TOP_K1/k-within-axis"), [Agreement::Agrees]);
    let unexpected = asked.unexpected();
    assert!(!unexpected.is_empty() && unexpected.iter().all(|answer| !answer.normative));
    assert!(!asked.disagrees());
}

#[test]
fn a_library_that_crashes_is_started_again() {
    let two_dimensions = |d: &Descriptor| tensors(d).all(|t| t.dimension_count() == 2);
    let lost = || Answer::Lost {
        how: Loss::Crash,
        message: "gone".to_owned(),
    };
    let library = Planted {
        rules: level(5, 0),
        own: Arc::new(move |d: &Descriptor| two_dimensions(d).then(lost)),
        resets: Arc::default(),
    };
    let asked = ask(level(5, 0), &library);
    let records = &asked.answers[0].records;
    let crashed = records
        .iter()
        .filter(|record| record.outcome == dml_case::outcome::Outcome::Crash);
    let crashed = crashed.count();
    assert!(crashed > 0 && crashed < records.len() / 2, "{crashed}");
    assert!(library.resets.load(Ordering::Relaxed) >= crashed);
    assert!(asked.disagrees(), "no verdict is no agreement");
}
