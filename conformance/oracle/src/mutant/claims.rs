//! Whether a mistake that is said to explain failures says that further cases fail.

use dml_case::{case::Case, context::Context, mistake::Claim, suite::Suite, traits::traits};

use super::{
    Mutant,
    list::mutants,
    observed::{Fit, Given, Observed},
};
use crate::machine::open::Basis;

/// The mutants of an operator, by which claims are held against cases.
pub struct Claims<'a> {
    suite: &'a Suite,
    basis: Basis,
    mutants: Vec<Mutant>,
}

impl<'a> Claims<'a> {
    /// The mutants of an operator; `None` if it has no meaning.
    pub fn new(suite: &'a Suite, operator: &str, basis: Basis) -> Option<Self> {
        let (of, program) = suite.operator(operator)?;
        Some(Self {
            suite,
            basis,
            mutants: mutants(&suite.catalog, of, program.meaning.as_ref()?),
        })
    }

    /// Whether a backend that makes the mistake fails a case for sure.
    pub fn predicts_failure(&self, claim: &Claim, case: &Case) -> bool {
        let mutant = self.mutants.iter().find(|mutant| mutant.id == claim.mutant);
        let context = Context::new(self.suite, case);
        if !context.is_some_and(|context| claim.demand.is_met(&traits(context))) {
            return false;
        }
        let given = Given {
            case,
            outputs: &[],
            made: true,
        };
        let observed = Observed::new(self.suite, &given, self.basis);
        let Some((mutant, mut observed)) = mutant.zip(observed) else {
            return false;
        };
        // The mutant does not give what is right.
        observed.outputs.clone_from(&observed.run.right().outputs);
        observed.fit(mutant, claim.clamps).0 == Fit::Refuted
    }
}
