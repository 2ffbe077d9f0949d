//! Stored runs compared, followed through time, put together from shards.

mod comparison_report;
pub(super) mod diff;
pub(super) mod history;
pub(super) mod merge;

use std::{fs::File, io::BufReader, path::Path};

use anyhow::Context;

use crate::cli::exit::INCOMPLETE;
use dml_report::Terminal;
use dml_report::results::Reader;

/// The lines of a file.
pub(crate) fn open(path: &Path) -> anyhow::Result<Reader<BufReader<File>>> {
    Reader::open(path).with_context(|| shown(path))
}

/// Says which runs are damaged: cut short, or with other lines than their footers count. The exit code for that alone.
pub(crate) fn damaged(damage: &[String], terminal: &mut Terminal) -> u8 {
    damage.iter().for_each(|what| terminal.warn(what));
    if damage.is_empty() { 0 } else { INCOMPLETE }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
