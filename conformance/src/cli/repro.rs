//! `repro`: a saved case, run again.

use std::path::PathBuf;

use anyhow::Context;
use dml_spec_yaml::load;

use super::{
    backend_args::TestedArgs,
    save::spell,
    source::{self, Loaded},
};
use dml_case::{case::Case, nearest::excerpt, outcome::Outcome, record::Record};
use dml_report::{Ending, Terminal, difference, results::HALF_PRECISION};
use dml_run::{
    engine::{Run, Selection, Settings},
    saved::{self, Saved, What},
};

/// Arguments of `repro`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Saved case, as `run --save-failures` and `show --export json` write it
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    tested: TestedArgs,
}

/// Runs it; the exit code.
pub(super) fn repro(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let tested = &args.tested;
    terminal.set_quiet(tested.quiet);
    let loaded = source::load(&tested.spec, terminal)?;
    let path = args.file.display().to_string();
    let bytes = std::fs::read(&args.file).with_context(|| path.clone())?;
    let saved = saved::read(&loaded.suite, &bytes).map_err(|wrong| anyhow::anyhow!(wrong.in_file(&path)))?;
    remarks(&saved, &loaded, &bytes, terminal);
    remark_half_precision(&saved, tested.judging.half_precision, terminal);
    let cases = match &saved.what {
        What::Case(case) => vec![(**case).clone()],
        What::Order(ids) => ids
            .iter()
            .map(|id| dml_plan::build(&loaded.suite, id))
            .collect::<Result<_, _>>()?,
    };
    if let ([case], false) = (&cases[..], tested.quiet) {
        let command = format!("dml-cts repro {} {}", spell(&args.file), tested.again());
        super::case::show_case(terminal, &loaded.suite, case, &command);
    }
    let (backend, label) = tested.start(&loaded, None, terminal)?;
    let settings = Settings {
        jobs: 1,
        basis: tested.judging.basis.basis(),
        strict_reasons: tested.judging.strict_reasons,
        half_precision: tested.judging.half_precision,
        ..Settings::default()
    };
    let run = Run {
        suite: &loaded.suite,
        backend: &*backend,
        selection: &Selection::default().resolve(&loaded.suite)?,
        settings: &settings,
        lock: None,
    };
    match run.probe(|probe| in_order(&cases, |case| probe.run(vec![case]))) {
        Ok(Ok(records)) => Ok(tell(&label, &records, terminal)),
        Ok(Err(why)) | Err(why) => {
            terminal.warn(format_args!("incomplete: the backend is not available: {why}"));
            Ok(Ending::Incomplete.code())
        }
    }
}

/// Runs cases one after the other.
fn in_order<E>(cases: &[Case], mut run: impl FnMut(Case) -> Result<Vec<Record>, E>) -> Result<Vec<Record>, E> {
    let mut records = Vec::new();
    for case in cases {
        records.extend(run(case.clone())?);
    }
    Ok(records)
}

/// What is to be known before the outcome.
fn remarks(saved: &Saved, loaded: &Loaded, bytes: &[u8], terminal: &mut Terminal) {
    let digest = load::digest(&loaded.texts.files);
    if !saved.from.spec_digest.is_empty() && saved.from.spec_digest != digest {
        terminal.note("the specification has changed since the case was saved; the expectation follows the new one");
    }
    if let What::Case(case) = &saved.what {
        let differing = saved::differing(&loaded.suite, bytes, case).join(", ");
        if !differing.is_empty() {
            terminal.warn(format_args!(
                "warning: {differing} of the file differs from what the specification expects of this case, and does \
                 not count"
            ));
        }
    }
    if let Some(found) = &saved.found {
        let (outcome, class) = (excerpt(&found.outcome), excerpt(&found.class));
        let class = if class == outcome {
            String::new()
        } else {
            format!(", {class}")
        };
        terminal.note(format_args!("saved for {}: {outcome}{class}", excerpt(&found.backend)));
    }
}

/// A case that failed under one arithmetic need not under another.
fn remark_half_precision(saved: &Saved, allowed: bool, terminal: &mut Terminal) {
    let Some(found) = &saved.found else { return };
    match (found.half_precision, allowed) {
        (true, false) => terminal.warn(format_args!(
            "the case was saved from a run with {HALF_PRECISION}; pass it to judge the case as that run did"
        )),
        (false, true) => terminal.warn(format_args!("the case was saved from a run without {HALF_PRECISION}")),
        _ => {}
    }
}

/// Prints outcomes; the exit code.
fn tell(label: &str, records: &[Record], terminal: &mut Terminal) -> u8 {
    terminal.line("");
    let (mut failed, mut judged) = (false, false);
    for record in records {
        let outcome = record.outcome;
        failed |= outcome.is_failure();
        judged |= outcome != Outcome::Skip;
        let (Some(class), Some(message)) = (&record.class, &record.message) else {
            let reason = record.reason.as_ref().map(|reason| format!(" ({reason})"));
            let reason = reason.unwrap_or_default();
            terminal.line(format!("{label}: {}{reason}", outcome.word()));
            continue;
        };
        terminal.line(format!("{label}: {}: {class}: {message}", outcome.word()));
        if let Some(first) = &record.first {
            terminal.line(format!("  {}", difference(first, record.differing)));
        }
        let (breaks, hint) = match outcome.is_failure() {
            true => ("breaks", ""),
            false => ("is left open by", ", so that it does not fail a run"),
        };
        for clause in &record.clauses {
            terminal.line(format!("  {breaks} {clause}{hint}"));
        }
    }
    let ending = match (failed, judged) {
        (true, _) => Ending::NotConformant,
        (false, true) => Ending::Conformant,
        (false, false) => Ending::Incomplete,
    };
    ending.code()
}
