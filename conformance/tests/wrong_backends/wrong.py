"""Backends with one mistake each, such as kernels have had. Try one:

    dml-cts run --backend "exec:python3 conformance/tests/wrong_backends/wrong.py top-k1-decreasing-by-reversal" TOP_K1

`mistakes.yaml` says what each gets wrong; they measure how well a report names a mistake, so they are written from the
operators' pages and from bug trackers alone, not from what the suite can explain. All other operators, and the
mistaken one where its condition does not hold, are right (`right.py`). `none` makes no mistake. `--spec FILE` names the
exported specification, as for the programs of kernels/adapters.
"""

import sys

import numpy as np

import right
import calculating  # noqa: F401 (registers its mistakes)
import copying  # noqa: F401 (registers its mistakes)
from registry import MISTAKES

from dml_arrays import on_arrays
from dml_program import serve


def main():
    name = sys.argv.pop(1) if len(sys.argv) > 1 else ""
    if name != "none" and name not in MISTAKES:
        sys.exit(f"unknown mistake `{name}`; known are none, {', '.join(MISTAKES)}")
    kernels = dict(right.KERNELS)
    if name != "none":
        operator, kernels[operator] = MISTAKES[name]
    # What is open may overflow or be no number; NumPy need not say so.
    np.seterr(all="ignore")
    served = {operator: on_arrays(kernel) for operator, kernel in kernels.items()}
    serve(name, np.__version__, served, feature_level="6.4", can=("create", "execute", "in-place"))


if __name__ == "__main__":
    main()
