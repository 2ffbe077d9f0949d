//! Clauses of the specification by id, and how cases test them.

use std::collections::HashSet;

use dml_spec::{
    Catalog, FeatureLevel,
    model::{
        Applies, Citation, Clause, ClauseKind, Operator, Source, Status, SupportRow, SupportTable, dimension_cell_id,
        type_cell_id,
    },
};

use crate::{nearest::nearest, suite::Suite};

/// A cell of a support table.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell<'a> {
    /// The operator.
    pub operator: &'a str,
    /// Level of the table.
    pub level: FeatureLevel,
    /// The row it stands in.
    pub row: &'a SupportRow,
    /// What the cell is about.
    pub what: CellKind<'a>,
    /// Whether the table allows it.
    pub allowed: bool,
}

/// What a cell of a support table is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind<'a> {
    /// A data type.
    Type(&'a str),
    /// A dimension count.
    Dimensions(u32),
}

/// A clause, or a cell of a support table.
#[derive(Clone, Debug)]
pub enum Found<'a> {
    /// A clause of the YAML.
    Clause(&'a Clause),
    /// A support cell.
    Cell(Cell<'a>),
}

/// Maximum number of dimensions in support cells.
const MOST_DIMENSIONS: u32 = 8;

/// Every clause of the catalog: the operators', then those of all tensors.
pub fn clauses(catalog: &Catalog) -> impl Iterator<Item = &Clause> {
    catalog
        .operators
        .iter()
        .flat_map(|o| o.clauses.iter())
        .chain(catalog.tensor_clauses.iter())
}

/// Looks a clause or cell up.
pub fn find<'a>(suite: &'a Suite, id: &str) -> Option<Found<'a>> {
    if let Some(clause) = clauses(&suite.catalog).find(|c| c.id == id) {
        return Some(Found::Clause(clause));
    }
    cells(suite).find(|cell| cell_id(cell) == id).map(Found::Cell)
}

/// Whether there is such a clause.
///
/// # Errors
/// Ids that resemble it.
pub fn exists(suite: &Suite, id: &str) -> Result<(), Vec<String>> {
    if find(suite, id).is_some() {
        return Ok(());
    }
    let cells: Vec<String> = cells(suite).map(|cell| cell_id(&cell)).collect();
    let ids = clauses(&suite.catalog)
        .map(|c| c.id.as_ref())
        .chain(cells.iter().map(String::as_str));
    Err(nearest(id, ids, 3).into_iter().map(str::to_owned).collect())
}

/// The message for a clause that is retired; `None` for any other id.
pub fn retirement(suite: &Suite, id: &str) -> Option<String> {
    let clause = clauses(&suite.catalog).find(|clause| clause.id == id)?;
    clause.retired.as_deref().map(retired)
}

/// The message for a clause that was replaced by this one, or by none.
pub fn retired(replacement: &str) -> String {
    match replacement {
        "" => "retired: withdrawn".to_owned(),
        id => format!("retired: see {id}"),
    }
}

/// The word of a kind in the YAML.
pub fn kind_word(kind: ClauseKind) -> &'static str {
    match kind {
        ClauseKind::Constraint => "constraint",
        ClauseKind::Guarantee => "guarantee",
        ClauseKind::Silence => "silence",
    }
}

/// The word of a status in the YAML.
pub fn status_word(status: Status) -> &'static str {
    match status {
        Status::Normative => "normative",
        Status::ByExample => "by-example",
        Status::Disputed => "disputed",
        Status::Observed => "observed",
        Status::Open => "open",
    }
}

/// The word for the tensors that a clause is about; empty for clauses of an operator.
pub fn applies_word(applies: Applies) -> &'static str {
    match applies {
        Applies::Operator => "",
        Applies::Required => "required",
        Applies::Any => "any",
        Applies::Input => "input",
        Applies::Output => "output",
    }
}

/// The source of this name that an operator cites, or the clauses of all tensors (`TENSOR`).
pub fn source<'a>(catalog: &'a Catalog, owner: &str, name: &str) -> Option<&'a Source> {
    let own = catalog.operator(owner).map(|o| &*o.sources).unwrap_or_default();
    own.iter().chain(catalog.sources.iter()).find(|s| s.name == name)
}

/// A citation in words: `ns-directml-dml_x_operator_desc#Axis, sentence 2`.
pub fn cited(catalog: &Catalog, owner: &str, citation: &Citation) -> String {
    let page = source(catalog, owner, &citation.source).map_or(&citation.source, |source| &source.page);
    let place = match citation.sentence {
        0 => String::new(),
        n => format!(", sentence {n}"),
    };
    format!("{page}#{}{place}", citation.anchor)
}

/// Citation of a clause or a cell.
pub fn citation<'a>(suite: &'a Suite, found: &Found<'a>) -> Option<&'a Citation> {
    match found {
        Found::Clause(clause) => clause.source.as_ref(),
        Found::Cell(cell) => {
            let operator = suite.catalog.operator(cell.operator)?;
            let table = operator.support.iter().find(|table| table.level == cell.level)?;
            cell.row.source.as_ref().or(table.source.as_ref())
        }
    }
}

/// The operator of a clause: the part of its id before the slash.
pub fn owner(id: &str) -> &str {
    id.split('/').next().unwrap_or_default()
}

/// Whether a clause is about this operator: its own, or one about all tensors.
pub fn is_about(id: &str, operator: &str) -> bool {
    ["TENSOR", operator].contains(&owner(id))
}

/// Ids of what is about an operator: its clauses, those of all tensors, every cell of its tables.
pub fn ids_about(catalog: &Catalog, operator: &Operator) -> HashSet<String> {
    let clauses = operator.clauses.iter().chain(catalog.tensor_clauses.iter());
    let tables = operator.support.iter();
    let cells = tables.flat_map(|table| table_cells(catalog, operator, table));
    let ids = clauses.map(|clause| clause.id.to_string());
    ids.chain(cells.map(|cell| cell_id(&cell))).collect()
}

/// Id of a cell.
pub fn cell_id(cell: &Cell<'_>) -> String {
    match cell.what {
        CellKind::Type(name) => type_cell_id(cell.operator, cell.level, cell.row, name),
        CellKind::Dimensions(count) => dimension_cell_id(cell.operator, cell.level, cell.row, count),
    }
}

/// Every cell of every table.
fn cells(suite: &Suite) -> impl Iterator<Item = Cell<'_>> {
    let catalog = &suite.catalog;
    catalog.operators.iter().flat_map(move |operator| {
        operator
            .support
            .iter()
            .flat_map(move |table| table_cells(catalog, operator, table))
    })
}

/// Every cell of a table of an operator.
pub fn table_cells<'a>(catalog: &'a Catalog, operator: &'a Operator, table: &'a SupportTable) -> Vec<Cell<'a>> {
    let mut cells = Vec::new();
    for row in table.rows.iter() {
        let cell = |what, allowed| Cell {
            operator: &operator.name,
            level: table.level,
            row,
            what,
            allowed,
        };
        cells.extend(
            catalog
                .data_types
                .iter()
                .map(|t| cell(CellKind::Type(&t.name), row.allows_type(&t.name))),
        );
        let counts = 1..=MOST_DIMENSIONS;
        cells.extend(counts.map(|n| cell(CellKind::Dimensions(n), row.allows_dimensions(n))));
    }
    cells
}

/// Whether the id is that of a constraint (not a cell).
pub fn is_constraint(suite: &Suite, id: &str) -> bool {
    matches!(find(suite, id), Some(Found::Clause(clause)) if clause.kind == ClauseKind::Constraint)
}
