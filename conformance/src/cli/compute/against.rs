//! `compute --against`: vectors of others held against the meanings.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;

use super::{explained, in_file};
use crate::cli::{exit::INCOMPLETE, source::Loaded};
use dml_case::{nearest::excerpt, text::counted};
use dml_report::{Style, Terminal};
use dml_run::compute::{self, Compared, Computer, Outcome, Vector};

/// Vectors that differ and are told in full.
const TOLD: usize = 10;

/// Bytes that a file of vectors may have.
const LARGEST: u64 = 256 << 20;

/// What came of the vectors of an operator.
#[derive(Default)]
struct Row {
    agree: u64,
    differ: u64,
    not_expressible: u64,
}

/// What came of all vectors.
#[derive(Default)]
struct Tally {
    rows: BTreeMap<String, Row>,
    /// What is told of vectors that differ, and how many more there are.
    differing: Vec<String>,
    more: usize,
    /// Why vectors are not expressible, and how many for each reason.
    reasons: BTreeMap<String, u64>,
}

/// Compares the vectors of a folder; the exit code.
pub(super) fn against(
    folder: &Path,
    loaded: &Loaded,
    computer: &Computer<'_>,
    terminal: &mut Terminal,
) -> anyhow::Result<u8> {
    let mut tally = Tally::default();
    for path in files(folder)? {
        let shown = path.display().to_string();
        for vector in read(&path, &shown, loaded)? {
            let outcome = compute::compare(computer, &vector);
            tally.add(&shown, &vector, outcome, loaded);
        }
    }
    Ok(tally.show(terminal))
}

/// The files of vectors in a folder, sorted.
fn files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let context = || folder.display().to_string();
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).with_context(context)? {
        let path = entry.with_context(context)?.path();
        let is_vectors = |extension: &str| ["json", "yaml", "yml"].contains(&extension);
        if path.extension().and_then(|e| e.to_str()).is_some_and(is_vectors) {
            paths.push(path);
        }
    }
    anyhow::ensure!(
        !paths.is_empty(),
        "{}: no vectors in this folder; expected files *.json or *.yaml",
        folder.display()
    );
    paths.sort();
    Ok(paths)
}

fn read(path: &Path, shown: &str, loaded: &Loaded) -> anyhow::Result<Vec<Vector>> {
    let context = || shown.to_owned();
    let length = fs::metadata(path).with_context(context)?.len();
    anyhow::ensure!(
        length <= LARGEST,
        "{shown}: a file of {length} bytes; expected at most {LARGEST}"
    );
    let is_yaml = path.extension().is_some_and(|extension| extension != "json");
    let vectors = compute::read_vectors(&loaded.suite, &fs::read(path).with_context(context)?, is_yaml);
    vectors.map_err(|error| anyhow::anyhow!(in_file(shown, &error, loaded)))
}

impl Tally {
    fn add(&mut self, file: &str, vector: &Vector, outcome: Outcome, loaded: &Loaded) {
        let row = self.rows.entry(excerpt(&vector.operator)).or_default();
        let what = match outcome {
            Outcome::Agrees => {
                row.agree += 1;
                return;
            }
            Outcome::NotExpressible(why) => {
                row.not_expressible += 1;
                *self.reasons.entry(why).or_default() += 1;
                return;
            }
            Outcome::Differs(compared) => differences(&compared),
            Outcome::Fault(error) => format!("  {}", explained(&error, &loaded.suite, &loaded.texts.files)),
        };
        row.differ += 1;
        if self.differing.len() < TOLD {
            let name = excerpt(&vector.name);
            let name = if name.is_empty() { name } else { format!(": {name}") };
            self.differing.push(format!("{file}{name}\n{what}"));
        } else {
            self.more += 1;
        }
    }

    /// Prints the table and what differs; the exit code.
    fn show(&self, terminal: &mut Terminal) -> u8 {
        let width = self
            .rows
            .keys()
            .map(String::len)
            .max()
            .unwrap_or(0)
            .max("operator".len());
        let head = format!("{:<width$}  vectors  agree  differ  not expressible", "operator");
        terminal.line(terminal.paint(Style::Strong, head));
        let mut sum = Row::default();
        for (operator, row) in &self.rows {
            terminal.line(row.line(operator, width));
            sum.agree += row.agree;
            sum.differ += row.differ;
            sum.not_expressible += row.not_expressible;
        }
        if self.rows.len() > 1 {
            terminal.line(sum.line("all", width));
        }
        for (why, count) in &self.reasons {
            let count = counted(usize::try_from(*count).unwrap_or(usize::MAX), "vector");
            terminal.line(format!("not expressible, {count}: {why}"));
        }
        for text in &self.differing {
            terminal.line("");
            terminal.line(text);
        }
        if self.more > 0 {
            terminal.line(format!("\nand {} more that differ", self.more));
        }
        match (sum.differ, sum.agree) {
            (0, 0) => INCOMPLETE,
            (0, _) => 0,
            _ => 1,
        }
    }
}

impl Row {
    fn line(&self, operator: &str, width: usize) -> String {
        let Self {
            agree,
            differ,
            not_expressible,
        } = self;
        let vectors = agree + differ + not_expressible;
        format!("{operator:<width$}  {vectors:>7}  {agree:>5}  {differ:>6}  {not_expressible:>15}")
    }
}

/// The first elements that differ, a line each.
fn differences(compared: &Compared) -> String {
    let lines = compared.first.iter().map(|difference| {
        let (place, found, expected) = (&difference.place, &difference.found, &difference.expected);
        format!("  {place}: found {found}, expected {expected}")
    });
    let mut lines: Vec<String> = lines.collect();
    let more = compared.count - compared.first.len() as u64;
    if more > 0 {
        lines.push(format!("  and {more} more elements"));
    }
    lines.join("\n")
}
