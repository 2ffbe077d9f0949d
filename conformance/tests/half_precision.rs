//! Programs that compute FLOAT16 tensors in FLOAT16: they fail, and pass with `--half-precision`. Programs that are
//! wrong in any arithmetic fail with it as well.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use std::collections::BTreeMap;

use dml_case::{
    case::Case,
    number::{decode, encode_float},
    outcome::{Basis, Outcome},
    record::{Record, Sink},
    tensor::Shape,
};
use dml_conformance::spec;
use dml_ops::{Answer, Backend, Descriptor, FeatureLevel, Simple, Value};
use dml_plan::planner::Planner;
use dml_run::{
    engine::{Run, Selection, Settings},
    saved::{self, What},
};
use dml_spec::model::{DataType, Tier};

/// Numbers of `DML_REDUCE_FUNCTION`.
const AVERAGE: u32 = 2;
const SUM: u32 = 10;

/// What a program does.
#[derive(Clone, Copy)]
struct Program {
    /// Rounds the result of every operation.
    rounds: fn(f64) -> f64,
    /// Takes exponentials as they are, not relative to the greatest.
    naive: bool,
    /// What it makes of the right result.
    mistake: fn(f64) -> f64,
}

/// Computes in FLOAT16 from the first operation to the last.
const HALF: Program = Program {
    rounds: half,
    naive: false,
    mistake: |x| x,
};

/// Computes in FLOAT32 and rounds the result.
const SINGLE: Program = Program {
    rounds: |x| f64::from(x as f32),
    ..HALF
};

fn float16() -> &'static DataType {
    spec::catalog().data_type_named("FLOAT16").unwrap()
}

/// The nearest number of FLOAT16.
fn half(x: f64) -> f64 {
    decode(float16(), encode_float(float16(), x)).double()
}

impl Program {
    fn sum(&self, terms: impl Iterator<Item = f64>) -> f64 {
        terms.fold(0.0, |sum, x| (self.rounds)(sum + x))
    }

    fn reduced(&self, function: u32, set: &[f64]) -> f64 {
        let r = self.rounds;
        let top = if self.naive {
            0.0
        } else {
            set.iter().copied().fold(f64::NEG_INFINITY, f64::max)
        };
        match function {
            SUM => self.sum(set.iter().copied()),
            AVERAGE => r(self.sum(set.iter().copied()) / r(set.len() as f64)),
            _ => r(top + r(self.sum(set.iter().map(|x| r(r(x - top).exp()))).ln())),
        }
    }

    fn shares(&self, group: &[f64]) -> Vec<f64> {
        let r = self.rounds;
        let top = if self.naive {
            0.0
        } else {
            group.iter().copied().fold(f64::NEG_INFINITY, f64::max)
        };
        let powers: Vec<f64> = group.iter().map(|x| r(r(x - top).exp())).collect();
        let total = self.sum(powers.iter().copied());
        powers.iter().map(|power| r(power / total)).collect()
    }

    /// The program as a backend that has REDUCE and ACTIVATION_SOFTMAX1.
    fn backend(self) -> impl Backend {
        let operators = ["REDUCE", "ACTIVATION_SOFTMAX1"];
        Simple::new(
            "half",
            "1",
            FeatureLevel::new(6, 4),
            operators,
            move |desc, inputs, outputs| {
                self.execute(desc, inputs, outputs);
                Ok(())
            },
        )
    }

    fn execute(&self, desc: &Descriptor, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) {
        let (mut function, mut tensors, mut axes) = (None, Vec::new(), Vec::new());
        for field in &desc.fields {
            match field {
                Value::Tensor(Some(tensor)) => tensors.push(Shape::of(spec::catalog(), tensor).unwrap()),
                Value::UInts(Some(list)) => axes.extend_from_slice(list),
                // The function comes before the tensors, the count of axes after them.
                Value::UInt(value) if tensors.is_empty() => function = Some(*value),
                _ => {}
            }
        }
        let [input, output] = &tensors[..] else {
            panic!("two tensors")
        };
        let elements: Vec<f64> = input
            .read(inputs[0])
            .iter()
            .map(|bits| decode(&input.ty, *bits).double())
            .collect();
        // The elements of each set or group, by the coordinates that they share.
        let mut sets: BTreeMap<Vec<u32>, Vec<usize>> = BTreeMap::new();
        for at in 0..elements.len() {
            let mut place = input.coordinates(at as u64).to_vec();
            axes.iter().for_each(|axis| place[*axis as usize] = 0);
            sets.entry(place).or_default().push(at);
        }
        let mut results = vec![0.0; usize::try_from(output.elements()).unwrap()];
        for (number, set) in sets.values().enumerate() {
            let values: Vec<f64> = set.iter().map(|at| elements[*at]).collect();
            match function {
                Some(function) => results[number] = self.reduced(function, &values),
                None => set
                    .iter()
                    .zip(self.shares(&values))
                    .for_each(|(at, share)| results[*at] = share),
            }
        }
        let bits = results.iter().map(|x| encode_float(&output.ty, (self.mistake)(*x)));
        output.write(outputs[0], bits);
    }
}

fn suite() -> Planner {
    Planner::new(spec::catalog().clone()).unwrap()
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
        let case = case(&suite, function, elements);
        assert_eq!(outcomes(&suite, HALF, &case), FORGIVEN, "{function:?}");
        assert_eq!(outcomes(&suite, SINGLE, &case), RIGHT, "{function:?}");
    }
    // Exponentials of the elements themselves leave the range: LOG_SUM_EXP may come to infinity by its clause.
    let naive = Program { naive: true, ..HALF };
    let large = case(&suite, Some("LOG_SUM_EXP"), &[1000.0, 999.0]);
    assert_eq!(outcomes(&suite, naive, &large), RIGHT);
}

#[test]
fn what_no_arithmetic_gives_fails_where_float16_is_allowed() {
    let suite = suite();
    let elements: Vec<f64> = (0..64).map(|i| 33.0 + f64::from(i % 7)).collect();
    let mistakes: [(&str, fn(f64) -> f64); 5] = [
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
                let case = case(&suite, function, &elements[..n]);
                for program in [HALF, SINGLE] {
                    let program = Program { mistake, ..program };
                    assert_eq!(outcomes(&suite, program, &case), WRONG, "{name}: {function:?} of {n}");
                }
                assert_eq!(outcomes(&suite, HALF, &case)[1], Outcome::Pass, "{function:?} of {n}");
            }
        }
    }
    // Of a mean that leaves the range, an infinity of the wrong sign and NaN are wrong.
    let mean = case(&suite, Some("AVERAGE"), &[60000.0, 60000.0]);
    let mistakes: [fn(f64) -> f64; 2] = [|_| f64::NAN, |_| f64::NEG_INFINITY];
    for mistake in mistakes {
        assert_eq!(outcomes(&suite, Program { mistake, ..HALF }, &mean), WRONG);
    }
}

#[test]
fn exponentials_of_the_elements_themselves_fail_in_any_arithmetic() {
    let suite = suite();
    for elements in [[1000.0, 999.0], [-200.0, -200.0]] {
        let case = case(&suite, None, &elements);
        for program in [HALF, SINGLE] {
            let naive = Program { naive: true, ..program };
            assert_eq!(outcomes(&suite, naive, &case), WRONG, "{elements:?}");
            assert_eq!(outcomes(&suite, program, &case)[1], Outcome::Pass, "{elements:?}");
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

/// What a program does in the plan, whatever its data: as many families as take it out of its range or round much.
fn planned(suite: &Planner, program: Program, queries: &str, basis: Basis, half_precision: bool) -> Counts {
    let selection = Selection {
        queries: queries.split_whitespace().map(|query| query.parse().unwrap()).collect(),
        ..Selection::default()
    };
    let settings = Settings {
        tier: Tier::Standard,
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

const MEANS: &str = "REDUCE:3.0:variants:fn=AVERAGE,type=FLOAT16 REDUCE:3.0:sizes:fn=AVERAGE,type=FLOAT16 \
                     REDUCE:3.0:rounding:fn=AVERAGE,type=FLOAT16";
const SUMS: &str = "REDUCE:3.0:variants:fn=SUM,type=FLOAT16 REDUCE:3.0:sizes:fn=SUM,type=FLOAT16 \
                    REDUCE:3.0:rounding:fn=SUM,type=FLOAT16";
const SHARES: &str = "ACTIVATION_SOFTMAX1:5.1:sizes:type=FLOAT16 ACTIVATION_SOFTMAX1:5.1:accuracy:type=FLOAT16";

#[test]
fn the_plan_refuses_float16_arithmetic_unless_it_is_allowed() {
    let suite = suite();
    for queries in [MEANS, SUMS, SHARES] {
        for basis in [Basis::Text, Basis::Runtime] {
            let without = planned(&suite, HALF, queries, basis, false);
            assert!(without.of("fail") >= 5, "{queries}: {:?}", without.0);
            let with = planned(&suite, HALF, queries, basis, true);
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
        let counts = planned(&suite, program, queries, Basis::Runtime, true);
        assert!(counts.of("fail") >= 5, "{name}: {:?}", counts.0);
    }
}
