//! Whether the lines of a list lead to cases.

use std::collections::HashMap;

use rayon::prelude::*;

use crate::{by_id::build, listed::lines, planner::Planner};
use dml_case::id::{CaseId, ParseIdError};

/// Whether every line leads to a case, and no two to the same.
///
/// # Errors
/// The first line that does not, with its number, and why; how many others do not.
pub fn check(text: &str, suite: &Planner) -> Result<(), String> {
    let (mut seen, mut wanted) = (HashMap::new(), Vec::new());
    for (number, line) in lines(text) {
        let first = *seen.entry(line).or_insert(number);
        wanted.push((number, line, first));
    }
    let mistake = |(number, line, first): &(usize, &str, usize)| {
        let case = |id: CaseId| build(suite, &id).map_err(|error| error.to_string());
        let built = if number == first {
            let id = line.parse().map_err(|error: ParseIdError| error.to_string());
            id.and_then(case).map(drop)
        } else {
            Err(format!("{line}: is already in line {first}"))
        };
        built.err().map(|error| format!("{number}:1: {error}"))
    };
    let mistakes: Vec<String> = wanted.par_iter().filter_map(mistake).collect();
    let Some((first, others)) = mistakes.split_first() else {
        return Ok(());
    };
    Err(match others.len() {
        0 => first.clone(),
        1 => format!("{first}; nor does one later line lead to a case"),
        others => format!("{first}; nor do {others} later lines lead to cases"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_lead_to_no_case_are_found() {
        let (catalog, _) = dml_spec_yaml::load::load(&dml_spec_yaml::load::embedded());
        let suite = Planner::new(catalog.unwrap()).unwrap();
        let smoke = dml_spec::embedded::SMOKE;
        assert_eq!(check(smoke, &suite), Ok(()));
        let id = lines(smoke).next().unwrap().1;
        let no_family = id.split(':').take(2).collect::<Vec<_>>().join(":");
        let wrong = format!("{id}\nNO_OP:2.1:a:b=c\n{no_family}:none:a=b\n");
        let message = check(&wrong, &suite).unwrap_err();
        assert!(
            message.starts_with("2:1: ")
                && message.contains("`NO_OP`")
                && message.ends_with("nor does one later line lead to a case"),
            "{message}"
        );
        let twice = check(&format!("{id}\n# why\n{id}\n"), &suite).unwrap_err();
        assert!(
            twice.starts_with("3:1: ") && twice.ends_with("is already in line 1"),
            "{twice}"
        );
    }
}
