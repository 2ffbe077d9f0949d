//! Queries for failing cases, by operator, level, family and data type, that cover no other case.

use std::collections::{HashMap, HashSet};

use dml_case::id::CaseId;

/// The key of an id that names the data type.
const TYPE: &str = "type";

/// Queries that cover all `wanted` cases and no unwanted one, each with its cases: one for each operator, level, family
/// and data type, or the ids.
pub(super) fn cover_cases(
    ids: &[CaseId],
    wanted: &[usize],
    is_unwanted: impl Fn(usize, &CaseId) -> bool,
) -> Vec<(String, Vec<usize>)> {
    let known: HashSet<&str> = ids.iter().map(CaseId::as_str).collect();
    let unwanted = ids.iter().enumerate().filter(|(case, id)| is_unwanted(*case, id));
    let blocked: HashSet<String> = unwanted
        .flat_map(|(_, id)| [query(id, id.get(TYPE)), query(id, None)])
        .collect();
    let mut found: Vec<(String, Vec<usize>)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for (case, id) in wanted.iter().filter_map(|case| Some((*case, ids.get(*case)?))) {
        let own = query(id, id.get(TYPE));
        // A query that is a whole id is about its case alone.
        let is_clear = !blocked.contains(&own) && !known.contains(own.as_str());
        let own = if is_clear { own } else { id.to_string() };
        let at = *places.entry(own.clone()).or_insert(found.len());
        match found.get_mut(at) {
            Some((_, cases)) => cases.push(case),
            None => found.push((own, vec![case])),
        }
    }
    found
}

/// A query for the cases of the operator, level and family of this one, of a data type or of all.
fn query(id: &CaseId, data_type: Option<&str>) -> String {
    let place = format!("{}:{}:{}", id.operator(), id.level_text(), id.family());
    match data_type {
        Some(data_type) => format!("{place}:{TYPE}={data_type}"),
        None => place,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_cover_what_fails_and_nothing_else() {
        let (one, two) = ("A:3.1:examples:example=one", "A:3.1:examples:example=two");
        for (wanted, unwanted, expected) in [
            (&[][..], &[one][..], &[][..]),
            // One for each operator, level, family and type.
            (
                &[
                    "A:2.1:ties:type=X,k=1",
                    "A:3.1:ties:type=X,k=2",
                    "A:3.1:ties:type=X,k=3",
                    one,
                ],
                &["A:3.1:ties:type=Z,k=2", "B:3.1:order:type=X,k=2"],
                &["A:2.1:ties:type=X", "A:3.1:ties:type=X", "A:3.1:examples"],
            ),
            // What passes narrows it to ids, also if it has no type.
            (
                &[
                    "A:2.1:ties:type=X,k=1",
                    "A:3.1:ties:type=X,k=1",
                    "A:3.1:ties:type=X,k=2",
                ],
                &["A:3.1:ties:type=X,k=3"],
                &["A:2.1:ties:type=X", "A:3.1:ties:type=X,k=1", "A:3.1:ties:type=X,k=2"],
            ),
            (&[one], &[two], &[one]),
            (&["A:3.1:f:k=1"], &["A:3.1:f:type=X,k=2"], &["A:3.1:f:k=1"]),
            // A query that is an id is about one case.
            (
                &["A:3.1:f:type=X", "A:3.1:f:type=X,k=2"],
                &[],
                &["A:3.1:f:type=X", "A:3.1:f:type=X,k=2"],
            ),
        ] {
            let ids = wanted.iter().chain(unwanted).map(|text| text.parse().unwrap());
            let (ids, cases): (Vec<CaseId>, Vec<usize>) = (ids.collect(), (0..wanted.len()).collect());
            let found = cover_cases(&ids, &cases, |case, _| case >= wanted.len());
            let found: Vec<String> = found.into_iter().map(|(query, _)| query).collect();
            assert_eq!(found, expected);
        }
    }
}
