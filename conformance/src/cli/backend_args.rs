//! Arguments that set how a backend is started and judged, shared by the commands that test one.

use std::{
    fmt::Display,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::Context;
use clap::ValueEnum;
use dml_ops::Backend;
use dml_spec::{FeatureLevel, answer::Info};

use super::{
    args::{Bytes, DirectMlArgs, Seconds, SpecArgs, adapter},
    backends::BackendArg,
    source::Loaded,
};
use crate::backends::{self, Choice, NotCompiled, Spec, WITH_LIBRARY, Watch};
use dml_case::{
    nearest::{excerpt, nearest},
    outcome::Basis,
};
use dml_report::{Terminal, results::HALF_PRECISION};
use dml_run::process::Trace;

/// How a backend is started.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct StartArgs {
    /// Adapter of the backend wgpu: part of its name, its number in `dml-cts backends`, or `software`
    #[arg(long, value_name = "NAME", value_parser = adapter)]
    pub adapter: Option<String>,
    #[command(flatten)]
    pub directml: DirectMlArgs,
    /// Run the backend in its own process, so that the run survives its crashes and hangs (default for wgpu and
    /// directml)
    #[arg(long, conflicts_with = "no_isolate")]
    pub isolate: bool,
    /// Run the backend in this process (default for cpu and reference)
    #[arg(long)]
    pub no_isolate: bool,
    /// Kill a backend in its own process if it takes longer than S seconds between two answers; default: 60. The first
    /// answer may take at least 30 s
    #[arg(long, value_name = "S")]
    pub timeout: Option<Seconds>,
    /// Memory limit of a backend in its own process, such as 512M or 4G (Linux)
    #[arg(long, value_name = "SIZE")]
    pub worker_memory: Option<Bytes>,
    /// Write every message to and from backends in their own process to this file
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
}

impl StartArgs {
    /// The file of the conversation, started.
    pub(super) fn open_trace(&self) -> anyhow::Result<Option<Trace>> {
        let open = |path: &PathBuf| Trace::create(path).with_context(|| path.display().to_string());
        self.trace.as_ref().map(open).transpose()
    }

    /// Fails if options that only watch other processes are to hold for backends that all run in this one; if that
    /// is only so by default, what to add.
    pub(super) fn check_watched<'s>(
        &self,
        mut specs: impl Iterator<Item = &'s Spec>,
    ) -> anyhow::Result<Option<String>> {
        let given = [
            (self.timeout.is_some(), "--timeout"),
            (self.worker_memory.is_some(), "--worker-memory"),
            (self.trace.is_some(), "--trace"),
        ];
        let Some((_, option)) = given.into_iter().find(|(is_given, _)| *is_given) else {
            return Ok(None);
        };
        if specs.any(|spec| self.is_watched(spec)) {
            return Ok(None);
        }
        anyhow::ensure!(
            !self.no_isolate,
            "{option} needs a backend in its own process and conflicts with --no-isolate; remove one of them"
        );
        Ok(Some(format!(
            "{option} has no effect on a backend in this process; pass --isolate"
        )))
    }

    /// Whether a backend runs in a process of its own.
    fn is_watched(&self, spec: &Spec) -> bool {
        match spec {
            Spec::Program(_) => true,
            Spec::BuiltIn(name) => !self.no_isolate && (self.isolate || backends::is_isolated(name)),
        }
    }

    /// How programs are watched.
    pub(super) fn watch(&self, loaded: &Loaded, trace: Option<Trace>) -> Watch {
        Watch {
            timeout: self.timeout.unwrap_or_default().0,
            memory: self.worker_memory.map(|bytes| bytes.0),
            trace,
            ..Watch::new(Arc::new(loaded.suite.catalog.clone()))
        }
    }

    /// Checks that backends are there if one of their options is.
    ///
    /// # Errors
    /// If this program was built without one of them.
    pub(super) fn check_compiled(&self) -> Result<(), NotCompiled> {
        if self.adapter.is_some() {
            backends::require_compiled(backends::WITH_ADAPTER)?;
        }
        self.directml.check_compiled()
    }

    /// Starts a backend, in a process of its own if it is a program, or that is asked for or usual.
    pub(super) fn start(
        &self,
        spec: &Spec,
        folder: &SpecArgs,
        level: Option<FeatureLevel>,
        watch: &Watch,
    ) -> anyhow::Result<Box<dyn Backend>> {
        self.check_compiled()?;
        let is_wgpu = matches!(spec, Spec::BuiltIn(name) if name == backends::WITH_ADAPTER);
        let adapter = self.adapter.as_deref().filter(|_| is_wgpu);
        let choice = Choice {
            specification: Some(Arc::clone(&watch.catalog)),
            ..self.directml.choice(adapter, level)
        };
        match spec {
            Spec::Program(words) => backends::program(words, watch),
            Spec::BuiltIn(name) if self.is_watched(spec) => {
                backends::isolated(name, &choice, folder.dir.as_deref(), watch)
            }
            Spec::BuiltIn(name) => backends::chosen(name, &choice),
        }
    }

    /// Adds the arguments that were given, but for those that only watch, and those of other backends.
    fn spell(&self, spec: &Spec, text: &mut String) {
        let is = |name| matches!(spec, Spec::BuiltIn(found) if found == name);
        if is(backends::WITH_ADAPTER) {
            option(text, "adapter", self.adapter.as_ref());
        }
        if is(backends::WITH_LIBRARY) {
            option(
                text,
                "directml-lib",
                self.directml.library.as_deref().map(Path::display),
            );
            option(text, "directml-device", self.directml.device.as_ref());
            option(text, "d3d12-lib", self.directml.d3d12.as_deref().map(Path::display));
        }
        if matches!(spec, Spec::BuiltIn(_)) {
            for (name, given) in [("isolate", self.isolate), ("no-isolate", self.no_isolate)] {
                text.push_str(&if given { format!(" --{name}") } else { String::new() });
            }
        }
        if self.is_watched(spec) {
            option(text, "timeout", self.timeout);
            option(text, "worker-memory", self.worker_memory);
        }
    }
}

/// The one backend that a command tests.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct TestedArgs {
    /// Backend to test: `cpu`, `reference`, `wgpu`, `directml` or `exec:PROGRAM ARGS`
    #[arg(long, value_name = "[LABEL=]SPEC", default_value_t)]
    pub backend: BackendArg,
    #[command(flatten)]
    pub start: StartArgs,
    #[command(flatten)]
    pub judging: JudgeArgs,
    #[command(flatten)]
    pub spec: SpecArgs,
    /// Print only the result
    #[arg(short, long)]
    pub quiet: bool,
}

/// Tells of operators of a program that the specification does not know: no case is sent for these.
pub(super) fn warn_of_unknown(spec: &Spec, info: &Info, loaded: &Loaded, terminal: &mut Terminal) {
    let suite = &loaded.suite;
    let is_unknown = |name: &&String| suite.operator(name).is_none();
    let mut unknown = info.operators.iter().filter(is_unknown);
    let (Spec::Program(_), Some(first)) = (spec, unknown.next()) else {
        return;
    };
    let more = match unknown.count() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let names = suite.catalog.operators.iter().map(|operator| &*operator.name);
    let near = match nearest(first, names, 1).first() {
        Some(near) => format!(" (nearest: {near})"),
        None => String::new(),
    };
    terminal.warn(format!(
        "{} names operators that the specification does not know: {}{near}{more}; `dml-cts protocol check` says more",
        excerpt(&info.name),
        excerpt(first)
    ));
}

impl TestedArgs {
    /// Starts the backend, with its label in reports.
    pub(super) fn start(
        &self,
        loaded: &Loaded,
        level: Option<FeatureLevel>,
        terminal: &mut Terminal,
    ) -> anyhow::Result<(Box<dyn Backend>, String)> {
        let BackendArg { label, spec } = &self.backend;
        if let Some(remark) = self.start.check_watched(std::iter::once(spec))? {
            terminal.warn(remark);
        }
        let watch = self.start.watch(loaded, self.start.open_trace()?);
        let backend = self.start.start(spec, &self.spec, level, &watch)?;
        warn_of_unknown(spec, &backend.info(), loaded, terminal);
        let label = label.clone().unwrap_or_else(|| excerpt(&backend.info().name));
        Ok((backend, label))
    }

    /// The arguments of a command that asks the backend again.
    pub(super) fn again(&self) -> String {
        rerun_arguments(&self.backend.spec, &self.start, &self.spec, &self.judging)
    }
}

/// How answers are judged.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct JudgeArgs {
    /// Which expectation counts if the text is silent or contradicts the runtimes
    #[arg(long, value_enum, default_value_t)]
    pub basis: BasisArg,
    /// Fail a case if its rejection names clauses that the descriptor does not violate
    #[arg(long)]
    pub strict_reasons: bool,
    /// Allow FLOAT16 tensors to be computed in half precision: set the flag of `directml`, tell programs, and accept what
    /// FLOAT16 arithmetic comes to beside what FLOAT32 arithmetic comes to
    #[arg(long)]
    pub half_precision: bool,
    /// Backend `directml`: also send descriptors on which releases were seen to end the process, or to answer at random
    #[arg(long)]
    pub erratic: bool,
    /// Judge descriptors alone: skip what runs an operator, as `create-only`
    #[arg(long)]
    pub create_only: bool,
}

impl JudgeArgs {
    /// Whether descriptors on which releases are erratic are sent to this backend: to all but a release.
    pub(super) fn sends_erratic(&self, backend: &Info) -> bool {
        self.erratic || backend.name != WITH_LIBRARY
    }

    /// The arguments as they were given.
    fn spelled(&self) -> String {
        let mut text = String::new();
        if self.basis != BasisArg::default() {
            text.push_str(&format!(" --basis {}", self.basis.word()));
        }
        if self.strict_reasons {
            text.push_str(" --strict-reasons");
        }
        if self.half_precision {
            text.push_str(&format!(" {HALF_PRECISION}"));
        }
        if self.erratic {
            text.push_str(" --erratic");
        }
        if self.create_only {
            text.push_str(" --create-only");
        }
        text
    }
}

/// What stands behind a command that asks the same backend again, started and judged the same way.
pub(super) fn rerun_arguments(spec: &Spec, start: &StartArgs, folder: &SpecArgs, judging: &JudgeArgs) -> String {
    let mut text = format!("--backend {}", shell_words::quote(&spec.to_string()));
    option(&mut text, "spec", folder.dir.as_deref().map(Path::display));
    start.spell(spec, &mut text);
    text + &judging.spelled()
}

/// Adds an option if it was given.
fn option(text: &mut String, name: &str, value: Option<impl Display>) {
    if let Some(value) = value {
        text.push_str(&format!(" --{name} {}", shell_words::quote(&value.to_string())));
    }
}

/// Whose word counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum BasisArg {
    /// What all measured runtimes do
    #[default]
    Runtime,
    /// What the text says; behaviour that was only observed never fails
    Text,
}

impl BasisArg {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Runtime => "runtime",
            Self::Text => "text",
        }
    }

    pub(super) fn basis(self) -> Basis {
        match self {
            Self::Runtime => Basis::Runtime,
            Self::Text => Basis::Text,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Given {
        #[command(flatten)]
        start: StartArgs,
        #[command(flatten)]
        judging: JudgeArgs,
        #[command(flatten)]
        spec: SpecArgs,
    }

    fn spelled(spec: &Spec, words: &str) -> String {
        let words = std::iter::once("dml-cts").chain(words.split_whitespace());
        let given = Given::try_parse_from(words).unwrap();
        rerun_arguments(spec, &given.start, &given.spec, &given.judging)
    }

    #[test]
    fn what_was_given_is_given_again() {
        let built_in = |name: &str| Spec::BuiltIn(name.to_owned());
        let program = Spec::Program(vec!["./my kernel".to_owned()]);
        assert_eq!(spelled(&built_in("cpu"), ""), "--backend cpu");
        let all = "--spec dir --adapter soft --directml-lib x.so --directml-device warp --d3d12-lib y.so \
                   --isolate --timeout 5.5 --worker-memory 2G --basis text --strict-reasons --half-precision";
        assert_eq!(
            spelled(&built_in("wgpu"), all),
            "--backend wgpu --spec dir --adapter soft --isolate --timeout 5.5 --worker-memory 2G --basis text \
             --strict-reasons --half-precision"
        );
        assert_eq!(
            spelled(&program, all),
            r"--backend 'exec:'\''./my kernel'\''' --spec dir --timeout 5.5 --worker-memory 2G --basis text --strict-reasons --half-precision"
        );
        assert_eq!(
            spelled(
                &built_in("directml"),
                &all.replace("--isolate", "--no-isolate").replace("warp", "null")
            ),
            "--backend directml --spec dir --directml-lib x.so --directml-device null --d3d12-lib y.so --no-isolate \
             --basis text --strict-reasons --half-precision"
        );
        // As it is read again.
        for words in ["--worker-memory 1000", "--worker-memory 3K", "--timeout 0.25"] {
            let again = spelled(&built_in("cpu"), &format!("--isolate {words}"));
            assert_eq!(again, format!("--backend cpu --isolate {words}"));
        }
        // Nobody would obey it.
        assert_eq!(spelled(&built_in("cpu"), "--timeout 1"), "--backend cpu");
    }
}
