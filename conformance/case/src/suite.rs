//! The specification in memory: a catalog and its compiled rules.

use std::sync::OnceLock;

use dml_spec::{
    Catalog, Descriptor, FeatureLevel,
    model::{Operator, SupportRow, SupportTable, Text},
    program::Program,
};

/// A catalog whose rules are compiled when they are first asked for: most commands are about few operators.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The specification.
    pub catalog: Catalog,
    programs: Vec<OnceLock<Option<Program>>>,
}

impl Suite {
    /// A suite of a catalog that was read and checked.
    pub fn new(catalog: Catalog) -> Self {
        let programs = catalog.operators.iter().map(|_| OnceLock::new()).collect();
        Self { catalog, programs }
    }

    /// The compiled rules of the operator at this place of the catalog; `None` if there is none, or if a rule has a
    /// mistake. No catalog that was read has one: reading compiles every rule and refuses mistakes with their places.
    pub fn program(&self, at: usize) -> Option<&Program> {
        let compile = || Program::compile(&self.catalog, self.catalog.operators.get(at)?).ok();
        self.programs.get(at)?.get_or_init(compile).as_ref()
    }

    /// The operator of this name and its program.
    pub fn operator(&self, name: &str) -> Option<(&Operator, &Program)> {
        let index = self.catalog.operators.iter().position(|o| o.name == name)?;
        Some((&self.catalog.operators[index], self.program(index)?))
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
