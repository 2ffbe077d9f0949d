//! `spec accept`: a clause stands as it is, though its sentence moved or changed.

use std::path::{Path, PathBuf};

use anyhow::Context;
use dml_spec::model::Clause;
use dml_spec_yaml::load::{self, File, Files};

use super::{super::args::SpecArgs, Opened, find_clause, find_file, open_spec, take_file_name};
use crate::cli::atomic_write;
use dml_case::clause::{owner, source};
use dml_pages::citations::{self, Located, Page, refresh};
use dml_report::Terminal;
use dml_report::date;

/// Arguments of `spec accept`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Id of the clause
    clause: String,
    /// Local copy of the page that the clause cites
    #[arg(long, value_name = "FILE")]
    page: PathBuf,
    #[command(flatten)]
    spec: SpecArgs,
}

/// Runs the subcommand; the exit code.
pub(crate) fn run(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let opened = open_spec(&args.spec, terminal)?;
    let folder = opened.folder.clone();
    let folder = folder.context("no spec/directml.yaml here or above; name the folder with --spec DIR")?;
    let clause = find_clause(&opened.catalog, &args.clause)?;
    let page = citations::open_page(&args.page)?;
    let Some(sentence) = find_sentence(&opened, clause, &page)? else {
        terminal.line(format!(
            "{} cites all of an anchor, which is there: nothing to do",
            clause.id
        ));
        return Ok(0);
    };
    let citation = clause.source.clone().context("no citation")?;
    let same = citation.anchor == sentence.anchor
        && citation.sentence == sentence.number
        && citation.sha256 == sentence.sha256;
    if same {
        terminal.line(format!("{} has not moved: nothing to do", clause.id));
        return Ok(0);
    }
    let file = find_file(&opened, owner(&clause.id)).context("no file has the clause")?;
    let new = refresh::refresh_citation(&file.text, clause, sentence, &date::today())?;
    require_loadable(&opened.texts.files, file, &new.text)?;
    atomic_write::write_file(&find_path(&folder, file), &new.text)?;
    terminal.line(format!("{}: {}", clause.id, new.change));
    let side = |anchor: &str, number: u32, hash: &str| {
        let hash = if hash.is_empty() { "no hash" } else { hash };
        format!("{} {hash}", refresh::format_place(anchor, number))
    };
    let old = side(&citation.anchor, citation.sentence, &citation.sha256);
    let now = side(&sentence.anchor, sentence.number, &sentence.sha256);
    terminal.labelled("     ", &old);
    terminal.labelled("  -> ", &now);
    Ok(0)
}

/// The sentence that the clause rests on now; `None` if it cites a whole anchor.
fn find_sentence<'p>(
    opened: &Opened,
    clause: &Clause,
    page: &'p Page,
) -> anyhow::Result<Option<&'p dml_spec_yaml::ledger::Sentence>> {
    let (id, file) = (&clause.id, &page.file);
    let citation = clause.source.as_ref();
    let citation = citation.with_context(|| format!("{id} cites no sentence: the text is silent"))?;
    let cited = source(&opened.catalog, owner(id), &citation.source);
    let cited = cited.with_context(|| format!("{id} cites the unknown source {}", citation.source))?;
    if let Some(document) = page.document.as_deref().filter(|name| *name != cited.page) {
        anyhow::bail!("{id} rests on {}, and {file} is {document}", cited.page);
    }
    anyhow::ensure!(
        page.locale.eq_ignore_ascii_case(&cited.locale),
        "{id} rests on the page in {}, and {file} is in {}",
        cited.locale,
        page.locale
    );
    let (anchor, number) = (&citation.anchor, citation.sentence);
    match page.locate(citation) {
        Located::Same(found) | Located::Moved(found) | Located::Changed(found) => Ok(Some(found)),
        Located::Whole => Ok(None),
        Located::NoAnchor => anyhow::bail!(
            "{file} has no `{anchor}` any more; it has {}. Edit `source` of {id}, or retire it",
            page.anchors.join(", ")
        ),
        Located::TooFew(count) => anyhow::bail!(
            "{file}: `{anchor}` has {count} sentences, {id} rests on number {number}. Edit `source` of {id}, or retire it"
        ),
    }
}

/// Fails if the new text is no specification any more.
fn require_loadable(files: &Files, changed: &File, text: &str) -> anyhow::Result<()> {
    let swapped = files.0.iter().map(|file| match file.path == changed.path {
        true => File::new(file.path.clone(), text.to_owned()),
        false => file.clone(),
    });
    let (_, found) = load::load(&Files(swapped.collect()));
    match found.first() {
        None => Ok(()),
        Some(first) => anyhow::bail!("the citation cannot be put into this YAML, edit it by hand: {first}"),
    }
}

fn find_path(folder: &Path, file: &File) -> PathBuf {
    match file.name() {
        "directml.yaml" => folder.join("directml.yaml"),
        _ => folder.join("operators").join(take_file_name(&file.path)),
    }
}
