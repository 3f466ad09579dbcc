"""Transformations composed in any order: vmap gives what a loop over the examples gives."""

from __future__ import annotations

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from gluon import autograd, func, np
from gluon.func import grad, jacfwd, jacrev, jvp, linearize, vjp, vmap

pytestmark = pytest.mark.filterwarnings("ignore:vmap.*in a loop:RuntimeWarning")

C = np.array([0.5, -1.0, 2.0], dtype="float64")
EYE = np.array(numpy.eye(3), dtype="float64")


def loop(f, in_axes=0):
    """As vmap, with Python's for."""

    def run(*args):
        axes = in_axes if isinstance(in_axes, tuple) else (in_axes,) * len(args)
        given = [[x[k] if a == 0 else x for x, a in zip(args, axes)] for k in range(3)]
        return np.stack([f(*one) for one in given])

    return run


def written(x):
    y = np.zeros_like(x)
    y[0] = x[1] * x[2]
    y[1:] = x[:2] ** 2
    return y


@func.custom_jvp
def sine(x):
    return np.sin(x)


sine.defjvp(lambda primals, tangents: (sine(primals[0]), np.cos(primals[0]) * tangents[0]))


@func.custom_vjp
def cosine(x):
    return np.cos(x)


cosine.defvjp(lambda x: (np.cos(x), np.sin(x)), lambda sin, g: (-g * sin,))


class Sine(autograd.Function):
    def forward(self, x):
        self.save_for_backward(x)
        return np.sin(x)

    def backward(self, g):
        (x,) = self.saved_tensors
        return g * np.cos(x)


#: Functions of an array of three values, of which they give three.
FUNCTIONS = {
    "sin": lambda x: np.sin(x) * x.sum(),
    "tanh": lambda x: np.tanh(x[::-1]) * x[0],
    "softmax": lambda x: np.exp(x - x.max()) / np.exp(x - x.max()).sum(),
    "written": written,
    "taken": lambda x: x[[2, 0, 0]] * x[1],
    "joined": lambda x: np.concatenate([x[1:], x[:1] ** 2]),
    "rules": lambda x: sine(x) * cosine(x[1]),
    "Function": lambda x: Sine()(x) * x.sum(),
    "checkpointed": lambda x: autograd.checkpoint(lambda x: np.tanh(x[::-1]) * x[0], x),
}


def pulling(f, x):
    _, pull = vjp(f, x)
    return lambda g: pull(g)[0]


#: From such a function, and vmap or the loop, another one.
STEPS = {
    "jacrev": lambda f, v: lambda x: np.dot(jacrev(f)(x), C),
    "jacfwd": lambda f, v: lambda x: np.dot(jacfwd(f)(x), C),
    "grad": lambda f, v: lambda x: grad(lambda x: (f(x) * C).sum())(x),
    "vjp": lambda f, v: lambda x: vjp(f, x)[1](np.cos(x))[0],
    "jvp": lambda f, v: lambda x: jvp(f, (x,), (np.cos(x),))[1],
    "linearize": lambda f, v: lambda x: linearize(f, x)[1](np.cos(x)),
    "checkpoint": lambda f, v: lambda x: autograd.checkpoint(f, x),
    "map rows": lambda f, v: lambda x: v(f)(np.outer(C, x)).sum(0),
    "map factors": lambda f, v: lambda x: v(lambda s: f(x * s))(C).sum(0),
    "map one of two": lambda f, v: lambda x: v(lambda a, b: f(a * b), (0, None))(x, x).sum(0),
    "map pulls": lambda f, v: lambda x: np.dot(C, v(pulling(f, x))(EYE)),
    "map pushes": lambda f, v: lambda x: np.dot(C, v(linearize(f, x)[1])(EYE)),
    "map vjp": lambda f, v: (
        lambda x: np.dot(C, v(lambda g: vjp(f, x)[1](g)[0])(np.outer(np.sin(x), x)))
    ),
    "map jvp": lambda f, v: lambda x: np.dot(x, v(lambda t: jvp(f, (x,), (t,))[1])(EYE)),
    "map grad": lambda f, v: (
        lambda x: v(lambda a: grad(lambda b: (f(b) * a).sum())(x))(np.outer(x, x)).sum(0)
    ),
}
X = numpy.random.RandomState(0).normal(size=3)


def agree(name, steps):
    found = []
    for mapped in (vmap, loop):
        f = FUNCTIONS[name]
        for step in steps:
            f = STEPS[step](f, mapped)
        found.append(f(np.array(X, dtype="float64")).asnumpy())
    assert_allclose(*found, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize(
    ("name", "steps"),
    [
        ("written", ["map one of two"]),
        ("sin", ["map rows", "map pulls", "jacrev"]),
        ("tanh", ["map one of two", "map pushes"]),
        ("taken", ["map factors", "map factors", "map pushes"]),
        ("taken", ["map factors", "linearize", "jacrev"]),
        ("tanh", ["map vjp", "map pulls", "map vjp"]),
        ("sin", ["map pushes", "map pulls", "map pushes"]),
        ("softmax", ["map grad", "linearize", "map grad"]),
        ("sin", ["map one of two", "map pulls", "map jvp", "map vjp"]),
        ("joined", ["map grad", "map one of two", "linearize", "map pushes"]),
        ("rules", ["map rows", "map pulls", "grad", "jacfwd"]),
        ("Function", ["map jvp", "map one of two", "linearize"]),
        ("Function", ["map jvp", "map rows", "jvp"]),
        ("Function", ["map grad", "linearize", "map factors"]),
        ("sin", ["map jvp", "vjp", "jvp", "vjp"]),
        ("sin", ["map jvp", "map pulls", "jvp", "map pulls"]),
        ("checkpointed", ["map pulls", "grad"]),
        ("checkpointed", ["map pulls", "map pulls", "jacrev"]),
        ("checkpointed", ["map pulls", "jvp", "vjp"]),
    ],
)
def test_chains_that_mix_runs_of_vmap(name, steps):
    agree(name, steps)


@settings(max_examples=40)
@given(
    st.sampled_from(sorted(FUNCTIONS)),
    st.lists(st.sampled_from(sorted(set(STEPS) - {"checkpoint"})), min_size=2, max_size=4),
)
def test_drawn_chains(name, steps):
    agree(name, steps)


@pytest.mark.parametrize("step", sorted(STEPS))
def test_checkpoints_in_chains(step):
    agree("tanh", ["checkpoint", step])
