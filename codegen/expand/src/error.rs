//! Errors of the expansion, and their form as compile errors.

use std::fmt::Display;

use dml_spec::{model::Text, rule::RuleError};
use proc_macro2::TokenStream;
use quote::quote;

use crate::translate::Unsupported;

/// A clause that cannot become Rust.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{clause}: {message}")]
pub struct Error {
    /// Full clause id, or the operator's name.
    pub clause: Text,
    /// What was found and what was expected.
    pub message: String,
}

impl Error {
    pub(crate) fn new(clause: &Text, message: impl Into<String>) -> Self {
        Self {
            clause: clause.clone(),
            message: message.into(),
        }
    }
}

impl From<(Text, RuleError)> for Error {
    fn from((clause, error): (Text, RuleError)) -> Self {
        Self {
            clause,
            message: error.message,
        }
    }
}

impl From<(&Text, Unsupported)> for Error {
    fn from((clause, unsupported): (&Text, Unsupported)) -> Self {
        Self {
            clause: clause.clone(),
            message: unsupported.to_string(),
        }
    }
}

/// One compile error for each mistake, with its text.
///
/// They are valid as items and as statements.
pub fn errors<E: Display>(mistakes: &[E]) -> TokenStream {
    mistakes
        .iter()
        .map(|mistake| {
            let text = mistake.to_string();
            quote!(::core::compile_error! { #text })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use dml_spec::diag::{Diagnostic, locate};

    use super::*;

    #[test]
    fn every_diagnostic_becomes_a_compile_error_with_its_place() {
        let text = "operator: TOP_K1\nrule: Axs < 3\n";
        let diagnostic = |span| Diagnostic {
            code: "spec::unknown-name",
            place: locate("spec/operators/top_k1.yaml", text, span),
            message: "`Axs` is no field of this operator".to_owned(),
            hint: Some("did you mean `Axis`?".to_owned()),
        };
        let tokens = errors(&[diagnostic(23..26), diagnostic(0..8)]);
        let items = syn::parse2::<syn::File>(tokens).unwrap().items;
        let messages: Vec<String> = items
            .iter()
            .map(|item| {
                let syn::Item::Macro(item) = item else {
                    panic!("found another item")
                };
                assert!(item.mac.path.is_ident("compile_error") || item.mac.path.segments.len() == 2);
                item.mac.parse_body::<syn::LitStr>().unwrap().value()
            })
            .collect();
        let rest = "`Axs` is no field of this operator [spec::unknown-name]; did you mean `Axis`?";
        assert_eq!(
            messages,
            [
                format!("spec/operators/top_k1.yaml:2:7: {rest}"),
                format!("spec/operators/top_k1.yaml:1:1: {rest}")
            ]
        );
    }
}
