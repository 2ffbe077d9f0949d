//! The table of conformance: backends side by side, by level and family, with the clauses that each violates.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

use dml_spec::FeatureLevel;

use crate::render::{
    markdown::{code, plain},
    model::StoredRun,
    words::cases,
};
use crate::{collect::Cell, results::HALF_PRECISION, summary::Ending};
use dml_case::text::grouped;

/// Maximum number of clauses named for a backend.
const CLAUSES: usize = 12;

/// Facts of a backend that are printed with its version.
const FACTS: [&str; 4] = ["adapter", "driver", "library", "device"];

/// The tables, as Markdown.
pub fn conforms(runs: &[StoredRun]) -> String {
    let mut text = String::new();
    by_level(runs, &mut text);
    by_family(runs, &mut text);
    broken(runs, &mut text);
    followed(runs, &mut text);
    text
}

fn row(text: &mut String, cells: impl IntoIterator<Item = String>) {
    let cells: Vec<String> = cells.into_iter().collect();
    let _ = writeln!(text, "| {} |", cells.join(" | "));
}

fn head(text: &mut String, cells: Vec<String>) {
    let rule = vec!["---".to_owned(); cells.len()];
    row(text, cells);
    row(text, rule);
}

fn label(run: &StoredRun) -> String {
    plain(&run.header.backend.label)
}

/// The day that a run started.
fn day(run: &StoredRun) -> String {
    let started = run.header.started.as_deref().unwrap_or_default();
    plain(started.split('T').next().unwrap_or_default())
}

fn by_level(runs: &[StoredRun], text: &mut String) {
    let levels: BTreeSet<FeatureLevel> = runs.iter().flat_map(StoredRun::levels).collect();
    let mut names = vec![
        "backend".to_owned(),
        "version".to_owned(),
        "date".to_owned(),
        "operators".to_owned(),
    ];
    names.extend(levels.iter().map(FeatureLevel::to_string));
    head(text, names);
    for run in runs {
        let backend = &run.header.backend;
        let facts = backend
            .details
            .iter()
            .filter(|(name, _)| FACTS.contains(&name.as_str()));
        // The path of a library is of no interest elsewhere.
        let short = |name: &str, fact: &str| match name {
            "library" => fact.rsplit(['/', '\\']).next().unwrap_or(fact).to_owned(),
            _ => fact.to_owned(),
        };
        let facts = facts.map(|(name, fact)| plain(&short(name, fact)));
        let version = std::iter::once(plain(&backend.version))
            .chain(facts)
            .collect::<Vec<_>>();
        let version = version.join(", ");
        let operators = run.judged_operators();
        let operators = match operators.len() {
            0..=2 => operators.into_iter().map(plain).collect::<Vec<_>>().join(", "),
            n => n.to_string(),
        };
        let mut cells = vec![label(run), version, day(run), operators];
        cells.extend(levels.iter().map(|level| at_level(run, *level)));
        row(text, cells);
    }
    text.push('\n');
    let _ = writeln!(
        text,
        "By table level: cases that pass (✓) or fail (✗; k: every failure is known), of those with a defined result; ?: every result is unspecified; —: nothing was judged."
    );
    for run in runs
        .iter()
        .filter(|run| run.ending(None) == Ending::Incomplete || !run.is_complete())
    {
        let _ = writeln!(
            text,
            "{} is incomplete: {}.",
            label(run),
            plain(&run.incomplete().join(", "))
        );
    }
    for run in runs {
        let Some(shard) = &run.header.shard else { continue };
        let _ = writeln!(text, "{} is shard {} of {} alone.", label(run), shard.index, shard.of);
    }
    for run in runs.iter().filter(|run| run.header.half_precision()) {
        let _ = writeln!(text, "{} was run with {HALF_PRECISION}.", label(run));
    }
    text.push('\n');
}

fn at_level(run: &StoredRun, level: FeatureLevel) -> String {
    let cells = run.cells.iter().filter(|(place, _)| place.level == level);
    spell(&cells.map(|(_, cell)| cell).sum())
}

fn spell(cell: &Cell) -> String {
    let defined = cell.pass + cell.fail + cell.xfail;
    match cell {
        Cell { fail: fail @ 1.., .. } => format!("✗ {} of {}", grouped(*fail), grouped(defined)),
        Cell { xfail: known @ 1.., .. } => format!("k {} of {}", grouped(*known), grouped(defined)),
        Cell { pass: pass @ 1.., .. } => format!("✓ {}", grouped(*pass)),
        Cell { unspecified: 1.., .. } => "?".to_owned(),
        _ => "—".to_owned(),
    }
}

fn by_family(runs: &[StoredRun], text: &mut String) {
    let families: BTreeSet<&String> = runs.iter().flat_map(|run| run.families.keys()).collect();
    let of = |run: &StoredRun, family: &str| -> Cell {
        let levels = run.families.get(family).into_iter();
        levels.flat_map(BTreeMap::values).sum()
    };
    let _ = writeln!(text, "<details><summary>By family</summary>\n");
    let mut names = vec!["family".to_owned()];
    names.extend(runs.iter().map(label));
    head(text, names);
    for family in families {
        let cells = runs.iter().map(|run| spell(&of(run, family)));
        row(text, std::iter::once(plain(family)).chain(cells));
    }
    let _ = writeln!(text, "\n</details>\n");
}

fn broken(runs: &[StoredRun], text: &mut String) {
    for run in runs {
        let mut clauses: Vec<(&String, u64)> = run.clauses.iter().map(|(id, by)| (id, by.values().sum())).collect();
        clauses.sort_by_key(|(id, n)| (std::cmp::Reverse(*n), *id));
        let name = |id: &String| match id.as_str() {
            "" => "no clause".to_owned(),
            id => code(id),
        };
        let named = clauses
            .iter()
            .take(CLAUSES)
            .map(|(id, n)| format!("{} in {}", name(id), grouped(*n)));
        let mut named: Vec<String> = named.collect();
        named.extend((clauses.len() > CLAUSES).then(|| format!("{} more", clauses.len() - CLAUSES)));
        if run.judged_operators().is_empty() {
            let _ = writeln!(text, "- {} was not judged at all", label(run));
            continue;
        }
        if named.is_empty() {
            named.push("no clause".to_owned());
        }
        let known = match run.known(None) {
            0 => String::new(),
            n => format!("; failures that are known, in {}, are not counted", cases(n)),
        };
        let _ = writeln!(text, "- {} breaks {}{known}", label(run), named.join(", "));
    }
    text.push('\n');
}

fn followed(runs: &[StoredRun], text: &mut String) {
    let clauses: BTreeSet<&String> = runs.iter().flat_map(|run| run.follows.keys()).collect();
    if clauses.is_empty() {
        return;
    }
    let mut names = vec!["if text and runtimes differ".to_owned()];
    names.extend(runs.iter().map(label));
    head(text, names);
    for clause in clauses {
        let cells = runs
            .iter()
            .map(|run| run.follows.get(clause).map_or("—".to_owned(), whom));
        row(text, std::iter::once(code(clause)).chain(cells));
    }
    text.push('\n');
}

/// What a backend follows: the word alone if all deciding cases agree. Cases that fit both are ignored, unless
/// there is nothing else.
fn whom(counts: &BTreeMap<String, u64>) -> String {
    let telling: Vec<(&String, &u64)> = counts.iter().filter(|(whom, _)| *whom != "both").collect();
    match telling[..] {
        [] => "both".to_owned(),
        [(one, _)] => plain(one),
        _ => {
            let message = telling
                .iter()
                .map(|(whom, n)| format!("{} in {}", plain(whom), grouped(**n)));
            message.collect::<Vec<_>>().join(", ")
        }
    }
}
