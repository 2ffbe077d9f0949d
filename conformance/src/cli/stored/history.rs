//! `report history`.

use std::path::PathBuf;

use serde_json::json;

use super::{damaged, open, shown};
use crate::cli::args::{Format, print_objects};
use dml_case::{nearest::harmless, text::counted};
use dml_report::results::Line;
use dml_report::{
    Style, Terminal,
    comparison::{Course, History},
};

/// Cases that are shown to people.
const SHOWN: usize = 20;

/// Arguments of `report history`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Stored runs, oldest first
    #[arg(value_name = "RUN.jsonl", required = true)]
    runs: Vec<PathBuf>,
    /// Only runs of the backend with this label
    #[arg(long, value_name = "LABEL")]
    backend: Option<String>,
    /// Format of the history (JSON: an array if there are several backends)
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Show every case
    #[arg(short, long)]
    verbose: bool,
}

/// Tells the history; the exit code.
pub(crate) fn history(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let mut histories = Histories::default();
    let damage = read(args, &mut |_, label, line| histories.of(label).look(&line))?;
    read(args, &mut |name, label, line| match &line {
        Line::Header(header) => histories
            .of(label)
            .run(format!("{name} ({label} {})", header.backend.version)),
        Line::Case(case) => histories.of(label).case(case),
        Line::Footer(_) => {}
    })?;
    let wanted = args.backend.as_deref().unwrap_or("any backend");
    anyhow::ensure!(!histories.0.is_empty(), "the files hold no run of {wanted}");
    match args.format {
        Format::Json => {
            let object = |(label, history): &(String, History)| json!({"backend": label, "runs": history.runs(), "cases": history.courses()});
            print_objects(terminal, histories.0.iter().map(object).collect());
        }
        Format::Human => {
            for (label, history) in &histories.0 {
                if histories.0.len() > 1 {
                    terminal.line(terminal.paint(Style::Strong, format!("{}:", harmless(label))));
                }
                tell(&history.courses(), history.runs(), args.verbose, terminal);
            }
        }
    }
    Ok(damaged(&damage, terminal))
}

/// Histories by the labels of backends, in the order in which these were met: what one does says nothing of another.
#[derive(Default)]
struct Histories(Vec<(String, History)>);

impl Histories {
    fn of(&mut self, label: &str) -> &mut History {
        let at = self.0.iter().position(|(known, _)| known == label);
        let at = at.unwrap_or_else(|| {
            self.0.push((label.to_owned(), History::default()));
            self.0.len() - 1
        });
        &mut self.0[at].1
    }
}

/// Calls `take` with every line of the runs that are asked for, the file they stand in and the label of the backend;
/// what is wrong with runs that can be read all the same.
fn read(args: &Args, take: &mut dyn FnMut(&str, &str, Line)) -> anyhow::Result<Vec<String>> {
    let mut damage = Vec::new();
    for path in &args.runs {
        let (name, mut label) = (shown(path), String::new());
        let mut lines = open(path)?;
        for line in &mut lines {
            let line = line?;
            if let Line::Header(header) = &line {
                label.clone_from(&header.backend.label);
            }
            if args.backend.as_ref().is_none_or(|wanted| *wanted == label) {
                take(&name, &label, line);
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
    let cases = counted(courses.len(), "case");
    terminal.line(format!(
        "{} runs; {cases} failed at least once: {flaky} flaky, {failing} failing in their last run",
        runs.len()
    ));
}
