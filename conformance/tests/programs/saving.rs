//! What is kept of failures: saved cases, and lists of those that are known.

use std::fs;

use serde_json::Value as Json;

use crate::common::{GARBAGE, INNOCENT, ORDERED, dml_cts, sevens, temporary, with_fault};

pub(crate) fn failures_are_saved_small_and_run_again() {
    let folder = temporary("saved failures");
    let _ = fs::remove_dir_all(&folder);
    let (program, place) = (with_fault("bad"), folder.display().to_string());
    let run = |queries: &[&str]| {
        let options = ["run", "--jobs", "1", "--backend", &program, "--save-failures", &place];
        dml_cts(&[&options[..], queries].concat())
    };
    let sevens = sevens();
    let crashing: Vec<&str> = sevens.iter().map(String::as_str).collect();
    let queries = [&crashing[..], &[GARBAGE, INNOCENT]].concat();
    let ran = run(&queries);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let crash = folder.join("top_k1-crash.json");
    let text = fs::read_to_string(&crash).unwrap();
    assert!(text.contains("\"K\": 7") && text.contains("\"Sizes\": [8]"), "{text}");
    assert!(ran.out.contains("  saved     crash: 8 -> 7, 7"), "{}", ran.out);
    assert!(folder.join("top_k1-harness-error.json").exists(), "{}", ran.out);
    // Twice the same.
    run(&queries);
    assert_eq!(fs::read_to_string(&crash).unwrap(), text);
    let ran = run(&ORDERED);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let flaky = folder.join("top_k1-flaky.json");
    let file: Json = serde_json::from_str(&fs::read_to_string(&flaky).unwrap()).unwrap();
    assert_eq!(file["order"], serde_json::json!(ORDERED[1..]));
    for path in [crash, flaky] {
        let path = path.display().to_string();
        let command = ran.out.contains(&path).then_some(());
        assert!(command.is_some() || path.contains("crash"), "{}", ran.out);
        let ran = dml_cts(&["repro", &path, "--backend", &program]);
        assert_eq!(ran.code, Some(1), "{path}: {}{}", ran.out, ran.err);
        let ran = dml_cts(&["repro", &path]);
        assert_eq!(ran.code, Some(0), "{path}: {}{}", ran.out, ran.err);
    }
    let ran = dml_cts(&["repro", "README.md"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("README.md:1:1: no saved case"), "{}", ran.err);
}

pub(crate) fn what_is_flaky_is_saved_with_what_came_before() {
    let (folder, once) = (temporary("saved flaky"), temporary("saved flaky once"));
    let _ = (fs::remove_dir_all(&folder), fs::remove_file(&once));
    let (program, place) = (
        with_fault(&format!("wrong-once:'{}'", once.display())),
        folder.display().to_string(),
    );
    let options = [
        "run",
        "--jobs",
        "1",
        "--retries",
        "1",
        "--format",
        "json",
        "--backend",
        &program,
    ];
    let ran = dml_cts(&[&options[..], &["--save-failures", &place], &ORDERED[1..]].concat());
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    let path = folder.join("top_k1-flaky.json");
    let object: Json = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(object["saved"][0]["file"], path.display().to_string(), "{}", ran.out);
    assert_eq!(object["saved"][0]["class"], "flaky", "{}", ran.out);
    let file: Json = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    // What was asked for until it failed, and not what came behind.
    assert_eq!(file["order"], serde_json::json!(ORDERED[1..2]));
}

pub(crate) fn random_cases_find_what_is_bad() {
    let folder = temporary("fuzzed failures");
    let _ = fs::remove_dir_all(&folder);
    let (bad, place) = (with_fault("bad"), folder.display().to_string());
    let fuzz = |more: &[&str]| dml_cts(&[&["fuzz", "--jobs", "1", "--seed", "5"], more].concat());
    let ran = fuzz(&["TOP_K1", "--cases", "300"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("cpu: conformant; 300 cases"), "{}", ran.out);
    let query = "TOP_K1:3.1:values:type=FLOAT16";
    let ran = fuzz(&["--cases", "400", query, "--backend", &bad, "--save-failures", &place]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    let text = fs::read_to_string(folder.join("top_k1-crash.json")).unwrap();
    assert!(text.contains("\"K\": 7"), "{text}");
    let again = ran.out.lines().find_map(|line| line.trim().strip_prefix("again "));
    let id = again
        .and_then(|line| line.split('\'').rfind(|word| word.starts_with("TOP_K1")))
        .unwrap();
    assert_eq!(dml_cts(&["run", id]).code, Some(0), "{id}");
    let ran = fuzz(&["--cases", "9", "TOP_K2"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
}

pub(crate) fn failures_that_are_known_do_not_fail_a_run() {
    let (known, report) = (temporary("known.yaml"), temporary("known.jsonl"));
    let (known_path, report_path) = (known.display().to_string(), report.display().to_string());
    let program = with_fault("abort:type=UINT16");
    let failing = "TOP_K1:3.1:values:type=UINT16";
    let run = |entries: &str, query: &str| {
        fs::write(&known, entries).unwrap();
        let options = [
            "run",
            "--jobs",
            "1",
            "--backend",
            &program,
            "--expectations",
            &known_path,
        ];
        dml_cts(&[&options[..], &["--report", &report_path, query, INNOCENT]].concat())
    };
    let count: usize = dml_cts(&["list", "--count", failing]).out.trim().parse().unwrap();
    assert!(count > 3, "{count}");
    let ran = run(
        "- {query: 'TOP_K1:*:*:type=UINT16', outcome: crash, because: too short, link: 'http://x/7'}\n",
        failing,
    );
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let expected = format!("{count} x too short (http://x/7); first in");
    assert!(ran.out.contains(&expected), "{}", ran.out);
    assert!(ran.out.contains(&format!("{count} xfail")), "{}", ran.out);
    let text = fs::read_to_string(&report).unwrap();
    assert_eq!(text.matches("\"outcome\":\"xfail\"").count(), count, "{text}");
    assert!(text.contains("\"reason\":\"too short (http://x/7)\""), "{text}");
    assert!(text.contains(&format!("\"xfail\":{count}}}")), "{text}");
    // Another failure than the one that is known.
    let ran = run(
        "- {query: 'TOP_K1:*:*:type=UINT16', outcome: timeout, because: slow}\n",
        failing,
    );
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    assert!(ran.out.contains(&format!("{count} crash")), "{}", ran.out);
    // What passes is to be removed.
    let ran = run("- {query: 'TOP_K1:3.1:values', because: old}\n", ORDERED[0]);
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    assert!(
        ran.out.contains("xpass") && ran.out.contains("known.yaml:1:3 expects fail: old"),
        "{}",
        ran.out
    );
    for (entries, expected) in [
        (
            "- {query: 'TOP_K1:*:exampels', because: old}\n",
            "known.yaml:1:11: error[expectations::query]",
        ),
        ("- {query: 'TOP_K1:*:values'}\n", "the entry has no `because`"),
    ] {
        let ran = run(entries, ORDERED[0]);
        assert_eq!(ran.code, Some(2), "{}", ran.out);
        assert!(ran.err.contains(expected), "{}", ran.err);
    }
}

pub(crate) fn what_is_inconsistent_around_nan_is_saved_and_fails_nothing() {
    let folder = temporary("saved nan");
    let _ = fs::remove_dir_all(&folder);
    let (program, place) = (with_fault("misorder-nan"), folder.display().to_string());
    let query = "TOP_K1:3.1:values:type=FLOAT32,index=UINT32,sizes=1x1x1x4,axis=3,k=3,dir=DECREASING,values=nan-one";
    let run = |more: &[&str]| {
        let options = [
            "run",
            "--jobs",
            "1",
            "--backend",
            &program,
            "--save-failures",
            &place,
            query,
        ];
        dml_cts(&[&options[..], more].concat())
    };
    let ran = run(&[]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let path = folder.join("top_k1-nan-misordered.json");
    let expected = "inconsistent: nan-misordered; this does not fail the run";
    assert!(ran.out.contains(expected), "{}", ran.out);
    let command = ran
        .out
        .lines()
        .find_map(|line| line.trim().strip_prefix("dml-cts repro "));
    let mut words = shell_words::split(command.unwrap()).unwrap();
    assert_eq!(words[0], path.display().to_string());
    // Three elements are as few as there can be: two of them are in order with NaN beside them, whatever comes first.
    let file: Json = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(file["desc"]["InputTensor"]["Sizes"], serde_json::json!([3]), "{file}");
    assert_eq!(
        (&file["found"]["outcome"], &file["found"]["class"]),
        (&"unspecified".into(), &"nan-misordered".into())
    );
    words.insert(0, "repro".to_owned());
    let again = dml_cts(&words.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(again.code, Some(0), "{}{}", again.out, again.err);
    let expected = "is left open by TOP_K1/nan-order, so that it does not fail a run";
    assert!(
        again.out.contains("unspecified: nan-misordered: {") && again.out.contains(expected),
        "{}",
        again.out
    );
    let object: Json = serde_json::from_str(&run(&["--format", "json"]).out).unwrap();
    let saved = &object["saved"][0];
    assert_eq!(
        (&saved["clause"], &saved["outcome"]),
        (&"TOP_K1/nan-order".into(), &"unspecified".into())
    );
    // A backend that orders NaN has none.
    let planned = "TOP_K1:2.1:values:type=FLOAT32,values=nan-*";
    let ran = dml_cts(&["run", query, planned, "--save-failures", &place]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(!ran.out.contains("inconsistent"), "{}", ran.out);
}

pub(crate) fn an_accepted_fault_blames_what_refuses_it() {
    let file = temporary("accepted.json");
    let (program, path) = (with_fault("accept-all"), file.display().to_string());
    // A flag that nobody knows, which the runtimes alone refuse; K = axis size, which the text alone refuses.
    let desc = serde_json::json!({
        "InputTensor": tensor("FLOAT32", 2), "OutputValueTensor": tensor("FLOAT32", 0),
        "OutputIndexTensor": tensor("UINT32", 0),
        "Axis": 3, "K": 4, "AxisDirection": "DML_AXIS_DIRECTION_DECREASING",
    });
    let case = serde_json::json!({
        "format": "dml-cts-case", "version": 1, "operator": "TOP_K1", "feature_level": "2.1", "mode": "create",
        "desc": desc,
    });
    fs::write(&file, case.to_string()).unwrap();
    let ran = dml_cts(&["repro", &path, "--backend", &program]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    let broken: Vec<&str> = ran
        .out
        .lines()
        .filter_map(|line| line.strip_prefix("  breaks "))
        .collect();
    assert_eq!(broken, ["TENSOR/flags-known"], "{}", ran.out);
    let expected = ran.out.lines().find(|line| line.contains("wrongly-accepted")).unwrap();
    assert!(
        expected.ends_with("every runtime refuses it: TENSOR/flags-known"),
        "{expected}"
    );
    let words: Vec<&str> = ran.out.split_whitespace().collect();
    let expected = "axis has. (the text refuses the descriptor for that, the runtimes do not)";
    assert!(words.join(" ").contains(expected), "{}", ran.out);
}

fn tensor(data_type: &str, flags: u32) -> Json {
    serde_json::json!({
        "DataType": data_type, "Sizes": [1, 1, 2, 4], "TotalTensorSizeInBytes": 32, "Flags": flags,
    })
}
