//! The trait [`Backend`]: something that runs cases.
//!
//! The harness owns every buffer, poisons the outputs and puts guard bytes around them. A backend sees descriptor,
//! level, inputs and poisoned outputs, never what is expected.

use std::{sync::Arc, time::Duration};

use dml_spec::{Descriptor, FeatureLevel};

pub use dml_spec::answer::*;

/// Names a job within a session.
pub type JobId = u64;

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
    /// Outputs that are to be computed in place. Such an output's buffer initially holds the input's elements, and the
    /// input's buffer is a copy of it: a backend that binds buffers binds the output's for both tensors.
    pub aliases: Box<[Alias]>,
    /// FLOAT16 tensors may be computed in half precision, as `DML_EXECUTION_FLAG_ALLOW_HALF_PRECISION_COMPUTATION`
    /// allows. A backend that always computes in FLOAT32 need not look.
    pub half_precision: bool,
}

/// An implementation of operators.
pub trait Backend: Send + Sync {
    /// Facts about the backend, without touching a device.
    fn info(&self) -> Info;

    /// Makes it ready to run cases. Several sessions may be open at once.
    ///
    /// # Errors
    /// If it cannot run on this machine.
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

    /// Available answers, waiting for at most `timeout` for the first. Empty if nothing is in flight.
    fn poll(&mut self, timeout: Duration) -> Vec<(JobId, Answer)>;

    /// Makes a lost device work again; jobs in flight are forgotten.
    ///
    /// # Errors
    /// If it stays lost.
    fn reset(&mut self) -> Result<(), Unavailable> {
        Ok(())
    }
}
