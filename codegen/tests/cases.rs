//! Tests that the compiled-in and the loaded catalog are equal.

use dml_spec::Catalog;
use dml_spec_yaml::load::{embedded, load};

static CATALOG: Catalog = dml_codegen::cases!();

#[test]
fn compiled_in_and_loaded_are_equal() {
    let (loaded, diagnostics) = load(&embedded());
    assert_eq!(diagnostics, []);
    let loaded = loaded.expect("a catalog without diagnostics");
    assert!(loaded.operator("TOP_K1").is_some());
    assert!(
        CATALOG == loaded,
        "cases!() expands to another catalog than the one that loads"
    );
}
