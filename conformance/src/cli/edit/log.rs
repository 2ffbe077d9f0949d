//! `spec log`: what happened to a clause.

use std::path::{Path, PathBuf};

use dml_spec::{load::File, model::Clause, tree::read};

use super::{super::args::SpecArgs, find_clause, find_file, open_spec, take_file_name};
use crate::{
    clause::{kind_word, owner, retired, status_word},
    git::{self, Commit, GitError},
    report::{Style, Terminal, labelled},
};

/// Arguments of `spec log`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Id of the clause
    clause: String,
    #[command(flatten)]
    spec: SpecArgs,
}

/// Runs the subcommand; the exit code.
pub(in crate::cli) fn run(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let opened = open_spec(&args.spec, terminal)?;
    let clause = find_clause(&opened.catalog, &args.clause)?;
    let status = clause
        .retired
        .as_deref()
        .map_or_else(|| status_word(clause.status).to_owned(), retired);
    terminal.line(terminal.paint(Style::Strong, &clause.id));
    row(
        terminal,
        "  ",
        &format!("{}, {status}: {}", kind_word(clause.kind), clause.says),
    );
    heading(terminal, "history and observations");
    let events = events(clause);
    if events.is_empty() {
        terminal.line("  none");
    }
    for (date, what, says) in &events {
        row(terminal, &format!("  {date:<11} {what:<9} "), says);
    }
    heading(terminal, "commits");
    let (Some(folder), Some(file)) = (&opened.folder, find_file(&opened, owner(&clause.id))) else {
        terminal.line("  unknown: the specification is compiled in; name a folder with --spec DIR");
        return Ok(0);
    };
    match commits(folder, file, clause) {
        Ok(Changes::Never) => terminal.line("  none: the clause is not committed yet"),
        Ok(Changes::Some { list, edited }) => {
            if edited {
                terminal.line("  (the working tree has changes that are not committed)");
            }
            for commit in list {
                row(
                    terminal,
                    &format!("  {} {} ", commit.date, commit.hash),
                    &commit.subject,
                );
            }
        }
        Err(error) => row(terminal, "  ", &format!("unknown: {error}")),
    }
    Ok(0)
}

fn heading(terminal: &mut Terminal, text: &str) {
    terminal.line("");
    terminal.line(terminal.paint(Style::Strong, text));
}

fn row(terminal: &mut Terminal, label: &str, text: &str) {
    labelled(label, text).into_iter().for_each(|line| terminal.line(line));
}

/// Day, kind and text of what is recorded, the earliest first.
fn events(clause: &Clause) -> Vec<(String, &'static str, String)> {
    let changes = clause
        .history
        .iter()
        .map(|c| (c.date.to_string(), "changed", c.change.to_string()));
    let observed = clause.observed.iter().map(|seen| {
        let rule = seen
            .rule
            .as_deref()
            .map(|rule| format!(" It follows {rule}."))
            .unwrap_or_default();
        let text = format!("{}: {}{rule}", seen.runtime, seen.says);
        (seen.date.to_string(), "observed", text)
    });
    let mut events: Vec<_> = changes.chain(observed).collect();
    events.sort_by(|a, b| a.0.cmp(&b.0));
    events
}

/// What the repository around tells.
enum Changes {
    /// No commit has the clause.
    Never,
    /// These, the latest first; and whether the file differs from the last one.
    Some { list: Vec<Commit>, edited: bool },
}

fn commits(folder: &Path, file: &File, clause: &Clause) -> Result<Changes, GitError> {
    let (folder, name): (PathBuf, &str) = match file.name() {
        "directml.yaml" => (folder.to_owned(), "directml.yaml"),
        _ => (folder.join("operators"), take_file_name(&file.path)),
    };
    let Some(text) = git::committed(&folder, name)? else {
        return Ok(Changes::Never);
    };
    let Some((from, to)) = lines(&text, &clause.id) else {
        return Ok(Changes::Never);
    };
    Ok(Changes::Some {
        list: git::changes(&folder, name, from, to)?,
        edited: block(&text, &clause.id) != block(&file.text, &clause.id),
    })
}

/// First and last line of a clause in its file.
fn lines(text: &str, id: &str) -> Option<(usize, usize)> {
    let span = span(text, id)?;
    let line = |at: usize| text.get(..at).unwrap_or_default().matches('\n').count() + 1;
    Some((line(span.start), line(span.end)))
}

fn block<'t>(text: &'t str, id: &str) -> Option<&'t str> {
    text.get(span(text, id)?)
}

fn span(text: &str, id: &str) -> Option<std::ops::Range<usize>> {
    let root = read::parse(text).0?;
    let (owner, name) = id.split_once('/')?;
    let list = if owner == "TENSOR" { "tensor_clauses" } else { "clauses" };
    let node = root.at(&format!("{list}[id={name}]"))?;
    Some(node.span.clone())
}
