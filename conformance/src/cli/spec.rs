//! `spec`: for those who edit the specification.

use std::{fs, path::Path};

use anyhow::Context;

use super::{
    args::{SpecArgs, TierArg},
    coverage, edit, examples,
    exit::{INCOMPLETE, USAGE},
    import, mutants,
    source::{self, LOCK_FILE},
};
use dml_adequacy::{check, corpus, coverage::coupled_lines};
use dml_case::{clause, lock::Lock, text::counted};
use dml_plan::relock::{self, Unfit};
use dml_report::{Progress, Terminal};

/// How many operators without a meaning are named besides the first.
const NAMED: usize = 5;

/// Subcommands of `spec`. They work on `--spec DIR`, else on the source tree around, else on what is compiled in.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Check the YAML and report all mistakes at once
    #[command(after_help = examples::CHECK)]
    Check(SpecArgs),
    /// Update the citation of a clause whose page changed, and note that in its history
    #[command(after_help = examples::ACCEPT)]
    Accept(edit::accept::Args),
    /// List which clauses and support cells are tested both ways (kept and violated), and which are not
    #[command(after_help = examples::COVERAGE)]
    Coverage(coverage::Args),
    /// Print one SHA-256 per operator over the cases of a tier and their expectations; the same on every machine
    #[command(after_help = examples::DIGEST)]
    Digest(DigestArgs),
    /// Compare two specifications: clauses, cells, fields, examples, sources, cases, and outcomes of stored runs
    #[command(after_help = examples::DIFF)]
    Diff(edit::diff::Args),
    /// Write the reference in Markdown, with rules, observations and cases
    #[command(after_help = examples::DOCS)]
    Docs(edit::docs::Args),
    /// Print the Rust code that an operator expands to
    #[command(after_help = examples::EXPAND)]
    Expand(ExpandArgs),
    /// Write clauses, tables and rules for other validators
    #[command(after_help = examples::EXPORT)]
    Export(edit::export::Args),
    /// List clauses that cite a page, an anchor or a sentence, or that contain words
    #[command(after_help = examples::FIND)]
    Find(edit::find::Args),
    /// Import pages of the reference: their facts, and their mistakes
    #[command(after_help = examples::IMPORT)]
    Import(import::Args),
    /// Write the number and digest of all cases into corpus.lock
    #[command(after_help = examples::LOCK)]
    Lock(LockArgs),
    /// Make small mistakes in what operators compute, and report which of them the cases find
    #[command(after_help = examples::MUTANTS)]
    Mutants(mutants::Args),
    /// Check whether libraries accept what the tables and clauses accept. `+` counts descriptors that keep a clause and
    /// were accepted, `-` those that violate it and were rejected
    #[command(after_help = examples::VERIFY)]
    Verify(super::verify::Args),
}

/// Arguments of `spec digest`.
#[derive(Debug, clap::Args)]
pub(super) struct DigestArgs {
    /// How many cases
    #[arg(long, value_enum, default_value_t = TierArg::Smoke)]
    tier: TierArg,
    #[command(flatten)]
    spec: SpecArgs,
}

/// Arguments of `spec expand`.
#[derive(Debug, clap::Args)]
pub(super) struct ExpandArgs {
    /// Name of the operator
    operator: String,
    #[command(flatten)]
    spec: SpecArgs,
}

/// Arguments of `spec lock`.
#[derive(Debug, clap::Args)]
pub(super) struct LockArgs {
    /// Write nothing; fail if the lock would change
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    spec: SpecArgs,
}

/// Runs the subcommand; the exit code.
pub(super) fn spec(command: &Command, terminal: &mut Terminal) -> anyhow::Result<u8> {
    match command {
        Command::Accept(args) => edit::accept::run(args, terminal),
        Command::Check(args) => check(args, terminal),
        Command::Coverage(args) => coverage::run(args, terminal),
        Command::Digest(args) => digest(args, terminal),
        Command::Diff(args) => edit::diff::run(args, terminal),
        Command::Docs(args) => edit::docs::run(args, terminal),
        Command::Expand(args) => expand(args, terminal),
        Command::Export(args) => edit::export::run(args, terminal),
        Command::Find(args) => edit::find::run(args, terminal),
        Command::Import(args) => import::import_pages(args, terminal),
        Command::Lock(args) => lock(args, terminal),
        Command::Mutants(args) => mutants::run(args, terminal),
        Command::Verify(args) => super::verify::verify(args, terminal),
    }
}

fn check(args: &SpecArgs, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let texts = source::read_texts(args)?;
    let text = |path: &str| texts.files.text(path);
    let found = source::examine(&texts.files)?.and_then(|suite| match check::check_values(&suite, &texts.files) {
        found if found.is_empty() => Ok(suite),
        found => Err(found),
    });
    let suite = match found {
        Ok(suite) => suite,
        Err(found) => {
            let shown = dml_report::diagnostics(&found, terminal.colour(), &text);
            terminal.bytes(shown.as_bytes());
            terminal.note(format!("{} found", counted(found.len(), "mistake")));
            return Ok(USAGE);
        }
    };
    let clauses = clause::clauses(&suite.catalog).filter(|clause| clause.retired.is_none());
    let (operators, clauses) = (suite.catalog.operators.len(), clauses.count());
    terminal.line(format!(
        "no mistakes in {} files: {operators} operators, {clauses} clauses",
        texts.files.0.len()
    ));
    let operators = suite.catalog.operators.iter();
    let silent: Vec<&str> = operators
        .filter(|operator| !operator.is_computed())
        .map(|operator| operator.name.as_ref())
        .collect();
    if let [first, rest @ ..] = &silent[..] {
        let (have, their) = if rest.is_empty() {
            ("has", "its")
        } else {
            ("have", "their")
        };
        let (named, more) = rest.split_at(rest.len().min(NAMED));
        let mut names = named.iter().fold((*first).to_owned(), |all, name| all + ", " + name);
        if !more.is_empty() {
            names += &format!(" and {} more; `dml-cts show OPERATOR` says it of each", more.len());
        }
        terminal.note(format!(
            "{} {have} no meaning: only {their} descriptors are tested: {names}",
            counted(silent.len(), "operator")
        ));
    }
    if let Some(message) = texts.lack_of_lock(args)? {
        terminal.note(message);
    }
    Ok(0)
}

fn digest(args: &DigestArgs, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let suite = source::read_texts(&args.spec)?.suite(terminal)?;
    let digests = corpus::digests(&suite, args.tier.tier());
    digests.iter().for_each(|line| terminal.line(line));
    Ok(0)
}

fn expand(args: &ExpandArgs, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let suite = source::read_texts(&args.spec)?.suite(terminal)?;
    let catalog = &suite.catalog;
    let operator = edit::find_operator(catalog, &args.operator)?;
    let tokens = dml_codegen_expand::operator(catalog, operator).map_err(|errors| {
        anyhow::anyhow!(
            "{}",
            errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        )
    })?;
    terminal.bytes(dml_codegen_expand::format(tokens).as_bytes());
    Ok(0)
}

fn lock(args: &LockArgs, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let folder =
        source::folder(&args.spec).context("no spec/directml.yaml here or above; name the folder with --spec DIR")?;
    let path = folder.join(LOCK_FILE);
    let texts = source::read(&folder)?;
    let old = match texts.lock() {
        Err(error) if !args.check => {
            terminal.warn(format_args!("{error}; this is done now"));
            Lock::default()
        }
        read => read?,
    };
    let suite = texts.suite(terminal)?;
    let progress = Progress::new(terminal, "planning");
    let new = relock::relock(&suite, &|done, total| progress.set(done, total, String::new()));
    drop(progress);
    let new = match new {
        Ok(new) => Lock {
            coupled: coupled_lines(&suite),
            ..new
        },
        Err(found) => return Ok(unfit(terminal, &found)),
    };
    let mut changes: Vec<String> = old.changes(&new).iter().map(ToString::to_string).collect();
    let missing = |from: &[String], of: &[String]| of.iter().filter(|l| !from.contains(l)).cloned().collect::<Vec<_>>();
    changes.extend(
        missing(&old.coupled, &new.coupled)
            .iter()
            .map(|line| format!("now coupled: {line}")),
    );
    changes.extend(
        missing(&new.coupled, &old.coupled)
            .iter()
            .map(|line| format!("no longer coupled: {line}")),
    );
    changes.iter().for_each(|change| terminal.line(change));
    if args.check {
        return Ok(checked(&args.spec, terminal, &path, changes.len()));
    }
    let mut new = new;
    new.date(&old, &dml_report::date::today());
    let text = new.to_text();
    fs::write(&path, text).with_context(|| path.display().to_string())?;
    let cases: u64 = new
        .tables
        .iter()
        .flat_map(|(_, entries)| entries)
        .map(|entry| entry.cases)
        .sum();
    terminal.line(format!("{}: {cases} cases, {} changes", path.display(), changes.len()));
    Ok(0)
}

fn checked(args: &SpecArgs, terminal: &mut Terminal, path: &Path, changes: usize) -> u8 {
    if changes == 0 {
        terminal.line(format!("{} agrees with the plan", path.display()));
        return 0;
    }
    let (path, command) = (path.display(), source::lock_command(args));
    terminal.note(format!(
        "{path} differs from the plan in {changes} places; if intended: {command}"
    ));
    INCOMPLETE
}

fn unfit(terminal: &mut Terminal, found: &[Unfit]) -> u8 {
    const SHOWN: usize = 20;
    found.iter().take(SHOWN).for_each(|unfit| terminal.error(unfit));
    terminal.note(format!(
        "{} cases cannot be in the plan; other values of parameters leave them out",
        found.len()
    ));
    USAGE
}
