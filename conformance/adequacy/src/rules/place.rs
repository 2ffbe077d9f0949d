//! Where in the files the changed part of a mutant stands.

use dml_spec::{
    diag::locate,
    model::{Catalog, Operator},
};
use dml_spec_yaml::{
    load::{File, Files},
    tree::{Node, read::parse},
};

use super::{Part, TENSOR, Tried};

/// The files of a specification, ready to look places up.
pub struct Places<'a>(Vec<(&'a File, Option<Node>)>);

impl<'a> Places<'a> {
    /// Reads the files.
    pub fn new(files: &'a Files) -> Self {
        Self(files.0.iter().map(|file| (file, parse(&file.text).0)).collect())
    }

    /// File and line of what a mutant changes.
    pub fn of(&self, catalog: &Catalog, tried: &Tried) -> Option<(String, u32)> {
        let operator = catalog.operator(&tried.owner);
        let is_it = |file: &File| match operator {
            Some(operator) => operator.file.rsplit('/').next() == Some(file.name()),
            None => tried.owner == TENSOR && file.name() == "directml.yaml",
        };
        let (file, root) = self.0.iter().find(|(file, _)| is_it(file))?;
        let root = root.as_ref()?;
        let start = match &tried.mutant.place {
            Part::Clause(key) => {
                let list = if operator.is_some() {
                    "clauses"
                } else {
                    "tensor_clauses"
                };
                let id = tried.mutant.clause.rsplit('/').next()?;
                let clause = root.get(list)?.items()?.iter();
                let clause = clause.clone().find(|c| c.get("id").and_then(Node::text) == Some(id))?;
                clause.key(key).map_or(clause.span.start, |key| key.span.start)
            }
            Part::Group(name) => {
                let group = root.get("support")?.get(name)?;
                group.key("when").map_or(group.span.start, |key| key.span.start)
            }
            Part::Table(level) => in_tables(root, operator?, &level.to_string(), None)?,
            Part::Row(level, group, tensor) => in_tables(root, operator?, &level.to_string(), Some((group, tensor)))?,
        };
        let place = locate(&file.path, &file.text, start..start);
        Some((place.file, place.line))
    }
}

/// Where a table stands, or a row of it. A group has no table of its own where it is the same as at the level before.
fn in_tables(root: &Node, operator: &Operator, level: &str, row: Option<(&str, &str)>) -> Option<usize> {
    let support = root.get("support")?;
    let groups: Vec<&Node> = match operator.groups.is_empty() {
        true => vec![support],
        false => {
            let is_it = |name: &str| row.is_none_or(|(group, _)| group == name);
            let groups = operator.groups.iter().filter(|group| is_it(&group.name));
            groups.filter_map(|group| support.get(&group.name)).collect()
        }
    };
    let at = operator.support.iter().position(|t| t.level.to_string() == level)?;
    let back = operator.support.get(..=at)?.iter().rev();
    for table in back {
        let level = table.level.to_string();
        for group in &groups {
            let Some(key) = group.key(&level) else { continue };
            let Some((_, tensor)) = row else {
                return Some(key.span.start);
            };
            let own = group.get(&level).and_then(|table| table.key(tensor));
            return Some(own.map_or(key.span.start, |key| key.span.start));
        }
    }
    None
}
