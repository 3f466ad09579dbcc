"""Samples of every operator in a jitted step: what they give without, also for other data."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import gluon
from gluon import autograd, nd
from gluon._core.instruments import base
from gluon._core.program.trace import TRACER
from recorded.make import as_list
from tests._core.ops.calls import arrays, flatten, heads_of, run
from tests._core.ops.sample import Sample, few_alike, make
from tests._core.ops.samples import SAMPLES
from tests._core.ops.test_samples import works
from tests.each import each

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::UserWarning")


def taken(sample: Sample) -> bool:
    return works(sample) and not sample.out


def drawn(sample: Sample, k: int) -> list:
    """The inputs of call number `k`: other values of the same kinds."""
    return [
        make(value, f"{sample.op} {place}{' again' * k}")
        for place, value in enumerate(sample.inputs)
    ]


def step_of(sample: Sample, raws: list, order: int):
    """The call, its gradients and, with order 2, those of a sum of the first."""

    def step(inputs: list) -> tuple:
        wanted = flatten(sample, raws, inputs)
        if not order or not wanted:
            return [nd.NDArray.copy(y) for y in run(sample, inputs)], []
        with autograd.record(sample.training):
            outputs = run(sample, inputs)
            heads, cotangents = heads_of(outputs)
            if order == 2 and heads:
                total = sum(nd.sum(y * g) for y, g in zip(heads, cotangents))
                grads = autograd.grad(total, wanted, create_graph=True)
                heads, cotangents = [sum(nd.sum(g * g) for g in grads)], [None]
        if heads:
            autograd.backward(heads, cotangents)
        return [nd.NDArray.copy(y) for y in outputs], []

    return step


def called(step, sample: Sample, raws: list, seed: int) -> list:
    """What a call gives: raw results, gradients and the arrays that it may write to."""
    inputs = arrays(raws)
    wanted = flatten(sample, raws, inputs)
    for x in wanted:
        x.attach_grad()
    gluon.random.seed(seed)
    try:
        outputs, _ = step(inputs)
    except Exception as error:
        return [type(error)]
    written = [x for one in inputs for x in as_list(one) if isinstance(x, nd.NDArray)]
    return [x.asnumpy() for x in [*outputs, *[x.grad for x in wanted], *written]]


def assert_same(found: list, right: list) -> None:
    assert len(found) == len(right)
    for one, two in zip(found, right):
        if isinstance(one, type) or isinstance(two, type):
            assert one is two
            continue
        assert one.shape == two.shape
        assert one.dtype == two.dtype
        rtol = 1e-2 if one.itemsize == 2 else 1e-5 if one.dtype == np.float32 else 1e-9
        scale = np.abs(two[np.isfinite(two)]).max(initial=0) if two.dtype.kind == "f" else 0
        # Sums in another order differ in the last digits of their terms, which may cancel: the
        # terms are of the order of 1.
        np.testing.assert_allclose(one, two, rtol, rtol * max(scale, 0.1))


#: One sample of each operator, which is called in all orders, and with other data twice.
FIRST = {*{sample.op: id(sample) for sample in filter(taken, SAMPLES[::-1])}.values()}
CHOSEN = few_alike(
    filter(taken, SAMPLES), first=1, arguments=lambda one: str(one).removeprefix(one.op)
)


@pytest.fixture
def tracer() -> Iterator[None]:
    """Keep there what each trace puts around all operators: that takes a quarter of its time."""
    base.switch_on(TRACER)
    yield
    base.switch_off(TRACER)


@pytest.mark.usefixtures("tracer")
@pytest.mark.parametrize("order", [0, 1, 2])
@each("sample", CHOSEN, by=lambda one: one.op, few=1, together=8)
def test_a_jitted_call_gives_what_the_call_gives(sample, order):
    raws = drawn(sample, 0)
    is_differentiable = bool(flatten(sample, raws, arrays(raws)))
    if bool(order) != is_differentiable and id(sample) not in FIRST:
        return  # with a gradient, order 1 has the call too; without one, all are the same
    step = step_of(sample, raws, order)
    jitted = gluon.jit(step)
    others = (1, 2) if id(sample) in FIRST else (1,)
    for k, times in ((0, 3), *((k, 1) for k in others)):
        given = drawn(sample, k)
        right = called(step, sample, given, k)
        for _ in range(times):
            assert_same(called(jitted, sample, given, k), right)
