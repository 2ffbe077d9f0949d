//! Programs under test, as people start them: `dml-cts run --backend exec:…`.
//!
//! This program is one of them: started with a fault as its argument, it serves the CPU backend with that fault.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

mod faulty;

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Output},
};

use faulty::{tests, trial};
use libtest_mimic::Trial;
use serde_json::Value as Json;

fn main() -> ExitCode {
    faulty::main(trials)
}

fn trials() -> Vec<Trial> {
    let tests = tests![
        a_bad_program_gets_exactly_what_it_deserves,
        failures_are_saved_small_and_run_again,
        what_is_flaky_is_saved_with_what_came_before,
        failures_that_are_known_do_not_fail_a_run,
        random_cases_find_what_is_bad,
        a_debugger_has_all_the_time_it_needs,
        a_program_without_operators_is_incomplete,
        a_program_that_skips_everything_is_incomplete,
        a_program_that_dies_at_its_start_says_why,
        a_program_without_room_says_why,
        nothing_that_is_printed_reaches_the_terminal,
        mistakes_in_the_protocol_are_explained,
        the_c_adapter_needs_nothing_but_a_compiler,
        the_schema_describes_what_is_said,
        another_crate_has_the_whole_suite,
    ];
    let mut trials: Vec<Trial> = tests.into_iter().map(trial).collect();
    let has_numpy = python("import numpy").is_ok_and(|output| output.status.success());
    let numpy = tests![the_numpy_adapter_passes, numpy_reads_an_archive]
        .into_iter()
        .map(trial);
    trials.extend(numpy.map(|trial| trial.with_kind("numpy").with_ignored_flag(!has_numpy)));
    trials
}

fn python(code: &str) -> std::io::Result<Output> {
    Command::new("python3").args(["-c", code]).output()
}

/// What came of `dml-cts` with these arguments.
struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

fn dml_cts(arguments: &[&str]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_dml-cts"))
        .args(arguments)
        .current_dir(root())
        .output()
        .unwrap();
    Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// A path for one test.
fn temporary(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// This program as a backend with a fault.
fn with_fault(fault: &str) -> String {
    let program = env::current_exe().unwrap();
    format!("exec:'{}' {} {fault}", program.display(), faulty::WORKER)
}

/// Outcome and message of every case of a stored run.
fn outcomes(path: &Path) -> BTreeMap<String, (String, String)> {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    let case = |line: Json| {
        let id = line["id"].as_str()?.to_owned();
        let message = line["message"].as_str().unwrap_or_default().to_owned();
        Some((id, (line["outcome"].as_str()?.to_owned(), message)))
    };
    lines.filter_map(case).collect()
}

/// Cases without K = 4 and K = 5, among them guilty ones of three kinds.
const BUCKETS: [&str; 5] = [
    "TOP_K1:3.1:extremes:k=7",
    "TOP_K1:3.1:order:type=INT16,axis=2,k=3,dir=INCREASING",
    "TOP_K1:3.1:order:type=INT16,axis=1",
    "TOP_K1:3.1:order:type=UINT8,k=3,axis=2",
    "TOP_K1:3.1:order:type=FLOAT16,k=3",
];

/// An innocent one, one that is fatal to the third, and that one: it dies behind the second only.
const ORDERED: [&str; 3] = [
    "TOP_K1:3.1:examples:example=largest-two",
    "TOP_K1:3.1:ties:type=FLOAT32,index=UINT32,sizes=1x1x3x9,axis=3,k=4,dir=INCREASING,values=runs",
    "TOP_K1:3.1:ties:type=FLOAT32,index=UINT32,sizes=1x1x1x6,axis=3,k=5,dir=DECREASING,values=runs",
];

/// What the bad program deserves.
fn deserved(id: &str) -> &'static str {
    if id.contains(",k=7,") {
        "crash"
    } else if id.contains("type=INT16,") && id.contains(",axis=2,") {
        "timeout"
    } else if id.contains("type=UINT8,") {
        "harness-error"
    } else if id == ORDERED[2] {
        "flaky"
    } else {
        "pass"
    }
}

fn a_bad_program_gets_exactly_what_it_deserves() {
    for jobs in ["1", "4"] {
        let report = temporary(&format!("bad-{jobs}.jsonl"));
        let program = with_fault("bad");
        let report_path = report.display().to_string();
        let options = [
            "run",
            "--backend",
            &program,
            "--jobs",
            jobs,
            "--timeout",
            "2",
            "--report",
            &report_path,
        ];
        let ran = dml_cts(&[&options[..], &BUCKETS[..], &ORDERED[..]].concat());
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        let outcomes = outcomes(&report);
        let mut counts = BTreeMap::new();
        for (id, (outcome, message)) in &outcomes {
            assert_eq!(outcome, deserved(id), "{jobs} workers: {id}: {message}");
            *counts.entry(outcome.as_str()).or_insert(0) += 1;
            match outcome.as_str() {
                "crash" => assert!(message.contains("last words"), "{message}"),
                "timeout" => assert!(message.contains("no answer within 2 s"), "{message}"),
                "harness-error" => assert!(message.contains("no JSON") && message.contains("%s {}"), "{message}"),
                "flaky" => assert!(message.ends_with(&format!("it ran behind {}", ORDERED[1])), "{message}"),
                _ => {}
            }
        }
        let expected = [
            ("crash", 16),
            ("flaky", 1),
            ("harness-error", 8),
            ("pass", 50),
            ("timeout", 4),
        ];
        assert_eq!(counts, BTreeMap::from(expected), "{jobs} workers");
    }
}

fn failures_are_saved_small_and_run_again() {
    let folder = temporary("saved failures");
    let _ = fs::remove_dir_all(&folder);
    let (program, place) = (with_fault("bad"), folder.display().to_string());
    let run = |queries: &[&str]| {
        let options = ["run", "--jobs", "1", "--backend", &program, "--save-failures", &place];
        dml_cts(&[&options[..], queries].concat())
    };
    let queries = [BUCKETS[0], BUCKETS[3], BUCKETS[4]];
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
    assert!(ran.err.contains("README.md: no saved case"), "{}", ran.err);
}

fn what_is_flaky_is_saved_with_what_came_before() {
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

fn failures_that_are_known_do_not_fail_a_run() {
    let (known, report) = (temporary("known.yaml"), temporary("known.jsonl"));
    let (known_path, report_path) = (known.display().to_string(), report.display().to_string());
    let program = with_fault("bad");
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
        dml_cts(&[&options[..], &["--report", &report_path, query, BUCKETS[4]]].concat())
    };
    let ran = run(
        "- {query: 'TOP_K1:*:*:k=7', outcome: crash, reason: seven is unlucky, issue: 'http://x/7'}\n",
        BUCKETS[0],
    );
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(
        ran.out.contains("16 x seven is unlucky (http://x/7); first in"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("16 xfail"), "{}", ran.out);
    let text = fs::read_to_string(&report).unwrap();
    assert_eq!(text.matches("\"outcome\":\"xfail\"").count(), 16, "{text}");
    assert!(text.contains("\"reason\":\"seven is unlucky (http://x/7)\""), "{text}");
    assert!(text.contains("\"xfail\":16}"), "{text}");
    // Another failure than the one that is known.
    let ran = run(
        "- {query: 'TOP_K1:*:*:k=7', outcome: timeout, reason: slow}\n",
        BUCKETS[0],
    );
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    assert!(ran.out.contains("16 crash"), "{}", ran.out);
    // What passes is to be removed.
    let ran = run("- {query: 'TOP_K1:3.1:order', reason: old}\n", ORDERED[0]);
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    assert!(
        ran.out.contains("xpass") && ran.out.contains("known.yaml:1:3 expects a failure: old"),
        "{}",
        ran.out
    );
    for (entries, told) in [
        (
            "- {query: 'TOP_K1:*:exampels', reason: old}\n",
            "known.yaml:1:11: error[expectations::query]",
        ),
        ("- {query: 'TOP_K1:*:ties'}\n", "the entry has no `reason`"),
    ] {
        let ran = run(entries, ORDERED[0]);
        assert_eq!(ran.code, Some(2), "{}", ran.out);
        assert!(ran.err.contains(told), "{}", ran.err);
    }
}

fn random_cases_find_what_is_bad() {
    let folder = temporary("fuzzed failures");
    let _ = fs::remove_dir_all(&folder);
    let (bad, place) = (with_fault("bad"), folder.display().to_string());
    let fuzz = |more: &[&str]| dml_cts(&[&["fuzz", "--jobs", "1", "--seed", "5"], more].concat());
    let ran = fuzz(&["--cases", "300"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("cpu: conformant; 300 cases"), "{}", ran.out);
    let query = "TOP_K1:3.1:ties:type=FLOAT16";
    let ran = fuzz(&["--cases", "400", query, "--backend", &bad, "--save-failures", &place]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    let text = fs::read_to_string(folder.join("top_k1-crash.json")).unwrap();
    assert!(text.contains("\"K\": 7"), "{text}");
    let again = ran.out.lines().find_map(|line| line.trim().strip_prefix("again "));
    let id = again
        .and_then(|line| line.split('\'').rfind(|word| word.starts_with("TOP_K1")))
        .unwrap();
    assert_eq!(dml_cts(&["run", id]).code, Some(0), "{id}");
    let ran = fuzz(&["--cases", "9", "ARGMAX"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
}

fn a_debugger_has_all_the_time_it_needs() {
    // The input ends at once, as if Enter was pressed.
    let program = with_fault("none");
    let ran = dml_cts(&["run", "--backend", &program, "--timeout", "1", "--debug", ORDERED[0]]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(
        ran.err.contains("is process ") && ran.err.contains("press Enter"),
        "{}",
        ran.err
    );
    assert!(ran.out.contains("conformant; 1 cases"), "{}", ran.out);
}

fn numpy_reads_an_archive() {
    let archive = temporary("case.npz").display().to_string();
    for id in [
        ORDERED[0],
        "TOP_K1:2.1:layout:type=FLOAT16,index=UINT32,sizes=2x3x4x5,axis=2,k=2,dir=DECREASING,layout=padded",
    ] {
        let ran = dml_cts(&["show", id, "--export", "npz", "-o", &archive]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let code = format!(
            "import numpy\na = numpy.load({archive:?})\nx, k = a['InputTensor'], int(a['K'])\n\
             order = numpy.argsort(-x.astype(numpy.float64), axis=int(a['Axis']), kind='stable')\n\
             first = numpy.take(order, range(k), axis=int(a['Axis']))\n\
             assert (first == a['expected.OutputIndexTensor']).all(), first\n\
             print(a['operator'], a['expected.OutputValueTensor'].dtype == x.dtype)"
        );
        let output = python(&code).unwrap();
        let out = String::from_utf8(output.stdout).unwrap();
        assert_eq!(out.trim(), "TOP_K1 True", "{}", String::from_utf8_lossy(&output.stderr));
    }
}

fn a_program_without_operators_is_incomplete() {
    let ran = dml_cts(&["run", "--tier", "smoke", "--backend", &with_fault("no-operators")]);
    assert_eq!(ran.code, Some(3), "{}", ran.out);
    assert!(ran.err.contains("no case was judged"), "{}", ran.err);
}

fn a_program_that_skips_everything_is_incomplete() {
    let program = with_fault("skip-all");
    for more in [&[][..], &["--allow-skip", "tired"]] {
        let ran = dml_cts(&[&["run", "--tier", "smoke", "--backend", &program][..], more].concat());
        assert_eq!(ran.code, Some(3), "{}", ran.out);
        assert!(ran.err.contains("no case was judged"), "{}", ran.err);
    }
}

fn a_program_that_dies_at_its_start_says_why() {
    let ran = dml_cts(&["run", "--backend", &with_fault("die-at-start")]);
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    assert!(
        ran.err.contains("did not start in 3 tries") && ran.err.contains("it wrote: last words"),
        "{}",
        ran.err
    );
    let ran = dml_cts(&["run", "--backend", "exec:/there/is/nothing"]);
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    assert!(ran.err.contains("cannot be started"), "{}", ran.err);
}

fn a_program_without_room_says_why() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let program = with_fault("none");
    let run = |room: &str| {
        dml_cts(&[
            "run",
            "--tier",
            "smoke",
            "TOP_K1:2.1:ties",
            "--backend",
            &program,
            "--worker-memory",
            room,
        ])
    };
    assert_eq!(run("4G").code, Some(0));
    let ran = run("1M");
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    assert!(ran.err.contains("did not start in 3 tries"), "{}", ran.err);
}

fn nothing_that_is_printed_reaches_the_terminal() {
    for fault in ["bad", "skip-rudely"] {
        let program = with_fault(fault);
        let ran = dml_cts(&[
            "run",
            "-v",
            "--backend",
            &program,
            "TOP_K1:3.1:order:type=UINT8,k=3,axis=2",
        ]);
        assert!(ran.code.is_some_and(|code| code != 0), "{}", ran.out);
        for text in [&ran.out, &ran.err] {
            assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
        }
    }
}

fn mistakes_in_the_protocol_are_explained() {
    let check = |fault: &str| dml_cts(&["protocol", "check", "--timeout", "1", &with_fault(fault)]);
    let ran = check("none");
    assert_eq!(
        (ran.code, ran.out.contains("keeps to the protocol")),
        (Some(0), true),
        "{}",
        ran.out
    );
    for (fault, told) in [
        ("print:", "only answers belong on standard output"),
        ("hang:", "are answers flushed"),
        ("short:", "bytes, expected"),
        ("unknown-id:", "which was never made"),
        ("no-operators", "`operators` is empty"),
        ("unknown-field:", "unknown field `colour`"),
    ] {
        let ran = check(fault);
        assert_eq!(ran.code, Some(1), "{fault}: {}", ran.out);
        let lines = ran.out.lines().filter(|line| line.starts_with("wrong "));
        assert!(lines.clone().any(|line| line.contains(told)), "{fault}: {}", ran.out);
    }
    assert_eq!(check("die-at-start").code, Some(3));
}

/// Builds the adapter in C; where it is.
fn c_adapter() -> PathBuf {
    static BUILT: std::sync::OnceLock<PathBuf> = std::sync::OnceLock::new();
    let build = || {
        let program = temporary("top_k1");
        let source = root().join("kernels/adapters/top_k1.c");
        let mut compiler = Command::new("cc");
        compiler.args(["-O2", "-o"]).arg(&program).arg(source);
        assert!(compiler.status().unwrap().success());
        program
    };
    BUILT.get_or_init(build).clone()
}

fn the_c_adapter_needs_nothing_but_a_compiler() {
    let program = format!("c=exec:'{}'", c_adapter().display());
    let ran = dml_cts(&["run", "--tier", "smoke", "--backend", &program]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("c: conformant"), "{}", ran.out);
}

fn the_numpy_adapter_passes() {
    let program = "exec:python3 kernels/adapters/numpy_top_k1.py";
    let ran = dml_cts(&["run", "--tier", "smoke", "--strict-reasons", "--backend", program]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
}

fn the_schema_describes_what_is_said() {
    let schema: Json = serde_json::from_str(include_str!("../protocol.schema.json")).unwrap();
    let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
    compiler.add_resource("mem:///protocol", schema).unwrap();
    let harness = compiler
        .compile("mem:///protocol#/$defs/fromHarness", &mut schemas)
        .unwrap();
    let program = compiler
        .compile("mem:///protocol#/$defs/fromProgram", &mut schemas)
        .unwrap();
    let trace = temporary("schema.trace");
    let trace_path = trace.display().to_string();
    let large = "TOP_K1:2.1:sizes:type=FLOAT32,index=UINT32,sizes=1x1x2x40000,axis=3,k=30000,dir=DECREASING";
    let (own, c) = (with_fault("none"), format!("exec:'{}'", c_adapter().display()));
    for backend in [
        &own,
        &c,
        &with_fault("skip-all"),
        &with_fault("unavailable"),
        &with_fault("lose"),
    ] {
        let queries = ["TOP_K1:2.1:examples", "TOP_K1:2.1:faults:type=FLOAT32", large];
        dml_cts(
            &[
                &["run", "--tier", "smoke", "--backend", backend, "--trace", &trace_path][..],
                &queries,
            ]
            .concat(),
        );
        let text = fs::read_to_string(&trace).unwrap();
        for line in text.lines() {
            let words: Vec<&str> = line.splitn(3, ' ').collect();
            let (side, message) = match words[..] {
                [_, "->", message] => (harness, message),
                [_, "<-", message] => (program, message),
                _ => continue,
            };
            let message: Json = serde_json::from_str(message).unwrap();
            let checked = schemas.validate(&message, side);
            assert!(checked.is_ok(), "{line}: {}", checked.err().unwrap());
        }
        assert!(text.lines().count() >= 2, "{text}");
    }
    let wrong = serde_json::json!({"type": "created", "id": 1, "colour": "red"});
    assert!(schemas.validate(&wrong, program).is_err());
}

/// A crate outside the workspace, offline, with the packages that this one was built from.
fn another_crate_has_the_whole_suite() {
    let (folder, manifest) = (temporary("another crate"), root().join("Cargo.toml"));
    fs::create_dir_all(folder.join("tests")).unwrap();
    let profile = fs::read_to_string(manifest).unwrap();
    let profile = &profile[profile.find("[profile.dev]").unwrap()..];
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).display().to_string();
    let text = format!(
        "[package]\nname = \"another\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\npath = \"lib.rs\"\n\n\
         [dev-dependencies]\ndml-conformance = {{ path = {suite:?}, default-features = {} }}\n\n\
         [[test]]\nname = \"conformance\"\nharness = false\n\n[workspace]\n\n{profile}",
        cfg!(feature = "wgpu")
    );
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write("Cargo.toml", &text);
    write("lib.rs", "");
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    write("tests/conformance.rs", include_str!("../examples/own_kernel.rs"));
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    write("known.yaml", "- {query: 'TOP_K1:2.1:examples', reason: old}\n");
    let cargo_with = |known: &str, arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO"));
        command
            .args(["test", "--offline", "--test", "conformance", "--"])
            .args(arguments);
        command
            .current_dir(&folder)
            .env("CARGO_TARGET_DIR", target)
            .env("DML_CTS_TIER", "smoke");
        if !known.is_empty() {
            command.env("DML_CTS_EXPECTATIONS", known);
        }
        let output = command.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let cargo = |arguments: &[&str]| cargo_with("", arguments);
    let (code, out, err) = cargo(&["TOP_K1:2.1:"]);
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(
        out.contains("test TOP_K1:2.1:ties:FLOAT32") && out.contains("0 failed"),
        "{out}"
    );
    // What passes although it is known to fail, and a file that is not there.
    let (code, out, err) = cargo_with("known.yaml", &["TOP_K1:2.1:examples"]);
    assert_eq!(code, Some(101), "{out}{err}");
    assert!(
        out.contains("xpass: TOP_K1:2.1:examples") && out.contains("known.yaml:1:3 expects a failure: old"),
        "{out}"
    );
    let (code, _, err) = cargo_with("unknown.yaml", &["TOP_K1:2.1:examples"]);
    assert!(code != Some(0) && err.contains("unknown.yaml: "), "{err}");
    for isolate in [&[][..], &["--isolate"]] {
        let (code, out, err) = cargo(&[&["run", "--tier", "smoke"][..], isolate].concat());
        assert_eq!(code, Some(0), "{out}{err}");
        assert!(out.contains("own: conformant"), "{out}");
    }
}
