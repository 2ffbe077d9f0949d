//! Microsoft's own implementation: DirectML's library, loaded at run time.
//!
//! So far operators are created, which is where the library judges their descriptors, and nothing is executed. No GPU
//! is needed: the library is given a D3D12 device that is not there (`null`), and on Linux stand-ins for the
//! libraries that only WSL has. This is the only place of the project with `unsafe` code; each use says why it holds.

mod com;
mod library;
mod marshal;
mod null;
mod session;

use std::{path::PathBuf, str::FromStr, sync::OnceLock};

use dml_ops::{Backend, Info, Levels, OPERATORS, Session, Unavailable, Validator};
use dml_spec::FeatureLevel;

pub use library::LoadError;

/// Name of the library where none is named, as the system's loader looks for it.
pub const LIBRARY: &str = if cfg!(windows) {
    "DirectML.dll"
} else {
    "libdirectml.so"
};

/// What the device that is not there says that it is able to do. It is written
/// `null[,native-16-bit=yes|no][,shader-model=6.N]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NullDevice {
    /// Whether shaders have 16-bit numbers of their own.
    pub native_16_bit: bool,
    /// Highest shader model, such as 0x66 for 6.6.
    pub shader_model: u32,
}

impl Default for NullDevice {
    fn default() -> Self {
        Self {
            native_16_bit: true,
            shader_model: 0x66,
        }
    }
}

impl FromStr for NullDevice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const FORM: &str = "expected `null[,native-16-bit=yes|no][,shader-model=6.N]`";
        let mut device = Self::default();
        let mut parts = text.split(',');
        if parts.next() != Some("null") {
            return Err(FORM.to_owned());
        }
        for part in parts {
            match part.split_once('=') {
                Some(("native-16-bit", "yes")) => device.native_16_bit = true,
                Some(("native-16-bit", "no")) => device.native_16_bit = false,
                Some(("shader-model", model)) => {
                    let minor = model.strip_prefix("6.").and_then(|minor| minor.parse::<u32>().ok());
                    let minor = minor.filter(|minor| *minor <= 9).ok_or(FORM)?;
                    device.shader_model = 0x60 + minor;
                }
                _ => return Err(FORM.to_owned()),
            }
        }
        Ok(device)
    }
}

/// Which library, on which device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The library; a bare name is looked for by the system's loader.
    pub library: PathBuf,
    /// The device.
    pub device: NullDevice,
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
}

impl Backend for DirectMl {
    /// The feature level is the library's once a session was opened, and the highest there is before.
    fn info(&self) -> Info {
        Info {
            name: "directml".to_owned(),
            version: self.highest.get().map_or("-".to_owned(), |level| format!("FL {level}")),
            operators: OPERATORS.iter().map(|operator| operator.name.to_owned()).collect(),
            feature_level: self.highest.get().copied().unwrap_or(FeatureLevel::new(6, 4)),
            levels: Levels::Superset,
            validator: Validator::Own,
            executes: false,
            details: vec![
                ("library".to_owned(), self.options.library.display().to_string()),
                ("device".to_owned(), "null".to_owned()),
                ("execution".to_owned(), "not implemented".to_owned()),
            ],
        }
    }

    fn open(&self) -> Result<Box<dyn Session>, Unavailable> {
        let loaded = library::load(&self.options)?;
        let _ = self.highest.set(loaded.highest);
        Ok(Box::new(session::DirectMlSession::new(self.options.clone(), loaded)))
    }
}

#[cfg(test)]
mod tests;
