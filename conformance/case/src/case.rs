//! A case: one descriptor, its inputs, and the verdict expected of a backend.

use std::{collections::BTreeMap, sync::Arc};

use dml_spec::answer::Alias;
use dml_spec::{
    Catalog, Descriptor, FeatureLevel, TensorDesc, Value,
    model::{Family, Text, Tier},
    program::Violation,
};

use crate::{id::CaseId, tensor::Shape};

/// Number of cases by family and table level.
pub type FamilyCounts = BTreeMap<(Family, FeatureLevel), u64>;

/// The word for a tier on the command line and in files.
pub fn tier_word(tier: Tier) -> &'static str {
    match tier {
        Tier::Smoke => "smoke",
        Tier::Standard => "standard",
        Tier::Exhaustive => "exhaustive",
    }
}

/// How far a case goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Only the descriptor is judged.
    #[default]
    Create,
    /// The operator runs.
    Execute,
}

/// What the specification expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The operator is created and, in an executing case, computes the outputs.
    Valid,
    /// The descriptor is rejected, for these clauses.
    Rejected(Vec<Violation>),
    /// The text is silent or contradicts the runtimes, which all agree.
    Observed {
        /// Silences that apply and disputed or observed clauses that are violated, full ids.
        clauses: Vec<Text>,
        /// Whether the runtimes reject the descriptor.
        rejected: bool,
    },
    /// The outputs are unspecified; only invariants are checked.
    Unspecified(Vec<Text>),
}

impl Verdict {
    /// Whether the backend is to reject the descriptor (on the runtime basis).
    pub fn is_rejection(&self) -> bool {
        matches!(self, Self::Rejected(_) | Self::Observed { rejected: true, .. })
    }

    /// One word: `valid`, `rejected`, `observed` or `unspecified`.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Rejected(_) => "rejected",
            Self::Observed { .. } => "observed",
            Self::Unspecified(_) => "unspecified",
        }
    }

    /// Ids of the clauses it rests on.
    pub fn clauses(&self) -> Vec<Text> {
        match self {
            Self::Valid => Vec::new(),
            Self::Rejected(violations) => violations.iter().map(|v| v.clause.clone()).collect(),
            Self::Observed { clauses, .. } | Self::Unspecified(clauses) => clauses.clone(),
        }
    }
}

/// One case, ready to run.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its id, from which it can be rebuilt.
    pub id: CaseId,
    /// Lowest tier that holds it.
    pub tier: Tier,
    /// How far it goes.
    pub mode: Mode,
    /// What to create.
    pub descriptor: Arc<Descriptor>,
    /// Bytes of every present input tensor in struct order; empty when only creating.
    pub inputs: Vec<Vec<u8>>,
    /// Outputs that lie in the memory of an input.
    pub aliases: Vec<Alias>,
    /// Elements of every present output in row-major order, if the page gives them (raw bits).
    pub given: Option<Vec<Vec<u64>>>,
    /// What is expected.
    pub verdict: Verdict,
    /// For a rejection that only holds because a later table allows the descriptor: that table's level.
    pub gate: Option<FeatureLevel>,
}

impl Case {
    /// Elements of all tensors together: the size of the case. Invalid tensors count as none.
    pub fn elements(&self, catalog: &Catalog) -> u64 {
        let count = |tensor: &TensorDesc| Shape::of(catalog, tensor).map_or(0, |shape| shape.elements());
        let of_value = |value: &Value| match value {
            Value::Tensor(Some(tensor)) => count(tensor),
            Value::Tensors(Some(tensors)) => tensors.iter().map(count).sum(),
            _ => 0,
        };
        self.descriptor.fields.iter().map(of_value).sum()
    }
}
