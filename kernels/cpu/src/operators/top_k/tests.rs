//! Expectations computed by hand; the tests of TOP_K1 cover the selection itself.

use dml_ops::{DataType, TensorDesc};

use super::*;

fn op(data_type: DataType, sizes: &[u32], axis: u32, k: u32) -> TopK {
    let mut selected = sizes.to_vec();
    selected[axis as usize] = k;
    TopK {
        input_tensor: Some(TensorDesc::packed(data_type.0, 8, sizes)),
        output_value_tensor: Some(TensorDesc::packed(data_type.0, 8, &selected)),
        output_index_tensor: Some(TensorDesc::packed(DataType::UINT32.0, 8, &selected)),
        axis,
        k,
    }
}

#[test]
fn the_largest_come_first_and_ties_ascend() {
    let (mut values, mut indices) = ([0; 6], [0; 24]);
    let op = op(DataType::UINT8, &[2, 4], 1, 3);
    execute(&op, &[&[5, 7, 5, 7, 200, 0, 0, 9]], &mut [&mut values, &mut indices]).unwrap();
    assert_eq!(values, [7, 7, 5, 200, 9, 0]);
    let indices: Vec<u32> = indices
        .as_chunks::<4>()
        .0
        .iter()
        .map(|b| u32::from_le_bytes(*b))
        .collect();
    assert_eq!(indices, [1, 3, 0, 0, 3, 1]);
}

#[test]
fn more_elements_than_there_are_is_an_error() {
    let (mut values, mut indices) = ([0; 5], [0; 20]);
    let outputs: &mut [&mut [u8]] = &mut [&mut values, &mut indices];
    assert_eq!(
        execute(&op(DataType::INT8, &[4], 0, 5), &[&[0; 4]], outputs),
        Err(KernelError::Sizes)
    );
}
