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

/// Class of wrong outputs of which nothing else is known.
pub const DIFFERS: &str = "differs";

/// Class of outputs whose wrong elements still hold what they held at first.
pub const UNWRITTEN: &str = "unwritten";

/// What a single case shows of wrong outputs, and guarantees name; guarantees also name kinds of mistakes, which a run
/// shows.
pub const SYMPTOMS: [&str; 5] = ["guard-touched", "padding-touched", UNWRITTEN, DIFFERS, OVERWRITTEN];

/// Class of cases in which the backend says that something broke.
pub const BACKEND_ERROR: &str = "backend-error";

/// Class of descriptors that are refused though they are to be accepted.
pub const WRONGLY_REJECTED: &str = "wrongly-rejected";

/// Classes of failures that no guarantee names: the harness finds them.
pub const HARNESS_CLASSES: &[&str] = &[
    BACKEND_ERROR,
    "bad-answer",
    "device-lost",
    "wrong-reason",
    "wrongly-accepted",
    WRONGLY_REJECTED,
];

/// Classes that earlier versions guessed at from the outputs of one case. Known failures that name one cover wrong outputs
/// of any kind.
#[rustfmt::skip]
pub const EARLIER_CLASSES: &[&str] = &[
    "above-max", "activation-changed", "activation-ignored", "activation-too-early", "average-wrong",
    "axes-one-by-one", "axis-confused", "axis-ignored", "backward-start", "base-two", "below-min",
    "bias-before-scale", "bias-ignored", "bits-copied", "block-restarted", "direction-flipped",
    "element-misplaced", "element-skipped", "exclusive", "exclusive-shifted", "exponential-overflow",
    "extreme-flipped", "forward-start", "function-confused", "inclusive", "index-column-major",
    "index-duplicate", "index-of-tensor", "index-out-of-range", "index-shifted", "index-width",
    "input-left-out", "input-order", "l1-wrong", "l2-wrong", "lanes-run-on", "limit-not-cast",
    "limit-rounded", "limits-swapped", "log-sum-exp-wrong", "log-sum-wrong", "maximum-wrong",
    "minimum-wrong", "narrowed", "negative-index", "not-a-neighbour", "not-divided", "not-extreme",
    "not-selected", "not-sorted", "not-truncated", "offset-ignored", "on-misplaced", "on-missing",
    "on-off-swapped", "on-repeated", "operand-ignored", "other-value", "past-end-index", "precision",
    "product-wrong", "scale-bias-after-limits", "scale-bias-ignored", "scale-ignored", "signedness",
    "strides-ignored", "subtracted", "sum-not-one", "sum-of-squares-wrong", "sum-wrong", "tie-boundary",
    "tie-not-first", "tie-not-last", "tie-order", "value-changed", "value-index-disagree",
    "window-stride-ignored", "wrong-share", "wrong-sum", "wrong-value",
];

/// Classes of failures without outputs: they say less about the operator than wrong outputs do.
pub const UNCOMPUTED_CLASSES: &[&str] = &[BACKEND_ERROR, "bad-answer"];
