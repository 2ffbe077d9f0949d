//! Binding tables and recorded dispatches; each binding is checked against what is needed.

use std::ffi::c_void;

use super::{
    Bindings, Bound, DEFAULT, Data, Id, Kind, State,
    compute::{Tensor, TopK},
    field,
    list::{Command, check_range, record},
    object,
};

/// What an initialiser needs: descriptors and temporary bytes.
const FIRST: (u32, u64) = (2, 32);

/// What a dispatchable needs: descriptors, and bytes of its temporary and of its persistent resource.
pub(super) fn needs(state: &mut State, id: Id) -> (u32, u64, u64) {
    let settings = state.settings;
    match state.data(id) {
        Some(Data::Compiled { top, .. }) => (5, settings.temporary * top.length(), settings.persistent),
        _ => (FIRST.0, FIRST.1, 0),
    }
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

pub(super) extern "system" fn bind_inputs(this: *mut c_void, count: u32, descs: *const c_void) {
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

pub(super) extern "system" fn bind_outputs(this: *mut c_void, count: u32, descs: *const c_void) {
    let outputs = list_of(count, descs, "BindOutputs");
    bind(this, "BindOutputs", |bindings| bindings.outputs = outputs);
}

pub(super) extern "system" fn bind_temporary(this: *mut c_void, desc: *const c_void) {
    let bound = binding(desc, "BindTemporaryResource");
    bind(this, "BindTemporaryResource", |bindings| bindings.temporary = bound);
}

pub(super) extern "system" fn bind_persistent(this: *mut c_void, desc: *const c_void) {
    let bound = binding(desc, "BindPersistentResource");
    bind(this, "BindPersistentResource", |bindings| bindings.persistent = bound);
}

pub(super) extern "system" fn record_dispatch(
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
    if state.reported_removed {
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

/// Checks that the bindings are those that the dispatchable needs.
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
        return state.violation("the operator has one input and two outputs, others were bound");
    };
    check_tensor(state, "the input", *input, (!owned).then_some(&top.input));
    check_tensor(state, "the output of values", *values, Some(&top.values));
    check_tensor(state, "the output of indices", *indices, Some(&top.indices));
    check_apart(state, bindings);
}

/// Checks that no bindings overlap, except for an output in the place of an input: both are the same range then.
fn check_apart(state: &mut State, bindings: &Bindings) {
    let all: Vec<_> = bindings.all().collect();
    let in_place =
        |a: &Bound, b: &Bound| a == b && bindings.inputs.contains(&Some(*a)) && bindings.outputs.contains(&Some(*b));
    for (number, a) in all.iter().enumerate() {
        if all[number + 1..].iter().any(|b| a.overlaps(b) && !in_place(a, b)) {
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
