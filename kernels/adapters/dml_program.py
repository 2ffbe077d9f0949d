"""Speaks protocol 1 of dml-cts: one JSON object a line, requests on standard input, answers on standard output.

A kernel is a function `execute(desc, inputs, outputs)`: `desc` holds the fields of the operator's descriptor by
DirectML's names, `inputs` and `outputs` hold a NumPy array for each tensor, with the tensor's own strides. It fills
`outputs[NAME][...]`, or raises `Skipped` with the reason why it does not do this.
"""

import base64
import json
import os
import sys

import numpy as np

DTYPES = {name: np.dtype(name.lower()) for name in (
    "FLOAT16", "FLOAT32", "FLOAT64",
    "INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32", "UINT64",
)}


class Skipped(Exception):
    """The kernel does not do this; the message says why. The same words every time: reports count them."""


def view(tensor, data):
    """The elements of a tensor in its buffer. DirectML counts strides in elements, NumPy in bytes."""
    dtype = DTYPES[tensor["DataType"]]
    strides = tensor["Strides"] and [stride * dtype.itemsize for stride in tensor["Strides"]]
    return np.ndarray(tensor["Sizes"], dtype, data, strides=strides)


def execute(kernel, request):
    """Runs a kernel on the buffers of a request. Outputs come in poisoned, and go back whole: gaps and all."""
    desc = request["desc"]
    inputs = {name: view(desc[name], base64.b64decode(data)) for name, data in request["inputs"].items()}
    buffers = {name: bytearray(base64.b64decode(data)) for name, data in request["outputs"].items()}
    for output, input in request.get("aliases", {}).items():
        inputs[input] = view(desc[input], buffers[output])  # one memory for both
    kernel(desc, inputs, {name: view(desc[name], data) for name, data in buffers.items()})
    outputs = {name: base64.b64encode(data).decode() for name, data in buffers.items()}
    return {"type": "executed", "outputs": outputs}


def answer(operators, request):
    """What to say to a request: `validate` names the clauses that the descriptor breaks."""
    validate, kernel = operators[request["operator"]]
    broken = validate(request["desc"], request["feature_level"])
    if broken:
        return {"type": "rejected", "clauses": broken}
    if request["type"] == "create":
        return {"type": "created"}
    try:
        return execute(kernel, request)
    except Skipped as why:
        return {"type": "skipped", "reason": str(why)}
    except Exception as error:
        return {"type": "error", "message": f"{type(error).__name__}: {error}"}


def serve(name, version, operators, feature_level="5.0", can=("create", "execute")):
    """Answers requests until there are no more. `operators` has `(validate, kernel)` for each operator's name. A program
    whose kernels may find an output in the memory of an input adds `in-place` to what it `can`."""
    # Libraries print: what they print must not end up among the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if request["type"] == "bye":
            break
        if request["type"] == "hello":
            reply = {
                "type": "hello", "protocol": 1, "name": name, "version": version,
                "operators": list(operators), "feature_level": feature_level, "levels": "strict",
                "can": list(can),
            }
        else:
            reply = {"id": request["id"], **answer(operators, request)}
        answers.write(json.dumps(reply) + "\n")
        answers.flush()
