"""Random programs with checkpoints give the same results as with plain calls."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gluon import autograd, nd, random
from gluon.autodiff import GradManager

STEPS = [
    lambda a, b: nd.tanh(a * b),
    lambda a, b: a + nd.sin(b),
    lambda a, b: nd.exp(-a * a) * b,
    lambda a, b: a[::-1] * b,
    lambda a, b: nd.Dropout(a, 0.3) - b,
]


def drawn(rng: Random, depth: int) -> Callable:
    """``f(call, values, params)``: `values` with what a drawn program computes from both.

    Some steps are programs of their own, which `call` runs on one or two arrays; these capture
    the first of the values besides.
    """
    plan = []
    for _ in range(rng.randint(3, 6)):
        nested = depth > 0 and rng.random() < 0.5
        step = drawn(rng, depth - 1) if nested else rng.choice(STEPS)
        plan.append((step, nested, rng.randrange(99), rng.randrange(99), rng.random() < 0.3))

    def run(call: Callable, values: list, params: list) -> list:
        values = list(values)
        for step, nested, one, other, two in plan:
            a, b = values[one % len(values)], [*values, *params][other % len(values + params)]
            if not nested:
                values.append(step(a, b))
            elif two:
                first, more = call(pair, step, call, a, b, params)
                values += [first, more["twice"][0]]
            else:
                values.append(call(lambda a, f=step, c=values[0]: f(call, [a, c], params)[-1], a))
        return values

    return run


def pair(step: Callable, call: Callable, a, b, params: list):
    *_, last, first = step(call, [a, b], params)
    return first, {"twice": [last * 2]}


def plain(function: Callable, *inputs):
    return function(*inputs)


@pytest.mark.parametrize(
    "seed", [*range(6), *(pytest.param(n, marks=pytest.mark.slow) for n in range(6, 60))]
)
def test_gradients_are_those_of_plain_calls(seed):
    program = drawn(Random(seed), depth=2)

    def results(call: Callable) -> list:
        random.seed(seed)
        rng = np.random.default_rng(seed)
        x, w, v = (nd.array(rng.normal(size=4), dtype="float64") for _ in range(3))

        def score():
            *_, last, first = program(call, [x], [w, v])
            return (first * last).sum() + (x * w * v).sum()

        for variable in (x, w, v):
            variable.attach_grad()
        with autograd.record():
            total = score()
            found = autograd.grad(total, [x, w, v], create_graph=True)
            second = (found[0] * found[1]).sum() + (found[2] * x).sum()
        second.backward()
        found += [total, x.grad.copy(), w.grad.copy(), v.grad.copy()]
        outer, inner = GradManager().attach([x, v]), GradManager().attach([w, x])
        with outer:
            with inner:
                slopes = inner.backward(score())
            x.grad = v.grad = None
            outer.backward(slopes)
        return [*found, *slopes, x.grad, v.grad]

    for a, b in zip(results(plain), results(autograd.checkpoint)):
        assert_allclose(b.asnumpy(), a.asnumpy(), rtol=1e-9, atol=1e-11)
