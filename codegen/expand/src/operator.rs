//! One operator: descriptor type, validator, conversions; and the table of all operators.

use std::collections::BTreeSet;

use dml_spec::{
    model::{Catalog, ClauseKind, DATA_TYPE, Field, FieldKind, Operator, Role},
    program::{Check, Program},
};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use crate::{
    check::{self, Shape, Sides, statement},
    error::Error,
    ffi, names, support, tensor,
    translate::{Asks, body},
    types,
};

/// The module of an operator, and its type outside of it.
///
/// # Errors
/// Every clause of the operator that cannot be translated.
pub fn module(catalog: &Catalog, operator: &Operator) -> Result<TokenStream, Vec<Error>> {
    let unknown = unknown_enums(catalog, operator);
    if !unknown.is_empty() {
        return Err(unknown);
    }
    let (module, ty) = (names::snake(&operator.name), names::camel(&operator.name));
    let structure = structure(operator, &ty);
    let implementation = implementation(catalog, operator, &ty)?;
    let support = support::tables(catalog, operator);
    let c = ffi::structure(operator);
    let doc = format!(
        " `DML_{}_OPERATOR_DESC`, since level {}.",
        operator.name, operator.introduced
    );
    Ok(quote! {
        #[doc = #doc]
        pub mod #module {
            use super::*;

            #structure
            #implementation
            #support
            #c
        }
        pub use #module::#ty;
    })
}

/// The table of all operators, its lookups, and the C structures of all operators in one module.
pub(crate) fn table(operators: &[Operator]) -> TokenStream {
    let types: Vec<_> = operators.iter().map(|o| names::camel(&o.name)).collect();
    let names = operators
        .iter()
        .map(|o| (names::snake(&o.name), names::c_struct(&o.name)));
    let descs = names.map(|(module, name)| quote!(pub use super::#module::#name;));
    // An import of an empty module would cause a warning about an unused import.
    let none = operators.is_empty().then(|| {
        quote! {
            /// Used if there is no operator.
            pub type NoOperator = ();
        }
    });
    quote! {
        /// Every operator, in order of name.
        pub static OPERATORS: &[OperatorEntry] = &[#(OperatorEntry::of::<#types>()),*];

        /// The operator of this name, such as `TOP_K1`.
        pub fn find(name: &str) -> Option<&'static OperatorEntry> {
            OPERATORS.iter().find(|o| o.name == name)
        }

        /// The C structures of all operators.
        pub mod descs {
            #(#descs)*
            #none
        }
    }
}

fn unknown_enums(catalog: &Catalog, operator: &Operator) -> Vec<Error> {
    let unknown = |field: &Field| match &field.kind {
        FieldKind::Enum(name) if name != DATA_TYPE && catalog.enumeration(name).is_none() => Some(Error::new(
            &operator.name,
            format!("field {} is of the unknown enumeration {name}", field.name),
        )),
        _ => None,
    };
    operator.fields.iter().filter_map(unknown).collect()
}

fn structure(operator: &Operator, ty: &Ident) -> TokenStream {
    let fields = operator.fields.iter().map(|field| {
        let (name, ty, says) = (
            names::snake(&field.name),
            field_type(&field.kind),
            format!(" {}", field.says),
        );
        quote! {
            #[doc = #says]
            pub #name: #ty
        }
    });
    let mut docs = vec![format!(" {}", operator.says)];
    let constraints = operator
        .clauses
        .iter()
        .filter(|c| c.kind == ClauseKind::Constraint && c.retired.is_none());
    let constraints: Vec<_> = constraints.map(|c| format!(" - `{}`: {}", c.id, c.says)).collect();
    if !constraints.is_empty() {
        docs.extend(["", " # Constraints"].map(str::to_owned));
        docs.extend(constraints);
    }
    quote! {
        #(#[doc = #docs])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct #ty {
            #(#fields,)*
        }
    }
}

fn field_type(kind: &FieldKind) -> TokenStream {
    match kind {
        FieldKind::Tensor(_) => quote!(Option<TensorDesc>),
        FieldKind::Tensors(..) => quote!(Option<Vec<TensorDesc>>),
        FieldKind::UInt | FieldKind::Bool => quote!(u32),
        FieldKind::Int => quote!(i32),
        FieldKind::Float => quote!(f32),
        FieldKind::Enum(name) => {
            let name = names::enumeration(name);
            quote!(#name)
        }
        FieldKind::UInts(_) => quote!(Option<Dims>),
        FieldKind::Ints(_) => quote!(Option<SmallVec<[i32; 8]>>),
        FieldKind::Floats(_) => quote!(Option<SmallVec<[f32; 8]>>),
        FieldKind::ScaleBias => quote!(Option<(f32, f32)>),
        FieldKind::Size2D => quote!((u32, u32)),
        FieldKind::Scalar(_) => quote!([u8; 8]),
        FieldKind::Operator => quote!(Option<Box<Descriptor>>),
        FieldKind::Operators(_) => quote!(Option<Vec<Descriptor>>),
    }
}

/// The conversions of a field to and from a dynamic descriptor.
fn conversions(field: &Field) -> (TokenStream, TokenStream) {
    let (name, text) = (names::snake(&field.name), &*field.name);
    match &field.kind {
        FieldKind::Enum(of) => {
            let of = names::enumeration(of);
            (quote!(self.#name.0.to_value()), quote!(#name: #of(fields.read(#text)?)))
        }
        _ => (quote!(self.#name.to_value()), quote!(#name: fields.read(#text)?)),
    }
}

/// The operator's clauses in order: the calls, and a method for each rule.
fn clauses(
    catalog: &Catalog,
    operator: &Operator,
    program: &Program,
) -> Result<(TokenStream, TokenStream), Vec<Error>> {
    let needed: BTreeSet<usize> = program
        .checks
        .iter()
        .flat_map(|c| check::needs(program, c))
        .filter_map(|c| index(program, c))
        .collect();
    let (mut statements, mut functions, mut errors) = (TokenStream::new(), TokenStream::new(), Vec::new());
    for (i, check) in program.checks.iter().enumerate().filter(|(_, c)| c.subject.is_none()) {
        let clause = operator.clauses.iter().find(|c| c.id == check.clause);
        match Sides::of(catalog, &operator.fields, check, clause, Shape::Method) {
            Ok(sides) => {
                functions.extend(sides.functions().cloned());
                let local = needed.contains(&i).then(|| names::clause(&check.clause));
                let judged = sides.judged(&quote!(found), &check.clause);
                statements.extend(statement(local.as_ref(), &needs(program, operator, check), &judged));
            }
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() {
        Ok((statements, functions))
    } else {
        Err(errors)
    }
}

fn index(program: &Program, check: &Check) -> Option<usize> {
    program.checks.iter().position(|c| std::ptr::eq(c, check))
}

fn implementation(catalog: &Catalog, operator: &Operator, ty: &Ident) -> Result<TokenStream, Vec<Error>> {
    let program =
        Program::compile(catalog, operator).map_err(|e| e.into_iter().map(Error::from).collect::<Vec<_>>())?;
    let (statements, functions) = clauses(catalog, operator, &program)?;
    let tensors = operator
        .fields
        .iter()
        .enumerate()
        .filter_map(|(i, field)| tensor_statement(&program, i, field));
    let (name, type_value) = (&*operator.name, Literal::u32_unsuffixed(operator.type_value));
    let (group, groups) = groups(catalog, operator, &program)?;
    let introduced = types::level(catalog, operator.introduced);
    let below = format!("{}/introduced", operator.name);
    let is_input = |field: &&Field| field.kind.role() == Some(Role::Input);
    let inputs = Literal::usize_unsuffixed(operator.fields.iter().filter(is_input).count());
    let (write, read): (Vec<_>, Vec<_>) = operator.fields.iter().map(conversions).unzip();
    let count = Literal::usize_unsuffixed(read.len());
    let binding = if read.is_empty() { quote!(_) } else { quote!(mut fields) };
    let anything_mut = operator.fields.iter().any(|f| f.kind.role().is_some());
    let tensors_binding = if anything_mut {
        quote!(let mut tensors =)
    } else {
        quote!()
    };
    Ok(quote! {
        impl Operator for #ty {
            const NAME: &'static str = #name;
            const TYPE: u32 = #type_value;
            const INTRODUCED: FeatureLevel = #introduced;
            const INPUTS: usize = #inputs;
            const SUPPORT: &'static [SupportTable] = SUPPORT;

            fn from_descriptor(descriptor: &Descriptor) -> Result<Self, FieldMismatch> {
                let #binding = Fields::of::<Self>(descriptor, #count)?;
                Ok(Self { #(#read,)* })
            }

            fn to_descriptor(&self) -> Descriptor {
                Descriptor { operator: Cow::Borrowed(Self::NAME), fields: Vec::from([#(#write),*]) }
            }

            fn check(&self, level: FeatureLevel, found: &mut Violations) {
                let since = (Self::INTRODUCED, #below);
                #tensors_binding Tensors::new(level, SUPPORT, #group, since, tensor::check, found);
                #(#tensors)*
                #statements
            }
        }

        impl #ty {
            #functions
            #groups
        }
    })
}

/// The expression that gives a descriptor's group of rows in the support tables, and the methods it calls.
fn groups(catalog: &Catalog, operator: &Operator, program: &Program) -> Result<(TokenStream, TokenStream), Vec<Error>> {
    if program.groups.is_empty() {
        return Ok((quote!(Some("")), TokenStream::new()));
    }
    let (mut tests, mut methods, mut errors) = (TokenStream::new(), TokenStream::new(), Vec::new());
    for (name, when) in &program.groups {
        let method = format_ident!("is_of_{}", name.replace('-', "_"));
        let (parameter, argument) = match Asks::of(when).level {
            true => (quote!(, level: FeatureLevel), quote!(level)),
            false => (TokenStream::new(), TokenStream::new()),
        };
        match body(catalog, &operator.fields, when, false) {
            Ok(body) => {
                let (doc, name) = (format!(" Whether the rows of `{name}` are this descriptor's."), &**name);
                tests.extend(quote!(if self.#method(#argument) == Some(true) { return Some(#name); }));
                methods.extend(quote!(#[doc = #doc] fn #method(&self #parameter) -> Option<bool> { #body }));
            }
            Err(e) => errors.push(Error::from((name, e))),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let level = match program.groups.iter().any(|(_, when)| Asks::of(when).level) {
        true => quote!(level),
        false => quote!(_),
    };
    methods.extend(quote! {
        /// The descriptor's group of rows in the support tables.
        fn group(&self, #level: FeatureLevel) -> Option<&'static str> { #tests None }
    });
    Ok((quote!(self.group(level)), methods))
}

/// Checks one tensor field; bound to a local if a clause of the operator needs the result.
fn tensor_statement(program: &Program, index: usize, field: &Field) -> Option<TokenStream> {
    let role = field.kind.role()?;
    let (name, text, part) = (
        names::snake(&field.name),
        &*field.name,
        tensor::part(role, field.optional),
    );
    let call = if matches!(field.kind, FieldKind::Tensors(..)) {
        quote!(tensors.each(#part, #text, &self.#name))
    } else {
        quote!(tensors.one(#part, #text, &self.#name))
    };
    let asks = |check: &Check| {
        check::needs(program, check)
            .iter()
            .any(|need| need.subject == Some(index))
    };
    let asked = program.checks.iter().any(|c| c.subject.is_none() && asks(c));
    Some(if asked {
        quote!(let #name = #call;)
    } else {
        quote!(#call;)
    })
}

/// What must hold before an operator's check is evaluated, as expressions.
fn needs(program: &Program, operator: &Operator, check: &Check) -> Vec<TokenStream> {
    let (mut tensors, mut clauses) = (BTreeSet::new(), Vec::new());
    let mut found = Vec::new();
    for need in check::needs(program, check) {
        let clause = names::clause(&need.clause);
        match need.subject.and_then(|subject| operator.fields.get(subject)) {
            None => clauses.push(quote!(#clause)),
            Some(field) => {
                let tensor = names::snake(&field.name);
                if !need.structural {
                    found.push(quote!(#tensor.#clause));
                } else if tensors.insert(need.subject) {
                    found.push(quote!(#tensor.structural));
                }
            }
        }
    }
    found.extend(clauses);
    found
}
