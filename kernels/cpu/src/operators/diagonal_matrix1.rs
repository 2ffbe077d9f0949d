//! DIAGONAL_MATRIX1: a value along a span of diagonals; elsewhere the input, or zero.

use dml_ops::diagonal_matrix1::DiagonalMatrix1;

use crate::{
    KernelError,
    copying::{by_width, width},
    view::{self, Layout, require_tensor},
};

/// Fills `outputs[0]`, from `inputs[0]` if the input is given.
///
/// # Errors
/// If tensors and buffers do not fit together; a valid descriptor with buffers of its sizes never fails.
pub(super) fn execute(op: &DiagonalMatrix1, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), KernelError> {
    let width = width(require_tensor(&op.output_tensor)?)?;
    match outputs {
        [output] => by_width!(width, run(op, inputs, output)),
        outputs => Err(KernelError::buffers(inputs, outputs)),
    }
}

fn run<const W: usize>(op: &DiagonalMatrix1, inputs: &[&[u8]], output: &mut [u8]) -> Result<(), KernelError> {
    let to = Layout::new(require_tensor(&op.output_tensor)?, W, output.len())?;
    let rank = to.rank();
    if rank < 2 {
        return Err(KernelError::Rank(rank));
    }
    let (height, width) = (to.size(rank - 2), to.size(rank - 1));
    let span = Span {
        begin: op.diagonal_fill_begin.into(),
        end: op.diagonal_fill_end.into(),
    };
    let value = view::read_first::<W>(&op.value);
    let is_filled = |place: usize| span.holds((place % width) as i64 - (place / width % height) as i64);
    match (&op.input_tensor, inputs) {
        (None, []) => {
            for (place, [target]) in to.elements().enumerate() {
                view::write::<W>(output, target, if is_filled(place) { value } else { 0 });
            }
        }
        (Some(tensor), [input]) => {
            let from = Layout::new(tensor, W, input.len())?;
            for (place, [source, target]) in view::together([&from, &to])?.enumerate() {
                let kept = view::read::<W>(input, source);
                view::write::<W>(output, target, if is_filled(place) { value } else { kept });
            }
        }
        (_, inputs) => {
            return Err(KernelError::Buffers {
                inputs: inputs.len(),
                outputs: 1,
            });
        }
    }
    Ok(())
}

/// Diagonals, by the column in which they meet the first row. If the end lies before the beginning, all others are meant.
struct Span {
    begin: i64,
    end: i64,
}

impl Span {
    fn holds(&self, diagonal: i64) -> bool {
        (self.end >= self.begin) ^ (diagonal >= self.begin) ^ (diagonal < self.end)
    }
}

#[cfg(test)]
mod tests {
    use dml_ops::{DataType, TensorDesc};

    use super::*;

    fn filled(begin: i32, end: i32, input: Option<&[u8]>) -> Vec<u8> {
        let tensor = TensorDesc::packed(DataType::UINT8.0, 8, &[1, 3, 4]);
        let op = DiagonalMatrix1 {
            input_tensor: input.map(|_| tensor.clone()),
            output_tensor: Some(tensor),
            value_data_type: DataType::UINT8,
            value: [7, 0, 0, 0, 0, 0, 0, 0],
            diagonal_fill_begin: begin,
            diagonal_fill_end: end,
        };
        let mut out = vec![9; 12];
        let inputs: Vec<&[u8]> = input.into_iter().collect();
        execute(&op, &inputs, &mut [&mut out]).unwrap();
        out
    }

    #[test]
    fn spans_are_half_open_and_may_be_inverted() {
        assert_eq!(filled(0, 1, None), [7, 0, 0, 0, 0, 7, 0, 0, 0, 0, 7, 0]);
        assert_eq!(filled(i32::MIN, 1, None), [7, 0, 0, 0, 7, 7, 0, 0, 7, 7, 7, 0]);
        let all = [1; 12];
        assert_eq!(filled(1, 0, Some(&all)), [1, 7, 7, 7, 7, 1, 7, 7, 7, 7, 1, 7]);
        assert_eq!(filled(2, 2, Some(&all)), all);
    }
}
