//! The shards of a run put together, in the order in which the plan has their cases.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    io::{self, BufRead, Write},
    iter::Peekable,
    ops::ControlFlow,
};

use xxhash_rust::xxh3::xxh3_64;

use crate::{
    lock::{TIERS, tier_word},
    plan,
    results::{CaseLine, Footer, Header, Line, ReadError, Reader},
    suite::Suite,
};

/// Shards that cannot be put together.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A file cannot be read.
    #[error("{0}: {1}")]
    Read(String, ReadError),
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
            name,
            lines: Reader::new(input).peekable(),
        }
    }

    fn next(&mut self) -> Result<Option<Line>, MergeError> {
        let line = self.lines.next().transpose();
        line.map_err(|error| MergeError::Read(self.name.clone(), error))
    }

    /// Id of the case that comes next.
    fn head(&mut self) -> Option<&str> {
        match self.lines.peek() {
            Some(Ok(Line::Case(case))) => Some(&case.id),
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
    /// Remarks: what differs between the machines that ran the shards.
    pub remarks: Vec<String>,
}

/// Puts shards together. Files that hold several runs, one a backend, are put together run by run.
///
/// # Errors
/// Shards that overlap, are missing or do not belong together; what was written until then is of no use.
pub fn merge<R: BufRead>(
    suite: &Suite,
    spec_digest: &str,
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
        let header = joined(&headers, spec_digest, &mut merged.remarks)?;
        write_line(out, &Line::Header(Box::new(header.clone())))?;
        let footer = run(suite, &header, sources, out)?;
        for (word, count) in &footer.counts {
            *merged.counts.entry(word.clone()).or_default() += count;
        }
        merged.complete &= footer.complete;
        write_line(out, &Line::Footer(Box::new(footer)))?;
        if sources.iter_mut().all(Source::is_at_end) {
            return Ok(merged);
        }
    }
}

fn write_line(out: &mut dyn Write, line: &Line) -> Result<(), MergeError> {
    let text = line.to_json().map_err(io::Error::from)?;
    Ok(writeln!(out, "{text}")?)
}

/// The header of the whole, where these are the headers of all its shards.
fn joined(headers: &[(String, Header)], spec_digest: &str, remarks: &mut Vec<String>) -> Result<Header, MergeError> {
    let Some((first_name, first)) = headers.first() else {
        return Err(MergeError::Missing("there is no shard; name their files".to_owned()));
    };
    let mut parts: BTreeMap<u64, &str> = BTreeMap::new();
    for (name, header) in headers {
        let Some(shard) = &header.shard else {
            return Err(MergeError::Mismatch(format!(
                "{name} is no shard: it was run without --shard"
            )));
        };
        if let Some(what) = unlike(first, header) {
            return Err(MergeError::Mismatch(format!(
                "{first_name} and {name} are of different runs: they differ in {what}; merge the shards of one run"
            )));
        }
        if let Some(other) = parts.insert(shard.index, name) {
            return Err(MergeError::Overlap(format!(
                "{other} and {name} are both shard {}/{}; leave one out",
                shard.index, shard.of
            )));
        }
        remarks.extend(
            place(first)
                .into_iter()
                .zip(place(header))
                .filter(|(a, b)| a != b)
                .map(|(a, b)| format!("{first_name} ran on {a}, {name} on {b}")),
        );
    }
    let of = first.shard.as_ref().map_or(0, |shard| shard.of);
    let missing: Vec<String> = (1..=of)
        .filter(|part| !parts.contains_key(part))
        .take(20)
        .map(|n| n.to_string())
        .collect();
    if !missing.is_empty() {
        let what = format!(
            "shard {} of {of} is missing; run it, and merge again",
            missing.join(", ")
        );
        return Err(MergeError::Missing(what));
    }
    if first.spec_digest != spec_digest {
        return Err(MergeError::Mismatch(format!(
            "the shards are of specification {}, this is {spec_digest}; merge with the program that ran them, or name \
             its folder with --spec",
            first.spec_digest
        )));
    }
    Ok(Header {
        shard: None,
        ..first.clone()
    })
}

/// What makes two headers those of different runs.
fn unlike(a: &Header, b: &Header) -> Option<&'static str> {
    let division = |header: &Header| header.shard.as_ref().map(|shard| (shard.of, shard.times.clone()));
    let backend = |header: &Header| {
        let info = &header.backend;
        let words = [
            &info.label,
            &info.name,
            &info.version,
            &info.feature_level,
            &info.levels,
            &info.validator,
        ];
        words.map(Clone::clone)
    };
    [
        ("the version of the suite", a.suite == b.suite),
        ("the specification", a.spec_digest == b.spec_digest),
        ("the corpus", a.corpus_digest == b.corpus_digest),
        ("the backend", backend(a) == backend(b)),
        ("the tier", a.tier == b.tier),
        ("the basis", a.basis == b.basis),
        ("the seed", a.seed == b.seed),
        ("the levels", a.levels == b.levels),
        (
            "how they were divided (--shard, --shard-times)",
            division(a) == division(b),
        ),
    ]
    .into_iter()
    .find(|(_, same)| !same)
    .map(|(what, _)| what)
}

/// Where a shard ran, in words.
fn place(header: &Header) -> [String; 2] {
    let details = header
        .backend
        .details
        .iter()
        .map(|(name, value)| format!("{name} {value}"));
    let details: Vec<String> = details.collect();
    [format!("{} {}", header.os, header.arch), details.join(", ")]
}

/// The cases of one run, in order; its footer.
fn run<R: BufRead>(
    suite: &Suite,
    header: &Header,
    sources: &mut [Source<R>],
    out: &mut dyn Write,
) -> Result<Footer, MergeError> {
    let mut writer = Writer {
        out,
        seen: HashSet::new(),
    };
    let tier = TIERS.into_iter().find(|tier| tier_word(*tier) == header.tier);
    let tier = tier.ok_or_else(|| MergeError::Mismatch(format!("there is no tier `{}`", header.tier)))?;
    for bucket in plan::buckets(suite) {
        let Some(operator) = suite.catalog.operators.get(bucket.operator) else {
            continue;
        };
        let family = operator
            .cases
            .families
            .get(bucket.family)
            .map_or("", |family| &family.name);
        let start = format!("{}:{}:{family}:", operator.name, bucket.level);
        let is_next = |source: &mut Source<R>| source.head().is_some_and(|id| id.starts_with(&start));
        if !sources.iter_mut().any(is_next) {
            continue;
        }
        let mut result = Ok(());
        let _ = plan::for_each_case(suite, &bucket, tier, header.seed, &mut |case| {
            for source in &mut *sources {
                if source.head() == Some(case.id.as_str()) {
                    result = writer.take(source);
                }
            }
            if result.is_err() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        result?;
    }
    // Cases that were named by whole ids, and those of a shuffled run.
    for source in &mut *sources {
        while source.head().is_some() {
            writer.take(source)?;
        }
    }
    footer(sources)
}

/// Writes cases, none of them twice.
struct Writer<'a> {
    out: &'a mut dyn Write,
    seen: HashSet<u64>,
}

impl Writer<'_> {
    fn take<R: BufRead>(&mut self, source: &mut Source<R>) -> Result<(), MergeError> {
        let Some(Line::Case(case)) = source.next()? else {
            return Ok(());
        };
        let case: Box<CaseLine> = case;
        if !self.seen.insert(xxh3_64(case.id.as_bytes())) {
            return Err(MergeError::Overlap(format!(
                "{}: {} is in another file too; merge the shards of one run",
                source.name, case.id
            )));
        }
        write_line(self.out, &Line::Case(case))
    }
}

/// The footers in one.
fn footer<R: BufRead>(sources: &mut [Source<R>]) -> Result<Footer, MergeError> {
    let mut whole = Footer {
        kind: "footer".to_owned(),
        counts: BTreeMap::new(),
        complete: true,
        seconds: 0.0,
        incomplete: Vec::new(),
        // What explains most failures of the whole is not known from the parts; reports work it out again.
        groups: Vec::new(),
    };
    let mut cut: BTreeSet<String> = BTreeSet::new();
    for source in &mut *sources {
        match source.lines.peek() {
            Some(Ok(Line::Footer(_))) | Some(Err(_)) => {}
            _ => {
                cut.insert(source.name.clone());
                continue;
            }
        }
        if let Some(Line::Footer(part)) = source.next()? {
            for (word, count) in part.counts {
                *whole.counts.entry(word).or_default() += count;
            }
            whole.complete &= part.complete;
            let new = part
                .incomplete
                .into_iter()
                .filter(|why| !whole.incomplete.contains(why));
            let new: Vec<String> = new.collect();
            whole.incomplete.extend(new);
            whole.seconds = ((whole.seconds + part.seconds) * 1000.0).round() / 1000.0;
        }
    }
    match cut.is_empty() {
        true => Ok(whole),
        false => {
            let names: Vec<String> = cut.into_iter().collect();
            let what = format!(
                "{} has no footer: that run was cut short; run it again",
                names.join(", ")
            );
            Err(MergeError::Missing(what))
        }
    }
}
