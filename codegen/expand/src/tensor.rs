//! The checks of every tensor: one function for each clause, and one that runs them in order.

use std::{borrow::Cow, collections::BTreeMap};

use dml_spec::{
    model::{Applies, Catalog, Field, FieldKind, Operator, Role},
    program::{Check, Program},
};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::{
    check::{self, Shape, Sides},
    error::Error,
    names,
    translate::Asks,
};

/// The kinds of tensor that clauses distinguish, in the order of [`probe`]'s fields.
const KINDS: [(Role, bool); 4] = [
    (Role::Input, false),
    (Role::Input, true),
    (Role::Output, false),
    (Role::Output, true),
];

/// Constant of `Part`: `OPTIONAL_INPUT`.
pub(crate) fn part(role: Role, optional: bool) -> Ident {
    let role = if role == Role::Input { "INPUT" } else { "OUTPUT" };
    if optional {
        format_ident!("OPTIONAL_{role}")
    } else {
        format_ident!("{role}")
    }
}

/// The `tensor` module.
pub(crate) fn module(catalog: &Catalog) -> Result<TokenStream, Vec<Error>> {
    let probe = probe();
    let program = Program::compile(catalog, &probe).map_err(|e| e.into_iter().map(Error::from).collect::<Vec<_>>())?;
    let (mut sides, mut errors) = (BTreeMap::new(), Vec::new());
    let order = order(catalog, &program);
    for check in &order {
        let clause = catalog.tensor_clauses.iter().find(|c| c.id == check.clause);
        match Sides::of(catalog, &[], check, clause, Shape::Tensor) {
            Ok(both) => {
                sides.insert(&*check.clause, both);
            }
            Err(error) => errors.push(error),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let held = held(&order);
    let driver = driver(catalog, &program, &order, &sides);
    let functions = order
        .iter()
        .filter_map(|c| sides.get(&*c.clause))
        .flat_map(Sides::functions);
    Ok(quote! {
        /// What every tensor obeys.
        pub mod tensor {
            use super::*;

            #held
            #driver
            #(#functions)*
        }
    })
}

/// An operator with one tensor of each kind.
fn probe() -> Operator {
    let field = |(role, optional): &(Role, bool)| Field {
        name: Cow::Owned(part(*role, *optional).to_string()),
        kind: FieldKind::Tensor(*role),
        optional: *optional,
        compare: None,
        in_place: Cow::Borrowed(&[]),
        says: Cow::Borrowed(""),
    };
    Operator {
        name: Cow::Borrowed("TENSOR"),
        fields: KINDS.iter().map(field).collect(),
        ..Operator::default()
    }
}

/// One check for each clause, as far as possible in the order of the clauses, but each after what it needs.
fn order<'p>(catalog: &Catalog, program: &'p Program) -> Vec<&'p Check> {
    let of_clause = |id: &str| program.checks.iter().find(|c| c.clause == id);
    let mut pending: Vec<&Check> = catalog.tensor_clauses.iter().filter_map(|c| of_clause(&c.id)).collect();
    let mut placed: Vec<&Check> = Vec::new();
    loop {
        let before = placed.len();
        pending.retain(|check| {
            let ready = needs_of(program, check)
                .iter()
                .all(|id| placed.iter().any(|p| p.clause == *id));
            if ready {
                placed.push(check);
            }
            !ready
        });
        // What is left needs itself; compiling has already refused that.
        if placed.len() == before {
            return placed;
        }
    }
}

/// The type that records which clauses hold.
fn held(order: &[&Check]) -> TokenStream {
    let free: Vec<_> = order.iter().filter(|c| !c.structural).collect();
    let names: Vec<_> = free.iter().map(|c| names::clause(&c.clause)).collect();
    let docs = free.iter().map(|c| format!(" `{}`", c.clause));
    quote! {
        /// Which clauses hold for a tensor.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Clauses {
            /// The clauses that every other rule about the tensor needs.
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

/// The function that runs all checks in order. A clause that does not apply to a tensor holds for it.
fn driver(catalog: &Catalog, program: &Program, order: &[&Check], sides: &BTreeMap<&str, Sides>) -> TokenStream {
    let statements = order.iter().filter_map(|check| {
        let local = names::clause(&check.clause);
        let mut parts: Vec<_> = needs_of(program, check)
            .iter()
            .map(|need| {
                let need = names::clause(need);
                quote!(#need)
            })
            .collect();
        let judged = sides.get(&*check.clause)?.judged(&quote!(on), &check.clause);
        let applies = catalog.tensor_clauses.iter().find(|c| c.id == check.clause)?.applies;
        let except = match applies {
            Applies::Required => quote!(on.part.optional ||),
            Applies::Output => quote!(!on.part.output ||),
            Applies::Input => quote!(on.part.output ||),
            Applies::Any | Applies::Operator => TokenStream::new(),
        };
        parts.push(judged);
        Some(quote!(let #local = #except #(#parts)&&*;))
    });
    let structural: Vec<_> = order
        .iter()
        .filter(|c| c.structural)
        .map(|c| names::clause(&c.clause))
        .collect();
    let structural = if structural.is_empty() {
        quote!(true)
    } else {
        quote!(#(#structural)&&*)
    };
    let free = order
        .iter()
        .filter(|c| !c.structural)
        .map(|check| names::clause(&check.clause));
    let asks_level = |check: &Check| check.text.iter().chain(&check.runtime).any(|rule| Asks::of(rule).level);
    let level = order
        .iter()
        .any(|c| asks_level(c))
        .then(|| quote!(let level = on.level;));
    let on = if order.is_empty() { quote!(_on) } else { quote!(on) };
    quote! {
        /// Checks a tensor.
        pub fn check(#on: &mut Subject<'_, '_>) -> Clauses {
            #level
            #(#statements)*
            Clauses { structural: #structural, #(#free),* }
        }
    }
}

/// Ids of what a clause needs of the same tensor of any kind, without what the rest of it implies.
fn needs_of<'p>(program: &'p Program, check: &Check) -> Vec<&'p str> {
    let mut ids = Vec::new();
    for kind in program.checks.iter().filter(|c| c.clause == check.clause) {
        for need in check::needs(program, kind) {
            if !ids.contains(&&*need.clause) {
                ids.push(&*need.clause);
            }
        }
    }
    ids
}
