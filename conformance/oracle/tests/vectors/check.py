"""Reads every file again and recomputes it: `python check.py [folder]`.

The second opinion is page.py, plain NumPy from the text of the reference page. Floats may differ
by a few units in the last place of FLOAT32; everything else must be equal.
"""

import sys
from pathlib import Path

import numpy as np
import yaml

from page import PAGE
from vector_io import TYPES, read_tensor


def limits(type_name):
    """The range of a type of whole numbers; None for floats."""
    if np.dtype(TYPES[type_name]).kind == "f":
        return None
    info = np.iinfo(TYPES[type_name])
    return int(info.min), int(info.max)


def arrays(tensors):
    return {k: [t.wide() for t in v] if isinstance(v, list) else v.wide() for k, v in tensors.items()}


def recompute(operator, case):
    outputs = {k: read_tensor(v) for k, v in case["outputs"].items()}
    inputs = arrays({k: read_tensor(v) for k, v in case["inputs"].items()})
    sizes = {k: [t.sizes for t in v] if isinstance(v, list) else v.sizes for k, v in outputs.items()}
    function = PAGE[operator]
    keywords = {}
    if "type_of" in function.__code__.co_varnames[:function.__code__.co_argcount]:
        keywords["type_of"] = lambda name: limits(outputs[name].type)
    with np.errstate(all="ignore"):
        return outputs, function(case["fields"], inputs, sizes, **keywords)


def agree(expected, got):
    with np.errstate(all="ignore"):
        got = np.asarray(got).astype(expected.array.dtype).reshape(expected.sizes)
    if expected.array.dtype.kind != "f":
        same = expected.array == got
    else:
        width = {2: 1e-3, 4: 1e-6, 8: 1e-12}[expected.array.dtype.itemsize]
        same = np.isclose(expected.array.astype(np.float64), got.astype(np.float64), rtol=width, atol=width * 0.25, equal_nan=True)
    same = same.reshape(-1)
    same[expected.undefined] = True
    return np.flatnonzero(~same)


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent)
    files = cases = wrong = 0
    for path in sorted(folder.glob("*.yaml")):
        text = path.read_text()
        data = yaml.safe_load(text)
        files += 1
        assert data["operator"] == path.stem
        for case in data["cases"]:
            cases += 1
            outputs, results = recompute(data["operator"], case)
            assert set(outputs) == set(results), (path.name, case["name"], set(outputs), set(results))
            for name, expected in outputs.items():
                pairs = zip(expected, results[name]) if isinstance(expected, list) else [(expected, results[name])]
                for tensor, got in pairs:
                    bad = agree(tensor, got)
                    if len(bad):
                        wrong += 1
                        print(f"{path.name} {case['name']} {name}: elements {bad[:8].tolist()} {tensor.array.reshape(-1)[bad[:4]]} != {np.asarray(got).reshape(-1)[bad[:4]]}")
    print(f"{files} files, {cases} cases, {wrong} outputs that differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
