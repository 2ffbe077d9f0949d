//! The backend as the harness uses it: through a session.

use std::{sync::Arc, time::Duration};

use dml_ops::{Answer, Buffer, DataType, Descriptor, Job, Levels, TensorDesc, Validator, Value};

use super::*;
use crate::OPERATORS;

/// The one descriptor that these tests vary: rows of an INT16 matrix, the largest `k` of each.
fn job(sizes: &[u32], k: u32, feature_level: FeatureLevel) -> Job {
    let selected: Vec<u32> = sizes.iter().rev().skip(1).rev().copied().chain([k]).collect();
    let tensor = |data_type: DataType, bits, sizes: &[u32]| {
        let mut tensor = TensorDesc::packed(data_type.0, bits, sizes);
        let bytes = u64::from(bits / 8) * sizes.iter().map(|&size| u64::from(size)).product::<u64>();
        tensor.total_tensor_size_in_bytes = bytes.next_multiple_of(4);
        Value::Tensor(Some(tensor))
    };
    let fields = vec![
        tensor(DataType::INT16, 16, sizes),
        tensor(DataType::INT16, 16, &selected),
        tensor(DataType::UINT32, 32, &selected),
        Value::UInt(sizes.len() as u32 - 1),
        Value::UInt(k),
        Value::UInt(1),
    ];
    let descriptor = Arc::new(Descriptor {
        operator: "TOP_K1".into(),
        fields,
    });
    Job {
        id: 7,
        feature_level,
        descriptor,
        inputs: Vec::new(),
        outputs: Vec::new(),
        aliases: Box::default(),
        half_precision: false,
    }
}

const LATEST: FeatureLevel = FeatureLevel::new(6, 4);

#[test]
fn it_says_what_it_is() {
    let info = backend().info();
    assert_eq!(
        (info.name.as_str(), info.feature_level, info.executes),
        ("cpu", LATEST, true)
    );
    assert_eq!((info.levels, info.validator), (Levels::Strict, Validator::Generated));
    // Descriptors of operators without a kernel are judged as well.
    assert!(
        OPERATORS
            .iter()
            .all(|name| info.operators.iter().any(|known| known == name))
    );
    assert_eq!(info.operators.len(), dml_ops::OPERATORS.len());
    assert!(OPERATORS.contains(&"TOP_K1"));
    assert!(OPERATORS.is_sorted());
}

#[test]
fn it_executes_between_guards() {
    const POISON: u8 = 0xcd;
    let mut job = job(&[2, 3], 1, LATEST);
    let guarded = |bytes: &[u8]| Buffer::new([&[POISON; 8], bytes, &[POISON; 8]].concat(), 8);
    job.inputs = vec![guarded(&[1, 0, 0xff, 0xff, 2, 0, 0, 1, 0, 2, 0, 0])];
    job.outputs = vec![guarded(&[POISON; 4]), guarded(&[POISON; 8])];
    let mut session = backend().open().unwrap();
    session.submit(vec![job]);
    let outputs = vec![guarded(&[2, 0, 0, 2]), guarded(&[2, 0, 0, 0, 1, 0, 0, 0])];
    assert_eq!(
        session.poll(Duration::from_secs(1)),
        [(7, Answer::Executed { outputs })]
    );
    assert_eq!(session.poll(Duration::from_secs(1)), []);
}

#[test]
fn it_refuses_by_clause_and_level() {
    let mut session = backend().open().unwrap();
    let mut clauses = |job: &Job| match session.create(job) {
        Answer::Created => Vec::new(),
        Answer::Rejected(rejection) => rejection.clauses,
        other => panic!("{other:?}"),
    };
    assert_eq!(clauses(&job(&[1, 1, 2, 3], 2, LATEST)), [""; 0]);
    assert_eq!(clauses(&job(&[1, 1, 2, 3], 4, LATEST)), ["TOP_K1/k-within-axis"]);
    assert_eq!(clauses(&job(&[1, 1, 2, 3], 2, FeatureLevel::new(2, 1))), [""; 0]);
    assert_eq!(clauses(&job(&[2, 3], 2, FeatureLevel::new(3, 1))), [""; 0]);
    assert_ne!(clauses(&job(&[2, 3], 2, FeatureLevel::new(2, 1))), [""; 0]);
}

#[test]
fn it_skips_other_operators() {
    let mut other = job(&[2, 3], 1, LATEST);
    Arc::make_mut(&mut other.descriptor).operator = "NO_SUCH_OPERATOR".into();
    let skipped = Answer::Skipped {
        reason: "unsupported".to_owned(),
    };
    assert_eq!(backend().open().unwrap().create(&other), skipped);
    let error = execute(&other.descriptor, &[], &mut []).unwrap_err();
    assert_eq!(Stopped::from(error), Stopped::Skipped("unsupported".to_owned()));
}

#[test]
fn buffers_that_do_not_fit_are_errors() {
    let mut short = job(&[2, 3], 1, LATEST);
    short.inputs = vec![Buffer::new(vec![0; 11], 0)];
    short.outputs = vec![Buffer::new(vec![0; 4], 0), Buffer::new(vec![0; 8], 0)];
    let mut session = backend().open().unwrap();
    session.submit(vec![short]);
    let message = "found a buffer of 11 bytes, expected at least 12".to_owned();
    assert_eq!(session.poll(Duration::from_secs(1)), [(7, Answer::Error { message })]);
}
