//! The same specification, tier and seed give the same bytes on every machine, and so does the oracle: what the smoke
//! tier holds and expects, by SHA-256, an operator a line.
//!
//! `UPDATE_EXPECT=1 cargo test --release -p dml-conformance --test determinism` writes the file anew.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use std::{fmt::Write as _, ops::ControlFlow, path::Path};

use dml_conformance::{
    case::{Case, Verdict},
    judge,
    oracle::{Call, oracle},
    plan::{self, Bucket},
    spec,
    suite::Suite,
};
use dml_spec::model::Tier;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

/// What was found when the file was written.
const KNOWN: &str = include_str!("corpus.digest");

const HEAD: &str = "\
# What smoke holds and expects: operator, cases, SHA-256 over ids, descriptors, inputs, verdicts, expected elements and
# what is allowed around them. The same on every machine. Written by
# UPDATE_EXPECT=1 cargo test --release -p dml-conformance --test determinism
";

#[test]
fn smoke_holds_and_expects_the_same_everywhere() {
    let suite = Suite::new(spec::catalog().clone()).unwrap();
    let buckets = plan::buckets(&suite);
    let found: Vec<(u64, Sha256)> = buckets.par_iter().map(|bucket| digest(&suite, bucket)).collect();
    let mut text = HEAD.to_owned();
    for (index, operator) in suite.catalog.operators.iter().enumerate() {
        let (mut cases, mut all) = (0, Sha256::new());
        for (_, (count, digest)) in buckets
            .iter()
            .zip(&found)
            .filter(|(bucket, _)| bucket.operator == index)
        {
            cases += count;
            all.update(digest.clone().finalize());
        }
        let hex = all
            .finalize()
            .iter()
            .fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"));
        writeln!(text, "{} {cases} {hex}", operator.name).unwrap();
    }
    if std::env::var_os("UPDATE_EXPECT").is_some_and(|value| value == "1") {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus.digest");
        return std::fs::write(path, text).unwrap();
    }
    let known: Vec<&str> = KNOWN.lines().collect();
    let moved: Vec<&str> = text.lines().filter(|line| !known.contains(line)).collect();
    assert!(
        known == text.lines().collect::<Vec<_>>(),
        "cases or what is expected of them moved:\n{}\nwhere that is meant, write conformance/tests/corpus.digest anew: \
         UPDATE_EXPECT=1 cargo test --release -p dml-conformance --test determinism",
        moved.join("\n")
    );
}

/// How many cases of smoke a bucket holds, and their digest.
fn digest(suite: &Suite, bucket: &Bucket) -> (u64, Sha256) {
    let (mut count, mut digest) = (0, Sha256::new());
    let _ = plan::for_each_case(suite, bucket, Tier::Smoke, 0, &mut |case| {
        count += 1;
        add(suite, &case, &mut digest);
        ControlFlow::Continue(())
    });
    (count, digest)
}

/// Adds everything about a case.
fn add(suite: &Suite, case: &Case, digest: &mut Sha256) {
    part(case.id.as_str().as_bytes(), digest);
    let mut descriptor = vec![case.mode as u8];
    plan::digest::descriptor_bytes(&case.descriptor, &mut descriptor);
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
    let Some(expected) = judge::expected(suite, case) else {
        return;
    };
    for elements in &expected {
        words(elements.iter().copied(), digest);
    }
    let (operator, _) = suite.operator(case.id.operator()).unwrap();
    let call = Call::new(&suite.catalog, operator, &case.descriptor, &case.inputs);
    if let Some((call, oracle)) = call.zip(oracle(&operator.name)) {
        for slack in oracle.slack(&call, &expected) {
            words(slack.iter().map(|x| x.to_bits()), digest);
        }
        for also in oracle.also(&call) {
            words(
                also.iter()
                    .flat_map(|bits| [u64::from(bits.is_some()), bits.unwrap_or(0)]),
                digest,
            );
        }
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
