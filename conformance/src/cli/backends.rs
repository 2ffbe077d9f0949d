//! `backends`, and what `--backend` may name.

use std::str::FromStr;

use dml_ops::{Backend, Levels};

use crate::report::{Style, Terminal, validator};

/// Every backend there is, in the order of the list.
pub(super) fn all() -> Vec<Box<dyn Backend>> {
    vec![Box::new(dml_kernels::cpu::backend())]
}

/// `[LABEL=]SPEC`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BackendArg {
    /// Name in reports.
    pub label: String,
    /// Name of the backend.
    pub name: String,
}

impl Default for BackendArg {
    fn default() -> Self {
        Self { label: "cpu".to_owned(), name: "cpu".to_owned() }
    }
}

impl FromStr for BackendArg {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        let (label, name) = s.split_once('=').unwrap_or((s, s));
        if !crate::id::is_word(label) {
            return Err(format!("`{label}` is no label; letters, digits, `.`, `_` and `-` are"));
        }
        let known: Vec<String> = all().iter().map(|b| b.info().name).collect();
        if !known.iter().any(|k| k == name) {
            return Err(format!("there is no backend `{name}`; there are: {}", known.join(", ")));
        }
        Ok(Self { label: label.to_owned(), name: name.to_owned() })
    }
}

impl BackendArg {
    /// The backend it names.
    pub(super) fn find(&self) -> Option<Box<dyn Backend>> {
        all().into_iter().find(|b| b.info().name == self.name)
    }
}

/// Prints the table; the exit code.
pub(super) fn backends(terminal: &mut Terminal) -> u8 {
    let head = format!("{:<10} {:<10} {:<6} {:<9} {:<10} {}", "backend", "version", "level", "levels", "validator", "operators");
    terminal.line(terminal.paint(Style::Strong, head));
    for backend in all() {
        let info = backend.info();
        let levels = match info.levels {
            Levels::Strict => "strict",
            Levels::Superset => "superset",
        };
        let (level, operators) = (info.feature_level.to_string(), info.operators.join(", "));
        let version = &info.version;
        terminal.line(format!(
            "{:<10} {version:<10} {level:<6} {levels:<9} {:<10} {operators}",
            info.name,
            validator(&info)
        ));
        for (name, value) in &info.details {
            terminal.line(format!("  {name}: {value}"));
        }
        if let Err(reason) = backend.open() {
            terminal.line(format!("  not available: {reason}"));
        }
    }
    terminal.note("run one with `dml-cts run --backend NAME`");
    0
}
