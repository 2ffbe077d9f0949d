//! How a change is made: on the catalog, in one place.

use dml_spec::{
    Catalog, FeatureLevel,
    model::{Applies, Clause, List, Operator, Status, SupportRow, Text},
};

/// How a change is made.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Edit {
    Rule(At, Whose, String),
    Applies(At, Applies),
    Types(usize, usize, List<Text>),
    Dimensions(usize, usize, (u32, u32)),
    /// Several, such as the cells of all tensors that are tied.
    All(Vec<Edit>),
    Level(usize, FeatureLevel),
    When(usize, String),
}

/// A clause by its place in its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    Tensor(usize),
    Operator(usize),
}

/// Whose rule of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whose {
    Text,
    Runtimes,
}

impl Edit {
    /// Makes the change in the first operator of a catalog, or in the clauses of all tensors.
    pub(super) fn apply(&self, catalog: &mut Catalog) {
        if let Edit::All(edits) = self {
            return edits.iter().for_each(|edit| edit.apply(catalog));
        }
        let Catalog {
            tensor_clauses,
            operators,
            ..
        } = catalog;
        let Some(operator) = operators.to_mut().first_mut() else {
            return;
        };
        let mut clause = |at: At, change: &dyn Fn(&mut Clause)| {
            let found = match at {
                At::Tensor(i) => tensor_clauses.to_mut().get_mut(i),
                At::Operator(i) => operator.clauses.to_mut().get_mut(i),
            };
            found.into_iter().for_each(change);
        };
        match self {
            Edit::Rule(at, whose, rule) => clause(*at, &|clause| set_rule(clause, *whose, rule)),
            Edit::All(_) => {}
            Edit::Applies(at, to) => clause(*at, &|clause| clause.applies = *to),
            Edit::Types(table, row, types) => with_row(operator, *table, *row, |row| row.types = types.clone()),
            Edit::Dimensions(table, row, to) => with_row(operator, *table, *row, |row| row.dimensions = *to),
            Edit::Level(table, to) => {
                let tables = operator.support.to_mut();
                tables.get_mut(*table).into_iter().for_each(|table| table.level = *to);
            }
            Edit::When(group, when) => {
                let groups = operator.groups.to_mut();
                let when = Text::Owned(when.clone());
                groups
                    .get_mut(*group)
                    .into_iter()
                    .for_each(|group| group.when = when.clone());
            }
        }
    }
}

fn with_row(operator: &mut Operator, table: usize, row: usize, change: impl Fn(&mut SupportRow)) {
    let table = operator.support.to_mut().get_mut(table);
    let row = table.and_then(|table| table.rows.to_mut().get_mut(row));
    row.into_iter().for_each(change);
}

fn set_rule(clause: &mut Clause, whose: Whose, rule: &str) {
    let rule = Text::Owned(rule.to_owned());
    // Where the text is silent the clause says what the runtimes do, also in its own rule.
    let both = clause.status == Status::Observed;
    if whose == Whose::Text || both {
        clause.rule = Some(rule.clone());
    }
    if whose == Whose::Runtimes || both {
        for observed in clause.observed.to_mut().iter_mut().filter(|o| o.rule.is_some()) {
            observed.rule = Some(rule.clone());
        }
    }
}
