//! Methods that Microsoft's own library calls and the executor does not: they only have to answer.

use std::{ffi::c_void, ptr, sync::OnceLock};

use super::{DEFAULT, Data, Kind, Method, S_OK, SLOTS, World, add_ref, hand_out, object, object::as_object};
use crate::{choice::NullDevice, null};

/// `DXGI_ERROR_NOT_FOUND`.
const NOT_FOUND: i32 = 0x887a_0002_u32.cast_signed();

/// The null device, which answers what the library asks of a device before it uses it.
fn null_device() -> *mut c_void {
    static MADE: OnceLock<usize> = OnceLock::new();
    let made = MADE.get_or_init(|| null::Device::leak(NullDevice::default()).expose_provenance());
    ptr::with_exposed_provenance_mut(*made)
}

fn of_null_device(slot: usize) -> Method {
    unsafe { *null_device().cast::<*const Method>().read().add(slot) }
}

/// Adds what the library calls and the executor does not.
pub(super) fn extend(kind: Kind, table: &mut [Method; SLOTS]) {
    let mut add = |methods: &[(usize, Method)]| methods.iter().for_each(|(slot, method)| table[*slot] = *method);
    if matches!(kind, Kind::Blob) {
        return add(&[(3, blob_bytes as Method), (4, blob_size as Method)]);
    }
    let nothing = nothing as Method;
    if matches!(kind, Kind::InfoQueue) {
        // The library turns off warnings.
        return (3..SLOTS).for_each(|slot| add(&[(slot, nothing)]));
    }
    add(&[(3, no_data as Method), (4, nothing), (5, nothing), (6, nothing)]);
    if !matches!(kind, Kind::Device) {
        add(&[(7, device_of as Method)]);
    }
    match kind {
        Kind::Device => {
            add(&[
                (7, of_null_device(7)),
                (13, features as Method),
                (43, of_null_device(43)),
                (59, of_null_device(59)),
            ]);
            add(&[
                (11, pipeline as Method),
                (16, root_signature as Method),
                (34, nothing),
                (35, nothing),
            ]);
            (17..=19).chain(23..=24).for_each(|slot| add(&[(slot, nothing)]));
        }
        Kind::Resource => add(&[
            (10, resource_desc as Method),
            (11, address as Method),
            (14, heap_properties as Method),
        ]),
        Kind::List => {
            add(&[(8, nothing)]);
            [14, 25, 29, 31, 33, 35, 37, 39, 41]
                .iter()
                .for_each(|slot| add(&[(*slot, nothing)]));
        }
        _ => {}
    }
}

/// A method that only has to succeed.
extern "system" fn nothing() -> i32 {
    S_OK
}

extern "system" fn no_data() -> i32 {
    NOT_FOUND
}

unsafe extern "system" fn device_of(this: *mut c_void, _: *const c_void, out: *mut *mut c_void) -> i32 {
    let Some(found) = as_object(this) else {
        return NOT_FOUND;
    };
    let device = found.world.state().device;
    let device: *mut c_void = ptr::with_exposed_provenance_mut(device);
    unsafe {
        add_ref(device);
        hand_out(device, out)
    }
}

unsafe extern "system" fn features(_: *mut c_void, feature: u32, data: *mut c_void, size: u32) -> i32 {
    type Check = unsafe extern "system" fn(*mut c_void, u32, *mut c_void, u32) -> i32;
    unsafe { std::mem::transmute::<Method, Check>(of_null_device(13))(null_device(), feature, data, size) }
}

unsafe extern "system" fn pipeline(
    this: *mut c_void,
    _: *const c_void,
    _: *const c_void,
    out: *mut *mut c_void,
) -> i32 {
    let Some((world, _)) = object(this, &[Kind::Device], "CreateComputePipelineState") else {
        return NOT_FOUND;
    };
    unsafe { hand_out(world.make(Kind::Pipeline, Data::Nothing, &[]), out) }
}

unsafe extern "system" fn root_signature(
    this: *mut c_void,
    _: u32,
    _: *const c_void,
    _: usize,
    _: *const c_void,
    out: *mut *mut c_void,
) -> i32 {
    let Some((world, _)) = object(this, &[Kind::Device], "CreateRootSignature") else {
        return NOT_FOUND;
    };
    unsafe { hand_out(world.make(Kind::Pipeline, Data::Nothing, &[]), out) }
}

/// `D3D12SerializeVersionedRootSignature`: the text does not matter.
pub(super) unsafe fn serialize(world: &'static World, out: *mut *mut c_void) -> i32 {
    unsafe { hand_out(world.make(Kind::Blob, Data::Nothing, &[]), out) }
}

static BYTES: [u8; 16] = *b"a root signature";

extern "system" fn blob_bytes(_: *mut c_void) -> *const u8 {
    BYTES.as_ptr()
}

extern "system" fn blob_size(_: *mut c_void) -> usize {
    BYTES.len()
}

/// Kind of heap and bytes of a buffer.
fn buffer(this: *mut c_void, method: &str) -> (u32, u64) {
    let Some((world, id)) = object(this, &[Kind::Resource], method) else {
        return (0, 0);
    };
    match world.state().data(id) {
        Some(Data::Resource { heap, length, .. }) => (*heap, *length),
        _ => (0, 0),
    }
}

/// `GetDesc`, whose 56 bytes go through a hidden pointer before `this`.
unsafe extern "system" fn resource_desc(out: *mut u8, this: *mut c_void) -> *mut u8 {
    let (heap, bytes) = buffer(this, "ID3D12Resource::GetDesc");
    let flags = if heap == DEFAULT { 4 } else { 0 };
    unsafe {
        out.write_bytes(0, 56);
        for (offset, value) in [(0, 1_u32), (24, 1), (36, 1), (44, 1), (48, flags)] {
            out.add(offset).cast::<u32>().write_unaligned(value);
        }
        out.add(28).cast::<u32>().write_unaligned(0x1_0001);
        out.add(8).cast::<u64>().write_unaligned(65_536);
        out.add(16).cast::<u64>().write_unaligned(bytes);
    }
    out
}

extern "system" fn address(this: *mut c_void) -> u64 {
    let found = object(this, &[Kind::Resource], "GetGPUVirtualAddress");
    found.map_or(0, |(_, id)| (id as u64) << 32)
}

unsafe extern "system" fn heap_properties(this: *mut c_void, properties: *mut u32, flags: *mut u32) -> i32 {
    let (heap, _) = buffer(this, "GetHeapProperties");
    unsafe {
        if !properties.is_null() {
            [heap, 0, 0, 1, 1]
                .iter()
                .enumerate()
                .for_each(|(i, value)| properties.add(i).write_unaligned(*value));
        }
        if !flags.is_null() {
            flags.write(0);
        }
    }
    S_OK
}
