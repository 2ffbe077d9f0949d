//! Errors of loading DirectML and of opening a device, with remedies.

use std::{
    io,
    path::{Path, PathBuf},
};

use dml_ops::{FeatureLevel, Unavailable};

use super::{
    choice::Adapter,
    com::{Code, Fault},
    library_file::{NEEDED, WrongFile, is_path},
};

/// Why DirectML is not available.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file does not exist.
    #[error("no DirectML library at {0}")]
    Missing(PathBuf),
    /// The file is for another system or processor.
    #[error("{path} is {found}, this program needs {needed}")]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it is.
        found: String,
        /// What it should be.
        needed: &'static str,
    },
    /// The system's loader refused it.
    #[error("{path} cannot be loaded: {error}")]
    Refused {
        /// The file.
        path: PathBuf,
        /// What the loader said.
        error: String,
    },
    /// It is not a DirectML library.
    #[error("{0} has no function DMLCreateDevice1, so it is no DirectML library, or one before 1.1.0")]
    Symbol(PathBuf),
    /// A stand-in for a library that only WSL has cannot be loaded.
    #[error("no stand-in for {name} can be loaded from {folder}: {error}")]
    StandIn {
        /// The library.
        name: &'static str,
        /// Where its file was written.
        folder: PathBuf,
        /// What went wrong.
        error: io::Error,
    },
    /// It does not make a device.
    #[error("DMLCreateDevice1 failed with {}", Code(*.0))]
    Device(i32),
    /// The required level is above the highest.
    #[error("the library's highest feature level is {highest}, so there is no device of level {wanted} (0x887a0004)")]
    Level {
        /// Level asked for.
        wanted: FeatureLevel,
        /// Highest level.
        highest: FeatureLevel,
    },
    /// There is no D3D12 device to work on.
    #[error(transparent)]
    D3d12(#[from] DeviceError),
}

impl LoadError {
    /// For a file that is named as DirectML's library.
    pub(super) fn of_file(wrong: WrongFile, path: &Path) -> Self {
        let path = path.to_owned();
        match wrong {
            WrongFile::Missing => Self::Missing(path),
            WrongFile::Foreign(found) => Self::Foreign {
                path,
                found,
                needed: NEEDED,
            },
        }
    }
}

impl From<LoadError> for Unavailable {
    fn from(error: LoadError) -> Self {
        let remedy = match error {
            LoadError::D3d12(error) => return error.into(),
            LoadError::Refused { ref path, .. } if !is_path(path) => {
                "get one with `dml-cts fetch directml`, or name one with --directml-lib"
            }
            LoadError::Device(_) => {
                "choose another device with --directml-device, or another library with --directml-lib"
            }
            LoadError::Missing(_) => "get one with `dml-cts fetch directml`, or name one with --directml-lib",
            LoadError::Level { .. } => "ask for a lower level, or name a newer library with --directml-lib",
            LoadError::StandIn { .. } => "name a folder that libraries can be loaded from in TMPDIR",
            _ => "name another library with --directml-lib",
        };
        Self {
            reason: error.to_string(),
            remedy: remedy.to_owned(),
        }
    }
}

/// Why no D3D12 device is available.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    /// The file does not exist.
    #[error("no D3D12 library at {0}")]
    Missing(PathBuf),
    /// The file is for another system or processor.
    #[error("{path} is {found}, this program needs {needed}")]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it is.
        found: String,
        /// What it should be.
        needed: &'static str,
    },
    /// The system's loader refused it.
    #[error("D3D12's library {path} cannot be loaded: {error}")]
    Refused {
        /// The file.
        path: PathBuf,
        /// What the loader said.
        error: String,
    },
    /// It is not a D3D12 library.
    #[error("{0} has no function D3D12CreateDevice, so it is no D3D12 library")]
    Symbol(PathBuf),
    /// There is nothing to choose from.
    #[error("adapters cannot be listed here, so `{wanted}` cannot be chosen: {error}")]
    NoList {
        /// What was asked for.
        wanted: Adapter,
        /// What went wrong.
        error: String,
    },
    /// None is like that.
    #[error("unknown adapter `{wanted}`; {}", list_names(.found))]
    NoAdapter {
        /// What was asked for.
        wanted: Adapter,
        /// Names of those there are.
        found: Vec<String>,
    },
    /// D3D12 has nothing to offer.
    #[error("D3D12CreateDevice returned {} for the adapter `{adapter}`", Code(*.code))]
    Device {
        /// The adapter.
        adapter: Adapter,
        /// What it returned.
        code: i32,
    },
    /// The device lacks what is needed to execute.
    #[error("the D3D12 device cannot be set up: {0}")]
    SetUp(String),
}

fn list_names(found: &[String]) -> String {
    if found.is_empty() {
        return "there is none at all".to_owned();
    }
    let numbered: Vec<_> = found
        .iter()
        .enumerate()
        .map(|(i, name)| format!("{i} ({name})"))
        .collect();
    format!("there are {}", numbered.join(", "))
}

impl DeviceError {
    /// For a file that is named as D3D12's library.
    pub(super) fn of_file(wrong: WrongFile, path: &Path) -> Self {
        let path = path.to_owned();
        match wrong {
            WrongFile::Missing => Self::Missing(path),
            WrongFile::Foreign(found) => Self::Foreign {
                path,
                found,
                needed: NEEDED,
            },
        }
    }
}

impl From<Fault> for DeviceError {
    fn from(fault: Fault) -> Self {
        Self::SetUp(fault.message().to_owned())
    }
}

impl From<DeviceError> for Unavailable {
    fn from(error: DeviceError) -> Self {
        let remedy = match error {
            DeviceError::Missing(_) | DeviceError::Foreign { .. } | DeviceError::Symbol(_) => {
                "name another library with --d3d12-lib, or ask for no device with --directml-device null"
            }
            DeviceError::Refused { .. } if cfg!(windows) => "name another library with --d3d12-lib",
            DeviceError::Refused { .. } => {
                "name a library with --d3d12-lib (WSL's is /usr/lib/wsl/lib/libd3d12.so), or ask for no device with \
                 --directml-device null"
            }
            DeviceError::NoList { .. } => "leave the choice to D3D12 with --directml-device hardware",
            DeviceError::NoAdapter { .. } if cfg!(windows) => {
                "choose one of them, or the one in software with --directml-device warp"
            }
            DeviceError::NoAdapter { .. } => "choose one of them, or none with --directml-device null",
            DeviceError::Device { .. } | DeviceError::SetUp(_) => {
                "choose another adapter or null with --directml-device, or another library with --d3d12-lib"
            }
        };
        Self {
            reason: error.to_string(),
            remedy: remedy.to_owned(),
        }
    }
}
