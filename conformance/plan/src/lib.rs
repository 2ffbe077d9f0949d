//! The plan: which cases there are. A pure function of specification, tier and seed.

pub mod listed;
pub mod planner;
pub mod relock;

pub mod aliases;
mod assemble;
mod bucket;
mod build;
pub mod builder;
pub mod by_content;
mod by_id;
pub mod canonical;
pub mod count_fields;
pub mod design;
mod enumerate;
mod error;
pub mod eval;
pub mod examples;
pub mod faults;
mod inputs;
pub mod layouts;
pub mod neighbourhood;
pub mod overrides;
pub mod query;
pub mod recipe;
mod repairs;
pub mod sweep;
pub mod target;
pub mod values;
pub mod verdict;

pub use bucket::{Bucket, lock_key};
pub use by_id::build;
pub use enumerate::{bucketed, buckets, buckets_of, for_each_case, for_each_digested};
pub use error::BuildError;
