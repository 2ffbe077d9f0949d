//! Selections on a device: the largest or smallest elements of every sequence along an axis, and their indices.
//!
//! Sequences of up to [`LANES`] elements share workgroups; up to the network's capacity each is sorted whole in
//! workgroup memory. Longer ones go through a radix select, whose survivors are sorted: in one network, or in tiles
//! that are merged.

use dml_ops::{DataType, Stopped, TensorDesc};

use super::{
    program::{Kernel, LANES, Limits, Program, Shader, Step, rows, wgsl},
    tensors::{Keys, count, dims, invalid, require_tensor, strides},
};

/// Elements that a workgroup of the radix select processes.
const CHUNK: u32 = 4096;

/// Words of a sequence's state before the chunks' counts.
const STATE_WORDS: u32 = 260;

macro_rules! shader {
    ($name:literal, $width:literal) => {
        Shader {
            name: $name,
            source: wgsl!(
                "dispatch",
                "elements/words",
                concat!("elements/", $width),
                concat!("keys/", $width),
                "keys/order",
                "selection/common",
                "selection/tiny",
                "selection/network",
                "selection/select",
                "selection/merge",
            ),
            tensors: (1, 2),
        }
    };
}

/// Keys of one word.
const NARROW: Shader = shader!("selection narrow", "narrow");

/// Keys of two words.
const WIDE: Shader = shader!("selection wide", "wide");

/// What is selected.
#[derive(Clone, Copy, Debug)]
pub(super) struct Selection<'a> {
    /// Elements to select from.
    pub input: &'a Option<TensorDesc>,
    /// The selected elements.
    pub values: &'a Option<TensorDesc>,
    /// Their indices.
    pub indices: &'a Option<TensorDesc>,
    /// Dimension the sequences run along.
    pub axis: u32,
    /// Elements to select.
    pub k: u32,
    /// Whether the largest come first or the smallest.
    pub largest: bool,
}

impl Selection<'_> {
    /// The dispatches that run a valid selection.
    ///
    /// # Errors
    /// If it is not valid.
    pub(super) fn plan(&self, limits: &Limits) -> Result<Program, Stopped> {
        let job = Sequences::of(self, limits)?;
        if job.size <= LANES {
            return Ok(job.tiny());
        }
        if job.size <= job.capacity() {
            return Ok(job.short());
        }
        Ok(job.long(limits))
    }
}

/// A selection's numbers, as the kernels expect them.
struct Sequences {
    size: u32,
    k: u32,
    sequences: u32,
    keys: Keys,
    wide_index: bool,
    /// Distances along the axis in input, values and indices.
    strides: [u32; 3],
    /// Size, and distances in input, values and indices, of the other dimensions.
    dims: Vec<[u32; 4]>,
    /// Maximum number of workgroups in a row.
    widest: u32,
}

impl Sequences {
    fn of(selection: &Selection, limits: &Limits) -> Result<Self, Stopped> {
        let tensors = [selection.input, selection.values, selection.indices];
        let [input, values, indices] = [
            require_tensor(tensors[0])?,
            require_tensor(tensors[1])?,
            require_tensor(tensors[2])?,
        ];
        let axis = selection.axis as usize;
        let distances = [strides(input)?, strides(values)?, strides(indices)?];
        let along = |list: &[u32]| list.get(axis).copied().ok_or_else(invalid);
        let dims = dims(input.sizes(), &distances, |d| d != axis)?;
        Ok(Self {
            size: along(input.sizes())?,
            k: selection.k,
            sequences: count(&dims)?,
            keys: Keys::of(input, selection.largest)?,
            wide_index: indices.data_type == DataType::UINT64.0,
            strides: [along(&distances[0])?, along(&distances[1])?, along(&distances[2])?],
            dims,
            widest: limits.groups,
        })
    }

    /// Candidates that one network sorts: what 16 KiB of workgroup memory hold.
    fn capacity(&self) -> u32 {
        if self.keys.bits == 64 { 1024 } else { 2048 }
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
        Program::simple(vec![self.step(&dispatch)])
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
            dispatch.first_digit = shift + 8 == self.keys.bits;
            steps.push(self.step(&dispatch));
        };
        for shift in (0..self.keys.bits).step_by(8).rev() {
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

    /// The dispatch with its parameters in the order of `Params` in selection/common.wgsl.
    fn step(&self, dispatch: &Dispatch) -> Step {
        let (columns, rows) = rows(dispatch.groups, self.widest);
        let mut params = vec![self.size, self.k, dispatch.sequences, dispatch.first];
        params.extend(self.strides);
        params.push(self.dims.len() as u32);
        params.extend(self.keys.params());
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
                shader: if self.keys.bits == 64 { WIDE } else { NARROW },
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

/// Parameters that differ from dispatch to dispatch; see `Params` in selection/common.wgsl.
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
