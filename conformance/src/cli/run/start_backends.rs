//! Starts the backends of a run, each with its own label.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use anyhow::Context;
use dml_ops::Backend;

use super::Args;
use crate::backends::{self, Spec};
use crate::cli::{backend_args::warn_of_unknown, backends::BackendArg, source::Loaded};
use dml_case::nearest;
use dml_report::Terminal;

/// Longer than anyone debugs.
const FOREVER: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// A backend to test.
pub(super) struct StartedBackend {
    pub(super) label: String,
    pub(super) spec: Spec,
    pub(super) backend: Box<dyn Backend>,
    /// Number of the process that it runs in.
    pub(super) process: u32,
}

impl StartedBackend {
    /// Waits for Enter, so that a debugger can be attached.
    pub(super) fn wait(&self, terminal: &mut Terminal) -> anyhow::Result<()> {
        let (label, process) = (&self.label, self.process);
        terminal.warn(format_args!(
            "{label} is process {process}; press Enter to send the case"
        ));
        std::io::stdin()
            .read_line(&mut String::new())
            .context("standard input")?;
        Ok(())
    }
}

impl Args {
    /// Starts the selected backends, each with its own label.
    pub(super) fn start_backends(
        &self,
        loaded: &Loaded,
        terminal: &mut Terminal,
    ) -> anyhow::Result<Vec<StartedBackend>> {
        let wanted = match &self.backends[..] {
            [] => &[BackendArg::default()][..],
            wanted => wanted,
        };
        self.start.check_compiled()?;
        let is = |b: &BackendArg, name| matches!(&b.spec, Spec::BuiltIn(found) if found == name);
        if self.start.adapter.is_some() && !wanted.iter().any(|b| is(b, backends::WITH_ADAPTER)) {
            anyhow::bail!("--adapter is for the backend wgpu, which is not among those to run");
        }
        if let Some(remark) = self.start.check_watched(wanted.iter().map(|backend| &backend.spec))? {
            terminal.warn(remark);
        }
        let mut watch = self.start.watch(loaded, self.start.open_trace()?);
        if self.debug.is_some() {
            watch.timeout = FOREVER;
            watch.started = Some(Arc::default());
        }
        let mut started: Vec<StartedBackend> = Vec::new();
        for BackendArg { label, spec } in wanted {
            let backend = self.start.start(spec, &self.spec, self.select.level, &watch)?;
            warn_of_unknown(spec, &backend.info(), loaded, terminal);
            let own = || nearest::excerpt(&backend.info().name);
            let label = label.clone().unwrap_or_else(own);
            anyhow::ensure!(
                started.iter().all(|other| other.label != label),
                "two backends are labelled {label}; pass different labels: --backend {}",
                shell_words::quote(&format!("other={spec}"))
            );
            let process = watch.started.as_ref();
            let process = process.map_or(0, |process| process.swap(0, Ordering::Relaxed));
            let spec = spec.clone();
            started.push(StartedBackend {
                label,
                spec,
                backend,
                process: if process == 0 { std::process::id() } else { process },
            });
        }
        Ok(started)
    }
}
