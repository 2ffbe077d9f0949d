//! Reports of a run, and documents of stored runs.

use std::fs;

use crate::common::{CASE, folder, run};

const QUERY: [&str; 4] = ["--tier", "smoke", "TOP_K1:2.1:ties", "TOP_K1:2.1:faults"];

#[test]
fn a_run_writes_every_form_at_once_and_render_writes_the_same() {
    let folder = folder("reports");
    let path = |name: &str| folder.join(name).display().to_string();
    let names = ["run.jsonl", "run.html", "run.md", "run.xml"];
    let paths = names.map(path);
    let mut arguments = vec!["run"];
    arguments.extend(QUERY);
    paths.iter().for_each(|path| arguments.extend(["--report", path]));
    let (code, _, err) = run(&arguments);
    assert_eq!(code, 0, "{err}");
    let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert!(text("run.md").contains("✅ **cpu: conformant**"), "{}", text("run.md"));
    assert!(text("run.xml").contains("<testsuite name=\"cpu TOP_K1 2.1\""));
    let html = text("run.html");
    assert!(html.starts_with("<!doctype html>") && html.contains("conformant") && html.contains("TOP_K1:2.1:ties"));
    for outside in ["src=\"http", "href=\"http", "url(", "@import", "fetch("] {
        assert!(!html.contains(outside), "{outside} in the page");
    }
    assert!(!html.contains("{{"), "a placeholder is left");
    for name in ["again.html", "again.md", "again.xml"] {
        let (code, out, err) = run(&["report", "render", &paths[0], "--out", &path(name)]);
        assert_eq!((code, out.as_str()), (0, ""), "{err}");
        let same = text(&name.replace("again", "run"));
        assert_eq!(text(name), same, "{name}");
    }
}

#[test]
fn documents_are_written_whole_or_not_at_all() {
    let folder = folder("no documents");
    let path = |name: &str| folder.join(name).display().to_string();
    let (cut, page) = (path("cut.jsonl"), path("page.html"));
    let (code, _, err) = run(&["run", CASE, "--report", &cut]);
    assert_eq!(code, 0, "{err}");
    let text = fs::read_to_string(&cut).unwrap();
    fs::write(&cut, &text[..text.len() - 20]).unwrap();
    let (code, _, err) = run(&["report", "render", &cut, "--out", &page]);
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("cut.jsonl:3: "), "{err}");
    assert!(!folder.join("page.html").exists());
    for (arguments, told) in [
        (
            vec!["report", "render", &cut, "--out", "page.pdf"],
            ".html, .md and .xml",
        ),
        (
            vec!["report", "render", "no-such-run.jsonl", "--out", &page],
            "no-such-run.jsonl",
        ),
        (vec!["report", "conforms", "no-such-run.jsonl"], "no-such-run.jsonl"),
        (vec!["run", "--report", "run.pdf"], ".jsonl"),
    ] {
        let (code, _, err) = run(&arguments);
        assert_eq!(code, 2, "{arguments:?}: {err}");
        assert!(err.contains(told), "{arguments:?}: {err}");
    }
}

#[test]
fn the_table_goes_between_its_markers() {
    let folder = folder("conforms");
    let path = |name: &str| folder.join(name).display().to_string();
    let (stored, readme) = (path("run.jsonl"), path("README.md"));
    let (code, _, err) = run(&["run", CASE, "--report", &stored]);
    assert_eq!(code, 0, "{err}");
    let (code, table, err) = run(&["report", "conforms", &stored]);
    assert_eq!(code, 0, "{err}");
    assert!(table.contains("| cpu |"), "{table}");
    let before = "# Mine\n<!-- conforms: begin -->\nold\n<!-- conforms: end -->\nrest\n";
    fs::write(&readme, before).unwrap();
    let (code, _, err) = run(&["report", "conforms", &stored, "--into", &readme]);
    assert_eq!(code, 0, "{err}");
    let after = fs::read_to_string(&readme).unwrap();
    assert_eq!(after, before.replace("old", table.trim_end()));
    fs::write(&readme, "nothing\n").unwrap();
    let (code, _, err) = run(&["report", "conforms", &stored, "--into", &readme]);
    assert_eq!(code, 2);
    assert!(err.contains("conforms: begin"), "{err}");
    assert_eq!(fs::read_to_string(&readme).unwrap(), "nothing\n");
}
