//! The shards of a run put together, in the order in which the plan has their cases.

mod header;
mod planned;

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    io::{self, BufRead, Write},
    iter::Peekable,
    ops::ControlFlow,
};

use self::{header::joined, planned::Planned};
use xxhash_rust::xxh3::xxh3_64;

use dml_case::{
    case::Case,
    context::Context,
    lock::{TIERS, tier_word},
    nearest::excerpt,
    outcome::is_failure,
    sample::Samples,
};
use dml_plan::planner::Planner;
use dml_report::Failures;
use dml_report::results::{Footer, Header, Kept, Line, NOTHING_JUDGED, ReadError, Reader};
use dml_spec::model::Tier;
use dml_spec_yaml::load::{self, Files};

use crate::mistakes::explain_samples;

/// Shards that cannot be put together.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The files are not the shards of one run.
    #[error("{0}")]
    Mismatch(String),
    /// Something is in two of them.
    #[error("{0}")]
    Overlap(String),
    /// Something is in none of them.
    #[error("{0}")]
    Missing(String),
    /// The result cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// A file with a shard.
pub struct Source<R: BufRead> {
    /// Its path, for messages.
    pub name: String,
    /// Its lines.
    lines: Peekable<Reader<R>>,
}

impl<R: BufRead> Source<R> {
    /// A file from its beginning.
    pub fn new(name: String, input: R) -> Self {
        Self {
            lines: Reader::named(input, &name).peekable(),
            name,
        }
    }

    fn next(&mut self) -> Result<Option<Line>, MergeError> {
        Ok(self.lines.next().transpose()?)
    }

    /// Id of the case that comes next.
    fn head(&mut self) -> Option<&str> {
        match self.lines.peek() {
            Some(Ok(Line::Case(case))) => Some(case.id.as_str()),
            _ => None,
        }
    }

    fn is_at_end(&mut self) -> bool {
        self.lines.peek().is_none()
    }
}

/// What a merge came to, summed up over all backends.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Merged {
    /// Cases by outcome.
    pub counts: BTreeMap<String, u64>,
    /// All runs are complete.
    pub complete: bool,
    /// Why they are not, each with the backend.
    pub incomplete: Vec<String>,
    /// Remarks: what differs between the machines that ran the shards.
    pub remarks: Vec<String>,
}

/// Puts shards together. Files that hold several runs, one a backend, are put together run by run. `command` is what
/// the whole is to name as the command that made it.
///
/// # Errors
/// Shards that overlap, are missing or do not belong together; what was written until then is of no use.
pub fn merge<R: BufRead>(
    suite: &Planner,
    files: &Files,
    command: &[String],
    sources: &mut [Source<R>],
    out: &mut dyn Write,
) -> Result<Merged, MergeError> {
    let mut merged = Merged {
        complete: true,
        ..Merged::default()
    };
    loop {
        let mut headers = Vec::new();
        for source in &mut *sources {
            match source.next()? {
                Some(Line::Header(header)) => headers.push((source.name.clone(), *header)),
                _ => {
                    let why = format!("{} holds fewer runs than the other files", source.name);
                    return Err(MergeError::Missing(why));
                }
            }
        }
        let header = Header {
            command: command.to_vec(),
            ..joined(&headers, &load::digest(files), &mut merged.remarks)?
        };
        write_line(out, &Line::Header(Box::new(header.clone())))?;
        let planned = Planned::of(suite, &header)?;
        if !planned.is_known() {
            let label = &header.backend.label;
            merged.remarks.push(format!(
                "{label}: its cases came from a file, so they are not compared with the plan"
            ));
        }
        let footer = run((suite, files), &header, planned, sources, out)?;
        for (word, count) in &footer.counts {
            *merged.counts.entry(word.clone()).or_default() += count;
        }
        merged.complete &= footer.complete;
        let label = &header.backend.label;
        let why = footer.incomplete.iter().map(|why| format!("{label}: {why}"));
        merged.incomplete.extend(why);
        write_line(out, &Line::Footer(Box::new(footer)))?;
        if sources.iter_mut().all(Source::is_at_end) {
            return Ok(merged);
        }
    }
}

/// Stands for an id.
fn hash(id: &str) -> u64 {
    xxh3_64(id.as_bytes())
}

fn write_line(out: &mut dyn Write, line: &Line) -> Result<(), MergeError> {
    let text = line.to_json().map_err(io::Error::from)?;
    Ok(writeln!(out, "{text}")?)
}

/// The planned cases of one operator, of whichever file has them.
fn take_planned<R: BufRead>(
    (suite, operator): (&Planner, usize),
    (tier, seed): (Tier, u64),
    planned: &mut Planned,
    sources: &mut [Source<R>],
    writer: &mut Writer<'_>,
) -> Result<(), MergeError> {
    let Some(name) = suite.catalog.operators.get(operator).map(|operator| &operator.name) else {
        return Ok(());
    };
    let are_next = |start: String, sources: &mut [Source<R>]| {
        let is_next = |source: &mut Source<R>| source.head().is_some_and(|id| id.starts_with(&start));
        sources.iter_mut().any(is_next)
    };
    // An operator that the run was not asked for is not planned.
    if !planned.wants_operator(suite, operator) && !are_next(format!("{name}:"), sources) {
        return Ok(());
    }
    for bucket in dml_plan::buckets_of(suite, operator, tier) {
        let start = format!("{name}:{}:{}:", bucket.level, bucket.family.name());
        if !are_next(start, sources) && !planned.wants_bucket(suite, &bucket) {
            continue;
        }
        let mut result = Ok(());
        let _ = dml_plan::for_each_case(suite, &bucket, tier, seed, &mut |case| {
            let mut is_held = false;
            for source in &mut *sources {
                if result.is_ok() && source.head() == Some(case.id.as_str()) {
                    is_held = true;
                    let required = planned.require(suite, &case, &source.name);
                    result = required.and_then(|()| writer.take(source, &case));
                }
            }
            if !is_held {
                planned.passed(suite, &case);
            }
            if result.is_err() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        result?;
    }
    Ok(())
}

/// The cases of one run, in order; its footer.
fn run<R: BufRead>(
    (suite, files): (&Planner, &Files),
    header: &Header,
    mut planned: Planned,
    sources: &mut [Source<R>],
    out: &mut dyn Write,
) -> Result<Footer, MergeError> {
    let mut writer = Writer {
        suite,
        out,
        seen: HashSet::new(),
        counts: BTreeMap::new(),
        kept: Kept::default(),
        groups: Failures::default(),
        samples: Samples::default(),
    };
    let tier = TIERS.into_iter().find(|tier| tier_word(*tier) == header.tier);
    let tier = tier.ok_or_else(|| MergeError::Mismatch(format!("unknown tier `{}`", header.tier)))?;
    for operator in planned.operators(suite, tier) {
        take_planned(
            (suite, operator),
            (tier, header.seed),
            &mut planned,
            sources,
            &mut writer,
        )?;
    }
    // Cases that were named by whole ids, and those of a shuffled run.
    for source in &mut *sources {
        while let Some(id) = source.head().map(str::to_owned) {
            let built = id.parse().map_err(|e| format!("{e}"));
            let built = built.and_then(|id| dml_plan::build(suite, &id).map_err(|e| e.to_string()));
            let case = built.map_err(|why| {
                MergeError::Mismatch(format!("{}: unknown case `{}`: {why}", source.name, excerpt(&id)))
            })?;
            planned.require(suite, &case, &source.name)?;
            writer.take(source, &case)?;
        }
    }
    let Writer {
        counts,
        groups,
        seen,
        mut samples,
        ..
    } = writer;
    let footer = footer(sources, counts)?;
    // What was cut short is known to lack cases.
    if footer.complete {
        planned.finish(suite, |hash| seen.contains(&hash))?;
    }
    footer.samples.iter().for_each(|sampled| samples.keep(sampled.clone()));
    let fails = footer.counts.keys().any(|word| is_failure(word));
    let explained = || explain_samples(suite, files, &samples, &header.basis);
    Ok(Footer {
        groups: groups.lines(),
        dismissed: groups.dismissed_guarantees(),
        dismissed_grounds: groups.dismissed_grounds(),
        mistakes: if fails { explained() } else { Vec::new() },
        samples: samples.into_cases().collect(),
        ..footer
    })
}

/// Writes cases, none of them twice, and learns what the footer says of them.
struct Writer<'a> {
    suite: &'a Planner,
    out: &'a mut dyn Write,
    seen: HashSet<u64>,
    counts: BTreeMap<String, u64>,
    kept: Kept,
    groups: Failures,
    /// Failing cases that are too large for the samples of the footers.
    samples: Samples,
}

impl Writer<'_> {
    /// Takes the next case of a file, which is this one.
    fn take<R: BufRead>(&mut self, source: &mut Source<R>, planned: &Case) -> Result<(), MergeError> {
        let Some(Line::Case(mut case)) = source.next()? else {
            return Ok(());
        };
        if !self.seen.insert(hash(case.id.as_str())) {
            return Err(MergeError::Overlap(format!(
                "{}: {} is in another file too; merge the shards of one run",
                source.name, case.id
            )));
        }
        *self.counts.entry(case.outcome.word().to_owned()).or_default() += 1;
        self.kept.limit(&mut case);
        case.mode = planned.mode;
        case.elements = planned.elements(&self.suite.catalog);
        if let Some(context) = Context::new(self.suite, planned) {
            dml_judge::note_what_it_rests_on(context, &mut case);
        }
        if case.is_wrong_and_large() {
            self.samples.count_large(&case.id, case.expectation);
        }
        self.groups.add(&case);
        write_line(self.out, &Line::Case(case))
    }
}

/// The footers in one, but for what failed.
fn footer<R: BufRead>(sources: &mut [Source<R>], counts: BTreeMap<String, u64>) -> Result<Footer, MergeError> {
    let mut whole = Footer {
        kind: "footer".to_owned(),
        counts,
        complete: true,
        seconds: 0.0,
        timings: BTreeMap::new(),
        incomplete: Vec::new(),
        groups: Vec::new(),
        dismissed: BTreeSet::new(),
        dismissed_grounds: BTreeSet::new(),
        mistakes: Vec::new(),
        samples: Vec::new(),
        doubts: Vec::new(),
        contradicted: None,
    };
    let mut broken: Vec<String> = Vec::new();
    for source in &mut *sources {
        if !matches!(source.lines.peek(), Some(Ok(Line::Footer(_)) | Err(_))) {
            broken.push(format!("{} has no footer: that run was cut short", source.name));
            continue;
        }
        if let Some(Line::Footer(part)) = source.next()? {
            broken.extend(part.doubts.iter().map(|doubt| format!("{}: {doubt}", source.name)));
            broken.extend(part.contradicted.iter().map(|id| {
                let id = excerpt(id.as_str());
                format!("{}: the sample in its footer contradicts the line of {id}", source.name)
            }));
            join(&mut whole, *part);
        }
    }
    if !broken.is_empty() {
        return Err(MergeError::Missing(format!("{}; run it again", broken.join("; "))));
    }
    if judged(&whole.counts) == 0 && whole.complete {
        whole.complete = false;
        whole.incomplete.push(NOTHING_JUDGED.to_owned());
    }
    Ok(whole)
}

/// Adds the footer of a shard. A shard that has no cases, or only such as are skipped, takes nothing from the whole.
/// JSON has no infinity, whatever a shard that was made by hand says.
fn added(seconds: f64, more: f64) -> f64 {
    let seconds = ((seconds + more) * 1000.0).round() / 1000.0;
    if seconds.is_finite() { seconds } else { f64::MAX }
}

fn join(whole: &mut Footer, mut part: Footer) {
    let had = part.incomplete.len();
    part.incomplete.retain(|why| why != NOTHING_JUDGED);
    let is_only_empty = part.incomplete.is_empty() && had > 0;
    whole.complete &= part.complete || is_only_empty;
    for why in part.incomplete {
        if !whole.incomplete.contains(&why) {
            whole.incomplete.push(why);
        }
    }
    whole.seconds = added(whole.seconds, part.seconds);
    whole.samples.append(&mut part.samples);
    for (work, seconds) in part.timings {
        let all = whole.timings.entry(work).or_default();
        *all = added(*all, seconds);
    }
}

/// Cases that were judged at all.
fn judged(counts: &BTreeMap<String, u64>) -> u64 {
    let judged = counts.iter().filter(|(word, _)| *word != "skip");
    judged.map(|(_, n)| n).sum()
}
