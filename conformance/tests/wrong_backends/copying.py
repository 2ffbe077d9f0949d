"""Mistakes of operators that choose elements and copy them: TOP_K1, GATHER, SLICE1, ONE_HOT."""

import numpy as np

import right
from registry import mistake, packed
from right import DECREASING, along, is_float


# TOP_K1


def select(desc, inputs, outputs, order):
    """Writes the first K of an order of the sequences along their last dimension."""
    elements = along(desc["Axis"], inputs["InputTensor"])
    order = order[..., : desc["K"]]
    along(desc["Axis"], outputs["OutputValueTensor"])[...] = np.take_along_axis(elements, order, -1)
    along(desc["Axis"], outputs["OutputIndexTensor"])[...] = order


@mistake("TOP_K1")
def top_k1_decreasing_by_reversal(desc, inputs, outputs):
    elements = along(desc["Axis"], inputs["InputTensor"])
    order = np.argsort(elements, -1, kind="stable")
    select(desc, inputs, outputs, order[..., ::-1] if desc["AxisDirection"] == DECREASING else order)


@mistake("TOP_K1")
def top_k1_bitonic_sort(desc, inputs, outputs):
    elements = along(desc["Axis"], inputs["InputTensor"])
    ranks = np.unique(elements, return_inverse=True)[1].reshape(elements.shape)
    if desc["AxisDirection"] == DECREASING:
        ranks = ranks.max() - ranks
    length = elements.shape[-1]
    padded = 1 << (length - 1).bit_length()
    keys = np.full([*elements.shape[:-1], padded], ranks.max() + 1)
    keys[..., :length] = ranks
    order = np.broadcast_to(np.arange(padded), keys.shape).copy()
    run = 2
    while run <= padded:
        distance = run // 2
        while distance:
            # Pairs at this distance: blocks of low places, each before one of high ones.
            shape = [*elements.shape[:-1], padded // (2 * distance), 2, distance]
            pairs = [array.reshape(shape) for array in (keys, order)]
            ascending = (np.arange(0, padded, 2 * distance) & run == 0)[:, None]
            # Equal keys stay where they are: the network does not know who came first.
            low, high = pairs[0][..., 0, :], pairs[0][..., 1, :]
            wrong = np.where(ascending, low > high, low < high)
            for array in pairs:
                a, b = array[..., 0, :], array[..., 1, :]
                array[..., 0, :], array[..., 1, :] = np.where(wrong, b, a), np.where(wrong, a, b)
            distance //= 2
        run *= 2
    select(desc, inputs, outputs, order)


@mistake("TOP_K1")
def top_k1_integers_as_float32(desc, inputs, outputs):
    keys = along(desc["Axis"], inputs["InputTensor"])
    if keys.dtype.kind in "iu" and keys.dtype.itemsize >= 4:
        keys = keys.astype(np.float32)
    if desc["AxisDirection"] == DECREASING:
        keys = -keys if is_float(keys) else ~keys
    select(desc, inputs, outputs, np.argsort(keys, -1, kind="stable"))


@mistake("TOP_K1")
def top_k1_index_in_block(desc, inputs, outputs):
    right.top_k1(desc, inputs, outputs)
    outputs["OutputIndexTensor"][...] %= 256


@mistake("TOP_K1")
def top_k1_odd_k(desc, inputs, outputs):
    values, indices = {}, {}
    for name, array in outputs.items():
        values[name] = np.empty(array.shape, array.dtype)
    right.top_k1(desc, inputs, values)
    pairs = desc["K"] // 2 * 2
    for name, array in outputs.items():
        along(desc["Axis"], array)[..., :pairs] = along(desc["Axis"], values[name])[..., :pairs]


@mistake("TOP_K1")
def top_k1_index_by_value(desc, inputs, outputs):
    right.top_k1(desc, inputs, outputs)
    values = along(desc["Axis"], outputs["OutputValueTensor"])
    indices = along(desc["Axis"], outputs["OutputIndexTensor"])
    for i in range(1, values.shape[-1]):
        again = values[..., i] == values[..., i - 1]
        indices[..., i] = np.where(again, indices[..., i - 1], indices[..., i])


@mistake("TOP_K1")
def top_k1_ties_in_a_ring(desc, inputs, outputs):
    right.top_k1(desc, inputs, outputs)
    values = along(desc["Axis"], outputs["OutputValueTensor"])
    indices = along(desc["Axis"], outputs["OutputIndexTensor"])
    for i in range(2, values.shape[-1]):
        again = (values[..., i] == values[..., i - 1]) & (values[..., i] == values[..., i - 2])
        indices[..., i] = np.where(again, indices[..., i - 2], indices[..., i])


# GATHER


@mistake("GATHER")
def gather_negative_by_last_size(desc, inputs, outputs):
    last = inputs["InputTensor"].shape[-1]

    def places(indices, size):
        if indices.dtype.kind == "u":
            return right.from_end(indices, size)
        indices = indices.astype(np.int64)
        return np.clip(np.where(indices < 0, indices + last, indices), 0, size - 1)

    right.gather(desc, inputs, outputs, places)


@mistake("GATHER")
def gather_negative_to_zero(desc, inputs, outputs):
    right.gather(desc, inputs, outputs, lambda indices, size: np.clip(indices, 0, size - 1).astype(np.int64))


def by_low_word(indices, size):
    if indices.dtype != np.int64:
        return right.from_end(indices, size)
    return np.minimum(indices.astype(np.uint32), size - 1).astype(np.int64)


@mistake("GATHER")
def gather_int64_as_low_word(desc, inputs, outputs):
    right.gather(desc, inputs, outputs, by_low_word)


@mistake("GATHER")
def gather_index_dimensions_reversed(desc, inputs, outputs):
    counted = desc["IndexDimensions"]
    indices = inputs["IndicesTensor"]
    first = indices.ndim - counted
    turned = indices.transpose([*range(first), *reversed(range(first, indices.ndim))])
    # The indices are read as if their dimensions lay in memory in the opposite order.
    inputs = {**inputs, "IndicesTensor": turned.reshape(indices.shape)}
    right.gather(desc, inputs, outputs)


@mistake("GATHER")
def gather_indices_as_packed(desc, inputs, outputs):
    right.gather(desc, {**inputs, "IndicesTensor": packed(inputs["IndicesTensor"])}, outputs)


@mistake("GATHER")
def gather_copies_low_word(desc, inputs, outputs):
    array = inputs["InputTensor"]
    if array.itemsize == 8:
        words = np.ascontiguousarray(array).view(np.uint64) & np.uint64(0xFFFFFFFF)
        inputs = {**inputs, "InputTensor": words.view(array.dtype)}
    right.gather(desc, inputs, outputs)


@mistake("GATHER")
def gather_indices_from_one(desc, inputs, outputs):
    right.gather(desc, inputs, outputs, lambda indices, size: right.from_end(indices - indices.dtype.type(1), size))


# SLICE1


def by_reversal(offset, size, stride, count):
    """The places that forward steps lead to, turned round."""
    steps = offset + np.arange(count) * abs(stride)
    return steps[::-1] if stride < 0 else steps


@mistake("SLICE1")
def slice1_backwards_by_reversal(desc, inputs, outputs):
    right.slice1(desc, inputs, outputs, by_reversal)


@mistake("SLICE1")
def slice1_offset_in_steps(desc, inputs, outputs):
    def coordinates(offset, size, stride, count):
        return right.from_window(offset * abs(stride), size, stride, count)

    right.slice1(desc, inputs, outputs, coordinates)


@mistake("SLICE1")
def slice1_backwards_from_tensor_end(desc, inputs, outputs):
    sizes = [
        whole - offset if stride < 0 else size
        for whole, offset, size, stride in zip(
            inputs["InputTensor"].shape,
            desc["InputWindowOffsets"],
            desc["InputWindowSizes"],
            desc["InputWindowStrides"],
        )
    ]
    right.slice1({**desc, "InputWindowSizes": sizes}, inputs, outputs)


@mistake("SLICE1")
def slice1_strides_of_four_dimensions(desc, inputs, outputs):
    strides = list(desc["InputWindowStrides"])
    extra = max(0, len(strides) - 4)
    right.slice1({**desc, "InputWindowStrides": [1] * extra + strides[extra:]}, inputs, outputs)


# ONE_HOT


@mistake("ONE_HOT")
def one_hot_values_swapped(desc, inputs, outputs):
    values = inputs["ValuesTensor"].reshape(-1)[[1, 0]]
    right.one_hot(desc, {**inputs, "ValuesTensor": values}, outputs)


@mistake("ONE_HOT")
def one_hot_negative_ignored(desc, inputs, outputs):
    right.one_hot(desc, inputs, outputs, lambda indices, size: indices)


@mistake("ONE_HOT")
def one_hot_wraps_past_end(desc, inputs, outputs):
    right.one_hot(desc, inputs, outputs, lambda indices, size: indices.astype(object) % size)


@mistake("ONE_HOT")
def one_hot_sequences_in_a_row(desc, inputs, outputs):
    """Each sequence is written to neighbouring elements, as if the axis were the last one."""
    output, indices, axis = outputs["OutputTensor"], inputs["IndicesTensor"], desc["Axis"]
    length = output.shape[axis]
    rows = np.empty([indices.size, length], output.dtype)
    flat = {"IndicesTensor": indices.reshape(-1, 1), "ValuesTensor": inputs["ValuesTensor"]}
    right.one_hot({"Axis": 1}, flat, {"OutputTensor": rows})
    output[...] = rows.reshape(output.shape)


@mistake("SLICE1")
def slice1_in_32_bits(desc, inputs, outputs):
    right.slice1(desc, inputs, outputs)
    output = outputs["OutputTensor"]
    if output.dtype.itemsize == 8 and not is_float(output):
        output[...] = output.astype(output.dtype.kind + "4")


@mistake("SLICE1")
def slice1_flushes_denormals(desc, inputs, outputs):
    array = inputs["InputTensor"]
    if is_float(array):
        small = np.abs(array) < np.finfo(array.dtype).tiny
        inputs = {"InputTensor": np.where(small, np.copysign(array.dtype.type(0), array), array)}
    right.slice1(desc, inputs, outputs)


@mistake("SLICE1")
def slice1_output_as_packed(desc, inputs, outputs):
    output = outputs["OutputTensor"]
    result = np.empty(output.shape, output.dtype)
    right.slice1(desc, inputs, {"OutputTensor": result})
    np.frombuffer(output.base, output.dtype, output.size)[:] = result.ravel()


@mistake("SLICE1")
def slice1_last_element_unwritten(desc, inputs, outputs):
    output = outputs["OutputTensor"]
    last = (-1,) * output.ndim
    before = output[last]
    right.slice1(desc, inputs, outputs)
    output[last] = before
