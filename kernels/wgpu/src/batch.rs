//! Many jobs in one submission: one upload for each buffer, one compute pass, one copy back.
//!
//! Every output lies in a device buffer with its guards; the binding ends at the end of the tensor.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use dml_ops::{Answer, Job, JobId};
use wgpu::{CommandEncoderDescriptor, MapMode, PollError, PollType, SubmissionIndex};

use super::{
    arena::Place,
    device::{Fault, Gpu},
    placement::{Places, Planned, Pools},
    record::{record, upload},
};

/// A failed batch: the reason, and its jobs unchanged.
#[derive(Debug)]
pub(super) struct Failed {
    /// What happened.
    pub fault: Fault,
    /// All jobs of the batch.
    pub jobs: Vec<Planned>,
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

    /// Waits until the batch is done; returns whether it is.
    ///
    /// # Errors
    /// If the device is lost, or the results cannot be read.
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

    /// The answers of a batch that is done.
    ///
    /// # Errors
    /// The fault, and the jobs, if results cannot be read.
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

    /// The jobs of a failed batch.
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
