"""Kernels on NumPy arrays, for the programs of `dml_program`.

A kernel is a function `kernel(desc, inputs, outputs)`: `desc` holds the fields of the operator's descriptor by
DirectML's names, `inputs` and `outputs` hold an array for each tensor, with the tensor's own strides, and a list
for an array of tensors. It fills
`outputs[NAME][...]`.
"""

import base64

import numpy as np

DTYPES = {name: np.dtype(name.lower()) for name in (
    "FLOAT16", "FLOAT32", "FLOAT64",
    "INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32", "UINT64",
)}


def view(tensor, data):
    """The elements of a tensor in its buffer. DirectML counts strides in elements, NumPy in bytes."""
    dtype = DTYPES[tensor["DataType"]]
    strides = tensor["Strides"] and [stride * dtype.itemsize for stride in tensor["Strides"]]
    return np.ndarray(tensor["Sizes"], dtype, data, strides=strides)


def tensor_of(desc, name):
    """The tensor that a buffer belongs to: of `OutputTensor`, or of an array, `InputTensors[1]`."""
    name, _, at = name.partition("[")
    return desc[name][int(at[:-1])] if at else desc[name]


def by_field(views):
    """Views by fields: those of an array of tensors as a list."""
    fields = {}
    for name, view in views.items():
        field, is_array, _ = name.partition("[")
        if is_array:
            fields.setdefault(field, []).append(view)
        else:
            fields[field] = view
    return fields


def on_arrays(kernel):
    """A kernel as a function of a request. Outputs come in poisoned, and go back whole: gaps and all."""

    def execute(request):
        desc = request["desc"]
        inputs = {name: view(tensor_of(desc, name), base64.b64decode(data)) for name, data in request["inputs"].items()}
        buffers = {name: bytearray(base64.b64decode(data)) for name, data in request["outputs"].items()}
        for output, input in request.get("aliases", {}).items():
            inputs[input] = view(desc[input], buffers[output])  # one memory for both
        outputs = {name: view(tensor_of(desc, name), data) for name, data in buffers.items()}
        kernel(desc, by_field(inputs), by_field(outputs))
        return {name: base64.b64encode(data).decode() for name, data in buffers.items()}

    return execute
