//! The adapter of the null device, as DirectML asks for it through dxcore on Linux.

use std::{ffi::c_void, sync::OnceLock};

use super::{LUID, Method, count, not_implemented};
use crate::com::{E_INVALIDARG, E_NOTIMPL, E_POINTER, Guid, Hresult, S_OK};

/// Methods of either object: more than it has.
const METHODS: usize = 24;

/// An object: a table of methods.
#[repr(C)]
struct Object(*const [Method; METHODS]);

/// The two objects, as addresses; they are never freed.
static FACTORY: OnceLock<usize> = OnceLock::new();
static ADAPTER: OnceLock<usize> = OnceLock::new();

fn object(of: &OnceLock<usize>, methods: &[(usize, Method)]) -> *mut c_void {
    let made = of.get_or_init(|| {
        let mut table = Box::new([not_implemented as Method; METHODS]);
        table[0] = query_interface as Method;
        table[1] = count as Method;
        table[2] = count as Method;
        for (slot, method) in methods {
            table[*slot] = *method;
        }
        let object = Box::leak(Box::new(Object(Box::leak(table))));
        std::ptr::from_mut(object).expose_provenance()
    });
    std::ptr::with_exposed_provenance_mut(*made)
}

/// `DXCoreCreateAdapterFactory`.
#[allow(unsafe_code, reason = "COM hands pointers over")]
pub(crate) unsafe extern "system" fn create_factory(_: *const Guid, out: *mut *mut c_void) -> Hresult {
    let factory = object(&FACTORY, &[(4, adapter_by_luid as Method)]);
    // SAFETY: a place for a pointer, or null.
    unsafe { hand_out(factory, out) }
}

/// `D3D12SerializeVersionedRootSignature`: description, and places for two blobs.
pub(crate) type SerializeRootSignature =
    unsafe extern "system" fn(*const c_void, *mut *mut c_void, *mut *mut c_void) -> Hresult;

/// The function of a D3D12 library that was loaded under a name other than the one DirectML's library looks for.
static FORWARD: OnceLock<SerializeRootSignature> = OnceLock::new();

/// Lets the stand-in lead to a D3D12 library's own function. Later calls change nothing.
pub(crate) fn forward_to(serialize: SerializeRootSignature) {
    let _ = FORWARD.set(serialize);
}

/// `D3D12SerializeVersionedRootSignature`, which DirectML needs to compile an operator only: the null device never gets
/// there.
#[allow(unsafe_code, reason = "a foreign function is called")]
pub(crate) unsafe extern "system" fn serialize_root_signature(
    desc: *const c_void,
    blob: *mut *mut c_void,
    errors: *mut *mut c_void,
) -> Hresult {
    match FORWARD.get() {
        // SAFETY: the caller's promise about that function is passed on.
        Some(forward) => unsafe { forward(desc, blob, errors) },
        None => E_NOTIMPL,
    }
}

/// # Safety
/// `out` is null or a place for a pointer.
#[allow(unsafe_code, reason = "COM hands pointers over")]
unsafe fn hand_out(object: *mut c_void, out: *mut *mut c_void) -> Hresult {
    if out.is_null() {
        return E_POINTER;
    }
    // SAFETY: not null, so the caller's place for a pointer.
    unsafe { *out = object };
    S_OK
}

/// Either object answers to every interface: DirectML asks for the right ones only.
#[allow(unsafe_code, reason = "COM hands pointers over")]
unsafe extern "system" fn query_interface(this: *mut c_void, _: *const Guid, out: *mut *mut c_void) -> Hresult {
    // SAFETY: COM's rules make it null or a place for a pointer.
    unsafe { hand_out(this, out) }
}

#[allow(unsafe_code, reason = "COM hands pointers over")]
unsafe extern "system" fn adapter_by_luid(
    _: *mut c_void,
    _: *const u64,
    _: *const Guid,
    out: *mut *mut c_void,
) -> Hresult {
    let methods = [
        (3, is_valid as Method),
        (4, has_attribute as Method),
        (5, has_property as Method),
        (6, property as Method),
        (7, property_size as Method),
    ];
    // SAFETY: a place for a pointer, or null.
    unsafe { hand_out(object(&ADAPTER, &methods), out) }
}

extern "system" fn is_valid(_: *mut c_void) -> bool {
    true
}

extern "system" fn has_attribute(_: *mut c_void, _: *const Guid) -> bool {
    true
}

extern "system" fn has_property(_: *mut c_void, property: u32) -> bool {
    bytes_of(property).is_some()
}

/// The value of a property of `DXCoreAdapterProperty`.
fn bytes_of(property: u32) -> Option<Vec<u8>> {
    const GIBIBYTE: u64 = 1 << 30;
    match property {
        0 => Some(LUID.to_le_bytes().to_vec()),
        1 => Some(1_u64.to_le_bytes().to_vec()), // driver version
        2 => Some(b"null device\0".to_vec()),
        3 => Some(vec![0; 16]),                           // vendor, device, subsystem, revision
        7 => Some((4 * GIBIBYTE).to_le_bytes().to_vec()), // memory of its own
        8 | 9 => Some(GIBIBYTE.to_le_bytes().to_vec()),   // system memory, dedicated and shared
        11 => Some(vec![1]),                              // hardware
        12 => Some(vec![0]),                              // integrated
        _ => None,
    }
}

#[allow(unsafe_code, reason = "COM hands pointers over")]
unsafe extern "system" fn property(_: *mut c_void, property: u32, size: usize, out: *mut u8) -> Hresult {
    match bytes_of(property) {
        Some(bytes) if !out.is_null() && size >= bytes.len() => {
            // SAFETY: the caller has `size` bytes there, which are enough.
            unsafe { out.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
            S_OK
        }
        _ => E_INVALIDARG,
    }
}

#[allow(unsafe_code, reason = "COM hands pointers over")]
unsafe extern "system" fn property_size(_: *mut c_void, property: u32, out: *mut usize) -> Hresult {
    match bytes_of(property) {
        Some(bytes) if !out.is_null() => {
            // SAFETY: not null, so the caller's place for a size.
            unsafe { *out = bytes.len() };
            S_OK
        }
        _ => E_INVALIDARG,
    }
}
