//! Known failures: entries with a reason each, so that a run fails only for new failures.
//!
//! A case that fails as an entry says becomes `xfail`; one that passes although an entry says it fails becomes `xpass`:
//! remove or narrow that entry. Entries do not say what is right, so an entry hides only the failures that it names. All
//! entries of a case together say which outcomes are allowed.

mod allowed;
mod changes;
mod conditions;
mod entry;
mod group;
mod observed;
mod seen_cases;

pub use allowed::{Allowed, OUTCOMES};
pub use changes::{Changes, NewEntry, plan_changes};
pub use conditions::{CONDITION_KEYS, Conditions, Facts};
pub use entry::{Corpus, Entry, Expectations};
pub use observed::{CaseSeen, Observed, Outcomes};
pub use seen_cases::SeenCases;
