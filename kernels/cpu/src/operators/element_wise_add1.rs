//! ELEMENT_WISE_ADD1: adds in single precision; if an activation is fused, its own kernel turns the sums into
//! results before they are rounded to the output's type.

use dml_ops::{TensorDesc, element_wise_add1::ElementWiseAdd1};

use crate::{
    KernelError,
    fused::activate,
    number::{self, Number, Type},
    view::{self, Layout},
};

/// Adds `inputs[0]` and `inputs[1]` into `outputs[0]`.
///
/// # Errors
/// If tensors and buffers do not fit together; a valid descriptor with buffers of its sizes never fails, unless
/// there is no kernel for the activation.
pub(super) fn execute(op: &ElementWiseAdd1, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), KernelError> {
    let ([a, b], [output]) = (inputs, &mut *outputs) else {
        return Err(KernelError::buffers(inputs, outputs));
    };
    let ty = Type::of(given(&op.output_tensor)?.data_type)?;
    let layout = |tensor, length| Layout::new(given(tensor)?, ty.width(), length);
    let (of_a, of_b) = (layout(&op.a_tensor, a.len())?, layout(&op.b_tensor, b.len())?);
    let to = layout(&op.output_tensor, output.len())?;
    let walk = view::together([&of_a, &of_b, &to])?;
    let sum = |at: usize, of: usize| add(ty.number(number::read(ty, a, at)), ty.number(number::read(ty, b, of)));
    let Some(nested) = &op.fused_activation else {
        for [at, of, out] in walk {
            number::write(ty, output, out, ty.bits(sum(at, of)));
        }
        return Ok(());
    };
    let mut sums = Vec::with_capacity(4 * to.count());
    for [at, of, _] in walk {
        if let Number::Real(x) = sum(at, of) {
            sums.extend_from_slice(&(x as f32).to_le_bytes());
        }
    }
    let activated = activate(nested, &sums)?;
    for ([out], bits) in to.elements().zip(activated.chunks_exact(4)) {
        number::write(
            ty,
            output,
            out,
            ty.bits(Type::Single.number(view::read_first::<4>(bits))),
        );
    }
    Ok(())
}

fn given(tensor: &Option<TensorDesc>) -> Result<&TensorDesc, KernelError> {
    tensor.as_ref().ok_or(KernelError::Absent)
}

fn add(a: Number, b: Number) -> Number {
    match (a, b) {
        (Number::Real(a), Number::Real(b)) => Number::Real((a as f32 + b as f32).into()),
        (Number::Whole(a), Number::Whole(b)) => Number::Whole(a.wrapping_add(b)),
        (a, _) => a,
    }
}

#[cfg(test)]
mod tests {
    use dml_ops::{DataType, Descriptor, Value};
    use half::f16;

    use super::*;

    fn op(data_type: DataType, bits: u32, fused: Option<Descriptor>) -> ElementWiseAdd1 {
        let tensor = Some(TensorDesc::packed(data_type.0, bits, &[3]));
        ElementWiseAdd1 {
            a_tensor: tensor.clone(),
            b_tensor: tensor.clone(),
            output_tensor: tensor,
            fused_activation: fused.map(Box::new),
        }
    }

    fn singles(op: &ElementWiseAdd1) -> Vec<f32> {
        let bytes = |numbers: [f32; 3]| numbers.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
        let (a, b) = (bytes([1.0, -2.0, 0.5]), bytes([2.0, 0.5, -0.5]));
        let mut out = vec![0xcd; 12];
        execute(op, &[&a, &b], &mut [&mut out]).unwrap();
        out.chunks_exact(4)
            .map(|b| f32::from_le_bytes(b.try_into().unwrap()))
            .collect()
    }

    fn fused(name: &'static str, coefficients: &[f32]) -> Option<Descriptor> {
        let mut fields = vec![Value::Tensor(None), Value::Tensor(None)];
        fields.extend(coefficients.iter().map(|x| Value::Float(*x)));
        Some(Descriptor {
            operator: name.into(),
            fields,
        })
    }

    #[test]
    fn sums_are_activated() {
        let of = |fused| singles(&op(DataType::FLOAT32, 32, fused));
        assert_eq!(of(None), [3.0, -1.5, 0.0]);
        assert_eq!(of(fused("ACTIVATION_RELU", &[])), [3.0, 0.0, 0.0]);
        assert_eq!(of(fused("ACTIVATION_LINEAR", &[2.0, 1.0])), [7.0, -2.0, 1.0]);
        assert_eq!(of(fused("ACTIVATION_LEAKY_RELU", &[0.5])), [3.0, -0.75, 0.0]);
    }

    #[test]
    fn halves_are_rounded_once() {
        let bytes = |numbers: [f32; 3]| {
            numbers
                .iter()
                .flat_map(|x| f16::from_f32(*x).to_le_bytes())
                .collect::<Vec<u8>>()
        };
        let mut out = vec![0; 6];
        let op = op(DataType::FLOAT16, 16, fused("ACTIVATION_LINEAR", &[1.0, 1.0]));
        execute(
            &op,
            &[&bytes([2048.0, 0.0, 1.0]), &bytes([1.0, 0.0, 1.0])],
            &mut [&mut out],
        )
        .unwrap();
        assert_eq!(f16::from_le_bytes([out[0], out[1]]).to_f32(), 2050.0);
    }

    #[test]
    fn activations_without_a_kernel_are_an_error() {
        let op = op(DataType::FLOAT32, 32, fused("NO_SUCH", &[]));
        let found = execute(&op, &[&[0; 12], &[0; 12]], &mut [&mut [0; 12]]);
        assert_eq!(found, Err(KernelError::Operator("NO_SUCH".into())));
    }
}
