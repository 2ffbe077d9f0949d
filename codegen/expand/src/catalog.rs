//! The catalog as a constant expression, so that what is compiled in and what is loaded are one type.

use dml_spec::{
    FeatureLevel,
    model::{
        CaseModel, Catalog, CellDifference, Change, Citation, Clause, Compare, Comparison, DataType, Enum, EnumMember,
        Example, ExampleTensor, ExampleValue, Family, Field, FieldKind, Key, Lanes, LedgerEntry, Level, Nested,
        Observation, Operator, Source, Superseded, SupportGroup, SupportRow, SupportTable, Sweep, Text,
    },
};
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};

use crate::names;

/// A constant expression of type `dml_spec::model::Catalog`.
pub fn catalog(catalog: &Catalog) -> TokenStream {
    let catalog = catalog.constant();
    quote!({
        use ::dml_spec::{FeatureLevel, model::*};
        use ::std::borrow::Cow::Borrowed;
        #catalog
    })
}

/// A value that can be written as a constant expression.
trait Constant {
    fn constant(&self) -> TokenStream;
}

/// Structures: every field by its name.
macro_rules! structures {
    ($($name:ident { $($field:ident),* $(,)? })*) => {$(
        impl Constant for $name {
            fn constant(&self) -> TokenStream {
                let Self { $($field),* } = self;
                $(let $field = $field.constant();)*
                quote!($name { $($field: #$field),* })
            }
        }
    )*};
}

structures! {
    Catalog { levels, data_types, enums, sources, tensor_clauses, operators }
    Level { level, release }
    DataType { name, value, bits, class, introduced }
    Enum { name, flags, members }
    EnumMember { name, value }
    Source { name, page, locale, revision, facts, stated, sentences }
    LedgerEntry { source, clause }
    Superseded { source, fact, value, by }
    Citation { source, anchor, sentence, sha256 }
    Operator {
        name, type_value, introduced, says, file, sources, fields, clauses, groups, support, examples, cases,
        ledger, superseded,
    }
    Field { name, kind, optional, compare, in_place, says }
    Clause {
        id, kind, status, says, applies, structural, needs, rule, class, holds, tells, source, observed, history, retired,
    }
    Observation { runtime, date, rule, says, erratic }
    Change { date, change }
    Comparison { types, other, because }
    SupportGroup { name, when }
    SupportTable { level, rows, source, differs }
    CellDifference { runtime, date, tensors, types, says }
    SupportRow { group, tensor, dimensions, types, shape, source }
    Example { name, source, values }
    ExampleTensor { sizes, data_type, data }
    CaseModel { keys, derive, lanes, nested, values, bounds, families }
    Nested { name, operator, attributes }
    Key { name, sets }
    Lanes { axis, k }
    Family { name, says, catches, generator, sweeps }
    Sweep { tier, base, allow, only, points }
}

/// Enumerations without fields: the variant's name is what `Debug` prints.
macro_rules! variants {
    ($($name:ident),*) => {$(
        impl Constant for dml_spec::model::$name {
            fn constant(&self) -> TokenStream {
                let variant = names::ident(&format!("{self:?}"));
                quote!($name::#variant)
            }
        }
    )*};
}

variants!(NumberClass, Role, ClauseKind, Status, Applies, Generator, Tier);

impl Constant for FieldKind {
    fn constant(&self) -> TokenStream {
        let with_text = |variant: &str, text: &Text| {
            let (variant, text) = (format_ident!("{variant}"), text.constant());
            quote!(FieldKind::#variant(#text))
        };
        match self {
            Self::Tensor(role) => {
                let role = role.constant();
                quote!(FieldKind::Tensor(#role))
            }
            Self::Tensors(role, count) => {
                let (role, count) = (role.constant(), count.constant());
                quote!(FieldKind::Tensors(#role, #count))
            }
            Self::Enum(name) => with_text("Enum", name),
            Self::UInts(count) => with_text("UInts", count),
            Self::Ints(count) => with_text("Ints", count),
            Self::Floats(count) => with_text("Floats", count),
            Self::Scalar(of) => with_text("Scalar", of),
            Self::Operators(count) => with_text("Operators", count),
            Self::UInt | Self::Int | Self::Float | Self::Bool | Self::ScaleBias | Self::Size2D | Self::Operator => {
                let variant = names::ident(&format!("{self:?}"));
                quote!(FieldKind::#variant)
            }
        }
    }
}

impl Constant for Compare {
    fn constant(&self) -> TokenStream {
        match self {
            Self::Exact => quote!(Compare::Exact),
            Self::Bound => quote!(Compare::Bound),
            Self::Ulp(n) => quote!(Compare::Ulp(#n)),
            Self::Abs(x) => {
                let bits = x.to_bits();
                quote!(Compare::Abs(f64::from_bits(#bits)))
            }
        }
    }
}

impl Constant for ExampleValue {
    fn constant(&self) -> TokenStream {
        match self {
            Self::Tensor(tensor) => {
                let tensor = tensor.constant();
                quote!(ExampleValue::Tensor(#tensor))
            }
            Self::Tensors(tensors) => {
                let tensors = tensors.constant();
                quote!(ExampleValue::Tensors(#tensors))
            }
            Self::Attribute(text) => {
                let text = text.constant();
                quote!(ExampleValue::Attribute(#text))
            }
        }
    }
}

impl Constant for FeatureLevel {
    fn constant(&self) -> TokenStream {
        let value = Literal::u32_unsuffixed(self.0);
        quote!(FeatureLevel(#value))
    }
}

impl Constant for Text {
    fn constant(&self) -> TokenStream {
        let text: &str = self;
        quote!(Borrowed(#text))
    }
}

impl Constant for u32 {
    fn constant(&self) -> TokenStream {
        Literal::u32_unsuffixed(*self).into_token_stream()
    }
}

impl Constant for bool {
    fn constant(&self) -> TokenStream {
        self.into_token_stream()
    }
}

impl<T: Constant + Clone> Constant for std::borrow::Cow<'static, [T]> {
    fn constant(&self) -> TokenStream {
        let items = self.iter().map(Constant::constant);
        quote!(Borrowed(&[#(#items),*]))
    }
}

impl<T: Constant> Constant for Option<T> {
    fn constant(&self) -> TokenStream {
        match self.as_ref().map(Constant::constant) {
            Some(value) => quote!(Some(#value)),
            None => quote!(None),
        }
    }
}

impl<A: Constant, B: Constant> Constant for (A, B) {
    fn constant(&self) -> TokenStream {
        let (a, b) = (self.0.constant(), self.1.constant());
        quote!((#a, #b))
    }
}
