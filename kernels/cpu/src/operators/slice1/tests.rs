//! Expectations worked out by hand.

use dml_ops::{DataType, TensorDesc};

use super::*;

fn tensor(data_type: DataType, sizes: &[u32], strides: Option<&[u32]>) -> TensorDesc {
    let mut tensor = TensorDesc::packed(data_type.0, 8, sizes);
    tensor.strides = strides.map(|strides| strides.iter().copied().collect());
    tensor
}

/// A descriptor over packed tensors of bytes.
fn op(input: &[u32], output: &[u32], offsets: &[u32], sizes: &[u32], strides: &[i32]) -> Slice1 {
    Slice1 {
        input_tensor: Some(tensor(DataType::UINT8, input, None)),
        output_tensor: Some(tensor(DataType::UINT8, output, None)),
        dimension_count: offsets.len() as u32,
        input_window_offsets: Some(offsets.iter().copied().collect()),
        input_window_sizes: Some(sizes.iter().copied().collect()),
        input_window_strides: Some(strides.iter().copied().collect()),
    }
}

fn run(op: &Slice1, input: &[u8], length: usize) -> Result<Vec<u8>, KernelError> {
    let mut output = vec![0xcd; length];
    execute(op, &[input], &mut [&mut output])?;
    Ok(output)
}

#[test]
fn worked_examples() {
    let input: Vec<u8> = (1..=16).collect();
    let example = |strides| op(&[1, 1, 4, 4], &[1, 1, 2, 2], &[0, 0, 0, 1], &[1, 1, 4, 3], strides);
    assert_eq!(run(&example(&[1, 1, 2, 2]), &input, 4), Ok(vec![2, 4, 10, 12]));
    assert_eq!(run(&example(&[1, 1, -2, 2]), &input, 4), Ok(vec![14, 16, 6, 8]));
}

#[test]
fn copying_backwards_starts_at_the_end_of_the_window() {
    let input = [0, 1, 2, 3, 4, 5, 6, 7];
    let slice = |out, offset, size, stride| run(&op(&[8], &[out], &[offset], &[size], &[stride]), &input, out as usize);
    assert_eq!(slice(3, 1, 5, -2), Ok(vec![5, 3, 1]));
    assert_eq!(slice(2, 1, 5, -2), Ok(vec![5, 3]), "not all that can be reached");
    assert_eq!(slice(2, 2, 4, -2), Ok(vec![5, 3]));
    assert_eq!(slice(1, 3, 2, i32::MIN), Ok(vec![4]));
    assert_eq!(slice(1, 3, 2, i32::MAX), Ok(vec![3]));
    assert_eq!(slice(8, 0, 8, -1), Ok(vec![7, 6, 5, 4, 3, 2, 1, 0]));
}

#[test]
fn strides_of_the_buffers_lead() {
    let mut strided = op(&[2, 3], &[2, 2], &[0, 0], &[2, 3], &[-1, 2]);
    strided.input_tensor = Some(tensor(DataType::UINT8, &[2, 3], Some(&[1, 2])));
    strided.output_tensor = Some(tensor(DataType::UINT8, &[2, 2], Some(&[3, 1])));
    // The input is transposed: its rows are 1 3 5 and 2 4 6.
    assert_eq!(run(&strided, &[1, 2, 3, 4, 5, 6], 5), Ok(vec![2, 6, 0xcd, 1, 5]));
    strided.input_tensor = Some(tensor(DataType::UINT8, &[2, 3], Some(&[0, 1])));
    assert_eq!(run(&strided, &[1, 2, 3], 5), Ok(vec![1, 3, 0xcd, 1, 3]), "broadcast");
}

#[test]
fn what_does_not_fit_is_an_error() {
    let wrong = |op: &Slice1| run(op, &[0; 8], 8);
    assert_eq!(
        wrong(&op(&[8], &[4], &[0], &[8], &[3])),
        Err(KernelError::Sizes),
        "past the window"
    );
    assert_eq!(
        wrong(&op(&[8], &[4], &[0], &[8], &[-3])),
        Err(KernelError::Sizes),
        "before the window"
    );
    assert_eq!(
        wrong(&op(&[8], &[1], &[8], &[1], &[1])),
        Err(KernelError::Sizes),
        "past the input"
    );
    assert_eq!(wrong(&op(&[8], &[1], &[u32::MAX], &[2], &[1])), Err(KernelError::Sizes));
    assert_eq!(
        wrong(&op(&[8], &[1], &[0], &[0], &[1])),
        Err(KernelError::Sizes),
        "no window"
    );
    assert_eq!(
        wrong(&op(&[8], &[1], &[0], &[1], &[0])),
        Err(KernelError::Sizes),
        "no stride"
    );
    assert_eq!(
        wrong(&op(&[2, 4], &[1, 1], &[0], &[1], &[1])),
        Err(KernelError::Sizes),
        "short lists"
    );
    let mut null = op(&[8], &[1], &[0], &[1], &[1]);
    null.input_window_strides = None;
    assert_eq!(wrong(&null), Err(KernelError::Sizes));
    null.input_tensor = None;
    assert_eq!(wrong(&null), Err(KernelError::Absent));
}
