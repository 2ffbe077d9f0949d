//! Checks as Rust: one function for each rule, one statement for each check.

use std::collections::BTreeSet;

use dml_spec::{
    model::{Catalog, Clause, Field},
    program::{Check, Program},
    rule::typed::{Node, Op},
};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::{
    error::Error,
    names,
    translate::{Asks, Unsupported, body},
};

/// Parameters of a rule's function.
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
    /// The argument of the judge: an `Option<bool>`.
    pub(crate) call: TokenStream,
}

/// The sides of a check: by the text, and by the runtimes if they differ.
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
        // If one side asks whether the subject is present, both sides handle absent ones.
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

    /// The check as an expression: whether it holds by what the runtimes demand. `on` judges it.
    pub(crate) fn judged(&self, on: &TokenStream, id: &str) -> TokenStream {
        let call = |side: &Option<Side>| side.as_ref().map(|side| side.call.clone());
        match (call(&self.text), call(&self.runtime)) {
            (Some(text), Some(runtime)) => quote!(#on.judge(#id, #text, #runtime)),
            (None, Some(runtime)) => quote!(#on.judge(#id, Some(true), #runtime)),
            (Some(text), None) => quote!(#on.normative(#id, #text)),
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
        let presence = self.presence;
        if let Op::Bool(value) = &rule.op {
            let call = match self.shape {
                Shape::Tensor if !presence => quote!(on.present(|_| Some(#value))),
                _ => quote!(Some(#value)),
            };
            return Ok(Side {
                function: TokenStream::new(),
                call,
            });
        }
        let asks = Asks::of(rule);
        let body = body(self.catalog, self.fields, rule, presence)?;
        let level: Vec<_> = asks.level.then(|| quote!(level: FeatureLevel)).into_iter().collect();
        let tensor = if asks.subject { quote!(tensor) } else { quote!(_tensor) };
        let (parameters, call) = match (self.shape, presence, asks.level) {
            (Shape::Method, _, false) => (quote!(&self), quote!(self.#name())),
            (Shape::Method, _, true) => (quote!(&self, #(#level)*), quote!(self.#name(level))),
            (Shape::Tensor, true, false) => (quote!(#tensor: Option<&TensorDesc>), quote!(#name(on.tensor))),
            (Shape::Tensor, true, true) => (
                quote!(#tensor: Option<&TensorDesc>, #(#level)*),
                quote!(#name(on.tensor, on.level)),
            ),
            (Shape::Tensor, false, false) => (quote!(#tensor: &TensorDesc), quote!(on.present(#name))),
            (Shape::Tensor, false, true) => (
                quote!(#tensor: &TensorDesc, #(#level)*),
                quote!(on.present(|tensor| #name(tensor, level))),
            ),
        };
        let function = quote!(#(#[doc = #doc])* fn #name(#parameters) -> Option<bool> { #body });
        Ok(Side { function, call })
    }
}

/// What must hold before a check is evaluated, without what the rest of it implies.
pub(crate) fn needs<'p>(program: &'p Program, check: &Check) -> Vec<&'p Check> {
    let mut implied = BTreeSet::new();
    for need in check.needs.iter().filter_map(|i| program.checks.get(*i)) {
        imply(program, need, &mut implied);
    }
    let direct = check.needs.iter().filter(|i| !implied.contains(*i));
    direct.filter_map(|i| program.checks.get(*i)).collect()
}

fn imply(program: &Program, check: &Check, implied: &mut BTreeSet<usize>) {
    for need in &check.needs {
        if let (true, Some(next)) = (implied.insert(*need), program.checks.get(*need)) {
            imply(program, next, implied);
        }
    }
}

/// The statement of a check; bound to a local if `bind` names one.
pub(crate) fn statement(bind: Option<&Ident>, needs: &[TokenStream], judged: &TokenStream) -> TokenStream {
    match (bind, needs.is_empty()) {
        (Some(name), _) => quote!(let #name = #(#needs &&)* #judged;),
        (None, true) => quote!(#judged;),
        (None, false) => quote!(if #(#needs)&&* { #judged; }),
    }
}
