//! Which mutants give what a backend gave.

use dml_case::mistake::Traits;

use super::{
    Mutant,
    apply::{Computed, MutantRun, may_be_equal},
};
use crate::accept::Element;

/// A case, and what a backend gave: elements of each present output in row-major order, as bits.
pub struct Observed<'a> {
    /// The case.
    pub run: MutantRun<'a>,
    /// What the backend gave.
    pub outputs: Vec<Vec<u64>>,
}

/// How what a mutant computes of a case compares with what a backend gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    /// The mutant gives something else.
    Refuted,
    /// Nothing contradicts it, and nothing that was wrong speaks for it.
    Undecided,
    /// It gives what was wrong.
    Decided,
}

/// A mutant that gives what a backend gave in all failing cases.
#[derive(Clone, Debug)]
pub struct Explanation<'a> {
    /// The mutant.
    pub mutant: &'a Mutant,
    /// The passing cases in which it would give something else, by their numbers.
    pub refuting: Vec<usize>,
}

/// The mutants that give what a backend gave in all of these failing cases, those first that no passing case refutes;
/// else in the order of the mutants' kinds. A mutant that is refuted costs one or two evaluations.
pub fn explain<'a>(mutants: &'a [Mutant], failing: &[Observed<'_>], passing: &[Observed<'_>]) -> Vec<Explanation<'a>> {
    let mut found: Vec<Explanation<'a>> = Vec::new();
    for mutant in mutants {
        let mut decided = 0;
        let fits = failing.iter().all(|case| match case.fit(mutant) {
            Fit::Refuted => false,
            Fit::Undecided => true,
            Fit::Decided => {
                decided += 1;
                true
            }
        });
        if fits && 2 * decided >= failing.len() && decided > 0 {
            let passing = passing.iter().enumerate();
            let refuting = passing.filter(|(_, case)| case.fit(mutant) == Fit::Refuted);
            let refuting = refuting.map(|(at, _)| at).collect();
            found.push(Explanation { mutant, refuting });
        }
    }
    found.sort_by_key(|found| (!found.refuting.is_empty(), found.mutant.kind, found.refuting.len()));
    found
}

impl Observed<'_> {
    /// What the case is, as far as a condition may speak of it.
    pub fn traits(&self) -> Traits {
        self.run.traits()
    }

    fn fit(&self, mutant: &Mutant) -> Fit {
        let wrong = match self.run.compute(mutant) {
            Computed::Right => None,
            Computed::Unknown => return Fit::Undecided,
            Computed::Other(wrong) => Some(wrong),
        };
        let right = self.run.right();
        let wrong = wrong.as_ref().unwrap_or(right);
        let mut fit = Fit::Undecided;
        for (number, actual) in self.outputs.iter().enumerate() {
            let (Some(due), Some(accepted)) = (right.outputs.get(number), right.acceptances.get(number)) else {
                return Fit::Undecided;
            };
            let (Some(given), Some(by_mutant)) = (wrong.outputs.get(number), wrong.acceptances.get(number)) else {
                return Fit::Undecided;
            };
            for (at, actual) in actual.iter().enumerate() {
                let (Some(due), Some(given)) = (due.get(at), given.get(at)) else {
                    return Fit::Undecided;
                };
                if !by_mutant.accepts(at, *given, *actual) {
                    return Fit::Refuted;
                }
                let is_wrong = !accepted.accepts(at, *due, *actual);
                if is_wrong && fit == Fit::Undecided {
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
