//! Many jobs in one submission: one upload a buffer, one compute pass, one copy back.
//!
//! Every output lies in a device buffer with its guards; the binding ends where the tensor does.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use dml_ops::{Answer, Buffer, Job, JobId};
use wgpu::{BufferUsages, CommandEncoderDescriptor, MapMode, PollError, PollType, SubmissionIndex};

use super::{
    arena::{Layout, Place, Pool},
    device::{Fault, Gpu},
    program::{Limits, PARAMS_BYTES, Program, TooLarge},
    record::{record, upload},
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
    /// Bytes that the job takes on the device, roughly.
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

    fn trim(&mut self) {
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

/// A batch that came to nothing: why, and its jobs as they were.
#[derive(Debug)]
pub(super) struct Failed {
    /// What happened.
    pub fault: Fault,
    /// All jobs of the batch.
    pub jobs: Vec<Planned>,
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

/// Bytes of so many whole words as hold this length.
pub(super) fn whole_words(length: usize) -> u64 {
    (length as u64).next_multiple_of(4).max(4)
}

/// A batch on the device.
#[derive(Debug)]
pub(super) struct Flight {
    jobs: Vec<Planned>,
    outputs: Vec<Vec<Place>>,
    submission: SubmissionIndex,
    mapped: Arc<Mutex<Mapped>>,
    buffers: usize,
}

/// How many result buffers are mapped, and the first mistake.
#[derive(Debug, Default)]
struct Mapped {
    ready: usize,
    failed: Option<String>,
}

impl Flight {
    /// Uploads and submits.
    ///
    /// # Errors
    /// The fault, and the jobs as they were.
    pub(super) fn start(gpu: &mut Gpu, pools: &mut Pools, jobs: Vec<Planned>) -> Result<Self, Failed> {
        let places = Places::of(&jobs, &gpu.limits);
        let mapped = Arc::new(Mutex::new(Mapped::default()));
        let started = gpu.checked(|gpu| submit(gpu, pools, &jobs, &places, &mapped));
        match started {
            Ok(submission) => Ok(Self {
                buffers: places.outputs.lengths().count(),
                outputs: places.jobs.into_iter().map(|job| job.outputs).collect(),
                jobs,
                submission,
                mapped,
            }),
            Err(fault) => Err(Failed { fault, jobs }),
        }
    }

    /// Waits until the batch is through; whether it is.
    ///
    /// # Errors
    /// Where the device is lost, or the results cannot be read.
    pub(super) fn wait(&self, gpu: &Gpu, timeout: Duration) -> Result<bool, Fault> {
        let poll = PollType::Wait {
            submission_index: Some(self.submission.clone()),
            timeout: Some(timeout),
        };
        let polled = gpu.device.poll(poll);
        gpu.healthy()?;
        match polled {
            Ok(_) => {}
            Err(PollError::Timeout) => return Ok(false),
            Err(error) => return Err(gpu.fault(error.to_string())),
        }
        let mapped = self
            .mapped
            .lock()
            .map_err(|_| Fault::Error("a callback panicked".to_owned()))?;
        match &mapped.failed {
            Some(message) => Err(gpu.fault(message.clone())),
            None => Ok(mapped.ready == self.buffers),
        }
    }

    /// The answers of a batch that is through.
    ///
    /// # Errors
    /// The fault, and the jobs, where results cannot be read.
    pub(super) fn finish(mut self, gpu: &Gpu, pools: &mut Pools) -> Result<Vec<(JobId, Answer)>, Failed> {
        let read = self.read(pools);
        pools.trim();
        match read {
            Ok(()) => Ok(self.jobs.into_iter().map(answer).collect()),
            Err(message) => Err(Failed {
                fault: gpu.fault(message),
                jobs: self.jobs,
            }),
        }
    }

    fn read(&mut self, pools: &Pools) -> Result<(), String> {
        let mapped = pools.results.buffers(self.buffers);
        let views: Result<Vec<_>, _> = mapped
            .iter()
            .map(|buffer| buffer.slice(..).get_mapped_range())
            .collect();
        let views = views.map_err(|error| error.to_string())?;
        for (planned, places) in self.jobs.iter_mut().zip(&self.outputs) {
            for (output, place) in planned.job.outputs.iter_mut().zip(places) {
                let length = output.whole().len();
                let start = place.offset as usize;
                let found = views.get(place.buffer).and_then(|view| view.get(start..start + length));
                output
                    .whole_mut()
                    .copy_from_slice(found.ok_or("results lie outside their buffer")?);
            }
        }
        drop(views);
        mapped.iter().for_each(wgpu::Buffer::unmap);
        Ok(())
    }

    /// The jobs, where the batch came to nothing.
    pub(super) fn into_jobs(self) -> Vec<Planned> {
        self.jobs
    }
}

fn answer(planned: Planned) -> (JobId, Answer) {
    let Job { id, outputs, .. } = planned.job;
    (id, Answer::Executed { outputs })
}

/// Uploads, records and submits.
fn submit(
    gpu: &mut Gpu,
    pools: &mut Pools,
    jobs: &[Planned],
    places: &Places,
    mapped: &Arc<Mutex<Mapped>>,
) -> SubmissionIndex {
    upload(gpu, pools, jobs, places);
    let mut encoder = gpu.device.create_command_encoder(&CommandEncoderDescriptor::default());
    record(gpu, &mut encoder, None, pools, jobs, places);
    let results = pools.results.fit(&gpu.device, &places.outputs);
    let outputs = pools.outputs.buffers(results.len());
    for ((from, to), length) in outputs.iter().zip(results).zip(places.outputs.lengths()) {
        encoder.copy_buffer_to_buffer(from, 0, to, 0, length);
    }
    let submission = gpu.queue.submit([encoder.finish()]);
    for (buffer, _) in results.iter().zip(places.outputs.lengths()) {
        let mapped = Arc::clone(mapped);
        buffer.map_async(MapMode::Read, .., move |result| {
            if let Ok(mut mapped) = mapped.lock() {
                match result {
                    Ok(()) => mapped.ready += 1,
                    Err(error) => mapped.failed = Some(error.to_string()),
                }
            }
        });
    }
    submission
}
