//! A backend made of one function. As a unit test it would have all that is generated compiled once more.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use std::{sync::Arc, time::Duration};

use dml_ops::{
    Alias, Answer, AxisDirection, Backend as _, Buffer, DataType, Job, JobId, Operator as _, Simple, Stopped, TopK1,
    levels,
};
use dml_spec::{Descriptor, FeatureLevel, TensorDesc};

fn top_k1(axis: u32) -> Arc<Descriptor> {
    let tensor = |t: DataType, sizes: &[u32]| Some(TensorDesc::packed(t.0, 32, sizes));
    let descriptor = TopK1 {
        input_tensor: tensor(DataType::FLOAT32, &[1, 1, 1, 3]),
        output_value_tensor: tensor(DataType::FLOAT32, &[1, 1, 1, 2]),
        output_index_tensor: tensor(DataType::UINT32, &[1, 1, 1, 2]),
        axis,
        k: 2,
        axis_direction: AxisDirection::INCREASING,
    };
    Arc::new(descriptor.to_descriptor())
}

fn job(id: JobId, descriptor: Arc<Descriptor>) -> Job {
    let buffer = |bytes: usize| Buffer::new(vec![0xcd; bytes + 32], 16);
    Job {
        id,
        feature_level: levels::FL_5_0,
        descriptor,
        inputs: vec![buffer(12)],
        outputs: vec![buffer(8), buffer(8)],
        aliases: Box::default(),
        half_precision: false,
    }
}

fn fill(_: &Descriptor, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), Stopped> {
    assert_eq!(inputs.iter().map(|i| i.len()).collect::<Vec<_>>(), [12]);
    for output in outputs {
        output.fill(1);
    }
    Ok(())
}

fn answer<F>(execute: F, job: Job) -> Answer
where
    F: Fn(&Descriptor, &[&[u8]], &mut [&mut [u8]]) -> Result<(), Stopped> + Send + Sync + 'static,
{
    let backend = Simple::new("test", "1", FeatureLevel::new(5, 0), ["TOP_K1"], execute);
    let mut session = backend.open().unwrap();
    session.submit(vec![job]);
    let mut answers = session.poll(Duration::ZERO);
    assert!(session.poll(Duration::ZERO).is_empty());
    assert_eq!(answers.len(), 1);
    answers.remove(0).1
}

#[test]
fn a_valid_case_is_executed_between_its_guards() {
    let Answer::Executed { outputs } = answer(fill, job(1, top_k1(3))) else {
        panic!("not executed")
    };
    for output in outputs {
        assert_eq!(output.tensor(), [1; 8]);
        assert_eq!(
            (&output.whole()[..16], &output.whole()[24..]),
            (&[0xcd; 16][..], &[0xcd; 16][..])
        );
    }
}

#[test]
fn an_input_in_whose_place_an_output_lies_is_what_the_output_holds() {
    fn copy(_: &Descriptor, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), Stopped> {
        outputs[1].copy_from_slice(&inputs[0][..8]);
        Ok(())
    }
    let mut shared = job(1, top_k1(3));
    shared.outputs[0].tensor_mut().fill(7);
    shared.aliases = Box::new([Alias { output: 0, input: 0 }]);
    let Answer::Executed { outputs } = answer(copy, shared) else {
        panic!("not executed")
    };
    assert_eq!(outputs[1].tensor(), [7; 8]);
}

#[test]
fn an_invalid_case_never_reaches_the_function() {
    fn never(_: &Descriptor, _: &[&[u8]], _: &mut [&mut [u8]]) -> Result<(), Stopped> {
        panic!("reached");
    }
    let Answer::Rejected(rejection) = answer(never, job(1, top_k1(4))) else {
        panic!("not rejected")
    };
    assert_eq!(rejection.clauses, ["TOP_K1/axis-in-range"]);
    let unknown = Arc::new(Descriptor {
        operator: "GEMM".into(),
        fields: Vec::new(),
    });
    assert_eq!(
        answer(never, job(1, unknown)),
        Answer::Skipped {
            reason: "unsupported".to_owned()
        }
    );
    let short = Arc::new(Descriptor {
        operator: "TOP_K1".into(),
        fields: Vec::new(),
    });
    let message = "found 0 fields, TOP_K1 has 6".to_owned();
    assert_eq!(answer(never, job(1, short)), Answer::Error { message });
}

#[test]
fn creating_validates_at_the_level_of_the_job() {
    let backend = Simple::new("test", "1", FeatureLevel::new(5, 0), ["TOP_K1"], fill);
    let mut session = backend.open().unwrap();
    assert_eq!(session.create(&job(1, top_k1(3))), Answer::Created);
    let early = Job {
        feature_level: levels::FL_2_0,
        ..job(2, top_k1(3))
    };
    let Answer::Rejected(rejection) = session.create(&early) else {
        panic!("not rejected")
    };
    assert_eq!(rejection.clauses, ["TOP_K1/introduced"]);
}
