//! Support tables as statics.

use dml_spec::model::{Catalog, Operator, SupportRow, SupportTable, dimension_cell_id, type_cell_id};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::{names, types};

/// Largest dimension count that has a cell of its own: `TENSOR/dimension-count` forbids more.
const MOST_DIMENSIONS: u32 = 8;

/// The static of an operator.
pub(crate) fn tables(catalog: &Catalog, operator: &Operator) -> TokenStream {
    let tables = operator.support.iter().map(|table| {
        let level = types::level(catalog, table.level);
        let rows = table.rows.iter().map(|row| self::row(catalog, operator, table, row));
        quote!(SupportTable { level: #level, rows: &[#(#rows),*] })
    });
    quote! {
        /// Support tables by ascending level.
        pub static SUPPORT: &[SupportTable] = &[#(#tables),*];
    }
}

fn row(catalog: &Catalog, operator: &Operator, table: &SupportTable, row: &SupportRow) -> TokenStream {
    let (group, tensor, level) = (&*row.group, &*row.tensor, table.level);
    let (low, high) = (
        Literal::u32_unsuffixed(row.dimensions.0),
        Literal::u32_unsuffixed(row.dimensions.1),
    );
    let (allowed, forbidden): (Vec<_>, Vec<_>) = catalog.data_types.iter().partition(|t| row.allows_type(&t.name));
    let allowed = allowed.iter().map(|t| {
        let name = names::ident(&t.name);
        quote!(DataType::#name.0)
    });
    let no_types = forbidden.iter().map(|t| {
        let (name, id) = (names::ident(&t.name), type_cell_id(&operator.name, level, row, &t.name));
        quote!((DataType::#name.0, #id))
    });
    let no_dimensions = (1..=MOST_DIMENSIONS).filter(|n| !row.allows_dimensions(*n)).map(|n| {
        let (count, id) = (
            Literal::u32_unsuffixed(n),
            dimension_cell_id(&operator.name, level, row, n),
        );
        quote!((#count, #id))
    });
    quote! {
        SupportRow {
            group: #group,
            tensor: #tensor,
            dimensions: (#low, #high),
            types: &[#(#allowed),*],
            no_types: &[#(#no_types),*],
            no_dimensions: &[#(#no_dimensions),*],
        }
    }
}
