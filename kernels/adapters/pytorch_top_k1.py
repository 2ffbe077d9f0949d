"""TOP_K1 by torch.topk, which promises nothing about ties: the suite shows which it breaks."""

import numpy as np
import torch

from dml_arrays import on_arrays
from dml_program import Skipped, serve


def top_k1(desc, inputs, outputs):
    elements = torch.from_numpy(np.array(inputs["InputTensor"]))
    largest = desc["AxisDirection"] == "DML_AXIS_DIRECTION_DECREASING"
    try:
        values, indices = torch.topk(elements, desc["K"], desc["Axis"], largest, sorted=True)
    except (RuntimeError, NotImplementedError) as error:
        if "not implemented for" not in str(error):
            raise
        raise Skipped(f"PyTorch has no topk of {desc['InputTensor']['DataType']}") from None
    outputs["OutputValueTensor"][...] = values.numpy()
    outputs["OutputIndexTensor"][...] = indices.numpy()


if __name__ == "__main__":
    torch.set_num_threads(1)
    serve("pytorch", torch.__version__, {"TOP_K1": on_arrays(top_k1)})
