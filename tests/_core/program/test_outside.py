"""What a step uses besides its arguments: a program that is ready must notice each change."""

from __future__ import annotations

import functools
import itertools
import random
from collections import deque
from types import SimpleNamespace

import numpy as np
import pytest

import gluon
from gluon import autograd, nd, nn

SCALE = 2.0
OLD, NEW = nd.array([2, 3]), nd.array([7, 9])


class Thing:
    """An object of the user."""

    scale = 2.0

    def __init__(self, scale=None):
        if scale is not None:
            self.scale = scale

    def __call__(self, x):
        return x * self.scale

    def step(self, x):
        return self.inner(x)

    def inner(self, x):
        return x * self.doubled

    @property
    def doubled(self):
        return self.scale * 2


class Slots:
    __slots__ = ("scale",)


class Settings(dict):
    __getattr__ = dict.__getitem__


def by_global(patch):
    return lambda x: x * SCALE, lambda: patch.setitem(globals(), "SCALE", 3.0)


def by_closure(patch):
    w = OLD

    def step(x):
        return x * w

    def change():
        nonlocal w
        w = NEW

    return step, change


def by_helper(patch):
    thing = Thing()

    def helper(x, other):
        return x * other.scale

    return lambda x: helper(x, thing), lambda: setattr(thing, "scale", 3.0)


def of(holder, change, step=None):
    """A case whose step uses `holder`, which ``change(holder)`` changes."""

    def case(patch):
        held = holder()
        used = step or (lambda held, x: x * held[0])
        return lambda x: used(held, x), lambda: change(held)

    return case


def changed_slots(patch):
    thing = Slots()
    thing.scale = 2.0
    return lambda x: x * thing.scale, lambda: setattr(thing, "scale", 3.0)


def changed_step(patch):
    def step(x, scale=2.0):
        return x * scale

    return step, lambda: setattr(step, "__defaults__", (3.0,))


def bound(patch):
    thing = Thing(2.0)
    return thing.step, lambda: setattr(thing, "scale", 3.0)


def called(patch):
    thing = Thing(2.0)
    return thing, lambda: setattr(thing, "scale", 3.0)


def partly(patch):
    thing = Thing(2.0)
    step = functools.partial(lambda thing, x: x * thing.scale, thing)
    return step, lambda: setattr(thing, "scale", 3.0)


def of_class(patch):
    return lambda x: x * Thing.scale, lambda: patch.setattr(Thing, "scale", 3.0)


def missing(patch):
    thing = Thing()
    step = lambda x: x * (2 if getattr(thing, "flag", None) else 3)  # noqa: E731
    return step, lambda: setattr(thing, "flag", 1)


def put(key, value):
    return lambda held: held.__setitem__(key, value)


WRITTEN = nd.zeros(2)


def written(held, x):
    WRITTEN[:] = held
    return x * WRITTEN


CASES = {
    "global": by_global,
    "closure": by_closure,
    "helper": by_helper,
    "list": of(lambda: [OLD], put(0, NEW)),
    "nested list": of(
        lambda: [[OLD]], lambda held: held[0].insert(0, NEW), lambda h, x: x * h[0][0]
    ),
    "longer list": of(lambda: [OLD], lambda h: h.append(NEW), lambda h, x: sum(h, x)),
    "dictionary": of(lambda: {"w": OLD}, put("w", NEW), lambda held, x: x * held["w"]),
    "number in a dictionary": of(lambda: {0: 2.0}, put(0, 3.0)),
    "subclass": of(lambda: Settings(w=2.0), put("w", 3.0), lambda held, x: x * held.w),
    "set": of(lambda: {1}, lambda held: held.clear(), lambda held, x: x * (1 + len(held))),
    "deque": of(lambda: deque([OLD, NEW]), lambda held: held.rotate(1)),
    "attribute": of(
        lambda: Thing(OLD), lambda h: setattr(h, "scale", NEW), lambda h, x: x * h.scale
    ),
    "namespace": of(
        lambda: SimpleNamespace(f=nd.sin), lambda h: setattr(h, "f", nd.cos), lambda h, x: h.f(x)
    ),
    "NumPy": of(lambda: np.array([2, 3]), put(0, 5), lambda held, x: x * nd.array(held)),
    "part of NumPy": of(
        lambda: np.array([2, 3]), put(0, 5), lambda held, x: x * nd.array(held[:1])
    ),
    "value of NumPy": of(lambda: np.array([2.0, 3.0]), put(0, 5)),
    "write from NumPy": of(lambda: np.array([2, 3]), put(0, 5), written),
    "index": of(lambda: [0, 1], put(0, 1), lambda held, x: x[held] + 0),
    "slots": changed_slots,
    "default": changed_step,
    "method and property": bound,
    "callable": called,
    "partial": partly,
    "class": of_class,
    "missing attribute": missing,
}


@pytest.mark.parametrize("name", CASES)
def test_a_change_is_noticed(name, monkeypatch):
    step, change = CASES[name](monkeypatch)
    jitted, x = gluon.jit(step), nd.array([0.5, 1.5])
    for _ in range(5):
        before = jitted(x).asnumpy()
    assert all(one.ready for one in jitted._compiled.variants.values()), jitted.program()
    change()
    right = step(x).asnumpy()
    assert (right != before).any()
    for _ in range(5):
        np.testing.assert_allclose(jitted(x).asnumpy(), right, 1e-6)
    assert "another one now" in jitted.program()


def test_an_object_that_is_an_argument_may_change():
    jitted, thing, x = gluon.jit(lambda x, thing: x * thing.scale), Thing(2.0), nd.ones((2,))
    for _ in range(5):
        assert jitted(x, thing).asnumpy().tolist() == [2, 2]
    thing.scale = 3.0
    assert jitted(x, thing).asnumpy().tolist() == [3, 3]


COUNTED = itertools.repeat(2.0)
DRAWN = np.random.default_rng(0)


@pytest.mark.parametrize(
    ("step", "why"),
    [
        (lambda x: x * next(COUNTED), "an iterator from outside: repeat"),
        (lambda x: x if DRAWN.random() < 2 else -x, "random numbers of a Generator"),
        (lambda x: x if random.random() < 2 else -x, "random numbers of Python or NumPy"),
        (lambda x: x if np.random.rand() < 2 else -x, "random numbers of Python or NumPy"),  # noqa: NPY002
        (lambda x: x * LARGE[0], "a large array of NumPy"),
        (lambda x: x * MANY[0], "more than 1000 values"),
    ],
)
def test_what_cannot_be_compared_is_not_fixed(step, why):
    jitted = gluon.jit(step)
    for _ in range(5):
        jitted(nd.ones((2,)))
    assert why in jitted.program()


LARGE, MANY = np.ones(1000), [1.0] * 2000


def test_numbers_that_are_equal_are_the_same():
    thing, x = Thing(512.5), nd.ones((2,))
    jitted = gluon.jit(lambda x: x * thing.scale)
    for _ in range(6):
        jitted(x)
        thing.scale = float("512.5")
    assert "another one now" not in jitted.program()


# ------------------------------------------------------------------------- arrays by two names


@pytest.mark.parametrize("times", [1, 3])
def test_equal_values_do_not_prove_which_array_is_meant(times):
    w = nd.array([1.0, 2.0])
    product, same = gluon.jit(lambda x: x * w), gluon.jit(lambda x: (w, x * 2))
    for _ in range(4):
        product(w), same(w)
    for _ in range(times):  # other arrays with the same values
        product(w.copy()), same(w.copy())
    x = nd.array([3.0, 5.0])
    assert product(x).asnumpy().tolist() == [3, 10]
    assert same(x)[0] is w


def test_equal_values_do_not_prove_whose_gradient_is_meant():
    w, x = nd.array([1.0, 2.0]), nd.array([1.0, 2.0])
    w.attach_grad()
    x.attach_grad()

    @gluon.jit
    def step(x):
        with autograd.record():
            loss = (w * w).sum()
        loss.backward()
        return x * 2

    for _ in range(4):
        step(w)
    for _ in range(3):
        step(x)
    assert w.grad.asnumpy().tolist() == [2, 4]
    assert x.grad.asnumpy().tolist() == [0, 0]


def test_another_context_has_its_own_program():
    step = gluon.jit(lambda x: nd.zeros((2,)) + 1)
    for _ in range(4):
        step(OLD)
    with gluon.cpu(1):
        assert step(OLD).context == gluon.cpu(1)


def test_another_net_by_the_same_name_is_noticed():
    nets = [nn.Dense(2, in_units=2) for _ in range(2)]
    for one in nets:
        one.initialize(gluon.init.Uniform(1))
    held, x = [nets[0]], nd.ones((1, 2))
    step = gluon.jit(lambda x: held[0](x))
    for _ in range(4):
        step(x)
    held[0] = nets[1]
    np.testing.assert_allclose(step(x).asnumpy(), nets[1](x).asnumpy(), 1e-6)
