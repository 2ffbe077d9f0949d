//! The forms that the judgement of a case takes.

use dml_case::outcome::{Diagnosis, Judged, Outcome};

/// An outcome that needs no explanation.
pub(super) fn without_diagnosis(outcome: Outcome) -> Judged {
    Judged::plain(outcome)
}

/// An outcome that says nothing about the operator.
pub(super) fn about_backend(outcome: Outcome, class: &'static str, message: String) -> Judged {
    Judged::explained(outcome, Diagnosis::new(class, Vec::new(), message))
}

/// An answer that does not fit the case.
pub(super) fn bad_answer(message: String) -> Judged {
    about_backend(Outcome::HarnessError, "bad-answer", message)
}

/// A failure.
pub(super) fn failed(diagnosis: Diagnosis) -> Judged {
    Judged {
        diagnosis: Some(diagnosis),
        ..without_diagnosis(Outcome::Fail)
    }
}

/// A case that follows neither the text nor the runtimes, if observed behaviour never fails.
pub(super) fn unlike_runtimes(diagnosis: Diagnosis) -> Judged {
    let warning = format!("not as the runtimes do: {}: {}", diagnosis.class, diagnosis.message);
    Judged {
        warnings: vec![warning],
        ..without_diagnosis(Outcome::Unspecified)
    }
}
