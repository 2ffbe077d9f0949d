//! Reports of a run, and documents of stored runs.

use std::fs;

use crate::common::{CASE, Ran, folder, json, run, store_run};

const QUERY: [&str; 4] = ["--tier", "smoke", "TOP_K1:2.1:values", "TOP_K1:2.1:faults"];

#[test]
fn a_run_writes_every_form_at_once_and_render_writes_the_same() {
    let folder = folder("reports");
    let path = |name: &str| folder.join(name).display().to_string();
    let names = ["run.jsonl", "run.html", "run.md", "run.xml"];
    let paths = names.map(path);
    let mut arguments = vec!["run"];
    arguments.extend(QUERY);
    paths.iter().for_each(|path| arguments.extend(["--report", path]));
    run(&arguments).exits(0);
    let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert!(text("run.md").contains("✅ **cpu: conformant**"), "{}", text("run.md"));
    assert!(text("run.xml").contains("<testsuite name=\"cpu TOP_K1 2.1\""));
    let html = text("run.html");
    assert!(html.starts_with("<!doctype html>") && html.contains("conformant") && html.contains("TOP_K1:2.1:values"));
    for outside in ["src=\"http", "href=\"http", "url(", "@import", "fetch("] {
        assert!(!html.contains(outside), "{outside} in the page");
    }
    assert!(!html.contains("{{"), "a placeholder is left");
    for name in ["again.html", "again.md", "again.xml"] {
        run(&["report", "render", &paths[0], "--out", &path(name)])
            .exits(0)
            .out_is("");
        let same = text(&name.replace("again", "run"));
        assert_eq!(text(name), same, "{name}");
    }
}

#[test]
fn documents_are_written_whole_or_not_at_all() {
    let folder = folder("no documents");
    let path = |name: &str| folder.join(name).display().to_string();
    let (cut, page) = (path("cut.jsonl"), path("page.html"));
    run(&["run", CASE, "--report", &cut]).exits(0);
    let text = fs::read_to_string(&cut).unwrap();
    fs::write(&cut, text.replacen("\"type\":\"case\"", "\"type\":\"cage\"", 1)).unwrap();
    run(&["report", "render", &cut, "--out", &page]).warns(2, ["cut.jsonl:2: "]);
    assert!(!folder.join("page.html").exists());
    // What a run leaves that is killed makes a document, which says so.
    fs::write(&cut, &text[..text.len() - 20]).unwrap();
    run(&["report", "render", &cut, "--out", &page]).warns(3, ["cut.jsonl: the run of cpu was cut short"]);
    assert!(fs::read_to_string(&page).unwrap().contains("Incomplete: "));
    run(&["report", "conforms", &cut]).exits(3);
    for (arguments, expected) in [
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
        run(&arguments).warns(2, [expected]);
    }
}

#[test]
fn the_table_goes_between_its_markers() {
    let folder = folder("conforms");
    let path = |name: &str| folder.join(name).display().to_string();
    let (stored, readme) = (path("run.jsonl"), path("README.md"));
    run(&["run", CASE, "--report", &stored]).exits(0);
    let Ran { out: table, .. } = run(&["report", "conforms", &stored]).prints(0, ["| cpu |"]);
    let before = "# Mine\n<!-- conforms: begin -->\nold\n<!-- conforms: end -->\nrest\n";
    fs::write(&readme, before).unwrap();
    run(&["report", "conforms", &stored, "--into", &readme]).exits(0);
    let after = fs::read_to_string(&readme).unwrap();
    assert_eq!(after, before.replace("old", table.trim_end()));
    fs::write(&readme, "nothing\n").unwrap();
    run(&["report", "conforms", &stored, "--into", &readme]).warns(2, ["conforms: begin"]);
    assert_eq!(fs::read_to_string(&readme).unwrap(), "nothing\n");
}

#[test]
fn documents_tell_what_newly_fails() {
    let folder = folder("newly failing");
    let path = |name: &str| folder.join(name).display().to_string();
    let (main, mine) = (path("main.jsonl"), path("mine.jsonl"));
    run(&[&["run"], &QUERY[..], &["--report", &main]].concat()).exits(0);
    let text = fs::read_to_string(&main).unwrap();
    let fail = |text: &str| text.replacen("\"outcome\":\"pass\"", "\"outcome\":\"fail\"", 1);
    // One case failed before, another one fails now as well.
    let (before, after) = (fail(&text), fail(&fail(&text)));
    store_run(&main, &before);
    store_run(&mine, &after.replace("\"label\":\"cpu\"", "\"label\":\"mine\""));
    let id = |text: &str| {
        let failing = text.lines().rfind(|line| line.contains("\"outcome\":\"fail\""));
        json(failing.unwrap())["id"].as_str().unwrap().to_owned()
    };
    for name in ["new.md", "new.html"] {
        run(&["report", "render", &mine, "--out", &path(name), "--baseline", &main]).exits(0);
        let text = fs::read_to_string(path(name)).unwrap();
        let text = text.split("<script").next().unwrap();
        let (_, new) = text.split_once("Newly failing").unwrap_or_else(|| panic!("{text}"));
        let (new, _) = new
            .split_once(if name.ends_with("md") { "####" } else { "</ul>" })
            .unwrap();
        assert!(new.contains(&id(&after)) && !new.contains(&id(&before)), "{new}");
    }
    run(&["report", "render", &main, "--out", &path("old.md"), "--baseline", &main]).exits(0);
    let old = fs::read_to_string(path("old.md")).unwrap();
    assert!(old.contains("nothing fails that did not before"), "{old}");
    // Also where the run itself writes the documents: here everything passes.
    let document = path("run.md");
    let arguments = [&["run"], &QUERY[..], &["--baseline", &main, "--report", &document]].concat();
    run(&arguments).exits(0);
    assert!(
        fs::read_to_string(&document)
            .unwrap()
            .contains("nothing fails that did not")
    );
    // A baseline that was cut short is not all there was.
    fs::write(&main, &before[..before.len() - 9]).unwrap();
    run(&["report", "render", &mine, "--out", &path("new.md"), "--baseline", &main])
        .warns(3, ["main.jsonl: the run of cpu was cut short"]);
    run(&arguments).warns(3, ["main.jsonl: the run of cpu was cut short"]);
}
