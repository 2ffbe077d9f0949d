//! Meanings held against judges that no one here wrote: ONNX's reference evaluator and NumPy. The expressions of
//! operators that the specification does not have yet show that the language carries them.

#![expect(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod support;

use support::{Suite, vectors};

#[test]
fn meanings_accept_what_other_judges_compute() {
    let suite = Suite::load();
    let only = std::env::var("VECTORS_OF").ok();
    let (mut wrong, mut cases, mut missing) = (Vec::new(), 0, Vec::new());
    for file in vectors() {
        if only.as_ref().is_some_and(|only| *only != file.operator) {
            continue;
        }
        if suite.meanings.of(&file.operator).is_none() {
            missing.push(file.operator);
            continue;
        }
        for case in &file.cases {
            cases += 1;
            let found = suite.judge(&file.operator, case);
            let more = found.len().saturating_sub(3);
            wrong.extend(
                found
                    .into_iter()
                    .take(3)
                    .map(|w| format!("{} {}: {w}", file.operator, case.name)),
            );
            if more > 0 {
                wrong.push(format!("  and {more} more"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(missing.is_empty(), "without a meaning: {}", missing.join(", "));
    assert!(only.is_some() || cases > 400, "{cases} cases");
}
