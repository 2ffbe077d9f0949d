//! The suite with everything that planning needs: case models, and the plans of its operators once they were made.

use std::{
    ops::Deref,
    sync::{Arc, OnceLock},
};

use dml_spec::{Catalog, model::Tier};

use crate::{
    bucket::{Planned, PlannedId},
    recipe::Recipe,
};
use dml_case::suite::Suite;

/// A suite whose case models are compiled.
#[derive(Clone, Debug)]
pub struct Planner {
    /// The specification and its rules.
    pub core: Suite,
    /// Compiled case models, one an operator, in the catalog's order.
    pub recipes: Vec<Recipe>,
    /// For each operator the ids of its cases at each tier.
    plans: Arc<Vec<[OnceLock<Vec<Planned>>; 3]>>,
    /// For each operator the cases that every tier has.
    around: Arc<Vec<OnceLock<Vec<PlannedId>>>>,
}

impl Deref for Planner {
    type Target = Suite;

    fn deref(&self) -> &Suite {
        &self.core
    }
}

impl Planner {
    /// Compiles the case models of a catalog that was read and checked.
    ///
    /// # Errors
    /// One message for each mistake in a case model. A catalog that `spec check` accepts has none.
    pub fn new(catalog: Catalog) -> Result<Self, Vec<String>> {
        let (mut recipes, mut errors) = (Vec::new(), Vec::new());
        for operator in catalog.operators.iter() {
            match Recipe::compile(&catalog, operator) {
                Ok(recipe) => recipes.push(recipe),
                Err(found) => errors.extend(found),
            }
        }
        let plans = catalog.operators.iter().map(|_| Default::default()).collect();
        let around = catalog.operators.iter().map(|_| OnceLock::new()).collect();
        if !errors.is_empty() {
            return Err(errors);
        }
        Ok(Self {
            core: Suite::new(catalog),
            recipes,
            plans: Arc::new(plans),
            around: Arc::new(around),
        })
    }

    /// Where the ids of the cases of the operator at this place of the catalog are kept.
    pub(crate) fn kept(&self, operator: usize, tier: Tier) -> Option<&OnceLock<Vec<Planned>>> {
        self.plans.get(operator)?.get(tier as usize)
    }

    /// Where those cases are kept that do not depend on the tier.
    pub(crate) fn around(&self, operator: usize) -> Option<&OnceLock<Vec<PlannedId>>> {
        self.around.get(operator)
    }
}
