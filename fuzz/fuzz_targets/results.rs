//! Any bytes, cut at 0xff, are files: stored runs, which are put together, compared, followed and shown, and
//! expectations, which are read and brought up to those runs.

#![no_main]

use std::{cell::RefCell, fs, path::PathBuf};

use dml_report::results::{Line, Reader};
use dml_conformance::{
    expectations::{read_expectations, update_expectations},
    merge::{self, Source},
    rebuilt_cases::RebuiltCases,
};
use dml_fuzz::suite;
use dml_report::{
    expectations::Observed,
    render::{self, Form},
    comparison::{Baseline, Comparison, History},
};
use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;

/// Stands between files: no text has it.
const END: u8 = 0xff;

/// Files that are looked at.
const MOST: usize = 4;

fuzz_target!(|bytes: &[u8]| {
    let files: Vec<&[u8]> = bytes.split(|byte| *byte == END).take(MOST).collect();
    let (mut observed, mut history) = (Observed::default(), History::default());
    let mut all_read = true;
    for file in &files {
        all_read &= read(file, &mut observed, &mut history);
    }
    compare(&files);
    for file in &files {
        if let Ok(text) = str::from_utf8(file) {
            let _ = read_expectations(suite(), "expectations.yaml", text);
            let _ = update_expectations(suite(), "expectations.yaml", text, &observed);
        }
    }
    merge(&files);
    if all_read {
        show(&files);
    }
});

/// Reads a stored run line by line; whether all of it is one.
fn read(file: &[u8], observed: &mut Observed, history: &mut History) -> bool {
    let mut reader = Reader::named(file, "run.jsonl");
    let mut lines = Vec::new();
    while let Some(line) = reader.next() {
        match line {
            Ok(line) => lines.push(line),
            Err(why) => {
                let _ = why.to_string();
                return false;
            }
        }
    }
    reader.take_damage();
    for line in &lines {
        let text = line.to_json().expect("what was read can be written");
        Line::parse(&text).expect("it was written here");
        history.look(line);
        let _ = match line {
            Line::Header(header) => observed.header(header),
            Line::Case(case) => observed.case(case),
            Line::Footer(_) => Ok(()),
        };
    }
    history.run("run".to_owned());
    for line in &lines {
        if let Line::Case(case) = line {
            history.case(case);
        }
    }
    history.courses();
    true
}

/// Puts the files together as parts of one run, of whatever specification they say that they are.
fn merge(files: &[&[u8]]) {
    let first = files.first().and_then(|file| Reader::named(*file, "run.jsonl").next());
    let Some(Ok(Line::Header(header))) = first else {
        return;
    };
    // That plans cases, and takes its time.
    if files.len() < 2 {
        return;
    }
    let parts = files.iter().map(|file| Source::new("part".to_owned(), *file));
    let mut parts: Vec<Source<&[u8]>> = parts.collect();
    let _ = merge::merge(suite(), &header.spec_digest, &[], &mut parts, &mut Vec::new());
}

/// Holds the last run against the first.
fn compare(files: &[&[u8]]) {
    let (Some(old), Some(new)) = (files.first(), files.last()) else {
        return;
    };
    let Ok(baselines) = Baseline::read(&mut Reader::named(*old, "run.jsonl")) else {
        return;
    };
    for baseline in baselines {
        let mut comparison = None;
        for line in Reader::named(*new, "run.jsonl").flatten() {
            match (line, &mut comparison) {
                (Line::Header(header), None) => comparison = Some(Comparison::new(baseline.clone(), &header)),
                (Line::Case(case), Some(comparison)) => comparison.case(&case),
                _ => {}
            }
        }
        if let Some(comparison) = comparison {
            comparison.finish(true);
        }
    }
}

/// Writes every document of the runs.
fn show(files: &[&[u8]]) {
    thread_local!(static FOLDER: RefCell<TempDir> = RefCell::new(TempDir::new().expect("a folder")));
    FOLDER.with_borrow(|folder| {
        let paths: Vec<PathBuf> = (0..files.len())
            .map(|at| folder.path().join(format!("{at}.jsonl")))
            .collect();
        for (path, file) in paths.iter().zip(files) {
            fs::write(path, file).expect("a file");
        }
        let Ok(runs) = render::read(suite(), &paths, &()) else {
            return;
        };
        for form in [Form::Html, Form::Markdown, Form::Junit] {
            render::render(
                form,
                suite(),
                &RebuiltCases(suite()),
                "",
                &runs,
                &paths,
                &mut Vec::new(),
            )
            .expect("memory takes everything");
        }
        render::conforms(&runs);
    });
}
