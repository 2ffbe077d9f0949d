//! JUnit: one suite for each operator and level, one at a time, so that memory holds the largest of them only.

use std::{io::Write, path::Path};

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::results::{Line, Reader};
use crate::{failures::difference, render::model::StoredRun};
use dml_case::{outcome::Outcome, record::Record};

/// Writes the runs of these files, whose summaries are `runs` in the same order. A suite whose cases are not
/// contiguous, as in a shuffled run, is written in several parts.
///
/// # Errors
/// If a file changed meanwhile, or nothing can be written.
pub(super) fn junit(out: &mut dyn Write, runs: &[StoredRun], paths: &[impl AsRef<Path>]) -> anyhow::Result<()> {
    let cases: u64 = runs.iter().map(StoredRun::cases).sum();
    let cut = runs.iter().filter(|run| !run.is_complete()).count() as u64;
    let errors: u64 = runs
        .iter()
        .flat_map(|run| &run.counts)
        .filter(|(word, _)| Outcome::of_word(word).is_some_and(is_error))
        .map(|(_, n)| n)
        .sum();
    let failures = runs.iter().map(StoredRun::failing).sum::<u64>() - errors;
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    writeln!(
        out,
        r#"<testsuites name="dml-cts" tests="{}" failures="{failures}" errors="{}">"#,
        cases + runs.len() as u64,
        errors + cut
    )?;
    let mut next = runs.iter();
    for path in paths {
        let mut current = None;
        for line in Reader::open(path.as_ref())? {
            match line? {
                Line::Header(_) => {
                    end(out, &mut current)?;
                    current = next.next().map(Suites::new);
                }
                Line::Case(case) => {
                    if let Some(suites) = &mut current {
                        suites.add(out, &case)?;
                    }
                }
                Line::Footer(_) => {}
            }
        }
        end(out, &mut current)?;
    }
    writeln!(out, "</testsuites>")?;
    Ok(())
}

/// Ends a run: its last suite, and one that says whether it is complete.
fn end(out: &mut dyn Write, current: &mut Option<Suites<'_>>) -> anyhow::Result<()> {
    let Some(mut suites) = current.take() else {
        return Ok(());
    };
    suites.flush(out)?;
    let label = &suites.run.header.backend.label;
    let mut status = TestCaseStatus::success();
    if !suites.run.is_complete() {
        status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status
            .set_type("incomplete")
            .set_message(suites.run.incomplete().join("; "));
    }
    let mut test = TestCase::new("complete", status);
    test.set_classname(format!("{label}.run"));
    let mut suite = TestSuite::new(format!("{label} run"));
    suite.add_test_case(test);
    suites.suite = Some(suite);
    suites.flush(out)
}

/// The suites of a run, one after another.
struct Suites<'a> {
    run: &'a StoredRun,
    /// Name of the suite, before XML escaping.
    place: Option<String>,
    suite: Option<TestSuite>,
}

impl<'a> Suites<'a> {
    fn new(run: &'a StoredRun) -> Self {
        Self {
            run,
            place: None,
            suite: None,
        }
    }

    fn add(&mut self, out: &mut dyn Write, case: &Record) -> anyhow::Result<()> {
        let id = &case.id;
        let label = &self.run.header.backend.label;
        let name = format!("{label} {} {}", id.operator(), id.level());
        if self.place.as_ref() != Some(&name) {
            self.flush(out)?;
            self.place = Some(name.clone());
        }
        let suite = self.suite.get_or_insert_with(|| TestSuite::new(name));
        let mut test = TestCase::new(id.as_str(), status(case, self.run.again(id.as_str())));
        let level = id.level().to_string().replace('.', "_");
        test.set_classname(format!("{label}.{}.{level}.{}", id.operator(), id.family()));
        test.set_time(case.time.unwrap_or_default());
        suite.add_test_case(test);
        Ok(())
    }

    /// Writes the suite, without the elements around all suites.
    fn flush(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        let Some(suite) = self.suite.take() else {
            return Ok(());
        };
        let mut report = Report::new("dml-cts");
        report.add_test_suite(suite);
        let text = report.to_string()?;
        let from = text.find("<testsuite ").unwrap_or(0);
        let to = text.rfind("</testsuites>").unwrap_or(text.len());
        let suite = text.get(from..to).unwrap_or_default().trim_end();
        // Readers and schemas know the number of skipped tests by this name. Quotes inside of names are escaped.
        let suite = suite.replacen(" disabled=\"", " skipped=\"", 1);
        Ok(writeln!(out, "    {suite}")?)
    }
}

/// Whether the backend gave nothing that could be judged.
fn is_error(outcome: Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Crash | Outcome::Timeout | Outcome::DeviceLost | Outcome::HarnessError
    )
}

fn status(case: &Record, again: Option<String>) -> TestCaseStatus {
    let reason = case.reason.as_deref().unwrap_or_default();
    let skipped = |message: String| {
        let mut status = TestCaseStatus::skipped();
        status.set_message(message);
        status
    };
    match case.outcome {
        Outcome::Pass => TestCaseStatus::success(),
        Outcome::Skip => skipped(reason.to_owned()),
        Outcome::XFail => skipped(format!("a known failure: {reason}")),
        Outcome::Unspecified => skipped("unspecified: only invariants were checked".to_owned()),
        _ => non_success(case, again),
    }
}

fn non_success(case: &Record, again: Option<String>) -> TestCaseStatus {
    debug_assert!(case.outcome.is_failure());
    let kind = match is_error(case.outcome) {
        true => NonSuccessKind::Error,
        false => NonSuccessKind::Failure,
    };
    let class = case.class();
    let message = case.message.clone().unwrap_or_else(|| match case.outcome {
        Outcome::XPass => "it passes, but is listed as a known failure; remove or narrow the entry".to_owned(),
        other => other.word().to_owned(),
    });
    let mut lines = vec![format!("outcome: {}", case.outcome.word()), format!("class: {class}")];
    lines.extend(case.clauses.iter().map(|clause| format!("clause: {clause}")));
    lines.extend(case.first.as_ref().map(|first| difference(first, case.differing)));
    lines.extend(again.map(|again| format!("again: {again}")));
    let mut status = TestCaseStatus::non_success(kind);
    status
        .set_type(class.as_ref())
        .set_message(message)
        .set_description(lines.join("\n"));
    status
}
