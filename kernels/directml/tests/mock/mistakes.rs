//! Mistakes in using a device, and the violations that the mock reports.

use Mistake::*;

/// What is done wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mistake {
    Nothing,
    NoBarrierBetweenDispatches,
    NoBarrierBeforeCopy,
    WrongStateBefore,
    TemporaryUnbound,
    TemporaryTooSmall,
    PersistentUnbound,
    HeapTooSmall,
    ListOfAnotherKind,
    HeapNotSet,
    TableTooSmall,
    DescriptorsReused,
    ReleasedInFlight,
    HeapReleasedInFlight,
    ReadTooEarly,
    AllocatorResetInFlight,
    ListNotClosed,
    NotInitialised,
    OffsetMisaligned,
    BeyondTheBuffer,
    BindingTooSmall,
    BindingsOverlap,
    InputInUploadHeap,
    UploadTooSmall,
    WrongTable,
    RecordedOnceGone,
    HandleConvention,
    NeedsConvention,
    ReleasedTwice,
}

/// A part of the violation that each mistake leads to.
pub(super) const VIOLATIONS: [(Mistake, &str); 29] = [
    (
        NoBarrierBetweenDispatches,
        "no barrier for unordered access between an initialiser and its operator",
    ),
    (
        NoBarrierBetweenDispatches,
        "at byte 512, and there is no barrier for unordered access between them",
    ),
    (
        NoBarrierBeforeCopy,
        "is in state 0x8 and not in 0x800: a barrier is missing",
    ),
    (WrongStateBefore, "is in state 0x400, the barrier says 0x800"),
    (
        TemporaryUnbound,
        "the temporary resource is not bound, 100 bytes are needed",
    ),
    (
        TemporaryTooSmall,
        "the temporary resource is bound with 99 bytes, 100 are needed",
    ),
    (
        PersistentUnbound,
        "the persistent resource is not bound, 48 bytes are needed",
    ),
    (HeapTooSmall, "descriptors 2 to 7 lie beyond the heap, which has 4"),
    (
        ListOfAnotherKind,
        "a list is of kind 2, what it works with is of kind 0",
    ),
    (HeapNotSet, "whose descriptor heap is not the binding table's"),
    (
        TableTooSmall,
        "a binding table has 4 descriptors, its dispatchable needs 5",
    ),
    (
        DescriptorsReused,
        "overwrites descriptors that a recorded dispatch uses",
    ),
    (
        ReleasedInFlight,
        "Resource 13 was released while the device may still use it",
    ),
    (
        HeapReleasedInFlight,
        "Heap 11 was released while the device may still use it",
    ),
    (
        ReadTooEarly,
        "was mapped before the fence says that the device is done with it",
    ),
    (
        AllocatorResetInFlight,
        "a command allocator was reset while the device may still read",
    ),
    (ListNotClosed, "a command list was executed that is not closed"),
    (NotInitialised, "an operator was executed that no initialiser ran for"),
    (
        OffsetMisaligned,
        "the output of values is bound at byte 520, which is no multiple of 16",
    ),
    (
        BeyondTheBuffer,
        "the output of values: bytes 1024 to 1032 lie beyond Resource 12, which has 1024",
    ),
    (BindingTooSmall, "the input is bound with 16 bytes, 20 are needed"),
    (BindingsOverlap, "two of an operator's bindings overlap"),
    (
        InputInUploadHeap,
        "the input is bound to a buffer that dispatches cannot use",
    ),
    (
        UploadTooSmall,
        "CopyBufferRegion: bytes 0 to 1024 lie beyond Resource 14, which has 512",
    ),
    (WrongTable, "with the binding table of another dispatchable"),
    (
        RecordedOnceGone,
        "RecordDispatch was called although the device was said to be gone",
    ),
    (
        HandleConvention,
        "the CPU handle 0x0 is no descriptor of a heap that shaders see",
    ),
    (NeedsConvention, "GetBindingProperties was called on"),
    (ReleasedTwice, "was released more often than it was referenced"),
];
