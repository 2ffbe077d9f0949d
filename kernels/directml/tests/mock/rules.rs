//! The mock itself: the calls that the executor makes, in an order that is right and raises nothing, and each rule
//! broken on purpose, which is seen.

use std::{ffi::c_void, ptr};

use dml_ops::ffi::{DML_BUFFER_TENSOR_DESC, DML_OPERATOR_DESC, DML_TENSOR_DESC, DML_TOP_K1_OPERATOR_DESC};

use super::{
    Method, SLOTS, Settings, World, d3d12, dml,
    mistakes::{Mistake, VIOLATIONS},
};
use crate::{
    com::Com,
    d3d12::{self as real, HeapKind, ListKind, ListMethods, ResourceMethods, State},
    dml::{BindingTable, BufferBinding, DeviceMethods, Dispatchable, Recorder, TableDesc},
};

/// One execution of TOP_K1, five FLOAT32 to two, step by step.
struct Execution {
    world: &'static World,
    mistake: Mistake,
    device: Com<real::DeviceMethods>,
    dml: Com<DeviceMethods>,
    recorder: Recorder,
}

impl Execution {
    fn new(mistake: Mistake) -> Self {
        let world = World::new(Settings::default());
        let device = unsafe { Com::take(d3d12::device(world)) }.unwrap();
        let dml: Com<DeviceMethods> = unsafe { Com::take(dml::device(world)) }.unwrap();
        let recorder = dml.recorder().unwrap();
        Self {
            world,
            mistake,
            device,
            dml,
            recorder,
        }
    }

    fn is(&self, mistake: Mistake) -> bool {
        self.mistake == mistake
    }

    fn buffer(&self, kind: HeapKind, bytes: u64) -> Com<ResourceMethods> {
        self.device.buffer(kind, bytes).unwrap()
    }

    fn compile(&self) -> Dispatchable {
        let (sizes, kept) = ([5_u32], [2_u32]);
        let buffer = |data_type, sizes: &[u32; 1]| DML_BUFFER_TENSOR_DESC {
            DataType: data_type,
            Flags: 0,
            DimensionCount: 1,
            Sizes: sizes.as_ptr(),
            Strides: ptr::null(),
            TotalTensorSizeInBytes: u64::from(4 * sizes[0]),
            GuaranteedBaseOffsetAlignment: 0,
        };
        let buffers = [buffer(1, &sizes), buffer(1, &kept), buffer(3, &kept)];
        let tensors = buffers.each_ref().map(|buffer| DML_TENSOR_DESC {
            Type: 1,
            Desc: ptr::from_ref(buffer).cast(),
        });
        let top = DML_TOP_K1_OPERATOR_DESC {
            InputTensor: &tensors[0],
            OutputValueTensor: &tensors[1],
            OutputIndexTensor: &tensors[2],
            Axis: 0,
            K: 2,
            AxisDirection: dml_ops::AxisDirection::DECREASING,
        };
        let desc = DML_OPERATOR_DESC {
            Type: 112,
            Desc: (&raw const top).cast(),
        };
        let (_, operator) = unsafe { self.dml.create_operator((&raw const desc).cast()) };
        self.dml.compile(&operator.unwrap(), false).unwrap()
    }

    /// A valid execution except for the mistake.
    fn run(&self) {
        let compiled = self.compile();
        let initializer = self.dml.initializer(&compiled).unwrap();
        let (queue, allocator) = (
            self.device.queue(ListKind::Direct).unwrap(),
            self.device.allocator(ListKind::Direct).unwrap(),
        );
        let kind = if self.is(Mistake::ListOfAnotherKind) {
            ListKind::Compute
        } else {
            ListKind::Direct
        };
        let list = self.device.list(kind, &allocator).unwrap();
        let fence = self.device.fence().unwrap();
        let heap = self
            .device
            .heap(if self.is(Mistake::HeapTooSmall) { 4 } else { 16 })
            .unwrap();
        let (arena, scratch) = (
            self.buffer(HeapKind::Default, 1024),
            self.buffer(HeapKind::Default, 1024),
        );
        let upload = self.buffer(
            HeapKind::Upload,
            if self.is(Mistake::UploadTooSmall) { 512 } else { 1024 },
        );
        let back = self.buffer(HeapKind::ReadBack, 512);
        let input: Vec<u8> = [3.0_f32, 1.0, 5.0, 4.0, 2.0]
            .iter()
            .flat_map(|x| x.to_le_bytes())
            .collect();
        unsafe { upload.write(&input).unwrap() };

        if !self.is(Mistake::HeapNotSet) {
            list.set_heap(&heap);
        }
        list.transition(&[&arena], State::Common, State::CopyDest);
        list.copy((&upload, 0), (&arena, 0), 1024);
        let before = if self.is(Mistake::WrongStateBefore) {
            State::CopySource
        } else {
            State::CopyDest
        };
        list.transition(&[&arena], before, State::UnorderedAccess);
        list.transition(&[&scratch], State::Common, State::UnorderedAccess);
        let start = self.start(&heap);
        let tables = [
            self.initialise(&list, &initializer, &scratch, start),
            self.execute(&list, &compiled, [&arena, &scratch, &upload], start),
        ];
        if !self.is(Mistake::NoBarrierBeforeCopy) {
            list.transition(&[&arena], State::UnorderedAccess, State::CopySource);
        }
        list.copy((&arena, 512), (&back, 0), 512);
        if !self.is(Mistake::ListNotClosed) {
            list.close().unwrap();
        }
        unsafe { queue.execute(&list) };
        queue.signal(&fence, 1).unwrap();
        if self.is(Mistake::ReleasedInFlight) {
            drop(scratch);
        }
        let heap = Some(heap).filter(|_| !self.is(Mistake::HeapReleasedInFlight));
        if self.is(Mistake::AllocatorResetInFlight) {
            let _ = allocator.reset();
        }
        let mut bytes = [0; 8];
        if self.is(Mistake::ReadTooEarly) {
            unsafe { back.read(&mut bytes).unwrap() };
        }
        while fence.completed() < 1 && !self.is(Mistake::ListNotClosed) {}
        if self.is(Mistake::Nothing) {
            unsafe { back.read(&mut bytes).unwrap() };
            assert_eq!(bytes, [5.0_f32.to_le_bytes(), 4.0_f32.to_le_bytes()].concat()[..]);
        }
        if self.is(Mistake::RecordedOnceGone) {
            self.world.state().removed = Some(-1);
            assert!(self.device.removed_reason() < 0);
            self.recorder.record(&list, &compiled, &tables[1]);
        }
        if self.is(Mistake::ReleasedTwice) {
            let again = unsafe { Com::<ListMethods>::take(list.this()) };
            drop(again);
        }
        drop(heap);
    }

    fn start(&self, heap: &Com<real::HeapMethods>) -> (u64, u64) {
        if self.is(Mistake::HandleConvention) {
            // Called by the other system's convention, in a hidden pointer or a register, nothing comes back.
            return (0, 0);
        }
        heap.start()
    }

    fn table(&self, dispatchable: &Dispatchable, (cpu, gpu): (u64, u64), first: u64, count: u32) -> BindingTable {
        let offset = first * d3d12::INCREMENT;
        let desc = TableDesc {
            dispatchable: dispatchable.this(),
            cpu: cpu + offset,
            gpu: gpu + offset,
            descriptors: count,
        };
        let table = unsafe { self.dml.binding_table(&desc) };
        // In place of a refused object another one is used, so that the rest can go on.
        table.unwrap_or_else(|_| unsafe {
            let other = self.world.make(super::Kind::Table, super::Data::Nothing, &[]);
            Com::take(other).unwrap()
        })
    }

    fn initialise(
        &self,
        list: &Com<ListMethods>,
        initializer: &Dispatchable,
        scratch: &Com<ResourceMethods>,
        start: (u64, u64),
    ) -> BindingTable {
        if self.is(Mistake::NeedsConvention) {
            wrong_convention(initializer);
        }
        let needs = initializer.needs();
        let table = self.table(initializer, start, 0, needs.descriptors);
        if self.is(Mistake::HandleConvention) {
            return table;
        }
        table.bind_temporary(&binding(scratch, 0, needs.temporary));
        table.bind_outputs(&[binding(scratch, 512, 48)]);
        if !self.is(Mistake::NotInitialised) {
            self.recorder.record(list, initializer, &table);
        }
        if !self.is(Mistake::NoBarrierBetweenDispatches) {
            list.wait_for_writes();
        }
        table
    }

    fn execute(
        &self,
        list: &Com<ListMethods>,
        compiled: &Dispatchable,
        [arena, scratch, upload]: [&Com<ResourceMethods>; 3],
        start: (u64, u64),
    ) -> BindingTable {
        let needs = compiled.needs();
        let first = if self.is(Mistake::DescriptorsReused) { 0 } else { 2 };
        let count = needs.descriptors - u32::from(self.is(Mistake::TableTooSmall));
        let table = self.table(compiled, start, first, count);
        if self.is(Mistake::HandleConvention) {
            return table;
        }
        let from = if self.is(Mistake::InputInUploadHeap) {
            upload
        } else {
            arena
        };
        let size = if self.is(Mistake::BindingTooSmall) { 16 } else { 20 };
        table.bind_inputs(&[binding(from, 0, size)]);
        let values = match self.mistake {
            Mistake::OffsetMisaligned => 520,
            Mistake::BeyondTheBuffer => 1024,
            Mistake::BindingsOverlap => 528,
            _ => 512,
        };
        table.bind_outputs(&[binding(arena, values, 8), binding(arena, 528, 8)]);
        if !self.is(Mistake::TemporaryUnbound) {
            let less = u64::from(self.is(Mistake::TemporaryTooSmall));
            table.bind_temporary(&binding(scratch, 0, needs.temporary - less));
        }
        if !self.is(Mistake::PersistentUnbound) {
            table.bind_persistent(&binding(scratch, 512, needs.persistent));
        }
        let other = self.compile();
        let dispatched = if self.is(Mistake::WrongTable) { &other } else { compiled };
        self.recorder.record(list, dispatched, &table);
        table
    }
}

fn binding(buffer: &Com<ResourceMethods>, offset: u64, size: u64) -> BufferBinding {
    let buffer = buffer.this();
    BufferBinding { buffer, offset, size }
}

/// Calls `GetBindingProperties` by the other system's convention.
fn wrong_convention(dispatchable: &Dispatchable) {
    type Other = unsafe extern "system" fn(*mut c_void, *mut c_void) -> *mut c_void;
    let mut place = [0_u64; 8];
    let out: *mut c_void = place.as_mut_ptr().cast();
    unsafe {
        let table = dispatchable.this().cast::<*const [Method; SLOTS]>().read();
        let method: Other = std::mem::transmute((*table)[8]);
        let this = dispatchable.this();
        // What is taken for the object here is the place, which holds no object.
        if cfg!(windows) {
            method(out, this)
        } else {
            method(this, out)
        };
    }
}

#[test]
fn what_is_right_raises_nothing() {
    let execution = Execution::new(Mistake::Nothing);
    execution.run();
    let world = execution.world;
    assert_eq!(world.violations(), [""; 0]);
    drop(execution);
    assert_eq!(world.alive(), []);
}

#[test]
fn every_mistake_is_seen() {
    for (mistake, expected) in VIOLATIONS {
        let execution = Execution::new(mistake);
        execution.run();
        let world = execution.world;
        drop(execution);
        let violations = world.violations();
        assert!(
            violations.iter().any(|said| said.contains(expected)),
            "{mistake:?}: {violations:#?}"
        );
    }
}
