//! Judging a backend's answer.

use dml_spec::{
    answer::{Answer, Info, Levels},
    model::Operator,
};

use crate::{
    creation, execution,
    expected::Expected,
    judged::{about_backend, bad_answer},
    options::Options,
    violated::{add_missing, in_place_clauses},
};
use dml_case::{
    case::{Case, Mode},
    context::Context,
    names::{BACKEND_ERROR, LEVEL_NOT_ENFORCED},
    outcome::{Judged, Outcome},
    suite::Suite,
};

/// Judges the answer of a backend to a case. The `outputs` of an executed case are the buffers made by
/// [`dml_case::poison::buffers`], after the run.
pub fn judge(suite: &Suite, case: &Case, answer: &Answer, options: &Options) -> Judged {
    judge_expected(suite, case, &Expected::new(options.half_precision), answer, options)
}

/// As [`judge`], if the expected outputs may be known already.
pub fn judge_expected(suite: &Suite, case: &Case, expected: &Expected, answer: &Answer, options: &Options) -> Judged {
    let Some(context) = Context::new(suite, case) else {
        return bad_answer(format!("operator {} is not in the specification", case.id.operator()));
    };
    match answer {
        Answer::DeviceLost { message } => about_backend(Outcome::DeviceLost, "device-lost", message.clone()),
        Answer::Malformed { message } | Answer::Lost { message, .. } => bad_answer(message.clone()),
        _ if is_level_gated(context.operator, case, options.info) => Judged::skipped(LEVEL_NOT_ENFORCED),
        Answer::Error { message } => judge_error(context, message),
        Answer::Skipped { reason } => Judged::skipped(reason),
        Answer::Rejected(rejection) => creation::judge_rejection(context, rejection, options),
        Answer::Executed { .. } if case.mode == Mode::Create => {
            bad_answer("executed, although only creation was asked for".to_owned())
        }
        Answer::Created | Answer::Executed { .. } if case.verdict.is_rejection() => {
            creation::judge_wrong_acceptance(context, options)
        }
        Answer::Created if case.mode == Mode::Execute => {
            bad_answer("created without running, although execution was asked for".to_owned())
        }
        Answer::Created => creation::judge_acceptance(context),
        Answer::Executed { outputs } => execution::judge_outputs(context, expected, outputs, options),
    }
}

/// Whether a case expects a rejection that the backend need not give: a later table allows the descriptor, and the
/// backend does not enforce levels but has that table.
pub fn is_level_gated(operator: &Operator, case: &Case, info: &Info) -> bool {
    let table = |level| operator.table_at(level).map(|table| table.level);
    case.gate.is_some() && info.levels == Levels::Superset && table(info.feature_level) > table(case.id.level())
}

/// Judges an error. A backend has to accept a descriptor or to refuse it, and to run what it accepts.
fn judge_error(context: Context, message: &str) -> Judged {
    let message = if message.is_empty() {
        "no reason is given"
    } else {
        message
    };
    let mut failed = about_backend(Outcome::Fail, BACKEND_ERROR, format!("the backend gave up: {message}"));
    if let Some(diagnosis) = &mut failed.diagnosis {
        add_missing(&mut diagnosis.clauses, in_place_clauses(context));
    }
    Judged {
        follows: creation::find_followed(context, creation::Reaction::Miscompute),
        ..failed
    }
}
