//! The backends that are built in, by name.

use dml_ops::Backend;

/// Every backend there is, in the order of lists.
pub fn all() -> Vec<Box<dyn Backend>> {
    vec![Box::new(dml_kernels::cpu::backend())]
}

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
