//! The D3D12 device, its fences, descriptor heaps and buffers.

use std::{ffi::c_void, ptr};

use super::{
    COMMON, COPY_DEST, DEFAULT, Data, E_INVALIDARG, E_OUTOFMEMORY, GENERIC_READ, Id, Kind, Method, S_OK, World, field,
    hand_out, list, object,
    object::{as_object, query_interface},
    run,
};

/// Bytes from a descriptor to the next, unusual as on real devices.
pub(super) const INCREMENT: u64 = 48;

/// Distance of the first descriptors of two heaps.
const HEAP_SPACE: u64 = 1 << 32;
const CPU_SPACE: u64 = 1 << 52;
const GPU_SPACE: u64 = 1 << 56;

/// `D3D12_HEAP_TYPE`.
const UPLOAD: u32 = 2;
const READBACK: u32 = 3;

/// Makes the device.
pub(super) fn device(world: &'static World) -> *mut c_void {
    let methods = [
        (0, query_device as Method),
        (8, list::create_queue as Method),
        (9, list::create_allocator as Method),
        (12, list::create_list as Method),
        (14, create_heap as Method),
        (15, increment as Method),
        (27, create_committed_resource as Method),
        (36, create_fence as Method),
        (37, removed_reason as Method),
    ];
    world.make(Kind::Device, Data::Nothing, &methods)
}

/// `QueryInterface`: a device has an `ID3D12InfoQueue` besides.
unsafe extern "system" fn query_device(this: *mut c_void, wanted: *const c_void, out: *mut *mut c_void) -> i32 {
    match as_object(this) {
        Some(found) if field::<u32>(wanted, 0) == 0x0742_a90b => unsafe { hand_out(info_queue(found.world), out) },
        _ => unsafe { query_interface(this, wanted, out) },
    }
}

fn info_queue(world: &'static World) -> *mut c_void {
    let methods = [(4, clear as Method), (5, message as Method), (8, messages as Method)];
    world.make(Kind::InfoQueue, Data::Nothing, &methods)
}

unsafe extern "system" fn create_heap(
    this: *mut c_void,
    desc: *const c_void,
    _: *const c_void,
    out: *mut *mut c_void,
) -> i32 {
    let Some((world, _)) = object(this, &[Kind::Device], "CreateDescriptorHeap") else {
        return E_INVALIDARG;
    };
    if let Some(code) = world.refuse() {
        return code;
    }
    let [kind, count, flags, nodes] = [0, 4, 8, 12].map(|offset| field::<u32>(desc, offset));
    if kind != 0 || count == 0 || count > 1_000_000 || nodes > 1 {
        let text = format!("a descriptor heap of kind {kind} with {count} descriptors cannot be made");
        world.state().violation(text);
        return E_INVALIDARG;
    }
    let data = Data::Heap {
        count: u64::from(count),
        visible: flags == 1,
    };
    let methods = [(9, cpu_start as Method), (10, gpu_start as Method)];
    unsafe { hand_out(world.make(Kind::Heap, data, &methods), out) }
}

/// A heap's first descriptor, for the processor and for the device.
pub(super) fn starts(id: Id) -> (u64, u64) {
    let offset = id as u64 * HEAP_SPACE;
    (CPU_SPACE + offset, GPU_SPACE + offset)
}

/// The heap that a handle of the processor lies in, and the descriptor's number.
pub(super) fn locate(handle: u64) -> Option<(Id, u64)> {
    let offset = handle.checked_sub(CPU_SPACE).filter(|offset| *offset < CPU_SPACE)?;
    let (id, within) = (offset / HEAP_SPACE, offset % HEAP_SPACE);
    within
        .is_multiple_of(INCREMENT)
        .then_some((id as Id, within / INCREMENT))
}

fn start_of(this: *mut c_void, method: &str) -> (u64, u64) {
    object(this, &[Kind::Heap], method).map_or((0, 0), |(_, id)| starts(id))
}

/// On Linux a structure of 8 bytes is returned in a register.
#[cfg(not(windows))]
extern "system" fn cpu_start(this: *mut c_void) -> u64 {
    start_of(this, "GetCPUDescriptorHandleForHeapStart").0
}

#[cfg(not(windows))]
extern "system" fn gpu_start(this: *mut c_void) -> u64 {
    start_of(this, "GetGPUDescriptorHandleForHeapStart").1
}

/// On Windows methods return every structure through a pointer after `this`.
#[cfg(windows)]
unsafe extern "system" fn cpu_start(this: *mut c_void, out: *mut u64) -> *mut u64 {
    unsafe { *out = start_of(this, "GetCPUDescriptorHandleForHeapStart").0 };
    out
}

#[cfg(windows)]
unsafe extern "system" fn gpu_start(this: *mut c_void, out: *mut u64) -> *mut u64 {
    unsafe { *out = start_of(this, "GetGPUDescriptorHandleForHeapStart").1 };
    out
}

extern "system" fn increment(this: *mut c_void, kind: u32) -> u32 {
    match object(this, &[Kind::Device], "GetDescriptorHandleIncrementSize") {
        Some(_) if kind == 0 => INCREMENT as u32,
        _ => 0,
    }
}

/// What the description of a buffer has to hold: 4 or 2 bytes at these offsets.
const BUFFER: [(usize, u32); 6] = [(0, 1), (24, 1), (32, 0), (36, 1), (40, 0), (44, 1)];

#[allow(clippy::too_many_arguments, reason = "as many as the method has")]
unsafe extern "system" fn create_committed_resource(
    this: *mut c_void,
    heap: *const c_void,
    heap_flags: u32,
    desc: *const c_void,
    state: u32,
    clear: *const c_void,
    _: *const c_void,
    out: *mut *mut c_void,
) -> i32 {
    let Some((world, _)) = object(this, &[Kind::Device], "CreateCommittedResource") else {
        return E_INVALIDARG;
    };
    if let Some(code) = world.refuse() {
        return code;
    }
    let [kind, page, pool] = [0, 4, 8].map(|offset| field::<u32>(heap, offset));
    let nodes: [u32; 2] = [12, 16].map(|offset| field::<u32>(heap, offset));
    let (alignment, width, flags): (u64, u64, u32) = (field(desc, 8), field(desc, 16), field(desc, 48));
    let shape = BUFFER
        .iter()
        .all(|(offset, value)| field::<u32>(desc, *offset) == *value)
        && [28, 30].iter().all(|offset| field::<u16>(desc, *offset) == 1)
        && matches!(alignment, 0 | 65_536);
    let common = match kind {
        DEFAULT => matches!(flags, 0 | 4) && state == COMMON,
        UPLOAD => flags == 0 && state == GENERIC_READ,
        READBACK => flags == 0 && state == COPY_DEST,
        _ => false,
    };
    let fine = shape && common && width > 0 && page == 0 && pool == 0 && heap_flags == 0 && clear.is_null();
    if !fine || nodes.iter().any(|node| *node > 1) {
        let text = format!("no buffer can be made of {width} bytes in heap {kind}, state {state:#x}, flags {flags:#x}");
        world.state().violation(text);
        return E_INVALIDARG;
    }
    if width > world.state().settings.most_bytes {
        return E_OUTOFMEMORY;
    }
    let data = Data::Resource {
        heap: kind,
        state,
        writable: flags == 4,
        length: width,
        bytes: vec![0; 2 * width as usize],
    };
    let methods = [(8, map as Method), (9, unmap as Method)];
    unsafe { hand_out(world.make(Kind::Resource, data, &methods), out) }
}

unsafe extern "system" fn map(this: *mut c_void, subresource: u32, read: *const c_void, out: *mut *mut c_void) -> i32 {
    let Some((world, id)) = object(this, &[Kind::Resource], "Map") else {
        return E_INVALIDARG;
    };
    if let Some(code) = world.refuse() {
        return code;
    }
    let mut state = world.state();
    if state.in_flight().contains(&id) {
        let name = state.name(id);
        state.violation(format!(
            "{name} was mapped before the fence says that the device is done with it"
        ));
    }
    let end = if read.is_null() { 0 } else { field::<usize>(read, 8) };
    let Some(Data::Resource {
        heap, length, bytes, ..
    }) = state.data(id)
    else {
        return E_INVALIDARG;
    };
    let (heap, length, place) = (*heap, *length, bytes.as_mut_ptr());
    if heap == DEFAULT || subresource != 0 || end as u64 > length {
        state.violation(format!(
            "a buffer of {length} bytes in heap {heap} cannot be mapped up to byte {end}"
        ));
        return E_INVALIDARG;
    }
    if heap == UPLOAD && end > 0 {
        state.violation("an upload buffer was mapped to be read, which is slow beyond measure");
    }
    unsafe { hand_out(place.cast(), out) }
}

extern "system" fn unmap(this: *mut c_void, _: u32, _: *const c_void) {
    let Some((world, id)) = object(this, &[Kind::Resource], "Unmap") else {
        return;
    };
    let mut state = world.state();
    let Some(Data::Resource { length, bytes, .. }) = state.data(id) else {
        return;
    };
    let length = *length;
    if bytes[length as usize..].iter().any(|byte| *byte != 0) {
        state.violation(format!("bytes were written beyond a mapped buffer of {length}"));
    }
}

unsafe extern "system" fn create_fence(
    this: *mut c_void,
    value: u64,
    _: u32,
    _: *const c_void,
    out: *mut *mut c_void,
) -> i32 {
    let Some((world, _)) = object(this, &[Kind::Device], "CreateFence") else {
        return E_INVALIDARG;
    };
    let methods = [(8, completed as Method)];
    unsafe { hand_out(world.make(Kind::Fence, Data::Fence(value), &methods), out) }
}

/// The device advances when the fence is polled.
extern "system" fn completed(this: *mut c_void) -> u64 {
    let Some((world, id)) = object(this, &[Kind::Fence], "GetCompletedValue") else {
        return 0;
    };
    let mut state = world.state();
    state.looks += 1;
    if state.settings.patience.is_some_and(|patience| state.looks > patience) {
        state.looks = 0;
        run::advance(&mut state);
    }
    if state.tell_removed().is_some() {
        return u64::MAX;
    }
    match state.data(id) {
        Some(Data::Fence(value)) => *value,
        _ => 0,
    }
}

extern "system" fn removed_reason(this: *mut c_void) -> i32 {
    let Some((world, _)) = object(this, &[Kind::Device], "GetDeviceRemovedReason") else {
        return E_INVALIDARG;
    };
    world.state().tell_removed().unwrap_or(S_OK)
}

/// Messages of the debug layer once the device is removed.
const SAID: &[u8] = b"the mock removed the device\0";

extern "system" fn messages(this: *mut c_void) -> u64 {
    object(this, &[Kind::InfoQueue], "GetNumStoredMessages")
        .map_or(0, |(world, _)| u64::from(world.state().removed.is_some()))
}

extern "system" fn clear(_: *mut c_void) {}

/// A message and its text share the caller's place.
unsafe extern "system" fn message(_: *mut c_void, _: u64, place: *mut u8, bytes: *mut usize) -> i32 {
    let needed = 32 + SAID.len();
    unsafe {
        if place.is_null() {
            *bytes = needed;
            return S_OK;
        }
        if *bytes < needed {
            return E_INVALIDARG;
        }
        place.write_bytes(0, 32);
        ptr::copy_nonoverlapping(SAID.as_ptr(), place.add(32), SAID.len());
        place.add(16).cast::<*const u8>().write_unaligned(place.add(32));
        place.add(24).cast::<usize>().write_unaligned(SAID.len());
    }
    S_OK
}
