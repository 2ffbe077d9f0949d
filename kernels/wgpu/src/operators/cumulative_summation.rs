//! CUMULATIVE_SUMMATION on a device.
//!
//! If sequences are short or many, an invocation handles a whole one; otherwise each is cut into blocks.

use dml_ops::{AxisDirection, DataType, Stopped, cumulative_summation::CumulativeSummation};

use crate::{
    program::{Kernel, LANES, Limits, MANY, Program, Shader, Step, rows, wgsl},
    tensors::{Dim, count, dims, invalid, require_tensor, strides, width},
};

/// Elements of a block; see scan.wgsl.
const BLOCK: u32 = 8 * LANES;

/// Bytes of a tally at most.
const TALLY: u64 = 8;

/// Tallies in single precision.
const REAL: Shader = Shader {
    name: "scan real",
    source: wgsl!(
        "dispatch",
        "elements/words",
        "elements/floats",
        "scan/real",
        "scan/scan"
    ),
    tensors: (1, 1),
};

/// Tallies of one word.
const WORD: Shader = Shader {
    name: "scan word",
    source: wgsl!("dispatch", "elements/words", "scan/word", "scan/scan"),
    tensors: (1, 1),
};

/// Tallies of two words.
const PAIR: Shader = Shader {
    name: "scan pair",
    source: wgsl!("dispatch", "elements/words", "scan/pair", "scan/scan"),
    tensors: (1, 1),
};

/// The dispatches that run a valid descriptor.
///
/// # Errors
/// If the descriptor is not valid.
pub(super) fn plan(op: &CumulativeSummation, limits: &Limits) -> Result<Program, Stopped> {
    let job = Sequences::of(op, limits)?;
    let blocks = job.size.div_ceil(BLOCK);
    let state = TALLY * u64::from(job.sequences) * u64::from(blocks);
    if job.size <= LANES || job.sequences >= MANY || state > limits.scratch {
        let groups = job.sequences.div_ceil(LANES);
        return Ok(Program::simple(vec![job.step("pass_sequences", groups, 1)]));
    }
    let mut steps = Vec::new();
    if blocks > 1 {
        steps.push(job.step("sum_block", job.sequences * blocks, blocks));
        steps.push(job.step("sum_blocks", job.sequences, blocks));
    }
    steps.push(job.step("tally_block", job.sequences * blocks, blocks));
    Ok(Program { steps, state, list: 0 })
}

/// A descriptor's numbers, as the kernels expect them.
struct Sequences {
    shader: Shader,
    sequences: u32,
    size: u32,
    width: u32,
    backwards: bool,
    exclusive: bool,
    /// Distances along the axis in input and output.
    strides: [u32; 2],
    /// Size, and distances in input and output, of the other dimensions.
    dims: Vec<Dim>,
    widest: u32,
}

impl Sequences {
    fn of(op: &CumulativeSummation, limits: &Limits) -> Result<Self, Stopped> {
        let (input, output) = (require_tensor(&op.input_tensor)?, require_tensor(&op.output_tensor)?);
        let axis = op.axis as usize;
        let both = [strides(input)?, strides(output)?];
        let along = |list: &[u32]| list.get(axis).copied().ok_or_else(invalid);
        let dims = dims(input.sizes(), &both, |d| d != axis)?;
        Ok(Self {
            shader: match DataType(input.data_type) {
                DataType::FLOAT32 | DataType::FLOAT16 => REAL,
                DataType::INT32 | DataType::UINT32 => WORD,
                DataType::INT64 | DataType::UINT64 => PAIR,
                _ => return Err(invalid()),
            },
            sequences: count(&dims)?,
            size: along(input.sizes())?,
            width: width(input)?,
            backwards: op.axis_direction == AxisDirection::DECREASING,
            exclusive: op.has_exclusive_sum != 0,
            strides: [along(&both[0])?, along(&both[1])?],
            dims,
            widest: limits.groups,
        })
    }

    /// A dispatch with its parameters in the order of `Params` in scan.wgsl.
    fn step(&self, entry: &'static str, groups: u32, blocks: u32) -> Step {
        let (columns, rows) = rows(groups, self.widest);
        let mut params = vec![self.sequences, self.size, blocks, self.dims.len() as u32];
        params.extend(self.strides);
        params.extend([groups, columns]);
        params.extend([self.width, self.backwards.into(), self.exclusive.into(), 0]);
        params.extend(self.dims.iter().flatten());
        Step {
            kernel: Kernel {
                shader: self.shader,
                entry,
                scratch: entry != "pass_sequences",
            },
            params,
            groups: (columns, rows),
            swapped: false,
        }
    }
}
