//! The expansion: a golden of one operator's code for reviewers, which `UPDATE_EXPECT=1 cargo test -p
//! dml-codegen-expand` writes, and mistakes that only the expansion can find. What the code does is a matter of
//! `kernels/ops/tests/agreement.rs`.

use std::path::PathBuf;

use dml_codegen_expand as expand;
use dml_spec::Catalog;
use dml_spec_yaml::load::{File, Files, embedded, load};
use expect_test::expect_file;

fn catalog(files: &Files) -> Catalog {
    let (catalog, diagnostics) = load(files);
    let all: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
    catalog.unwrap_or_else(|| panic!("{}", all.join("\n")))
}

/// The shared part of the real specification with operators that have everything and nothing.
fn synthetic() -> Catalog {
    let mut files = embedded();
    files.0.retain(|f| f.path.ends_with("directml.yaml"));
    files.0.push(File::new(
        "everything.yaml",
        include_str!("specification/everything.yaml"),
    ));
    files
        .0
        .push(File::new("nothing.yaml", include_str!("specification/nothing.yaml")));
    catalog(&files)
}

fn golden(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/expansions")
        .join(name)
}

fn marked(code: &str) -> String {
    format!("// Written by `UPDATE_EXPECT=1 cargo test -p dml-codegen-expand`.\n\n{code}")
}

/// Operators whose code is kept for reviewers.
const REVIEWED: [&str; 1] = ["TOP_K1"];

#[test]
fn every_operator_expands_to_items_and_one_is_reviewed() {
    let catalog = catalog(&embedded());
    let mut reviewed = 0;
    for operator in catalog.operators.iter() {
        let code = expand::format(expand::operator(&catalog, operator).unwrap());
        let file = syn::parse_file(&code).unwrap_or_else(|error| panic!("{}: {error}", operator.name));
        assert!(!file.items.is_empty(), "{}", operator.name);
        if REVIEWED.contains(&operator.name.as_ref()) {
            expect_file![golden(&format!("{}.rs", operator.name.to_lowercase()))].assert_eq(&marked(&code));
            reviewed += 1;
        }
    }
    assert_eq!(reviewed, REVIEWED.len());
}

#[test]
fn what_the_catalog_cannot_mean_is_reported_for_every_clause() {
    let mut catalog = synthetic();
    let operators = catalog.operators.to_mut();
    let clauses = operators[0].clauses.to_mut();
    for clause in clauses
        .iter_mut()
        .filter(|c| c.id.ends_with("/truth") || c.id.ends_with("/levels"))
    {
        clause.rule = Some("Nowhere > 3".into());
    }
    let errors = expand::operators(&catalog).unwrap_err();
    let found: Vec<String> = errors.iter().map(ToString::to_string).collect();
    let expected = ["EVERYTHING/truth", "EVERYTHING/levels"];
    assert_eq!(found.len(), 2, "{found:?}");
    for id in expected {
        assert!(
            found.iter().any(|f| f.starts_with(id) && f.contains("Nowhere")),
            "{found:?}"
        );
    }
}

#[test]
fn the_catalog_is_a_constant_expression() {
    let catalog = catalog(&embedded());
    let tokens = expand::catalog(&catalog);
    let block = syn::parse2::<syn::ExprBlock>(tokens).unwrap();
    assert_eq!(block.block.stmts.len(), 3);
}
