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
    let expanded = with_catalog(input, |catalog| {
        expand::operators(catalog).map_err(|mistakes| errors(&mistakes))
    });
    let failed = |mut mistakes: proc_macro2::TokenStream| {
        mistakes.extend(expand::no_operators());
        mistakes
    };
    expanded.unwrap_or_else(failed).into()
}

/// The catalog as a constant expression of type `dml_spec::model::Catalog`.
#[proc_macro]
pub fn cases(input: TokenStream) -> TokenStream {
    let expanded = with_catalog(input, |catalog| Ok(expand::catalog(catalog)));
    expanded.unwrap_or_else(|mistakes| mistakes).into()
}

/// The expansion, or compile errors.
type Expanded = Result<proc_macro2::TokenStream, proc_macro2::TokenStream>;

fn with_catalog(input: TokenStream, expand: impl FnOnce(&Catalog) -> Expanded) -> Expanded {
    if !input.is_empty() {
        return Err(errors(&["found arguments, expected none"]));
    }
    let (catalog, diagnostics) = load::load(&load::embedded());
    match catalog {
        Some(catalog) => expand(&catalog),
        None => Err(errors(&diagnostics)),
    }
}
