//! Support rows of an operator in the form of its page: by function, if its tables are in groups.

use std::collections::BTreeMap;

use dml_spec::{
    FeatureLevel,
    model::{Catalog, Operator, SupportRow},
};

/// Every row with its functions, in alphabetical order, and its level. Of a group only the levels at which it changes.
pub fn list_rows<'a>(catalog: &Catalog, operator: &'a Operator) -> Vec<(Vec<String>, FeatureLevel, &'a SupportRow)> {
    let functions: BTreeMap<&str, Vec<String>> = operator
        .groups
        .iter()
        .map(|group| (group.name.as_ref(), list_functions(catalog, operator, &group.when)))
        .collect();
    let mut found: Vec<(Vec<String>, FeatureLevel, &SupportRow)> = Vec::new();
    let mut last: BTreeMap<&str, Vec<&SupportRow>> = BTreeMap::new();
    for table in operator.support.iter() {
        let mut groups: Vec<&str> = table.rows.iter().map(|row| row.group.as_ref()).collect();
        groups.dedup();
        for group in groups {
            let rows: Vec<&SupportRow> = table.rows.iter().filter(|row| row.group == group).collect();
            let repeats = !group.is_empty() && last.get(group).is_some_and(|before| are_equal(before, &rows));
            if !repeats {
                let of = functions.get(group).cloned().unwrap_or_default();
                found.extend(rows.iter().map(|row| (of.clone(), table.level, *row)));
            }
            last.insert(group, rows);
        }
    }
    found
}

fn are_equal(before: &[&SupportRow], after: &[&SupportRow]) -> bool {
    let facts = |row: &SupportRow| (row.tensor.clone(), row.dimensions, row.types.clone());
    before.len() == after.len() && before.iter().zip(after).all(|(a, b)| facts(a) == facts(b))
}

/// Members of enumerations that a condition such as `Function in {ARGMAX, ARGMIN}` names, in alphabetical order.
fn list_functions(catalog: &Catalog, operator: &Operator, when: &str) -> Vec<String> {
    use dml_spec::model::FieldKind;
    let enums = operator.fields.iter().filter_map(|field| match &field.kind {
        FieldKind::Enum(name) => catalog.enumeration(name),
        _ => None,
    });
    let words = |c: char| !(c.is_alphanumeric() || c == '_');
    let mut found: Vec<String> = Vec::new();
    for all in enums {
        let prefix = all.prefix();
        let short = |name: &str| name.strip_prefix(&prefix).unwrap_or(name).to_owned();
        let known: Vec<String> = all.members.iter().map(|m| short(&m.name)).collect();
        found.extend(when.split(words).map(short).filter(|word| known.contains(word)));
    }
    found.sort_unstable();
    found.dedup();
    found
}
