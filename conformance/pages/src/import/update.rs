//! Bringing a file of the specification up to what pages say: splices, so that comments and everything written by hand
//! stay.

use std::collections::{BTreeMap, BTreeSet};

use dml_spec::model::{Catalog, Operator, SupportRow};
use dml_spec_yaml::tree::{
    Node, read,
    splice::{Edits, SpliceError, quote},
};

use super::{
    binding, cases,
    create::{self, Written},
    drift,
    facts::{self, Column, Facts, Key},
    groups,
    merge::{self, Merged},
    page::{OWN_LOCALE, Row, SharedProperty, Spot, Table},
    recorded, shared_properties, sources, yaml_items,
};

/// Omitted examples, by their names, with the reasons.
pub type Without = BTreeMap<String, String>;

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
) -> Result<Written, SpliceError> {
    let without = Without::new();
    let mut work = Work::new((text, root), catalog, operator, merged, &without);
    work.update_sources()?;
    work.note_descriptor_changes();
    work.add_constraints()?;
    work.update_tables()?;
    work.extend_lists()?;
    work.note_missing();
    work.finish()
}

/// Writes the text of a new operator file: the facts of the pages as data, everything else marked as to be done.
///
/// # Errors
/// If what the pages say cannot be put into a file.
pub fn create_file(catalog: &Catalog, merged: &Merged<'_>, without: &Without) -> Result<Written, SpliceError> {
    let blank = Operator::default();
    let names = sources::name_sources(&blank, merged);
    let head = create::write_head(catalog, merged, &names);
    let root = read::parse(&head.text).0;
    let root = root.ok_or_else(|| SpliceError::NoSuchPath(String::new()))?;
    let mut work = Work::new((&head.text, &root), catalog, &blank, merged, without);
    work.notes.extend(head.notes);
    work.add_constraints()?;
    work.add_binding()?;
    if let (Some(page), Some(source)) = (merged.pages.first(), names.first()) {
        work.tail += &create::write_tables(page, source, &mut work.notes);
        work.tail += &cases::write_cases(page);
    }
    work.extend_lists()?;
    work.finish()
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
    /// Hashes of the sentences that new clauses cite.
    cited: BTreeSet<&'a str>,
    /// Hashes of sentences that say again what a new clause says, with its id.
    said: BTreeMap<&'a str, String>,
    without: &'a Without,
    /// Entries under `superseded` for examples that cannot be used.
    left_out: Vec<String>,
}

impl<'a> Work<'a> {
    fn new(
        (text, root): (&'a str, &'a Node),
        catalog: &'a Catalog,
        operator: &'a Operator,
        merged: &'a Merged<'a>,
        without: &'a Without,
    ) -> Self {
        Self {
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
            cited: BTreeSet::new(),
            said: BTreeMap::new(),
            without,
            left_out: Vec::new(),
        }
    }

    /// The text with all changes; new lists come last.
    fn finish(mut self) -> Result<Written, SpliceError> {
        let gap = if self.text.ends_with('\n') || self.tail.is_empty() {
            ""
        } else {
            "\n"
        };
        let end = self.text.len();
        self.edits.replace(end..end, format!("{gap}{}", self.tail));
        Ok(Written {
            notes: self.notes,
            text: self.edits.apply()?,
        })
    }

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
        for (key, (fact, page)) in &self.merged.facts {
            let is_kind = matches!(key, Key::Cell { column, .. } if *column == Column::Kind);
            let by_hand = is_kind || matches!(key, Key::Introduced | Key::Order | Key::Field(_));
            if by_hand && self.is_news(*page, key) {
                let old = self.known.get(key).map_or("nothing", |old| old.value.as_str());
                let new = &fact.value;
                self.notes
                    .push(format!("{key}: {old} here, {new} on the page; change it by hand"));
            }
        }
    }

    /// Whether a page's fact is followed, and is neither in the file nor recorded there as superseded.
    fn is_news(&self, page: usize, key: &Key) -> bool {
        let known = self.known.get(key).map(|old| &old.value);
        let fact = self.merged.follows(page, key);
        fact.is_some_and(|fact| known != Some(&fact.value) && !drift::is_recorded(self.operator, key, &fact.value))
    }

    fn add_constraints(&mut self) -> Result<(), SpliceError> {
        let classes = shared_properties::find_classes(self.operator);
        let prefix = format!("{}/", self.operator.name);
        let ids = self.operator.clauses.iter();
        let mut taken: Vec<String> = ids.map(|c| c.id.trim_start_matches(&prefix).to_owned()).collect();
        let mut added: Vec<(&SharedProperty, String)> = Vec::new();
        for (index, page) in self.merged.pages.iter().enumerate() {
            for Spot { value: same, at } in &page.constraints {
                if let Some((_, id)) = added.iter().find(|(known, _)| known.implies(same)) {
                    self.said.insert(&at.sha256, id.clone());
                    continue;
                }
                let key = Key::SharedProperty(same.clone());
                if !self.is_news(index, &key) || merge::is_implied(&classes, &key) {
                    continue;
                }
                self.cited.insert(&at.sha256);
                let Some(rule) = yaml_items::write_rule(same, &page.fields) else {
                    let (file, line, tensors) = (&page.file, at.line, same.tensors.join(", "));
                    self.notes.push(format!(
                        "{file}:{line}: not every one of {tensors} is a field; left out"
                    ));
                    continue;
                };
                let id = yaml_items::choose_clause_id(same, &taken);
                let constraint = yaml_items::same_property(&id, same, rule, at);
                self.append_item("clauses", &constraint.lines(&self.name_source(index)))?;
                added.push((same, id.clone()));
                taken.push(id);
            }
        }
        Ok(())
    }

    /// What the first page asks of descriptors besides.
    fn add_binding(&mut self) -> Result<(), SpliceError> {
        let Some(page) = self.merged.pages.first() else {
            return Ok(());
        };
        let mut ids = BTreeSet::new();
        for constraint in binding::list_constraints(page, &mut self.notes) {
            if !ids.insert(constraint.id.clone()) {
                self.said.insert(&constraint.at.sha256, constraint.id);
                continue;
            }
            self.cited.insert(&constraint.at.sha256);
            self.append_item("clauses", &constraint.lines(&self.name_source(0)))?;
        }
        Ok(())
    }

    fn update_tables(&mut self) -> Result<(), SpliceError> {
        let rows = groups::list_rows(self.catalog, self.operator);
        for (index, page) in self.merged.pages.iter().enumerate() {
            for table in &page.tables {
                let Some(level) = page.level_of(&table.value) else {
                    continue;
                };
                let functions = &table.value.functions;
                let of_group: Vec<_> = rows.iter().filter(|(of, ..)| of == functions).collect();
                if of_group.is_empty() && !functions.is_empty() {
                    let functions = functions.join("+");
                    self.notes
                        .push(format!("tables for {functions}: no group is for these functions"));
                    continue;
                }
                let group = of_group.first().map_or("", |(_, _, row)| row.group.as_ref());
                let columns = [Column::Dimensions, Column::Types, Column::Shape];
                let key = |row: &Row, column| Key::cell(functions, level, &row.tensor, column);
                let is_news = |row: &&Row| columns.iter().any(|column| self.is_news(index, &key(row, *column)));
                let changed: Vec<&Row> = table.value.rows.iter().filter(is_news).collect();
                let at_level = || of_group.iter().filter(|(_, at, _)| *at == level);
                if !changed.is_empty() && at_level().next().is_none() {
                    self.add_table(group, &level.to_string(), index, table)?;
                    continue;
                }
                for row in changed {
                    if let Some((.., old)) = at_level().find(|(.., old)| old.tensor == row.tensor.as_str()) {
                        self.update_row(group, &level.to_string(), row, old);
                    }
                }
            }
        }
        Ok(())
    }

    /// Changes the cells of a row that differ.
    fn update_row(&mut self, group: &str, level: &str, row: &Row, old: &SupportRow) {
        let support = self.root.get("support");
        let support = support.and_then(|all| if group.is_empty() { Some(all) } else { all.get(group) });
        let Some(node) = support.and_then(|tables| tables.get(level)?.get(&row.tensor)) else {
            return;
        };
        // An unknown data type is reported when the file is loaded again.
        let mut new: Vec<&str> = row.types.iter().map(String::as_str).collect();
        let mut before: Vec<&str> = old.types.iter().map(AsRef::as_ref).collect();
        let text = new.join(", ");
        new.sort_unstable();
        before.sort_unstable();
        // An empty cell says nothing: what stands in the file was found out otherwise.
        if let (true, Some(types)) = (!new.is_empty() && new != before, node.get("types")) {
            self.edits.replace(types.span.clone(), format!("[{text}]"));
        }
        let counts = row.dimensions.filter(|counts| *counts != old.dimensions);
        if let (Some(counts), Some(cell)) = (counts, node.get("dimensions")) {
            self.edits.replace(cell.span.clone(), facts::format_dimensions(counts));
        }
        let shape = row.shape.as_ref().filter(|shape| **shape != old.shape);
        match (shape, node.get("shape"), node.get("types")) {
            (Some(shape), Some(cell), _) => self.edits.replace(cell.span.clone(), quote(shape)),
            (Some(shape), None, Some(types)) => {
                let end = types.span.end;
                self.edits.replace(end..end, format!(", shape: {}", quote(shape)));
            }
            _ => {}
        }
    }

    /// Adds a table.
    fn add_table(&mut self, group: &str, level: &str, page: usize, table: &Spot<Table>) -> Result<(), SpliceError> {
        let (path, indent) = match group {
            "" => ("support".to_owned(), "    "),
            _ => (format!("support.{group}"), "      "),
        };
        let citation = yaml_items::format_citation(&self.name_source(page), &table.at);
        let mut value = format!("\n{indent}source: {citation}");
        for row in &table.value.rows {
            value += &format!("\n{indent}{}: {}", row.tensor, yaml_items::format_row(row));
        }
        self.edits.add_key(&path, level, &value)
    }

    /// Adds to examples, ledger and superseded facts.
    fn extend_lists(&mut self) -> Result<(), SpliceError> {
        self.update_examples()?;
        self.extend_ledger()?;
        self.extend_superseded()
    }

    fn update_examples(&mut self) -> Result<(), SpliceError> {
        let known_left_out = drift::find_left_out_examples(self.operator, self.merged);
        let numbers = facts::number_examples(self.operator);
        let mut taken: Vec<String> = self.operator.examples.iter().map(|e| e.name.to_string()).collect();
        for (index, page) in self.merged.pages.iter().enumerate() {
            for (number, Spot { value: example, at }) in (1..).zip(&page.examples) {
                let mut changed = example.values.clone();
                changed.retain(|(field, _)| {
                    let field = field.clone();
                    self.is_news(index, &Key::Example { number, field })
                });
                if changed.is_empty() || known_left_out.contains(&number) {
                    continue;
                }
                let old = numbers.iter().position(|known| *known == number);
                if let Some(node) = old.and_then(|old| self.root.at(&format!("examples[{old}]"))) {
                    for (name, value) in &changed {
                        let field = page.fields.iter().find(|f| f.value.name == *name);
                        if let (Some(old), Some(field)) = (node.get(name), field) {
                            let text = yaml_items::format_example_value(value, &field.value.kind);
                            self.edits.replace(old.span.clone(), text);
                        }
                    }
                    continue;
                }
                let (name, source) = (
                    yaml_items::choose_example_name(&at.anchor, number, &taken),
                    self.name_source(index),
                );
                if let Some(why) = example.unusable.as_ref().or(self.without.get(&name)) {
                    let (file, line) = (&page.file, at.line);
                    self.notes
                        .push(format!("{file}:{line}: this example is left out: {why}"));
                    let followed = self.merged.facts.iter().map(|(key, (fact, _))| (key, fact));
                    let (fact, value) = recorded::record_example(followed, number);
                    let entry = yaml_items::format_superseded(&source, &fact, &value, yaml_items::LEFT_OUT);
                    self.left_out.push(entry);
                } else {
                    let lines = yaml_items::format_example(&name, example, page, &source, at);
                    self.append_item("examples", &lines)?;
                }
                taken.push(name);
            }
        }
        Ok(())
    }

    fn extend_ledger(&mut self) -> Result<(), SpliceError> {
        let (Some(page), source) = (self.merged.pages.first(), self.name_source(0)) else {
            return Ok(());
        };
        let is_new = self.operator.fields.is_empty();
        if page.locale == OWN_LOCALE && !is_new {
            return Ok(());
        }
        let recorded = self.operator.sources.iter().find(|known| known.name == source.as_str());
        let orphaned = recorded
            .iter()
            .flat_map(|known| drift::find_orphaned_clauses(self.operator, known, page));
        for (clause, _) in orphaned {
            let (id, file) = (&clause.id, &page.file);
            self.notes.push(format!(
                "{id}: its sentence changed or is gone; where the clause still says it: dml-cts spec accept {id} --page {file}"
            ));
        }
        let mut entries: Vec<String> = Vec::new();
        for sentence in drift::find_unknown_sentences(self.operator, page) {
            let clause = self.said.get(sentence.at.sha256.as_str());
            let clause = clause.map_or(yaml_items::TODO, String::as_str);
            let entry = yaml_items::format_ledger_entry(&source, sentence, clause);
            if !self.cited.contains(sentence.at.sha256.as_str()) && !entries.contains(&entry) {
                entries.push(entry);
            }
        }
        self.append_entries("ledger", &entries)
    }

    fn extend_superseded(&mut self) -> Result<(), SpliceError> {
        let winner = self.name_source(0);
        let mut entries = Vec::new();
        for conflict in &self.merged.conflicts {
            if !drift::is_recorded(self.operator, &conflict.key, &conflict.fact.value) {
                let (source, fact) = (self.name_source(conflict.page), conflict.key.to_string());
                entries.push(yaml_items::format_superseded(
                    &source,
                    &fact,
                    &conflict.fact.value,
                    &winner,
                ));
            }
        }
        entries.append(&mut self.left_out);
        self.append_entries("superseded", &entries)
    }

    /// Notes what the pages do not state any more.
    fn note_missing(&mut self) {
        let missing = drift::find_missing_facts(&self.known, self.merged);
        let notes = missing.map(|(key, fact)| format!("{key}: {} here, not on the pages; kept", fact.value));
        self.notes.extend(notes);
    }

    fn name_source(&self, page: usize) -> String {
        self.sources.get(page).cloned().unwrap_or_default()
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
