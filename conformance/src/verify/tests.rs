//! Tests with invented libraries.

use std::{
    collections::{HashMap, HashSet},
    sync::{
        LazyLock,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use crate::backends;
use dml_case::{names::NOT_EXPRESSIBLE, outcome::Basis};
use dml_judge::Options;
use dml_ops::{Answer, Backend, Info, Loss, Rejection, Session, Unavailable};
use dml_plan::verdict;
use dml_spec::{Descriptor, TensorDesc, Value};

use super::*;

static SUITE: LazyLock<Planner> = LazyLock::new(|| Planner::new(dml_spec_yaml::load::catalog().clone()).unwrap());

/// The cases about the tables that the tests use, by level.
static CASES: LazyLock<HashMap<FeatureLevel, Vec<Case>>> = LazyLock::new(|| {
    let plan = |table| plan_creations(&SUITE, operator(), table, Tier::Smoke, &|_| true);
    [(2, 1), (3, 1), (5, 0)]
        .map(|(major, minor)| level(major, minor))
        .into_iter()
        .map(|table| (table, plan(table)))
        .collect()
});

fn operator() -> &'static Operator {
    SUITE.operator("TOP_K1").unwrap().0
}

fn level(major: u32, minor: u32) -> FeatureLevel {
    FeatureLevel::new(major, minor)
}

fn rejected() -> Answer {
    Answer::Rejected(Rejection::default())
}

fn tensors(descriptor: &Descriptor) -> impl Iterator<Item = &TensorDesc> {
    descriptor.fields.iter().filter_map(|value| match value {
        Value::Tensor(tensor) => tensor.as_ref(),
        _ => None,
    })
}

/// What a library answers that has the rules of a level.
fn answer(rules: FeatureLevel, descriptor: &Descriptor) -> Answer {
    let count = |sizes: &Option<dml_spec::Dims>| sizes.as_ref().map_or(0, |sizes| sizes.len());
    let miscounted = |t: &TensorDesc| t.strides.is_some() && count(&t.strides) != count(&t.sizes);
    if tensors(descriptor).any(miscounted) {
        let reason = NOT_EXPRESSIBLE.to_owned();
        return Answer::Skipped { reason };
    }
    let (operator, program) = SUITE.operator("TOP_K1").unwrap();
    let broken = program.evaluate(&SUITE.catalog, operator, descriptor, rules);
    match verdict::from_violations(&broken).is_rejection() {
        true => rejected(),
        false => Answer::Created,
    }
}

/// A library that was asked about the table of its level.
struct Asked {
    table: FeatureLevel,
    answers: Vec<Answers>,
}

/// A library that is asked about a table, has the rules of another level, and some answers of its own.
fn ask(table: FeatureLevel, rules: FeatureLevel, own: impl Fn(&Descriptor) -> Option<Answer>) -> Asked {
    let answers = vec![answers_to(&CASES[&table], table, rules, own)];
    Asked { table, answers }
}

/// What it answers to these cases.
fn answers_to(
    cases: &[Case],
    table: FeatureLevel,
    rules: FeatureLevel,
    own: impl Fn(&Descriptor) -> Option<Answer>,
) -> Answers {
    let info = backends::find("cpu").unwrap().info();
    let options = Options {
        basis: Basis::Runtime,
        strict_reasons: false,
        half_precision: false,
        info: &info,
    };
    let record = |case: &Case| {
        let answer = own(&case.descriptor).unwrap_or_else(|| answer(rules, &case.descriptor));
        match answer {
            Answer::Lost { .. } => Record::new(case.id.clone(), Outcome::Crash),
            answer => {
                let judged = dml_judge::judge(&SUITE, case, &answer, &options);
                Record::new(case.id.clone(), judged.outcome).judged(judged)
            }
        }
    };
    Answers {
        name: "planted".to_owned(),
        level: table,
        records: cases.iter().map(record).collect(),
    }
}

impl Asked {
    fn rows(&self) -> Vec<Row> {
        let table = operator().table_at(self.table).unwrap();
        tally_clauses(&SUITE, operator(), table, &CASES[&self.table], &self.answers)
    }

    fn unexpected(&self) -> Vec<Unexpected<'_>> {
        let table = operator().table_at(self.table).unwrap();
        find_unexpected(&SUITE, operator(), table, &CASES[&self.table], &self.answers)
    }

    /// Whether the library contradicts the text.
    fn disagrees(&self) -> bool {
        self.rows().iter().any(Row::disagrees) || self.unexpected().iter().any(|answer| answer.normative)
    }

    /// Checks what the rows of clauses or cells come to.
    fn comes_to(&self, expected: &[(&str, Agreement)]) {
        let rows = self.rows();
        for (id, agreement) in expected {
            let row = rows.iter().find(|row| row.id == *id);
            assert_eq!(row.map(|row| row.agreement), Some(*agreement), "{id}");
        }
    }
}

#[test]
fn descriptors_are_asked_about_once_and_none_that_may_crash_a_library() {
    let erratic = "TENSOR/total-size-far";
    for cases in CASES.values() {
        let distinct: HashSet<u128> = cases.iter().map(content_digest).collect();
        assert_eq!(distinct.len(), cases.len());
        assert!(
            cases
                .iter()
                .all(|case| !case.verdict.clauses().iter().any(|id| id == erratic))
        );
    }
}

#[test]
fn a_library_with_the_rules_of_its_table_agrees() {
    let asked = ask(level(3, 1), level(3, 1), |_| None);
    assert!(!asked.disagrees());
    assert_eq!(asked.unexpected().len(), 0);
    asked.comes_to(&[
        ("TOP_K1/axis-in-range", Agreement::Agrees),
        ("TOP_K1/k-below-axis-size", Agreement::Disputed),
        ("TENSOR/alignment-at-least-16", Agreement::Disputed),
        ("TENSOR/output-reach", Agreement::Observed),
        ("TENSOR/input-may-overlap", Agreement::Observed),
        ("TENSOR/strides-per-dimension", Agreement::NotExpressible),
        ("TOP_K1/3.1/InputTensor/INT64", Agreement::Agrees),
        ("TOP_K1/3.1/InputTensor/INT8", Agreement::Agrees),
    ]);
    let retired = "TENSOR/output-no-overlap";
    assert!(asked.rows().iter().all(|row| row.id != retired));
}

#[test]
fn forbidden_cells_must_be_rejected() {
    // Rules of a later level: 64-bit values at 3.1, and 3-D at 3.0.
    let lax = ask(level(3, 1), level(5, 0), |_| None);
    assert!(lax.disagrees());
    lax.comes_to(&[
        ("TOP_K1/3.1/InputTensor/INT64", Agreement::Disagrees),
        ("TOP_K1/3.1/OutputValueTensor/UINT64", Agreement::Disagrees),
        ("TOP_K1/3.1/OutputIndexTensor/UINT64", Agreement::Disagrees),
        ("TOP_K1/3.1/InputTensor/FLOAT64", Agreement::Agrees),
    ]);
    let lax = ask(level(2, 1), level(3, 1), |_| None);
    assert!(lax.disagrees());
    lax.comes_to(&[
        ("TOP_K1/2.1/InputTensor/3-D", Agreement::Disagrees),
        ("TOP_K1/2.1/InputTensor/FLOAT64", Agreement::Agrees),
    ]);
}

#[test]
fn rejected_valid_descriptors_are_found() {
    const INT8: u32 = 8;
    let never = ask(level(3, 1), level(3, 1), |d| {
        tensors(d).any(|t| t.data_type == INT8).then(rejected)
    });
    assert!(never.disagrees());
    never.comes_to(&[
        ("TOP_K1/3.1/InputTensor/INT8", Agreement::Disagrees),
        ("TOP_K1/3.1/InputTensor/FLOAT32", Agreement::Agrees),
    ]);
    let seldom = ask(level(3, 1), level(3, 1), |d| {
        let mut tensors = tensors(d);
        tensors
            .any(|t| t.data_type == INT8 && t.dimension_count() != 4)
            .then(rejected)
    });
    assert!(seldom.disagrees());
    seldom.comes_to(&[("TOP_K1/3.1/InputTensor/INT8", Agreement::InPart)]);
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
    let asked = ask(level(3, 1), level(3, 1), by_text);
    asked.comes_to(&[
        ("TOP_K1/k-below-axis-size", Agreement::Disagrees),
        ("TOP_K1/k-within-axis", Agreement::Agrees),
    ]);
    let unexpected = asked.unexpected();
    assert!(!unexpected.is_empty() && unexpected.iter().all(|answer| !answer.normative));
    assert!(!asked.disagrees());
}

#[test]
fn a_crash_is_no_agreement() {
    let asked = ask(level(5, 0), level(5, 0), |d| {
        tensors(d).all(|t| t.dimension_count() == 2).then(|| Answer::Lost {
            how: Loss::Crash,
            message: "gone".to_owned(),
        })
    });
    assert!(asked.disagrees());
    assert!(
        asked
            .unexpected()
            .iter()
            .all(|answer| answer.record.outcome == Outcome::Crash)
    );
}

/// What a library of this name and level tells something of.
fn telling<'a>(operator: &'a Operator, table: &SupportTable, name: &str, level: FeatureLevel) -> Telling<'a> {
    let library = Answers {
        name: name.to_owned(),
        level,
        records: Vec::new(),
    };
    Telling::new(&SUITE, operator, table, &library)
}

#[test]
fn a_release_tells_nothing_of_cells_that_it_is_known_to_judge_otherwise() {
    let mut table = operator().table_at(level(3, 1)).unwrap().clone();
    table.differs.to_mut().push(dml_spec::model::CellDifference {
        runtime: "DirectML 1.4.0 and 1.5.1".into(),
        tensors: vec!["InputTensor".into()].into(),
        dimensions: vec![2].into(),
        ..Default::default()
    });
    let (known, other) = (
        telling(operator(), &table, "1.5.1", level(3, 1)),
        telling(operator(), &table, "1.8.0", level(3, 1)),
    );
    let (mut of_two, mut of_others) = (0, 0);
    for case in &CASES[&level(3, 1)] {
        let input = tensors(&case.descriptor).next();
        let is_two = input.is_some_and(|input| input.dimension_count() == 2);
        assert_eq!((known.of(case), other.of(case)), (!is_two, true), "{}", case.id);
        *(if is_two { &mut of_two } else { &mut of_others }) += 1;
    }
    assert!(of_two > 0 && of_others > 0, "{of_two} {of_others}");
}

#[test]
fn a_rule_about_a_level_between_table_and_library_tells_nothing() {
    let (padding, _) = SUITE.operator("PADDING").unwrap();
    let table = padding.table_at(level(2, 1)).unwrap();
    let cases = plan_creations(&SUITE, padding, table.level, Tier::Smoke, &|_| true);
    let (old, new) = (
        telling(padding, table, "1.0.0", level(2, 1)),
        telling(padding, table, "1.4.0", level(3, 0)),
    );
    let breaks = |case: &Case| {
        let clauses = case.verdict.clauses();
        clauses.iter().any(|clause| **clause == *"PADDING/symmetric-since-3-0")
    };
    let (about, others): (Vec<&Case>, Vec<&Case>) = cases.iter().partition(|case| breaks(case));
    assert!(
        !about.is_empty() && !others.is_empty(),
        "{} {}",
        about.len(),
        others.len()
    );
    assert!(cases.iter().all(|case| old.of(case)));
    assert!(about.iter().all(|case| !new.of(case)) && others.iter().all(|case| new.of(case)));
}

#[test]
fn random_changes_ask_for_rules_that_nobody_wrote_down() {
    let (table, operator) = (level(3, 1), operator());
    let of_level = operator.table_at(table).unwrap();
    let walked = plan_walks(&SUITE, operator, table, (200, &|_| true), &CASES[&table]);
    assert!(walked.len() > 150, "{}", walked.len());
    let planned: HashSet<u128> = CASES[&table].iter().map(content_digest).collect();
    assert!(walked.iter().all(|case| !planned.contains(&content_digest(case))));
    // Most changes break something; those that break nothing show rules of the libraries alone.
    let accepted = walked.iter().filter(|case| !case.verdict.is_rejection()).count();
    assert!(accepted > 5 && accepted < walked.len() - 50, "{accepted}");
    // The right library, and one that looks at no tensor with strides.
    let strided = |descriptor: &Descriptor| {
        let is_strided = tensors(descriptor).any(|tensor| tensor.strides.is_some());
        is_strided.then_some(Answer::Created)
    };
    let none = plan_walks(
        &SUITE,
        operator,
        table,
        (200, &|id| id.get("k").is_none()),
        &CASES[&table],
    );
    assert!(none.is_empty(), "ids that were not asked for");
    let count = |library: &Answers| -> Count {
        let judge = Judge::new(&SUITE, operator, of_level, library);
        let pairs = walked.iter().zip(&library.records);
        pairs.map(|(case, record)| judge.judge(case, record)).collect()
    };
    let right = count(&answers_to(&walked, table, table, |_| None));
    let other = count(&answers_to(&walked, table, table, strided));
    let answered = |count: &Count, words: &[Answered]| words.iter().map(|word| count.of(*word)).sum::<u64>();
    let expected = [Answered::AsWritten, Answered::AsObserved, Answered::NotAsked];
    assert!(right.of(Answered::AsWritten) > 100, "{right:?}");
    assert_eq!(answered(&right, &expected), walked.len() as u64, "{right:?}");
    assert!(other.of(Answered::Otherwise) > 5, "{other:?}");
}

#[test]
fn what_a_release_judges_by_a_rule_of_its_own_counts_for_that_release_alone() {
    let (operator, program) = SUITE.operator("ACTIVATION_SOFTPLUS").unwrap();
    let clause = "ACTIVATION_SOFTPLUS/steepness-at-least-1";
    let table = operator.table_at(level(3, 0)).unwrap();
    let cases = plan_creations(&SUITE, operator, table.level, Tier::Smoke, &|_| true);
    let lenient = |name: &str| {
        let own = |descriptor: &Descriptor| {
            let mut broken = program.evaluate(&SUITE.catalog, operator, descriptor, table.level);
            broken.retain(|broken| broken.clause != clause);
            let is_rejected = verdict::from_violations(&broken).is_rejection();
            Some(if is_rejected { rejected() } else { Answer::Created })
        };
        Answers {
            name: name.to_owned(),
            ..answers_to(&cases, table.level, table.level, own)
        }
    };
    for (name, agreement, unexpected) in [
        ("1.13.1", Agreement::Disagrees, true),
        ("1.15.4", Agreement::Disputed, false),
    ] {
        let answers = [lenient(name)];
        let rows = tally_clauses(&SUITE, operator, table, &cases, &answers);
        let row = rows.iter().find(|row| row.id == clause).unwrap();
        assert_eq!(row.agreement, agreement, "{name}");
        let found = find_unexpected(&SUITE, operator, table, &cases, &answers);
        assert_eq!(!found.is_empty(), unexpected, "{name}");
        for answer in found {
            // What only observations foretell counts as well, but a crash on it is no answer.
            let seen = |outcome| Record {
                outcome,
                ..answer.record.clone()
            };
            let is_otherwise = |record: &Record, normative| {
                let answer = answer.clone();
                Unexpected {
                    record,
                    normative,
                    ..answer
                }
                .is_otherwise()
            };
            assert!(is_otherwise(&seen(Outcome::Fail), false));
            assert!(is_otherwise(&seen(Outcome::Crash), true));
            assert!(!is_otherwise(&seen(Outcome::Crash), false));
        }
    }
}

/// `spec verify` wrote the table: every release that the specification calls asked has a line for each operator that it
/// has, and answered nothing otherwise that docs/directml.md does not explain.
#[test]
fn the_table_of_answers_is_whole_and_has_none_unexplained() {
    let text = include_str!("../../../docs/verified.md");
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| operator") && !line.starts_with("| ---"))
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    let document = include_str!("../../../docs/directml.md");
    let is_explained = |operator: &str| document.contains(&format!("elements of {operator} are refused"));
    let otherwise = rows.iter().filter(|row| row[5] != "0" || row[11] != "0");
    let unexplained: Vec<&Vec<&str>> = otherwise
        .filter(|row| row[1] != "all" && !is_explained(row[1]))
        .collect();
    assert!(unexplained.is_empty(), "{unexplained:?}");
    let written: HashSet<(&str, &str)> = rows.iter().map(|row| (row[1], row[2])).collect();
    let asked = |operator: &Operator| -> Vec<(String, String)> {
        let releases = SUITE
            .catalog
            .asked
            .iter()
            .filter(|release| release.level >= operator.introduced);
        releases
            .map(|release| (operator.name.to_string(), release.release.to_string()))
            .collect()
    };
    let missing = SUITE.catalog.operators.iter().flat_map(asked);
    let missing: Vec<(String, String)> = missing
        .filter(|(name, release)| !written.contains(&(name, release)))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// The CPU backend, which can be opened from some time on.
#[derive(Default)]
struct Late {
    ready: AtomicBool,
}

impl Backend for Late {
    fn info(&self) -> Info {
        dml_cpu::backend().info()
    }

    fn open(&self) -> Result<Box<dyn Session>, Unavailable> {
        match self.ready.load(Ordering::SeqCst) {
            true => dml_cpu::backend().open(),
            false => Err(Unavailable {
                reason: "not yet".to_owned(),
                remedy: "wait".to_owned(),
            }),
        }
    }
}

#[test]
fn questions_are_answered_in_order_and_after_a_loss() {
    let late = Late::default();
    let questions: Vec<std::sync::Arc<[Case]>> = CASES[&level(2, 1)].chunks(70).map(Into::into).collect();
    assert!(questions.len() > 1);
    thread::scope(|threads| {
        let asking = Asking::start(threads, &SUITE, &late);
        asking.ask(&questions[0]);
        assert_eq!(asking.answer().unwrap_err().reason, "not yet");
        late.ready.store(true, Ordering::SeqCst);
        questions.iter().for_each(|question| asking.ask(question));
        for question in &questions {
            let ids = asking.answer().unwrap().into_iter().map(|record| record.id.to_string());
            let asked = question.iter().map(|case| case.id.to_string());
            assert_eq!(ids.collect::<Vec<_>>(), asked.collect::<Vec<_>>());
        }
    });
}
