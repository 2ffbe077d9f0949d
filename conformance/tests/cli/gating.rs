//! Gates, and the requirements that they keep.

use std::fs;

use crate::common::{Ran, copied, folder, json, run, spec, store_run};

/// A level and an operator with few cases.
const GATE: [&str; 5] = ["gate", "--level", "1.0", "--operator", "ACTIVATION_IDENTITY"];

#[test]
fn a_gate_says_how_much_of_a_level_conforms() {
    let folder = folder("gate");
    let at = |name: &str| folder.join(name).to_str().expect("a path").to_owned();
    let (svg, badge, stored) = (at("badge.svg"), at("badge.json"), at("run.jsonl"));
    let files = ["--badge", &svg, "--badge", &badge, "--report", &stored];
    let Ran { out, .. } = run(&[&GATE[..], &files].concat()).exits(0);
    let says = "cpu conforms for 1 of 77 operators of DML_FEATURE_LEVEL_1_0 (spec digest ";
    assert!(out.lines().last().is_some_and(|line| line.starts_with(says)), "{out}");
    assert!(
        !out.contains("Not covered"),
        "what was not asked for is not lacking: {out}"
    );
    assert!(fs::read_to_string(svg).unwrap().contains("1 of 77 operators"));
    assert_eq!(
        json(&fs::read_to_string(badge).unwrap())["message"],
        "1 of 77 operators"
    );
    // Of an operator without a meaning nothing but descriptors is tested, and the sentence says so.
    let abs = ["gate", "--level", "1.0", "--operator", "ELEMENT_WISE_ABS", "--quiet"];
    let says = "cpu conforms for 0 of 77 operators of DML_FEATURE_LEVEL_1_0, and for the descriptors of 1 more (spec";
    let Ran { out, .. } = run(&abs).exits(0);
    assert!(out.lines().last().is_some_and(|line| line.starts_with(says)), "{out}");
    // From what was stored, and for machines.
    let Ran { code, out, .. } = run(&[&GATE[..], &["--from", &stored, "--format", "json"]].concat());
    let object = json(&out);
    assert_eq!(
        (code, &object["holds"], &object["conforming"]),
        (0, &true.into(), &1.into()),
        "{out}"
    );
    let corpus = object["corpus_digest"].as_str().unwrap();
    run(&[&GATE[..], &["--from", &stored, "--corpus-digest", corpus]].concat()).exits(0);
    let text = fs::read_to_string(&stored).unwrap();
    let cut = stored.replace(".jsonl", "-cut.jsonl");
    fs::write(&cut, &text[..text.len() - 20]).unwrap();
    run(&[&GATE[..], &["--from", &cut]].concat()).warns(3, ["-cut.jsonl: the run of cpu was cut short"]);
    run(&[&GATE[..], &["--from", &stored, "--corpus-digest", "00"]].concat()).warns(3, ["is pinned"]);
    // What was known of another requirement.
    let known = at("known.yaml");
    let of_corpus = |corpus: &str| {
        let entry = "- query: TOP_K1:*:values\n  outcome: [pass, fail]\n  because: invented\n";
        fs::write(&known, format!("corpus: {corpus}\nexpect:\n{entry}")).unwrap();
        run(&[&GATE[..], &["--expectations", &known]].concat())
    };
    let has_changed = "the requirement has changed since ";
    of_corpus(&"0".repeat(32)).warns(0, [has_changed, "known.yaml was written (corpus 0000"]);
    assert!(!of_corpus(corpus).exits(0).err.contains(has_changed));
    // Everything the level requires is more than that.
    run(&["gate", "--level", "1.0", "--from", &stored]).prints(3, ["not run as required"]);
    // What the tables rest on stands before the last line.
    let tables = "1 table: 0 judged by releases of DirectML, 0 bracketed by them, 1 unjudged";
    run(&[&GATE[..], &["--from", &stored]].concat()).prints(0, [tables]);
    let text = fs::read_to_string(&stored).unwrap();
    let key = "\"expectation\":\"";
    let at = text.find(key).unwrap();
    let expectation = &text[at..at + key.len() + 32];
    let other = format!("{key}{}", "f".repeat(32));
    for (from, to, code, said) in [
        ("\"outcome\":\"pass\"", "\"outcome\":\"fail\"", 1, "1 fail"),
        (
            "\"outcome\":\"pass\"",
            "\"outcome\":\"skip\",\"reason\":\"tired\"",
            3,
            "1 skipped: tired",
        ),
        (
            "\"outcome\":\"pass\"",
            "\"outcome\":\"xfail\",\"reason\":\"old\"",
            0,
            "1 known failures",
        ),
        (expectation, &other, 3, "with other content"),
        ("\"tier\":\"standard\"", "\"tier\":\"smoke\"", 3, "of tier smoke"),
        (
            "\"feature_level\":\"6.4\"",
            "\"feature_level\":\"0.9\"",
            3,
            "which is below 1.0",
        ),
    ] {
        store_run(&stored, &text.replacen(from, to, 1));
        let Ran { out, err, .. } = run(&[&GATE[..], &["--from", &stored]].concat()).exits(code);
        assert!(out.contains(said) || err.contains(said), "{to}: {out}{err}");
        let conforming = if said.contains("tier") || said.contains("below") {
            1
        } else {
            0
        };
        assert!(
            out.contains(&format!("cpu conforms for {conforming} of 77 operators")),
            "{to}: {out}"
        );
    }
    // Cut short, and with a case less than the footer counts.
    for (damaged, said) in [
        (text[..text.len() - 20].to_owned(), "it has no footer"),
        (
            text.lines()
                .enumerate()
                .filter(|(number, _)| *number != 1)
                .map(|(_, line)| format!("{line}\n"))
                .collect(),
            "its lines differ from the counts of its footer",
        ),
    ] {
        fs::write(&stored, damaged).unwrap();
        run(&[&GATE[..], &["--from", &stored]].concat()).warns(3, [said]);
    }
}

#[test]
fn a_gate_that_makes_no_sense_is_a_mistake() {
    for arguments in [
        "gate",
        "gate --level 9.9",
        "gate --level 1.0 --operator TOP_K1",
        "gate --level 1.0 --badge x.png",
        "gate --level 1.0 --from no-such-file.jsonl",
        "gate --level 1.0 --from x.jsonl --backend cpu",
        "gate --level 1.0 --report x.doc",
    ] {
        run(arguments).exits(2);
    }
    // Before anything runs.
    let late = run("gate --level 1.0 --badge no-such-folder/x.svg").warns(2, ["no-such-folder; make it first"]);
    assert_eq!(late.out, "");
}

#[test]
fn the_lock_says_since_when_what_is_required_is_as_it_is() {
    let dir = copied("since", &[]);
    for entry in fs::read_dir(dir.join("operators")).unwrap() {
        let path = entry.unwrap().path();
        if !path.ends_with("activation_identity.yaml") && !path.ends_with("activation_linear.yaml") {
            fs::remove_file(path).unwrap();
        }
    }
    spec(&dir, "lock").exits(0);
    let path = dir.join("corpus.lock");
    let read = || fs::read_to_string(&path).unwrap();
    let today = dml_report::date::today();
    let lines = |lock: &str, operator: &str, day: &str| {
        let of = lock.lines().filter(|line| line.starts_with(operator));
        of.filter(|line| line.ends_with(day)).count()
    };
    assert!(lines(&read(), "ACTIVATION_IDENTITY", &today) > 4, "{}", read());
    const OLD: &str = "2020-01-01";
    fs::write(&path, read().replace(&today, OLD)).unwrap();
    spec(&dir, "lock --check").exits(0);
    // What another operator requires changes.
    let yaml = dir.join("operators/activation_linear.yaml");
    let text = fs::read_to_string(&yaml).unwrap();
    fs::write(&yaml, text.replacen("alpha: [", "alpha: [\"77\", ", 1)).unwrap();
    spec(&dir, "lock --check").prints(3, ["ACTIVATION_LINEAR 1.0 smoke: "]);
    spec(&dir, "lock").exits(0);
    let lock = read();
    assert_eq!(lines(&lock, "ACTIVATION_IDENTITY", &today), 0, "{lock}");
    assert!(lines(&lock, "ACTIVATION_LINEAR 1.0", &today) > 0, "{lock}");
    assert_eq!(lines(&lock, "ACTIVATION_LINEAR 1.0", OLD), 0, "{lock}");
    // A lock that is broken says so, and is written again.
    fs::write(&path, "nonsense\n").unwrap();
    spec(&dir, "lock --check").warns(2, ["corpus.lock:1: "]);
    spec(&dir, "lock").exits(0);
}
