//! Executes command lists and detects missing synchronisation.

use std::collections::BTreeSet;

use super::{
    Bindings, Bound, COMMON, COPY_DEST, DEFAULT, Data, GENERIC_READ, HUNG, Id, State,
    list::{Command, Work},
};

/// `D3D12_RESOURCE_STATES`.
const UNORDERED_ACCESS: u32 = 0x8;
const COPY_SOURCE: u32 = 0x800;

/// The device executes the next submitted item, one at every poll: what is before the end of the queue can be
/// seen while the rest is still to come.
pub(super) fn advance(state: &mut State) {
    if state.pending.is_empty() || state.removed.is_some() {
        return;
    }
    match state.pending.remove(0) {
        Work::List { list, commands, .. } => {
            run(state, &commands);
            if let Some(Data::List { commands, .. }) = state.data(list) {
                commands.clear();
            }
        }
        Work::Signal(fence, reached) => {
            if let Some(Data::Fence(value)) = state.data(fence) {
                *value = reached;
            }
        }
    }
}

/// Effects of dispatches that later ones do not see yet.
#[derive(Default)]
struct Hazards {
    /// Ranges that were read or written.
    touched: Vec<(Bound, bool)>,
    /// Operators whose initialisers ran, and the buffers that these wrote.
    initialised: BTreeSet<Id>,
}

fn run(state: &mut State, commands: &[Command]) {
    let mut hazards = Hazards::default();
    for command in commands {
        for id in command.uses() {
            if state.objects.get(&id).is_none_or(|entry| entry.references <= 0) {
                let name = state.name(id);
                state.violation(format!("the device used {name}, which was released"));
                return;
            }
        }
        match command {
            Command::Transition {
                resource,
                before,
                after,
            } => {
                transition(state, *resource, *before, *after);
                hazards.touched.retain(|(bound, _)| bound.resource != *resource);
            }
            Command::WaitForWrites(None) => hazards = Hazards::default(),
            Command::WaitForWrites(Some(resource)) => {
                hazards.touched.retain(|(bound, _)| bound.resource != *resource);
                hazards.initialised.clear();
            }
            Command::Copy { to, from } => {
                in_state(state, to.resource, COPY_DEST, "the destination of a copy");
                in_state(state, from.resource, COPY_SOURCE, "the source of a copy");
                let bytes = bytes_of(state, *from);
                write(state, *to, &bytes);
            }
            Command::Dispatch {
                dispatchable, bindings, ..
            } => {
                dispatch(state, &mut hazards, *dispatchable, bindings);
                if state.removed.is_some() {
                    return;
                }
            }
        }
    }
    // Buffers fall back to the common state.
    for entry in state.objects.values_mut() {
        if let Data::Resource {
            heap: DEFAULT, state, ..
        } = &mut entry.data
        {
            *state = COMMON;
        }
    }
}

fn transition(state: &mut State, resource: Id, before: u32, after: u32) {
    let name = state.name(resource);
    let Some(Data::Resource {
        heap,
        state: now,
        writable,
        ..
    }) = state.data(resource)
    else {
        return;
    };
    let (heap, found, writable) = (*heap, *now, *writable);
    if heap == DEFAULT {
        *now = after;
    }
    if found != before {
        state.violation(format!("{name} is in state {found:#x}, the barrier says {before:#x}"));
    }
    if heap != DEFAULT || (after == UNORDERED_ACCESS && !writable) {
        state.violation(format!("{name} cannot get into state {after:#x}"));
    }
}

/// Checks that a buffer is in the state that its use demands; from the common one it gets there by itself.
fn in_state(state: &mut State, resource: Id, wanted: u32, what: &str) {
    let name = state.name(resource);
    let Some(Data::Resource { state: now, .. }) = state.data(resource) else {
        return;
    };
    match *now {
        found if found == wanted => {}
        COMMON => *now = wanted,
        GENERIC_READ if wanted == COPY_SOURCE => {}
        found => state.violation(format!(
            "{what}, {name}, is in state {found:#x} and not in {wanted:#x}: a barrier is missing"
        )),
    }
}

pub(super) fn bytes_of(state: &mut State, bound: Bound) -> Vec<u8> {
    let range = bound.offset as usize..(bound.offset + bound.size) as usize;
    match state.data(bound.resource) {
        Some(Data::Resource { bytes, .. }) => bytes.get(range).map(<[u8]>::to_vec).unwrap_or_default(),
        _ => Vec::new(),
    }
}

fn write(state: &mut State, bound: Bound, new: &[u8]) {
    let range = bound.offset as usize..bound.offset as usize + new.len();
    if let Some(Data::Resource { bytes, .. }) = state.data(bound.resource)
        && let Some(place) = bytes.get_mut(range)
    {
        place.copy_from_slice(new);
    }
}

/// What an initialiser leaves in a persistent resource.
fn signature(compiled: Id, bytes: usize) -> Vec<u8> {
    (0..bytes).map(|i| (compiled * 31 + i * 7) as u8).collect()
}

/// Marks what a dispatch reads and writes; without a barrier none may touch what another wrote, nor write what it read.
fn touch(state: &mut State, hazards: &mut Hazards, reads: &[Bound], writes: &[Bound]) {
    for (bound, writing) in reads.iter().map(|b| (b, false)).chain(writes.iter().map(|b| (b, true))) {
        in_state(state, bound.resource, UNORDERED_ACCESS, "what a dispatch uses");
        let clash = hazards
            .touched
            .iter()
            .any(|(other, wrote)| (writing || *wrote) && bound.overlaps(other));
        if clash {
            let (name, start) = (state.name(bound.resource), bound.offset);
            state.violation(format!(
                "two dispatches use {name} at byte {start}, and there is no barrier for unordered access between them"
            ));
        }
    }
    hazards.touched.extend(reads.iter().map(|bound| (*bound, false)));
    hazards.touched.extend(writes.iter().map(|bound| (*bound, true)));
}

fn dispatch(state: &mut State, hazards: &mut Hazards, dispatchable: Id, bindings: &Bindings) {
    let owner = match state.data(dispatchable) {
        Some(Data::Initializer(compiled)) => Some(*compiled),
        _ => None,
    };
    match owner {
        Some(compiled) => initialise(state, hazards, compiled, bindings),
        None => execute_operator(state, hazards, dispatchable, bindings),
    }
}

fn initialise(state: &mut State, hazards: &mut Hazards, compiled: Id, bindings: &Bindings) {
    let reads: Vec<_> = bindings.owned.iter().flatten().flatten().copied().collect();
    let outputs: Vec<_> = bindings.outputs.iter().flatten().copied().collect();
    let writes: Vec<_> = outputs.iter().copied().chain(bindings.temporary).collect();
    touch(state, hazards, &reads, &writes);
    let taken = reads.first().map(|bound| bytes_of(state, *bound));
    if let Some(temporary) = bindings.temporary {
        write(state, temporary, &vec![0xa5; temporary.size as usize]);
    }
    for output in outputs {
        let mark = signature(compiled, output.size as usize);
        write(state, output, &mark);
    }
    hazards.initialised.insert(compiled);
    if let Some(Data::Compiled { owned, initialised, .. }) = state.data(compiled) {
        (*owned, *initialised) = (taken, true);
    }
}

fn execute_operator(state: &mut State, hazards: &mut Hazards, id: Id, bindings: &Bindings) {
    state.dispatches += 1;
    if state.settings.remove_at == Some(state.dispatches) {
        state.removed = Some(HUNG);
        return;
    }
    let Some(Data::Compiled {
        top,
        owned,
        initialised,
    }) = state.data(id)
    else {
        return;
    };
    let (top, owned, initialised) = (top.clone(), owned.clone(), *initialised);
    if !initialised {
        state.violation("an operator was executed that no initialiser ran for");
    }
    if hazards.initialised.contains(&id) {
        state.violation("there is no barrier for unordered access between an initialiser and its operator");
    }
    let outputs: Vec<_> = bindings.outputs.iter().flatten().copied().collect();
    let inputs: Vec<_> = bindings.inputs.iter().flatten().copied().collect();
    let shared = outputs.iter().filter(|output| inputs.contains(output));
    state
        .in_place
        .extend(shared.map(|bound| (bound.resource, bound.offset)));
    let reads: Vec<_> = inputs.iter().copied().chain(bindings.persistent).collect();
    let writes: Vec<_> = outputs.iter().copied().chain(bindings.temporary).collect();
    touch(state, hazards, &reads, &writes);
    if let Some(persistent) = bindings.persistent
        && bytes_of(state, persistent) != signature(id, persistent.size as usize)
    {
        state.violation("the persistent resource does not hold what the initialiser wrote");
    }
    if let Some(temporary) = bindings.temporary {
        write(state, temporary, &vec![0x5a; temporary.size as usize]);
    }
    let [values, indices] = outputs[..] else { return };
    let input = owned.unwrap_or_else(|| inputs.first().map(|bound| bytes_of(state, *bound)).unwrap_or_default());
    let mut results = [bytes_of(state, values), bytes_of(state, indices)];
    let [of_values, of_indices] = &mut results;
    if top.compute(&input, of_values, of_indices).is_none() {
        state.violation("an operator reached beyond what was bound");
    }
    write(state, values, &results[0]);
    write(state, indices, &results[1]);
}
