//! ELEMENT_WISE_BIT_COUNT: how many bits of each element are set.

use dml_ops::element_wise_bit_count::ElementWiseBitCount;

use crate::{
    KernelError,
    number::{self, Type},
    view::{self, Layout, require_tensor},
};

/// Counts the bits of the elements of `inputs[0]` into `outputs[0]`.
///
/// # Errors
/// If tensors and buffers do not fit together; a valid descriptor with buffers of its sizes never fails.
pub(super) fn execute(
    op: &ElementWiseBitCount,
    inputs: &[&[u8]],
    outputs: &mut [&mut [u8]],
) -> Result<(), KernelError> {
    let ([input], [output]) = (inputs, &mut *outputs) else {
        return Err(KernelError::buffers(inputs, outputs));
    };
    let (from_tensor, to_tensor) = (require_tensor(&op.input_tensor)?, require_tensor(&op.output_tensor)?);
    let (from_type, to_type) = (Type::of(from_tensor.data_type)?, Type::of(to_tensor.data_type)?);
    let from = Layout::new(from_tensor, from_type.width(), input.len())?;
    let to = Layout::new(to_tensor, to_type.width(), output.len())?;
    for [source, target] in view::together([&from, &to])? {
        // Elements are read zero-extended, so that no bit beyond their width is set.
        let set = number::read(from_type, input, source).count_ones();
        number::write(to_type, output, target, set.into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use dml_ops::{DataType, TensorDesc};

    use super::*;

    #[test]
    fn bits_of_every_width_are_counted() {
        let op = ElementWiseBitCount {
            input_tensor: Some(TensorDesc::packed(DataType::UINT16.0, 16, &[3])),
            output_tensor: Some(TensorDesc::packed(DataType::UINT8.0, 8, &[3])),
        };
        let mut out = [9; 4];
        let input: Vec<u8> = [0_u16, 0xffff, 0x8001].iter().flat_map(|n| n.to_le_bytes()).collect();
        execute(&op, &[&input], &mut [&mut out]).unwrap();
        assert_eq!(out, [0, 16, 2, 9]);
    }
}
