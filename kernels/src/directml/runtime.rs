//! D3D12's library: found, loaded, and brought up to a device.

#![allow(unsafe_code, reason = "libraries are loaded and called; each use says why it may be")]

use std::{
    mem,
    path::{Path, PathBuf},
    ptr,
};

use dml_ops::Unavailable;
use libloading::Library;

use super::{
    Adapter, adapters,
    com::{Code, Com, Fault, S_OK, UnknownMethods, made},
    d3d12::{self, CreateDevice, DeviceMethods, GetDebugInterface, InfoQueueMethods},
    library::{check_file, located},
};

/// Names of the library where none is named, as the system's loader looks for them; where WSL has it, too.
const LIBRARIES: &[&str] = if cfg!(windows) {
    &["d3d12.dll"]
} else {
    &["libd3d12.so", "/usr/lib/wsl/lib/libd3d12.so"]
};

/// Lowest `D3D_FEATURE_LEVEL` of graphics devices that DirectML takes, 11_0, and that of devices for computing only.
const LEVELS: [u32; 2] = [0xb000, 0x1000];

/// Why there is no D3D12 device here.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    /// There is no such file.
    #[error("there is no D3D12 library at {0}")]
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
    /// It is no D3D12 library.
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
    #[error("there is no adapter `{wanted}`; {}", list(.found))]
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

fn list(found: &[String]) -> String {
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

/// A device, and the messages of the debug layer where it was asked for and is there.
pub(super) struct Opened {
    pub(super) device: Com<DeviceMethods>,
    pub(super) messages: Option<Com<InfoQueueMethods>>,
}

/// Loads the library and makes a device.
///
/// # Errors
/// Where any step of that fails.
pub(super) fn open(path: Option<&Path>, adapter: &Adapter, debug: bool) -> Result<Opened, DeviceError> {
    let (library, path) = load(path)?;
    // SAFETY: the functions have had these signatures since they exist.
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

/// Loads the library named, or the first of the usual ones.
fn load(path: Option<&Path>) -> Result<(Library, PathBuf), DeviceError> {
    let path = path.map(located);
    let path = path.as_deref();
    if let Some(path) = path {
        check_file(path).map_err(|wrong| wrong.of_d3d12(path))?;
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

/// Loads a library whose symbols those loaded later may use: DirectML's library on Linux names `libd3d12.so` as one
/// that it needs. The loader takes what is loaded already for it, where the name *inside* the library (its SONAME) is
/// that; where it is another, see [`share`].
#[cfg(unix)]
pub(super) fn load_for_all(path: &Path) -> Result<Library, libloading::Error> {
    use libloading::os::unix::{self, RTLD_GLOBAL, RTLD_LAZY};
    // SAFETY: what a library does as it is loaded is beyond anyone's control; this one was asked for by the user, or
    // is the system's.
    unsafe { unix::Library::open(Some(path), RTLD_LAZY | RTLD_GLOBAL) }.map(Into::into)
}

/// Loads a library; on Windows one that is loaded already is found by its file's name.
#[cfg(not(unix))]
pub(super) fn load_for_all(path: &Path) -> Result<Library, libloading::Error> {
    // SAFETY: what a library does as it is loaded is beyond anyone's control; this one was asked for by the user, or
    // is the system's.
    unsafe { Library::new(path) }
}

/// DirectML's library gets a stand-in for `libd3d12.so`, whose one symbol leads to the library's own: where the library
/// was named by its path, or has another name inside. The stand-in is not made where the library has the name itself.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn share(library: &Library) {
    use super::null::adapter::{SerializeRootSignature, forward_to};
    // SAFETY: the function has had this signature since it exists.
    if let Ok(found) = unsafe { library.get::<SerializeRootSignature>(b"D3D12SerializeVersionedRootSignature\0") } {
        forward_to(*found);
    }
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn share(_: &Library) {}

/// Turns the debug layer on, where there is one.
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
