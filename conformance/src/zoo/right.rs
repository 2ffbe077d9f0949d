//! Which diagnosis of a fault is right.

use dml_spec::model::Text;

use crate::{
    names::{DIAGNOSED, HARNESS_CLASSES},
    oracle::guess,
};

/// Whether a class names a mistake in reading, writing or validating: wrong for a fault that does not make it.
pub fn is_mistake(class: &str) -> bool {
    let found_by_judge = DIAGNOSED.contains(&class) || HARNESS_CLASSES.contains(&class);
    guess::CLASSES.contains(&class) || (found_by_judge && class != DIFFERS)
}

/// The class that says no more than that outputs are wrong.
const DIFFERS: &str = "differs";

/// What may be said of a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Right {
    /// One of these classes.
    Named(&'static [&'static str]),
    /// This class, and of the clauses that are blamed one is this.
    Blamed(&'static str, Text),
    /// What breaks, and no mistake that was not made: any class but one that names such a mistake ([`is_mistake`]) and does not stand here.
    Symptom(&'static [&'static str]),
}

impl Right {
    /// Whether a class that blames these clauses is right.
    pub fn accepts(&self, class: &str, blamed: &[Text]) -> bool {
        match self {
            Self::Named(names) => names.contains(&class),
            Self::Blamed(name, clause) => class == *name && blamed.contains(clause),
            Self::Symptom(also) => !is_mistake(class) || also.contains(&class),
        }
    }
}

impl std::fmt::Display for Right {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Named(names) => f.write_str(&names.join(" or ")),
            Self::Blamed(class, clause) => write!(f, "{class} by {clause}"),
            Self::Symptom([]) => f.write_str("what breaks"),
            Self::Symptom(also) => write!(f, "what breaks, or {}", also.join(" or ")),
        }
    }
}
