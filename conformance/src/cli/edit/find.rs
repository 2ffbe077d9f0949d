//! `spec find`: clauses by what they rest on, or by their words; and where a clause's sentence stands in the user's
//! copy of the reference.

use std::path::Path;

use anyhow::Context;
use dml_spec::{Catalog, model::Citation};
use dml_spec_yaml::ledger::Sentence;

use super::{super::args::SpecArgs, DIFFERS, open_spec, print_item};
use dml_case::{
    clause::{self, owner},
    nearest::{harmless, nearest},
    text::counted,
};
use dml_pages::{
    citations::{self, Located, Page, refresh::format_place},
    search::{self, Hit},
};
use dml_report::Terminal;

/// Arguments of `spec find`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Page and anchor (`PAGE#ANCHOR`, `#ANCHOR`, `PAGE#`), words, or a sentence copied from the reference
    #[arg(value_name = "PAGE#ANCHOR|TEXT")]
    text: String,
    #[command(flatten)]
    spec: SpecArgs,
}

/// Runs the subcommand; the exit code.
pub(crate) fn run(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    anyhow::ensure!(
        !args.text.trim().is_empty(),
        "nothing to look for; name a page, an anchor or words"
    );
    let catalog = open_spec(&args.spec, terminal)?.catalog;
    let place = args
        .text
        .split_once('#')
        .filter(|_| !args.text.contains(char::is_whitespace));
    let hits = match place {
        Some(("", "")) => anyhow::bail!("`#` names neither page nor anchor"),
        Some((page, anchor)) => search::find_resting_on(&catalog, page, anchor),
        None => find_text(&catalog, &args.text, terminal),
    };
    if hits.is_empty() {
        terminal.note(explain_nothing(&catalog, &args.text, place));
        return Ok(DIFFERS);
    }
    for hit in &hits {
        print_item(terminal, &hit.id, &hit.says);
        if !hit.place.is_empty() {
            terminal.labelled("      ", &hit.place);
        }
    }
    terminal.note(format!("{} found", counted(hits.len(), "statement")));
    Ok(0)
}

fn find_text(catalog: &Catalog, text: &str, terminal: &mut Terminal) -> Vec<Hit> {
    let quoted = search::find_sentence(catalog, text);
    if quoted.is_empty() {
        return search::find_words(catalog, text);
    }
    terminal.line("The reference has this sentence; clauses that cite it:");
    quoted
}

/// What to say where nothing was found.
fn explain_nothing(catalog: &Catalog, text: &str, place: Option<(&str, &str)>) -> String {
    let places = search::list_places(catalog);
    let near = match place {
        None => return format!("no clause has these words: {}", harmless(text)),
        Some((page, _)) if !page.is_empty() && !places.iter().any(|(known, _)| known == page) => {
            nearest(page, places.iter().map(|(page, _)| page.as_str()), 3).join(", ")
        }
        Some((page, anchor)) => {
            let anchors = places.iter().filter(|(known, _)| page.is_empty() || known == page);
            let anchors: Vec<&str> = anchors.map(|(_, anchor)| anchor.as_str()).collect();
            nearest(anchor, anchors.iter().copied(), 3).join(", ")
        }
    };
    match near.is_empty() {
        true => format!("no clause cites {}", harmless(text)),
        false => format!("no clause cites {}; nearest: {near}", harmless(text)),
    }
}

/// Prints where the sentence of a clause stands in a folder of pages, and the sentence as it is read there.
pub(crate) fn show_sentence(
    catalog: &Catalog,
    id: &str,
    citation: Option<&Citation>,
    folder: &Path,
    terminal: &mut Terminal,
) -> anyhow::Result<()> {
    terminal.heading("reference");
    let Some(citation) = citation else {
        terminal.line("  none: the text is silent");
        return Ok(());
    };
    let source = clause::source(catalog, owner(id), &citation.source);
    let source = source.with_context(|| format!("{id} cites the unknown source {}", citation.source))?;
    let files = citations::list_files(folder).with_context(|| folder.display().to_string())?;
    let read = files.iter().filter_map(|file| citations::open_page(file).ok());
    let copies: Vec<Page> = read.filter(|page| page.is(source)).collect();
    // Of several revisions the one that has the sentence counts.
    let best = copies.iter().min_by_key(|page| match page.locate(citation) {
        Located::Same(_) | Located::Whole => 0,
        Located::Moved(_) => 1,
        Located::Changed(_) => 2,
        Located::TooFew(_) => 3,
        Located::NoAnchor => 4,
    });
    let lines = match best {
        Some(page) => describe_location(page, citation),
        None => vec![format!(
            "{} ({}) is absent from {}",
            source.page,
            source.locale,
            folder.display()
        )],
    };
    for line in lines {
        terminal.labelled("  ", &harmless(&line));
    }
    Ok(())
}

/// Where a sentence stands on a page, and the sentence.
fn describe_location(page: &Page, citation: &Citation) -> Vec<String> {
    let at = |sentence: &Sentence, remark: &str| {
        vec![
            format!("{}:{}{remark}", page.file, sentence.line),
            sentence.text.clone(),
        ]
    };
    match page.locate(citation) {
        Located::Same(sentence) => at(sentence, ""),
        Located::Moved(sentence) => {
            let now = format_place(&sentence.anchor, sentence.number);
            at(
                sentence,
                &format!(" (moved to {now}; `dml-cts spec accept` follows it)"),
            )
        }
        Located::Changed(sentence) => at(sentence, " (hash differs: the sentence changed)"),
        Located::Whole => vec![format!("{}: all of {}", page.file, citation.anchor)],
        Located::NoAnchor => vec![format!("{}: there is no {} any more", page.file, citation.anchor)],
        Located::TooFew(count) => {
            let (anchor, has) = (&citation.anchor, counted(count, "sentence"));
            vec![format!("{}: the sentence is gone, {anchor} has {has}", page.file)]
        }
    }
}
