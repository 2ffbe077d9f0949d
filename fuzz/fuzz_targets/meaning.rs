//! Any text is a meaning: its heads and bodies are parsed, checked for an operator, and evaluated on small descriptors
//! of it. Mistakes and faults name a part of the text, and nothing runs on or fills the memory.
//!
//! The first line names the operator; each line after it is `head: body`, and lines that start with a blank go on.

#![no_main]

use std::{collections::BTreeMap, sync::OnceLock};

use dml_fuzz::{suite, within};
use dml_oracle::{Basis, Meanings, Pattern, Request, corners, expect_within, inputs};
use dml_spec::{
    Descriptor,
    meaning::{self, Entry, Place},
    model::Operator,
};
use libfuzzer_sys::fuzz_target;

/// What checking and evaluating may hold.
const LIMIT: u64 = 256 << 20;

/// Points that an evaluation may look at.
const POINTS: u64 = 1 << 20;

/// Descriptors of an operator that are tried.
const TRIED: usize = 3;

fuzz_target!(|text: &str| {
    let (name, lines) = text.split_once('\n').unwrap_or(("", text));
    let catalog = &suite().catalog;
    let named = catalog
        .operator(name.trim())
        .filter(|operator| operator.is_computed());
    let first = || catalog.operators.iter().find(|operator| operator.is_computed());
    let Some(operator) = named.or_else(first) else {
        return;
    };
    let texts = texts(lines);
    let entries: Vec<Entry> = texts
        .iter()
        .map(|(head, body)| (head.as_str(), body.as_str()))
        .collect();
    within(LIMIT, || tried(operator, &entries));
});

/// Heads and bodies, line by line.
fn texts(lines: &str) -> Vec<(String, String)> {
    let mut texts: Vec<(String, String)> = Vec::new();
    for line in lines.lines() {
        match texts.last_mut() {
            Some((_, body)) if line.starts_with(char::is_whitespace) => {
                body.push('\n');
                body.push_str(line);
            }
            _ => {
                let (head, body) = line.split_once(": ").unwrap_or((line, ""));
                texts.push((head.to_owned(), body.to_owned()));
            }
        }
    }
    texts
}

fn tried(operator: &'static Operator, entries: &[Entry]) {
    let catalog = &suite().catalog;
    let meaning = match meaning::check(catalog, operator, entries) {
        Ok(meaning) => meaning,
        Err(mistakes) => {
            assert!(!mistakes.is_empty());
            for mistake in mistakes {
                let text = match mistake.place {
                    Place::Head(at) => entries.get(at).map_or("", |(head, _)| head),
                    Place::Body(at) => entries[at].1,
                    Place::Opens { .. } => continue,
                };
                assert!(
                    text.get(mistake.error.span.clone()).is_some(),
                    "no part of the text: {mistake:?}"
                );
            }
            return;
        }
    };
    let mut meanings = meanings().clone();
    meanings.insert(&operator.name, meaning);
    for (descriptor, pattern) in
        descriptors(operator)
            .iter()
            .zip([Pattern::Counting, Pattern::Extremes, Pattern::Zeros])
    {
        let request = Request {
            catalog,
            meanings: &meanings,
            descriptor,
            inputs: &inputs(catalog, operator, descriptor, pattern),
            basis: Basis::Text,
            half_precision: false,
        };
        if let Err(fault) = expect_within(&request, POINTS, &mut |_| {}) {
            let named = entries.iter().any(|(_, body)| body.get(fault.span.clone()).is_some());
            assert!(named, "no part of the text: {fault:?}");
        }
    }
}

fn meanings() -> &'static Meanings {
    static MEANINGS: OnceLock<Meanings> = OnceLock::new();
    MEANINGS.get_or_init(|| Meanings::of_catalog(&suite().catalog))
}

/// A few small legal descriptors of each operator.
fn descriptors(operator: &Operator) -> &'static [Descriptor] {
    static ALL: OnceLock<BTreeMap<String, Vec<Descriptor>>> = OnceLock::new();
    let of = |operator: &Operator| {
        let all = corners(&suite().catalog, operator, Vec::new());
        let step = (all.len() / TRIED).max(1);
        (
            operator.name.to_string(),
            all.into_iter().step_by(step).take(TRIED).collect(),
        )
    };
    let all = ALL.get_or_init(|| suite().catalog.operators.iter().map(of).collect());
    all.get(operator.name.as_ref()).map_or(&[], Vec::as_slice)
}
