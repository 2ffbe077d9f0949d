//! Calls of D3D12's methods.

#![allow(unsafe_code, reason = "foreign methods are called; each call says why it may be")]

use std::{ffi::c_void, ptr};

use super::{
    ALLOCATOR, AllocatorMethods, Barrier, DescriptorHeapDesc, DeviceMethods, FENCE, FenceMethods, HEAP, HeapKind,
    HeapMethods, HeapProperties, InfoQueueMethods, LIST, ListKind, ListMethods, Message, QUEUE, QueueDesc,
    QueueMethods, RESOURCE, Range, ResourceDesc, ResourceMethods, ReturnsHandle, State,
};
use crate::com::{Com, Fault, Hresult, done, made};

/// `D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV`.
const VIEWS: u32 = 0;

impl Com<DeviceMethods> {
    /// `CreateCommandQueue`.
    pub(crate) fn queue(&self, kind: ListKind) -> Result<Com<QueueMethods>, Fault> {
        let desc = QueueDesc {
            kind: kind as u32,
            priority: 0,
            flags: 0,
            nodes: 0,
        };
        let mut place = ptr::null_mut();
        // SAFETY: the structure is the one of the headers, and there is a place for an object of the interface whose
        // methods `QueueMethods` begins with.
        unsafe {
            let code = (self.methods().create_command_queue)(self.this(), &desc, &QUEUE, &raw mut place);
            made("CreateCommandQueue", code, place)
        }
    }

    /// `CreateCommandAllocator`.
    pub(crate) fn allocator(&self, kind: ListKind) -> Result<Com<AllocatorMethods>, Fault> {
        let mut place = ptr::null_mut();
        // SAFETY: a place for an object of the interface whose methods `AllocatorMethods` begins with.
        unsafe {
            let methods = self.methods();
            let code = (methods.create_command_allocator)(self.this(), kind as u32, &ALLOCATOR, &raw mut place);
            made("CreateCommandAllocator", code, place)
        }
    }

    /// `CreateCommandList`: one that is being recorded.
    pub(crate) fn list(&self, kind: ListKind, allocator: &Com<AllocatorMethods>) -> Result<Com<ListMethods>, Fault> {
        let (this, mut place) = (self.this(), ptr::null_mut());
        // SAFETY: the allocator is of this device and kind, no pipeline is allowed, and there is a place for an object
        // of the interface whose methods `ListMethods` begins with.
        unsafe {
            let create = self.methods().create_command_list;
            let code = create(
                this,
                0,
                kind as u32,
                allocator.this(),
                ptr::null_mut(),
                &LIST,
                &raw mut place,
            );
            made("CreateCommandList", code, place)
        }
    }

    /// `CreateDescriptorHeap`: one for views, which shaders see.
    pub(crate) fn heap(&self, count: u32) -> Result<Com<HeapMethods>, Fault> {
        let desc = DescriptorHeapDesc {
            kind: VIEWS,
            count,
            flags: 1,
            nodes: 0,
        };
        let mut place = ptr::null_mut();
        // SAFETY: the structure is the one of the headers, and there is a place for an object of the interface whose
        // methods `HeapMethods` begins with.
        unsafe {
            let code = (self.methods().create_descriptor_heap)(self.this(), &desc, &HEAP, &raw mut place);
            made("CreateDescriptorHeap", code, place)
        }
    }

    /// `GetDescriptorHandleIncrementSize` of heaps for views.
    pub(crate) fn increment(&self) -> u32 {
        // SAFETY: a method with a number for argument.
        unsafe { (self.methods().descriptor_increment)(self.this(), VIEWS) }
    }

    /// `CreateCommittedResource`: a buffer. Those of the device alone may be written by dispatches.
    pub(crate) fn buffer(&self, kind: HeapKind, bytes: u64) -> Result<Com<ResourceMethods>, Fault> {
        let heap = HeapProperties {
            kind: kind as u32,
            cpu_page: 0,
            pool: 0,
            creation_nodes: 1,
            visible_nodes: 1,
        };
        let (state, flags) = match kind {
            HeapKind::Default => (State::Common, 4),
            HeapKind::Upload => (State::GenericRead, 0),
            HeapKind::ReadBack => (State::CopyDest, 0),
        };
        let desc = ResourceDesc {
            dimension: 1, // a buffer
            alignment: 0,
            width: bytes,
            height: 1,
            depth: 1,
            mips: 1,
            format: 0,
            sample_count: 1,
            sample_quality: 0,
            layout: 1, // by rows, as for all buffers
            flags,
        };
        let (this, state, mut place) = (self.this(), state as u32, ptr::null_mut());
        // SAFETY: the structures are those of the headers, buffers have no clear value, and there is a place for an
        // object of the interface whose methods `ResourceMethods` begins with.
        unsafe {
            let create = self.methods().create_committed_resource;
            let code = create(this, &heap, 0, &desc, state, ptr::null(), &RESOURCE, &raw mut place);
            made(&format!("CreateCommittedResource of {bytes} bytes"), code, place)
        }
    }

    /// `CreateFence`: one at 0.
    pub(crate) fn fence(&self) -> Result<Com<FenceMethods>, Fault> {
        let mut place = ptr::null_mut();
        // SAFETY: a place for an object of the interface whose methods `FenceMethods` begins with.
        unsafe {
            let code = (self.methods().create_fence)(self.this(), 0, 0, &FENCE, &raw mut place);
            made("CreateFence", code, place)
        }
    }

    /// `GetDeviceRemovedReason`: success as long as the device is there.
    pub(crate) fn removed_reason(&self) -> Hresult {
        // SAFETY: a method without arguments.
        unsafe { (self.methods().removed_reason)(self.this()) }
    }
}

impl Com<QueueMethods> {
    /// `ExecuteCommandLists` of one list.
    ///
    /// # Safety
    /// Everything that the list uses lives until the device is done with it.
    pub(crate) unsafe fn execute(&self, list: &Com<ListMethods>) {
        let lists = [list.this()];
        // SAFETY: an array of one live list.
        unsafe { (self.methods().execute_command_lists)(self.this(), 1, lists.as_ptr()) }
    }

    /// `Signal`: the fence gets the value once all work submitted before is done.
    pub(crate) fn signal(&self, fence: &Com<FenceMethods>, value: u64) -> Result<(), Fault> {
        // SAFETY: a live fence of the same device.
        done("Signal", unsafe {
            (self.methods().signal)(self.this(), fence.this(), value)
        })
    }
}

impl Com<AllocatorMethods> {
    /// `Reset`: no list of it may be in flight.
    pub(crate) fn reset(&self) -> Result<(), Fault> {
        // SAFETY: a method without arguments.
        done("ID3D12CommandAllocator::Reset", unsafe {
            (self.methods().reset)(self.this())
        })
    }
}

impl Com<ListMethods> {
    /// `Close`.
    pub(crate) fn close(&self) -> Result<(), Fault> {
        // SAFETY: a method without arguments.
        done("Close", unsafe { (self.methods().close)(self.this()) })
    }

    /// `Reset`: the list is being recorded again.
    pub(crate) fn reset(&self, allocator: &Com<AllocatorMethods>) -> Result<(), Fault> {
        // SAFETY: a live allocator of the list's kind, and no pipeline, which is allowed.
        let code = unsafe { (self.methods().reset)(self.this(), allocator.this(), ptr::null_mut()) };
        done("ID3D12GraphicsCommandList::Reset", code)
    }

    /// `CopyBufferRegion`: from a buffer and an offset to another.
    pub(crate) fn copy(
        &self,
        (from, from_offset): (&Com<ResourceMethods>, u64),
        (to, to_offset): (&Com<ResourceMethods>, u64),
        bytes: u64,
    ) {
        // SAFETY: two live buffers of the list's device.
        unsafe {
            let copy = self.methods().copy_buffer_region;
            copy(self.this(), to.this(), to_offset, from.this(), from_offset, bytes);
        }
    }

    /// `ResourceBarrier`: buffers go from one state to another.
    pub(crate) fn transition(&self, buffers: &[&Com<ResourceMethods>], from: State, to: State) {
        let barriers: Vec<_> = buffers
            .iter()
            .map(|buffer| Barrier {
                kind: 0,
                flags: 0,
                resource: buffer.this(),
                subresource: u32::MAX, // all
                before: from as u32,
                after: to as u32,
            })
            .collect();
        // SAFETY: as many barriers as are said, each of a live buffer.
        unsafe { (self.methods().resource_barrier)(self.this(), barriers.len() as u32, barriers.as_ptr()) }
    }

    /// `ResourceBarrier`: dispatches after it see the writes of those before it, in any buffer.
    pub(crate) fn wait_for_writes(&self) {
        let barrier = Barrier {
            kind: 2,
            flags: 0,
            resource: ptr::null_mut(),
            subresource: 0,
            before: 0,
            after: 0,
        };
        // SAFETY: one barrier; without a buffer it is for all.
        unsafe { (self.methods().resource_barrier)(self.this(), 1, &barrier) }
    }

    /// `SetDescriptorHeaps` to one.
    pub(crate) fn set_heap(&self, heap: &Com<HeapMethods>) {
        let heaps = [heap.this()];
        // SAFETY: an array of one live heap that shaders see.
        unsafe { (self.methods().set_descriptor_heaps)(self.this(), 1, heaps.as_ptr()) }
    }
}

impl Com<FenceMethods> {
    /// `GetCompletedValue`.
    pub(crate) fn completed(&self) -> u64 {
        // SAFETY: a method without arguments.
        unsafe { (self.methods().completed_value)(self.this()) }
    }
}

impl Com<HeapMethods> {
    /// The start of the heap, for the processor and for the device.
    pub(crate) fn start(&self) -> (u64, u64) {
        let methods = self.methods();
        // SAFETY: both methods are of this object and return a handle.
        unsafe {
            (
                handle(methods.cpu_start, self.this()),
                handle(methods.gpu_start, self.this()),
            )
        }
    }
}

/// Calls a method that returns a handle, see [`ReturnsHandle`].
///
/// # Safety
/// The method is one of the object's.
#[cfg(not(windows))]
unsafe fn handle(method: ReturnsHandle, this: *mut c_void) -> u64 {
    // SAFETY: the caller's promise.
    unsafe { method(this) }
}

/// Calls a method that returns a handle, see [`ReturnsHandle`].
///
/// # Safety
/// The method is one of the object's.
#[cfg(windows)]
unsafe fn handle(method: ReturnsHandle, this: *mut c_void) -> u64 {
    let mut place = 0;
    // SAFETY: the caller's promise; there is a place for the structure.
    unsafe { method(this, &raw mut place) };
    place
}

impl Com<ResourceMethods> {
    /// Writes the start of an upload buffer.
    ///
    /// # Safety
    /// The buffer was made for uploads, with at least so many bytes, and the device does not use it.
    pub(crate) unsafe fn write(&self, bytes: &[u8]) -> Result<(), Fault> {
        let mut place = ptr::null_mut();
        let nothing_read = Range { begin: 0, end: 0 };
        // SAFETY: buffers have one subresource; the mapped memory is as large as the buffer, says the caller.
        unsafe {
            let code = (self.methods().map)(self.this(), 0, &nothing_read, &raw mut place);
            done("Map", code)?;
            if place.is_null() {
                return Err(Fault::Error("Map succeeded without an address".to_owned()));
            }
            place.cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            (self.methods().unmap)(self.this(), 0, ptr::null());
        }
        Ok(())
    }

    /// Reads the start of a read-back buffer.
    ///
    /// # Safety
    /// The buffer was made for reading back, with at least so many bytes, and the device is done with it.
    pub(crate) unsafe fn read(&self, bytes: &mut [u8]) -> Result<(), Fault> {
        let mut place = ptr::null_mut();
        let read = Range {
            begin: 0,
            end: bytes.len(),
        };
        let nothing_written = Range { begin: 0, end: 0 };
        // SAFETY: buffers have one subresource; the mapped memory is as large as the buffer, says the caller.
        unsafe {
            let code = (self.methods().map)(self.this(), 0, &read, &raw mut place);
            done("Map", code)?;
            if place.is_null() {
                return Err(Fault::Error("Map succeeded without an address".to_owned()));
            }
            place
                .cast::<u8>()
                .copy_to_nonoverlapping(bytes.as_mut_ptr(), bytes.len());
            (self.methods().unmap)(self.this(), 0, &nothing_written);
        }
        Ok(())
    }
}

impl Com<InfoQueueMethods> {
    /// Messages of the debug layer since the last time.
    pub(crate) fn messages(&self) -> Vec<String> {
        // SAFETY: methods that return a number.
        let count = unsafe { (self.methods().count)(self.this()) };
        let found = (0..count).filter_map(|number| self.message(number)).collect();
        // SAFETY: a method without arguments.
        unsafe { (self.methods().clear)(self.this()) };
        found
    }

    fn message(&self, number: u64) -> Option<String> {
        let mut bytes = 0;
        // SAFETY: without a place the method says how large it has to be.
        unsafe { (self.methods().message)(self.this(), number, ptr::null_mut(), &raw mut bytes) };
        // The message and its text share the place; words keep it aligned.
        let mut place = vec![0_u64; bytes.max(size_of::<Message>()).div_ceil(8)];
        let message = place.as_mut_ptr().cast::<Message>();
        // SAFETY: a place of so many bytes, aligned to 8.
        let code = unsafe { (self.methods().message)(self.this(), number, message, &raw mut bytes) };
        done("GetMessage", code).ok()?;
        // SAFETY: the method has written the structure, whose text lies in the same place and ends in a zero that is
        // counted.
        unsafe {
            let Message { text, bytes, .. } = *message;
            if text.is_null() {
                return None;
            }
            let text = std::slice::from_raw_parts(text, bytes);
            Some(String::from_utf8_lossy(text).trim_end_matches('\0').trim().to_owned())
        }
    }
}
