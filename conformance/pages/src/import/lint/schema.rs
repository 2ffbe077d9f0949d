//! Fields checked against the schema of DirectML's own tools.

use dml_spec::model::Role;

use super::Findings;
use crate::import::{
    facts,
    page::{At, Claim},
    schema::{Schema, SchemaField},
};

const CODE: &str = "page::schema";

pub(super) fn check_schema(findings: &mut Findings<'_>, schema: &Schema) {
    let page = findings.page;
    if let (Some(said), Some(level)) = (&page.introduced, schema.level(&page.operator))
        && said.value != level
    {
        let message = format!("the page says introduced in {}, the schema has {level}", said.value);
        findings.add(CODE, &said.at, message, None);
    }
    // The schema lacks some operators, which is not a mistake of their pages.
    let Some(wanted) = schema.operator(&page.operator) else {
        return;
    };
    let given: Vec<&str> = page.fields.iter().map(|f| f.value.name.as_str()).collect();
    let names: Vec<&str> = wanted.iter().map(|f| f.name.as_str()).collect();
    for field in wanted.iter().filter(|f| !given.contains(&f.name.as_str())) {
        findings.add(
            CODE,
            &At::line(1),
            format!("the page lacks the field {}, which the schema has", field.name),
            None,
        );
    }
    for field in &page.fields {
        match wanted.iter().find(|f| f.name == field.value.name) {
            None => {
                let message = format!("the schema has no field {}", field.value.name);
                findings.add(CODE, &field.at, message, None);
            }
            Some(other) => {
                let shown = facts::format_kind(&field.value.kind, field.value.optional);
                if !other.fits(&field.value.kind) || other.optional != field.value.optional {
                    let message = format!(
                        "{} is {shown}, the schema has {}",
                        field.value.name,
                        format_schema_kind(other)
                    );
                    findings.add(CODE, &field.at, message, None);
                }
            }
        }
    }
    let both = |list: &[&str], other: &[&str]| -> Vec<String> {
        list.iter()
            .filter(|name| other.contains(name))
            .map(|name| (*name).to_owned())
            .collect()
    };
    if both(&given, &names) != both(&names, &given) {
        let message = format!("the schema has the fields in another order: {}", names.join(", "));
        let at = page.fields.first().map_or_else(|| At::line(1), |f| f.at.clone());
        findings.add(CODE, &at, message, None);
    }
    check_in_place(findings, wanted);
}

fn format_schema_kind(field: &SchemaField) -> String {
    let optional = if field.optional { "optional " } else { "" };
    format!("{optional}{} {}", field.kind, field.ty)
}

/// A page without tables is too old to mention it.
fn check_in_place(findings: &mut Findings<'_>, wanted: &[SchemaField]) {
    const IN_PLACE: &str = "page::in-place";
    let page = findings.page;
    let reads = page.fields.iter().any(|f| f.value.kind.role() == Some(Role::Input));
    let allowed = wanted.iter().any(|f| f.in_place);
    let says = page.claims.iter().find_map(|claim| match claim.value {
        Claim::InPlace { may, .. } => Some((may, &claim.at)),
        _ => None,
    });
    let end = page.sentences.last().map_or_else(|| At::line(1), |s| At::clone(&s.at));
    match says {
        Some((may, at)) if may != allowed => {
            let message = match may {
                true => "the page allows execution in place, the schema does not",
                false => "the page forbids execution in place, the schema allows it",
            };
            findings.add(IN_PLACE, at, message.to_owned(), None);
        }
        None if allowed && !page.tables.is_empty() && reads => {
            let message = "the page says nothing of execution in place, which the schema allows".to_owned();
            findings.add(IN_PLACE, &end, message, None);
        }
        _ => {}
    }
}
