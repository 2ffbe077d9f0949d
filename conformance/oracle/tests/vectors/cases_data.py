"""Operators that move data without calculating."""

import numpy as np

from data import Data
from judge import NAME, NUMPY, onnx_op
from vector_io import Operator, Tensor, typed

INT_MIN = -(2**31)


def whole(values):
    return np.asarray(values, np.int64)


def depth_space():
    to_space, to_depth = Operator("DEPTH_TO_SPACE1", f"{NAME}, DepthToSpace"), Operator("SPACE_TO_DEPTH1", f"{NAME}, SpaceToDepth; Reshape and Transpose for COLUMN_ROW_DEPTH")
    data = Data("DEPTH_SPACE")
    orders = {"DCR": "DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW", "CRD": "DML_DEPTH_SPACE_ORDER_COLUMN_ROW_DEPTH"}
    for short, order in orders.items():
        for name, sizes, block, type_name in [("block-2", [1, 8, 1, 3], 2, "FLOAT32"), ("batch", [2, 8, 2, 1], 2, "UINT8"), ("block-3", [1, 18, 1, 2], 3, "INT32"), ("block-1", [1, 2, 2, 3], 1, "FLOAT16")]:
            x = data.distinct(type_name, sizes)
            y = onnx_op.DepthToSpace(x.array, blocksize=block, mode=short)
            fields = {"BlockSize": block, "Order": order}
            to_space.case(f"{name}-{short.lower()}", fields, {"InputTensor": x}, {"OutputTensor": Tensor(type_name, y)})
            n, c, h, w = [sizes[0], sizes[1] // block**2, sizes[2] * block, sizes[3] * block]
            x = data.distinct(type_name, [n, c, h, w])
            if short == "DCR":
                y = onnx_op.SpaceToDepth(x.array, blocksize=block)
            else:
                split = onnx_op.Reshape(x.array, whole([n, c, h // block, block, w // block, block]))
                y = onnx_op.Reshape(onnx_op.Transpose(split, perm=[0, 1, 3, 5, 2, 4]), whole(sizes))
            to_depth.case(f"{name}-{short.lower()}", fields, {"InputTensor": x}, {"OutputTensor": Tensor(type_name, y)})
    return [to_space, to_depth]


def diagonal_matrix1():
    op = Operator("DIAGONAL_MATRIX1", f"{NAME}, Trilu for the stripe and Where")
    data = Data("DIAGONAL")

    def stripe(sizes, begin, end):
        """Ones where begin <= x - y < end."""
        ones = np.ones(sizes, np.int64)
        return onnx_op.Sub(onnx_op.Trilu(ones, whole(max(begin, -99)), upper=1), onnx_op.Trilu(ones, whole(min(end, 99)), upper=1))

    for name, sizes, type_name, value, begin, end, with_input in [
        ("identity", [4, 5], "FLOAT32", 1.0, 0, 1, False),
        ("stripe", [4, 5], "FLOAT32", 7.0, 0, 3, False),
        ("below-with-input", [2, 3, 4], "INT32", -5, -2, 0, True),
        ("keep-upper", [1, 2, 3, 4], "FLOAT32", 0.0, INT_MIN, 1, True),
        ("reversed-keeps-diagonal", [4, 5], "FLOAT32", 0.0, 1, 0, True),
        ("reversed-wide", [2, 1, 4, 3], "UINT8", 9, 2, -1, True),
        ("empty-stripe", [3, 3], "FLOAT32", 7.0, 1, 1, True),
    ]:
        x = data.whole(type_name, sizes, 1, 9)
        mask = stripe(sizes, begin, end) if begin <= end else onnx_op.Sub(np.ones(sizes, np.int64), stripe(sizes, end, begin))
        rest = x.array if with_input else np.zeros(sizes, x.array.dtype)
        y = onnx_op.Where(mask != 0, np.asarray(value, x.array.dtype), rest)
        fields = {"ValueDataType": f"DML_TENSOR_DATA_TYPE_{type_name}", "Value": value, "DiagonalFillBegin": begin, "DiagonalFillEnd": end}
        note = "begin > end fills what is outside" if begin > end else None
        op.case(name, fields, {"InputTensor": x} if with_input else {}, {"OutputTensor": Tensor(type_name, y)}, note)
    return op


def fill_values():
    constant, sequence = Operator("FILL_VALUE_CONSTANT", f"{NAME}, Expand"), Operator("FILL_VALUE_SEQUENCE", f"{NAME}, Range and Reshape; NumPy's wrapping for the unsigned types, which Range lacks")
    for name, type_name, value, sizes in [("float32", "FLOAT32", 13.0, [1, 1, 2, 4]), ("int8", "INT8", -128, [1, 2, 1, 3]), ("uint32", "UINT32", 4294967295, [2, 1, 1, 1]), ("float16", "FLOAT16", 0.333251953125, [1, 1, 1, 5])]:
        x = typed(type_name, value)
        y = onnx_op.Expand(x.array, whole(sizes))
        constant.case(name, {"ValueDataType": f"DML_TENSOR_DATA_TYPE_{type_name}", "Value": value}, {}, {"OutputTensor": Tensor(type_name, y)})
    for name, type_name, start, delta, sizes, note in [
        ("float32", "FLOAT32", 3.0, 0.25, [1, 2, 1, 3], "dyadic, so that adding and multiplying agree"),
        ("descending", "INT32", 10, -2, [1, 1, 2, 2], None),
        ("zero-delta", "FLOAT32", -1.5, 0.0, [1, 1, 1, 4], None),
        ("uint8-wraps", "UINT8", 10, 254, [1, 1, 2, 2], "254 is -2 in eight bits: the page's example 2, written with a number that UINT8 holds"),
        ("int16", "INT16", -300, 100, [2, 1, 3, 1], None),
    ]:
        count = int(np.prod(sizes))
        if type_name == "UINT8" or delta == 0:
            y = np.arange(count) * delta + start
            y = y % 256 if type_name == "UINT8" else y
        else:
            one = np.float64 if isinstance(start, float) else np.int64
            y = onnx_op.Range(one(start), one(start + delta * count), one(delta))
        y = onnx_op.Reshape(np.asarray(y), whole(sizes))
        sequence.case(name, {"ValueDataType": f"DML_TENSOR_DATA_TYPE_{type_name}", "ValueStart": start, "ValueDelta": delta}, {}, {"OutputTensor": Tensor(type_name, y)}, note)
    return [constant, sequence]


def gather():
    op = Operator("GATHER", f"{NAME}, Gather on the tensors without their leading ones")
    data = Data("GATHER")

    def case(name, type_name, index_type, sizes, indices, axis, rank, dimensions, note=None):
        """ONNX sees `sizes`, `indices` and `axis`; DirectML sees `rank` dimensions with leading ones."""
        x = data.distinct(type_name, sizes, 10)
        y = onnx_op.Gather(x.array, whole(indices), axis=axis)

        def aligned(array):
            return np.asarray(array).reshape([1] * (rank - np.ndim(array)) + list(np.shape(array)))
        op.case(
            name,
            {"Axis": axis % len(sizes) + rank - len(sizes), "IndexDimensions": dimensions},
            {"InputTensor": Tensor(type_name, aligned(x.array)), "IndicesTensor": typed(index_type, aligned(indices))},
            {"OutputTensor": Tensor(type_name, aligned(y))},
            note,
        )

    case("one-dimension", "FLOAT32", "UINT32", [4], [3, 1, 3, 0, 2], 0, 1, 1, "IndexDimensions equals the dimension count: the page's range excludes it, its example 1 uses it")
    case("rows", "FLOAT32", "UINT32", [3, 2], [0, 1, 1, 2], 0, 2, 1)
    case("columns-negative-axis", "UINT8", "UINT32", [2, 3], [2, 0], -1, 2, 1, "axis -1 of ONNX")
    case("negative-indices", "FLOAT32", "INT32", [2, 3, 2], [-1, 0, -3], 1, 3, 1)
    case("two-dimensional-indices", "INT32", "INT64", [3, 2], [[0, 2], [1, -1]], 0, 3, 2, "the output has a dimension more")
    case("two-dimensional-indices-last-axis", "FLOAT16", "UINT32", [2, 3], [[0, 2, 1]], 1, 4, 2)
    case("single-index", "FLOAT32", "UINT32", [2, 3, 2], 2, 1, 4, 0, "IndexDimensions 0: the output has a dimension less and a leading one more")
    case("three-dimensional-indices", "FLOAT32", "UINT64", [2, 3], [[[1, 0]], [[2, 2]]], 1, 5, 3)
    return op


def gather_elements():
    op = Operator("GATHER_ELEMENTS", f"{NAME}, GatherElements")
    data = Data("GATHER_ELEMENTS")
    for name, type_name, index_type, sizes, axis, count, low in [
        ("axis-0", "FLOAT32", "UINT32", [3, 3], 0, 2, 0),
        ("last-axis", "INT8", "UINT64", [2, 3, 4], 2, 3, 0),
        ("middle-axis-negative", "FLOAT32", "INT32", [2, 4, 1, 2], 1, 5, -4),
        ("one-dimension", "FLOAT16", "INT64", [6], 0, 4, -6),
        ("rank-5", "UINT32", "UINT32", [1, 2, 2, 3, 2], 3, 3, 0),
    ]:
        x = data.distinct(type_name, sizes, 10)
        places = [count if d == axis else n for d, n in enumerate(sizes)]
        indices = data.whole(index_type, places, low, sizes[axis] - 1)
        y = onnx_op.GatherElements(x.array, indices.array.astype(np.int64), axis=axis)
        op.case(name, {"Axis": axis}, {"InputTensor": x, "IndicesTensor": indices}, {"OutputTensor": Tensor(type_name, y)})
    return op


def aligned(array, rank):
    return array.reshape([1] * (rank - array.ndim) + list(array.shape))


def gather_nd():
    plain, batched = Operator("GATHER_ND", f"{NAME}, GatherND"), Operator("GATHER_ND1", f"{NAME}, GatherND with batch_dims")
    data = Data("GATHER_ND")
    for name, type_name, index_type, sizes, indices, batch, rank in [
        ("whole-rows", "FLOAT32", "UINT32", [3, 2], [[2], [0]], 0, 2),
        ("elements", "INT32", "UINT32", [3, 4], [[2, 3], [0, 1]], 0, 4),
        ("blocks", "FLOAT32", "INT64", [2, 3, 2], [[[0, -1]], [[-2, 1]]], 0, 4),
        ("deep-tuples", "UINT8", "UINT64", [2, 2, 3], [[1, 0, 2], [0, 1, 1], [1, 1, 0]], 0, 5),
        ("batch-1", "FLOAT32", "UINT32", [3, 2, 2], [[[0, 0], [1, 1]], [[1, 1], [0, 0]], [[0, 1], [1, 0]]], 1, 4),
        ("batch-1-blocks", "FLOAT32", "INT32", [2, 3, 2], [[[-1], [0]], [[1], [1]]], 1, 3),
        ("batch-2", "FLOAT16", "UINT32", [2, 2, 3], [[[0], [2]], [[1], [1]]], 2, 3),
    ]:
        x, indices = data.distinct(type_name, sizes, 10), whole(indices)
        y = onnx_op.GatherND(x.array, indices, batch_dims=batch)
        fields = {"InputDimensionCount": len(sizes), "IndicesDimensionCount": indices.ndim}
        tensors = {"InputTensor": Tensor(type_name, aligned(x.array, rank)), "IndicesTensor": typed(index_type, aligned(indices, rank))}
        outputs = {"OutputTensor": Tensor(type_name, aligned(y, rank))}
        if not batch:
            plain.case(name, fields, tensors, outputs)
        batched.case(name, {**fields, "BatchDimensionCount": batch}, tensors, outputs)
    return [plain, batched]


def scatter():
    elements, tuples = Operator("SCATTER_ELEMENTS", f"{NAME}, ScatterElements"), Operator("SCATTER_ND", f"{NAME}, ScatterND")
    data = Data("SCATTER")
    for name, type_name, index_type, sizes, axis, indices in [
        ("one-dimension", "FLOAT32", "UINT32", [5], 0, [3, 1, 0]),
        ("axis-0", "FLOAT32", "UINT32", [3, 3], 0, [[1, 0, 2], [0, 2, 1]]),
        ("last-axis-negative", "INT32", "INT32", [2, 4], 1, [[-1, 0, -3], [2, -3, 0]]),
        ("middle-axis", "FLOAT16", "INT64", [2, 3, 2], 1, [[[0, 2], [1, 0]], [[2, 1], [0, 2]]]),
        ("rank-4", "UINT8", "UINT64", [1, 2, 2, 3], 3, [[[[2], [0]], [[1], [2]]]]),
    ]:
        x, indices = data.distinct(type_name, sizes, 10), typed(index_type, indices)
        updates = data.distinct(type_name, indices.sizes, 100)
        y = onnx_op.ScatterElements(x.array, indices.array.astype(np.int64), updates.array, axis=axis)
        elements.case(name, {"Axis": axis}, {"InputTensor": x, "IndicesTensor": indices, "UpdatesTensor": updates}, {"OutputTensor": Tensor(type_name, y)}, "no index twice")
    for name, type_name, index_type, sizes, indices, rank in [
        ("elements-of-a-row", "FLOAT32", "UINT32", [8], [[4], [3], [1], [7]], 2),
        ("rows", "FLOAT32", "UINT32", [3, 2], [[2], [0]], 2),
        ("pairs-negative", "INT32", "INT32", [2, 3], [[-1, 0], [0, -2]], 4),
        ("blocks", "FLOAT32", "INT64", [2, 3, 2], [[[0, 1]], [[1, 2]]], 4),
        ("triples", "UINT8", "UINT64", [2, 2, 2], [[1, 0, 1], [0, 0, 0]], 5),
    ]:
        x, indices = data.distinct(type_name, sizes, 10), whole(indices)
        updates = data.distinct(type_name, list(indices.shape[:-1]) + sizes[indices.shape[-1]:], 100)
        y = onnx_op.ScatterND(x.array, indices, updates.array)
        tuples.case(
            name,
            {"InputDimensionCount": len(sizes), "IndicesDimensionCount": indices.ndim},
            {"InputTensor": Tensor(type_name, aligned(x.array, rank)), "IndicesTensor": typed(index_type, aligned(indices, rank)), "UpdatesTensor": Tensor(type_name, aligned(updates.array, rank))},
            {"OutputTensor": Tensor(type_name, aligned(y, rank))},
            "no index twice",
        )
    return [elements, tuples]


def one_hot():
    op = Operator("ONE_HOT", f"{NAME}, OneHot on indices without their axis of size 1")
    for name, indices, index_type, values, value_sizes, type_name, axis, depth in [
        ("last-axis", [[[0], [3], [2]]], "UINT32", [0.0, 1.0], [1, 1, 2], "FLOAT32", 2, 4),
        ("middle-axis", [[[0, 2, 1, 0]], [[1, 1, 2, 2]]], "UINT64", [0, 1], [2, 1, 1], "UINT8", 1, 3),
        ("first-axis", [[1, 0, 2]], "INT64", [-1.5, 2.0], [1, 2], "FLOAT32", 0, 3),
        ("negative-and-out-of-range", [[-3], [100], [3], [-4], [-5], [4]], "INT32", [0.0, 1.0], [1, 2], "FLOAT32", 1, 4),
        ("values-downwards", [[[[0], [3], [2]]]], "UINT32", [4, 2, 9], [1, 1, 3, 1], "INT32", 3, 4),
        ("depth-1", [[0, 1, 0]], "UINT32", [5.0, 7.0], [1, 2], "FLOAT16", 0, 1),
    ]:
        indices, values = typed(index_type, indices), typed(type_name, values, value_sizes)
        off_on = values.array.reshape(-1)[:2]
        y = onnx_op.OneHot(np.squeeze(indices.array.astype(np.int64), axis), np.asarray(depth), off_on, axis=axis)
        op.case(name, {"Axis": axis}, {"IndicesTensor": indices, "ValuesTensor": values}, {"OutputTensor": Tensor(type_name, y)})
    return op


def padding1():
    op = Operator("PADDING1", f"{NAME}, Pad; {NUMPY}, pad for SYMMETRIC, which ONNX lacks")
    data = Data("PADDING")
    modes = {"CONSTANT": "constant", "EDGE": "edge", "REFLECTION": "reflect", "WRAP": "wrap"}
    for name, mode, type_name, sizes, start, end, value, note in [
        ("constant", "CONSTANT", "FLOAT32", [2, 3], [1, 2], [0, 1], 9.5, None),
        ("constant-integer", "CONSTANT", "INT32", [1, 2, 1, 2], [1, 0, 0, 2], [0, 1, 1, 0], -7, None),
        ("edge", "EDGE", "FLOAT32", [2, 3], [2, 1], [1, 3], 0.0, None),
        ("edge-rank-1", "EDGE", "UINT8", [4], [3], [2], 0, None),
        ("reflection", "REFLECTION", "FLOAT32", [3, 3], [1, 2], [2, 0], 0.0, None),
        ("reflection-twice", "REFLECTION", "FLOAT32", [1, 3, 2], [0, 5, 3], [0, 1, 1], 0.0, "more padding than the input is long: folded again"),
        ("symmetric", "SYMMETRIC", "FLOAT32", [2, 3], [1, 2], [2, 3], 0.0, None),
        ("symmetric-twice", "SYMMETRIC", "INT8", [1, 1, 2, 2], [0, 0, 3, 5], [0, 0, 2, 0], 0, "more padding than the input is long: folded again"),
        ("wrap", "WRAP", "FLOAT32", [2, 3], [1, 2], [2, 4], 0.0, "the header has WRAP; the page does not name it"),
    ]:
        x = data.distinct(type_name, sizes, 1)
        if mode in modes:
            y = onnx_op.Pad(x.array, whole(start + end), np.asarray(value, x.array.dtype), mode=modes[mode])
        else:
            y = np.pad(x.array, list(zip(start, end)), mode="symmetric")
        fields = {"PaddingMode": f"DML_PADDING_MODE_{mode}", "PaddingValueDataType": f"DML_TENSOR_DATA_TYPE_{type_name}", "PaddingValue": value, "DimensionCount": len(sizes), "StartPadding": start, "EndPadding": end}
        op.case(name, fields, {"InputTensor": x}, {"OutputTensor": Tensor(type_name, y)}, note)
    return op


def reverse_subsequences():
    op = Operator("REVERSE_SUBSEQUENCES", f"{NAME}, ReverseSequence on rows of the axis; a length above the axis clamped first, as the page says")
    data = Data("REVERSE")
    for name, type_name, length_type, sizes, axis, lengths in [
        ("last-axis", "FLOAT32", "UINT32", [1, 1, 3, 4], 3, [2, 4, 3]),
        ("axis-2-nops", "FLOAT32", "UINT32", [1, 1, 3, 4], 2, [2, 3, 1, 0]),
        ("axis-1", "INT32", "UINT32", [2, 3, 1, 2], 1, [3, 2, 1, 3]),
        ("first-axis", "FLOAT16", "UINT32", [4, 1, 1, 2], 0, [4, 3]),
        ("too-long", "UINT8", "UINT32", [1, 2, 1, 3], 3, [7, 2]),
    ]:
        x = data.distinct(type_name, sizes, 1)
        moved = [d for d in range(4) if d != axis] + [axis]
        rows = onnx_op.Reshape(onnx_op.Transpose(x.array, perm=moved), whole([-1, sizes[axis]]))
        got = onnx_op.ReverseSequence(rows, np.minimum(whole(lengths), sizes[axis]), batch_axis=0, time_axis=1)
        y = onnx_op.Transpose(onnx_op.Reshape(got, whole([sizes[d] for d in moved])), perm=[int(v) for v in np.argsort(moved)])
        short = [1 if d == axis else n for d, n in enumerate(sizes)]
        op.case(name, {"Axis": axis}, {"InputTensor": x, "SequenceLengthsTensor": typed(length_type, lengths, short)}, {"OutputTensor": Tensor(type_name, y)})
    return op


def slice1():
    op = Operator("SLICE1", f"{NAME}, Slice")
    data = Data("SLICE")
    for name, type_name, sizes, offsets, windows, strides, out in [
        ("positive-strides", "FLOAT32", [1, 1, 4, 4], [0, 0, 0, 1], [1, 1, 4, 3], [1, 1, 2, 2], None),
        ("negative-stride", "FLOAT32", [1, 1, 4, 4], [0, 0, 0, 1], [1, 1, 4, 3], [1, 1, -2, 2], None),
        ("reverses", "INT32", [5], [0], [5], [-1], None),
        ("window-in-the-middle", "UINT8", [4, 5, 2], [1, 1, 0], [2, 3, 2], [-1, -2, -1], None),
        ("stride-leaves-rest", "FLOAT16", [2, 7], [0, 1], [2, 6], [1, -4], None),
        ("fewer-than-possible", "FLOAT32", [3, 6], [0, 0], [3, 6], [1, -2], [2, 2]),
        ("rank-5", "INT8", [1, 2, 2, 3, 2], [0, 1, 0, 0, 1], [1, 1, 2, 3, 1], [1, 1, -1, 2, 1], None),
    ]:
        x = data.distinct(type_name, sizes, 1)
        count = out or [1 + (w - 1) // abs(s) for w, s in zip(windows, strides)]
        start = [o if s > 0 else o + w - 1 for o, w, s in zip(offsets, windows, strides)]
        stop = [b + n * s for b, n, s in zip(start, count, strides)]
        stop = [e if e >= 0 else INT_MIN for e in stop]
        y = onnx_op.Slice(x.array, whole(start), whole(stop), whole(range(len(sizes))), whole(strides))
        fields = {"DimensionCount": len(sizes), "InputWindowOffsets": offsets, "InputWindowSizes": windows, "InputWindowStrides": strides}
        op.case(name, fields, {"InputTensor": x}, {"OutputTensor": Tensor(type_name, y)}, "the output need not take all that the window holds" if out else None)
    return op


def join_split():
    joined, parted = Operator("JOIN", f"{NAME}, Concat"), Operator("SPLIT", f"{NAME}, Split")
    data = Data("JOIN")
    for name, type_name, sizes, axis, parts in [
        ("last-axis", "FLOAT32", [1, 1, 2, 7], 3, [3, 4]),
        ("three-parts", "INT32", [1, 6, 1, 2], 1, [2, 1, 3]),
        ("first-axis", "UINT8", [3, 2, 1, 2], 0, [1, 2]),
        ("one-part", "FLOAT16", [1, 2, 2, 2], 2, [2]),
        ("rank-5", "FLOAT32", [2, 1, 3, 1, 2], 2, [1, 1, 1]),
        ("rank-1", "INT8", [6], 0, [1, 3, 2]),
        ("rank-3-negative-axis", "FLOAT32", [2, 2, 3], 2, [2, 1]),
    ]:
        x = data.distinct(type_name, sizes, 1)
        pieces = onnx_op.Split(x.array, whole(parts), axis=axis - len(sizes) if "negative" in name else axis, outputs=len(parts)) if len(parts) > 1 else [x.array]
        together = onnx_op.Concat(*pieces, axis=axis)
        tensors = [Tensor(type_name, p) for p in pieces]
        if len(sizes) >= 4:  # the page of JOIN has tables for 4 and 5 dimensions only
            joined.case(name, {"InputCount": len(parts), "Axis": axis}, {"InputTensors": tensors}, {"OutputTensor": Tensor(type_name, together)})
        parted.case(name, {"OutputCount": len(parts), "Axis": axis}, {"InputTensor": x}, {"OutputTensors": tensors})
    return [joined, parted]


def max_unpooling():
    op = Operator("MAX_UNPOOLING", f"{NAME}, MaxUnpool with the kernel and strides that give the output's sizes")
    for name, type_name, index_type, sizes, values, indices, kernel, strides in [
        ("two-by-two", "FLOAT32", "UINT32", [1, 1, 2, 2], [1.5, -2.0, 3.0, 4.0], [5, 7, 13, 8], [2, 2], [2, 2]),
        ("channels", "INT32", "UINT64", [1, 2, 1, 2], [1, 2, 3, 4], [0, 6, 9, 15], [2, 2], [2, 2]),
        ("batch", "FLOAT16", "UINT32", [2, 1, 2, 1], [1.0, 2.0, -3.0, 4.0], [1, 2, 7, 5], [2, 2], [1, 1]),
    ]:
        x, places = typed(type_name, values, sizes), typed(index_type, indices, sizes)
        y = onnx_op.MaxUnpool(x.array, places.array.astype(np.int64), kernel_shape=kernel, strides=strides)
        op.case(name, {}, {"InputTensor": x, "IndicesTensor": places}, {"OutputTensor": Tensor(type_name, y)}, "no index twice")
    return op


def operators():
    return [
        *depth_space(), diagonal_matrix1(), *fill_values(), gather(), gather_elements(), *gather_nd(), *scatter(), one_hot(), padding1(),
        reverse_subsequences(), slice1(), *join_split(), max_unpooling(),
    ]
