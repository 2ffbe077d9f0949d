//! `completions`: a script that lets a shell complete arguments.

use clap::CommandFactory;
use clap_complete::Shell;

use super::Cli;
use dml_report::Terminal;

/// Arguments of `completions`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The shell
    shell: Shell,
}

/// Prints the script.
pub(super) fn completions(args: &Args, terminal: &mut Terminal) {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "dml-cts", &mut script);
    terminal.bytes(&script);
}
