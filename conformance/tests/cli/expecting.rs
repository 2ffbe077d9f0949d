//! Files of known failures: what a run, `expect check` and `expect update` make of them.

use std::{env, fs, path::Path};

use crate::common::{CASE, Ran, folder, run, store_run};

/// Runs one case of the backend cpu, which passes, with these entries.
fn with(path: &Path, entries: &str, more: &[&str]) -> Ran {
    fs::write(path, entries).expect("written");
    let path = path.to_str().expect("a path");
    run(&[&["run", "--expectations", path], more].concat())
}

#[test]
fn every_rule_on_what_passes() {
    let path = folder("expectation rules").join("known.yaml");
    let os = env::consts::OS;
    let (here, among) = (format!("only: {{os: {os}}}"), format!("only: {{os: [plan9, {os}]}}"));
    let order = "query: 'TOP_K1:2.1:values', because: old";
    for (query, more, code) in [
        // An unexpected pass.
        (order, "", 1),
        (order, "outcome: skip", 1),
        (order, "outcome: [crash, timeout]", 1),
        (order, "class: not-sorted", 1),
        // One that is expected.
        (order, "outcome: [pass, fail]", 0),
        (order, "outcome: flaky", 0),
        // What holds here, and what does not.
        (order, &here, 1),
        (order, &among, 1),
        (order, "only: {os: plan9}", 0),
        (order, "only: {backend: wgpu}", 0),
        (order, "only: {backend: cpu, library: '>=0.1, <99'}", 1),
        (order, "only: {driver: '>=1'}", 0),
        // Matched by nothing that is selected here, by other tiers, by a place that this is not; and by nothing at all.
        ("query: 'TOP_K1:*:layout', because: old", "", 0),
        ("query: 'TOP_K1:5.0:sizes:type=UINT64', because: old", "", 0),
        ("query: 'TOP_K1:*:nonsense', because: old", "", 2),
        ("query: 'TOP_K1:*:nonsense', because: old", "only: {os: plan9}", 2),
        // Mistakes.
        (order, "only: {os: plan9, moon: full}", 2),
        (order, "until: soon", 2),
        (order, "because: new", 2),
        ("query: 'TOP_K1:2.1:values', reason: old", "", 2),
    ] {
        let gap = if more.is_empty() { "" } else { ", " };
        let ran = with(&path, &format!("- {{{query}{gap}{more}}}\n"), &[CASE]);
        assert_eq!(ran.code, code, "{query}, {more}: {}{}", ran.out, ran.err);
        if code == 2 {
            ran.notes(["known.yaml:1:"]);
        }
    }
}

#[test]
fn what_matches_in_another_shard_only_is_no_mistake() {
    let path = folder("expectation shards").join("known.yaml");
    let entries = format!("- {{query: '{CASE}', because: old, outcome: [pass, fail]}}\n");
    for shard in ["1/3", "2/3", "3/3"] {
        with(
            &path,
            &entries,
            &["--tier", "smoke", "--shard", shard, "TOP_K1:2.1:values"],
        )
        .exits(0);
    }
}

#[test]
fn a_date_that_is_over_fails_the_check_and_never_a_run() {
    let path = folder("expectation dates").join("known.yaml");
    let text = "- {query: 'TOP_K1:2.1:values', because: old, outcome: [pass, fail], until: 2020-01-31}\n";
    with(&path, text, &[CASE]).warns(0, ["known.yaml:1:3: this expired on 2020-01-31: old"]);
    let path = path.to_str().unwrap();
    run(&["expect", "check", path]).prints(1, ["known.yaml:1:3: `TOP_K1:2.1:values` expired on 2020-01-31: old"]);
    run(&["expect", "check", path, "--date", "2020-01-31"]).exits(0);
    run(&["expect", "check", path, "--date", "2020-02-01"]).exits(1);
    for date in ["2020-02-30", "soon"] {
        run(&["expect", "check", path, "--date", date]).exits(2);
    }
    fs::write(path, "- {query: 'TOP_K1:*:nonsense', because: old}\n").unwrap();
    run(&["expect", "check", path]).exits(2);
}

#[test]
fn files_are_brought_up_to_runs() {
    let folder = folder("expectation updates");
    let at = |name: &str| folder.join(name).to_str().expect("a path").to_owned();
    let (good, bad, known) = (at("good.jsonl"), at("bad.jsonl"), at("known.yaml"));
    run(&["run", "--tier", "smoke", "TOP_K1:2.1:values", "--report", &good]).exits(0);
    let text = fs::read_to_string(&good).unwrap();
    let broken: Vec<String> = text
        .lines()
        .map(|line| match line.contains("dir=INCREASING") {
            true => line.replace("\"outcome\":\"pass\"", "\"outcome\":\"fail\",\"class\":\"not-sorted\""),
            false => line.to_owned(),
        })
        .collect();
    store_run(&bad, &(broken.join("\n") + "\n"));
    let Ran { out, .. } =
        run(&["expect", "update", "--from", &bad]).prints(0, ["dir=INCREASING", "class: not-sorted", "corpus: "]);
    run(&["expect", "update", "--from", &bad, "--out", &known]).exits(0);
    assert_eq!(fs::read_to_string(&known).unwrap(), out);
    // It covers what fails and nothing else: here everything passes.
    let cases = broken
        .iter()
        .filter(|line| line.contains("\"outcome\":\"fail\""))
        .count();
    run(&["run", "--tier", "smoke", "TOP_K1:2.1:values", "--expectations", &known])
        .prints(1, [&format!("{cases} xpass")]);
    // By hand, and mended.
    let text = fs::read_to_string(&known)
        .unwrap()
        .replace("expect:\n", "expect:\n# by hand\n");
    fs::write(&known, text).unwrap();
    run(&["expect", "update", "--from", &good, "--in", &known]).warns(0, ["gone: ", "a case of it passes"]);
    let text = fs::read_to_string(&known).unwrap();
    assert!(text.contains("# by hand") && !text.contains("query"), "{text}");
    run(&["run", "--tier", "smoke", "TOP_K1:2.1:values", "--expectations", &known]).exits(0);
    // Runs that disagree.
    run(&["expect", "update", "--from", &good, &bad]).prints(0, ["outcome: [pass, fail]"]);
    let other = fs::read_to_string(&bad)
        .unwrap()
        .replacen("\"os\":\"", "\"os\":\"not-", 1);
    fs::write(&bad, &other).unwrap();
    run(&["expect", "update", "--from", &good, &bad]).shows(["only: {os: not-"]);
    // Nothing is written where something is wrong.
    let before = fs::read_to_string(&known).unwrap();
    let lines: Vec<&str> = other.lines().collect();
    for damaged in [
        other[..other.len() - 9].to_owned(),
        lines[..lines.len() - 1].join("\n"),
        other.replacen(lines[1], "", 1),
        other.replacen(
            "\"complete\":true",
            "\"complete\":false,\"incomplete\":[\"cut short\"]",
            1,
        ),
    ] {
        fs::write(&bad, damaged).unwrap();
        run(&["expect", "update", "--from", &bad, "--in", &known])
            .warns(3, ["bad.jsonl: ", "nothing was written"])
            .out_is("");
    }
    fs::write(&bad, "{}\n").unwrap();
    run(&["expect", "update", "--from", &bad, "--in", &known]).exits(2);
    fs::write(&bad, "").unwrap();
    run(&["expect", "update", "--from", &bad, "--in", &known]).exits(2);
    assert_eq!(fs::read_to_string(&known).unwrap(), before);
}
