//! NONZERO_COORDINATES: how many elements are not zero, and where they lie.

use dml_ops::nonzero_coordinates::NonzeroCoordinates;

use crate::{
    KernelError,
    number::{self, Number, Type},
    view::{self, Layout, MAX_RANK, require_tensor},
};

/// Bytes of an element of both outputs, UINT32.
const WIDTH: usize = 4;

/// Writes the count of the elements of `inputs[0]` that are not zero into `outputs[0]` and their coordinates into
/// `outputs[1]`; rows beyond the count stay as they are.
///
/// # Errors
/// If tensors and buffers do not fit together; a valid descriptor with buffers of its sizes never fails.
pub(super) fn execute(op: &NonzeroCoordinates, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), KernelError> {
    let ([input], [count, coordinates]) = (inputs, &mut *outputs) else {
        return Err(KernelError::buffers(inputs, outputs));
    };
    let tensor = require_tensor(&op.input_tensor)?;
    let ty = Type::of(tensor.data_type)?;
    let from = Layout::new(tensor, ty.width(), input.len())?;
    let of_count = Layout::new(require_tensor(&op.output_count_tensor)?, WIDTH, count.len())?;
    let table = Layout::new(require_tensor(&op.output_coordinates_tensor)?, WIDTH, coordinates.len())?;
    let (rank, table_rank) = (from.rank(), table.rank());
    if table_rank < 2 {
        return Err(KernelError::Rank(table_rank));
    }
    let (rows, columns) = (table.size(table_rank - 2), table.size(table_rank - 1));
    if of_count.count() != 1 || rows != from.count() || columns > rank {
        return Err(KernelError::Sizes);
    }
    let (row_step, column_step) = (table.stride(table_rank - 2), table.stride(table_rank - 1));
    let (mut at, mut found) = ([0_usize; MAX_RANK], 0_usize);
    for [source] in from.elements() {
        if !is_zero(ty.number(number::read(ty, input, source))) {
            // Leading dimensions that have no column have one element.
            for (column, coordinate) in at.iter().take(rank).skip(rank - columns).enumerate() {
                let target = found * row_step + column * column_step;
                view::write::<WIDTH>(coordinates, target, *coordinate as u64);
            }
            found += 1;
        }
        advance(&mut at, &from);
    }
    view::write::<WIDTH>(count, 0, found as u64);
    Ok(())
}

fn is_zero(number: Number) -> bool {
    match number {
        Number::Whole(n) => n == 0,
        Number::Real(x) => x == 0.0,
    }
}

/// The coordinates of the next element, in row-major order.
fn advance(at: &mut [usize; MAX_RANK], layout: &Layout) {
    for d in (0..layout.rank()).rev() {
        at[d] += 1;
        if at[d] < layout.size(d) {
            return;
        }
        at[d] = 0;
    }
}

#[cfg(test)]
mod tests {
    use dml_ops::{DataType, TensorDesc};

    use super::*;

    #[test]
    fn coordinates_are_counted_and_listed() {
        let op = NonzeroCoordinates {
            input_tensor: Some(TensorDesc::packed(DataType::FLOAT32.0, 32, &[1, 1, 2, 3])),
            output_count_tensor: Some(TensorDesc::packed(DataType::UINT32.0, 32, &[1, 1, 1, 1])),
            output_coordinates_tensor: Some(TensorDesc::packed(DataType::UINT32.0, 32, &[1, 1, 6, 2])),
        };
        let numbers = [0.0_f32, 2.0, -0.0, -1.0, 0.0, f32::INFINITY];
        let input: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        let (mut count, mut coordinates) = ([0xcd; 4], [0xcd; 48]);
        execute(&op, &[&input], &mut [&mut count, &mut coordinates]).unwrap();
        assert_eq!(u32::from_le_bytes(count), 3);
        let found: Vec<u32> = coordinates[..24]
            .chunks_exact(4)
            .map(|bytes| u32::from_le_bytes(bytes.try_into().unwrap()))
            .collect();
        assert_eq!(found, [0, 1, 1, 0, 1, 2]);
        assert_eq!(coordinates[24..], [0xcd; 24]);
    }
}
