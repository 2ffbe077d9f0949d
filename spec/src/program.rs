//! An operator's clauses, compiled: what the interpreter evaluates and what the code generator turns into Rust.
//!
//! A *check* is one constraint on one subject: an operator clause has one check, a `TENSOR/` clause one for each tensor
//! field it applies to. Support tables are kept in addition, as data.

mod compile;
mod evaluate;
mod near;

pub(crate) use compile::expression;
pub use evaluate::Aim;
pub use near::Base;

use crate::{meaning::Meaning, model::Text, rule::typed::Node};

/// One constraint on one subject.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// Full clause id.
    pub clause: Text,
    /// For `TENSOR/` clauses the tensor field (index in struct order); the check runs for each of its elements.
    pub subject: Option<usize>,
    /// What the text demands; `None` if it is silent.
    pub text: Option<Node>,
    /// What the runtimes demand; `None` if it is the same as `text`.
    pub runtime: Option<Node>,
    /// Indices, all smaller than this one's, of the checks that must hold before this one is evaluated: the clause's
    /// `needs`, and for operator clauses every structural check of each tensor the rule mentions.
    pub needs: Vec<usize>,
    /// Rules about this check's subject are evaluated only if it holds.
    pub structural: bool,
    /// Whether its rules ask if the subject is present; all others do not apply to an absent tensor.
    pub(crate) asks_presence: bool,
    /// The fields that its rules read.
    pub(crate) reads: Fields,
    /// The number of its clause, if that is about a tensor alone: what it comes to on one holds of every equal one.
    pub(crate) number: Option<u32>,
}

/// A set of fields of an operator, by their places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fields(u64);

impl Fields {
    /// The first fields, as many as this, have a bit each; all others share one.
    pub(crate) const TOLD: usize = 63;

    /// Adds a field.
    pub(crate) fn add(&mut self, field: usize) {
        self.0 |= 1 << field.min(Self::TOLD);
    }

    /// The fields of both.
    pub(crate) fn joined(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether a field is in both.
    pub(crate) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl FromIterator<usize> for Fields {
    fn from_iter<I: IntoIterator<Item = usize>>(fields: I) -> Self {
        let mut all = Self::default();
        fields.into_iter().for_each(|field| all.add(field));
        all
    }
}

/// The compiled constraints of one operator.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// Checks in an order that respects `needs`.
    pub checks: Vec<Check>,
    /// Silences: clause id, subject, condition (may ask about data).
    pub silences: Vec<Check>,
    /// Guarantees that speak of some descriptors or data only, as `silences`; one that is not here speaks of all.
    pub guarantees: Vec<Check>,
    /// Groups of the support tables: name and condition.
    pub groups: Vec<(Text, Node)>,
    /// Whether a silence reads the least or the greatest element of a tensor, or whether it fits a data type.
    pub ranges: bool,
    /// What the operator computes; `None` if it is not said, or not without mistakes.
    pub meaning: Option<Meaning>,
}

/// A violated clause.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Violation {
    /// Full clause id, or the id of a support cell.
    pub clause: Text,
    /// The tensor it is about: field name, or `InputTensors[1]` for an array's element.
    pub tensor: Option<Text>,
    /// The text is violated.
    pub text: bool,
    /// The runtimes reject it.
    pub runtime: bool,
}
