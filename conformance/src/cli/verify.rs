//! `spec verify`: compares the specification with the libraries that it describes.

use std::{path::PathBuf, sync::Arc};

use dml_ops::Backend;
use dml_spec::{FeatureLevel, model::Operator};

use super::{
    args::{SpecArgs, TierArg, directml_device, file, is_named},
    exit::INCOMPLETE,
    source::{self, Loaded},
    verify_report::{sum_lines, table_lines, unexpected_lines},
};
use crate::verify::{Answers, ask_library, find_unexpected, plan_questions, tally_clauses};
use dml_case::{clause, id::CaseId, nearest::suggestion, query::Query, text::labelled};
use dml_report::{Progress, Style, Terminal};
use dml_run::{
    backends::{self, Choice, Watch},
    directml,
};

/// Arguments of `spec verify`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Only this clause, or only the cases of a query
    #[arg(value_name = "CLAUSE|QUERY")]
    what: Option<String>,
    /// Backend to ask: `directml`
    #[arg(long, value_name = "NAME", value_parser = [backends::WITH_LIBRARY])]
    backend: String,
    /// Library to ask (repeatable); default: all that `fetch directml` downloaded for this system
    #[arg(long = "directml-lib", value_name = "FILE", env = "DML_CTS_DIRECTML_LIB", value_parser = file())]
    libraries: Vec<PathBuf>,
    /// Device that the libraries see
    #[arg(long = "directml-device", value_name = "DEVICE", value_parser = directml_device, default_value = "null")]
    device: String,
    /// Also ask about the descriptors of value cases up to this tier; all those of tables and constraints are asked
    #[arg(long, value_enum, default_value_t = TierArg::Smoke)]
    tier: TierArg,
    #[command(flatten)]
    spec: SpecArgs,
}

/// Exit code if a library contradicts a normative clause.
const DISAGREES: u8 = 1;

/// A library that can be asked.
struct Library {
    name: String,
    level: FeatureLevel,
    backend: Box<dyn Backend>,
}

/// What verifying an operator came to.
#[derive(Default)]
struct Verified {
    disagrees: bool,
    missing: bool,
    asked: bool,
}

/// Verifies; the exit code.
pub(super) fn verify(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    backends::require_compiled(&args.backend)?;
    let loaded = source::load(&args.spec, terminal)?;
    let scope = Scope::parse(args.what.as_deref(), &loaded)?;
    let named = find_libraries(args);
    if named.is_empty() {
        terminal.error("no DirectML library found; download one with `dml-cts fetch directml`");
        return Ok(INCOMPLETE);
    }
    let (count, mut libraries) = (named.len(), Vec::new());
    for (name, path) in named {
        libraries.extend(open_library(args, &loaded, name, path, terminal)?);
    }
    libraries.sort_by_key(|library| library.level);
    let mut all = Verified {
        missing: libraries.len() < count,
        ..Verified::default()
    };
    let operators = loaded.suite.catalog.operators.iter();
    for operator in operators.filter(|operator| scope.has_operator(&operator.name)) {
        verify_operator(args, &loaded, &scope, operator, &libraries, &mut all, terminal);
    }
    if !all.asked && !libraries.is_empty() {
        let what = args.what.as_deref().unwrap_or_default();
        anyhow::bail!("no descriptor that can be asked about matches `{what}`; `dml-cts list` shows what there is");
    }
    Ok(match (all.disagrees, all.missing) {
        (true, _) => DISAGREES,
        (false, true) => INCOMPLETE,
        (false, false) => 0,
    })
}

/// Asks the libraries about an operator, each about the table of its level, and prints a table for each.
fn verify_operator(
    args: &Args,
    loaded: &Loaded,
    scope: &Scope,
    operator: &Operator,
    libraries: &[Library],
    all: &mut Verified,
    terminal: &mut Terminal,
) {
    let (mut rows, mut unexpected, mut sums) = (Vec::new(), Vec::new(), Vec::new());
    for table in operator.support.iter() {
        let of_table = |library: &&Library| {
            operator
                .table_at(library.level)
                .is_some_and(|at| at.level == table.level)
        };
        let of_table: Vec<&Library> = libraries.iter().filter(of_table).collect();
        if of_table.is_empty() {
            continue;
        }
        let wants = |id: &CaseId| scope.has_case(id);
        let questions = plan_questions(&loaded.suite, operator, table.level, args.tier.tier(), &wants);
        if questions.is_empty() {
            continue;
        }
        all.asked = true;
        let mut answers = Vec::new();
        for library in of_table {
            let (name, total) = (&library.name, questions.len());
            let progress = Progress::new(terminal, name);
            let mut advance = |done| progress.set(done, total, String::new());
            let records = ask_library(&loaded.suite, &*library.backend, &questions, &mut advance);
            drop(progress);
            match records {
                Ok(records) => answers.push(Answers {
                    name: name.clone(),
                    level: library.level,
                    records,
                }),
                Err(why) => {
                    terminal.error(format!("{name}: {why}"));
                    all.missing = true;
                }
            }
        }
        let mut of_table = tally_clauses(&loaded.suite, operator, &questions, &answers);
        of_table.retain(|row| scope.has_clause(&row.target.0));
        let found = find_unexpected(operator, &questions, &answers);
        let found = found.iter().filter(|answer| {
            let mut broken = answer.question.broken.iter();
            scope.is_whole() || broken.any(|(id, _)| scope.has_clause(id))
        });
        let found: Vec<_> = found.collect();
        all.disagrees |= found.iter().any(|answer| answer.normative) || of_table.iter().any(|row| row.disagrees());
        unexpected.extend(unexpected_lines(&found));
        sums.extend(answers.iter().map(|library| library.sum(&questions)));
        if !of_table.is_empty() {
            let names: Vec<&str> = answers.iter().map(|library| library.name.as_str()).collect();
            let title = labelled(&format!("{} {}: ", operator.name, table.level), &names.join(", "));
            let (heading, lines) = table_lines(&of_table, &names);
            for line in title.into_iter().chain([heading]) {
                terminal.line(terminal.paint(Style::Strong, line));
            }
            lines.into_iter().for_each(|line| terminal.line(line));
            terminal.line("");
        }
        rows.append(&mut of_table);
    }
    if !sums.is_empty() {
        let lines = unexpected
            .into_iter()
            .chain(sums)
            .chain(sum_lines(&operator.name, &rows));
        lines.for_each(|line| terminal.line(line));
    }
}

/// The libraries to ask, with their names.
fn find_libraries(args: &Args) -> Vec<(String, PathBuf)> {
    let named: Vec<&PathBuf> = args.libraries.iter().filter(|path| is_named(path)).collect();
    if named.is_empty() {
        let fetched = directml::fetched(std::env::consts::OS);
        return fetched
            .into_iter()
            .map(|(release, path)| (release.release.to_owned(), path))
            .collect();
    }
    let name = |path: &PathBuf| {
        let release = directml::release(path);
        release.map_or_else(|| path.display().to_string(), |release| release.release.to_owned())
    };
    named.into_iter().map(|path| (name(path), path.clone())).collect()
}

/// Starts a library in a process of its own; `None` if it cannot be opened.
fn open_library(
    args: &Args,
    loaded: &Loaded,
    name: String,
    path: PathBuf,
    terminal: &mut Terminal,
) -> anyhow::Result<Option<Library>> {
    let choice = Choice {
        library: Some(path),
        device: Some(args.device.clone()),
        ..Choice::default()
    };
    let watch = Watch::new(Arc::new(loaded.suite.catalog.clone()));
    let backend = backends::isolated(&args.backend, &choice, args.spec.dir.as_deref(), &watch)?;
    // The level is known after the process said hello.
    if let Err(why) = backend.open() {
        terminal.error(format!("{name}: {why}"));
        return Ok(None);
    }
    let level = backend.info().feature_level;
    Ok(Some(Library { name, level, backend }))
}

/// The part of the specification to verify.
enum Scope {
    All,
    Clause(String),
    Cases(Query),
}

impl Scope {
    fn parse(what: Option<&str>, loaded: &Loaded) -> anyhow::Result<Self> {
        let Some(what) = what else { return Ok(Self::All) };
        if let Some(retired) = clause::retirement(&loaded.suite, what) {
            anyhow::bail!("{what} is {retired}");
        }
        if clause::find(&loaded.suite, what).is_some() {
            return Ok(Self::Clause(what.to_owned()));
        }
        if what.contains('/') {
            let near = clause::exists(&loaded.suite, what).err().unwrap_or_default();
            anyhow::bail!("unknown clause `{what}`; nearest: {}", near.join(", "));
        }
        let query: Query = what.parse()?;
        let names = || {
            loaded
                .suite
                .catalog
                .operators
                .iter()
                .map(|operator| operator.name.as_ref())
        };
        if !what.contains([':', '*']) && !names().any(|name| name == what) {
            anyhow::bail!("unknown operator `{what}`; {}", suggestion(what, names()));
        }
        Ok(Self::Cases(query))
    }

    fn has_operator(&self, name: &str) -> bool {
        match self {
            Self::Clause(id) => id.starts_with("TENSOR/") || id.starts_with(&format!("{name}/")),
            Self::All | Self::Cases(_) => true,
        }
    }

    fn has_case(&self, id: &CaseId) -> bool {
        match self {
            Self::Cases(query) => query.matches(id),
            Self::All | Self::Clause(_) => true,
        }
    }

    fn has_clause(&self, of: &str) -> bool {
        match self {
            Self::Clause(id) => id == of,
            Self::All | Self::Cases(_) => true,
        }
    }

    fn is_whole(&self) -> bool {
        !matches!(self, Self::Clause(_))
    }
}
