//! Which diagnosis of a fault is right.

use dml_spec::model::Text;

use dml_case::names::{DIAGNOSED, HARNESS_CLASSES};
use dml_legacy::oracle::{Right, general};

/// Whether a class names a mistake in reading, writing or validating: wrong for a fault that does not make it.
pub fn is_mistake(class: &str) -> bool {
    let found_by_judge = DIAGNOSED.contains(&class) || HARNESS_CLASSES.contains(&class);
    general::CLASSES.contains(&class) || (found_by_judge && class != DIFFERS)
}

/// The class that says no more than that outputs are wrong.
const DIFFERS: &str = "differs";

/// Whether a class that blames these clauses is right for a fault. For a symptom that is any class but one that names a
/// mistake ([`is_mistake`]) and is not listed.
pub fn accepts(right: &Right, class: &str, blamed: &[Text]) -> bool {
    match right {
        Right::Named(names) => names.contains(&class),
        Right::Blamed(name, clause) => class == *name && blamed.contains(clause),
        Right::Symptom(also) => !is_mistake(class) || also.contains(&class),
    }
}
