//! The case of an id.

use dml_spec::model::{Family, Tier};

use crate::{builder::Builder, canonical, error::BuildError, planner::Planner};
use dml_case::{case::Case, id::CaseId};

/// Builds the case of an id.
///
/// # Errors
/// An unknown operator, level, family or key, or an invalid value: what and where. Another spelling than the canonical
/// one: the canonical id.
pub fn build(suite: &Planner, id: &CaseId) -> Result<Case, BuildError> {
    let builder = builder_of(suite, id)?;
    let fail = |why: String| Err(BuildError(format!("{id}: {why}")));
    let Some(family) = Family::named(id.family()) else {
        let names: Vec<&str> = Family::ALL.iter().map(|family| family.name()).collect();
        return fail(format!(
            "unknown family `{}`; expected {}",
            id.family(),
            names.join(", ")
        ));
    };
    let canonical = canonical::canonicalize_id(&builder, id, family);
    if canonical != *id && builder.case(canonical.clone(), family).is_ok() {
        let why = canonical::describe_difference(id, &canonical);
        return fail(format!("{why}; did you mean `{canonical}`"));
    }
    let case = case_of(&builder, id, family)?;
    if canonical != *id {
        return fail(canonical::describe_difference(id, &canonical));
    }
    Ok(case)
}

fn case_of(builder: &Builder<'_>, id: &CaseId, family: Family) -> Result<Case, BuildError> {
    let mut case = builder.case(id.clone(), family)?;
    case.tier = Tier::Exhaustive;
    Ok(case)
}

/// What builds the cases of an id's operator.
fn builder_of<'a>(suite: &'a Planner, id: &CaseId) -> Result<Builder<'a>, BuildError> {
    let fail = |why: String| BuildError(format!("{id}: {why}"));
    let index = suite.catalog.operators.iter().position(|o| o.name == id.operator());
    let index = index.ok_or_else(|| fail(format!("unknown operator `{}`", id.operator())))?;
    let builder = Builder::new(suite, index).ok_or_else(|| fail("the operator has no plan".to_owned()))?;
    if !builder.operator.support.iter().any(|t| t.level == id.level()) {
        let levels: Vec<String> = builder.operator.support.iter().map(|t| t.level.to_string()).collect();
        return Err(fail(format!(
            "{} has tables at {}, not at {}",
            id.operator(),
            levels.join(", "),
            id.level()
        )));
    }
    Ok(builder)
}
