"""Tensors, cases, and the YAML files that hold them."""

import math

import numpy as np

TYPES = {
    "FLOAT64": np.float64, "FLOAT32": np.float32, "FLOAT16": np.float16,
    "UINT64": np.uint64, "UINT32": np.uint32, "UINT16": np.uint16, "UINT8": np.uint8,
    "INT64": np.int64, "INT32": np.int32, "INT16": np.int16, "INT8": np.int8,
}


class Tensor:
    """An array with a DirectML data type; `undefined` lists elements that nothing defines."""

    def __init__(self, type_name, array, undefined=()):
        self.type = type_name
        self.array = np.asarray(array).astype(TYPES[type_name])
        self.undefined = list(undefined)

    @property
    def sizes(self):
        return list(self.array.shape)

    def wide(self):
        """The values for exact work: binary64 for floats, the array itself for whole numbers."""
        return self.array.astype(np.float64) if self.array.dtype.kind == "f" else self.array


def f32(values, sizes=None):
    """A FLOAT32 tensor, reshaped to `sizes` where they are given."""
    return typed("FLOAT32", values, sizes)


def typed(type_name, values, sizes=None):
    array = np.asarray(values)
    return Tensor(type_name, array if sizes is None else array.reshape(sizes))


class Operator:
    """All cases of one operator."""

    def __init__(self, name, judge):
        self.name, self.judge, self.cases = name, judge, []

    def case(self, name, fields, inputs, outputs, note=None):
        assert all(c["name"] != name for c in self.cases), name
        self.cases.append({"name": name, "fields": fields, "inputs": inputs, "outputs": outputs, "note": note})


# Writing ---------------------------------------------------------------------------------------


def number(value):
    """A number so that reading it gives the same number, in YAML 1.1 and 1.2."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    value = float(value)
    if math.isnan(value):
        return ".nan"
    if math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    text = repr(value)
    if "e" in text and "." not in text:
        text = text.replace("e", ".0e")
    return text


def scalar(value):
    """A field: a FLOAT is given as the FLOAT32 that the descriptor holds."""
    if isinstance(value, (float, np.floating)):
        return number(np.float32(value))
    if isinstance(value, (bool, int, np.integer, np.bool_)):
        return number(value)
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {scalar(v)}" for k, v in value.items()) + "}"
    return "[" + ", ".join(scalar(v) for v in value) + "]"


def tensor_text(tensor):
    sizes = ", ".join(map(str, tensor.sizes))
    values = ", ".join(number(v) for v in tensor.array.reshape(-1))
    extra = f", undefined: [{', '.join(map(str, tensor.undefined))}]" if tensor.undefined else ""
    return f"{{type: {tensor.type}, sizes: [{sizes}], values: [{values}]{extra}}}"


def tensors_text(tensors):
    lines = []
    for name, tensor in tensors.items():
        if isinstance(tensor, list):
            lines.append(f"    {name}:")
            lines += [f"    - {tensor_text(t)}" for t in tensor]
        else:
            lines.append(f"    {name}: {tensor_text(tensor)}")
    return lines


def operator_text(operator):
    lines = [f"operator: {operator.name}", f'judge: "{operator.judge}"', "cases:"]
    for case in operator.cases:
        lines.append(f"- name: {case['name']}")
        if case["note"]:
            lines.append(f"  # {case['note']}")
        lines.append(f"  fields: {scalar(case['fields'])}")
        for part in ("inputs", "outputs"):
            body = tensors_text(case[part])
            lines += [f"  {part}:" if body else f"  {part}: {{}}"] + body
    return "\n".join(lines) + "\n"


# Reading ---------------------------------------------------------------------------------------


def read_tensor(data):
    if isinstance(data, list):
        return [read_tensor(d) for d in data]
    array = np.array(data["values"], dtype=TYPES[data["type"]]).reshape(data["sizes"])
    return Tensor(data["type"], array, data.get("undefined", ()))
