//! Queries for failing cases, by operator, family and data type, that cover no other case.

use std::collections::HashSet;

use dml_case::id::CaseId;
use dml_spec::FeatureLevel;

/// The key of an id that names the data type.
const TYPE: &str = "type";

/// A family of cases that the plan has at a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PlannedFamily {
    /// Name of the operator.
    pub operator: String,
    /// Level of its table.
    pub level: FeatureLevel,
    /// Name of the family.
    pub family: String,
}

/// What a query says: a level or a data type that is `None` stands for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Group<'a> {
    operator: &'a str,
    level: Option<&'a str>,
    family: &'a str,
    data_type: Option<&'a str>,
}

impl<'a> Group<'a> {
    /// The cases like this one: of its level, or of all.
    fn of(id: &'a CaseId, level: Option<&'a str>) -> Self {
        Self {
            operator: id.operator(),
            level,
            family: id.family(),
            data_type: id.get(TYPE),
        }
    }

    fn query(&self) -> String {
        let place = format!("{}:{}:{}", self.operator, self.level.unwrap_or("*"), self.family);
        match self.data_type {
            Some(data_type) => format!("{place}:{TYPE}={data_type}"),
            None => place,
        }
    }
}

/// Queries that cover all `wanted` cases and no `unwanted` one: one for each operator, family and data type, or one for
/// each level as well, or the ids. No query is about a family at a level of which no case is known, `open` ones included.
pub(super) fn cover_cases(
    planned: &[PlannedFamily],
    wanted: &[&CaseId],
    unwanted: &[&CaseId],
    open: &[&CaseId],
) -> Vec<String> {
    let blocked: HashSet<Group<'_>> = unwanted.iter().flat_map(|id| groups_around(id)).collect();
    let known: HashSet<(&str, &str, &str)> = [wanted, unwanted, open].into_iter().flatten().map(place).collect();
    let partly_known = partly_known(planned, &known);
    // A query that is a whole id is about its case alone.
    let ids: HashSet<&str> = [wanted, open].into_iter().flatten().map(|id| id.as_str()).collect();
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    for id in wanted {
        let everywhere = Group::of(id, None);
        let here = Group::of(id, Some(id.level_text()));
        let is_known = !partly_known.contains(&(everywhere.operator, everywhere.family));
        let query = match [everywhere, here].map(|group| !blocked.contains(&group)) {
            [true, _] if is_known => everywhere.query(),
            [_, true] if !ids.contains(here.query().as_str()) => here.query(),
            _ => id.to_string(),
        };
        if seen.insert(query.clone()) {
            found.push(query);
        }
    }
    found
}

/// Every group that has this case.
fn groups_around(id: &CaseId) -> impl Iterator<Item = Group<'_>> {
    let levels = [None, Some(id.level_text())];
    levels.into_iter().flat_map(move |level| {
        let group = Group::of(id, level);
        let any_type = Group {
            data_type: None,
            ..group
        };
        [group, any_type]
    })
}

fn place<'a>(id: &&'a CaseId) -> (&'a str, &'a str, &'a str) {
    (id.operator(), id.level_text(), id.family())
}

/// Operators and families that the plan has at a level of which no case is known.
fn partly_known<'p>(planned: &'p [PlannedFamily], known: &HashSet<(&str, &str, &str)>) -> HashSet<(&'p str, &'p str)> {
    let unknown = planned.iter().filter(|of| {
        let level = of.level.to_string();
        !known.contains(&(of.operator.as_str(), level.as_str(), of.family.as_str()))
    });
    unknown.map(|of| (of.operator.as_str(), of.family.as_str())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dml_case::query::Query;

    fn ids(texts: &[&str]) -> Vec<CaseId> {
        texts.iter().map(|text| text.parse().expect("an id")).collect()
    }

    /// Queries over ids of operators that the plan lacks, so that no level is unknown.
    fn grouped(wanted: &[&str], unwanted: &[&str]) -> Vec<String> {
        let (wanted, unwanted) = (ids(wanted), ids(unwanted));
        let found = cover_cases(
            &[],
            &wanted.iter().collect::<Vec<_>>(),
            &unwanted.iter().collect::<Vec<_>>(),
            &[],
        );
        let covers = |query: &String, id: &CaseId| {
            let is_id = query.parse::<CaseId>().is_ok_and(|own| wanted.contains(&own));
            query == id.as_str() || (!is_id && query.parse::<Query>().unwrap().matches(id))
        };
        assert!(wanted.iter().all(|id| found.iter().any(|query| covers(query, id))));
        assert!(!unwanted.iter().any(|id| found.iter().any(|query| covers(query, id))));
        found
    }

    #[test]
    fn a_query_for_each_operator_family_and_type() {
        let wanted = [
            "A:2.1:ties:type=X,k=1",
            "A:3.1:ties:type=X,k=2",
            "A:3.1:ties:type=Y,k=2",
            "A:3.1:examples:example=one",
            "B:3.1:ties:type=X,k=2",
        ];
        let queries = grouped(&wanted, &["A:3.1:ties:type=Z,k=2", "B:3.1:order:type=X,k=2"]);
        assert_eq!(
            queries,
            ["A:*:ties:type=X", "A:*:ties:type=Y", "A:*:examples", "B:*:ties:type=X"]
        );
    }

    #[test]
    fn what_passes_narrows_it_to_levels_and_to_ids() {
        let wanted = [
            "A:2.1:ties:type=X,k=1",
            "A:3.1:ties:type=X,k=1",
            "A:3.1:ties:type=X,k=2",
            "A:3.1:examples:example=one",
        ];
        let queries = grouped(&wanted, &["A:3.1:ties:type=X,k=3", "A:2.1:examples:example=one"]);
        assert_eq!(
            queries,
            [
                "A:2.1:ties:type=X",
                "A:3.1:ties:type=X,k=1",
                "A:3.1:ties:type=X,k=2",
                "A:3.1:examples"
            ]
        );
        assert_eq!(grouped(&[], &wanted), Vec::<String>::new());
    }

    #[test]
    fn a_case_without_a_type_is_listed_if_its_family_passes_in_part() {
        let (one, two) = ("A:3.1:examples:example=one", "A:3.1:examples:example=two");
        assert_eq!(grouped(&[one], &[two]), [one]);
        assert_eq!(grouped(&["A:3.1:f:k=1"], &["A:3.1:f:type=X,k=2"]), ["A:3.1:f:k=1"]);
        // A query that is an id is about one case.
        let wanted = ["A:3.1:f:type=X", "A:3.1:f:type=X,k=2"];
        assert_eq!(grouped(&wanted, &["A:2.1:f:type=X,k=2"]), wanted);
    }

    #[test]
    fn no_query_covers_a_level_that_no_run_has() {
        let planned = [(2, 1), (3, 1)].map(|(major, minor)| PlannedFamily {
            operator: "TOP_K1".to_owned(),
            level: FeatureLevel::new(major, minor),
            family: "ties".to_owned(),
        });
        let wanted = ids(&["TOP_K1:2.1:ties:type=FLOAT32,k=1", "TOP_K1:2.1:ties:type=FLOAT32,k=2"]);
        let found = cover_cases(&planned, &wanted.iter().collect::<Vec<_>>(), &[], &[]);
        assert_eq!(found, ["TOP_K1:2.1:ties:type=FLOAT32"]);
    }
}
