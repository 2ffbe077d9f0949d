//! DirectML's library: found, loaded, and brought up to a device.

use std::{
    ffi::c_void,
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
    ptr,
};

use dml_ops::Unavailable;
use dml_spec::FeatureLevel;
use libloading::Library;

use super::{
    DeviceChoice, DeviceError, Options,
    com::{Code, Com, Hresult, S_OK},
    dml::{CreateDevice1, DEVICE, DeviceMethods},
    gpu::Gpu,
    null, runtime,
};

/// Feature levels that a library is asked for.
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

/// Why there is no DirectML here.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// There is no such file.
    #[error("there is no DirectML library at {0}")]
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
    #[error("{path} cannot be loaded: {error}")]
    Refused {
        /// The file.
        path: PathBuf,
        /// What the loader said.
        error: String,
    },
    /// It is no DirectML library.
    #[error("{0} has no function DMLCreateDevice1, so it is no DirectML library, or one before 1.1.0")]
    Symbol(PathBuf),
    /// Libraries that only WSL has cannot be stood in for.
    #[error("no stand-in for {name} can be loaded from {folder}: {error}")]
    StandIn {
        /// The library.
        name: &'static str,
        /// Where its file was written.
        folder: PathBuf,
        /// What went wrong.
        error: io::Error,
    },
    /// It does not make a device.
    #[error("DMLCreateDevice1 failed with {}", Code(*.0))]
    Device(i32),
    /// The level asked for is above the highest.
    #[error("the library's highest feature level is {highest}, so there is no device of level {wanted} (0x887a0004)")]
    Level {
        /// Level asked for.
        wanted: FeatureLevel,
        /// Highest level.
        highest: FeatureLevel,
    },
    /// There is no D3D12 device to work on.
    #[error(transparent)]
    D3d12(#[from] DeviceError),
}

impl From<LoadError> for Unavailable {
    fn from(error: LoadError) -> Self {
        let remedy = match error {
            LoadError::D3d12(error) => return error.into(),
            LoadError::Refused { ref path, .. } if !is_path(path) => {
                "get one with `dml-cts fetch directml`, or name one with --directml-lib"
            }
            LoadError::Device(_) => {
                "choose another device with --directml-device, or another library with --directml-lib"
            }
            LoadError::Missing(_) => "get one with `dml-cts fetch directml`, or name one with --directml-lib",
            LoadError::Level { .. } => "ask for a lower level, or name a newer library with --directml-lib",
            LoadError::StandIn { .. } => "name a folder that libraries can be loaded from in TMPDIR",
            _ => "name another library with --directml-lib",
        };
        Self {
            reason: error.to_string(),
            remedy: remedy.to_owned(),
        }
    }
}

/// A device of a library.
pub(super) struct Loaded {
    /// What executes; nothing on the null device.
    pub(super) gpu: Option<Gpu>,
    pub(super) device: Com<DeviceMethods>,
    /// Highest feature level.
    pub(super) highest: FeatureLevel,
}

// SAFETY: the devices of DirectML and D3D12 may be used from any thread, say their documentations, and so may the other
// objects as long as it is one thread at a time; the null device never changes.
#[allow(unsafe_code, reason = "a foreign pointer knows no threads")]
unsafe impl Send for Loaded {}

/// Loads the libraries and makes a device. D3D12's comes first, as DirectML's is linked against it on Linux.
///
/// # Errors
/// Where any step of that fails.
pub(super) fn load(options: &Options) -> Result<Loaded, LoadError> {
    let path = &located(&options.library);
    check_file(path).map_err(|wrong| wrong.of_directml(path))?;
    let d3d12 = match &options.device {
        DeviceChoice::Null(_) => None,
        DeviceChoice::Real { adapter, debug } => {
            // A library of that name without the version that DirectML's wants would end the process. So the stand-in
            // has the name, and the one that is named by its path is loaded beside it.
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

/// What is wrong with a file that should be a library.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum WrongFile {
    /// There is none.
    Missing,
    /// It is for another system or processor.
    Foreign(String),
}

impl WrongFile {
    fn of_directml(self, path: &Path) -> LoadError {
        let path = path.to_owned();
        match self {
            Self::Missing => LoadError::Missing(path),
            Self::Foreign(found) => LoadError::Foreign {
                path,
                found,
                needed: NEEDED,
            },
        }
    }

    pub(super) fn of_d3d12(self, path: &Path) -> DeviceError {
        let path = path.to_owned();
        match self {
            Self::Missing => DeviceError::Missing(path),
            Self::Foreign(found) => DeviceError::Foreign {
                path,
                found,
                needed: NEEDED,
            },
        }
    }
}

/// Where a file lies: the loader looks for a bare name in its own folders only, and not in this one.
pub(super) fn located(path: &Path) -> PathBuf {
    if path.components().count() < 2 && path.is_file() {
        Path::new(".").join(path)
    } else {
        path.to_owned()
    }
}

/// Whether a library is named by where it lies, and not only for the loader to look for.
fn is_path(path: &Path) -> bool {
    located(path).components().count() > 1
}

/// What the loader would say in its own words, or on some systems not at all.
pub(super) fn check_file(path: &Path) -> Result<(), WrongFile> {
    if !is_path(path) {
        return Ok(());
    }
    let mut head = Vec::new();
    let file = File::open(path).map_err(|_| WrongFile::Missing)?;
    let _ = file.take(4096).read_to_end(&mut head);
    match kind_of(&head) {
        found if found == NEEDED => Ok(()),
        found => Err(WrongFile::Foreign(found)),
    }
}

#[cfg(all(windows, target_arch = "x86_64"))]
const NEEDED: &str = "a Windows library for x86-64";
#[cfg(all(windows, not(target_arch = "x86_64")))]
const NEEDED: &str = "a Windows library for arm64";
#[cfg(all(not(windows), target_arch = "x86_64"))]
const NEEDED: &str = "a Linux library for x86-64";
#[cfg(all(not(windows), not(target_arch = "x86_64")))]
const NEEDED: &str = "a Linux library for arm64";

/// What a file is, from its first bytes.
fn kind_of(head: &[u8]) -> String {
    let half = |at: usize| head.get(at..at + 2).map(|b| u16::from_le_bytes([b[0], b[1]]));
    let processor = |machine: Option<u16>| match machine {
        Some(62 | 0x8664) => "x86-64".to_owned(),
        Some(183 | 0xaa64) => "arm64".to_owned(),
        Some(3 | 0x14c) => "32-bit x86".to_owned(),
        Some(other) => format!("machine {other}"),
        None => "an unknown machine".to_owned(),
    };
    if head.starts_with(b"\x7fELF") {
        return format!("a Linux library for {}", processor(half(18)));
    }
    let at = half(0x3c).map_or(0, usize::from);
    if head.starts_with(b"MZ") && head.get(at..at + 4) == Some(b"PE\0\0") {
        return format!("a Windows library for {}", processor(half(at + 4)));
    }
    "no library".to_owned()
}

/// Libraries that DirectML's is linked against on Linux, and that only WSL has.
const DXCORE: &str = "libdxcore.so";
const D3D12: &str = "libd3d12.so";

/// Makes a stand-in for one of them. What is loaded under its name stays it.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn stand_in(folder: &Path, name: &'static str) -> Result<(), LoadError> {
    use std::sync::Mutex;

    use super::null::{adapter, stand_in};

    // Sessions may be opened at once, and each stand-in is made in one file.
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

/// Loads the library, for as long as this process lives: it starts threads of its own.
#[allow(unsafe_code, reason = "a library is loaded")]
fn create_function(path: &Path) -> Result<CreateDevice1, LoadError> {
    let refused = |error: libloading::Error| LoadError::Refused {
        path: path.to_owned(),
        error: error.to_string(),
    };
    // SAFETY: what a library does as it is loaded is beyond anyone's control; this one was asked for by the user.
    let library = unsafe { Library::new(path) }.map_err(refused)?;
    // SAFETY: the function has had this signature since it exists.
    let create = unsafe { library.get::<CreateDevice1>(b"DMLCreateDevice1\0") };
    let create = create
        .map(|found| *found)
        .map_err(|_| LoadError::Symbol(path.to_owned()))?;
    std::mem::forget(library);
    Ok(create)
}

/// A device of the lowest level: a higher one changes nothing but whether it is made.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_names_are_the_loaders_unless_they_lie_here() {
        assert_eq!(located("libdirectml.so".as_ref()), Path::new("libdirectml.so"));
        assert_eq!(located("Cargo.toml".as_ref()), Path::new("./Cargo.toml"));
        assert_eq!(check_file("libdirectml.so".as_ref()), Ok(()));
    }

    #[test]
    fn files_are_told_apart_by_their_heads() {
        let mut elf = b"\x7fELF".to_vec();
        elf.resize(64, 0);
        elf[18] = 183;
        assert_eq!(kind_of(&elf), "a Linux library for arm64");
        let mut pe = b"MZ".to_vec();
        pe.resize(0x3c, 0);
        pe.extend(*b"\x40\0\0\0PE\0\0\x64\x86");
        assert_eq!(kind_of(&pe), "a Windows library for x86-64");
        assert_eq!(kind_of(b""), "no library");
    }
}
