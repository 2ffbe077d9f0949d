"""Operators that work on each element alone."""

import math

import numpy as np

from data import Data
from judge import NAME, NUMPY, onnx_op
from vector_io import Operator, Tensor, f32, typed

INF, NAN = math.inf, math.nan


def unary(name, onnx_name, inputs, with_scale_bias=True, fields=None, judge=None):
    """One case for each input; the last one has a scale and a bias where the operator takes them."""
    op = Operator(name, judge or f"{NAME}, {onnx_name}")
    attributes = {k.lower(): v for k, v in (fields or {}).items()}
    for case, x in inputs.items():
        op.case(case, dict(fields or {}), {"InputTensor": x}, {"OutputTensor": Tensor(x.type, getattr(onnx_op, onnx_name)(x.wide(), **attributes))})
    if with_scale_bias:
        x = f32([-1.5, -0.5, 0.0, 0.25, 1.0, 2.0], [2, 3])
        moved = onnx_op.Add(onnx_op.Mul(x.wide(), np.float64(0.5)), np.float64(1.25))
        op.case("scale-bias", {"ScaleBias": {"Scale": 0.5, "Bias": 1.25}, **(fields or {})}, {"InputTensor": x}, {"OutputTensor": Tensor("FLOAT32", getattr(onnx_op, onnx_name)(moved))}, "Mul and Add come first")
    return op


def erf():
    return unary("ELEMENT_WISE_ERF", "Erf", {
        "both-signs": f32([-3.0, -1.5, -0.5, -0.125, 0.0, 0.125, 0.75, 2.0], [1, 1, 2, 4]),
        "tails": f32([-INF, -6.0, 6.0, INF, 0.001], [5]),
        "rank-5": Data("ERF").parts([2, 1, 3, 1, 2], -2, 2),
    })


def log():
    return unary("ELEMENT_WISE_LOG", "Log", {
        "positive": f32([0.125, 0.5, 1.0, 2.0, 10.0, 1000.0], [2, 3]),
        "zero-and-infinity": f32([0.0, INF, 1.0], [3]),
        "rank-4": Data("LOG").parts([2, 1, 2, 3], 1, 9),
    })


def exp():
    return unary("ELEMENT_WISE_EXP", "Exp", {
        "both-signs": f32([-4.0, -0.5, 0.0, 0.25, 1.0, 5.0], [2, 3]),
        "ends": f32([-INF, INF, -200.0, 200.0], [4]),
        "rank-3": Data("EXP").parts([2, 3, 2], -3, 3),
    })


def power():
    op = Operator("ELEMENT_WISE_POW", f"{NAME}, Pow")
    note = "an exponent of another type is allowed from level 3.0 on"
    for name, x, e, extra in [
        ("floats", f32([0.5, 2.0, 3.0, 4.0, 10.0, 1.5], [2, 3]), f32([2.0, 10.0, -1.0, 0.5, 3.0, 0.0], [2, 3]), None),
        ("negative-bases", f32([-2.0, -2.0, -3.0, -0.5, -2.0, -1.0], [6]), f32([2.0, 3.0, -1.0, 4.0, 0.5, 1e6], [6]), "NaN for the exponent that is not whole"),
        ("special", f32([0.0, 0.0, INF, INF, 2.0, 1.0], [1, 1, 1, 6]), f32([0.0, -1.0, -1.0, 2.0, -INF, INF], [1, 1, 1, 6]), "the page does not speak of these; IEEE 754's pow"),
        ("integers", typed("INT32", [2, -3, 7, -1, 0, 5], [2, 3]), typed("INT32", [10, 3, 0, 9, 4, 6], [2, 3]), "exact by the page"),
        ("mixed-types", f32([2.0, -3.0, 0.5], [3]), typed("UINT8", [3, 2, 5], [3]), note),
    ]:
        op.case(name, {}, {"InputTensor": x, "ExponentTensor": e}, {"OutputTensor": Tensor(x.type, onnx_op.Pow(x.wide(), e.wide()))}, extra)
    x, e = f32([1.0, 2.0, 3.0], [1, 3]), f32([2.0, 2.0, 3.0], [1, 3])
    moved = onnx_op.Add(onnx_op.Mul(x.wide(), np.float64(-2.0)), np.float64(1.0))
    op.case("scale-bias", {"ScaleBias": {"Scale": -2.0, "Bias": 1.0}}, {"InputTensor": x, "ExponentTensor": e}, {"OutputTensor": Tensor("FLOAT32", onnx_op.Pow(moved, e.wide()))}, "Mul and Add come first; the exponent is not moved")
    return op


def rounding():
    op = Operator("ELEMENT_WISE_ROUND", f"{NAME}, Round; Ceil, Floor, Abs and Sign for the other modes")
    x = f32([-2.5, -1.5, -1.25, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 8388609.0, -INF], [1, 1, 2, 7])
    v = x.wide()
    even = onnx_op.Round(v)
    zero = onnx_op.Where(onnx_op.Less(v, np.float64(0)), onnx_op.Ceil(v), onnx_op.Floor(v))
    whole = onnx_op.Equal(v, onnx_op.Floor(v))
    away = onnx_op.Where(whole, v, onnx_op.Mul(onnx_op.Sign(v), onnx_op.Floor(onnx_op.Add(onnx_op.Abs(v), np.float64(0.5)))))
    for mode, y in [("HALVES_TO_NEAREST_EVEN", even), ("TOWARD_ZERO", zero), ("TOWARD_INFINITY", away)]:
        op.case(mode.lower().replace("_", "-"), {"RoundingMode": f"DML_ROUNDING_MODE_{mode}"}, {"InputTensor": x}, {"OutputTensor": Tensor("FLOAT32", y)}, "the sign of a zero is not promised")
    return op


def is_nan():
    op = Operator("ELEMENT_WISE_IS_NAN", f"{NAME}, IsNaN")
    for name, out_type, x in [
        ("float32", "UINT8", f32([NAN, 0.0, -0.0, INF, -INF, 1.0, -NAN, 3.5], [2, 4])),
        ("float16", "UINT32", typed("FLOAT16", [NAN, 65504.0, INF, -1.0], [4])),
        ("rank-5", "UINT32", f32([1.0, NAN, NAN, 0.0], [1, 2, 1, 2, 1])),
    ]:
        op.case(name, {}, {"InputTensor": x}, {"OutputTensor": Tensor(out_type, onnx_op.IsNaN(x.array))})
    return op


def is_infinity():
    op = Operator("ELEMENT_WISE_IS_INFINITY", f"{NAME}, IsInf")
    x = f32([INF, -INF, NAN, 0.0, 3.4028234663852886e38, -1.0], [2, 3])
    for mode, positive, negative in [("EITHER", 1, 1), ("POSITIVE", 1, 0), ("NEGATIVE", 0, 1)]:
        y = onnx_op.IsInf(x.array, detect_positive=positive, detect_negative=negative)
        op.case(mode.lower(), {"InfinityMode": f"DML_IS_INFINITY_MODE_{mode}"}, {"InputTensor": x}, {"OutputTensor": Tensor("UINT8", y)})
    return op


def choose():
    op = Operator("ELEMENT_WISE_IF", f"{NAME}, Where")
    data = Data("IF")
    for name, sizes, type_name in [("float32", [2, 3, 2], "FLOAT32"), ("int32", [7], "INT32"), ("float16", [1, 2, 2, 1, 2], "FLOAT16")]:
        condition = data.whole("UINT8", sizes, 0, 1)
        condition = Tensor("UINT8", condition.array * np.array([1, 255, 2])[np.arange(condition.array.size) % 3].reshape(sizes))
        a, b = data.whole(type_name, sizes), data.whole(type_name, sizes)
        y = onnx_op.Where(condition.array != 0, a.array, b.array)
        op.case(name, {}, {"ConditionTensor": condition, "ATensor": a, "BTensor": b}, {"OutputTensor": Tensor(type_name, y)}, "any number but zero selects from A")
    a, b = f32([NAN, INF], [2]), f32([1.0, NAN], [2])
    op.case("copies-nan", {}, {"ConditionTensor": typed("UINT8", [1, 0]), "ATensor": a, "BTensor": b}, {"OutputTensor": Tensor("FLOAT32", onnx_op.Where(np.array([True, False]), a.array, b.array))})
    return op


def quantize_linear():
    op = Operator("ELEMENT_WISE_QUANTIZE_LINEAR", f"{NAME}, QuantizeLinear; a scale for each element by Reshape to a column of blocks")
    x = f32([-1.0, -0.5, 0.0, 0.25, 0.5, 0.75, 1.25, 30.0, 200.0, -300.0], [2, 5])
    for name, scale, out_type, zero, note in [
        ("uint8", 0.5, "UINT8", 128, None),
        ("int8", 0.25, "INT8", -3, None),
        ("no-offset", 2.0, "UINT8", 0, None),
        ("halves", 1.0, "INT8", 1, "halves go to the even number before the zero point is added: ONNX says so, the page says `round`"),
    ]:
        y = onnx_op.QuantizeLinear(x.array, np.float32(scale), np.array(zero, {"UINT8": np.uint8, "INT8": np.int8}[out_type]))
        full = np.full([2, 5], scale)
        op.case(name, {}, {"InputTensor": x, "ScaleTensor": Tensor("FLOAT32", full), "ZeroPointTensor": Tensor(out_type, np.full([2, 5], zero))}, {"OutputTensor": Tensor(out_type, y)}, note)
    each_x = f32([1.0, 1.0, 3.0, -7.0, 100.0, 0.75], [6])
    scale = f32([0.25, 2.0, 0.5, 1.0, 0.25, 0.125], [6])
    zero = typed("UINT8", [0, 1, 2, 100, 5, 6], [6])
    y = onnx_op.QuantizeLinear(each_x.array, scale.array, zero.array, axis=0)
    op.case("each-element", {}, {"InputTensor": each_x, "ScaleTensor": scale, "ZeroPointTensor": zero}, {"OutputTensor": Tensor("UINT8", y)}, "axis 0 of ONNX: a scale for each element")
    op.case("without-zero-point", {}, {"InputTensor": each_x, "ScaleTensor": scale}, {"OutputTensor": Tensor("UINT8", onnx_op.QuantizeLinear(each_x.array, scale.array, axis=0))}, "optional by the table of level 6.2")
    return op


def dequantize_linear():
    op = Operator("ELEMENT_WISE_DEQUANTIZE_LINEAR", f"{NAME}, DequantizeLinear")
    for name, type_name, values, scale, zero in [
        ("uint8", "UINT8", [0, 1, 127, 128, 200, 255], [0.5, 2.0, 0.25, 1.0, 0.125, 4.0], [128, 0, 127, 255, 3, 1]),
        ("int8", "INT8", [-128, -1, 0, 5, 100, 127], [0.5, 2.0, 0.25, 1.0, 0.125, 4.0], [0, -128, 127, 5, -3, 1]),
        ("int32", "INT32", [-100000, -1, 0, 5, 65536, 7], [0.5, 2.0, 0.25, 1.0, 0.125, 4.0], [0, 0, 0, 0, 0, 0]),
    ]:
        x, s, z = typed(type_name, values), f32(scale), typed(type_name, zero)
        y = onnx_op.DequantizeLinear(x.array, s.array, z.array, axis=0)
        op.case(name, {}, {"InputTensor": x, "ScaleTensor": s, "ZeroPointTensor": z}, {"OutputTensor": Tensor("FLOAT32", y)})
    return op


def clip():
    op = Operator("ELEMENT_WISE_CLIP", f"{NAME}, Clip")
    x = f32([-5.0, -1.0, -0.5, 0.0, 0.75, 2.0, INF, -INF], [2, 4])
    for name, low, high in [("both", -0.75, 1.5), ("one-sided", 0.0, INF)]:
        op.case(name, {"Min": low, "Max": high}, {"InputTensor": x}, {"OutputTensor": Tensor("FLOAT32", onnx_op.Clip(x.wide(), np.float64(low), np.float64(high)))})
    y = onnx_op.Clip(onnx_op.Add(onnx_op.Mul(x.wide(), np.float64(-2.0)), np.float64(0.5)), np.float64(-1.0), np.float64(3.0))
    op.case("scale-bias", {"ScaleBias": {"Scale": -2.0, "Bias": 0.5}, "Min": -1.0, "Max": 3.0}, {"InputTensor": x}, {"OutputTensor": Tensor("FLOAT32", y)}, "the limits are not scaled")
    return op


def sign():
    op = Operator("ELEMENT_WISE_SIGN", f"{NAME}, Sign")
    for name, x in [("float32", f32([-INF, -2.5, -0.0, 0.0, 1e-30, 7.0], [2, 3])), ("int8", typed("INT8", [-128, -1, 0, 1, 127], [5])), ("float16", typed("FLOAT16", [-65504.0, 0.5, 0.0], [1, 3, 1, 1]))]:
        op.case(name, {}, {"InputTensor": x}, {"OutputTensor": Tensor(x.type, onnx_op.Sign(x.wide()))})
    return op


def atan_yx():
    op = Operator("ELEMENT_WISE_ATAN_YX", f"{NUMPY}, arctan2 (ONNX has no such operator)")
    y = f32([0.0, 1.0, 1.0, -1.0, -1.0, 2.0, -3.0, 0.0], [2, 4])
    x = f32([1.0, 0.0, 1.0, 1.0, -1.0, -0.5, 0.0, -1.0], [2, 4])
    op.case("quadrants", {}, {"ATensor": y, "BTensor": x}, {"OutputTensor": Tensor("FLOAT32", np.arctan2(y.wide(), x.wide()))}, "the origin is undefined and left out")
    data = Data("ATAN_YX")
    y, x = data.parts([3, 1, 2], 1, 4), data.parts([3, 1, 2], -4, -1)
    op.case("left-half", {}, {"ATensor": y, "BTensor": x}, {"OutputTensor": Tensor("FLOAT32", np.arctan2(y.wide(), x.wide()))})
    x = Tensor("FLOAT32", -x.array)
    op.case("right-half", {}, {"ATensor": y, "BTensor": x}, {"OutputTensor": Tensor("FLOAT32", np.arctan2(y.wide(), x.wide()))})
    return op


def modulus(name, fmod):
    op = Operator(name, f"{NAME}, Mod with fmod {fmod}" + ("" if fmod else "; NumPy's mod for floats, which ONNX's Mod takes with fmod 1 only"))
    a, b = typed("INT32", [7, -7, 7, -7, 6, -6, 0, 5], [2, 4]), typed("INT32", [3, 3, -3, -3, 3, 3, 5, 9], [2, 4])
    op.case("signs", {}, {"ATensor": a, "BTensor": b}, {"OutputTensor": Tensor("INT32", onnx_op.Mod(a.array, b.array, fmod=fmod))})
    a, b = typed("UINT8", [200, 255, 7], [3]), typed("UINT8", [7, 16, 255], [3])
    op.case("unsigned", {}, {"ATensor": a, "BTensor": b}, {"OutputTensor": Tensor("UINT8", onnx_op.Mod(a.array, b.array, fmod=fmod))})
    a, b = f32([5.5, -5.5, 5.5, -5.5, 0.75, -0.125], [1, 1, 2, 3]), f32([2.0, 2.0, -2.0, -2.0, 0.5, 1.0], [1, 1, 2, 3])
    y = onnx_op.Mod(a.wide(), b.wide(), fmod=1) if fmod else np.mod(a.wide(), b.wide())
    op.case("floats", {}, {"ATensor": a, "BTensor": b}, {"OutputTensor": Tensor("FLOAT32", y)})
    return op


def bits():
    data = Data("BITS")
    cases = [("uint8", "UINT8", [2, 3], 255), ("uint16", "UINT16", [5], 65535), ("uint32", "UINT32", [1, 2, 1, 3], 4294967295)]
    invert = Operator("ELEMENT_WISE_BIT_NOT", f"{NAME}, BitwiseNot")
    differ = Operator("ELEMENT_WISE_BIT_XOR", f"{NAME}, BitwiseXor")
    count = Operator("ELEMENT_WISE_BIT_COUNT", f"{NUMPY}, bitwise_count (ONNX has no such operator)")
    for name, type_name, sizes, top in cases:
        a, b = data.whole(type_name, sizes, 0, top), data.whole(type_name, sizes, 0, top)
        a.array.reshape(-1)[:2] = 0, top
        b.array.reshape(-1)[:2] = top, top
        invert.case(name, {}, {"InputTensor": a}, {"OutputTensor": Tensor(type_name, onnx_op.BitwiseNot(a.array))})
        differ.case(name, {}, {"ATensor": a, "BTensor": b}, {"OutputTensor": Tensor(type_name, onnx_op.BitwiseXor(a.array, b.array))})
        out_type = "UINT32" if type_name != "UINT8" else "UINT8"
        count.case(name, {}, {"InputTensor": a}, {"OutputTensor": Tensor(out_type, np.bitwise_count(a.array))})
    a = typed("UINT32", [0, 1, 2147483648, 4294967295], [4])
    count.case("narrow-output", {}, {"InputTensor": a}, {"OutputTensor": Tensor("UINT8", np.bitwise_count(a.array))}, "the types may differ")
    shifts = []
    for direction in ("LEFT", "RIGHT"):
        op = Operator(f"ELEMENT_WISE_BIT_SHIFT_{direction}", f"{NAME}, BitShift")
        for name, type_name, sizes, top in cases:
            a = data.whole(type_name, sizes, 0, top)
            b = data.whole(type_name, sizes, 0, top.bit_length() - 1)
            a.array.reshape(-1)[:2] = top, top
            b.array.reshape(-1)[:2] = 0, top.bit_length() - 1
            op.case(name, {}, {"ATensor": a, "BTensor": b}, {"OutputTensor": Tensor(type_name, onnx_op.BitShift(a.array, b.array, direction=direction))}, "every shift is below the width")
        shifts.append(op)
    return [invert, differ, count] + shifts


def activations():
    x = Data("ACTIVATION").parts([2, 3, 2], -3, 3)
    edges = f32([-INF, -0.0, 0.0, INF, 0.5, -0.5], [6])
    wide = Data("ACTIVATION-4").parts([1, 2, 2, 3], -2, 2)
    rows = {"rank-3": x, "edges": edges, "rank-4": wide}
    return [
        unary("ACTIVATION_ELU", "Elu", rows, False, {"Alpha": 1.5}),
        unary("ACTIVATION_HARD_SIGMOID", "HardSigmoid", rows, False, {"Alpha": 0.25, "Beta": 0.625}),
        unary("ACTIVATION_GELU", "Gelu", {"rank-3": x, "rank-4": wide, "rank-1": f32([-4.0, -1.0, 0.0, 1.0, 4.0])}, False, judge=f"{NAME}, Gelu (the exact form, which the page gives)"),
        unary("ACTIVATION_SOFTSIGN", "Softsign", {"rank-3": x, "rank-4": wide, "rank-1": f32([-100.0, 0.0, 100.0])}, False),
        shrink(x, wide),
    ]


def shrink(x, wide):
    op = Operator("ACTIVATION_SHRINK", f"{NAME}, Shrink")
    for name, t, bias, threshold in [("both", x, 0.5, 1.0), ("no-bias", wide, 0.0, 0.5), ("at-threshold", f32([-1.0, 1.0, 1.125, -1.125, 0.0]), 0.25, 1.0)]:
        op.case(name, {"Bias": bias, "Threshold": threshold}, {"InputTensor": t}, {"OutputTensor": Tensor("FLOAT32", onnx_op.Shrink(t.wide(), bias=bias, lambd=threshold))})
    return op


def cast():
    op = Operator("CAST", f"{NAME}, Cast")
    from onnx import TensorProto
    code = {"FLOAT32": TensorProto.FLOAT, "FLOAT16": TensorProto.FLOAT16, "FLOAT64": TensorProto.DOUBLE, "INT64": TensorProto.INT64, "UINT64": TensorProto.UINT64, "INT32": TensorProto.INT32, "INT8": TensorProto.INT8, "UINT8": TensorProto.UINT8, "UINT16": TensorProto.UINT16}
    for name, x, to, note in [
        ("fraction-to-whole", f32([-2.75, -1.5, -0.5, 0.5, 1.5, 2.75, 127.9, -128.0], [2, 4]), "INT8", "fractions are cut off; the page of CAST does not say so"),
        ("float-to-unsigned", f32([0.0, 0.99, 255.9, 17.5], [4]), "UINT8", "only numbers in range"),
        ("whole-to-float", typed("INT32", [-16777217, -1, 0, 1, 16777217, 2147483647], [1, 1, 2, 3]), "FLOAT32", "rounds to the nearest, halves to even; the page does not say how"),
        ("narrows", f32([1.0, 1.00048828125, 0.333251953125, 65504.0, 0.1, -2.5, INF], [7]), "FLOAT16", "to the nearest, the second from a half to even; the page does not say how"),
        ("widens", typed("INT8", [-128, -1, 0, 127], [1, 2, 1, 1, 2]), "INT64", None),
        ("same-type", typed("UINT16", [0, 1, 65535], [3]), "UINT16", None),
        ("unsigned-to-signed", typed("UINT64", [0, 5, 127], [3]), "INT8", "only numbers in range"),
    ]:
        op.case(name, {}, {"InputTensor": x}, {"OutputTensor": Tensor(to, onnx_op.Cast(x.array, to=code[to]))}, note)
    return op


def operators():
    return [
        erf(), log(), exp(), power(), rounding(), is_nan(), is_infinity(), choose(), quantize_linear(), dequantize_linear(), clip(), sign(), atan_yx(),
        modulus("ELEMENT_WISE_MODULUS_FLOOR", 0), modulus("ELEMENT_WISE_MODULUS_TRUNCATE", 1), *bits(), *activations(), cast(),
    ]
