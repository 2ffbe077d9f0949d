//! Queries against the plan: which buckets they may match, and values that no id has.

use dml_spec::{
    model::{FieldKind, Operator},
    patterns::{LAYOUTS, NUMBERS, VALUES},
};

use crate::{
    bucket::Bucket,
    planner::Planner,
    recipe::{EXAMPLE_KEY, Recipe},
};
use dml_case::{nearest::nearest, query::Query};
use dml_spec::path::{Path, constant_name};

/// Whether the bucket may hold ids that match the query; if not, it certainly holds none.
pub fn may_match(suite: &Planner, query: &Query, bucket: &Bucket) -> bool {
    let Some(operator) = suite.catalog.operators.get(bucket.operator) else {
        return false;
    };
    query.may_be(&operator.name, bucket.level, bucket.family.name())
        && type_key(operator).is_none_or(|key| query.allows(key, &bucket.data_type))
}

/// A value of the query that no id can have: what is wrong, and similar values. Only names are looked up.
pub fn find_unknown_value(suite: &Planner, query: &Query) -> Option<(String, Vec<String>)> {
    query.values().find_map(|(key, value)| {
        let operators = suite.catalog.operators.iter().zip(&suite.recipes);
        let operators = operators.filter(|(operator, _)| query.may_match_operator(&operator.name));
        let names = operators.map(|(operator, recipe)| names_of(suite, operator, recipe, key));
        // If one operator takes any number, say, nothing is unknown.
        let known: Vec<String> = names.collect::<Option<Vec<_>>>()?.concat();
        if known.is_empty() || known.iter().any(|name| name == value) {
            return None;
        }
        let near = nearest(value, known.iter().map(String::as_str), 3);
        let near = near.into_iter().map(|name| format!("{key}={name}")).collect();
        Some((format!("no id has `{key}={value}`"), near))
    })
}

/// The first key that sets a data type, which distinguishes buckets.
fn type_key(operator: &Operator) -> Option<&str> {
    operator
        .cases
        .keys
        .iter()
        .find(|k| k.sets.ends_with(".DataType"))
        .map(|k| k.name.as_ref())
}

/// The names that a key can have as its value; `None` if its values are no names, or the key is unknown.
fn names_of(suite: &Planner, operator: &Operator, recipe: &Recipe, key: &str) -> Option<Vec<String>> {
    let own = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect());
    match key {
        "layout" => return own(&LAYOUTS),
        "values" => return own(&[&VALUES[..], &NUMBERS].concat()),
        "alias" => return own(&operator.shared_inputs().collect::<Vec<_>>()),
        EXAMPLE_KEY => return Some(operator.examples.iter().map(|e| e.name.to_string()).collect()),
        _ => {}
    }
    let (_, path) = recipe.keys.iter().find(|(name, _)| name == key)?;
    if path.is_data_type() {
        return Some(suite.catalog.data_types.iter().map(|t| t.name.to_string()).collect());
    }
    match (path, &operator.fields.get(path.field())?.kind) {
        (Path::Attribute(_), FieldKind::Enum(name)) => {
            let members = suite.catalog.enumeration(name)?.members.iter();
            Some(members.map(|m| constant_name(&suite.catalog, name, m.value)).collect())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::query::*;

    #[test]
    fn what_ids_are_made_of_can_be_asked_for() {
        use std::{collections::BTreeSet, ops::ControlFlow};

        let suite = crate::embedded::suite();
        let mut asked = BTreeSet::new();
        for bucket in crate::enumerate::buckets(suite, dml_spec::model::Tier::Smoke) {
            let _ = crate::enumerate::for_each_case(suite, &bucket, dml_spec::model::Tier::Smoke, 0, &mut |case| {
                let operator = case.id.operator();
                let params = case.id.params();
                asked.extend(params.map(|(key, value)| format!("{operator}:*:*:{key}={value}")));
                ControlFlow::Continue(())
            });
        }
        assert!(
            asked.iter().any(|query| query.ends_with(":values=wide")),
            "{}",
            asked.len()
        );
        for text in asked {
            let query: Query = text.parse().unwrap();
            assert_eq!(find_unknown_value(suite, &query), None, "{text}");
        }
    }

    #[test]
    fn values_that_are_misspelt_names_are_found() {
        let suite = crate::embedded::suite();
        let unknown = |query: &str| find_unknown_value(suite, &query.parse::<Query>().unwrap());
        let (what, near) = unknown("TOP_K1:*:*:k=1,type=FLOT32").unwrap();
        assert_eq!(
            (what.as_str(), near[0].as_str()),
            ("no id has `type=FLOT32`", "type=FLOAT32")
        );
        for (query, first) in [
            ("TOP_K1:*:*:dir=DECREASE", "dir=DECREASING"),
            ("TOP_K1:*:*:values=tie-at", "values=tie-at-k"),
            ("TOP_K1:*:*:layout=padding", "layout=padded"),
            ("TOP_K1:*:examples:example=largest", "example=largest-two"),
        ] {
            assert_eq!(unknown(query).unwrap().1[0], first, "{query}");
        }
        for query in [
            "*:*:*:type=FLOAT32,k=99,sizes=7",
            "*:*:*:type=F*",
            "*:*:*:Axis=99",
            "OTHER:*:*:type=X",
        ] {
            assert_eq!(unknown(query), None, "{query}");
        }
    }
}
