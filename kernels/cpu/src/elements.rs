//! Functions of one element in any layout: read, apply, write.

use dml_ops::TensorDesc;

use super::{
    KernelError,
    number::{self, Number, Type},
    view::{self, Layout},
};

/// Writes `change` of every element of the only input to the only output; both have the same type.
///
/// # Errors
/// If tensors and buffers do not fit together.
pub fn map(
    (from, to): (&Option<TensorDesc>, &Option<TensorDesc>),
    inputs: &[&[u8]],
    outputs: &mut [&mut [u8]],
    change: impl Fn(Type, Number) -> Number,
) -> Result<(), KernelError> {
    let ([input], [output]) = (inputs, &mut *outputs) else {
        return Err(KernelError::buffers(inputs, outputs));
    };
    let (Some(from), Some(to)) = (from, to) else {
        return Err(KernelError::Absent);
    };
    let ty = Type::of(from.data_type)?;
    let from = Layout::new(from, ty.width(), input.len())?;
    let to = Layout::new(to, ty.width(), output.len())?;
    for [at, out] in view::together([&from, &to])? {
        let number = change(ty, ty.number(number::read(ty, input, at)));
        number::write(ty, output, out, ty.bits(number));
    }
    Ok(())
}

/// As [`map`], for functions of floating point numbers that are computed in single precision.
///
/// # Errors
/// If tensors and buffers do not fit together.
pub fn map_single(
    tensors: (&Option<TensorDesc>, &Option<TensorDesc>),
    inputs: &[&[u8]],
    outputs: &mut [&mut [u8]],
    change: impl Fn(f32) -> f32,
) -> Result<(), KernelError> {
    map(tensors, inputs, outputs, |_, number| match number {
        Number::Real(x) => Number::Real(change(x as f32).into()),
        Number::Whole(n) => Number::Whole(change(n as f32) as i128),
    })
}
