//! Sizes and strides that nobody has the memory for: refused, or judged as what they are, without taking it.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use std::{ops::ControlFlow, sync::LazyLock};

use allocation_counter::measure;
use dml_case::{
    case::{Case, Mode},
    id::CaseId,
    outcome::{Basis, Outcome},
    record::{Record, Sink},
};
use dml_conformance::{backends, spec};
use dml_ops::Job;
use dml_plan::{builder::Builder, planner::Planner};
use dml_run::json;
use dml_run::{
    engine::{Run, Selection, Settings},
    protocol::{Request, read_request},
};
use dml_spec::{
    Dims, TensorDesc, Value,
    model::{Role, Tier},
};

/// What a descriptor and its diagnostics may take.
const FEW: u64 = 1 << 20;

/// Sizes with strides: the most elements that a tensor may have, more than 64 bits can count, and products that come
/// out small where they wrap around.
const TENSORS: [(&[u32], Option<&[u32]>); 9] = [
    (&[1, 1, 1, u32::MAX], None),
    (&[1, 1, 65535, 65537], None),
    (&[1, 1, 65536, 65536], None),
    (&[u32::MAX; 4], None),
    (&[u32::MAX; 8], None),
    (&[1 << 31, 1 << 31, 4, 1], None),
    (&[u32::MAX; 4], Some(&[0; 4])),
    (&[2, u32::MAX, u32::MAX, u32::MAX], Some(&[u32::MAX; 4])),
    (&[1 << 31, 2, 1 << 31, 4], Some(&[1 << 31, 1 << 31, 4, 1])),
];

/// Total sizes that requests name.
const TOTALS: [u64; 4] = [0, 4, u32::MAX as u64, u64::MAX];

/// One suite for all tests, so that each plan is made once.
fn suite() -> &'static Planner {
    static SUITE: LazyLock<Planner> = LazyLock::new(|| Planner::new(spec::catalog().clone()).unwrap());
    &SUITE
}

/// A case of every operator: one that runs, where there is one.
fn cases(suite: &Planner) -> Vec<Case> {
    let mut found: Vec<Case> = Vec::new();
    for bucket in dml_plan::buckets(suite, Tier::Smoke) {
        let _ = dml_plan::for_each_case(suite, &bucket, Tier::Smoke, 0, &mut |case| {
            let before = found
                .iter_mut()
                .find(|before| before.id.operator() == case.id.operator());
            match before {
                None => found.push(case),
                Some(before) if before.mode == Mode::Create && case.mode == Mode::Execute => *before = case,
                Some(_) => {}
            }
            ControlFlow::Break(())
        });
    }
    found
}

/// The case's descriptor with all of its tensors, or its outputs alone, like this.
fn with(suite: &Planner, case: &Case, inputs: bool, (sizes, strides): (&[u32], Option<&[u32]>), total: u64) -> Vec<u8> {
    let (operator, _) = suite.operator(case.id.operator()).unwrap();
    let mut descriptor = (*case.descriptor).clone();
    let change = |tensor: &mut TensorDesc| {
        tensor.sizes = Some(Dims::from_slice(sizes));
        tensor.strides = strides.map(Dims::from_slice);
        tensor.total_tensor_size_in_bytes = total;
    };
    for (field, value) in operator.fields.iter().zip(&mut descriptor.fields) {
        match value {
            _ if !inputs && field.kind.role() == Some(Role::Input) => {}
            Value::Tensor(Some(tensor)) => change(tensor),
            Value::Tensors(Some(tensors)) => tensors.iter_mut().for_each(change),
            _ => {}
        }
    }
    json::write(&suite.catalog, &descriptor)
        .unwrap()
        .to_string()
        .into_bytes()
}

/// Does something, which must not take much memory.
fn sparing<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let mut result = None;
    let used = measure(|| result = Some(work()));
    assert!(used.bytes_max < FEW, "{what}: {} bytes", used.bytes_max);
    result.unwrap()
}

#[test]
fn descriptors_are_judged_for_what_they_say() {
    let suite = suite();
    for case in cases(suite) {
        let (operator, program) = suite.operator(case.id.operator()).unwrap();
        for tensor in TENSORS {
            for total in TOTALS {
                let text = with(suite, &case, true, tensor, total);
                let violations = sparing(&format!("{} {tensor:?} {total}", operator.name), || {
                    let descriptor = json::read(&suite.catalog, &text).unwrap();
                    program.evaluate(&suite.catalog, operator, &descriptor, case.id.level())
                });
                // Nothing of this size fits into what is given, or is as few elements as a tensor may have.
                assert!(
                    violations.iter().any(|v| v.runtime) || total == u64::MAX,
                    "{} {tensor:?} {total}",
                    operator.name
                );
            }
        }
    }
}

#[test]
fn requests_are_read_without_what_they_announce() {
    let suite = suite();
    for case in cases(suite) {
        for tensor in TENSORS {
            for total in TOTALS {
                let desc: serde_json::Value = serde_json::from_slice(&with(suite, &case, true, tensor, total)).unwrap();
                let request = |kind: &str, more: &str| {
                    let (level, name) = (case.id.level(), case.id.operator());
                    format!(
                        r#"{{"type":"{kind}","id":1,"feature_level":"{level}","operator":"{name}","desc":{}{more}}}"#,
                        desc["desc"]
                    )
                };
                let create = request("create", "");
                let read = sparing(&create, || read_request(&suite.catalog, create.as_bytes()));
                assert!(matches!(read, Ok(Request::Create(_))), "{create}");
                // No buffers, and buffers that are too short.
                let names = |role| {
                    let (operator, _) = suite.operator(case.id.operator()).unwrap();
                    let named = dml_case::tensor::named_tensors(operator, &case.descriptor, role);
                    let entries: Vec<String> = named.iter().map(|(name, _)| format!(r#""{name}":"AAAA""#)).collect();
                    entries.join(",")
                };
                for more in [
                    r#","inputs":{},"outputs":{}"#.to_owned(),
                    r#","inputs":{},"outputs":{},"guard":18446744073709551615"#.to_owned(),
                    format!(
                        r#","inputs":{{{}}},"outputs":{{{}}}"#,
                        names(Role::Input),
                        names(Role::Output)
                    ),
                ] {
                    let execute = request("execute", &more);
                    let read = sparing(&execute, || read_request(&suite.catalog, execute.as_bytes()));
                    assert!(read.is_err(), "{execute}");
                }
            }
        }
    }
}

/// Sizes as ids spell them.
const SIZES: [&str; 6] = [
    "1x1x1x4294967295",
    "1x1x65535x65537",
    "1x1x65536x65536",
    "4294967295x4294967295x4294967295x4294967295",
    "2147483648x2147483648x4x1",
    "1x1x8192x8193",
];

#[test]
fn ids_lead_to_no_data_of_such_sizes() {
    let suite = suite();
    let mut tried = 0;
    for bucket in dml_plan::buckets(suite, Tier::Smoke) {
        let _ = dml_plan::for_each_case(suite, &bucket, Tier::Smoke, 0, &mut |case| {
            let Some(sizes) = case.id.get("sizes").filter(|_| case.mode == Mode::Execute) else {
                return ControlFlow::Continue(());
            };
            for hostile in SIZES {
                let text = case
                    .id
                    .as_str()
                    .replace(&format!(",sizes={sizes}"), &format!(",sizes={hostile}"));
                // Longer than ids may be.
                let Ok(id) = text.parse::<CaseId>() else { continue };
                let built = sparing(&text, || dml_plan::build(suite, &id));
                // A descriptor alone may have any size; what runs is refused, in words.
                match built {
                    Ok(case) => assert_eq!(case.mode, Mode::Create, "{text}"),
                    Err(error) => assert!(!error.0.is_empty()),
                }
                tried += 1;
            }
            ControlFlow::Break(())
        });
    }
    assert!(tried > 500, "{tried}");
}

#[test]
fn numbers_make_no_huge_output_of_a_small_input() {
    let suite = suite();
    let mut tried = 0;
    for bucket in dml_plan::buckets(suite, Tier::Smoke) {
        let _ = dml_plan::for_each_case(suite, &bucket, Tier::Smoke, 0, &mut |case| {
            // What is large with the numbers that it has is no hostile case.
            if case.mode == Mode::Create || case.elements(&suite.catalog) > 1 << 12 {
                return ControlFlow::Continue(());
            }
            for (key, value) in case.id.params().filter(|(_, value)| value.parse::<u32>().is_ok()) {
                for number in ["4294967295", "268435456", "67108865"] {
                    let (from, to) = (format!(",{key}={value}"), format!(",{key}={number}"));
                    let Ok(id) = case.id.as_str().replace(&from, &to).parse::<CaseId>() else {
                        continue;
                    };
                    if let Ok(case) = sparing(id.as_str(), || dml_plan::build(suite, &id)) {
                        let few = case.elements(&suite.catalog) < 1 << 20;
                        assert!(case.mode == Mode::Create || few, "{id}");
                    }
                    tried += 1;
                }
            }
            ControlFlow::Break(())
        });
    }
    assert!(tried > 500, "{tried}");
}

#[test]
fn layouts_make_no_huge_buffers_of_few_elements() {
    let suite = suite();
    let mut refused = 0;
    for bucket in dml_plan::buckets(suite, Tier::Standard)
        .iter()
        .filter(|b| b.data_type.ends_with("64"))
    {
        let _ = dml_plan::for_each_case(suite, bucket, Tier::Standard, 0, &mut |case| {
            let Some(sizes) = case.id.get("sizes").filter(|_| case.mode == Mode::Execute) else {
                return ControlFlow::Continue(());
            };
            if ["layout", "values", "alias"]
                .iter()
                .any(|key| case.id.get(key).is_some())
            {
                return ControlFlow::Continue(());
            }
            // No more elements than there may be, and two places for each.
            let text = case
                .id
                .as_str()
                .replace(&format!(",sizes={sizes}"), ",sizes=1x1x8192x8192");
            let id: CaseId = format!("{text},layout=padded").parse().unwrap();
            match sparing(id.as_str(), || dml_plan::build(suite, &id)) {
                Ok(case) => assert_eq!(case.mode, Mode::Create, "{id}"),
                Err(error) => refused += u32::from(error.0.contains("is larger than 1 GiB")),
            }
            ControlFlow::Break(())
        });
    }
    assert!(refused > 20, "{refused}");
}

#[test]
fn few_bytes_stand_for_no_more_elements_than_there_may_be() {
    let suite = suite();
    let text = "REDUCE:3.0:layout:fn=SUM,type=FLOAT32,out=FLOAT32,sizes=8192x8193,axes=0x1,layout=broadcast-all";
    let id: CaseId = text.parse().unwrap();
    let index = suite.catalog.operators.iter().position(|o| o.name == "REDUCE").unwrap();
    let descriptor = Builder::new(suite, index).unwrap().descriptor(&id).unwrap();
    let expected = "InputTensor is larger than 1 GiB, or has more than 2^26 elements: 67117056 elements in 4 bytes";
    let built = sparing(text, || dml_plan::build(suite, &id));
    assert!(built.is_err_and(|error| error.0.contains("more than 2^26 elements")));
    let stored = sparing("a stored case", || {
        dml_plan::by_content::build_from_parts(suite, id.level(), Mode::Execute, descriptor, vec![vec![0; 4]], &[])
    });
    assert_eq!(stored.map_err(|error| error.0).unwrap_err(), expected);
}

/// Large cases, one of each operator.
fn large(suite: &Planner) -> Vec<Case> {
    let mut found: Vec<Case> = Vec::new();
    for bucket in dml_plan::buckets(suite, Tier::Standard) {
        if found
            .iter()
            .any(|case| case.id.operator() == suite.catalog.operators[bucket.operator].name)
        {
            continue;
        }
        let _ = dml_plan::for_each_case(suite, &bucket, Tier::Standard, 0, &mut |case| {
            if case.mode == Mode::Create || case.elements(&suite.catalog) < 4096 {
                return ControlFlow::Continue(());
            }
            found.push(case);
            ControlFlow::Break(())
        });
    }
    found
}

#[derive(Default)]
struct Reasons(Vec<String>);

impl Sink for Reasons {
    fn record(&mut self, record: &Record) {
        if record.outcome == Outcome::Skip {
            self.0.extend(record.reason.clone());
        }
    }
}

/// Bytes that a run says a case takes, where it is allowed next to none.
fn reckoned_bytes(suite: &Planner, case: &Case) -> u64 {
    let selection = Selection {
        queries: vec![case.id.as_str().parse().unwrap()],
        ..Selection::default()
    };
    let settings = Settings {
        tier: Tier::Standard,
        memory: Some(1024),
        ..Settings::default()
    };
    let run = Run {
        suite,
        backend: &*backends::find("cpu").unwrap(),
        selection: &selection.resolve(suite).unwrap(),
        settings: &settings,
        lock: None,
    };
    let mut reasons = Reasons::default();
    run.execute(&mut reasons);
    let [reason] = &reasons.0[..] else {
        panic!("{}: {:?}", case.id, reasons.0)
    };
    let needed = reason
        .strip_prefix("memory: ")
        .and_then(|rest| rest.strip_suffix(" needed, 1 KiB allowed"));
    let (number, unit) = needed.and_then(|needed| needed.split_once(' ')).unwrap();
    number.parse::<u64>().unwrap() << if unit == "KiB" { 10 } else { 20 }
}

/// Bytes that it takes to build a case, run it and judge it.
fn taken(suite: &Planner, id: &CaseId) -> u64 {
    let backend = backends::find("cpu").unwrap();
    let info = backend.info();
    let options = dml_judge::Options {
        basis: Basis::Runtime,
        strict_reasons: false,
        half_precision: false,
        info: &info,
    };
    let mut session = backend.open().unwrap();
    let used = measure(|| {
        let case = dml_plan::build(suite, id).unwrap();
        let (operator, _) = suite.operator(id.operator()).unwrap();
        let (inputs, outputs) = dml_case::poison::buffers(operator, &case);
        session.submit(vec![Job {
            id: 0,
            feature_level: id.level(),
            descriptor: case.descriptor.clone(),
            inputs,
            outputs,
            aliases: case.aliases.as_slice().into(),
            half_precision: false,
        }]);
        for (_, answer) in session.poll(std::time::Duration::ZERO) {
            dml_judge::judge(suite, &case, &answer, &options);
        }
    });
    used.bytes_max
}

#[test]
fn cases_take_no_more_memory_than_runs_reckon_with() {
    let suite = suite();
    let large = large(suite);
    assert!(large.len() > 10, "{}", large.len());
    for case in large {
        let (reckoned, taken) = (reckoned_bytes(suite, &case), taken(suite, &case.id));
        assert!(
            taken <= reckoned,
            "{}: {taken} bytes, {reckoned} are reckoned with",
            case.id
        );
    }
}
