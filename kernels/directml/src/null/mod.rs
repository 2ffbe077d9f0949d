//! The null device: just enough of `ID3D12Device` for DirectML to reach `CreateOperator`.
//!
//! DirectML queries the device's abilities and does not give it any work before it compiles an operator.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub(super) mod adapter;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub(super) mod stand_in;

use std::ffi::c_void;

use crate::{
    choice::NullDevice,
    com::{E_INVALIDARG, E_NOINTERFACE, E_NOTIMPL, E_POINTER, Guid, Hresult, IUNKNOWN, S_OK},
};

/// Interfaces that the device says it has: `ID3D12Object`, `ID3D12DeviceChild`'s base, and `ID3D12Device` to
/// `ID3D12Device5`.
const INTERFACES: [Guid; 8] = [
    IUNKNOWN,
    Guid::new(0xc4fec28f_7966_4e95_9f94_f431cb56c3b8),
    Guid::new(0x189819f1_1db6_4b57_be54_1821339b85f7),
    Guid::new(0x77acce80_638e_4e65_8895_c1f23386863e),
    Guid::new(0x30baa41e_b15b_475c_a0bb_1af5c5b64328),
    Guid::new(0x81dadc15_2bad_4392_93c5_101345c4aa98),
    Guid::new(0xe865df17_a9ee_46f9_a463_3098315aa2e5),
    Guid::new(0x8b4f173b_2fea_4b80_8f58_4307191ab95d),
];

/// Number of methods: more than the newest supported interface has.
const METHODS: usize = 160;

/// Highest reported `D3D_FEATURE_LEVEL`: 12.1 less a minor, as every device of DirectML's has.
const FEATURE_LEVEL: u32 = 0xc100;

/// The locally unique id of the adapter, if no library knows adapters of the system.
pub(super) const LUID: u64 = 1;

/// A method that accepts any arguments.
pub(super) type Method = *const ();

/// The object: a table of methods, and what it answers.
#[repr(C)]
pub(super) struct Device {
    methods: Box<[Method; METHODS]>,
    settings: NullDevice,
}

impl Device {
    /// A device of these abilities. It is never freed, as the library may hold on to it.
    pub(super) fn leak(settings: NullDevice) -> *mut c_void {
        let mut methods = Box::new([not_implemented as Method; METHODS]);
        methods[0] = query_interface as Method;
        methods[1] = count as Method;
        methods[2] = count as Method;
        methods[7] = node_count as Method;
        methods[13] = check_feature_support as Method;
        methods[37] = removed_reason as Method;
        methods[43] = adapter_luid as Method;
        methods[59] = enumerate_meta_commands as Method;
        std::ptr::from_mut(Box::leak(Box::new(Self { methods, settings }))).cast()
    }
}

/// Any method that DirectML was never seen to call: it does nothing, and returns an error.
pub(super) extern "system" fn not_implemented() -> Hresult {
    E_NOTIMPL
}

/// `AddRef` and `Release` of objects that are never freed.
pub(super) extern "system" fn count(_: *mut c_void) -> u32 {
    1
}

/// `QueryInterface` for an object of these interfaces.
///
/// # Safety
/// `wanted` and `out` are null or valid.
#[allow(unsafe_code, reason = "COM hands pointers over")]
pub(super) unsafe fn answer_interface(
    this: *mut c_void,
    has: &[Guid],
    wanted: *const Guid,
    out: *mut *mut c_void,
) -> Hresult {
    if out.is_null() || wanted.is_null() {
        return E_POINTER;
    }
    // SAFETY: neither is null, so the caller's pointers are valid.
    unsafe {
        let found = has.contains(&*wanted);
        *out = if found { this } else { std::ptr::null_mut() };
        if found { S_OK } else { E_NOINTERFACE }
    }
}

#[allow(unsafe_code, reason = "COM hands pointers over")]
unsafe extern "system" fn query_interface(this: *mut c_void, wanted: *const Guid, out: *mut *mut c_void) -> Hresult {
    // SAFETY: COM's rules make both pointers null or valid.
    unsafe { answer_interface(this, &INTERFACES, wanted, out) }
}

extern "system" fn node_count(_: *mut c_void) -> u32 {
    1
}

extern "system" fn removed_reason(_: *mut c_void) -> Hresult {
    S_OK
}

/// A structure of 8 bytes comes back in a register in the convention of Linux.
#[cfg(not(windows))]
extern "system" fn adapter_luid(_: *mut c_void) -> u64 {
    LUID
}

/// By the convention of Windows, a method returns every structure through a pointer after `this`.
#[cfg(windows)]
#[allow(unsafe_code, reason = "the structure is written where the caller wants it")]
unsafe extern "system" fn adapter_luid(_: *mut c_void, out: *mut u64) -> *mut u64 {
    static ADAPTER: std::sync::OnceLock<u64> = std::sync::OnceLock::new();
    // DirectML asks DXGI for the adapter of this id, so it has to be one that there is.
    let luid = *ADAPTER.get_or_init(|| crate::adapters::last_luid().unwrap_or(LUID));
    // SAFETY: the caller's compiler has made room for the structure there. It need not be aligned to 8.
    unsafe { out.write_unaligned(luid) };
    out
}

#[allow(unsafe_code, reason = "COM hands pointers over")]
unsafe extern "system" fn enumerate_meta_commands(_: *mut c_void, number: *mut u32, _: *mut c_void) -> Hresult {
    if number.is_null() {
        return E_POINTER;
    }
    // SAFETY: not null, so the caller's pointer to a count.
    unsafe { *number = 0 };
    S_OK
}

/// `CheckFeatureSupport`: the structure named by `feature` is filled in place.
#[allow(unsafe_code, reason = "COM hands pointers over")]
unsafe extern "system" fn check_feature_support(
    this: *mut c_void,
    feature: u32,
    data: *mut c_void,
    size: u32,
) -> Hresult {
    if data.is_null() || this.is_null() {
        return E_POINTER;
    }
    // SAFETY: DirectML calls this on what `Device::leak` made, and `data` points to `size` bytes that are its own.
    let (settings, data) = unsafe {
        let settings = (*this.cast::<Device>()).settings;
        (
            settings,
            std::slice::from_raw_parts_mut(data.cast::<u8>(), size as usize),
        )
    };
    let asked = |at: usize| data.get(at..at + 4).map(read);
    let answers = match feature {
        // Double precision, which FLOAT64 needs; minimal precision of 16 bits, binding tier 3, and loads from typed
        // views, which 8-bit tensors need.
        OPTIONS => vec![(0, 1), (8, 2), (16, 3), (24, u32::from(settings.typed_loads))],
        // SAFETY: the structure of this feature holds a count and a pointer to as many levels.
        FEATURE_LEVELS => match unsafe { highest_level(data) } {
            Some(level) => return write(data, &[(16, level)]),
            None => return E_INVALIDARG,
        },
        SHADER_MODEL => match asked(0) {
            Some(model) => vec![(0, model.min(settings.shader_model))],
            None => return E_INVALIDARG,
        },
        // Wave operations, lanes of a wave at least and at most, all lanes, and 64-bit integers.
        OPTIONS1 => vec![(0, 1), (4, 32), (8, 32), (12, 1024), (20, 1)],
        OPTIONS4 => vec![(8, u32::from(settings.native_16_bit))],
        _ => return E_INVALIDARG,
    };
    if !matches!(feature, SHADER_MODEL) {
        data.fill(0);
    }
    write(data, &answers)
}

/// `D3D12_FEATURE_D3D12_OPTIONS` and the others that DirectML asks for.
const OPTIONS: u32 = 0;
const FEATURE_LEVELS: u32 = 2;
const SHADER_MODEL: u32 = 7;
const OPTIONS1: u32 = 8;
const OPTIONS4: u32 = 23;

fn read(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |n, byte| n << 8 | u32::from(*byte))
}

/// Writes numbers at their offsets.
fn write(data: &mut [u8], numbers: &[(usize, u32)]) -> Hresult {
    for (at, number) in numbers {
        match data.get_mut(*at..at + 4) {
            Some(place) => place.copy_from_slice(&number.to_le_bytes()),
            None => return E_INVALIDARG,
        }
    }
    S_OK
}

/// The highest of the queried levels that the device has.
///
/// # Safety
/// `data` is a `D3D12_FEATURE_DATA_FEATURE_LEVELS`: a count and, at offset 8, a pointer to as many levels.
#[allow(unsafe_code, reason = "the levels stand behind a pointer")]
unsafe fn highest_level(data: &[u8]) -> Option<u32> {
    let count = read(data.get(..4)?) as usize;
    let pointer: [u8; 8] = data.get(8..16)?.try_into().ok()?;
    let levels = std::ptr::with_exposed_provenance::<u32>(usize::from_le_bytes(pointer));
    if levels.is_null() {
        return None;
    }
    // SAFETY: not null, so the array of `count` levels that the caller says it is.
    let levels = unsafe { std::slice::from_raw_parts(levels, count) };
    levels.iter().copied().filter(|level| *level <= FEATURE_LEVEL).max()
}
