//! `backends`, and what `--backend` may name.

use std::str::FromStr;

use dml_ops::Levels;

use crate::{
    backends::{self, Choice},
    report::{Style, Terminal, validator},
};

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
        Self {
            label: "cpu".to_owned(),
            name: "cpu".to_owned(),
        }
    }
}

impl FromStr for BackendArg {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        // Without a label the name is one.
        let (label, name) = s.split_once('=').unwrap_or((s, s));
        if label != s && !crate::id::is_word(label) {
            return Err(format!("`{label}` is no label; letters, digits, `.`, `_` and `-` are"));
        }
        backends::find(name).map_err(|e| e.to_string())?;
        Ok(Self {
            label: label.to_owned(),
            name: name.to_owned(),
        })
    }
}

/// Prints the table; the exit code.
pub(super) fn backends(terminal: &mut Terminal) -> u8 {
    let head = format!(
        "{:<10} {:<10} {:<6} {:<9} {:<10} {}",
        "backend", "version", "level", "levels", "validator", "operators"
    );
    terminal.line(terminal.paint(Style::Strong, head));
    for backend in backends::all() {
        let backend = backends::chosen(&backend.info().name, &Choice::default()).unwrap_or(backend);
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
        if info.name == backends::WITH_ADAPTER {
            for (index, adapter) in backends::adapters().iter().enumerate() {
                terminal.line(format!("  --adapter {index}: {adapter}"));
            }
        }
        if let Err(reason) = backend.open() {
            terminal.line(format!("  not available: {reason}"));
        }
    }
    terminal.note("run one with `dml-cts run --backend NAME`");
    0
}
