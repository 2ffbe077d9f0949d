//! The parts of a new file of the specification that are not lists: head, sources, fields and tables.

use dml_spec::model::{Catalog, ExampleValue, FieldKind, Role};
use dml_spec_yaml::tree::splice::scalar;

use super::{
    facts::Key,
    merge::{self, Merged},
    page::{Claim, Page, PageField, Property, Spot, Table},
    sources, yaml_items,
};

/// What an import writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The whole text.
    pub text: String,
    /// The work left to the user.
    pub notes: Vec<String>,
}

/// Writes the start of the file. `names` are those of the sources.
pub(super) fn write_head(catalog: &Catalog, merged: &Merged<'_>, names: &[String]) -> Written {
    let mut out = Written::default();
    let Some(page) = merged.pages.first() else {
        return out;
    };
    let constant = format!("DML_OPERATOR_{}", page.operator);
    let types = catalog.enumeration("DML_OPERATOR_TYPE");
    let member = types.and_then(|all| all.members.iter().find(|m| m.name == constant));
    if member.is_none() {
        let note = format!("{constant} is not in directml.yaml: give `type` by hand");
        out.notes.push(note);
    }
    let introduced = merged.facts.get(&Key::Introduced).map(|(fact, _)| fact.value.clone());
    let first = || merge::list_levels(page).first().map(ToString::to_string);
    let introduced = introduced.or_else(first).unwrap_or_else(|| {
        let note = "the level of introduction is not on the pages: give `introduced` by hand";
        out.notes.push(note.to_owned());
        "1.0".to_owned()
    });
    out.text += &format!(
        "# DML_{name}_OPERATOR_DESC, as imported; write `says` and `compare` by hand.\n\
         operator: {name}\ntype: {}\nintroduced: \"{introduced}\"\nsays: Not described yet.\n\nsources:\n",
        member.map(|m| m.value).unwrap_or_default(),
        name = page.operator,
    );
    for (page, name) in merged.pages.iter().zip(names) {
        out.text += &format!("  {name}: {}\n", sources::format_source(page));
    }
    out.text += "\nfields: # struct order\n";
    let from = merged.pages.iter().find(|page| !page.fields.is_empty());
    for (page, field) in from
        .iter()
        .flat_map(|page| page.fields.iter().map(move |field| (page, field)))
    {
        out.text += &format!("  - {}\n", format_field(page, &field.value));
    }
    out
}

fn format_field(page: &Page, field: &PageField) -> String {
    let mut text = format!("{{name: {}, kind: {}", field.name, field.kind.word());
    if let Some((key, value)) = field.kind.named() {
        text += &format!(", {key}: {value}");
    }
    if field.optional {
        text += ", optional: true";
    }
    if field.kind.role() == Some(Role::Output) {
        let inputs = list_shared(page, field);
        if !inputs.is_empty() {
            text += &format!(", in_place: [{}]", inputs.join(", "));
        }
        text += ", compare: exact";
    }
    text + ", says: Not described yet.}"
}

/// The inputs in whose memory the only output of a page may lie: those of its data type, where the page speaks of types.
fn list_shared<'a>(page: &'a Page, output: &PageField) -> Vec<&'a str> {
    let mut outputs = page.fields.iter().filter(|f| f.value.kind.role() == Some(Role::Output));
    let inputs = page.claims.iter().find_map(|claim| match &claim.value {
        Claim::InPlace { may: true, inputs } => Some(inputs),
        _ => None,
    });
    let (Some(inputs), Some(only), None) = (inputs, outputs.next(), outputs.next()) else {
        return Vec::new();
    };
    if only.value.kind != FieldKind::Tensor(Role::Output) {
        return Vec::new();
    }
    let mut shared = page.constraints.iter().map(|same| &same.value);
    let is_said = shared.any(|same| same.property == Property::DataType);
    let is_like = |input: &&str| !is_said || page.shares(Property::DataType, input, &output.name);
    inputs.iter().map(String::as_str).filter(is_like).collect()
}

/// Writes the tables of a page, those of functions in groups.
pub(super) fn write_tables(page: &Page, source: &str, notes: &mut Vec<String>) -> String {
    let mut tables: Vec<(&[String], String, &Spot<Table>)> = Vec::new();
    for table in &page.tables {
        let functions = table.value.functions.as_slice();
        let level = page.level_of(&table.value);
        let level = level.map_or_else(|| "1.0".to_owned(), |level| level.to_string());
        if tables.iter().any(|(of, at, _)| *of == functions && *at == level) {
            let (file, line) = (&page.file, table.at.line);
            notes.push(format!("{file}:{line}: a second table for level {level}; left out"));
        } else {
            tables.push((functions, level, table));
        }
    }
    tables.sort_by(|a, b| (a.0, a.2.value.level, &a.1).cmp(&(b.0, b.2.value.level, &b.1)));
    let mut text = "\nsupport:\n".to_owned();
    let mut group: &[String] = &[];
    for (functions, level, table) in tables {
        let indent = if functions.is_empty() { "  " } else { "    " };
        if group != functions {
            let name = functions.join("-").to_ascii_lowercase().replace('_', "-");
            let (name, names) = (scalar(&name), functions.join(", "));
            text += &format!("  {name}:\n    when: {} in {{{names}}}\n", find_enumeration(page));
            group = functions;
        }
        let citation = yaml_items::format_citation(source, &table.at);
        text += &format!("{indent}\"{level}\":\n{indent}  source: {citation}\n");
        for field in page.fields.iter().filter(|f| f.value.kind.role().is_some()) {
            let name = &field.value.name;
            match table.value.rows.iter().find(|row| row.tensor == *name) {
                Some(row) => {
                    let mut row = row.clone();
                    if row.types.is_empty() {
                        row.types = types_of_examples(page, name);
                        let (file, line) = (&page.file, row.line);
                        notes.push(format!(
                            "{file}:{line}: no data types of {name}; the file gets those of the examples"
                        ));
                    }
                    text += &format!("{indent}  {name}: {}\n", yaml_items::format_row(&row));
                }
                None => {
                    let (file, line) = (&page.file, table.at.line);
                    notes.push(format!(
                        "{file}:{line}: the table of level {level} has no row for {name}"
                    ));
                }
            }
        }
    }
    text
}

/// The data types that a tensor has in the examples of a page, each once.
fn types_of_examples(page: &Page, tensor: &str) -> Vec<String> {
    let mut types: Vec<String> = Vec::new();
    let values = page.examples.iter().flat_map(|example| &example.value.values);
    for (_, value) in values.filter(|(name, _)| name == tensor) {
        let given = match value {
            ExampleValue::Tensor(tensor) => std::slice::from_ref(tensor),
            ExampleValue::Tensors(tensors) => tensors,
            _ => &[],
        };
        types.extend(given.iter().map(|tensor| tensor.data_type.to_string()));
    }
    types.sort_unstable();
    types.dedup();
    types
}

/// The field whose values the sections of the tables name.
fn find_enumeration(page: &Page) -> &str {
    let is_enum = |field: &&Spot<PageField>| matches!(field.value.kind, FieldKind::Enum(_));
    let field = page.fields.iter().find(is_enum);
    field.map_or("Function", |field| &field.value.name)
}
