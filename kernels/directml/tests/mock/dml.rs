//! The DirectML device: operators, binding tables, and the recorder.

use std::{ffi::c_void, ops::Range};

use super::{
    Bindings, Data, E_FAIL, E_INVALIDARG, Id, Kind, Method, REMOVED, S_OK, State, World,
    binding::{bind_inputs, bind_outputs, bind_persistent, bind_temporary, needs, record_dispatch},
    compute::TopK,
    d3d12::{self, INCREMENT},
    field, hand_out,
    list::Command,
    object,
};

/// `DML_EXECUTION_FLAG_ALLOW_HALF_PRECISION_COMPUTATION`.
const ALLOW_HALF_PRECISION: u32 = 0x1;

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
    match (world.refuse(), TopK::read(desc)) {
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
    world.state().flags.push(flags);
    if !world.state().settings.compiles || flags & !ALLOW_HALF_PRECISION != 0 {
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

/// On Windows it is one after `this`.
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
