"""Operators that reduce, order, or normalize along axes."""

import numpy as np

from data import Data
from judge import NAME, onnx_op
from vector_io import Operator, Tensor, f32, typed

UP, DOWN = "DML_AXIS_DIRECTION_INCREASING", "DML_AXIS_DIRECTION_DECREASING"


def whole(values):
    return np.asarray(values, np.int64)


def to_last(array, axes):
    """The axes, in ascending order, made one last dimension; and the way back for that dimension of any length."""
    rest = [d for d in range(array.ndim) if d not in axes]
    order = rest + sorted(axes)
    outer, inner = [array.shape[d] for d in rest], [array.shape[d] for d in sorted(axes)]
    rows = onnx_op.Reshape(onnx_op.Transpose(array, perm=order), whole(outer + [-1]))

    def back(result):
        sizes = outer + (inner if result.shape[-1] != 1 or int(np.prod(inner)) == 1 else [1] * len(axes))
        return onnx_op.Transpose(onnx_op.Reshape(result, whole(sizes)), perm=[int(i) for i in np.argsort(order)])
    return rows, back


def arg_extremes():
    results = []
    for name in ("ARGMAX", "ARGMIN"):
        op = Operator(name, f"{NAME}, {'ArgMax' if name == 'ARGMAX' else 'ArgMin'}; several axes made one by Transpose and Reshape")
        data = Data(name)
        for case, x, axes, direction, out in [
            ("rows-first-of-ties", f32([3, 2, 1, 2, 3, 1, 1, 5, 5, 0], [2, 5]), [1], UP, "UINT32"),
            ("rows-last-of-ties", f32([3, 2, 1, 2, 3, 1, 1, 5, 5, 0], [2, 5]), [1], DOWN, "UINT32"),
            ("two-axes-first", data.whole("INT32", [3, 2, 4], -2, 2), [0, 2], UP, "INT64"),
            ("two-axes-last", data.whole("INT32", [3, 2, 4], -2, 2), [0, 2], DOWN, "INT32"),
            ("all-axes", data.whole("UINT8", [1, 2, 2, 3], 0, 3), [0, 1, 2, 3], DOWN, "UINT64"),
            ("middle-axis", data.parts([2, 3, 1, 2, 2], -1, 1, 2), [1], UP, "UINT32"),
        ]:
            rows, back = to_last(x.array, axes)
            evaluate = onnx_op.ArgMax if name == "ARGMAX" else onnx_op.ArgMin
            y = back(evaluate(rows, axis=-1, keepdims=1, select_last_index=int(direction == DOWN)))
            op.case(case, {"AxisCount": len(axes), "Axes": axes, "AxisDirection": direction}, {"InputTensor": x}, {"OutputTensor": Tensor(out, y)})
        results.append(op)
    return results


def reduce():
    names = {"AVERAGE": "ReduceMean", "L1": "ReduceL1", "L2": "ReduceL2", "LOG_SUM": "ReduceLogSum", "LOG_SUM_EXP": "ReduceLogSumExp", "MAX": "ReduceMax", "MIN": "ReduceMin", "MULTIPLY": "ReduceProd", "SUM": "ReduceSum", "SUM_SQUARE": "ReduceSumSquare"}
    op = Operator("REDUCE", f"{NAME}, the operator of each function ({', '.join(names.values())}, ArgMax, ArgMin)")
    data = Data("REDUCE")
    for function, onnx_name in names.items():
        positive = function == "LOG_SUM"
        for case, sizes, axes in [("two-axes", [2, 3, 1, 2], [1, 3]), ("negative-axis", [3, 4], [1]), ("all", [2, 2, 2], [0, 1, 2])]:
            x = data.parts(sizes, 1, 4) if positive else data.parts(sizes, -3, 3)
            y = getattr(onnx_op, onnx_name)(x.wide(), whole([a - len(sizes) for a in axes] if case == "negative-axis" else axes), keepdims=1)
            op.case(f"{function.lower().replace('_', '-')}-{case}", {"Function": f"DML_REDUCE_FUNCTION_{function}", "AxisCount": len(axes), "Axes": axes}, {"InputTensor": x}, {"OutputTensor": Tensor("FLOAT32", y)})
    for function, type_name, x in [
        ("SUM", "INT32", typed("INT32", [100000, -3, 7, 65536, 1, -2147483648], [2, 3])),
        ("MULTIPLY", "UINT32", typed("UINT32", [3, 5, 7, 65535, 65537, 1], [2, 3])),
        ("MAX", "INT8", typed("INT8", [-128, -1, -5, 127, 0, 1], [2, 3])),
        ("MIN", "UINT16", typed("UINT16", [65535, 3, 7, 9, 1, 2], [2, 3])),
        ("L1", "FLOAT16", typed("FLOAT16", [-1.5, 2.0, 0.25, -0.5, -3.0, 8.0], [2, 3])),
    ]:
        y = getattr(onnx_op, names[function])(x.array.astype(np.float64 if type_name == "FLOAT16" else np.int64), whole([1]), keepdims=1)
        op.case(f"{function.lower()}-{type_name.lower()}", {"Function": f"DML_REDUCE_FUNCTION_{function}", "AxisCount": 1, "Axes": [1]}, {"InputTensor": x}, {"OutputTensor": Tensor(type_name, y)})
    x = f32([1, 7, 7, -3, 4, -3, -3, 7], [2, 4])
    for function, evaluate in [("ARGMAX", onnx_op.ArgMax), ("ARGMIN", onnx_op.ArgMin)]:
        y = evaluate(x.array, axis=1, keepdims=1)
        op.case(f"{function.lower()}-first-of-ties", {"Function": f"DML_REDUCE_FUNCTION_{function}", "AxisCount": 1, "Axes": [1]}, {"InputTensor": x}, {"OutputTensor": Tensor("UINT32", y)})
        rows, back = to_last(x.array.reshape(2, 2, 2), [0, 1])
        y = back(evaluate(rows, axis=-1, keepdims=1))
        op.case(f"{function.lower()}-two-axes", {"Function": f"DML_REDUCE_FUNCTION_{function}", "AxisCount": 2, "Axes": [0, 1]}, {"InputTensor": f32(x.array, [2, 2, 2])}, {"OutputTensor": Tensor("UINT32", y)})
    return op


def soft_and_hard():
    results = []
    for name, onnx_name in [("ACTIVATION_SOFTMAX1", "Softmax"), ("ACTIVATION_LOG_SOFTMAX1", "LogSoftmax"), ("ACTIVATION_HARDMAX1", "Hardmax")]:
        op = Operator(name, f"{NAME}, {onnx_name}; several axes made one by Transpose and Reshape")
        data = Data(name)
        wide = f32([12, 0, -61, 11, 3, 234, 0, -61], [2, 2, 2])
        for case, x, axes in [
            ("wide-axis-1", wide, [1]),
            ("wide-axis-0", wide, [0]),
            ("wide-two-axes", wide, [0, 2]),
            ("last-of-four", data.parts([2, 1, 2, 3], -3, 3), [3]),
            ("middle-axes", data.parts([2, 2, 3, 2], -2, 2), [1, 2]),
            ("ties", f32([2, 5, 5, 1, 5, -5, -5, -5, -5, -5], [2, 5]), [1]),
            ("one-dimension", data.parts([6], -4, 4), [0]),
        ]:
            rows, back = to_last(x.wide(), axes)
            y = back(getattr(onnx_op, onnx_name)(rows, axis=-1))
            op.case(case, {"AxisCount": len(axes), "Axes": axes}, {"InputTensor": x}, {"OutputTensor": Tensor("FLOAT32", y)})
        results.append(op)
    return results


def cumulative():
    results = []
    for name, onnx_name, flag in [("CUMULATIVE_SUMMATION", "CumSum", "HasExclusiveSum"), ("CUMULATIVE_PRODUCT", "CumProd", "HasExclusiveProduct")]:
        op = Operator(name, f"{NAME}, {onnx_name}")
        data = Data(name)
        for exclusive in (False, True):
            for direction in (UP, DOWN):
                for axis, x in [(3, data.parts([1, 2, 2, 4], -2, 3, 2)), (1, data.whole("FLOAT32", [2, 3, 1, 2], -3, 5))][: 2 if direction == UP else 1]:
                    y = getattr(onnx_op, onnx_name)(x.wide(), whole(axis), exclusive=int(exclusive), reverse=int(direction == DOWN))
                    case = f"axis-{axis}-{'exclusive' if exclusive else 'inclusive'}-{'up' if direction == UP else 'down'}"
                    op.case(case, {"Axis": axis, "AxisDirection": direction, flag: exclusive}, {"InputTensor": x}, {"OutputTensor": Tensor("FLOAT32", y)})
        x = data.whole("UINT16", [1, 1, 2, 4], 0, 9)
        y = getattr(onnx_op, onnx_name)(x.array.astype(np.int64), whole(-1), exclusive=0, reverse=0)
        op.case("uint16-negative-axis", {"Axis": 3, "AxisDirection": UP, flag: False}, {"InputTensor": x}, {"OutputTensor": Tensor("UINT16", y)}, "axis -1 of ONNX")
        results.append(op)
    return results


def top_k():
    largest, either = Operator("TOP_K", f"{NAME}, TopK"), Operator("TOP_K1", f"{NAME}, TopK")
    data = Data("TOP_K")
    for case, x, axis, k, index_type in [
        ("last-axis", data.distinct("FLOAT32", [1, 1, 3, 4]), 3, 2, "UINT32"),
        ("other-axis", data.distinct("FLOAT32", [1, 1, 3, 4]), 2, 2, "UINT32"),
        ("ties", f32([1, 2, 2, 3, 3, 4, 5, 5, 6, 6, 6, 6], [3, 4]), 1, 3, "UINT32"),
        ("signed", data.whole("INT8", [2, 5], -128, 127), 1, 4, "UINT64"),
        ("unsigned-rank-3", data.whole("UINT16", [2, 3, 2], 0, 65535), 0, 1, "UINT32"),
        ("infinities", f32([0.5, -np.inf, np.inf, -1.0, 2.0], [5]), 0, 3, "UINT32"),
    ]:
        for op, directions in [(largest, [DOWN]), (either, [UP, DOWN])]:
            for direction in directions:
                values, indices = onnx_op.TopK(x.wide() if x.array.dtype.kind == "f" else x.array.astype(np.int64), whole([k]), axis=axis, largest=int(direction == DOWN), sorted=1, outputs=2)
                fields = {"Axis": axis, "K": k}
                if op is either:
                    fields["AxisDirection"] = direction
                name = case if op is largest else f"{case}-{'up' if direction == UP else 'down'}"
                op.case(name, fields, {"InputTensor": x}, {"OutputValueTensor": Tensor(x.type, values), "OutputIndexTensor": Tensor(index_type, indices)})
    return [largest, either]


def nonzero_coordinates():
    op = Operator("NONZERO_COORDINATES", f"{NAME}, NonZero and Transpose")
    data = Data("NONZERO")
    page = f32([1.0, 0.0, 0.0, 2.0, -0.0, 3.5, 0.0, -5.25], [1, 1, 2, 4])
    for case, x, n in [
        ("negative-zero", page, 3),
        ("effective-rank", page, 2),
        ("all-dimensions", data.whole("INT8", [2, 1, 3, 2], 0, 1), 4),
        ("none", typed("UINT8", np.zeros([1, 1, 1, 4])), 2),
        ("every", typed("UINT32", np.ones([1, 2, 1, 2]), [1, 2, 1, 2]), 3),
    ]:
        rows = onnx_op.Transpose(onnx_op.NonZero(x.array), perm=[1, 0])[:, x.array.ndim - n:]
        count, total = len(rows), x.array.size
        table = np.zeros([1, 1, total, n], np.int64)
        table[0, 0, :count] = rows
        op.case(
            case, {}, {"InputTensor": x},
            {"OutputCountTensor": typed("UINT32", [count], [1, 1, 1, 1]), "OutputCoordinatesTensor": Tensor("UINT32", table, undefined=range(count * n, total * n))},
            "rows from the count on are undefined",
        )
    return op


def operators():
    return [*arg_extremes(), reduce(), *soft_and_hard(), *cumulative(), *top_k(), nonzero_coordinates()]
