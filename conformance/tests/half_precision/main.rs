//! Programs that compute FLOAT16 tensors in FLOAT16: they fail, and pass with `--half-precision`. Programs that are
//! wrong in any arithmetic fail with it as well.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

mod program;

use std::{collections::BTreeMap, sync::LazyLock};

use dml_case::{
    case::Case,
    outcome::{Basis, Outcome},
    record::{Record, Sink},
};
use dml_conformance::spec;
use dml_ops::{Answer, Backend};
use dml_plan::planner::Planner;
use dml_run::{
    engine::{Run, Selection, Settings},
    saved::{self, What},
};
use dml_spec::model::Tier;

use self::program::{HALF, Order, Program, SINGLE};

/// One suite for all tests, so that each plan is made once.
fn suite() -> &'static Planner {
    static SUITE: LazyLock<Planner> = LazyLock::new(|| Planner::new(spec::catalog().clone()).unwrap());
    &SUITE
}

/// A case of FLOAT16 elements in one row, by `fn=SUM` and the like; SOFTMAX1 without.
fn case(suite: &Planner, function: Option<&str>, elements: &[f64]) -> Case {
    let n = elements.len();
    let out = if function.is_some() { 1 } else { n };
    let tensor = |n: usize| format!(r#"{{"DataType": "FLOAT16", "Sizes": [1, {n}]}}"#);
    let (operator, function) = match function {
        Some(function) => ("REDUCE", format!(r#""Function": "DML_REDUCE_FUNCTION_{function}", "#)),
        None => ("ACTIVATION_SOFTMAX1", String::new()),
    };
    let text = format!(
        r#"{{"format": "dml-cts-case", "version": 1, "operator": "{operator}", "feature_level": "6.4", "mode": "execute",
            "desc": {{{function}"InputTensor": {}, "OutputTensor": {}, "AxisCount": 1, "Axes": [1]}},
            "inputs": {{"InputTensor": {{"data": {elements:?}}}}}}}"#,
        tensor(n),
        tensor(out),
    );
    match saved::read(suite, text.as_bytes()).unwrap().what {
        What::Case(case) => *case,
        What::Order(_) => panic!("one case"),
    }
}

/// Outcome of a case without `--half-precision` and with it; it has to be the same on both bases.
fn outcomes(suite: &Planner, program: Program, case: &Case) -> [Outcome; 2] {
    let backend = program.backend();
    let info = backend.info();
    let mut session = backend.open().unwrap();
    let (operator, _) = suite.operator(case.id.operator()).unwrap();
    let (inputs, outputs) = dml_case::poison::buffers(operator, case);
    session.submit(vec![dml_ops::Job {
        id: 0,
        feature_level: case.id.level(),
        descriptor: case.descriptor.clone(),
        inputs,
        outputs,
        aliases: Box::default(),
        half_precision: true,
    }]);
    let (_, answer) = session.poll(std::time::Duration::ZERO).remove(0);
    assert!(matches!(answer, Answer::Executed { .. }), "{answer:?}");
    [false, true].map(|half_precision| {
        let on = |basis| {
            let options = dml_judge::Options {
                basis,
                strict_reasons: false,
                half_precision,
                info: &info,
            };
            dml_judge::judge(suite, case, &answer, &options).outcome
        };
        assert_eq!(on(Basis::Text), on(Basis::Runtime));
        on(Basis::Text)
    })
}

const FORGIVEN: [Outcome; 2] = [Outcome::Fail, Outcome::Pass];
const RIGHT: [Outcome; 2] = [Outcome::Pass; 2];
const WRONG: [Outcome; 2] = [Outcome::Fail; 2];

#[test]
fn float16_arithmetic_passes_where_it_is_allowed() {
    let suite = suite();
    let ones = [1.0; 4096];
    for (function, elements) in [
        // The sum is infinite; a running sum stands still at 2048; so does one of exponentials.
        (Some("AVERAGE"), &[60000.0, 60000.0][..]),
        (Some("SUM"), &ones),
        (None, &ones),
    ] {
        let case = case(suite, function, elements);
        assert_eq!(outcomes(suite, HALF, &case), FORGIVEN, "{function:?}");
        assert_eq!(outcomes(suite, SINGLE, &case), RIGHT, "{function:?}");
    }
    // Exponentials of the elements themselves leave the range: LOG_SUM_EXP may come to infinity by its clause.
    let naive = Program { naive: true, ..HALF };
    let large = case(suite, Some("LOG_SUM_EXP"), &[1000.0, 999.0]);
    assert_eq!(outcomes(suite, naive, &large), RIGHT);
}

#[test]
fn what_no_arithmetic_gives_fails_where_float16_is_allowed() {
    let suite = suite();
    let elements: Vec<f64> = (0..64).map(|i| 33.0 + f64::from(i % 7)).collect();
    type Mistake = (&'static str, fn(f64) -> f64);
    let mistakes: [Mistake; 5] = [
        ("NaN", |_| f64::NAN),
        ("infinite", |_| f64::INFINITY),
        ("ten percent more", |x| x * 1.1),
        ("ten percent less", |x| x * 0.9),
        ("negated", |x| -x),
    ];
    for (name, mistake) in mistakes {
        for function in [Some("AVERAGE"), Some("SUM"), Some("LOG_SUM_EXP"), None] {
            // Exponentials of these elements do leave the range, which the clause grants.
            if (name, function) == ("infinite", Some("LOG_SUM_EXP")) {
                continue;
            }
            for n in [2, 5, 33, 64] {
                let case = case(suite, function, &elements[..n]);
                for program in [HALF, SINGLE] {
                    let program = Program { mistake, ..program };
                    assert_eq!(outcomes(suite, program, &case), WRONG, "{name}: {function:?} of {n}");
                }
                assert_eq!(outcomes(suite, HALF, &case)[1], Outcome::Pass, "{function:?} of {n}");
            }
        }
    }
    // Of a mean that leaves the range, an infinity of the wrong sign and NaN are wrong.
    let mean = case(suite, Some("AVERAGE"), &[60000.0, 60000.0]);
    let mistakes: [fn(f64) -> f64; 2] = [|_| f64::NAN, |_| f64::NEG_INFINITY];
    for mistake in mistakes {
        assert_eq!(outcomes(suite, Program { mistake, ..HALF }, &mean), WRONG);
    }
}

#[test]
fn exponentials_of_the_elements_themselves_fail_in_any_arithmetic() {
    let suite = suite();
    for elements in [[1000.0, 999.0], [-200.0, -200.0]] {
        let case = case(suite, None, &elements);
        for program in [HALF, SINGLE] {
            let naive = Program { naive: true, ..program };
            assert_eq!(outcomes(suite, naive, &case), WRONG, "{elements:?}");
            assert_eq!(outcomes(suite, program, &case)[1], Outcome::Pass, "{elements:?}");
        }
    }
}

/// Cases by outcome.
#[derive(Default)]
struct Counts(BTreeMap<&'static str, u64>, Vec<String>);

impl Sink for Counts {
    fn record(&mut self, record: &Record) {
        *self.0.entry(record.outcome.word()).or_default() += 1;
        if record.outcome.is_failure() {
            self.1
                .push(format!("{} {:?} {:?}", record.id, record.message, record.first));
        }
    }
}

impl Counts {
    fn of(&self, outcome: &str) -> u64 {
        self.0.get(outcome).copied().unwrap_or_default()
    }
}

/// Standard with `DML_CTS_TIER=standard`, else smoke.
fn tier() -> Tier {
    let is_asked = std::env::var("DML_CTS_TIER").is_ok_and(|tier| tier == "standard");
    if is_asked { Tier::Standard } else { Tier::Smoke }
}

/// What a program does in the plan, whatever its data: as many families as take it out of its range or round much.
fn planned(suite: &Planner, program: Program, queries: &str, basis: Basis, half_precision: bool) -> Counts {
    let selection = Selection {
        queries: queries.split_whitespace().map(|query| query.parse().unwrap()).collect(),
        ..Selection::default()
    };
    let settings = Settings {
        tier: tier(),
        basis,
        half_precision,
        ..Settings::default()
    };
    let run = Run {
        suite,
        backend: &program.backend(),
        selection: &selection.resolve(suite).unwrap(),
        settings: &settings,
        lock: None,
    };
    let mut counts = Counts::default();
    run.execute(&mut counts);
    counts
}

const MEANS: &str = "REDUCE:*:*:fn=AVERAGE,type=FLOAT16";
const SUMS: &str = "REDUCE:*:*:fn=SUM,type=FLOAT16";
const SHARES: &str = "ACTIVATION_SOFTMAX1:*:*:type=FLOAT16";

#[test]
fn the_plan_refuses_float16_arithmetic_unless_it_is_allowed() {
    let suite = suite();
    for queries in [MEANS, SUMS, SHARES] {
        for basis in [Basis::Text, Basis::Runtime] {
            let without = planned(suite, HALF, queries, basis, false);
            let least = if tier() == Tier::Smoke { 3 } else { 5 };
            assert!(without.of("fail") >= least, "{queries}: {:?}", without.0);
            let with = planned(suite, HALF, queries, basis, true);
            assert_eq!(with.of("fail"), 0, "{queries}: {:?} {:#?}", with.0, with.1);
            // What passes is judged: no more is unspecified than before.
            assert_eq!(with.of("pass"), without.of("pass") + without.of("fail"), "{queries}");
            assert_eq!(with.of("unspecified"), without.of("unspecified"), "{queries}");
        }
    }
}

#[test]
fn the_plan_refuses_mistakes_where_float16_arithmetic_is_allowed() {
    let suite = suite();
    let program = |mistake| Program { mistake, ..HALF };
    let naive = Program { naive: true, ..HALF };
    for (name, program, queries) in [
        ("ten percent more", program(|x| x * 1.1), MEANS),
        ("negated", program(|x| -x), SUMS),
        ("NaN", program(|_| f64::NAN), SHARES),
        ("naive", naive, SHARES),
    ] {
        let counts = planned(suite, program, queries, Basis::Runtime, true);
        assert!(counts.of("fail") >= 5, "{name}: {:?}", counts.0);
    }
}

/// Cases of the other functions and operators that compute reals.
const OTHERS: &str = "REDUCE:*:*:type=FLOAT16,out=FLOAT16 CUMULATIVE_SUMMATION:*:*:type=FLOAT16 \
                      ELEMENT_WISE_ADD1:*:*:type=FLOAT16 ACTIVATION_LINEAR:*:*:type=FLOAT16 \
                      ACTIVATION_LEAKY_RELU:*:*:type=FLOAT16";

#[test]
fn float16_arithmetic_in_any_order_passes_the_plan_where_it_is_allowed() {
    let suite = suite();
    for order in [Order::Backward, Order::Pairwise] {
        let program = Program {
            order,
            termwise: true,
            ..HALF
        };
        let counts = planned(suite, program, OTHERS, Basis::Runtime, true);
        assert!(counts.of("pass") >= 100, "{:?}", counts.0);
        assert_eq!(counts.of("fail"), 0, "{:#?}", counts.1);
    }
}
