//! Time that kernels take on the device itself, by its own clock.

use std::time::{Duration, Instant};

use dml_ops::{Job, Unavailable};
use wgpu::{
    Buffer, BufferDescriptor, BufferUsages, CommandEncoder, CommandEncoderDescriptor, ComputePassDescriptor,
    ComputePassTimestampWrites, Features, MapMode, PollType, QuerySet, QuerySetDescriptor, QueryType,
};

use super::{
    adapter::{self, AdapterChoice},
    device::Gpu,
    operators::plan,
    placement::{Places, Planned, Pools, fits},
    record::{record, upload},
};

/// Bytes of a timestamp.
const STAMP: u64 = 8;

/// A device with a clock.
#[derive(Debug)]
pub struct Profiler {
    gpu: Gpu,
    pools: Pools,
    clock: Clock,
}

/// Work is not repeated after this time.
const PATIENCE: Duration = Duration::from_secs(3);

impl Profiler {
    /// Opens a device of this adapter.
    ///
    /// # Errors
    /// If there is none, or it has no clock (`TIMESTAMP_QUERY`).
    pub fn open(choice: &AdapterChoice) -> Result<Self, Unavailable> {
        let adapter = adapter::find(choice)?;
        if !adapter.features().contains(Features::TIMESTAMP_QUERY) {
            return Err(Unavailable {
                reason: format!("the adapter `{}` has no timestamp queries", adapter.get_info().name),
                remedy: "name another one".to_owned(),
            });
        }
        let gpu = Gpu::open(choice, Features::TIMESTAMP_QUERY)?;
        Ok(Self {
            clock: Clock::new(&gpu),
            pools: Pools::new(),
            gpu,
        })
    }

    /// Facts about the adapter: its name, driver and limits.
    ///
    /// # Errors
    /// If it is gone.
    pub fn facts(choice: &AdapterChoice) -> Result<Vec<(String, String)>, Unavailable> {
        Ok(adapter::facts(&adapter::find(choice)?))
    }

    /// How long the device takes to copy so many bytes from one buffer to another, at least once, and up to `repeats` times
    /// within three seconds.
    ///
    /// # Errors
    /// What the device said.
    pub fn copy(&mut self, bytes: u64, repeats: usize) -> Result<Vec<Duration>, String> {
        let bytes = bytes.next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT);
        let clock = self.clock.clone();
        let make = |gpu: &Gpu| {
            gpu.device.create_buffer(&BufferDescriptor {
                label: Some("copy"),
                size: bytes,
                usage: BufferUsages::COPY_SRC | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        let made = self.gpu.checked(|gpu| (make(gpu), make(gpu)));
        let (from, to) = made.map_err(|fault| fault.to_string())?;
        self.measure(repeats, |_, encoder| {
            clock.mark(encoder, 0);
            encoder.copy_buffer_to_buffer(&from, 0, &to, 0, bytes);
            clock.mark(encoder, 1);
        })
    }

    /// How long all dispatches of a job take, at least once, and up to `repeats` times
    /// within three seconds. Uploads and read-back do not count.
    ///
    /// # Errors
    /// If the device cannot run it; with the device's message.
    pub fn time(&mut self, job: Job, repeats: usize) -> Result<Vec<Duration>, String> {
        let program = plan(&job.descriptor, &self.gpu.limits).map_err(|stopped| format!("{stopped:?}"))?;
        fits(&job, &program, &self.gpu.limits).map_err(|limit| limit.to_string())?;
        let jobs = [Planned { job, program }];
        let places = Places::of(&jobs, &self.gpu.limits);
        let mut pools = std::mem::replace(&mut self.pools, Pools::new());
        let uploaded = self.gpu.checked(|gpu| upload(gpu, &mut pools, &jobs, &places));
        uploaded.map_err(|fault| fault.to_string())?;
        let clock = self.clock.clone();
        self.measure(repeats, |gpu, encoder| {
            record(gpu, encoder, Some(clock.around()), &pools, &jobs, &places);
        })
    }

    fn measure(
        &mut self,
        repeats: usize,
        mut work: impl FnMut(&mut Gpu, &mut CommandEncoder),
    ) -> Result<Vec<Duration>, String> {
        let clock = self.clock.clone();
        let (mut times, start) = (Vec::new(), Instant::now());
        while times.len() < repeats && (times.is_empty() || start.elapsed() < PATIENCE) {
            let submitted = self.gpu.checked(|gpu| {
                let mut encoder = gpu.device.create_command_encoder(&CommandEncoderDescriptor::default());
                work(gpu, &mut encoder);
                clock.resolve(&mut encoder);
                gpu.queue.submit([encoder.finish()]);
                clock.result.map_async(MapMode::Read, .., |_| {}); // reading fails if mapping did
                let _ = gpu.device.poll(PollType::wait_indefinitely());
            });
            submitted.map_err(|fault| fault.to_string())?;
            times.push(clock.read()?);
        }
        Ok(times)
    }
}

/// Two timestamps, and what is needed to read them.
#[derive(Clone, Debug)]
struct Clock {
    queries: QuerySet,
    resolved: Buffer,
    result: Buffer,
    nanoseconds: f64,
}

impl Clock {
    fn new(gpu: &Gpu) -> Self {
        let buffer = |usage| {
            gpu.device.create_buffer(&BufferDescriptor {
                label: Some("clock"),
                size: 2 * STAMP,
                usage,
                mapped_at_creation: false,
            })
        };
        Self {
            queries: gpu.device.create_query_set(&QuerySetDescriptor {
                label: Some("clock"),
                ty: QueryType::Timestamp,
                count: 2,
            }),
            resolved: buffer(BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC),
            result: buffer(BufferUsages::MAP_READ | BufferUsages::COPY_DST),
            nanoseconds: f64::from(gpu.queue.get_timestamp_period()),
        }
    }

    /// Both timestamps around one pass.
    fn around(&self) -> ComputePassTimestampWrites<'_> {
        ComputePassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: Some(1),
        }
    }

    /// One timestamp, as the end of an empty pass: copies are not part of a pass.
    fn mark(&self, encoder: &mut CommandEncoder, number: u32) {
        encoder.begin_compute_pass(&ComputePassDescriptor {
            label: None,
            timestamp_writes: Some(ComputePassTimestampWrites {
                query_set: &self.queries,
                beginning_of_pass_write_index: None,
                end_of_pass_write_index: Some(number),
            }),
        });
    }

    fn resolve(&self, encoder: &mut CommandEncoder) {
        encoder.resolve_query_set(&self.queries, 0..2, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.result, 0, 2 * STAMP);
    }

    fn read(&self) -> Result<Duration, String> {
        let view = self
            .result
            .slice(..)
            .get_mapped_range()
            .map_err(|error| error.to_string())?;
        let (stamps, _) = view.as_chunks::<{ STAMP as usize }>();
        let ticks = match *stamps {
            [start, end] => u64::from_le_bytes(end).saturating_sub(u64::from_le_bytes(start)),
            _ => 0,
        };
        drop(view);
        self.result.unmap();
        Ok(Duration::from_nanos((ticks as f64 * self.nanoseconds) as u64))
    }
}
