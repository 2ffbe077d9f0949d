"""Mistakes of operators that calculate: REDUCE, CUMULATIVE_SUMMATION, ELEMENT_WISE_ADD1, CAST, GEMM,
ELEMENT_WISE_CLIP, FOLD."""

import numpy as np

import right
from registry import mistake, packed
from right import DECREASING, along, axes_of, function, in_direction, is_float


# REDUCE


def halved(elements):
    """A tree that adds the upper half to the lower one, and forgets the odd one out."""
    elements = elements.copy()
    size = elements.shape[-1]
    while size > 1:
        size //= 2
        elements[..., :size] += elements[..., size : 2 * size]
    return elements[..., 0]


@mistake("REDUCE")
def reduce_tree_drops_tail(desc, inputs, outputs):
    right.reduce(desc, inputs, outputs, halved)


@mistake("REDUCE")
def reduce_average_by_first_axis(desc, inputs, outputs):
    array, axes = inputs["InputTensor"], axes_of(desc)
    if function(desc) != "AVERAGE" or not axes:
        return right.reduce(desc, inputs, outputs)
    total = np.sum(array, tuple(set(axes)), dtype=np.float64, keepdims=True)
    outputs["OutputTensor"][...] = total / array.shape[axes[0]]


@mistake("REDUCE")
def reduce_max_starts_at_smallest_positive(desc, inputs, outputs):
    right.reduce(desc, inputs, outputs)
    if function(desc) == "MAX":
        array, output = inputs["InputTensor"], outputs["OutputTensor"]
        start = np.finfo(array.dtype).tiny if is_float(array) else array.dtype.type(0)
        output[...] = np.maximum(output, start)


def added_in_half(elements):
    total = np.zeros(elements.shape[:-1], np.float16)
    for i in range(elements.shape[-1]):
        total = total + elements[..., i].astype(np.float16)
    return total.astype(np.float64)


@mistake("REDUCE")
def reduce_half_accumulator(desc, inputs, outputs):
    half = inputs["InputTensor"].dtype == np.float16
    right.reduce(desc, inputs, outputs, added_in_half if half else right.summed)


@mistake("REDUCE")
def reduce_index_along_last_axis(desc, inputs, outputs):
    right.reduce(desc, inputs, outputs)
    axes = axes_of(desc)
    if function(desc) in right.INDICES and axes:
        outputs["OutputTensor"][...] %= inputs["InputTensor"].shape[max(axes)]


@mistake("REDUCE")
def reduce_products_in_float32(desc, inputs, outputs):
    right.reduce(desc, inputs, outputs)
    given, output = inputs["InputTensor"], outputs["OutputTensor"]
    if function(desc) == "MULTIPLY" and not is_float(given):
        product = np.prod(right.sets(given, axes_of(desc)), -1, dtype=np.float32)
        output[...] = product.astype(output.dtype).reshape(output.shape)


# CUMULATIVE_SUMMATION


def with_previous_total(sequences):
    """Blocks of 128, to which the total of the block before is added, not that of all blocks before."""
    wide = np.float64 if is_float(sequences) else sequences.dtype
    tally = np.empty(sequences.shape, wide)
    carry = np.zeros(sequences.shape[:-1], wide)
    for start in range(0, sequences.shape[-1], 128):
        block = np.cumsum(sequences[..., start : start + 128], -1, dtype=wide)
        tally[..., start : start + 128] = block + carry[..., None]
        carry = block[..., -1]
    return tally


@mistake("CUMULATIVE_SUMMATION")
def cumulative_summation_carry_of_one_block(desc, inputs, outputs):
    right.cumulative_summation(desc, inputs, outputs, with_previous_total)


@mistake("CUMULATIVE_SUMMATION")
def cumulative_summation_exclusive_shifts_up(desc, inputs, outputs):
    tally = right.inclusive(in_direction(desc, inputs["InputTensor"]))
    if desc["AxisDirection"] == DECREASING:
        tally = tally[..., ::-1]
    if desc["HasExclusiveSum"]:
        tally = right.exclusive(tally)
    along(desc["Axis"], outputs["OutputTensor"])[...] = tally


@mistake("CUMULATIVE_SUMMATION")
def cumulative_summation_in_place_exclusive(desc, inputs, outputs):
    given = in_direction(desc, inputs["InputTensor"])
    written = in_direction(desc, outputs["OutputTensor"])
    if not desc["HasExclusiveSum"]:
        return right.cumulative_summation(desc, inputs, outputs)
    wide = np.float64 if is_float(given) else given.dtype
    total = np.zeros(given.shape[:-1], wide)
    for i in range(given.shape[-1]):
        written[..., i] = total
        total = total + given[..., i].astype(wide)  # read after the write: of one memory, what was just written


def without_barrier(sequences):
    """The scan of Hillis and Steele on one buffer, in which a pass reads what it has just written."""
    tally = sequences.astype(np.float64 if is_float(sequences) else sequences.dtype)
    *outer, length = tally.shape
    distance = 1
    while distance < length:
        # Each element and those before it at this distance, one after the other, become a running sum.
        rows = -(-length // distance)
        padded = np.zeros([*outer, rows * distance], tally.dtype)
        padded[..., :length] = tally
        sums = np.add.accumulate(padded.reshape([*outer, rows, distance]), -2, tally.dtype)
        tally = sums.reshape([*outer, rows * distance])[..., :length]
        distance *= 2
    return tally


@mistake("CUMULATIVE_SUMMATION")
def cumulative_summation_without_barrier(desc, inputs, outputs):
    right.cumulative_summation(desc, inputs, outputs, without_barrier)


@mistake("CUMULATIVE_SUMMATION")
def cumulative_summation_never_reset(desc, inputs, outputs):
    sequences = in_direction(desc, inputs["InputTensor"])
    tally = right.inclusive(sequences.reshape(-1))
    if desc["HasExclusiveSum"]:
        tally = right.exclusive(tally)
    in_direction(desc, outputs["OutputTensor"])[...] = tally.reshape(sequences.shape)


def in_words(sequences):
    """Integers of 64 bits are summed in 32, with their sign."""
    if sequences.dtype.itemsize < 8 or is_float(sequences):
        return right.inclusive(sequences)
    return np.cumsum(sequences, -1, dtype=sequences.dtype.kind + "4")


@mistake("CUMULATIVE_SUMMATION")
def cumulative_summation_in_32_bits(desc, inputs, outputs):
    right.cumulative_summation(desc, inputs, outputs, in_words)


def in_two_halves(sequences):
    """Long sequences are summed in two halves, and the second starts at zero."""
    sums = right.inclusive(sequences)
    if sequences.size > 4096:
        middle = sequences.shape[-1] // 2
        sums[..., middle:] = right.inclusive(sequences[..., middle:])
    return sums


@mistake("CUMULATIVE_SUMMATION")
def cumulative_summation_large_in_halves(desc, inputs, outputs):
    right.cumulative_summation(desc, inputs, outputs, in_two_halves)


# ELEMENT_WISE_ADD1


@mistake("ELEMENT_WISE_ADD1")
def element_wise_add1_activates_operand(desc, inputs, outputs):
    operand = right.activated(desc["FusedActivation"], inputs["BTensor"].astype(np.float64))
    outputs["OutputTensor"][...] = inputs["ATensor"].astype(np.float64) + operand


@mistake("ELEMENT_WISE_ADD1")
def element_wise_add1_broadcast_by_modulo(desc, inputs, outputs):
    strides = desc["BTensor"]["Strides"]
    if strides and 0 in strides:
        inputs = {**inputs, "BTensor": packed(inputs["BTensor"])}
    right.element_wise_add1(desc, inputs, outputs)


@mistake("ELEMENT_WISE_ADD1")
def element_wise_add1_four_at_a_time(desc, inputs, outputs):
    output = outputs["OutputTensor"]
    sums = {"OutputTensor": np.empty(output.shape, output.dtype)}
    right.element_wise_add1(desc, inputs, sums)
    fours = output.size // 4 * 4
    computed = np.arange(output.size).reshape(output.shape) < fours
    output[computed] = sums["OutputTensor"][computed]


@mistake("ELEMENT_WISE_ADD1")
def element_wise_add1_leaky_relu_default(desc, inputs, outputs):
    activation = desc["FusedActivation"]
    if activation and activation["Type"] == "ACTIVATION_LEAKY_RELU":
        activation = {**activation, "Desc": {**activation["Desc"], "Alpha": 0.01}}
    right.element_wise_add1({**desc, "FusedActivation": activation}, inputs, outputs)


# CAST


@mistake("CAST")
def cast_rounds_to_nearest(desc, inputs, outputs):
    array, output = inputs["InputTensor"], outputs["OutputTensor"]
    output[...] = (np.rint(array) if is_float(array) and not is_float(output) else array).astype(output.dtype)


@mistake("CAST")
def cast_integers_through_float64(desc, inputs, outputs):
    array, output = inputs["InputTensor"], outputs["OutputTensor"]
    if array.dtype.itemsize == output.dtype.itemsize == 8 and not (is_float(array) or is_float(output)):
        array = array.astype(np.float64)
    output[...] = array.astype(output.dtype)


@mistake("CAST")
def cast_int8_without_sign(desc, inputs, outputs):
    array, output = inputs["InputTensor"], outputs["OutputTensor"]
    if array.dtype == np.int8 and output.dtype.itemsize > 1:
        array = array.astype(np.uint8)
    output[...] = array.astype(output.dtype)


@mistake("CAST")
def cast_uint32_as_int32(desc, inputs, outputs):
    array, output = inputs["InputTensor"], outputs["OutputTensor"]
    if array.dtype == np.uint32 and is_float(output):
        array = array.astype(np.int32)
    output[...] = array.astype(output.dtype)


# GEMM


def whole_tiles(a, b):
    """Sums tiles of 4 products; what is left over after the last whole tile is dropped."""
    terms = a.shape[-1]
    terms = terms // 4 * 4 if terms > 4 else terms
    return a[..., :terms] @ b[..., :terms, :]


@mistake("GEMM")
def gemm_tiles_drop_tail(desc, inputs, outputs):
    right.gemm(desc, inputs, outputs, whole_tiles)


@mistake("GEMM")
def gemm_first_row_of_c(desc, inputs, outputs):
    if desc["CTensor"] is not None:
        inputs = {**inputs, "CTensor": inputs["CTensor"][..., :1, :]}
    right.gemm(desc, inputs, outputs)


@mistake("GEMM")
def gemm_square_b_as_it_is(desc, inputs, outputs):
    rows, columns = inputs["BTensor"].shape[-2:]
    right.gemm({**desc, "TransB": "NONE"} if rows == columns else desc, inputs, outputs)


# ELEMENT_WISE_CLIP


@mistake("ELEMENT_WISE_CLIP")
def element_wise_clip_bias_before_scale(desc, inputs, outputs):
    right.element_wise_clip(desc, inputs, outputs, lambda values, scale, bias: (values + bias) * scale)


@mistake("ELEMENT_WISE_CLIP")
def element_wise_clip_no_max_below_zero(desc, inputs, outputs):
    array, low = inputs["InputTensor"], right.number(desc["Min"])
    if low < 0 and desc["ScaleBias"] is None and is_float(array):
        outputs["OutputTensor"][...] = np.maximum(array, right.limit(low, array.dtype))
    else:
        right.element_wise_clip(desc, inputs, outputs)


# FOLD


def overwritten(image, region, patch):
    image[region] = patch


@mistake("FOLD")
def fold_overwrites(desc, inputs, outputs):
    right.fold(desc, inputs, outputs, overwritten)
