"""Which clauses a descriptor violates, by the specification that `dml-cts spec export --format json` writes.

The export holds each rule as a tree. A tree is compiled into a function of a `Case`; the functions are called in the
order of the export's `checks`. conformance/specification.schema.json describes both.
"""

import json
import operator as op
import struct
from functools import reduce


ROLES = ("input", "output")


class Undefined(Exception):
    """An expression has no value, such as an index out of range. A rule without a value does not hold."""


class Case:
    """What a rule is asked of: the fields of a descriptor, a level as a number, and the tensor of a tensor's clause."""

    def __init__(self, fields, level):
        self.fields, self.level, self.tensor, self.variables = fields, level, None, []


def require(condition, value=None):
    if not condition:
        raise Undefined
    return value


def given(value):
    return require(value is not None, value)


def whole(number):  # arithmetic is that of 128 bits
    return require(isinstance(number, float) or -(2**127) <= number < 2**127, number)


def unsigned(number):
    return require(0 <= number < 2**32, number)


def index(items, at):
    return items[require(0 <= at < len(items), at)]


def with_value(items, at, value):
    index(items, at)
    return [unsigned(value if d == at else item) for d, item in enumerate(items)]


def divide(a, b):
    require(b != 0)
    return a / b if isinstance(a, float) else whole(a // b)


def remainder(a, b):
    require(b != 0)
    return a % b


def divide_up(a, b):
    require(a >= 0 and b > 0)
    return -(-a // b)


def product(numbers):
    return reduce(lambda a, b: whole(a * b), numbers, 1)


def layout_strides(tensor):
    sizes, strides = tensor["Sizes"], tensor["Strides"]
    if strides is not None:
        return strides
    return [unsigned(reduce(op.mul, sizes[d + 1 :], 1)) for d in range(len(given(sizes)))]


def minimum_total_size(tensor, bits):
    sizes, strides = given(tensor["Sizes"]), tensor["Strides"]
    require(bits and all(sizes) and (strides is None or len(strides) == len(sizes)))
    if strides is None:
        elements = reduce(op.mul, sizes, 1)
    else:
        elements = 1 + sum((size - 1) * stride for size, stride in zip(sizes, strides))
    total = (elements * bits + 31) // 32 * 4
    return require(total < 2**64, total)


def level_number(text):
    major, minor = text.split(".")
    return int(major) << 12 | int(minor) << 8


# Operations and functions whose parts all have to have a value.
OPERATIONS = {
    "+": lambda a, b: whole(a + b), "-": lambda a, b: whole(a - b), "*": lambda a, b: whole(a * b), "/": divide,
    "%": remainder, "negate": lambda a: whole(-a), "not": op.not_,
    "==": op.eq, "!=": op.ne, "<": op.lt, "<=": op.le, ">": op.gt, ">=": op.ge,
    "index": index, "with": with_value, "in": lambda value, *members: value in members,
}
FUNCTIONS = {
    "has_sizes": lambda tensor: tensor["Sizes"] is not None,
    "has_strides": lambda tensor: tensor["Strides"] is not None,
    "count": len, "min": min, "max": max, "abs": lambda a: whole(abs(a)), "number": lambda a: a, "sum": sum,
    "product": product, "div_ceil": divide_up, "align_up": lambda a, b: whole(divide_up(a, b) * b),
    "is_power_of_two": lambda a: a > 0 and a & (a - 1) == 0, "contains": lambda items, item: item in items,
    "distinct": lambda items: len(set(items)) == len(items), "layout_strides": layout_strides,
    "unbound": lambda nested: all(n["Unbound"] for n in (nested if isinstance(nested, list) else [nested])),
}
FOLDS = {
    "all": all, "any": any, "product": product,
    "sum": lambda numbers: reduce(lambda a, b: whole(a + b), numbers, 0),
}


def count(case, start, end, body, fold):
    """Folds the values of a body over a range, which it sees as a variable."""
    require(end - start <= 4096)
    case.variables.append(start)

    def values():
        for case.variables[-1] in range(start, end):
            yield given(body(case))

    try:
        return fold(values())
    finally:
        case.variables.pop()


def strict(function, parts):
    """A function whose parts all have to have a value."""
    return lambda case: function(*[given(part(case)) for part in parts])


def holds(rule, case):
    try:
        return rule(case)
    except Undefined:
        return False


class Specification:
    """The constraints of the operators in an export."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        self.highest_level = max(document["levels"], key=level_number)
        types = document["data_types"]
        classes = {entry["value"]: entry["class"] for entry in types.values()}
        self.bits = {entry["value"]: entry["bits"] for entry in types.values()}
        self.enums = {name: entry["members"] for name, entry in document["enums"].items()}
        self.enums["DML_TENSOR_DATA_TYPE"] = {name: entry["value"] for name, entry in types.items()}
        self.flags = {name for name, entry in document["enums"].items() if entry["flags"]}
        self.functions = {
            **FUNCTIONS,
            "bits": lambda value: given(self.bits.get(value)),
            "is_float": lambda value: classes.get(value) == "float",
            "is_signed": lambda value: classes.get(value) == "signed",
            "is_unsigned": lambda value: classes.get(value) == "unsigned",
            "minimum_total_size": lambda tensor: minimum_total_size(tensor, self.bits.get(tensor["DataType"])),
        }
        self.operators = {entry["operator"]: entry for entry in document["operators"]}
        rules = {}
        for entry in self.operators.values():
            clauses = {clause["id"]: clause for clause in document["tensor_clauses"] + entry["clauses"]}
            for check in entry["checks"]:
                check["of"] = clauses[check["clause"]]
                if check["clause"] not in rules:
                    trees = check["of"]["trees"]
                    # What the runtimes demand, and whether that is about tensors that are not there as well.
                    tree = trees.get("runtime", trees.get("text"))
                    rules[check["clause"]] = self.compile(tree), '["call", "present", ["tensor"]]' in json.dumps(trees)
                check["rule"], check["of_absent"] = rules[check["clause"]]
            entry["groups"] = {name: self.compile(tree) for name, tree in entry["group_trees"].items()}

    def violated(self, operator, desc, feature_level):
        """Ids of the clauses and of the cells of tables that a descriptor violates at a level; none if it is valid."""
        entry = self.operators[operator]
        case = self.case(operator, desc, feature_level)
        violated, held, shapeless = [], [], set()
        for check in entry["checks"]:
            name, found = check.get("tensor"), {}
            for place, case.tensor in self.tensors(case, name).items():
                # What another check said of this tensor, or of every element of a tensor that the rule speaks of.
                ready = all(held[need][place] if name else all(held[need].values()) for need in check["needs"])
                is_absent = name and case.tensor is None and not check["of_absent"]
                found[place] = ready and (is_absent or holds(check["rule"], case))
                if ready and not found[place]:
                    violated.append(check["clause"])
                if not found[place] and check["of"].get("structural"):
                    shapeless.add((name, place))
            held.append(found)
        return list(dict.fromkeys(violated + self.unsupported(entry, case, shapeless)))

    def case(self, operator, desc, feature_level="0.0"):
        """What expressions about a descriptor are asked of."""
        fields = self.operators[operator]["fields"]
        values = {field["name"]: self.value(field["kind"], desc[field["name"]]) for field in fields}
        return Case(values, level_number(feature_level))

    def unsupported(self, entry, case, shapeless):
        """Cells of the table of the level that forbid a tensor, if it has a shape."""
        tables = [table for table in entry["support"] if level_number(table["level"]) <= case.level]
        cells, types = [], self.enums["DML_TENSOR_DATA_TYPE"]
        if case.level < level_number(entry["introduced"]) or (entry["support"] and not tables):
            cells.append(f"{entry['operator']}/introduced")
        groups = [name for name, condition in entry["groups"].items() if holds(condition, case)]
        group = "" if not entry["groups"] else groups[0] if groups else None
        for row in tables[-1]["rows"] if tables else []:
            if row.get("group", "") != group:
                continue
            place = "/".join(filter(None, (entry["operator"], tables[-1]["level"], group, row["tensor"])))
            for at, tensor in self.tensors(case, row["tensor"]).items():
                if tensor is None or (row["tensor"], at) in shapeless:
                    continue
                least, most = row["dimensions"]
                named = [name for name, value in types.items() if value == tensor["DataType"]]
                cells += [f"{place}/{name}" for name in named if name not in row["types"]]
                if not least <= tensor["DimensionCount"] <= most:
                    cells.append(f"{place}/{tensor['DimensionCount']}-D")
        return cells

    @staticmethod
    def tensors(case, name):
        """The tensors of a field by their places: one, perhaps absent, or those of an array."""
        value = case.fields[name] if name else None
        return dict(enumerate(value)) if isinstance(value, list) else {None: value}

    def value(self, kind, value):
        """The value of a field as rules read it: names are numbers, a size is a list."""
        if value is None or kind == "SCALAR":
            return None
        if isinstance(value, list):
            return [self.value(kind.removesuffix(" array"), item) for item in value]
        if kind.startswith(ROLES):
            return {
                "Type": 1,
                **value,
                "DataType": self.value("DML_TENSOR_DATA_TYPE", value["DataType"]),
                "DimensionCount": len(value["Sizes"] or []),
                "TotalTensorSizeInBytes": int(value["TotalTensorSizeInBytes"]),
            }
        if kind.startswith("OPERATOR"):
            fields = [field for field in self.operators[value["Type"]]["fields"] if field["kind"].startswith(ROLES)]
            unbound = all(value["Desc"].get(field["name"]) is None for field in fields)
            return {"Type": self.value("DML_OPERATOR_TYPE", f"DML_OPERATOR_{value['Type']}"), "Unbound": unbound}
        if kind.startswith("FLOAT"):  # one that is no finite number is the string of its bits
            return struct.unpack(">f", bytes.fromhex(value[2:]))[0] if isinstance(value, str) else float(value)
        if kind == "SCALE_BIAS":
            return {part: self.value("FLOAT", value[part]) for part in ("Scale", "Bias")}
        if kind == "SIZE_2D":
            return [value["Width"], value["Height"]]
        if kind == "BOOL":
            return bool(value)
        return self.enums.get(kind, {}).get(value, value)

    def compile(self, tree, element=unsigned):
        """The function of a case that a tree stands for. `element` lets numbers into built lists: `unsigned` in rules."""
        if not isinstance(tree, list):
            constant = int(tree) if isinstance(tree, str) else tree
            return lambda case: constant
        word, *parts = tree
        if word == "level":
            return lambda case: case.level
        if word == "tensor":
            return lambda case: case.tensor
        if word == "field":
            return lambda case: case.fields[parts[0]]
        if word == "variable":
            return lambda case: case.variables[parts[0]]

        def compiled(part):
            return self.compile(part, element)

        if word == "call" and parts[0] == "is_known":
            return strict(self.is_known(parts[2]), [compiled(parts[1])])
        if word == "call" and parts[0] != "present":
            return strict(self.functions[parts[0]], [compiled(part) for part in parts[1:]])
        if word == "list":
            return strict(lambda *items: [element(item) for item in items], [compiled(part) for part in parts])
        if word in OPERATIONS:
            return strict(OPERATIONS[word], [compiled(part) for part in parts])
        first, second, *rest = [part if isinstance(part, str) else compiled(part) for part in parts]
        if word == "call":
            return lambda case: second(case) is not None
        if word == "property":
            return lambda case: given(first(case))[second]
        if word == "and":
            return lambda case: given(first(case)) and given(second(case))
        if word == "or":
            return lambda case: given(first(case)) or given(second(case))
        if word == "implies":
            return lambda case: not given(first(case)) or given(second(case))
        if word == "if":
            return lambda case: (second if given(first(case)) else rest[0])(case)
        if word == "for":
            end, body = rest
            fold = FOLDS.get(first, lambda numbers: [element(number) for number in numbers])
            return lambda case: count(case, given(second(case)), given(end(case)), body, fold)
        raise ValueError(f"unknown operation `{word}`")

    def is_known(self, enum):
        members = set(self.enums[enum].values())
        if enum not in self.flags:
            return lambda value: value in members
        return lambda value: value >= 0 and value & ~reduce(op.or_, members, 0) == 0
