//! The failing cases as data for the page's script: repeated words are in tables, a case is a row of numbers.

use std::collections::HashMap;

use dml_spec::model::Status;
use serde::Serialize;

use crate::render::html::{Listed, detail::Details};
use crate::{
    collect::Cell,
    render::{
        model::{Place, StoredRun},
        words::says,
    },
};
use dml_case::{
    clause::{self, Found},
    suite::Suite,
};

/// What the script gets.
#[derive(Serialize)]
pub(super) struct Data {
    runs: Vec<RunData>,
    clauses: Vec<ClauseData>,
    words: Vec<String>,
    cases: Vec<Row>,
    /// Number of all failing cases, including those that are not listed: run, operator, level, type, count.
    cells: Vec<(usize, String, String, String, u64)>,
    /// The same by run, clause, level.
    broken: Vec<(usize, String, String, u64)>,
}

#[derive(Serialize)]
struct RunData {
    label: String,
    /// The command that runs a case again, up to its id.
    again: String,
}

#[derive(Serialize)]
struct ClauseData {
    id: String,
    says: String,
    status: String,
    /// Citation.
    place: String,
    /// What runtimes do, if that differs.
    observed: Vec<String>,
}

/// A failing case. Indices of words except for the first, and the last two.
#[derive(Serialize)]
struct Row(
    usize,      // run
    usize,      // operator:level:family
    String,     // the rest of its id
    usize,      // type
    usize,      // outcome
    usize,      // class
    Vec<usize>, // clauses
    usize,      // message
    usize,      // first difference
    i64,        // its place among the details, or -1
    u8,         // whether it is new
);

/// Words with their numbers.
#[derive(Default)]
struct Words {
    all: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Words {
    fn number(&mut self, word: &str) -> usize {
        if let Some(number) = self.numbers.get(word) {
            return *number;
        }
        self.all.push(word.to_owned());
        self.numbers.insert(word.to_owned(), self.all.len() - 1);
        self.all.len() - 1
    }
}

pub(super) fn data(suite: &Suite, runs: &[StoredRun], listed: &Listed<'_>, details: &Details) -> Data {
    let (mut words, mut clauses) = (Words::default(), Words::default());
    let mut cases = Vec::new();
    for (run, failing) in &listed.cases {
        let (id, record) = (failing.id(), &failing.record);
        let at = id.match_indices(':').nth(2).map_or(id.len(), |(at, _)| at);
        let (front, rest) = id.split_at(at);
        let place = details.places.get(id).and_then(|place| i64::try_from(*place).ok());
        cases.push(Row(
            *run,
            words.number(front),
            rest.trim_start_matches(':').to_owned(),
            words.number(&failing.place.data_type),
            words.number(record.outcome.word()),
            words.number(&failing.class),
            record.clauses.iter().map(|id| clauses.number(id)).collect(),
            words.number(failing.message()),
            words.number(&failing.first_text().unwrap_or_default()),
            place.unwrap_or(-1),
            u8::from(failing.is_new),
        ));
    }
    Data {
        runs: runs.iter().map(run_data).collect(),
        clauses: clauses.all.iter().map(|id| clause_data(suite, id)).collect(),
        words: words.all,
        cases,
        cells: cells(runs),
        broken: broken(runs),
    }
}

fn cells(runs: &[StoredRun]) -> Vec<(usize, String, String, String, u64)> {
    let of_run = |(run, stored): (usize, &StoredRun)| {
        let failing = stored.cells.iter().filter(|(_, cell)| cell.fail > 0);
        let row = |(place, cell): (&Place, &Cell)| {
            (
                run,
                place.operator.clone(),
                place.level.to_string(),
                place.data_type.clone(),
                cell.fail,
            )
        };
        failing.map(row).collect::<Vec<_>>()
    };
    runs.iter().enumerate().flat_map(of_run).collect()
}

fn broken(runs: &[StoredRun]) -> Vec<(usize, String, String, u64)> {
    let mut rows = Vec::new();
    for (run, stored) in runs.iter().enumerate() {
        for (clause, by_level) in &stored.clauses {
            let name = if clause.is_empty() { "none" } else { clause };
            rows.extend(
                by_level
                    .iter()
                    .map(|(level, n)| (run, name.to_owned(), level.to_string(), *n)),
            );
        }
    }
    rows
}

fn run_data(run: &StoredRun) -> RunData {
    RunData {
        label: run.header.backend.label.clone(),
        again: run.header.again.clone().unwrap_or_else(|| "dml-cts show".to_owned()),
    }
}

fn clause_data(suite: &Suite, id: &str) -> ClauseData {
    let found = clause::find(suite, id);
    let citation = found.as_ref().and_then(|found| clause::citation(suite, found));
    let (status, observed) = match &found {
        Some(Found::Clause(clause)) => {
            let message = clause.observed.iter().map(|o| format!("{}: {}", o.runtime, o.says));
            let differs = matches!(clause.status, Status::Disputed | Status::Observed);
            (
                clause::status_word(clause.status),
                if differs { message.collect() } else { Vec::new() },
            )
        }
        Some(Found::Cell(_)) => ("a cell of the table", Vec::new()),
        None => ("not in this specification", Vec::new()),
    };
    ClauseData {
        id: id.to_owned(),
        says: says(suite, id),
        status: status.to_owned(),
        place: citation
            .map(|c| clause::cited(&suite.catalog, clause::owner(id), c))
            .unwrap_or_default(),
        observed,
    }
}
