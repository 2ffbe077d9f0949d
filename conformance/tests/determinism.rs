//! The same specification, tier and seed give the same bytes on every machine, and so does the oracle.

use std::path::Path;

use dml_adequacy::corpus;
use dml_conformance::spec;
use dml_plan::planner::Planner;
use dml_spec::model::Tier;

/// What was found when the file was written: what `dml-cts spec digest --tier smoke` prints.
const KNOWN: &str = include_str!("corpus.digest");

#[test]
fn smoke_holds_and_expects_the_same_everywhere() {
    let suite = Planner::new(spec::catalog().clone()).unwrap();
    let found = corpus::digests(&suite, Tier::Smoke);
    if std::env::var_os("UPDATE_EXPECT").is_some_and(|value| value == "1") {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus.digest");
        return std::fs::write(path, found.join("\n") + "\n").unwrap();
    }
    let known: Vec<&str> = KNOWN.lines().collect();
    let moved: Vec<&String> = found.iter().filter(|line| !known.contains(&line.as_str())).collect();
    assert!(
        found == known,
        "cases or what is expected of them moved:\n{moved:#?}\nwhere that is meant, write conformance/tests/corpus.digest \
         anew: UPDATE_EXPECT=1 cargo test --release --workspace --test determinism"
    );
}
