//! ELEMENT_WISE_CLIP: scales and shifts if there is a scale-bias, then limits; whole numbers are limited as such.

use dml_ops::element_wise_clip::ElementWiseClip;

use crate::{
    KernelError, elements,
    number::{Number, Type},
};

/// Limits `inputs[0]` into `outputs[0]`.
///
/// # Errors
/// If tensors and buffers do not fit together; a valid descriptor with buffers of its sizes never fails.
pub(super) fn execute(op: &ElementWiseClip, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), KernelError> {
    elements::map(
        (&op.input_tensor, &op.output_tensor),
        inputs,
        outputs,
        |ty, number| match number {
            Number::Real(x) => Number::Real(limit(scale(op, x as f32), op.min, op.max).into()),
            Number::Whole(n) => {
                let scaled = if op.scale_bias.is_some() {
                    scale(op, n as f32) as i128
                } else {
                    n
                };
                let (min, max) = (to_integer(ty, op.min), to_integer(ty, op.max));
                Number::Whole(scaled.min(max).max(min))
            }
        },
    )
}

fn scale(op: &ElementWiseClip, x: f32) -> f32 {
    op.scale_bias.map_or(x, |(scale, bias)| x * scale + bias)
}

/// NaN stays.
fn limit(x: f32, min: f32, max: f32) -> f32 {
    let x = if x > max { max } else { x };
    if x < min { min } else { x }
}

/// A limit without its fraction, held within the type's range.
fn to_integer(ty: Type, limit: f32) -> i128 {
    let (least, greatest) = ty.limits().unwrap_or((0, 0));
    (limit as i128).clamp(least, greatest)
}

#[cfg(test)]
mod tests {
    use dml_ops::{DataType, TensorDesc};

    use super::*;

    fn op(data_type: DataType, bits: u32, scale_bias: Option<(f32, f32)>, min: f32, max: f32) -> ElementWiseClip {
        let tensor = Some(TensorDesc::packed(data_type.0, bits, &[4]));
        ElementWiseClip {
            input_tensor: tensor.clone(),
            output_tensor: tensor,
            scale_bias,
            min,
            max,
        }
    }

    #[test]
    fn floats_are_scaled_then_limited() {
        let input: Vec<u8> = [0.0f32, 1.0, -3.0, f32::NAN]
            .iter()
            .flat_map(|x| x.to_le_bytes())
            .collect();
        let mut out = vec![0; 16];
        let op = op(DataType::FLOAT32, 32, Some((2.0, 0.5)), -1.0, 2.0);
        execute(&op, &[&input], &mut [&mut out]).unwrap();
        let out: Vec<f32> = out
            .chunks_exact(4)
            .map(|b| f32::from_le_bytes(b.try_into().unwrap()))
            .collect();
        assert_eq!(out[..3], [0.5, 2.0, -1.0]);
        assert!(out[3].is_nan());
    }

    #[test]
    fn limits_of_whole_numbers_lose_their_fraction() {
        let mut out = [0; 4];
        let input = [0x80u8, 0, 2, 127];
        execute(&op(DataType::INT8, 8, None, -2.75, 1e9), &[&input], &mut [&mut out]).unwrap();
        assert_eq!(out.map(|b| b as i8), [-2, 0, 2, 127]);
        execute(&op(DataType::UINT8, 8, None, 1.75, 99.9), &[&input], &mut [&mut out]).unwrap();
        assert_eq!(out, [99, 1, 2, 99]);
    }
}
