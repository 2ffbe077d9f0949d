//! Microsoft's libraries: which release has which feature level, where Python wheels carry it, and where it is kept.

mod fetch;

use std::{
    env,
    path::{Path, PathBuf},
};

use dml_spec::FeatureLevel;

pub use fetch::{FetchError, fetch};

/// A library in a Python wheel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Release {
    /// Its highest feature level.
    pub level: FeatureLevel,
    /// DirectML's release.
    pub release: &'static str,
    /// System it is for: `linux` or `windows`.
    pub system: &'static str,
    /// Name and version of the Python package.
    pub package: &'static str,
    /// Version of Python that the wheel is for.
    pub python: &'static str,
    /// Platform tag of the wheel.
    pub platform: &'static str,
    /// SHA-256 of the wheel.
    pub wheel_sha256: &'static str,
    /// Path of the library in the wheel.
    pub member: &'static str,
    /// SHA-256 of the library.
    pub library_sha256: &'static str,
}

/// The libraries that can be fetched, by ascending level.
pub const RELEASES: [Release; 5] = [
    Release {
        level: FeatureLevel::new(3, 0),
        release: "1.4.0",
        system: "linux",
        package: "tensorflow-directml==1.15.4.dev201216",
        python: "3.7",
        platform: "manylinux1_x86_64",
        wheel_sha256: "37427203ec378c31f2ddc8dfa42d246ff3ee44c2ca5244c67eefda55068cc413",
        member: "tensorflow_core/libdirectml.bdb07c797e1af1b4a42d21c67ce5494d73991459.so",
        library_sha256: "15a10fb4e9764731ce27f719ed0056ee2f2a1c2a317c62a9a45a984082748906",
    },
    Release {
        level: FeatureLevel::new(3, 1),
        release: "1.5.1",
        system: "linux",
        package: "tensorflow-directml==1.15.5.dev210422",
        python: "3.7",
        platform: "manylinux1_x86_64",
        wheel_sha256: "55e6cd2c9df84a5c6c9fcf894ec16a3ed483da045f3151567f78aa0eb514fbc6",
        member: "tensorflow_core/libdirectml.b6e3bc69b89cfca5486e178bb9d51724d0c4a94a.so",
        library_sha256: "54cd3505e25ea45164dcc5f83e6329dc53b2f008e737a5e87854da245fedb237",
    },
    Release {
        level: FeatureLevel::new(5, 0),
        release: "1.8.0",
        system: "linux",
        package: "tensorflow-directml==1.15.8",
        python: "3.7",
        platform: "manylinux2010_x86_64",
        wheel_sha256: "6a3eb3727fa24dfb3220072f230e86bed6a15d103d853aac11a5971cdccd7baa",
        member: "tensorflow_core/libdirectml.d6f03b303ac3c4f2eeb8ca631688c9757b361310.so",
        library_sha256: "77469c8c07c47b64d981df3810ad2ae030d15f939ec09df5d98b81d1ac9b50e5",
    },
    Release {
        level: FeatureLevel::new(6, 2),
        release: "1.13.1",
        system: "linux",
        package: "torch-directml==0.2.5.dev240914",
        python: "3.10",
        platform: "manylinux2010_x86_64",
        wheel_sha256: "30e29872f4d6059dd784897fa2df0cddb80f3874ed4f0860758790286e95a823",
        member: "torch_directml/libdirectml.so",
        library_sha256: "fd54a8c578630f62a31d6d971d1f7e758e8497df8afccefe5efb1517d791692c",
    },
    Release {
        level: FeatureLevel::new(6, 4),
        release: "1.15.4",
        system: "windows",
        package: "onnxruntime-directml==1.24.4",
        python: "3.11",
        platform: "win_amd64",
        wheel_sha256: "96642a787e5a6f33bf043521c0f06eb1eb663f6b830e5862a2026d03f9c90543",
        member: "onnxruntime/capi/DirectML.dll",
        library_sha256: "c07cb8c2f870f0152bfb690f64c4b048e78bbc219efad420a9758fc896cbecb0",
    },
];

impl Release {
    /// Where the library is kept in this folder.
    pub fn path(&self, cache: &Path) -> PathBuf {
        let file = match self.system {
            "windows" => "DirectML.dll",
            _ => "libdirectml.so",
        };
        cache.join(self.level.to_string()).join(file)
    }
}

/// The user's folder for fetched libraries; `None` if the environment names none.
pub fn cache() -> Option<PathBuf> {
    let named = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let caches = if cfg!(windows) {
        named("LOCALAPPDATA")
    } else {
        named("XDG_CACHE_HOME").or_else(|| Some(named("HOME")?.join(".cache")))
    };
    Some(caches?.join("dml-cts").join("directml"))
}

/// The release that a file is a library of, wherever it lies; `None` if it is another file.
pub fn release(path: &Path) -> Option<&'static Release> {
    let cached = cache().and_then(|cache| RELEASES.iter().find(|release| release.path(&cache) == path));
    cached.or_else(|| {
        let found = fetch::sha256(path).ok()?;
        RELEASES.iter().find(|release| release.library_sha256 == found)
    })
}

/// Fetched libraries for a system, by ascending level.
pub fn fetched(system: &str) -> Vec<(&'static Release, PathBuf)> {
    let Some(cache) = cache() else { return Vec::new() };
    let here = RELEASES.iter().filter(|release| release.system == system);
    here.map(|release| (release, release.path(&cache)))
        .filter(|(_, path)| path.is_file())
        .collect()
}
