//! The conformance suite: plan cases from the specification, run them on backends, judge what comes back.

pub mod case;
pub mod id;
pub mod judge;
pub mod number;
pub mod oracle;
pub mod outcome;
pub mod plan;
pub mod suite;
pub mod tensor;
