//! Members: declared, described and counted.

use std::collections::HashSet;

use dml_spec::model::FieldKind;

use super::Findings;

pub(super) fn check_fields(findings: &mut Findings<'_>) {
    let page = findings.page;
    // Members that are declared in one place have the anchor of that place.
    let declared = page.fields.iter().any(|field| field.at.anchor != field.value.name);
    let names: HashSet<&str> = page.fields.iter().map(|f| f.value.name.as_str()).collect();
    if declared {
        let described: HashSet<&str> = page.sentences.iter().map(|s| s.at.anchor.as_str()).collect();
        let any = names.iter().any(|name| described.contains(name));
        if let Some(first) = page.fields.first().filter(|_| !any) {
            let message = "the page describes no member that the structure declares".to_owned();
            findings.add("page::undescribed", &first.at, message, Some("add the section Members"));
        }
        let lacking = page
            .fields
            .iter()
            .filter(|f| any && !described.contains(f.value.name.as_str()));
        for field in lacking {
            let message = format!("{} is declared and nowhere described", field.value.name);
            findings.add("page::undescribed", &field.at, message, None);
        }
        // Slugs of headings are in lower case, names of members are not.
        let is_member = |anchor: &str| anchor.starts_with(|c: char| c.is_ascii_uppercase());
        for sentence in page
            .sentences
            .iter()
            .filter(|s| s.at.sentence == 1 && is_member(&s.at.anchor))
        {
            let name = &sentence.at.anchor;
            if !names.contains(name.as_str()) {
                let message = format!("{name} is described, and the structure does not declare it");
                findings.add("page::undeclared", &sentence.at, message, None);
            }
        }
    }
    for field in &page.fields {
        let by = match &field.value.kind {
            FieldKind::Tensors(_, by)
            | FieldKind::UInts(by)
            | FieldKind::Ints(by)
            | FieldKind::Floats(by)
            | FieldKind::Operators(by) => ("counts", by),
            FieldKind::Scalar(by) => ("types", by),
            _ => continue,
        };
        if !names.contains(by.1.as_ref()) {
            let message = format!("no field {} {}", by.0, field.value.name);
            findings.add("page::no-count", &field.at, message, None);
        }
    }
}
