//! Sessions on the mock: answers, guards, batches, losses and hangs, without one violation and without a leak.

use std::{sync::Arc, time::Duration};

use dml_ops::{
    Alias, Answer, AxisDirection, Buffer, DataType, FeatureLevel, Job, JobId, Operator as _, Session, TensorDesc,
    TopK1, Value,
};

use super::{Settings, World, d3d12, dml};
use crate::{
    com::Com,
    d3d12::{self as real, INFO_QUEUE},
    gpu::Gpu,
    library::Loaded,
    runtime::Opened,
    session::DirectMlSession,
};

/// Bytes of guard on either side of a tensor, and what they hold.
const GUARD: usize = 64;
const MARK: u8 = 0xc3;
pub(super) const POISON: u8 = 0xee;

/// A device of the world, as the loader would hand it over.
pub(super) fn loaded(world: &'static World) -> Loaded {
    let device: Com<real::DeviceMethods> = unsafe { Com::take(d3d12::device(world)) }.unwrap();
    let messages = unsafe { device.query(&INFO_QUEUE) };
    let dml = unsafe { Com::take(dml::device(world)) }.unwrap();
    Loaded {
        gpu: Gpu::new(Opened { device, messages }, &dml).ok(),
        device: dml,
        highest: FeatureLevel::new(5, 0),
    }
}

fn session(world: &'static World, limit: Duration) -> DirectMlSession {
    let open = Box::new(move || {
        let mut state = world.state();
        (state.removed, state.reported_removed, state.settings.remove_at) = (None, false, None);
        drop(state);
        Ok(loaded(world))
    });
    DirectMlSession::new(open, limit, loaded(world))
}

fn buffer(tensor: &[u8]) -> Buffer {
    let guard = vec![MARK; GUARD];
    Buffer::new([&guard, tensor, &guard].concat(), GUARD)
}

/// A job for the largest or smallest K of the last axis.
fn job(id: JobId, tensors: [TensorDesc; 3], (axis, k): (u32, u32), direction: AxisDirection, input: &[u8]) -> Job {
    let [input_tensor, values, indices] = tensors;
    let poison = |tensor: &TensorDesc| buffer(&vec![POISON; tensor.total_tensor_size_in_bytes as usize]);
    let outputs = vec![poison(&values), poison(&indices)];
    let top = TopK1 {
        input_tensor: Some(input_tensor),
        output_value_tensor: Some(values),
        output_index_tensor: Some(indices),
        axis,
        k,
        axis_direction: direction,
    };
    Job {
        id,
        feature_level: FeatureLevel::new(5, 0),
        descriptor: Arc::new(top.to_descriptor()),
        inputs: vec![buffer(input)],
        outputs,
        aliases: Box::default(),
        half_precision: false,
    }
}

fn floats(list: &[f32]) -> Vec<u8> {
    list.iter().flat_map(|x| x.to_le_bytes()).collect()
}

fn words(list: &[u32]) -> Vec<u8> {
    list.iter().flat_map(|x| x.to_le_bytes()).collect()
}

/// The two largest of each row of 3 rows of 4, as the first example of the reference has it.
pub(super) fn example(id: JobId) -> Job {
    let packed = |data_type: DataType, sizes: &[u32]| TensorDesc::packed(data_type.0, 32, sizes);
    let tensors = [
        packed(DataType::FLOAT32, &[1, 1, 3, 4]),
        packed(DataType::FLOAT32, &[1, 1, 3, 2]),
        packed(DataType::UINT32, &[1, 1, 3, 2]),
    ];
    let input = floats(&[1.0, 2.0, 3.0, 4.0, 8.0, 7.0, 6.0, 5.0, 0.0, 9.0, 9.0, -1.0]);
    job(id, tensors, (3, 2), AxisDirection::DECREASING, &input)
}

/// What [`example`] gives.
pub(super) fn expected() -> [Vec<u8>; 2] {
    [floats(&[4.0, 3.0, 8.0, 7.0, 9.0, 9.0]), words(&[3, 2, 0, 1, 1, 2])]
}

pub(super) fn poll_answers(session: &mut dyn Session, count: usize) -> Vec<(JobId, Answer)> {
    let mut answers = Vec::new();
    for _ in 0..100 {
        answers.extend(session.poll(Duration::from_secs(1)));
        if answers.len() >= count {
            break;
        }
    }
    answers.sort_by_key(|(id, _)| *id);
    answers
}

/// The tensors of an answer whose guards are whole.
pub(super) fn tensors(answer: &Answer) -> Vec<&[u8]> {
    let Answer::Executed { outputs } = answer else {
        panic!("{answer:?}")
    };
    for output in outputs {
        let (whole, length) = (output.whole(), output.whole().len());
        assert!(
            whole[..GUARD]
                .iter()
                .chain(&whole[length - GUARD..])
                .all(|byte| *byte == MARK)
        );
    }
    outputs.iter().map(Buffer::tensor).collect()
}

fn run(settings: Settings, jobs: Vec<Job>) -> (Vec<(JobId, Answer)>, &'static World) {
    let world = World::new(settings);
    let mut session = session(world, Duration::from_secs(60));
    let count = jobs.len();
    session.submit(jobs);
    let answers = poll_answers(&mut session, count);
    assert_eq!(answers.len(), count);
    drop(session);
    assert_eq!(world.violations(), [""; 0]);
    assert_eq!(world.alive(), []);
    (answers, world)
}

#[test]
fn many_jobs_go_in_one_submission() {
    let (answers, world) = run(Settings::default(), (1..=60).map(example).collect());
    for (_, answer) in &answers {
        assert_eq!(tensors(answer), expected());
    }
    assert_eq!(world.state().submissions, 1);
}

#[test]
fn jobs_that_come_while_others_run_wait() {
    let world = World::new(Settings::default());
    let mut session = session(world, Duration::from_secs(60));
    session.submit(vec![example(1)]);
    session.submit(vec![example(2), example(3)]);
    let answers = poll_answers(&mut session, 3);
    let executed = answers.iter().filter(|(_, answer)| tensors(answer) == expected());
    assert_eq!((executed.count(), world.state().submissions), (3, 2));
    drop(session);
    assert_eq!((world.violations(), world.alive()), (Vec::new(), Vec::new()));
}

#[test]
fn operators_without_temporary_and_persistent_resources_run_too() {
    let settings = Settings {
        temporary: 0,
        persistent: 0,
        ..Settings::default()
    };
    let (answers, _) = run(settings, vec![example(1), example(2)]);
    assert_eq!(tensors(&answers[1].1), expected());
}

/// Two rows of five INT8, seven apart; the values two apart with a tail, the indices by columns.
pub(super) fn strided(id: JobId) -> Job {
    let packed = |data_type: DataType, bits, sizes: &[u32]| TensorDesc::packed(data_type.0, bits, sizes);
    let mut input = packed(DataType::INT8, 8, &[2, 5]);
    input.strides = Some([7, 1].into_iter().collect());
    (input.total_tensor_size_in_bytes, input.guaranteed_base_offset_alignment) = (12, 4096);
    let mut values = packed(DataType::INT8, 8, &[2, 3]);
    values.strides = Some([8, 2].into_iter().collect());
    (
        values.total_tensor_size_in_bytes,
        values.guaranteed_base_offset_alignment,
    ) = (17, 256);
    let mut indices = packed(DataType::UINT64, 64, &[2, 3]);
    indices.strides = Some([1, 2].into_iter().collect());
    let data = [5, 0x80, 1, 5, 2, 99, 99, 0, 0xff, 1, 0xfe, 1];
    job(id, [input, values, indices], (1, 3), AxisDirection::INCREASING, &data)
}

#[test]
fn strides_gaps_alignments_and_odd_totals_are_kept() {
    let (answers, _) = run(Settings::default(), vec![example(1), strided(7), example(9)]);
    let found = tensors(&answers[1].1);
    let p = POISON;
    let values = [0x80, p, 1, p, 2, p, p, p, 0xfe, p, 0xff, p, 0, p, p, p, p];
    assert_eq!(found[0], values);
    let columns: Vec<u64> = found[1]
        .chunks(8)
        .map(|c| u64::from_le_bytes(c.try_into().unwrap()))
        .collect();
    assert_eq!(columns, [1, 3, 2, 1, 4, 0]);
    assert_eq!(tensors(&answers[2].1), expected());
}

/// [`example`] with an input that DirectML takes over.
pub(super) fn owned(id: JobId) -> Job {
    let mut owned = example(id);
    if let Some(Value::Tensor(Some(tensor))) = Arc::make_mut(&mut owned.descriptor).fields.first_mut() {
        tensor.flags = 1;
    }
    owned
}

#[test]
fn an_input_that_directml_owns_is_bound_to_the_initialiser_only() {
    let (answers, _) = run(Settings::default(), vec![owned(1)]);
    assert_eq!(tensors(&answers[0].1), expected());
}

#[test]
fn an_output_in_the_place_of_an_input_is_bound_to_the_same_range() {
    let packed = |data_type: DataType| TensorDesc::packed(data_type.0, 32, &[1, 1, 1, 4]);
    let sorted = [
        packed(DataType::FLOAT32),
        packed(DataType::FLOAT32),
        packed(DataType::UINT32),
    ];
    // The contents of the input's own buffer must not matter.
    let mut sort = job(2, sorted, (3, 4), AxisDirection::DECREASING, &floats(&[-1.0; 4]));
    sort.outputs[0] = buffer(&floats(&[2.0, 5.0, 3.0, 4.0]));
    sort.aliases = Box::new([Alias { output: 0, input: 0 }]);
    let (answers, world) = run(Settings::default(), vec![example(1), sort, example(3)]);
    assert_eq!(
        tensors(&answers[1].1),
        [floats(&[5.0, 4.0, 3.0, 2.0]), words(&[1, 3, 2, 0])]
    );
    assert_eq!(tensors(&answers[2].1), expected());
    assert_eq!(world.state().in_place.len(), 1, "one resource and offset for both");
}

#[test]
fn refused_descriptors_are_answered_among_the_others() {
    let mut refused = example(2);
    if let Some(k) = Arc::make_mut(&mut refused.descriptor).fields.get_mut(4) {
        *k = Value::UInt(9);
    }
    let (answers, _) = run(Settings::default(), vec![example(1), refused, example(3)]);
    let hresult = |answer: &Answer| match answer {
        Answer::Rejected(rejection) => rejection.hresult,
        _ => None,
    };
    let codes: Vec<_> = answers.iter().map(|(_, answer)| hresult(answer)).collect();
    assert_eq!(codes, [None, Some(0x8007_0057), None]);
}

#[test]
fn a_device_that_is_removed_is_made_again() {
    let world = World::new(Settings {
        remove_at: Some(2),
        ..Settings::default()
    });
    let mut session = session(world, Duration::from_secs(60));
    session.submit(vec![example(1), example(2), example(3)]);
    for (_, answer) in poll_answers(&mut session, 3) {
        let Answer::DeviceLost { message } = answer else {
            panic!("{answer:?}")
        };
        assert_eq!(
            message,
            "D3D12's device was removed with 0x887a0006; debug layer: the mock removed the device"
        );
    }
    session.submit(vec![example(4)]);
    assert!(matches!(
        &poll_answers(&mut session, 1)[..],
        [(4, Answer::DeviceLost { .. })]
    ));
    session.reset().unwrap();
    session.submit(vec![example(5)]);
    assert_eq!(tensors(&poll_answers(&mut session, 1)[0].1), expected());
    drop(session);
    assert_eq!(world.violations(), [""; 0]);
    assert_eq!(world.alive(), []);
}

#[test]
fn a_device_that_hangs_is_given_up_with_all_that_it_uses() {
    let world = World::new(Settings {
        patience: None,
        ..Settings::default()
    });
    let mut session = session(world, Duration::from_millis(30));
    session.submit(vec![example(1), example(2)]);
    assert_eq!(session.poll(Duration::ZERO), []);
    let answers = poll_answers(&mut session, 2);
    let text = "the device did not come to an end within 0.03 s";
    assert!(
        matches!(&answers[1].1, Answer::DeviceLost { message } if message == text),
        "{answers:?}"
    );
    let in_use = world.alive();
    assert!(in_use.len() > 8, "{in_use:?}");
    world.state().settings.patience = Some(0);
    session.reset().unwrap();
    session.submit(vec![example(3)]);
    assert_eq!(tensors(&poll_answers(&mut session, 1)[0].1), expected());
    drop(session);
    assert_eq!((world.violations(), world.alive()), (Vec::new(), in_use));
}

/// The largest of each of two rows of 600.
pub(super) fn large(id: JobId) -> Job {
    let packed = |data_type: DataType, sizes: &[u32]| TensorDesc::packed(data_type.0, 32, sizes);
    let tensors = [
        packed(DataType::FLOAT32, &[1, 1, 2, 600]),
        packed(DataType::FLOAT32, &[1, 1, 2, 1]),
        packed(DataType::UINT32, &[1, 1, 2, 1]),
    ];
    job(id, tensors, (3, 1), AxisDirection::DECREASING, &floats(&[0.5; 1200]))
}

#[test]
fn jobs_without_room_fail_alone() {
    let settings = Settings {
        most_bytes: 4096,
        ..Settings::default()
    };
    let (answers, _) = run(settings, vec![example(1), large(2), example(3)]);
    assert_eq!(tensors(&answers[0].1), expected());
    assert_eq!(tensors(&answers[2].1), expected());
    let Answer::Error { message } = &answers[1].1 else {
        panic!("{answers:?}")
    };
    assert!(
        message.starts_with("CreateCommittedResource of ") && message.ends_with("returned 0x8007000e"),
        "{message}"
    );
}

#[test]
fn operators_that_do_not_compile_are_errors() {
    let settings = Settings {
        compiles: false,
        ..Settings::default()
    };
    let (answers, _) = run(settings, vec![example(1)]);
    let message = "CompileOperator returned 0x80004005".to_owned();
    assert_eq!(answers[0].1, Answer::Error { message });
}

#[test]
fn half_precision_is_a_flag_of_the_job_alone() {
    let half = |id| Job {
        half_precision: true,
        ..example(id)
    };
    let (answers, world) = run(Settings::default(), vec![example(1), half(2), example(3)]);
    for (_, answer) in &answers {
        assert_eq!(tensors(answer), expected());
    }
    let state = world.state();
    assert_eq!((&state.flags[..], state.submissions), (&[0, 1, 0][..], 1));
}

#[test]
fn sessions_that_end_early_wait_for_their_device() {
    let world = World::new(Settings::default());
    let mut session = session(world, Duration::from_secs(60));
    session.submit(vec![example(1)]);
    drop(session);
    assert_eq!(world.violations(), [""; 0]);
    assert_eq!(world.alive(), []);
}
