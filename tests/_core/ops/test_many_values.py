"""Elementwise functions give the same for many values, in faster loops, as for few."""

from __future__ import annotations

import numpy as np
import pytest

from gluon import autograd, nd
from tests._core.ops.samples.elementwise import UNARY
from tests.each import each

VALUES = [
    *(np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -3.0, 30.0, -30.0),
    *(90.0, -90.0, 1e-3, -1e-3, 1e-7, -1e-7, 6e4, -6e4),
]
#: How often the values are repeated: more than 4096 of them.
TIMES = 400
FUNCTIONS = {
    **{name: getattr(nd, name) for name in UNARY},
    **{
        f"{name} of two": lambda x, name=name: getattr(nd, name)(x, nd.flip(x, axis=0))
        for name in "add subtract multiply divide modulo power maximum minimum equal lesser".split()
    },
    **{
        f"power {exponent}": lambda x, exponent=exponent: nd.power(x, exponent)
        for exponent in (0, 1, 2, 3, -1, 0.5)
    },
    **{
        kind: lambda x, kind=kind: nd.Activation(x, act_type=kind)
        for kind in "softrelu softsign tanh sigmoid".split()
    },
    **{
        kind: lambda x, kind=kind: nd.LeakyReLU(x, act_type=kind)
        for kind in "leaky elu selu gelu".split()
    },
    "clip": lambda x: nd.clip(x, -1, 2),
    "where": lambda x: nd.where(x > 0, x, 2 * x),
    "where a number": lambda x: nd.where(x > 0, x, -1),
    "smooth_l1": nd.smooth_l1,
    "hard_sigmoid": nd.hard_sigmoid,
    "logical_not": nd.logical_not,
}

#: The loss of digits of the plain kernel far below 0, where 1 and nearly -1 are added.
LOST = {"gelu": 3e-7}


def results(function, values: np.ndarray) -> list[np.ndarray]:
    """The values of a function and its gradients."""
    x = nd.array(values, dtype=values.dtype)
    x.attach_grad()
    with autograd.record():
        y = function(x)
        total = y + 0 * x  # a function without gradient has the gradient nan or 0 here
    total.backward()
    return [y.asnumpy(), x.grad.asnumpy()]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(
    ("dtype", "rtol"), [("float32", 1e-5), ("float64", 1e-12), ("float16", 2e-3)]
)
@each("name", FUNCTIONS, size=10)
def test_many_values_are_treated_like_few(name, dtype, rtol):
    few = np.array(VALUES, dtype)
    many = results(FUNCTIONS[name], np.tile(few, TIMES))
    for found, wanted in zip(many, results(FUNCTIONS[name], few)):
        rows = found.reshape(TIMES, len(VALUES))
        wanted = np.broadcast_to(wanted, rows.shape)
        atol = LOST.get(name, float(np.finfo(dtype).tiny))
        np.testing.assert_allclose(rows, wanted, rtol=rtol, atol=atol)
