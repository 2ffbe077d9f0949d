//! The specification as it was compiled in: the catalog, expanded by the macro.

use dml_spec::Catalog;

static CATALOG: Catalog = dml_codegen::cases!();

/// The catalog that was expanded at compile time.
pub fn catalog() -> &'static Catalog {
    &CATALOG
}

#[cfg(test)]
mod tests {
    use dml_spec_yaml::load;

    use super::*;

    #[test]
    fn expanded_and_loaded_are_equal() {
        let (loaded, mistakes) = load::load(&load::embedded());
        assert_eq!(mistakes, []);
        assert!(
            loaded.as_ref() == Some(catalog()),
            "the macro and the loader read different catalogs"
        );
    }
}
