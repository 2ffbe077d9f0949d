//! `report render` and `report conforms`: stored runs as documents.

mod conforms;
mod document;

pub(super) use conforms::{Args as ConformsArgs, conforms};
pub(super) use document::{Args as RenderArgs, render, write};
