//! Strict D3D12 and DirectML devices: every use that the public rules forbid is recorded as a violation, and operators
//! are really computed on the bound bytes.
//!
//! Nothing here comes from the executor: slots, offsets of fields and conventions are stated again, from the headers.
//! Objects and their states live in a [`World`] that is never freed, so that a use after release is detected. Submitted
//! work is done when the fence has been polled a few times, so that nothing is done too early.

#![allow(
    unsafe_code,
    reason = "a library of COM objects is played; the pointers are the caller's, as in COM"
)]
#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "every pointer is an argument of COM's, see the module"
)]
#![allow(clippy::unwrap_used, reason = "all of it is for tests")]

mod binding;
mod compute;
mod d3d12;
mod dml;
#[cfg(target_os = "linux")]
mod extended;
mod list;
#[cfg(target_os = "linux")]
mod loading;
mod mistakes;
mod object;
#[cfg(target_os = "linux")]
mod real;
mod rules;
mod run;
mod sessions;

use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
    ffi::c_void,
    sync::{Mutex, MutexGuard},
};

use compute::TopK;
use list::{Command, Work};
use object::{add_ref, field, hand_out, object, query_interface, release, stray};

/// A number that real objects have, so that a `this` that is none is seen.
const MAGIC: u64 = 0x6d6f_636b_6f62_6a21;

/// More than any interface has.
const SLOTS: usize = 64;

const S_OK: i32 = 0;
const E_NOINTERFACE: i32 = 0x8000_4002_u32.cast_signed();
const E_FAIL: i32 = 0x8000_4005_u32.cast_signed();
const E_OUTOFMEMORY: i32 = 0x8007_000e_u32.cast_signed();
const E_INVALIDARG: i32 = 0x8007_0057_u32.cast_signed();
const REMOVED: i32 = 0x887a_0005_u32.cast_signed();
const HUNG: i32 = 0x887a_0006_u32.cast_signed();

/// `D3D12_HEAP_TYPE` of buffers on the device.
const DEFAULT: u32 = 1;

/// `D3D12_RESOURCE_STATES`.
const COMMON: u32 = 0;
const COPY_DEST: u32 = 0x400;
const GENERIC_READ: u32 = 0x1 | 0x2 | 0x40 | 0x80 | 0x200 | 0x800;

/// A method, whatever its arguments.
type Method = *const ();

/// Number of an object.
type Id = usize;

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Device,
    Queue,
    Allocator,
    List,
    Fence,
    Heap,
    Resource,
    InfoQueue,
    DmlDevice,
    Operator,
    Compiled,
    Initializer,
    Table,
    Recorder,
    /// What only a real DirectML asks for: root signatures and pipelines, and blobs.
    #[cfg(target_os = "linux")]
    Pipeline,
    #[cfg(target_os = "linux")]
    Blob,
}

/// An object as callers see it.
#[repr(C)]
struct Object {
    methods: *const [Method; SLOTS],
    magic: u64,
    kind: Kind,
    id: Id,
    world: &'static World,
}

/// A range of a buffer that is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bound {
    resource: Id,
    offset: u64,
    size: u64,
}

impl Bound {
    fn overlaps(&self, other: &Self) -> bool {
        self.resource == other.resource
            && self.offset < other.offset + other.size
            && other.offset < self.offset + self.size
    }
}

/// What is bound to a table.
#[derive(Clone, Debug, Default)]
struct Bindings {
    inputs: Vec<Option<Bound>>,
    /// Of an initialiser: one array for its operator.
    owned: Option<Vec<Option<Bound>>>,
    outputs: Vec<Option<Bound>>,
    temporary: Option<Bound>,
    persistent: Option<Bound>,
}

/// State of an object.
#[derive(Debug)]
enum Data {
    Nothing,
    /// The list that is being recorded.
    Allocator(Option<Id>),
    List {
        open: bool,
        allocator: Id,
        heap: Option<Id>,
        commands: Vec<Command>,
    },
    Fence(u64),
    Heap {
        count: u64,
        visible: bool,
    },
    Resource {
        heap: u32,
        state: u32,
        writable: bool,
        length: u64,
        /// Twice the length, so that writes beyond it are detected.
        bytes: Vec<u8>,
    },
    Operator(TopK),
    Compiled {
        top: TopK,
        /// What the initialiser took over.
        owned: Option<Vec<u8>>,
        initialised: bool,
    },
    Initializer(Id),
    Table {
        dispatchable: Id,
        heap: Id,
        first: u64,
        count: u64,
        bindings: Bindings,
    },
}

/// An object's life.
#[derive(Debug)]
struct Entry {
    kind: Kind,
    references: i64,
    data: Data,
}

/// How the devices behave.
#[derive(Clone, Copy, Debug)]
struct Settings {
    /// Polls of a fence until the work before it is done; `None` is never.
    patience: Option<u32>,
    /// Number of the operator's dispatch at which the device is removed, counted from 1.
    remove_at: Option<u32>,
    /// Buffers above this cannot be had.
    most_bytes: u64,
    /// Compiling fails.
    compiles: bool,
    /// Bytes of temporary resource for each element of the axis, and of the persistent one.
    temporary: u64,
    persistent: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            patience: Some(2),
            remove_at: None,
            most_bytes: 1 << 32,
            compiles: true,
            temporary: 20,
            persistent: 48,
        }
    }
}

#[derive(Debug, Default)]
struct State {
    violations: Vec<String>,
    objects: BTreeMap<Id, Entry>,
    settings: Settings,
    pending: Vec<Work>,
    looks: u32,
    dispatches: u32,
    submissions: u32,
    /// `DML_EXECUTION_FLAGS` of every operator that was compiled.
    flags: Vec<u32>,
    /// Resource and offset of every output that was dispatched in the place of an input.
    in_place: Vec<(Id, u64)>,
    /// Kind of queue, allocators and lists: the first that was asked for.
    list_kind: Option<u32>,
    /// A real DirectML uses the device, if this is its address.
    #[cfg(target_os = "linux")]
    extended: bool,
    #[cfg(target_os = "linux")]
    device: usize,
    /// Why the device was removed, and whether it was reported.
    removed: Option<i32>,
    reported_removed: bool,
}

/// Two devices and all that was made on them.
#[derive(Debug, Default)]
struct World(Mutex<State>);

thread_local! {
    /// The world of this test, for calls on an invalid object.
    static CURRENT: Cell<Option<&'static World>> = const { Cell::new(None) };
}

impl World {
    fn new(settings: Settings) -> &'static Self {
        let world: &Self = Box::leak(Box::default());
        world.state().settings = settings;
        CURRENT.set(Some(world));
        world
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Refuses a call on a removed device.
    fn refuse(&self) -> Option<i32> {
        self.state().tell_removed().map(|_| REMOVED)
    }

    /// What was done wrong so far.
    fn violations(&self) -> Vec<String> {
        self.state().violations.clone()
    }

    /// Objects with references left.
    fn alive(&self) -> Vec<(Kind, i64)> {
        let state = self.state();
        let alive = state.objects.values().filter(|entry| entry.references > 0);
        alive.map(|entry| (entry.kind, entry.references)).collect()
    }

    /// A new object with one reference.
    fn make(&'static self, kind: Kind, data: Data, methods: &[(usize, Method)]) -> *mut c_void {
        let mut table = [stray as Method; SLOTS];
        table[0] = query_interface as Method;
        table[1] = add_ref as Method;
        table[2] = release as Method;
        let mut state = self.state();
        #[cfg(target_os = "linux")]
        if state.extended {
            extended::extend(kind, &mut table);
        }
        for (slot, method) in methods {
            table[*slot] = *method;
        }
        let id = state.objects.len() + 1;
        let methods: &[Method; SLOTS] = Box::leak(Box::new(table));
        let (magic, world) = (MAGIC, self);
        let object = Box::leak(Box::new(Object {
            methods,
            magic,
            kind,
            id,
            world,
        }));
        let entry = Entry {
            kind,
            references: 1,
            data,
        };
        state.objects.insert(id, entry);
        #[cfg(target_os = "linux")]
        if kind == Kind::Device {
            state.device = std::ptr::from_mut(object).expose_provenance();
        }
        std::ptr::from_mut(object).cast()
    }
}

impl State {
    fn violation(&mut self, text: impl Into<String>) {
        self.violations.push(text.into());
    }

    /// The device is removed, which is now reported to the caller.
    fn tell_removed(&mut self) -> Option<i32> {
        self.reported_removed |= self.removed.is_some();
        self.removed
    }

    fn data(&mut self, id: Id) -> Option<&mut Data> {
        self.objects.get_mut(&id).map(|entry| &mut entry.data)
    }

    /// What the device may still use.
    fn in_flight(&self) -> BTreeSet<Id> {
        self.pending.iter().flat_map(Work::uses).collect()
    }

    fn name(&self, id: Id) -> String {
        let kind = self.objects.get(&id).map(|entry| entry.kind);
        kind.map_or_else(|| format!("object {id}"), |kind| format!("{kind:?} {id}"))
    }
}
