//! The macros that turn the specification into Rust; `dml-codegen-expand` reads the catalog and writes the tokens.
//!
//! The specification's files are part of `dml-spec`, whose build script lists them: editing one rebuilds the macro,
//! and the macro itself reads nothing.

use dml_codegen_expand::{self as expand, with_catalog};
use proc_macro::TokenStream;

/// Descriptor types, validators, support tables and C structures of every operator; valid as items.
#[proc_macro]
pub fn operators(input: TokenStream) -> TokenStream {
    with_catalog(input.into(), expand::operators)
        .unwrap_or_else(expand::no_operators)
        .into()
}

/// The catalog as a constant expression of type `dml_spec::model::Catalog`.
#[proc_macro]
pub fn cases(input: TokenStream) -> TokenStream {
    with_catalog(input.into(), |catalog| Ok(expand::catalog(catalog)))
        .unwrap_or_else(|errors| errors)
        .into()
}
