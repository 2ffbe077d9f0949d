//! GATHER on a device: one invocation for each element of the output, which copies bits of any type.

use dml_ops::{DataType, Stopped, gather::Gather};

use crate::{
    program::{Kernel, LANES, Limits, Program, Shader, Step, rows, wgsl},
    tensors::{bits, count, dims, invalid, require_tensor, strides, width},
};

macro_rules! shader {
    ($name:literal, $width:literal) => {
        Shader {
            name: $name,
            source: wgsl!("dispatch", "elements/words", concat!("elements/", $width), "gather"),
            tensors: (2, 1),
        }
    };
}

/// Elements of one word at most.
const NARROW: Shader = shader!("gather narrow", "narrow");

/// Elements of two words.
const WIDE: Shader = shader!("gather wide", "wide");

/// The dispatches that run a valid descriptor.
///
/// # Errors
/// If the descriptor is not valid.
pub(super) fn plan(op: &Gather, limits: &Limits) -> Result<Program, Stopped> {
    let (input, indices, output) = (
        require_tensor(&op.input_tensor)?,
        require_tensor(&op.indices_tensor)?,
        require_tensor(&op.output_tensor)?,
    );
    let (axis, rank) = (op.axis as usize, output.sizes().len());
    let (of_input, of_indices) = (strides(input)?, strides(indices)?);
    let roles = (0..rank).map(|d| role(d, axis, op.index_dimensions as usize, rank));
    let (mut by_input, mut by_index) = (vec![0; rank], vec![0; rank]);
    for (d, role) in roles.enumerate() {
        match role.ok_or_else(invalid)? {
            Role::Input(from) => by_input[d] = *of_input.get(from).ok_or_else(invalid)?,
            Role::Index(from) => by_index[d] = *of_indices.get(from).ok_or_else(invalid)?,
            Role::Nothing => {}
        }
    }
    let dims = dims(output.sizes(), &[by_input, by_index, strides(output)?], |_| true)?;
    let along = |list: &[u32]| list.get(axis).copied().ok_or_else(invalid);
    let elements = count(&dims)?;
    let (columns, rows) = rows(elements.div_ceil(LANES), limits.groups);
    let signed = [DataType::INT32, DataType::INT64].contains(&DataType(indices.data_type));
    // In the order of `Params` in gather.wgsl.
    let mut params = vec![elements, columns, dims.len() as u32, width(input)?];
    params.extend([
        along(input.sizes())?,
        along(&of_input)?,
        (bits(indices)? == 64).into(),
        signed.into(),
    ]);
    params.extend(dims.iter().flatten());
    Ok(Program::simple(vec![Step {
        kernel: Kernel {
            shader: if bits(input)? == 64 { WIDE } else { NARROW },
            entry: "gather",
            scratch: false,
        },
        params,
        groups: (columns, rows),
        swapped: false,
    }]))
}

/// The source of a dimension of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// A dimension of the input.
    Input(usize),
    /// A dimension of the indices.
    Index(usize),
    /// Neither.
    Nothing,
}

/// The source of dimension `d` of the output; `None` if the descriptor is invalid.
///
/// The input with the `dims` last dimensions of the indices in the place of its axis has `rank + dims - 1` dimensions,
/// of which the output has the last ones.
fn role(d: usize, axis: usize, dims: usize, rank: usize) -> Option<Role> {
    if d > axis {
        return Some(Role::Input(d));
    }
    let Some(place) = (d + dims).checked_sub(1) else {
        return Some(Role::Nothing);
    };
    match place.checked_sub(axis) {
        None => Some(Role::Input(place)),
        Some(behind) => Some(Role::Index((rank + behind).checked_sub(dims)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_indices_stand_in_the_place_of_the_axis() {
        let roles = |axis, dims, rank| -> Vec<Role> { (0..rank).filter_map(|d| role(d, axis, dims, rank)).collect() };
        use Role::{Index, Input, Nothing};
        assert_eq!(roles(2, 1, 4), [Input(0), Input(1), Index(3), Input(3)]);
        assert_eq!(roles(2, 2, 4), [Input(1), Index(2), Index(3), Input(3)]);
        assert_eq!(roles(2, 3, 4), [Index(1), Index(2), Index(3), Input(3)]);
        assert_eq!(roles(1, 0, 3), [Nothing, Input(0), Input(2)]);
        assert_eq!(roles(0, 1, 1), [Index(0)]);
        assert_eq!(role(0, 5, 7, 1), None);
    }
}
