//! Which of the old wrong backends the plan kills, and what a run would say of each: the yardstick for explanations.
//!
//! ```sh
//! cargo run --release -p dml-adequacy --example zoo -- --tier standard
//! cargo run --release -p dml-adequacy --example zoo -- TOP_K1 --sample 20 --json zoo.jsonl
//! ```
//!
//! Each fault is a right backend with one mistake. A fault that computes something wrong answers the cases that a run
//! would compare, those first by their digests, and is explained as a run explains its failures. Exit code: 0 if every
//! fault is killed that some case can tell from a right backend, 1 if not, 2 for bad input.

mod attributes;
mod conditions;
mod drawn;
mod fault;
mod finding;
mod hunt;
mod prey;
mod reading;
mod scene;
mod strides;
mod survey;
mod table;
#[cfg(test)]
mod tests;
mod validating;
mod walk;
mod writing;

use std::{
    fs::File,
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
    time::Instant,
};

use anyhow::Context as _;
use clap::{Parser, ValueEnum};
use dml_plan::planner::Planner;
use dml_spec::model::{Operator, Tier};

use crate::finding::Finding;

/// Which of the old wrong backends the plan kills, and what a run would say of each
#[derive(Debug, Parser)]
struct Args {
    /// Only these operators, such as `TOP_K1`
    operators: Vec<String>,
    /// The highest tier
    #[arg(long, value_enum, default_value = "smoke")]
    tier: TierWord,
    /// Print this many of the killed faults, chosen by a hash, with what is said of each
    #[arg(long)]
    sample: Option<usize>,
    /// Write a line of JSON for each fault to this file, operator by operator
    #[arg(long)]
    json: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum TierWord {
    Smoke,
    Standard,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(code) => code,
        Err(error) => {
            // If nobody reads the error either, the exit code has to do.
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let suite = Planner::new(dml_spec_yaml::load::catalog().clone());
    let suite = suite.map_err(|errors| anyhow::anyhow!("{}", errors.join("\n")))?;
    let tier = match args.tier {
        TierWord::Smoke => Tier::Smoke,
        TierWord::Standard => Tier::Standard,
    };
    let mut json = match &args.json {
        Some(path) => Some(File::create(path).with_context(|| format!("cannot create {}", path.display()))?),
        None => None,
    };
    let operators = chosen(&suite, &args.operators)?;
    let mut all: Vec<Finding> = Vec::new();
    for (number, operator) in operators.iter().enumerate() {
        let start = Instant::now();
        let found = survey::survey(&suite, operator, tier);
        writeln!(
            io::stderr(),
            "{} of {}: {}, {} faults, {:.1} s",
            number + 1,
            operators.len(),
            operator.name,
            found.len(),
            start.elapsed().as_secs_f64()
        )?;
        if let Some(file) = &mut json {
            for finding in &found {
                writeln!(file, "{}", serde_json::to_string(finding)?)?;
            }
        }
        all.extend(found);
    }
    let mut out = io::stdout().lock();
    table::write(&mut out, &all)?;
    if let Some(count) = args.sample {
        table::write_sample(&mut out, &all, count)?;
    }
    let is_fine = all.iter().all(|finding| finding.fate.is_fine());
    Ok(ExitCode::from(u8::from(!is_fine)))
}

/// The operators of these names that an oracle computes; all of them if none is named.
fn chosen<'a>(suite: &'a Planner, names: &[String]) -> anyhow::Result<Vec<&'a Operator>> {
    if names.is_empty() {
        let all = suite.catalog.operators.iter();
        return Ok(all
            .filter(|operator| dml_legacy::oracle::oracle(&operator.name).is_some())
            .collect());
    }
    let find = |name: &String| {
        let found = suite.operator(name).map(|(operator, _)| operator);
        found.with_context(|| format!("unknown operator `{name}`"))
    };
    names.iter().map(find).collect()
}
