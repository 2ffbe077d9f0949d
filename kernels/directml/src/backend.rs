//! The backend that the suite runs.

use std::sync::OnceLock;

use dml_ops::{Backend, FeatureLevel, Info, Levels, OperatorType, Session, Unavailable, Validator};

use super::{
    choice::{DeviceChoice, Options},
    library, session,
};

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
        details.push(("execution", format!("{VERIFIED}{here}")));
        details
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }
}

/// Where execution has been verified: all operators that the suite computed in November 2026, at every level's library.
const VERIFIED: &str =
    "verified with 1.4.0, 1.5.1, 1.8.0 and 1.13.1 on Linux over a Vulkan D3D12 layer; not on a GPU's own driver";

/// All that `DirectML.h` has: a descriptor is laid out by its fields, whatever operator it is.
fn list_operators() -> Vec<String> {
    let all = OperatorType::MEMBERS
        .iter()
        .filter(|(_, number)| *number != OperatorType::INVALID);
    all.map(|(name, _)| (*name).to_owned()).collect()
}

impl Backend for DirectMl {
    /// The feature level is the library's once a session was opened, and the highest there is before.
    fn info(&self) -> Info {
        let is_null = matches!(self.options.device, DeviceChoice::Null(_));
        Info {
            name: "directml".to_owned(),
            version: self.highest.get().map_or("-".to_owned(), |level| format!("FL {level}")),
            operators: list_operators(),
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

#[cfg(test)]
pub(crate) mod tests;
