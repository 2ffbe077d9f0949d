"""TOP_K1 by ONNX Runtime's TopK, through a model that is built in memory."""

from functools import cache

import numpy as np
import onnxruntime
from onnx import TensorProto, helper

from dml_arrays import on_arrays
from dml_program import Skipped, serve

OPSET, IR_VERSION = 24, 10


@cache
def session(element_type, axis, largest):
    """A model of one TopK, or None where ONNX Runtime has none for the type."""
    x = helper.make_tensor_value_info("x", element_type, None)
    k = helper.make_tensor_value_info("k", TensorProto.INT64, [1])
    values = helper.make_tensor_value_info("values", element_type, None)
    indices = helper.make_tensor_value_info("indices", TensorProto.INT64, None)
    node = helper.make_node("TopK", ["x", "k"], ["values", "indices"], axis=axis, largest=largest, sorted=1)
    graph = helper.make_graph([node], "top_k", [x, k], [values, indices])
    opsets = [helper.make_opsetid("", OPSET)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    try:
        return onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
    except Exception as error:
        if "NOT_IMPLEMENTED" in str(error) or "Type Error" in str(error):
            return None
        raise


def top_k1(desc, inputs, outputs):
    elements = np.ascontiguousarray(inputs["InputTensor"])
    largest = desc["AxisDirection"] == "DML_AXIS_DIRECTION_DECREASING"
    run = session(helper.np_dtype_to_tensor_dtype(elements.dtype), desc["Axis"], int(largest))
    if run is None:
        raise Skipped(f"ONNX Runtime has no TopK of {desc['InputTensor']['DataType']}")
    values, indices = run.run(None, {"x": elements, "k": np.array([desc["K"]], np.int64)})
    outputs["OutputValueTensor"][...] = values
    outputs["OutputIndexTensor"][...] = indices


if __name__ == "__main__":
    serve("onnxruntime", onnxruntime.__version__, {"TOP_K1": on_arrays(top_k1)})
