//! The expansion: a golden of one operator's code for reviewers, which `UPDATE_EXPECT=1 cargo test -p
//! dml-codegen-expand` writes, and mistakes that only the expansion can find. What the code does is a matter of
//! `kernels/ops/tests/agreement.rs`.

use dml_codegen_expand as expand;
use dml_spec::Catalog;
use dml_spec_yaml::load::{embedded, load};
use expect_test::expect_file;

fn catalog() -> Catalog {
    let (catalog, diagnostics) = load(&embedded());
    catalog.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

#[test]
fn every_operator_expands_to_items_and_one_is_reviewed() {
    let catalog = catalog();
    for operator in catalog.operators.iter() {
        let code = expand::format(expand::operator(&catalog, operator).unwrap());
        let file = syn::parse_file(&code).unwrap_or_else(|error| panic!("{}: {error}", operator.name));
        assert!(!file.items.is_empty(), "{}", operator.name);
        if operator.name == "ACTIVATION_SOFTMAX1" {
            let mark = "// Written by `UPDATE_EXPECT=1 cargo test -p dml-codegen-expand`.";
            expect_file!["expansions/activation_softmax1.rs"].assert_eq(&format!("{mark}\n\n{code}"));
        }
    }
    assert!(catalog.operator("ACTIVATION_SOFTMAX1").is_some());
}

#[test]
fn what_the_catalog_cannot_mean_is_reported_for_every_clause() {
    let expected = ["TOP_K1/axis-in-range", "TOP_K1/k-nonzero"];
    let mut catalog = catalog();
    for operator in catalog.operators.to_mut() {
        let clauses = operator.clauses.to_mut().iter_mut();
        for clause in clauses.filter(|c| expected.contains(&c.id.as_ref())) {
            clause.rule = Some("Nowhere > 3".into());
        }
    }
    let errors = expand::operators(&catalog).unwrap_err();
    let found: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(found.len(), 2, "{found:?}");
    for id in expected {
        assert!(
            found.iter().any(|f| f.starts_with(id) && f.contains("Nowhere")),
            "{found:?}"
        );
    }
}

#[test]
fn ranges_inside_each_other_are_limited_together() {
    let mut catalog = catalog();
    for operator in catalog.operators.to_mut() {
        for clause in operator
            .clauses
            .to_mut()
            .iter_mut()
            .filter(|c| c.id == "TOP_K1/k-nonzero")
        {
            clause.rule = Some("all(d in 0..K: any(e in 0..K: all(f in 0..K: d + e + f > 0)))".into());
        }
    }
    let operator = catalog.operator("TOP_K1").unwrap();
    let code = expand::format(expand::operator(&catalog, operator).unwrap());
    let code: String = code.split_whitespace().collect();
    for limited in ["letn0=nested(1,0..", "letn1=nested(n0,0..", "nested(n1,0.."] {
        assert!(code.contains(limited), "{limited} is missing");
    }
}

#[test]
fn mistakes_of_meanings_are_compile_errors_with_their_places() {
    let text = include_str!("../../../spec/yaml/tests/diagnostics/ill-typed-meaning.yaml");
    let file = expand::File::new("copy.yaml", text.to_owned());
    let errors = expand::with_catalog(vec![file], expand::operators)
        .unwrap_err()
        .to_string();
    let expected = include_str!("../../../spec/yaml/tests/diagnostics/ill-typed-meaning.txt");
    for line in expected.lines() {
        let line = line.trim_start_matches("ill-typed-meaning/");
        let quoted = syn::LitStr::new(line, proc_macro2::Span::call_site());
        let quoted = quote::ToTokens::to_token_stream(&quoted).to_string();
        assert!(errors.contains(&quoted), "{line} is missing in {errors}");
    }
}

#[test]
fn the_catalog_is_a_constant_expression() {
    let catalog = catalog();
    let tokens = expand::catalog(&catalog);
    let block = syn::parse2::<syn::ExprBlock>(tokens).unwrap();
    assert_eq!(block.block.stmts.len(), 2);
}
