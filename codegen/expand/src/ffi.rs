//! C structures of the operators, with assertions of the layout computed here independently.

use dml_spec::model::{FieldKind, Operator};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::names;

/// The structure of an operator and the assertions of its layout.
pub(crate) fn structure(operator: &Operator) -> TokenStream {
    let name = names::c_struct(&operator.name);
    let names: Vec<_> = operator.fields.iter().map(|f| names::ident(&f.name)).collect();
    let types = operator.fields.iter().map(|f| c_type(&f.kind));
    let says = operator.fields.iter().map(|f| format!(" {}", f.says));
    let doc = format!(" `DML_{}_OPERATOR_DESC` of `DirectML.h`.", operator.name);
    let (offsets, size) = layout(operator.fields.iter().map(|f| extent(&f.kind)));
    let (offsets, size) = (
        offsets.into_iter().map(Literal::usize_unsuffixed),
        Literal::usize_unsuffixed(size),
    );
    // A union has no `Debug`.
    let scalar = operator.fields.iter().any(|f| matches!(f.kind, FieldKind::Scalar(_)));
    let derive = if scalar {
        quote!(#[derive(Clone, Copy)])
    } else {
        quote!(#[derive(Clone, Copy, Debug)])
    };
    quote! {
        #[doc = #doc]
        #[allow(non_camel_case_types, non_snake_case, reason = "named as in DirectML.h")]
        #[repr(C)]
        #derive
        pub struct #name {
            #(#[doc = #says] pub #names: #types,)*
        }

        #[cfg(target_pointer_width = "64")]
        const _: () = {
            use std::mem::{offset_of, size_of};
            const SIZE: usize = size_of::<#name>();
            assert!(SIZE == #size);
            #(assert!(offset_of!(#name, #names) == #offsets);)*
        };
    }
}

fn c_type(kind: &FieldKind) -> TokenStream {
    match kind {
        FieldKind::Tensor(_) | FieldKind::Tensors(..) => quote!(*const DML_TENSOR_DESC),
        FieldKind::UInt => quote!(u32),
        FieldKind::Int | FieldKind::Bool => quote!(i32),
        FieldKind::Float => quote!(f32),
        FieldKind::Enum(name) => {
            let name = names::enumeration(name);
            quote!(super::#name)
        }
        FieldKind::UInts(_) => quote!(*const u32),
        FieldKind::Ints(_) => quote!(*const i32),
        FieldKind::Floats(_) => quote!(*const f32),
        FieldKind::ScaleBias => quote!(*const DML_SCALE_BIAS),
        FieldKind::Size2D => quote!(DML_SIZE_2D),
        FieldKind::Scalar(_) => quote!(DML_SCALAR_UNION),
        FieldKind::Operator | FieldKind::Operators(_) => quote!(*const DML_OPERATOR_DESC),
    }
}

/// Size and alignment in C on a 64-bit target.
fn extent(kind: &FieldKind) -> (usize, usize) {
    match kind {
        FieldKind::UInt | FieldKind::Int | FieldKind::Float | FieldKind::Bool | FieldKind::Enum(_) => (4, 4),
        FieldKind::Size2D => (8, 4),
        FieldKind::Scalar(_)
        | FieldKind::Tensor(_)
        | FieldKind::Tensors(..)
        | FieldKind::UInts(_)
        | FieldKind::Ints(_)
        | FieldKind::Floats(_)
        | FieldKind::ScaleBias
        | FieldKind::Operator
        | FieldKind::Operators(_) => (8, 8),
    }
}

/// Offsets of members and size of the whole, by the rules of C: each member at the next multiple of its alignment,
/// the whole a multiple of the largest.
fn layout(members: impl Iterator<Item = (usize, usize)>) -> (Vec<usize>, usize) {
    let (mut offsets, mut end, mut largest) = (Vec::new(), 0_usize, 1);
    for (size, align) in members {
        let start = end.next_multiple_of(align);
        offsets.push(start);
        end = start + size;
        largest = largest.max(align);
    }
    (offsets, end.next_multiple_of(largest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_stand_at_multiples_of_their_alignment() {
        let (offsets, size) = layout([(4, 4), (8, 8), (4, 4), (8, 4), (4, 4)].into_iter());
        assert_eq!((offsets, size), (vec![0, 8, 16, 20, 28], 32));
        let (offsets, size) = layout([(8, 8), (4, 4)].into_iter());
        assert_eq!((offsets, size), (vec![0, 8], 16));
    }
}
