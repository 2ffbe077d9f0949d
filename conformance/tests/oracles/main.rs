//! Oracles on planned cases: what holds of their references.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

mod clip;
mod extreme;
mod planned;
mod reduce;
mod top_k;
