//! Levels, data types and enumerations: newtypes, so that every bit pattern has a value.

use dml_spec::{
    FeatureLevel,
    model::{Catalog, Enum},
};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use crate::names;

/// Constant of a level: `FL_2_1`.
pub(crate) fn level_name(level: FeatureLevel) -> Ident {
    format_ident!("FL_{}_{}", level.major(), level.minor())
}

/// A level, by name if the catalog has it.
pub(crate) fn level(catalog: &Catalog, level: FeatureLevel) -> TokenStream {
    if catalog.levels.iter().any(|l| l.level == level) {
        let name = level_name(level);
        return quote!(levels::#name);
    }
    let value = level.0;
    quote!(FeatureLevel(#value))
}

/// All of them.
pub(crate) fn types(catalog: &Catalog) -> TokenStream {
    let levels = levels(catalog);
    let data_type = data_type(catalog);
    let enums = catalog.enums.iter().map(enumeration);
    quote!(#levels #data_type #(#enums)*)
}

fn levels(catalog: &Catalog) -> TokenStream {
    let consts = catalog.levels.iter().map(|l| {
        let (name, value) = (level_name(l.level), hex(l.level.0));
        let doc = format!(" Level {}, since DirectML {}.", l.level, l.release);
        quote! {
            #[doc = #doc]
            pub const #name: FeatureLevel = FeatureLevel(#value);
        }
    });
    quote! {
        /// Feature levels by name.
        pub mod levels {
            use super::FeatureLevel;

            #(#consts)*
        }
    }
}

fn hex(value: u32) -> Literal {
    format!("0x{value:x}")
        .parse()
        .unwrap_or_else(|_| Literal::u32_unsuffixed(value))
}

fn data_type(catalog: &Catalog) -> TokenStream {
    let consts = catalog.data_types.iter().map(|t| {
        let (name, value) = (names::ident(&t.name), Literal::u32_unsuffixed(t.value));
        let bits = if t.bits == 0 {
            String::new()
        } else {
            format!(", {} bits", t.bits)
        };
        let doc = format!(" {:?}{bits}, since level {}.", t.class, t.introduced);
        quote! {
            #[doc = #doc]
            pub const #name: Self = Self(#value);
        }
    });
    let name = |t: &dml_spec::model::DataType| names::ident(&t.name);
    let names = catalog.data_types.iter().map(|t| {
        let (ident, text) = (name(t), &*t.name);
        quote!(Self::#ident => #text)
    });
    let widths = catalog.data_types.iter().map(|t| {
        let (ident, bits) = (name(t), Literal::u32_unsuffixed(t.bits));
        quote!(Self::#ident => #bits)
    });
    let classes = catalog.data_types.iter().map(|t| {
        let (ident, class) = (name(t), names::ident(&format!("{:?}", t.class)));
        quote!(Self::#ident => NumberClass::#class)
    });
    quote! {
        /// `DML_TENSOR_DATA_TYPE`: any value, known or not.
        #[repr(transparent)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct DataType(pub u32);

        impl DataType {
            #(#consts)*

            /// Its name without prefix, such as `FLOAT16`; `None` if it is not known.
            pub const fn name(self) -> Option<&'static str> {
                Some(match self {
                    #(#names,)*
                    _ => return None,
                })
            }

            /// Whether it is a member of the enumeration.
            #[inline]
            pub const fn is_known(self) -> bool {
                self.name().is_some()
            }

            /// Bits an element, 0 for `UNKNOWN`; `None` if it is not known.
            #[inline]
            pub const fn bits(self) -> Option<u32> {
                Some(match self {
                    #(#widths,)*
                    _ => return None,
                })
            }

            /// Whether it is a floating point type.
            #[inline]
            pub const fn is_float(self) -> bool {
                matches!(self.class(), NumberClass::Float)
            }

            /// Whether it is a type of signed whole numbers.
            #[inline]
            pub const fn is_signed(self) -> bool {
                matches!(self.class(), NumberClass::Signed)
            }

            /// Whether it is a type of unsigned whole numbers.
            #[inline]
            pub const fn is_unsigned(self) -> bool {
                matches!(self.class(), NumberClass::Unsigned)
            }

            /// What its bits mean.
            pub const fn class(self) -> NumberClass {
                match self {
                    #(#classes,)*
                    _ => NumberClass::Unknown,
                }
            }
        }
    }
}

fn enumeration(e: &Enum) -> TokenStream {
    let ty = names::enumeration(&e.name);
    let prefix = e.prefix();
    let doc = format!(" `{}`: any value, known or not.", e.name);
    let consts = e.members.iter().map(|m| {
        let (name, value, doc) = (
            names::member(&prefix, &m.name),
            Literal::u32_unsuffixed(m.value),
            format!(" `{}`", m.name),
        );
        quote! {
            #[doc = #doc]
            pub const #name: Self = Self(#value);
        }
    });
    let members: Vec<_> = e.members.iter().map(|m| names::member(&prefix, &m.name)).collect();
    let named = e.members.iter().map(|m| {
        let text = m.name.strip_prefix(&prefix).unwrap_or(&m.name);
        let name = names::member(&prefix, &m.name);
        quote!((#text, Self::#name))
    });
    let known = if e.flags {
        let all = hex(e.members.iter().fold(0, |all, m| all | m.value));
        quote!(self.0 & !#all == 0)
    } else if members.is_empty() {
        quote!(false)
    } else {
        quote!(matches!(self, #(Self::#members)|*))
    };
    quote! {
        #[doc = #doc]
        #[repr(transparent)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct #ty(pub u32);

        impl #ty {
            #(#consts)*

            /// Whether it is made of members of the enumeration.
            #[inline]
            pub const fn is_known(self) -> bool {
                #known
            }

            /// Its members, by their names without the prefix that all have.
            pub const MEMBERS: &'static [(&'static str, Self)] = &[#(#named),*];

            /// The member of this name; `None` if there is none.
            pub fn named(name: &str) -> Option<Self> {
                Self::MEMBERS.iter().find(|(known, _)| *known == name).map(|(_, member)| *member)
            }
        }
    }
}
