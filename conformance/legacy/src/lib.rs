//! Oracles, one an operator, with their faults: what the meaning in the specification replaces.

pub mod compare;
pub mod oracle;
