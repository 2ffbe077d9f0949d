//! Runs and workers: what they print, store and exit with.

use std::{fs, process::Stdio};

use serde_json::Value;

use crate::common::{CASE, Ran, folder, program, run, run_command, run_with_input, store_run};

#[test]
fn one_case_runs_by_its_id() {
    let Ran { out, .. } = run(&["run", CASE]).exits(0);
    assert!(
        out.contains("levels 2.1; tier standard") && out.ends_with("cpu: conformant; 1 cases, 1 pass\n"),
        "{out}"
    );
}

#[test]
fn timings_tell_where_the_time_went() {
    let work = ["planning", "oracle", "backend", "judging", "results", "waiting"];
    let path = folder("timings").join("run.jsonl").display().to_string();
    let Ran { out, .. } = run(&["run", CASE, "--timings", "--report", &path]).exits(0);
    let (_, timings) = out
        .split_once("where the time went: 1 worker, all threads together\n")
        .unwrap();
    for (line, word) in timings.lines().zip(work) {
        assert!(
            line.starts_with(&format!("  {word} ")) && line.contains(" % "),
            "{line}"
        );
    }
    assert!(timings.contains(" cases a second"), "{timings}");
    assert!(out.lines().all(|line| line.chars().count() <= 100), "{out}");
    let lines = fs::read_to_string(&path).unwrap();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines[1]["ms"].is_number());
    let footer = lines.last().unwrap()["timings"].as_object().unwrap();
    let keys =
        |object: &serde_json::Map<String, Value>| object.keys().map(String::as_str).collect::<Vec<_>>().join(" ");
    assert_eq!(keys(footer), "backend judging oracle planning results waiting");
    let Ran { out, .. } = run(&["run", CASE, "--timings", "--format", "json"]);
    let object: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(keys(object["timings"].as_object().unwrap()), keys(footer));
    // Without the option nothing is printed, and stored runs stay what they were.
    run(&["run", CASE, "--report", &path]).omits("where the time went");
    let lines = fs::read_to_string(&path).unwrap();
    assert!(!lines.contains("\"timings\"") && !lines.contains("\"ms\""), "{lines}");
}

#[test]
fn options_that_nothing_obeys_are_told() {
    let report = folder("not obeyed").join("run.jsonl");
    let path = report.display().to_string();
    for option in ["--timeout=5", "--worker-memory=4G", "--trace=x"] {
        let given = |more: &[&str]| run(&[&["run", CASE, option, "--report", &path][..], more].concat());
        given(&["--no-isolate"]).warns(2, ["conflicts with --no-isolate; remove one of them"]);
        assert!(!report.exists());
    }
    // Where that is so by default, the run goes on.
    run(&["run", CASE, "--timeout=5"]).warns(0, ["--timeout has no effect", "--isolate"]);
    // A program obeys it, and so does a backend in a process of its own.
    let cpu = format!("exec:'{}' worker --backend cpu", env!("CARGO_BIN_EXE_dml-cts"));
    for more in [
        &["--isolate"][..],
        &["--no-isolate", "--backend", "cpu", "--backend", &format!("own={cpu}")],
    ] {
        let Ran { err, .. } = run(&[&["run", CASE, "--timeout=5"][..], more].concat()).exits(0);
        assert!(!err.contains("--timeout"), "{err}");
    }
}

#[test]
fn an_isolated_backend_gives_the_same_results() {
    let results = |isolate: &str| {
        let Ran { out, .. } = run(&[
            "run",
            "--tier",
            "smoke",
            "--format",
            "json",
            isolate,
            "TOP_K1:*:faults",
            CASE,
        ])
        .exits(0)
        .err_is("");
        let mut result: Value = serde_json::from_str(&out).unwrap();
        result["seconds"] = Value::Null;
        result
    };
    assert_eq!(results("--isolate"), results("--no-isolate"));
    for seconds in ["0", "-1", "x", "inf"] {
        run(&["run", "--isolate", &format!("--timeout={seconds}"), CASE]).warns(2, ["expected seconds, more than 0"]);
    }
}

#[test]
fn a_worker_speaks_the_protocol_and_nothing_else() {
    let hello = b"{\"type\":\"hello\",\"protocol\":1}\n";
    let Ran { out, .. } = run_with_input("worker --backend cpu", hello).exits(0).err_is("");
    let greeting: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&greeting["type"], &greeting["name"], &greeting["protocol"]),
        (&"hello".into(), &"cpu".into(), &1.into())
    );
    run_with_input("worker --backend cpu", b"hello?\n")
        .warns(2, ["no JSON", "`hello?`"])
        .out_is("");
    run("worker --backend gpu9").exits(2).out_is("");
}

#[test]
fn right_kernels_pass_what_designed_rows_found() {
    for (id, why) in [
        (
            "GEMM:4.0:layout:type=FLOAT32,a=3x33,b=3x64,c=given,ta=TRANSPOSE,tb=NONE,alpha=0,beta=0.5,act=relu,layout=transposed-output,values=infinities",
            "0 times a sum that has left the range is NaN",
        ),
        (
            "ELEMENT_WISE_CLIP:1.0:in-place:type=FLOAT32,sizes=1x1023x1x1,bias=0x0.5,min=200,max=-2147483648,layout=slack-odd,values=infinities,alias=InputTensor",
            "a scale of 0 makes NaN of infinities, which limits leave",
        ),
    ] {
        let ran = run(&["run", "--backend", "cpu", id]);
        assert!(ran.out.contains("cpu: conformant"), "{why}: {}", ran.out);
    }
    // Two windows wider than the padded output: the numbers of their places are negative, their product is not.
    let wide = "FOLD:6.4:values:type=UINT16,sizes=3x1x3x1x1x1x1x1,window=3x2x3x2x3x2,strides=1x1x1x1x1x1,dilations=2x1x2x1x2x1,before=2x1x2x1x2x1,after=0x0x0x0x0x0,values=near-equal";
    let shown = run(&["show", wide]);
    assert!(shown.out.contains("FOLD/block-count"), "{}", shown.out);
}

#[test]
fn a_named_id_runs_whatever_its_tier_and_need_not_be_planned() {
    let exhaustive = CASE.replace("k=5", "k=11");
    run(&["run", "--tier", "smoke", &exhaustive]).exits(0);
}

#[test]
fn the_json_form_has_the_documented_fields() {
    let Ran { out, .. } = run("run --format json --level 2_1 --tier smoke TOP_K1:*:examples").exits(0);
    let object: Value = serde_json::from_str(&out).unwrap();
    for (key, value) in [
        ("backend", Value::from("cpu")),
        ("tier", "smoke".into()),
        ("basis", "runtime".into()),
        ("levels", vec!["2.1"].into()),
        ("cases", 4.into()),
        ("pass", 4.into()),
        ("complete", true.into()),
    ] {
        assert_eq!(object[key], value, "{key}");
    }
    for key in [
        "fail",
        "xfail",
        "xpass",
        "skip",
        "unspecified",
        "crash",
        "timeout",
        "flaky",
        "seconds",
    ] {
        assert!(object[key].is_number(), "{key}");
    }
    for key in ["spec_digest", "corpus_digest"] {
        assert!(object[key].as_str().is_some_and(|digest| digest.len() >= 32), "{key}");
    }
}

#[test]
fn several_backends_give_an_array_under_their_labels() {
    let Ran { out, .. } = run(&[
        "run",
        "--backend",
        "one=cpu",
        "--backend",
        "cpu",
        "--format",
        "json",
        CASE,
    ])
    .exits(0);
    let array: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&array[0]["backend"], &array[1]["backend"]),
        (&"one".into(), &"cpu".into())
    );
}

#[test]
fn nothing_judged_is_incomplete() {
    run("run --level 1.0 TOP_K1")
        .prints(3, ["no table level; tier"])
        .warns(3, ["no case was judged"]);
    // The query matches in another tier, so it is no mistake.
    run("run --tier smoke TOP_K1:2.1:sizes:type=UINT64").exits(2);
    run("run --tier smoke TOP_K1:5.0:faults:type=FLOAT32").exits(3);
}

#[test]
fn stored_runs_are_the_same_bytes_for_any_number_of_workers() {
    let folder = folder("stored");
    let store = |name: &str, more: &[&str]| {
        let path = folder.join(name);
        let mut arguments = vec![
            "run",
            "--tier",
            "smoke",
            "TOP_K1:*:examples",
            "TOP_K1:*:support",
            "TOP_K1:*:sizes",
            "--report",
            path.to_str().unwrap(),
        ];
        arguments.extend(more);
        run(&arguments).exits(0);
        fs::read_to_string(path).unwrap()
    };
    let (one, four) = (
        store("one.jsonl", &["--jobs", "1"]),
        store("four.jsonl", &["--jobs", "4", "--batch", "5"]),
    );
    let cases = |text: &str| {
        text.lines()
            .filter(|l| l.contains(r#""type":"case""#))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let Ran { out, .. } = run("list --tier smoke TOP_K1:*:examples TOP_K1:*:support TOP_K1:*:sizes").exits(0);
    let planned = out.lines().count();
    assert!(planned > 20, "enough for several batches of every worker");
    assert_eq!(cases(&one).len(), planned);
    assert_eq!(cases(&one), cases(&four));
    let first: Value = serde_json::from_str(one.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&first["type"], &first["format"], &first["tier"]),
        (&"header".into(), &1.into(), &"smoke".into())
    );
    let last: Value = serde_json::from_str(one.lines().last().unwrap()).unwrap();
    assert_eq!(
        (&last["type"], &last["complete"], &last["counts"]["pass"]),
        (&"footer".into(), &true.into(), &planned.into())
    );

    // Nothing failed, so that nothing is to run again; a failure, edited in, is.
    let path = folder.join("one.jsonl");
    let again = ["run", "--rerun", path.to_str().unwrap(), "--format", "json"];
    run(&again).exits(3);
    run(&[&again[..], &["--quiet"]].concat()).warns(3, ["nothing failed in the stored run"]);
    store_run(&path, &one.replacen(r#""outcome":"pass""#, r#""outcome":"fail""#, 1));
    let Ran { code, out, .. } = run(&again);
    assert_eq!(
        (code, serde_json::from_str::<Value>(&out).unwrap()["cases"].clone()),
        (0, 1.into())
    );
    fs::write(&path, "{}\n").unwrap();
    run(&again).warns(2, ["one.jsonl:1: missing field `type`"]);
}

#[test]
fn output_that_nobody_reads_is_no_mistake() {
    let mut command = program();
    command.args(["list", "--tier", "smoke", "TOP_K1"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let ran = Ran::new(&command, child.wait_with_output().unwrap());
    ran.exits(0).err_is("");
}

#[test]
#[cfg(target_os = "linux")]
fn results_that_cannot_be_written_are_a_mistake() {
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    run_command(program().args(["list", "--count", "TOP_K1:2.1:values"]).stdout(full)).warns(2, ["standard output"]);
}

#[test]
fn an_empty_variable_names_no_library() {
    run_command(program().env("DML_CTS_DIRECTML_LIB", "").args(["run", CASE])).exits(0);
}

#[test]
fn cases_that_need_more_memory_than_there_is_are_skipped_and_told() {
    let large = "ELEMENT_WISE_CLIP:1.0:sizes:type=FLOAT32,sizes=1x1x1x1100003,bias=null,min=-0.5,max=0.5";
    let report = folder("memory").join("run.jsonl");
    let path = report.display().to_string();
    let given = |memory: &str, more: &[&str]| {
        run(&[&["run", CASE, large, "--memory", memory, "--report", &path][..], more].concat())
    };
    given("16MiB", &[]).prints(3, ["1 pass, 1 skip"]);
    let stored = fs::read_to_string(&report).unwrap();
    let line = stored.lines().find(|line| line.contains("memory: ")).unwrap();
    assert!(
        line.contains(large) && line.contains(" needed, 16 MiB allowed"),
        "{line}"
    );
    // By its kind, whatever the numbers; and by nothing else.
    given("16MiB", &["--allow-skip", "memory"]).exits(0);
    given("16MiB", &["--allow-skip", "mem"]).exits(3);
    given("512M", &[]).exits(0);
    given("much", &[]).warns(2, ["expected bytes, such as 512M or 4G"]);
}

#[test]
fn a_run_in_half_precision_says_so_wherever_it_goes() {
    let folder = folder("arithmetic");
    let path = |name: &str| folder.join(name).display().to_string();
    let stored = |name: &str, options: &[&str]| {
        let (report, trace) = (path(&format!("{name}.jsonl")), path(&format!("{name}.txt")));
        let words = ["run", "--isolate", "--report", &report, "--trace", &trace, CASE];
        let Ran { out, .. } = run(&[&words[..], options].concat()[..]).exits(0);
        (
            out,
            fs::read_to_string(report).unwrap(),
            fs::read_to_string(trace).unwrap(),
        )
    };
    let (out, before, trace) = stored("without", &[]);
    let all = out + &before + &trace;
    assert!(
        !all.contains("half-precision") && !all.contains("half_precision"),
        "{all}"
    );
    let (out, after, trace) = stored("with", &["--half-precision"]);
    assert!(out.contains("basis runtime with --half-precision; "), "{out}");
    assert!(trace.contains(r#","half_precision":true}"#), "{trace}");
    let header: Value = serde_json::from_str(after.lines().next().unwrap()).unwrap();
    assert_eq!(header["options"], serde_json::json!(["--half-precision"]));
    let again = header["again"].as_str().unwrap();
    assert!(again.ends_with("--isolate --half-precision"), "{again}");
    let (without, with) = (path("without.jsonl"), path("with.jsonl"));
    run(&["report", "diff", &without, &with]).prints(0, ["options none -> --half-precision"]);
    let page = path("page.md");
    run(&["report", "render", &with, "--out", &page]).exits(0);
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.contains("1 pass; with `--half-precision`"), "{text}");
    run(&["report", "conforms", &with]).prints(0, ["cpu was run with --half-precision."]);
    run(&["gate", "--level", "2.1", "--from", &with]).warns(
        3,
        ["the run is one with --half-precision; the gate needs one without it"],
    );
    run(&["run", "--rerun", &with]).warns(3, ["the stored run is one with --half-precision, and this one is not"]);
    run(&["run", "--rerun", &with, "--half-precision"])
        .exits(3)
        .omits("the stored run is one");
}
