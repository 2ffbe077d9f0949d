"""Turns the node tests of the package `onnx` into vectors for `dml-cts compute --against DIR`.

A vector is expressible if some legal descriptor maps to its node. Descriptors are found by trying: tensors are bound to
the vector's arrays as the operator's `onnx` says, every other field takes values that its kind allows and that stand in
the node, and a descriptor is accepted if the rules of the specification accept it and the node that it maps to is the
vector's: with the same inputs and attributes, or with others that compute the same by ONNX's reference evaluator.

    dml-cts spec export --format json --out kernels/adapters/specification.json
    python3 kernels/adapters/onnx_vectors.py --out vectors
    dml-cts compute --against vectors
"""

import argparse
import fnmatch
import json
import sys
import warnings
from collections import Counter
from itertools import combinations, product
from math import prod
from pathlib import Path

import numpy as np
import onnx
from onnx.backend.test.loader import load_model_tests
from onnx.reference import ReferenceEvaluator

from dml_arrays import DTYPES
from dml_onnx import Mappings, Node, NotApplicable, UnknownName, feeds, model, schema
from dml_rules import Specification, Undefined, holds

# Elements to tell nodes apart by: step, modulus and factor. None: those of the vector.
PROBES = (None, (1, 5, 1), (3, 7, 1), (5, 13, 100), (1, 2, 1), (2, 3, -1), (0, 1, 1))
TYPES = {dtype: name for name, dtype in DTYPES.items()}


class NotExpressible(Exception):
    """No legal descriptor maps to the node of a vector."""


class Vector:
    """A node test with one of its sets of data."""

    def __init__(self, name, proto, inputs, outputs):
        self.name, node = name, proto.graph.node[0]
        self.opset = next(opset.version for opset in proto.opset_import if opset.domain == "")
        self.schema = schema(node.op_type, self.opset)
        given = dict(zip((value.name for value in proto.graph.input), inputs))
        results = dict(zip((value.name for value in proto.graph.output), outputs))
        attributes = {one.name: onnx.helper.get_attribute_value(one) for one in node.attribute}
        arrays = self.by_formal(self.schema.inputs, [given.get(name) for name in node.input])
        self.outputs = self.by_formal(self.schema.outputs, [results.get(name) for name in node.output])
        self.node = Node(node.op_type, arrays, attributes, {name: name for name in self.outputs})

    @staticmethod
    def by_formal(formals, values):
        """Arrays by the schema's names; those of the last name, if it takes any number, as a list."""
        found = {}
        for at, formal in enumerate(formals):
            if formal.option == onnx.defs.OpSchema.FormalParameterOption.Variadic:
                found[formal.name] = [array_of(value) for value in values[at:]]
            elif at < len(values) and values[at] is not None:
                found[formal.name] = array_of(values[at])
        return found

    def attributes(self, node):
        """The attributes of a node, with ONNX's defaults."""
        defaults = {
            name: onnx.helper.get_attribute_value(one.default_value)
            for name, one in self.schema.attributes.items()
            if one.default_value.type
        }
        return defaults | {name: value for name, value in node.attributes.items() if value is not None}

    def replaced(self, probe, names):
        """The inputs, those of these names with the elements of a probe."""
        def array(of):
            if isinstance(of, list):
                return [array(one) for one in of]
            step, modulus, factor = probe
            numbers = ((np.arange(of.size) + 3) * step % modulus - modulus // 2) * factor
            return (abs(numbers) if of.dtype.kind == "u" else numbers).astype(of.dtype).reshape(of.shape)

        return {name: array(of) if probe and name in names else of for name, of in self.node.inputs.items()}


def array_of(value):
    if isinstance(value, onnx.TensorProto):
        value = onnx.numpy_helper.to_array(value)
    if not isinstance(value, (np.ndarray, np.generic)):
        raise NotExpressible("DirectML has no sequences and no optional values")
    return np.asarray(value)


def evaluate(node, opset):
    """The outputs of a node by ONNX's reference evaluator; None if it has none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            results = ReferenceEvaluator(model(node, opset)).run(list(node.outputs), feeds(node, opset))
        except Exception:
            return None
    return dict(zip(node.outputs, (np.asarray(result) for result in results)))


def same(a, b):
    """Whether two values are the same: arrays with all elements, of one type, whatever their sizes."""
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.dtype == b.dtype and np.array_equal(a.ravel(), b.ravel(), equal_nan=a.dtype.kind == "f")
    return type(a) is type(b) and a == b


def shape(of):
    return [one.shape for one in of] if isinstance(of, list) else None if of is None else of.shape


class Search:
    """Looks for a descriptor of an operator that maps to the node of a vector."""

    def __init__(self, mappings, operator, mapping, vector):
        self.mappings, self.operator, self.mapping, self.vector = mappings, operator, mapping, vector
        self.specification = mappings.specification
        self.fields = self.specification.operators[operator]["fields"]
        self.counts = {field["count"]: field["name"] for field in self.fields if "count" in field}
        self.level = self.specification.highest_level
        self.inputs = {part["tensor"]: name for name, part in mapping.inputs.items() if part["tensor"]}
        self.typed = {part["tensor"] for part in mapping.inputs.values() if "type" in part} | set(mapping.outputs.values())
        # Inputs whose elements may be any; those with a type of the node's own are indices.
        self.data = {name for tensor, name in self.inputs.items() if tensor not in self.typed}
        self.outputs = {tensor: name for name, tensor in mapping.outputs.items()}
        rows = self.specification.operators[operator]["support"][-1]["rows"]
        self.ranks = {row["tensor"]: row["dimensions"] for row in rows}
        self.known = {}
        # A cell that forbids a descriptor which maps to the node, and which no clause forbids.
        self.near = None

    def found(self):
        """A descriptor, its tensors, and whether its node is the vector's itself: the first of that kind, else the
        first."""
        arrays = self.bound()
        ranks = [one.ndim for of in arrays.values() for one in (of if isinstance(of, list) else [of])]
        most = max(1, *ranks)
        least = {row["dimensions"][0] for row in self.specification.operators[self.operator]["support"][-1]["rows"]}
        alike = None
        for rank in sorted({max(most, dimensions) for dimensions in least}):
            for tensors in self.tensors(arrays, most, rank):
                for fields in self.attributes(tensors, rank):
                    desc = self.descriptor(tensors, fields)
                    cells = self.forbidden(desc)
                    if cells is None or (cells and (self.near or alike)):
                        continue
                    equal = self.maps(desc, tensors, alike)
                    if equal is None:
                        continue
                    if cells or self.specification.violated(self.operator, desc, self.level):
                        self.near = self.near or cells[0]
                    elif equal:
                        return desc, tensors, True
                    else:
                        alike = desc, tensors, False
        if alike:
            return alike
        if self.near:
            *_, tensor, cell = self.near.split("/")
            raise NotExpressible(f"the tables have no {cell} for {tensor}")
        unnamed = self.unnamed()
        if unnamed:
            raise NotExpressible(f"`onnx` of {self.operator} has no {unnamed}")
        raise NotExpressible("no legal descriptor maps to its node")

    def unnamed(self):
        """An attribute or input of the vector's node that the specification does not name, and that is not its default."""
        node, schema = self.vector.node, self.vector.schema
        for name, value in node.attributes.items():
            default = schema.attributes[name].default_value if name in schema.attributes else None
            is_default = default is not None and default.type and onnx.helper.get_attribute_value(default) == value
            if name not in self.mapping.attributes and not is_default:
                return f"attribute {name}"
        for name in node.inputs:
            if name not in self.mapping.inputs:
                return f"input {name}"
        return None

    def forbidden(self, desc):
        """Cells of tables that forbid a descriptor; None if a clause does. Packed tensors keep those about tensors."""
        entry = self.specification.operators[self.operator]
        case = self.specification.case(self.operator, desc, self.level)
        for check in entry["checks"]:
            if "tensor" not in check and not holds(check["rule"], case):
                return None
        return self.specification.unsupported(entry, case, set())

    def bound(self):
        """The vector's arrays by fields."""
        arrays = {}
        for tensor, name in [*self.inputs.items(), *self.outputs.items()]:
            of = self.vector.node.inputs.get(name) if tensor in self.inputs else self.vector.outputs.get(name)
            if of is not None:
                arrays[tensor] = of
        for tensor, of in arrays.items():
            for one in of if isinstance(of, list) else [of]:
                if not one.size:
                    raise NotExpressible("DirectML has no dimensions of size 0")
                if one.dtype not in TYPES:
                    raise NotExpressible(f"DirectML has no {one.dtype}")
        return arrays

    def tensors(self, arrays, most, rank):
        """Tensors of a rank that hold the arrays."""
        output = next((arrays[tensor].shape for tensor in self.outputs if tensor in arrays), ())
        options = []
        for tensor, of in arrays.items():
            one = [list(self.forms(tensor, array, most, rank, output)) for array in (of if isinstance(of, list) else [of])]
            options.append(list(map(list, product(*one))) if isinstance(of, list) else one[0])
        for chosen in product(*options):
            yield dict(zip(arrays, chosen))

    def forms(self, tensor, array, most, rank, output):
        """An array with dimensions of size 1 added, or expanded to the first output's sizes; in other types that hold
        its elements if the node's type is not the tensor's."""
        least, greatest = self.ranks[tensor]
        rank = min(max(rank, least), greatest)
        most = min(most, rank)
        sizes = []
        for kept in combinations(range(most), array.ndim):
            shape = iter(array.shape)
            sizes.append((1,) * (rank - most) + tuple(next(shape) if at in kept else 1 for at in range(most)))
        sizes = list(dict.fromkeys(sorted(sizes, key=lambda form: form[rank - array.ndim :] != array.shape)))
        arrays = [array.reshape(form) for form in sizes]
        expanded = (1,) * (rank - len(output)) + output
        if tensor in self.inputs and expanded not in sizes and len(output) <= rank:
            try:
                arrays.append(np.broadcast_to(array, expanded))
            except ValueError:
                pass
        for form in arrays:
            yield form
            for dtype in TYPES if tensor in self.typed else ():
                if dtype != form.dtype and holds_elements(dtype, form):
                    yield form.astype(dtype)

    def attributes(self, tensors, rank):
        """Values for all fields that are no tensors."""
        names, options = [], []
        numbers, lists, floats = self.pool(tensors)
        given = self.computed(tensors)
        for field in self.fields:
            name, kind = field["name"], field["kind"]
            if kind.startswith(("input", "output")) or name in self.counts:
                continue
            names.append(name)
            if name in given:
                options.append([given[name]])
            elif field["optional"]:
                options.append([None])
            elif kind == "UINT":
                options.append(unique([n for n in numbers if n >= 0] + list(range(rank + 1))))
            elif kind == "INT":
                options.append(unique(numbers + list(range(-rank, rank + 1))))
            elif kind == "FLOAT":
                options.append(floats)
            elif kind == "BOOL":
                options.append([0, 1])
            elif kind == "UINT array":
                axes = [list(chosen) for n in range(rank + 1) for chosen in combinations(range(rank), n)]
                options.append(unique([one for one in lists if min(one, default=0) >= 0] + axes))
            elif kind == "INT array":
                options.append(unique(lists + [[1] * rank, [0] * rank]))
            elif kind == "FLOAT array":
                options.append(unique([[float(n) for n in one] for one in lists] + [[1.0] * rank]))
            elif kind in self.specification.enums:
                options.append(list(self.specification.enums[kind]))
            else:
                options.append([None])
        for chosen in product(*options):
            yield dict(zip(names, chosen))

    def pool(self, tensors):
        """Numbers, lists and floats of the node, of its attributes and of its inputs that are no tensors."""
        numbers, lists = [], []
        node = self.vector.node
        values = list(self.vector.attributes(node).values())
        values += [of for name, of in node.inputs.items() if name not in self.inputs.values()]
        for value in values:
            if isinstance(value, np.ndarray) and value.dtype.kind in "iuf":
                value = value.tolist()
            if isinstance(value, (int, float)):
                numbers.append(value)
            elif isinstance(value, (list, tuple)) and all(isinstance(one, (int, float)) for one in value):
                lists.append(list(value))
                numbers += value
        floats = unique([float(n) for n in numbers] + [0.0, 1.0])
        # What ONNX takes if a limit is absent.
        for dtype in {array.dtype for of in tensors.values() for array in (of if isinstance(of, list) else [of])}:
            limits = np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)
            floats += [float(limits.min), float(limits.max)]
        whole = unique([int(n) for n in numbers if float(n).is_integer()])
        whole_lists = [[int(n) for n in one] for one in lists if all(float(n).is_integer() for n in one)]
        return whole, unique(whole_lists), unique(floats)

    def computed(self, tensors):
        """Fields that the specification computes from a node."""
        if not self.mapping.fields:
            return {}
        desc = self.descriptor(tensors, {})
        case = self.specification.case(self.operator, desc)
        node = self.vector.node
        case.fields |= {name: None for name in [*self.mapping.inputs, *self.mapping.attributes]}
        case.fields |= self.vector.attributes(node)
        case.fields |= {name: of.tolist() for name, of in node.inputs.items() if name not in self.inputs.values()}
        try:
            return {name: value(case) for name, value in self.mapping.fields.items()}
        except Undefined:
            raise NotExpressible("the fields that its node has are undefined") from None

    def descriptor(self, tensors, attributes):
        """A descriptor, in the form of the protocol."""
        desc = {}
        for field in self.fields:
            name = field["name"]
            if field["kind"].startswith(("input", "output")):
                of = tensors.get(name)
                desc[name] = [tensor(one) for one in of] if isinstance(of, list) else of is not None and tensor(of) or None
            elif name in self.counts:
                counted = self.counts[name]
                desc[name] = len(attributes.get(counted) or tensors.get(counted) or [])
            else:
                desc[name] = attributes.get(name)
        return desc

    def maps(self, desc, tensors, exactly=False):
        """Whether the descriptor maps to the vector's node: True if to this very node, False if to one that computes the
        same and not `exactly` is asked for, else None."""
        vector = self.vector
        inputs = {tensor: of for tensor, of in tensors.items() if tensor in self.inputs}
        try:
            node = self.mappings.node(self.operator, desc, inputs)
        except NotApplicable:
            return None
        own = vector.node
        if node.name != own.name:
            return None
        equal = vector.attributes(node) == vector.attributes(own)
        every = set(node.inputs) | set(own.inputs)
        if equal and all(
            same(node.inputs.get(name), own.inputs.get(name)) and shape(node.inputs.get(name)) == shape(own.inputs.get(name))
            for name in every
        ):
            return True
        if exactly:
            return None
        for probe in PROBES:
            if probe not in self.known:
                replaced = Node(own.name, vector.replaced(probe, self.data), own.attributes, own.outputs)
                self.known[probe] = replaced.inputs, evaluate(replaced, vector.opset)
            arrays, expected = self.known[probe]
            if expected is None:
                if not probe:
                    return None
                continue
            try:
                node = self.mappings.node(self.operator, desc, self.refilled(inputs, arrays))
            except NotApplicable:
                return None
            found = evaluate(node, vector.opset)
            if found is None or not all(same(expected[name], result) for name, result in found.items()):
                return None
        return False

    def refilled(self, tensors, arrays):
        """The same tensors of other arrays."""
        def one(tensor, array):
            return np.broadcast_to(array, tensor.shape) if tensor.size != array.size else array.reshape(tensor.shape)

        filled = {}
        for name, of in tensors.items():
            array = arrays[self.inputs[name]]
            if isinstance(of, list):
                filled[name] = [one(*pair).astype(pair[0].dtype) for pair in zip(of, array)]
            else:
                filled[name] = one(of, array).astype(of.dtype)
        return filled


def holds_elements(dtype, array):
    """Whether a type of integers holds every element exactly."""
    if dtype.kind not in "iu":
        return False
    limits = np.iinfo(dtype)
    return all(number == int(number) and limits.min <= number <= limits.max for number in array.ravel().tolist())


def unique(items):
    return [item for at, item in enumerate(items) if item not in items[:at]]


def tensor(array):
    bytes = (prod(array.shape) * array.itemsize + 3) // 4 * 4
    return {
        "DataType": TYPES[array.dtype], "Flags": 0, "Sizes": list(array.shape), "Strides": None,
        "TotalTensorSizeInBytes": bytes, "GuaranteedBaseOffsetAlignment": 0,
    }


def spelled(value):
    """A number as JSON has it; what JSON lacks is a word."""
    if isinstance(value, list):
        return [spelled(one) for one in value]
    if isinstance(value, float) and not np.isfinite(value):
        return "nan" if value != value else "inf" if value > 0 else "-inf"
    return value


def values(array):
    if isinstance(array, list):
        return [values(one) for one in array]
    return {"type": TYPES[array.dtype], "sizes": list(array.shape), "values": spelled(array.ravel().tolist())}


def written(search, name, desc, tensors):
    """A descriptor that was found, as a vector of docs/compute.md."""
    attributes = {
        field["name"]: spelled(desc[field["name"]])
        for field in search.fields
        if not field["kind"].startswith(("input", "output"))
    }
    return {
        "name": name, "fields": attributes,
        "inputs": {name: values(of) for name, of in tensors.items() if name in search.inputs},
        "outputs": {name: values(of) for name, of in tensors.items() if name in search.outputs},
    }


def tests(names):
    """Node tests of these nodes: models of one node, each set of data by a name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = load_model_tests(kind="node")
    for test in sorted(found, key=lambda test: test.name):
        proto = test.model
        if len(proto.graph.node) != 1 or proto.graph.node[0].op_type not in names or proto.graph.node[0].domain:
            continue
        for at, (inputs, outputs) in enumerate(test.data_sets):
            yield test.name + (f"_{at}" if at else ""), proto, inputs, outputs


class Known:
    """Reasons why tests are not expressible, and patterns of their names: a line `REASON: PATTERN, PATTERN`."""

    def __init__(self, path):
        lines = Path(path).read_text(encoding="utf-8").splitlines() if path else []
        self.path, self.patterns, self.used = path, {}, set()
        for line in lines:
            if line and not line.startswith("#"):
                reason, _, patterns = line.rpartition(": ")
                self.patterns[reason] = patterns.split(", ")
        self.unlisted = []

    def add(self, name, operator, reason):
        """Takes in a test that is not expressible."""
        matching = [one for one in self.patterns.get(reason, []) if fnmatch.fnmatchcase(name, one)]
        self.used |= {(reason, one) for one in matching[:1]}
        if not matching:
            self.unlisted.append(f"{name}: {reason} ({operator}); make it expressible, or add it to {self.path}")

    def wrong(self):
        """What is wrong with the list, a line each."""
        pairs = [(reason, one) for reason, patterns in self.patterns.items() for one in patterns]
        stale = [f"{self.path}: `{one}` matches no test for which {reason}; remove it"
                 for reason, one in pairs if (reason, one) not in self.used]
        return self.unlisted + stale if self.path else []


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--spec", metavar="FILE", default=Path(__file__).with_name("specification.json"),
                        help="what `dml-cts spec export` wrote")
    parser.add_argument("--out", metavar="DIR", required=True, help="folder for the vectors, a file for each operator")
    parser.add_argument("--known", metavar="FILE",
                        help="reasons and patterns of tests that are not expressible; fail if others are not, or if some are")
    parser.add_argument("--only", metavar="PATTERN", default="*", help="only tests of these names")
    arguments = parser.parse_args()
    folder = Path(arguments.out)
    try:
        known = Known(arguments.known)
        folder.mkdir(parents=True, exist_ok=True)
        mappings = Mappings(Specification(arguments.spec))
    except (UnknownName, OSError) as why:
        parser.error(str(why))
    except UnicodeDecodeError as why:
        parser.error(f"a file is not UTF-8: {why}")
    except (ValueError, KeyError, TypeError) as why:
        parser.error(f"{arguments.spec} is not what `dml-cts spec export` writes: {why}")
    by_node = {}
    for operator, entries in mappings.of.items():
        for entry in entries:
            for name, _ in entry.nodes:
                by_node.setdefault(name, []).append((operator, entry))
    files, counts = {}, Counter()
    for name, proto, inputs, outputs in tests(by_node):
        if not fnmatch.fnmatchcase(name, arguments.only):
            continue
        found, reasons = [], {}
        for operator, entry in by_node[proto.graph.node[0].op_type]:
            try:
                search = Search(mappings, operator, entry, Vector(name, proto, inputs, outputs))
                desc, tensors, equal = search.found()
                found.append((operator, written(search, name, desc, tensors)))
                counts["equal" if equal else "alike"] += 1
            except NotExpressible as why:
                reasons[operator] = str(why)
        for operator, why in reasons.items() if not found else ():
            known.add(name, operator, why)
            counts["none"] += 1
            found.append((operator, {"name": name, "not_expressible": why}))
        for operator, case in found:
            files.setdefault(operator, []).append(case)
    for operator, cases in files.items():
        document = {"operator": operator, "judge": f"onnx {onnx.__version__}", "cases": cases}
        folder.joinpath(f"{operator.lower()}.json").write_text(json.dumps(document), encoding="utf-8")
    print(f"{counts['equal']} vectors by descriptors that map to the test's node, {counts['alike']} by ones that map to "
          f"a node which computes the same, {counts['none']} not expressible")
    wrong = known.wrong()
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
