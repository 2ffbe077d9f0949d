//! A session on a device of DirectML's: creates operators, and puts jobs through the device batch by batch.

use std::{
    collections::VecDeque,
    mem,
    time::{Duration, Instant},
};

use dml_ops::{Answer, Descriptor, Job, JobId, Rejection, Session, Unavailable};

use super::{
    batch::{Failed, Flight, Planned},
    binding::Slots,
    com::{Code, Com, DXGI_ERROR_UNSUPPORTED, E_INVALIDARG, E_INVALIDARG_16, Fault, S_OK},
    dml::{Dispatchable, OperatorMethods},
    error::LoadError,
    library::Loaded,
    marshal::{MarshalError, Marshalled},
    pools::Pools,
};

/// Why nothing runs here.
const NULL_DEVICE: &str = "null device";

/// The reason why a descriptor does not reach the library.
const NOT_EXPRESSIBLE: &str = "not-expressible";

/// The answer to jobs between a loss and the reset.
const GONE: &str = "the device was lost before";

/// A batch ends after this many bytes of device memory, jobs, or descriptors: all of it is answered at once, so it must
/// not take long.
const BATCH_BYTES: u64 = 1 << 20;
const BATCH_JOBS: usize = 64;
const BATCH_DESCRIPTORS: u32 = 1 << 16;

/// Maximum time of compiling operators before the compiled ones run, so that a waiting caller gets answers.
const BATCH_TIME: Duration = Duration::from_secs(1);

/// How long a session waits for its device when it ends.
const FAREWELL: Duration = Duration::from_secs(5);

/// Loads the libraries, again after a loss.
type Open = Box<dyn Fn() -> Result<Loaded, LoadError> + Send>;

/// The library at work.
pub(super) struct DirectMlSession {
    open: Open,
    /// The longest that a batch may take.
    limit: Duration,
    /// Waiting jobs; marked ones are run alone, because a batch they were in failed.
    waiting: VecDeque<(Job, bool)>,
    answers: Vec<(JobId, Answer)>,
    flight: Option<Flight>,
    pools: Pools,
    /// `None` once the device is lost.
    loaded: Option<Loaded>,
}

// SAFETY: what is not `Loaded` here are objects of its devices, of which the same holds.
#[allow(unsafe_code, reason = "a foreign pointer knows no threads")]
unsafe impl Send for DirectMlSession {}

impl DirectMlSession {
    pub(super) fn new(open: Open, limit: Duration, loaded: Loaded) -> Self {
        Self {
            open,
            limit,
            waiting: VecDeque::new(),
            answers: Vec::new(),
            flight: None,
            pools: Pools::default(),
            loaded: Some(loaded),
        }
    }

    /// The next jobs that run together, their operators compiled. Those that need not run are answered.
    fn next_batch(&mut self, loaded: &Loaded) -> Result<Vec<Planned>, Failed> {
        let (mut batch, mut bytes, mut descriptors) = (Vec::new(), 0_u64, 0_u32);
        let start = Instant::now();
        while let Some((job, alone)) = self.waiting.pop_front() {
            if alone && !batch.is_empty() {
                self.waiting.push_front((job, true));
                break;
            }
            let planned = match plan(loaded, job) {
                Ok(planned) => planned,
                Err(Stop::Answered(id, answer)) => {
                    self.answers.push((id, answer));
                    continue;
                }
                Err(Stop::Fault(job, fault)) => match fault_of(loaded, fault) {
                    Fault::Error(message) => {
                        self.answers.push((job.id, Answer::Error { message }));
                        continue;
                    }
                    lost @ Fault::Lost(_) => {
                        self.waiting.push_front((job, alone));
                        return Err(Failed {
                            fault: lost,
                            jobs: batch,
                        });
                    }
                },
            };
            bytes = bytes.saturating_add(planned.bytes());
            descriptors = descriptors.saturating_add(planned.descriptors());
            batch.push(planned);
            // The job that exceeds a limit is still included: it is compiled.
            let is_large = bytes > BATCH_BYTES || descriptors > BATCH_DESCRIPTORS;
            let is_late = batch.len() >= BATCH_JOBS || start.elapsed() > BATCH_TIME;
            if alone || is_large || is_late {
                break;
            }
        }
        Ok(batch)
    }

    fn start(&mut self) {
        let Some(mut loaded) = self.loaded.take() else { return };
        let started = self.next_batch(&loaded).and_then(|batch| {
            if batch.is_empty() {
                return Ok(None);
            }
            Flight::start(&mut loaded, &mut self.pools, batch).map(Some)
        });
        self.loaded = Some(loaded);
        match started {
            Ok(flight) => self.flight = flight,
            Err(Failed { fault, jobs }) => self.failed(fault, jobs),
        }
    }

    /// Waits for the batch on the device, at most this long, and takes its answers.
    fn land(&mut self, timeout: Duration) {
        let (Some(flight), Some(loaded)) = (self.flight.take(), &self.loaded) else {
            return;
        };
        let Some(gpu) = &loaded.gpu else { return };
        let left = self.limit.saturating_sub(flight.started.elapsed());
        if !gpu.wait(timeout.min(left)) {
            if flight.started.elapsed() < self.limit {
                self.flight = Some(flight);
            } else {
                let message = format!(
                    "the device did not come to an end within {} s",
                    self.limit.as_secs_f64()
                );
                self.abandon(flight, &message);
            }
            return;
        }
        if let Some(removed) = gpu.removed(&loaded.device) {
            return self.failed(removed, flight.into_jobs());
        }
        match flight.finish(&mut self.pools) {
            Ok(answers) => {
                // Messages of the debug layer about this batch are not attributed to later ones.
                gpu.forget_messages();
                self.answers.extend(answers);
            }
            Err(Failed { fault, jobs }) => self.failed(fault, jobs),
        }
    }

    /// After a loss everything in flight is lost. Other faults belong to one job: each runs alone and gets its own
    /// answer. The device is idle.
    fn failed(&mut self, fault: Fault, jobs: Vec<Planned>) {
        let fault = match &self.loaded {
            Some(loaded) => fault_of(loaded, fault),
            None => fault,
        };
        // The state of the buffers is unknown, so the next batch gets new ones.
        self.pools = Pools::default();
        match fault {
            Fault::Lost(message) => {
                let ids: Vec<_> = jobs.iter().map(|planned| planned.job.id).collect();
                drop(jobs);
                self.loaded = None;
                self.lose(ids, &message);
            }
            Fault::Error(message) if jobs.len() == 1 => {
                let error = |planned: Planned| {
                    (
                        planned.job.id,
                        Answer::Error {
                            message: message.clone(),
                        },
                    )
                };
                self.answers.extend(jobs.into_iter().map(error));
            }
            Fault::Error(_) => {
                let alone = jobs.into_iter().rev().map(|planned| (planned.job, true));
                alone.for_each(|job| self.waiting.push_front(job));
            }
        }
    }

    /// Leaks a device that may still work on a batch: nothing that it may use can be released.
    fn abandon(&mut self, flight: Flight, message: &str) {
        let ids = flight.ids();
        mem::forget(flight);
        mem::forget(mem::take(&mut self.pools));
        mem::forget(self.loaded.take());
        self.lose(ids, message);
    }

    /// Answers the jobs of these numbers and all that wait.
    fn lose(&mut self, ids: Vec<JobId>, message: &str) {
        let waiting = mem::take(&mut self.waiting);
        let all = ids.into_iter().chain(waiting.into_iter().map(|(job, _)| job.id));
        let message = message.to_owned();
        self.answers.extend(all.map(|id| {
            (
                id,
                Answer::DeviceLost {
                    message: message.clone(),
                },
            )
        }));
    }

    /// Releases everything on the device if it is idle, and otherwise nothing.
    fn leave(&mut self) {
        let idle = self.loaded.as_ref().and_then(|loaded| loaded.gpu.as_ref());
        let idle = idle.is_none_or(|gpu| gpu.wait(FAREWELL.min(self.limit)));
        match self.flight.take() {
            Some(flight) if !idle => self.abandon(flight, GONE),
            _ => self.pools = Pools::default(),
        }
        self.loaded = None;
        self.waiting.clear();
        self.answers.clear();
    }
}

impl Drop for DirectMlSession {
    fn drop(&mut self) {
        self.leave();
    }
}

impl Session for DirectMlSession {
    fn create(&mut self, job: &Job) -> Answer {
        let Some(loaded) = &self.loaded else {
            let message = GONE.to_owned();
            return Answer::DeviceLost { message };
        };
        match create(loaded, &job.descriptor) {
            Ok(_) => Answer::Created,
            Err(answer) => answer,
        }
    }

    fn submit(&mut self, jobs: Vec<Job>) {
        match &self.loaded {
            Some(loaded) if loaded.gpu.is_some() => {
                self.waiting.extend(jobs.into_iter().map(|job| (job, false)));
                if self.flight.is_none() {
                    self.start();
                }
            }
            Some(_) => {
                let reason = NULL_DEVICE.to_owned();
                let skip = |job: Job| (job.id, Answer::Skipped { reason: reason.clone() });
                self.answers.extend(jobs.into_iter().map(skip));
            }
            None => self.lose(jobs.iter().map(|job| job.id).collect(), GONE),
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
        mem::take(&mut self.answers)
    }

    fn reset(&mut self) -> Result<(), Unavailable> {
        self.leave();
        self.loaded = Some((self.open)()?);
        Ok(())
    }
}

/// Why a job is not planned.
enum Stop {
    Answered(JobId, Answer),
    Fault(Job, Fault),
}

/// Creates and compiles the job's operator.
fn plan(loaded: &Loaded, job: Job) -> Result<Planned, Stop> {
    let operator = match create(loaded, &job.descriptor) {
        Ok(operator) => operator,
        Err(answer) => return Err(Stop::Answered(job.id, answer)),
    };
    let slots = match Slots::new(&job) {
        Ok(slots) => slots,
        Err(answer) => return Err(Stop::Answered(job.id, answer)),
    };
    let compiled: Dispatchable = match loaded.device.compile(&operator, job.half_precision) {
        Ok(compiled) => compiled,
        Err(fault) => return Err(Stop::Fault(job, fault)),
    };
    Planned::new(loaded, job, slots, compiled).map_err(|(job, fault)| Stop::Fault(job, fault))
}

fn fault_of(loaded: &Loaded, fault: Fault) -> Fault {
    match &loaded.gpu {
        Some(gpu) => gpu.explain(fault, &loaded.device),
        None => fault,
    }
}

/// Asks the library for the operator. It gets every descriptor that C can express, valid or not.
#[allow(unsafe_code, reason = "a descriptor is full of pointers")]
fn create(loaded: &Loaded, descriptor: &Descriptor) -> Result<Com<OperatorMethods>, Answer> {
    let made = match Marshalled::new(descriptor) {
        Ok(made) => made,
        Err(MarshalError::Strides { .. }) => {
            let reason = NOT_EXPRESSIBLE.to_owned();
            return Err(Answer::Skipped { reason });
        }
        Err(error @ MarshalError::Operator(_)) => {
            let message = error.to_string();
            return Err(Answer::Error { message });
        }
    };
    // SAFETY: the descriptor and all it points to live through the call, and every pointer in it is null or leads to as
    // many elements as the count next to it says (a null array of sizes with a count is refused by the library).
    let (code, operator) = unsafe { loaded.device.create_operator(made.as_ptr()) };
    let message = format!("CreateOperator returned {}", Code(code));
    Err(match (code, operator) {
        (S_OK, Some(operator)) => return Ok(operator),
        (S_OK, None) => Answer::Error {
            message: "CreateOperator succeeded without making anything".to_owned(),
        },
        (E_INVALIDARG | E_INVALIDARG_16 | DXGI_ERROR_UNSUPPORTED, _) => Answer::Rejected(Rejection {
            reason: message,
            clauses: Vec::new(),
            hresult: Some(code.cast_unsigned()),
        }),
        _ => match Fault::new("CreateOperator", code) {
            Fault::Lost(message) => Answer::DeviceLost { message },
            Fault::Error(message) => Answer::Error { message },
        },
    })
}
