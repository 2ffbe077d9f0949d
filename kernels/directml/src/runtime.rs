//! D3D12's library: finding it, loading it, and creating a device.

#![allow(unsafe_code, reason = "libraries are loaded and called; each use says why it may be")]

use std::{
    mem,
    path::{Path, PathBuf},
    ptr,
};

use libloading::Library;

use super::{
    adapters,
    choice::Adapter,
    com::{Com, S_OK, UnknownMethods, made},
    d3d12::{self, CreateDevice, DeviceMethods, GetDebugInterface, InfoQueueMethods},
    error::DeviceError,
    library_file::{check_file, load_for_all, located},
};

/// Default names of the library, as the system's loader looks for them; if WSL has it, that one too.
const LIBRARIES: &[&str] = if cfg!(windows) {
    &["d3d12.dll"]
} else {
    &["libd3d12.so", "/usr/lib/wsl/lib/libd3d12.so"]
};

/// Lowest `D3D_FEATURE_LEVEL` of graphics devices that DirectML accepts, 11_0, and that of devices for computing only.
const LEVELS: [u32; 2] = [0xb000, 0x1000];

/// A device, and the messages of the debug layer if it was requested and is available.
pub(super) struct Opened {
    pub(super) device: Com<DeviceMethods>,
    pub(super) messages: Option<Com<InfoQueueMethods>>,
}

/// Loads the library and makes a device.
///
/// # Errors
/// If any step of that fails.
pub(super) fn open(path: Option<&Path>, adapter: &Adapter, debug: bool) -> Result<Opened, DeviceError> {
    let (library, path) = load(path)?;
    // SAFETY: the functions have always had these signatures.
    let (create, debugging) = unsafe {
        let create = library.get::<CreateDevice>(b"D3D12CreateDevice\0").map(|found| *found);
        let debugging = library.get::<GetDebugInterface>(b"D3D12GetDebugInterface\0");
        (create, debugging.map(|found| *found))
    };
    let create = create.map_err(|_| DeviceError::Symbol(path))?;
    share(&library);
    // It stays loaded: DirectML's library is linked against it, and drivers start threads.
    mem::forget(library);
    if let (true, Ok(debugging)) = (debug, debugging) {
        // SAFETY: the function of that name.
        unsafe { watch(debugging) };
    }
    let chosen = adapters::find(adapter)?;
    // SAFETY: the function of that name, and an adapter of the same system.
    let device = unsafe { create_device(create, chosen.as_ref(), adapter)? };
    // SAFETY: the methods of that interface.
    let messages = debug.then(|| unsafe { device.query(&d3d12::INFO_QUEUE) }).flatten();
    Ok(Opened { device, messages })
}

/// Loads the named library, or the first of the usual ones.
fn load(path: Option<&Path>) -> Result<(Library, PathBuf), DeviceError> {
    let path = path.map(located);
    let path = path.as_deref();
    if let Some(path) = path {
        check_file(path).map_err(|wrong| DeviceError::of_file(wrong, path))?;
    }
    let usual = || LIBRARIES.iter().map(PathBuf::from).collect();
    let paths: Vec<PathBuf> = path.map_or_else(usual, |path| vec![path.to_owned()]);
    let mut refused = None;
    for path in paths {
        match load_for_all(&path) {
            Ok(library) => return Ok((library, path)),
            Err(error) => {
                let error = error.to_string();
                refused.get_or_insert(DeviceError::Refused { path, error });
            }
        }
    }
    Err(refused.unwrap_or_else(|| DeviceError::Missing(PathBuf::new())))
}

/// DirectML's library gets a stand-in for `libd3d12.so`, whose one symbol leads to the library's own: if the library
/// was named by its path, or has another name inside. The stand-in is not made if the library has the name itself.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn share(library: &Library) {
    use super::null::adapter::{SerializeRootSignature, forward_to};
    // SAFETY: the function has always had this signature.
    if let Ok(found) = unsafe { library.get::<SerializeRootSignature>(b"D3D12SerializeVersionedRootSignature\0") } {
        forward_to(*found);
    }
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn share(_: &Library) {}

/// Turns the debug layer on, if there is one.
///
/// # Safety
/// The function is `D3D12GetDebugInterface`.
unsafe fn watch(debugging: GetDebugInterface) {
    let mut place = ptr::null_mut();
    // SAFETY: a place for an object of the interface whose methods `DebugMethods` begins with.
    let layer = unsafe {
        let code = debugging(&d3d12::DEBUG, &raw mut place);
        made::<d3d12::DebugMethods>("D3D12GetDebugInterface", code, place)
    };
    if let Ok(layer) = layer {
        // SAFETY: a method without arguments.
        unsafe { (layer.methods().enable)(layer.this()) };
    }
}

/// Makes a device of the adapter, or of the one that D3D12 takes by itself.
///
/// # Safety
/// The function is `D3D12CreateDevice`.
unsafe fn create_device(
    create: CreateDevice,
    chosen: Option<&Com<UnknownMethods>>,
    adapter: &Adapter,
) -> Result<Com<DeviceMethods>, DeviceError> {
    let from = chosen.map_or(ptr::null_mut(), Com::this);
    let mut code = S_OK;
    for level in LEVELS {
        let mut place = ptr::null_mut();
        // SAFETY: an adapter or null, and a place for an object of the interface whose methods `DeviceMethods` begins
        // with.
        let device = unsafe {
            code = create(from, level, &d3d12::DEVICE, &raw mut place);
            Com::take(place)
        };
        if let (true, Some(device)) = (code >= S_OK, device) {
            return Ok(device);
        }
    }
    let adapter = adapter.clone();
    Err(DeviceError::Device { adapter, code })
}
