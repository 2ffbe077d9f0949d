//! Differences between planned cases, built here and handed to reports and to the documents for editors as data.

mod cases;
mod drift;
mod runs;

pub use cases::compare_cases;
pub use drift::count_affected_cases;
pub use runs::compare_run;
