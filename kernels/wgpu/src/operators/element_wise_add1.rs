//! ELEMENT_WISE_ADD1 on a device: one invocation for each sum.

use dml_ops::{Stopped, element_wise_add1::ElementWiseAdd1};

use crate::{
    activation::{Activation, activations},
    program::{Kernel, LANES, Limits, Program, Shader, Step, rows, wgsl},
    tensors::{count, dims, require_tensor, strides, width},
};

/// Sums in single precision, and the fused activation.
const ADD: Shader = Shader {
    name: "addition",
    source: concat!(
        wgsl!("dispatch", "elements/words", "elements/floats"),
        activations!(),
        wgsl!("addition"),
    ),
    tensors: (2, 1),
};

/// The dispatches that run a valid descriptor.
///
/// # Errors
/// If the descriptor is not valid, or an activation is fused that the kernel does not know.
pub(super) fn plan(op: &ElementWiseAdd1, limits: &Limits) -> Result<Program, Stopped> {
    let activation = Activation::of(op.fused_activation.as_deref())?;
    let (a, b, output) = (
        require_tensor(&op.a_tensor)?,
        require_tensor(&op.b_tensor)?,
        require_tensor(&op.output_tensor)?,
    );
    let dims = dims(output.sizes(), &[strides(a)?, strides(b)?, strides(output)?], |_| true)?;
    let elements = count(&dims)?;
    let (columns, rows) = rows(elements.div_ceil(LANES), limits.groups);
    // In the order of `Params` in addition.wgsl.
    let mut params = vec![elements, columns, dims.len() as u32, width(output)?];
    params.extend(activation.params());
    params.extend(dims.iter().flatten());
    Ok(Program::simple(vec![Step {
        kernel: Kernel {
            shader: ADD,
            entry: "add",
            scratch: false,
        },
        params,
        groups: (columns, rows),
        swapped: false,
    }]))
}
