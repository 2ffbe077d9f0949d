//! Extremes on a device: the index of the largest or smallest element of every set of a reduction.
//!
//! If sets are short or many, an invocation searches a whole one; otherwise each is divided among workgroups, whose
//! results are reduced by a second dispatch.

use dml_ops::{DataType, Stopped, TensorDesc};

use super::{
    program::{Kernel, LANES, Limits, MANY, Program, Shader, Step, rows, wgsl},
    tensors::{Dim, Keys, count, dims, require_tensor, strides},
};

/// Elements of a part at least.
const PART: u32 = 4096;

/// Parts of a set at most.
const PARTS: u32 = 1024;

/// Bytes of the result of a part: a key of two words, and an index.
const FOUND: u64 = 12;

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
                "extreme",
            ),
            tensors: (1, 1),
        }
    };
}

/// Keys of one word.
const NARROW: Shader = shader!("extreme narrow", "narrow");

/// Keys of two words.
const WIDE: Shader = shader!("extreme wide", "wide");

/// What is looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extreme<'a> {
    /// Elements to look through.
    pub input: &'a Option<TensorDesc>,
    /// One index for each set.
    pub output: &'a Option<TensorDesc>,
    /// The reduced axes; without any, every element is a set of its own.
    pub axes: &'a [u32],
    /// Whether it is the largest element or the smallest.
    pub largest: bool,
    /// Whether the last of equal elements is named or the first.
    pub last: bool,
}

impl Extreme<'_> {
    /// The dispatches that run a valid reduction.
    ///
    /// # Errors
    /// If it is not valid.
    pub(super) fn plan(&self, limits: &Limits) -> Result<Program, Stopped> {
        let sets = Sets::of(self, limits)?;
        if sets.size <= LANES || sets.sets >= MANY {
            return Ok(Program::simple(vec![sets.step(
                "look_through",
                sets.sets.div_ceil(LANES),
                1,
            )]));
        }
        let part = sets.size.div_ceil(PARTS).max(PART);
        let parts = sets.size.div_ceil(part);
        Ok(Program {
            steps: vec![
                sets.step("look_through_part", sets.sets * parts, parts),
                sets.step("compare_parts", sets.sets, parts),
            ],
            state: FOUND * u64::from(sets.sets * parts),
            list: 0,
        })
    }
}

/// A reduction's numbers, as the kernels expect them.
struct Sets {
    sets: u32,
    size: u32,
    /// Dimensions that are not reduced.
    kept: u32,
    keys: Keys,
    last: bool,
    wide_index: bool,
    /// Size, and distances in input and output: dimensions that are not reduced, then those that are.
    dims: Vec<Dim>,
    widest: u32,
}

impl Sets {
    fn of(extreme: &Extreme, limits: &Limits) -> Result<Self, Stopped> {
        let (input, output) = (require_tensor(extreme.input)?, require_tensor(extreme.output)?);
        let reduced = |d: usize| extreme.axes.iter().any(|axis| *axis as usize == d);
        let both = [strides(input)?, strides(output)?];
        let mut all = dims(input.sizes(), &both, |d| !reduced(d))?;
        let of_set = dims(input.sizes(), &both, reduced)?;
        let (sets, size, kept) = (count(&all)?, count(&of_set)?, all.len() as u32);
        all.extend(of_set);
        Ok(Self {
            sets,
            size,
            kept,
            keys: Keys::of(input, extreme.largest)?,
            last: extreme.last,
            wide_index: [DataType::UINT64, DataType::INT64].contains(&DataType(output.data_type)),
            dims: all,
            widest: limits.groups,
        })
    }

    /// A dispatch with its parameters in the order of `Params` in extreme.wgsl.
    fn step(&self, entry: &'static str, groups: u32, parts: u32) -> Step {
        let (columns, rows) = rows(groups, self.widest);
        let mut params = vec![self.sets, self.size, self.size.div_ceil(PARTS).max(PART), parts];
        params.extend([self.kept, self.dims.len() as u32, groups, columns]);
        params.extend(self.keys.params());
        params.extend([if self.last { u32::MAX } else { 0 }, self.wide_index.into(), 0, 0]);
        params.extend(self.dims.iter().flatten());
        Step {
            kernel: Kernel {
                shader: if self.keys.bits == 64 { WIDE } else { NARROW },
                entry,
                scratch: entry != "look_through",
            },
            params,
            groups: (columns, rows),
            swapped: false,
        }
    }
}
