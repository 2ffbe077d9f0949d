//! What a tier holds and expects, byte for byte, as one digest an operator: the same on every machine.

use std::ops::ControlFlow;

use dml_spec::model::Tier;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use dml_case::{
    case::{Case, Verdict},
    lock::DEFAULT_SEED,
};
use dml_plan::{Bucket, planner::Planner};

/// A line an operator: its name, its cases, and the SHA-256 of their ids, descriptors, inputs, verdicts, and what is accepted
/// of each element, at the default seed.
pub fn digests(suite: &Planner, tier: Tier) -> Vec<String> {
    let operators = suite.catalog.operators.par_iter().enumerate();
    operators
        .map(|(index, operator)| {
            let buckets = dml_plan::buckets_of(suite, index, tier);
            let found = buckets.par_iter().map(|bucket| of_bucket(suite, bucket, tier));
            let (mut cases, mut all) = (0, Sha256::new());
            for (count, digest) in found.collect::<Vec<_>>() {
                cases += count;
                all.update(digest.finalize());
            }
            let hex: String = all.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
            format!("{} {cases} {hex}", operator.name)
        })
        .collect()
}

/// How many cases of a tier a bucket holds, and their digest.
fn of_bucket(suite: &Planner, bucket: &Bucket, tier: Tier) -> (u64, Sha256) {
    let (mut count, mut digest) = (0, Sha256::new());
    let _ = dml_plan::for_each_case(suite, bucket, tier, DEFAULT_SEED, &mut |case| {
        count += 1;
        add(suite, &case, &mut digest);
        ControlFlow::Continue(())
    });
    (count, digest)
}

/// Adds everything about a case.
fn add(suite: &Planner, case: &Case, digest: &mut Sha256) {
    part(case.id.as_str().as_bytes(), digest);
    let mut descriptor = vec![case.mode as u8];
    dml_case::digest::descriptor_bytes(&case.descriptor, &mut descriptor);
    part(&descriptor, digest);
    for input in &case.inputs {
        part(input, digest);
    }
    for alias in &case.aliases {
        words([alias.output as u64, alias.input as u64].into_iter(), digest);
    }
    let refused = matches!(case.verdict, Verdict::Observed { rejected: true, .. });
    part(format!("{} {refused}", case.verdict.word()).as_bytes(), digest);
    for clause in case.verdict.clauses() {
        part(clause.as_bytes(), digest);
    }
    for bytes in dml_judge::accepted_bytes(suite, case) {
        part(&bytes, digest);
    }
}

/// Adds bytes with their count in front.
fn part(bytes: &[u8], digest: &mut Sha256) {
    digest.update((bytes.len() as u64).to_le_bytes());
    digest.update(bytes);
}

/// Adds numbers with their count behind.
fn words(numbers: impl Iterator<Item = u64>, digest: &mut Sha256) {
    let mut count = 0u64;
    for number in numbers {
        digest.update(number.to_le_bytes());
        count += 1;
    }
    digest.update(count.to_le_bytes());
}
