//! Bringing a file of the specification up to what pages say: splices, so that comments and everything written by hand
//! stay.

use std::collections::BTreeSet;

use dml_spec::model::{Catalog, Operator, SupportRow};
use dml_spec_yaml::tree::{
    Node,
    splice::{Edits, SpliceError, quote},
};

use super::{
    drift,
    facts::{self, Column, Facts, Key},
    groups,
    merge::{self, Merged},
    page::{OWN_LOCALE, Page, PageExample, PageField, Row, Spot, Table},
    recorded, shared_properties, sources, yaml_items,
};

/// A file after an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Updated {
    /// The whole text.
    pub text: String,
    /// The facts of the pages, and the work left to the user.
    pub notes: Vec<String>,
}

/// Writes the facts of the pages into the text of an operator's file: sources, tables, examples, shared properties, the
/// ledger, and what other pages state differently. What the pages do not state any more stays, and is noted.
///
/// # Errors
/// If the file is written in a form that cannot be spliced.
pub fn update_file(
    text: &str,
    root: &Node,
    catalog: &Catalog,
    operator: &Operator,
    merged: &Merged<'_>,
) -> Result<Updated, SpliceError> {
    let mut work = Work {
        edits: Edits::new(text, root),
        root,
        text,
        begun: Vec::new(),
        tail: String::new(),
        operator,
        merged,
        known: facts::collect_operator_facts(catalog, operator),
        catalog,
        sources: sources::name_sources(operator, merged),
        notes: Vec::new(),
        known_left_out: drift::find_left_out_examples(operator, merged),
        left_out: Vec::new(),
    };
    work.update_sources()?;
    work.note_descriptor_changes();
    work.update_tables()?;
    work.add_constraints()?;
    work.update_examples()?;
    work.extend_ledger()?;
    work.extend_superseded()?;
    work.note_missing();
    work.write_new_lists();
    Ok(Updated {
        notes: work.notes,
        text: work.edits.apply()?,
    })
}

struct Work<'a> {
    edits: Edits<'a>,
    root: &'a Node,
    text: &'a str,
    /// New lists and their text. It is inserted after what is added to existing lists.
    begun: Vec<&'static str>,
    tail: String,
    catalog: &'a Catalog,
    operator: &'a Operator,
    merged: &'a Merged<'a>,
    known: Facts,
    /// Name of the source of each page.
    sources: Vec<String>,
    notes: Vec<String>,
    /// Numbers of examples that the file says it cannot use.
    known_left_out: BTreeSet<usize>,
    /// Entries under `superseded` for examples that cannot be used.
    left_out: Vec<String>,
}

impl<'a> Work<'a> {
    fn update_sources(&mut self) -> Result<(), SpliceError> {
        for (page, name) in self.merged.pages.iter().zip(&self.sources) {
            if page.locale == OWN_LOCALE {
                continue;
            }
            let Some(node) = self.root.get("sources").and_then(|all| all.get(name)) else {
                self.edits.add_key("sources", name, &sources::format_source(page))?;
                continue;
            };
            for (key, value) in sources::list_keys(&recorded::record_page(page)) {
                match node.get(key) {
                    None => self.edits.add_key(&format!("sources.{name}"), key, &quote(value))?,
                    Some(old) if old.text() != Some(value) => {
                        self.edits.set_yaml(&format!("sources.{name}.{key}"), &quote(value))?;
                    }
                    Some(_) => {}
                }
            }
        }
        Ok(())
    }

    /// Level of introduction and fields: an import cannot change either.
    fn note_descriptor_changes(&mut self) {
        for (key, (fact, _)) in &self.merged.facts {
            let is_kind = matches!(key, Key::Cell { column, .. } if *column == Column::Kind);
            let by_hand = is_kind || matches!(key, Key::Introduced | Key::Order | Key::Field(_));
            let known = self.known.get(key).map(|old| old.value.as_str());
            if by_hand && known != Some(fact.value.as_str()) && !self.is_recorded(key, &fact.value) {
                let old = known.unwrap_or("nothing");
                self.notes.push(format!(
                    "{key}: {old} here, {} on the page; change it by hand",
                    fact.value
                ));
            }
        }
    }

    fn update_tables(&mut self) -> Result<(), SpliceError> {
        let pages = self.merged.pages.clone();
        for page in pages {
            for table in &page.tables {
                let Some(level) = table.value.level.or(page.introduced.as_ref().map(|l| l.value)) else {
                    continue;
                };
                let functions = table.value.functions.join("+");
                let rows = groups::list_rows(self.catalog, self.operator);
                let of_group: Vec<_> = rows.iter().filter(|(of, ..)| of.join("+") == functions).collect();
                if of_group.is_empty() && !functions.is_empty() {
                    self.notes
                        .push(format!("tables for {functions}: no group is for these functions"));
                    continue;
                }
                let group = of_group.first().map_or("", |(_, _, row)| row.group.as_ref());
                let followed = |row: &&Row| self.is_followed(&functions, level, row, page);
                let followed: Vec<&Row> = table.value.rows.iter().filter(followed).collect();
                if followed.is_empty() {
                    continue;
                }
                match of_group.iter().any(|(_, at, _)| *at == level) {
                    true => {
                        for row in followed {
                            let old = of_group
                                .iter()
                                .find(|(_, at, old)| *at == level && old.tensor == row.tensor.as_str());
                            if let Some((.., old)) = old {
                                self.update_row(group, &level.to_string(), row, old)?;
                            }
                        }
                    }
                    false => self.add_table(group, &level.to_string(), page, table)?,
                }
            }
        }
        Ok(())
    }

    /// Whether a row is followed, and states something new.
    fn is_followed(&self, functions: &str, level: dml_spec::FeatureLevel, row: &Row, page: &Page) -> bool {
        let columns = [Column::Dimensions, Column::Types, Column::Shape];
        columns.into_iter().any(|column| {
            let key = Key::Cell {
                functions: functions.to_owned(),
                level,
                tensor: row.tensor.clone(),
                column,
            };
            let Some((fact, from)) = self.merged.facts.get(&key) else {
                return false;
            };
            let this = self.merged.pages.get(*from).is_some_and(|p| std::ptr::eq(*p, page));
            let known = self.known.get(&key).is_some_and(|old| old.value == fact.value);
            this && !known && !self.is_recorded(&key, &fact.value)
        })
    }

    /// Changes the cells of a row that differ.
    fn update_row(&mut self, group: &str, level: &str, row: &Row, old: &SupportRow) -> Result<(), SpliceError> {
        let table = match group {
            "" => self.root.get("support").and_then(|s| s.get(level)),
            _ => self
                .root
                .get("support")
                .and_then(|s| s.get(group))
                .and_then(|g| g.get(level)),
        };
        let Some(node) = table.and_then(|t| t.get(&row.tensor)) else {
            return Ok(());
        };
        // An unknown data type is reported when the file is loaded again.
        let mut new: Vec<&str> = row.types.iter().map(String::as_str).collect();
        let mut before: Vec<&str> = old.types.iter().map(AsRef::as_ref).collect();
        let text = new.join(", ");
        new.sort_unstable();
        before.sort_unstable();
        if let (true, Some(types)) = (new != before, node.get("types")) {
            self.edits.replace(types.span.clone(), format!("[{text}]"));
        }
        let counts = row.dimensions.filter(|counts| *counts != old.dimensions);
        if let (Some(counts), Some(cell)) = (counts, node.get("dimensions")) {
            self.edits.replace(cell.span.clone(), facts::format_dimensions(counts));
        }
        let shape = row
            .shape
            .as_ref()
            .map(yaml_items::format_shape)
            .filter(|shape| *shape != old.shape);
        match (shape, node.get("shape"), node.get("types")) {
            (Some(shape), Some(cell), _) => self.edits.replace(cell.span.clone(), quote(&shape)),
            (Some(shape), None, Some(types)) => {
                self.edits
                    .replace(types.span.end..types.span.end, format!(", shape: {}", quote(&shape)));
            }
            _ => {}
        }
        Ok(())
    }

    /// Adds a table.
    fn add_table(&mut self, group: &str, level: &str, page: &Page, table: &Spot<Table>) -> Result<(), SpliceError> {
        let (path, indent) = match group {
            "" => ("support".to_owned(), "    "),
            _ => (format!("support.{group}"), "      "),
        };
        let source = self.find_source(page);
        let mut value = format!("\n{indent}source: {}", yaml_items::format_citation(&source, &table.at));
        for row in &table.value.rows {
            value += &format!("\n{indent}{}: {}", row.tensor, yaml_items::format_row(row));
        }
        self.edits.add_key(&path, level, value.trim_end())
    }

    fn add_constraints(&mut self) -> Result<(), SpliceError> {
        let classes = shared_properties::find_classes(self.operator);
        let prefix = format!("{}/", self.operator.name);
        let ids = self
            .operator
            .clauses
            .iter()
            .map(|c| c.id.trim_start_matches(&prefix).to_owned());
        let mut taken: Vec<String> = ids.collect();
        for page in self.merged.pages.clone() {
            let fields: Vec<&PageField> = page.fields.iter().map(|f| &f.value).collect();
            for spot in &page.constraints {
                let key = Key::SharedProperty {
                    tensors: spot.value.tensors.join(", "),
                    property: spot.value.property.name(),
                };
                let followed = self.merged.facts.get(&key).is_some_and(|(fact, from)| {
                    self.merged.pages.get(*from).is_some_and(|p| std::ptr::eq(*p, page))
                        && !self.is_recorded(&key, &fact.value)
                });
                if !followed || merge::is_implied(&classes, &key) {
                    continue;
                }
                match yaml_items::write_rule(&spot.value, &fields) {
                    None => self
                        .notes
                        .push(format!("{key}: not every one of them is a field; left out")),
                    Some(rule) => {
                        let id = yaml_items::choose_clause_id(&spot.value, &taken);
                        let lines =
                            yaml_items::format_clause(&id, &spot.value, &rule, &self.find_source(page), &spot.at);
                        self.append_item("clauses", &lines)?;
                        taken.push(id);
                    }
                }
            }
        }
        Ok(())
    }

    fn update_examples(&mut self) -> Result<(), SpliceError> {
        let mut taken: Vec<String> = self.operator.examples.iter().map(|e| e.name.to_string()).collect();
        for page in self.merged.pages.clone() {
            for (index, spot) in page.examples.iter().enumerate() {
                let number = index + 1;
                let changed: Vec<&str> = spot
                    .value
                    .values
                    .iter()
                    .map(|(name, _)| name.as_str())
                    .filter(|name| self.is_example_changed(page, number, name))
                    .collect();
                if changed.is_empty() {
                    continue;
                }
                let old = facts::number_examples(self.operator).iter().position(|n| *n == number);
                match old.and_then(|old| self.root.at(&format!("examples[{old}]"))) {
                    Some(node) => self.update_example(node, page, &spot.value, &changed),
                    None if spot.value.unusable.is_some() => {
                        let why = spot.value.unusable.as_deref().unwrap_or_default();
                        let place = format!("{}:{}", page.file, spot.at.line);
                        self.notes
                            .push(format!("{place}: the example cannot be used as it is written: {why}"));
                        let followed = self.merged.facts.iter().map(|(key, (fact, _))| (key, fact));
                        let (fact, value) = recorded::record_example(followed, number);
                        let source = self.find_source(page);
                        self.left_out.push(yaml_items::format_superseded(
                            &source,
                            &fact,
                            &value,
                            yaml_items::LEFT_OUT,
                        ));
                    }
                    None => {
                        let name = yaml_items::choose_example_name(&spot.at.anchor, number, &taken);
                        let lines =
                            yaml_items::format_example(&name, &spot.value, page, &self.find_source(page), &spot.at);
                        self.append_item("examples", &lines)?;
                        taken.push(name);
                    }
                }
            }
        }
        Ok(())
    }

    fn is_example_changed(&self, page: &Page, number: usize, field: &str) -> bool {
        let key = Key::Example {
            number,
            field: field.to_owned(),
        };
        self.merged.facts.get(&key).is_some_and(|(fact, from)| {
            self.merged.pages.get(*from).is_some_and(|p| std::ptr::eq(*p, page))
                && self.known.get(&key).is_none_or(|old| old.value != fact.value)
                && !self.is_recorded(&key, &fact.value)
                && !self.known_left_out.contains(&number)
        })
    }

    fn update_example(&mut self, node: &Node, page: &Page, example: &PageExample, changed: &[&str]) {
        for (name, value) in example
            .values
            .iter()
            .filter(|(name, _)| changed.contains(&name.as_str()))
        {
            let kind = page
                .fields
                .iter()
                .find(|f| f.value.name == *name)
                .map(|f| &f.value.kind);
            if let (Some(old), Some(kind)) = (node.get(name), kind) {
                self.edits
                    .replace(old.span.clone(), yaml_items::format_example_value(value, kind));
            }
        }
    }

    fn extend_ledger(&mut self) -> Result<(), SpliceError> {
        let Some((page, source)) = self.merged.pages.first().zip(self.sources.first()) else {
            return Ok(());
        };
        if page.locale == OWN_LOCALE {
            return Ok(());
        }
        let recorded = self.operator.sources.iter().find(|known| known.name == source.as_str());
        for (clause, _) in recorded
            .iter()
            .flat_map(|known| drift::find_orphaned_clauses(self.operator, known, page))
        {
            let id = &clause.id;
            self.notes.push(format!(
                "{id}: its sentence changed or is gone; where the clause still says it: dml-cts spec accept {id} --page {}",
                page.file
            ));
        }
        let mut seen = BTreeSet::new();
        let mut entries = Vec::new();
        for sentence in drift::find_unknown_sentences(self.operator, page) {
            if seen.insert(&sentence.at.sha256) {
                entries.push(yaml_items::format_ledger_entry(source, sentence));
            }
        }
        self.append_entries("ledger", &entries)
    }

    fn extend_superseded(&mut self) -> Result<(), SpliceError> {
        let winner = self.sources.first().cloned().unwrap_or_default();
        let mut entries = std::mem::take(&mut self.left_out);
        for conflict in &self.merged.conflicts {
            if let (false, Some(source)) = (
                self.is_recorded(&conflict.key, &conflict.fact.value),
                self.sources.get(conflict.page),
            ) {
                let fact = conflict.key.to_string();
                entries.push(yaml_items::format_superseded(
                    source,
                    &fact,
                    &conflict.fact.value,
                    &winner,
                ));
            }
        }
        self.append_entries("superseded", &entries)
    }

    /// Writes the new lists.
    fn write_new_lists(&mut self) {
        let gap = if self.text.ends_with('\n') || self.tail.is_empty() {
            ""
        } else {
            "\n"
        };
        let end = self.text.len();
        self.edits.replace(end..end, format!("{gap}{}", self.tail));
    }

    /// Notes what the pages do not state any more.
    fn note_missing(&mut self) {
        let absent = self
            .known
            .iter()
            .filter(|(key, _)| !self.merged.facts.contains_key(key));
        let told = absent.filter(|(key, _)| !matches!(key, Key::SharedProperty { .. }));
        let notes: Vec<String> = told
            .map(|(key, fact)| format!("{key}: {} here, not on the pages; kept", fact.value))
            .collect();
        self.notes.extend(notes);
    }

    fn is_recorded(&self, key: &Key, value: &str) -> bool {
        drift::is_recorded(self.operator, key, value)
    }

    fn find_source(&self, page: &Page) -> String {
        let index = self.merged.pages.iter().position(|p| std::ptr::eq(*p, page));
        index
            .and_then(|index| self.sources.get(index))
            .cloned()
            .unwrap_or_default()
    }

    /// Appends an item of several lines to a list of the file.
    fn append_item(&mut self, list: &'static str, lines: &[String]) -> Result<(), SpliceError> {
        self.append_entries(list, &[lines.join("\n    ")])
    }

    /// Appends entries to a list of the file, or to a new one after everything else.
    fn append_entries(&mut self, list: &'static str, entries: &[String]) -> Result<(), SpliceError> {
        if self.root.get(list).is_some() {
            return entries.iter().try_for_each(|entry| self.edits.append(list, entry));
        }
        for entry in entries {
            if !self.begun.contains(&list) {
                self.tail += &format!("\n{list}:\n");
                self.begun.push(list);
            }
            self.tail += &format!("  - {entry}\n");
        }
        Ok(())
    }
}
