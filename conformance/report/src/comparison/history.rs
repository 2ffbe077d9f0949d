//! Runs in sequence: when a case failed first, and how often it does.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::State;
use crate::results::Line;
use dml_case::{digest::Digest, record::Record};

/// The history of every case that ever failed. Every run is read twice: once to find those cases, once for their
/// outcomes; so the memory depends on how many fail, not on how many there are.
#[derive(Clone, Debug, Default)]
pub struct History {
    failed: HashSet<Box<str>>,
    order: Vec<Box<str>>,
    courses: HashMap<Box<str>, Vec<Point>>,
    runs: Vec<String>,
}

/// A run by its number, what became of the case there, and what was expected of it.
type Point = (usize, State, Digest);

/// The course of a case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Course {
    /// Its id.
    pub id: String,
    /// In how many runs it was judged.
    pub judged: usize,
    /// In how many of them it failed.
    pub failed: usize,
    /// How often it changed between pass and fail, while the same was expected of it.
    pub flips: usize,
    /// Share of the possible changes that happened: 0 for a case that fails permanently, 1 for one that is never
    /// twice the same.
    pub flake_rate: f64,
    /// The run in which it failed first.
    pub first_bad: String,
    /// The last run in which it passed before that, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_good: Option<String>,
    /// Whether it failed in the last run that judged it.
    pub still_fails: bool,
}

impl History {
    /// First pass: a line of any run.
    pub fn look(&mut self, line: &Line) {
        if let Line::Case(case) = line
            && State::of(case.outcome) == State::Bad
            && !self.failed.contains(case.id.as_str())
        {
            self.failed.insert(case.id.as_str().into());
            self.order.push(case.id.as_str().into());
        }
    }

    /// Second pass: a run starts, under this name.
    pub fn run(&mut self, name: String) {
        self.runs.push(name);
    }

    /// Second pass: a case of the run.
    pub fn case(&mut self, case: &Record) {
        let state = State::of(case.outcome);
        let (Some(run), Some(id)) = (self.runs.len().checked_sub(1), self.failed.get(case.id.as_str())) else {
            return;
        };
        if state != State::Skipped {
            let course = self.courses.entry(id.clone()).or_default();
            course.push((run, state, case.expectation));
        }
    }

    /// Names of the runs, in their order.
    pub fn runs(&self) -> &[String] {
        &self.runs
    }

    /// The histories: flaky cases first, then those that still fail, in the order in which they were found.
    pub fn courses(&self) -> Vec<Course> {
        let mut courses: Vec<Course> = self.order.iter().filter_map(|id| self.course(id)).collect();
        courses.sort_by(|a, b| {
            b.flake_rate
                .total_cmp(&a.flake_rate)
                .then(b.still_fails.cmp(&a.still_fails))
        });
        courses
    }

    fn course(&self, id: &str) -> Option<Course> {
        let course = self.courses.get(id)?;
        let name = |run: usize| self.runs.get(run).cloned().unwrap_or_default();
        let is_bad = |(_, state, _): &&Point| *state == State::Bad;
        let first = course.iter().position(|point| is_bad(&point))?;
        let pairs = course.iter().zip(course.iter().skip(1));
        let alike: Vec<_> = pairs.filter(|(a, b)| a.2 == b.2).collect();
        let flips = alike.iter().filter(|(a, b)| a.1 != b.1).count();
        // Breaking once, or being fixed once, is not flaky.
        let extra = flips.saturating_sub(1);
        Some(Course {
            id: id.to_owned(),
            judged: course.len(),
            failed: course.iter().filter(is_bad).count(),
            flips,
            flake_rate: match alike.len() {
                0 | 1 => 0.0,
                n => (extra as f64 / (n - 1) as f64 * 1000.0).round() / 1000.0,
            },
            first_bad: course.get(first).map(|(run, ..)| name(*run))?,
            last_good: first
                .checked_sub(1)
                .and_then(|at| course.get(at))
                .map(|(run, ..)| name(*run)),
            still_fails: course.last().is_some_and(|point| is_bad(&point)),
        })
    }
}
