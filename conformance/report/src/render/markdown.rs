//! Markdown for the summary of a CI step: the verdict, then new failures, then failures by clause.

use std::fmt::Write;

use crate::groups::word_for_others;
use crate::mistakes::{evidence, placed, unexplained};
use crate::render::{
    model::{Failing, StoredRun},
    words::{cases, is_hidden, says, verdict},
};
use crate::results::{GroupLine, HALF_PRECISION};
use crate::summary::Ending;
use dml_case::{suite::Suite, text::grouped};

/// Maximum number of bytes: CI services refuse more than 1 MiB.
const MOST: usize = 1000 * 1000;

/// Groups that are shown of a run.
const GROUPS: usize = 50;

/// Maximum number of new failures that are shown.
const NEW: usize = 100;

/// Maximum number of reasons of skips that are shown.
const SKIPS: usize = 20;

/// The document.
pub(super) fn markdown(suite: &Suite, runs: &[StoredRun]) -> String {
    let mut text = "## DirectML conformance\n\n".to_owned();
    for run in runs {
        let _ = writeln!(text, "- {}", headline(run));
    }
    for run in runs {
        text.push_str(&body(suite, run));
    }
    cut(text)
}

/// Cut at the limit, to the end of a line.
fn cut(mut text: String) -> String {
    if text.len() <= MOST {
        return text;
    }
    let end = (0..=MOST).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    text.truncate(end);
    text.truncate(text.rfind('\n').map_or(end, |at| at + 1));
    text.push_str("\nThe rest does not fit; `dml-cts report render RUN.jsonl --out FILE.html` shows it.\n");
    text
}

/// One line: backend, verdict, counts.
fn headline(run: &StoredRun) -> String {
    let ending = run.ending(None);
    let sign = match ending {
        Ending::Conformant => "✅",
        Ending::NotConformant => "❌",
        Ending::Incomplete => "⚠️",
    };
    let counts: Vec<String> = run
        .counts
        .iter()
        .map(|(word, n)| format!("{} {}", grouped(*n), plain(word)))
        .collect();
    let mut line = format!(
        "{sign} **{}: {}** – {}: {}",
        plain(&run.header.backend.label),
        verdict(run, None),
        cases(run.cases()),
        counts.join(", ")
    );
    if run.header.half_precision() {
        let _ = write!(line, "; with {}", code(HALF_PRECISION));
    }
    match run.newly {
        None => {}
        Some(0) => line.push_str("; nothing fails that did not before"),
        Some(n) => {
            let _ = write!(line, "; **{} newly failing**", grouped(n));
        }
    }
    if !run.is_complete() {
        let _ = write!(line, "; incomplete: {}", plain(&run.incomplete().join(", ")));
    }
    line
}

fn body(suite: &Suite, run: &StoredRun) -> String {
    let mut text = String::new();
    let label = plain(&run.header.backend.label);
    let is_quiet = run.groups.is_empty() && run.skips.is_empty();
    if is_quiet {
        return text;
    }
    let _ = writeln!(text, "\n### {label}\n");
    let _ = writeln!(text, "{}\n", facts(run));
    newly(run, &mut text);
    mistakes(run, &mut text);
    if !run.groups.is_empty() {
        let _ = writeln!(text, "#### What failed, by clause\n\nEach failing case counts once.\n");
    }
    run.groups
        .iter()
        .take(GROUPS)
        .for_each(|group| one(suite, run, group, &mut text));
    if let more @ 1.. = run.groups.len().saturating_sub(GROUPS) {
        let _ = writeln!(text, "… and {more} more clauses\n");
    }
    if !run.skips.is_empty() {
        let _ = writeln!(text, "#### Skipped\n");
    }
    for (reason, n) in run.skips.iter().take(SKIPS) {
        let _ = writeln!(text, "- {}: {}", cases(*n), plain(reason));
    }
    if let more @ 1.. = run.skips.len().saturating_sub(SKIPS) {
        let _ = writeln!(text, "- … and {more} more reasons");
    }
    text
}

fn facts(run: &StoredRun) -> String {
    let header = &run.header;
    let selection = match &header.selection[..] {
        [] => String::new(),
        words => format!("; selected: {}", code(&words.join(" "))),
    };
    let digest: String = header.spec_digest.chars().take(12).collect();
    let merged = header.shards.map(|of| format!("; merged of {of} shards"));
    let merged = merged.unwrap_or_default();
    format!(
        "{} {}; levels {}; tier {}; basis {}; spec {}{selection}{merged}",
        plain(&header.backend.name),
        plain(&header.backend.version),
        plain(&header.levels.join(", ")),
        plain(&header.tier),
        plain(&header.basis_words()),
        plain(&digest)
    )
}

/// What explains the wrong outputs.
fn mistakes(run: &StoredRun, text: &mut String) {
    let all = run.mistakes();
    if all.is_empty() {
        return;
    }
    let _ = writeln!(text, "#### Mistakes that give the wrong outputs\n");
    for of in all.iter().take(GROUPS) {
        for mistake in &of.found {
            let only = mistake.condition.as_ref();
            let only = only.map_or_else(String::new, |condition| {
                format!(", {} {}", of.condition_word(), plain(condition))
            });
            let (operator, kind) = (plain(&of.operator), plain(&mistake.kind));
            let (what, evidence) = (plain(&placed(mistake)), evidence(of, mistake));
            let _ = writeln!(text, "- **{operator}** {kind}: {what}{only}; {evidence}");
        }
        if let Some(left) = unexplained(of) {
            let _ = writeln!(text, "- **{}**: {left}", plain(&of.operator));
        }
    }
    text.push('\n');
}

/// Cases that passed before and fail now come first.
fn newly(run: &StoredRun, text: &mut String) {
    let new: Vec<_> = run.failures.iter().filter(|failing| failing.is_new).collect();
    if new.is_empty() {
        return;
    }
    let _ = writeln!(text, "#### Newly failing\n");
    for failing in new.iter().take(NEW) {
        let _ = writeln!(
            text,
            "- {} {}: {}",
            code(failing.id()),
            plain(&failing.class),
            plain(failing.message())
        );
    }
    let more = run.newly.unwrap_or(0).saturating_sub(new.len().min(NEW) as u64);
    if more > 0 {
        let _ = writeln!(text, "- … and {} more", grouped(more));
    }
    text.push('\n');
}

fn one(suite: &Suite, run: &StoredRun, group: &GroupLine, text: &mut String) {
    let name = match group.clause.as_str() {
        "" => "(no clause)".to_owned(),
        clause => code(clause),
    };
    let classes: Vec<String> = group
        .classes
        .iter()
        .map(|(class, n)| format!("{} {}", grouped(*n), plain(class)))
        .collect();
    let _ = writeln!(text, "**{name}** {}: {}\n", cases(group.count), classes.join(", "));
    let says = says(suite, &group.clause);
    if !says.is_empty() {
        let _ = writeln!(text, "> {}\n", plain(&says));
    }
    if !group.others.is_empty() {
        let others: Vec<String> = group.others.iter().map(|other| code(other)).collect();
        let word = word_for_others(&group.clause);
        let _ = writeln!(text, "- {word}: {}", others.join(", "));
    }
    if let Some(pattern) = &group.pattern {
        let _ = writeln!(text, "- pattern: {}", plain(pattern));
    }
    if let Some(message) = &group.message {
        let _ = writeln!(text, "- smallest: {}", plain(message));
    }
    let smallest = run.failures.iter().find(|failing| failing.id() == group.smallest);
    if let Some(first) = smallest.and_then(Failing::first_text) {
        let _ = writeln!(text, "- {}", plain(&first));
    }
    let again = run
        .again(&group.smallest)
        .unwrap_or_else(|| format!("dml-cts show '{}'", group.smallest));
    let _ = writeln!(text, "- again: {}\n", code(&again));
}

/// Plain text: no markup, no line breaks.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' | '!' => plain.extend(['\\', c]),
            '<' => plain.push_str("&lt;"),
            '>' => plain.push_str("&gt;"),
            '&' => plain.push_str("&amp;"),
            // An address or a name would become a link or a mention.
            '@' => plain.push_str("&#64;"),
            c if is_hidden(c) => plain.push(' '),
            c => plain.push(c),
        }
    }
    plain.replace("://", ":&#47;&#47;")
}

/// Text as code, also in tables.
pub(super) fn code(text: &str) -> String {
    let tame = |c: char| match c {
        '`' => '\'',
        c if is_hidden(c) => ' ',
        c => c,
    };
    let text: String = text.chars().map(tame).collect();
    format!("`{}`", text.replace('|', "\\|"))
}
