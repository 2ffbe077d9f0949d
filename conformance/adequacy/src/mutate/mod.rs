//! Spec mutations: the specification is changed in one place, and the suite has to see it.
//!
//! A change is seen in two ways. A *run* sees it where the changed plan has a case that a right backend fails: one that
//! does what the unchanged specification says. That is what an editor meets who breaks a rule. Else the *lock* sees it
//! where something else is expected of a case of the unchanged plan: the digests differ, though every right backend
//! passes as before. A change that neither sees survives: no case depends on what was changed, so that a backend may be
//! wrong there.

mod base;
mod edit;
pub mod explained;
mod kill;
mod mutants;
mod place;
mod rule;
mod write;

#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicUsize, Ordering};

use dml_spec::{Catalog, model::Tier};
use rayon::prelude::*;

use self::base::Base;
pub use self::{
    kill::Fate,
    mutants::{Mutant, Part, TENSOR, of_operator, of_tensors},
    place::Places,
};

/// A mutant and what became of it.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The operator, or [`TENSOR`].
    pub owner: String,
    /// The mutant.
    pub mutant: Mutant,
    /// What became of it.
    pub fate: Fate,
    /// Descriptors of the plans that were asked, and those of them that break the clause.
    pub descriptors: (usize, usize),
}

/// Makes and tries every mutant of these owners: operators, and [`TENSOR`] for the clauses of all tensors, which the plans
/// of all operators have to see together. Changes that `spec check` would refuse are no mutants. `progress` is called
/// with the mutants done and all.
///
/// # Errors
/// Mistakes in rules or case models; a catalog that `spec check` accepts has none.
pub fn run(
    catalog: &Catalog,
    owners: &[String],
    tier: Tier,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Vec<Tried>, Vec<String>> {
    let is_wanted = |name: &str| owners.iter().any(|owner| owner == name);
    let planned = catalog
        .operators
        .par_iter()
        .filter(|operator| is_wanted(TENSOR) || is_wanted(&operator.name))
        .map(|operator| Base::new(catalog, operator, tier));
    let bases = planned
        .collect::<Vec<_>>()
        .into_iter()
        .collect::<Result<Vec<Base>, _>>()?;
    let mut work: Vec<(&str, Mutant)> = Vec::new();
    for operator in catalog.operators.iter().filter(|operator| is_wanted(&operator.name)) {
        work.extend(of_operator(catalog, operator).into_iter().map(|m| (&*operator.name, m)));
    }
    if is_wanted(TENSOR) {
        work.extend(of_tensors(catalog).into_iter().map(|m| (TENSOR, m)));
    }
    let done = AtomicUsize::new(0);
    let tried = work.par_iter().map(|(owner, mutant)| {
        let asked: Vec<&Base> = bases
            .iter()
            .filter(|base| *owner == TENSOR || base.operator().is_some_and(|o| o.name == *owner))
            .collect();
        let fate = kill::fate(&asked, mutant);
        progress(done.fetch_add(1, Ordering::Relaxed) + 1, work.len());
        let counts = asked.iter().map(|base| base.descriptors(&mutant.clause));
        Some(Tried {
            owner: (*owner).to_owned(),
            mutant: mutant.clone(),
            fate: fate?,
            descriptors: counts.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1)),
        })
    });
    Ok(tried.collect::<Vec<_>>().into_iter().flatten().collect())
}
