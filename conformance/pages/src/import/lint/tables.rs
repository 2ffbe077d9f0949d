//! Checks that support tables are complete, use known names, and grow with the level.

use std::collections::{BTreeMap, HashMap, HashSet};

use dml_spec::{FeatureLevel, model::Role};

use super::Findings;
use crate::import::{
    facts,
    page::{At, Row, Spot, Table},
};

/// Maximum number of dimensions of a tensor, and before level 3.0.
const MOST: u32 = 8;
const MOST_BEFORE: (FeatureLevel, u32) = (FeatureLevel::new(3, 0), 5);

pub(super) fn check_tables(findings: &mut Findings<'_>) {
    let page = findings.page;
    if page.introduced.is_none() {
        let message = "the page does not say at which feature level the operator was introduced".to_owned();
        findings.add("page::no-level", &At::line(1), message, None);
    }
    let tensors: HashMap<&str, Option<Role>> = page
        .fields
        .iter()
        .map(|f| (f.value.name.as_str(), f.value.kind.role()))
        .collect();
    if page.tables.is_empty() && tensors.values().any(Option::is_some) {
        let message = "the page has no table of supported data types and dimension counts".to_owned();
        findings.add("page::no-tables", &At::line(1), message, None);
    }
    let mut groups: BTreeMap<&[String], Vec<&Spot<Table>>> = BTreeMap::new();
    for table in &page.tables {
        check_rows(findings, table, &tensors);
        groups.entry(&table.value.functions).or_default().push(table);
    }
    for tables in groups.into_values() {
        check_group(findings, tables);
    }
    check_levels(findings);
}

/// Rows of one table.
fn check_rows(findings: &mut Findings<'_>, table: &Spot<Table>, tensors: &HashMap<&str, Option<Role>>) {
    let page = findings.page;
    let mut seen = HashSet::new();
    let level = page.level_of(&table.value);
    for row in &table.value.rows {
        match tensors.get(row.tensor.as_str()) {
            Some(Some(role)) => {
                if row.kind.is_some_and(|kind| kind.output != (*role == Role::Output)) {
                    let message = format!("{} is an input in one table and an output in another", row.tensor);
                    findings.add("page::kind", &At::line(row.line), message, None);
                }
            }
            _ => {
                let message = format!("no tensor of the operator is called `{}`", row.tensor);
                findings.add("page::unknown-tensor", &At::line(row.line), message, None);
            }
        }
        if !seen.insert(row.tensor.as_str()) {
            let message = format!("{} has two rows in one table", row.tensor);
            findings.add("page::two-rows", &At::line(row.line), message, None);
        }
        check_cells(findings, row, level);
    }
    let lacking = page.fields.iter().filter(|f| f.value.kind.role().is_some());
    for field in lacking.filter(|f| !seen.contains(f.value.name.as_str())) {
        let message = format!("the table has no row for {}", field.value.name);
        findings.add("page::no-row", &table.at, message, None);
    }
}

/// Cells of one row.
fn check_cells(findings: &mut Findings<'_>, row: &Row, level: Option<FeatureLevel>) {
    let mut add = |code, message| findings.add(code, &At::line(row.line), message, None);
    if row.kind.is_none() {
        add("page::empty-cell", format!("the kind of {} cannot be read", row.tensor));
    }
    let most = match level {
        Some(level) if level < MOST_BEFORE.0 => MOST_BEFORE.1,
        _ => MOST,
    };
    match row.dimensions {
        None => add(
            "page::empty-cell",
            format!("the dimension counts of {} cannot be read", row.tensor),
        ),
        Some((least, top)) if least == 0 || least > top || top > most => {
            let shown = facts::format_dimensions((least, top));
            add(
                "page::dimensions",
                format!("{} has {shown} dimensions, possible are 1 to {most}", row.tensor),
            );
        }
        Some(_) => {}
    }
    if row.types.is_empty() {
        add(
            "page::empty-cell",
            format!("the table names no data types of {}", row.tensor),
        );
    }
    let shape = row.shape.as_ref().filter(|shape| !shape.ends_with("[] }"));
    if let (Some(shape), Some((least, top))) = (shape, row.dimensions) {
        let names: Vec<&str> = shape.split(", ").collect();
        let kept = names.iter().filter(|name| !name.contains('[')).count();
        if names.len() != top as usize || kept > least as usize {
            let shown = facts::format_dimensions((least, top));
            let all = names.len();
            add(
                "page::shape",
                format!(
                    "{} has {kept} to {all} named dimensions, its counts are {shown}",
                    row.tensor
                ),
            );
        }
    }
    let types: Vec<_> = row
        .types
        .iter()
        .map(|name| (name, findings.catalog.data_type_named(name)))
        .collect();
    for (name, known) in types {
        match known {
            None => findings.add(
                "page::unknown-type",
                &At::line(row.line),
                format!("there is no data type {name}"),
                None,
            ),
            Some(ty) if level.is_some_and(|level| level < ty.introduced) => {
                let message = format!("{name} exists from level {} on only", ty.introduced);
                findings.add("page::unknown-type", &At::line(row.line), message, None);
            }
            Some(_) => {}
        }
    }
}

/// Tables of the same descriptors.
fn check_group(findings: &mut Findings<'_>, mut tables: Vec<&Spot<Table>>) {
    let introduced = findings.page.introduced.as_ref().map(|l| l.value);
    if tables.len() > 1 {
        for table in tables.iter().filter(|t| t.value.level.is_none()) {
            let message = "the table stands beside others and has no level".to_owned();
            findings.add("page::table-without-level", &table.at, message, None);
        }
    }
    tables.retain(|table| table.value.level.or(introduced).is_some());
    let level = |table: &Spot<Table>| table.value.level.or(introduced).unwrap_or_default();
    tables.sort_by_key(|table| level(table));
    if let (Some(first), Some(introduced)) = (tables.first(), introduced) {
        if level(first) > introduced {
            let message = format!(
                "the oldest table is of level {}, the operator of {introduced}",
                level(first)
            );
            findings.add("page::level-gap", &first.at, message, None);
        }
        for table in tables.iter().filter(|t| level(t) < introduced) {
            let message = format!(
                "the table of level {} is older than the operator, of {introduced}",
                level(table)
            );
            findings.add("page::level-gap", &table.at, message, None);
        }
    }
    for pair in tables.windows(2) {
        let [before, after] = pair else { continue };
        let known = |l: FeatureLevel| findings.catalog.levels.iter().any(|k| k.level == l);
        if !known(level(after)) {
            let message = format!("unknown feature level {}", level(after));
            findings.add("page::unknown-level", &after.at, message, None);
        }
        if level(before) == level(after) {
            let message = format!("there are two tables of level {}", level(after));
            findings.add("page::level-twice", &after.at, message, None);
        } else {
            check_growth(findings, before, after, level(after));
        }
    }
}

/// A table must allow everything that the one before it does.
fn check_growth(findings: &mut Findings<'_>, before: &Spot<Table>, after: &Spot<Table>, level: FeatureLevel) {
    let older: HashMap<&str, &Row> = before.value.rows.iter().map(|row| (row.tensor.as_str(), row)).collect();
    let sorted = |row: &Row| {
        let mut types = row.types.clone();
        types.sort_unstable();
        types
    };
    let mut same = before.value.rows.len() == after.value.rows.len();
    for row in &after.value.rows {
        let Some(old) = older.get(row.tensor.as_str()) else {
            same = false;
            continue;
        };
        same &= old.dimensions == row.dimensions
            && sorted(old) == sorted(row)
            && old.shape == row.shape
            && old.kind == row.kind;
        if let (Some(old), Some(new)) = (old.dimensions, row.dimensions)
            && (new.0 > old.0 || new.1 < old.1)
        {
            let (old, new) = (facts::format_dimensions(old), facts::format_dimensions(new));
            let message = format!(
                "{} has {new} dimensions from level {level} on, and {old} before",
                row.tensor
            );
            findings.add("page::shrinks", &At::line(row.line), message, None);
        }
        let lost: Vec<&str> = old
            .types
            .iter()
            .filter(|ty| !row.types.contains(ty))
            .map(String::as_str)
            .collect();
        if !lost.is_empty() && !row.types.is_empty() {
            let message = format!("{} loses {} at level {level}", row.tensor, lost.join(" and "));
            findings.add("page::shrinks", &At::line(row.line), message, None);
        }
    }
    if same {
        let message = format!("the table of level {level} is the same as the one before");
        findings.add("page::same-table", &after.at, message, None);
    }
}

/// Levels that another document has a table for.
fn check_levels(findings: &mut Findings<'_>) {
    let page = findings.page;
    let Some(operator) = findings.catalog.operator(&page.operator) else {
        return;
    };
    let document = |name: &str| {
        operator
            .sources
            .iter()
            .find(|s| s.name == name)
            .map(|s| s.page.as_ref())
    };
    for table in operator.support.iter() {
        let cited = table.source.as_ref().and_then(|source| document(&source.source));
        let Some(other) = cited.filter(|cited| *cited != page.document) else {
            continue;
        };
        let at = page
            .tables
            .first()
            .map_or_else(|| At::line(1), |table| table.at.clone());
        if !page.tables.iter().any(|t| t.value.level == Some(table.level)) {
            let message = format!(
                "{other} tells of changes at level {}, for which the page has no table",
                table.level
            );
            findings.add("page::no-table", &at, message, None);
        }
    }
}
