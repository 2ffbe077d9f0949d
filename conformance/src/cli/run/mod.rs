//! `run`: cases on backends, judged, reported.

mod args;
mod backend_run;
mod sinks;
mod start_backends;

use self::{backend_run::BackendRun, sinks::Files};
use super::{
    args::{Format, print_objects},
    source,
    stored::{damaged, diff::Baselines},
};
use dml_report::expectations::Expectations;
use dml_report::{Ending, Terminal};
use dml_report::{
    date,
    results::{HALF_PRECISION, Header},
};

pub(super) use args::{Args, ReportFile};

/// Runs; the exit code.
pub(super) fn run(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    terminal.set_quiet(args.quiet);
    args.check_files()?;
    let loaded = source::load(&args.spec, terminal)?;
    let expectations = source::expectations(&args.expectations, &loaded.suite, terminal)?;
    tell_expired(&expectations, terminal);
    let settings = args.settings();
    let (lock, lock_remedy) = (loaded.texts.lock()?, loaded.texts.lock_remedy(&args.spec));
    let mut damage = Vec::new();
    if let Some(theirs) = args.select.rerun_half_precision()?
        && theirs != args.judging.half_precision
    {
        let word = if theirs { "with" } else { "without" };
        terminal.warn(format!(
            "the stored run is one {word} {HALF_PRECISION}, and this one is not"
        ));
    }
    let selection = args.select.selection(&loaded.suite.catalog, &mut damage)?;
    let Some(selection) = selection else {
        damaged(&damage, terminal);
        // It explains the exit code: quiet runs say it too.
        terminal.warn("nothing failed in the stored run, so there is nothing to run again");
        return Ok(Ending::Incomplete.code());
    };
    let selection = args.selection(selection).resolve(&loaded.suite)?;
    // Before anything is written.
    let started = args.start_backends(&loaded, terminal)?;
    let mut baselines = args.baseline.as_deref().map(Baselines::read).transpose()?;
    damage.extend(baselines.iter_mut().flat_map(Baselines::take_damage));
    // What rests on part of a run is not the whole, whatever this run comes to.
    let damaged = damaged(&damage, terminal);
    let mut files = Files::open(&args.reports)?;
    let is_only = started.len() == 1;
    let (mut objects, mut codes) = (Vec::new(), vec![damaged]);
    for backend in started {
        let backend_run = BackendRun {
            args,
            loaded: &loaded,
            lock: &lock,
            lock_remedy: &lock_remedy,
            selection: &selection,
            settings: &settings,
            expectations: &expectations,
            started: &backend,
        };
        let mut before = |header: &Header| baselines.as_mut()?.start(header, is_only);
        let (object, code) = backend_run.run(&mut files, &mut before, terminal)?;
        objects.push(object);
        codes.push(code);
    }
    files.finish(&loaded)?;
    if args.format == Format::Json {
        print_objects(terminal, objects);
    }
    Ok(worst(&codes))
}

/// Says which entries are to be looked at again. A run fails for no day: an unchanged commit stays what it is.
fn tell_expired(expectations: &Expectations, terminal: &mut Terminal) {
    for entry in expectations.expired(&date::today()) {
        let (place, until) = (&entry.place, entry.until.as_deref().unwrap_or_default());
        terminal.warn(format!(
            "{place}: this expired on {until}: {}; then move its date, or remove it",
            entry.why()
        ));
    }
}

/// Not conformant weighs more than incomplete.
fn worst(codes: &[u8]) -> u8 {
    [1, 3].into_iter().find(|code| codes.contains(code)).unwrap_or(0)
}
