//! The suite: a catalog, its compiled rules, and everything derived from them once.

use dml_spec::{
    Catalog,
    model::{Operator, Text},
    program::Program,
};

use crate::plan::recipe::Recipe;

/// A catalog whose rules and case models are compiled.
#[derive(Debug)]
pub struct Suite {
    /// The specification.
    pub catalog: Catalog,
    /// Compiled rules, one an operator, in the catalog's order.
    pub programs: Vec<Program>,
    /// Compiled case models, one an operator, in the catalog's order.
    pub recipes: Vec<Recipe>,
}

impl Suite {
    /// Compiles a catalog.
    ///
    /// # Errors
    /// One message a mistake in a rule or a case model. A catalog that `spec check` accepts has none.
    pub fn new(catalog: Catalog) -> Result<Self, Vec<String>> {
        let (mut programs, mut recipes, mut errors) = (Vec::new(), Vec::new(), Vec::new());
        for operator in catalog.operators.iter() {
            match Program::compile(&catalog, operator) {
                Ok(program) => programs.push(program),
                Err(found) => errors.extend(found.into_iter().map(|(clause, e)| format!("{clause}: {}", e.message))),
            }
            match Recipe::compile(&catalog, operator) {
                Ok(recipe) => recipes.push(recipe),
                Err(found) => errors.extend(found),
            }
        }
        if errors.is_empty() {
            Ok(Self {
                catalog,
                programs,
                recipes,
            })
        } else {
            Err(errors)
        }
    }

    /// The operator of this name and its program.
    pub fn operator(&self, name: &str) -> Option<(&Operator, &Program)> {
        let index = self.catalog.operators.iter().position(|o| o.name == name)?;
        Some((&self.catalog.operators[index], self.programs.get(index)?))
    }

    /// Names of all operators.
    pub fn operator_names(&self) -> Vec<Text> {
        self.catalog.operators.iter().map(|o| o.name.clone()).collect()
    }
}
