//! Expectations worked out by hand.

use dml_ops::{DataType, TensorDesc};

use super::*;

fn tensor(data_type: DataType, sizes: &[u32], strides: Option<&[u32]>) -> TensorDesc {
    let mut tensor = TensorDesc::packed(data_type.0, 8, sizes);
    tensor.strides = strides.map(|strides| strides.iter().copied().collect());
    tensor
}

/// A descriptor over packed tensors of bytes with INT32 indices.
fn op(input: &[u32], indices: &[u32], output: &[u32], axis: u32, index_dimensions: u32) -> Gather {
    Gather {
        input_tensor: Some(tensor(DataType::UINT8, input, None)),
        indices_tensor: Some(tensor(DataType::INT32, indices, None)),
        output_tensor: Some(tensor(DataType::UINT8, output, None)),
        axis,
        index_dimensions,
    }
}

fn run(op: &Gather, input: &[u8], indices: &[i32], length: usize) -> Result<Vec<u8>, KernelError> {
    let indices: Vec<u8> = indices.iter().flat_map(|i| i.to_le_bytes()).collect();
    let mut output = vec![0xcd; length];
    execute(op, &[input, &indices], &mut [&mut output])?;
    Ok(output)
}

#[test]
fn worked_examples() {
    let remapping = op(&[4], &[5], &[5], 0, 1);
    assert_eq!(
        run(&remapping, &[11, 12, 13, 14], &[3, 1, 3, 0, 2], 5),
        Ok(vec![14, 12, 14, 11, 13])
    );
    let rows = op(&[3, 2], &[1, 4], &[4, 2], 0, 1);
    assert_eq!(
        run(&rows, &[1, 2, 3, 4, 5, 6], &[0, 1, 1, 2], 8),
        Ok(vec![1, 2, 3, 4, 3, 4, 5, 6])
    );
    let last = op(&[1, 3, 3], &[1, 1, 2], &[3, 1, 2], 2, 2);
    assert_eq!(
        run(&last, &[1, 2, 3, 4, 5, 6, 7, 8, 9], &[0, 2], 6),
        Ok(vec![1, 3, 4, 6, 7, 9])
    );
    let nested = op(&[1, 3, 2], &[1, 2, 2], &[2, 2, 2], 1, 2);
    assert_eq!(
        run(&nested, &[1, 2, 3, 4, 5, 6], &[0, 1, 1, 2], 8),
        Ok(vec![1, 2, 3, 4, 3, 4, 5, 6])
    );
}

#[test]
fn no_index_dimension_drops_the_axis() {
    let row = op(&[3, 2], &[1, 1], &[1, 2], 0, 0);
    assert_eq!(run(&row, &[1, 2, 3, 4, 5, 6], &[1], 2), Ok(vec![3, 4]));
    let column = op(&[3, 2], &[1, 1], &[1, 3], 1, 0);
    assert_eq!(run(&column, &[1, 2, 3, 4, 5, 6], &[-1], 3), Ok(vec![2, 4, 6]));
}

#[test]
fn negative_indices_count_from_the_end_and_others_are_clamped() {
    assert_eq!(
        [0, 2, 3, i64::MAX, -1, -3, -4, i64::MIN].map(|i| locate(i, 3)),
        [0, 2, 2, 2, 2, 0, 0, 0]
    );
}

#[test]
fn strides_of_all_tensors_lead() {
    let mut strided = op(&[2, 3], &[1, 2], &[2, 2], 1, 1);
    strided.input_tensor = Some(tensor(DataType::UINT8, &[2, 3], Some(&[1, 2])));
    strided.indices_tensor = Some(tensor(DataType::INT32, &[1, 2], Some(&[9, 2])));
    strided.output_tensor = Some(tensor(DataType::UINT8, &[2, 2], Some(&[1, 3])));
    // The input is transposed: its rows are 1 3 5 and 2 4 6.
    let found = run(&strided, &[1, 2, 3, 4, 5, 6], &[2, 77, 0], 5);
    assert_eq!(found, Ok(vec![5, 6, 0xcd, 1, 2]));
}

#[test]
fn what_does_not_fit_is_an_error() {
    let wrong = |op: &Gather| run(op, &[0; 6], &[0; 4], 12);
    assert_eq!(wrong(&op(&[3, 2], &[1, 4], &[4, 3], 0, 1)), Err(KernelError::Sizes));
    assert_eq!(wrong(&op(&[3, 2], &[1, 4], &[3, 2], 0, 1)), Err(KernelError::Sizes));
    assert_eq!(
        wrong(&op(&[3, 2], &[1, 4], &[4, 2], 2, 1)),
        Err(KernelError::Sizes),
        "axis"
    );
    assert_eq!(
        wrong(&op(&[3, 2], &[1, 4], &[4, 2], 0, 2)),
        Err(KernelError::Sizes),
        "cropped axis"
    );
    assert_eq!(
        wrong(&op(&[3, 2], &[4], &[4, 2], 0, 1)),
        Err(KernelError::Sizes),
        "rank"
    );
    let mut types = op(&[3, 2], &[1, 4], &[4, 2], 0, 1);
    types.indices_tensor = Some(tensor(DataType::INT16, &[1, 4], None));
    assert_eq!(wrong(&types), Err(KernelError::DataType(DataType::INT16.0)));
    types.indices_tensor = None;
    assert_eq!(wrong(&types), Err(KernelError::Absent));
}
