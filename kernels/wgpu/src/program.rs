//! What an operator needs from the device: dispatches, their parameters, and scratch memory.

use std::fmt;

/// Bytes of a dispatch's parameters, and their distance in a buffer.
pub(super) const PARAMS_BYTES: u64 = 256;

/// Invocations of a workgroup; `LANES` in WGSL.
pub(super) const LANES: u32 = 256;

/// This many sequences or sets keep a device busy with one invocation each.
pub(super) const MANY: u32 = 1024;

/// The source of files in shaders/, one after another.
macro_rules! wgsl {
    ($($file:expr),+ $(,)?) => {
        concat!($(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/shaders/", $file, ".wgsl"))),+)
    };
}

pub(super) use wgsl;

/// Limits of the device that a program has to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limits {
    /// `max_storage_buffer_binding_size`.
    pub binding: u64,
    /// `max_buffer_size`.
    pub buffer: u64,
    /// Alignment of the start of a binding.
    pub alignment: u64,
    /// `max_compute_workgroups_per_dimension`.
    pub groups: u32,
    /// Scratch memory of a job: as many sequences are processed at a time as fit into it.
    pub scratch: u64,
}

/// WGSL with several entry points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shader {
    /// Unique among all shaders.
    pub name: &'static str,
    /// The files it consists of.
    pub source: &'static str,
    /// Input and output tensors: its bindings after the parameters.
    pub tensors: (usize, usize),
}

/// A kernel: an entry point of a shader.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kernel {
    /// The shader.
    pub shader: Shader,
    /// The entry point.
    pub entry: &'static str,
    /// Whether it uses scratch memory.
    pub scratch: bool,
}

/// One dispatch.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// What runs.
    pub kernel: Kernel,
    /// Its parameters, in words.
    pub params: Vec<u32>,
    /// Workgroups in x and y.
    pub groups: (u32, u32),
    /// Whether the two lists of scratch memory change places.
    pub swapped: bool,
}

/// All that runs for a job. Bindings of group 0 are the parameters, then inputs, then outputs; of group 1 the state
/// and two lists.
#[derive(Clone, Debug)]
pub(super) struct Program {
    /// Dispatches, in order.
    pub steps: Vec<Step>,
    /// Bytes of state, which is zero at first; 0 if there is no scratch memory.
    pub state: u64,
    /// Bytes of each of the two lists.
    pub list: u64,
}

impl Program {
    /// Dispatches that need no scratch memory.
    pub(super) fn simple(steps: Vec<Step>) -> Self {
        Self {
            steps,
            state: 0,
            list: 0,
        }
    }
}

/// A buffer is larger than the device allows: not a fault of the descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLarge {
    /// The limit's name.
    pub limit: &'static str,
    /// Its value.
    pub value: u64,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "over {} = {}", self.limit, self.value)
    }
}

/// Splits workgroups into rows of at most the maximum width; returns workgroups in a row, and rows.
pub(super) fn rows(groups: u32, widest: u32) -> (u32, u32) {
    let rows = groups.div_ceil(widest.max(1)).max(1);
    (groups.div_ceil(rows).max(1), rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_hold_all_workgroups() {
        for groups in [1, 2, 65_535, 65_536, 131_071, 1 << 24, u32::MAX] {
            let (x, y) = rows(groups, 65_535);
            assert!(x <= 65_535 && y <= 65_538, "{groups}: {x} × {y}");
            assert!(u64::from(x) * u64::from(y) >= u64::from(groups));
            assert!(u64::from(x) * u64::from(y) - u64::from(groups) < u64::from(x) + u64::from(y));
        }
        assert_eq!(rows(65_535, 65_535), (65_535, 1));
        assert_eq!(rows(65_536, 65_535), (32_768, 2));
    }
}
