//! Reasons of skips and classes of failures that the harness assigns.

/// Reason of skips if a backend does not enforce the requested level. They leave a run complete.
pub const LEVEL_NOT_ENFORCED: &str = "level-not-enforced";

/// Reason of skips of executing cases of an operator without an oracle.
pub const NO_ORACLE: &str = "no-oracle";

/// Reason of skips of descriptors that the protocol of programs cannot carry. They leave a run complete.
pub const NOT_EXPRESSIBLE: &str = "not-expressible";

/// Reason of skips of cases that run an operator, if a program only judges descriptors. They leave a run complete.
pub const CREATE_ONLY: &str = "create-only";

/// Reason of skips of cases that judge a descriptor, if a program only runs operators.
pub const EXECUTE_ONLY: &str = "execute-only";

/// Reason of skips of cases that compute in place, if a program cannot. They leave a run complete.
pub const IN_PLACE: &str = "in-place";

/// Reason of skips of cases that were left out because every other one like them lost the backend.
pub const NOT_RUN: &str = "not-run";

/// Class of failures in place: an element of the input was overwritten before it was read. The guarantee that names it
/// is the one about computing in place.
pub const OVERWRITTEN: &str = "input-overwritten";

/// Kind of the reasons of skips of cases that take more memory than allowed: the needed memory follows after a colon.
pub const MEMORY: &str = "memory";

/// Reason of skips of descriptors on which releases were seen to end the process, or to answer at random.
pub const ERRATIC: &str = "erratic";

/// Reasons of skips that are decided here alone: they leave a run complete.
pub const HARNESS_SKIPS: [&str; 5] = [LEVEL_NOT_ENFORCED, NOT_EXPRESSIBLE, CREATE_ONLY, IN_PLACE, ERRATIC];

/// Reasons of skips that the harness assigns, complete or not.
pub const OWN_SKIPS: [&str; 8] = [
    LEVEL_NOT_ENFORCED,
    NOT_EXPRESSIBLE,
    CREATE_ONLY,
    IN_PLACE,
    ERRATIC,
    EXECUTE_ONLY,
    NO_ORACLE,
    NOT_RUN,
];

/// Classes that the judge itself finds and guarantees name; the others are [`HARNESS_CLASSES`] or an oracle's.
pub const DIAGNOSED: &[&str] = &["guard-touched", "padding-touched", "unwritten", OVERWRITTEN];

/// Classes of failures that no guarantee names: the harness finds them.
pub const HARNESS_CLASSES: &[&str] = &[
    "backend-error",
    "bad-answer",
    "device-lost",
    "differs",
    "wrong-reason",
    "wrongly-accepted",
    "wrongly-rejected",
];

/// Classes of failures without outputs: they say less about the operator than wrong outputs do.
pub const UNCOMPUTED_CLASSES: &[&str] = &["backend-error", "bad-answer"];
