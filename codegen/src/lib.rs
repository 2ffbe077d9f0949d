//! The macros that turn the specification into Rust; `dml-codegen-expand` reads the catalog and writes the tokens.
//!
//! The specification's files are part of `dml-spec`, whose build script lists them: editing one rebuilds the macro.

use std::{env, fs, path::Path};

use dml_codegen_expand::{self as expand, File, with_catalog};
use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use quote::quote;
use syn::{LitStr, Token, parse::Parser, punctuated::Punctuated};

/// Descriptor types, validators, support tables and C structures of every operator; valid as items.
///
/// Without arguments the operators are those of the specification. With arguments they are those of these YAML files
/// instead; paths start at the folder of the crate's `Cargo.toml`.
#[proc_macro]
pub fn operators(input: TokenStream) -> TokenStream {
    let expanded = read_files(input).and_then(|(files, tracked)| {
        let items = with_catalog(files, expand::operators)?;
        Ok(quote!(#tracked #items))
    });
    expanded.unwrap_or_else(expand::no_operators).into()
}

/// The catalog as a constant expression of type `dml_spec::model::Catalog`.
#[proc_macro]
pub fn cases(input: TokenStream) -> TokenStream {
    if !input.is_empty() {
        return expand::errors(&["found arguments, expected none"]).into();
    }
    with_catalog(Vec::new(), |catalog| Ok(expand::catalog(catalog)))
        .unwrap_or_else(|errors| errors)
        .into()
}

/// The files named by the arguments, and items that make the compiler expand the macro again if one changes.
fn read_files(input: TokenStream) -> Result<(Vec<File>, Tokens), Tokens> {
    let paths = Punctuated::<LitStr, Token![,]>::parse_terminated
        .parse(input)
        .map_err(|error| error.into_compile_error())?;
    let folder = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let (mut files, mut tracked) = (Vec::new(), Tokens::new());
    for path in &paths {
        let text = fs::read_to_string(Path::new(&folder).join(path.value()))
            .map_err(|error| syn::Error::new(path.span(), format!("{}: {error}", path.value())).into_compile_error())?;
        files.push(File::new(path.value(), text));
        tracked.extend(quote!(
            const _: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/", #path));
        ));
    }
    Ok((files, tracked))
}
