//! What came back for a case: an answer to judge, or an outcome.

use dml_case::{id::CaseId, names::NOT_RUN, outcome::Outcome};
use dml_ops::Answer;

/// What came back for a case.
pub(super) enum Reply {
    /// An answer, to be judged.
    Answer(Answer),
    /// An answer, to be judged, with a remark.
    Noted(Answer, String),
    /// An outcome that needs no judging, with a message.
    Settled(Outcome, String),
    /// It failed after other cases only: a message, and the cases in order, if they are known.
    Flaky(String, Vec<CaseId>),
}

/// The reply of a case that is left out.
pub(super) fn not_run() -> Reply {
    Reply::Settled(Outcome::Skip, NOT_RUN.to_owned())
}

/// The reply of a case that the backend forgot.
pub(super) fn no_answer() -> Reply {
    Reply::Settled(Outcome::HarnessError, "no answer came".to_owned())
}
