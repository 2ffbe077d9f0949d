//! The backend that the suite runs.

use std::sync::{Arc, OnceLock, atomic::AtomicU32};

use dml_ops::{Backend, FeatureLevel, Info, Levels, Session, Unavailable, Validator};

use super::{
    adapter::{self, AdapterChoice, AdapterError},
    operators::OPERATORS,
    session,
};

/// The backend: feature level 6.4, descriptors judged by the generated validators.
#[derive(Debug, Default)]
pub struct Wgpu {
    choice: AdapterChoice,
    facts: OnceLock<Vec<(String, String)>>,
    doom: session::Doom,
}

impl Wgpu {
    /// The backend on this adapter, which is looked for when a session is opened.
    pub fn new(choice: AdapterChoice) -> Self {
        Self {
            choice,
            facts: OnceLock::new(),
            doom: None,
        }
    }

    /// The same backend, whose device is destroyed once, with this batch on its way (counted from one over all
    /// sessions): for tests of what happens then.
    #[doc(hidden)]
    #[must_use]
    pub fn losing_its_device_at(self, batch: u32) -> Self {
        let doom = Some(Arc::new(AtomicU32::new(batch)));
        Self { doom, ..self }
    }

    /// Looks for the adapter now. The backend's details include it from then on.
    ///
    /// # Errors
    /// If there is no adapter, or not this one.
    pub fn probe(&self) -> Result<(), AdapterError> {
        let adapter = adapter::find(&self.choice)?;
        self.facts.get_or_init(|| adapter::facts(&adapter));
        Ok(())
    }

    /// Names of all adapters of this machine, in the order of their indices.
    pub fn adapters() -> Vec<String> {
        adapter::list_adapters()
            .iter()
            .map(|adapter| adapter.get_info().name)
            .collect()
    }
}

impl Backend for Wgpu {
    fn info(&self) -> Info {
        Info {
            name: "wgpu".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            operators: OPERATORS.iter().map(|&name| name.to_owned()).collect(),
            feature_level: FeatureLevel::new(6, 4),
            levels: Levels::Strict,
            validator: Validator::Generated,
            executes: true,
            details: self.facts.get().cloned().unwrap_or_default(),
        }
    }

    fn open(&self) -> Result<Box<dyn Session>, Unavailable> {
        let mut session = session::WgpuSession::open(&self.choice)?;
        session.doom.clone_from(&self.doom);
        Ok(Box::new(session))
    }
}

#[cfg(test)]
mod tests;
