//! A batch: many jobs in one submission, with one upload, one command list, one wait and one read-back.
//!
//! Inputs, poisoned outputs and their guards lie in one buffer, the *arena*, in order; after all inputs begins the
//! section of the outputs, which is read back as a whole. Temporary and persistent resources share another buffer. All
//! operators are initialised, then, after a barrier, all are dispatched; they share no memory.

use std::time::Instant;

use dml_ops::{Answer, Buffer, Job, JobId};

use super::{
    binding::{Layout, SECTION, Slot, Slots},
    com::Fault,
    d3d12::State,
    dml::{BindingTable, BufferBinding, Dispatchable, Needs, TableDesc},
    gpu::Gpu,
    library::Loaded,
    pools::{Made, Pools, Sizes},
};

/// A job whose operator is compiled.
pub(super) struct Planned {
    pub(super) job: Job,
    slots: Slots,
    initializer: Dispatchable,
    compiled: Dispatchable,
    /// Of the initialiser, then of the operator.
    needs: (Needs, Needs),
}

impl Planned {
    /// What the job needs on the device.
    ///
    /// # Errors
    /// If the library does not say.
    pub(super) fn new(loaded: &Loaded, job: Job, slots: Slots, compiled: Dispatchable) -> Result<Self, (Job, Fault)> {
        match loaded.device.initializer(&compiled) {
            Ok(initializer) => Ok(Self {
                job,
                slots,
                needs: (initializer.needs(), compiled.needs()),
                initializer,
                compiled,
            }),
            Err(fault) => Err((job, fault)),
        }
    }

    /// Bytes of device memory, roughly.
    pub(super) fn bytes(&self) -> u64 {
        let tensors = self.job.inputs.iter().chain(&self.job.outputs);
        let tensors: u64 = tensors.map(|buffer| buffer.whole().len() as u64).sum();
        let (first, second) = &self.needs;
        tensors
            .saturating_add(first.temporary.max(second.temporary))
            .saturating_add(second.persistent)
    }

    /// Descriptors in the heap.
    pub(super) fn descriptors(&self) -> u32 {
        descriptors_of(&self.needs.0).saturating_add(descriptors_of(&self.needs.1))
    }
}

/// Descriptors that a dispatchable gets: one at least, so that its table has a place.
fn descriptors_of(needs: &Needs) -> u32 {
    needs.descriptors.max(1)
}

/// The places of one job.
#[derive(Default)]
struct Places {
    /// Starts of the buffers in the arena, guards included.
    inputs: Vec<u64>,
    outputs: Vec<u64>,
    /// Starts in the other buffer.
    temporary: u64,
    persistent: u64,
    /// First descriptors of the initialiser and of the operator.
    descriptors: (u32, u32),
}

/// The places of everything.
#[derive(Default)]
struct Plan {
    places: Vec<Places>,
    /// Bytes of the arena, and the offset of its outputs.
    arena: u64,
    outputs: u64,
    /// Bytes of the other buffer.
    scratch: u64,
    descriptors: u32,
}

impl Plan {
    fn new(jobs: &[Planned]) -> Self {
        let mut plan = Self::default();
        let (mut arena, mut scratch) = (Layout::default(), Layout::default());
        let place = |arena: &mut Layout, buffers: &[Buffer], slots: &[Option<Slot>]| {
            let slots = slots.iter().flatten();
            let place = |(buffer, slot): (&Buffer, &Slot)| {
                arena.place(buffer.whole().len() as u64, buffer.guard() as u64, slot.alignment)
            };
            buffers.iter().zip(slots).map(place).collect()
        };
        for planned in jobs {
            let (first, second) = &planned.needs;
            let descriptors = (plan.descriptors, plan.descriptors + descriptors_of(first));
            plan.descriptors = descriptors.1 + descriptors_of(second);
            plan.places.push(Places {
                inputs: place(&mut arena, &planned.job.inputs, &planned.slots.inputs),
                outputs: Vec::new(),
                temporary: scratch.place(first.temporary.max(second.temporary), 0, SECTION),
                persistent: scratch.place(second.persistent, 0, SECTION),
                descriptors,
            });
        }
        plan.outputs = arena.section();
        for (planned, places) in jobs.iter().zip(&mut plan.places) {
            places.outputs = place(&mut arena, &planned.job.outputs, &planned.slots.outputs);
        }
        // A binding that is rounded up ends inside.
        arena.used += 4;
        plan.arena = arena.section();
        plan.scratch = scratch.section();
        plan
    }

    fn sizes(&self) -> Sizes {
        Sizes {
            arena: self.arena,
            back: self.arena - self.outputs,
            scratch: self.scratch,
            descriptors: self.descriptors,
        }
    }

    /// The bytes of the arena.
    fn upload(&self, jobs: &[Planned]) -> Result<Vec<u8>, Fault> {
        let too_large = |_| Fault::Error(format!("{} bytes cannot be had", self.arena));
        let length = usize::try_from(self.arena).map_err(|_| Fault::Error("too many bytes".to_owned()))?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(length).map_err(too_large)?;
        bytes.resize(length, 0);
        for (planned, places) in jobs.iter().zip(&self.places) {
            let inputs = planned.job.inputs.iter().zip(&places.inputs);
            for (buffer, start) in inputs.chain(planned.job.outputs.iter().zip(&places.outputs)) {
                let (start, whole) = (*start as usize, buffer.whole());
                bytes[start..start + whole.len()].copy_from_slice(whole);
            }
        }
        Ok(bytes)
    }
}

/// A batch that the device works on. Its jobs hold what the device uses.
pub(super) struct Flight {
    jobs: Vec<Planned>,
    plan: Plan,
    _tables: Vec<BindingTable>,
    pub(super) started: Instant,
}

/// A failed batch: the reason, and its jobs.
pub(super) struct Failed {
    pub(super) fault: Fault,
    pub(super) jobs: Vec<Planned>,
}

impl Flight {
    /// Uploads, records and submits. The device must be idle.
    #[allow(unsafe_code, reason = "things have to live as long as the device uses them")]
    pub(super) fn start(loaded: &mut Loaded, pools: &mut Pools, jobs: Vec<Planned>) -> Result<Self, Failed> {
        let plan = Plan::new(&jobs);
        let tables = prepare(loaded, pools, &jobs, &plan);
        let failed = |fault, jobs| Failed { fault, jobs };
        let (tables, gpu) = match (tables, &mut loaded.gpu) {
            (Ok(tables), Some(gpu)) => (tables, gpu),
            (Ok(_), None) => return Err(failed(Fault::Error("there is no device".to_owned()), jobs)),
            (Err(fault), _) => return Err(failed(fault, jobs)),
        };
        // SAFETY: the list uses the pools' buffers and the jobs' operators. The session keeps both until the device is
        // idle; if it never is, the session leaks them (`DirectMlSession::abandon`).
        unsafe { gpu.submit() };
        Ok(Self {
            jobs,
            plan,
            _tables: tables,
            started: Instant::now(),
        })
    }

    /// The answers, once the device is idle.
    #[allow(unsafe_code, reason = "memory of the device is read")]
    pub(super) fn finish(self, pools: &mut Pools) -> Result<Vec<(JobId, Answer)>, Failed> {
        let mut bytes = vec![0; self.plan.sizes().back as usize];
        let read = pools.buffers().and_then(|made| {
            // SAFETY: the buffer was made for this, at least as large as the section of the outputs, and the device is
            // idle.
            unsafe { made.back.read(&mut bytes) }
        });
        let jobs = self.jobs;
        if let Err(fault) = read {
            return Err(Failed { fault, jobs });
        }
        pools.trim();
        let outputs = self.plan.outputs;
        let answer = |(mut planned, places): (Planned, &Places)| {
            for (buffer, start) in planned.job.outputs.iter_mut().zip(&places.outputs) {
                let (start, whole) = ((start - outputs) as usize, buffer.whole_mut());
                whole.copy_from_slice(&bytes[start..start + whole.len()]);
            }
            let outputs = planned.job.outputs;
            (planned.job.id, Answer::Executed { outputs })
        };
        Ok(jobs.into_iter().zip(&self.plan.places).map(answer).collect())
    }

    /// Numbers of the jobs.
    pub(super) fn ids(&self) -> Vec<JobId> {
        self.jobs.iter().map(|planned| planned.job.id).collect()
    }

    /// The jobs, which have not been answered.
    pub(super) fn into_jobs(self) -> Vec<Planned> {
        self.jobs
    }
}

/// Everything before the submission: the binding tables.
#[allow(unsafe_code, reason = "memory of the device is written")]
fn prepare(loaded: &Loaded, pools: &mut Pools, jobs: &[Planned], plan: &Plan) -> Result<Vec<BindingTable>, Fault> {
    let gpu = loaded
        .gpu
        .as_ref()
        .ok_or_else(|| Fault::Error("there is no device".to_owned()))?;
    pools.fit(gpu, &plan.sizes())?;
    let made = pools.buffers()?;
    // SAFETY: the buffer was made for this, at least as large as the arena, and the device is idle.
    unsafe { made.upload.write(&plan.upload(jobs)?)? };
    gpu.allocator.reset()?;
    gpu.list.reset(&gpu.allocator)?;
    let recorded = record(loaded, gpu, &made, jobs, plan);
    // In any case, only a closed list can be recorded again.
    let closed = gpu.list.close();
    let tables = recorded?;
    closed?;
    match gpu.removed(&loaded.device) {
        Some(removed) => Err(removed),
        None => Ok(tables),
    }
}

/// Records the batch.
fn record(
    loaded: &Loaded,
    gpu: &Gpu,
    made: &Made<'_>,
    jobs: &[Planned],
    plan: &Plan,
) -> Result<Vec<BindingTable>, Fault> {
    let (list, arena, scratch) = (&gpu.list, made.arena, made.scratch);
    let mut tables = Vec::with_capacity(2 * jobs.len());
    let tabled = Tabled::new(loaded, gpu, made);
    list.set_heap(made.heap);
    list.transition(&[arena], State::Common, State::CopyDest);
    list.copy((made.upload, 0), (arena, 0), plan.arena);
    list.transition(&[arena], State::CopyDest, State::UnorderedAccess);
    list.transition(&[scratch], State::Common, State::UnorderedAccess);
    for (planned, places) in jobs.iter().zip(&plan.places) {
        let table = tabled.initializer(planned, places)?;
        gpu.recorder.record(list, &planned.initializer, &table);
        tables.push(table);
    }
    list.wait_for_writes();
    for (planned, places) in jobs.iter().zip(&plan.places) {
        let table = tabled.operator(planned, places)?;
        gpu.recorder.record(list, &planned.compiled, &table);
        tables.push(table);
    }
    list.transition(&[arena], State::UnorderedAccess, State::CopySource);
    list.copy((arena, plan.outputs), (made.back, 0), plan.sizes().back);
    list.transition(&[arena], State::CopySource, State::Common);
    list.transition(&[scratch], State::UnorderedAccess, State::Common);
    Ok(tables)
}

/// Makes binding tables.
struct Tabled<'a> {
    loaded: &'a Loaded,
    made: &'a Made<'a>,
    increment: u64,
    start: (u64, u64),
}

impl<'a> Tabled<'a> {
    fn new(loaded: &'a Loaded, gpu: &Gpu, made: &'a Made<'a>) -> Self {
        Self {
            loaded,
            made,
            increment: u64::from(gpu.increment),
            start: made.heap.start(),
        }
    }

    /// A table of the descriptors from this one on.
    #[allow(unsafe_code, reason = "handles are numbers")]
    fn table(&self, dispatchable: &Dispatchable, first: u32, needs: &Needs) -> Result<BindingTable, Fault> {
        let offset = u64::from(first) * self.increment;
        let desc = TableDesc {
            dispatchable: dispatchable.this(),
            cpu: self.start.0 + offset,
            gpu: self.start.1 + offset,
            descriptors: descriptors_of(needs),
        };
        // SAFETY: the plan has counted the descriptors, and the heap has as many.
        unsafe { self.loaded.device.binding_table(&desc) }
    }

    fn scratch(&self, offset: u64, size: u64) -> BufferBinding {
        let buffer = self.made.scratch.this();
        BufferBinding { buffer, offset, size }
    }

    /// Bindings of the tensors; none if `keep` returns false, or if they are absent.
    fn tensors(
        &self,
        slots: &[Option<Slot>],
        buffers: &[Buffer],
        starts: &[u64],
        keep: impl Fn(&Slot) -> bool,
    ) -> Vec<BufferBinding> {
        let bind = |slot: &Slot| BufferBinding {
            buffer: self.made.arena.this(),
            offset: starts[slot.buffer] + buffers[slot.buffer].guard() as u64,
            size: slot.bytes,
        };
        let kept = |slot: &Option<Slot>| {
            slot.as_ref()
                .filter(|slot| keep(slot))
                .map_or(BufferBinding::NONE, bind)
        };
        slots.iter().map(kept).collect()
    }

    /// An initialiser writes the persistent resource, and reads the tensors that the library takes over.
    fn initializer(&self, planned: &Planned, places: &Places) -> Result<BindingTable, Fault> {
        let (first, second) = &planned.needs;
        let table = self.table(&planned.initializer, places.descriptors.0, first)?;
        if planned.slots.inputs.iter().flatten().any(|slot| slot.owned) {
            let owned = |slot: &Slot| slot.owned;
            table.bind_owned(&self.tensors(&planned.slots.inputs, &planned.job.inputs, &places.inputs, owned));
        }
        if first.temporary > 0 {
            table.bind_temporary(&self.scratch(places.temporary, first.temporary));
        }
        if second.persistent > 0 {
            table.bind_outputs(&[self.scratch(places.persistent, second.persistent)]);
        }
        Ok(table)
    }

    fn operator(&self, planned: &Planned, places: &Places) -> Result<BindingTable, Fault> {
        let needs = &planned.needs.1;
        let table = self.table(&planned.compiled, places.descriptors.1, needs)?;
        let (slots, job) = (&planned.slots, &planned.job);
        let mut inputs = self.tensors(&slots.inputs, &job.inputs, &places.inputs, |slot| !slot.owned);
        let outputs = self.tensors(&slots.outputs, &job.outputs, &places.outputs, |_| true);
        for alias in &job.aliases {
            let at = |slots: &[Option<Slot>], buffer| slots.iter().position(|s| s.is_some_and(|s| s.buffer == buffer));
            let both = at(&slots.inputs, alias.input).zip(at(&slots.outputs, alias.output));
            // One range of the arena for both: that is what in place means.
            if let Some((input, output)) = both {
                inputs[input] = outputs[output];
            }
        }
        table.bind_inputs(&inputs);
        table.bind_outputs(&outputs);
        if needs.temporary > 0 {
            table.bind_temporary(&self.scratch(places.temporary, needs.temporary));
        }
        if needs.persistent > 0 {
            table.bind_persistent(&self.scratch(places.persistent, needs.persistent));
        }
        Ok(table)
    }
}
