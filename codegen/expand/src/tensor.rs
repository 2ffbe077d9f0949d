//! The checks that every tensor obeys: one function a clause, one a kind of tensor that runs them in order.

use std::{borrow::Cow, collections::BTreeMap};

use dml_spec::{
    model::{CaseModel, Catalog, Field, FieldKind, Operator, Role},
    program::{Check, Program},
};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::{
    check::{Shape, Sides, statement},
    error::Error,
    names,
};

/// The kinds of tensor that clauses tell apart, in the order of [`probe`]'s fields.
const KINDS: [(Role, bool); 4] = [
    (Role::Input, false),
    (Role::Input, true),
    (Role::Output, false),
    (Role::Output, true),
];

/// Function that checks tensors of a kind: `optional_input`.
pub(crate) fn function(role: Role, optional: bool) -> Ident {
    let role = if role == Role::Input { "input" } else { "output" };
    if optional {
        format_ident!("optional_{role}")
    } else {
        format_ident!("{role}")
    }
}

/// The `tensor` module.
pub(crate) fn module(catalog: &Catalog) -> Result<TokenStream, Vec<Error>> {
    let probe = probe();
    let program = Program::compile(catalog, &probe).map_err(|e| e.into_iter().map(Error::from).collect::<Vec<_>>())?;
    let (mut sides, mut errors) = (BTreeMap::new(), Vec::new());
    let mut order: Vec<&Check> = Vec::new();
    for check in &program.checks {
        if sides.contains_key(&*check.clause) {
            continue;
        }
        let clause = catalog.tensor_clauses.iter().find(|c| c.id == check.clause);
        match Sides::of(catalog, &[], check, clause, Shape::Tensor) {
            Ok(both) => {
                sides.insert(&*check.clause, both);
                order.push(check);
            }
            Err(error) => errors.push(error),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let held = held(&order);
    let kinds = KINDS
        .iter()
        .enumerate()
        .map(|(i, kind)| driver(&program, &order, &sides, i, *kind));
    let functions = order
        .iter()
        .filter_map(|c| sides.get(&*c.clause))
        .flat_map(Sides::functions);
    Ok(quote! {
        /// What every tensor obeys.
        pub mod tensor {
            use super::*;

            #held
            #(#kinds)*
            #(#functions)*
        }
    })
}

/// An operator with one tensor of each kind.
fn probe() -> Operator {
    let field = |(role, optional): &(Role, bool)| Field {
        name: Cow::Owned(function(*role, *optional).to_string()),
        kind: FieldKind::Tensor(*role),
        optional: *optional,
        compare: None,
        says: Cow::Borrowed(""),
    };
    Operator {
        name: Cow::Borrowed("TENSOR"),
        type_value: 0,
        introduced: dml_spec::FeatureLevel(0),
        says: Cow::Borrowed(""),
        file: Cow::Borrowed(""),
        sources: Cow::Borrowed(&[]),
        fields: KINDS.iter().map(field).collect(),
        clauses: Cow::Borrowed(&[]),
        support: Cow::Borrowed(&[]),
        examples: Cow::Borrowed(&[]),
        cases: CaseModel {
            keys: Cow::Borrowed(&[]),
            derive: Cow::Borrowed(&[]),
            lanes: None,
            families: Cow::Borrowed(&[]),
        },
    }
}

/// The type that says which clauses hold.
fn held(order: &[&Check]) -> TokenStream {
    let free: Vec<_> = order.iter().filter(|c| !c.structural).collect();
    let names: Vec<_> = free.iter().map(|c| names::clause(&c.clause)).collect();
    let docs = free.iter().map(|c| format!(" `{}`", c.clause));
    quote! {
        /// Which clauses hold for a tensor.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Clauses {
            /// All without which no other rule about the tensor means anything.
            pub structural: bool,
            #(#[doc = #docs] pub #names: bool,)*
        }

        impl Held for Clauses {
            const ALL: Self = Self { structural: true, #(#names: true),* };

            #[inline]
            fn and(self, other: Self) -> Self {
                Self {
                    structural: self.structural && other.structural,
                    #(#names: self.#names && other.#names,)*
                }
            }

            #[inline]
            fn structural(&self) -> bool {
                self.structural
            }
        }
    }
}

/// The function that runs all checks of one kind of tensor.
fn driver(
    program: &Program,
    order: &[&Check],
    sides: &BTreeMap<&str, Sides>,
    subject: usize,
    (role, optional): (Role, bool),
) -> TokenStream {
    let name = function(role, optional);
    let doc = format!(
        " Checks an {} that {}.",
        if role == Role::Input { "input" } else { "output" },
        if optional { "may be absent" } else { "must be there" }
    );
    let checks: Vec<_> = program.checks.iter().filter(|c| c.subject == Some(subject)).collect();
    let statements = checks.iter().filter_map(|check| {
        let local = names::clause(&check.clause);
        let needs: Vec<_> = check
            .needs
            .iter()
            .filter_map(|i| program.checks.get(*i))
            .map(|need| {
                let need = names::clause(&need.clause);
                quote!(#need)
            })
            .collect();
        let judged = sides.get(&*check.clause)?.judged(&quote!(at), &check.clause);
        Some(statement(Some(&local), &needs, &judged))
    });
    let structural: Vec<_> = checks
        .iter()
        .filter(|c| c.structural)
        .map(|c| names::clause(&c.clause))
        .collect();
    let structural = if structural.is_empty() {
        quote!(true)
    } else {
        quote!(#(#structural)&&*)
    };
    let free = order.iter().filter(|c| !c.structural).map(|check| {
        let name = names::clause(&check.clause);
        if checks.iter().any(|c| c.clause == check.clause) {
            quote!(#name)
        } else {
            quote!(#name: true)
        }
    });
    let asks_level = |check: &&&Check| {
        check
            .text
            .iter()
            .chain(&check.runtime)
            .any(|rule| crate::translate::Asks::of(rule).level)
    };
    let level = if checks.iter().any(|c| asks_level(&c)) {
        quote!(level)
    } else {
        quote!(_level)
    };
    quote! {
        #[doc = #doc]
        pub fn #name(tensor: Option<&TensorDesc>, at: At, #level: FeatureLevel, found: &mut Violations) -> Clauses {
            #(#statements)*
            Clauses { structural: #structural, #(#free),* }
        }
    }
}
