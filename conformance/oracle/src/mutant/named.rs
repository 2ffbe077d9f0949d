//! Mistakes that the specification names.

use std::sync::Arc;

use dml_spec::{
    meaning::{Meaning, mistaken},
    model::{Catalog, Operator, Text},
};

use super::{Change, Kind, Mutant};

/// A mistake with a name.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) name: Text,
    /// What is computed. The invariants are conditions on elements that may be anything.
    pub(super) meaning: Arc<Meaning>,
}

/// The mistakes of an operator that have a name. One that does not pass the checks is left out: loading reports it.
pub(super) fn mutants(catalog: &Catalog, operator: &Operator) -> Vec<Mutant> {
    let all = mistaken(catalog, operator).unwrap_or_default().into_iter();
    all.map(|of| Mutant {
        kind: Kind::Named,
        id: match of.block {
            Some(block) => format!("{}@{}#{block}", Kind::Named, of.name),
            None => format!("{}@{}", Kind::Named, of.name),
        },
        sentence: of.says,
        place: Some((of.place.0, 0..of.place.1)),
        change: Change::Named(Named {
            name: of.name,
            meaning: Arc::new(of.meaning),
        }),
    })
    .collect()
}

impl Named {
    /// Whether elements may be something else than what is computed.
    pub(super) fn is_set(&self) -> bool {
        !self.meaning.invariants.is_empty()
    }
}
