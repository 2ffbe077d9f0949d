//! Checks to Rust: one function a rule, one statement a check.

use std::collections::BTreeSet;

use dml_spec::{
    model::{Catalog, Clause, Field},
    program::Check,
    rule::typed::{Node, Op},
};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::{
    error::Error,
    names,
    translate::{Asks, Unsupported, body},
};

/// How a rule's function takes what it looks at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A method of the descriptor.
    Method,
    /// A function of a tensor.
    Tensor,
}

/// One side of a check: the function that holds its rule and how it is called.
pub(crate) struct Side {
    /// The function; empty for constant rules.
    pub(crate) function: TokenStream,
    /// An `Option<bool>`.
    pub(crate) call: TokenStream,
}

/// The sides of a check: by the text, by the runtimes where it differs.
pub(crate) struct Sides {
    pub(crate) text: Option<Side>,
    pub(crate) runtime: Option<Side>,
}

impl Sides {
    pub(crate) fn of(
        catalog: &Catalog,
        fields: &[Field],
        check: &Check,
        clause: Option<&Clause>,
        shape: Shape,
    ) -> Result<Self, Error> {
        let name = names::clause(&check.clause);
        let says = clause.map_or("", |c| &*c.says);
        // A check that asks on one side whether its subject is there looks at absent ones on both.
        let presence = check
            .text
            .iter()
            .chain(&check.runtime)
            .any(|rule| Asks::of(rule).presence);
        let context = Context {
            catalog,
            fields,
            shape,
            presence,
        };
        let side = |rule: &Node, name: &Ident, what: &str| {
            let doc = [format!(" `{}`{what}: {says}", check.clause)];
            context
                .side(rule, name, &doc)
                .map_err(|e| Error::from((&check.clause, e)))
        };
        let text = check.text.as_ref().map(|rule| side(rule, &name, "")).transpose()?;
        let runtime = match &check.runtime {
            Some(rule) if text.is_some() => Some(side(
                rule,
                &format_ident!("{name}_runtime"),
                ", as the runtimes have it",
            )?),
            Some(rule) => Some(side(rule, &name, "")?),
            None => None,
        };
        Ok(Self { text, runtime })
    }

    /// The functions.
    pub(crate) fn functions(&self) -> impl Iterator<Item = &TokenStream> {
        self.text.iter().chain(&self.runtime).map(|side| &side.function)
    }

    /// The check as an expression: whether it holds by what the runtimes demand.
    pub(crate) fn judged(&self, at: &TokenStream, id: &str) -> TokenStream {
        let call = |side: &Side| side.call.clone();
        match (self.text.as_ref().map(call), self.runtime.as_ref().map(call)) {
            (Some(text), None) => quote!(found.normative(#at, #id, #text)),
            (None, Some(runtime)) => quote!(found.observed(#at, #id, #runtime)),
            (Some(text), Some(runtime)) => quote!(found.disputed(#at, #id, #text, #runtime)),
            (None, None) => quote!(true),
        }
    }
}

struct Context<'a> {
    catalog: &'a Catalog,
    fields: &'a [Field],
    shape: Shape,
    presence: bool,
}

impl Context<'_> {
    fn side(&self, rule: &Node, name: &Ident, doc: &[String]) -> Result<Side, Unsupported> {
        if let (Op::Bool(value), Shape::Method) | (Op::Bool(value @ true), Shape::Tensor) = (&rule.op, self.shape) {
            return Ok(Side {
                function: TokenStream::new(),
                call: quote!(Some(#value)),
            });
        }
        let asks = Asks::of(rule);
        let body = body(self.catalog, self.fields, rule, self.presence)?;
        let level = asks.level.then(|| quote!(level: FeatureLevel)).into_iter();
        let pass: Vec<_> = asks.level.then(|| quote!(level)).into_iter().collect();
        let (function, call) = if self.shape == Shape::Method {
            (
                quote!(fn #name(&self #(, #level)*) -> Option<bool> { #body }),
                quote!(self.#name(#(#pass),*)),
            )
        } else {
            let ty = if self.presence {
                quote!(Option<&TensorDesc>)
            } else {
                quote!(&TensorDesc)
            };
            let tensor = if asks.subject { quote!(tensor) } else { quote!(_tensor) };
            let call = match (self.presence, asks.level) {
                (true, _) => quote!(#name(tensor #(, #pass)*)),
                (false, false) => quote!(tensor.map_or(Some(true), #name)),
                (false, true) => quote!(tensor.map_or(Some(true), |tensor| #name(tensor, level))),
            };
            (
                quote!(fn #name(#tensor: #ty #(, #level)*) -> Option<bool> { #body }),
                call,
            )
        };
        Ok(Side {
            function: quote!(#(#[doc = #doc])* #function),
            call,
        })
    }
}

/// Indices of the checks that another one waits for.
pub(crate) fn needed(checks: &[Check]) -> BTreeSet<usize> {
    checks.iter().flat_map(|c| c.needs.iter().copied()).collect()
}

/// The statement of a check: bound to a local where `bind` names one.
pub(crate) fn statement(bind: Option<&Ident>, needs: &[TokenStream], judged: &TokenStream) -> TokenStream {
    match (bind, needs.is_empty()) {
        (Some(name), _) => quote!(let #name = #(#needs &&)* #judged;),
        (None, true) => quote!(#judged;),
        (None, false) => quote!(if #(#needs)&&* { #judged; }),
    }
}
