"""Writes one YAML file of test vectors for each operator: `python generate.py [folder]`.

The expected values come from ONNX's reference evaluator, or from NumPy where ONNX has no such
operator; each file names its judge. Everything is deterministic: the same versions of numpy and
onnx give the same files.
"""

import sys
from pathlib import Path

import numpy as np

import cases_data
import cases_elementwise
import cases_recurrent
import cases_reduce
import cases_resample
import cases_math
import cases_window
from vector_io import operator_text

MODULES = [cases_data, cases_elementwise, cases_math, cases_recurrent, cases_reduce, cases_resample, cases_window]


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent)
    with np.errstate(all="ignore"):  # infinities and NaN are meant
        for module in MODULES:
            for operator in module.operators():
                (folder / f"{operator.name}.yaml").write_text(operator_text(operator))


if __name__ == "__main__":
    main()
