//! `backends`, and what `--backend` may name.

use std::{fmt, str::FromStr, sync::Arc};

use dml_ops::{Backend, Info, Unavailable};
use dml_spec::{FeatureLevel, model::Operator};

use super::args::DirectMlArgs;
use crate::backends::{self, Choice, Spec, Watch};
use dml_case::text::{WIDTH, wrapped};
use dml_report::{Style, Terminal};

/// `[LABEL=]SPEC`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BackendArg {
    /// Name in reports; without one a backend has its own.
    pub label: Option<String>,
    /// What it is.
    pub spec: Spec,
}

impl Default for BackendArg {
    fn default() -> Self {
        Self {
            label: None,
            spec: Spec::BuiltIn(backends::default_name()),
        }
    }
}

impl fmt::Display for BackendArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let label = self.label.iter().map(|label| format!("{label}="));
        write!(f, "{}{}", label.collect::<String>(), self.spec)
    }
}

impl FromStr for BackendArg {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        // A command may hold `=` as well, but no label holds `:`.
        let (label, spec) = match s.split_once('=') {
            Some((label, spec)) if !label.contains(':') => (Some(label), spec),
            _ => (None, s),
        };
        if let Some(wrong) = label.filter(|label| !dml_case::id::is_word(label)) {
            return Err(format!(
                "invalid label `{wrong}`; expected letters, digits, `.`, `_` and `-`"
            ));
        }
        Ok(Self {
            label: label.map(str::to_owned),
            spec: spec.parse()?,
        })
    }
}

/// Arguments of `backends`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    directml: DirectMlArgs,
    /// Feature level that the DirectML library must have
    #[arg(long, value_name = "LEVEL")]
    level: Option<FeatureLevel>,
}

/// Prints the table; the exit code.
pub(super) fn backends(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let head = format!(
        "{:<10} {:<10} {:<6} {:<9} {}",
        "backend", "version", "level", "levels", "validator"
    );
    terminal.line(terminal.paint(Style::Strong, head));
    let choice = Choice {
        specification: Some(Arc::new(crate::spec::catalog().clone())),
        ..args.directml.choice(None, args.level)
    };
    for backend in backends::all() {
        let (info, missing) = state(backend, &choice)?;
        let levels = info.levels.word();
        let level = info.feature_level.to_string();
        let version = &info.version;
        terminal.line(format!(
            "{:<10} {version:<10} {level:<6} {levels:<9} {}",
            info.name,
            info.validator.word()
        ));
        operators(&info, terminal);
        for (name, value) in &info.details {
            terminal.line(format!("  {name}: {value}"));
        }
        if info.name == backends::WITH_ADAPTER {
            for (index, adapter) in backends::adapters().iter().enumerate() {
                terminal.line(format!("  --adapter {index}: {adapter}"));
            }
        }
        if let Some(reason) = missing {
            not_available(&reason, terminal);
        }
    }
    for missing in backends::not_compiled() {
        terminal.line(format!("{:<10} {:<10} {:<6} {:<9} -", missing.0, "-", "-", "-"));
        not_available(&missing, terminal);
    }
    terminal.note("run one with `dml-cts run --backend NAME`, a program with `--backend 'exec:PROGRAM ARGS'`");
    Ok(0)
}

/// Says why a backend cannot be run.
fn not_available(reason: &dyn fmt::Display, terminal: &mut Terminal) {
    let text = format!("not available: {reason}");
    for (i, line) in wrapped(text.split(' '), " ", WIDTH - 4).into_iter().enumerate() {
        terminal.line(format!("{}{line}", if i == 0 { "  " } else { "    " }));
    }
}

/// The operators that a backend runs, those whose descriptors alone are judged, and how many more it names than the
/// specification.
fn operators(info: &Info, terminal: &mut Terminal) {
    let catalog = dml_spec_yaml::load::catalog();
    let known = info.operators.iter().filter_map(|name| catalog.operator(name));
    let (computed, described): (Vec<&Operator>, Vec<&Operator>) = known.partition(|known| known.is_computed());
    let more = info.operators.len() - computed.len() - described.len();
    for (label, known) in [("  operators: ", computed), ("  descriptors only: ", described)] {
        if !known.is_empty() {
            terminal.listed(label, known.iter().map(|operator| &*operator.name));
        }
    }
    if more > 0 {
        terminal.line(format!("  not in the specification: {more} more"));
    }
}

/// A backend with what was chosen, and why it is not available. A library is loaded in another process: a broken one
/// may end it.
fn state(backend: Box<dyn Backend>, choice: &Choice) -> anyhow::Result<(Info, Option<Unavailable>)> {
    let name = backend.info().name;
    let own = backends::chosen(&name, choice).unwrap_or(backend);
    if name != backends::WITH_LIBRARY {
        return Ok((own.info(), own.open().err()));
    }
    let watch = Watch::new(Arc::new(crate::spec::catalog().clone()));
    let isolated = backends::isolated(&name, choice, None, &watch)?;
    Ok(match isolated.open() {
        Ok(_) => (isolated.info(), None),
        Err(why) => (own.info(), Some(why)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_cut_into_words_as_a_shell_does() {
        let parsed = |text: &str| text.parse::<BackendArg>();
        let words = |words: &[&str]| Spec::Program(words.iter().map(|w| (*w).to_owned()).collect());
        let own = parsed("exec:./a b=c 'd, e' \"f g\"").unwrap();
        assert_eq!(
            own,
            BackendArg {
                label: None,
                spec: words(&["./a", "b=c", "d, e", "f g"])
            }
        );
        let named = parsed("mine=exec:a --b=c,d").unwrap();
        assert_eq!(
            named,
            BackendArg {
                label: Some("mine".to_owned()),
                spec: words(&["a", "--b=c,d"])
            }
        );
        assert_eq!(named.spec.to_string().parse(), Ok(named.spec));
        assert_eq!(parsed("x=cpu").unwrap().label.as_deref(), Some("x"));
        for (text, expected) in [
            ("exec:", "names no program"),
            ("exec:'a", "is not closed"),
            ("a b=cpu", "invalid label"),
            ("cppu", "unknown backend `cppu`"),
        ] {
            let error = parsed(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
