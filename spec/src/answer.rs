//! What passes between harness and backend: what a backend reports about itself, buffers, and answers.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::FeatureLevel;

/// Whether a backend enforces the requested level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Levels {
    /// At level L, it rejects what only later levels allow.
    #[default]
    Strict,
    /// It accepts whatever its highest level allows.
    Superset,
}

impl Levels {
    /// The word used in messages and reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Superset => "superset",
        }
    }
}

/// Who decides whether a descriptor is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Validator {
    /// The validator generated from this specification.
    Generated,
    /// The backend's own code.
    Own,
}

impl Validator {
    /// The word used in messages and reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Generated => "generated",
            Self::Own => "own",
        }
    }
}

/// What a backend reports about itself without touching a device.
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

/// An output that lies in the memory of an input: both are bound to the same place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Alias {
    /// Place of the output among a job's outputs.
    pub output: usize,
    /// Place of the input among a job's inputs.
    pub input: usize,
}

/// The result of a job.
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
    /// The backend does not support this job.
    Skipped {
        /// Why, such as `unsupported`.
        reason: String,
    },
    /// A failure that says nothing about the descriptor.
    Error {
        /// What happened.
        message: String,
    },
    /// The answer is invalid: it cannot be read, or its buffers are not those that were sent.
    Malformed {
        /// What is wrong with it.
        message: String,
    },
    /// The device is gone; the session needs a reset.
    DeviceLost {
        /// What the device said.
        message: String,
    },
    /// The process or machine that runs the backend is gone or unusable; the session needs a reset. Everything in
    /// flight was lost.
    Lost {
        /// How.
        how: Loss,
        /// What happened.
        message: String,
    },
}

/// How a backend in another process was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// It ended.
    Crash,
    /// It did not answer in time.
    Timeout,
    /// Its answer violates the protocol.
    Protocol,
}

/// Why a descriptor was refused; all of it optional.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rejection {
    /// Prose.
    pub reason: String,
    /// Ids of the clauses it breaks.
    pub clauses: Vec<String>,
    /// The HRESULT, if there is one.
    pub hresult: Option<u32>,
}
