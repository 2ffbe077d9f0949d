"""Matrix products and normalizations."""

import numpy as np

from data import Data
from judge import NAME, onnx_op
from vector_io import Operator, Tensor

PLAIN, TRANSPOSED = "DML_MATRIX_TRANSFORM_NONE", "DML_MATRIX_TRANSFORM_TRANSPOSE"


def whole(values):
    return np.asarray(values, np.int64)


def real(value):
    return np.float64(np.float32(value))


ACTIVATION = {
    "ACTIVATION_RELU": ("Relu", {}),
    "ACTIVATION_LEAKY_RELU": ("LeakyRelu", {"alpha": 0.125}),
    "ACTIVATION_SIGMOID": ("Sigmoid", {}),
    "ACTIVATION_HARD_SIGMOID": ("HardSigmoid", {"alpha": 0.25, "beta": 0.5}),
}


def fuse(fields, y, activation):
    if activation:
        name, attributes = ACTIVATION[activation]
        fields["FusedActivation"] = {"operator": activation, **{k.capitalize(): v for k, v in attributes.items()}}
        y = getattr(onnx_op, name)(y, **attributes)
    return y


def gemm():
    op = Operator("GEMM", f"{NAME}, Gemm; Transpose, MatMul, Mul and Add where there is more than one matrix")
    data = Data("GEMM")
    for name, lead, m, k, n, ta, tb, alpha, beta, with_c, activation in [
        ("plain", [1, 1], 2, 3, 4, 0, 0, 1.0, 0.0, False, None),
        ("transposed-a", [1, 1], 3, 2, 2, 1, 0, 0.5, 1.0, True, None),
        ("transposed-b", [1, 1], 2, 3, 2, 0, 1, 2.0, 0.5, True, None),
        ("transposed-both", [1, 1], 2, 3, 4, 1, 1, -1.0, 2.0, True, None),
        ("batch-and-channel", [2, 3], 2, 2, 2, 0, 1, 1.0, -1.0, True, None),
        ("two-dimensions", [], 3, 4, 2, 0, 0, 0.25, 1.0, True, None),
        ("three-dimensions-leaky-relu", [2], 2, 3, 2, 1, 0, 1.0, 1.0, True, "ACTIVATION_LEAKY_RELU"),
        ("relu-without-c", [1, 1], 3, 2, 3, 0, 0, 1.0, 3.0, False, "ACTIVATION_RELU"),
    ]:
        a = data.whole("FLOAT32", lead + ([k, m] if ta else [m, k]))
        b = data.whole("FLOAT32", lead + ([n, k] if tb else [k, n]))
        c = data.whole("FLOAT32", lead + [m, n]) if with_c else None
        if int(np.prod(lead)) == 1:
            flat = [t.wide().reshape(t.sizes[-2:]) if t else None for t in (a, b, c)]
            y = onnx_op.Gemm(*flat, transA=ta, transB=tb, alpha=alpha, beta=beta)
        else:
            order = list(range(len(lead))) + [len(lead) + 1, len(lead)]
            left = onnx_op.Transpose(a.wide(), perm=order) if ta else a.wide()
            right = onnx_op.Transpose(b.wide(), perm=order) if tb else b.wide()
            y = onnx_op.Add(onnx_op.Mul(onnx_op.MatMul(left, right), real(alpha)), onnx_op.Mul(c.wide(), real(beta)))
        fields = {"TransA": TRANSPOSED if ta else PLAIN, "TransB": TRANSPOSED if tb else PLAIN, "Alpha": alpha, "Beta": beta}
        y = fuse(fields, np.reshape(y, lead + [m, n]), activation)
        inputs = {"ATensor": a, "BTensor": b, **({"CTensor": c} if with_c else {})}
        op.case(name, fields, inputs, {"OutputTensor": Tensor("FLOAT32", y)}, None if with_c else "Beta is ignored without C")
    return op


def quantized_matrix_multiply():
    op = Operator("QUANTIZED_LINEAR_MATRIX_MULTIPLY", f"{NAME}, QLinearMatMul; no result lies half way, where its rounding differs from the page's order")
    data = Data("QLINEAR")
    ranges = {"UINT8": (0, 255), "INT8": (-128, 127)}
    for name, lead, m, k, n, ta, tb, ty, per_row, zero_points in [
        ("unsigned", [1, 1], 2, 3, 2, "UINT8", "UINT8", "UINT8", False, True),
        ("signed", [1, 1], 2, 4, 3, "INT8", "INT8", "INT8", False, True),
        ("mixed", [1, 2], 2, 2, 3, "UINT8", "INT8", "UINT8", False, True),
        ("per-row-and-column", [1, 1], 3, 2, 2, "UINT8", "INT8", "INT8", True, True),
        ("batch", [2, 1], 2, 3, 2, "INT8", "UINT8", "UINT8", False, True),
        ("without-zero-points", [1, 1], 2, 3, 3, "UINT8", "INT8", "INT8", False, False),
        ("saturates", [1, 1], 2, 3, 4, "INT8", "INT8", "INT8", False, True),
    ]:
        a, b = data.whole(ta, lead + [m, k], *ranges[ta]), data.whole(tb, lead + [k, n], *ranges[tb])
        sizes = [[1, 1, m, 1], [1, 1, 1, n], [1, 1, m, 1]] if per_row else [[1, 1, 1, 1]] * 3
        scale_y = 0.5 if name == "saturates" else 64.0 if per_row else 128.0
        scales = [Tensor("FLOAT32", 2.0 ** data.random.integers(-2, 1, s)) for s in sizes[:2]] + [Tensor("FLOAT32", scale_y * 2.0 ** data.random.integers(0, 2, sizes[2]))]
        scales[2].array[...] *= np.float32(1.25)
        zeros = [data.whole(t, s, *((100, 140) if t == "UINT8" else (-20, 20))) if zero_points else None for t, s in zip((ta, tb, ty), sizes)]
        plain = [z.array if z else np.zeros([1, 1, 1, 1], {"UINT8": np.uint8, "INT8": np.int8}[t]) for z, t in zip(zeros, (ta, tb, ty))]
        y = onnx_op.QLinearMatMul(a.array, scales[0].wide(), plain[0], b.array, scales[1].wide(), plain[1], scales[2].wide(), plain[2])
        whole_numbers = np.matmul(a.array.astype(np.int64) - plain[0], b.array.astype(np.int64) - plain[1])
        ratio = whole_numbers * scales[0].wide() * scales[1].wide() / scales[2].wide()
        assert not np.any(ratio % 1 == 0.5), f"{name}: half way"
        inputs = {"ATensor": a, "AScaleTensor": scales[0], "AZeroPointTensor": zeros[0], "BTensor": b, "BScaleTensor": scales[1], "BZeroPointTensor": zeros[1], "OutputScaleTensor": scales[2], "OutputZeroPointTensor": zeros[2]}
        op.case(name, {}, {k: v for k, v in inputs.items() if v is not None}, {"OutputTensor": Tensor(ty, y)})
    return op


def mean_variance_normalization():
    op = Operator("MEAN_VARIANCE_NORMALIZATION1", f"{NAME}, LayerNormalization or InstanceNormalization where the axes allow it, else ReduceMean, Sub, Mul, Add, Sqrt and Div")
    data = Data("MVN")

    def composed(x, axes, epsilon, variance):
        centred = onnx_op.Sub(x, onnx_op.ReduceMean(x, whole(axes), keepdims=1))
        if not variance:
            return centred
        spread = onnx_op.ReduceMean(onnx_op.Mul(centred, centred), whole(axes), keepdims=1)
        return onnx_op.Div(centred, onnx_op.Sqrt(onnx_op.Add(spread, real(epsilon))))

    for name, sizes, axes, epsilon, variance, scale_sizes, activation, way in [
        ("per-channel", [2, 2, 2, 3], [0, 2, 3], 0.125, True, None, None, "composed"),
        ("cross-channel", [2, 2, 1, 3], [1, 2, 3], 0.0625, True, [2, 1, 1], None, "layer"),
        ("instance", [2, 2, 2, 2], [2, 3], 0.001, True, [1, 2, 1, 1], None, "instance"),
        ("last-axis-rank-2", [3, 4], [1], 0.25, True, [1, 4], None, "layer"),
        ("without-variance", [1, 2, 2, 3], [2, 3], 0.5, False, None, None, "composed"),
        ("without-variance-scale-relu", [2, 1, 2, 2], [0, 3], 0.5, False, [1, 1, 2, 2], "ACTIVATION_RELU", "composed"),
        ("scale-broadcast-leaky-relu", [2, 3, 2], [0, 2], 0.125, True, [2, 1, 1], "ACTIVATION_LEAKY_RELU", "composed"),
        ("epsilon-matters", [1, 1, 1, 4], [3], 1.0, True, None, None, "layer"),
    ]:
        x = data.parts(sizes, -3, 3)
        if name == "cross-channel":
            scale_sizes = [1, 2, 1, 3]
        scale = data.parts(scale_sizes, 1, 3, 4) if scale_sizes else None
        bias = data.parts(scale_sizes, -2, 2, 4) if scale_sizes else None
        first = min(axes)
        if way == "layer":
            ones = np.ones(sizes[first:])
            s = np.broadcast_to(scale.wide(), [1] * first + sizes[first:]).reshape(sizes[first:]) if scale else ones
            b = np.broadcast_to(bias.wide(), [1] * first + sizes[first:]).reshape(sizes[first:]) if bias else ones * 0
            y = onnx_op.LayerNormalization(x.wide(), s, b, axis=first, epsilon=epsilon)
        elif way == "instance":
            y = onnx_op.InstanceNormalization(x.wide(), scale.wide().reshape(-1), bias.wide().reshape(-1), epsilon=epsilon)
        else:
            y = composed(x.wide(), axes, epsilon, variance)
            if scale:
                y = onnx_op.Add(onnx_op.Mul(y, scale.wide()), bias.wide())
        fields = {"AxisCount": len(axes), "Axes": axes, "NormalizeVariance": variance, "Epsilon": epsilon}
        y = fuse(fields, y, activation)
        inputs = {"InputTensor": x, **({"ScaleTensor": scale, "BiasTensor": bias} if scale else {})}
        op.case(name, fields, inputs, {"OutputTensor": Tensor("FLOAT32", y)}, f"{way[0].upper() + way[1:]}Normalization" if way != "composed" else None)
    return op


def batch_normalization():
    op = Operator("BATCH_NORMALIZATION", f"{NAME}, BatchNormalization; Sub, Add, Sqrt, Div and Mul where the statistics are not one for each channel")
    data = Data("BATCH")
    for name, sizes, mean_sizes, scale_sizes, spatial, epsilon, activation in [
        ("per-channel", [2, 3, 2, 2], [1, 3, 1, 1], [1, 3, 1, 1], True, 0.125, None),
        ("rank-2", [4, 3], [1, 3], [1, 3], True, 0.5, None),
        ("fused-relu", [1, 2, 2, 3], [1, 2, 1, 1], [1, 2, 1, 1], True, 0.0, "ACTIVATION_RELU"),
        ("not-spatial", [2, 2, 2, 2], [1, 2, 2, 2], [1, 2, 2, 2], False, 0.25, None),
        ("mixed-broadcast", [2, 2, 1, 3], [1, 1, 1, 3], [2, 1, 1, 1], True, 0.125, None),
        ("rank-5-sigmoid", [1, 2, 1, 2, 2], [1, 2, 1, 1, 1], [1, 2, 1, 1, 1], True, 0.25, "ACTIVATION_SIGMOID"),
    ]:
        x = data.parts(sizes, -3, 3)
        mean, variance = data.parts(mean_sizes, -1, 1), data.parts(mean_sizes, 1, 4)
        scale, bias = data.parts(scale_sizes, -2, 2), data.parts(scale_sizes, -2, 2)
        flat = [t.wide().reshape(-1) for t in (scale, bias, mean, variance)]
        if mean_sizes == scale_sizes == [1, sizes[1]] + [1] * (len(sizes) - 2):
            y = onnx_op.BatchNormalization(x.wide(), *flat, epsilon=epsilon)
        else:
            y = onnx_op.Div(onnx_op.Sub(x.wide(), mean.wide()), onnx_op.Sqrt(onnx_op.Add(variance.wide(), real(epsilon))))
            y = onnx_op.Add(onnx_op.Mul(y, scale.wide()), bias.wide())
        fields = {"Spatial": spatial, "Epsilon": epsilon}
        y = fuse(fields, y, activation)
        op.case(name, fields, {"InputTensor": x, "MeanTensor": mean, "VarianceTensor": variance, "ScaleTensor": scale, "BiasTensor": bias}, {"OutputTensor": Tensor("FLOAT32", y)})
    return op


def operators():
    return [gemm(), quantized_matrix_multiply(), mean_variance_normalization(), batch_normalization()]
