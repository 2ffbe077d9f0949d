//! The backends that are built in, by name.

use dml_ops::Backend;

/// Every backend there is, in the order of lists.
pub fn all() -> Vec<Box<dyn Backend>> {
    vec![
        Box::new(dml_kernels::cpu::backend()),
        #[cfg(feature = "wgpu")]
        Box::<dml_kernels::wgpu::Wgpu>::default(),
    ]
}

/// Name of the backend that an adapter can be chosen for.
pub const WITH_ADAPTER: &str = "wgpu";

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

/// The backend of this name, ready to be told about: its adapter, if it has any, was looked for. Where the machine
/// has no adapter at all, opening the backend says so.
///
/// # Errors
/// Where there is no such backend, or no such adapter.
pub fn on_adapter(name: &str, adapter: Option<&str>) -> anyhow::Result<Box<dyn Backend>> {
    #[cfg(feature = "wgpu")]
    if name == WITH_ADAPTER {
        use dml_kernels::wgpu::{AdapterError, Wgpu};

        let backend = Wgpu::new(adapter.map(str::parse).transpose()?.unwrap_or_default());
        return match backend.probe() {
            Ok(()) | Err(AdapterError::None) => Ok(Box::new(backend)),
            Err(unknown) => Err(unknown.into()),
        };
    }
    let _ = adapter;
    Ok(find(name)?)
}

/// Names of all adapters, in the order of their numbers.
pub fn adapters() -> Vec<String> {
    #[cfg(feature = "wgpu")]
    return dml_kernels::wgpu::Wgpu::adapters();
    #[cfg(not(feature = "wgpu"))]
    Vec::new()
}
