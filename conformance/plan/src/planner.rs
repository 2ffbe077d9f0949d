//! The suite with everything that planning needs: case models and lists of cases.

use std::ops::Deref;

use dml_spec::Catalog;

use crate::{listed::Listed, recipe::Recipe};
use dml_case::suite::Suite;

/// A suite whose case models are compiled.
#[derive(Clone, Debug)]
pub struct Planner {
    /// The specification and its rules.
    pub core: Suite,
    /// Compiled case models, one an operator, in the catalog's order.
    pub recipes: Vec<Recipe>,
    /// Cases of smoke besides those of its sweeps.
    pub smoke: Listed,
    /// Cases of standard that no sweep has.
    pub combinations: Listed,
}

impl Deref for Planner {
    type Target = Suite;

    fn deref(&self) -> &Suite {
        &self.core
    }
}

impl Planner {
    /// Compiles a catalog.
    ///
    /// # Errors
    /// One message for each mistake in a rule or a case model. A catalog that `spec check` accepts has none.
    pub fn new(catalog: Catalog) -> Result<Self, Vec<String>> {
        let (mut recipes, mut errors) = (Vec::new(), Vec::new());
        for operator in catalog.operators.iter() {
            match Recipe::compile(&catalog, operator) {
                Ok(recipe) => recipes.push(recipe),
                Err(found) => errors.extend(found),
            }
        }
        match Suite::new(catalog) {
            Ok(core) if errors.is_empty() => Ok(Self {
                core,
                recipes,
                smoke: Listed::embedded(dml_spec::embedded::SMOKE),
                combinations: Listed::embedded(dml_spec::embedded::COMBINATIONS),
            }),
            Ok(_) => Err(errors),
            Err(mut found) => {
                found.append(&mut errors);
                Err(found)
            }
        }
    }

    /// The same with the cases of sweeps and examples only.
    #[must_use]
    pub fn without_lists(self) -> Self {
        Self {
            smoke: Listed::default(),
            combinations: Listed::default(),
            ..self
        }
    }
}
