//! Buffers and descriptors that batches use, one after another.

use super::{
    binding::SECTION,
    com::{Com, Fault},
    d3d12::{HeapKind, HeapMethods, ResourceMethods},
    gpu::Gpu,
};

/// What a batch needs: bytes of its buffers, and descriptors.
pub(super) struct Sizes {
    /// Tensors, on the device; as many are uploaded.
    pub(super) arena: u64,
    /// Outputs among them, which are read back.
    pub(super) back: u64,
    /// Temporary and persistent resources.
    pub(super) scratch: u64,
    pub(super) descriptors: u32,
}

/// A buffer, and its bytes.
type Kept = Option<(Com<ResourceMethods>, u64)>;

/// Buffers and descriptors, kept from batch to batch.
#[derive(Default)]
pub(super) struct Pools {
    arena: Kept,
    scratch: Kept,
    upload: Kept,
    back: Kept,
    heap: Option<(Com<HeapMethods>, u32)>,
}

/// Buffers up to this size are made larger than requested, so that they fit the next batch as well.
const GROW: u64 = 32 << 20;

/// Larger buffers are given back after use.
const KEEP: u64 = 80 << 20;

impl Pools {
    /// Makes everything at least as large as that.
    ///
    /// # Errors
    /// If there is no room.
    pub(super) fn fit(&mut self, gpu: &Gpu, sizes: &Sizes) -> Result<(), Fault> {
        let wanted = [
            (&mut self.arena, HeapKind::Default, sizes.arena),
            (&mut self.scratch, HeapKind::Default, sizes.scratch),
            (&mut self.upload, HeapKind::Upload, sizes.arena),
            (&mut self.back, HeapKind::ReadBack, sizes.back),
        ];
        for (kept, kind, bytes) in wanted {
            let bytes = bytes.max(SECTION);
            if kept.as_ref().is_some_and(|(_, there)| *there >= bytes) {
                continue;
            }
            let bytes = if bytes <= GROW {
                bytes.next_power_of_two()
            } else {
                bytes
            };
            // What is too small is released first, so that both need not fit at once.
            *kept = None;
            *kept = Some((gpu.device.buffer(kind, bytes)?, bytes));
        }
        if self.heap.as_ref().is_none_or(|(_, count)| *count < sizes.descriptors) {
            self.heap = None;
            let count = sizes.descriptors.next_power_of_two();
            self.heap = Some((gpu.device.heap(count)?, count));
        }
        Ok(())
    }

    /// Everything, if it was made.
    pub(super) fn buffers(&self) -> Result<Made<'_>, Fault> {
        let missing = || Fault::Error("a buffer was not made".to_owned());
        Ok(Made {
            arena: &self.arena.as_ref().ok_or_else(missing)?.0,
            scratch: &self.scratch.as_ref().ok_or_else(missing)?.0,
            upload: &self.upload.as_ref().ok_or_else(missing)?.0,
            back: &self.back.as_ref().ok_or_else(missing)?.0,
            heap: &self.heap.as_ref().ok_or_else(missing)?.0,
        })
    }

    /// Lets go of what is too large to keep.
    pub(super) fn trim(&mut self) {
        for kept in [&mut self.arena, &mut self.scratch, &mut self.upload, &mut self.back] {
            if kept.as_ref().is_some_and(|(_, bytes)| *bytes > KEEP) {
                *kept = None;
            }
        }
    }
}

/// The pools' things.
pub(super) struct Made<'a> {
    pub(super) arena: &'a Com<ResourceMethods>,
    pub(super) scratch: &'a Com<ResourceMethods>,
    pub(super) upload: &'a Com<ResourceMethods>,
    pub(super) back: &'a Com<ResourceMethods>,
    pub(super) heap: &'a Com<HeapMethods>,
}
