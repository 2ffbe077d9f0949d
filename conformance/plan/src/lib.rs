//! The plan: which cases there are. A pure function of specification, tier and seed.

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
pub mod cells;
pub mod count_fields;
pub mod design;
mod enumerate;
mod error;
pub mod eval;
pub mod examples;
pub mod faults;
pub mod ids;
mod inputs;
pub mod layouts;
pub mod neighbourhood;
pub mod overrides;
pub mod query;
pub mod recipe;
mod repairs;
pub mod scratch;
pub mod target;
pub mod values;
pub mod verdict;

#[cfg(test)]
mod embedded;

pub use bucket::{Bucket, bucket_name, bucket_names};
pub use by_id::build;
pub use enumerate::{buckets, buckets_of, for_each_case, for_each_digested, ids_of};
pub use error::BuildError;
