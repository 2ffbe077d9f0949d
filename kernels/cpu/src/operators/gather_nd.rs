//! GATHER_ND: blocks of the input taken by tuples of indices.
//!
//! The output runs through the tuples, then through the block that each of them names. So one walk over the output covers
//! both: a dimension of it belongs to the indices or to the input, or has one element.

use dml_ops::gather_nd::GatherNd;

use crate::{
    KernelError,
    copying::{by_width, index_reader, width},
    view::{self, Layout, require_tensor},
};

/// Takes from `inputs[0]` by `inputs[1]` into `outputs[0]`.
///
/// # Errors
/// If tensors and buffers do not fit together; a valid descriptor with buffers of its sizes never fails.
pub(super) fn execute(op: &GatherNd, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), KernelError> {
    let width = width(require_tensor(&op.output_tensor)?)?;
    match (inputs, outputs) {
        ([input, indices], [output]) => by_width!(width, run(op, input, indices, output)),
        (inputs, outputs) => Err(KernelError::buffers(inputs, outputs)),
    }
}

fn run<const W: usize>(op: &GatherNd, input: &[u8], indices: &[u8], output: &mut [u8]) -> Result<(), KernelError> {
    let (input_tensor, index_tensor) = (require_tensor(&op.input_tensor)?, require_tensor(&op.indices_tensor)?);
    if width(input_tensor)? != W {
        return Err(KernelError::DataType(input_tensor.data_type));
    }
    let read_index = index_reader(index_tensor)?;
    let from = Layout::new(input_tensor, W, input.len())?;
    let index = Layout::new(index_tensor, width(index_tensor)?, indices.len())?;
    let to = Layout::new(require_tensor(&op.output_tensor)?, W, output.len())?;
    let rank = to.rank();
    let tuple = index.size(index.rank() - 1);
    let (input_count, index_count) = (op.input_dimension_count as usize, op.indices_dimension_count as usize);
    let is_sound = from.rank() == rank
        && index.rank() == rank
        && (1..=rank).contains(&input_count)
        && (1..=rank).contains(&index_count)
        && tuple <= input_count
        && index_count - 1 + input_count - tuple <= rank;
    if !is_sound {
        return Err(KernelError::Sizes);
    }
    // From the right: the block's dimensions, those of the tuples, and what is left over.
    let block = input_count - tuple;
    let first_of_block = rank - block;
    let first_of_tuples = first_of_block - (index_count - 1);
    let by_input = |d: usize| (d >= first_of_block).then_some(d);
    let by_index = |d: usize| {
        (first_of_tuples..first_of_block)
            .contains(&d)
            .then(|| d - first_of_tuples)
    };
    let index_at = |n: usize| rank - index_count + n;
    let fits = |d| match (by_input(d), by_index(d)) {
        (Some(dimension), _) => to.size(d) == from.size(dimension),
        (_, Some(n)) => to.size(d) == index.size(index_at(n)),
        _ => to.size(d) == 1,
    };
    if !(0..rank).all(fits) {
        return Err(KernelError::Sizes);
    }
    let along_input = to.with_strides(|d| by_input(d).map_or(0, |dimension| from.stride(dimension)));
    let along_index = to.with_strides(|d| by_index(d).map_or(0, |n| index.stride(index_at(n))));
    let (step, first_of_input) = (index.stride(rank - 1), rank - input_count);
    for [source, place, target] in view::together([&along_input, &along_index, &to])? {
        let start = (0..tuple).fold(source, |start, n| {
            let dimension = first_of_input + n;
            let element = locate(read_index(indices, place + n * step), from.size(dimension));
            start + element * from.stride(dimension)
        });
        view::write::<W>(output, target, view::read::<W>(input, start));
    }
    Ok(())
}

/// The element of a dimension of this size that an index takes: negative ones count from the end, and what lies beyond
/// either end is clamped.
fn locate(index: i64, size: usize) -> usize {
    let last = size as i64 - 1;
    let counted = if index < 0 {
        index.saturating_add(size as i64)
    } else {
        index
    };
    counted.clamp(0, last) as usize
}

#[cfg(test)]
mod tests {
    use dml_ops::{DataType, TensorDesc};

    use super::*;

    #[test]
    fn tuples_name_blocks() {
        let op = GatherNd {
            input_tensor: Some(TensorDesc::packed(DataType::UINT8.0, 8, &[1, 2, 2, 3])),
            indices_tensor: Some(TensorDesc::packed(DataType::INT32.0, 32, &[1, 1, 2, 2])),
            output_tensor: Some(TensorDesc::packed(DataType::UINT8.0, 8, &[1, 1, 2, 3])),
            input_dimension_count: 3,
            indices_dimension_count: 2,
        };
        let input: Vec<u8> = (0..12).collect();
        let indices: Vec<u8> = [0_i32, -1, 1, 0].iter().flat_map(|n| n.to_le_bytes()).collect();
        let mut out = [99; 6];
        execute(&op, &[&input, &indices], &mut [&mut out]).unwrap();
        assert_eq!(out, [3, 4, 5, 6, 7, 8]);
    }
}
