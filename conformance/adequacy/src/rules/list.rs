//! Which mutants of a specification there are: one change each.

use std::collections::BTreeMap;

use dml_spec::{
    Catalog, FeatureLevel,
    model::{
        Applies, Clause, ClauseKind, Operator, Status, SupportRow, SupportTable, Text, dimension_cell_id, type_cell_id,
    },
};

use super::{
    edit::{At, Edit, Whose},
    rule,
};

/// Owner of the clauses that every tensor obeys.
pub const TENSOR: &str = "TENSOR";

/// A rule that refuses nothing.
const HOLDS: &str = "true";

/// Most dimensions that tables speak of.
const MOST_DIMENSIONS: u32 = 8;

/// A specification with one change.
#[derive(Clone, Debug, PartialEq)]
pub struct Mutant {
    /// What is changed: a clause, a support cell, a table (`TOP_K1/5.0`) or a group of tables (`REDUCE/support/arg`).
    pub clause: String,
    /// The line of the score it counts in: the clause, or the table.
    pub row: String,
    /// Before and after.
    pub change: String,
    /// Where in the YAML it stands.
    pub place: Part,
    pub(super) edit: Edit,
}

/// What part of the YAML a mutant changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A key of a clause.
    Clause(&'static str),
    /// A row of a table: level, group, tensor.
    Row(FeatureLevel, String, String),
    /// A whole table.
    Table(FeatureLevel),
    /// The condition of a group.
    Group(String),
}

impl Mutant {
    /// Makes the change in a catalog whose first operator is the one that the mutant is about; a mutant of the tensor
    /// clauses is about any.
    pub(super) fn apply(&self, catalog: &mut Catalog) {
        self.edit.apply(catalog);
    }
}

/// Every mutant of an operator's clauses and tables, in the order of its file.
pub fn of_operator(catalog: &Catalog, operator: &Operator) -> Vec<Mutant> {
    let mut found = Vec::new();
    for (i, clause) in operator.clauses.iter().enumerate() {
        found.extend(of_clause(At::Operator(i), clause));
    }
    found.extend(of_groups(operator));
    found.extend(of_tables(catalog, operator));
    found
}

/// The conditions of the groups of tables.
fn of_groups(operator: &Operator) -> Vec<Mutant> {
    let mut found = Vec::new();
    for (i, group) in operator.groups.iter().enumerate() {
        let id = format!("{}/support/{}", operator.name, group.name);
        let dropped = [("true", "of all descriptors"), ("false", "of none")].map(|(rule, change)| rule::Changed {
            change: change.to_owned(),
            rule: rule.to_owned(),
        });
        for changed in dropped.into_iter().chain(rule::mutations(&group.when)) {
            found.push(Mutant {
                clause: id.clone(),
                row: id.clone(),
                change: changed.change,
                place: Part::Group(group.name.to_string()),
                edit: Edit::When(i, changed.rule),
            });
        }
    }
    found
}

/// Levels and cells of the tables.
fn of_tables(catalog: &Catalog, operator: &Operator) -> Vec<Mutant> {
    let mut found = Vec::new();
    for (i, table) in operator.support.iter().enumerate() {
        let row = format!("{}/{}", operator.name, table.level);
        for to in neighbours(catalog, operator, table.level) {
            found.push(Mutant {
                clause: row.clone(),
                row: row.clone(),
                change: format!("level {} -> {to}", table.level),
                place: Part::Table(table.level),
                edit: Edit::Level(i, to),
            });
        }
        for (change, edits) in tied_cells(catalog, operator, table, i) {
            found.push(Mutant {
                clause: row.clone(),
                row: row.clone(),
                change,
                place: Part::Table(table.level),
                edit: Edit::All(edits),
            });
        }
        for (j, cells) in table.rows.iter().enumerate() {
            for (clause, change, edit) in of_cells(catalog, operator, table.level, cells, (i, j)) {
                found.push(Mutant {
                    clause,
                    row: row.clone(),
                    change: change.to_owned(),
                    place: Part::Row(table.level, cells.group.to_string(), cells.tensor.to_string()),
                    edit,
                });
            }
        }
    }
    found
}

/// Every mutant of the clauses that every tensor obeys.
pub fn of_tensors(catalog: &Catalog) -> Vec<Mutant> {
    let clauses = catalog.tensor_clauses.iter().enumerate();
    clauses
        .flat_map(|(i, clause)| of_clause(At::Tensor(i), clause))
        .collect()
}

/// The feature levels beside a table's that have no table of their own.
fn neighbours(catalog: &Catalog, operator: &Operator, level: FeatureLevel) -> Vec<FeatureLevel> {
    let mut all: Vec<FeatureLevel> = catalog.levels.iter().map(|l| l.level).collect();
    all.sort_unstable();
    let Some(at) = all.iter().position(|l| *l == level) else {
        return Vec::new();
    };
    let beside = [at.checked_sub(1), at.checked_add(1)];
    let beside = beside.into_iter().flatten().filter_map(|i| all.get(i).copied());
    beside
        .filter(|l| operator.support.iter().all(|t| t.level != *l))
        .collect()
}

/// Cells of several tensors at a time: rules tie these, so that one cell more is of no use to a backend.
fn tied_cells(
    catalog: &Catalog,
    operator: &Operator,
    table: &SupportTable,
    number: usize,
) -> BTreeMap<String, Vec<Edit>> {
    let mut tied: BTreeMap<String, Vec<Edit>> = BTreeMap::new();
    for (row, cells) in table.rows.iter().enumerate() {
        for (id, change, edit) in of_cells(catalog, operator, table.level, cells, (number, row)) {
            let cell = id.rsplit('/').next().unwrap_or_default();
            let group = match &*cells.group {
                "" => String::new(),
                group => format!(" of {group}"),
            };
            let change = format!("{cell}{group}: {change} for all tensors");
            tied.entry(change).or_default().push(edit);
        }
    }
    tied.retain(|_, edits| edits.len() > 1);
    tied
}

fn of_cells(
    catalog: &Catalog,
    operator: &Operator,
    level: FeatureLevel,
    row: &SupportRow,
    (table, at): (usize, usize),
) -> Vec<(String, &'static str, Edit)> {
    let word = |allowed: bool| match allowed {
        true => "allowed -> forbidden",
        false => "forbidden -> allowed",
    };
    let mut found = Vec::new();
    for data_type in catalog.data_types.iter() {
        let allowed = row.allows_type(&data_type.name);
        let mut types: Vec<Text> = row.types.iter().filter(|t| **t != data_type.name).cloned().collect();
        if !allowed {
            types.push(data_type.name.clone());
        }
        let id = type_cell_id(&operator.name, level, row, &data_type.name);
        found.push((id, word(allowed), Edit::Types(table, at, types.into())));
    }
    // A row holds a range: what can change is at its ends.
    let (least, most) = row.dimensions;
    let ends = [
        (least.checked_sub(1).filter(|n| *n > 0), false),
        (Some(least), true),
        (Some(most).filter(|n| *n != least), true),
        (most.checked_add(1).filter(|n| *n <= MOST_DIMENSIONS), false),
    ];
    for (count, allowed) in ends {
        let Some(count) = count else { continue };
        let to = match (allowed, count == least) {
            (true, true) => (least + 1, most),
            (true, false) => (least, count - 1),
            (false, _) => (least.min(count), most.max(count)),
        };
        let id = dimension_cell_id(&operator.name, level, row, count);
        found.push((id, word(allowed), Edit::Dimensions(table, at, to)));
    }
    found
}

fn of_clause(at: At, clause: &Clause) -> Vec<Mutant> {
    let mutant = |key, change: String, edit| Mutant {
        clause: clause.id.to_string(),
        row: clause.id.to_string(),
        change,
        place: Part::Clause(key),
        edit,
    };
    // Silences and guarantees refuse no descriptor.
    let is_stated = clause.kind == ClauseKind::Constraint && clause.status != Status::Open;
    if clause.retired.is_some() || !is_stated {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (whose, key, rule) in rules_of(clause) {
        let dropped = rule::Changed {
            change: "dropped".to_owned(),
            rule: HOLDS.to_owned(),
        };
        let others = rule::mutations(rule)
            .into_iter()
            .filter(|changed| changed.rule != HOLDS);
        for changed in Some(dropped).filter(|_| rule != HOLDS).into_iter().chain(others) {
            let change = match whose {
                Whose::Text => changed.change,
                Whose::Runtimes => format!("for the runtimes: {}", changed.change),
            };
            found.push(mutant(key, change, Edit::Rule(at, whose, changed.rule)));
        }
    }
    for to in others(clause.applies) {
        let change = format!("applies {:?} -> {to:?}", clause.applies).to_lowercase();
        found.push(mutant("applies", change, Edit::Applies(at, *to)));
    }
    found
}

/// The rules of a clause that decide something, with the key they stand under.
fn rules_of(clause: &Clause) -> Vec<(Whose, &'static str, &str)> {
    let own = clause.rule.as_deref();
    let is_constraint = clause.kind == ClauseKind::Constraint;
    let asked = is_constraint && matches!(clause.status, Status::Disputed | Status::Observed);
    let observed = clause.observed.iter().find_map(|o| o.rule.as_deref());
    let observed = observed.filter(|rule| asked && Some(*rule) != own);
    let own = own.filter(|_| observed.is_none() || clause.status == Status::Disputed);
    let own = own.map(|rule| (Whose::Text, "rule", rule));
    own.into_iter()
        .chain(observed.map(|rule| (Whose::Runtimes, "observed", rule)))
        .collect()
}

/// What else a clause could be about.
fn others(applies: Applies) -> &'static [Applies] {
    match applies {
        Applies::Operator => &[],
        Applies::Required => &[Applies::Any],
        Applies::Any => &[Applies::Input, Applies::Output, Applies::Required],
        Applies::Input => &[Applies::Any],
        Applies::Output => &[Applies::Any],
    }
}
