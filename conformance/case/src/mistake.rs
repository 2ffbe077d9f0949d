//! The mistake that explains failures: which small change of the specification gives what a backend gave.

use std::{collections::BTreeSet, ops::Range};

use dml_spec::{meaning::Place, model::Text};

use crate::id::CaseId;

/// What explains the failures of a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The operator.
    pub operator: Text,
    /// The clause that the cases violate; empty if they violate none.
    pub clause: Text,
    /// The kind of the mistake, such as `tie-order`.
    pub kind: &'static str,
    /// What a backend with this mistake does: lower case, no final period.
    pub sentence: String,
    /// The expression of the specification that it changes, if it changes one.
    pub place: Option<(Place, Range<usize>)>,
    /// Failing cases that were compared; it gives what the backend gave in all of them.
    pub failing: usize,
    /// Passing cases that were compared.
    pub passing: usize,
    /// What all failing cases have in common, and no passing case in which the mistake would give something else: the
    /// backend makes the mistake under this condition alone.
    pub condition: Option<String>,
    /// Too few cases fail to tell the mistake from those of `others`.
    pub uncertain: bool,
    /// Further mistakes that fit as well, by their sentences.
    pub others: Vec<String>,
}

/// What tells these failing cases from these passing ones: values of one key of their ids, as in `dir=DECREASING`.
/// `None` if no key does.
pub fn find_condition(failing: &[&CaseId], passing: &[&CaseId]) -> Option<String> {
    let keys: BTreeSet<&str> = failing.iter().flat_map(|id| id.params().map(|(key, _)| key)).collect();
    let separates = |key: &&str| {
        let there: BTreeSet<Option<&str>> = failing.iter().map(|id| id.get(key)).collect();
        let only_there = passing.iter().all(|id| !there.contains(&id.get(key)));
        (there.len() <= MOST_VALUES && only_there && !there.contains(&None)).then_some(there)
    };
    // The key with the fewest values says most.
    let found = keys.iter().filter_map(|key| Some((separates(key)?, *key)));
    let (values, key) = found.min_by_key(|(values, _)| values.len())?;
    let values: Vec<&str> = values.into_iter().flatten().collect();
    Some(format!("{key}={}", values.join(" or ")))
}

/// Most values of a key that a condition lists.
const MOST_VALUES: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_tells_failing_cases_from_passing_ones() {
        let id = |text: &str| text.parse::<CaseId>().unwrap();
        let failing = [
            id("TOP_K1:2.1:ties:k=3,dir=DECREASING"),
            id("TOP_K1:2.1:ties:k=4,dir=DECREASING"),
        ];
        let passing = [id("TOP_K1:2.1:ties:k=3,dir=INCREASING")];
        let refs = |ids: &'static [CaseId]| ids.iter().collect::<Vec<_>>();
        let (failing, passing): (&'static [CaseId], &'static [CaseId]) =
            (Vec::from(failing).leak(), Vec::from(passing).leak());
        assert_eq!(
            find_condition(&refs(failing), &refs(passing)).as_deref(),
            Some("dir=DECREASING")
        );
        assert_eq!(find_condition(&refs(failing), &refs(failing)), None);
    }
}
