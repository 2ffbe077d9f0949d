//! Sizes and strides that nobody has the memory for: refused, or judged as what they are, without taking it.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use std::ops::ControlFlow;

use allocation_counter::measure;
use dml_conformance::{
    case::{Case, Mode},
    id::CaseId,
    json, plan,
    protocol::{Request, read_request},
    spec,
    suite::Suite,
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

/// Total sizes that are told.
const TOTALS: [u64; 4] = [0, 4, u32::MAX as u64, u64::MAX];

fn suite() -> Suite {
    Suite::new(spec::catalog().clone()).unwrap()
}

/// A case of every operator: one that runs, where there is one.
fn cases(suite: &Suite) -> Vec<Case> {
    let mut found: Vec<Case> = Vec::new();
    for bucket in plan::buckets(suite) {
        let _ = plan::for_each_case(suite, &bucket, Tier::Smoke, 0, &mut |case| {
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
fn with(suite: &Suite, case: &Case, inputs: bool, (sizes, strides): (&[u32], Option<&[u32]>), total: u64) -> Vec<u8> {
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
    for case in cases(&suite) {
        let (operator, program) = suite.operator(case.id.operator()).unwrap();
        for tensor in TENSORS {
            for total in TOTALS {
                let text = with(&suite, &case, true, tensor, total);
                let violations = sparing(&format!("{} {tensor:?} {total}", operator.name), || {
                    let descriptor = json::read(&suite.catalog, &text).unwrap();
                    program.evaluate(&suite.catalog, operator, &descriptor, case.id.level())
                });
                // Nothing of this size fits into what is told, or is as few elements as a tensor may have.
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
    for case in cases(&suite) {
        for tensor in TENSORS {
            for total in TOTALS {
                let desc: serde_json::Value =
                    serde_json::from_slice(&with(&suite, &case, true, tensor, total)).unwrap();
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
                    let named = dml_conformance::protocol::named(operator, &case.descriptor, role);
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
    for bucket in plan::buckets(&suite) {
        let _ = plan::for_each_case(&suite, &bucket, Tier::Smoke, 0, &mut |case| {
            let Some(sizes) = case.id.get("sizes").filter(|_| case.mode == Mode::Execute) else {
                return ControlFlow::Continue(());
            };
            for hostile in SIZES {
                let text = case
                    .id
                    .as_str()
                    .replace(&format!(",sizes={sizes}"), &format!(",sizes={hostile}"));
                let id: CaseId = text.parse().unwrap();
                let built = sparing(&text, || plan::build(&suite, &id));
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
    for bucket in plan::buckets(&suite) {
        let _ = plan::for_each_case(&suite, &bucket, Tier::Smoke, 0, &mut |case| {
            if case.mode == Mode::Create {
                return ControlFlow::Continue(());
            }
            for (key, value) in case.id.params().filter(|(_, value)| value.parse::<u32>().is_ok()) {
                for number in ["4294967295", "268435456", "67108865"] {
                    let (from, to) = (format!(",{key}={value}"), format!(",{key}={number}"));
                    let id: CaseId = case.id.as_str().replace(&from, &to).parse().unwrap();
                    if let Ok(case) = sparing(id.as_str(), || plan::build(&suite, &id)) {
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
