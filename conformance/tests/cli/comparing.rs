//! What differs between specifications, and what happened to a clause.

use std::{fs, path::Path, process::Command};

use crate::{
    common::{copied, edit, fits, json, run, spec, yaml},
    needs,
};

#[test]
fn specifications_are_compared_down_to_their_cases_and_stored_outcomes() {
    let old = copied("diff-old", &[]);
    let (from, to) = (
        "types: [FLOAT32, FLOAT16, INT64,",
        "types: [FLOAT32, FLOAT16, FLOAT64, INT64,",
    );
    let row = "InputTensor: {dimensions: 1..8, ";
    let cells = (format!("{row}{from}"), format!("{row}{to}"));
    let new = copied("diff-new", &[("rule: K > 0", "rule: K > 1"), (&cells.0, &cells.1)]);
    let (a, b) = (old.to_str().expect("a path"), new.to_str().expect("a path"));
    let (code, out, err) = spec(&old, &["diff", a, a]);
    assert_eq!((code, out.as_str()), (0, ""), "{err}");
    assert!(err.contains("nothing differs"), "{err}");

    let stored = old.join("run.jsonl");
    let report = stored.to_str().expect("a path");
    let ran = [
        "run",
        "--spec",
        a,
        "--tier",
        "smoke",
        "--report",
        report,
        "TOP_K1:5.0:support",
        "CAST:3.0",
    ];
    run(&ran);
    let smoke = ["diff", a, b, "--tier", "smoke"];
    let (code, out, err) = spec(&old, &[&smoke[..], &["--runs", report]].concat());
    assert_eq!(code, 1, "{err}");
    fits(&out);
    for part in [
        "  ~ TOP_K1/k-nonzero",
        "      rule        - K > 0",
        "                  + K > 1",
        "  ~ TOP_K1/5.0/InputTensor",
        "      cells       + FLOAT64",
        "cases (tier smoke)",
        " stored outcomes would change",
        "-> the case is gone",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    assert!(err.contains("clauses ~1, cells +1, cases +"), "{err}");

    let (code, out, _) = spec(&old, &[&smoke[..], &["--format", "json", "--runs", report]].concat());
    assert_eq!(code, 1);
    let all = json(&out);
    assert_eq!((&all["version"], &all["differs"]), (&1.into(), &true.into()));
    assert_eq!(all["cases"].as_array().expect("a list").len(), 1, "{out}");
    let cases = &all["cases"][0];
    assert_eq!(cases["operator"], "TOP_K1");
    // A case of another operator keeps what was stored.
    let stale = all["runs"][0]["stale"].as_array().expect("a list");
    assert!(!stale.is_empty());
    assert!(
        stale
            .iter()
            .all(|s| s["id"].as_str().expect("an id").starts_with("TOP_K1:")),
        "{out}"
    );

    let (code, out, _) = spec(&old, &[&smoke[..], &["--format", "markdown"]].concat());
    assert_eq!(code, 1);
    let folds = (out.matches("<details>").count(), out.matches("</details>").count());
    assert!(folds.0 >= 3 && folds.0 == folds.1, "{out}");
    assert!(
        out.contains("| clauses | 0 | 0 | 1 |") && out.lines().count() < 200,
        "{out}"
    );

    // One file stands for the whole: it takes the place of its namesake.
    let one = yaml(&new);
    let (code, single, err) = spec(&old, &["diff", a, one.to_str().expect("a path"), "--tier", "smoke"]);
    assert_eq!(code, 1, "{err}");
    assert!(single.contains("TOP_K1/k-nonzero"), "{single}");

    let (code, _, err) = spec(&old, &["diff", a, "nowhere"]);
    assert_eq!(code, 2);
    assert!(err.contains("`nowhere` is no file and no folder"), "{err}");
    edit(&new, &[("kind: constraint", "kind: restraint")]);
    let (code, _, err) = spec(&old, &smoke);
    assert_eq!(code, 2);
    assert!(
        err.contains("restraint") && err.contains("the specification has"),
        "{err}"
    );
}

/// Git in a folder; `false` where there is none.
fn git(folder: &Path, arguments: &[&str]) -> bool {
    let mut command = Command::new("git");
    let identity = [
        "-c",
        "user.name=A",
        "-c",
        "user.email=a@example.org",
        "-c",
        "commit.gpgsign=false",
    ];
    command.arg("-C").arg(folder).args(identity).args(arguments);
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(variable);
    }
    command.output().is_ok_and(|output| output.status.success())
}

#[test]
fn revisions_are_compared_and_tell_what_happened_to_a_clause() {
    let dir = copied("revisions", &[]);
    let repository = git(&dir, &["init", "-q"]).then_some(());
    let test = "revisions_are_compared_and_tell_what_happened_to_a_clause";
    let Some(()) = needs::found(test, repository.ok_or_else(|| "there is no git here".to_owned())) else {
        return;
    };
    assert!(git(&dir, &["add", "."]) && git(&dir, &["commit", "-qm", "First of all"]));
    edit(&dir, &[("rule: K > 0", "rule: K > 1")]);
    assert!(git(&dir, &["commit", "-qam", "Want two elements"]));

    let (code, out, err) = spec(&dir, &["diff", "HEAD~1", "HEAD", "--tier", "smoke"]);
    assert_eq!(code, 1, "{err}");
    assert!(out.contains("TOP_K1/k-nonzero") && out.contains("+ K > 1"), "{out}");
    let (code, out, err) = spec(&dir, &["diff", "HEAD", dir.to_str().expect("a path")]);
    assert_eq!((code, out.as_str()), (0, ""), "{err}");
    let (code, _, err) = spec(&dir, &["diff", "HEAD", "v9"]);
    assert_eq!(code, 2);
    assert!(err.contains("`v9` is no revision of the repository"), "{err}");

    let (code, out, _) = spec(&dir, &["log", "TOP_K1/k-nonzero"]);
    assert_eq!(code, 0);
    let commits = out.split("commits\n").nth(1).expect("commits");
    assert!(
        commits.contains("Want two elements") && commits.contains("First of all"),
        "{commits}"
    );
    let (_, out, _) = spec(&dir, &["log", "TOP_K1/axis-in-range"]);
    assert!(out.contains("First of all") && !out.contains("Want two"), "{out}");
    edit(&dir, &[("rule: K > 1", "rule: K >= 2")]);
    let (_, out, _) = spec(&dir, &["log", "TOP_K1/k-nonzero"]);
    assert!(out.contains("not committed"), "{out}");
}

#[test]
fn the_log_shows_history_and_says_where_nothing_is_known() {
    // Above the folders of tests lies the repository of the suite itself, so that this one lies elsewhere.
    let apart = tempfile::tempdir().expect("a folder");
    let from = copied("log", &[]);
    fs::create_dir(apart.path().join("operators")).expect("a folder");
    for name in ["directml.yaml", "operators/top_k1.yaml"] {
        fs::copy(from.join(name), apart.path().join(name)).expect("a copy");
    }
    let (code, out, err) = spec(apart.path(), &["log", "TOP_K1/k-below-axis-size"]);
    assert_eq!(code, 0, "{err}");
    fits(&out);
    for part in [
        "recorded as disputed",
        "observed",
        "DirectML 1.4 to 1.15.4",
        "unknown: ",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    let (code, _, err) = spec(apart.path(), &["log", "TOP_K1/k-below-axis-sise"]);
    assert_eq!(code, 2);
    assert!(err.contains("nearest: TOP_K1/k-below-axis-size"), "{err}");
}
