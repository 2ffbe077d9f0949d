//! Places of the tensors of a batch on the device: ranges of the buffers that all its jobs share.

use dml_ops::{Buffer, Job};
use wgpu::BufferUsages;

use super::{
    arena::{Layout, Place, Pool},
    program::{Limits, PARAMS_BYTES, Program, TooLarge},
};

/// A job and the program that runs it.
#[derive(Debug)]
pub(super) struct Planned {
    /// The job.
    pub job: Job,
    /// What runs.
    pub program: Program,
}

impl Planned {
    /// Approximate bytes that the job takes on the device.
    pub(super) fn bytes(&self) -> u64 {
        let buffers = self.job.inputs.iter().chain(&self.job.outputs);
        let tensors: u64 = buffers.map(|buffer| buffer.whole().len() as u64).sum();
        tensors + self.program.state + 2 * self.program.list
    }
}

/// Whether the device can bind the job's tensors and the program's scratch memory.
///
/// # Errors
/// The limit that does not allow it.
pub(super) fn fits(job: &Job, program: &Program, limits: &Limits) -> Result<(), TooLarge> {
    let tensors = job.inputs.iter().chain(&job.outputs).map(bound);
    let bound = tensors.chain([program.state, program.list]).max().unwrap_or(0);
    if bound > limits.binding {
        return Err(TooLarge {
            limit: "max_storage_buffer_binding_size",
            value: limits.binding,
        });
    }
    let whole = job
        .outputs
        .iter()
        .map(|buffer| buffer.whole().len() as u64 + limits.alignment);
    if whole.chain([bound]).max().unwrap_or(0) > limits.buffer {
        return Err(TooLarge {
            limit: "max_buffer_size",
            value: limits.buffer,
        });
    }
    Ok(())
}

/// Bytes of a tensor that are bound: whole words. A tensor's size is rounded up to words at least, so all its
/// elements lie there.
pub(super) fn bound(buffer: &Buffer) -> u64 {
    (buffer.tensor().len() as u64 & !3).max(4)
}

/// The buffers that batches use one after another.
#[derive(Debug)]
pub(super) struct Pools {
    pub params: Pool,
    pub inputs: Pool,
    pub outputs: Pool,
    pub scratch: Pool,
    pub results: Pool,
}

impl Pools {
    /// Empty ones.
    pub(super) fn new() -> Self {
        let upload = BufferUsages::STORAGE | BufferUsages::COPY_DST;
        Self {
            params: Pool::new(BufferUsages::UNIFORM | BufferUsages::COPY_DST),
            inputs: Pool::new(upload),
            outputs: Pool::new(upload | BufferUsages::COPY_SRC),
            scratch: Pool::new(upload),
            results: Pool::new(BufferUsages::MAP_READ | BufferUsages::COPY_DST),
        }
    }

    pub(super) fn trim(&mut self) {
        for pool in [
            &mut self.params,
            &mut self.inputs,
            &mut self.outputs,
            &mut self.scratch,
            &mut self.results,
        ] {
            pool.trim();
        }
    }
}

/// Where everything of a batch lies.
pub(super) struct Places {
    pub params: Layout,
    pub inputs: Layout,
    pub outputs: Layout,
    pub scratch: Layout,
    pub jobs: Vec<JobPlaces>,
}

/// Where everything of a job lies: parameters, inputs, whole outputs, state and two lists.
pub(super) struct JobPlaces {
    pub params: Place,
    pub inputs: Vec<Place>,
    pub outputs: Vec<Place>,
    pub scratch: Option<[Place; 3]>,
}

impl Places {
    pub(super) fn of(jobs: &[Planned], limits: &Limits) -> Self {
        let mut places = Self {
            params: Layout::new(limits.buffer),
            inputs: Layout::new(limits.buffer),
            outputs: Layout::new(limits.buffer),
            scratch: Layout::new(limits.buffer),
            jobs: Vec::new(),
        };
        for Planned { job, program } in jobs {
            let align = limits.alignment;
            let scratch = (program.state > 0).then(|| {
                [program.state, program.list, program.list].map(|length| places.scratch.place(length.max(4), 0, align))
            });
            let place = JobPlaces {
                params: places
                    .params
                    .place(program.steps.len() as u64 * PARAMS_BYTES, 0, PARAMS_BYTES),
                inputs: job
                    .inputs
                    .iter()
                    .map(|b| places.inputs.place(whole_words(b.tensor().len()), 0, align))
                    .collect(),
                outputs: job
                    .outputs
                    .iter()
                    .map(|b| {
                        places
                            .outputs
                            .place(whole_words(b.whole().len()), b.guard() as u64, align)
                    })
                    .collect(),
                scratch,
            };
            places.jobs.push(place);
        }
        places
    }
}

/// Bytes of the whole words that hold this length.
pub(super) fn whole_words(length: usize) -> u64 {
    (length as u64).next_multiple_of(4).max(4)
}
