//! The DirectML device: operators, binding tables, and the recorder.

use std::{ffi::c_void, ops::Range};

use super::{
    Bindings, Bound, Data, E_FAIL, E_INVALIDARG, Id, Kind, Method, REMOVED, S_OK, State, World,
    compute::{Tensor, TopK},
    d3d12::{self, DEFAULT, INCREMENT},
    field, hand_out,
    list::{Command, check_range, record},
    object,
};

/// What an initialiser needs: descriptors and temporary bytes.
const FIRST: (u32, u64) = (2, 32);

/// Makes the device.
pub(super) fn device(world: &'static World) -> *mut c_void {
    let methods = [
        (7, check_feature_support as Method),
        (8, create_operator as Method),
        (9, compile as Method),
        (10, create_initializer as Method),
        (11, create_recorder as Method),
        (12, create_table as Method),
        (15, removed_reason as Method),
    ];
    world.make(Kind::DmlDevice, Data::Nothing, &methods)
}

/// Level 5.0 is the highest.
unsafe extern "system" fn check_feature_support(
    _: *mut c_void,
    _: u32,
    _: u32,
    _: *const c_void,
    _: u32,
    out: *mut u32,
) -> i32 {
    unsafe { *out = 0x5000 };
    S_OK
}

extern "system" fn removed_reason(this: *mut c_void) -> i32 {
    let Some((world, _)) = object(this, &[Kind::DmlDevice], "IDMLDevice::GetDeviceRemovedReason") else {
        return E_INVALIDARG;
    };
    world.state().tell_removed().map_or(S_OK, |_| REMOVED)
}

unsafe extern "system" fn create_operator(
    this: *mut c_void,
    desc: *const c_void,
    _: *const c_void,
    out: *mut *mut c_void,
) -> i32 {
    let Some((world, _)) = object(this, &[Kind::DmlDevice], "CreateOperator") else {
        return E_INVALIDARG;
    };
    match (d3d12::refuse(world), TopK::read(desc)) {
        (Some(code), _) => code,
        (None, Some(top)) => unsafe { hand_out(world.make(Kind::Operator, Data::Operator(top), &[]), out) },
        (None, None) => E_INVALIDARG,
    }
}

unsafe extern "system" fn compile(
    this: *mut c_void,
    operator: *mut c_void,
    flags: u32,
    _: *const c_void,
    out: *mut *mut c_void,
) -> i32 {
    let device = object(this, &[Kind::DmlDevice], "CompileOperator");
    let operator = object(operator, &[Kind::Operator], "CompileOperator");
    let (Some((world, _)), Some((_, operator))) = (device, operator) else {
        return E_INVALIDARG;
    };
    if !world.state().settings.compiles || flags != 0 {
        return E_FAIL;
    }
    let top = match world.state().data(operator) {
        Some(Data::Operator(top)) => top.clone(),
        _ => return E_INVALIDARG,
    };
    let data = Data::Compiled {
        top,
        owned: None,
        initialised: false,
    };
    unsafe { hand_out(world.make(Kind::Compiled, data, &[(8, NEEDS)]), out) }
}

unsafe extern "system" fn create_initializer(
    this: *mut c_void,
    count: u32,
    operators: *const c_void,
    _: *const c_void,
    out: *mut *mut c_void,
) -> i32 {
    let device = object(this, &[Kind::DmlDevice], "CreateOperatorInitializer");
    let compiled = object(field(operators, 0), &[Kind::Compiled], "CreateOperatorInitializer");
    let (Some((world, _)), Some((_, compiled)), 1) = (device, compiled, count) else {
        return E_INVALIDARG;
    };
    unsafe {
        hand_out(
            world.make(Kind::Initializer, Data::Initializer(compiled), &[(8, NEEDS)]),
            out,
        )
    }
}

/// `GetBindingProperties` returns 24 bytes. On Linux their place is a hidden argument before `this`.
#[cfg(not(windows))]
const NEEDS: Method = needs_linux as Method;

#[cfg(not(windows))]
unsafe extern "system" fn needs_linux(out: *mut u8, this: *mut c_void) -> *mut u8 {
    unsafe { write_needs(this, out) };
    out
}

/// On Windows it is one behind `this`.
#[cfg(windows)]
const NEEDS: Method = needs_windows as Method;

#[cfg(windows)]
unsafe extern "system" fn needs_windows(this: *mut c_void, out: *mut u8) -> *mut u8 {
    unsafe { write_needs(this, out) };
    out
}

unsafe fn write_needs(this: *mut c_void, out: *mut u8) {
    let Some((world, id)) = object(this, &[Kind::Compiled, Kind::Initializer], "GetBindingProperties") else {
        return;
    };
    let (descriptors, temporary, persistent) = needs(&mut world.state(), id);
    unsafe {
        out.cast::<u32>().write_unaligned(descriptors);
        out.add(8).cast::<u64>().write_unaligned(temporary);
        out.add(16).cast::<u64>().write_unaligned(persistent);
    }
}

fn needs(state: &mut State, id: Id) -> (u32, u64, u64) {
    let settings = state.settings;
    match state.data(id) {
        Some(Data::Compiled { top, .. }) => (5, settings.temporary * top.length(), settings.persistent),
        _ => (FIRST.0, FIRST.1, 0),
    }
}

unsafe extern "system" fn create_recorder(this: *mut c_void, _: *const c_void, out: *mut *mut c_void) -> i32 {
    let Some((world, _)) = object(this, &[Kind::DmlDevice], "CreateCommandRecorder") else {
        return E_INVALIDARG;
    };
    unsafe {
        hand_out(
            world.make(Kind::Recorder, Data::Nothing, &[(8, record_dispatch as Method)]),
            out,
        )
    }
}

unsafe extern "system" fn create_table(
    this: *mut c_void,
    desc: *const c_void,
    _: *const c_void,
    out: *mut *mut c_void,
) -> i32 {
    const METHOD: &str = "CreateBindingTable";
    let device = object(this, &[Kind::DmlDevice], METHOD);
    let dispatchable = object(field(desc, 0), &[Kind::Compiled, Kind::Initializer], METHOD);
    let (Some((world, _)), Some((_, dispatchable))) = (device, dispatchable) else {
        return E_INVALIDARG;
    };
    let (cpu, gpu, count): (u64, u64, u32) = (field(desc, 8), field(desc, 16), field(desc, 24));
    let count = u64::from(count);
    let mut state = world.state();
    let place = d3d12::locate(cpu).and_then(|(heap, first)| match state.data(heap) {
        Some(Data::Heap { count, visible: true }) => Some((heap, first, *count)),
        _ => None,
    });
    let Some((heap, first, room)) = place else {
        state.violation(format!(
            "the CPU handle {cpu:#x} is no descriptor of a heap that shaders see: a wrong convention for methods that \
             return structures?"
        ));
        return E_INVALIDARG;
    };
    if gpu != d3d12::starts(heap).1 + first * INCREMENT {
        state.violation(format!(
            "the GPU handle {gpu:#x} is not that of the same descriptor as the CPU's"
        ));
    }
    let needed = u64::from(needs(&mut state, dispatchable).0);
    if count < needed {
        state.violation(format!(
            "a binding table has {count} descriptors, its dispatchable needs {needed}"
        ));
    }
    if first + count > room {
        state.violation(format!(
            "descriptors {first} to {} lie beyond the heap, which has {room}",
            first + count
        ));
    }
    if overwrites(&state, heap, &(first..first + count)) {
        state.violation("a binding table overwrites descriptors that a recorded dispatch uses");
    }
    drop(state);
    let data = Data::Table {
        dispatchable,
        heap,
        first,
        count,
        bindings: Bindings::default(),
    };
    let methods = [
        (8, bind_inputs as Method),
        (9, bind_outputs as Method),
        (10, bind_temporary as Method),
        (11, bind_persistent as Method),
    ];
    unsafe { hand_out(world.make(Kind::Table, data, &methods), out) }
}

/// Whether a dispatch that was recorded and not done uses descriptors of the range.
fn overwrites(state: &State, heap: Id, range: &Range<u64>) -> bool {
    let clashes = |command: &Command| match command {
        Command::Dispatch {
            heap: other,
            descriptors,
            ..
        } => *other == heap && descriptors.start < range.end && range.start < descriptors.end,
        _ => false,
    };
    state.objects.values().any(|entry| match &entry.data {
        Data::List { commands, .. } => commands.iter().any(clashes),
        _ => false,
    })
}

/// Reads a `DML_BUFFER_BINDING`.
fn buffer(binding: *const c_void, method: &str) -> Option<Bound> {
    let resource: *mut c_void = field(binding, 0);
    if resource.is_null() {
        return None;
    }
    let (_, resource) = object(resource, &[Kind::Resource], method)?;
    Some(Bound {
        resource,
        offset: field(binding, 8),
        size: field(binding, 16),
    })
}

/// Reads a `DML_BINDING_DESC` of a buffer or of nothing.
fn binding(desc: *const c_void, method: &str) -> Option<Bound> {
    match field::<u32>(desc, 0) {
        1 => buffer(field(desc, 8), method),
        _ => None,
    }
}

fn bind(this: *mut c_void, method: &str, change: impl FnOnce(&mut Bindings)) {
    let Some((world, id)) = object(this, &[Kind::Table], method) else {
        return;
    };
    let mut state = world.state();
    if let Some(Data::Table { bindings, .. }) = state.data(id) {
        change(bindings);
    }
}

fn list_of(count: u32, descs: *const c_void, method: &str) -> Vec<Option<Bound>> {
    let at = |number: u32| descs.wrapping_byte_add(16 * number as usize);
    (0..count).map(|number| binding(at(number), method)).collect()
}

extern "system" fn bind_inputs(this: *mut c_void, count: u32, descs: *const c_void) {
    const METHOD: &str = "BindInputs";
    if count == 1 && field::<u32>(descs, 0) == 2 {
        let array: *const c_void = field(descs, 8);
        let (count, first): (u32, *const c_void) = (field(array, 0), field(array, 8));
        let at = |number: u32| first.wrapping_byte_add(24 * number as usize);
        let owned = (0..count).map(|number| buffer(at(number), METHOD)).collect();
        return bind(this, METHOD, |bindings| bindings.owned = Some(owned));
    }
    let inputs = list_of(count, descs, METHOD);
    bind(this, METHOD, |bindings| bindings.inputs = inputs);
}

extern "system" fn bind_outputs(this: *mut c_void, count: u32, descs: *const c_void) {
    let outputs = list_of(count, descs, "BindOutputs");
    bind(this, "BindOutputs", |bindings| bindings.outputs = outputs);
}

extern "system" fn bind_temporary(this: *mut c_void, desc: *const c_void) {
    let bound = binding(desc, "BindTemporaryResource");
    bind(this, "BindTemporaryResource", |bindings| bindings.temporary = bound);
}

extern "system" fn bind_persistent(this: *mut c_void, desc: *const c_void) {
    let bound = binding(desc, "BindPersistentResource");
    bind(this, "BindPersistentResource", |bindings| bindings.persistent = bound);
}

extern "system" fn record_dispatch(
    this: *mut c_void,
    list: *mut c_void,
    dispatchable: *mut c_void,
    table: *mut c_void,
) {
    const METHOD: &str = "RecordDispatch";
    let recorder = object(this, &[Kind::Recorder], METHOD);
    let list = object(list, &[Kind::List], METHOD);
    let dispatchable = object(dispatchable, &[Kind::Compiled, Kind::Initializer], METHOD);
    let table = object(table, &[Kind::Table], METHOD);
    let (Some((world, _)), Some((_, list)), Some((_, dispatchable)), Some((_, table))) =
        (recorder, list, dispatchable, table)
    else {
        return;
    };
    let mut state = world.state();
    if state.told {
        state.violation("RecordDispatch was called although the device was said to be gone");
    }
    let Some(Data::Table {
        dispatchable: of,
        heap,
        first,
        count,
        bindings,
    }) = state.data(table)
    else {
        return;
    };
    let (of, heap, descriptors, bindings) = (*of, *heap, *first..*first + *count, bindings.clone());
    if of != dispatchable {
        state.violation("a dispatch was recorded with the binding table of another dispatchable");
    }
    if !matches!(state.data(list), Some(Data::List { heap: Some(set), .. }) if *set == heap) {
        state.violation("a dispatch was recorded in a list whose descriptor heap is not the binding table's");
    }
    check(&mut state, dispatchable, &bindings);
    let command = Command::Dispatch {
        dispatchable,
        heap,
        descriptors,
        bindings,
    };
    record(&mut state, list, command, METHOD);
}

/// What is bound is what the dispatchable needs.
fn check(state: &mut State, id: Id, bindings: &Bindings) {
    let (_, temporary, persistent) = needs(state, id);
    let owner = match state.data(id) {
        Some(Data::Initializer(compiled)) => Some(*compiled),
        _ => None,
    };
    let Some(top) = operator(state, owner.unwrap_or(id)) else {
        return;
    };
    check_bound(state, "the temporary resource", bindings.temporary, temporary, 256);
    let owned = top.input.flags & 1 != 0;
    if let Some(compiled) = owner {
        let written = bindings.outputs.first().copied().flatten();
        let persistent = needs(state, compiled).2;
        check_bound(state, "the initialiser's output", written, persistent, 256);
        let taken = bindings
            .owned
            .as_ref()
            .and_then(|owned| owned.first().copied().flatten());
        check_tensor(
            state,
            "the input that DirectML owns",
            taken,
            owned.then_some(&top.input),
        );
        if !bindings.inputs.is_empty() {
            state.violation("the inputs of an initialiser are no array");
        }
        return;
    }
    check_bound(state, "the persistent resource", bindings.persistent, persistent, 256);
    let ([input], [values, indices]) = (&bindings.inputs[..], &bindings.outputs[..]) else {
        return state.violation("TOP_K1 has one input and two outputs, others were bound");
    };
    check_tensor(state, "the input", *input, (!owned).then_some(&top.input));
    check_tensor(state, "the output of values", *values, Some(&top.values));
    check_tensor(state, "the output of indices", *indices, Some(&top.indices));
    check_apart(state, bindings);
}

/// Nothing that is bound overlaps.
fn check_apart(state: &mut State, bindings: &Bindings) {
    let all: Vec<_> = bindings.all().collect();
    for (number, a) in all.iter().enumerate() {
        if all[number + 1..].iter().any(|b| a.overlaps(b)) {
            state.violation("two of an operator's bindings overlap");
        }
    }
}

fn operator(state: &mut State, id: Id) -> Option<TopK> {
    match state.data(id) {
        Some(Data::Compiled { top, .. }) => Some(top.clone()),
        _ => None,
    }
}

fn check_tensor(state: &mut State, what: &str, bound: Option<Bound>, tensor: Option<&Tensor>) {
    let (bytes, alignment) = tensor.map_or((0, 16), |tensor| (tensor.bytes, tensor.alignment.max(16)));
    check_bound(state, what, bound, bytes, u64::from(alignment));
}

fn check_bound(state: &mut State, what: &str, bound: Option<Bound>, bytes: u64, alignment: u64) {
    let Some(bound) = bound else {
        if bytes > 0 {
            state.violation(format!("{what} is not bound, {bytes} bytes are needed"));
        }
        return;
    };
    if bytes == 0 {
        return state.violation(format!("{what} is bound, nothing is needed"));
    }
    let Bound { resource, offset, size } = bound;
    if size < bytes {
        state.violation(format!("{what} is bound with {size} bytes, {bytes} are needed"));
    }
    if !offset.is_multiple_of(alignment) {
        state.violation(format!(
            "{what} is bound at byte {offset}, which is no multiple of {alignment}"
        ));
    }
    check_range(state, bound, what);
    if !matches!(
        state.data(resource),
        Some(Data::Resource {
            heap: DEFAULT,
            writable: true,
            ..
        })
    ) {
        state.violation(format!("{what} is bound to a buffer that dispatches cannot use"));
    }
}
