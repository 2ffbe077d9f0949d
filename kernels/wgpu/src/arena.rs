//! Places for many tensors in few buffers, because each buffer costs an allocation, an upload and a copy back.

use wgpu::{Buffer, BufferDescriptor, BufferUsages, Device};

/// A place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    /// Number of the buffer.
    pub buffer: usize,
    /// Offset in it.
    pub offset: u64,
}

/// Assigns places; buffers are made once their size is known.
#[derive(Debug)]
pub(super) struct Layout {
    largest: u64,
    lengths: Vec<u64>,
}

impl Layout {
    /// No buffer exceeds `largest` bytes, unless one item alone does.
    pub(super) fn new(largest: u64) -> Self {
        Self {
            largest,
            lengths: Vec::new(),
        }
    }

    /// A place for `length` bytes such that `lead` bytes into it an address is a multiple of `alignment`, a power of
    /// two.
    pub(super) fn place(&mut self, length: u64, lead: u64, alignment: u64) -> Place {
        let start = |used: u64| (used + lead).next_multiple_of(alignment) - lead;
        let last = self.lengths.len().saturating_sub(1);
        if let Some(used) = self.lengths.last_mut() {
            let offset = start(*used);
            if offset + length <= self.largest {
                *used = offset + length;
                return Place { buffer: last, offset };
            }
        }
        let offset = start(0);
        self.lengths.push(offset + length);
        Place {
            buffer: self.lengths.len() - 1,
            offset,
        }
    }

    /// Bytes used of each buffer, rounded up to what copies take.
    pub(super) fn lengths(&self) -> impl Iterator<Item = u64> {
        self.lengths
            .iter()
            .map(|length| length.next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT).max(4))
    }
}

/// Buffers of one use, kept from batch to batch.
#[derive(Debug)]
pub(super) struct Pool {
    usage: BufferUsages,
    buffers: Vec<Buffer>,
}

/// Buffers up to this size are made larger than requested, so that they fit the next batch as well.
const GROW: u64 = 32 << 20;

/// Larger buffers are given back after use.
const KEEP: u64 = 80 << 20;

impl Pool {
    /// An empty pool.
    pub(super) fn new(usage: BufferUsages) -> Self {
        Self {
            usage,
            buffers: Vec::new(),
        }
    }

    /// Buffers at least as large as the layout's, in its order.
    pub(super) fn fit(&mut self, device: &Device, layout: &Layout) -> &[Buffer] {
        for (i, length) in layout.lengths().enumerate() {
            if self.buffers.get(i).is_some_and(|buffer| buffer.size() >= length) {
                continue;
            }
            let size = if length <= GROW {
                length.next_power_of_two()
            } else {
                length
            };
            let made = device.create_buffer(&BufferDescriptor {
                label: None,
                size,
                usage: self.usage,
                mapped_at_creation: false,
            });
            match self.buffers.get_mut(i) {
                Some(buffer) => *buffer = made,
                None => self.buffers.push(made),
            }
        }
        &self.buffers
    }

    /// The first `count` buffers, as the last batch left them.
    pub(super) fn buffers(&self, count: usize) -> &[Buffer] {
        self.buffers.get(..count).unwrap_or(&self.buffers)
    }

    /// All buffers, as the last batch left them.
    pub(super) fn all_buffers(&self) -> &[Buffer] {
        &self.buffers
    }

    /// Releases buffers that are too large to keep.
    pub(super) fn trim(&mut self) {
        let mut kept = 0;
        self.buffers.retain(|buffer| {
            kept += buffer.size();
            kept <= KEEP
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_aligned_and_apart() {
        let mut layout = Layout::new(1024);
        assert_eq!(layout.place(100, 16, 256), Place { buffer: 0, offset: 240 });
        assert_eq!(layout.place(100, 16, 256), Place { buffer: 0, offset: 496 });
        assert_eq!(layout.place(10, 0, 256), Place { buffer: 0, offset: 768 });
        assert_eq!(layout.place(1000, 0, 256), Place { buffer: 1, offset: 0 });
        assert_eq!(layout.place(5000, 0, 256), Place { buffer: 2, offset: 0 });
        assert_eq!(layout.lengths().collect::<Vec<_>>(), [780, 1000, 5000]);
    }
}
