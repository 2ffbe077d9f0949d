//! Stored outcomes that no longer tell anything, because the case is gone or expects something else.

use std::{
    collections::{BTreeSet, HashSet},
    io::BufRead,
};

use rayon::prelude::*;
use serde::Serialize;

use super::cases::{OperatorCases, expected};
use crate::{
    digest::Digest,
    id::CaseId,
    plan,
    results::{CaseLine, Line, ReadError, Reader},
    suite::Suite,
};

/// Outcomes of a stored run that are in doubt.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RunChanges {
    /// Path as the user gave it.
    pub file: String,
    /// Cases of the file.
    pub cases: usize,
    /// Outcomes in doubt, in the order of the file.
    pub stale: Vec<Stale>,
    /// What is wrong with the file, though it can be read.
    #[serde(skip)]
    pub damage: Vec<String>,
}

/// An outcome in doubt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stale {
    /// Id of the case.
    pub id: String,
    /// What was stored.
    pub outcome: String,
    /// What was expected then.
    pub old: String,
    /// What is expected now; empty where the case is gone.
    pub new: String,
}

/// Compares a stored run with the new specification, for the operators that may have changed.
///
/// # Errors
/// The first line that cannot be read.
pub fn compare(
    file: &str,
    input: impl BufRead,
    new: &Suite,
    operators: &BTreeSet<String>,
    cases: &[OperatorCases],
) -> Result<RunChanges, ReadError> {
    let mut reader = Reader::named(input, file);
    let lines = reader.by_ref().collect::<Result<Vec<Line>, _>>()?;
    let gone: HashSet<&str> = cases.iter().flat_map(|c| &c.disappear).map(String::as_str).collect();
    let stored: Vec<&CaseLine> = lines
        .iter()
        .filter_map(|line| match line {
            Line::Case(case) => Some(&**case),
            _ => None,
        })
        .collect();
    let stale = stored
        .par_iter()
        .filter_map(|line| stale(line, new, operators, &gone))
        .collect();
    Ok(RunChanges {
        file: file.to_owned(),
        cases: stored.len(),
        stale,
        damage: reader.take_damage(),
    })
}

/// `None` where the outcome still counts.
fn stale(line: &CaseLine, new: &Suite, operators: &BTreeSet<String>, gone: &HashSet<&str>) -> Option<Stale> {
    let told = |new: String| Stale {
        id: line.id.clone(),
        outcome: line.outcome.clone(),
        old: line.verdict.clone(),
        new,
    };
    let Ok(id) = line.id.parse::<CaseId>() else {
        return Some(told(String::new()));
    };
    if !operators.contains(id.operator()) {
        return None;
    }
    if gone.contains(line.id.as_str()) {
        return Some(told(String::new()));
    }
    match plan::build(new, &id) {
        Ok(case) if Digest::of_case(&case).to_string() == line.expectation => None,
        Ok(case) => Some(told(expected(&case))),
        Err(_) => Some(told(String::new())),
    }
}
