"""Operator samples as functions of the arrays that can be differentiated."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from gluon import autograd, nd
from gluon._core.engine.array import alias
from gluon._core.engine.mode import mode, under
from gluon._core.engine.tape import Tape
from gluon._core.transforms.crossing import variable
from gluon.autograd.arguments import Inputs
from gluon.autograd.point import Point, pull
from gluon.nd import NDArray
from gluon.random import seed
from recorded.make import as_list
from tests._core.ops.calls import arrays, floating, run
from tests._core.ops.sample import Sample, few_alike, is_floating
from tests._core.ops.samples import SAMPLES
from tests._core.ops.test_samples import FEW
from tests.each import each


def form(value: Any) -> Any:
    """An input without its dtype of floats: a `Case` computes in float64."""
    if isinstance(value, (list, tuple)):
        return tuple(map(form, value))
    return re.sub(r" float(16|32|64)$", "", str(value))


def kind(sample: Sample) -> tuple:
    """What samples share that are the same in float64."""
    attributes = sorted((name, str(value)) for name, value in sample.attrs.items())
    how = (sample.wrt, sample.training, sample.kink, sample.writes, sample.out)
    return (sample.op, form(sample.inputs), str(attributes), how)


def each_kind(keep: Callable[[Sample], bool]) -> Callable:
    """Run a test with the first samples of each kind for which `keep` holds; see `few_alike`."""
    first: dict[tuple, Sample] = {}
    for sample in filter(keep, SAMPLES):
        first.setdefault(kind(sample), sample)
    chosen = few_alike(first.values(), FEW, arguments=lambda one: kind(one)[1:])
    return each("sample", chosen, by=lambda one: one.op, few=FEW, together=8)


def by_two_pulls(function: Any, x: Any, v: Any) -> tuple[Any, Any]:
    """Value and Jacobian-vector product in reverse mode: the transpose of the transpose."""
    outer = Tape(mode().tapes)
    before = mode()
    recorded = before.recorded_by((*before.tapes, outer))

    def pulled() -> tuple[Any, list[Any], Any]:
        with Point(Inputs("jvp", x)) as point:
            value = point.call(function)
            zeros = [variable(nd.zeros_like(y), outer) for y in value]
            return value, zeros, point.pull(list(value), zeros)

    value, zeros, products = under(recorded, pulled)
    found = pull(outer, list(products), list(v), zeros)
    outer.open = False
    return value, found


class Case:
    """A sample in float64, as a function ``f(*variables)`` of a tuple of arrays."""

    def __init__(self, sample: Sample) -> None:
        self.sample = sample
        raws = [
            [one.astype("float64") if is_floating(one) else one for one in raw]
            if isinstance(raw, list)
            else raw.astype("float64")
            if is_floating(raw)
            else raw
            for raw in sample.raws()
        ]
        self.inputs = arrays(raws)
        self.places = sample.variables(raws)
        self.variables = [x for k in self.places for x in as_list(self.inputs[k])]
        self.heads = self._heads()

    def _heads(self) -> list[int]:
        """Which outputs have a derivative."""
        for x in self.variables:
            x.attach_grad()
        with autograd.record(train_mode=self.sample.training):
            outputs = self.outputs(self.variables)
        for x in self.variables:
            x.attach_grad("null")
        return [k for k, y in floating(outputs) if y._node.tapes]

    def outputs(self, variables: Any) -> list[Any]:
        seed(3)
        left = iter(variables)
        inputs: list[Any] = []
        for k, x in enumerate(self.inputs):
            if k in self.places:
                inputs.append([next(left) for _ in x] if isinstance(x, list) else next(left))
            else:
                inputs.append(
                    [alias(one) for one in x]
                    if isinstance(x, list)
                    else alias(x)
                    if isinstance(x, NDArray)
                    else x
                )
        with autograd.train_mode() if self.sample.training else autograd.predict_mode():
            return run(self.sample, inputs)

    def __call__(self, *variables: Any) -> tuple[Any, ...]:
        found = self.outputs(variables)
        return tuple([found[k] for k in self.heads])

    def direction(self, k: int) -> tuple[Any, ...]:
        """An array like each variable."""
        rng = np.random.RandomState(k)
        symmetric = any(kind in str(self.sample.inputs) for kind in (" spd", " symmetric"))
        found = []
        for x in self.variables:
            v = np.asarray(rng.normal(size=x.shape))
            v = (v + np.swapaxes(v, -1, -2)) / 2 if symmetric and x.ndim > 1 else v
            found.append(arrays([v.astype(x.dtype)])[0])
        return tuple(found)
