//! Time spent in each part of a run.

use std::collections::BTreeMap;

use crate::{Style, Terminal};
use dml_case::{
    record::Totals,
    text::grouped,
    timings::{SMALL, Timings, Work},
};

/// Seconds by part of the run, as stored runs have them.
pub(super) fn seconds(timings: Option<&Timings>) -> BTreeMap<String, f64> {
    let of = |timings: &Timings, work: Work| (timings.of(work).as_secs_f64() * 1000.0).round() / 1000.0;
    let pair = |(timings, work): (&Timings, Work)| (work.word().to_owned(), of(timings, work));
    let all = timings
        .into_iter()
        .flat_map(|timings| Work::ALL.map(|work| (timings, work)));
    all.map(pair).collect()
}

/// Prints the time spent in each part of a run, if that was measured.
pub fn timings(terminal: &mut Terminal, totals: &Totals) {
    let Some(timings) = &totals.timings else { return };
    let mut lines = timing_lines(timings, totals).into_iter();
    lines
        .by_ref()
        .take(1)
        .for_each(|head| terminal.line(terminal.paint(Style::Strong, head)));
    lines.for_each(|line| terminal.line(line));
    terminal.line("");
}

fn timing_lines(timings: &Timings, totals: &Totals) -> Vec<String> {
    let workers = match timings.workers {
        1 => "1 worker".to_owned(),
        n => format!("{n} workers"),
    };
    let mut lines = vec![format!("where the time went: {workers}, all threads together")];
    let all = timings.total().as_secs_f64().max(f64::MIN_POSITIVE);
    lines.extend(Work::ALL.map(|work| {
        let seconds = timings.of(work).as_secs_f64();
        let (share, word) = (seconds / all * 100.0, work.word());
        format!("  {word:<9} {seconds:>9.3} s {share:>3.0} %  {}", work.says())
    }));
    let rate = totals.cases as f64 / totals.elapsed.as_secs_f64().max(1e-9);
    let mut rates = format!("  {} cases a second", grouped(rate as u64));
    if let Some(small) = timings.small_rate() {
        let (count, small) = (grouped(timings.small), grouped(small as u64));
        rates += &format!("; the {count} of at most {SMALL} elements alone: {small} a second");
    }
    lines.push(rates);
    lines
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::timings::*;

    #[test]
    fn every_kind_of_work_has_a_line_that_fits() {
        let mut timings = Timings::default();
        (timings.workers, timings.small) = (128, 9_999_999);
        timings.small_time = Duration::from_secs(1);
        let totals = Totals {
            cases: 10_000_000,
            elapsed: Duration::from_secs(100),
            ..Totals::default()
        };
        let lines = timing_lines(&timings, &totals);
        assert_eq!(lines.len(), Work::ALL.len() + 2);
        for (line, work) in lines.iter().skip(1).zip(Work::ALL) {
            assert!(line.starts_with(&format!("  {} ", work.word())), "{line}");
        }
        assert!(
            lines.iter().all(|line| line.len() <= dml_case::text::WIDTH),
            "{lines:#?}"
        );
        let last = lines.last().map(String::as_str);
        let expected = "  100,000 cases a second; the 9,999,999 of at most 64 elements alone: 1,279,999,872 a second";
        assert_eq!(last, Some(expected));
    }
}
