//! What is accepted of every output of the plan, as a file, and two such files compared: the yardstick for another way to
//! say what operators compute.
//!
//! ```sh
//! cargo run --release -p dml-adequacy --example acceptances -- dump --tier standard OLD
//! cargo run --release -p dml-adequacy --example acceptances -- dump --tier standard --like OLD NEW
//! cargo run --release -p dml-adequacy --example acceptances -- compare OLD NEW
//! ```
//!
//! `--like` builds the cases that another dump holds, whatever the plan is now. `format.rs` describes the file. Exit code of `compare`: 0 if the files agree, 1 if not, 2 for bad input.

mod accept;
mod case;
mod compare;
mod dump;
mod encode;
mod format;
mod read;
#[cfg(test)]
mod tests;
mod write;

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
    time::Instant,
};

use clap::{Parser, Subcommand, ValueEnum};
use compare::Source;
use dml_case::{outcome::Basis, query::Query};
use dml_plan::planner::Planner;
use dml_spec::model::Tier;

/// What is accepted of every output of the plan
#[derive(Debug, Parser)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write what is accepted of each case to a file
    Dump {
        /// The file to write
        file: PathBuf,
        /// Only these cases, such as `TOP_K1` or `TOP_K1:2.1:examples`
        query: Option<Query>,
        /// The highest tier
        #[arg(long, value_enum, default_value = "smoke")]
        tier: TierWord,
        /// Whose word counts where the text and the runtimes differ
        #[arg(long, value_enum, default_value = "text")]
        basis: BasisWord,
        /// The cases of this dump instead of those of the plan
        #[arg(long, value_name = "OLD")]
        like: Option<PathBuf>,
    },
    /// Compare two files; exits with 0 if they agree, 1 if not, 2 for bad input
    Compare {
        /// What was accepted
        old: PathBuf,
        /// What is accepted now
        new: PathBuf,
        /// Allow elements to be judged that were open
        #[arg(long)]
        allow_judged: bool,
    },
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum TierWord {
    Smoke,
    Standard,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum BasisWord {
    Text,
    Runtime,
}

fn main() -> ExitCode {
    match run(Args::parse().command) {
        Ok(code) => code,
        Err(error) => {
            // If nobody reads the error either, the exit code has to do.
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(command: Command) -> anyhow::Result<ExitCode> {
    let (start, mut out) = (Instant::now(), io::stdout().lock());
    match command {
        Command::Dump {
            file,
            query,
            tier,
            basis,
            like,
        } => {
            let suite = Planner::new(dml_spec_yaml::load::catalog().clone());
            let suite = suite.map_err(|errors| anyhow::anyhow!("{}", errors.join("\n")))?;
            let selection = dump::Selection {
                tier: match tier {
                    TierWord::Smoke => Tier::Smoke,
                    TierWord::Standard => Tier::Standard,
                },
                basis: match basis {
                    BasisWord::Text => Basis::Text,
                    BasisWord::Runtime => Basis::Runtime,
                },
                query,
                like,
            };
            let dump::Dumped { cases, bytes, counts } = dump::dump(&suite, &selection, &file)?;
            let seconds = start.elapsed().as_secs_f64();
            writeln!(
                out,
                "{cases} cases, elements: {counts}; {bytes} bytes in {seconds:.1} s"
            )?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Compare { old, new, allow_judged } => {
            let comparison = compare::compare(Source::open(&old)?, Source::open(&new)?)?;
            comparison.write(&mut out, allow_judged)?;
            writeln!(out, "{:.1} s", start.elapsed().as_secs_f64())?;
            Ok(ExitCode::from(u8::from(!comparison.agrees(allow_judged))))
        }
    }
}
