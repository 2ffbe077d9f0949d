//! Expectations worked out by hand.

use dml_ops::{DataType, TensorDesc};

use super::*;

fn tensor(data_type: DataType, sizes: &[u32], strides: Option<&[u32]>) -> TensorDesc {
    let mut tensor = TensorDesc::packed(data_type.0, 8, sizes);
    tensor.strides = strides.map(|strides| strides.iter().copied().collect());
    tensor
}

/// A descriptor over packed tensors of bytes.
fn op(index: DataType, indices: &[u32], values: &[u32], output: &[u32], axis: u32) -> OneHot {
    OneHot {
        indices_tensor: Some(tensor(index, indices, None)),
        values_tensor: Some(tensor(DataType::UINT8, values, None)),
        output_tensor: Some(tensor(DataType::UINT8, output, None)),
        axis,
    }
}

fn run(op: &OneHot, indices: &[u8], values: &[u8], length: usize) -> Result<Vec<u8>, KernelError> {
    let mut output = vec![0xcd; length];
    execute(op, &[indices, values], &mut [&mut output])?;
    Ok(output)
}

macro_rules! le {
    ($numbers:expr) => {
        &$numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>()
    };
}

#[test]
fn worked_examples() {
    let rows = op(DataType::UINT32, &[1, 1, 3, 1], &[1, 1, 1, 2], &[1, 1, 3, 4], 3);
    assert_eq!(
        run(&rows, le!([0u32, 3, 2]), &[0, 1], 12),
        Ok(vec![1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0])
    );
    let columns = op(DataType::UINT32, &[1, 1, 1, 4], &[1, 1, 1, 2], &[1, 1, 3, 4], 2);
    assert_eq!(
        run(&columns, le!([0u32, 2, 1, 0]), &[0, 1], 12),
        Ok(vec![1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0])
    );
    let values = op(DataType::UINT32, &[1, 1, 3, 1], &[1, 1, 3, 1], &[1, 1, 3, 4], 3);
    assert_eq!(
        run(&values, le!([0u32, 3, 2]), &[4, 2, 9], 12),
        Ok(vec![2, 4, 4, 4, 4, 4, 4, 2, 4, 4, 2, 4])
    );
    let bounds = op(DataType::INT32, &[1, 1, 3, 1], &[1, 1, 1, 2], &[1, 1, 3, 4], 3);
    assert_eq!(
        run(&bounds, le!([-3i32, 100, 3]), &[0, 1], 12),
        Ok(vec![0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    );
}

#[test]
fn indices_beyond_either_end_name_nothing() {
    assert_eq!(
        [0, 2, 3, i64::MAX].map(|i| locate(i, 3)),
        [Some(0), Some(2), None, None]
    );
    assert_eq!(
        [-1, -3, -4, i64::MIN].map(|i| locate(i, 3)),
        [Some(2), Some(0), None, None]
    );
    let wide = op(DataType::UINT64, &[3, 1], &[2], &[3, 2], 1);
    assert_eq!(
        run(&wide, le!([u64::MAX, 1 << 32, 1]), &[5, 6], 6),
        Ok(vec![5, 5, 5, 5, 5, 6])
    );
}

#[test]
fn values_and_outputs_may_be_strided() {
    let mut strided = op(DataType::INT64, &[2, 1], &[2, 2], &[2, 2], 1);
    strided.values_tensor = Some(tensor(DataType::UINT8, &[2, 2], Some(&[1, 3])));
    strided.output_tensor = Some(tensor(DataType::UINT8, &[2, 2], Some(&[1, 3])));
    assert_eq!(
        run(&strided, le!([1i64, 0]), &[5, 7, 8, 6, 9], 5),
        Ok(vec![5, 6, 0xcd, 6, 5])
    );
}

#[test]
fn what_does_not_fit_is_an_error() {
    let wrong = |op: &OneHot| run(op, &[0; 12], &[0; 2], 12);
    assert_eq!(
        wrong(&op(DataType::UINT32, &[3, 1], &[1, 1], &[3, 4], 1)),
        Err(KernelError::Sizes),
        "one value"
    );
    assert_eq!(
        wrong(&op(DataType::UINT32, &[2, 1], &[1, 2], &[3, 4], 1)),
        Err(KernelError::Sizes)
    );
    assert_eq!(
        wrong(&op(DataType::UINT8, &[3, 4], &[1, 2], &[3, 4], 1)),
        Err(KernelError::DataType(5))
    );
    assert_eq!(
        wrong(&op(DataType::UINT32, &[3, 1], &[1, 2], &[3, 4], 2)),
        Err(KernelError::Axis { axis: 2, rank: 2 })
    );
    let mut long = op(DataType::UINT32, &[1, 3], &[1, 2], &[1, 3], 1);
    assert_eq!(wrong(&long), Err(KernelError::Sizes), "three indices for one sequence");
    long.values_tensor = None;
    assert_eq!(wrong(&long), Err(KernelError::Absent));
}
