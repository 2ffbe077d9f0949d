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
    /// It gives what was wrong: of half of these elements at least, unless it reads beyond a buffer.
    Decided,
}

/// What a backend gave, held against what a mutant gives.
enum Compared {
    /// Another element.
    Other,
    /// Nothing else: of so many wrong elements it gives so many for sure.
    Given { decided: usize, wrong: usize },
}

impl Compared {
    const NOTHING: Self = Self::Given { decided: 0, wrong: 0 };
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
        let fit = match self.compared(wrong, &free) {
            // Where anything may stand for the most part, the rest is a coincidence too easily.
            Compared::Given { decided, wrong } if decided > 0 && (2 * decided >= wrong || mutant.is_access()) => {
                Fit::Decided
            }
            Compared::Given { .. } => Fit::Undecided,
            Compared::Other => Fit::Refuted,
        };
        (fit, outside)
    }

    fn compared(&self, wrong: &Expectation, free: &[Free]) -> Compared {
        let right = self.run.right();
        let (mut all_wrong, mut decided) = (0, 0);
        for (number, actual) in self.outputs.iter().enumerate() {
            let (Some(due), Some(accepted)) = (right.outputs.get(number), right.acceptances.get(number)) else {
                return Compared::NOTHING;
            };
            let (Some(given), Some(by_mutant)) = (wrong.outputs.get(number), wrong.acceptances.get(number)) else {
                return Compared::NOTHING;
            };
            let free = free.iter().find(|free| free.output == number);
            for (at, actual) in actual.iter().enumerate() {
                let (Some(due), Some(given)) = (due.get(at), given.get(at)) else {
                    return Compared::NOTHING;
                };
                let by_set = free.filter(|free| free.elements.get(at) == Some(&true));
                if by_set.is_none() && !by_mutant.accepts(at, *given, *actual) {
                    return Compared::Other;
                }
                if accepted.accepts(at, *due, *actual) {
                    continue;
                }
                all_wrong += 1;
                let decides = || {
                    let element = by_mutant.element(at, *given);
                    let is_open = matches!(element, Element::Open(_));
                    !is_open && !may_be_equal(accepted.ty(), &accepted.element(at, *due), &element)
                };
                // What anything fulfils decides nothing.
                decided += usize::from(by_set.map_or_else(decides, |free| free.decides));
            }
        }
        Compared::Given {
            decided,
            wrong: all_wrong,
        }
    }
}
