"""The nodes of ONNX that descriptors are, by the `onnx` of the specification that `dml-cts spec export` writes.

A node has its inputs, as arrays, and its attributes under ONNX's names. `model` makes a model of it that any runtime
takes.
"""

from dataclasses import dataclass
from difflib import get_close_matches
from math import prod

import numpy as np
import onnx
from onnx import helper

from dml_arrays import DTYPES
from dml_rules import Undefined, holds, whole

IR_VERSION = 10


class NotApplicable(Exception):
    """No node computes what a descriptor says, or takes its numbers."""


class UnknownName(ValueError):
    """The specification names something that ONNX does not have."""


class Mismatch(NotApplicable):
    """The specification names a node that it says no inputs of: a mistake of its `onnx`, if the descriptor is legal."""


@dataclass
class Node:
    """A node: inputs and attributes by their names, None for an absent one, several tensors as a list; the names of its
    outputs, and the tensors that receive them."""

    name: str
    inputs: dict
    attributes: dict
    outputs: dict


class Mapping:
    """An entry of `onnx`: nodes that take the same inputs, outputs and attributes."""

    def __init__(self, specification, entry, tensors):
        def compiled(tree):
            return specification.compile(tree, whole)  # lists of ONNX may hold negative numbers

        def tensor(tree):
            return tree[1] if isinstance(tree, list) and tree[0] == "field" and tree[1] in tensors else None

        self.nodes = [(name, compiled(when)) for name, when in entry["nodes"]]
        self.inputs = {
            name: {"tensor": tensor(part["value"]), **{key: compiled(tree) for key, tree in part.items()}}
            for name, part in entry["inputs"].items()
        }
        self.attributes = {name: (part["type"], compiled(part["value"])) for name, part in entry["attributes"].items()}
        self.outputs = entry["outputs"]
        self.fields = {name: compiled(tree) for name, tree in entry["fields"].items()}
        for name, _ in self.nodes:
            self.check_names(name)

    def check_names(self, node):
        """Refuses names that ONNX does not have."""
        try:
            newest = schema(node)
        except onnx.defs.SchemaError:
            names = sorted({one.name for one in onnx.defs.get_all_schemas() if not one.domain})
            near = get_close_matches(node, names, 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise UnknownName(f"ONNX has no operator {node}{hint}") from None
        known = {
            "input": [formal.name for formal in newest.inputs],
            "output": [formal.name for formal in newest.outputs],
            "attribute": list(newest.attributes),
        }
        for what, names in (("input", self.inputs), ("output", self.outputs), ("attribute", self.attributes)):
            for name in names:
                if name not in known[what]:
                    raise UnknownName(f"{node} of ONNX has no {what} `{name}`; known are {', '.join(known[what])}")


class Mappings:
    """The `onnx` of all operators."""

    def __init__(self, specification):
        self.specification = specification
        self.dtypes = {specification.enums["DML_TENSOR_DATA_TYPE"][name]: dtype for name, dtype in DTYPES.items()}
        self.of = {}
        for name, entry in specification.operators.items():
            tensors = {part["name"] for part in entry["fields"] if part["kind"].startswith(("input", "output"))}
            try:
                self.of[name] = [Mapping(specification, part, tensors) for part in entry["onnx"]]
            except UnknownName as why:
                raise UnknownName(f"`onnx` of {name}: {why}") from None

    def node(self, operator, desc, tensors):
        """The node that a descriptor is. `tensors` has an array for each input tensor, a list for an array of them."""
        case = self.specification.case(operator, desc)
        for mapping in self.of[operator]:
            for name, when in mapping.nodes:
                if holds(when, case):
                    return self.evaluated(name, mapping, case, tensors)
        raise NotApplicable

    def evaluated(self, name, mapping, case, tensors):
        try:
            inputs = {
                key: self.tensor(part, case, tensors.get(part["tensor"])) if part["tensor"] else self.constant(part, case)
                for key, part in mapping.inputs.items()
            }
            attributes = {key: self.attribute(of, value(case)) for key, (of, value) in mapping.attributes.items()}
        except Undefined:
            raise Mismatch(f"an expression of {name} has no value") from None
        return Node(name, inputs, attributes, mapping.outputs)

    def tensor(self, part, case, array):
        if array is None or isinstance(array, list):
            return array
        dtype = self.dtypes[part["type"](case)] if "type" in part else array.dtype
        sizes = part["sizes"](case) if "sizes" in part else array.shape
        if prod(sizes) != array.size:
            raise Mismatch(f"{array.size} elements do not fit the sizes {sizes}")
        return converted(np.ascontiguousarray(array), dtype).reshape(sizes)

    def constant(self, part, case):
        """A number or a list; null is an input that is not there."""
        value = part["value"](case)
        if value is None:
            return None
        numbers = np.asarray(value, np.float64 if isinstance(value, float) else object)
        default = np.float32 if numbers.dtype == np.float64 else np.int64
        dtype = self.dtypes[part["type"](case)] if "type" in part else np.dtype(default)
        if dtype.kind == "f":
            return numbers.astype(dtype)
        try:
            return np.array([int(number) for number in numbers.flat], dtype).reshape(numbers.shape)
        except (OverflowError, ValueError):
            raise NotApplicable from None

    def attribute(self, of, value):
        if value is None:
            return None
        if of == "DATA_TYPE":
            return helper.np_dtype_to_tensor_dtype(self.dtypes[value])
        if of == "FLOAT":
            return float(np.float32(value))
        return int(value) if of == "INT" else list(value)


def converted(array, dtype):
    """The same elements in another type, if it has them."""
    found = array.astype(dtype)
    if found.dtype != array.dtype and not np.array_equal(found, array):
        raise NotApplicable
    return found


def schema(name, opset=None):
    return onnx.defs.get_schema(name, opset, "") if opset else onnx.defs.get_schema(name)


def flat(node, opset):
    """The arrays of a node's inputs in ONNX's order, None for one that is not there."""
    arrays = []
    for formal in schema(node.name, opset).inputs:
        array = node.inputs.get(formal.name)
        arrays += array if isinstance(array, list) else [array]
    while arrays and arrays[-1] is None:
        arrays.pop()
    return arrays


def model(node, opset):
    """A model of the node alone, whose inputs are named by their places, and its outputs by their names."""
    arrays = flat(node, opset)
    names = [f"{at}" if array is not None else "" for at, array in enumerate(arrays)]
    formals = [formal.name for formal in schema(node.name, opset).outputs]
    formals = formals[: 1 + max(formals.index(name) for name in node.outputs)]
    outputs = [name if name in node.outputs else "" for name in formals]
    attributes = {name: value for name, value in node.attributes.items() if value is not None}
    inputs = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), [None] * array.ndim)
        for name, array in zip(names, arrays)
        if name
    ]
    graph = helper.make_graph(
        [helper.make_node(node.name, names, outputs, **attributes)],
        "node", inputs, [helper.make_empty_tensor_value_info(name) for name in outputs if name],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=IR_VERSION)


def feeds(node, opset):
    """The inputs of the model of a node, by their names there."""
    return {f"{at}": array for at, array in enumerate(flat(node, opset)) if array is not None}
