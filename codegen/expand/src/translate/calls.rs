//! Built-in functions.

use dml_spec::{
    model::FieldKind,
    rule::typed::{Func, Node, Op, Type},
};
use proc_macro2::TokenStream;
use quote::quote;

use super::{Translated, Translator, Unsupported};
use crate::{
    expr::{Expr, Item, Kind, Own, Prec},
    names,
};

impl Translator<'_> {
    pub(super) fn call(&mut self, func: Func, args: &[Node]) -> Translated {
        if func == Func::Present {
            return self.present(args);
        }
        let [first, rest @ ..] = args else {
            return Err(Unsupported("a function without arguments"));
        };
        let a = self.node(first)?;
        if let [second] = rest {
            let b = self.node(second)?;
            return two_arguments(func, &a, &b);
        }
        if func == Func::IsKnown {
            return Ok(Expr::atom(self.asked(&a, first, &quote!(.is_known()))?, Kind::Bool));
        }
        if func == Func::Number {
            return Ok(Expr::atom(self.asked(&a, first, &quote!(.0))?, Kind::U32));
        }
        let question = match func {
            Func::Bits => quote!(bits),
            Func::IsFloat => quote!(is_float),
            Func::IsSigned => quote!(is_signed),
            Func::IsUnsigned => quote!(is_unsigned),
            _ => return one_argument(func, &a),
        };
        let value = self.named(&a, first, &quote!(DataType));
        Ok(match func {
            Func::Bits => Expr::atom(quote!(#value.#question()?), Kind::U32),
            _ => Expr::atom(quote!(#value.#question()), Kind::Bool),
        })
    }

    pub(super) fn present(&mut self, args: &[Node]) -> Translated {
        let [place] = args else {
            return Err(Unsupported("`present` of several things"));
        };
        let tokens = match &place.op {
            Op::Field(i) => {
                let field = self.fields.get(*i).ok_or(Unsupported("a field that does not exist"))?;
                let name = names::snake(&field.name);
                match &field.kind {
                    FieldKind::UInt | FieldKind::Int | FieldKind::Float | FieldKind::Bool => quote!(true),
                    FieldKind::Enum(_) | FieldKind::Size2D | FieldKind::Scalar(_) => quote!(true),
                    _ => quote!(self.#name.is_some()),
                }
            }
            Op::Subject => quote!(tensor.is_some()),
            Op::Element(tensors, i) => {
                let (tensors, i) = (self.node(tensors)?.tokens, self.node(i)?.argument());
                quote!(element(#tensors, #i).map(|_| true)?)
            }
            _ => return Err(Unsupported("`present` of a computed value")),
        };
        Ok(Expr::atom(tokens, Kind::Bool))
    }

    /// A member of an enumeration or a data type, as the receiver of a call.
    fn asked(&self, value: &Expr, node: &Node, question: &TokenStream) -> Result<TokenStream, Unsupported> {
        let ty = match &node.ty {
            Type::DataType => quote!(DataType),
            Type::Enum(name) if self.catalog.enumeration(name).is_some() => {
                let name = names::enumeration(name);
                quote!(#name)
            }
            _ => return Err(Unsupported("an enumeration that does not exist")),
        };
        let value = self.named(value, node, &ty);
        Ok(quote!(#value #question))
    }

    /// A value of a newtype: the field that holds it, or made of a number.
    pub(super) fn named(&self, value: &Expr, node: &Node, ty: &TokenStream) -> TokenStream {
        if let Op::Field(i) = node.op
            && let Some(field) = self.fields.get(i)
        {
            let name = names::snake(&field.name);
            return quote!(self.#name);
        }
        let number = value.raw();
        quote!(#ty(#number))
    }
}

fn two_arguments(func: Func, a: &Expr, b: &Expr) -> Translated {
    if func == Func::Fits {
        return Err(Unsupported("the elements of a tensor"));
    }
    Ok(numbers(func, a, b))
}

fn numbers(func: Func, a: &Expr, b: &Expr) -> Expr {
    if func == Func::Contains {
        let (list, number) = (a.slice(), b.argument());
        return Expr::atom(quote!(contains(#list, #number)), Kind::Bool);
    }
    let (x, y) = (a.wide_int(), b.int().tokens);
    let receiver = x.at_least(Prec::Atom);
    let x = &x.tokens;
    match func {
        Func::Min => Expr::wide(quote!(#receiver.min(#y))),
        Func::Max => Expr::wide(quote!(#receiver.max(#y))),
        Func::DivCeil => Expr::wide(quote!(div_ceil(#x, #y)?)),
        _ => Expr::wide(quote!(align_up(#x, #y)?)),
    }
}

fn one_argument(func: Func, a: &Expr) -> Translated {
    let (tokens, slice, wide) = (&a.tokens, a.slice(), a.wide_int().at_least(Prec::Atom));
    Ok(match func {
        Func::HasSizes => Expr::atom(quote!(#tokens.sizes.is_some()), Kind::Bool),
        Func::HasStrides => Expr::atom(quote!(#tokens.strides.is_some()), Kind::Bool),
        Func::Count => Expr::atom(quote!(count(#slice)), Kind::U32),
        Func::Product => Expr::wide(quote!(product(#slice)?)),
        Func::Sum => Expr::wide(quote!(sum(#slice)?)),
        Func::IsPowerOfTwo if a.kind == Kind::U32 => Expr::atom(quote!(#tokens.is_power_of_two()), Kind::Bool),
        Func::IsPowerOfTwo => {
            let a = a.int().tokens;
            Expr::atom(quote!(is_power_of_two(#a)), Kind::Bool)
        }
        Func::Distinct => Expr::atom(quote!(distinct(#slice)), Kind::Bool),
        Func::LayoutStrides => Expr::atom(quote!(layout_strides(#tokens)?), Kind::List(Item::U32, Own::Owned)),
        Func::MinimumTotalSize => Expr::atom(
            quote!(minimum_total_size(#tokens, DataType(#tokens.data_type).bits()?)?),
            Kind::U64,
        ),
        Func::Overlaps => Expr::atom(quote!(overlaps(#tokens)?), Kind::Bool),
        Func::Abs => Expr::wide(quote!(#wide.checked_abs()?)),
        Func::Unbound => Expr::atom(quote!(#tokens.is_unbound()), Kind::Bool),
        Func::HasNan
        | Func::HasNegativeZero
        | Func::HasDenormal
        | Func::HasInfinity
        | Func::Least
        | Func::Greatest
        | Func::MinValue
        | Func::MaxValue => {
            return Err(Unsupported("the elements of a tensor"));
        }
        _ => return Err(Unsupported("a function with the wrong arguments")),
    })
}
