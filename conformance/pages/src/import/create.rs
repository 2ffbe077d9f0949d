//! A new file of the specification from pages: their facts as data, everything else marked as to be done.

use std::collections::{BTreeMap, BTreeSet};

use dml_spec::model::{Catalog, FieldKind, Operator, Role};
use dml_spec_yaml::tree::splice::scalar;

use super::{
    drift,
    facts::{self, Key},
    merge::Merged,
    page::{Page, PageField, Table},
    recorded, sources,
    update::Updated,
    yaml_items,
};

/// Omitted examples, by their names, with the reasons.
pub type Without = BTreeMap<String, String>;

/// Writes the text of a new operator file.
pub fn create_file(catalog: &Catalog, merged: &Merged<'_>, without: &Without) -> Updated {
    let blank = Operator::default();
    let names = sources::name_sources(&blank, merged);
    let (Some(page), Some(source)) = (merged.pages.first(), names.first()) else {
        return Updated::default();
    };
    let mut out = Updated::default();
    write_head(&mut out, catalog, merged, page, &names);
    write_fields(&mut out, merged, page);
    write_constraints(&mut out, page, source);
    write_tables(&mut out, page, source);
    let left_out = write_examples(&mut out, page, source, without);
    let (mut ledger, mut seen): (Vec<String>, BTreeSet<String>) = Default::default();
    for sentence in drift::find_unknown_sentences(&blank, page) {
        let cited = page.constraints.iter().any(|c| c.at.sha256 == sentence.at.sha256);
        let entry = yaml_items::format_ledger_entry(source, sentence);
        if !cited && seen.insert(entry.clone()) {
            ledger.push(entry);
        }
    }
    write_list(&mut out.text, "ledger", &ledger);
    let otherwise = merged.conflicts.iter().filter_map(|conflict| {
        let name = names.get(conflict.page)?;
        Some(yaml_items::format_superseded(
            name,
            &conflict.key.to_string(),
            &conflict.fact.value,
            source,
        ))
    });
    let left_out = left_out.into_iter().map(|number| {
        let (fact, value) = recorded::record_example(facts::collect_page_facts(page).iter(), number);
        yaml_items::format_superseded(source, &fact, &value, yaml_items::LEFT_OUT)
    });
    let otherwise: Vec<String> = otherwise.chain(left_out).collect();
    write_list(&mut out.text, "superseded", &otherwise);
    out
}

fn write_list(text: &mut String, name: &str, entries: &[String]) {
    if !entries.is_empty() {
        text.push_str(&format!("\n{name}:\n"));
        entries
            .iter()
            .for_each(|entry| text.push_str(&format!("  - {entry}\n")));
    }
}

fn write_head(out: &mut Updated, catalog: &Catalog, merged: &Merged<'_>, page: &Page, names: &[String]) {
    let constant = format!("DML_OPERATOR_{}", page.operator);
    let types = catalog.enumeration("DML_OPERATOR_TYPE");
    let value = types
        .and_then(|all| all.members.iter().find(|m| m.name == constant))
        .map(|m| m.value);
    if value.is_none() {
        out.notes
            .push(format!("{constant} is not in directml.yaml: give `type` by hand"));
    }
    let introduced = merged.facts.get(&Key::Introduced).map(|(fact, _)| fact.value.clone());
    let first = || {
        page.tables
            .iter()
            .filter_map(|table| table.value.level)
            .min()
            .map(|level| level.to_string())
    };
    let introduced = introduced.or_else(first).unwrap_or_else(|| {
        out.notes
            .push("the level of introduction is not on the pages: give `introduced` by hand".to_owned());
        "1.0".to_owned()
    });
    out.text += &format!(
        "# DML_{name}_OPERATOR_DESC, as it was imported. `says` and `compare` are to be written by hand.\n\
         operator: {name}\ntype: {}\nintroduced: \"{introduced}\"\nsays: Not described yet.\n\nsources:\n",
        value.unwrap_or_default(),
        name = page.operator,
    );
    for (page, name) in merged.pages.iter().zip(names) {
        out.text += &format!("  {name}: {}\n", sources::format_source(page));
    }
}

fn write_fields(out: &mut Updated, merged: &Merged<'_>, page: &Page) {
    let from = merged
        .pages
        .iter()
        .find(|page| !page.fields.is_empty())
        .unwrap_or(&page);
    out.text += "\nfields: # struct order\n";
    for field in &from.fields {
        out.text += &format!("  - {}\n", self::format_field(&field.value));
    }
}

fn format_field(field: &PageField) -> String {
    let mut text = format!("{{name: {}, kind: {}", field.name, field.kind.word());
    if let Some((key, value)) = field.kind.named() {
        text += &format!(", {key}: {value}");
    }
    if field.optional {
        text += ", optional: true";
    }
    if field.kind.role() == Some(Role::Output) {
        text += ", compare: exact";
    }
    text + ", says: Not described yet.}"
}

fn write_constraints(out: &mut Updated, page: &Page, source: &str) {
    let fields: Vec<&PageField> = page.fields.iter().map(|f| &f.value).collect();
    let mut taken: Vec<String> = Vec::new();
    for spot in &page.constraints {
        let Some(rule) = yaml_items::write_rule(&spot.value, &fields) else {
            let tensors = spot.value.tensors.join(", ");
            out.notes.push(format!(
                "{}:{}: not every one of {tensors} is a field",
                page.file, spot.at.line
            ));
            continue;
        };
        if taken.is_empty() {
            out.text += "\nclauses:\n";
        }
        let id = yaml_items::choose_clause_id(&spot.value, &taken);
        let lines = yaml_items::format_clause(&id, &spot.value, &rule, source, &spot.at);
        out.text += &format!("  - {}\n", lines.join("\n    "));
        taken.push(id);
    }
}

fn write_tables(out: &mut Updated, page: &Page, source: &str) {
    let mut tables: Vec<(Vec<String>, String, &super::page::Spot<Table>)> = Vec::new();
    for table in &page.tables {
        let level = table.value.level.or(page.introduced.as_ref().map(|l| l.value));
        let functions = table.value.functions.clone();
        let level = level.map_or_else(|| "1.0".to_owned(), |level| level.to_string());
        if tables.iter().any(|(of, at, _)| *of == functions && *at == level) {
            out.notes.push(format!(
                "{}:{}: a second table for level {level}; left out",
                page.file, table.at.line
            ));
        } else {
            tables.push((functions, level, table));
        }
    }
    tables.sort_by(|a, b| (&a.0, a.2.value.level, &a.1).cmp(&(&b.0, b.2.value.level, &b.1)));
    out.text += "\nsupport:\n";
    let mut group: Option<Vec<String>> = None;
    for (functions, level, table) in tables {
        let indent = if functions.is_empty() { "  " } else { "    " };
        if !functions.is_empty() && group.as_ref() != Some(&functions) {
            let name = functions.join("-").to_ascii_lowercase().replace('_', "-");
            out.text += &format!(
                "  {}:\n    when: {} in {{{}}}\n",
                scalar(&name),
                find_enumeration(page),
                functions.join(", ")
            );
            group = Some(functions);
        }
        out.text += &format!(
            "{indent}\"{level}\":\n{indent}  source: {}\n",
            yaml_items::format_citation(source, &table.at)
        );
        for field in page.fields.iter().filter(|f| f.value.kind.role().is_some()) {
            match table.value.rows.iter().find(|row| row.tensor == field.value.name) {
                Some(row) => out.text += &format!("{indent}  {}: {}\n", row.tensor, yaml_items::format_row(row)),
                None => out.notes.push(format!(
                    "{}:{}: the table of level {level} has no row for {}",
                    page.file, table.at.line, field.value.name
                )),
            }
        }
    }
}

/// The field whose values the sections of the tables name.
fn find_enumeration(page: &Page) -> &str {
    let is_enum = |field: &&super::page::Spot<PageField>| matches!(field.value.kind, FieldKind::Enum(_));
    page.fields
        .iter()
        .find(is_enum)
        .map_or("Function", |field| &field.value.name)
}

/// Writes the examples; returns the numbers of those that are left out.
fn write_examples(out: &mut Updated, page: &Page, source: &str, without: &Without) -> Vec<usize> {
    let mut left_out = Vec::new();
    let mut taken: Vec<String> = Vec::new();
    let mut items = String::new();
    for (index, spot) in page.examples.iter().enumerate() {
        let name = yaml_items::choose_example_name(&spot.at.anchor, index + 1, &taken);
        match spot.value.unusable.as_ref().or(without.get(&name)) {
            Some(why) => {
                out.notes.push(format!(
                    "{}:{}: this example is left out: {why}",
                    page.file, spot.at.line
                ));
                left_out.push(index + 1);
            }
            None => {
                let lines = yaml_items::format_example(&name, &spot.value, page, source, &spot.at);
                items += &format!("  - {}\n", lines.join("\n    "));
            }
        }
        taken.push(name);
    }
    if !items.is_empty() {
        out.text += &format!("\nexamples:\n{items}");
    }
    left_out
}
