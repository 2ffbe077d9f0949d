"""Which descriptors of TOP_K1 are valid: written by hand from the reference, as an implementer would."""

from math import prod

BITS = {
    "UNKNOWN": 0, "UINT4": 4, "INT4": 4, "UINT8": 8, "INT8": 8, "UINT16": 16, "INT16": 16, "FLOAT16": 16,
    "UINT32": 32, "INT32": 32, "FLOAT32": 32, "UINT64": 64, "INT64": 64, "FLOAT64": 64,
}
VALUES = {"FLOAT32", "FLOAT16", "INT32", "INT16", "INT8", "UINT32", "UINT16", "UINT8"}

# Feature level: numbers of dimensions, types of values, types of indices.
TABLES = {
    "2.1": ({4}, VALUES, {"UINT32"}),
    "3.1": (set(range(1, 9)), VALUES, {"UINT32"}),
    "5.0": (set(range(1, 9)), VALUES | {"INT64", "UINT64"}, {"UINT32", "UINT64"}),
}


def table(level):
    """The table that holds at a feature level: the last one introduced."""
    key = lambda text: tuple(map(int, text.split(".")))
    return max((known for known in TABLES if key(known) <= key(level)), key=key, default=None)


def reach(sizes, strides):
    """Elements from the first to the last one, gaps included."""
    if strides is None:
        return prod(sizes)
    return 1 + sum((size - 1) * stride for size, stride in zip(sizes, strides))


def tensor(t, output):
    """Clauses that one tensor breaks by itself."""
    if t is None:
        return ["TENSOR/not-null"]
    broken = []
    sizes, strides, align = t["Sizes"], t["Strides"], t["GuaranteedBaseOffsetAlignment"]
    bits, flags, total = BITS.get(t["DataType"]), t["Flags"], t["TotalTensorSizeInBytes"]
    total = int(total)  # a string where it is above 2^53
    ranked, paired = 1 <= len(sizes) <= 8, strides is None or len(strides) == len(sizes)
    shaped = ranked and paired and all(sizes)
    broken += ["TENSOR/dimension-count"] * (not ranked)
    broken += ["TENSOR/strides-per-dimension"] * (not paired)
    broken += ["TENSOR/size-nonzero"] * (ranked and not all(sizes))
    if bits is None:
        broken.append("TENSOR/data-type-known")
    else:
        if bits and shaped and total < (reach(sizes, strides) * bits + 31) // 32 * 4:
            broken.append("TENSOR/total-size")
        if bits and total * 8 // bits >= 2**32:
            broken.append("TENSOR/element-limit")
        if align and (align & (align - 1) or align * 8 < bits):
            broken.append("TENSOR/alignment-power-of-two")
        elif 0 < align < 16:
            broken.append("TENSOR/alignment-at-least-16")
    if flags > 1:
        broken.append("TENSOR/flags-known")
    elif output and flags == 1:
        broken.append("TENSOR/output-not-owned")
    if output and shaped and strides is not None:
        if any(size > 1 and stride == 0 for size, stride in zip(sizes, strides)):
            broken.append("TENSOR/output-not-broadcast")
        else:
            long = [stride for size, stride in zip(sizes, strides) if size > 1]
            broken += ["TENSOR/output-reach"] * (reach(sizes, strides) < prod(sizes))
            broken += ["TENSOR/output-strides-differ"] * (len(set(long)) < len(long))
    return broken


def support(level, name, t, types):
    """Cells of the level's table that forbid the tensor."""
    broken = []
    if t["DataType"] in BITS and t["DataType"] not in types:
        broken.append(f"TOP_K1/{level}/{name}/{t['DataType']}")
    rank = len(t["Sizes"])
    if 1 <= rank <= 8 and rank not in TABLES[level][0]:
        broken.append(f"TOP_K1/{level}/{name}/{rank}-D")
    return broken


def validate(desc, feature_level):
    """Ids of the clauses that a descriptor breaks; none where it is valid."""
    level = table(feature_level)
    if level is None:
        return ["TOP_K1/introduced"]
    names = ("InputTensor", "OutputValueTensor", "OutputIndexTensor")
    source, value, index = tensors = [desc[name] for name in names]
    broken = [id for t in tensors for id in tensor(t, t is not source)]
    if None in tensors or any(not 1 <= len(t["Sizes"]) <= 8 or not all(t["Sizes"]) for t in tensors):
        return broken  # nothing more can be said of tensors without a shape
    _, values, indices = TABLES[level]
    for name, t, types in zip(names, tensors, (values, values, indices)):
        broken += support(level, name, t, types)
    sizes, axis, k = source["Sizes"], desc["Axis"], desc["K"]
    broken += ["TOP_K1/k-nonzero"] * (k == 0)
    broken += ["TOP_K1/axis-direction-known"] * isinstance(desc["AxisDirection"], int)
    broken += ["TOP_K1/same-data-type"] * (source["DataType"] != value["DataType"])
    if axis >= len(sizes):
        broken.append("TOP_K1/axis-in-range")
    elif k > sizes[axis]:
        broken.append("TOP_K1/k-within-axis")
    if len({len(t["Sizes"]) for t in tensors}) > 1:
        broken.append("TOP_K1/same-dimension-count")
    elif axis < len(sizes):
        expected = [k if d == axis else size for d, size in enumerate(sizes)]
        broken += ["TOP_K1/value-sizes"] * (value["Sizes"] != expected)
        broken += ["TOP_K1/index-sizes"] * (index["Sizes"] != expected)
    return broken
