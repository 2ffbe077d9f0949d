//! The rule language: small, typed, total. See `spec/README.md` for the grammar.
//!
//! Text → [`syntax`] (parse) → [`check`] (names and types) → [`typed::Node`] → [`interp`] here, Rust in
//! `dml-codegen-expand`.

pub mod check;
pub mod interp;
pub mod syntax;
pub mod typed;
