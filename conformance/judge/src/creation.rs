//! Judging whether a descriptor is taken or refused.

use dml_spec::answer::Rejection;
use dml_spec::{
    model::{ClauseKind, Operator, Status, Text},
    program::Violation,
};

use crate::{Options, apart, blame, extend, failed, in_place, settled};
use dml_case::{
    case::{Case, Verdict},
    outcome::{Basis, Diagnosis, Follows, Judged, Outcome},
    suite::Suite,
};

/// What a backend did, as far as text and runtimes can differ on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Did {
    /// It refused the descriptor.
    Reject,
    /// It took the descriptor, and what it computed is right.
    Accept,
    /// It took the descriptor and computed something else.
    Miscompute,
}

/// The backend refused the descriptor.
pub(super) fn rejected(
    suite: &Suite,
    operator: &Operator,
    case: &Case,
    rejection: &Rejection,
    options: &Options,
) -> Judged {
    let follows = follows(suite, case, Did::Reject);
    let judged = match &case.verdict {
        Verdict::Rejected(_) | Verdict::Observed { rejected: true, .. } => reasons(suite, case, rejection, options),
        Verdict::Observed { .. } if options.basis == Basis::Text => {
            let by_text = follows.iter().any(|(_, whom)| *whom == Follows::Text);
            if by_text {
                settled(Outcome::Pass)
            } else {
                apart(refused(suite, operator, case, rejection))
            }
        }
        _ => failed(refused(suite, operator, case, rejection)),
    };
    Judged { follows, ..judged }
}

/// The backend took a descriptor that is to be refused.
pub(super) fn accepted_invalid(suite: &Suite, case: &Case, options: &Options) -> Judged {
    let follows = follows(suite, case, Did::Accept);
    let clauses = refusing(suite, case, options.basis);
    let subject = clauses.join(", ");
    let message = match &case.verdict {
        Verdict::Observed { .. } => format!("accepted, although every runtime refuses it: {subject}"),
        _ => format!("accepted, although it violates {subject}"),
    };
    let diagnosis = Diagnosis::new("wrongly-accepted", clauses, message);
    let observed = matches!(case.verdict, Verdict::Observed { .. });
    let judged = match options.basis {
        Basis::Text if observed && follows.iter().any(|(_, whom)| *whom == Follows::Text) => settled(Outcome::Pass),
        Basis::Text if observed => apart(diagnosis),
        _ => failed(diagnosis),
    };
    Judged { follows, ..judged }
}

/// The clauses for which the descriptor of a case is to be refused. What the text alone refuses is none of them where the
/// word of the runtimes counts, and they alone refuse what is set apart where the word of the text does.
fn refusing(suite: &Suite, case: &Case, basis: Basis) -> Vec<Text> {
    let counts: fn(&Violation) -> bool = match (&case.verdict, basis) {
        (Verdict::Rejected(_), Basis::Text) => |violation| violation.text,
        _ => |violation| violation.runtime,
    };
    let mut clauses = Vec::new();
    extend(
        &mut clauses,
        match &case.verdict {
            Verdict::Rejected(found) => named(found, counts),
            _ => named(&violations(suite, case), counts),
        },
    );
    if clauses.is_empty() {
        clauses = case.verdict.clauses();
    }
    clauses
}

fn named(violations: &[Violation], counts: fn(&Violation) -> bool) -> Vec<Text> {
    let counting = violations.iter().filter(|violation| counts(violation));
    counting.map(|violation| violation.clause.clone()).collect()
}

/// Every clause that the descriptor of a case violates by the text or by the runtimes.
pub fn violations(suite: &Suite, case: &Case) -> Vec<Violation> {
    let found = suite.operator(case.id.operator());
    found.map_or_else(Vec::new, |(operator, program)| {
        program.evaluate(&suite.catalog, operator, &case.descriptor, case.id.level())
    })
}

/// The backend took a descriptor that is to be taken, and nothing had to run.
pub(super) fn accepted_valid(suite: &Suite, case: &Case) -> Judged {
    Judged {
        follows: follows(suite, case, Did::Accept),
        ..settled(Outcome::Pass)
    }
}

/// A rejection that is expected: whether the clauses it names are among the violated ones.
fn reasons(suite: &Suite, case: &Case, rejection: &Rejection, options: &Options) -> Judged {
    let violated = case.verdict.clauses();
    let mut wrong: Vec<&str> = Vec::new();
    for id in &rejection.clauses {
        if !wrong.contains(&id.as_str()) && violated.iter().all(|violated| violated != id) {
            wrong.push(id);
        }
    }
    if wrong.is_empty() {
        return settled(Outcome::Pass);
    }
    let violated = refusing(suite, case, options.basis);
    let message = format!(
        "refused for {}, although it violates {}",
        wrong.join(", "),
        violated.join(", ")
    );
    if options.strict_reasons {
        return failed(Diagnosis::new("wrong-reason", violated, message));
    }
    Judged {
        warnings: vec![message],
        ..settled(Outcome::Pass)
    }
}

/// Explains a refusal that is not expected: that an output may lie in the place of an input where it does, the clauses
/// named, else what the case rests on.
fn refused(suite: &Suite, operator: &Operator, case: &Case, rejection: &Rejection) -> Diagnosis {
    let mut message = match case.verdict {
        Verdict::Observed { .. } => "refused, although every runtime accepts it".to_owned(),
        _ => "refused, although it violates nothing".to_owned(),
    };
    let named_clauses = &rejection.clauses;
    let mut clauses = in_place(suite, case);
    if !case.aliases.is_empty() {
        message += "; an output lies in the memory of an input, as it may";
    }
    extend(&mut clauses, named_clauses.iter().cloned().map(Text::Owned));
    if !named_clauses.is_empty() {
        message += &format!("; the clause named is {}", named_clauses.join(", "));
    }
    if !rejection.reason.is_empty() {
        message += &format!("; the reason given is: {}", rejection.reason);
    }
    if let Some(hresult) = rejection.hresult {
        message += &format!("; HRESULT {hresult:#010x}");
    }
    // Where text and runtimes differ it is that clause; silences are about data, and not a reason to take anything.
    let mut own = named(&violations(suite, case), |violation| !violation.runtime);
    if own.is_empty() && named_clauses.is_empty() {
        own = blame::cells(suite, operator, &case.descriptor, case.id.level());
    }
    extend(&mut clauses, own);
    Diagnosis::new("wrongly-rejected", clauses, message)
}

/// Whom the backend follows on every disputed constraint that decides this case.
pub(super) fn follows(suite: &Suite, case: &Case, did: Did) -> Vec<(Text, Follows)> {
    if !matches!(case.verdict, Verdict::Observed { .. }) {
        return Vec::new();
    }
    let Some((operator, _)) = suite.operator(case.id.operator()) else {
        return Vec::new();
    };
    let violations = violations(suite, case);
    let (text, runtime) = (violations.iter().any(|v| v.text), violations.iter().any(|v| v.runtime));
    if text == runtime {
        return Vec::new();
    }
    let whom = match did {
        Did::Miscompute => Follows::Neither,
        Did::Reject if text => Follows::Text,
        Did::Accept if !text => Follows::Text,
        Did::Reject | Did::Accept => Follows::Runtime,
    };
    let disputed =
        |violation: &&Violation| violation.text != violation.runtime && is_disputed(suite, operator, &violation.clause);
    let mut found: Vec<(Text, Follows)> = Vec::new();
    for violation in violations.iter().filter(disputed) {
        if found.iter().all(|(id, _)| *id != violation.clause) {
            found.push((violation.clause.clone(), whom));
        }
    }
    found
}

fn is_disputed(suite: &Suite, operator: &Operator, id: &str) -> bool {
    let all = suite.catalog.tensor_clauses.iter().chain(operator.clauses.iter());
    all.filter(|c| c.kind == ClauseKind::Constraint)
        .any(|c| c.id == id && c.status == Status::Disputed)
}
