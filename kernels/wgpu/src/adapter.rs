//! The adapters of the machine, and the choice of one.

use std::{fmt, future::Future, str::FromStr, task};

use dml_ops::Unavailable;
use wgpu::{Adapter, Backends, DeviceType, Instance, InstanceDescriptor, InstanceFlags};

/// How to make an adapter available if there is none.
const REMEDY: &str = "install a Vulkan, Metal or DX12 driver (in software: Debian's package `mesa-vulkan-drivers`)";

/// An adapter, as `--adapter` names it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum AdapterChoice {
    /// The fastest kind there is.
    #[default]
    Best,
    /// One that computes on the processor.
    Software,
    /// By its place in the list.
    Index(usize),
    /// By a part of its name, in upper or lower case.
    Name(String),
}

impl FromStr for AdapterChoice {
    type Err = std::convert::Infallible;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        Ok(match s.parse() {
            Ok(index) => Self::Index(index),
            Err(_) if s == "software" => Self::Software,
            Err(_) => Self::Name(s.to_owned()),
        })
    }
}

impl fmt::Display for AdapterChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Best => f.write_str("best"),
            Self::Software => f.write_str("software"),
            Self::Index(index) => write!(f, "{index}"),
            Self::Name(name) => f.write_str(name),
        }
    }
}

/// Why there is no adapter to work with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdapterError {
    /// The machine has none.
    #[error("no adapter found; {REMEDY}")]
    None,
    /// The machine has adapters, but not this one.
    #[error("unknown adapter `{wanted}`; expected {}", known.join(", "))]
    Unknown {
        /// What was asked for.
        wanted: String,
        /// Those there are, each with its index.
        known: Vec<String>,
    },
}

impl From<AdapterError> for Unavailable {
    fn from(error: AdapterError) -> Self {
        match error {
            AdapterError::None => Self {
                reason: "no adapter found".to_owned(),
                remedy: REMEDY.to_owned(),
            },
            unknown => Self {
                reason: unknown.to_string(),
                remedy: "name one of these".to_owned(),
            },
        }
    }
}

/// The chosen adapter, and all there are.
///
/// # Errors
/// If there is none, or not this one.
pub(super) fn find(choice: &AdapterChoice) -> Result<Adapter, AdapterError> {
    let adapters = list_adapters();
    if adapters.is_empty() {
        return Err(AdapterError::None);
    }
    let infos: Vec<_> = adapters.iter().map(Adapter::get_info).collect();
    let place = match choice {
        AdapterChoice::Best => (0..infos.len()).min_by_key(|i| infos.get(*i).map(|info| slowness(info.device_type))),
        AdapterChoice::Software => infos.iter().position(|info| info.device_type == DeviceType::Cpu),
        AdapterChoice::Index(index) => Some(*index),
        AdapterChoice::Name(part) => {
            let part = part.to_lowercase();
            infos.iter().position(|info| info.name.to_lowercase().contains(&part))
        }
    };
    let chosen = place.and_then(|place| adapters.into_iter().nth(place));
    chosen.ok_or_else(|| AdapterError::Unknown {
        wanted: choice.to_string(),
        known: infos
            .iter()
            .enumerate()
            .map(|(i, info)| format!("{i} ({})", info.name))
            .collect(),
    })
}

/// Every adapter there is, in the order of their indices.
pub(super) fn list_adapters() -> Vec<Adapter> {
    let descriptor = InstanceDescriptor {
        backends: Backends::PRIMARY,
        // Some software drivers do not claim conformance; the suite tests them as well.
        flags: InstanceFlags::ALLOW_UNDERLYING_NONCOMPLIANT_ADAPTER,
        ..InstanceDescriptor::new_without_display_handle()
    };
    wait(Instance::new(descriptor).enumerate_adapters(Backends::PRIMARY))
}

/// Facts about an adapter, for reports.
pub(super) fn facts(adapter: &Adapter) -> Vec<(String, String)> {
    let (info, limits) = (adapter.get_info(), adapter.limits());
    let fact = |name: &str, value: String| (name.to_owned(), value);
    vec![
        fact("adapter", info.name.clone()),
        fact("vendor_id", format!("{:#06x}", info.vendor)),
        fact("device_id", format!("{:#06x}", info.device)),
        fact("type", format!("{:?}, {}", info.device_type, info.backend)),
        fact(
            "driver",
            format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
        ),
        fact(
            "max_storage_buffer_binding_size",
            limits.max_storage_buffer_binding_size.to_string(),
        ),
        fact("max_buffer_size", limits.max_buffer_size.to_string()),
        fact(
            "max_compute_workgroup_storage_size",
            limits.max_compute_workgroup_storage_size.to_string(),
        ),
        fact(
            "max_compute_invocations_per_workgroup",
            limits.max_compute_invocations_per_workgroup.to_string(),
        ),
    ]
}

fn slowness(kind: DeviceType) -> u8 {
    match kind {
        DeviceType::DiscreteGpu => 0,
        DeviceType::IntegratedGpu => 1,
        DeviceType::VirtualGpu => 2,
        DeviceType::Other => 3,
        DeviceType::Cpu => 4,
    }
}

/// Waits for a future. On native platforms those of wgpu are ready when they are made.
pub(super) fn wait<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    let mut context = task::Context::from_waker(task::Waker::noop());
    loop {
        if let task::Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
        std::thread::yield_now();
    }
}

#[cfg(test)]
pub(crate) mod tests {

    use super::*;
    use crate::needs;

    /// Whether there is an adapter.
    pub(crate) fn has_adapter(test: &str) -> bool {
        let missing = list_adapters().is_empty();
        let why = || Err(Unavailable::from(AdapterError::None).to_string());
        needs::found(test, if missing { why() } else { Ok(()) }).is_some()
    }

    #[test]
    fn choices_are_read_as_written() {
        let parse = |s: &str| s.parse::<AdapterChoice>().unwrap();
        assert_eq!(parse("software"), AdapterChoice::Software);
        assert_eq!(parse("1"), AdapterChoice::Index(1));
        assert_eq!(parse("H200"), AdapterChoice::Name("H200".to_owned()));
    }

    #[test]
    fn unknown_adapters_come_with_the_list() {
        if !has_adapter("unknown_adapters_come_with_the_list") {
            return;
        }
        let known = match find(&AdapterChoice::Name("no such adapter".to_owned())) {
            Err(AdapterError::Unknown { known, .. }) => known,
            other => panic!("{other:?}"),
        };
        assert_eq!(known.len(), list_adapters().len());
        assert!(find(&AdapterChoice::Index(known.len())).is_err());
        assert!(find(&AdapterChoice::Index(0)).is_ok());
    }
}
