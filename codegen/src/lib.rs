//! The macros that turn the specification into Rust; `dml-codegen-expand` reads the catalog and writes the tokens.
//!
//! The specification's files are part of `dml-spec`, whose build script lists them: editing one rebuilds the macro.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use dml_codegen_expand::{self as expand, File, with_catalog};
use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use quote::{format_ident, quote};
use syn::{
    Ident, LitStr, Token,
    parse::{ParseStream, Parser},
    punctuated::Punctuated,
};

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

/// Calls a macro with the files of a folder, so that adding one is adding a file: `files!("src/operators", "rs", kernels)`
/// becomes `kernels! { "/…/top_k1.rs" top_k1 "TOP_K1" … }` with path, stem, and stem in capitals of each, in order.
///
/// The folder starts at that of the crate's `Cargo.toml`; its build script has to make cargo watch it.
#[proc_macro]
pub fn files(input: TokenStream) -> TokenStream {
    let arguments = |input: ParseStream<'_>| {
        let (folder, _) = (input.parse::<LitStr>()?, input.parse::<Token![,]>()?);
        let (extension, _) = (input.parse::<LitStr>()?, input.parse::<Token![,]>()?);
        Ok((folder, extension.value(), input.parse::<Ident>()?))
    };
    let listed = arguments.parse(input).and_then(|(folder, extension, callback)| {
        let files = list_files(&folder.value(), &extension)
            .map_err(|error| syn::Error::new(folder.span(), format!("{}: {error}", folder.value())))?;
        let files = files.iter().map(|(path, stem)| {
            let (module, name) = (format_ident!("{stem}"), stem.to_uppercase());
            quote!(#path #module #name)
        });
        Ok(quote!(#callback! { #(#files)* }))
    });
    listed.unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Paths and stems of the files with this extension.
fn list_files(folder: &str, extension: &str) -> io::Result<Vec<(String, String)>> {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join(folder);
    let paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut paths = paths.collect::<io::Result<Vec<_>>>()?;
    paths.retain(|path| path.extension().is_some_and(|found| found == extension));
    paths.sort();
    let stem = |path: &PathBuf| Some((path.to_str()?.to_owned(), path.file_stem()?.to_str()?.to_owned()));
    let listed: Option<Vec<_>> = paths.iter().map(stem).collect();
    listed.ok_or_else(|| io::Error::other("the name of a file is not UTF-8"))
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
