//! `report history`.

use std::path::PathBuf;

use clap::ValueEnum;
use serde_json::json;

use super::{damaged, open, shown};
use crate::{
    nearest::harmless,
    report::{Style, Terminal},
    results::Line,
    stored::{Course, History},
};

/// Cases that are shown to people.
const SHOWN: usize = 20;

/// Arguments of `report history`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Stored runs, the oldest first
    #[arg(value_name = "RUN.jsonl", required = true)]
    runs: Vec<PathBuf>,
    /// Only runs of the backend with this label
    #[arg(long, value_name = "LABEL")]
    backend: Option<String>,
    /// Form of the history
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Show every case
    #[arg(short, long)]
    verbose: bool,
}

/// Form of a history.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    #[default]
    Human,
    /// One object
    Json,
}

/// Tells the history; the exit code.
pub(in crate::cli) fn history(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let mut history = History::default();
    let damage = read(args, &mut |_, line| history.look(&line))?;
    read(args, &mut |name, line| match &line {
        Line::Header(header) => history.run(format!("{name} ({} {})", header.backend.label, header.backend.version)),
        Line::Case(case) => history.case(case),
        Line::Footer(_) => {}
    })?;
    let wanted = args.backend.as_deref().unwrap_or("any backend");
    anyhow::ensure!(!history.runs().is_empty(), "the files hold no run of {wanted}");
    let courses = history.courses();
    match args.format {
        Format::Json => {
            let value = json!({"runs": history.runs(), "cases": courses});
            terminal.line(format!("{value:#}"));
        }
        Format::Human => tell(&courses, history.runs(), args.verbose, terminal),
    }
    Ok(damaged(&damage, terminal))
}

/// Calls `take` with every line of the runs that are asked for, and the file they stand in; what is wrong with
/// runs that can be read all the same.
fn read(args: &Args, take: &mut dyn FnMut(&str, Line)) -> anyhow::Result<Vec<String>> {
    let mut damage = Vec::new();
    for path in &args.runs {
        let name = shown(path);
        let mut is_wanted = true;
        let mut lines = open(path)?;
        for line in &mut lines {
            let line = line?;
            if let Line::Header(header) = &line {
                is_wanted = args.backend.as_ref().is_none_or(|label| *label == header.backend.label);
            }
            if is_wanted {
                take(&name, line);
            }
        }
        damage.append(&mut lines.take_damage());
    }
    Ok(damage)
}

fn tell(courses: &[Course], runs: &[String], verbose: bool, terminal: &mut Terminal) {
    let shown = if verbose { usize::MAX } else { SHOWN };
    for course in courses.iter().take(shown) {
        let (style, what) = match (course.flake_rate > 0.0, course.still_fails) {
            (true, _) => (Style::Note, format!("flaky, {:.0} %", course.flake_rate * 100.0)),
            (false, true) => (Style::Bad, "fails".to_owned()),
            (false, false) => (Style::Good, "fixed".to_owned()),
        };
        terminal.line(format!("{} {}", terminal.paint(style, what), harmless(&course.id)));
        let good = course
            .last_good
            .as_ref()
            .map(|run| format!(", last good in {run}"))
            .unwrap_or_default();
        let text = format!(
            "  {} of {} runs; first bad in {}{good}",
            course.failed, course.judged, course.first_bad
        );
        terminal.line(harmless(&text));
    }
    if courses.len() > shown {
        terminal.line(format!("… and {} more; -v shows all", courses.len() - shown));
    }
    let flaky = courses.iter().filter(|course| course.flake_rate > 0.0).count();
    let failing = courses.iter().filter(|course| course.still_fails).count();
    terminal.line(format!(
        "{} runs; {} cases failed at some time: {flaky} flaky, {failing} fail in the last run that has them",
        runs.len(),
        courses.len()
    ));
}
