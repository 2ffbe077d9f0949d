//! TOP_K1 on a device: which kernels select from sequences of which length, and their parameters.
//!
//! Sequences of up to [`LANES`] elements share workgroups; up to the network's capacity each is sorted whole in
//! workgroup memory. Longer ones go through a radix select, whose survivors are sorted: in one network, or in tiles
//! that are merged.

use dml_ops::{AxisDirection, DataType, Stopped, top_k1::TopK1};
use dml_spec::TensorDesc;

use crate::wgpu::program::{Kernel, Limits, Program, Shader, Step, rows};

/// Invocations of a workgroup.
const LANES: u32 = 256;

/// Elements that a workgroup of the radix select looks at.
const CHUNK: u32 = 4096;

/// Words of state of a sequence in front of the chunks' counts.
const STATE_WORDS: u32 = 260;

macro_rules! shader {
    ($name:literal, $keys:literal) => {
        Shader {
            name: $name,
            source: concat!(
                include_str!(concat!("../shaders/top_k1/", $keys)),
                include_str!("../shaders/top_k1/common.wgsl"),
                include_str!("../shaders/top_k1/tiny.wgsl"),
                include_str!("../shaders/top_k1/network.wgsl"),
                include_str!("../shaders/top_k1/select.wgsl"),
                include_str!("../shaders/top_k1/merge.wgsl"),
            ),
            tensors: (1, 2),
        }
    };
}

/// Keys of one word.
const NARROW: Shader = shader!("TOP_K1 narrow", "narrow.wgsl");

/// Keys of two words.
const WIDE: Shader = shader!("TOP_K1 wide", "wide.wgsl");

/// The dispatches that run a valid descriptor.
///
/// # Errors
/// Where the descriptor is not valid.
pub(super) fn plan(op: &TopK1, limits: &Limits) -> Result<Program, Stopped> {
    let job = TopK::of(op, limits).ok_or_else(|| Stopped::Failed("the descriptor is not valid".to_owned()))?;
    if job.size <= LANES {
        return Ok(job.tiny());
    }
    if job.size <= job.capacity() {
        return Ok(job.short());
    }
    Ok(job.long(limits))
}

/// A descriptor's numbers, as the kernels want them.
struct TopK {
    shader: Shader,
    size: u32,
    k: u32,
    sequences: u32,
    /// Bits of an element.
    bits: u32,
    order: u32,
    descending: bool,
    wide_index: bool,
    /// Distances along the axis in input, values and indices.
    strides: [u32; 3],
    /// Size, and distances in input, values and indices, of the other dimensions.
    dims: Vec<[u32; 4]>,
    /// Workgroups that stand in a row at most.
    widest: u32,
}

impl TopK {
    fn of(op: &TopK1, limits: &Limits) -> Option<Self> {
        const UNSIGNED: u32 = 0;
        const SIGNED: u32 = 1;
        const FLOAT: u32 = 2;
        let tensors = [&op.input_tensor, &op.output_value_tensor, &op.output_index_tensor];
        let [input, values, indices] = tensors.map(Option::as_ref);
        let (input, values, indices) = (input?, values?, indices?);
        let (bits, order) = match DataType(input.data_type) {
            DataType::FLOAT32 => (32, FLOAT),
            DataType::FLOAT16 => (16, FLOAT),
            DataType::UINT64 => (64, UNSIGNED),
            DataType::UINT32 => (32, UNSIGNED),
            DataType::UINT16 => (16, UNSIGNED),
            DataType::UINT8 => (8, UNSIGNED),
            DataType::INT64 => (64, SIGNED),
            DataType::INT32 => (32, SIGNED),
            DataType::INT16 => (16, SIGNED),
            DataType::INT8 => (8, SIGNED),
            _ => return None,
        };
        let axis = op.axis as usize;
        let size = *input.sizes().get(axis)?;
        let distances = [strides(input)?, strides(values)?, strides(indices)?];
        let at = |d: usize| Some([*distances[0].get(d)?, *distances[1].get(d)?, *distances[2].get(d)?]);
        let mut dims = Vec::new();
        for (d, &size) in input
            .sizes()
            .iter()
            .enumerate()
            .filter(|(d, size)| *d != axis && **size > 1)
        {
            let [a, b, c] = at(d)?;
            dims.push([size, a, b, c]);
        }
        let sequences = dims.iter().try_fold(1u32, |product, dim| product.checked_mul(dim[0]))?;
        Some(Self {
            shader: if bits == 64 { WIDE } else { NARROW },
            size,
            k: op.k,
            sequences,
            bits,
            order,
            descending: op.axis_direction == AxisDirection::DECREASING,
            wide_index: indices.data_type == DataType::UINT64.0,
            strides: at(axis)?,
            dims,
            widest: limits.groups,
        })
    }

    /// Candidates that one network sorts: what 16 KiB of workgroup memory hold.
    fn capacity(&self) -> u32 {
        if self.bits == 64 { 1024 } else { 2048 }
    }

    fn tiny(&self) -> Program {
        let together = (LANES / self.size).min(self.sequences);
        let groups = self.sequences.div_ceil(together);
        let mut dispatch = self.dispatch("tiny", groups);
        dispatch.together = together;
        self.without_scratch(dispatch)
    }

    fn short(&self) -> Program {
        let mut dispatch = self.dispatch("short", self.sequences);
        dispatch.network = self.size.next_power_of_two();
        self.without_scratch(dispatch)
    }

    fn without_scratch(&self, dispatch: Dispatch) -> Program {
        Program {
            steps: vec![self.step(&dispatch)],
            state: 0,
            list: 0,
        }
    }

    /// Radix select and sort, in as many rounds as scratch memory makes necessary.
    fn long(&self, limits: &Limits) -> Program {
        let chunks = self.size.div_ceil(CHUNK);
        let state_stride = STATE_WORDS + 2 * chunks;
        let (state, list) = (4 * u64::from(state_stride), 4 * u64::from(self.k));
        let room = limits.scratch / state.max(list);
        let at_once = u32::try_from(room).unwrap_or(u32::MAX).clamp(1, self.sequences);
        let mut steps = Vec::new();
        for first in (0..self.sequences).step_by(at_once as usize) {
            let round = Round {
                first,
                sequences: at_once.min(self.sequences - first),
                chunks,
                state_stride,
            };
            let everything = self.k == self.size;
            if !everything {
                self.select(&round, &mut steps);
            }
            self.sort(&round, everything, &mut steps);
        }
        Program {
            steps,
            state: state * u64::from(at_once),
            list: list * u64::from(at_once),
        }
    }

    /// Lists the selected elements in the second list.
    fn select(&self, round: &Round, steps: &mut Vec<Step>) {
        let mut push = |entry, workgroups, shift: u32| {
            let mut dispatch = self.dispatch(entry, round.sequences * workgroups);
            dispatch.round(round);
            dispatch.parts = round.chunks;
            dispatch.shift = shift;
            dispatch.first_digit = shift + 8 == self.bits;
            steps.push(self.step(&dispatch));
        };
        for shift in (0..self.bits).step_by(8).rev() {
            push("count_digits", round.chunks, shift);
            push("pick_digit", 1, shift);
        }
        push("count_chunk", round.chunks, 0);
        push("sum_chunks", 1, 0);
        push("collect", round.chunks, 0);
    }

    /// Sorts the second list, or all elements, and writes the outputs.
    fn sort(&self, round: &Round, everything: bool, steps: &mut Vec<Step>) {
        // Lists lie in the second one at first; every pass changes sides.
        let mut swapped = true;
        let mut push = |entry, parts: u32, run: u32, network: u32, swapped| {
            let mut dispatch = self.dispatch(entry, round.sequences * parts);
            dispatch.round(round);
            dispatch.parts = parts;
            dispatch.run = run;
            dispatch.network = network;
            dispatch.everything = everything;
            dispatch.swapped = swapped;
            steps.push(self.step(&dispatch));
        };
        let capacity = self.capacity();
        if self.k <= capacity {
            push("sort_list", 1, 0, self.k.next_power_of_two().max(2), swapped);
            return;
        }
        push("sort_tile", self.k.div_ceil(capacity), 0, capacity, swapped);
        let mut run = capacity;
        while run < self.k {
            swapped = !swapped;
            push("merge_runs", self.k.div_ceil(LANES), run, 0, swapped);
            run = run.saturating_mul(2);
        }
        swapped = !swapped;
        push("write_list", self.k.div_ceil(LANES), 0, 0, swapped);
    }

    fn dispatch(&self, entry: &'static str, groups: u32) -> Dispatch {
        Dispatch {
            entry,
            groups,
            sequences: self.sequences,
            parts: 1,
            ..Dispatch::default()
        }
    }

    /// The dispatch with its parameters in the order of `Params` in common.wgsl.
    fn step(&self, dispatch: &Dispatch) -> Step {
        let (columns, rows) = rows(dispatch.groups, self.widest);
        let width = self.bits.trailing_zeros() - 3;
        let mut params = vec![self.size, self.k, dispatch.sequences, dispatch.first];
        params.extend(self.strides);
        params.push(self.dims.len() as u32);
        params.extend([width, self.order, 1 << (self.bits.min(32) - 1), self.descending.into()]);
        params.extend([self.wide_index.into(), dispatch.groups, columns, dispatch.parts]);
        params.extend([
            dispatch.together,
            dispatch.network,
            dispatch.shift,
            dispatch.first_digit.into(),
        ]);
        params.extend([dispatch.state_stride, dispatch.run, dispatch.everything.into(), 0]);
        params.extend(self.dims.iter().flatten());
        Step {
            kernel: Kernel {
                shader: self.shader,
                entry: dispatch.entry,
                scratch: dispatch.state_stride > 0,
            },
            params,
            groups: (columns, rows),
            swapped: dispatch.swapped,
        }
    }
}

/// Sequences that share scratch memory.
struct Round {
    first: u32,
    sequences: u32,
    chunks: u32,
    state_stride: u32,
}

/// Parameters that differ from dispatch to dispatch; see `Params` in common.wgsl.
#[derive(Debug, Default)]
struct Dispatch {
    entry: &'static str,
    groups: u32,
    first: u32,
    sequences: u32,
    parts: u32,
    together: u32,
    network: u32,
    shift: u32,
    first_digit: bool,
    state_stride: u32,
    run: u32,
    everything: bool,
    swapped: bool,
}

impl Dispatch {
    fn round(&mut self, round: &Round) {
        self.first = round.first;
        self.sequences = round.sequences;
        self.state_stride = round.state_stride;
    }
}

/// Strides of a tensor, also where it is packed.
fn strides(tensor: &TensorDesc) -> Option<Vec<u32>> {
    if let Some(strides) = &tensor.strides {
        return Some(strides.to_vec());
    }
    let mut stride = 1u32;
    let mut strides = Vec::new();
    for size in tensor.sizes().iter().rev() {
        strides.push(stride);
        stride = stride.checked_mul(*size)?;
    }
    strides.reverse();
    Some(strides)
}
