"""Speaks protocol 1 of dml-cts: one JSON object a line, requests on standard input, answers on standard output.

A program serves functions `execute(request)` for operators. They answer with the outputs as base64, by their names, or
raise `Skipped` with the reason why they do not do this. Which descriptors are valid is decided before, by a
specification that `--spec FILE` names; without it the file `specification.json` beside the program is read.
"""

import argparse
import json
import os
import sys
from pathlib import Path

from dml_rules import Specification

BESIDE = Path(__file__).with_name("specification.json")


class Skipped(Exception):
    """The kernel does not do this; the message says why. The same words every time: reports count them."""


def answer(specification, operators, request):
    """What to say to a request."""
    broken = specification.violated(request["operator"], request["desc"], request["feature_level"])
    if broken:
        return {"type": "rejected", "clauses": broken}
    if request["type"] == "create":
        return {"type": "created"}
    try:
        return {"type": "executed", "outputs": operators[request["operator"]](request)}
    except Skipped as why:
        return {"type": "skipped", "reason": str(why)}


def read_specification():
    """The specification, or what to answer if there is none."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--spec", metavar="FILE", default=BESIDE, help="what `dml-cts spec export` wrote")
    path = os.path.abspath(parser.parse_args().spec)
    try:
        return Specification(path), None
    except (OSError, KeyError, ValueError) as error:
        return None, {
            "type": "unavailable",
            "reason": f"the program cannot read the specification: {type(error).__name__}: {error}",
            "remedy": f"dml-cts spec export --format json --out '{path}'",
        }


def serve(name, version, operators, feature_level="5.0", can=("create", "execute")):
    """Answers requests until there are no more. `operators` has a function for each operator's name, or is a function of
    the specification that makes this. A program whose kernels may find an output in the memory of an input adds
    `in-place` to what it `can`; one without functions leaves `execute` out, and judges the descriptors of all operators
    if `operators` is None."""
    # Libraries print: what they print must not end up among the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    specification, unavailable = read_specification()
    if callable(operators):
        operators = {} if unavailable else operators(specification)
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if request["type"] == "bye":
            break
        if request["type"] == "hello":
            reply = unavailable or {
                "type": "hello", "protocol": 1, "name": name, "version": version,
                "operators": list(operators or specification.operators), "feature_level": feature_level,
                "levels": "strict", "can": list(can),
            }
        else:
            try:
                reply = {"id": request["id"], **answer(specification, operators, request)}
            except Exception as error:
                reply = {"type": "error", "id": request["id"], "message": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(reply) + "\n")
        answers.flush()
