//! Oracles, one an operator, with their guesses and faults: what the meaning in the specification replaces.

pub mod compare;
pub mod oracle;
