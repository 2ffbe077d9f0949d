//! Differences for people, for pull requests and for programs.

use std::fmt::Write as _;

use serde_json::json;

use dml_case::text::counted;
use dml_pages::diff::{
    Change, Diff, Entry, VERSION,
    cases::{OperatorCases, RunChanges, StaleOutcome},
};
use dml_report::{Style, Terminal};

/// Most ids of a list that people are shown.
const SHOWN: usize = 12;
/// Most lines of a folded list in a comment.
const FOLDED: usize = 60;
/// Longest value of a property in a comment.
const LONG: usize = 240;

/// Prints differences for a terminal.
pub(super) fn print_human(diff: &Diff, terminal: &mut Terminal) {
    for section in diff.sections() {
        print_heading(terminal, &section.word());
        for entry in diff.entries.iter().filter(|entry| entry.section == section) {
            print_entry(terminal, entry);
        }
    }
    if !diff.cases.is_empty() {
        print_heading(terminal, &format!("cases (tier {})", diff.tier));
        for operator in &diff.cases {
            terminal.line(format!("  {}: {}", operator.operator, format_counts(operator)));
            for line in shorten_list(&list_case_lines(operator), SHOWN) {
                terminal.labelled("    ", &line);
            }
        }
    }
    for run in &diff.runs {
        print_heading(terminal, &run.file);
        terminal.labelled("  ", &format_run_line(run));
        for line in shorten_list(&list_stale_lines(run), SHOWN) {
            terminal.labelled("    ", &line);
        }
    }
    terminal.note(format_summary(diff));
}

fn print_heading(terminal: &mut Terminal, text: &str) {
    terminal.line(terminal.paint(Style::Strong, text));
}

fn print_entry(terminal: &mut Terminal, entry: &Entry) {
    let (sign, style) = match entry.change {
        Change::Added => ('+', Style::Good),
        Change::Removed => ('-', Style::Bad),
        Change::Changed => ('~', Style::Note),
    };
    terminal.line(format!("  {} {}", terminal.paint(style, sign), entry.id));
    for detail in &entry.details {
        let mut name = format!("      {:<11} ", detail.what);
        for (mark, text) in [("- ", &detail.old), ("+ ", &detail.new)] {
            if !text.is_empty() {
                terminal.labelled(&(name.clone() + mark), text);
                name = " ".repeat(name.chars().count());
            }
        }
    }
}

fn format_counts(cases: &OperatorCases) -> String {
    format!(
        "{} appear, {} disappear, {} change",
        cases.appear.len(),
        cases.disappear.len(),
        cases.change.len()
    )
}

/// A line a case; changes first, for they are what a reader looks for.
fn list_case_lines(cases: &OperatorCases) -> Vec<String> {
    let change = cases.change.iter().map(|case| match case.old == case.new {
        true => format!("~ {}: other inputs or outputs", case.id),
        false => format!("~ {}: {} -> {}", case.id, case.old, case.new),
    });
    let gone = cases.disappear.iter().map(|id| format!("- {id}"));
    let new = cases.appear.iter().map(|id| format!("+ {id}"));
    change.chain(gone).chain(new).collect()
}

fn list_stale_lines(run: &RunChanges) -> Vec<String> {
    let line = |stale: &StaleOutcome| {
        let now = if stale.new.is_empty() {
            "the case is gone"
        } else {
            &stale.new
        };
        format!("{} ({}): {} -> {now}", stale.id, stale.outcome, stale.old)
    };
    run.stale.iter().map(line).collect()
}

fn format_run_line(run: &RunChanges) -> String {
    format!(
        "{} of {} stored outcomes would change or have to be measured again",
        run.stale.len(),
        run.cases
    )
}

/// The first lines of a list, and how many there are more.
fn shorten_list(lines: &[String], most: usize) -> Vec<String> {
    let mut shown: Vec<String> = lines.iter().take(most).cloned().collect();
    if lines.len() > most {
        shown.push(format!("… and {} more; --format json has all", lines.len() - most));
    }
    shown
}

/// One line: what there is of each.
fn format_summary(diff: &Diff) -> String {
    if diff.is_empty() {
        return "nothing differs".to_owned();
    }
    let mut parts: Vec<String> = Vec::new();
    for section in diff.sections() {
        let (added, removed, changed) = diff.count(section);
        let numbers = [(added, "+"), (removed, "-"), (changed, "~")];
        let numbers = numbers
            .iter()
            .filter(|(n, _)| *n > 0)
            .map(|(n, sign)| format!("{sign}{n}"));
        parts.push(format!("{} {}", section.word(), numbers.collect::<Vec<_>>().join(" ")));
    }
    if !diff.cases.is_empty() {
        let sum = |of: fn(&OperatorCases) -> usize| diff.cases.iter().map(of).sum::<usize>();
        let (new, gone) = (sum(|c| c.appear.len()), sum(|c| c.disappear.len()));
        parts.push(format!("cases +{new} -{gone} ~{}", sum(|c| c.change.len())));
    }
    parts.join(", ")
}

/// A comment for a pull request: counts, and lists to unfold.
pub(super) fn format_markdown(diff: &Diff, old: &str, new: &str) -> String {
    let mut out = format!("### Specification: `{old}` → `{new}`\n\n");
    if diff.is_empty() {
        out += "Nothing differs.\n";
        return out;
    }
    out += "| | added | removed | changed |\n| --- | ---: | ---: | ---: |\n";
    for section in diff.sections() {
        let (added, removed, changed) = diff.count(section);
        let _ = writeln!(out, "| {} | {added} | {removed} | {changed} |", section.word());
    }
    for cases in &diff.cases {
        let (new, gone, other) = (cases.appear.len(), cases.disappear.len(), cases.change.len());
        let _ = writeln!(
            out,
            "| cases of {} ({}) | {new} | {gone} | {other} |",
            cases.operator, diff.tier
        );
    }
    for section in diff.sections() {
        let entries = diff.entries.iter().filter(|entry| entry.section == section);
        let lines: Vec<String> = entries.flat_map(format_markdown_entry).collect();
        let (added, removed, changed) = diff.count(section);
        write_fold(
            &mut out,
            &format!("{} ({})", section.word(), added + removed + changed),
            &lines,
        );
    }
    for cases in &diff.cases {
        let lines: Vec<String> = list_case_lines(cases)
            .iter()
            .map(|line| format!("- {}", format_code(line)))
            .collect();
        write_fold(
            &mut out,
            &format!("cases of {}: {}", cases.operator, format_counts(cases)),
            &lines,
        );
    }
    for run in &diff.runs {
        let lines: Vec<String> = list_stale_lines(run)
            .iter()
            .map(|line| format!("- {}", format_code(line)))
            .collect();
        write_fold(&mut out, &format!("{}: {}", run.file, format_run_line(run)), &lines);
    }
    out
}

fn format_markdown_entry(entry: &Entry) -> Vec<String> {
    let word = match entry.change {
        Change::Added => "added",
        Change::Removed => "removed",
        Change::Changed => "changed",
    };
    let mut lines = vec![format!("- **{}** {word}", entry.id)];
    for detail in &entry.details {
        lines.push(match (detail.old.as_str(), detail.new.as_str()) {
            ("", new) => format!("  - {}: {}", detail.what, format_code(new)),
            (old, "") => format!("  - {}: ~~{}~~", detail.what, format_code(old)),
            (old, new) => format!("  - {}: {} → {}", detail.what, format_code(old), format_code(new)),
        });
    }
    lines
}

/// Text in backticks, more of them than it holds, cut if it is long.
fn format_code(text: &str) -> String {
    let mut cut: String = text.chars().take(LONG).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    let cut = cut.replace('\n', " ");
    let longest = cut.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let ticks = "`".repeat(longest + 1);
    match longest {
        0 => format!("{ticks}{cut}{ticks}"),
        _ => format!("{ticks} {cut} {ticks}"),
    }
}

fn write_fold(out: &mut String, title: &str, lines: &[String]) {
    let _ = write!(out, "\n<details><summary>{title}</summary>\n\n");
    for line in lines.iter().take(FOLDED) {
        let _ = writeln!(out, "{line}");
    }
    if lines.len() > FOLDED {
        let _ = writeln!(out, "\n… and {} more.", counted(lines.len() - FOLDED, "line"));
    }
    out.push_str("\n</details>\n");
}

/// Everything, for a program.
pub(super) fn format_json(diff: &Diff, old: &str, new: &str) -> anyhow::Result<String> {
    let object = json!({
        "format": "dml-cts spec diff",
        "version": VERSION,
        "old": old,
        "new": new,
        "differs": !diff.is_empty(),
        "tier": diff.tier,
        "entries": diff.entries,
        "cases": diff.cases,
        "runs": diff.runs,
    });
    Ok(serde_json::to_string_pretty(&object)?)
}
