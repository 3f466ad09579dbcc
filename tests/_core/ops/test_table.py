"""The operator table is complete: every operator has a doc line, and samples that exercise it."""

from __future__ import annotations

import inspect
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from itertools import chain

import numpy as np
import pytest

from gluon import autograd, nd
from gluon._core.engine import call
from gluon._core.engine.array import Array
from gluon._core.engine.node import Node
from gluon._core.engine.op import TABLE
from gluon._core.kernels import elementwise
from tests._core.ops.calls import arrays, run
from tests._core.ops.sample import Sample
from tests._core.ops.samples import SAMPLES
from tests._core.ops.test_samples import Smooth, is_smooth
from tests.each import each

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


class Calls:
    """A profiler that collects the names of all operators called."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def __call__(self, frame, event, _) -> None:
        code = frame.f_code
        if event == "call" and code.co_name == "call" and code.co_filename == call.__file__:
            seen = frame.f_locals
            if op := seen.get("op") or seen.get("fixed"):
                self.names.add(op.name)

    def __enter__(self) -> Calls:
        self.before = sys.getprofile()
        sys.setprofile(self)
        return self

    def __exit__(self, *exc: object) -> None:
        sys.setprofile(self.before)


def graph(arrays: list[Array]) -> Iterator[Node]:
    """Every node of the graph behind `arrays`."""
    seen: set[Node] = set()
    todo = [array._node for array in arrays]
    while todo:
        node = todo.pop()
        if node not in seen:
            seen.add(node)
            yield node
            todo += [edge for edge in node.edges or () if edge is not None]


def by_turns() -> list[Sample]:
    """Yield the first sample of each operator and option, then the second of each, and so on."""
    count = Counter[tuple]()
    turns = []
    for sample in SAMPLES:
        options = sample.op, *(one for one in sample.attrs.values() if isinstance(one, (str, bool)))
        turns.append(count[options])
        count[options] += 1
    return [SAMPLES[k] for k in sorted(range(len(turns)), key=turns.__getitem__)]


#: Those of sparse arrays have their own tests, in tests/nd/sparse/.
DENSE = [name for name, op in TABLE.items() if not op.takes_sparse]


def unexercised() -> set[str]:
    """The operators that no sample calls, or differentiates where they are differentiable."""
    missing = set(DENSE)
    constant = {name for name in TABLE if not TABLE[name].differentiable}
    for sample in by_turns():
        if not missing:
            break
        with Calls() if missing & constant else nullcontext() as calls:
            # What goes wrong in a sample, test_samples.py reports.
            with suppress(Exception), autograd.record(train_mode=sample.training):
                run(sample, arrays(sample.raws()))
            if is_smooth(sample):
                with suppress(Exception):
                    found = Smooth(sample).gradients(create_graph=True)
                    nodes = graph(list(chain.from_iterable(found)))
                    missing -= {node.op.name for node in nodes if hasattr(node, "op")} - constant
        missing -= constant & calls.names if calls else set()
    return missing


def test_every_operator_has_a_sample():
    does = {True: "differentiates", False: "calls"}
    assert [
        f"no sample in tests/_core/ops/samples/ {does[TABLE[name].differentiable]} {name}"
        for name in sorted(unexercised())
    ] == []


@each("name", TABLE)
def test_every_operator_has_one_line_of_doc(name):
    doc = TABLE[name].doc
    assert doc
    assert doc == " ".join(doc.split())


PUBLIC = sorted(
    name for name, value in vars(nd).items() if inspect.isfunction(value) and name[0] != "_"
)


@each("name", PUBLIC)
def test_every_public_function_has_a_docstring(name):
    assert inspect.getdoc(getattr(nd, name))


def test_the_profiler_and_the_walk_see_what_runs():
    x = nd.array([1.0, 2.0])
    x.attach_grad()
    with Calls() as calls, autograd.record():
        y = nd.exp(x + 1) > 1
        z = x.sin().sum()
    assert {"add", "exp", "greater", "sin", "sum"} <= calls.names
    assert "cos" not in calls.names
    assert y.shape == (2,)
    found = {node.op.name for node in graph([z]) if hasattr(node, "op")}
    assert found == {"sin", "sum", "variable"}


def test_elementwise_kernels_compute_no_float64_from_float32():
    """A factor such as ``np.log(2)`` is a float64, and makes all that follows one."""
    x, found = np.float32([[0.5, 0.25], [0.125, 0.75]]), {}
    for name, op in TABLE.items():
        own = getattr(op.fallback, "__module__", "") == elementwise.__name__
        if own or isinstance(op.fallback, np.ufunc):
            with suppress(TypeError):  # of integers only, or with attributes
                found[name] = op.fallback(*[x] * len(op.inputs)).dtype
    assert len(found) > 50
    assert [name for name, dtype in found.items() if dtype == "float64"] == []
