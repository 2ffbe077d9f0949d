"""Operators with a sliding window."""

import numpy as np

from data import Data
from judge import NAME, NUMPY, onnx_op
from vector_io import Operator, Tensor

FORWARD, BACKWARD = "DML_CONVOLUTION_DIRECTION_FORWARD", "DML_CONVOLUTION_DIRECTION_BACKWARD"
CROSS, MIRRORED = "DML_CONVOLUTION_MODE_CROSS_CORRELATION", "DML_CONVOLUTION_MODE_CONVOLUTION"


def whole(values):
    return np.asarray(values, np.int64)


def convolution():
    op = Operator(
        "CONVOLUTION",
        f"{NAME}, Conv and ConvTranspose (one for each group: its own groups are wrong), the filter reversed by Slice for mode CONVOLUTION, LeakyRelu and Relu for the fused activation",
    )
    data = Data("CONVOLUTION")

    def case(name, sizes, filters, strides, dilations, start, end, mode=CROSS, direction=FORWARD, output_padding=None, groups=1, bias=False, activation=None, note=None):
        spatial = len(sizes) - 2
        x, w = data.whole("FLOAT32", sizes, -5, 5), data.whole("FLOAT32", filters, -3, 3)
        output_padding = output_padding or [0] * spatial
        channels = filters[0] if direction == FORWARD else filters[1] * groups
        b = data.parts([1, channels] + [1] * spatial, -4, 4, 2) if bias else None
        taps = w.wide()
        if mode == MIRRORED:
            axes = range(2, 2 + spatial)
            taps = onnx_op.Slice(taps, whole([-1] * spatial), whole([-99] * spatial), whole(axes), whole([-1] * spatial))
        keywords = {"strides": strides, "dilations": dilations, "pads": start + end}
        flat = b.wide().reshape(-1) if bias else None
        if direction == FORWARD:
            y = onnx_op.Conv(x.wide(), taps, flat, group=groups, **keywords)
        else:
            parts = zip(np.split(x.wide(), groups, 1), np.split(taps, groups, 0), np.split(flat, groups) if bias else [None] * groups)
            y = onnx_op.Concat(*[onnx_op.ConvTranspose(*p, output_padding=output_padding, **keywords) for p in parts], axis=1)
        fields = {
            "Mode": mode, "Direction": direction, "DimensionCount": spatial, "Strides": strides, "Dilations": dilations,
            "StartPadding": start, "EndPadding": end, "OutputPadding": output_padding, "GroupCount": groups,
        }
        if activation == "ACTIVATION_LEAKY_RELU":
            fields["FusedActivation"] = {"operator": activation, "Alpha": 0.25}
            y = onnx_op.LeakyRelu(y, alpha=0.25)
        elif activation:
            fields["FusedActivation"] = {"operator": activation}
            y = onnx_op.Relu(y)
        inputs = {"InputTensor": x, "FilterTensor": w}
        if bias:
            inputs["BiasTensor"] = b
        op.case(name, fields, inputs, {"OutputTensor": Tensor("FLOAT32", y)}, note)

    case("padding-strides-dilations", [1, 2, 4, 5], [2, 2, 2, 3], [2, 1], [1, 2], [1, 2], [0, 1])
    case("bias-and-batch", [2, 1, 3, 3], [2, 1, 2, 2], [1, 1], [1, 1], [0, 0], [0, 0], bias=True)
    case("groups", [1, 4, 3, 3], [4, 2, 2, 2], [1, 1], [1, 1], [0, 1], [1, 0], groups=2, bias=True)
    case("depthwise-two-each", [1, 2, 3, 4], [4, 1, 3, 2], [1, 2], [1, 1], [1, 0], [1, 1], groups=2)
    case("mirrored", [1, 1, 4, 4], [1, 1, 3, 2], [1, 1], [1, 1], [1, 0], [0, 1], mode=MIRRORED)
    case("three-dimensions", [1, 2, 7], [2, 2, 3], [2], [2], [1], [2], bias=True, note="3-D tensors from level 4.0 on")
    case("five-dimensions", [1, 1, 3, 2, 3], [2, 1, 2, 1, 2], [1, 1, 2], [1, 1, 1], [0, 0, 1], [1, 0, 0])
    case("fused-leaky-relu", [1, 2, 3, 3], [2, 2, 2, 2], [1, 1], [1, 1], [0, 0], [0, 0], bias=True, activation="ACTIVATION_LEAKY_RELU")
    case("fused-relu-mirrored", [1, 1, 3, 4], [2, 1, 2, 2], [1, 2], [1, 1], [0, 0], [0, 0], mode=MIRRORED, activation="ACTIVATION_RELU")
    case("backward", [1, 2, 2, 3], [2, 2, 2, 2], [2, 1], [1, 1], [0, 1], [1, 0], direction=BACKWARD, bias=True)
    case("backward-dilated", [1, 1, 3, 2], [1, 2, 2, 3], [1, 2], [2, 1], [1, 0], [0, 1], direction=BACKWARD)
    case("backward-groups", [1, 4, 2, 2], [4, 2, 2, 2], [2, 2], [1, 1], [0, 0], [0, 0], direction=BACKWARD, groups=2, bias=True)
    case("backward-output-padding", [1, 1, 2, 2], [1, 1, 2, 2], [3, 2], [1, 1], [0, 0], [0, 0], direction=BACKWARD, output_padding=[1, 1], note="no term reaches the added row and column: zeros by the page and by ONNX")
    case("backward-output-padding-over-end-padding", [1, 1, 2, 3], [1, 1, 3, 3], [2, 2], [1, 1], [1, 1], [1, 1], direction=BACKWARD, output_padding=[1, 1], note="ONNX's reading: padding that was cut off at the end comes back with its terms; the page says that zeros are added")
    case("backward-mirrored", [1, 1, 3, 2], [1, 2, 2, 3], [1, 1], [1, 1], [0, 1], [1, 0], mode=MIRRORED, direction=BACKWARD)
    return op


def pooling():
    average, largest = Operator("AVERAGE_POOLING1", f"{NAME}, AveragePool"), Operator("MAX_POOLING2", f"{NAME}, MaxPool")
    data = Data("POOLING")
    for name, type_name, sizes, window, strides, dilations, start, end in [
        ("plain", "FLOAT32", [1, 2, 4, 3], [2, 2], [1, 1], [1, 1], [0, 0], [0, 0]),
        ("strides-padding", "FLOAT32", [1, 1, 5, 4], [3, 2], [2, 3], [1, 1], [1, 0], [1, 1]),
        ("dilations", "FLOAT32", [1, 1, 5, 6], [2, 3], [1, 1], [3, 2], [0, 0], [0, 0]),
        ("dilations-padding-strides", "FLOAT32", [2, 1, 4, 4], [2, 2], [2, 1], [2, 3], [1, 1], [0, 1]),
        ("five-dimensions", "FLOAT32", [1, 1, 3, 3, 4], [2, 1, 2], [1, 2, 2], [1, 1, 2], [1, 0, 0], [0, 0, 1]),
        ("rest-ignored", "FLOAT32", [1, 1, 1, 7], [1, 2], [1, 3], [1, 1], [0, 0], [0, 0]),
    ]:
        fields = {"DimensionCount": len(window), "Strides": strides, "WindowSize": window, "StartPadding": start, "EndPadding": end, "Dilations": dilations}
        keywords = {"kernel_shape": window, "strides": strides, "dilations": dilations, "pads": start + end}
        x = data.whole(type_name, sizes, -8, 8)
        for include in (True, False) if any(start + end) else (False,):
            y = onnx_op.AveragePool(x.wide(), count_include_pad=int(include), **keywords)
            average.case(f"{name}-{'with' if include else 'without'}-padding" if any(start + end) else name, {**fields, "IncludePadding": include}, {"InputTensor": x}, {"OutputTensor": Tensor("FLOAT32", y)})
        x = data.whole(type_name, sizes, -4, 1)
        y, i = onnx_op.MaxPool(x.wide(), outputs=2, **keywords)
        outputs = {"OutputTensor": Tensor(type_name, y)}
        if name != "plain":
            outputs["OutputIndicesTensor"] = Tensor("UINT32", i)
        largest.case(name, fields, {"InputTensor": x}, outputs, "ties: the first in the window; without indices" if name == "plain" else "ties: the first in the window")
    x = data.whole("INT8", [1, 2, 3, 3], -128, -100)
    y, i = onnx_op.MaxPool(x.array, outputs=2, kernel_shape=[2, 2], strides=[2, 2], pads=[1, 1, 0, 0])
    fields = {"DimensionCount": 2, "Strides": [2, 2], "WindowSize": [2, 2], "StartPadding": [1, 1], "EndPadding": [0, 0], "Dilations": [1, 1]}
    largest.case("int8-below-zero", fields, {"InputTensor": x}, {"OutputTensor": Tensor("INT8", y), "OutputIndicesTensor": Tensor("UINT32", i)}, "padding is never the largest element")
    return [average, largest]


def fold_unfold():
    fold, unfold = Operator("FOLD", f"{NAME}, Col2Im"), Operator("UNFOLD", f"{NAME}, Conv with one filter for each place of the window, and Reshape")
    data = Data("FOLD")
    for name, sizes, window, strides, dilations, start, end in [
        ("plain", [1, 1, 4, 4], [3, 3], [1, 1], [1, 1], [0, 0], [0, 0]),
        ("padding", [1, 2, 3, 3], [2, 2], [1, 1], [1, 1], [1, 0], [1, 0]),
        ("asymmetric", [1, 1, 4, 5], [2, 2], [2, 1], [1, 2], [0, 1], [1, 0]),
        ("batch-strides-leave-gaps", [2, 1, 5, 3], [2, 1], [3, 2], [1, 1], [0, 0], [0, 0]),
        ("one-dimension", [1, 2, 6], [3], [2], [2], [1], [1]),
        ("three-dimensions", [1, 1, 3, 2, 3], [2, 1, 2], [1, 1, 1], [1, 1, 1], [0, 0, 0], [0, 0, 0]),
    ]:
        fields = {"DimensionCount": len(window), "WindowSizes": window, "Strides": strides, "Dilations": dilations, "StartPadding": start, "EndPadding": end}
        x = data.whole("FLOAT32", sizes, -9, 9)
        places = int(np.prod(window))
        filters = np.tile(np.eye(places).reshape([places, 1] + window), [sizes[1]] + [1] * (len(sizes) - 1))
        y = onnx_op.Conv(x.wide(), filters, group=sizes[1], strides=strides, dilations=dilations, pads=start + end)
        y = onnx_op.Reshape(y, whole([sizes[0], sizes[1] * places, -1]))
        unfold.case(name, fields, {"InputTensor": x}, {"OutputTensor": Tensor("FLOAT32", y)})
        columns = data.whole("FLOAT32", list(y.shape), -9, 9)
        back = onnx_op.Col2Im(columns.wide(), whole(sizes[2:]), whole(window), strides=strides, dilations=dilations, pads=start + end)
        fold.case(name, fields, {"InputTensor": columns}, {"OutputTensor": Tensor("FLOAT32", back)})
    return [fold, unfold]


def local_response_normalization():
    op = Operator("LOCAL_RESPONSE_NORMALIZATION", f"{NAME}, LRN (with as many channels as batches: it mixes the two up); {NUMPY} from the page for CrossChannel false")
    data = Data("LRN")
    for name, sizes, size, alpha, beta, bias in [
        ("three-channels", [3, 3, 1, 2], 3, 0.5, 0.75, 1.0),
        ("wide", [4, 4, 1, 1], 5, 0.25, 0.5, 2.0),
        ("wider-than-channels", [2, 2, 2, 2], 7, 1.0, 1.0, 0.5),
        ("one-channel", [2, 2, 1, 3], 1, 0.125, 0.75, 1.0),
    ]:
        x = data.parts(sizes, -3, 3)
        y = onnx_op.LRN(x.wide(), alpha=alpha, beta=beta, bias=bias, size=size)
        fields = {"CrossChannel": True, "LocalSize": size, "Alpha": alpha, "Beta": beta, "Bias": bias}
        op.case(name, fields, {"InputTensor": x}, {"OutputTensor": Tensor("FLOAT32", y)}, "an odd size: where an even one is centred is open")
    x = data.parts([1, 2, 2, 3], -3, 3)
    fields = {"CrossChannel": False, "LocalSize": 1, "Alpha": 0.5, "Beta": 0.75, "Bias": 1.0}
    op.case("within-channel-one", fields, {"InputTensor": x}, {"OutputTensor": Tensor("FLOAT32", x.wide() / (1.0 + 0.5 * x.wide() ** 2) ** 0.75)}, "one element: the same in every reading")
    x = data.parts([1, 2, 3, 3], -3, 3)
    squares = np.pad(x.wide() ** 2, [(0, 0), (0, 0), (1, 1), (1, 1)])
    total = sum(squares[:, :, i:i + 3, j:j + 3] for i in range(3) for j in range(3))
    fields = {"CrossChannel": False, "LocalSize": 3, "Alpha": 0.75, "Beta": 0.5, "Bias": 1.0}
    op.case("within-channel", fields, {"InputTensor": x}, {"OutputTensor": Tensor("FLOAT32", x.wide() / (1.0 + 0.75 / 3 * total) ** 0.5)}, "the page read literally: LocalSize by LocalSize elements, and a divisor of LocalSize, not its square")
    return op


def operators():
    return [convolution(), *pooling(), *fold_unfold(), local_response_normalization()]
