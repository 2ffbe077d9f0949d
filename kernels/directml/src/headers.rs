//! Checks what is laid out by hand against Microsoft's own metadata: structures, slots of methods, ids of interfaces.
//! The compiler checks it if these tests are built for Windows.

use std::mem::{offset_of, size_of};

use dml_ops::ffi;
use windows::{
    Win32::{AI::MachineLearning::DirectML::*, Graphics::Direct3D12::*},
    core::{GUID, Interface},
};

use super::{com::Guid, d3d12, dml};

/// Size and offsets of a structure are those of the metadata.
macro_rules! same_layout {
    ($ours:path, $theirs:ident: $($field:ident $name:ident),+) => {
        const _: () = {
            assert!(size_of::<$ours>() == size_of::<$theirs>());
            $(assert!(offset_of!($ours, $field) == offset_of!($theirs, $name));)+
        };
    };
}

/// Methods are in the slots of the metadata.
macro_rules! same_slots {
    ($ours:path, $theirs:ident: $($method:ident $name:ident),+) => {
        const _: () = {
            $(assert!(offset_of!($ours, $method) == offset_of!($theirs, $name));)+
        };
    };
}

/// Interfaces have the ids of the metadata.
macro_rules! same_ids {
    ($($ours:path, $theirs:ident;)+) => {
        const _: () = {
            $(assert!(same_id(&$ours, &$theirs::IID));)+
        };
    };
}

const fn same_id(ours: &Guid, theirs: &GUID) -> bool {
    ours.data1 == theirs.data1
        && ours.data2 == theirs.data2
        && ours.data3 == theirs.data3
        && u64::from_ne_bytes(ours.data4) == u64::from_ne_bytes(theirs.data4)
}

same_layout!(ffi::DML_OPERATOR_DESC, DML_OPERATOR_DESC: Type Type, Desc Desc);
same_layout!(ffi::DML_TENSOR_DESC, DML_TENSOR_DESC: Type Type, Desc Desc);
same_layout!(ffi::DML_BUFFER_TENSOR_DESC, DML_BUFFER_TENSOR_DESC: DataType DataType, Flags Flags,
    DimensionCount DimensionCount, Sizes Sizes, Strides Strides, TotalTensorSizeInBytes TotalTensorSizeInBytes,
    GuaranteedBaseOffsetAlignment GuaranteedBaseOffsetAlignment);
same_layout!(ffi::DML_SCALE_BIAS, DML_SCALE_BIAS: Scale Scale, Bias Bias);
same_layout!(ffi::DML_SIZE_2D, DML_SIZE_2D: Width Width, Height Height);
same_layout!(ffi::DML_TOP_K1_OPERATOR_DESC, DML_TOP_K1_OPERATOR_DESC: InputTensor InputTensor,
    OutputValueTensor OutputValueTensor, OutputIndexTensor OutputIndexTensor, Axis Axis, K K,
    AxisDirection AxisDirection);
same_layout!(dml::Needs, DML_BINDING_PROPERTIES: descriptors RequiredDescriptorCount, temporary TemporaryResourceSize,
    persistent PersistentResourceSize);
same_layout!(dml::TableDesc, DML_BINDING_TABLE_DESC: dispatchable Dispatchable, cpu CPUDescriptorHandle,
    gpu GPUDescriptorHandle, descriptors SizeInDescriptors);
same_layout!(dml::BufferBinding, DML_BUFFER_BINDING: buffer Buffer, offset Offset, size SizeInBytes);
same_layout!(dml::ArrayBinding, DML_BUFFER_ARRAY_BINDING: count BindingCount, bindings Bindings);
same_layout!(dml::Binding, DML_BINDING_DESC: kind Type, desc Desc);
same_layout!(d3d12::HeapProperties, D3D12_HEAP_PROPERTIES: kind Type, cpu_page CPUPageProperty,
    pool MemoryPoolPreference, creation_nodes CreationNodeMask, visible_nodes VisibleNodeMask);
same_layout!(d3d12::ResourceDesc, D3D12_RESOURCE_DESC: dimension Dimension, alignment Alignment, width Width,
    height Height, depth DepthOrArraySize, mips MipLevels, format Format, sample_count SampleDesc, layout Layout,
    flags Flags);
same_layout!(d3d12::Barrier, D3D12_RESOURCE_BARRIER: kind Type, flags Flags, resource Anonymous);
same_layout!(d3d12::QueueDesc, D3D12_COMMAND_QUEUE_DESC: kind Type, priority Priority, flags Flags, nodes NodeMask);
same_layout!(d3d12::DescriptorHeapDesc, D3D12_DESCRIPTOR_HEAP_DESC: kind Type, count NumDescriptors, flags Flags,
    nodes NodeMask);
same_layout!(d3d12::Range, D3D12_RANGE: begin Begin, end End);
same_layout!(d3d12::Message, D3D12_MESSAGE: category Category, severity Severity, id ID, text pDescription,
    bytes DescriptionByteLength);

same_slots!(d3d12::DeviceMethods, ID3D12Device_Vtbl: create_command_queue CreateCommandQueue,
    create_command_allocator CreateCommandAllocator, create_command_list CreateCommandList,
    create_descriptor_heap CreateDescriptorHeap, descriptor_increment GetDescriptorHandleIncrementSize,
    create_committed_resource CreateCommittedResource, create_fence CreateFence,
    removed_reason GetDeviceRemovedReason);
same_slots!(d3d12::QueueMethods, ID3D12CommandQueue_Vtbl: execute_command_lists ExecuteCommandLists, signal Signal);
same_slots!(d3d12::AllocatorMethods, ID3D12CommandAllocator_Vtbl: reset Reset);
same_slots!(d3d12::ListMethods, ID3D12GraphicsCommandList_Vtbl: close Close, reset Reset,
    copy_buffer_region CopyBufferRegion, resource_barrier ResourceBarrier, set_descriptor_heaps SetDescriptorHeaps);
same_slots!(d3d12::FenceMethods, ID3D12Fence_Vtbl: completed_value GetCompletedValue);
same_slots!(d3d12::HeapMethods, ID3D12DescriptorHeap_Vtbl: cpu_start GetCPUDescriptorHandleForHeapStart,
    gpu_start GetGPUDescriptorHandleForHeapStart);
same_slots!(d3d12::ResourceMethods, ID3D12Resource_Vtbl: map Map, unmap Unmap);
same_slots!(d3d12::InfoQueueMethods, ID3D12InfoQueue_Vtbl: clear ClearStoredMessages, message GetMessage,
    count GetNumStoredMessages);
same_slots!(d3d12::DebugMethods, ID3D12Debug_Vtbl: enable EnableDebugLayer);
same_slots!(dml::DeviceMethods, IDMLDevice_Vtbl: check_feature_support CheckFeatureSupport,
    create_operator CreateOperator, compile_operator CompileOperator, create_initializer CreateOperatorInitializer,
    create_recorder CreateCommandRecorder, create_binding_table CreateBindingTable,
    removed_reason GetDeviceRemovedReason);
same_slots!(dml::DispatchableMethods, IDMLDispatchable_Vtbl: needs GetBindingProperties);
same_slots!(dml::BindingTableMethods, IDMLBindingTable_Vtbl: bind_inputs BindInputs, bind_outputs BindOutputs,
    bind_temporary BindTemporaryResource, bind_persistent BindPersistentResource);
same_slots!(dml::RecorderMethods, IDMLCommandRecorder_Vtbl: record_dispatch RecordDispatch);

const _: () = assert!(dml::ALLOW_HALF_PRECISION.cast_signed() == DML_EXECUTION_FLAG_ALLOW_HALF_PRECISION_COMPUTATION.0);

same_ids! {
    d3d12::DEVICE, ID3D12Device;
    d3d12::QUEUE, ID3D12CommandQueue;
    d3d12::ALLOCATOR, ID3D12CommandAllocator;
    d3d12::LIST, ID3D12GraphicsCommandList;
    d3d12::FENCE, ID3D12Fence;
    d3d12::HEAP, ID3D12DescriptorHeap;
    d3d12::RESOURCE, ID3D12Resource;
    d3d12::INFO_QUEUE, ID3D12InfoQueue;
    d3d12::DEBUG, ID3D12Debug;
    dml::DEVICE, IDMLDevice;
    dml::OPERATOR, IDMLOperator;
    dml::COMPILED_OPERATOR, IDMLCompiledOperator;
    dml::INITIALIZER, IDMLOperatorInitializer;
    dml::BINDING_TABLE, IDMLBindingTable;
    dml::RECORDER, IDMLCommandRecorder;
}
