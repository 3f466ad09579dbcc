"""Graphs of any shape: a node passes on the sum of all gradients that reached it."""

from __future__ import annotations

import random

import numpy as np
import pytest

from gluon import autograd, nd

UNARY = {
    "sin": (nd.sin, np.sin, np.cos),
    "tanh": (nd.tanh, np.tanh, lambda v: 1 - np.tanh(v) ** 2),
    "number": (lambda x: x * 0.5, lambda v: v * 0.5, lambda v: np.full_like(v, 0.5)),
}
BINARY = {
    "add": (nd.add, lambda a, b: (1, 1)),
    "subtract": (nd.subtract, lambda a, b: (1, -1)),
    "multiply": (nd.multiply, lambda a, b: (b, a)),
}


def drawn(seed: int, x, steps: int = 12):
    """A value computed from `x` in random steps, and its derivative by forward differentiation."""
    draw = random.Random(seed)
    arrays = [x]
    values = [(x.asnumpy(), np.ones(x.shape))]
    for _ in range(steps):
        recent = range(max(0, len(arrays) - 4), len(arrays))
        if draw.random() < 0.6:
            call, function, derivative = UNARY[draw.choice(list(UNARY))]
            place = draw.choice(recent)
            value, slope = values[place]
            arrays.append(call(arrays[place]))
            values.append((function(value), derivative(value) * slope))
        else:
            call, slopes = BINARY[draw.choice(list(BINARY))]
            one, two = draw.choice(recent), draw.choice(recent)
            arrays.append(call(arrays[one], arrays[two]))
            by_one, by_two = slopes(values[one][0], values[two][0])
            slope = by_one * values[one][1] + by_two * values[two][1]
            values.append((arrays[-1].asnumpy(), slope))
    total, slope = arrays[-1], values[-1][1]
    for array, (_, more) in zip(arrays[-4:-1], values[-4:-1]):
        total, slope = total + array, slope + more
    return total, slope


@pytest.fixture
def x():
    x = nd.array([0.3, -1.2], dtype="float64")
    x.attach_grad()
    return x


def test_two_branches_of_operators_of_one_input_meet_below(x):
    with autograd.record():
        middle = x * 2
        y = middle.exp() + middle.sin()
    y.backward()
    twice = 2 * x.asnumpy()
    np.testing.assert_allclose(x.grad.asnumpy(), 2 * (np.exp(twice) + np.cos(twice)))


@pytest.mark.parametrize("seed", range(40))
def test_a_drawn_graph(x, seed):
    with autograd.record():
        y, slope = drawn(seed, x)
        (dx,) = autograd.grad(y, [x], retain_graph=True)
        (watched,) = autograd.grad(y, [x], create_graph=True)
        y.backward(retain_graph=True)
        retained = x.grad.copy()
    y.backward()
    for got in (dx, watched, retained, x.grad):
        np.testing.assert_allclose(got.asnumpy(), slope, rtol=1e-9, atol=1e-12)
