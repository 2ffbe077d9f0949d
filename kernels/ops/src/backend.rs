//! What a backend is: something that runs cases.
//!
//! The harness owns every buffer, poisons the outputs and puts guard bytes around them. A backend sees descriptor,
//! level, inputs and poisoned outputs, never what is expected.

use std::{fmt, sync::Arc, time::Duration};

use dml_spec::{Descriptor, FeatureLevel};

/// Whether a backend enforces the level it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Levels {
    /// Asked for level L, it rejects what only later levels allow.
    Strict,
    /// It accepts whatever its highest level allows.
    Superset,
}

/// Who decides whether a descriptor is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Validator {
    /// The validator generated from this specification.
    Generated,
    /// The backend's own code.
    Own,
}

/// What a backend says of itself without touching a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// Short name, such as `cpu`.
    pub name: String,
    /// Version of the implementation.
    pub version: String,
    /// Operators it implements, by name.
    pub operators: Vec<String>,
    /// Highest feature level.
    pub feature_level: FeatureLevel,
    /// Whether lower levels are enforced.
    pub levels: Levels,
    /// Who validates descriptors.
    pub validator: Validator,
    /// Whether it executes; otherwise it only judges descriptors.
    pub executes: bool,
    /// Further facts for reports: adapter, driver, library.
    pub details: Vec<(String, String)>,
}

/// The backend cannot run here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unavailable {
    /// Why.
    pub reason: String,
    /// What would make it available.
    pub remedy: String,
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.reason, self.remedy)
    }
}

impl std::error::Error for Unavailable {}

/// Bytes of one tensor between guards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    bytes: Vec<u8>,
    guard: usize,
}

impl Buffer {
    /// `bytes` holds `guard` bytes, the tensor, and `guard` bytes again; `guard` is at most half its length.
    pub fn new(bytes: Vec<u8>, guard: usize) -> Self {
        let guard = guard.min(bytes.len() / 2);
        Self { bytes, guard }
    }

    /// The tensor's bytes: `TotalTensorSizeInBytes` of them.
    pub fn tensor(&self) -> &[u8] {
        &self.bytes[self.guard..self.bytes.len() - self.guard]
    }

    /// The tensor's bytes.
    pub fn tensor_mut(&mut self) -> &mut [u8] {
        let end = self.bytes.len() - self.guard;
        &mut self.bytes[self.guard..end]
    }

    /// Everything, guards included: what a device buffer should hold, so that stray writes show.
    pub fn whole(&self) -> &[u8] {
        &self.bytes
    }

    /// Everything, guards included.
    pub fn whole_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    /// Bytes of guard on either side.
    pub fn guard(&self) -> usize {
        self.guard
    }
}

/// Names a job within a session.
pub type JobId = u64;

/// An output that lies in the memory of an input: both are bound to the same place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Alias {
    /// Place of the output among a job's outputs.
    pub output: usize,
    /// Place of the input among a job's inputs.
    pub input: usize,
}

/// One case as a backend sees it.
#[derive(Clone, Debug)]
pub struct Job {
    /// Comes back with the answer.
    pub id: JobId,
    /// The level the descriptor is to be judged by.
    pub feature_level: FeatureLevel,
    /// What to create.
    pub descriptor: Arc<Descriptor>,
    /// One buffer an input tensor that is present, in struct order. Empty when only creating.
    pub inputs: Vec<Buffer>,
    /// One poisoned buffer an output tensor that is present, in struct order. Empty when only creating.
    pub outputs: Vec<Buffer>,
    /// Outputs that are to be computed in place. Such an output's buffer holds the input's elements at first, and the
    /// input's buffer is a copy of it: who binds buffers binds the output's for both tensors.
    pub aliases: Box<[Alias]>,
}

/// What a backend did with a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The operator was created; nothing ran.
    Created,
    /// The descriptor was refused.
    Rejected(Rejection),
    /// It ran.
    Executed {
        /// The output buffers, in the order they came, guards included.
        outputs: Vec<Buffer>,
    },
    /// The backend does not do this.
    Skipped {
        /// Why, such as `unsupported`.
        reason: String,
    },
    /// Something broke that is no verdict on the descriptor.
    Error {
        /// What happened.
        message: String,
    },
    /// Something came back that is no answer: broken, or with other buffers than those that were sent.
    Malformed {
        /// What is wrong with it.
        message: String,
    },
    /// The device is gone; the session needs a [`Session::reset`].
    DeviceLost {
        /// What the device said.
        message: String,
    },
    /// What runs the backend is gone, or of no use any more; the session needs a [`Session::reset`]. It is no answer:
    /// everything in flight was lost with it.
    Lost {
        /// How.
        how: Loss,
        /// What happened.
        message: String,
    },
}

/// How a backend in another process is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// It ended.
    Crash,
    /// It did not answer in time.
    Timeout,
    /// What it answers is not the protocol.
    Protocol,
}

/// Why a descriptor was refused; all of it optional.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rejection {
    /// Prose.
    pub reason: String,
    /// Ids of the clauses it breaks.
    pub clauses: Vec<String>,
    /// The HRESULT, where there is one.
    pub hresult: Option<u32>,
}

/// An implementation of operators.
pub trait Backend: Send + Sync {
    /// What it is, without touching a device.
    fn info(&self) -> Info;

    /// Makes it ready to run cases. Several sessions may be open at once.
    ///
    /// # Errors
    /// Where it cannot run on this machine.
    fn open(&self) -> Result<Box<dyn Session>, Unavailable>;
}

/// A backend at work.
pub trait Session: Send {
    /// Creates the operator, without running it: `Created`, `Rejected`, `Skipped` or an error.
    fn create(&mut self, job: &Job) -> Answer;

    /// Creates several operators; one answer a job, in the same order. A backend that takes a while to be asked does
    /// better to override it.
    fn create_all(&mut self, jobs: &[Job]) -> Vec<Answer> {
        jobs.iter().map(|job| self.create(job)).collect()
    }

    /// Starts jobs. They are answered by [`Session::poll`], in any order.
    fn submit(&mut self, jobs: Vec<Job>);

    /// Answers that are there, waiting for at most `timeout` for the first. Empty once nothing is in flight.
    fn poll(&mut self, timeout: Duration) -> Vec<(JobId, Answer)>;

    /// Makes a lost device work again; jobs in flight are forgotten.
    ///
    /// # Errors
    /// Where it stays lost.
    fn reset(&mut self) -> Result<(), Unavailable> {
        Ok(())
    }
}
