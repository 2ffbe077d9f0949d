//! `spec import`: pages of the reference, read, looked through, or brought into the specification.

mod check;
mod write;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;
use dml_spec::{Catalog, Diagnostic};
use dml_spec_yaml::load::Files;
use rayon::prelude::*;

use super::{
    args::SpecArgs,
    exit::USAGE,
    source::{self},
};
use dml_case::nearest::harmless;
use dml_case::text::counted;
use dml_pages::import::{
    self, Schema,
    facts::{self, Fact},
    page::{Layout, Page},
};
use dml_report::{Style, Terminal};

/// Exit code if a page contradicts itself.
const FOUND: u8 = 1;

/// Arguments of `spec import`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Pages: Markdown in any language, or web pages saved as text; from a folder, every *.md and *.txt except
    /// README.md
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Print every fact with its line
    #[arg(long, conflicts_with_all = ["check", "out"])]
    facts: bool,
    /// Report mistakes in the pages themselves
    #[arg(long, conflicts_with_all = ["check", "out"])]
    lint: bool,
    /// Write nothing; list where the pages differ from the specification, and how many cases that affects
    #[arg(long, conflicts_with = "out")]
    check: bool,
    /// Output file, or a folder with one file per operator; text written by hand stays. Default: standard output
    #[arg(short, long, value_name = "FILE|DIR")]
    out: Option<PathBuf>,
    /// Only pages in this language, such as `fr-fr` or `en`
    #[arg(long, value_name = "LOCALE")]
    locale: Option<String>,
    /// Tab-separated table of all operators' fields or levels to check the pages against
    #[arg(long, value_name = "TSV", requires = "lint")]
    schema: Vec<PathBuf>,
    #[command(flatten)]
    spec: SpecArgs,
}

/// A file with what was read from it.
struct Read {
    text: String,
    page: Option<Page>,
    /// What kept parts from being read.
    found: Vec<Diagnostic>,
}

/// Reads all pages, and tells what was asked for; the exit code.
pub(super) fn import_pages(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let texts = source::read_texts(&args.spec)?;
    let catalog = source::catalog(&texts.files, terminal)?;
    let schema = read_schema(&args.schema)?;
    let pages = list_files(&args.paths)?;
    let mut pages: Vec<Read> = pages
        .par_iter()
        .map(|file| read_file(file, &catalog))
        .collect::<Result<_, _>>()?;
    if let Some(locale) = &args.locale {
        let wanted = locale.to_ascii_lowercase();
        let fits = |page: &Page| page.locale == wanted || page.locale.split('-').next() == Some(wanted.as_str());
        let all: BTreeSet<String> = pages
            .iter()
            .filter_map(|read| Some(read.page.as_ref()?.locale.clone()))
            .collect();
        pages.retain(|read| read.page.as_ref().is_none_or(fits));
        anyhow::ensure!(
            !pages.is_empty(),
            "no page is in `{locale}`; there are pages in {}",
            all.into_iter().collect::<Vec<_>>().join(", ")
        );
    }
    // Nobody can say which of two tables of one level counts. `--lint` lists that mistake with all others.
    if !args.lint {
        for read in &mut pages {
            let found = read.page.as_ref().map(|page| import::lint_page(page, &catalog, None));
            let twice = found.unwrap_or_default().into_iter();
            read.found
                .extend(twice.filter(|found| found.code == "page::level-twice"));
        }
    }
    if args.facts {
        let shown = pages.iter().filter_map(|read| read.page.as_ref());
        shown.for_each(|page| print_facts(page, terminal));
    }
    let unread: usize = pages.iter().map(|read| read.found.len()).sum();
    for read in &pages {
        let text = format_diagnostics(read, &read.found, terminal.err_colour());
        if !text.is_empty() {
            terminal.warn(text.trim_end());
        }
    }
    let mut wrong = 0;
    if args.lint {
        for read in &pages {
            let lint = |page| import::lint_page(page, &catalog, schema.as_ref());
            let found = read.page.as_ref().map(lint).unwrap_or_default();
            wrong += found.len();
            terminal.bytes(format_diagnostics(read, &found, terminal.colour()).as_bytes());
        }
    }
    let count = counted(pages.len(), "page");
    let listing = args.facts || args.lint;
    if listing || unread > 0 {
        terminal.note(match unread + wrong {
            0 if args.lint => format!("{count}, no mistakes"),
            0 => format!("{count} read"),
            n => format!("{count}, {} found", counted(n, "mistake")),
        });
    }
    let done = match listing {
        true if wrong > 0 => FOUND,
        true => 0,
        false => check_or_write(args, catalog, &texts.files, pages, unread > 0, terminal)?,
    };
    Ok(if unread > 0 { USAGE } else { done })
}

/// What the pages make of the specification, or say otherwise; the exit code.
fn check_or_write(
    args: &Args,
    catalog: Catalog,
    files: &Files,
    pages: Vec<Read>,
    doubtful: bool,
    terminal: &mut Terminal,
) -> anyhow::Result<u8> {
    let pages: Vec<Page> = pages.into_iter().filter_map(|read| read.page).collect();
    if args.check {
        return Ok(check::check_pages(&source::suite(catalog)?, &pages, terminal));
    }
    if doubtful && args.out.is_some() {
        terminal.note("nothing was written: correct the pages, or leave out those that cannot be read");
        return Ok(USAGE);
    }
    write::write_pages(files, &pages, args.out.as_deref(), terminal)
}

/// The files that paths mean, folders in the order of their names.
fn list_files(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries = fs::read_dir(path).with_context(|| path.display().to_string())?;
        let mut inside: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        // A folder's own description is no page.
        inside.retain(|file| file.file_name().is_none_or(|name| name != "README.md"));
        inside.retain(|file| file.extension().is_some_and(|e| e == "md" || e == "txt"));
        inside.sort_unstable();
        anyhow::ensure!(!inside.is_empty(), "{} holds no *.md and no *.txt", path.display());
        files.append(&mut inside);
    }
    Ok(files)
}

fn read_file(file: &Path, catalog: &Catalog) -> anyhow::Result<Read> {
    let name = file.display().to_string();
    let bytes = fs::read(file).with_context(|| name.clone())?;
    let (page, found) = import::read_page(&name, &bytes, catalog);
    Ok(Read {
        text: String::from_utf8_lossy(&bytes).into_owned(),
        page,
        found,
    })
}

/// All tables together, if there are any.
fn read_schema(files: &[PathBuf]) -> anyhow::Result<Option<Schema>> {
    let mut all: Option<Schema> = None;
    for file in files {
        let name = file.display().to_string();
        let text = fs::read_to_string(file).with_context(|| name.clone())?;
        let one = Schema::parse(&text).map_err(|error| anyhow::anyhow!("{name}:{error}"))?;
        all.get_or_insert_default().extend(one);
    }
    Ok(all)
}

fn format_diagnostics(read: &Read, found: &[Diagnostic], colour: bool) -> String {
    let breaks = read.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
    let lines: Vec<usize> = [0].into_iter().chain(breaks.map(|(at, _)| at + 1)).collect();
    let found: Vec<Diagnostic> = found.iter().map(|d| mark_line(d, &read.text, &lines)).collect();
    dml_report::diagnostics(&found, colour, &|_| Some(&read.text))
}

/// Facts know their line only: all of it is shown. `lines` are the starts of the text's lines.
fn mark_line(diagnostic: &Diagnostic, text: &str, lines: &[usize]) -> Diagnostic {
    let mut diagnostic = diagnostic.clone();
    if diagnostic.place.span.is_empty() {
        let index = usize::try_from(diagnostic.place.line.saturating_sub(1)).unwrap_or_default();
        let start = lines.get(index).copied().unwrap_or(text.len());
        let line = text
            .get(start..)
            .and_then(|rest| rest.lines().next())
            .unwrap_or_default();
        let indent = line.len() - line.trim_start().len();
        diagnostic.place.span = start + indent..start + line.trim_end().len().max(indent);
    }
    diagnostic
}

fn print_facts(page: &Page, terminal: &mut Terminal) {
    let layout = match page.layout {
        Layout::SdkApi => "sdk-api",
        Layout::Rendered => "rendered",
        Layout::PlainText => "plain text",
    };
    let title = format!("{}: {}, {}, {layout}", page.file, page.operator, page.locale);
    let title = terminal.paint(Style::Strong, harmless(&title));
    terminal.line(title);
    let facts = facts::collect_page_facts(page);
    for (key, Fact { value, line }) in &facts {
        let place = terminal.paint(Style::Dim, format_args!("line {line}"));
        terminal.line(format_args!(
            "  {} = {} {place}",
            harmless(&key.to_string()),
            harmless(value)
        ));
    }
    for equivalent in &page.equivalents {
        let place = terminal.paint(Style::Dim, format_args!("line {}", equivalent.at.line));
        terminal.line(format_args!("  equivalent = {} {place}", harmless(&equivalent.value)));
    }
    let binding = page.sentences.iter().filter(|s| s.normative).count();
    let (facts, sentences) = (facts.len(), page.sentences.len());
    terminal.line(format_args!(
        "  {facts} facts; {binding} of {sentences} sentences are normative"
    ));
}

/// Groups pages by the operator they describe.
fn group_by_operator(pages: &[Page]) -> BTreeMap<&str, Vec<&Page>> {
    let mut found: BTreeMap<&str, Vec<&Page>> = BTreeMap::new();
    for page in pages {
        found.entry(&page.operator).or_default().push(page);
    }
    found
}
