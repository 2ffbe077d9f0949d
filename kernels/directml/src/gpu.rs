//! A D3D12 device with one queue, one command list, one fence.

use std::{
    thread,
    time::{Duration, Instant},
};

use super::{
    com::{Code, Com, Fault},
    d3d12::{AllocatorMethods, DeviceMethods, FenceMethods, InfoQueueMethods, ListKind, ListMethods, QueueMethods},
    dml::{self, Recorder},
    runtime::Opened,
};

/// Time between two polls of the fence: at first, and at most.
const NAPS: (Duration, Duration) = (Duration::from_micros(20), Duration::from_millis(2));

/// The device, and what commands go through.
pub(super) struct Gpu {
    pub(super) recorder: Recorder,
    /// Closed but while a batch is recorded.
    pub(super) list: Com<ListMethods>,
    pub(super) allocator: Com<AllocatorMethods>,
    /// Bytes from a descriptor to the next.
    pub(super) increment: u32,
    pub(super) device: Com<DeviceMethods>,
    queue: Com<QueueMethods>,
    fence: Com<FenceMethods>,
    /// The value of the fence once all submitted work is done.
    submitted: u64,
    messages: Option<Com<InfoQueueMethods>>,
}

impl Gpu {
    /// Sets the device up.
    ///
    /// # Errors
    /// If one of the objects cannot be had.
    pub(super) fn new(opened: Opened, dml: &Com<dml::DeviceMethods>) -> Result<Self, Fault> {
        let Opened { device, messages } = opened;
        // Devices for computing only have no direct queues.
        let (kind, queue) = match device.queue(ListKind::Direct) {
            Ok(queue) => (ListKind::Direct, queue),
            Err(_) => (ListKind::Compute, device.queue(ListKind::Compute)?),
        };
        let allocator = device.allocator(kind)?;
        let list = device.list(kind, &allocator)?;
        list.close()?;
        Ok(Self {
            recorder: dml.recorder()?,
            list,
            allocator,
            increment: device.increment(),
            queue,
            fence: device.fence()?,
            device,
            submitted: 0,
            messages,
        })
    }

    /// Submits what was recorded.
    ///
    /// # Safety
    /// Everything that the list uses lives until [`Gpu::wait`] returns.
    #[allow(unsafe_code, reason = "only the caller knows how long things live")]
    pub(super) unsafe fn submit(&mut self) {
        self.submitted += 1;
        // SAFETY: the caller's promise.
        unsafe { self.queue.execute(&self.list) };
        // The list may run even if the signal fails. If it fails the device is lost; either the fence shows that as
        // well, or the time limit is exceeded.
        let _ = self.queue.signal(&self.fence, self.submitted);
    }

    /// Whether all submitted work is done. The fence of a removed device has the highest possible value.
    fn is_idle(&self) -> bool {
        self.fence.completed() >= self.submitted
    }

    /// Waits until all that was submitted is done, or the device is gone; whether it is so. No event is used: on Linux
    /// there are none.
    pub(super) fn wait(&self, timeout: Duration) -> bool {
        let (start, mut nap) = (Instant::now(), NAPS.0);
        loop {
            // Not every implementation signals the fence when the device is removed.
            if self.is_idle() || self.device.removed_reason() < 0 {
                return true;
            }
            let left = timeout.saturating_sub(start.elapsed());
            if left.is_zero() {
                return false;
            }
            thread::sleep(nap.min(left));
            nap = (nap * 2).min(NAPS.1);
        }
    }

    /// Why the device was removed, or DirectML's on it: it removes itself if it is used wrongly.
    pub(super) fn removed(&self, dml: &Com<dml::DeviceMethods>) -> Option<Fault> {
        let reasons = [
            ("D3D12's", self.device.removed_reason()),
            ("DirectML's", dml.removed_reason()),
        ];
        let gone = reasons.into_iter().find(|(_, code)| *code < 0);
        gone.map(|(whose, code)| Fault::Lost(format!("{whose} device was removed with {}", Code(code))))
    }

    /// Drops the messages of the debug layer so far.
    pub(super) fn forget_messages(&self) {
        let _ = self.messages.as_ref().map(Com::messages);
    }

    /// The fault with everything known about it: the reason of a loss, and the messages of the debug layer.
    pub(super) fn explain(&self, fault: Fault, dml: &Com<dml::DeviceMethods>) -> Fault {
        let mut parts = vec![fault.message().to_owned()];
        let removed = self.removed(dml);
        if let Some(removed) = removed.as_ref().filter(|removed| **removed != fault) {
            parts.push(removed.message().to_owned());
        }
        let said = self.messages.as_ref().map(Com::messages).unwrap_or_default();
        parts.extend(said.into_iter().map(|message| format!("debug layer: {message}")));
        let message = parts.join("; ");
        match (fault, removed) {
            (Fault::Error(_), None) => Fault::Error(message),
            _ => Fault::Lost(message),
        }
    }
}
