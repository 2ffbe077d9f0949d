//! Mistakes of pages: contradictions within the page, with the operator's rules, or with the schema of DirectML's own
//! tools.

mod examples;
mod fields;
mod rules;
mod schema;
mod tables;

use std::collections::{BTreeSet, HashMap};

use dml_spec::{Catalog, Diagnostic};

use super::{
    page::{At, Claim, Page},
    schema::Schema,
};

/// Mistakes within the page itself, in the order of its lines.
pub fn lint_page(page: &Page, catalog: &Catalog, schema: Option<&Schema>) -> Vec<Diagnostic> {
    let mut findings = Findings {
        page,
        catalog,
        found: Vec::new(),
    };
    fields::check_fields(&mut findings);
    tables::check_tables(&mut findings);
    examples::check_examples(&mut findings);
    rules::check_rules(&mut findings);
    check_claims(&mut findings);
    if let Some(schema) = schema {
        schema::check_schema(&mut findings, schema);
    }
    let mut found = findings.found;
    found.sort_by_key(|diagnostic| (diagnostic.place.line, diagnostic.place.column));
    found
}

/// Findings about one page.
struct Findings<'a> {
    page: &'a Page,
    catalog: &'a Catalog,
    found: Vec<Diagnostic>,
}

impl Findings<'_> {
    /// A finding at the place of a fact.
    fn add(&mut self, code: &'static str, at: &At, message: String, hint: Option<&str>) {
        self.found.push(self.page.diagnostic(code, at, message, hint));
    }
}

/// Claims against the facts.
fn check_claims(findings: &mut Findings<'_>) {
    let page = findings.page;
    let mut allowed: HashMap<&str, BTreeSet<&str>> = HashMap::new();
    for row in page.tables.iter().flat_map(|table| &table.value.rows) {
        let types = row.types.iter().map(String::as_str);
        allowed.entry(&row.tensor).or_default().extend(types);
    }
    for claim in &page.claims {
        match &claim.value {
            Claim::DataType { tensor, types } => {
                let allowed = allowed.get(tensor.as_str()).filter(|allowed| !allowed.is_empty());
                if allowed.is_some_and(|allowed| !types.iter().any(|ty| allowed.contains(ty.as_str()))) {
                    let message = format!("{tensor} is to be {}, which no table allows", types.join(" or "));
                    let hint = "the sentence and the tables contradict each other";
                    findings.add("page::type-claim", &claim.at, message, Some(hint));
                }
            }
            Claim::Sum { stated, comes_to } if stated != comes_to => {
                let message = format!("the comment's numbers add up to {comes_to}, the example gives {stated}");
                findings.add("page::wrong-comment", &claim.at, message, None);
            }
            Claim::Sum { .. } | Claim::InPlace { .. } => {}
        }
    }
}
