//! Reports for people and machines. Everything printable goes through [`Terminal`].

pub mod comparison;
pub mod date;
pub mod expectations;
pub mod gate;
pub mod requirements;
pub mod results;
pub mod scope;

mod clause;
mod collect;
mod diagnostic;
mod dismissed;
mod failures;
pub mod grid;
mod groups;
mod json;
mod jsonl;
mod mistakes;
mod operator;
mod pattern;
mod progress;
mod refusals;
pub mod render;
mod shared;
pub mod spell;
mod summary;
mod table;
mod terminal;
mod timings;

pub use clause::{TestCounts, show_clause};
pub use collect::{Behaviours, Collected};
pub use diagnostic::diagnostics;
pub use failures::{SavedCase, difference, failures};
pub use groups::{Failures, Group};
pub use json::{Facts, object};
pub use jsonl::{Asked, case_line, footer, header};
pub use mistakes::mistakes;
pub use operator::show_operator;
pub use progress::Progress;
pub use spell::cell_text;
pub use summary::{Ending, ending, incomplete, summary};
pub use terminal::{Style, Terminal};
pub use timings::timings;
