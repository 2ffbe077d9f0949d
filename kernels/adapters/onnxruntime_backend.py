"""Every operator whose specification names a node of ONNX, by ONNX Runtime's CPU provider. Try it:
dml-cts run --tier smoke --backend "exec:python3 kernels/adapters/onnxruntime_backend.py" """

import numpy as np
import onnxruntime

from dml_arrays import on_arrays
from dml_onnx import Mappings, Mismatch, NotApplicable, feeds, model
from dml_program import Skipped, serve

OPSET = 24
NO_NODE = "no node of ONNX computes this"
NO_KERNEL = "ONNX Runtime has no kernel for this type"
OUT_OF_RANGE = "ONNX Runtime refuses indices out of range"
# How it says so.
BEYOND = ("out of data bounds", "invalid index found")
# What ONNX Runtime says of a node that it has no kernel for, and of a type that ONNX does not take.
ABSENT = ("NOT_IMPLEMENTED", "Type Error: Type '")


class Sessions:
    """A session for each kind of node, made once."""

    def __init__(self):
        self.made = {}
        self.options = onnxruntime.SessionOptions()
        self.options.intra_op_num_threads = self.options.inter_op_num_threads = 1
        self.options.log_severity_level = 4

    def of(self, node):
        """None if ONNX Runtime has no kernel for the node."""
        kinds = tuple((name, array.dtype.str, array.ndim) for name, array in feeds(node, OPSET).items())
        attributes = tuple((name, str(value)) for name, value in node.attributes.items())
        key = node.name, kinds, attributes
        if key not in self.made:
            self.made[key] = self.make(node)
        return self.made[key]

    def make(self, node):
        text = model(node, OPSET).SerializeToString()
        try:
            return onnxruntime.InferenceSession(text, self.options, ["CPUExecutionProvider"])
        except Exception as error:
            if any(word in str(error) for word in ABSENT):
                return None
            raise


def kernel(operator, mappings, sessions):
    """A function of the operator's arrays."""

    def execute(desc, inputs, outputs):
        try:
            node = mappings.node(operator, desc, inputs)
        except Mismatch:
            raise
        except NotApplicable:
            raise Skipped(NO_NODE) from None
        session = sessions.of(node)
        if session is None:
            raise Skipped(NO_KERNEL)
        try:
            results = session.run(list(node.outputs), feeds(node, OPSET))
        except Exception as error:
            if not any(words in str(error) for words in BEYOND):
                raise
            raise Skipped(OUT_OF_RANGE) from None
        for tensor, result in zip(node.outputs.values(), results):
            outputs[tensor][...] = np.reshape(result, outputs[tensor].shape)

    return on_arrays(execute)


def kernels(specification):
    """A function for each operator that is a node of ONNX."""
    mappings, sessions = Mappings(specification), Sessions()
    return {name: kernel(name, mappings, sessions) for name, entries in mappings.of.items() if entries}


if __name__ == "__main__":
    serve("onnxruntime", onnxruntime.__version__, kernels, feature_level="6.4")
