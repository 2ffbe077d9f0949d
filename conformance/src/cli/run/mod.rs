//! `run`: cases on backends, judged, reported.

mod args;
mod one;
mod sinks;
mod subjects;

use self::{args::Format, one::One, sinks::Files};
use super::source;
use crate::report::{Ending, Terminal};

pub(super) use args::Args;

/// Runs; the exit code.
pub(super) fn run(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    terminal.set_quiet(args.quiet);
    let loaded = source::load(&args.spec, terminal)?;
    let settings = args.settings(source::expectations(
        args.expectations.as_deref(),
        &loaded.suite,
        terminal,
    )?);
    let (lock, lock_remedy) = (loaded.texts.lock()?, loaded.texts.lock_remedy(&args.spec));
    let Some(selection) = args.select.selection(&loaded.suite.catalog)? else {
        terminal.note("nothing failed in the stored run, so there is nothing to run again");
        return Ok(Ending::Incomplete.code());
    };
    let selection = args.selection(selection).resolve(&loaded.suite)?;
    // Before anything is written.
    let subjects = args.subjects(&loaded, terminal)?;
    let mut files = Files::open(&args.reports)?;
    let (mut objects, mut codes) = (Vec::new(), Vec::new());
    for subject in subjects {
        let one = One {
            args,
            loaded: &loaded,
            lock: &lock,
            lock_remedy: &lock_remedy,
            selection: &selection,
            settings: &settings,
            subject: &subject,
        };
        let (object, ending) = one.run(&mut files, terminal)?;
        objects.push(object);
        codes.push(ending.code());
    }
    files.finish(&loaded)?;
    if args.format == Format::Json {
        let value = if objects.len() == 1 {
            objects.remove(0)
        } else {
            objects.into()
        };
        terminal.line(format!("{value:#}"));
    }
    Ok(worst(&codes))
}

/// Not conformant weighs more than incomplete.
fn worst(codes: &[u8]) -> u8 {
    [1, 3].into_iter().find(|code| codes.contains(code)).unwrap_or(0)
}
