//! How many small cases a second a program gets, two workers: a program that computes nothing (`no_op.c`), so that what
//! remains is the harness, and for comparison the same cases without any program.
//!
//! `cargo bench -p dml-conformance --bench programs`; needs `cc`.

use std::{hint::black_box, ops::ControlFlow, path::Path, process::Command, sync::Arc, time::Duration};

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use dml_case::{
    id::CaseId,
    lock::DEFAULT_SEED,
    record::{Record, Sink},
};
use dml_conformance::backends::{self, Watch};
use dml_conformance::{dml_ops::Backend, spec};
use dml_plan::planner::Planner;
use dml_run::engine::{Run, Selection, Settings, Unit};
use dml_spec::{Value, model::Tier};

/// Elements of the largest tensor of a small case.
const SMALL: u32 = 32;

/// Cases of one measurement.
const CASES: usize = 20_000;

struct Nothing;

impl Sink for Nothing {
    fn record(&mut self, record: &Record) {
        black_box(record);
    }
}

/// Ids of small cases that run.
fn small(suite: &Planner) -> Vec<CaseId> {
    let mut found = Vec::new();
    for bucket in dml_plan::buckets(suite, Tier::Standard) {
        let _ = dml_plan::for_each_case(suite, &bucket, Tier::Standard, DEFAULT_SEED, &mut |case| {
            let fits = |value: &Value| match value {
                Value::Tensor(Some(tensor)) => tensor.sizes().iter().product::<u32>() <= SMALL,
                _ => true,
            };
            if !case.inputs.is_empty() && case.descriptor.fields.iter().all(fits) {
                found.push(case.id);
            }
            ControlFlow::Continue(())
        });
    }
    found
}

/// The program that computes nothing.
fn no_op(suite: &Planner) -> Box<dyn Backend> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels/adapters/no_op.c");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no_op");
    let built = Command::new("cc")
        .args(["-O2", "-o"])
        .arg(&program)
        .arg(source)
        .status();
    assert!(built.is_ok_and(|status| status.success()), "cc builds no_op.c");
    let words = [program.display().to_string()];
    backends::program(&words, &Watch::new(Arc::new(suite.catalog.clone()))).expect("no_op takes no arguments")
}

fn programs(criterion: &mut Criterion) {
    let suite = Planner::new(spec::catalog().clone()).expect("the catalog was checked when it was expanded");
    let ids = small(&suite);
    let ids: Vec<CaseId> = ids.iter().cycle().take(CASES).cloned().collect();
    let units: Vec<Unit> = ids
        .chunks(256)
        .map(|ids| Unit::Cases(ids.iter().cloned().map(Into::into).collect()))
        .collect();
    let selection = Selection::default()
        .resolve(&suite)
        .expect("everything can be selected");
    let settings = Settings {
        jobs: 2,
        ..Settings::default()
    };
    let mut group = criterion.benchmark_group("small cases, two workers");
    group.throughput(Throughput::Elements(ids.len() as u64));
    let cpu = backends::find("cpu").expect("cpu is always there");
    for (name, backend) in [
        ("a program that computes nothing", no_op(&suite)),
        ("cpu, in this process", cpu),
    ] {
        let run = Run {
            suite: &suite,
            backend: &*backend,
            selection: &selection,
            settings: &settings,
            lock: None,
        };
        group.bench_function(name, |bencher| {
            bencher.iter_batched(
                || units.clone(),
                |units| black_box(run.execute_units(units, &mut Nothing).cases),
                BatchSize::LargeInput,
            );
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_secs(5));
    targets = programs
}
criterion_main!(benches);
