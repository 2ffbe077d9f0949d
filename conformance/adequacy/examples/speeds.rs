//! How long meanings take beside the oracles that were written by hand, in one process: milliseconds over a sample of the
//! plan, by operator. Goes with those.
//!
//! ```sh
//! cargo run --release -p dml-adequacy --example speeds -- [OPERATOR …]
//! ```

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark stops at what it did not expect, and prints"
)]

use std::{
    collections::BTreeMap,
    hint::black_box,
    ops::ControlFlow,
    time::{Duration, Instant},
};

use dml_case::{case::Case, context::Context, lock::DEFAULT_SEED, outcome::Basis};
use dml_judge::{Scope, scope};
use dml_legacy::oracle::{Call, oracle};
use dml_oracle::{Expectation, Request, case_inputs};
use dml_plan::planner::Planner;
use dml_spec::model::Tier;

/// Of so many cases one is measured.
const EVERY: usize = 7;

/// What one operator took.
#[derive(Default)]
struct Taken {
    cases: u32,
    elements: u64,
    old: Duration,
    new: Duration,
}

fn main() {
    let suite = Planner::new(dml_spec_yaml::load::catalog().clone()).expect("the specification is valid");
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let mut all: BTreeMap<String, Taken> = BTreeMap::new();
    let mut count = 0;
    for bucket in dml_plan::buckets(&suite) {
        let _ = dml_plan::for_each_case(&suite, &bucket, Tier::Standard, DEFAULT_SEED, &mut |case| {
            let name = &case.descriptor.operator;
            let is_asked = asked.is_empty() || asked.iter().any(|asked| asked[..] == name[..]);
            if is_asked && scope(&suite, &case, Basis::Runtime) == Some(Scope::Elements) {
                count += 1;
                if count % EVERY == 0 {
                    measure(&suite, &case, all.entry(name.to_string()).or_default());
                }
            }
            ControlFlow::Continue(())
        });
    }
    println!(
        "{:28} {:>7} {:>10} {:>9} {:>9} {:>7} {:>9} {:>9}",
        "ms", "cases", "elements", "old", "new", "new/old", "µs old", "µs new"
    );
    let mut sum = Taken::default();
    for (name, taken) in &all {
        print(name, taken);
        sum.old += taken.old;
        sum.new += taken.new;
        sum.cases += taken.cases;
        sum.elements += taken.elements;
    }
    print("all", &sum);
}

fn print(name: &str, taken: &Taken) {
    let [old, new] = [taken.old, taken.new].map(|time| time.as_secs_f64() * 1e3);
    let each = 1e3 / f64::from(taken.cases.max(1));
    println!(
        "{name:28} {:7} {:10} {old:9.1} {new:9.1} {:7.2} {:9.2} {:9.2}",
        taken.cases,
        taken.elements,
        new / old,
        old * each,
        new * each
    );
}

/// Times both of a case that both know, each with what it makes of the inputs' bytes; the better of two, since the first
/// one to look finds nothing in the cache.
fn measure(suite: &Planner, case: &Case, taken: &mut Taken) {
    let (Some(context), Some(oracle)) = (Context::new(suite, case), oracle(&case.descriptor.operator)) else {
        return;
    };
    let mut elements = 0;
    let old = || {
        let call = Call::new(&suite.catalog, context.operator, &case.descriptor, &case.inputs).expect("valid inputs");
        let reference = oracle.reference(&call);
        elements = reference.iter().map(Vec::len).sum();
        black_box((oracle.slack(&call, &reference), oracle.also(&call), reference));
    };
    let old = best(old);
    let new = best(|| {
        let inputs = case_inputs(context).expect("valid inputs");
        let request = Request {
            catalog: &suite.catalog,
            meanings: &**suite,
            descriptor: &case.descriptor,
            inputs: &inputs,
            basis: dml_oracle::Basis::Runtime,
            variants: &[],
            half_precision: false,
        };
        black_box(Expectation::compute(&request).expect("a meaning with a value"));
    });
    taken.cases += 1;
    taken.elements += elements as u64;
    taken.old += old;
    taken.new += new;
}

fn best(mut once: impl FnMut()) -> Duration {
    let mut time = || {
        let start = Instant::now();
        once();
        start.elapsed()
    };
    time().min(time())
}
