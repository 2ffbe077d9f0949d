//! The suite: a catalog, its compiled rules, and everything derived from them once.

use dml_spec::{
    Catalog,
    model::{Operator, Text},
    program::Program,
};

/// A catalog whose rules are compiled.
#[derive(Debug)]
pub struct Suite {
    /// The specification.
    pub catalog: Catalog,
    /// Compiled rules, one an operator, in the catalog's order.
    pub programs: Vec<Program>,
}

impl Suite {
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
