//! One self-contained page: the summary is plain HTML, the cases are data that the page's script shows.
//!
//! Nothing is loaded from anywhere. Passing cases are counts only; failing ones are listed up to a limit, and some of
//! each kind come with descriptor and tensors. The page says what is left out.

mod data;
mod detail;
mod first;
mod matrix;

use std::{collections::BTreeMap, io::Write};

use crate::render::model::{Failing, StoredRun};
use crate::render::source::CaseSource;
use dml_case::suite::Suite;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// Maximum number of failing cases that are listed, of all runs together.
const LISTED: usize = 30_000;

/// Writes the page.
pub(super) fn html(
    out: &mut dyn Write,
    suite: &Suite,
    cases: &dyn CaseSource,
    spec_digest: &str,
    runs: &[StoredRun],
) -> anyhow::Result<()> {
    let listed = Listed::new(runs);
    let details = detail::details(suite, cases, runs, &listed);
    let mut parts = PAGE.split("{{");
    out.write_all(parts.next().unwrap_or_default().as_bytes())?;
    for part in parts {
        let (name, rest) = part.split_once("}}").unwrap_or((part, ""));
        match name {
            "title" => write!(out, "{}", Text(&title(runs)))?,
            "style" => out.write_all(STYLE.as_bytes())?,
            "script" => out.write_all(SCRIPT.as_bytes())?,
            "first" => out.write_all(first::first(suite, spec_digest, runs, &listed).as_bytes())?,
            "matrix" => out.write_all(matrix::matrix(runs).as_bytes())?,
            "clauses" => out.write_all(matrix::clauses(suite, runs).as_bytes())?,
            "follows" => out.write_all(matrix::follows(runs).as_bytes())?,
            "data" => json(out, &data::data(suite, runs, &listed, &details))?,
            "details" => json(out, &details.all)?,
            _ => {}
        }
        out.write_all(rest.as_bytes())?;
    }
    Ok(())
}

fn title(runs: &[StoredRun]) -> String {
    let labels: Vec<&str> = runs.iter().map(|run| run.header.backend.label.as_str()).collect();
    format!("{}: DirectML conformance", labels.join(", "))
}

/// Data inside a script element, escaped so that nothing in it ends the element.
fn json(out: &mut dyn Write, value: &impl serde::Serialize) -> anyhow::Result<()> {
    let text = serde_json::to_string(value)?;
    Ok(out.write_all(text.replace('<', "\\u003c").as_bytes())?)
}

/// Text, escaped for elements and attributes.
struct Text<'a>(&'a str);

impl std::fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                c if crate::render::words::is_hidden(c) => f.write_str(" ")?,
                c => write!(f, "{c}")?,
            }
        }
        Ok(())
    }
}

/// The failing cases that the page lists: number of the run, and the case.
struct Listed<'a> {
    cases: Vec<(usize, &'a Failing)>,
    /// Failing cases that it does not list.
    left_out: u64,
}

impl<'a> Listed<'a> {
    /// A share of each kind if not all fit, so that every cell of a matrix opens some case.
    fn new(runs: &'a [StoredRun]) -> Self {
        let mut ranks: BTreeMap<_, usize> = BTreeMap::new();
        let mut ranked: Vec<(usize, usize, &Failing)> = Vec::new();
        for (run, stored) in runs.iter().enumerate() {
            for failing in &stored.failures {
                let rank = ranks
                    .entry((run, &failing.place, failing.clause(), &failing.class, failing.is_new))
                    .or_default();
                ranked.push((*rank, run, failing));
                *rank += 1;
            }
        }
        if ranked.len() > LISTED {
            ranked.sort_by_key(|(rank, _, failing)| (!failing.is_new, *rank));
            ranked.truncate(LISTED);
        }
        // What is new comes first.
        ranked.sort_by(|(_, a, x), (_, b, y)| (a, !x.is_new, &x.place, x.id()).cmp(&(b, !y.is_new, &y.place, y.id())));
        let cases: Vec<_> = ranked.into_iter().map(|(_, run, failing)| (run, failing)).collect();
        let failing = runs.iter().map(StoredRun::failing).sum::<u64>();
        Self {
            left_out: failing.saturating_sub(cases.len() as u64),
            cases,
        }
    }
}

/// The fragment of a URL that lists these failing cases.
fn listing(words: &[(&str, &str)]) -> String {
    let word = |(key, value): &(&str, &str)| format!("{key}:{}", value.replace(' ', "+"));
    let words: Vec<String> = words.iter().map(word).collect();
    let mut hash = "#q=".to_owned();
    for byte in words.join(" ").bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b':' | b'/' => hash.push(char::from(byte)),
            byte => hash.push_str(&format!("%{byte:02X}")),
        }
    }
    hash
}
