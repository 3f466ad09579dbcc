"""A Sphinx directive: a table of MXNet's operators, and their state in gluon.

Whether there is a gradient, and a gradient of the gradient, is found out by calling the operator
as its samples in ``tests/_core/ops/samples`` do; the notes are the reasons that the samples give.
"""

from __future__ import annotations

import json
import warnings
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList

from gluon import GluonError, autograd, nd, operator
from gluon.nd import absent
from tests._core.ops.calls import arrays, flatten, heads_of, run
from tests._core.ops.sample import Sample
from tests._core.ops.samples import SAMPLES

ROOT = Path(__file__).resolve().parent.parent
NAMES = json.loads((ROOT / "recorded" / "names.json").read_text())


def found(path: str) -> Any:
    """Return ``nd.<path>``, or None."""
    place: Any = nd
    for part in path.split("."):
        place = getattr(place, part, None)
    return place


#: Return the samples that call a function, under any of its names.
BY_FUNCTION: dict[Any, list[Sample]] = defaultdict(list)
for _sample in SAMPLES:
    BY_FUNCTION[found(_sample.op)].append(_sample)


class Square(operator.CustomOp):
    """The operator with which `Custom` is tested."""

    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], in_data[0] * in_data[0])

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], 2 * in_data[0] * out_grad[0])


@operator.register("operator_coverage_square")
class SquareProp(operator.CustomOpProp):
    def create_operator(self, ctx, in_shapes, in_dtypes):
        return Square()


#: Functions without samples, because they take functions or draw: how to call them.
CALLS: dict[Any, Callable] = {
    nd.Custom: lambda x: nd.Custom(x, op_type="operator_coverage_square"),
    nd.contrib.cond: lambda x: nd.contrib.cond(x.sum() > -9, lambda: x * x, lambda: x),
    nd.contrib.foreach: lambda x: nd.contrib.foreach(lambda row, _: (row * row, []), x, [])[0],
    nd.contrib.while_loop: lambda x: nd.contrib.while_loop(
        lambda y: y.sum() < 99, lambda y: (y * y, [y + 9]), [x], max_iterations=9
    )[0][0],
    nd.image.random_flip_left_right: nd.image.random_flip_left_right,
    nd.image.random_flip_top_bottom: nd.image.random_flip_top_bottom,
}


class Row(NamedTuple):
    """The information on one name."""

    name: str
    supported: str
    gradient: str = ""
    second: str = ""
    notes: str = ""


def rows(module: str) -> list[Row]:
    """Return one row for each of MXNet's names in `module`."""
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
    """Return the largest `order` of all samples, cached for all names of a function."""
    if call := CALLS.get(function):
        x = nd.array([[[1], [2]], [[3], [4]]])
        return order_of(lambda: [call(x)], [x], training=True)
    most = 0
    for sample in BY_FUNCTION[function]:
        most = max(most, order(sample))
        if most == 2:
            break
    return most


def order(sample: Sample) -> int:
    """Return how often the operator can be differentiated in `sample`: 0, 1, or 2 for any order."""
    raws = sample.raws()
    inputs = arrays(raws)
    return order_of(
        lambda: run(sample, inputs), flatten(sample, raws, inputs), training=sample.training
    )


def order_of(call: Callable, variables: list, *, training: bool) -> int:
    """Return how often the outputs of `call` can be differentiated by `variables`."""
    with warnings.catch_warnings():
        # Samples of integers are intended; dropping fractions would be a mistake only for users.
        warnings.filterwarnings("ignore", "attach_grad: an array of dtype", UserWarning)
        for x in variables:
            x.attach_grad()
    try:
        with autograd.record(train_mode=training):
            heads, cotangents = heads_of(call())
            for cotangent in cotangents:
                cotangent.attach_grad()
            if not heads:
                return 0
            found = autograd.grad(heads, variables, cotangents, create_graph=True)
    except GluonError:
        return 0
    return 2 if any(g._node.tapes for g in found) else 1


def table(found: list[Row]) -> list[str]:
    """Return the table in Markdown."""
    done = sum(row.supported == "yes" for row in found)
    head = ("Name", "Supported", "Gradient", "Second order", "Notes")
    cells = [head, ("---",) * len(head), *((f"`{row.name}`", *row[1:]) for row in found)]
    return [f"{done} of {len(found)} names.", "", *(f"| {' | '.join(row)} |" for row in cells)]


def parsed(directive: Directive, lines: list[str]) -> list:
    """The nodes of Markdown with tables, which `_static/site.css` fits to phones by their class."""
    node = nodes.Element()
    directive.state.nested_parse(StringList(lines, source=directive.name), 0, node)
    for one in node.findall(nodes.table):
        one["classes"].append("coverage")
    return node.children


class OperatorCoverage(Directive):
    """``operator-coverage`` with the name of a module: the table of its operators."""

    required_arguments = 1

    def run(self) -> list:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            lines = table(rows(self.arguments[0]))
        return parsed(self, lines)


def setup(app: Any) -> dict:
    app.add_directive("operator-coverage", OperatorCoverage)
    return {"parallel_read_safe": True}
