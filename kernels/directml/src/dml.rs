//! DirectML's interfaces, laid out by hand from the public header: structures, tables of methods, and calls of them.
//!
//! `IUnknown` has the slots 0 to 2, `IDMLObject` 3 to 6, `IDMLDeviceChild` 7.

#![allow(unsafe_code, reason = "foreign methods are called; each call says why it may be")]

use std::{ffi::c_void, ptr};

use super::{
    com::{Com, Fault, Guid, Hresult, UnknownMethods, made},
    d3d12::{ListMethods, layout, slots},
};

/// `IDMLDevice`.
pub(super) const DEVICE: Guid = Guid::new(0x6dbd6437_96fd_423f_a98c_ae5e7c2a573f);
/// `IDMLOperator`.
pub(super) const OPERATOR: Guid = Guid::new(0x26caae7a_3081_4633_9581_226fbe57695d);
/// `IDMLCompiledOperator`.
pub(super) const COMPILED_OPERATOR: Guid = Guid::new(0x6b15e56a_bf5c_4902_92d8_da3a650afea4);
/// `IDMLOperatorInitializer`.
pub(super) const INITIALIZER: Guid = Guid::new(0x427c1113_435c_469c_8676_4d5dd072f813);
/// `IDMLBindingTable`.
pub(super) const BINDING_TABLE: Guid = Guid::new(0x29c687dc_de74_4e3b_ab00_1168f2fc3cfc);
/// `IDMLCommandRecorder`.
pub(super) const RECORDER: Guid = Guid::new(0xe6857a76_2e3e_4fdd_bff4_5d2ba10fb453);

/// `DML_EXECUTION_FLAG_ALLOW_HALF_PRECISION_COMPUTATION` of `DML_EXECUTION_FLAGS`.
pub(super) const ALLOW_HALF_PRECISION: u32 = 0x1;

/// `DML_BINDING_PROPERTIES`: what a dispatchable needs.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Needs {
    pub(super) descriptors: u32,
    pub(super) temporary: u64,
    pub(super) persistent: u64,
}

/// `DML_BINDING_TABLE_DESC`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct TableDesc {
    pub(super) dispatchable: *mut c_void,
    pub(super) cpu: u64,
    pub(super) gpu: u64,
    pub(super) descriptors: u32,
}

/// `DML_BUFFER_BINDING`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BufferBinding {
    pub(super) buffer: *mut c_void,
    pub(super) offset: u64,
    pub(super) size: u64,
}

/// `DML_BUFFER_ARRAY_BINDING`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct ArrayBinding {
    pub(super) count: u32,
    pub(super) bindings: *const BufferBinding,
}

/// `DML_BINDING_DESC`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Binding {
    pub(super) kind: u32,
    pub(super) desc: *const c_void,
}

layout!(Needs: 24, descriptors 0, temporary 8, persistent 16);
layout!(TableDesc: 32, dispatchable 0, cpu 8, gpu 16, descriptors 24);
layout!(BufferBinding: 24, buffer 0, offset 8, size 16);
layout!(ArrayBinding: 16, count 0, bindings 8);
layout!(Binding: 16, kind 0, desc 8);

impl BufferBinding {
    /// Nothing.
    pub(super) const NONE: Self = Self {
        buffer: ptr::null_mut(),
        offset: 0,
        size: 0,
    };

    fn desc(&self) -> Binding {
        if self.buffer.is_null() {
            return NOTHING;
        }
        Binding {
            kind: 1,
            desc: ptr::from_ref(self).cast(),
        }
    }
}

/// `DML_BINDING_TYPE_NONE`.
const NOTHING: Binding = Binding {
    kind: 0,
    desc: ptr::null(),
};

/// `DMLCreateDevice1`: D3D12 device, flags, lowest level required, interface, and the place of the device.
pub(super) type CreateDevice1 =
    unsafe extern "system" fn(*mut c_void, u32, u32, *const Guid, *mut *mut c_void) -> Hresult;

/// A method that is not used.
type Unused = *const c_void;

/// `GetBindingProperties` returns a structure too large for registers. By the convention of Linux that is what any C
/// function does with one, a hidden pointer before `this`, and the compiler knows how.
#[cfg(not(windows))]
pub(super) type ReturnsNeeds = unsafe extern "system" fn(*mut c_void) -> Needs;

/// `GetBindingProperties`: methods of Windows return structures through a hidden pointer after `this`.
#[cfg(windows)]
pub(super) type ReturnsNeeds = unsafe extern "system" fn(*mut c_void, *mut Needs) -> *mut Needs;

/// `IDMLDevice`.
#[repr(C)]
pub(super) struct DeviceMethods {
    unknown: UnknownMethods,
    object: [Unused; 4],
    /// 7: feature, its query, and the place of the answer, each with its size.
    pub(super) check_feature_support:
        unsafe extern "system" fn(*mut c_void, u32, u32, *const c_void, u32, *mut c_void) -> Hresult,
    /// 8: descriptor, interface, and the place of the operator. That place must not be null: the library crashes.
    pub(super) create_operator:
        unsafe extern "system" fn(*mut c_void, *const c_void, *const Guid, *mut *mut c_void) -> Hresult,
    /// 9: operator, flags, interface, place.
    pub(super) compile_operator:
        unsafe extern "system" fn(*mut c_void, *mut c_void, u32, *const Guid, *mut *mut c_void) -> Hresult,
    /// 10: count, compiled operators, interface, place.
    pub(super) create_initializer:
        unsafe extern "system" fn(*mut c_void, u32, *const *mut c_void, *const Guid, *mut *mut c_void) -> Hresult,
    /// 11: interface, place.
    pub(super) create_recorder: unsafe extern "system" fn(*mut c_void, *const Guid, *mut *mut c_void) -> Hresult,
    /// 12: description, interface, place.
    pub(super) create_binding_table:
        unsafe extern "system" fn(*mut c_void, *const TableDesc, *const Guid, *mut *mut c_void) -> Hresult,
    residency: [Unused; 2],
    /// 15
    pub(super) removed_reason: unsafe extern "system" fn(*mut c_void) -> Hresult,
}

/// `IDMLOperator`.
#[repr(C)]
pub(super) struct OperatorMethods {
    unknown: UnknownMethods,
}

/// `IDMLDispatchable`: `IDMLCompiledOperator` and `IDMLOperatorInitializer`.
#[repr(C)]
pub(super) struct DispatchableMethods {
    unknown: UnknownMethods,
    child: [Unused; 5],
    /// 8
    pub(super) needs: ReturnsNeeds,
}

/// `IDMLBindingTable`.
#[repr(C)]
pub(super) struct BindingTableMethods {
    unknown: UnknownMethods,
    child: [Unused; 5],
    /// 8: count, bindings.
    pub(super) bind_inputs: unsafe extern "system" fn(*mut c_void, u32, *const Binding),
    /// 9: count, bindings.
    pub(super) bind_outputs: unsafe extern "system" fn(*mut c_void, u32, *const Binding),
    /// 10
    pub(super) bind_temporary: unsafe extern "system" fn(*mut c_void, *const Binding),
    /// 11
    pub(super) bind_persistent: unsafe extern "system" fn(*mut c_void, *const Binding),
}

/// `IDMLCommandRecorder`.
#[repr(C)]
pub(super) struct RecorderMethods {
    unknown: UnknownMethods,
    child: [Unused; 5],
    /// 8: list, dispatchable, binding table.
    pub(super) record_dispatch: unsafe extern "system" fn(*mut c_void, *mut c_void, *mut c_void, *mut c_void),
}

slots!(DeviceMethods: check_feature_support 7, create_operator 8, compile_operator 9, create_initializer 10,
    create_recorder 11, create_binding_table 12, removed_reason 15);
slots!(DispatchableMethods: needs 8);
slots!(BindingTableMethods: bind_inputs 8, bind_outputs 9, bind_temporary 10, bind_persistent 11);
slots!(RecorderMethods: record_dispatch 8);

/// A compiled operator or an initialiser.
pub(super) type Dispatchable = Com<DispatchableMethods>;
/// A table of bindings.
pub(super) type BindingTable = Com<BindingTableMethods>;
/// The recorder, which puts dispatches into command lists.
pub(super) type Recorder = Com<RecorderMethods>;

impl Com<DeviceMethods> {
    /// `CreateOperator`: what it returned, and the operator.
    ///
    /// # Safety
    /// All that the descriptor points to is there: every pointer in it is null, or leads to as many elements as the
    /// count next to it says. The library itself refuses a null array with a count.
    pub(super) unsafe fn create_operator(&self, descriptor: *const c_void) -> (Hresult, Option<Com<OperatorMethods>>) {
        let mut operator = ptr::null_mut();
        // SAFETY: the caller vouches for the descriptor; there is a place for the operator, whose one reference is
        // taken over here.
        unsafe {
            let code = (self.methods().create_operator)(self.this(), descriptor, &OPERATOR, &raw mut operator);
            (code, Com::take(operator))
        }
    }

    /// `CompileOperator`, which may compute in half precision or not.
    pub(super) fn compile(&self, operator: &Com<OperatorMethods>, half_precision: bool) -> Result<Dispatchable, Fault> {
        let flags = if half_precision { ALLOW_HALF_PRECISION } else { 0 };
        let mut place = ptr::null_mut();
        // SAFETY: the operator is a live one of this library; there is a place for an object of the interface whose
        // methods `DispatchableMethods` begins with.
        unsafe {
            let methods = self.methods();
            let code =
                (methods.compile_operator)(self.this(), operator.this(), flags, &COMPILED_OPERATOR, &raw mut place);
            made("CompileOperator", code, place)
        }
    }

    /// `CreateOperatorInitializer` for one operator.
    pub(super) fn initializer(&self, compiled: &Dispatchable) -> Result<Dispatchable, Fault> {
        let (operators, mut place) = ([compiled.this()], ptr::null_mut());
        // SAFETY: an array of one live compiled operator, and a place for the initialiser.
        unsafe {
            let methods = self.methods();
            let code = (methods.create_initializer)(self.this(), 1, operators.as_ptr(), &INITIALIZER, &raw mut place);
            made("CreateOperatorInitializer", code, place)
        }
    }

    /// `CreateCommandRecorder`.
    pub(super) fn recorder(&self) -> Result<Recorder, Fault> {
        let mut place = ptr::null_mut();
        // SAFETY: a place for an object of the interface that `RecorderMethods` begins.
        unsafe {
            let code = (self.methods().create_recorder)(self.this(), &RECORDER, &raw mut place);
            made("CreateCommandRecorder", code, place)
        }
    }

    /// `CreateBindingTable`.
    ///
    /// # Safety
    /// The dispatchable is one of this device, and the handles lead to as many descriptors of one heap.
    pub(super) unsafe fn binding_table(&self, desc: &TableDesc) -> Result<BindingTable, Fault> {
        let mut place = ptr::null_mut();
        // SAFETY: the caller vouches for the description; there is a place for the table.
        unsafe {
            let code = (self.methods().create_binding_table)(self.this(), desc, &BINDING_TABLE, &raw mut place);
            made("CreateBindingTable", code, place)
        }
    }

    /// `GetDeviceRemovedReason`: success as long as the device is there.
    pub(super) fn removed_reason(&self) -> Hresult {
        // SAFETY: a method without arguments.
        unsafe { (self.methods().removed_reason)(self.this()) }
    }
}

impl Com<DispatchableMethods> {
    /// `GetBindingProperties`.
    pub(super) fn needs(&self) -> Needs {
        // SAFETY: the structure comes back as the platform's convention has it, see `ReturnsNeeds`.
        #[cfg(not(windows))]
        unsafe {
            (self.methods().needs)(self.this())
        }
        #[cfg(windows)]
        {
            let mut needs = Needs::default();
            // SAFETY: there is a place for the structure, see `ReturnsNeeds`.
            unsafe { (self.methods().needs)(self.this(), &raw mut needs) };
            needs
        }
    }
}

/// The library reads bindings during the call only.
impl Com<BindingTableMethods> {
    /// `BindInputs` of an operator.
    pub(super) fn bind_inputs(&self, bindings: &[BufferBinding]) {
        let list: Vec<_> = bindings.iter().map(BufferBinding::desc).collect();
        // SAFETY: as many bindings as are said, each of a live buffer or of none.
        unsafe { (self.methods().bind_inputs)(self.this(), list.len() as u32, list.as_ptr()) }
    }

    /// `BindInputs` of an initialiser of one operator: an array with a place for each of its inputs.
    pub(super) fn bind_owned(&self, bindings: &[BufferBinding]) {
        let array = ArrayBinding {
            count: bindings.len() as u32,
            bindings: bindings.as_ptr(),
        };
        let desc = Binding {
            kind: 2,
            desc: (&raw const array).cast(),
        };
        // SAFETY: one binding, an array of as many as are said.
        unsafe { (self.methods().bind_inputs)(self.this(), 1, &desc) }
    }

    /// `BindOutputs`.
    pub(super) fn bind_outputs(&self, bindings: &[BufferBinding]) {
        let list: Vec<_> = bindings.iter().map(BufferBinding::desc).collect();
        // SAFETY: as many bindings as are said, each of a live buffer or of none.
        unsafe { (self.methods().bind_outputs)(self.this(), list.len() as u32, list.as_ptr()) }
    }

    /// `BindTemporaryResource`.
    pub(super) fn bind_temporary(&self, binding: &BufferBinding) {
        // SAFETY: a binding of a live buffer.
        unsafe { (self.methods().bind_temporary)(self.this(), &binding.desc()) }
    }

    /// `BindPersistentResource`.
    pub(super) fn bind_persistent(&self, binding: &BufferBinding) {
        // SAFETY: a binding of a live buffer.
        unsafe { (self.methods().bind_persistent)(self.this(), &binding.desc()) }
    }
}

impl Com<RecorderMethods> {
    /// `RecordDispatch`. It returns nothing: a mistake removes the device.
    pub(super) fn record(&self, list: &Com<ListMethods>, dispatchable: &Dispatchable, table: &BindingTable) {
        // SAFETY: three live objects of this device; the list is being recorded.
        unsafe {
            (self.methods().record_dispatch)(self.this(), list.this(), dispatchable.this(), table.this());
        }
    }
}
