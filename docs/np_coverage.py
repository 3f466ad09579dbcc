"""A Sphinx directive: the names of NumPy, `mx.np` and the array API standard in `gluon.np`.

Whether there is a gradient, and a gradient of the gradient, is found out by differentiating the
calls that the tests of `gluon.np` make; the notes are the reasons that errors give.
"""

from __future__ import annotations

import json
import re
import warnings
from collections import defaultdict
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy
import operator_coverage
from docutils.parsers.rst import Directive
from operator_coverage import Row, parsed, table

import gluon
from gluon import GluonError, autograd, nd, np, npx
from gluon.nd import absent as nd_absent
from gluon.np import absent
from tests.np import calls, npx_programs, programs

REFERENCE = Path(__file__).resolve().parent.parent / "recorded"
MXNET = json.loads((REFERENCE / "np_names.json").read_text())
STANDARD = json.loads((REFERENCE / "array_api.json").read_text())
REASONS = {**nd_absent.REASONS, **absent.REASONS}
#: The lists: the module of gluon, and the names to look up there.
LISTS = {
    "numpy": ("np", [name for name in numpy.__all__ if name[0] != "_"]),
    "numpy.linalg": ("np.linalg", numpy.linalg.__all__),
    "standard": ("np", STANDARD["names"]),
    "standard.linalg": ("np.linalg", STANDARD["linalg"]),
    **{f"mx.{module}": (module, list(names)) for module, names in MXNET.items()},
}
#: The calls of each function in the tests.
CALLS: dict[str, list[str]] = defaultdict(list)
for _group in (programs.GROUPS, npx_programs.GROUPS, calls.SLOPES, calls.SAME):
    for _text in (text for texts in _group.values() for text in texts):
        for _name in re.findall(r"\b(npx?(?:\.[a-z]+)?\.\w+)\(", _text)[:2]:
            CALLS[_name].append(_text)
#: Random calls, and those without a reference in MXNet.
CALLS["npx.rnn"] = [
    "npx.rnn(c, np.resize(v, 24), np.zeros((1, 2, 3)), state_size=3, num_layers=1, mode='rnn_tanh')"
]
for _name in MXNET["np.random"]:
    CALLS[f"np.random.{_name}"] += [f"np.random.{_name}(x, y)", f"np.random.{_name}(y)"]


def rows(listed: str) -> list[Row]:
    """Return one row for each name of a list."""
    module, names = LISTS[listed]
    return [row(module, name) for name in sorted(set(names), key=str.lower)]


def row(module: str, name: str) -> Row:
    path = f"{module}.{name}"
    try:
        value = attrgetter(path)(gluon)
    except AttributeError:
        return Row(name, "no", notes=REASONS.get(path, ""))
    depth = deepest(value, path) if callable(value) and not isinstance(value, type) else 0
    return Row(name, "yes", *("yes" if depth > k else "" for k in range(2)))


@cache
def others(value: Any) -> list[str]:
    """Return all names under which the tests may call a function."""
    found = []
    for path in CALLS:
        try:
            is_it = attrgetter(path)(gluon) is value
        except AttributeError:
            continue
        if is_it:
            found.append(path)
    return found


@cache
def deepest(value: Any, path: str) -> int:
    """Return how often a function can be differentiated: 0, 1, or 2 for any order."""
    if value in operator_coverage.BY_FUNCTION:  # a function of `nd`, which has samples
        return operator_coverage.deepest(value)
    most = 0
    for text in [text for name in others(value) for text in CALLS[name]][:24]:
        most = max(most, order(text))
        if most == 2:
            break
    return most


def given() -> dict[str, Any]:
    """Return the arrays of the calls, with floating ones marked as variables."""
    found = {}
    for name, raw in {**programs.raws(), **calls.arrays()}.items():
        found[name] = np.array(raw, dtype=raw.dtype)
        if raw.dtype.kind == "f":
            found[name].attach_grad()
    return found


def order(text: str) -> int:
    """Return how often a call can be differentiated."""
    arrays = given()
    variables = [x for x in arrays.values() if x.grad is not None]
    try:
        with autograd.record():
            result = eval(text, {"np": np, "npx": npx, "onp": numpy, **arrays})
            heads = [y for y in leaves(result) if y._node.tapes and y.size]
            variables = [x for x in variables if any(x._node is not y._node for y in heads)]
            if not heads:
                return 0
            weights = [np.ones(y.shape, dtype=y.dtype) for y in heads]
            for weight in weights:
                weight.attach_grad()
            reached = []
            for x in variables:
                try:
                    reached += autograd.grad(
                        heads, [x], weights, retain_graph=True, create_graph=True
                    )
                except GluonError:  # the call does not accept this array
                    continue
    except (GluonError, TypeError, ValueError, AttributeError):
        return 0
    if not reached:
        return 0
    return 2 if any(y._node.tapes for y in reached) else 1


def leaves(result: Any) -> list[Any]:
    """Return the floating arrays in a result."""
    if isinstance(result, (tuple, list)):
        return [y for one in result for y in leaves(one)]
    is_float = isinstance(result, nd.NDArray) and numpy.dtype(result.dtype).kind == "f"
    return [result] if is_float else []


class NumpyCoverage(Directive):
    """``np-coverage`` with the name of a list: the table of its names."""

    required_arguments = 1

    def run(self) -> list:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            lines = table(rows(self.arguments[0]))
        return parsed(self, lines)


def setup(app: Any) -> dict:
    app.add_directive("np-coverage", NumpyCoverage)
    return {"parallel_read_safe": True}
