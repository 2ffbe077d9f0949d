//! `report`: what to make of stored runs.

use clap::Subcommand;

use super::{
    examples, render,
    stored::{diff, history, merge},
};
use dml_report::Terminal;

/// Subcommands of `report`.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Render stored runs as an HTML page, a summary for CI, or a JUnit report
    #[command(after_help = examples::RENDER)]
    Render(render::RenderArgs),
    /// Print a table of who conforms: backends side by side, by level and family
    #[command(after_help = examples::CONFORMS)]
    Conforms(render::ConformsArgs),
    /// Compare two runs: what regressed, what is fixed, what is new
    #[command(after_help = examples::REPORT_DIFF)]
    Diff(diff::Args),
    /// Show how often cases fail over several runs, and in which run they failed first
    #[command(after_help = examples::REPORT_HISTORY)]
    History(history::Args),
    /// Merge the shards of a run
    #[command(after_help = examples::REPORT_MERGE)]
    Merge(merge::Args),
}

/// Runs it; the exit code.
pub(super) fn report(command: &Command, terminal: &mut Terminal) -> anyhow::Result<u8> {
    match command {
        Command::Render(args) => render::render(args, terminal),
        Command::Conforms(args) => render::conforms(args, terminal),
        Command::Diff(args) => diff::diff(args, terminal),
        Command::History(args) => history::history(args, terminal),
        Command::Merge(args) => merge::merge(args, terminal),
    }
}
