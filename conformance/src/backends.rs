//! The backends that are built in, by name.

use std::{
    env,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use anyhow::Context;
use dml_ops::{Backend, Info, Session, Unavailable};
use dml_spec::{Catalog, FeatureLevel};

use crate::process::{Limits, Process, Program, StartError};

/// Every backend there is, in the order of lists.
pub fn all() -> Vec<Box<dyn Backend>> {
    vec![
        Box::new(dml_kernels::cpu::backend()),
        #[cfg(feature = "wgpu")]
        Box::<dml_kernels::wgpu::Wgpu>::default(),
        #[cfg(feature = "directml")]
        Box::new(directml(&Choice::default())),
    ]
}

/// Name of the backend that an adapter can be chosen for.
pub const WITH_ADAPTER: &str = "wgpu";

/// Name of the backend that a library can be chosen for.
pub const WITH_LIBRARY: &str = "directml";

/// What a backend is to use, where it can use more than one thing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The adapter of wgpu.
    pub adapter: Option<String>,
    /// The library of directml.
    pub library: Option<PathBuf>,
    /// The device of directml.
    pub device: Option<String>,
    /// Feature level that a library must have.
    pub level: Option<FeatureLevel>,
}

/// The backend directml with the library that was chosen, else the newest one fetched, else the system's.
#[cfg(feature = "directml")]
fn directml(choice: &Choice) -> dml_kernels::directml::DirectMl {
    use dml_kernels::directml::{DirectMl, LIBRARY, Options};

    let fetched = || {
        crate::directml::fetched(std::env::consts::OS)
            .pop()
            .map(|(_, path)| path)
    };
    let device = choice.device.as_ref().and_then(|device| device.parse().ok());
    DirectMl::new(Options {
        library: choice
            .library
            .clone()
            .or_else(fetched)
            .unwrap_or_else(|| LIBRARY.into()),
        device: device.unwrap_or_default(),
        level: choice.level,
        scratch: env::temp_dir(),
    })
}

/// What opening a device may take at least.
const START: Duration = Duration::from_secs(30);

/// There is no backend of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no backend `{name}`; there are: {}", known.join(", "))]
pub struct UnknownBackend {
    /// The name.
    pub name: String,
    /// Names that exist.
    pub known: Vec<String>,
}

/// The backend of this name.
///
/// # Errors
/// Where there is none.
pub fn find(name: &str) -> Result<Box<dyn Backend>, UnknownBackend> {
    let (found, others): (Vec<_>, Vec<_>) = all().into_iter().partition(|b| b.info().name == name);
    let known = || others.iter().map(|b| b.info().name).collect();
    found.into_iter().next().ok_or_else(|| UnknownBackend {
        name: name.to_owned(),
        known: known(),
    })
}

/// The backend of this name with what was chosen, ready to be told about: its adapter, if it has any, was looked for.
/// Where the machine has no adapter at all, opening the backend says so.
///
/// # Errors
/// Where there is no such backend, or no such adapter.
pub fn chosen(name: &str, choice: &Choice) -> anyhow::Result<Box<dyn Backend>> {
    #[cfg(feature = "directml")]
    if name == WITH_LIBRARY {
        return Ok(Box::new(directml(choice)));
    }
    #[cfg(feature = "wgpu")]
    if name == WITH_ADAPTER {
        use dml_kernels::wgpu::{AdapterError, Wgpu};

        let backend = Wgpu::new(
            choice
                .adapter
                .as_deref()
                .map(str::parse)
                .transpose()?
                .unwrap_or_default(),
        );
        return match backend.probe() {
            Ok(()) | Err(AdapterError::None) => Ok(Box::new(backend)),
            Err(unknown) => Err(unknown.into()),
        };
    }
    let _ = choice;
    Ok(find(name)?)
}

/// Whether a backend runs in a process of its own unless it is told otherwise: a driver may crash or hang.
pub fn is_isolated(name: &str) -> bool {
    name == WITH_ADAPTER || name == WITH_LIBRARY
}

/// The backend of this name, in a process of its own: this program as `worker`. `timeout` is the longest that it may
/// take from one answer to the next. Where it cannot run on this machine, opening it says so.
///
/// # Errors
/// Where there is no such backend or adapter, or this program cannot be started again.
pub fn isolated(
    name: &str,
    choice: &Choice,
    spec: Option<&Path>,
    catalog: Arc<Catalog>,
    timeout: Duration,
) -> anyhow::Result<Box<dyn Backend>> {
    let built_in = find(name)?;
    let mut arguments = vec!["worker".into(), "--backend".into(), name.into()];
    if let Some(adapter) = &choice.adapter {
        arguments.extend(["--adapter".into(), adapter.into()]);
    }
    if let Some(library) = choice.library.as_ref().filter(|_| name == WITH_LIBRARY) {
        arguments.extend(["--directml-lib".into(), library.into()]);
    }
    if let Some(device) = choice.device.as_ref().filter(|_| name == WITH_LIBRARY) {
        arguments.extend(["--directml-device".into(), device.into()]);
    }
    if let Some(level) = choice.level.filter(|_| name == WITH_LIBRARY) {
        arguments.extend(["--level".into(), level.to_string().into()]);
    }
    if let Some(dir) = spec {
        arguments.extend(["--spec".into(), dir.into()]);
    }
    let program = Program {
        path: env::current_exe().context("this program's own path")?,
        arguments,
        name: format!("the worker of {name}"),
    };
    let limits = Limits {
        start: timeout.max(START),
        answer: timeout,
    };
    match Process::start(program, catalog, limits) {
        Ok(process) => Ok(Box::new(process)),
        Err(StartError::Unavailable(why)) => Ok(Box::new(Missing {
            info: built_in.info(),
            why,
        })),
        Err(StartError::Usage(message)) => Err(anyhow::anyhow!(message)),
    }
}

/// A backend that cannot run here.
struct Missing {
    info: Info,
    why: Unavailable,
}

impl Backend for Missing {
    fn info(&self) -> Info {
        self.info.clone()
    }

    fn open(&self) -> Result<Box<dyn Session>, Unavailable> {
        Err(self.why.clone())
    }
}

/// Names of all adapters, in the order of their numbers.
pub fn adapters() -> Vec<String> {
    #[cfg(feature = "wgpu")]
    return dml_kernels::wgpu::Wgpu::adapters();
    #[cfg(not(feature = "wgpu"))]
    Vec::new()
}
