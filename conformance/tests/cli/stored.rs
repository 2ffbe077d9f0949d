//! Stored runs: put together from shards, compared, followed through time.

use std::fs;

use crate::common::{CASE, Ran, folder, json, run, store_run};

const SMOKE: [&str; 4] = ["run", "--tier", "smoke", "TOP_K1"];

/// A file in a folder, as an argument.
fn at(folder: &std::path::Path, name: &str) -> String {
    folder.join(name).to_str().expect("a path").to_owned()
}

/// Lines of cases.
fn cases(path: &str) -> Vec<String> {
    let text = fs::read_to_string(path).expect("a run");
    text.lines()
        .filter(|line| line.contains("\"type\":\"case\""))
        .map(str::to_owned)
        .collect()
}

/// Runs with these arguments beside [`SMOKE`] into a file.
fn store(path: &str, more: &[&str]) {
    run(&[&SMOKE[..], &["--report", path], more].concat()).exits(0);
}

#[test]
fn four_shards_are_the_whole_run() {
    let folder = folder("merged shards");
    let (whole, merged) = (at(&folder, "whole.jsonl"), at(&folder, "merged.jsonl"));
    store(&whole, &[]);
    let shards: Vec<String> = (1..=4).map(|index| at(&folder, &format!("{index}.jsonl"))).collect();
    for (index, path) in shards.iter().enumerate() {
        store(path, &["--shard", &format!("{}/4", index + 1)]);
        assert!(fs::read_to_string(path).unwrap().contains("\"shard\":{\"index\":"));
    }
    let merge = |files: &[&String]| {
        let _ = fs::remove_file(&merged);
        let files: Vec<&str> = files.iter().map(|file| file.as_str()).collect();
        run(&[&["report", "merge", "--out", &merged], &files[..]].concat())
    };
    let [a, b, c, d] = &shards[..] else { panic!("four") };
    merge(&[c, a, d, b]).exits(0);
    assert_eq!(cases(&merged), cases(&whole));
    let header = |path: &str| fs::read_to_string(path).unwrap().lines().next().unwrap().to_owned();
    assert!(!header(&merged).contains("\"shard\""));
    let footer = |path: &str| json(fs::read_to_string(path).unwrap().lines().last().unwrap());
    assert_eq!(footer(&merged)["counts"], footer(&whole)["counts"]);
    assert_eq!(footer(&merged)["complete"], true);
    // Missing, twice, cut short, of another run: nothing is written.
    merge(&[a, b, d]).warns(3, ["shard 3 of 4 is missing"]);
    merge(&[a, b, c, d, a]).warns(2, ["are both shard 1/4"]);
    merge(&[&whole]).warns(2, ["is not a shard"]);
    let text = fs::read_to_string(d).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let edited = at(&folder, "edited.jsonl");
    fs::write(&edited, lines[..lines.len() - 1].join("\n")).unwrap();
    merge(&[a, b, c, &edited]).warns(3, ["has no footer"]);
    fs::write(&edited, text.replacen("\"seed\":0", "\"seed\":1", 1)).unwrap();
    merge(&[a, b, c, &edited]).warns(2, ["they differ in the seed"]);
    // A case that is in two of them.
    let stolen = cases(a).remove(0);
    let mut with = lines.clone();
    with.insert(1, &stolen);
    fs::write(&edited, with.join("\n") + "\n").unwrap();
    merge(&[a, b, c, &edited]).warns(2, ["is in another file too"]);
    assert!(!std::path::Path::new(&merged).exists());
    // A case that is gone, or is another one, or says something that there is not.
    let (pass, fail) = ("\"outcome\":\"pass\"", "\"outcome\":\"fail\"");
    let passing = lines
        .iter()
        .position(|line| line.contains(pass))
        .expect("a case that passes")
        + 1;
    let unknown = format!("edited.jsonl:{passing}: unknown outcome `passed`");
    for (damaged, code, said) in [
        (
            text.replacen(lines[1], "", 1),
            3,
            "edited.jsonl: its lines differ from the counts of its footer: ",
        ),
        (text.replacen(pass, fail, 1), 3, "1 fail of 0, "),
        (text[..text.len() - 9].to_owned(), 3, "edited.jsonl has no footer"),
        (text.replacen(pass, "\"outcome\":\"passed\"", 1), 2, &unknown),
        (text.replacen(lines[2], lines[1], 1), 2, "edited.jsonl:3: TOP_K1:"),
        (text.replacen(lines[2], "nonsense", 1), 2, "edited.jsonl:3: "),
    ] {
        fs::write(&edited, damaged).unwrap();
        merge(&[a, b, c, &edited]).warns(code, [said, "nothing was written"]);
        assert!(!std::path::Path::new(&merged).exists());
    }
    // A case that is gone together with its count: the plan has it.
    store_run(&edited, &text.replacen(&format!("{}\n", lines[1]), "", 1));
    let Ran { err, .. } = merge(&[a, b, c, &edited]).exits(3);
    let id = json(lines[1])["id"].as_str().unwrap().to_owned();
    assert!(err.contains("1 of them: ") && err.contains(&id), "{err}");
    // Known failures are known in all shards or in none.
    let digest = format!(",\"expectations\":\"{}\",\"again\"", "0".repeat(32));
    fs::write(&edited, text.replacen(",\"again\"", &digest, 1)).unwrap();
    merge(&[a, b, c, &edited]).warns(2, ["which failures are known"]);
    // A shard that says that it was cut short.
    let footer = lines[lines.len() - 1];
    let cut = footer.replacen(
        "\"complete\":true",
        "\"complete\":false,\"incomplete\":[\"cut short\"]",
        1,
    );
    fs::write(&edited, text.replacen(footer, &cut, 1)).unwrap();
    merge(&[a, b, c, &edited]).warns(3, ["incomplete: cpu: cut short"]);
    // Files that are read are not written over.
    let before = fs::read(a).unwrap();
    run(&["report", "merge", a, b, c, d, "--out", a]).warns(2, ["write to another file"]);
    run(&["expect", "update", "--from", a, "--out", a]).warns(2, ["write to another file"]);
    let linked = at(&folder, "linked.jsonl");
    fs::hard_link(a, &linked).unwrap();
    let page = at(&folder, "page.md");
    fs::copy(a, &page).unwrap();
    for arguments in [
        &["run", CASE, "--baseline", a, "--report", a][..],
        &["run", CASE, "--baseline", a, "--report", &linked],
        &["run", CASE, "--shard", "1/2", "--shard-times", a, "--report", a],
        &["run", CASE, "--isolate", "--baseline", a, "--trace", a],
        &["run", CASE, "--report", &linked, "--report", &linked],
        &["report", "render", &page, "--out", &page],
        &["report", "conforms", a, "--into", a],
    ] {
        let Ran { code, err, .. } = run(arguments);
        let said = err.contains("write to another file") || err.contains("name another file");
        assert!(code == 2 && said, "{arguments:?}: {err}");
    }
    assert_eq!(fs::read(a).unwrap(), before);
    assert_eq!(fs::read(&page).unwrap(), before);
    // A case that nobody asked for.
    for id in [
        "nonsense",
        "TOP_K1:2.1:nosuch:foo=1",
        "ARGMAX:1.0:examples:example=first",
    ] {
        let strange = lines[1].replacen(json(lines[1])["id"].as_str().unwrap(), id, 1);
        store_run(
            &edited,
            &text.replacen(lines[1], &format!("{}\n{strange}", lines[1]), 1),
        );
        merge(&[a, b, c, &edited]).warns(2, ["edited.jsonl:", id]);
    }
    // Judged otherwise.
    fs::write(
        &edited,
        text.replacen(",\"again\"", ",\"options\":[\"--retries 3\"],\"again\"", 1),
    )
    .unwrap();
    merge(&[a, b, c, &edited]).warns(2, ["how cases are judged"]);
    run(&[&SMOKE[..], &["--shard", "1/4"]].concat()).shows(["; shard 1/4 alone; "]);
    let Ran { out, .. } = run(&[&SMOKE[..], &["--shard", "1/4", "--format", "json"]].concat());
    assert_eq!(json(&out)["shard"], "1/4");
    // A shard passes for nothing but itself.
    run(&["report", "conforms", a]).prints(0, ["cpu is shard 1 of 4 alone."]);
    let page = at(&folder, "shard.md");
    run(&["report", "render", a, "--out", &page]).exits(0);
    let page = fs::read_to_string(&page).unwrap();
    assert!(page.contains("conformant (shard 1 of 4 alone)"), "{page}");
    // A failing case fails the whole.
    store_run(&edited, &text.replacen(pass, fail, 1));
    merge(&[a, b, c, &edited]).exits(1);
}

#[test]
fn shards_that_are_balanced_are_the_whole_run_too() {
    let folder = folder("balanced shards");
    let (timed, merged) = (at(&folder, "timed.jsonl"), at(&folder, "merged.jsonl"));
    store(&timed, &["--timings", CASE]);
    let shards: Vec<String> = (1..=3).map(|index| at(&folder, &format!("{index}.jsonl"))).collect();
    for (index, path) in shards.iter().enumerate() {
        store(
            path,
            &["--shard", &format!("{}/3", index + 1), "--shard-times", &timed, CASE],
        );
    }
    run(&["report", "merge", &shards[0], &shards[1], &shards[2], "--out", &merged]).exits(0);
    let untimed = |path: &str| -> Vec<String> {
        let cut = |line: String| {
            line.split(",\"ms\":")
                .next()
                .unwrap_or_default()
                .trim_end_matches('}')
                .to_owned()
        };
        cases(path).into_iter().map(cut).collect()
    };
    assert_eq!(untimed(&merged), untimed(&timed));
    // Times decide, so the parts have to be of the same ones.
    let plain = at(&folder, "plain.jsonl");
    store(&plain, &["--shard", "1/3"]);
    run(&["report", "merge", &plain, &shards[1], &shards[2], "--out", &merged]).warns(2, ["how they were divided"]);
    run(&[&SMOKE[..], &["--shard", "1/3", "--shard-times", &plain]].concat()).warns(2, ["make the run with --timings"]);
    // Times that were cut short may be others on each machine.
    let text = fs::read_to_string(&timed).unwrap();
    fs::write(&timed, &text[..text.len() - 20]).unwrap();
    run(&[&SMOKE[..], &["--shard", "1/3", "--shard-times", &timed, CASE]].concat())
        .warns(3, ["timed.jsonl: the run of cpu was cut short"]);
}

/// A run of a few cases, and a copy of it with changes.
fn doctored(name: &str, changes: &[(&str, &str)]) -> (String, String) {
    let folder = folder(name);
    let (old, new) = (at(&folder, "old.jsonl"), at(&folder, "new.jsonl"));
    run(&["run", "--tier", "smoke", "TOP_K1:2.1:examples", CASE, "--report", &old]).exits(0);
    let mut text = fs::read_to_string(&old).expect("a run");
    for (from, to) in changes {
        assert!(text.contains(from), "{from}\n{text}");
        text = text.replacen(from, to, 1);
    }
    store_run(&new, &text);
    (old, new)
}

#[test]
fn a_regression_is_told_from_everything_else() {
    let (pass, fail) = ("\"outcome\":\"pass\"", "\"outcome\":\"fail\"");
    let (old, new) = doctored("regressed", &[(pass, fail)]);
    let diff = |old: &str, new: &str, more: &[&str]| run(&[&["report", "diff", old, new], more].concat());
    diff(&old, &new, &[]).prints(1, ["1 regressed\n  pass -> fail TOP_K1:2.1:examples"]);
    diff(&new, &old, &[]).prints(0, ["1 fixed, "]);
    diff(&old, &old, &[]).exits(0);
    diff(&new, &new, &[]).exits(0);
    let Ran { code, out, .. } = diff(&old, &new, &["--format", "json"]);
    let object = json(&out);
    assert_eq!(
        (code, &object["counts"]["regressed"], &object["worse"]),
        (1, &1.into(), &true.into())
    );
    diff(&old, &new, &["--format", "markdown"]).shows(["<summary>1 regressed</summary>", "| pass | fail |"]);
    // Known, skipped, crashing otherwise.
    for (from, to, code, said) in [
        (
            pass,
            "\"outcome\":\"xfail\",\"reason\":\"known\"",
            0,
            "1 regressed, but known",
        ),
        (pass, "\"outcome\":\"skip\",\"reason\":\"tired\"", 1, "1 regressed"),
        (pass, "\"outcome\":\"xpass\"", 0, "cases as before"),
    ] {
        let (old, new) = doctored("regressed otherwise", &[(from, to)]);
        let Ran { out, .. } = diff(&old, &new, &[]).exits(code);
        assert!(out.contains(said) || said == "cases as before", "{to}: {out}");
    }
}

#[test]
fn what_the_suite_changed_is_no_regression_of_the_backend() {
    let diff = |old: &str, new: &str, more: &[&str]| run(&[&["report", "diff", old, new], more].concat());
    let (old, new) = doctored(
        "upgraded",
        &[
            ("\"corpus_digest\":\"", "\"corpus_digest\":\"0"),
            (
                "\"outcome\":\"pass\",\"verdict\":\"valid\",\"expectation\":\"",
                "\"outcome\":\"fail\",\"verdict\":\"valid\",\"expectation\":\"",
            ),
        ],
    );
    let mut text = fs::read_to_string(&new).unwrap();
    let failed = "\"outcome\":\"fail\",\"verdict\":\"valid\",\"expectation\":\"";
    let at = text.find(failed).unwrap() + failed.len();
    text.replace_range(at..at + 32, &"f".repeat(32));
    fs::write(&new, &text).unwrap();
    let Ran { out, .. } = diff(&old, &new, &[]).exits(1);
    assert!(out.starts_with("The suites differ\n  corpus "), "{out}");
    assert!(out.contains("1 expectation changed, and failing now"), "{out}");
    diff(&old, &new, &["--allow-new"]).exits(0);
    // New and gone.
    let first = cases(&old).remove(0);
    let less = fs::read_to_string(&old).unwrap().replace(&format!("{first}\n"), "");
    store_run(&new, &less);
    diff(&old, &new, &[]).prints(0, ["1 gone"]);
    diff(&new, &old, &[]).prints(0, ["1 new"]);
    let failing = fs::read_to_string(&old)
        .unwrap()
        .replacen("\"outcome\":\"pass\"", "\"outcome\":\"fail\"", 1);
    let worse = new.replace("new.jsonl", "worse.jsonl");
    store_run(&worse, &failing);
    diff(&new, &worse, &[]).prints(1, ["1 new, and failing"]);
    diff(&new, &worse, &["--allow-new"]).exits(0);
    // Cut short.
    let text = fs::read_to_string(&old).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    for cut in [
        lines[..lines.len() - 1].join("\n"),
        text[..text.len() - 9].to_owned(),
        text.replacen(lines[1], "", 1),
    ] {
        fs::write(&new, cut).unwrap();
        for (a, b) in [(&old, &new), (&new, &old)] {
            diff(a, b, &[]).warns(3, ["new.jsonl: the run of cpu "]);
        }
        // The others are reported all the same.
        run(&["report", "history", &old, &new])
            .prints(3, ["2 runs; "])
            .warns(3, ["new.jsonl: the run of cpu "]);
        run(&["run", "--rerun", &new]).warns(3, ["new.jsonl: the run of cpu "]);
        run(&["list", "--rerun", &new]).exits(3);
    }
    // Of nothing.
    fs::write(&new, "").unwrap();
    diff(&old, &new, &[]).exits(2);
    diff(&new, &old, &[]).exits(2);
}

#[test]
fn a_run_is_compared_with_a_baseline() {
    let (_, baseline) = doctored("baseline", &[("\"outcome\":\"pass\"", "\"outcome\":\"fail\"")]);
    let arguments = [
        "run",
        "--tier",
        "smoke",
        "TOP_K1:2.1:examples",
        CASE,
        "--baseline",
        &baseline,
    ];
    run(&arguments).prints(0, ["1 fixed, "]);
    let Ran { out, .. } = run(&[&arguments[..], &["--format", "json"]].concat());
    assert_eq!(json(&out)["baseline"]["counts"]["fixed"], 1);
    // A case that the run now skips would be a regression, and one that is new and passes is none.
    let text = fs::read_to_string(&baseline).unwrap();
    let first = cases(&baseline).remove(0);
    store_run(&baseline, &text.replace(&format!("{first}\n"), ""));
    run(&arguments).prints(0, ["1 new, "]);
    run(&["run", CASE, "--baseline", "no-such-file.jsonl"]).exits(2);
    // Of another backend.
    let (two, text) = (
        baseline.replace("new.jsonl", "two.jsonl"),
        fs::read_to_string(&baseline).unwrap(),
    );
    let of = |label: &str| text.replacen("\"label\":\"cpu\"", &format!("\"label\":\"{label}\""), 1);
    fs::write(&two, of("a") + &of("b")).unwrap();
    let with = |more: &[&str]| run(&[&arguments[..5], &["--baseline", &two], more].concat());
    with(&[]).warns(3, ["no run labelled cpu in the baseline"]);
    with(&["--allow-new"]).exits(0);
    run(&["report", "diff", &two, &baseline]).warns(2, ["have no run of the same backend"]);
    let three = two.replace("two.jsonl", "three.jsonl");
    fs::write(&three, of("a") + &of("cpu")).unwrap();
    run(&["report", "diff", &three, &baseline]).warns(3, ["the run of a is missing"]);
    run(&["report", "diff", &baseline, &three]).warns(3, ["the run of a has no counterpart"]);
    run(&["report", "diff", &baseline, &three, "--allow-new"]).exits(0);
    // With no case in common.
    run(&["run", "--tier", "smoke", "TOP_K", "--baseline", &baseline]).prints(3, ["nothing was compared"]);
    let page = two.replace("two.jsonl", "page.md");
    run(&["report", "render", &baseline, "--baseline", &two, "--out", &page])
        .warns(3, ["no run labelled cpu in the baseline"]);
    run(&["run", CASE, "--allow-new"]).exits(2);
}

#[test]
fn a_history_tells_flakes_from_breaks() {
    let (pass, fail) = ("\"outcome\":\"pass\"", "\"outcome\":\"fail\"");
    let (good, bad) = doctored("history", &[(pass, fail)]);
    run(&["report", "history", &good, &bad, &good, &bad]).prints(
        0,
        [
            "flaky, 100 % TOP_K1:2.1:examples",
            "2 of 4 runs; first bad in ",
            "4 runs; 1 case failed",
        ],
    );
    let Ran { out, .. } = run(&["report", "history", &good, &good, &bad, &bad, "--format", "json"]);
    let object = json(&out);
    let course = &object["cases"][0];
    assert_eq!(
        (&course["flake_rate"], &course["still_fails"]),
        (&0.0.into(), &true.into()),
        "{out}"
    );
    assert!(course["first_bad"].as_str().unwrap().contains("new.jsonl"), "{out}");
    assert!(course["last_good"].as_str().unwrap().contains("old.jsonl"), "{out}");
    run(&["report", "history", &bad, &good]).shows(["fixed TOP_K1"]);
    // What one backend does says nothing of another.
    let other = good.replace("old.jsonl", "other.jsonl");
    let text = fs::read_to_string(&bad).unwrap();
    fs::write(&other, text.replacen("\"label\":\"cpu\"", "\"label\":\"gpu\"", 1)).unwrap();
    run(&["report", "history", &good, &other, &good, &other])
        .shows(["cpu:\n", "gpu:\nfails TOP_K1"])
        .omits("flaky, 100");
    let Ran { out, .. } = run(&["report", "history", &good, &other, "--format", "json"]);
    assert_eq!(json(&out)[1]["backend"], "gpu");
    run(&["report", "history", &bad, "--backend", "other"]).warns(2, ["no run of other"]);
}

#[test]
fn what_was_skipped_and_runs_now_is_not_new() {
    let skip = "\"outcome\":\"skip\",\"reason\":\"tired\"";
    let (old, new) = doctored("now judged", &[("\"outcome\":\"pass\"", skip)]);
    run(&["report", "diff", &new, &old]).prints(0, ["1 skipped before, now judged, "]);
}

#[test]
fn a_shard_without_cases_takes_nothing_from_the_whole() {
    let folder = folder("empty shard");
    let merged = at(&folder, "merged.jsonl");
    let parts = ["1", "2"].map(|part| {
        let path = at(&folder, &format!("{part}.jsonl"));
        let Ran { code, .. } = run(&["run", CASE, "--shard", &format!("{part}/2"), "--report", &path]);
        (code, path)
    });
    let mut codes = parts.each_ref().map(|(code, _)| *code);
    codes.sort_unstable();
    assert_eq!(codes, [0, 3], "one of them has the case");
    run(&["report", "merge", &parts[0].1, &parts[1].1, "--out", &merged]).exits(0);
    let text = fs::read_to_string(&merged).unwrap();
    let footer = json(text.lines().last().unwrap());
    assert_eq!(
        (&footer["complete"], &footer["incomplete"]),
        (&true.into(), &serde_json::Value::Null)
    );
    // Of nothing but such shards nothing is whole.
    let empty = parts.iter().find(|(code, _)| *code == 3).unwrap();
    let text = fs::read_to_string(&empty.1).unwrap();
    let (one, two) = (at(&folder, "one.jsonl"), at(&folder, "two.jsonl"));
    for (path, index) in [(&one, 1), (&two, 2)] {
        let (front, rest) = text.split_once("\"index\":").unwrap();
        fs::write(path, format!("{front}\"index\":{index}{}", &rest[1..])).unwrap();
    }
    run(&["report", "merge", &one, &two, "--out", &merged]).exits(3);
    // A shard of another selection is one of another run.
    store(&one, &["--shard", "1/2"]);
    store(&two, &["--shard", "2/2", "TOP_K1:2.1:values"]);
    run(&["report", "merge", &one, &two, "--out", &merged]).warns(2, ["they differ in what was selected"]);
}
