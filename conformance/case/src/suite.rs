//! The specification in memory: a catalog and its compiled rules.

use dml_spec::{
    Catalog, Descriptor, FeatureLevel,
    model::{Operator, SupportRow, SupportTable, Text},
    program::Program,
};

/// A catalog whose rules are compiled.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The specification.
    pub catalog: Catalog,
    /// Compiled rules, one for each operator, in the catalog's order.
    pub programs: Vec<Program>,
}

impl Suite {
    /// Compiles a catalog.
    ///
    /// # Errors
    /// One message for each mistake in a rule. A catalog that `spec check` accepts has none.
    pub fn new(catalog: Catalog) -> Result<Self, Vec<String>> {
        let (mut programs, mut errors) = (Vec::new(), Vec::new());
        for operator in catalog.operators.iter() {
            match Program::compile(&catalog, operator) {
                Ok(program) => programs.push(program),
                Err(found) => errors.extend(found.into_iter().map(|(clause, e)| format!("{clause}: {}", e.message))),
            }
        }
        if errors.is_empty() {
            Ok(Self { catalog, programs })
        } else {
            Err(errors)
        }
    }

    /// The operator of this name and its program.
    pub fn operator(&self, name: &str) -> Option<(&Operator, &Program)> {
        let index = self.catalog.operators.iter().position(|o| o.name == name)?;
        Some((&self.catalog.operators[index], self.programs.get(index)?))
    }

    /// The support table of a level and its row for a tensor of this descriptor: that of the descriptor's group, if
    /// there are groups.
    pub fn row<'a>(
        &'a self,
        operator: &'a Operator,
        descriptor: &Descriptor,
        level: FeatureLevel,
        field: usize,
    ) -> Option<(&'a SupportTable, &'a SupportRow)> {
        let table = operator.table_at(level)?;
        let group = match operator.groups.is_empty() {
            true => "",
            false => self
                .operator(&operator.name)?
                .1
                .group(&self.catalog, descriptor, level)?,
        };
        Some((table, table.row(group, &operator.fields.get(field)?.name)?))
    }

    /// Names of all operators.
    pub fn operator_names(&self) -> Vec<Text> {
        self.catalog.operators.iter().map(|o| o.name.clone()).collect()
    }
}

/// Whether there is such a level.
///
/// # Errors
/// What levels there are.
pub fn require_level(catalog: &Catalog, level: FeatureLevel) -> Result<(), String> {
    if catalog.levels.iter().any(|l| l.level == level) {
        return Ok(());
    }
    let known: Vec<String> = catalog.levels.iter().map(|l| l.level.to_string()).collect();
    Err(format!("unknown feature level {level}; expected {}", known.join(", ")))
}
