//! Stored outcomes that no longer count, because the case is gone or expects something else.

use std::{
    collections::{BTreeSet, HashSet},
    io::BufRead,
};

use rayon::prelude::*;

use super::cases::describe_expectation;
use dml_case::{digest::Digest, id::CaseId, record::Record};
use dml_pages::diff::cases::{OperatorCases, RunChanges, StaleOutcome};
use dml_plan::planner::Planner;
use dml_report::results::{Line, ReadError, Reader};

/// Compares a stored run with the new specification, for the operators that may have changed.
///
/// # Errors
/// The first line that cannot be read.
pub fn compare_run(
    file: &str,
    input: impl BufRead,
    new: &Planner,
    operators: &BTreeSet<String>,
    cases: &[OperatorCases],
) -> Result<RunChanges, ReadError> {
    let mut reader = Reader::named(input, file);
    let lines = reader.by_ref().collect::<Result<Vec<Line>, _>>()?;
    let gone: HashSet<&str> = cases.iter().flat_map(|c| &c.disappear).map(String::as_str).collect();
    let stored: Vec<&Record> = lines
        .iter()
        .filter_map(|line| match line {
            Line::Case(case) => Some(&**case),
            _ => None,
        })
        .collect();
    let stale = stored
        .par_iter()
        .filter_map(|line| find_stale(line, new, operators, &gone))
        .collect();
    Ok(RunChanges {
        file: file.to_owned(),
        cases: stored.len(),
        stale,
        damage: reader.take_damage(),
    })
}

/// `None` if the outcome still counts.
fn find_stale(
    line: &Record,
    new: &Planner,
    operators: &BTreeSet<String>,
    gone: &HashSet<&str>,
) -> Option<StaleOutcome> {
    let now = |new: String| StaleOutcome {
        id: line.id.to_string(),
        outcome: line.outcome.word().to_owned(),
        old: line.verdict.to_string(),
        new,
    };
    let Ok(id) = line.id.as_str().parse::<CaseId>() else {
        return Some(now(String::new()));
    };
    if !operators.contains(id.operator()) {
        return None;
    }
    if gone.contains(line.id.as_str()) {
        return Some(now(String::new()));
    }
    match dml_plan::build(new, &id) {
        Ok(case) if Digest::of_case(&case) == line.expectation => None,
        Ok(case) => Some(now(describe_expectation(&case))),
        Err(_) => Some(now(String::new())),
    }
}
