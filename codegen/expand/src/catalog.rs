//! The catalog as a constant expression, so that what is compiled in and what is loaded are one type.

use databake::Bake;
use dml_spec::model::Catalog;
use proc_macro2::TokenStream;
use quote::quote;

/// A constant expression of type `dml_spec::model::Catalog`.
pub fn catalog(catalog: &Catalog) -> TokenStream {
    let catalog = catalog.bake(&databake::CrateEnv::default());
    quote!({
        use ::std as alloc;
        #catalog
    })
}
