//! Activations that another kernel fuses: the kernel of the activation computes them.

use dml_ops::{DataType, Descriptor, TensorDesc, Value};

use super::{KernelError, operators::execute};

/// Runs the activation on packed FLOAT32 elements.
///
/// # Errors
/// If there is no kernel for it.
pub(super) fn activate(nested: &Descriptor, elements: &[u8]) -> Result<Vec<u8>, KernelError> {
    let count = u32::try_from(elements.len() / 4).map_err(|_| KernelError::Layout)?;
    let packed = TensorDesc::packed(DataType::FLOAT32.0, 32, &[count]);
    let mut alone = nested.clone();
    for field in &mut alone.fields {
        if let Value::Tensor(tensor) = field {
            *tensor = Some(packed.clone());
        }
    }
    let mut activated = vec![0; elements.len()];
    execute(&alone, &[elements], &mut [&mut activated])?;
    Ok(activated)
}
