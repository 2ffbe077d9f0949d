"""TOP_K1 in NumPy. Try it: dml-cts run --backend "exec:python3 kernels/adapters/numpy_top_k1.py" TOP_K1"""

import numpy as np

from dml_arrays import on_arrays
from dml_program import serve


def top_k1(desc, inputs, outputs):
    elements, axis = inputs["InputTensor"], desc["Axis"]
    keys = elements
    if desc["AxisDirection"] == "DML_AXIS_DIRECTION_DECREASING":
        # The order turned round; integers have no negative of their least value, but every one has a complement.
        keys = -elements if elements.dtype.kind == "f" else ~elements
    # A stable sort keeps equal elements in ascending order of their indices, in both directions.
    order = np.argsort(keys, axis, kind="stable").take(range(desc["K"]), axis)
    outputs["OutputValueTensor"][...] = np.take_along_axis(elements, order, axis)
    outputs["OutputIndexTensor"][...] = order


if __name__ == "__main__":
    serve("numpy", np.__version__, {"TOP_K1": on_arrays(top_k1)})
