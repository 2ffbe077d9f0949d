//! `report`: what to make of stored runs.

use clap::Subcommand;

use super::{examples, render};
use crate::report::Terminal;

/// Subcommands of `report`.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Make a document of stored runs: a page for people, a summary for CI, or a test report
    #[command(after_help = examples::RENDER)]
    Render(render::RenderArgs),
    /// Print who conforms: backends beside each other, by level and family
    #[command(after_help = examples::CONFORMS)]
    Conforms(render::ConformsArgs),
}

/// Runs it; the exit code.
pub(super) fn report(command: &Command, terminal: &mut Terminal) -> anyhow::Result<u8> {
    match command {
        Command::Render(args) => render::render(args, terminal),
        Command::Conforms(args) => render::conforms(args, terminal),
    }
}
