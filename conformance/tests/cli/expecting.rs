//! Files of known failures: what a run, `expect check` and `expect update` make of them.

use std::{env, fs, path::Path};

use crate::common::{CASE, folder, run, store_run};

/// Runs one case of the backend cpu, which passes, with these entries.
fn with(path: &Path, entries: &str, more: &[&str]) -> (i32, String, String) {
    fs::write(path, entries).expect("written");
    let path = path.to_str().expect("a path");
    run(&[&["run", "--expectations", path], more].concat())
}

#[test]
fn every_rule_on_what_passes() {
    let path = folder("expectation rules").join("known.yaml");
    let os = env::consts::OS;
    for (entry, code) in [
        // An unexpected pass.
        ("{query: 'TOP_K1:2.1:order', because: old}".to_owned(), 1),
        ("{query: 'TOP_K1:2.1:order', because: old, outcome: skip}".to_owned(), 1),
        (
            "{query: 'TOP_K1:2.1:order', because: old, outcome: [crash, timeout]}".to_owned(),
            1,
        ),
        (
            "{query: 'TOP_K1:2.1:order', because: old, class: not-sorted}".to_owned(),
            1,
        ),
        // One that is expected.
        (
            "{query: 'TOP_K1:2.1:order', because: old, outcome: [pass, fail]}".to_owned(),
            0,
        ),
        (
            "{query: 'TOP_K1:2.1:order', because: old, outcome: flaky}".to_owned(),
            0,
        ),
        // What holds here, and what does not.
        (
            format!("{{query: 'TOP_K1:2.1:order', because: old, only: {{os: {os}}}}}"),
            1,
        ),
        (
            format!("{{query: 'TOP_K1:2.1:order', because: old, only: {{os: [plan9, {os}]}}}}"),
            1,
        ),
        (
            "{query: 'TOP_K1:2.1:order', because: old, only: {os: plan9}}".to_owned(),
            0,
        ),
        (
            "{query: 'TOP_K1:2.1:order', because: old, only: {backend: wgpu}}".to_owned(),
            0,
        ),
        (
            "{query: 'TOP_K1:2.1:order', because: old, only: {backend: cpu, library: '>=0.1, <99'}}".to_owned(),
            1,
        ),
        (
            "{query: 'TOP_K1:2.1:order', because: old, only: {driver: '>=1'}}".to_owned(),
            0,
        ),
        // Matched by nothing that is selected here, by other tiers, by a place that this is not; and by nothing at all.
        ("{query: 'TOP_K1:*:nan', because: old}".to_owned(), 0),
        ("{query: 'TOP_K1:5.0:sizes:type=UINT64', because: old}".to_owned(), 0),
        ("{query: 'TOP_K1:*:nonsense', because: old}".to_owned(), 2),
        (
            "{query: 'TOP_K1:*:nonsense', because: old, only: {os: plan9}}".to_owned(),
            2,
        ),
        // Mistakes.
        (
            "{query: 'TOP_K1:2.1:order', because: old, only: {os: plan9, moon: full}}".to_owned(),
            2,
        ),
        ("{query: 'TOP_K1:2.1:order', because: old, until: soon}".to_owned(), 2),
        ("{query: 'TOP_K1:2.1:order', because: old, because: new}".to_owned(), 2),
        ("{query: 'TOP_K1:2.1:order', reason: old}".to_owned(), 2),
    ] {
        let (found, out, err) = with(&path, &format!("- {entry}\n"), &[CASE]);
        assert_eq!(found, code, "{entry}: {out}{err}");
        if code == 2 {
            assert!(err.contains("known.yaml:1:"), "{entry}: {err}");
        }
    }
}

#[test]
fn what_matches_in_another_shard_only_is_no_mistake() {
    let path = folder("expectation shards").join("known.yaml");
    let entries = format!("- {{query: '{CASE}', because: old, outcome: [pass, fail]}}\n");
    for shard in ["1/3", "2/3", "3/3"] {
        let (code, out, err) = with(
            &path,
            &entries,
            &["--tier", "smoke", "--shard", shard, "TOP_K1:2.1:order"],
        );
        assert_eq!(code, 0, "{out}{err}");
    }
}

#[test]
fn a_date_that_is_over_fails_the_check_and_never_a_run() {
    let path = folder("expectation dates").join("known.yaml");
    let text = "- {query: 'TOP_K1:2.1:order', because: old, outcome: [pass, fail], until: 2020-01-31}\n";
    let (code, out, err) = with(&path, text, &[CASE]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(err.contains("known.yaml:1:3: this expired on 2020-01-31: old"), "{err}");
    let path = path.to_str().unwrap();
    let (code, out, err) = run(&["expect", "check", path]);
    assert_eq!(code, 1, "{out}{err}");
    assert!(
        out.contains("known.yaml:1:3: `TOP_K1:2.1:order` expired on 2020-01-31: old"),
        "{out}"
    );
    assert_eq!(run(&["expect", "check", path, "--date", "2020-01-31"]).0, 0);
    assert_eq!(run(&["expect", "check", path, "--date", "2020-02-01"]).0, 1);
    for date in ["2020-02-30", "soon"] {
        assert_eq!(run(&["expect", "check", path, "--date", date]).0, 2, "{date}");
    }
    fs::write(path, "- {query: 'TOP_K1:*:nonsense', because: old}\n").unwrap();
    assert_eq!(run(&["expect", "check", path]).0, 2);
}

#[test]
fn files_are_brought_up_to_runs() {
    let folder = folder("expectation updates");
    let at = |name: &str| folder.join(name).to_str().expect("a path").to_owned();
    let (good, bad, known) = (at("good.jsonl"), at("bad.jsonl"), at("known.yaml"));
    assert_eq!(
        run(&["run", "--tier", "smoke", "TOP_K1:2.1:order", "--report", &good]).0,
        0
    );
    let text = fs::read_to_string(&good).unwrap();
    let broken: Vec<String> = text
        .lines()
        .map(|line| match line.contains("dir=INCREASING") {
            true => line.replace("\"outcome\":\"pass\"", "\"outcome\":\"fail\",\"class\":\"not-sorted\""),
            false => line.to_owned(),
        })
        .collect();
    store_run(&bad, &(broken.join("\n") + "\n"));
    let (code, out, err) = run(&["expect", "update", "--from", &bad]);
    assert_eq!(code, 0, "{err}");
    assert!(
        out.contains("dir=INCREASING") && out.contains("class: not-sorted") && out.contains("corpus: "),
        "{out}"
    );
    assert_eq!(run(&["expect", "update", "--from", &bad, "--out", &known]).0, 0);
    assert_eq!(fs::read_to_string(&known).unwrap(), out);
    // It covers what fails and nothing else: here everything passes.
    let cases = broken
        .iter()
        .filter(|line| line.contains("\"outcome\":\"fail\""))
        .count();
    let (code, out, _) = run(&["run", "--tier", "smoke", "TOP_K1:2.1:order", "--expectations", &known]);
    assert_eq!(code, 1);
    assert!(out.contains(&format!("{cases} xpass")), "{out}");
    // By hand, and mended.
    let text = fs::read_to_string(&known)
        .unwrap()
        .replace("expect:\n", "expect:\n# by hand\n");
    fs::write(&known, text).unwrap();
    let (code, _, err) = run(&["expect", "update", "--from", &good, "--in", &known]);
    assert_eq!(code, 0, "{err}");
    assert!(err.contains("gone: ") && err.contains("a case of it passes"), "{err}");
    let text = fs::read_to_string(&known).unwrap();
    assert!(text.contains("# by hand") && !text.contains("query"), "{text}");
    assert_eq!(
        run(&["run", "--tier", "smoke", "TOP_K1:2.1:order", "--expectations", &known]).0,
        0
    );
    // Runs that disagree.
    let (code, out, _) = run(&["expect", "update", "--from", &good, &bad]);
    assert_eq!(code, 0);
    assert!(out.contains("outcome: [pass, fail]"), "{out}");
    let other = fs::read_to_string(&bad)
        .unwrap()
        .replacen("\"os\":\"", "\"os\":\"not-", 1);
    fs::write(&bad, &other).unwrap();
    let (_, out, _) = run(&["expect", "update", "--from", &good, &bad]);
    assert!(out.contains("only: {os: not-"), "{out}");
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
        let (code, out, err) = run(&["expect", "update", "--from", &bad, "--in", &known]);
        assert_eq!((code, out.as_str()), (3, ""), "{err}");
        assert!(
            err.contains("bad.jsonl: ") && err.contains("nothing was written"),
            "{err}"
        );
    }
    fs::write(&bad, "{}\n").unwrap();
    assert_eq!(run(&["expect", "update", "--from", &bad, "--in", &known]).0, 2);
    fs::write(&bad, "").unwrap();
    assert_eq!(run(&["expect", "update", "--from", &bad, "--in", &known]).0, 2);
    assert_eq!(fs::read_to_string(&known).unwrap(), before);
}
