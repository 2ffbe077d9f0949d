//! How many cases a second the whole engine does on the CPU backend: plan, kernel, oracle, judge.
//!
//! Two cores, by size of the case (elements of all its tensors together), and the cost a case from small to large
//! plans. `cargo bench -p dml-conformance --bench engine`.

use std::{hint::black_box, ops::ControlFlow, time::Duration};

use criterion::{BatchSize, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use dml_case::{
    id::CaseId,
    lock::DEFAULT_SEED,
    record::{Record, Sink},
};
use dml_conformance::backends;
use dml_conformance::spec;
use dml_plan::planner::Planner;
use dml_run::engine::{Run, Selection, Settings, Unit};
use dml_spec::model::{Family, Tier};

/// Most cases of one measurement.
const SAMPLE: usize = 20_000;

/// Size classes: name, smallest and largest number of elements.
const CLASSES: [(&str, u64, u64); 3] = [
    ("up to 64", 1, 64),
    ("up to 4,096", 65, 4096),
    ("larger", 4097, u64::MAX),
];

struct Nothing;

impl Sink for Nothing {
    fn record(&mut self, record: &Record) {
        assert!(!record.outcome.is_failure(), "{}", record.id);
    }
}

fn suite() -> Planner {
    Planner::new(spec::catalog().clone()).expect("the catalog was checked when it was expanded")
}

/// Elements of all tensors of every executing standard case.
fn cases(suite: &Planner) -> Vec<(CaseId, u64)> {
    let mut found = Vec::new();
    for bucket in dml_plan::buckets(suite, Tier::Standard) {
        let _ = dml_plan::for_each_case(suite, &bucket, Tier::Standard, DEFAULT_SEED, &mut |case| {
            if !case.inputs.is_empty() {
                let elements = case.elements(&suite.catalog);
                found.push((case.id, elements));
            }
            ControlFlow::Continue(())
        });
    }
    found
}

fn run(suite: &Planner, units: Vec<Unit>, tier: Tier) -> u64 {
    let backend = backends::find("cpu").expect("cpu is always there");
    let selection = Selection::default().resolve(suite).expect("everything can be selected");
    let settings = Settings {
        tier,
        ..Settings::default()
    };
    let run = Run {
        suite,
        backend: &*backend,
        selection: &selection,
        settings: &settings,
        lock: None,
    };
    run.execute_units(units, &mut Nothing).cases
}

/// Cases by id, so that every class holds its own sizes only.
fn by_size(criterion: &mut Criterion) {
    let suite = suite();
    let all = cases(&suite);
    let mut group = criterion.benchmark_group("engine by size");
    for (name, from, to) in CLASSES {
        let ids: Vec<CaseId> = all
            .iter()
            .filter(|(_, n)| (from..=to).contains(n))
            .map(|(id, _)| id.clone())
            .collect();
        let ids: Vec<CaseId> = ids.iter().step_by(ids.len() / SAMPLE + 1).cloned().collect();
        let units: Vec<Unit> = ids
            .chunks(256)
            .map(|ids| Unit::Cases(ids.iter().cloned().map(Into::into).collect()))
            .collect();
        group.throughput(Throughput::Elements(ids.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter_batched(
                || units.clone(),
                |units| black_box(run(&suite, units, Tier::Standard)),
                BatchSize::LargeInput,
            );
        });
    }
    group.finish();
}

/// Buckets of the exhaustive plan of small shapes, from about 25,000 cases to a million: the cost a case stays the
/// same.
fn by_count(criterion: &mut Criterion) {
    let suite = suite();
    let all: Vec<_> = dml_plan::buckets(&suite, Tier::Exhaustive)
        .into_iter()
        .filter(|bucket| bucket.family == Family::Sizes)
        .collect();
    let mut group = criterion.benchmark_group("engine by count");
    group.sampling_mode(SamplingMode::Flat);
    for take in [4, 12, all.len()] {
        let units: Vec<Unit> = all.iter().take(take).cloned().map(Unit::Bucket).collect();
        let count = run(&suite, units.clone(), Tier::Exhaustive);
        group.throughput(Throughput::Elements(count));
        group.bench_function(format!("{count} cases"), |bencher| {
            bencher.iter_batched(
                || units.clone(),
                |units| black_box(run(&suite, units, Tier::Exhaustive)),
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_secs(5));
    targets = by_size, by_count
}
criterion_main!(benches);
