//! Backends in other processes: whatever they do, the harness goes on.
//!
//! A session is a child process that speaks the [`protocol`](crate::protocol). It is killed, with all its children,
//! when it takes too long, answers what is no answer, or is no longer wanted.

mod check;
mod child;
mod log;
mod serve;
mod session;
mod trace;
mod unfinished;

use std::{
    ffi::OsString,
    path::PathBuf,
    sync::{Arc, Mutex, atomic::AtomicU32},
    time::Duration,
};

use dml_ops::{Backend, Info, Session, Unavailable};
use dml_spec::Catalog;

pub use check::{Step, check};
pub use serve::serve;
use session::ProcessSession;
pub use trace::Trace;

/// How to start a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The file.
    pub path: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// What it is called in messages.
    pub name: String,
    /// It is this program itself, so that its skips are as good as those that the harness decides on.
    pub own: bool,
}

/// Why a program is no backend.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// It cannot run on this machine.
    #[error("{0}")]
    Unavailable(Unavailable),
    /// It refused its arguments.
    #[error("{0}")]
    Usage(String),
}

impl StartError {
    /// Why it cannot run; `remedy` is what to do if it refused its arguments.
    pub fn unavailable(self, remedy: &str) -> Unavailable {
        match self {
            Self::Unavailable(why) => why,
            Self::Usage(reason) => Unavailable {
                reason,
                remedy: remedy.to_owned(),
            },
        }
    }
}

/// What to do if a program refuses arguments that it took before.
const TAKEN_BEFORE: &str = "it took these arguments before";

/// How long a program may take, and how much.
#[derive(Clone, Debug)]
pub struct Limits {
    /// From its start to its first line.
    pub start: Duration,
    /// From one answer to the next, while any is awaited.
    pub answer: Duration,
    /// Bytes of address space that it may have, if there is a limit.
    pub memory: Option<u64>,
    /// Where the conversation is kept.
    pub trace: Option<Trace>,
    /// Where the number of the process that was started last is kept, if anyone asks.
    pub started: Option<Arc<AtomicU32>>,
}

impl Limits {
    /// Limits of time alone.
    pub fn of_time(start: Duration, answer: Duration) -> Self {
        Self {
            start,
            answer,
            memory: None,
            trace: None,
            started: None,
        }
    }
}

/// How many times in a row a program may fail to start.
pub const STARTS: usize = 3;

/// A program as a backend: each session is a process.
#[derive(Debug)]
pub struct Process {
    program: Program,
    catalog: Arc<Catalog>,
    limits: Limits,
    info: Info,
    /// The process that said hello; the first session takes it over.
    first: Mutex<Option<ProcessSession>>,
}

impl Process {
    /// Starts the program to ask what it is.
    ///
    /// # Errors
    /// If it does not say.
    pub fn start(program: Program, catalog: Arc<Catalog>, limits: Limits) -> Result<Self, StartError> {
        let first = session::open(&program, &catalog, &limits)?;
        Ok(Self {
            program,
            catalog,
            limits,
            info: first.info().clone(),
            first: Mutex::new(Some(first)),
        })
    }
}

impl Backend for Process {
    fn info(&self) -> Info {
        self.info.clone()
    }

    fn open(&self) -> Result<Box<dyn Session>, Unavailable> {
        if let Some(first) = self.first.lock().ok().and_then(|mut first| first.take()) {
            return Ok(Box::new(first));
        }
        let session = session::open(&self.program, &self.catalog, &self.limits);
        Ok(Box::new(session.map_err(|error| error.unavailable(TAKEN_BEFORE))?))
    }
}
