//! Whom outputs follow if a release computes something else than a clear text says.

use std::collections::{BTreeMap, BTreeSet};

use dml_case::{
    context::Context,
    outcome::{Basis, Diagnosis, Follows, Judged, Outcome},
};
use dml_oracle::Expectation;
use dml_spec::{
    meaning::typed::Variant,
    model::{self, ClauseKind, Text},
};

use crate::{
    diagnose::{list_differences, show_difference},
    evidence::Evidence,
    expected::{Elements, Expectations},
    judged::{failed, without_diagnosis},
};

/// A variant of a clause that some release computes.
type Way<'a> = (Text, &'a Variant);

/// Judges outputs that are not what the text says: whether a release computes just these. On the runtimes' word they pass
/// then; on the text's they fail for the clauses that the release violates. `None` if no release does.
pub(super) fn judge_release(
    context: Context,
    evidence: &Evidence,
    expected: &[Vec<u64>],
    basis: Basis,
) -> Option<Judged> {
    let expectations = Expectations::of(context, evidence.half_precision)?;
    let releases = releases(context, &expectations);
    if releases.is_empty() {
        return None;
    }
    let actual = elements(evidence);
    let follows = |ways: &[Way]| {
        let variants: Vec<&Variant> = ways.iter().map(|(_, variant)| *variant).collect();
        expectations.follows(&variants, &actual) == Some(true)
    };
    let (versions, mut ways) = releases.into_iter().find(|(_, ways)| follows(ways))?;
    // Only what shows here.
    let mut at = 0;
    while ways.len() > 1 && at < ways.len() {
        let dropped = ways.remove(at);
        if !follows(&ways) {
            ways.insert(at, dropped);
            at += 1;
        }
    }
    let followed = ways
        .iter()
        .map(|(clause, _)| (clause.clone(), Follows::Runtime))
        .collect();
    let variants: Vec<&Variant> = ways.iter().map(|(_, variant)| *variant).collect();
    let judged = match basis {
        // Of what a release is not known to compute, anything is taken.
        Basis::Runtime if !expectations.is_judged(&variants) => without_diagnosis(Outcome::Unspecified),
        Basis::Runtime => without_diagnosis(Outcome::Pass),
        Basis::Text => failed(explain(evidence, expected, &actual, &ways, &versions)),
    };
    Some(Judged {
        follows: followed,
        ..judged
    })
}

/// What releases are known to compute of a case beside what a clear text says: a run takes it on the runtimes' word.
pub fn release_expectations(context: Context) -> Vec<Expectation> {
    let Some(expectations) = Expectations::of(context, false) else {
        return Vec::new();
    };
    let variants = variants_of_releases(context, &expectations);
    variants
        .iter()
        .filter_map(|variants| Expectation::compute(&expectations.reading(variants)).ok())
        .collect()
}

/// The sets of variants that releases are known to compute of a case.
pub(super) fn variants_of_releases<'a>(context: Context<'a>, expectations: &Expectations<'a>) -> Vec<Vec<&'a Variant>> {
    let releases = releases(context, expectations);
    let variants = |(_, ways): &(Vec<String>, Vec<Way<'a>>)| ways.iter().map(|(_, variant)| *variant).collect();
    releases.iter().map(variants).collect()
}

/// The clauses whose text outputs follow although some release does otherwise, if that shows here.
pub(super) fn text_followed(context: Context, evidence: &Evidence) -> Vec<(Text, Follows)> {
    let has_releases = context
        .clauses()
        .any(|clause| clause.observed.iter().any(|seen| seen.does.is_some()));
    if !has_releases {
        return Vec::new();
    }
    let Some(expectations) = Expectations::of(context, evidence.half_precision) else {
        return Vec::new();
    };
    let mut ways: Vec<Way> = Vec::new();
    for (_, more) in releases(context, &expectations) {
        for way in more {
            if !ways.iter().any(|known| known.1.name == way.1.name && known.0 == way.0) {
                ways.push(way);
            }
        }
    }
    if ways.is_empty() {
        return Vec::new();
    }
    let actual = elements(evidence);
    let differs = |(_, variant): &Way| expectations.follows(&[variant], &actual) == Some(false);
    let followed = ways.into_iter().filter(differs);
    followed.map(|(clause, _)| (clause, Follows::Text)).collect()
}

/// Sets of variants that speak of the case, each with the releases that compute them.
fn releases<'a>(context: Context<'a>, expectations: &Expectations<'a>) -> Vec<(Vec<String>, Vec<Way<'a>>)> {
    let mut by_version: BTreeMap<String, Vec<Way>> = BTreeMap::new();
    for clause in context.clauses().filter(|clause| clause.kind == ClauseKind::Guarantee) {
        let named: BTreeSet<&Text> = clause.observed.iter().filter_map(|seen| seen.does.as_ref()).collect();
        if named.is_empty() {
            continue;
        }
        let variants = expectations.variants(&clause.id);
        for seen in clause.observed.iter() {
            let does = variants
                .iter()
                .find(|variant| Some(&variant.name) == seen.does.as_ref());
            for version in does.iter().flat_map(|_| model::releases(&seen.runtime)) {
                let ways = by_version.entry(version.to_owned()).or_default();
                ways.extend(does.map(|variant| (clause.id.clone(), *variant)));
            }
        }
    }
    let mut sets: Vec<(Vec<String>, Vec<Way>)> = Vec::new();
    for (version, ways) in by_version {
        let same = |(_, known): &&mut (Vec<String>, Vec<Way>)| {
            known.len() == ways.len() && known.iter().zip(&ways).all(|(a, b)| a.0 == b.0 && a.1.name == b.1.name)
        };
        match sets.iter_mut().find(same) {
            Some((versions, _)) => versions.push(version),
            None => sets.push((vec![version], ways)),
        }
    }
    sets
}

fn elements(evidence: &Evidence) -> Elements {
    let pairs = evidence.outputs.iter().zip(evidence.buffers);
    pairs
        .map(|(output, buffer)| output.shape.read(buffer.tensor()))
        .collect()
}

/// Explains outputs that are what releases compute, and not what the text says.
fn explain(
    evidence: &Evidence,
    expected: &[Vec<u64>],
    actual: &Elements,
    ways: &[Way],
    versions: &[String],
) -> Diagnosis {
    let names: Vec<&str> = ways.iter().map(|(_, variant)| &*variant.name).collect();
    let class = ways
        .first()
        .map(|(_, variant)| variant.name.clone())
        .unwrap_or_default();
    let message = format!(
        "the outputs are what DirectML {} computes ({}), and not what the text says",
        versions.join(", "),
        names.join(", ")
    );
    let wrong = list_differences(evidence.acceptances, actual, expected);
    let first = wrong.first().copied();
    Diagnosis {
        first: first.and_then(|place| show_difference(evidence.outputs, actual, Some(expected), place)),
        differing: wrong.len() as u64,
        ..Diagnosis::new(class, ways.iter().map(|(clause, _)| clause.clone()).collect(), message)
    }
}
