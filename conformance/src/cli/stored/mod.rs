//! Stored runs compared, followed through time, put together from shards.

pub(super) mod diff;
pub(super) mod history;
pub(super) mod merge;
mod told;

use std::{fs::File, io::BufReader, path::Path};

use anyhow::Context;

fn open(path: &Path) -> anyhow::Result<BufReader<File>> {
    let file = File::open(path).with_context(|| path.display().to_string())?;
    Ok(BufReader::new(file))
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
