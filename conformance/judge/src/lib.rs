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
pub mod relation;
mod unwritten;

use dml_spec::answer::{Answer, Info, Levels};
use dml_spec::model::{Operator, Text};

pub use blame::cells;
pub use blame::clauses_of;
pub use creation::violations;
pub use execution::{still_holding, wrong_elements};
pub use expected::{Expected, expected};
pub use exposed::{exposed, tests_guarantee};
pub use inconsistent::OPEN_CLASSES;

use dml_case::{
    case::{Case, Mode},
    names::{LEVEL_NOT_ENFORCED, OVERWRITTEN},
    outcome::{Basis, Diagnosis, Judged, Outcome},
    suite::Suite,
};

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
        _ if is_level_gated(operator, case, options.info) => Judged::skipped(LEVEL_NOT_ENFORCED),
        Answer::Error { message } => gave_up(suite, case, message),
        Answer::Skipped { reason } => Judged::skipped(reason),
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
