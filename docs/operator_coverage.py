"""A directive for Sphinx: a table of MXNet's operators, and what gluon makes of each.

Whether there is a gradient, and a gradient of the gradient, is found out by calling the operator
as its samples in ``tests/ops/samples`` do; the notes are the reasons that the samples give.
"""

from __future__ import annotations

import json
import warnings
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from docutils.nodes import Element
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList

from gluon import GluonError, autograd, nd
from gluon.nd import absent
from tests.ops.calls import arrays, flatten, heads_of, run
from tests.ops.sample import Sample
from tests.ops.samples import SAMPLES

ROOT = Path(__file__).resolve().parent.parent
NAMES = json.loads((ROOT / "tests" / "reference" / "names.json").read_text())


def found(path: str) -> Any:
    """``nd.<path>``, or None."""
    place: Any = nd
    for part in path.split("."):
        place = getattr(place, part, None)
    return place


#: The samples that call a function, under whichever of its names.
BY_FUNCTION: dict[Any, list[Sample]] = defaultdict(list)
for _sample in SAMPLES:
    BY_FUNCTION[found(_sample.op)].append(_sample)


class Row(NamedTuple):
    """What is known about one name."""

    name: str
    supported: str
    gradient: str = ""
    second: str = ""
    notes: str = ""


def rows(module: str) -> list[Row]:
    """One row for each of MXNet's names in `module`."""
    wanted = [name for name in NAMES[module] if name != "NDArray"]
    return [row(module, name) for name in sorted(wanted, key=str.lower)]


def row(module: str, name: str) -> Row:
    if reason := absent.REASONS.get(f"{module}.{name}"):
        return Row(name, "no", notes=reason)
    function = found(f"{module}.{name}".removeprefix("nd."))
    if function is None:
        return Row(name, "not yet")
    samples = BY_FUNCTION[function]
    depth = deepest(function)
    notes = {one.differs or one.differs_grad for one in samples} - {""}
    own = ["a gradient of its own"] if any(one.own for one in samples) else []
    gradient, second = ("yes" if depth > k else "" for k in range(2))
    return Row(name, "yes", gradient, second, "; ".join(own + sorted(notes)))


@cache
def deepest(function: Any) -> int:
    """The largest `order` of all samples, found once for all names of a function."""
    most = 0
    for sample in BY_FUNCTION[function]:
        most = max(most, order(sample))
        if most == 2:
            break
    return most


def order(sample: Sample) -> int:
    """How often the operator can be differentiated as `sample` calls it: 0, 1, or 2 for ever."""
    raws = sample.raws()
    inputs = arrays(raws)
    variables = flatten(sample, raws, inputs)
    for x in variables:
        x.attach_grad()
    try:
        with autograd.record(train_mode=sample.training):
            heads, cotangents = heads_of(run(sample, inputs))
            for cotangent in cotangents:
                cotangent.attach_grad()
            if not heads:
                return 0
            found = autograd.grad(heads, variables, cotangents, create_graph=True)
    except GluonError:
        return 0
    return 2 if any(g._node.tapes for g in found) else 1


def table(found: list[Row]) -> list[str]:
    """`found` in Markdown."""
    done = sum(row.supported == "yes" for row in found)
    head = ("Name", "Supported", "Gradient", "Second order", "Notes")
    cells = [head, ("---",) * len(head), *((f"`{row.name}`", *row[1:]) for row in found)]
    return [f"{done} of {len(found)} names.", "", *(f"| {' | '.join(row)} |" for row in cells)]


class OperatorCoverage(Directive):
    """``operator-coverage`` with the name of a module: the table of its operators."""

    required_arguments = 1

    def run(self) -> list:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            lines = table(rows(self.arguments[0]))
        node = Element()
        self.state.nested_parse(StringList(lines, source="operator-coverage"), 0, node)
        return node.children


def setup(app: Any) -> dict:
    app.add_directive("operator-coverage", OperatorCoverage)
    return {"parallel_read_safe": True}
