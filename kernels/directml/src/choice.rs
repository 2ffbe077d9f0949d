//! The choice of a library and of the device DirectML works on, as given on the command line.

use std::{
    fmt,
    path::{Path, PathBuf},
    str::FromStr,
    time::Duration,
};

use dml_ops::FeatureLevel;

/// Name of the library if none is named, as the system's loader looks for it.
pub const LIBRARY: &str = if cfg!(windows) {
    "DirectML.dll"
} else {
    "libdirectml.so"
};

/// Which library, on which device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The library; a bare name is looked for by the system's loader.
    pub library: PathBuf,
    /// The device.
    pub device: DeviceChoice,
    /// D3D12's library; without one the system's.
    pub d3d12: Option<PathBuf>,
    /// Maximum time of a batch of jobs; after it the device counts as lost.
    pub limit: Duration,
    /// Feature level that the library must have.
    pub level: Option<FeatureLevel>,
    /// Folder for temporary files, from which libraries can be loaded.
    pub scratch: PathBuf,
}

/// The abilities that the null device reports. It is written
/// `null[,native-16-bit=yes|no][,typed-loads=yes|no][,shader-model=6.N]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NullDevice {
    /// Whether shaders have 16-bit numbers of their own.
    pub native_16_bit: bool,
    /// Whether shaders load elements of 8 and 16 bits from typed views, which can replace 16-bit numbers.
    pub typed_loads: bool,
    /// Highest shader model, such as 0x66 for 6.6.
    pub shader_model: u32,
}

impl Default for NullDevice {
    fn default() -> Self {
        Self {
            native_16_bit: true,
            typed_loads: true,
            shader_model: 0x66,
        }
    }
}

impl FromStr for NullDevice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const FORM: &str = "expected `null[,native-16-bit=yes|no][,typed-loads=yes|no][,shader-model=6.N]`";
        let yes = |word: &str| match word {
            "yes" => Ok(true),
            "no" => Ok(false),
            _ => Err(FORM),
        };
        let mut device = Self::default();
        let mut parts = text.split(',');
        if parts.next() != Some("null") {
            return Err(FORM.to_owned());
        }
        for part in parts {
            match part.split_once('=') {
                Some(("native-16-bit", word)) => device.native_16_bit = yes(word)?,
                Some(("typed-loads", word)) => device.typed_loads = yes(word)?,
                Some(("shader-model", model)) => {
                    let minor = model.strip_prefix("6.").and_then(|minor| minor.parse::<u32>().ok());
                    let minor = minor.filter(|minor| *minor <= 9).ok_or(FORM)?;
                    device.shader_model = 0x60 + minor;
                }
                _ => return Err(FORM.to_owned()),
            }
        }
        Ok(device)
    }
}

/// Which adapter D3D12 is to use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Adapter {
    /// The first that is hardware; if adapters cannot be listed, the one that D3D12 takes by itself.
    Hardware,
    /// The one in software that Windows brings.
    Warp,
    /// The one of this number.
    Number(usize),
    /// The first with this in its name, in upper or lower case.
    Name(String),
}

impl fmt::Display for Adapter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hardware => f.write_str("hardware"),
            Self::Warp => f.write_str("warp"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Name(name) => f.write_str(name),
        }
    }
}

/// The device that DirectML works on. It is written `null…` or `hardware`, `warp`, an adapter's number or a part of its
/// name, with `,debug` after it to use D3D12's debug layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceChoice {
    /// The null device: operators are created, and nothing is executed.
    Null(NullDevice),
    /// A device of D3D12's.
    Real {
        /// The adapter.
        adapter: Adapter,
        /// Whether the debug layer is turned on, if there is one.
        debug: bool,
    },
}

/// Where WSL has its driver.
#[cfg(target_os = "linux")]
pub(super) const WSL_DRIVER: &str = "/dev/dxg";

impl DeviceChoice {
    /// The default device: hardware if D3D12 is to be expected, which is on Windows, on WSL, and if its library is
    /// named; else the null device.
    pub fn usual(d3d12: Option<&Path>) -> Self {
        #[cfg(target_os = "linux")]
        let expected = d3d12.is_some() || Path::new(WSL_DRIVER).exists();
        #[cfg(not(target_os = "linux"))]
        let expected = d3d12.is_some() || cfg!(windows);
        if expected {
            let (adapter, debug) = (Adapter::Hardware, false);
            Self::Real { adapter, debug }
        } else {
            Self::Null(NullDevice::default())
        }
    }
}

impl FromStr for DeviceChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "null" || text.starts_with("null,") {
            return text.parse().map(Self::Null);
        }
        let (adapter, debug) = match text.strip_suffix(",debug") {
            Some(adapter) => (adapter.trim(), true),
            None => (text.trim(), false),
        };
        let adapter = match adapter {
            "" => return Err("expected `hardware`, `warp`, an adapter's number or name, or `null…`".to_owned()),
            "hardware" => Adapter::Hardware,
            "warp" => Adapter::Warp,
            name => match name.parse() {
                Ok(number) => Adapter::Number(number),
                Err(_) => Adapter::Name(name.to_owned()),
            },
        };
        Ok(Self::Real { adapter, debug })
    }
}

impl fmt::Display for DeviceChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null(_) => f.write_str("null"),
            Self::Real { adapter, debug } => write!(f, "{adapter}{}", if *debug { ", debug layer" } else { "" }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_read() {
        let device: NullDevice = "null,native-16-bit=no,shader-model=6.2".parse().unwrap();
        assert_eq!((device.native_16_bit, device.shader_model), (false, 0x62));
        for wrong in [
            "null,x",
            "null,shader-model=5.1",
            "null,shader-model=6.10",
            "",
            ",debug",
        ] {
            assert!(wrong.parse::<DeviceChoice>().is_err(), "{wrong}");
        }
        let real = |adapter, debug| Ok(DeviceChoice::Real { adapter, debug });
        assert_eq!("hardware".parse(), real(Adapter::Hardware, false));
        assert_eq!("warp,debug".parse(), real(Adapter::Warp, true));
        assert_eq!("1".parse(), real(Adapter::Number(1), false));
        assert_eq!("Arc, 380".parse(), real(Adapter::Name("Arc, 380".to_owned()), false));
        assert_eq!("null".parse(), Ok(DeviceChoice::Null(NullDevice::default())));
    }

    #[test]
    fn a_named_library_makes_hardware_the_usual_device() {
        let usual = DeviceChoice::usual(Some(Path::new("libd3d12.so")));
        assert_eq!(usual.to_string(), "hardware");
    }
}
