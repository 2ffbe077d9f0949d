//! What an operator computes, evaluated with bounds: for every element of the outputs of a case, what a right
//! implementation may write there.
//!
//! [`Meanings`] holds the checked meanings by operator; [`expect`] evaluates one of them for a descriptor and its
//! inputs, block by block. Arithmetic, bounds and openness are general: nothing here is about one operator.

mod accept;
mod acceptance;
mod accumulate;
mod arena;
mod case;
mod cast;
mod choose;
mod column;
mod domain;
mod elementary;
mod expect;
mod fault;
mod format;
mod functions;
mod limits;
mod lists;
mod load;
mod machine;
mod numeric;
mod open;
mod probe;
mod real;
mod reduce;
mod scatter;
mod sequence;
mod space;
mod store;
mod tally;

pub use accept::{Element, Interval};
pub use acceptance::{Acceptance, Expectation, Library};
pub use case::case_inputs;
pub use expect::{Block, Meanings, Request, expect, expect_within};
pub use fault::{Fault, Within};
pub use format::Format;
pub use limits::{MOST_ENTRIES, MOST_ITEMS, MOST_POINTS};
pub use load::Tensor;
pub use open::Basis;
pub use probe::{Pattern, Unguarded, corners, inputs, probe};
