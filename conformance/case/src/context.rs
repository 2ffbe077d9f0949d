//! A case with the specification that it is judged by.

use dml_spec::{
    Catalog, TensorDesc,
    model::{Clause, Operator, Role},
    program::{Program, Violation},
};

use crate::{case::Case, suite::Suite, tensor::named_tensors};

/// A case, its operator and the specification that has both.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The specification.
    pub suite: &'a Suite,
    /// The operator of the case.
    pub operator: &'a Operator,
    /// The case.
    pub case: &'a Case,
}

impl<'a> Context<'a> {
    /// The context of a case; `None` if the specification has no such operator.
    pub fn new(suite: &'a Suite, case: &'a Case) -> Option<Self> {
        let (operator, _) = suite.operator(case.id.operator())?;
        Some(Self { suite, operator, case })
    }

    /// The catalog of the specification.
    pub fn catalog(self) -> &'a Catalog {
        &self.suite.catalog
    }

    /// The compiled rules of the operator.
    pub fn program(self) -> Option<&'a Program> {
        self.suite.operator(&self.operator.name).map(|(_, program)| program)
    }

    /// The clauses of the operator, then those of all tensors.
    pub fn clauses(self) -> impl Iterator<Item = &'a Clause> {
        self.operator.clauses.iter().chain(self.catalog().tensor_clauses.iter())
    }

    /// Whether releases were seen to end the process on the descriptor, or to answer at random.
    pub fn is_erratic(self) -> bool {
        let broken = self.case.verdict.clauses();
        let mut clauses = self.clauses().filter(|clause| broken.contains(&clause.id));
        !broken.is_empty() && clauses.any(|clause| clause.observed.iter().any(|seen| seen.erratic))
    }

    /// Every clause that the descriptor violates by the text or by the runtimes.
    pub fn violations(self) -> Vec<Violation> {
        let (case, catalog) = (self.case, self.catalog());
        self.program().map_or_else(Vec::new, |program| {
            program.evaluate(catalog, self.operator, &case.descriptor, case.id.level())
        })
    }

    /// The present tensors of a role in struct order, each with its name.
    pub fn named_tensors(self, role: Role) -> Vec<(String, &'a TensorDesc)> {
        named_tensors(self.operator, &self.case.descriptor, role)
    }
}
