//! What a backend gave, and how what a mutant computes compares with it.

use dml_case::{
    case::Case,
    context::Context,
    id::CaseId,
    suite::Suite,
    traits::{Traits, traits},
};

use super::{
    Mutant,
    apply::{Computed, MutantRun, may_be_equal},
    free::Free,
};
use crate::{accept::Element, acceptance::Expectation, machine::open::Basis};

/// A case, and what a backend gave: elements of each present output in row-major order, as bits.
pub struct Given<'a> {
    /// The case.
    pub case: &'a Case,
    /// What the backend gave.
    pub outputs: &'a [Vec<u64>],
    /// It was made after the run to check explanations: it may refute one, and supports none if others do.
    pub made: bool,
}

/// The same, ready to be compared with mutants.
pub struct Observed<'a> {
    /// The case's id.
    pub id: &'a CaseId,
    /// The case.
    pub run: MutantRun<'a>,
    /// What the backend gave.
    pub outputs: Vec<Vec<u64>>,
    /// It was made after the run.
    pub made: bool,
    /// What the case is, as far as a condition may speak of it.
    pub traits: Traits,
}

/// How what a mutant computes of a case compares with what a backend gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// The mutant gives something else.
    Refuted,
    /// Nothing contradicts it, and nothing that was wrong speaks for it.
    Undecided,
    /// It gives what was wrong.
    Decided,
}

impl<'a> Observed<'a> {
    /// `None` if an input does not fit its descriptor, or the meaning has no value.
    pub fn new(suite: &'a Suite, given: &Given<'a>, basis: Basis) -> Option<Self> {
        let context = Context::new(suite, given.case)?;
        Some(Self {
            id: &given.case.id,
            run: MutantRun::new(context, basis)?,
            outputs: given.outputs.to_vec(),
            made: given.made,
            traits: traits(context),
        })
    }

    /// How a mutant fits, and whether it reads outside a tensor.
    pub(super) fn fit(&self, mutant: &Mutant, clamps: bool) -> (Fit, bool) {
        let (computed, outside) = self.run.compute_reading(mutant, clamps);
        let wrong = match computed {
            Computed::Right => None,
            Computed::Unknown => return (Fit::Undecided, outside),
            Computed::Other(wrong) => Some(wrong),
        };
        let free = self.run.free(mutant, &self.outputs);
        let wrong = wrong.as_ref().unwrap_or(self.run.right());
        (self.compared(wrong, &free), outside)
    }

    fn compared(&self, wrong: &Expectation, free: &[Free]) -> Fit {
        let right = self.run.right();
        let mut fit = Fit::Undecided;
        for (number, actual) in self.outputs.iter().enumerate() {
            let (Some(due), Some(accepted)) = (right.outputs.get(number), right.acceptances.get(number)) else {
                return Fit::Undecided;
            };
            let (Some(given), Some(by_mutant)) = (wrong.outputs.get(number), wrong.acceptances.get(number)) else {
                return Fit::Undecided;
            };
            let free = free.iter().find(|free| free.output == number);
            for (at, actual) in actual.iter().enumerate() {
                let (Some(due), Some(given)) = (due.get(at), given.get(at)) else {
                    return Fit::Undecided;
                };
                let by_set = free.filter(|free| free.elements.get(at) == Some(&true));
                if by_set.is_none() && !by_mutant.accepts(at, *given, *actual) {
                    return Fit::Refuted;
                }
                let is_wrong = !accepted.accepts(at, *due, *actual);
                if let Some(free) = by_set {
                    // What anything fulfils decides nothing.
                    if is_wrong && free.decides {
                        fit = Fit::Decided;
                    }
                } else if is_wrong && fit == Fit::Undecided {
                    let element = by_mutant.element(at, *given);
                    let is_open = matches!(element, Element::Open(_));
                    if !is_open && !may_be_equal(accepted.ty(), &accepted.element(at, *due), &element) {
                        fit = Fit::Decided;
                    }
                }
            }
        }
        fit
    }
}
