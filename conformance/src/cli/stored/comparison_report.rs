//! Prints comparisons of runs: as text, Markdown and JSON.

use serde_json::{Value, json};

use dml_case::nearest::{excerpt, harmless};
use dml_report::{
    Style, Terminal,
    comparison::{Change, Compared, Item},
};

/// Cases of a kind that are shown to people.
const SHOWN: usize = 10;

/// Prints a comparison as text.
pub(super) fn print_comparison(terminal: &mut Terminal, compared: &Compared, allow_new: bool, verbose: bool) {
    for (what, changes) in changes(compared) {
        terminal.line(terminal.paint(Style::Note, what));
        changes
            .iter()
            .for_each(|change| terminal.line(format!("  {}", harmless(change))));
    }
    let shown = if verbose { usize::MAX } else { SHOWN };
    for (change, items) in kinds(compared) {
        let style = match change {
            Change::Regressed => Style::Bad,
            Change::NewFailing | Change::AskedOtherwiseFailing if !allow_new => Style::Bad,
            Change::Fixed => Style::Good,
            _ => Style::Strong,
        };
        terminal.line(terminal.paint(style, format!("{} {}", items.len(), change.spelled())));
        for item in items.iter().take(shown) {
            terminal.line(format!("  {} {}", words(item), harmless(&item.id)));
            let why = why(item);
            if !why.is_empty() {
                terminal.line(format!("    {}", harmless(&why)));
            }
        }
        if items.len() > shown {
            terminal.line(format!("  … and {} more; -v shows all", items.len() - shown));
        }
    }
    terminal.line(summary(compared));
}

/// For a comment or a step summary.
pub(super) fn comparison_markdown(compared: &Compared) -> String {
    let mut out = format!("### {}\n\n{}\n", code(&compared.backend), summary(compared));
    for (what, changes) in changes(compared) {
        out.push_str(&format!("\n{what}:\n\n"));
        changes
            .iter()
            .for_each(|change| out.push_str(&format!("- {}\n", code(change))));
    }
    for (change, items) in kinds(compared) {
        out.push_str(&format!(
            "\n<details><summary>{} {}</summary>\n\n",
            items.len(),
            change.spelled()
        ));
        out.push_str("| case | before | now | why |\n| --- | --- | --- | --- |\n");
        for item in items.iter().take(SHOWN * 10) {
            let (old, new) = (item.old.as_deref().unwrap_or("–"), item.new.as_deref().unwrap_or("–"));
            let why = why(item);
            let why = if why.is_empty() { String::new() } else { code(&why) };
            out.push_str(&format!(
                "| {} | {} | {} | {why} |\n",
                code(&item.id),
                excerpt(old),
                excerpt(new)
            ));
        }
        if items.len() > SHOWN * 10 {
            out.push_str(&format!("\n… and {} more\n", items.len() - SHOWN * 10));
        }
        out.push_str("\n</details>\n");
    }
    out
}

/// For machines.
pub(super) fn comparison_object(compared: &Compared, allow_new: bool) -> Value {
    let counts: serde_json::Map<String, Value> = Change::ALL
        .iter()
        .filter_map(|change| Some((json!(change).as_str()?.to_owned(), compared.count(*change).into())))
        .collect();
    json!({
        "backend": compared.backend,
        "suite": compared.suite,
        "selection": compared.selection,
        "place": compared.place,
        "same": compared.same,
        "counts": counts,
        "worse": compared.is_worse(allow_new),
        "complete": compared.complete,
        "cases": compared.items,
    })
}

/// A line that sums up.
fn summary(compared: &Compared) -> String {
    let mut parts: Vec<String> = kinds(compared)
        .map(|(change, items)| format!("{} {}", items.len(), change.spelled()))
        .collect();
    parts.push(format!("{} as before", compared.same));
    let cut = if compared.complete {
        ""
    } else {
        "; a run is incomplete, so that cases may be missing"
    };
    let apart = if compared.is_disjoint() {
        "; the runs have no common case, so nothing was compared"
    } else {
        ""
    };
    format!("{}{cut}{apart}", parts.join(", "))
}

/// What differs beside the cases.
fn changes(compared: &Compared) -> impl Iterator<Item = (&'static str, &Vec<String>)> {
    let all = [
        ("The suites differ", &compared.suite),
        ("The selections differ", &compared.selection),
        ("The backends or machines differ", &compared.place),
    ];
    all.into_iter().filter(|(_, changes)| !changes.is_empty())
}

/// The cases by what happened to them, the worst first.
fn kinds(compared: &Compared) -> impl Iterator<Item = (Change, Vec<&Item>)> {
    let of_kind = |change: Change| {
        compared
            .items
            .iter()
            .filter(move |item| item.change == change)
            .collect()
    };
    let kinds = Change::ALL.into_iter().map(move |change| (change, of_kind(change)));
    kinds.filter(|(_, items): &(Change, Vec<&Item>)| !items.is_empty())
}

fn words(item: &Item) -> String {
    match (&item.old, &item.new) {
        (Some(old), Some(new)) => format!("{} -> {}", excerpt(old), excerpt(new)),
        (None, Some(word)) | (Some(word), None) => excerpt(word),
        (None, None) => String::new(),
    }
}

fn why(item: &Item) -> String {
    let parts: Vec<&str> = [&item.clause, &item.message]
        .into_iter()
        .flatten()
        .map(String::as_str)
        .collect();
    parts.join(": ")
}

/// Text of others as Markdown's code on one line, also in a table.
fn code(text: &str) -> String {
    let text = dml_case::text::printable(text, 300)
        .replace('`', "'")
        .replace('|', "\\|");
    format!("`{text}`")
}
