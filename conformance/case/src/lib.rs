//! The vocabulary of the suite: ids, cases, records, outcomes, tensors, text.

pub mod case;
pub mod clause;
pub mod condition;
pub mod context;
pub mod digest;
pub mod facts;
pub mod formula;
pub mod id;
pub mod lock;
pub mod mistake;
pub mod names;
pub mod nearest;
pub mod number;
pub mod outcome;
pub mod poison;
pub mod query;
pub mod random;
pub mod record;
pub mod sample;
pub mod suite;
pub mod tensor;
pub mod text;
pub mod timings;
pub mod traits;
