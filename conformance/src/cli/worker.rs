//! `worker`: a built-in backend, asked over standard input and output.

use std::{io, process, sync::Arc, thread, time::Duration};

use anyhow::Context;
use dml_spec::FeatureLevel;

use super::{
    args::{DirectMlArgs, SpecArgs, adapter},
    source,
};
use crate::backends::{self, Choice};
use dml_report::Terminal;
use dml_run::process::serve;

/// How long a backend may go on once nobody asks any more.
const GRACE: Duration = Duration::from_secs(2);

/// Arguments of `worker`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Name of the backend
    #[arg(long, value_name = "NAME")]
    backend: String,
    /// Adapter of the backend wgpu: part of its name, its number in `dml-cts backends`, or `software`
    #[arg(long, value_name = "NAME", value_parser = adapter)]
    adapter: Option<String>,
    #[command(flatten)]
    directml: DirectMlArgs,
    /// Feature level that the DirectML library must have
    #[arg(long, value_name = "LEVEL")]
    level: Option<FeatureLevel>,
    #[command(flatten)]
    spec: SpecArgs,
}

/// Answers requests until the input ends; the exit code.
pub(super) fn worker(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let loaded = source::load(&args.spec, terminal)?;
    let choice = Choice {
        specification: Some(Arc::new(loaded.suite.catalog.clone())),
        ..args.directml.choice(args.adapter.as_deref(), args.level)
    };
    let backend = backends::chosen(&args.backend, &choice)?;
    // Whoever started this may be gone; a backend that hangs must not outlive it.
    let at_end = || {
        thread::sleep(GRACE);
        process::abort();
    };
    serve(&loaded.suite.catalog, &*backend, io::stdin(), io::stdout(), at_end).context("protocol")?;
    Ok(0)
}
