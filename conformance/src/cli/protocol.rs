//! `protocol`: what a program does wrong.

use std::path::PathBuf;

use anyhow::Context;

use super::{
    args::{Seconds, SpecArgs},
    examples,
    exit::INCOMPLETE,
    source,
};
use crate::backends::{self, Spec, Watch};
use dml_case::text::counted;
use dml_report::{Style, Terminal};
use dml_run::process::{self, StartError, Trace};

/// Exit code if a program makes mistakes.
const MISTAKES: u8 = 1;

/// Subcommands.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Run a program through the protocol and explain each mistake in one line
    #[command(after_help = examples::PROTOCOL)]
    Check(Args),
}

/// Arguments of `protocol check`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The program, as `exec:PROGRAM ARGS`
    #[arg(value_name = "SPEC")]
    program: Spec,
    /// Time limit between two answers, in seconds; the first answer may take at least 30 s
    #[arg(long, value_name = "S", default_value = "5")]
    timeout: Seconds,
    /// Write every message sent and received to this file
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    #[command(flatten)]
    spec: SpecArgs,
}

/// Runs a subcommand; the exit code.
pub(super) fn protocol(command: &Command, terminal: &mut Terminal) -> anyhow::Result<u8> {
    match command {
        Command::Check(args) => check(args, terminal),
    }
}

fn check(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let Spec::Program(words) = &args.program else {
        anyhow::bail!("{} is built in; a program is `exec:PROGRAM ARGS`", args.program);
    };
    let program = backends::command(words).context("no program is named")?;
    let loaded = source::load(&args.spec, terminal)?;
    let trace = args.trace.as_deref().map(Trace::create).transpose();
    let watch = Watch {
        timeout: args.timeout.0,
        trace: trace.context("trace")?,
        ..Watch::new(std::sync::Arc::new(loaded.suite.catalog.clone()))
    };
    let steps = match process::check(&program, &loaded.suite, &watch.limits()) {
        Ok(steps) => steps,
        Err(StartError::Usage(message)) => anyhow::bail!(message),
        Err(StartError::Unavailable(why)) => {
            terminal.error(why);
            return Ok(INCOMPLETE);
        }
    };
    let mut mistakes = 0;
    for step in steps {
        mistakes += step.mistakes.len();
        if step.mistakes.is_empty() {
            terminal.line(format!("{} {}", terminal.paint(Style::Good, "ok   "), step.what));
        }
        for mistake in step.mistakes {
            let label = terminal.paint(Style::Bad, "wrong");
            terminal.line(format!("{label} {}: {mistake}", step.what));
        }
    }
    terminal.line(match mistakes {
        0 => "the program keeps to the protocol".to_owned(),
        count => format!("{} in the protocol", counted(count, "mistake")),
    });
    Ok(if mistakes == 0 { 0 } else { MISTAKES })
}
