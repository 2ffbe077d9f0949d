//! The program as a command, and what came of it.

use std::{
    collections::BTreeMap,
    fmt::Display,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use serde_json::Value;

/// A small case, legal at the lowest level. It need not be planned: what needs a planned one takes [`planned_case`].
pub(crate) const CASE: &str =
    "TOP_K1:2.1:values:type=FLOAT32,index=UINT32,sizes=1x2x17x3,axis=2,k=5,dir=DECREASING,values=ascending";

pub(crate) fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dml-cts"));
    command.env("NO_COLOR", "1").current_dir(root());
    command
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// What came of the program.
pub(crate) struct Ran {
    /// Its arguments.
    command: String,
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn new(command: &Command, output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Self {
            command: format!("{:?}", command.get_args().collect::<Vec<_>>()),
            code: output.status.code().unwrap(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }

    #[track_caller]
    fn check(self, is_right: bool, expected: impl Display) -> Self {
        let Self {
            command,
            code,
            out,
            err,
        } = &self;
        assert!(is_right, "{command} exits with {code}, expected {expected}\n{out}{err}");
        self
    }

    /// Checks the exit code.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        let is_right = self.code == code;
        self.check(is_right, code)
    }

    /// Checks the exit code, and that standard output holds these texts.
    #[track_caller]
    pub(crate) fn prints<const N: usize>(self, code: i32, texts: [&str; N]) -> Self {
        self.exits(code).shows(texts)
    }

    /// Checks the exit code, and that standard error holds these texts.
    #[track_caller]
    pub(crate) fn warns<const N: usize>(self, code: i32, texts: [&str; N]) -> Self {
        self.exits(code).notes(texts)
    }

    /// Checks that standard output holds these texts.
    #[track_caller]
    pub(crate) fn shows<const N: usize>(self, texts: [&str; N]) -> Self {
        let missing = texts.into_iter().find(|text| !self.out.contains(text));
        self.check(missing.is_none(), format_args!("{missing:?} on standard output"))
    }

    /// Checks that standard error holds these texts.
    #[track_caller]
    pub(crate) fn notes<const N: usize>(self, texts: [&str; N]) -> Self {
        let missing = texts.into_iter().find(|text| !self.err.contains(text));
        self.check(missing.is_none(), format_args!("{missing:?} on standard error"))
    }

    /// Checks that standard output does not hold this text.
    #[track_caller]
    pub(crate) fn omits(self, text: &str) -> Self {
        let is_right = !self.out.contains(text);
        self.check(is_right, format_args!("no {text:?} on standard output"))
    }

    /// Checks that lines of standard output fit 100 columns, but for ids of cases: they stand whole, on a line of their
    /// own, so that they can be copied.
    #[track_caller]
    pub(crate) fn fits(self) -> Self {
        let is_id = |line: &str| line.trim().split(':').count() > 3 && !line.trim().contains(' ');
        let is_long = |line: &&str| !is_id(line) && line.chars().count() > 100;
        let long = self.out.lines().find(is_long).map(str::to_owned);
        self.check(long.is_none(), format_args!("no line such as {long:?}"))
    }

    /// Checks that nothing that is printed controls a terminal.
    #[track_caller]
    pub(crate) fn stays_plain(self) -> Self {
        let is_control = |c: char| c.is_control() && c != '\n';
        let is_right = !self.out.contains(is_control) && !self.err.contains(is_control);
        self.check(is_right, "plain text")
    }

    /// Checks all of standard output.
    #[track_caller]
    pub(crate) fn out_is(self, text: &str) -> Self {
        let is_right = self.out == text;
        self.check(is_right, format_args!("`{text}` as standard output"))
    }

    /// Checks all of standard error.
    #[track_caller]
    pub(crate) fn err_is(self, text: &str) -> Self {
        let is_right = self.err == text;
        self.check(is_right, format_args!("`{text}` as standard error"))
    }
}

/// Arguments: a list, or a line as in a shell.
pub(crate) trait Words {
    fn words(&self) -> Vec<String>;
}

impl Words for str {
    fn words(&self) -> Vec<String> {
        shell_words::split(self).unwrap()
    }
}

impl Words for [&str] {
    fn words(&self) -> Vec<String> {
        self.iter().map(|word| (*word).to_owned()).collect()
    }
}

impl<const N: usize> Words for [&str; N] {
    fn words(&self) -> Vec<String> {
        self[..].words()
    }
}

impl Words for Vec<&str> {
    fn words(&self) -> Vec<String> {
        self[..].words()
    }
}

/// Runs the program.
pub(crate) fn run(arguments: &(impl Words + ?Sized)) -> Ran {
    run_command(program().args(arguments.words()))
}

/// The id of a planned case of the smallest tier, with the keys of [`CASE`].
pub(crate) fn planned_case() -> String {
    let Ran { out, .. } = run("list --tier smoke TOP_K1:2.1:values:dir=DECREASING").exits(0);
    out.lines().next().expect("a case").to_owned()
}

/// Runs a command of the program.
pub(crate) fn run_command(command: &mut Command) -> Ran {
    let output = command.output().unwrap();
    Ran::new(command, output)
}

pub(crate) fn run_with_input(arguments: &(impl Words + ?Sized), input: &[u8]) -> Ran {
    let mut command = program();
    command.args(arguments.words()).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    Ran::new(&command, output)
}

/// An empty folder for one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The operators of [`copied`]: those that its tests name. All others would only take time.
const COPIED: [&str; 7] = [
    "activation_identity",
    "activation_leaky_relu",
    "activation_linear",
    "cast",
    "gather",
    "top_k",
    "top_k1",
];

/// A copy of the specification of a few operators, with what a test needs of it edited.
pub(crate) fn copied(name: &str, edits: &[(&str, &str)]) -> PathBuf {
    let (folder, spec) = (folder(name), root().join("spec"));
    fs::create_dir_all(folder.join("operators")).expect("a folder");
    fs::copy(spec.join("directml.yaml"), folder.join("directml.yaml")).expect("a copy");
    for operator in COPIED {
        let file = format!("operators/{operator}.yaml");
        fs::copy(spec.join(&file), folder.join(&file)).expect("a copy");
    }
    edit(&folder, edits);
    folder
}

pub(crate) fn yaml(folder: &Path) -> PathBuf {
    folder.join("operators/top_k1.yaml")
}

pub(crate) fn edit(folder: &Path, edits: &[(&str, &str)]) {
    let mut text = fs::read_to_string(yaml(folder)).expect("a file");
    for (from, to) in edits {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    fs::write(yaml(folder), text).expect("written");
}

/// Runs a subcommand of `spec` on a folder.
pub(crate) fn spec(dir: &Path, arguments: &(impl Words + ?Sized)) -> Ran {
    run_command(program().arg("spec").args(arguments.words()).arg("--spec").arg(dir))
}

pub(crate) fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// Writes a stored run that was changed by hand, so that footers count what stands before them.
pub(crate) fn store_run(path: impl AsRef<Path>, text: &str) {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut out = String::new();
    for line in text.lines() {
        let outcome = line
            .split("\"outcome\":\"")
            .nth(1)
            .and_then(|rest| rest.split('"').next());
        let kind = |kind: &str| line.starts_with(&format!("{{\"type\":\"{kind}\""));
        if kind("header") {
            counts.clear();
        }
        if let Some(outcome) = outcome.filter(|_| kind("case")) {
            *counts.entry(outcome.to_owned()).or_default() += 1;
        }
        if kind("footer") {
            let (front, rest) = line.split_once("\"counts\":{").expect("counts");
            let (_, rest) = rest.split_once('}').expect("an end");
            let counts = serde_json::to_string(&counts).expect("JSON");
            out.push_str(&format!("{front}\"counts\":{counts}{rest}\n"));
        } else {
            out.push_str(line);
            out.push('\n');
        }
    }
    fs::write(path, out).expect("written");
}
