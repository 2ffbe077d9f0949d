//! A session: takes jobs, rejects invalid ones, and puts the rest through the device batch by batch.

use std::{
    collections::VecDeque,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use dml_ops::{Answer, Job, JobId, Session, Stopped, Unavailable, refuse};

use super::{
    adapter::AdapterChoice,
    batch::{Failed, Flight},
    device::{Fault, Gpu},
    operators::{OPERATORS, plan},
    placement::{Planned, Pools, fits},
    program::TooLarge,
};

/// A batch ends after this many bytes of device memory: all of it is answered at once, so it must not take long.
const BATCH_BYTES: u64 = 1 << 20;

/// A batch ends after this many jobs.
const BATCH_JOBS: usize = 512;

/// A device, and the jobs in flight.
#[derive(Debug)]
pub(super) struct WgpuSession {
    choice: AdapterChoice,
    pub(super) gpu: Gpu,
    pools: Pools,
    /// Waiting jobs; marked ones are run alone, because a batch they were in failed.
    waiting: VecDeque<(Planned, bool)>,
    flight: Option<Flight>,
    answers: Vec<(JobId, Answer)>,
    pub(super) doom: Doom,
}

/// Number of batches until the device is destroyed, once, for tests of a loss.
pub(super) type Doom = Option<Arc<AtomicU32>>;

impl WgpuSession {
    /// Opens the device.
    ///
    /// # Errors
    /// If there is none.
    pub(super) fn open(choice: &AdapterChoice) -> Result<Self, Unavailable> {
        Ok(Self {
            choice: choice.clone(),
            gpu: Gpu::open(choice, wgpu::Features::empty())?,
            pools: Pools::new(),
            waiting: VecDeque::new(),
            flight: None,
            answers: Vec::new(),
            doom: None,
        })
    }

    /// The answer to a job that need not run, or the program that runs it.
    fn admit(&self, job: Job) -> Result<Planned, (JobId, Answer)> {
        let id = job.id;
        if let Some(refusal) = refuse(OPERATORS, &job) {
            return Err((id, refusal));
        }
        let stopped = |stopped: Stopped| (id, stopped.into());
        let program = plan(&job.descriptor, &self.gpu.limits).map_err(stopped)?;
        let skip = |limit: TooLarge| {
            (
                id,
                Answer::Skipped {
                    reason: limit.to_string(),
                },
            )
        };
        fits(&job, &program, &self.gpu.limits).map_err(skip)?;
        Ok(Planned { job, program })
    }

    /// The next jobs that go together.
    fn next_batch(&mut self) -> Vec<Planned> {
        let (mut batch, mut bytes) = (Vec::new(), 0);
        while let Some((planned, alone)) = self.waiting.pop_front() {
            let more = planned.bytes();
            let full = batch.len() >= BATCH_JOBS || bytes + more > BATCH_BYTES || alone;
            if full && !batch.is_empty() {
                self.waiting.push_front((planned, alone));
                break;
            }
            bytes += more;
            batch.push(planned);
            if alone {
                break;
            }
        }
        batch
    }

    fn start(&mut self) {
        let batch = self.next_batch();
        if batch.is_empty() {
            return;
        }
        match Flight::start(&mut self.gpu, &mut self.pools, batch) {
            Ok(flight) => self.flight = Some(flight),
            Err(Failed { fault, jobs }) => self.failed(&fault, jobs),
        }
        let doom = self.doom.as_ref();
        let left = doom.and_then(|left| left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).ok());
        if left == Some(1) {
            self.destroy();
        }
    }

    fn land(&mut self, timeout: Duration) {
        let Some(flight) = self.flight.take() else { return };
        match flight.wait(&self.gpu, timeout) {
            Ok(false) => self.flight = Some(flight),
            Ok(true) => match flight.finish(&self.gpu, &mut self.pools) {
                Ok(answers) => self.answers.extend(answers),
                Err(Failed { fault, jobs }) => self.failed(&fault, jobs),
            },
            Err(fault) => self.failed(&fault, flight.into_jobs()),
        }
    }

    /// After a loss everything in flight is lost. Other faults belong to one job: each runs alone and gets its own
    /// answer.
    fn failed(&mut self, fault: &Fault, jobs: Vec<Planned>) {
        // The state of the buffers is unknown, so the next batch gets new ones.
        self.pools = Pools::new();
        match fault {
            Fault::Lost(message) => {
                let waiting = std::mem::take(&mut self.waiting);
                let all = jobs.into_iter().chain(waiting.into_iter().map(|(planned, _)| planned));
                let lost = Answer::DeviceLost {
                    message: message.clone(),
                };
                self.answers.extend(all.map(|planned| (planned.job.id, lost.clone())));
            }
            Fault::Error(message) if jobs.len() == 1 => {
                let error = Answer::Error {
                    message: message.clone(),
                };
                self.answers
                    .extend(jobs.into_iter().map(|planned| (planned.job.id, error.clone())));
            }
            Fault::Error(_) => jobs
                .into_iter()
                .rev()
                .for_each(|planned| self.waiting.push_front((planned, true))),
        }
    }

    /// Makes the device unusable, as a driver's crash does.
    pub(super) fn destroy(&self) {
        self.gpu.device.destroy();
    }
}

impl Session for WgpuSession {
    fn create(&mut self, job: &Job) -> Answer {
        refuse(OPERATORS, job).unwrap_or(Answer::Created)
    }

    fn submit(&mut self, jobs: Vec<Job>) {
        for job in jobs {
            match self.admit(job) {
                Ok(planned) => self.waiting.push_back((planned, false)),
                Err(answer) => self.answers.push(answer),
            }
        }
        if self.flight.is_none() {
            self.start();
        }
    }

    fn poll(&mut self, timeout: Duration) -> Vec<(JobId, Answer)> {
        let start = Instant::now();
        while self.answers.is_empty() {
            if self.flight.is_none() {
                self.start();
            }
            let left = timeout.saturating_sub(start.elapsed());
            let busy = self.flight.is_some();
            self.land(left);
            if (!busy && self.waiting.is_empty()) || left.is_zero() {
                break;
            }
        }
        std::mem::take(&mut self.answers)
    }

    fn reset(&mut self) -> Result<(), Unavailable> {
        let doom = self.doom.take();
        *self = Self {
            doom,
            ..Self::open(&self.choice)?
        };
        Ok(())
    }
}
