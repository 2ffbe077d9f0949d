//! Command lists as they are recorded, and the queue.

use std::{ffi::c_void, ops::Range};

use super::{
    Bindings, Bound, Data, E_FAIL, E_INVALIDARG, Id, Kind, Method, REMOVED, S_OK, State, field, hand_out, object,
};

/// What a list holds.
#[derive(Clone, Debug)]
pub(super) enum Command {
    Transition {
        resource: Id,
        before: u32,
        after: u32,
    },
    /// For one buffer or for all.
    WaitForWrites(Option<Id>),
    Copy {
        to: Bound,
        from: Bound,
    },
    Dispatch {
        dispatchable: Id,
        heap: Id,
        descriptors: Range<u64>,
        bindings: Bindings,
    },
}

impl Command {
    pub(super) fn uses(&self) -> Vec<Id> {
        match self {
            Self::Transition { resource, .. } => vec![*resource],
            Self::WaitForWrites(resource) => resource.iter().copied().collect(),
            Self::Copy { to, from } => vec![to.resource, from.resource],
            Self::Dispatch {
                dispatchable,
                heap,
                bindings,
                ..
            } => {
                let bound = bindings.all().map(|bound| bound.resource);
                bound.chain([*dispatchable, *heap]).collect()
            }
        }
    }
}

impl Bindings {
    pub(super) fn all(&self) -> impl Iterator<Item = Bound> {
        let owned = self.owned.iter().flatten();
        let tensors = self.inputs.iter().chain(owned).chain(&self.outputs);
        tensors.chain([&self.temporary, &self.persistent]).flatten().copied()
    }
}

/// What was submitted.
#[derive(Debug)]
pub(super) enum Work {
    List {
        list: Id,
        allocator: Id,
        commands: Vec<Command>,
    },
    Signal(Id, u64),
}

impl Work {
    pub(super) fn uses(&self) -> Vec<Id> {
        match self {
            Self::List {
                list,
                allocator,
                commands,
            } => commands
                .iter()
                .flat_map(Command::uses)
                .chain([*list, *allocator])
                .collect(),
            Self::Signal(fence, _) => vec![*fence],
        }
    }
}

pub(super) unsafe extern "system" fn create_queue(
    this: *mut c_void,
    desc: *const c_void,
    _: *const c_void,
    out: *mut *mut c_void,
) -> i32 {
    let Some((world, _)) = object(this, &[Kind::Device], "CreateCommandQueue") else {
        return E_INVALIDARG;
    };
    if !matches!(field::<u32>(desc, 0), 0 | 2) || field::<u32>(desc, 12) > 1 {
        world.state().violation("a queue of an unknown kind was asked for");
        return E_INVALIDARG;
    }
    of_one_kind(&mut world.state(), field(desc, 0), "a queue");
    let methods = [(10, execute as Method), (14, signal as Method)];
    unsafe { hand_out(world.make(Kind::Queue, Data::Nothing, &methods), out) }
}

/// Lists go to queues of their own kind only, with allocators of that kind.
fn of_one_kind(state: &mut State, kind: u32, what: &str) {
    let first = *state.list_kind.get_or_insert(kind);
    if kind != first {
        state.violation(format!(
            "{what} is of kind {kind}, what it works with is of kind {first}"
        ));
    }
}

pub(super) unsafe extern "system" fn create_allocator(
    this: *mut c_void,
    kind: u32,
    _: *const c_void,
    out: *mut *mut c_void,
) -> i32 {
    let Some((world, _)) = object(this, &[Kind::Device], "CreateCommandAllocator") else {
        return E_INVALIDARG;
    };
    of_one_kind(&mut world.state(), kind, "an allocator");
    let methods = [(8, reset_allocator as Method)];
    unsafe { hand_out(world.make(Kind::Allocator, Data::Allocator(None), &methods), out) }
}

pub(super) unsafe extern "system" fn create_list(
    this: *mut c_void,
    _: u32,
    kind: u32,
    allocator: *mut c_void,
    _: *mut c_void,
    _: *const c_void,
    out: *mut *mut c_void,
) -> i32 {
    let device = object(this, &[Kind::Device], "CreateCommandList");
    let allocator = object(allocator, &[Kind::Allocator], "CreateCommandList");
    let (Some((world, _)), Some((_, allocator))) = (device, allocator) else {
        return E_INVALIDARG;
    };
    of_one_kind(&mut world.state(), kind, "a list");
    let data = Data::List {
        open: true,
        allocator,
        heap: None,
        commands: Vec::new(),
    };
    let methods = [
        (9, close as Method),
        (10, reset as Method),
        (15, copy as Method),
        (26, barrier as Method),
        (28, set_heaps as Method),
    ];
    let list = world.make(Kind::List, data, &methods);
    let id = world.state().objects.len();
    if let Some(Data::Allocator(recording)) = world.state().data(allocator) {
        *recording = Some(id);
    }
    unsafe { hand_out(list, out) }
}

extern "system" fn reset_allocator(this: *mut c_void) -> i32 {
    let Some((world, id)) = object(this, &[Kind::Allocator], "ID3D12CommandAllocator::Reset") else {
        return E_INVALIDARG;
    };
    let mut state = world.state();
    if state.in_flight().contains(&id) {
        state.violation("a command allocator was reset while the device may still read its commands");
        return E_FAIL;
    }
    if let Some(Data::Allocator(Some(_))) = state.data(id) {
        state.violation("a command allocator was reset while a list of it is recorded");
        return E_FAIL;
    }
    S_OK
}

extern "system" fn close(this: *mut c_void) -> i32 {
    let Some((world, id)) = object(this, &[Kind::List], "Close") else {
        return E_INVALIDARG;
    };
    let mut state = world.state();
    let Some(Data::List { open, allocator, .. }) = state.data(id) else {
        return E_FAIL;
    };
    let (was_open, allocator) = (std::mem::replace(open, false), *allocator);
    if !was_open {
        state.violation("a command list was closed twice");
        return E_FAIL;
    }
    if let Some(Data::Allocator(recording)) = state.data(allocator) {
        *recording = None;
    }
    state.tell_removed().map_or(S_OK, |_| REMOVED)
}

extern "system" fn reset(this: *mut c_void, allocator: *mut c_void, _: *mut c_void) -> i32 {
    const METHOD: &str = "ID3D12GraphicsCommandList::Reset";
    let list = object(this, &[Kind::List], METHOD);
    let allocator = object(allocator, &[Kind::Allocator], METHOD);
    let (Some((world, id)), Some((_, new))) = (list, allocator) else {
        return E_INVALIDARG;
    };
    if let Some(code) = world.refuse() {
        return code;
    }
    let mut state = world.state();
    if let Some(Data::Allocator(Some(_))) = state.data(new) {
        state.violation("two lists are recorded with one command allocator");
        return E_FAIL;
    }
    let Some(Data::List {
        open,
        allocator,
        heap,
        commands,
    }) = state.data(id)
    else {
        return E_FAIL;
    };
    if *open {
        state.violation("a command list was reset while it is recorded");
        return E_FAIL;
    }
    (*open, *allocator, *heap) = (true, new, None);
    commands.clear();
    if let Some(Data::Allocator(recording)) = state.data(new) {
        *recording = Some(id);
    }
    S_OK
}

/// Adds a command to a list that is open.
pub(super) fn record(state: &mut State, list: Id, command: Command, method: &str) {
    match state.data(list) {
        Some(Data::List {
            open: true, commands, ..
        }) => commands.push(command),
        _ => state.violation(format!("{method} was called on a list that is closed")),
    }
}

extern "system" fn copy(this: *mut c_void, to: *mut c_void, at: u64, from: *mut c_void, source: u64, size: u64) {
    const METHOD: &str = "CopyBufferRegion";
    let list = object(this, &[Kind::List], METHOD);
    let (to, from) = (
        object(to, &[Kind::Resource], METHOD),
        object(from, &[Kind::Resource], METHOD),
    );
    let (Some((world, list)), Some((_, to)), Some((_, from))) = (list, to, from) else {
        return;
    };
    let bound = |resource, offset| Bound { resource, offset, size };
    let (to, from) = (bound(to, at), bound(from, source));
    let mut state = world.state();
    for end in [to, from] {
        check_range(&mut state, end, METHOD);
    }
    record(&mut state, list, Command::Copy { to, from }, METHOD);
}

/// A range lies within its buffer.
pub(super) fn check_range(state: &mut State, bound: Bound, what: &str) -> bool {
    let Some(Data::Resource { length, .. }) = state.data(bound.resource) else {
        return false;
    };
    let (length, end) = (*length, bound.offset.saturating_add(bound.size));
    if end > length {
        let name = state.name(bound.resource);
        let start = bound.offset;
        state.violation(format!(
            "{what}: bytes {start} to {end} lie beyond {name}, which has {length}"
        ));
    }
    end <= length
}

unsafe extern "system" fn barrier(this: *mut c_void, count: u32, barriers: *const c_void) {
    const METHOD: &str = "ResourceBarrier";
    let Some((world, list)) = object(this, &[Kind::List], METHOD) else {
        return;
    };
    for number in 0..count as usize {
        let at = |offset: usize| 32 * number + offset;
        let (kind, resource): (u32, *mut c_void) = (field(barriers, at(0)), field(barriers, at(8)));
        let (flags, part): (u32, u32) = (field(barriers, at(4)), field(barriers, at(16)));
        if flags != 0 || (kind == 0 && !matches!(part, 0 | u32::MAX)) {
            let text =
                format!("a barrier with flags {flags} on part {part} is half a barrier, or on no part of a buffer");
            world.state().violation(text);
        }
        let found = || object(resource, &[Kind::Resource], METHOD).map(|(_, id)| id);
        let command = match kind {
            0 => found().map(|resource| Command::Transition {
                resource,
                before: field(barriers, at(20)),
                after: field(barriers, at(24)),
            }),
            2 if resource.is_null() => Some(Command::WaitForWrites(None)),
            2 => found().map(|resource| Command::WaitForWrites(Some(resource))),
            _ => None,
        };
        let mut state = world.state();
        match command {
            Some(command) => record(&mut state, list, command, METHOD),
            None => state.violation(format!("a barrier of kind {kind} means nothing")),
        }
    }
}

unsafe extern "system" fn set_heaps(this: *mut c_void, count: u32, heaps: *const c_void) {
    let Some((world, list)) = object(this, &[Kind::List], "SetDescriptorHeaps") else {
        return;
    };
    let Some((_, new)) = object(field(heaps, 0), &[Kind::Heap], "SetDescriptorHeaps") else {
        return;
    };
    let mut state = world.state();
    let visible = matches!(state.data(new), Some(Data::Heap { visible: true, .. }));
    if count != 1 || !visible {
        state.violation("SetDescriptorHeaps takes one heap for views that shaders see");
    }
    if let Some(Data::List { heap, .. }) = state.data(list) {
        *heap = Some(new);
    }
}

unsafe extern "system" fn execute(this: *mut c_void, count: u32, lists: *const c_void) {
    const METHOD: &str = "ExecuteCommandLists";
    let Some((world, _)) = object(this, &[Kind::Queue], METHOD) else {
        return;
    };
    for number in 0..count as usize {
        let Some((_, list)) = object(field(lists, 8 * number), &[Kind::List], METHOD) else {
            continue;
        };
        let mut state = world.state();
        if state.reported_removed {
            state.violation("ExecuteCommandLists was called although the device was said to be gone");
        }
        let Some(Data::List {
            open,
            allocator,
            commands,
            ..
        }) = state.data(list)
        else {
            continue;
        };
        if *open {
            state.violation("a command list was executed that is not closed");
            continue;
        }
        let (allocator, commands) = (*allocator, commands.clone());
        state.looks = 0;
        state.submissions += 1;
        state.pending.push(Work::List {
            list,
            allocator,
            commands,
        });
    }
}

extern "system" fn signal(this: *mut c_void, fence: *mut c_void, value: u64) -> i32 {
    let queue = object(this, &[Kind::Queue], "Signal");
    let fence = object(fence, &[Kind::Fence], "Signal");
    let (Some((world, _)), Some((_, fence))) = (queue, fence) else {
        return E_INVALIDARG;
    };
    if let Some(code) = world.refuse() {
        return code;
    }
    world.state().pending.push(Work::Signal(fence, value));
    S_OK
}
