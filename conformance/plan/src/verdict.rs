//! The verdict expected of a case, from violated clauses and from silences that apply.

use dml_spec::{
    Catalog,
    model::{ClauseKind, Operator, Status, Text},
    program::Violation,
};

use dml_case::case::Verdict;

/// The verdict that violated clauses alone lead to.
pub fn from_violations(violations: &[Violation]) -> Verdict {
    let normative = violations.iter().any(|v| v.text && v.runtime);
    let rejected = violations.iter().any(|v| v.runtime);
    if normative {
        return Verdict::Rejected(violations.iter().filter(|v| v.runtime).cloned().collect());
    }
    if violations.is_empty() {
        return Verdict::Valid;
    }
    let mut clauses: Vec<Text> = violations.iter().map(|v| v.clause.clone()).collect();
    clauses.dedup();
    Verdict::Observed { clauses, rejected }
}

/// Adds the silences that apply to an accepted descriptor. Open ones leave the outputs unspecified.
pub fn add_silences(catalog: &Catalog, operator: &Operator, verdict: Verdict, silences: Vec<Text>) -> Verdict {
    if silences.is_empty() || verdict.is_rejection() {
        return verdict;
    }
    let is_open = |id: &Text| {
        let all = catalog.tensor_clauses.iter().chain(operator.clauses.iter());
        all.filter(|c| c.kind == ClauseKind::Silence)
            .any(|c| c.id == *id && c.status == Status::Open)
    };
    let open: Vec<Text> = silences.iter().filter(|id| is_open(id)).cloned().collect();
    if !open.is_empty() {
        return Verdict::Unspecified(open);
    }
    let mut clauses = verdict.clauses();
    for id in silences {
        if !clauses.contains(&id) {
            clauses.push(id);
        }
    }
    Verdict::Observed {
        clauses,
        rejected: false,
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use crate::verdict::*;

    fn violation(clause: &'static str, text: bool, runtime: bool) -> Violation {
        Violation {
            clause: Cow::Borrowed(clause),
            tensor: None,
            text,
            runtime,
        }
    }

    #[test]
    fn text_and_runtime_weigh_as_designed() {
        let (both, text, runtime) = (
            violation("X/a", true, true),
            violation("X/b", true, false),
            violation("X/c", false, true),
        );
        assert_eq!(from_violations(&[]), Verdict::Valid);
        assert_eq!(
            from_violations(&[both.clone(), text.clone(), runtime.clone()]),
            Verdict::Rejected(vec![both, runtime.clone()])
        );
        assert!(matches!(
            from_violations(std::slice::from_ref(&text)),
            Verdict::Observed { rejected: false, .. }
        ));
        assert!(matches!(
            from_violations(&[text, runtime]),
            Verdict::Observed { rejected: true, .. }
        ));
    }
}
