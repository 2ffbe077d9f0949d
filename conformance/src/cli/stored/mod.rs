//! `report`: stored runs compared, followed through time, put together from shards.

pub(super) mod diff;
mod history;
mod merge;
mod told;

use std::{fs::File, io::BufReader, path::Path};

use anyhow::Context;

use super::examples;
use crate::report::Terminal;

/// What can be done with stored runs.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Tell what a run does otherwise than one before: what regressed, what is fixed, what is new
    #[command(after_help = examples::REPORT_DIFF)]
    Diff(diff::Args),
    /// Tell how often cases fail over several runs, and in which they did first
    #[command(after_help = examples::REPORT_HISTORY)]
    History(history::Args),
    /// Put the shards of a run together
    #[command(after_help = examples::REPORT_MERGE)]
    Merge(merge::Args),
}

/// Runs the subcommand; the exit code.
pub(super) fn report(command: &Command, terminal: &mut Terminal) -> anyhow::Result<u8> {
    match command {
        Command::Diff(args) => diff::diff(args, terminal),
        Command::History(args) => history::history(args, terminal),
        Command::Merge(args) => merge::merge(args, terminal),
    }
}

fn open(path: &Path) -> anyhow::Result<BufReader<File>> {
    let file = File::open(path).with_context(|| path.display().to_string())?;
    Ok(BufReader::new(file))
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
