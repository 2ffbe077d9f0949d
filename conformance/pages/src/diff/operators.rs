//! Everything except clauses: the shared file, fields, tables, examples, and how cases are made.

use std::collections::BTreeMap;

use dml_spec::{
    FeatureLevel,
    model::{
        Catalog, Example, Field, LedgerEntry, Operator, Source, Superseded, SupportRow, dimension_cell_id, type_cell_id,
    },
};

use super::{
    Change, Detail, Entry, Section, Thing,
    clauses::{self, format_citation},
    compare_things as pair,
};
use crate::import::facts;

/// Levels, data types, enumerations and sources of all operators.
pub(super) fn compare_shared(old: &Catalog, new: &Catalog) -> Vec<Entry> {
    let things = |catalog: &Catalog| {
        let mut things: Vec<Thing> = Vec::new();
        let mut add = |id: String, properties| things.push(Thing { id, properties });
        for level in catalog.levels.iter() {
            add(
                format!("level {}", level.level),
                vec![("release", level.release.to_string())],
            );
        }
        for t in catalog.data_types.iter() {
            let properties = vec![
                ("value", t.value.to_string()),
                ("bits", t.bits.to_string()),
                ("class", format!("{:?}", t.class).to_lowercase()),
                ("introduced", t.introduced.to_string()),
            ];
            add(format!("data type {}", t.name), properties);
        }
        for e in catalog.enums.iter() {
            let members: Vec<String> = e.members.iter().map(|m| format!("{} = {}", m.name, m.value)).collect();
            add(e.name.to_string(), vec![("members", members.join(", "))]);
        }
        things
    };
    let mut entries = pair(Section::Shared, &things(old), &things(new));
    entries.extend(compare_sources("directml.yaml", &old.sources, &new.sources));
    entries
}

fn compare_sources(owner: &str, old: &[Source], new: &[Source]) -> Vec<Entry> {
    let thing = |s: &Source| Thing {
        id: format!("{owner} {}", s.name),
        properties: vec![
            ("page", s.page.to_string()),
            ("locale", s.locale.to_string()),
            ("revision", s.revision.to_string()),
            ("facts", s.facts.chars().take(8).collect()),
        ],
    };
    let things = |list: &[Source]| list.iter().map(thing).collect::<Vec<_>>();
    pair(Section::Sources, &things(old), &things(new))
}

/// Differences between two sides of an operator; either may be missing.
pub(super) fn compare_operator(old: Option<&Operator>, new: Option<&Operator>) -> Vec<Entry> {
    let none = Operator::default();
    let (a, b) = (old.unwrap_or(&none), new.unwrap_or(&none));
    let name = old.or(new).map(|o| o.name.to_string()).unwrap_or_default();
    let mut entries = pair(Section::Operators, &describe_operator(old), &describe_operator(new));
    entries.extend(compare_sources(&name, &a.sources, &b.sources));
    let fields = |o: &Operator| o.fields.iter().map(|f| describe_field(&name, f)).collect::<Vec<_>>();
    entries.extend(pair(Section::Fields, &fields(a), &fields(b)));
    entries.extend(clauses::compare_clauses(&a.clauses, &b.clauses));
    entries.extend(compare_cells(&name, a, b));
    entries.extend(pair(
        Section::Tables,
        &describe_tables(&name, a),
        &describe_tables(&name, b),
    ));
    let examples = |o: &Operator| {
        o.examples
            .iter()
            .map(|e| describe_example(&name, e))
            .collect::<Vec<_>>()
    };
    entries.extend(pair(Section::Examples, &examples(a), &examples(b)));
    entries.extend(pair(
        Section::Families,
        &describe_families(&name, a),
        &describe_families(&name, b),
    ));
    entries.extend(pair(
        Section::Ledger,
        &describe_ledger(&name, a),
        &describe_ledger(&name, b),
    ));
    entries.extend(pair(
        Section::Superseded,
        &describe_superseded(&name, a),
        &describe_superseded(&name, b),
    ));
    entries
}

fn describe_operator(operator: Option<&Operator>) -> Vec<Thing> {
    let thing = |o: &Operator| Thing {
        id: o.name.to_string(),
        properties: vec![
            ("type", o.type_value.to_string()),
            ("introduced", o.introduced.to_string()),
            ("says", o.says.to_string()),
            (
                "order",
                o.fields.iter().map(|f| f.name.as_ref()).collect::<Vec<_>>().join(" "),
            ),
        ],
    };
    operator.map(thing).into_iter().collect()
}

fn describe_field(owner: &str, field: &Field) -> Thing {
    Thing {
        id: format!("{owner}.{}", field.name),
        properties: vec![
            ("kind", facts::format_kind(&field.kind, field.optional)),
            (
                "compare",
                field.compare.as_ref().map(|c| format!("{c:?}")).unwrap_or_default(),
            ),
            ("in place", field.in_place.join(", ")),
            ("says", field.says.to_string()),
        ],
    }
}

/// Cells that only one side allows, one entry for each row.
fn compare_cells(owner: &str, old: &Operator, new: &Operator) -> Vec<Entry> {
    let rows = |operator: &Operator| {
        let mut rows: BTreeMap<(FeatureLevel, String), Vec<String>> = BTreeMap::new();
        for table in operator.support.iter() {
            for row in table.rows.iter() {
                let (id, cells) = list_allowed(owner, table.level, row);
                rows.insert((table.level, id), cells);
            }
        }
        rows
    };
    let (old, new) = (rows(old), rows(new));
    let mut keys: Vec<&(FeatureLevel, String)> = old.keys().chain(new.keys()).collect();
    keys.sort_unstable();
    keys.dedup();
    let mut entries = Vec::new();
    for key in keys {
        let side = |rows: &BTreeMap<_, Vec<String>>| rows.get(key).cloned().unwrap_or_default();
        let (was, is) = (side(&old), side(&new));
        let only = |these: &[String], those: &[String]| {
            let only: Vec<&str> = these
                .iter()
                .filter(|c| !those.contains(c))
                .map(String::as_str)
                .collect();
            only.join(" ")
        };
        let detail = Detail {
            what: "cells".to_owned(),
            old: only(&was, &is),
            new: only(&is, &was),
        };
        if detail.old == detail.new {
            continue;
        }
        let change = match (old.contains_key(key), new.contains_key(key)) {
            (false, _) => Change::Added,
            (_, false) => Change::Removed,
            _ => Change::Changed,
        };
        entries.push(Entry {
            section: Section::Cells,
            id: key.1.clone(),
            change,
            details: vec![detail],
        });
    }
    entries
}

/// Id of a row, and what it allows.
fn list_allowed(owner: &str, level: FeatureLevel, row: &SupportRow) -> (String, Vec<String>) {
    let id = type_cell_id(owner, level, row, "");
    let last = |id: String| id.rsplit('/').next().unwrap_or_default().to_owned();
    let mut cells: Vec<String> = row.types.iter().map(ToString::to_string).collect();
    let counts = row.dimensions.0..=row.dimensions.1;
    cells.extend(counts.map(|count| last(dimension_cell_id(owner, level, row, count))));
    (id.trim_end_matches('/').to_owned(), cells)
}

fn describe_tables(owner: &str, operator: &Operator) -> Vec<Thing> {
    let groups = operator.groups.iter().map(|group| Thing {
        id: format!("{owner} group {}", group.name),
        properties: vec![("when", group.when.to_string())],
    });
    let tables = operator.support.iter().map(|table| {
        let differs = table.differs.iter().map(|d| {
            let (types, tensors) = (d.types.join(" "), d.tensors.join(", "));
            format!("{} ({}): {types} of {tensors}: {}", d.runtime, d.date, d.says)
        });
        let differs: Vec<String> = differs.collect();
        let mut sources: Vec<String> = table.source.iter().map(format_citation).collect();
        sources.extend(
            table
                .rows
                .iter()
                .filter_map(|row| Some(format_citation(row.source.as_ref()?))),
        );
        sources.dedup();
        let shaped = table.rows.iter().filter(|row| !row.shape.is_empty());
        let shapes: Vec<String> = shaped.map(|row| format!("{} {}", row.tensor, row.shape)).collect();
        Thing {
            id: format!("{owner}/{}", table.level),
            properties: vec![
                ("source", sources.join("; ")),
                ("shapes", shapes.join("; ")),
                ("differs", differs.join("; ")),
            ],
        }
    });
    groups.chain(tables).collect()
}

fn describe_example(owner: &str, example: &Example) -> Thing {
    let values = example
        .values
        .iter()
        .map(|(name, value)| format!("{name}: {}", facts::format_example_value(value)));
    Thing {
        id: format!("{owner}/examples/{}", example.name),
        properties: vec![
            (
                "source",
                example.source.as_ref().map(format_citation).unwrap_or_default(),
            ),
            ("values", values.collect::<Vec<_>>().join("; ")),
        ],
    }
}

fn describe_ledger(owner: &str, operator: &Operator) -> Vec<Thing> {
    let thing = |entry: &LedgerEntry| Thing {
        id: format!("{owner} {}", format_citation(&entry.source)),
        properties: vec![("clause", entry.clause.to_string())],
    };
    operator.ledger.iter().map(thing).collect()
}

fn describe_superseded(owner: &str, operator: &Operator) -> Vec<Thing> {
    let thing = |entry: &Superseded| Thing {
        id: format!("{owner} {} of {}", entry.fact, entry.source),
        properties: vec![("value", entry.value.to_string()), ("by", entry.by.to_string())],
    };
    operator.superseded.iter().map(thing).collect()
}

fn describe_families(owner: &str, operator: &Operator) -> Vec<Thing> {
    let cases = &operator.cases;
    let keys = cases.keys.iter().map(|k| format!("{}: {}", k.name, k.sets));
    let pairs = |list: &[(dml_spec::model::Text, dml_spec::model::Text)]| {
        list.iter()
            .map(|(a, b)| format!("{a}: {b}"))
            .collect::<Vec<_>>()
            .join("; ")
    };
    let lanes = cases
        .lanes
        .as_ref()
        .map(|lanes| format!("axis {}, k {}", lanes.axis, lanes.k));
    let nested = cases
        .nested
        .iter()
        .map(|n| format!("{}: {} {}", n.name, n.operator, pairs(&n.attributes)));
    let model = Thing {
        id: format!("{owner} cases"),
        properties: vec![
            ("keys", keys.collect::<Vec<_>>().join("; ")),
            ("derive", pairs(&cases.derive)),
            ("lanes", lanes.unwrap_or_default()),
            ("nested", nested.collect::<Vec<_>>().join("; ")),
            ("values", cases.values.to_string()),
            ("bounds", pairs(&cases.bounds)),
        ],
    };
    let families = cases.families.iter().map(|family| Thing {
        id: format!("{owner}:{}", family.name),
        properties: vec![
            ("says", family.says.to_string()),
            ("catches", family.catches.join(", ")),
            ("generator", format!("{:?}", family.generator).to_lowercase()),
            (
                "sweeps",
                family.sweeps.iter().map(describe_sweep).collect::<Vec<_>>().join("; "),
            ),
        ],
    });
    let model = Some(model).filter(|model| model.properties.iter().any(|(_, value)| !value.is_empty()));
    model.into_iter().chain(families).collect()
}

fn describe_sweep(sweep: &dml_spec::model::Sweep) -> String {
    let points = sweep
        .points
        .iter()
        .map(|(key, points)| format!("{key}=[{}]", points.join(" ")));
    let base = if sweep.base { " base" } else { "" };
    let only = sweep
        .only
        .as_deref()
        .map(|only| format!(" only {only}"))
        .unwrap_or_default();
    let allow = match sweep.allow.is_empty() {
        true => String::new(),
        false => format!(" allow {}", sweep.allow.join(" ")),
    };
    format!(
        "{}{base}{allow}{only} {}",
        dml_case::case::tier_word(sweep.tier),
        points.collect::<Vec<_>>().join(" ")
    )
}
