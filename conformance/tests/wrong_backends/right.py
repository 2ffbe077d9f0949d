"""Right kernels in NumPy of the operators that `wrong.py` gets wrong. Each is a function of arrays, as those of
kernels/adapters are; parts that a mistake replaces are parameters or functions of their own.

What a page leaves open (an index out of range, an overflow) ends in some element, never in an exception.
"""

import math
import struct
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "kernels" / "adapters"))

from dml_program import Skipped
from numpy_top_k1 import top_k1

DECREASING = "DML_AXIS_DIRECTION_DECREASING"
TRANSPOSE = "DML_MATRIX_TRANSFORM_TRANSPOSE"


def is_float(array):
    return array.dtype.kind == "f"


def number(value):
    """A float of a descriptor: one that is not finite is a string of its bits."""
    return struct.unpack(">f", bytes.fromhex(value[2:]))[0] if isinstance(value, str) else float(value)


def function(desc):
    """The name of a reduction: `SUM`."""
    return str(desc["Function"]).removeprefix("DML_REDUCE_FUNCTION_")


def axes_of(desc):
    return list(desc["Axes"] or [])[: desc["AxisCount"]]


# REDUCE

INDICES = {"ARGMAX": np.argmax, "ARGMIN": np.argmin}
EXTREMES = {"MAX": np.max, "MIN": np.min}


def sets(array, axes):
    """The elements of every set as the last dimension, in the order of their index in the set."""
    kept = [d for d in range(array.ndim) if d not in axes]
    reduced = [d for d in range(array.ndim) if d in axes]
    moved = array.transpose(kept + reduced)
    return moved.reshape([array.shape[d] for d in kept] + [math.prod(array.shape[d] for d in reduced)])


def summed(elements):
    return np.sum(elements, -1, dtype=elements.dtype)


def calculated(name, elements, sum_of=summed):
    """The functions that calculate, of the elements of sets. Floats are FLOAT64 here."""
    size = elements.shape[-1]
    if name == "SUM":
        return sum_of(elements)
    if name == "AVERAGE":
        return sum_of(elements) / size
    if name == "L1":
        return sum_of(np.abs(elements))
    if name == "L2":
        return np.sqrt(sum_of(elements * elements))
    if name == "SUM_SQUARE":
        return sum_of(elements * elements)
    if name == "MULTIPLY":
        return np.prod(elements, -1, dtype=elements.dtype)
    if name == "LOG_SUM":
        return np.log(sum_of(elements))
    top = np.max(elements, -1, keepdims=True)
    top = np.where(np.isfinite(top), top, 0)
    return np.log(sum_of(np.exp(elements - top))) + top[..., 0]


def reduce(desc, inputs, outputs, sum_of=summed):
    name, output = function(desc), outputs["OutputTensor"]
    elements = sets(inputs["InputTensor"], axes_of(desc))
    if name in INDICES:
        result = INDICES[name](elements, -1)
    elif name in EXTREMES:
        result = EXTREMES[name](elements, -1)
    else:
        wide = elements.astype(np.float64) if is_float(elements) else elements
        result = calculated(name, wide, sum_of)
    output[...] = result.reshape(output.shape)


# CUMULATIVE_SUMMATION


def along(axis, array):
    """The array with an axis as its last dimension; writing to it writes to the array."""
    return np.moveaxis(array, axis, -1)


def in_direction(desc, array):
    """The sequences as the last dimension, in the order in which they are passed."""
    sequences = along(desc["Axis"], array)
    return sequences[..., ::-1] if desc["AxisDirection"] == DECREASING else sequences


def inclusive(sequences):
    if is_float(sequences):
        return np.cumsum(sequences, -1, dtype=np.float64)
    return np.cumsum(sequences, -1, dtype=sequences.dtype)


def exclusive(tally):
    """The tally one place later, from 0."""
    later = np.zeros_like(tally)
    later[..., 1:] = tally[..., :-1]
    return later


def cumulative_summation(desc, inputs, outputs, scan=inclusive):
    tally = scan(in_direction(desc, inputs["InputTensor"]))
    if desc["HasExclusiveSum"]:
        tally = exclusive(tally)
    in_direction(desc, outputs["OutputTensor"])[...] = tally


# GATHER


def from_end(indices, size):
    """Whole indices within a dimension; negative ones count from its end."""
    if indices.dtype.kind == "u":
        return np.minimum(indices, size - 1).astype(np.int64)
    indices = indices.astype(np.int64)
    return np.clip(np.where(indices < 0, indices + size, indices), 0, size - 1)


def gather(desc, inputs, outputs, places=from_end, look_up=lambda indices, at: indices[at]):
    array, indices, output = inputs["InputTensor"], inputs["IndicesTensor"], outputs["OutputTensor"]
    axis, counted, rank = desc["Axis"], desc["IndexDimensions"], array.ndim
    grid = list(np.ogrid[tuple(slice(0, size) for size in output.shape)])
    full = [0] * (counted - 1) + grid if counted else grid[1:]

    def within(coordinates, shape):
        return tuple(np.minimum(at, size - 1) for at, size in zip(coordinates, shape))

    place = look_up(indices, within([0] * (rank - counted) + full[axis : axis + counted], indices.shape))
    place = places(place, array.shape[axis])
    coordinates = full[:axis] + [place] + full[axis + counted : rank - 1 + counted]
    output[...] = np.broadcast_to(array[within(coordinates, array.shape)], output.shape)


# ELEMENT_WISE_ADD1


def activated(activation, values):
    """What an activation gives, of FLOAT64 elements."""
    if activation is None:
        return values
    name, desc = activation["Type"].removeprefix("ACTIVATION_"), activation["Desc"]
    if name == "IDENTITY":
        return values
    if name == "RELU":
        return np.maximum(values, 0)
    if name == "LEAKY_RELU":
        return np.where(values >= 0, values, number(desc["Alpha"]) * values)
    if name == "LINEAR":
        return number(desc["Alpha"]) * values + number(desc["Beta"])
    raise Skipped("no kernel for this activation")


def element_wise_add1(desc, inputs, outputs):
    total = inputs["ATensor"].astype(np.float64) + inputs["BTensor"].astype(np.float64)
    outputs["OutputTensor"][...] = activated(desc["FusedActivation"], total)


# SLICE1


def from_window(offset, size, stride, count):
    """The coordinates that a window is copied from, in one dimension of `count` places."""
    first = offset + (size - 1 if stride < 0 else 0)
    return first + np.arange(count) * stride


def slice1(desc, inputs, outputs, coordinates=from_window):
    array, output = inputs["InputTensor"], outputs["OutputTensor"]
    windows = zip(desc["InputWindowOffsets"], desc["InputWindowSizes"], desc["InputWindowStrides"])
    places = [coordinates(*window, count) for window, count in zip(windows, output.shape)]
    output[...] = array[np.ix_(*[np.clip(at, 0, size - 1) for at, size in zip(places, array.shape)])]


# CAST


def cast(desc, inputs, outputs):
    outputs["OutputTensor"][...] = inputs["InputTensor"].astype(outputs["OutputTensor"].dtype)


# ONE_HOT


def counted_from_end(indices, size):
    """The place of each index in its sequence; -1 if it is nowhere."""
    if indices.dtype.kind == "u":
        return np.where(indices < size, indices, size).astype(np.int64)
    return np.where(indices < 0, indices.astype(np.int64) + size, indices)


def one_hot(desc, inputs, outputs, places=counted_from_end):
    indices, output, axis = inputs["IndicesTensor"], outputs["OutputTensor"], desc["Axis"]
    off, on = inputs["ValuesTensor"].reshape(-1)[:2]
    count = np.arange(output.shape[axis]).reshape([-1 if d == axis else 1 for d in range(output.ndim)])
    output[...] = np.where(count == places(indices, output.shape[axis]), on, off)


# GEMM


def matrix(desc, inputs, name, flag):
    array = inputs[name].astype(np.float64)
    return array.swapaxes(-1, -2) if desc[flag] == TRANSPOSE else array


def multiplied(a, b):
    return a @ b


def gemm(desc, inputs, outputs, product=multiplied):
    result = product(matrix(desc, inputs, "ATensor", "TransA"), matrix(desc, inputs, "BTensor", "TransB"))
    result = number(desc["Alpha"]) * result
    if desc["CTensor"] is not None:
        result = result + number(desc["Beta"]) * inputs["CTensor"].astype(np.float64)
    outputs["OutputTensor"][...] = activated(desc["FusedActivation"], result)


# ELEMENT_WISE_CLIP


def limit(value, dtype):
    """A limit in the type of the elements."""
    if dtype.kind == "f":
        return np.float32(value).astype(dtype)
    least, greatest = np.iinfo(dtype).min, np.iinfo(dtype).max
    if math.isnan(value):
        return dtype.type(0)
    return dtype.type(int(max(least, min(greatest, value)))) if math.isfinite(value) else dtype.type(
        greatest if value > 0 else least
    )


def scaled(values, scale, bias):
    return values * scale + bias


def element_wise_clip(desc, inputs, outputs, scaling=scaled):
    array, output = inputs["InputTensor"], outputs["OutputTensor"]
    low, high = (limit(number(desc[name]), array.dtype) for name in ("Min", "Max"))
    if desc["ScaleBias"] is not None:
        scale, bias = number(desc["ScaleBias"]["Scale"]), number(desc["ScaleBias"]["Bias"])
        array = scaling(array.astype(np.float64), scale, bias).astype(array.dtype)
    output[...] = np.minimum(np.maximum(array, low), high)


# FOLD


def added(image, region, patch):
    image[region] += patch


def fold(desc, inputs, outputs, put=added):
    patches, output = inputs["InputTensor"], outputs["OutputTensor"]
    windows, strides, dilations, start, end = (
        list(desc[name]) for name in ("WindowSizes", "Strides", "Dilations", "StartPadding", "EndPadding")
    )
    padded = [size + a + b for size, a, b in zip(output.shape[2:], start, end)]
    blocks = [
        (size - dilation * (window - 1) - 1) // stride + 1
        for size, dilation, window, stride in zip(padded, dilations, windows, strides)
    ]
    wide = np.float64 if is_float(patches) else patches.dtype
    patches = patches.astype(wide).reshape([*output.shape[:2], math.prod(windows), *blocks])
    image = np.zeros([*output.shape[:2], *padded], wide)
    for at, w in enumerate(np.ndindex(*windows)):
        region = tuple(
            slice(i * dilation, i * dilation + (count - 1) * stride + 1, stride)
            for i, dilation, stride, count in zip(w, dilations, strides, blocks)
        )
        put(image, (slice(None), slice(None), *region), patches[:, :, at])
    inner = tuple(slice(a, a + size) for a, size in zip(start, output.shape[2:]))
    output[...] = image[(slice(None), slice(None), *inner)]


KERNELS = {
    "TOP_K1": top_k1,
    "REDUCE": reduce,
    "CUMULATIVE_SUMMATION": cumulative_summation,
    "GATHER": gather,
    "ELEMENT_WISE_ADD1": element_wise_add1,
    "SLICE1": slice1,
    "CAST": cast,
    "ONE_HOT": one_hot,
    "GEMM": gemm,
    "ELEMENT_WISE_CLIP": element_wise_clip,
    "FOLD": fold,
}
