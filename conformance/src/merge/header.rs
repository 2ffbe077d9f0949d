//! The headers of shards: whether they are of one run, and that of the whole.

use std::collections::BTreeMap;

use super::MergeError;
use dml_report::results::Header;

/// The header of the whole, if these are the headers of all its shards.
pub(super) fn joined(
    headers: &[(String, Header)],
    spec_digest: &str,
    remarks: &mut Vec<String>,
) -> Result<Header, MergeError> {
    let Some((first_name, first)) = headers.first() else {
        return Err(MergeError::Missing("missing shards; name their files".to_owned()));
    };
    let mut parts: BTreeMap<u64, &str> = BTreeMap::new();
    for (name, header) in headers {
        let Some(shard) = &header.shard else {
            return Err(MergeError::Mismatch(format!(
                "{name} is not a shard: it was run without --shard"
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
    let started = headers.iter().filter_map(|(_, header)| header.started.clone()).min();
    Ok(Header {
        shard: None,
        shards: Some(of),
        started,
        selection: selected(first).cloned().collect(),
        host: hosts(headers),
        ..first.clone()
    })
}

/// The hosts that ran the shards.
fn hosts(headers: &[(String, Header)]) -> Option<String> {
    let mut all: Vec<&str> = Vec::new();
    for host in headers.iter().filter_map(|(_, header)| header.host.as_deref()) {
        if !all.contains(&host) {
            all.push(host);
        }
    }
    (!all.is_empty()).then(|| all.join("; "))
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
        ("how cases are judged", a.options == b.options),
        (
            "which failures are known (--expectations)",
            a.expectations == b.expectations,
        ),
        (
            "how they were divided (--shard, --shard-times)",
            division(a) == division(b),
        ),
        ("what was selected", asked(a).eq(asked(b))),
    ]
    .into_iter()
    .find(|(_, same)| !same)
    .map(|(what, _)| what)
}

/// What was selected beside the shard.
fn selected(header: &Header) -> impl Iterator<Item = &String> {
    let selection = header.selection.iter();
    selection.filter(|words| !words.starts_with("--shard "))
}

/// The same without files, which may lie elsewhere on every host.
fn asked(header: &Header) -> impl Iterator<Item = &String> {
    let is_file = |words: &str| words.starts_with("--cases ") || words.starts_with("--rerun ");
    selected(header).filter(move |words| !is_file(words))
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
