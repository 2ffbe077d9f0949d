//! The part of D3D12 that is used, laid out by hand from the public headers: structures and tables of methods.
//!
//! A table names the slots it uses and counts over the others: `IUnknown` has the slots 0 to 2, `ID3D12Object` 3 to 6,
//! `ID3D12DeviceChild` 7. Structures are the same on all systems; of the methods, those that return structures differ
//! ([`ReturnsHandle`]).

mod calls;

use std::ffi::c_void;

use super::com::{Guid, Hresult, UnknownMethods};

/// `ID3D12Device`.
pub(super) const DEVICE: Guid = Guid::new(0x189819f1_1db6_4b57_be54_1821339b85f7);
/// `ID3D12CommandQueue`.
pub(super) const QUEUE: Guid = Guid::new(0x0ec870a6_5d7e_4c22_8cfc_5baae07616ed);
/// `ID3D12CommandAllocator`.
pub(super) const ALLOCATOR: Guid = Guid::new(0x6102dee4_af59_4b09_b999_b44d73f09b24);
/// `ID3D12GraphicsCommandList`.
pub(super) const LIST: Guid = Guid::new(0x5b160d0f_ac1b_4185_8ba8_b3ae42a5a455);
/// `ID3D12Fence`.
pub(super) const FENCE: Guid = Guid::new(0x0a753dcf_c4d8_4b91_adf6_be5a60d95a76);
/// `ID3D12DescriptorHeap`.
pub(super) const HEAP: Guid = Guid::new(0x8efb471d_616c_4f49_90f7_127bb763fa51);
/// `ID3D12Resource`.
pub(super) const RESOURCE: Guid = Guid::new(0x696442be_a72e_4059_bc79_5b5c98040fad);
/// `ID3D12InfoQueue`.
pub(super) const INFO_QUEUE: Guid = Guid::new(0x0742a90b_c387_483f_b946_30a7e4e61458);
/// `ID3D12Debug`.
pub(super) const DEBUG: Guid = Guid::new(0x344488b7_6846_474b_b989_f027448245e0);

/// `D3D12_COMMAND_LIST_TYPE`.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ListKind {
    /// Everything, which devices for graphics have.
    Direct = 0,
    /// Dispatches and copies, which all devices have.
    Compute = 2,
}

/// `D3D12_HEAP_TYPE`: who can reach the memory.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeapKind {
    /// The device alone.
    Default = 1,
    /// Written by the processor.
    Upload = 2,
    /// Read by the processor.
    ReadBack = 3,
}

/// `D3D12_RESOURCE_STATES`.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// State of new buffers, to which they return after every submission.
    Common = 0,
    /// Read and written by dispatches.
    UnorderedAccess = 0x8,
    /// What a copy writes.
    CopyDest = 0x400,
    /// What a copy reads.
    CopySource = 0x800,
    /// What upload heaps are always in.
    GenericRead = 0xac3,
}

/// `D3D12_HEAP_PROPERTIES`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct HeapProperties {
    pub(super) kind: u32,
    pub(super) cpu_page: u32,
    pub(super) pool: u32,
    pub(super) creation_nodes: u32,
    pub(super) visible_nodes: u32,
}

/// `D3D12_RESOURCE_DESC`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct ResourceDesc {
    pub(super) dimension: u32,
    pub(super) alignment: u64,
    pub(super) width: u64,
    pub(super) height: u32,
    pub(super) depth: u16,
    pub(super) mips: u16,
    pub(super) format: u32,
    pub(super) sample_count: u32,
    pub(super) sample_quality: u32,
    pub(super) layout: u32,
    pub(super) flags: u32,
}

/// `D3D12_RESOURCE_BARRIER` with the larger of its variants, the transition; the one for unordered access has the
/// resource only.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Barrier {
    pub(super) kind: u32,
    pub(super) flags: u32,
    pub(super) resource: *mut c_void,
    pub(super) subresource: u32,
    pub(super) before: u32,
    pub(super) after: u32,
}

/// `D3D12_COMMAND_QUEUE_DESC`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct QueueDesc {
    pub(super) kind: u32,
    pub(super) priority: i32,
    pub(super) flags: u32,
    pub(super) nodes: u32,
}

/// `D3D12_DESCRIPTOR_HEAP_DESC`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct DescriptorHeapDesc {
    pub(super) kind: u32,
    pub(super) count: u32,
    pub(super) flags: u32,
    pub(super) nodes: u32,
}

/// `D3D12_RANGE`: bytes from `begin` to before `end`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) begin: usize,
    pub(super) end: usize,
}

/// `D3D12_MESSAGE`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Message {
    pub(super) category: u32,
    pub(super) severity: u32,
    pub(super) id: u32,
    pub(super) text: *const u8,
    pub(super) bytes: usize,
}

/// Fails to compile if a structure has another layout than the headers give it.
macro_rules! layout {
    ($name:ident: $size:literal, $($field:ident $offset:literal),+) => {
        const _: () = {
            assert!(size_of::<$name>() == $size);
            $(assert!(std::mem::offset_of!($name, $field) == $offset);)+
        };
    };
}
pub(super) use layout;

layout!(HeapProperties: 20, kind 0, cpu_page 4, pool 8, creation_nodes 12, visible_nodes 16);
layout!(ResourceDesc: 56, dimension 0, alignment 8, width 16, height 24, depth 28, mips 30, format 32, sample_count 36,
    sample_quality 40, layout 44, flags 48);
layout!(Barrier: 32, kind 0, flags 4, resource 8, subresource 16, before 20, after 24);
layout!(QueueDesc: 16, kind 0, priority 4, flags 8, nodes 12);
layout!(DescriptorHeapDesc: 16, kind 0, count 4, flags 8, nodes 12);
layout!(Range: 16, begin 0, end 8);
layout!(Message: 32, category 0, severity 4, id 8, text 16, bytes 24);

/// A method that is not used.
type Unused = *const c_void;

/// `D3D12CreateDevice`: adapter or null, lowest level, interface, and the place of the device.
pub(super) type CreateDevice = unsafe extern "system" fn(*mut c_void, u32, *const Guid, *mut *mut c_void) -> Hresult;

/// `D3D12GetDebugInterface`: interface, and its place.
pub(super) type GetDebugInterface = unsafe extern "system" fn(*const Guid, *mut *mut c_void) -> Hresult;

/// Makes an object from a description: interface, and the place of the object.
type Make<D> = unsafe extern "system" fn(*mut c_void, *const D, *const Guid, *mut *mut c_void) -> Hresult;

/// A method that returns a `D3D12_CPU_DESCRIPTOR_HANDLE` or its GPU counterpart, structures of 8 bytes: in a register
/// by the convention of Linux.
#[cfg(not(windows))]
pub(super) type ReturnsHandle = unsafe extern "system" fn(*mut c_void) -> u64;

/// A method that returns a `D3D12_CPU_DESCRIPTOR_HANDLE` or its GPU counterpart: by the convention of Windows methods
/// return every structure through a pointer after `this`.
#[cfg(windows)]
pub(super) type ReturnsHandle = unsafe extern "system" fn(*mut c_void, *mut u64) -> *mut u64;

/// `ID3D12Device`.
#[repr(C)]
pub(super) struct DeviceMethods {
    pub(super) unknown: UnknownMethods,
    object: [Unused; 4],
    node_count: Unused,
    /// 8
    pub(super) create_command_queue: Make<QueueDesc>,
    /// 9: kind, interface, place.
    pub(super) create_command_allocator:
        unsafe extern "system" fn(*mut c_void, u32, *const Guid, *mut *mut c_void) -> Hresult,
    pipelines: [Unused; 2],
    /// 12: nodes, kind, allocator, pipeline or null, interface, place.
    pub(super) create_command_list: unsafe extern "system" fn(
        *mut c_void,
        u32,
        u32,
        *mut c_void,
        *mut c_void,
        *const Guid,
        *mut *mut c_void,
    ) -> Hresult,
    check_feature_support: Unused,
    /// 14
    pub(super) create_descriptor_heap: Make<DescriptorHeapDesc>,
    /// 15: kind.
    pub(super) descriptor_increment: unsafe extern "system" fn(*mut c_void, u32) -> u32,
    views: [Unused; 11],
    /// 27: heap, its flags, description, state, clear value or null, interface, place.
    pub(super) create_committed_resource: unsafe extern "system" fn(
        *mut c_void,
        *const HeapProperties,
        u32,
        *const ResourceDesc,
        u32,
        *const c_void,
        *const Guid,
        *mut *mut c_void,
    ) -> Hresult,
    heaps: [Unused; 8],
    /// 36: first value, flags, interface, place.
    pub(super) create_fence: unsafe extern "system" fn(*mut c_void, u64, u32, *const Guid, *mut *mut c_void) -> Hresult,
    /// 37
    pub(super) removed_reason: unsafe extern "system" fn(*mut c_void) -> Hresult,
}

/// `ID3D12CommandQueue`.
#[repr(C)]
pub(super) struct QueueMethods {
    unknown: UnknownMethods,
    child: [Unused; 5],
    tiles: [Unused; 2],
    /// 10: count, lists.
    pub(super) execute_command_lists: unsafe extern "system" fn(*mut c_void, u32, *const *mut c_void),
    markers: [Unused; 3],
    /// 14: fence, value.
    pub(super) signal: unsafe extern "system" fn(*mut c_void, *mut c_void, u64) -> Hresult,
}

/// `ID3D12CommandAllocator`.
#[repr(C)]
pub(super) struct AllocatorMethods {
    unknown: UnknownMethods,
    child: [Unused; 5],
    /// 8
    pub(super) reset: unsafe extern "system" fn(*mut c_void) -> Hresult,
}

/// `ID3D12GraphicsCommandList`.
#[repr(C)]
pub(super) struct ListMethods {
    unknown: UnknownMethods,
    child: [Unused; 5],
    kind: Unused,
    /// 9
    pub(super) close: unsafe extern "system" fn(*mut c_void) -> Hresult,
    /// 10: allocator, pipeline or null.
    pub(super) reset: unsafe extern "system" fn(*mut c_void, *mut c_void, *mut c_void) -> Hresult,
    draws: [Unused; 4],
    /// 15: to, its offset, from, its offset, bytes.
    pub(super) copy_buffer_region: unsafe extern "system" fn(*mut c_void, *mut c_void, u64, *mut c_void, u64, u64),
    graphics: [Unused; 10],
    /// 26: count, barriers.
    pub(super) resource_barrier: unsafe extern "system" fn(*mut c_void, u32, *const Barrier),
    bundle: Unused,
    /// 28: count, heaps.
    pub(super) set_descriptor_heaps: unsafe extern "system" fn(*mut c_void, u32, *const *mut c_void),
}

/// `ID3D12Fence`.
#[repr(C)]
pub(super) struct FenceMethods {
    unknown: UnknownMethods,
    child: [Unused; 5],
    /// 8: the highest value that was reached, and the highest there is once the device is removed.
    pub(super) completed_value: unsafe extern "system" fn(*mut c_void) -> u64,
}

/// `ID3D12DescriptorHeap`.
#[repr(C)]
pub(super) struct HeapMethods {
    unknown: UnknownMethods,
    child: [Unused; 5],
    desc: Unused,
    /// 9
    pub(super) cpu_start: ReturnsHandle,
    /// 10
    pub(super) gpu_start: ReturnsHandle,
}

/// `ID3D12Resource`.
#[repr(C)]
pub(super) struct ResourceMethods {
    unknown: UnknownMethods,
    child: [Unused; 5],
    /// 8: subresource, range to be read or null for all, place.
    pub(super) map: unsafe extern "system" fn(*mut c_void, u32, *const Range, *mut *mut c_void) -> Hresult,
    /// 9: subresource, range that was written or null for all.
    pub(super) unmap: unsafe extern "system" fn(*mut c_void, u32, *const Range),
}

/// `ID3D12InfoQueue`, which has no `ID3D12Object` below it.
#[repr(C)]
pub(super) struct InfoQueueMethods {
    unknown: UnknownMethods,
    limit: Unused,
    /// 4
    pub(super) clear: unsafe extern "system" fn(*mut c_void),
    /// 5: number, place or null, and bytes of the place, in and out.
    pub(super) message: unsafe extern "system" fn(*mut c_void, u64, *mut Message, *mut usize) -> Hresult,
    filtered: [Unused; 2],
    /// 8
    pub(super) count: unsafe extern "system" fn(*mut c_void) -> u64,
}

/// `ID3D12Debug`, which has no `ID3D12Object` below it.
#[repr(C)]
pub(super) struct DebugMethods {
    unknown: UnknownMethods,
    /// 3
    pub(super) enable: unsafe extern "system" fn(*mut c_void),
}

/// Fails to compile if a method is in another slot than the headers give it.
macro_rules! slots {
    ($name:ident: $($method:ident $slot:literal),+) => {
        const _: () = {
            $(assert!(std::mem::offset_of!($name, $method) == $slot * size_of::<*const std::ffi::c_void>());)+
        };
    };
}
pub(super) use slots;

slots!(DeviceMethods: create_command_queue 8, create_command_allocator 9, create_command_list 12,
    create_descriptor_heap 14, descriptor_increment 15, create_committed_resource 27, create_fence 36,
    removed_reason 37);
slots!(QueueMethods: execute_command_lists 10, signal 14);
slots!(AllocatorMethods: reset 8);
slots!(ListMethods: close 9, reset 10, copy_buffer_region 15, resource_barrier 26, set_descriptor_heaps 28);
slots!(FenceMethods: completed_value 8);
slots!(HeapMethods: cpu_start 9, gpu_start 10);
slots!(ResourceMethods: map 8, unmap 9);
slots!(InfoQueueMethods: clear 4, message 5, count 8);
slots!(DebugMethods: enable 3);
