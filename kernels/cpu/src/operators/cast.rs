//! CAST: reads every element as a number and writes it as one of another type.

use dml_ops::cast::Cast;

use crate::{
    KernelError,
    number::{self, Type},
    view::{self, Layout},
};

/// Converts `inputs[0]` to `outputs[0]`.
///
/// # Errors
/// If tensors and buffers do not fit together; a valid descriptor with buffers of its sizes never fails.
pub(super) fn execute(op: &Cast, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), KernelError> {
    let ([input], [output]) = (inputs, &mut *outputs) else {
        return Err(KernelError::buffers(inputs, outputs));
    };
    let (Some(from), Some(to)) = (&op.input_tensor, &op.output_tensor) else {
        return Err(KernelError::Absent);
    };
    let (read, written) = (Type::of(from.data_type)?, Type::of(to.data_type)?);
    let from = Layout::new(from, read.width(), input.len())?;
    let to = Layout::new(to, written.width(), output.len())?;
    for [at, out] in view::together([&from, &to])? {
        let number = read.number(number::read(read, input, at));
        number::write(written, output, out, written.bits(number));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use dml_ops::{DataType, TensorDesc};

    use super::*;

    fn op(from: (DataType, u32), to: (DataType, u32), sizes: &[u32]) -> Cast {
        Cast {
            input_tensor: Some(TensorDesc::packed(from.0.0, from.1, sizes)),
            output_tensor: Some(TensorDesc::packed(to.0.0, to.1, sizes)),
        }
    }

    #[test]
    fn fractions_are_cut_off() {
        let op = op((DataType::FLOAT32, 32), (DataType::INT8, 8), &[4]);
        let input: Vec<u8> = [1.75f32, -1.75, 127.5, -0.5]
            .iter()
            .flat_map(|x| x.to_le_bytes())
            .collect();
        let mut out = [0xcd; 4];
        execute(&op, &[&input], &mut [&mut out]).unwrap();
        assert_eq!(out.map(|b| b as i8), [1, -1, 127, 0]);
    }

    #[test]
    fn signs_are_extended() {
        let op = op((DataType::INT8, 8), (DataType::INT64, 64), &[2]);
        let mut out = [0xcd; 16];
        execute(&op, &[&[0xff, 0x7f]], &mut [&mut out]).unwrap();
        assert_eq!(out[..8], (-1i64).to_le_bytes());
        assert_eq!(out[8..], 127i64.to_le_bytes());
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        let mut op = op((DataType::UINT8, 8), (DataType::UINT8, 8), &[4]);
        assert!(execute(&op, &[&[0; 3]], &mut [&mut [0; 4]]).is_err());
        op.output_tensor = Some(TensorDesc::packed(DataType::UINT8.0, 8, &[5]));
        assert_eq!(execute(&op, &[&[0; 4]], &mut [&mut [0; 8]]), Err(KernelError::Sizes));
        op.output_tensor = Some(TensorDesc::packed(13, 4, &[4]));
        assert_eq!(
            execute(&op, &[&[0; 4]], &mut [&mut [0; 4]]),
            Err(KernelError::DataType(13))
        );
    }
}
