//! Meanings that have no value for some legal descriptor, or for some inputs of it.

use std::ops::ControlFlow;

use dml_case::case::Mode;
use dml_oracle::{Pattern, Unguarded, probe};
use dml_plan::{buckets_of, builder::Builder, for_each_case};
use dml_run::json;
use dml_spec::{Diagnostic, desc::Descriptor, model::Tier};
use dml_spec_yaml::load::{Files, locate_meaning};

use super::Source;

/// Cases of each bucket that probing starts from, beside the examples.
const OF_A_BUCKET: usize = 2;

/// Most cases that probing starts from.
const SEEDS: usize = 40;

/// Parts of a meaning that have no value, each with a legal descriptor.
pub(super) fn check(builder: &Builder<'_>, index: usize, source: &Source<'_>, files: &Files) -> Vec<Diagnostic> {
    let operator = builder.operator;
    if !operator.is_computed() {
        return Vec::new();
    }
    let found = probe(
        &builder.suite.catalog,
        &**builder.suite,
        operator,
        seeds(builder, index),
    );
    found
        .iter()
        .map(|found| diagnostic(builder, found, source, files))
        .collect()
}

/// Small cases that run, a few of each bucket.
pub(super) fn seeds(builder: &Builder<'_>, index: usize) -> Vec<Descriptor> {
    let seeds = seeds_of(builder, index, OF_A_BUCKET);
    // Spread evenly over families and data types.
    let step = seeds.len().div_ceil(SEEDS).max(1);
    seeds.into_iter().step_by(step).collect()
}

/// Descriptors of planned cases that run, so many of each bucket.
pub(super) fn seeds_of(builder: &Builder<'_>, index: usize, of_a_bucket: usize) -> Vec<Descriptor> {
    let mut seeds = Vec::new();
    for bucket in buckets_of(builder.suite, index, Tier::Smoke) {
        let mut left = of_a_bucket;
        let _ = for_each_case(builder.suite, &bucket, Tier::Smoke, 0, &mut |case| {
            if case.mode == Mode::Execute && !case.verdict.is_rejection() {
                seeds.push((*case.descriptor).clone());
                left -= 1;
            }
            if left > 0 {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
    }
    seeds
}

fn diagnostic(builder: &Builder<'_>, found: &Unguarded, source: &Source<'_>, files: &Files) -> Diagnostic {
    let fault = &found.fault;
    let inputs = match found.pattern {
        Pattern::Zeros => "zeros",
        Pattern::Counting => "small numbers",
        Pattern::Extremes => "the ends of the range and NaN",
    };
    let json = json::write(&builder.suite.catalog, &found.descriptor);
    let hint = json
        .ok()
        .map(|json| format!("with inputs of {inputs}, for this legal descriptor: {json}"));
    let meaning = source.root.get("meaning").map_or(0..0, |node| node.span.clone());
    let diagnostic = source.mistake(
        "spec::no-value",
        &meaning,
        format!("the meaning has no value: {fault}"),
        hint,
    );
    let within = fault.within.as_ref();
    let place = within.and_then(|within| locate_meaning(files, &within.operator, within.place, fault.span.clone()));
    match place {
        Some(place) => Diagnostic { place, ..diagnostic },
        None => diagnostic,
    }
}
