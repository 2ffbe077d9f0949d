//! Why a meaning has no value, and where in the specification.

use std::ops::Range;

use dml_spec::{
    meaning::{
        Meaning, Node, Place,
        typed::{Instead, Invariant, Opening, Variant},
    },
    model::{Clause, Operator},
};

use super::column::Value;

/// Why a meaning has no value: a mistake of the specification, or of what was given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    /// What is wrong.
    pub message: String,
    /// The part of the text that has no value.
    pub span: Range<usize>,
    /// The text that the span is a part of, if it is known.
    pub within: Option<Within>,
}

impl Fault {
    /// The same fault in this text, unless a text within it is known.
    #[must_use]
    pub(crate) fn within(mut self: Box<Self>, within: Option<Within>) -> Box<Self> {
        self.within = self.within.or(within);
        self
    }
}

/// A text of an operator's specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Within {
    /// The operator, which may be one that is nested.
    pub operator: String,
    /// The text.
    pub place: Place,
}

impl Within {
    /// An entry of the meaning, by the name of its intermediate or output.
    pub(crate) fn entry(operator: &Operator, name: &str, in_head: bool) -> Option<Self> {
        let mut heads = operator.meaning.iter().map(|(head, _)| head_name(head));
        let at = heads.position(|head| head == name)?;
        Some(Self {
            operator: operator.name.to_string(),
            place: if in_head { Place::Head(at) } else { Place::Body(at) },
        })
    }

    /// The expression of an output.
    pub(crate) fn output(operator: &Operator, field: usize) -> Option<Self> {
        Self::entry(operator, &operator.fields.get(field)?.name, false)
    }

    /// The condition of a clause that leaves elements open.
    pub(crate) fn opening(operator: &Operator, meaning: &Meaning, opening: &Opening) -> Option<Self> {
        let id = meaning.clauses.get(usize::from(opening.clause))?;
        let tensor = operator.fields.get(opening.field)?;
        let (clause, of) = clause_of(operator, id)?;
        let entry = of.opens.iter().position(|(field, _)| *field == tensor.name)?;
        let place = Place::Opens {
            clause,
            entry,
            in_tensor: false,
        };
        Some(Self {
            operator: operator.name.to_string(),
            place,
        })
    }

    /// What a variant puts instead of a part of the meaning; its condition if `instead` is `None`.
    pub(crate) fn variant(
        operator: &Operator,
        meaning: &Meaning,
        variant: &Variant,
        instead: Option<&Instead>,
    ) -> Option<Self> {
        let (clause, of) = clause_of(operator, meaning.clauses.get(usize::from(variant.clause))?)?;
        let at = of.tells.iter().position(|told| told.name == variant.name)?;
        let field = |field: usize| Some(&*operator.fields.get(field)?.name);
        let (name, has_index) = match instead {
            None => ("if", false),
            Some(Instead::Definition(at, _)) => (&*meaning.definitions.get(*at)?.name, true),
            Some(Instead::Output(at, _)) => (field(meaning.outputs.get(*at)?.field)?, true),
            Some(Instead::Open { field: of, .. }) => (field(*of)?, false),
            Some(Instead::Denormals { .. }) => return None,
        };
        // `OutputTensor[o]` and `OutputTensor` are two entries.
        let is_named = |key: &str| key == name || has_index && head_name(key) == name;
        let entries = &of.tells.get(at)?.instead;
        let entry = entries.iter().position(|(key, _)| is_named(key))?;
        Some(Self {
            operator: operator.name.to_string(),
            place: Place::Tells {
                clause,
                variant: at,
                entry,
                in_key: false,
            },
        })
    }

    /// The condition of an invariant.
    pub(crate) fn invariant(operator: &Operator, meaning: &Meaning, invariant: &Invariant) -> Option<Self> {
        let (clause, of) = clause_of(operator, meaning.clauses.get(usize::from(invariant.clause))?)?;
        let at = of.holds.iter().position(|held| held.name == invariant.name)?;
        let output = &operator.fields.get(invariant.field)?.name;
        let conditions = &of.holds.get(at)?.conditions;
        let entry = conditions.iter().position(|(tensor, _)| tensor == output)?;
        Some(Self {
            operator: operator.name.to_string(),
            place: Place::Holds {
                clause,
                invariant: at,
                entry,
                in_key: false,
            },
        })
    }
}

/// A clause by its id without the operator, and its number.
fn clause_of<'a>(operator: &'a Operator, id: &str) -> Option<(usize, &'a Clause)> {
    let mut clauses = operator.clauses.iter().enumerate();
    clauses.find(|(_, clause)| clause.id.rsplit('/').next() == Some(id))
}

fn head_name(head: &str) -> &str {
    head.split('[').next().unwrap_or_default().trim()
}

/// A value, or why there is none; in a box, since values are passed on at each step and faults once.
pub(crate) type Eval<T = Value> = Result<T, Box<Fault>>;

impl From<Box<Fault>> for Fault {
    fn from(fault: Box<Self>) -> Self {
        *fault
    }
}

/// A part of a text that has no value.
pub(crate) fn fault<T>(node: &Node, message: impl Into<String>) -> Eval<T> {
    Err(Box::new(Fault {
        message: message.into(),
        span: node.span.clone(),
        within: None,
    }))
}
