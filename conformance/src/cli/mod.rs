//! The command line: arguments in, exit code out. One file a subcommand.

mod args;
mod atomic_write;
mod backend_args;
mod backends;
mod case;
mod completions;
mod compute;
mod coverage;
mod edit;
mod examples;
mod exit;
mod expect;
mod fetch;
mod fuzz;
mod gate;
mod import;
mod list;
mod mutants;
mod protocol;
mod removed;
mod render;
mod report;
mod repro;
mod run;
mod save;
mod show;
mod source;
mod spec;
mod stored;
mod validate;
mod verify;
mod verify_report;
mod worker;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use dml_report::Terminal;
use exit::USAGE;

/// Conformance test suite for DirectML operators.
///
/// Without a subcommand, tests the suite's own CPU backend.
#[derive(Debug, Parser)]
#[command(name = "dml-cts", version, after_help = EXIT_CODES, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

const EXIT_CODES: &str = "\
Exit codes: 0 conformant, 1 not conformant, 2 usage or specification error, 3 incomplete
(nothing judged, cut short, skips that were not allowed, or a plan that differs from its lock).";

#[derive(Debug, Subcommand)]
enum Command {
    /// Run cases on backends and judge the results
    #[command(after_help = examples::RUN)]
    Run(Box<run::Args>),
    /// Run a saved case again
    #[command(after_help = examples::REPRO)]
    Repro(Box<repro::Args>),
    /// Run random cases that the plan does not have
    #[command(after_help = examples::FUZZ)]
    Fuzz(Box<fuzz::Args>),
    /// Print the ids of cases
    #[command(after_help = examples::LIST)]
    List(list::Args),
    /// Show one case or clause in full, or a summary of an operator
    #[command(after_help = examples::SHOW)]
    Show(show::Args),
    /// Check a descriptor: print the clauses it violates
    #[command(after_help = examples::VALIDATE)]
    Validate(validate::Args),
    /// Compute what is expected of a descriptor and its inputs, with bounds
    #[command(after_help = examples::COMPUTE)]
    Compute(compute::Args),
    /// List the backends, and why one is not available
    #[command(after_help = examples::BACKENDS)]
    Backends(backends::Args),
    /// Serve a built-in backend over the protocol, on standard input and output
    #[command(after_help = examples::WORKER)]
    Worker(worker::Args),
    /// Check a program that is a backend
    #[command(subcommand)]
    #[command(after_help = examples::PROTOCOL)]
    Protocol(protocol::Command),
    /// Render, compare, track and merge stored runs
    #[command(subcommand)]
    #[command(after_help = examples::REPORT)]
    Report(report::Command),
    /// Check, edit and measure the specification
    #[command(subcommand)]
    #[command(after_help = examples::SPEC)]
    Spec(spec::Command),
    /// Check a backend against what a feature level requires
    #[command(after_help = examples::GATE)]
    Gate(Box<gate::Args>),
    /// Check files of known failures, and update them from stored runs
    #[command(subcommand)]
    #[command(after_help = examples::EXPECT)]
    Expect(expect::Command),
    /// Download optional libraries
    #[command(subcommand)]
    #[command(after_help = examples::FETCH)]
    Fetch(fetch::Command),
    /// Print a completion script for a shell
    #[command(after_help = examples::COMPLETIONS)]
    Completions(completions::Args),
}

/// Whether this word is a command of the program.
pub fn is_command(word: &str) -> bool {
    let known = Cli::command();
    word == "help" || known.get_subcommands().any(|command| command.get_name() == word)
}

/// Runs the program.
pub fn main() -> ExitCode {
    let mut terminal = Terminal::standard();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let arguments = std::env::args_os()
                .skip(1)
                .map(|word| word.to_string_lossy().into_owned());
            match removed::removed(&arguments.collect::<Vec<_>>()) {
                Some(message) if error.exit_code() != 0 => {
                    terminal.error(message);
                    return ExitCode::from(USAGE);
                }
                _ => error.exit(),
            }
        }
    };
    let code = dispatch(cli, &mut terminal).unwrap_or_else(|error| {
        terminal.error(format_args!("{error:#}"));
        USAGE
    });
    terminal.flush();
    match terminal.take_failure() {
        Some(error) => {
            terminal.error(format_args!("standard output: {error}"));
            ExitCode::from(USAGE)
        }
        None => ExitCode::from(code),
    }
}

fn dispatch(cli: Cli, terminal: &mut Terminal) -> anyhow::Result<u8> {
    match cli.command {
        None => {
            let code = run::run(&run::Args::default(), terminal)?;
            terminal.line("Test your own: `dml-cts run --backend 'exec:PROGRAM ARGS'`, see docs/protocol.md.");
            Ok(code)
        }
        Some(Command::Run(args)) => run::run(&args, terminal),
        Some(Command::Repro(args)) => repro::repro(&args, terminal),
        Some(Command::Fuzz(args)) => fuzz::fuzz(&args, terminal),
        Some(Command::List(args)) => list::list(&args, terminal),
        Some(Command::Show(args)) => show::show(&args, terminal),
        Some(Command::Validate(args)) => validate::validate(&args, terminal),
        Some(Command::Compute(args)) => compute::compute(&args, terminal),
        Some(Command::Backends(args)) => backends::backends(&args, terminal),
        Some(Command::Worker(args)) => worker::worker(&args, terminal),
        Some(Command::Protocol(command)) => protocol::protocol(&command, terminal),
        Some(Command::Report(command)) => report::report(&command, terminal),
        Some(Command::Spec(command)) => spec::spec(&command, terminal),
        Some(Command::Gate(args)) => gate::gate(&args, terminal),
        Some(Command::Expect(command)) => expect::expect(&command, terminal),
        Some(Command::Fetch(command)) => fetch::fetch(&command, terminal),
        Some(Command::Completions(args)) => {
            completions::completions(&args, terminal);
            Ok(0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_subcommand_has_examples_that_parse() {
        fn leaves(command: &clap::Command, found: &mut Vec<String>) {
            for sub in command.get_subcommands().filter(|c| c.get_name() != "help") {
                let help = sub.get_after_help().map(ToString::to_string).unwrap_or_default();
                let lines = help.lines().filter_map(|l| l.trim().strip_prefix("dml-cts "));
                let lines: Vec<&str> = lines.collect();
                assert!(!lines.is_empty(), "{} has no example", sub.get_name());
                found.extend(lines.iter().map(|l| (*l).to_owned()));
                leaves(sub, found);
            }
        }
        let mut examples = Vec::new();
        leaves(&Cli::command(), &mut examples);
        for example in examples {
            let words = example.split(['|', '>', '#']).next().unwrap_or_default();
            let words = words.split_whitespace().map(|w| w.trim_matches('\''));
            let parsed = Cli::try_parse_from(std::iter::once("dml-cts").chain(words));
            assert!(parsed.is_ok(), "{example}: {parsed:?}");
        }
    }
}
