//! The language of meanings, form by form, on tensors so small that every expected element was worked out by hand.

#![expect(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod arithmetic;
mod casts;
mod choices;
mod forms;
mod half;
mod limits;
mod taint;
mod tiny;
