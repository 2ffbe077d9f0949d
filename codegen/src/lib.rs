//! The macros that turn the specification into Rust. Thin: reading is `dml-spec`'s, writing `dml-codegen-expand`'s.
//!
//! The specification's files are part of `dml-spec`, whose build script lists them: editing one rebuilds the macro,
//! and the macro itself reads nothing.

use dml_codegen_expand::{self as expand, errors};
use dml_spec::{Catalog, load};
use proc_macro::TokenStream;

/// Descriptor types, validators, support tables and C structures of every operator; stands where items may stand.
#[proc_macro]
pub fn operators(input: TokenStream) -> TokenStream {
    with_catalog(input, |catalog| {
        expand::operators(catalog).unwrap_or_else(|mistakes| errors(&mistakes))
    })
}

/// The catalog as a constant expression of type `dml_spec::model::Catalog`.
#[proc_macro]
pub fn cases(input: TokenStream) -> TokenStream {
    with_catalog(input, expand::catalog)
}

fn with_catalog(input: TokenStream, expand: impl FnOnce(&Catalog) -> proc_macro2::TokenStream) -> TokenStream {
    if !input.is_empty() {
        return errors(&["found arguments, expected none"]).into();
    }
    let (catalog, diagnostics) = load::load(&load::embedded());
    match catalog {
        Some(catalog) => expand(&catalog).into(),
        None => errors(&diagnostics).into(),
    }
}
