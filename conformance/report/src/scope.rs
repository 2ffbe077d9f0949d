//! How much of DirectML the suite covers up to a level.

use std::collections::BTreeSet;

use dml_spec::{
    FeatureLevel,
    evidence::{self, Tables},
    model::{Catalog, Operator},
};
use serde::Serialize;

use crate::{requirements, results::Header};

/// How much of DirectML's operators up to a level is tested, and what their tables rest on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Scope {
    /// Operators whose descriptors are tested.
    pub descriptors: usize,
    /// Those of them whose outputs are tested as well.
    pub computed: usize,
    /// Operators that DirectML has.
    pub of: usize,
    /// The tables of those whose descriptors are tested.
    pub tables: Tables,
}

impl Scope {
    /// Of all operators up to a level.
    pub fn of(catalog: &Catalog, level: FeatureLevel) -> Self {
        let names: BTreeSet<&str> = requirements::operators_up_to(level).into_iter().collect();
        let operators = || {
            catalog
                .operators
                .iter()
                .filter(|operator| names.contains(operator.name.as_ref()))
        };
        Self {
            descriptors: operators().count(),
            computed: operators().filter(|operator| operator.is_computed()).count(),
            of: names.len(),
            tables: tables(catalog, operators(), level),
        }
    }

    /// It in words.
    pub fn says(&self) -> String {
        let Self {
            descriptors,
            computed,
            of,
            tables,
        } = self;
        format!(
            "descriptors of {descriptors} of {of} operators, outputs of {computed}; {}",
            tables.says()
        )
    }
}

/// Of the operators up to the highest level that a run planned, if it selected nothing.
pub fn of_run(catalog: &Catalog, header: &Header) -> Option<Scope> {
    let levels = header.levels.iter().filter_map(|level| level.parse().ok());
    let highest: FeatureLevel = levels.max().filter(|_| header.selection.is_empty())?;
    Some(Scope::of(catalog, highest))
}

/// What the tables of these operators up to a level rest on.
pub fn tables<'a>(catalog: &'a Catalog, operators: impl Iterator<Item = &'a Operator>, level: FeatureLevel) -> Tables {
    let mut sum = Tables::default();
    let tables = operators.flat_map(|operator| evidence::of_tables(operator, &catalog.asked));
    let up_to = tables.filter(|(at, _)| *at <= level);
    up_to.for_each(|(_, evidence)| sum += evidence);
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::fixture;
    use dml_spec::model::Level;

    #[test]
    fn a_run_that_selects_nothing_is_about_all_operators_of_its_levels() {
        let known = |name: &'static str, level: &str| {
            let level = level.parse().expect("a level");
            let table = dml_spec::model::SupportTable {
                level,
                rows: Vec::new().into(),
                source: None,
                differs: Vec::new().into(),
            };
            Operator {
                name: name.into(),
                introduced: level,
                support: vec![table].into(),
                ..Operator::default()
            }
        };
        let asked = Level {
            level: FeatureLevel::new(3, 0),
            release: "1.4.0".into(),
        };
        let catalog = Catalog {
            asked: vec![asked].into(),
            operators: vec![known("GEMM", "1.0"), known("FOLD", "6.4")].into(),
            ..Catalog::default()
        };
        let mut header = fixture::header("mine");
        header.levels = vec!["1.0".to_owned(), "2.1".to_owned()];
        header.selection.clear();
        let scope = of_run(&catalog, &header).expect("a scope");
        assert_eq!((scope.descriptors, scope.computed), (1, 0));
        assert!(scope.of > 77, "{scope:?}");
        assert_eq!((scope.tables.judged, scope.tables.all()), (1, 1));
        assert!(scope.says().starts_with("descriptors of 1 of "), "{}", scope.says());
        header.selection.push("GEMM".to_owned());
        assert_eq!(of_run(&catalog, &header), None);
    }
}
