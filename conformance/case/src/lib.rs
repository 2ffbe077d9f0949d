//! The vocabulary of the suite: ids, cases, records, outcomes, tensors, text.

pub mod case;
pub mod clause;
pub mod compare;
pub mod context;
pub mod date;
pub mod digest;
pub mod facts;
pub mod id;
pub mod json;
pub mod lock;
pub mod names;
pub mod nearest;
pub mod number;
pub mod outcome;
pub mod path;
pub mod poison;
pub mod query;
pub mod random;
pub mod record;
pub mod requirements;
pub mod results;
pub mod suite;
pub mod tensor;
pub mod text;
pub mod timings;
