//! DirectML's library: finding it, loading it, and creating a device.

use std::{ffi::c_void, path::Path, ptr};

use dml_ops::FeatureLevel;
use libloading::Library;

use super::{
    choice::{DeviceChoice, Options},
    com::{Com, Hresult, S_OK},
    dml::{CreateDevice1, DEVICE, DeviceMethods},
    error::{DeviceError, LoadError},
    gpu::Gpu,
    library_file::{check_file, is_path, located},
    null, runtime,
};

/// Feature levels to ask a library for.
const LEVELS: [FeatureLevel; 15] = [
    FeatureLevel::new(1, 0),
    FeatureLevel::new(2, 0),
    FeatureLevel::new(2, 1),
    FeatureLevel::new(3, 0),
    FeatureLevel::new(3, 1),
    FeatureLevel::new(4, 0),
    FeatureLevel::new(4, 1),
    FeatureLevel::new(5, 0),
    FeatureLevel::new(5, 1),
    FeatureLevel::new(5, 2),
    FeatureLevel::new(6, 0),
    FeatureLevel::new(6, 1),
    FeatureLevel::new(6, 2),
    FeatureLevel::new(6, 3),
    FeatureLevel::new(6, 4),
];

/// A device of a library.
pub(super) struct Loaded {
    /// The D3D12 part, which executes; none on the null device.
    pub(super) gpu: Option<Gpu>,
    pub(super) device: Com<DeviceMethods>,
    /// Highest feature level.
    pub(super) highest: FeatureLevel,
}

// SAFETY: by their documentation, the devices of DirectML and D3D12 may be used from any thread, and so may the other
// objects as long as it is one thread at a time; the null device never changes.
#[allow(unsafe_code, reason = "a foreign pointer knows no threads")]
unsafe impl Send for Loaded {}

/// Loads the libraries and makes a device. D3D12's comes first, as DirectML's is linked against it on Linux.
///
/// # Errors
/// If any step of that fails.
pub(super) fn load(options: &Options) -> Result<Loaded, LoadError> {
    let path = &located(&options.library);
    check_file(path).map_err(|wrong| LoadError::of_file(wrong, path))?;
    let d3d12 = match &options.device {
        DeviceChoice::Null(_) => None,
        DeviceChoice::Real { adapter, debug } => {
            // A library of that name without the version that DirectML's requires would end the process. So the
            // stand-in has the name, and the one named by its path is loaded in addition.
            if options.d3d12.as_deref().is_some_and(is_path) {
                stand_in(&options.scratch, D3D12)?;
            }
            Some(runtime::open(options.d3d12.as_deref(), adapter, *debug)?)
        }
    };
    stand_in(&options.scratch, DXCORE)?;
    stand_in(&options.scratch, D3D12)?;
    let create = create_function(path)?;
    let pointer = match (&d3d12, &options.device) {
        (Some(opened), _) => opened.device.this(),
        (None, DeviceChoice::Null(settings)) => null::Device::leak(*settings),
        (None, DeviceChoice::Real { .. }) => ptr::null_mut(),
    };
    let device = create_device(create, pointer)?;
    let highest = highest_level(&device)?;
    if let Some(wanted) = options.level.filter(|wanted| *wanted > highest) {
        return Err(LoadError::Level { wanted, highest });
    }
    let gpu = d3d12.map(|opened| Gpu::new(opened, &device)).transpose();
    Ok(Loaded {
        gpu: gpu.map_err(DeviceError::from)?,
        device,
        highest,
    })
}

/// Libraries that DirectML's is linked against on Linux, and that only WSL has.
const DXCORE: &str = "libdxcore.so";
const D3D12: &str = "libd3d12.so";

/// Makes a stand-in for one of them. The library first loaded under its name remains.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn stand_in(folder: &Path, name: &'static str) -> Result<(), LoadError> {
    use std::sync::Mutex;

    use super::null::{adapter, stand_in};

    // Sessions may be opened at once, and each stand-in has its own file.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if stand_in::is_loaded(name) {
        return Ok(());
    }
    let symbol = if name == DXCORE {
        (
            "DXCoreCreateAdapterFactory",
            adapter::create_factory as *const () as usize,
        )
    } else {
        (
            "D3D12SerializeVersionedRootSignature",
            adapter::serialize_root_signature as *const () as usize,
        )
    };
    stand_in::load(folder, name, &[symbol]).map_err(|error| LoadError::StandIn {
        name,
        folder: folder.to_owned(),
        error,
    })
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn stand_in(_: &Path, _: &str) -> Result<(), LoadError> {
    Ok(())
}

/// Loads the library, for the life of this process: it starts threads of its own.
#[allow(unsafe_code, reason = "a library is loaded")]
fn create_function(path: &Path) -> Result<CreateDevice1, LoadError> {
    let refused = |error: libloading::Error| LoadError::Refused {
        path: path.to_owned(),
        error: error.to_string(),
    };
    // SAFETY: the code that a library runs on loading cannot be checked; the user asked for this one.
    let library = unsafe { Library::new(path) }.map_err(refused)?;
    // SAFETY: the function has always had this signature.
    let create = unsafe { library.get::<CreateDevice1>(b"DMLCreateDevice1\0") };
    let create = create
        .map(|found| *found)
        .map_err(|_| LoadError::Symbol(path.to_owned()))?;
    std::mem::forget(library);
    Ok(create)
}

/// A device of the lowest level; a higher one only makes the creation fail more often.
#[allow(unsafe_code, reason = "a foreign function is called")]
fn create_device(create: CreateDevice1, d3d12: *mut c_void) -> Result<Com<DeviceMethods>, LoadError> {
    let mut device: *mut c_void = ptr::null_mut();
    // SAFETY: a live D3D12 device, or the null device, which has all methods of `ID3D12Device`; the interface is the
    // one whose methods `DeviceMethods` begins with, and there is a place for the device.
    let made = unsafe {
        let code = create(d3d12, 0, LEVELS[0].0, &DEVICE, &raw mut device);
        (code, Com::take(device))
    };
    match made {
        (S_OK, Some(device)) => Ok(device),
        (code, _) => Err(LoadError::Device(code)),
    }
}

/// `DML_QUERY_FEATURE_LEVELS`.
#[repr(C)]
struct LevelQuery {
    count: u32,
    levels: *const u32,
}

#[allow(unsafe_code, reason = "a foreign method is called")]
fn highest_level(device: &Com<DeviceMethods>) -> Result<FeatureLevel, LoadError> {
    const FEATURE_LEVELS: u32 = 1;
    let ask = |levels: &[u32]| -> Result<u32, Hresult> {
        let query = LevelQuery {
            count: levels.len() as u32,
            levels: levels.as_ptr(),
        };
        let mut highest = 0_u32;
        // SAFETY: query and answer are the structures of this feature, with their sizes.
        let code = unsafe {
            (device.methods().check_feature_support)(
                device.this(),
                FEATURE_LEVELS,
                size_of::<LevelQuery>() as u32,
                (&raw const query).cast(),
                size_of::<u32>() as u32,
                (&raw mut highest).cast(),
            )
        };
        if code == S_OK { Ok(highest) } else { Err(code) }
    };
    match ask(&LEVELS.map(|level| level.0)) {
        Ok(highest) => Ok(FeatureLevel(highest)),
        Err(code) => Err(LoadError::Device(code)),
    }
}
