//! The rule language and what it is compiled to, tried on the real clauses of every tensor and of TOP_K1, and on an
//! operator with every kind of field.

#![expect(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod fixture;
mod meanings;
mod programs;
mod rules;
