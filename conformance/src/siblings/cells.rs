//! Support cells by pattern: `InputTensor/FLOAT64`, `*/3.1/*/INT64`, `4-D`, `1..8`.

use std::collections::BTreeMap;

use dml_spec::{
    Catalog, FeatureLevel,
    model::{Operator, SupportRow},
};

/// Rows of the tables that allow what a pattern names: operator, group and tensor, and the levels of their tables.
pub type Rows = BTreeMap<(String, String, String), Vec<FeatureLevel>>;

/// A pattern of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Operator, level, group and tensor from the right; `*` stands for anything.
    before: Vec<String>,
    column: Column,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Column {
    Any,
    Type(String),
    /// A dimension count that is allowed.
    Count(u32),
    /// Exactly these dimension counts.
    Counts(u32, u32),
}

/// Reads a pattern; `None` where the text is none, and may be a rule.
pub fn pattern(catalog: &Catalog, text: &str) -> Option<Pattern> {
    let mut parts: Vec<String> = text.split('/').map(|part| part.trim().to_owned()).collect();
    let last = parts.pop()?;
    let is_word = |part: &String| part.chars().all(|c| c.is_ascii_alphanumeric() || "._-*".contains(c));
    if parts.len() > 4 || !parts.iter().all(|part| !part.is_empty() && is_word(part)) {
        return None;
    }
    let number = |text: &str| text.parse::<u32>().ok();
    let column = match last.as_str() {
        "*" if !parts.is_empty() => Column::Any,
        name if catalog.data_type_named(name).is_some() => Column::Type(name.to_owned()),
        text => match (text.strip_suffix("-D").and_then(number), text.split_once("..")) {
            (Some(count), _) => Column::Count(count),
            (None, Some((from, to))) => Column::Counts(number(from)?, number(to)?),
            (None, None) => return None,
        },
    };
    Some(Pattern { before: parts, column })
}

/// What allows the cells of a pattern.
pub fn find(catalog: &Catalog, pattern: &Pattern) -> Rows {
    let mut found = Rows::new();
    for operator in catalog.operators.iter() {
        for table in operator.support.iter() {
            for row in table.rows.iter().filter(|row| pattern.fits(operator, table.level, row)) {
                let key = (operator.name.to_string(), row.group.to_string(), row.tensor.to_string());
                found.entry(key).or_default().push(table.level);
            }
        }
    }
    found
}

impl Pattern {
    fn fits(&self, operator: &Operator, level: FeatureLevel, row: &SupportRow) -> bool {
        let allowed = match &self.column {
            Column::Any => true,
            Column::Type(name) => row.allows_type(name),
            Column::Count(count) => row.allows_dimensions(*count),
            Column::Counts(from, to) => row.dimensions == (*from, *to),
        };
        let level = level.to_string();
        let mut whole = vec![&*operator.name, &level];
        whole.extend(Some(&*row.group).filter(|group| !group.is_empty()));
        whole.push(&row.tensor);
        // A pattern without a group is one of all groups.
        let loose = vec![&*operator.name, &level, &row.tensor];
        allowed && (ends(&whole, &self.before) || ends(&loose, &self.before))
    }
}

/// Whether the last names fit the pattern.
fn ends(names: &[&str], pattern: &[String]) -> bool {
    let fits = |(name, part): (&&str, &String)| part == "*" || *name == part;
    pattern.len() <= names.len() && names.iter().rev().zip(pattern.iter().rev()).all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::catalog;

    #[test]
    fn cells_are_found_over_all_operators() {
        let catalog = catalog();
        let of = |text: &str| find(catalog, &pattern(catalog, text).unwrap());
        let key = |operator: &str, tensor: &str| (operator.to_owned(), String::new(), tensor.to_owned());
        let found = of("InputTensor/FLOAT64");
        assert!(found.contains_key(&key("GATHER", "InputTensor")), "{found:?}");
        assert!(!found.contains_key(&key("TOP_K1", "InputTensor")), "{found:?}");
        let found = of("TOP_K1/3.1/*/1..8");
        assert_eq!(found.len(), 3);
        assert!(found.values().all(|levels| levels == &[FeatureLevel::new(3, 1)]));
        assert!(of("*/3.1/*/INT64").is_empty() || of("*/3.1/*/INT64").len() < of("INT64").len());
        assert!(of("REDUCE/3.0/arg/OutputTensor/INT64").len() == 1);
        assert!(of("5-D").len() > of("1..8").len() / 2);
    }

    #[test]
    fn rules_are_no_patterns() {
        for text in [
            "Axis < InputTensor.DimensionCount",
            "K > 0",
            "*",
            "a / 3",
            "InputTensor/FLOAT65",
            "/",
        ] {
            assert_eq!(pattern(catalog(), text), None, "{text}");
        }
    }
}
