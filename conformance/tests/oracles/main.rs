//! Oracles on planned cases: reference and checker agree, and mistakes get the names that they should.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

mod agreement;
mod cast;
mod clip;
mod extreme;
mod planned;
mod reduce;
mod slice;
mod top_k;
