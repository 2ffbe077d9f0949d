//! The rule language: small, typed, total. See `spec/README.md` for the grammar.
//!
//! Text → [`syntax`] (parse) → [`mod@check`] (names and types) → [`typed::Node`] → [`interp`] here, Rust in
//! `dml-codegen-expand`.

pub mod arith;
pub mod ast;
mod calls;
pub mod check;
mod check_calls;
mod check_comparisons;
mod functions;
pub mod interp;
mod lexer;
pub(crate) mod names;
pub mod syntax;
mod syntax_meaning;
pub mod typed;
mod value;
mod words;

pub use check::{Scope, check};
pub use interp::{Data, Env, List, Subject, Val, eval, eval_bool};
pub use syntax::{RuleError, parse};
pub use syntax_meaning::{Head, parse_head};
