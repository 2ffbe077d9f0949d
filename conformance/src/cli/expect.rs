//! `expect`: files of known failures, looked through and brought up to stored runs.

use std::{fs, path::PathBuf};

use anyhow::Context;
use dml_spec_yaml::load::is_day;

use super::{
    args::SpecArgs,
    atomic_write, examples,
    exit::INCOMPLETE,
    source::{self, Loaded},
    stored::{damaged, open},
};
use crate::expectations::{UpdateError, update_expectations};
use dml_report::Terminal;
use dml_report::expectations::Observed;
use dml_report::{
    date,
    results::{CUT_SHORT, Line},
};

/// Exit code if an entry is to be looked at again.
const OVERDUE: u8 = 1;

/// What can be done with files of known failures.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Check for mistakes and expired entries; meant for a scheduled job
    #[command(after_help = examples::EXPECT_CHECK)]
    Check(CheckArgs),
    /// Bring a file up to stored runs, with queries by operator, level, family and data type that cover what fails and
    /// nothing that passes
    #[command(after_help = examples::EXPECT_UPDATE)]
    Update(UpdateArgs),
}

/// Arguments of `expect check`.
#[derive(Debug, clap::Args)]
pub(super) struct CheckArgs {
    /// Files of known failures
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Date to check against, as YYYY-MM-DD; default: today
    #[arg(long, value_name = "DATE", value_parser = day)]
    date: Option<String>,
    #[command(flatten)]
    spec: SpecArgs,
}

/// Arguments of `expect update`.
#[derive(Debug, clap::Args)]
pub(super) struct UpdateArgs {
    /// Stored runs of one or several backends
    #[arg(long, value_name = "RUN.jsonl", required = true, num_args = 1..)]
    from: Vec<PathBuf>,
    /// File to update in place; entries that still hold keep their text, comments stay
    #[arg(long = "in", value_name = "FILE")]
    input: Option<PathBuf>,
    /// Output file; default: the file of --in, else standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    spec: SpecArgs,
}

fn day(text: &str) -> Result<String, String> {
    match is_day(text) {
        true => Ok(text.to_owned()),
        false => Err("expected a day, as YYYY-MM-DD".to_owned()),
    }
}

/// Runs the subcommand; the exit code.
pub(super) fn expect(command: &Command, terminal: &mut Terminal) -> anyhow::Result<u8> {
    match command {
        Command::Check(args) => check(args, terminal),
        Command::Update(args) => update(args, terminal),
    }
}

fn check(args: &CheckArgs, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let loaded = source::load(&args.spec, terminal)?;
    let corpus = loaded.texts.lock()?.digest();
    let day = args.date.clone().unwrap_or_else(date::today);
    let mut overdue = 0;
    for file in &args.files {
        let read = source::expectations(std::slice::from_ref(file), &loaded.suite, terminal)?;
        for entry in read.expired(&day) {
            let (place, query, until) = (&entry.place, &entry.query, entry.until.as_deref().unwrap_or_default());
            terminal.line(format!("{place}: `{query}` expired on {until}: {}", entry.why()));
            overdue += 1;
        }
        if let Some(older) = read.other_corpus(corpus) {
            terminal.note(format!(
                "{}: written for corpus {older}, this is {corpus}: `run` tells which cases are newer",
                file.display()
            ));
        }
        terminal.line(format!(
            "{}: {} entries without mistakes",
            file.display(),
            read.entries.len()
        ));
    }
    if overdue == 0 {
        return Ok(0);
    }
    terminal.note(format!(
        "{overdue} entries have expired on {day}: check whether each still holds, then move its date"
    ));
    Ok(OVERDUE)
}

fn update(args: &UpdateArgs, terminal: &mut Terminal) -> anyhow::Result<u8> {
    if let Some(out) = &args.out {
        atomic_write::require_other_file(out, &args.from)?;
    }
    let loaded = source::load(&args.spec, terminal)?;
    let (observed, damage) = observe(&args.from)?;
    if damaged(&damage, terminal) != 0 {
        // A case that is missing would go from the file, or be covered though it passes.
        terminal.error("known failures are updated from complete runs only; nothing was written");
        return Ok(INCOMPLETE);
    }
    if observed.cases() == 0 {
        terminal.error("the runs judged no case; nothing was written");
        return Ok(INCOMPLETE);
    }
    tell_corpus(&observed, &loaded, terminal)?;
    let name = args
        .input
        .as_ref()
        .map_or("the new file".to_owned(), |path| path.display().to_string());
    let text = match &args.input {
        Some(path) => fs::read_to_string(path).with_context(|| name.clone())?,
        None => String::new(),
    };
    let updated = match update_expectations(&loaded.suite, &name, &text, &observed) {
        Ok(updated) => updated,
        Err(UpdateError::Mistakes(found)) => return Err(source::wrong(&name, &text, &found, terminal)),
        Err(error @ UpdateError::Edit(_)) => anyhow::bail!("{name}: {error}"),
    };
    updated
        .removed
        .iter()
        .for_each(|line| terminal.note(format!("gone: {line}")));
    updated
        .added
        .iter()
        .for_each(|query| terminal.note(format!("new: `{query}`")));
    match args.out.as_ref().or(args.input.as_ref()) {
        None => terminal.bytes(updated.text.as_bytes()),
        Some(path) => atomic_write::write_file(path, &updated.text)?,
    }
    terminal.note(format!(
        "{} failing cases in {} runs' places: {} entries stay, {} go, {} are new; say why each new one is accepted",
        observed.failing(),
        observed.places(),
        updated.kept,
        updated.removed.len(),
        updated.added.len()
    ));
    Ok(0)
}

/// Says so if the runs are of another corpus than this program plans.
fn tell_corpus(observed: &Observed, loaded: &Loaded, terminal: &mut Terminal) -> anyhow::Result<()> {
    let here = loaded.texts.lock()?.digest();
    if let Some(corpus) = observed.corpus().filter(|corpus| *corpus != here) {
        terminal.warn(format!(
            "the runs are of corpus {corpus}, this is {here}: cases may be missing; run again"
        ));
    }
    Ok(())
}

fn observe(paths: &[PathBuf]) -> anyhow::Result<(Observed, Vec<String>)> {
    let (mut observed, mut damage) = (Observed::default(), Vec::new());
    for path in paths {
        let mut reader = open(path)?;
        while let Some(line) = reader.next() {
            let taken = match line? {
                Line::Header(header) => observed.header(&header),
                Line::Case(case) => observed.case(&case),
                Line::Footer(footer) => {
                    // What was skipped was looked at; what was cut off was not.
                    let cut = footer.incomplete.iter().filter(|why| *why == CUT_SHORT);
                    damage.extend(cut.map(|_| format!("{}: the run was cut short", path.display())));
                    Ok(())
                }
            };
            taken.map_err(|why| anyhow::anyhow!("{}:{}: {why}", path.display(), reader.line()))?;
        }
        damage.append(&mut reader.take_damage());
    }
    Ok((observed, damage))
}
