//! What others start from: the protocol and its schema, the adapters, a crate of its own.

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use serde_json::Value as Json;

use crate::common::{ORDERED, dml_cts, python, root, temporary, with_fault};

pub(crate) fn numpy_reads_an_archive() {
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

pub(crate) fn the_c_adapter_needs_nothing_but_a_compiler() {
    let program = format!("c=exec:'{}'", c_adapter().display());
    let ran = dml_cts(&["run", "--tier", "smoke", "--backend", &program, "TOP_K1"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("c: conformant"), "{}", ran.out);
}

/// An adapter in Python as a backend, with the specification that this suite exports.
fn python_adapter(name: &str) -> String {
    python_program(&format!("kernels/adapters/{name}.py"))
}

/// A program in Python as a backend, by its path and arguments, with the specification that this suite exports.
pub(crate) fn python_program(command: &str) -> String {
    static EXPORTED: std::sync::OnceLock<PathBuf> = std::sync::OnceLock::new();
    let exported = EXPORTED.get_or_init(|| {
        let file = temporary("specification.json");
        let path = file.display().to_string();
        let ran = dml_cts(&["spec", "export", "--format", "json", "--out", &path]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        file
    });
    format!("exec:python3 {command} --spec '{}'", exported.display())
}

pub(crate) fn the_numpy_adapter_passes() {
    let program = python_adapter("numpy_top_k1");
    let ran = dml_cts(&[
        "run",
        "--tier",
        "smoke",
        "--strict-reasons",
        "--backend",
        &program,
        "TOP_K1",
    ]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
}

/// Every descriptor of every operator that nothing is computed for, by rules that another program reads.
pub(crate) fn exported_rules_judge_as_the_suite_does() {
    let program = format!("rules={}", python_adapter("validator"));
    let ran = dml_cts(&[
        "run",
        "--tier",
        "smoke",
        "--strict-reasons",
        "--allow-skip",
        "create-only",
        "--backend",
        &program,
    ]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("rules: conformant"), "{}", ran.out);
}

pub(crate) fn a_program_without_its_specification_says_how_to_get_it() {
    let missing = temporary("no such specification.json");
    let program = format!(
        "exec:python3 kernels/adapters/validator.py --spec '{}'",
        missing.display()
    );
    let ran = dml_cts(&["run", "--tier", "smoke", "TOP_K1", "--backend", &program]);
    assert_eq!(ran.code, Some(3), "{}{}", ran.out, ran.err);
    let remedy = format!("dml-cts spec export --format json --out '{}'", missing.display());
    assert!(ran.err.replace('\n', " ").contains(&remedy), "{}", ran.err);
}

pub(crate) fn mistakes_in_the_protocol_are_explained() {
    let check = |fault: &str| dml_cts(&["protocol", "check", "--timeout", "1", &with_fault(fault)]);
    let ran = check("none");
    assert_eq!(
        (ran.code, ran.out.contains("keeps to the protocol")),
        (Some(0), true),
        "{}",
        ran.out
    );
    for (fault, message) in [
        ("print:", "only answers belong on standard output"),
        ("hang:", "are answers flushed"),
        ("short:", "bytes, expected"),
        ("unknown-id:", "which was never made"),
        ("no-operators", "`operators` is empty"),
        ("unknown-field:", "unknown field `colour`"),
        ("twice-late:", "was answered before; the line: `{"),
        ("early:", "which was never made; the line: `{"),
    ] {
        let ran = check(fault);
        assert_eq!(ran.code, Some(1), "{fault}: {}", ran.out);
        let lines = ran.out.lines().filter(|line| line.starts_with("wrong "));
        assert!(lines.clone().any(|line| line.contains(message)), "{fault}: {}", ran.out);
    }
    assert_eq!(check("die-at-start").code, Some(3));
    for (program, message) in [
        (
            "exec:cat",
            "it echoes what it is sent; a program answers with a `hello` of its own",
        ),
        (&with_fault("no-abilities"), "neither `create` nor `execute` is named"),
    ] {
        let ran = dml_cts(&["protocol", "check", program]);
        assert_eq!(ran.code, Some(3), "{}", ran.out);
        assert!(ran.err.contains(message), "{}", ran.err);
    }
}

pub(crate) fn the_schema_describes_what_is_said() {
    let schema: Json = serde_json::from_str(include_str!("../../protocol.schema.json")).unwrap();
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
                // One that knows it from its request, and has no need to look.
                if backend == &c { &["--half-precision"] } else { &[] },
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

/// What `main` of the suite is for a crate with a kernel of its own; `.ci/deep` builds one outside the workspace.
pub(crate) fn another_crate_has_the_whole_suite() {
    let folder = temporary("another crate");
    fs::create_dir_all(&folder).unwrap();
    fs::write(
        folder.join("known.yaml"),
        "- {query: 'TOP_K1:2.1:examples', because: old}\n",
    )
    .unwrap();
    let example = own_kernel();
    let run_with = |known: &str, arguments: &[&str]| {
        let mut command = Command::new(&example);
        command
            .args(arguments)
            .current_dir(&folder)
            .env("DML_CTS_TIER", "smoke");
        if !known.is_empty() {
            command.env("DML_CTS_EXPECTATIONS", known);
        }
        let output = command.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let run = |arguments: &[&str]| run_with("", arguments);
    let (code, out, err) = run(&["TOP_K1:2.1:"]);
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(
        out.contains("test TOP_K1:2.1:values:FLOAT32") && out.contains("0 failed"),
        "{out}"
    );
    // What passes although it is known to fail, and a file that is not there.
    let (code, out, err) = run_with("known.yaml", &["TOP_K1:2.1:examples"]);
    assert_eq!(code, Some(101), "{out}{err}");
    assert!(
        out.contains("xpass: TOP_K1:2.1:examples") && out.contains("known.yaml:1:3 expects fail: old"),
        "{out}"
    );
    let (code, _, err) = run_with("unknown.yaml", &["TOP_K1:2.1:examples"]);
    assert!(code != Some(0) && err.contains("unknown.yaml: "), "{err}");
    // As cargo-nextest asks for tests, and runs each: `cargo nextest run --partition`, also from an archive.
    let (code, listed, err) = run(&["--list", "--format", "terse"]);
    assert_eq!(code, Some(0), "{listed}{err}");
    let names: BTreeSet<&str> = listed.lines().filter_map(|line| line.strip_suffix(": test")).collect();
    assert_eq!(
        names.len(),
        listed.lines().count(),
        "every line is a test, none is there twice: {listed}"
    );
    assert!(names.contains("TOP_K1:2.1:values:FLOAT32"), "{listed}");
    let (code, ignored, err) = run(&["--list", "--format", "terse", "--ignored"]);
    assert_eq!((code, ignored.as_str()), (Some(0), ""), "{err}");
    let (code, out, err) = run(&["TOP_K1:2.1:values:FLOAT32", "--exact", "--nocapture"]);
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(out.contains("running 1 test\n"), "{out}");
    for isolate in [&[][..], &["--isolate"]] {
        let (code, out, err) = run(&[&["run", "--tier", "smoke", "TOP_K1"][..], isolate].concat());
        assert_eq!(code, Some(0), "{out}{err}");
        assert!(out.contains("own: conformant"), "{out}");
    }
}

/// The example `own_kernel`, which cargo builds with all tests. If only these were asked for, it is missing or older than
/// the program, and built here.
fn own_kernel() -> PathBuf {
    let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let name = format!("own_kernel{}", env::consts::EXE_SUFFIX);
    let example = target.join(profile).join("examples").join(name);
    let built = |path: &Path| fs::metadata(path).and_then(|file| file.modified());
    let program = built(Path::new(env!("CARGO_BIN_EXE_dml-cts"))).unwrap();
    // One build links both, one after the other.
    if built(&example).is_ok_and(|example| example + Duration::from_secs(600) > program) {
        return example;
    }
    let mut build = Command::new(env!("CARGO"));
    build.args([
        "build",
        "--offline",
        "--quiet",
        "--package",
        "dml-conformance",
        "--example",
        "own_kernel",
    ]);
    build.args((profile == "release").then_some("--release"));
    let status = build.current_dir(root()).env("CARGO_TARGET_DIR", target).status();
    assert!(status.unwrap().success());
    example
}
