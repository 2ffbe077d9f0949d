//! The backend as the harness sees it, on an adapter, if only one in software. Without one the tests that need
//! it are skipped.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use dml_ops::{Answer, Buffer, DataType, Descriptor, Job, JobId, TensorDesc, Value};

use super::*;
use crate::{adapter::tests::has_adapter, operators::plan, placement, program, session::WgpuSession};

const POISON: u8 = 0xcd;
const GUARD: usize = 12;

/// Rows of an INT16 matrix, the largest `k` of each.
fn job(id: JobId, sizes: [u32; 2], k: u32) -> Job {
    let tensor = |data_type: DataType, bits, columns| {
        Value::Tensor(Some(TensorDesc::packed(data_type.0, bits, &[sizes[0], columns])))
    };
    let fields = vec![
        tensor(DataType::INT16, 16, sizes[1]),
        tensor(DataType::INT16, 16, k),
        tensor(DataType::UINT32, 32, k),
        Value::UInt(1),
        Value::UInt(k),
        Value::UInt(1),
    ];
    let operator = "TOP_K1".into();
    Job {
        id,
        feature_level: FeatureLevel::new(6, 4),
        descriptor: Arc::new(Descriptor { operator, fields }),
        inputs: Vec::new(),
        outputs: Vec::new(),
        aliases: Box::default(),
        half_precision: false,
    }
}

fn guarded(bytes: &[u8]) -> Buffer {
    Buffer::new([&[POISON; GUARD], bytes, &[POISON; GUARD]].concat(), GUARD)
}

/// A small job with buffers, and its outputs.
fn example(id: JobId) -> (Job, Answer) {
    let mut job = job(id, [2, 3], 1);
    job.inputs = vec![guarded(&[1, 0, 0xff, 0xff, 2, 0, 0, 1, 0, 2, 0, 0])];
    job.outputs = vec![guarded(&[POISON; 4]), guarded(&[POISON; 8])];
    let outputs = vec![guarded(&[2, 0, 0, 2]), guarded(&[2, 0, 0, 0, 1, 0, 0, 0])];
    (job, Answer::Executed { outputs })
}

fn session() -> WgpuSession {
    WgpuSession::open(&AdapterChoice::Best).unwrap()
}

fn drain(session: &mut WgpuSession) -> BTreeMap<JobId, Answer> {
    let mut all = BTreeMap::new();
    loop {
        let answers = session.poll(Duration::from_secs(60));
        if answers.is_empty() {
            return all;
        }
        for (id, answer) in answers {
            assert_eq!(all.insert(id, answer), None, "{id} is answered twice");
        }
    }
}

#[test]
fn it_says_what_it_is() {
    if !has_adapter("it_says_what_it_is") {
        return;
    }
    let backend = Wgpu::default();
    assert_eq!(backend.info().details, []);
    backend.probe().unwrap();
    let info = backend.info();
    assert_eq!(
        (info.name.as_str(), info.levels, info.validator),
        ("wgpu", Levels::Strict, Validator::Generated)
    );
    assert!(info.operators.len() >= 7);
    assert!(
        info.operators
            .iter()
            .all(|name| dml_cpu::OPERATORS.contains(&name.as_str()))
    );
    assert!(
        info.details
            .iter()
            .any(|(name, value)| name == "adapter" && !value.is_empty())
    );
}

#[test]
fn many_jobs_run_between_guards() {
    if !has_adapter("many_jobs_run_between_guards") {
        return;
    }
    let mut session = session();
    let (jobs, expected): (Vec<_>, Vec<_>) = (0..1500).map(example).unzip();
    session.submit(jobs);
    assert_eq!(drain(&mut session), (0..).zip(expected).collect());
    assert_eq!(session.poll(Duration::ZERO), []);
}

/// A job with noise in its buffer, and its outputs.
fn noisy(id: JobId, [rows, columns]: [u32; 2], k: u32) -> (Job, Answer) {
    let mut state = 0x9e37_79b9_u32.wrapping_mul(id as u32 + 1);
    let mut draw = |_| {
        state = state.wrapping_mul(0x0019_660d).wrapping_add(0x3c6e_f35f);
        (state >> 22) as i16 - 512 // few enough for ties
    };
    let elements: Vec<i16> = (0..rows * columns).map(&mut draw).collect();
    let (mut values, mut indices) = (Vec::new(), Vec::new());
    for row in elements.chunks(columns as usize) {
        let mut order: Vec<usize> = (0..row.len()).collect();
        order.sort_by_key(|index| std::cmp::Reverse(row[*index]));
        values.extend(order[..k as usize].iter().flat_map(|index| row[*index].to_le_bytes()));
        indices.extend(
            order[..k as usize]
                .iter()
                .flat_map(|index| (*index as u32).to_le_bytes()),
        );
    }
    let mut input: Vec<u8> = elements.iter().flat_map(|element| element.to_le_bytes()).collect();
    for bytes in [&mut input, &mut values] {
        bytes.resize(bytes.len().next_multiple_of(4), POISON);
    }
    let mut job = job(id, [rows, columns], k);
    job.inputs = vec![guarded(&input)];
    job.outputs = vec![
        guarded(&vec![POISON; values.len()]),
        guarded(&vec![POISON; indices.len()]),
    ];
    let outputs = vec![guarded(&values), guarded(&indices)];
    (job, Answer::Executed { outputs })
}

/// Cases that otherwise need devices of many gigabytes: dispatches of several rows, and jobs in several rounds.
#[test]
fn cramped_devices_compute_the_same() {
    if !has_adapter("cramped_devices_compute_the_same") {
        return;
    }
    let mut session = session();
    session.gpu.limits.groups = 3;
    session.gpu.limits.scratch = 16 << 10;
    let shapes = [
        ([2000, 3], 2),
        ([9, 300], 7),
        ([7, 2500], 5),
        ([8, 5000], 5000),
        ([5, 5000], 4990),
        ([40, 4097], 3),
    ];
    let jobs = shapes.iter().zip(0..).map(|((sizes, k), id)| noisy(id, *sizes, *k));
    let (jobs, expected): (Vec<_>, Vec<_>) = jobs.unzip();
    let limits = session.gpu.limits;
    let steps = jobs
        .iter()
        .flat_map(|job| plan(&job.descriptor, &limits).unwrap().steps);
    let rounds: std::collections::BTreeSet<u32> = steps.map(|step| step.params[3]).collect();
    assert!(rounds.len() > 3, "the first sequences of rounds: {rounds:?}");
    session.submit(jobs);
    let answers = drain(&mut session);
    for (id, expected) in (0..).zip(expected) {
        assert!(answers.get(&id) == Some(&expected), "{:?}", shapes[id as usize]);
    }
}

#[test]
fn a_lost_device_is_told_and_replaced() {
    if !has_adapter("a_lost_device_is_told_and_replaced") {
        return;
    }
    let mut session = session();
    let submit = |session: &mut WgpuSession| session.submit((0..3).map(|id| example(id).0).collect());
    // Lost before, and lost while jobs are in flight.
    for before in [true, false] {
        if before {
            session.destroy();
            submit(&mut session);
        } else {
            submit(&mut session);
            session.destroy();
        }
        let answers = drain(&mut session);
        assert_eq!(answers.len(), 3, "every job is answered");
        for (id, answer) in answers {
            let done = answer == example(id).1;
            assert!(
                done && !before || matches!(answer, Answer::DeviceLost { .. }),
                "{id}: {answer:?}"
            );
        }
        submit(&mut session);
        let answers = drain(&mut session);
        assert_eq!(answers.len(), 3, "every job is answered");
        assert!(
            answers
                .values()
                .all(|answer| matches!(answer, Answer::DeviceLost { .. }))
        );
        session.reset().unwrap();
        submit(&mut session);
        assert_eq!(drain(&mut session), (0..3).map(|id| (id, example(id).1)).collect());
    }
}

#[test]
fn invalid_and_foreign_descriptors_are_refused() {
    if !has_adapter("invalid_and_foreign_descriptors_are_refused") {
        return;
    }
    let mut session = session();
    assert_eq!(session.create(&example(0).0), Answer::Created);
    let mut foreign = example(1).0;
    Arc::make_mut(&mut foreign.descriptor).operator = "NO_SUCH_OPERATOR".into();
    session.submit(vec![job(0, [2, 3], 4), foreign]);
    let answers = drain(&mut session);
    let clauses = match &answers[&0] {
        Answer::Rejected(rejection) => rejection.clauses.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(clauses, ["TOP_K1/k-within-axis"]);
    let reason = "unsupported".to_owned();
    assert_eq!(answers[&1], Answer::Skipped { reason });
}

#[test]
fn limits_are_kept_before_anything_is_submitted() {
    let limits = program::Limits {
        binding: 1024,
        buffer: 1040,
        alignment: 16,
        groups: 65_535,
        scratch: 1024,
    };
    let fits = |bytes: usize| {
        let mut job = job(0, [1, 3], 1);
        let program = plan(&job.descriptor, &limits).unwrap();
        job.inputs = vec![guarded(&[0; 4])];
        job.outputs = vec![guarded(&vec![0; bytes])];
        placement::fits(&job, &program, &limits).map_err(|limit| limit.to_string())
    };
    assert_eq!(fits(1000), Ok(()));
    assert_eq!(fits(1004), Err("over max_buffer_size = 1040".to_owned()));
    assert_eq!(
        fits(1028),
        Err("over max_storage_buffer_binding_size = 1024".to_owned())
    );
}

mod kernels;
