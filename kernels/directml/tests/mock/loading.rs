//! Loading on Linux: libraries of two pages whose functions are the mock's stand for D3D12's and DirectML's.

use std::{
    env,
    ffi::c_void,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use dml_ops::{Backend as _, FeatureLevel};

use super::{
    CURRENT, Settings, World, d3d12, dml, extended, hand_out,
    sessions::{example, expected, tensors},
};
use crate::{
    backend::DirectMl,
    choice::{Adapter, DeviceChoice, Options},
    null::{adapter::serialize_root_signature, stand_in::image},
};

/// What the mock's `D3D12SerializeVersionedRootSignature` returns.
const SERIALIZED: i32 = 42;

/// The only level that the D3D12 library makes devices of: the one for computing only.
const LEVEL: u32 = 0x1000;

unsafe extern "system" fn create_device(
    adapter: *mut c_void,
    level: u32,
    _: *const c_void,
    out: *mut *mut c_void,
) -> i32 {
    match CURRENT.get() {
        Some(world) if adapter.is_null() && level == LEVEL => unsafe { hand_out(d3d12::device(world), out) },
        _ => super::E_INVALIDARG,
    }
}

unsafe extern "system" fn serialize(_: *const c_void, out: *mut *mut c_void, _: *mut c_void) -> i32 {
    match CURRENT.get() {
        Some(world) if !out.is_null() => unsafe { extended::serialize(world, out) },
        _ => SERIALIZED,
    }
}

unsafe extern "system" fn create_dml(
    device: *mut c_void,
    _: u32,
    _: u32,
    _: *const c_void,
    out: *mut *mut c_void,
) -> i32 {
    match super::object(device, &[super::Kind::Device], "DMLCreateDevice1") {
        Some((world, _)) => unsafe { hand_out(dml::device(world), out) },
        None => super::E_INVALIDARG,
    }
}

/// A folder with the libraries, gone when this is.
pub(super) struct Libraries(pub(super) PathBuf);

impl Libraries {
    pub(super) fn new(test: &str) -> Self {
        let folder = env::temp_dir().join(format!("dml-cts-loading-{test}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let made = Self(folder);
        let d3d12 = [
            ("D3D12CreateDevice", create_device as *const () as usize),
            ("D3D12SerializeVersionedRootSignature", serialize as *const () as usize),
        ];
        // Another name inside than the one that DirectML's library looks for.
        made.write("d3d12.so", "libdml-cts-d3d12.so", &d3d12);
        let directml = [("DMLCreateDevice1", create_dml as *const () as usize)];
        made.write("directml.so", "libdml-cts-directml.so", &directml);
        made.write(
            "other.so",
            "libdml-cts-other.so",
            &[("other", serialize as *const () as usize)],
        );
        fs::write(made.0.join("text.so"), "text").unwrap();
        made
    }

    fn write(&self, file: &str, name: &str, symbols: &[(&str, usize)]) {
        fs::write(self.0.join(file), image(name, symbols)).unwrap();
    }

    fn backend(&self, d3d12: &Path, adapter: Adapter) -> DirectMl {
        DirectMl::new(Options {
            library: self.0.join("directml.so"),
            device: DeviceChoice::Real { adapter, debug: true },
            d3d12: Some(self.0.join(d3d12)),
            limit: Duration::from_secs(60),
            level: None,
            scratch: env::temp_dir(),
        })
    }
}

impl Drop for Libraries {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn jobs_run_on_libraries_that_are_named() {
    let (libraries, world) = (Libraries::new("run"), World::new(Settings::default()));
    let backend = libraries.backend("d3d12.so".as_ref(), Adapter::Hardware);
    let mut session = backend.open().unwrap();
    let info = backend.info();
    assert_eq!((info.executes, info.feature_level), (true, FeatureLevel::new(5, 0)));
    let execution = info.details.iter().find(|(name, _)| name == "execution");
    assert!(execution.is_some_and(|(_, says)| says.starts_with("verified with 1.4.0") && says.contains("own driver")));
    session.submit(vec![example(1)]);
    let answers = session.poll(Duration::from_secs(5));
    assert_eq!(tensors(&answers[0].1), expected());
    drop(session);
    assert_eq!((world.violations(), world.alive()), (Vec::new(), Vec::new()));
    // The stand-in for `libd3d12.so` leads to the library.
    let null = std::ptr::null_mut();
    assert_eq!(
        unsafe { serialize_root_signature(null, null.cast(), null.cast()) },
        SERIALIZED
    );
}

#[test]
fn each_failure_has_its_own_sentence() {
    let libraries = Libraries::new("failures");
    World::new(Settings::default());
    let message = |d3d12: &str, adapter| {
        let backend = libraries.backend(d3d12.as_ref(), adapter);
        backend.open().err().unwrap().to_string()
    };
    let name = |name: &str| Adapter::Name(name.to_owned());
    let on_wsl = Path::new("/dev/dxg").exists();
    let adapters = [
        (
            "d3d12.so",
            name("radeon"),
            "so `radeon` cannot be chosen: there is no /dev/dxg",
        ),
        (
            "d3d12.so",
            Adapter::Warp,
            "leave the choice to D3D12 with --directml-device hardware",
        ),
    ];
    let files = [
        ("nowhere.so", Adapter::Hardware, "no D3D12 library at "),
        (
            "text.so",
            Adapter::Hardware,
            "text.so is no library, this program needs",
        ),
        (
            "other.so",
            Adapter::Hardware,
            "other.so has no function D3D12CreateDevice",
        ),
    ];
    // On WSL there are adapters to choose from.
    let adapters = adapters.into_iter().filter(|_| !on_wsl);
    for (d3d12, adapter, expected) in files.into_iter().chain(adapters) {
        let said = message(d3d12, adapter);
        assert!(said.contains(expected), "{said}");
    }
    CURRENT.set(None);
    let said = message("d3d12.so", Adapter::Hardware);
    assert!(
        said.contains("D3D12CreateDevice returned 0x80070057 for the adapter `hardware`"),
        "{said}"
    );
}
