//! Microsoft's own implementation: DirectML's library, loaded at run time.
//!
//! It works on a device of D3D12's (`runtime`, `gpu`), where jobs run batch by batch (`batch`), or on one that is not
//! there (`null`): then operators are created, which is where the library judges their descriptors, and nothing is
//! executed. On Linux there are stand-ins for the libraries that only WSL has. This is the only place of the project with
//! `unsafe` code; each use says why it holds.

mod adapters;
mod batch;
mod binding;
mod choice;
mod com;
mod d3d12;
mod dml;
mod gpu;
mod library;
mod marshal;
#[cfg(all(test, target_arch = "x86_64"))]
mod mock;
mod null;
mod pools;
mod runtime;
mod session;

use std::{path::PathBuf, sync::OnceLock, time::Duration};

use dml_ops::{Backend, Info, Levels, OPERATORS, Session, Unavailable, Validator};
use dml_spec::FeatureLevel;

pub use choice::{Adapter, DeviceChoice, NullDevice};
pub use library::LoadError;
pub use runtime::DeviceError;

/// Name of the library where none is named, as the system's loader looks for it.
pub const LIBRARY: &str = if cfg!(windows) {
    "DirectML.dll"
} else {
    "libdirectml.so"
};

/// Which library, on which device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The library; a bare name is looked for by the system's loader.
    pub library: PathBuf,
    /// The device.
    pub device: DeviceChoice,
    /// D3D12's library; without one the system's.
    pub d3d12: Option<PathBuf>,
    /// The longest that a batch of jobs may take, before the device counts as lost.
    pub limit: Duration,
    /// Feature level that the library must have.
    pub level: Option<FeatureLevel>,
    /// Folder for files of a moment, which libraries can be loaded from.
    pub scratch: PathBuf,
}

/// The backend.
#[derive(Debug)]
pub struct DirectMl {
    options: Options,
    highest: OnceLock<FeatureLevel>,
}

impl DirectMl {
    /// The backend with this library, which is loaded when a session is opened.
    pub fn new(options: Options) -> Self {
        Self {
            options,
            highest: OnceLock::new(),
        }
    }

    fn details(&self, is_null: bool) -> Vec<(String, String)> {
        let mut details = vec![
            ("library", self.options.library.display().to_string()),
            ("device", self.options.device.to_string()),
        ];
        if let Some(d3d12) = self.options.d3d12.as_ref().filter(|_| !is_null) {
            details.push(("d3d12", d3d12.display().to_string()));
        }
        let here = if is_null { "; none on the null device" } else { "" };
        details.push(("execution", format!("{UNVERIFIED}{here}")));
        details
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }
}

/// How far execution can be trusted: it has run on the mock device of the tests only.
const UNVERIFIED: &str = "unverified";

impl Backend for DirectMl {
    /// The feature level is the library's once a session was opened, and the highest there is before.
    fn info(&self) -> Info {
        let is_null = matches!(self.options.device, DeviceChoice::Null(_));
        Info {
            name: "directml".to_owned(),
            version: self.highest.get().map_or("-".to_owned(), |level| format!("FL {level}")),
            operators: OPERATORS.iter().map(|operator| operator.name.to_owned()).collect(),
            feature_level: self.highest.get().copied().unwrap_or(FeatureLevel::new(6, 4)),
            levels: Levels::Superset,
            validator: Validator::Own,
            executes: !is_null,
            details: self.details(is_null),
        }
    }

    fn open(&self) -> Result<Box<dyn Session>, Unavailable> {
        let loaded = library::load(&self.options)?;
        let _ = self.highest.set(loaded.highest);
        let options = self.options.clone();
        let open = Box::new(move || library::load(&options));
        Ok(Box::new(session::DirectMlSession::new(
            open,
            self.options.limit,
            loaded,
        )))
    }
}

#[cfg(all(test, windows))]
mod headers;
#[cfg(test)]
mod tests;
