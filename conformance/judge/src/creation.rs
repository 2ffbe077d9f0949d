//! Judging whether a descriptor is accepted or refused.

use std::collections::HashSet;

use dml_spec::answer::Rejection;
use dml_spec::{
    model::{ClauseKind, Status, Text},
    program::Violation,
};

use crate::{
    judged::{failed, unlike_runtimes, without_diagnosis},
    options::Options,
    violated::{add_missing, disputed_clauses, grounds, in_place_clauses},
};
use dml_case::{
    case::Verdict,
    clause,
    context::Context,
    names::WRONGLY_REJECTED,
    nearest::excerpt,
    outcome::{Basis, Diagnosis, Follows, Judged, Outcome},
};

/// How many of the clauses that a backend names are repeated in a message.
const LISTED: usize = 8;

/// What a backend did, as far as text and runtimes can differ on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reaction {
    /// It refused the descriptor.
    Reject,
    /// It accepted the descriptor and computed what is expected, if anything.
    Accept,
    /// It accepted the descriptor and computed something else.
    Miscompute,
}

/// Judges a refusal.
pub(super) fn judge_rejection(context: Context, rejection: &Rejection, options: &Options) -> Judged {
    let follows = find_followed(context, Reaction::Reject);
    let by_text = follows.iter().any(|(_, whom)| *whom == Follows::Text);
    let judged = match &context.case.verdict {
        verdict if verdict.is_rejection() => judge_reasons(context, rejection, options),
        _ if options.basis == Basis::Text && by_text => without_diagnosis(Outcome::Pass),
        Verdict::Observed { .. } if options.basis == Basis::Text => {
            unlike_runtimes(explain_refusal(context, rejection))
        }
        _ => failed(explain_refusal(context, rejection)),
    };
    Judged { follows, ..judged }
}

/// Judges the acceptance of a descriptor that is to be refused.
pub(super) fn judge_wrong_acceptance(context: Context, options: &Options) -> Judged {
    let case = context.case;
    let follows = find_followed(context, Reaction::Accept);
    let clauses = refusing_clauses(context, options.basis);
    let violated = clauses.join(", ");
    let message = match &case.verdict {
        Verdict::Observed { .. } => format!("accepted, although every runtime refuses it: {violated}"),
        _ => format!("accepted, although it violates {violated}"),
    };
    let diagnosis = Diagnosis::new("wrongly-accepted", clauses, message);
    let observed = matches!(case.verdict, Verdict::Observed { .. });
    let judged = match options.basis {
        Basis::Text if observed && follows.iter().any(|(_, whom)| *whom == Follows::Text) => {
            without_diagnosis(Outcome::Pass)
        }
        Basis::Text if observed => unlike_runtimes(diagnosis),
        _ => failed(diagnosis),
    };
    Judged { follows, ..judged }
}

/// The clauses for which the descriptor of a case is to be refused: those of the runtimes, or those of the text if the
/// text is the basis and itself refuses the descriptor.
fn refusing_clauses(context: Context, basis: Basis) -> Vec<Text> {
    let case = context.case;
    let refuses: fn(&Violation) -> bool = match (&case.verdict, basis) {
        (Verdict::Rejected(_), Basis::Text) => |violation| violation.text,
        _ => |violation| violation.runtime,
    };
    let mut clauses = Vec::new();
    add_missing(
        &mut clauses,
        match &case.verdict {
            Verdict::Rejected(found) => select_clauses(found, refuses),
            _ => select_clauses(&context.violations(), refuses),
        },
    );
    if clauses.is_empty() {
        clauses = case.verdict.clauses();
    }
    clauses
}

/// The clauses of the violations that are selected.
fn select_clauses(violations: &[Violation], is_selected: fn(&Violation) -> bool) -> Vec<Text> {
    let selected = violations.iter().filter(|violation| is_selected(violation));
    selected.map(|violation| violation.clause.clone()).collect()
}

/// Judges the acceptance of a valid descriptor, if nothing had to run.
pub(super) fn judge_acceptance(context: Context) -> Judged {
    Judged {
        follows: find_followed(context, Reaction::Accept),
        ..without_diagnosis(Outcome::Pass)
    }
}

/// Judges an expected rejection: whether the clauses that it names are violated.
fn judge_reasons(context: Context, rejection: &Rejection, options: &Options) -> Judged {
    let violated = context.case.verdict.clauses();
    let mut seen = HashSet::new();
    let named = rejection.clauses.iter().map(String::as_str);
    let wrong: Vec<&str> = named
        .filter(|id| seen.insert(*id) && violated.iter().all(|violated| violated != id))
        .collect();
    if wrong.is_empty() {
        return without_diagnosis(Outcome::Pass);
    }
    let violated = refusing_clauses(context, options.basis);
    let message = format!(
        "refused for {}, although it violates {}",
        listed(&wrong),
        violated.join(", ")
    );
    if options.strict_reasons {
        return failed(Diagnosis::new("wrong-reason", violated, message));
    }
    Judged {
        warnings: vec![message],
        ..without_diagnosis(Outcome::Pass)
    }
}

/// Explains an unexpected refusal: by the clauses named, or else by what the descriptor rests on; the permission to
/// compute in place comes first.
fn explain_refusal(context: Context, rejection: &Rejection) -> Diagnosis {
    let case = context.case;
    // A clause on which text and runtimes differ, if any. Silences are about data and no reason to accept anything.
    let is_disputed = matches!(case.verdict, Verdict::Observed { .. }) || disputed_clauses(context).next().is_some();
    let mut message = if is_disputed {
        "refused, although every runtime accepts it".to_owned()
    } else {
        "refused, although it violates nothing".to_owned()
    };
    let named_clauses = named_clauses(context, rejection);
    if !case.aliases.is_empty() {
        message += "; an output lies in the memory of an input, as it may";
    }
    if !rejection.clauses.is_empty() {
        let all: Vec<&str> = rejection.clauses.iter().map(String::as_str).collect();
        message += &format!("; the clause named is {}", listed(&all));
        if named_clauses.is_empty() {
            message += ", which the operator does not have";
        }
    }
    if !rejection.reason.is_empty() {
        message += &format!("; the reason given is: {}", rejection.reason);
    }
    if let Some(hresult) = rejection.hresult {
        message += &format!("; HRESULT {hresult:#010x}");
    }
    let clauses = match named_clauses.is_empty() {
        true => grounds(context),
        false => {
            let mut clauses = in_place_clauses(context);
            add_missing(
                &mut clauses,
                named_clauses.iter().map(|id| Text::Owned((*id).to_owned())),
            );
            add_missing(&mut clauses, disputed_clauses(context));
            clauses
        }
    };
    Diagnosis::new(WRONGLY_REJECTED, clauses, message)
}

/// Some names, the first of many, each cut short.
fn listed(names: &[&str]) -> String {
    let first: Vec<String> = names.iter().take(LISTED).map(|name| excerpt(name)).collect();
    let more = names.len().saturating_sub(LISTED);
    match more {
        0 => first.join(", "),
        _ => format!("{} and {more} more", first.join(", ")),
    }
}

/// The clauses that a refusal names and that are about the operator, each once.
fn named_clauses<'a>(context: Context, rejection: &'a Rejection) -> Vec<&'a str> {
    if rejection.clauses.is_empty() {
        return Vec::new();
    }
    let known = clause::ids_about(context.catalog(), context.operator);
    let mut seen = HashSet::new();
    let named = rejection.clauses.iter().map(String::as_str);
    named.filter(|id| known.contains(*id) && seen.insert(*id)).collect()
}

/// Whom the backend follows on every disputed constraint that decides this case.
pub(super) fn find_followed(context: Context, reaction: Reaction) -> Vec<(Text, Follows)> {
    // What is open of the outputs says nothing of the descriptor.
    if !matches!(context.case.verdict, Verdict::Observed { .. } | Verdict::Unspecified(_)) {
        return Vec::new();
    }
    let violations = context.violations();
    let (text, runtime) = (violations.iter().any(|v| v.text), violations.iter().any(|v| v.runtime));
    if text == runtime {
        return Vec::new();
    }
    let whom = match reaction {
        Reaction::Miscompute => Follows::Neither,
        Reaction::Reject if text => Follows::Text,
        Reaction::Accept if !text => Follows::Text,
        Reaction::Reject | Reaction::Accept => Follows::Runtime,
    };
    let disputed =
        |violation: &&Violation| violation.text != violation.runtime && is_disputed(context, &violation.clause);
    let mut found: Vec<(Text, Follows)> = Vec::new();
    for violation in violations.iter().filter(disputed) {
        if found.iter().all(|(id, _)| *id != violation.clause) {
            found.push((violation.clause.clone(), whom));
        }
    }
    found
}

/// Whether a clause is a constraint on which text and runtimes differ.
fn is_disputed(context: Context, id: &str) -> bool {
    context
        .clauses()
        .filter(|c| c.kind == ClauseKind::Constraint)
        .any(|c| c.id == id && c.status == Status::Disputed)
}
