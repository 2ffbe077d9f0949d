//! Where the meanings of operators are found.

use std::collections::BTreeMap;

use dml_spec::{meaning::Meaning, model::Catalog};

/// Checked meanings, by operator.
#[derive(Clone, Debug, Default)]
pub struct Meanings {
    by_name: BTreeMap<String, Meaning>,
}

impl Meanings {
    /// The meanings that a specification has. One that has mistakes is left out: `spec check` reports it.
    pub fn of_catalog(catalog: &Catalog) -> Self {
        let mut meanings = Self::default();
        for operator in catalog.operators.iter() {
            if let Ok(Some(meaning)) = dml_spec::meaning::compile(catalog, operator) {
                meanings.insert(&operator.name, meaning);
            }
        }
        meanings
    }

    /// Adds the meaning of an operator.
    pub fn insert(&mut self, operator: &str, meaning: Meaning) {
        self.by_name.insert(operator.to_owned(), meaning);
    }

    /// The meaning of an operator.
    pub fn of(&self, operator: &str) -> Option<&Meaning> {
        self.by_name.get(operator)
    }
}

impl Library for Meanings {
    fn meaning(&self, operator: &str) -> Option<&Meaning> {
        self.of(operator)
    }
}

/// Where meanings are found by the name of their operator.
pub trait Library {
    /// The meaning of an operator; `None` if it has none.
    fn meaning(&self, operator: &str) -> Option<&Meaning>;
}

impl Library for dml_case::suite::Suite {
    fn meaning(&self, operator: &str) -> Option<&Meaning> {
        self.operator(operator)?.1.meaning.as_ref()
    }
}
