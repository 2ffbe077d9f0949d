//! What an operator computes, evaluated with bounds: for every element of the outputs of a case, what a right
//! implementation may write there.
//!
//! [`Meanings`] holds the checked meanings by operator; [`expect`] evaluates one of them for a descriptor and its
//! inputs, block by block. Arithmetic, bounds and openness are general: nothing here is about one operator.

mod accept;
mod acceptance;
mod arena;
mod case;
mod column;
mod corners;
mod elementary;
mod expect;
mod extents;
mod fault;
mod format;
mod implicit;
mod invariant;
mod library;
mod limits;
mod load;
mod machine;
mod mutant;
mod orders;
mod probe;
mod product;
mod reading;
mod real;
mod settled;
mod space;
mod store;
mod tally;
mod whole;

pub use accept::{Element, Interval};
pub use acceptance::{Acceptance, Expectation};
pub use case::{case_inputs, case_tensors, descs, output_number};
pub use corners::corners;
pub use expect::{Block, Request, applies, expect, expect_within, follows, judges};
pub use fault::{Fault, Within};
pub use format::Format;
pub use invariant::{Broken, Keeps, find_broken, keep_guarantees};
pub use library::{Library, Meanings};
pub use limits::{MOST_ENTRIES, MOST_ITEMS, MOST_POINTS};
pub use load::Tensor;
pub use machine::open::Basis;
pub use mutant::{
    Claims, Computed, Difference, Given, Kind, Mutant, MutantRun, Observed, Statement, compare, explain,
    explain_failures, mutants,
};
pub use probe::{Pattern, Unguarded, inputs, probe};
