//! Expectations worked out by hand.

use dml_ops::{DataType, TensorDesc};

use super::*;

const POISON: u8 = 0xcd;

fn tensor(data_type: DataType, sizes: &[u32], strides: Option<&[u32]>) -> TensorDesc {
    let mut tensor = TensorDesc::packed(data_type.0, 8, sizes);
    tensor.strides = strides.map(|strides| strides.iter().copied().collect());
    tensor
}

fn op(inputs: &[&[u32]], output: TensorDesc, axis: u32) -> Join {
    let inputs = inputs.iter().map(|sizes| tensor(DataType::UINT8, sizes, None));
    Join {
        input_count: inputs.len() as u32,
        input_tensors: Some(inputs.collect()),
        output_tensor: Some(output),
        axis,
    }
}

fn run(op: &Join, inputs: &[&[u8]], length: usize) -> Result<Vec<u8>, KernelError> {
    let mut output = vec![POISON; length];
    execute(op, inputs, &mut [&mut output])?;
    Ok(output)
}

#[test]
fn unequal_inputs_follow_each_other_along_any_axis() {
    let three = tensor(DataType::UINT8, &[2, 3], None);
    let along_rows = op(&[&[2, 1], &[2, 2]], three.clone(), 1);
    assert_eq!(
        run(&along_rows, &[&[1, 2], &[3, 4, 5, 6]], 6),
        Ok(vec![1, 3, 4, 2, 5, 6])
    );
    let along_columns = op(&[&[1, 3], &[1, 3]], three, 0);
    assert_eq!(
        run(&along_columns, &[&[1, 2, 3], &[4, 5, 6]], 6),
        Ok(vec![1, 2, 3, 4, 5, 6])
    );
}

#[test]
fn one_input_is_copied() {
    let copy = op(&[&[2, 2]], tensor(DataType::UINT8, &[2, 2], None), 0);
    assert_eq!(run(&copy, &[&[1, 2, 3, 4]], 4), Ok(vec![1, 2, 3, 4]));
}

#[test]
fn strides_lead_and_gaps_stay() {
    let mut padded = op(&[&[2, 1], &[2, 1]], tensor(DataType::UINT8, &[2, 2], Some(&[5, 2])), 1);
    assert_eq!(
        run(&padded, &[&[1, 2], &[3, 4]], 9),
        Ok(vec![1, POISON, 3, POISON, POISON, 2, POISON, 4, POISON])
    );
    // The second input is one element, seen twice.
    padded.input_tensors.as_mut().unwrap()[1].strides = Some([0, 0].into_iter().collect());
    assert_eq!(
        run(&padded, &[&[1, 2], &[3]], 8).unwrap()[..8],
        [1, POISON, 3, POISON, POISON, 2, POISON, 3]
    );
}

#[test]
fn wide_elements_are_copied_whole() {
    let mut wide = op(&[&[1], &[2]], tensor(DataType::INT64, &[3], None), 0);
    wide.input_tensors
        .iter_mut()
        .flatten()
        .for_each(|t| t.data_type = DataType::FLOAT64.0);
    let (first, second): (Vec<u8>, Vec<u8>) = ((0..8).collect(), (8..24).collect());
    assert_eq!(run(&wide, &[&first, &second], 24), Ok((0..24).collect()));
}

#[test]
fn what_does_not_fit_is_an_error() {
    let sizes = op(&[&[2, 1], &[2, 1]], tensor(DataType::UINT8, &[2, 3], None), 1);
    assert_eq!(
        run(&sizes, &[&[1, 2], &[3, 4]], 6),
        Err(KernelError::Sizes),
        "too long an output"
    );
    let sizes = op(&[&[2, 2], &[2, 2]], tensor(DataType::UINT8, &[2, 3], None), 1);
    assert_eq!(
        run(&sizes, &[&[0; 4], &[0; 4]], 6),
        Err(KernelError::Sizes),
        "too short an output"
    );
    let axis = op(&[&[2]], tensor(DataType::UINT8, &[2], None), 1);
    assert_eq!(run(&axis, &[&[0; 2]], 2), Err(KernelError::Axis { axis: 1, rank: 1 }));
    assert!(matches!(run(&axis, &[], 2), Err(KernelError::Buffers { .. })));
    let mut null = axis.clone();
    null.input_tensors = None;
    assert_eq!(run(&null, &[&[0; 2]], 2), Err(KernelError::Absent));
    let mut mixed = op(&[&[2]], tensor(DataType::UINT8, &[2], None), 0);
    mixed
        .input_tensors
        .iter_mut()
        .flatten()
        .for_each(|t| t.data_type = DataType::FLOAT16.0);
    assert_eq!(
        run(&mixed, &[&[0; 4]], 2),
        Err(KernelError::DataType(DataType::FLOAT16.0))
    );
}
