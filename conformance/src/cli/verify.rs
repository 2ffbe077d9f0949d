//! `spec verify`: compares the specification with the libraries that it describes.

use std::{mem, path::PathBuf, sync::Arc, thread};

use dml_ops::Backend;
use dml_spec::{
    FeatureLevel,
    model::{Operator, SupportTable},
};

use super::{
    args::{SpecArgs, TierArg, directml_device, file, is_named, require_operators},
    atomic_write,
    exit::INCOMPLETE,
    source::{self, Loaded},
    verify_report::{Counted, count_table, sum_lines, table_lines, unexpected_lines},
};
use crate::backends::{self, Choice, Watch};
use crate::verify::{
    Answers, Asking, Judge, Row, Unexpected, find_unexpected, is_rejected, plan_creations, plan_walks, tally_clauses,
};
use dml_case::{case::Case, clause, id::CaseId, query::Query, record::Record, text::labelled};
use dml_report::{Progress, Style, Terminal};
use dml_run::directml;

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
    /// Also ask about N descriptors of each operator that random changes lead to, whatever the rules say
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=100_000))]
    walks: u32,
    /// Write how many descriptors each library answered in which way, as a table in Markdown
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    spec: SpecArgs,
}

/// Exit code if a library answers otherwise than the specification foretells.
const DISAGREES: u8 = 1;

/// A library that can be asked.
struct Library {
    name: String,
    level: FeatureLevel,
    backend: Box<dyn Backend>,
}

/// What verifying came to.
#[derive(Default)]
struct Verified {
    disagrees: bool,
    missing: bool,
    asked: bool,
    counts: Vec<Counted>,
}

/// Verifies; the exit code.
pub(super) fn verify(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    backends::require_compiled(&args.backend)?;
    args.out.iter().try_for_each(|out| atomic_write::require_folder(out))?;
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
    let mut verified = Verified {
        missing: libraries.len() < count,
        ..Verified::default()
    };
    let all = &loaded.suite.catalog.operators;
    thread::scope(|threads| {
        let start = libraries
            .iter()
            .map(|library| Asking::start(threads, &loaded.suite, &*library.backend));
        let asking: Vec<Asking> = start.collect();
        let progress = Progress::new(terminal, "spec verify");
        let mut before = Vec::new();
        for (at, operator) in all.iter().enumerate() {
            progress.set(at, all.len(), operator.name.to_string());
            // While libraries answer, the next questions are planned.
            let asked = ask(args, &loaded, &scope, operator, (&libraries, &asking));
            let answered = mem::replace(&mut before, asked);
            tell(&answered, (&libraries, &asking), &mut verified, terminal);
        }
        tell(&before, (&libraries, &asking), &mut verified, terminal);
    });
    if !verified.asked && !libraries.is_empty() {
        let what = args.what.as_deref().unwrap_or_default();
        anyhow::bail!("no descriptor that can be asked about matches `{what}`; `dml-cts list` shows what there is");
    }
    if let Some(out) = &args.out {
        atomic_write::write_file(out, &count_table(&verified.counts))?;
    }
    Ok(match (verified.disagrees, verified.missing) {
        (true, _) => DISAGREES,
        (false, true) => INCOMPLETE,
        (false, false) => 0,
    })
}

/// Libraries, and who asks each.
type Asked<'a> = (&'a [Library], &'a [Asking]);

/// Asks about the tables of an operator that libraries have.
fn ask<'a>(
    args: &Args,
    loaded: &'a Loaded,
    scope: &'a Scope,
    operator: &'a Operator,
    (libraries, asking): Asked<'_>,
) -> Vec<Question<'a>> {
    let about = |table: &'a SupportTable| {
        let has_table = |at: &usize| operator.table_at(libraries[*at].level) == Some(table);
        let of_table: Vec<usize> = (0..libraries.len()).filter(has_table).collect();
        if of_table.is_empty() {
            return None;
        }
        let planned = scope.plan(loaded, operator, table, args.tier);
        let walks = scope.walk(loaded, operator, table, args.walks, &planned);
        let question = Question {
            loaded,
            scope,
            operator,
            table,
            planned: planned.len(),
            cases: [planned, walks].concat().into(),
            libraries: of_table,
        };
        if question.cases.is_empty() {
            return None;
        }
        for at in &question.libraries {
            asking[*at].ask(&question.cases);
        }
        Some(question)
    };
    operator.support.iter().filter_map(about).collect()
}

/// Prints what libraries answered about an operator.
fn tell(questions: &[Question<'_>], asked: Asked<'_>, verified: &mut Verified, terminal: &mut Terminal) {
    let (mut rows, mut remarks, mut sums) = (Vec::new(), Vec::new(), Vec::new());
    for question in questions {
        let answers = question.answers(asked, verified, terminal);
        rows.extend(question.tell(&answers, verified, &mut remarks, terminal));
        sums.extend(answers.iter().map(|library| question.sum(library)));
        verified
            .counts
            .extend(answers.iter().map(|library| question.count(library)));
    }
    if let (Some(question), false) = (questions.first(), sums.is_empty()) {
        let lines = sum_lines(&question.operator.name, &rows);
        let lines = remarks.into_iter().chain(sums).chain(lines);
        lines.for_each(|line| terminal.line(line));
    }
}

/// The cases about a table of an operator.
struct Question<'a> {
    loaded: &'a Loaded,
    scope: &'a Scope,
    operator: &'a Operator,
    table: &'a SupportTable,
    /// Those of the plan, then those that random changes lead to.
    cases: Arc<[Case]>,
    /// How many are of the plan.
    planned: usize,
    /// The libraries that are asked, by their places.
    libraries: Vec<usize>,
}

impl Question<'_> {
    /// The answers of the libraries that were asked.
    fn answers(
        &self,
        (libraries, asking): Asked<'_>,
        verified: &mut Verified,
        terminal: &mut Terminal,
    ) -> Vec<Answers> {
        let mut answers = Vec::new();
        verified.asked = true;
        for at in &self.libraries {
            let library = &libraries[*at];
            match asking[*at].answer() {
                Ok(records) => answers.push(Answers {
                    name: library.name.clone(),
                    level: library.level,
                    records,
                }),
                Err(why) => {
                    terminal.error(format!("{}: {why}", library.name));
                    verified.missing = true;
                }
            }
        }
        answers
    }

    /// Prints the table; its rows. `remarks` gets lines about unexpected answers.
    fn tell(
        &self,
        answers: &[Answers],
        verified: &mut Verified,
        remarks: &mut Vec<String>,
        terminal: &mut Terminal,
    ) -> Vec<Row> {
        if answers.is_empty() {
            return Vec::new();
        }
        let (suite, operator, table) = (&self.loaded.suite, self.operator, self.table);
        let mut rows = tally_clauses(
            suite,
            operator,
            table,
            self.cases.get(..self.planned).unwrap_or_default(),
            answers,
        );
        rows.retain(|row| self.scope.has_clause(&row.id));
        let mut found = find_unexpected(suite, operator, table, &self.cases, answers);
        found.retain(|answer| self.scope.concerns(answer));
        verified.disagrees |= found.iter().any(Unexpected::is_otherwise) || rows.iter().any(Row::disagrees);
        remarks.extend(unexpected_lines(&found));
        if !rows.is_empty() {
            let names: Vec<&str> = answers.iter().map(|library| library.name.as_str()).collect();
            let title = labelled(&format!("{} {}: ", operator.name, table.level), &names.join(", "));
            let (heading, lines) = table_lines(&rows, &names);
            for line in title.into_iter().chain([heading]) {
                terminal.line(terminal.paint(Style::Strong, line));
            }
            lines
                .into_iter()
                .chain([String::new()])
                .for_each(|line| terminal.line(line));
        }
        rows
    }

    /// How a library answered what is planned, and what random changes led to.
    fn count(&self, library: &Answers) -> Counted {
        let (suite, operator, table) = (&self.loaded.suite, self.operator, self.table);
        let judge = Judge::new(suite, operator, table, library);
        let pairs = || self.cases.iter().zip(&library.records);
        let judged = |(case, record): (&Case, &Record)| judge.judge(case, record);
        Counted {
            operator: operator.name.to_string(),
            library: library.name.clone(),
            planned: pairs().take(self.planned).map(judged).collect(),
            walked: pairs().skip(self.planned).map(judged).collect(),
        }
    }

    /// How many descriptors a library was asked about, accepted and rejected, as a line.
    fn sum(&self, library: &Answers) -> String {
        let pairs = self.cases.iter().zip(&library.records);
        let verdicts: Vec<bool> = pairs.filter_map(|(case, record)| is_rejected(case, record)).collect();
        let (asked, rejected) = (verdicts.len(), verdicts.iter().filter(|rejected| **rejected).count());
        let (name, level, accepted) = (&library.name, library.level, asked - rejected);
        format!("{name} (level {level}): {asked} descriptors asked, {accepted} accepted, {rejected} rejected")
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

/// The part of the specification to verify; all of it if neither is named.
#[derive(Default)]
struct Scope {
    clause: Option<String>,
    query: Option<Query>,
}

impl Scope {
    fn parse(what: Option<&str>, loaded: &Loaded) -> anyhow::Result<Self> {
        let Some(what) = what else { return Ok(Self::default()) };
        if let Some(retired) = clause::retirement(&loaded.suite, what) {
            anyhow::bail!("{what} is {retired}");
        }
        if what.contains('/') {
            if let Err(near) = clause::exists(&loaded.suite, what) {
                anyhow::bail!("unknown clause `{what}`; nearest: {}", near.join(", "));
            }
            return Ok(Self {
                clause: Some(what.to_owned()),
                query: None,
            });
        }
        if !what.contains([':', '*']) {
            require_operators(&[what.to_owned()], &loaded.suite.operator_names())?;
        }
        Ok(Self {
            clause: None,
            query: Some(what.parse()?),
        })
    }

    /// The cases about a table.
    fn plan(&self, loaded: &Loaded, operator: &Operator, table: &SupportTable, tier: TierArg) -> Vec<Case> {
        let is_asked = |clause: &str| clause::is_about(clause, &operator.name);
        // Planning is most of the time.
        let may_match = |query: &Query| query.may_match_operator(&operator.name);
        if !self.clause.as_deref().is_none_or(is_asked) || !self.query.as_ref().is_none_or(may_match) {
            return Vec::new();
        }
        plan_creations(&loaded.suite, operator, table.level, tier.tier(), &|id| self.has_id(id))
    }

    /// The cases about a table that random changes lead to; none if nothing of the plan is asked.
    fn walk(
        &self,
        loaded: &Loaded,
        operator: &Operator,
        table: &SupportTable,
        count: u32,
        planned: &[Case],
    ) -> Vec<Case> {
        let count = if planned.is_empty() { 0 } else { count };
        let wants = |id: &CaseId| self.has_id(id);
        plan_walks(&loaded.suite, operator, table.level, (count, &wants), planned)
    }

    fn has_id(&self, id: &CaseId) -> bool {
        self.query.as_ref().is_none_or(|query| query.matches(id))
    }

    fn has_clause(&self, id: &str) -> bool {
        self.clause.as_deref().is_none_or(|clause| clause == id)
    }

    fn concerns(&self, answer: &Unexpected<'_>) -> bool {
        self.clause.is_none() || answer.case.verdict.clauses().iter().any(|id| self.has_clause(id))
    }
}
