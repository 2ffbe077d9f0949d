//! `fetch`: what the suite can use and does not carry.

use anyhow::Context;
use dml_spec::FeatureLevel;

use super::exit::INCOMPLETE;
use dml_report::Terminal;
use dml_run::directml::{self, RELEASES};

/// What can be fetched.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Download Microsoft's DirectML libraries (Python wheels, with pip) into the user's cache folder
    #[command(after_help = super::examples::FETCH_DIRECTML)]
    Directml(Args),
}

/// Arguments of `fetch directml`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Only the library with this highest feature level (repeatable)
    #[arg(long = "level", value_name = "LEVEL")]
    levels: Vec<FeatureLevel>,
}

/// Fetches; the exit code.
pub(super) fn fetch(command: &Command, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let Command::Directml(args) = command;
    let cache = directml::cache().context("no folder for caches: HOME is not set")?;
    let known: Vec<String> = RELEASES.iter().map(|release| release.level.to_string()).collect();
    for level in &args.levels {
        let is_known = RELEASES.iter().any(|release| release.level == *level);
        anyhow::ensure!(is_known, "no library of level {level}; expected {}", known.join(", "));
    }
    let mut code = 0;
    let wanted = |level| args.levels.is_empty() || args.levels.contains(&level);
    for release in RELEASES.iter().filter(|release| wanted(release.level)) {
        match directml::fetch(release, &cache) {
            Ok((path, there)) => terminal.line(format!(
                "{:<5} DirectML {:<7} {:<8} {}{}",
                release.level.to_string(),
                release.release,
                release.system,
                path.display(),
                if there { " (was there)" } else { "" }
            )),
            Err(error) => {
                terminal.error(format!("level {}: {error}", release.level));
                code = INCOMPLETE;
            }
        }
    }
    Ok(code)
}
