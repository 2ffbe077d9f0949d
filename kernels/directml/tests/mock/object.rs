//! Common parts of all objects of the mock: `IUnknown`, and the lookup of pointers.

use std::ffi::c_void;

use super::{CURRENT, E_FAIL, E_NOINTERFACE, Id, Kind, MAGIC, Object, S_OK, World};

/// The object of a pointer, if it is of this kind and alive. Anything else is a violation.
pub(super) fn object(this: *mut c_void, kind: &[Kind], method: &str) -> Option<(&'static World, Id)> {
    let found = as_object(this);
    let world = found.map(|object| object.world).or_else(|| CURRENT.get())?;
    let Some(found) = found else {
        world.state().violation(format!(
            "{method} was called on {this:p}, which is no object: a wrong convention for methods that return structures?"
        ));
        return None;
    };
    let mut state = world.state();
    if !kind.contains(&found.kind) {
        state.violation(format!("{method} was called on a {:?}", found.kind));
        return None;
    }
    if state.objects.get(&found.id).is_none_or(|entry| entry.references <= 0) {
        let name = state.name(found.id);
        state.violation(format!("{method} was called with {name}, which was released"));
        return None;
    }
    Some((world, found.id))
}

pub(super) fn as_object(this: *mut c_void) -> Option<&'static Object> {
    let pointer = this.cast::<Object>();
    if pointer.is_null() || !pointer.is_aligned() {
        return None;
    }
    unsafe {
        let magic = (&raw const (*pointer).magic).read();
        (magic == MAGIC).then(|| &*pointer)
    }
}

/// A field of a structure of C's.
pub(super) fn field<T: Copy>(structure: *const c_void, offset: usize) -> T {
    unsafe { structure.cast::<u8>().add(offset).cast::<T>().read_unaligned() }
}

pub(super) unsafe fn hand_out(object: *mut c_void, out: *mut *mut c_void) -> i32 {
    unsafe { *out = object };
    S_OK
}

pub(super) extern "system" fn stray(this: *mut c_void) -> i32 {
    if let Some(object) = as_object(this) {
        let text = format!(
            "a method was called that {:?} is not expected to be asked for",
            object.kind
        );
        object.world.state().violation(text);
    }
    E_FAIL
}

pub(super) unsafe extern "system" fn query_interface(
    this: *mut c_void,
    wanted: *const c_void,
    out: *mut *mut c_void,
) -> i32 {
    let Some(found) = as_object(this) else { return E_FAIL };
    let first: u32 = field(wanted, 0);
    unsafe { *out = std::ptr::null_mut() };
    if !is_interface(found.kind, first) {
        return E_NOINTERFACE;
    }
    unsafe {
        add_ref(this);
        hand_out(this, out)
    }
}

/// Whether objects of the kind have the interface whose name begins like that: `IUnknown`, `ID3D12Object` and the like
/// below it, and its own; devices are `ID3D12Device` to `ID3D12Device5`.
fn is_interface(kind: Kind, name: u32) -> bool {
    let own: &[u32] = match kind {
        Kind::Device => &[
            0x1898_19f1,
            0x77ac_ce80,
            0x30ba_a41e,
            0x81da_dc15,
            0xe865_df17,
            0x8b4f_173b,
        ],
        Kind::List => &[0x5b16_0d0f, 0x7116_d91c, 0x905d_b94b],
        Kind::Resource => &[0x6964_42be, 0x63ee_58fb, 0x905d_b94b],
        Kind::Heap => &[0x8efb_471d, 0x63ee_58fb, 0x905d_b94b],
        _ => &[],
    };
    matches!(name, 0 | 0xc4fe_c28f) || own.contains(&name)
}

pub(super) unsafe extern "system" fn add_ref(this: *mut c_void) -> u32 {
    let Some(found) = as_object(this) else { return 0 };
    let mut state = found.world.state();
    let Some(entry) = state.objects.get_mut(&found.id) else {
        return 0;
    };
    entry.references += 1;
    entry.references as u32
}

pub(super) unsafe extern "system" fn release(this: *mut c_void) -> u32 {
    let Some(found) = as_object(this) else {
        if let Some(world) = CURRENT.get() {
            world
                .state()
                .violation("Release was called on something that is no object");
        }
        return 0;
    };
    let mut state = found.world.state();
    let Some(entry) = state.objects.get_mut(&found.id) else {
        return 0;
    };
    entry.references -= 1;
    let left = entry.references;
    let name = state.name(found.id);
    if left < 0 {
        state.violation(format!("{name} was released more often than it was referenced"));
    }
    if left == 0 && state.removed.is_none() && state.in_flight().contains(&found.id) {
        state.violation(format!("{name} was released while the device may still use it"));
    }
    left.max(0) as u32
}
