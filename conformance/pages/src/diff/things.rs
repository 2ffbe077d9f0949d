//! A specification as things that are compared: ids with properties.

use dml_spec::model::{
    CaseModel, Catalog, Citation, Clause, ExampleValue, Operator, Source, SupportTable, Text, dimension_cell_id,
    type_cell_id,
};

use super::Section;
use crate::{citations::refresh::format_place, import::facts};
use dml_case::clause::{applies_word, kind_word, retired, status_word};

/// A thing in the form in which it is compared: its id, and its properties in order. Empty properties count as absent.
#[derive(PartialEq)]
pub(super) struct Thing {
    pub(super) section: Section,
    pub(super) id: String,
    pub(super) properties: Vec<(&'static str, String)>,
}

/// Things under construction.
#[derive(Default)]
struct Things(Vec<Thing>);

impl Things {
    fn add<const N: usize>(
        &mut self,
        section: Section,
        id: impl Into<String>,
        properties: [(&'static str, String); N],
    ) {
        self.0.push(Thing {
            section,
            id: id.into(),
            properties: properties.into(),
        });
    }
}

fn join<T: ToString>(items: impl IntoIterator<Item = T>, between: &str) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    items.join(between)
}

fn format_texts(name: &Text, texts: &[(Text, Text)]) -> String {
    format!("{name} {{{}}}", join_pairs(texts))
}

fn join_pairs(pairs: &[(Text, Text)]) -> String {
    join(pairs.iter().map(|(a, b)| format!("{a}: {b}")), "; ")
}

/// Levels, data types, enumerations, sources and clauses of all operators.
pub(super) fn describe_shared(catalog: &Catalog) -> Vec<Thing> {
    let mut things = Things::default();
    for level in catalog.levels.iter() {
        let release = level.release.to_string();
        things.add(
            Section::Shared,
            format!("level {}", level.level),
            [("release", release)],
        );
    }
    for data_type in catalog.data_types.iter() {
        let properties = [
            ("value", data_type.value.to_string()),
            ("bits", data_type.bits.to_string()),
            ("class", format!("{:?}", data_type.class).to_lowercase()),
            ("introduced", data_type.introduced.to_string()),
        ];
        things.add(Section::Shared, format!("data type {}", data_type.name), properties);
    }
    for of in catalog.enums.iter() {
        let members = join(of.members.iter().map(|m| format!("{} = {}", m.name, m.value)), ", ");
        things.add(Section::Shared, &*of.name, [("members", members)]);
    }
    add_sources(&mut things, "directml.yaml", &catalog.sources);
    catalog
        .tensor_clauses
        .iter()
        .for_each(|clause| add_clause(&mut things, clause));
    things.0
}

/// An operator and its parts.
pub(super) fn describe_operator(operator: &Operator) -> Vec<Thing> {
    let (mut things, owner) = (Things::default(), &operator.name);
    let properties = [
        ("type", operator.type_value.to_string()),
        ("introduced", operator.introduced.to_string()),
        ("says", operator.says.to_string()),
        ("order", join(operator.fields.iter().map(|f| &f.name), " ")),
    ];
    things.add(Section::Operators, &**owner, properties);
    add_sources(&mut things, owner, &operator.sources);
    for field in operator.fields.iter() {
        let properties = [
            ("kind", facts::format_kind(&field.kind, field.optional)),
            ("compare", join(field.compare.iter().map(|c| format!("{c:?}")), "")),
            ("in place", field.in_place.join(", ")),
            ("says", field.says.to_string()),
        ];
        things.add(Section::Fields, format!("{owner}.{}", field.name), properties);
    }
    operator
        .clauses
        .iter()
        .for_each(|clause| add_clause(&mut things, clause));
    for mistake in operator.mistakes.iter() {
        let properties = [
            ("says", mistake.says.to_string()),
            ("block", join(mistake.block.iter().map(ToString::to_string), " ")),
            ("meaning", join_pairs(&mistake.meaning)),
            ("any", join_pairs(&mistake.any)),
        ];
        things.add(Section::Mistakes, format!("{owner}/{}", mistake.name), properties);
    }
    for group in operator.groups.iter() {
        let when = group.when.to_string();
        things.add(
            Section::Tables,
            format!("{owner} group {}", group.name),
            [("when", when)],
        );
    }
    operator
        .support
        .iter()
        .for_each(|table| add_table(&mut things, owner, table));
    for example in operator.examples.iter() {
        let value = |(name, value): &(Text, ExampleValue)| format!("{name}: {}", facts::format_example_value(value));
        let properties = [
            ("source", join(example.source.iter().map(format_citation), "")),
            ("values", join(example.values.iter().map(value), "; ")),
        ];
        things.add(
            Section::Examples,
            format!("{owner}/examples/{}", example.name),
            properties,
        );
    }
    add_cases(&mut things, owner, &operator.cases);
    for entry in operator.ledger.iter() {
        let id = format!("{owner} {}", format_citation(&entry.source));
        things.add(Section::Ledger, id, [("clause", entry.clause.to_string())]);
    }
    for entry in operator.superseded.iter() {
        let id = format!("{owner} {} of {}", entry.fact, entry.source);
        let properties = [("value", entry.value.to_string()), ("by", entry.by.to_string())];
        things.add(Section::Superseded, id, properties);
    }
    things.0
}

fn add_sources(things: &mut Things, owner: &str, sources: &[Source]) {
    for source in sources {
        let properties = [
            ("page", source.page.to_string()),
            ("locale", source.locale.to_string()),
            ("revision", source.revision.to_string()),
            ("facts", source.facts.chars().take(8).collect()),
        ];
        things.add(Section::Sources, format!("{owner} {}", source.name), properties);
    }
}

fn add_clause(things: &mut Things, clause: &Clause) {
    let observed = clause.observed.iter().map(|seen| {
        let rule = join(seen.rule.iter().map(|rule| format!(" [{rule}]")), "");
        let erratic = if seen.erratic { " [erratic]" } else { "" };
        format!("{} ({}): {}{rule}{erratic}", seen.runtime, seen.date, seen.says)
    });
    let history = clause.history.iter().map(|c| format!("{}: {}", c.date, c.change));
    let properties = [
        ("kind", kind_word(clause.kind).to_owned()),
        ("status", status_word(clause.status).to_owned()),
        ("says", clause.says.to_string()),
        ("applies", applies_word(clause.applies).to_owned()),
        ("structural", if clause.structural { "true" } else { "" }.to_owned()),
        ("needs", clause.needs.join(", ")),
        ("rule", clause.rule.as_deref().unwrap_or_default().to_owned()),
        ("class", clause.class.join(", ")),
        (
            "holds",
            join(
                clause.holds.iter().map(|it| format_texts(&it.name, &it.conditions)),
                "; ",
            ),
        ),
        (
            "tells",
            join(clause.tells.iter().map(|it| format_texts(&it.name, &it.instead)), "; "),
        ),
        ("source", join(clause.source.iter().map(format_citation), "")),
        ("observed", join(observed, "; ")),
        ("history", join(history, "; ")),
        ("retired", clause.retired.as_deref().map(retired).unwrap_or_default()),
    ];
    things.add(Section::Clauses, &*clause.id, properties);
}

/// A table, and each of its rows with the cells that it allows.
fn add_table(things: &mut Things, owner: &str, table: &SupportTable) {
    let differs = table.differs.iter().map(|d| {
        let (types, tensors) = (d.types.join(" "), d.tensors.join(", "));
        format!("{} ({}): {types} of {tensors}: {}", d.runtime, d.date, d.says)
    });
    let rows = table.rows.iter().filter_map(|row| row.source.as_ref());
    let mut sources: Vec<String> = table.source.iter().chain(rows).map(format_citation).collect();
    sources.dedup();
    let shaped = table.rows.iter().filter(|row| !row.shape.is_empty());
    let properties = [
        ("source", sources.join("; ")),
        (
            "shapes",
            join(shaped.map(|row| format!("{} {}", row.tensor, row.shape)), "; "),
        ),
        ("differs", join(differs, "; ")),
    ];
    things.add(Section::Tables, format!("{owner}/{}", table.level), properties);
    for row in table.rows.iter() {
        let id = type_cell_id(owner, table.level, row, "");
        let counts = (row.dimensions.0..=row.dimensions.1).map(|count| {
            let cell = dimension_cell_id(owner, table.level, row, count);
            cell.rsplit('/').next().unwrap_or_default().to_owned()
        });
        let cells = join(row.types.iter().map(ToString::to_string).chain(counts), " ");
        things.add(Section::Cells, id.trim_end_matches('/'), [("cells", cells)]);
    }
}

fn add_cases(things: &mut Things, owner: &str, cases: &CaseModel) {
    let lanes = cases
        .lanes
        .iter()
        .map(|lanes| format!("axis {}, k {}", lanes.axis, lanes.k));
    let nested = cases.nested.iter();
    let nested = nested.map(|n| format!("{}: {} {}", n.name, n.operator, join_pairs(&n.attributes)));
    let properties = [
        (
            "keys",
            join(cases.keys.iter().map(|k| format!("{}: {}", k.name, k.sets)), "; "),
        ),
        ("derive", join_pairs(&cases.derive)),
        ("lanes", join(lanes, "")),
        ("nested", join(nested, "; ")),
        ("values", cases.values.to_string()),
        ("bounds", join_pairs(&cases.bounds)),
    ];
    if properties.iter().any(|(_, value)| !value.is_empty()) {
        things.add(Section::Parameters, format!("{owner} cases"), properties);
    }
    for of in cases.together.iter() {
        let properties = [("because", of.because.to_string()), ("values", join_pairs(&of.values))];
        things.add(Section::Parameters, format!("{owner}:{}", of.name), properties);
    }
    for parameter in cases.parameters.iter() {
        let values = [("values", parameter.values.join("; "))];
        things.add(Section::Parameters, format!("{owner}:{}", parameter.name), values);
    }
}

/// `en-2022 Axis sentence 2 d0461cff`.
fn format_citation(citation: &Citation) -> String {
    let hash: String = citation.sha256.chars().take(8).collect();
    let place = format_place(&citation.anchor, citation.sentence);
    format!("{} {place} {hash}", citation.source).trim_end().to_owned()
}
