"""ONNX operators, each evaluated alone by ONNX's reference evaluator."""

import numpy as np
import onnx
from onnx import helper
from onnx.reference import ReferenceEvaluator

NAME = f"onnx {onnx.__version__} reference evaluator"
NUMPY = f"numpy {np.__version__}"
OPSET = onnx.defs.onnx_opset_version()


def evaluate(operator, *inputs, outputs=1, opset=OPSET, **attributes):
    """Runs one operator on arrays; None stands for an absent optional input."""
    names = [f"i{i}" if x is not None else "" for i, x in enumerate(inputs)]
    results = [f"o{i}" for i in range(outputs)]
    feeds = {n: np.asarray(x) for n, x in zip(names, inputs) if n}
    node = helper.make_node(operator, names, results, **attributes)
    graph = helper.make_graph(
        [node],
        operator,
        [helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape) for n, x in feeds.items()],
        [helper.make_empty_tensor_value_info(n) for n in results],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    got = ReferenceEvaluator(model).run(None, feeds)
    return got[0] if outputs == 1 else got


class _Operators:
    """`onnx_op.Gemm(a, b, alpha=2.0)` evaluates Gemm."""

    def __getattr__(self, operator):
        return lambda *inputs, **keywords: evaluate(operator, *inputs, **keywords)


onnx_op = _Operators()
