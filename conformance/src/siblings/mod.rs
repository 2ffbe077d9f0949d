//! Statements that are the same but for names, over all operators.

pub mod cells;
mod form;

use dml_spec::{
    Catalog,
    model::Clause,
    rule::{RuleError, parse},
};

pub use self::form::{Scope, normal};
use crate::clause::{clauses, owner};

/// Why a rule has no normal form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormError {
    /// It is no rule.
    #[error("{0}")]
    Syntax(RuleError),
    /// No operator has all of its names.
    #[error("no operator has all of the names {0}")]
    Names(String),
}

/// Clauses in force whose rule states the same as `rule`, whichever operator's names that uses.
///
/// # Errors
/// Where the text is no rule, or no operator has its names.
pub fn of_rule<'a>(catalog: &'a Catalog, rule: &str) -> Result<Vec<&'a Clause>, FormError> {
    let expr = parse(rule).map_err(FormError::Syntax)?;
    let scopes = catalog.operators.iter().map(Some).chain([None]);
    let mut wanted: Vec<String> = Vec::new();
    let mut unknown: Option<Vec<String>> = None;
    for operator in scopes {
        match normal(&Scope { catalog, operator }, &expr) {
            Ok(form) => wanted.push(form),
            Err(names) if unknown.as_ref().is_none_or(|least| names.len() < least.len()) => unknown = Some(names),
            Err(_) => {}
        }
    }
    if wanted.is_empty() {
        return Err(FormError::Names(unknown.unwrap_or_default().join(", ")));
    }
    let same = |clause: &&Clause| form_of(catalog, clause).is_some_and(|form| wanted.contains(&form));
    Ok(clauses(catalog).filter(same).collect())
}

/// Clauses in force that state the same as this one, itself included; `None` where it has no rule.
pub fn of_clause<'a>(catalog: &'a Catalog, clause: &Clause) -> Option<Vec<&'a Clause>> {
    let wanted = form_of(catalog, clause)?;
    let same = |other: &&Clause| other.kind == clause.kind && form_of(catalog, other).as_ref() == Some(&wanted);
    Some(clauses(catalog).filter(same).collect())
}

fn form_of(catalog: &Catalog, clause: &Clause) -> Option<String> {
    let rule = clause.rule.as_deref().filter(|_| clause.retired.is_none())?;
    let operator = catalog.operator(owner(&clause.id));
    normal(&Scope { catalog, operator }, &parse(rule).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::catalog;

    fn ids(found: Vec<&Clause>) -> Vec<&str> {
        found.into_iter().map(|clause| clause.id.as_ref()).collect()
    }

    #[test]
    fn a_clause_has_siblings_in_other_operators() {
        let catalog = catalog();
        let clause = clauses(catalog).find(|c| c.id == "TOP_K1/axis-in-range").unwrap();
        let found = ids(of_clause(catalog, clause).unwrap());
        for id in ["TOP_K1/axis-in-range", "TOP_K/axis-in-range", "GATHER/axis-in-range"] {
            assert!(found.contains(&id), "{id}: {found:?}");
        }
    }

    #[test]
    fn names_and_order_do_not_matter() {
        let catalog = catalog();
        let of = |rule: &str| ids(of_rule(catalog, rule).unwrap());
        let first = of("ATensor.Sizes == BTensor.Sizes and ATensor.Sizes == OutputTensor.Sizes");
        assert_eq!(first, ["ELEMENT_WISE_ADD1/same-sizes"]);
        assert_eq!(
            first,
            of("OutputTensor.Sizes == BTensor.Sizes and BTensor.Sizes == ATensor.Sizes")
        );
        assert_eq!(
            of("InputTensor.DimensionCount > Axis"),
            of("Axis < InputTensor.DimensionCount")
        );
        assert!(of("OutputTensor.DataType == InputTensor.DataType").len() > 3);
        assert!(of("K < 17").is_empty());
    }

    #[test]
    fn what_is_no_rule_is_told() {
        let catalog = catalog();
        assert!(matches!(of_rule(catalog, "Axis <"), Err(FormError::Syntax(_))));
        let error = of_rule(catalog, "Axsi < InputTensor.DimensionCount").unwrap_err();
        assert_eq!(error, FormError::Names("Axsi".to_owned()));
    }
}
