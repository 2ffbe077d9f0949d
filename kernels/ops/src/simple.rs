//! A backend made of one plain function, as a start for a Rust implementation.

use std::{
    collections::VecDeque,
    sync::Arc,
    time::{Duration, Instant},
};

use dml_spec::Descriptor;

use crate::{Alias, Answer, Backend, Buffer, Info, Job, JobId, Rejection, Session, Unavailable, find};

/// Why a function did not compute a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// It does not support this case; the reason, such as `unsupported`.
    Skipped(String),
    /// It refuses the descriptor, although the validator accepts it.
    Rejected(Rejection),
    /// Something broke.
    Failed(String),
}

impl From<Stopped> for Answer {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Skipped(reason) => Self::Skipped { reason },
            Stopped::Rejected(rejection) => Self::Rejected(rejection),
            Stopped::Failed(message) => Self::Error { message },
        }
    }
}

/// The answer of a backend with the generated validators to a job that need not run: `None` if it has the operator, and
/// the descriptor is valid at the job's level.
pub fn refuse(operators: &[impl AsRef<str>], job: &Job) -> Option<Answer> {
    let name = &*job.descriptor.operator;
    let skipped = || {
        Some(Answer::Skipped {
            reason: "unsupported".to_owned(),
        })
    };
    if !operators.iter().any(|operator| operator.as_ref() == name) {
        return skipped();
    }
    let Some(operator) = find(name) else { return skipped() };
    match (operator.validate)(&job.descriptor, job.feature_level) {
        Err(mismatch) => Some(Answer::Error {
            message: mismatch.to_string(),
        }),
        Ok(found) if found.errors().next().is_none() => None,
        Ok(found) => Some(Answer::Rejected(Rejection {
            reason: found.to_string(),
            clauses: found.errors().map(|v| v.clause.to_owned()).collect(),
            hresult: None,
        })),
    }
}

/// Makes a [`Backend`] of a function that computes one valid descriptor.
///
/// The function gets the descriptor, the bytes of each input that is present in struct order, and the bytes of each
/// output, which it fills. If an output lies in the place of an input, the input is a copy. The generated code
/// validates descriptors at the level of the job, so the function sees valid ones only. If it panics, the harness
/// counts a crash of the case and opens a new session.
///
/// ```
/// use dml_ops::{Info, Levels, Simple, Stopped, Validator};
/// use dml_ops::{Descriptor, FeatureLevel};
///
/// fn execute(_: &Descriptor, _: &[&[u8]], _: &mut [&mut [u8]]) -> Result<(), Stopped> {
///     Err(Stopped::Skipped("unsupported".to_owned()))
/// }
/// let backend = Simple::new("mine", "0.1.0", FeatureLevel::new(5, 0), ["TOP_K1"], execute);
/// ```
#[derive(Clone, Debug)]
pub struct Simple<F> {
    info: Info,
    execute: Arc<F>,
}

impl<F> Simple<F>
where
    F: Fn(&Descriptor, &[&[u8]], &mut [&mut [u8]]) -> Result<(), Stopped> + Send + Sync + 'static,
{
    /// A backend of this name that implements `operators` up to `feature_level`.
    pub fn new(
        name: &str,
        version: &str,
        feature_level: dml_spec::FeatureLevel,
        operators: impl IntoIterator<Item = &'static str>,
        execute: F,
    ) -> Self {
        let info = Info {
            name: name.to_owned(),
            version: version.to_owned(),
            operators: operators.into_iter().map(str::to_owned).collect(),
            feature_level,
            levels: crate::Levels::Strict,
            validator: crate::Validator::Generated,
            executes: true,
            details: Vec::new(),
        };
        Self {
            info,
            execute: Arc::new(execute),
        }
    }

    /// Adds a fact for reports.
    #[must_use]
    pub fn detail(mut self, name: &str, value: &str) -> Self {
        self.info.details.push((name.to_owned(), value.to_owned()));
        self
    }
}

impl<F> Backend for Simple<F>
where
    F: Fn(&Descriptor, &[&[u8]], &mut [&mut [u8]]) -> Result<(), Stopped> + Send + Sync + 'static,
{
    fn info(&self) -> Info {
        self.info.clone()
    }

    fn open(&self) -> Result<Box<dyn Session>, Unavailable> {
        let (operators, execute) = (self.info.operators.clone(), Arc::clone(&self.execute));
        Ok(Box::new(SimpleSession {
            operators,
            execute,
            waiting: VecDeque::new(),
        }))
    }
}

struct SimpleSession<F> {
    operators: Vec<String>,
    execute: Arc<F>,
    waiting: VecDeque<Job>,
}

impl<F> SimpleSession<F>
where
    F: Fn(&Descriptor, &[&[u8]], &mut [&mut [u8]]) -> Result<(), Stopped>,
{
    fn run(&self, job: Job) -> Answer {
        if let Some(refusal) = refuse(&self.operators, &job) {
            return refusal;
        }
        let Job {
            descriptor,
            mut inputs,
            mut outputs,
            aliases,
            ..
        } = job;
        // Memory cannot be borrowed for reading and writing at once: the function reads a copy.
        for Alias { input, output } in aliases {
            if let (Some(input), Some(output)) = (inputs.get_mut(input), outputs.get(output)) {
                input.clone_from(output);
            }
        }
        let read: Vec<&[u8]> = inputs.iter().map(Buffer::tensor).collect();
        let mut written: Vec<&mut [u8]> = outputs.iter_mut().map(Buffer::tensor_mut).collect();
        match (self.execute)(&descriptor, &read, &mut written) {
            Ok(()) => Answer::Executed { outputs },
            Err(stopped) => stopped.into(),
        }
    }
}

impl<F> Session for SimpleSession<F>
where
    F: Fn(&Descriptor, &[&[u8]], &mut [&mut [u8]]) -> Result<(), Stopped> + Send + Sync,
{
    fn create(&mut self, job: &Job) -> Answer {
        refuse(&self.operators, job).unwrap_or(Answer::Created)
    }

    fn submit(&mut self, jobs: Vec<Job>) {
        self.waiting.extend(jobs);
    }

    /// Runs waiting jobs, at least one, until the time is up or answers are worth handing over.
    fn poll(&mut self, timeout: Duration) -> Vec<(JobId, Answer)> {
        const HAND_OVER: Duration = Duration::from_millis(20);
        let start = Instant::now();
        let mut answers = Vec::new();
        while let Some(job) = self.waiting.pop_front() {
            answers.push((job.id, self.run(job)));
            if start.elapsed() >= timeout.min(HAND_OVER) {
                break;
            }
        }
        answers
    }

    fn reset(&mut self) -> Result<(), Unavailable> {
        self.waiting.clear();
        Ok(())
    }
}
