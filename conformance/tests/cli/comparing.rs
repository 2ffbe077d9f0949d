//! What differs between specifications.

use crate::common::{copied, edit, fits, json, run, spec, yaml};

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
    assert!(
        err.contains("`nowhere` is neither a file nor a folder") && err.contains("git worktree add before nowhere"),
        "{err}"
    );
    edit(&new, &[("kind: constraint", "kind: restraint")]);
    let (code, _, err) = spec(&old, &smoke);
    assert_eq!(code, 2);
    assert!(
        err.contains("restraint") && err.contains("the specification has"),
        "{err}"
    );
}
