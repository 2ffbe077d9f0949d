//! Catalog → Rust: descriptor types, validators, tables, C structures, and the catalog itself as a constant.
//!
//! An ordinary library without I/O. The macros of `dml-codegen` hand its output to the compiler, `dml-cts spec
//! expand` prints it, and the golden in `tests/expansions` shows it to reviewers.

mod catalog;
mod check;
mod error;
mod expr;
mod ffi;
mod names;
mod operator;
mod support;
mod tensor;
mod translate;
mod types;

use dml_spec::model::Catalog;
use dml_spec_yaml::load;
use proc_macro2::TokenStream;
use quote::quote;

pub use catalog::catalog;
pub use dml_spec_yaml::load::File;
pub use error::{Error, errors};
pub use operator::module as operator;

/// The expansion of a macro from the compiled-in specification; its operators are those of `files`, if there are some.
///
/// # Errors
/// Compile errors: for mistakes in the specification, or what `expand` reports.
pub fn with_catalog(
    files: Vec<File>,
    expand: impl FnOnce(&Catalog) -> Result<TokenStream, Vec<Error>>,
) -> Result<TokenStream, TokenStream> {
    let mut specification = load::embedded();
    if !files.is_empty() {
        specification.0.retain(|file| file.path.ends_with("directml.yaml"));
        specification.0.extend(files);
    }
    let (catalog, diagnostics) = load::load(&specification);
    let catalog = catalog.ok_or_else(|| errors(&diagnostics))?;
    expand(&catalog).map_err(|mistakes| errors(&mistakes))
}

/// The expansion of `operators!()`: types, tensor checks, one module for each operator, and the table of operators.
///
/// # Errors
/// Every clause that cannot be translated. A catalog that loads without diagnostics has none.
pub fn operators(catalog: &Catalog) -> Result<TokenStream, Vec<Error>> {
    let shared = shared(catalog);
    let modules: Vec<_> = catalog.operators.iter().map(|o| operator(catalog, o)).collect();
    let (mut tokens, mut failed) = (TokenStream::new(), Vec::new());
    for part in std::iter::once(shared).chain(modules) {
        match part {
            Ok(part) => tokens.extend(part),
            Err(errors) => failed.extend(errors),
        }
    }
    if !failed.is_empty() {
        return Err(failed);
    }
    tokens.extend(operator::table(&catalog.operators));
    Ok(tokens)
}

/// Compile errors and an empty table of operators, so that uses of the table cause no further errors.
pub fn no_operators(mut errors: TokenStream) -> TokenStream {
    errors.extend(operator::table(&[]));
    errors
}

/// What operators share: levels, data types, enumerations, the checks of tensors.
///
/// # Errors
/// Every `TENSOR/` clause that cannot be translated.
pub fn shared(catalog: &Catalog) -> Result<TokenStream, Vec<Error>> {
    let types = types::types(catalog);
    let tensor = tensor::module(catalog)?;
    Ok(quote!(#types #tensor))
}

/// Formats tokens like a source file; returns them unformatted if they are not one.
pub fn format(tokens: TokenStream) -> String {
    match syn::parse2(tokens.clone()) {
        Ok(file) => spaced(&prettyplease::unparse(&file)),
        Err(_) => tokens.to_string(),
    }
}

/// Puts an empty line between items, which tokens cannot express.
fn spaced(code: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let ends = |line: &str| {
        let text = line.trim_start();
        ["}", "};", "];"].contains(&text) || (text.starts_with("use ") && text.ends_with(';'))
    };
    let starts = |line: &str| {
        let text = line.trim_start();
        ["///", "#[", "pub ", "impl ", "fn ", "const "]
            .iter()
            .any(|start| text.starts_with(start))
    };
    let mut out = String::with_capacity(code.len());
    let mut before = "";
    for line in code.lines() {
        let between = before.trim_start().starts_with("const ") && line.trim_start().starts_with("fn ");
        if (ends(before) && starts(line) || between) && indent(before) == indent(line) {
            out.push('\n');
        }
        out.push_str(line);
        out.push('\n');
        before = line;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beside_compile_errors_nothing_is_imported_in_vain() {
        let file: syn::File = syn::parse2(no_operators(TokenStream::new())).unwrap();
        let is_descs = |item: &&syn::Item| matches!(item, syn::Item::Mod(module) if module.ident == "descs");
        let Some(syn::Item::Mod(descs)) = file.items.iter().find(is_descs) else {
            panic!("no module of C structures")
        };
        assert!(descs.content.as_ref().is_some_and(|(_, items)| !items.is_empty()));
    }
}
