//! What differs between specifications.

use crate::common::{Ran, copied, edit, json, run, spec, yaml};

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
    spec(&old, &["diff", a, a]).warns(0, ["nothing differs"]).out_is("");

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
    spec(&old, &[&smoke[..], &["--runs", report]].concat())
        .exits(1)
        .shows([
            "  ~ TOP_K1/k-nonzero",
            "      rule        - K > 0",
            "                  + K > 1",
            "  ~ TOP_K1/5.0/InputTensor",
            "      cells       + FLOAT64",
            "cases (tier smoke)",
            " stored outcomes would change",
            "-> the case is gone",
        ])
        .notes(["clauses ~1, cells +1, cases +"])
        .fits();

    let Ran { out, .. } = spec(&old, &[&smoke[..], &["--format", "json", "--runs", report]].concat()).exits(1);
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

    let Ran { out, .. } = spec(&old, &[&smoke[..], &["--format", "markdown"]].concat()).exits(1);
    let folds = (out.matches("<details>").count(), out.matches("</details>").count());
    assert!(folds.0 >= 3 && folds.0 == folds.1, "{out}");
    assert!(
        out.contains("| clauses | 0 | 0 | 1 |") && out.lines().count() < 200,
        "{out}"
    );

    // One file stands for the whole: it takes the place of its namesake.
    let one = yaml(&new);
    spec(&old, &["diff", a, one.to_str().expect("a path"), "--tier", "smoke"]).prints(1, ["TOP_K1/k-nonzero"]);

    spec(&old, &["diff", a, "nowhere"]).warns(
        2,
        [
            "`nowhere` is neither a file nor a folder",
            "git worktree add before nowhere",
        ],
    );
    edit(&new, &[("kind: constraint", "kind: restraint")]);
    spec(&old, &smoke).warns(2, ["restraint", "the specification has"]);
}
