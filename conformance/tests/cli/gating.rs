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
    run(&[&GATE[..], &["--from", &stored, "--corpus-digest", "00"]].concat()).warns(3, ["is pinned"]);
    // Everything the level requires is more than that.
    run(&["gate", "--level", "1.0", "--from", &stored]).prints(3, ["not run as required", "Not covered here, "]);
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
}

#[test]
fn requirements_change_as_errata_only() {
    let dir = copied("frozen", &[]);
    for entry in fs::read_dir(dir.join("operators")).unwrap() {
        let path = entry.unwrap().path();
        if !path.ends_with("activation_identity.yaml") && !path.ends_with("top_k1.yaml") {
            fs::remove_file(path).unwrap();
        }
    }
    // Little of it, so that planning is quick.
    let yaml = dir.join("operators/top_k1.yaml");
    let top_k1 = fs::read_to_string(&yaml).unwrap();
    let end = top_k1.find("\n  sizes:\n    says:").unwrap();
    fs::remove_file(&yaml).unwrap();
    fs::create_dir(dir.join("requirements")).unwrap();
    spec(&dir, "lock").exits(0);
    let path = dir.join("requirements/FL_1_0.lock");
    let read = || fs::read_to_string(&path).unwrap();
    let frozen = read();
    assert!(
        frozen.contains("ACTIVATION_IDENTITY 1.0 support") && !frozen.contains("exhaustive"),
        "{frozen}"
    );
    spec(&dir, "lock --check").exits(0);
    // A new operator is added.
    fs::write(&yaml, &top_k1[..=end]).unwrap();
    spec(&dir, "lock --check").prints(3, ["FL_2_1.lock: not there yet"]);
    spec(&dir, "lock").exits(0);
    assert_eq!(read(), frozen);
    assert!(
        !fs::read_to_string(dir.join("requirements/FL_3_1.lock"))
            .unwrap()
            .contains("erratum")
    );
    // An operator that was there is changed.
    let lock = fs::read(dir.join("corpus.lock")).unwrap();
    let edited = top_k1[..=end].replacen("sizes: [2x3x4x5]", "sizes: [2x3x4x6]", 1);
    assert_ne!(edited, top_k1[..=end]);
    fs::write(&yaml, edited).unwrap();
    spec(&dir, "lock").warns(
        2,
        [
            "FL_2_1.lock: TOP_K1 2.1 support FLOAT32 smoke: ",
            "spec lock --errata LINK",
        ],
    );
    assert_eq!(fs::read(dir.join("corpus.lock")).unwrap(), lock, "nothing was written");
    spec(&dir, "lock --check").exits(3);
    spec(&dir, "lock --errata ' '").exits(2);
    spec(&dir, "lock --errata https://example.org/7").exits(0);
    let changed = fs::read_to_string(dir.join("requirements/FL_2_1.lock")).unwrap();
    let erratum = changed.lines().find(|line| line.starts_with("# erratum ")).unwrap();
    assert!(
        erratum.ends_with(" https://example.org/7") && erratum.len() > 30,
        "{erratum}"
    );
    assert_eq!(read(), frozen);
    spec(&dir, "lock --check").exits(0);
    // A file that is broken says so.
    fs::write(&path, "nonsense\n").unwrap();
    spec(&dir, "lock").warns(2, ["FL_1_0.lock:1: "]);
}
