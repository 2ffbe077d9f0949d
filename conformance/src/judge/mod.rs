//! The judge: what a backend answered, against what the specification expects.
//!
//! A passing case costs the reference outputs and a comparison; everything that explains a failure is only computed
//! for one.

mod blame;
mod creation;
mod diagnose;
mod execution;
mod expected;
mod exposed;
mod hypotheses;
mod inconsistent;
mod output;
mod overwritten;
pub mod poison;
pub mod summary;
mod unwritten;

use dml_ops::{Answer, Buffer, Info, Levels};
use dml_spec::model::{Operator, Role, Text};

pub(crate) use blame::cells;
pub use blame::{HARNESS_CLASSES, UNCOMPUTED_CLASSES, clauses_of};
pub use creation::violations;
pub use execution::{still_holding, wrong_elements};
pub use expected::{Expected, expected};
pub use exposed::{exposed, tests_guarantee};
pub use inconsistent::OPEN_CLASSES;
pub use overwritten::OVERWRITTEN;

use crate::{
    case::{Case, Mode},
    outcome::{Basis, Diagnosis, Judged, Outcome},
    suite::Suite,
};

/// Reason of skips where a backend does not enforce the level it is asked for. They leave a run complete.
pub const LEVEL_NOT_ENFORCED: &str = "level-not-enforced";

/// Reason of skips of executing cases of an operator without an oracle.
pub const NO_ORACLE: &str = "no-oracle";

/// Reason of skips of descriptors that the protocol of programs cannot carry. They leave a run complete.
pub const NOT_EXPRESSIBLE: &str = "not-expressible";

/// Reason of skips of cases that run an operator, where a program only judges descriptors. They leave a run complete.
pub const CREATE_ONLY: &str = "create-only";

/// Reason of skips of cases that judge a descriptor, where a program only runs operators.
pub const EXECUTE_ONLY: &str = "execute-only";

/// Reason of skips of cases that compute in place, where a program cannot. They leave a run complete.
pub const IN_PLACE: &str = "in-place";

/// Reasons of skips that are decided here alone: they leave a run complete.
pub const HARNESS_SKIPS: [&str; 4] = [LEVEL_NOT_ENFORCED, NOT_EXPRESSIBLE, CREATE_ONLY, IN_PLACE];

/// Reasons of skips that are the harness's to give, complete or not.
pub const OWN_SKIPS: [&str; 7] = [
    LEVEL_NOT_ENFORCED,
    NOT_EXPRESSIBLE,
    CREATE_ONLY,
    IN_PLACE,
    EXECUTE_ONLY,
    NO_ORACLE,
    crate::run::NOT_RUN,
];

/// Classes that the judge finds itself and guarantees name; the others are [`HARNESS_CLASSES`] or an oracle's.
pub const DIAGNOSED: &[&str] = &["guard-touched", "padding-touched", "unwritten", OVERWRITTEN];

/// How to judge.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Whose word counts on observed and disputed clauses.
    pub basis: Basis,
    /// Wrong clauses in a rejection fail the case.
    pub strict_reasons: bool,
    /// What the backend says of itself.
    pub info: &'a Info,
}

/// Inputs between guards and poisoned outputs between guards, in struct order: what a backend gets to run a case.
pub fn buffers(operator: &Operator, case: &Case) -> (Vec<Buffer>, Vec<Buffer>) {
    poison::buffers(operator, case)
}

/// Bytes that [`buffers`] takes for a case; the caller holds them against its limit first.
pub fn buffer_bytes(operator: &Operator, case: &Case) -> u64 {
    let outputs = case.descriptor.tensors(operator, Role::Output);
    let inputs = case.inputs.iter().map(|bytes| bytes.len() as u64);
    let tensors = inputs.chain(outputs.iter().map(|t| t.total_tensor_size_in_bytes));
    tensors.fold(0, |sum: u64, bytes| {
        sum.saturating_add(bytes).saturating_add(2 * poison::GUARD as u64)
    })
}

/// What became of a case, by the backend's answer to it. `outputs` of an executed case are the buffers made by
/// [`buffers`], after the run.
pub fn judge(suite: &Suite, case: &Case, answer: &Answer, options: &Options) -> Judged {
    judge_expected(suite, case, &Expected::default(), answer, options)
}

/// The same, where what is expected of the outputs may be known already.
pub fn judge_expected(suite: &Suite, case: &Case, expected: &Expected, answer: &Answer, options: &Options) -> Judged {
    let Some((operator, _)) = suite.operator(case.id.operator()) else {
        return bad_answer(format!("operator {} is not in the specification", case.id.operator()));
    };
    match answer {
        Answer::DeviceLost { message } => broken(Outcome::DeviceLost, "device-lost", message.clone()),
        Answer::Malformed { message } | Answer::Lost { message, .. } => bad_answer(message.clone()),
        _ if is_level_gated(operator, case, options.info) => settled(Outcome::Skip(LEVEL_NOT_ENFORCED.to_owned())),
        Answer::Error { message } => gave_up(suite, case, message),
        Answer::Skipped { reason } => settled(Outcome::Skip(reason.clone())),
        Answer::Rejected(rejection) => creation::rejected(suite, operator, case, rejection, options),
        Answer::Executed { .. } if case.mode == Mode::Create => {
            bad_answer("executed, although only creation was asked for".to_owned())
        }
        Answer::Created | Answer::Executed { .. } if case.verdict.is_rejection() => {
            creation::accepted_invalid(suite, case, options)
        }
        Answer::Created if case.mode == Mode::Execute => {
            bad_answer("created without running, although execution was asked for".to_owned())
        }
        Answer::Created => creation::accepted_valid(suite, case),
        Answer::Executed { outputs } => execution::judge(suite, operator, case, expected, outputs, options),
    }
}

/// Whether a case expects a rejection that the backend need not give: a later table allows the descriptor, and the
/// backend does not enforce levels but has that table.
pub fn is_level_gated(operator: &Operator, case: &Case, info: &Info) -> bool {
    let table = |level| operator.table_at(level).map(|table| table.level);
    case.gate.is_some() && info.levels == Levels::Superset && table(info.feature_level) > table(case.id.level())
}

/// An outcome that needs no explanation.
fn settled(outcome: Outcome) -> Judged {
    Judged::plain(outcome)
}

/// An outcome that says nothing of the operator.
fn broken(outcome: Outcome, class: &'static str, message: String) -> Judged {
    Judged::explained(outcome, Diagnosis::new(class, Vec::new(), message))
}

fn bad_answer(message: String) -> Judged {
    broken(Outcome::HarnessError, "bad-answer", message)
}

/// The backend answered with an error. It has to take a descriptor or to refuse it, and to run what it takes.
fn gave_up(suite: &Suite, case: &Case, message: &str) -> Judged {
    let message = if message.is_empty() {
        "no reason is given"
    } else {
        message
    };
    let mut failed = broken(
        Outcome::Fail,
        "backend-error",
        format!("the backend gave up: {message}"),
    );
    if let Some(diagnosis) = &mut failed.diagnosis {
        extend(&mut diagnosis.clauses, in_place(suite, case));
    }
    Judged {
        follows: creation::follows(suite, case, creation::Did::Miscompute),
        ..failed
    }
}

fn failed(diagnosis: Diagnosis) -> Judged {
    Judged {
        diagnosis: Some(diagnosis),
        ..settled(Outcome::Fail)
    }
}

/// Where observed behaviour never fails: the outcome of a case that follows neither the text nor the runtimes.
fn apart(diagnosis: Diagnosis) -> Judged {
    let warning = format!("not as the runtimes do: {}: {}", diagnosis.class, diagnosis.message);
    Judged {
        warnings: vec![warning],
        ..settled(Outcome::Unspecified)
    }
}

/// The guarantees that a case rests on because an output lies in the place of an input.
fn in_place(suite: &Suite, case: &Case) -> Vec<Text> {
    match suite.operator(case.id.operator()) {
        Some((operator, _)) if !case.aliases.is_empty() => clauses_of(&suite.catalog, operator, OVERWRITTEN),
        _ => Vec::new(),
    }
}

/// Adds ids that are not there yet.
fn extend(clauses: &mut Vec<Text>, more: impl IntoIterator<Item = Text>) {
    for id in more {
        if !clauses.contains(&id) {
            clauses.push(id);
        }
    }
}

#[cfg(test)]
mod tests;
