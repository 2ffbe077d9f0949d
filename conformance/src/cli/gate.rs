//! `gate`: does a backend keep what a feature level requires?

use std::{
    fs, io,
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use anyhow::Context;
use dml_spec::{
    FeatureLevel,
    model::{Catalog, Operator},
};
use dml_spec_yaml::load;
use serde_json::json;

use super::{
    args::{Format, SelectArgs, SpecArgs, from_one, print_objects, require_level},
    atomic_write,
    backend_args::{JudgeArgs, StartArgs},
    backends::BackendArg,
    exit::INCOMPLETE,
    run::{self, ReportFile},
    source, stored,
};
use dml_case::{
    lock::Lock,
    nearest::{harmless, suggestion},
    text::{WIDTH, wrapped},
};
use dml_report::{
    Style, Terminal,
    gate::{self, Gate, OperatorTally, Passage, Tally, Verdict},
};
use dml_report::{requirements, results::Line, scope};

/// Arguments of `gate`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Feature level whose requirements the backend must meet
    #[arg(long, value_name = "LEVEL")]
    level: FeatureLevel,
    /// Backend to test, as in `run` (repeatable); default: `cpu`
    #[arg(long = "backend", value_name = "[LABEL=]SPEC")]
    backends: Vec<BackendArg>,
    /// Run nothing; judge this stored run, such as a merged one
    #[arg(long, value_name = "RUN.jsonl", conflicts_with_all = ["backends", "reports", "expectations", "jobs", "retries"])]
    from: Option<PathBuf>,
    /// Only this operator (repeatable); default: all that the suite covers
    #[arg(long = "operator", value_name = "NAME")]
    operators: Vec<String>,
    /// Fail if the corpus (of this program, or of the run of --from) has another digest; pins the suite
    #[arg(long, value_name = "DIGEST")]
    corpus_digest: Option<String>,
    /// Write a badge: .svg, or .json for badge services (repeatable)
    #[arg(long = "badge", value_name = "FILE", value_parser = badge)]
    badges: Vec<PathBuf>,
    /// Require no outputs: judge descriptors alone, and run no operator
    #[arg(long)]
    create_only: bool,
    #[command(flatten)]
    spec: SpecArgs,
    #[command(flatten)]
    start: StartArgs,
    /// Fail a case if its rejection names clauses that the descriptor does not violate
    #[arg(long)]
    strict_reasons: bool,
    /// File of known failures (repeatable): they do not fail the gate, but their operators do not conform
    #[arg(long, value_name = "FILE")]
    expectations: Vec<PathBuf>,
    /// Worker threads; default: one per core
    #[arg(long, value_name = "N", value_parser = from_one::<NonZeroUsize>)]
    jobs: Option<NonZeroUsize>,
    /// Retry a failed case up to N times; if it then passes, report `flaky`
    #[arg(long, value_name = "N", default_value_t)]
    retries: u32,
    /// Write a report (repeatable); the extension selects the format, as in `run`
    #[arg(long = "report", value_name = "FILE")]
    reports: Vec<ReportFile>,
    /// Format of the result on standard output
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Print only the result
    #[arg(short, long)]
    quiet: bool,
}

fn badge(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("svg" | "json") => Ok(path),
        _ => Err("unknown format of the file; expected .svg, .json".to_owned()),
    }
}

/// Runs, or reads what was run; the exit code.
pub(super) fn gate(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let read = args.from.iter().chain(&args.expectations);
    let written = args.badges.iter().chain(&args.start.trace).cloned();
    for out in written.chain(args.reports.iter().map(|report| report.0.clone())) {
        atomic_write::require_other_file(&out, read.clone())?;
        atomic_write::require_folder(&out)?;
    }
    let loaded = source::load(&args.spec, terminal)?;
    require_level(&loaded.suite.catalog, args.level)?;
    if let Some(message) = loaded.texts.lack_of_lock(&args.spec)? {
        anyhow::bail!(message);
    }
    let lock = loaded.texts.lock()?;
    let corpus = lock.digest().to_string();
    if let Some(pinned) = args.corpus_digest.as_ref().filter(|pinned| **pinned != corpus) {
        terminal.error(format!(
            "the corpus is {corpus}, and {pinned} is pinned; take the version of the suite that was pinned, or pin this"
        ));
        return Ok(INCOMPLETE);
    }
    let gate = asked(args, &lock, &loaded.suite.catalog, load::digest(&loaded.texts.files))?;
    for file in &args.expectations {
        let read = source::expectations(std::slice::from_ref(file), &loaded.suite, terminal)?;
        if let Some(older) = read.other_corpus(lock.digest()) {
            terminal.note(format!(
                "the requirement has changed since {} was written (corpus {older}, now {corpus}): failures of new cases are no \
                 known ones; write it again with `dml-cts expect update`",
                file.display()
            ));
        }
    }
    drop(loaded);
    let (verdicts, code) = match &args.from {
        Some(path) => {
            let mut damage = Vec::new();
            let verdicts = judged(path, &gate, &mut damage)?;
            (verdicts, stored::damaged(&damage, terminal))
        }
        None => {
            let folder = tempfile::tempdir().context("a folder for the run")?;
            let path = folder.path().join("run.jsonl");
            let code = ran(args, &path, terminal)?;
            // The run itself tells that it was cut short.
            (judged(&path, &gate, &mut Vec::new())?, code)
        }
    };
    anyhow::ensure!(
        !verdicts.is_empty(),
        "no run to judge; make one with `dml-cts run --report FILE.jsonl`"
    );
    anyhow::ensure!(
        args.badges.is_empty() || verdicts.len() == 1,
        "a badge is about one backend, and {} ran; write one for each",
        verdicts.len()
    );
    // The verdict is said whatever becomes of the badges.
    tell(args, &verdicts, &corpus, terminal);
    for (path, verdict) in args.badges.iter().zip(std::iter::repeat(&verdicts[..])) {
        verdict.iter().try_for_each(|verdict| write_badge(path, verdict))?;
    }
    let codes = verdicts.iter().map(|verdict| match verdict.passage() {
        Passage::Holds => 0,
        Passage::Fails => 1,
        Passage::Incomplete => INCOMPLETE,
    });
    let codes: Vec<u8> = codes.chain([code]).collect();
    // Not conformant weighs more than incomplete.
    Ok([1, INCOMPLETE]
        .into_iter()
        .find(|code| codes.contains(code))
        .unwrap_or(0))
}

/// What the arguments ask for.
fn asked(args: &Args, lock: &Lock, catalog: &Catalog, spec_digest: String) -> anyhow::Result<Gate> {
    let required = requirements::sums(lock, args.level);
    for name in &args.operators {
        let mut known: Vec<&str> = required.keys().map(|(operator, _)| operator.as_str()).collect();
        known.dedup();
        anyhow::ensure!(
            known.contains(&name.as_str()),
            "level {} requires nothing of an operator `{name}`; {}",
            args.level,
            suggestion(name, known)
        );
    }
    let all = requirements::operators_up_to(args.level);
    let described = catalog.operators.iter().filter(|operator| !operator.is_computed());
    let is_asked =
        |operator: &&Operator| args.operators.is_empty() || args.operators.iter().any(|name| *name == operator.name);
    Ok(Gate {
        level: args.level,
        required,
        spec_digest,
        corpus_digest: lock.digest().to_string(),
        operators: args.operators.clone(),
        all: all.into_iter().map(str::to_owned).collect(),
        described: described.map(|operator| operator.name.to_string()).collect(),
        create_only: args.create_only,
        tables: scope::tables(catalog, catalog.operators.iter().filter(is_asked), args.level),
    })
}

/// Runs what the level requires; the exit code of the run.
fn ran(args: &Args, path: &Path, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let queries = args.operators.iter().map(|name| name.parse());
    let run = run::Args {
        select: SelectArgs {
            queries: queries.collect::<Result<_, _>>()?,
            level: Some(args.level),
            ..SelectArgs::default()
        },
        spec: args.spec.clone(),
        backends: args.backends.clone(),
        start: args.start.clone(),
        judging: JudgeArgs {
            strict_reasons: args.strict_reasons,
            create_only: args.create_only,
            ..JudgeArgs::default()
        },
        jobs: args.jobs,
        retries: args.retries,
        reports: [&[ReportFile(path.to_owned())][..], &args.reports].concat(),
        expectations: args.expectations.clone(),
        quiet: args.quiet,
        ..run::Args::default()
    };
    match args.format {
        Format::Human => run::run(&run, terminal),
        // Standard output is for the object.
        Format::Json => run::run(&run, &mut Terminal::plain(Box::new(io::sink()), Box::new(io::stderr()))),
    }
}

/// What the gate says of every run in a file; `damage` gets what the file lacks.
fn judged(path: &Path, gate: &Gate, damage: &mut Vec<String>) -> anyhow::Result<Vec<Verdict>> {
    let (mut verdicts, mut under_way): (Vec<Verdict>, Option<Tally>) = (Vec::new(), None);
    let mut lines = stored::open(path)?;
    for line in &mut lines {
        match line? {
            Line::Header(header) => {
                verdicts.extend(under_way.take().map(|tally| tally.finish(None)));
                under_way = Some(Tally::new(gate.clone(), &header));
            }
            Line::Case(case) => {
                if let Some(tally) = &mut under_way {
                    tally.case(&case);
                }
            }
            Line::Footer(footer) => verdicts.extend(under_way.take().map(|tally| tally.finish(Some(&footer)))),
        }
    }
    verdicts.extend(under_way.map(|tally| tally.finish(None)));
    damage.append(&mut lines.take_damage());
    Ok(verdicts)
}

fn write_badge(path: &Path, verdict: &Verdict) -> anyhow::Result<()> {
    let text = match path.extension().and_then(|extension| extension.to_str()) {
        Some("svg") => gate::svg(verdict),
        _ => format!("{:#}\n", gate::endpoint(verdict)),
    };
    fs::write(path, text).with_context(|| path.display().to_string())
}

fn tell(args: &Args, verdicts: &[Verdict], corpus: &str, terminal: &mut Terminal) {
    if args.format == Format::Json {
        let objects = verdicts.iter().map(|verdict| object(verdict, corpus));
        return print_objects(terminal, objects.collect());
    }
    for verdict in verdicts {
        human(args, verdict, terminal);
    }
}

fn human(args: &Args, verdict: &Verdict, terminal: &mut Terminal) {
    if !args.quiet {
        let others = verdict.operators.iter().filter(|(_, tally)| !tally.conforms());
        for (name, tally) in others {
            let name = terminal.paint(Style::Strong, name);
            terminal.line(format!("{name} does not conform: {}", tally.why()));
            tally.first.iter().for_each(|id| terminal.line(format!("  {id}")));
        }
        list("Not covered here", &verdict.uncovered, terminal);
        terminal.line(verdict.tables.says());
    }
    verdict.problems.iter().for_each(|problem| terminal.warn(problem));
    let style = match verdict.passage() {
        Passage::Holds => Style::Good,
        Passage::Fails => Style::Bad,
        Passage::Incomplete => Style::Note,
    };
    let end = match verdict.passage() {
        Passage::Holds => "",
        Passage::Fails => "; the gate does not hold",
        Passage::Incomplete => "; incomplete, so that the gate does not hold",
    };
    let says = terminal.paint(style, verdict.says());
    terminal.line(format!("{} {says}{end}", harmless(&verdict.backend)));
}

/// Names in a paragraph.
fn list(what: &str, names: &[String], terminal: &mut Terminal) {
    if names.is_empty() {
        return;
    }
    let first = format!("{what}, {}: ", names.len());
    let mut parts: Vec<String> = names.to_vec();
    if let Some(part) = parts.first_mut() {
        part.insert_str(0, &first);
    }
    wrapped(parts.iter().map(String::as_str), ", ", WIDTH)
        .into_iter()
        .for_each(|line| terminal.line(line));
}

fn object(verdict: &Verdict, corpus: &str) -> serde_json::Value {
    let operator = |tally: &OperatorTally| {
        json!({
            "conforms": tally.conforms(),
            "descriptors_only": tally.is_described,
            "cases": tally.cases,
            "judged": tally.judged,
            "failures": tally.failures,
            "known": tally.known,
            "skips": tally.skips,
            "lacking": tally.lacking,
            "first": tally.first,
        })
    };
    let operators: serde_json::Map<String, serde_json::Value> = verdict
        .operators
        .iter()
        .map(|(name, tally)| (name.clone(), operator(tally)))
        .collect();
    json!({
        "backend": verdict.backend,
        "level": verdict.level.to_string(),
        "says": verdict.says(),
        "holds": verdict.passage() == Passage::Holds,
        "complete": verdict.passage() != Passage::Incomplete,
        "conforming": verdict.conforming(),
        "conforming_descriptors": verdict.described(),
        "of": verdict.of,
        "create_only": verdict.create_only,
        "tables": verdict.tables,
        "operators": operators,
        "uncovered": verdict.uncovered,
        "problems": verdict.problems,
        "spec_digest": verdict.spec_digest,
        "corpus_digest": corpus,
    })
}
