"""The memory of programs: not above that of the step as written, flat, and given back."""

from __future__ import annotations

import gc
import tracemalloc
from weakref import ref

import numpy as np
import pytest

import gluon
from gluon import autograd, nd, nn
from gluon._core.program import variant


def used(run) -> int:
    """The most bytes that a call takes at once, beyond those before it."""
    run()
    tracemalloc.start()
    try:
        run()
        gc.collect()
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        run()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


def training(*layers, shape):
    net = nn.Sequential()
    net.add(*layers)
    net.initialize()
    x = nd.array(np.random.RandomState(0).randn(*shape))
    net(x)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.01})

    def step(x):
        with autograd.record():
            loss = (net(x) ** 3).mean()
        loss.backward()
        trainer.step(1)
        return loss

    return step, x


def deep():
    layers = [nn.Dense(256, activation="tanh", flatten=False) for _ in range(12)]
    return training(*layers, shape=(512, 256))


def pictures():
    layers = [nn.Conv2D(16, 3, padding=1, activation="relu") for _ in range(6)]
    return training(*layers, nn.MaxPool2D(2), nn.GlobalAvgPool2D(), shape=(4, 3, 64, 64))


def elementwise():
    x = nd.array(np.random.RandomState(0).randn(1 << 18))
    x.attach_grad()

    def step(x):
        with autograd.record():
            y = x
            for _ in range(10):
                y = nd.tanh(y) * x + y
        y.backward()
        return y

    return step, x


@pytest.mark.parametrize("make", [deep, pictures, elementwise])
def test_a_program_needs_no_more_memory_than_the_step(make):
    step, x = make()
    jitted = gluon.jit(step)
    for _ in range(3):
        jitted(x)
    (variant,) = jitted._compiled.variants.values()
    assert variant.ready, variant.failed
    jitted(x)
    found = used(lambda: jitted(x)) + sum(room.arena.nbytes for room in variant.program.rooms)
    assert found <= 1.1 * used(lambda: step(x)) + (1 << 20)


@pytest.mark.parametrize(
    ("make", "first", "second"), [(deep, 1.4, 2.3), (pictures, 1.7, 1.7), (elementwise, 1.3, 1.3)]
)
def test_a_watched_call_needs_little_more_memory_than_the_step(make, first, second):
    """The first one makes the program, the second one runs it on copies beside."""
    step, x = make()
    most = used(lambda: step(x))
    jitted = gluon.jit(step)
    tracemalloc.start()  # before the first call, so that what calls free is counted
    try:
        jitted(x)
        for bound in (first, second):
            gc.collect()
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            jitted(x)
            assert tracemalloc.get_traced_memory()[1] - before <= bound * most
    finally:
        tracemalloc.stop()
    (variant,) = jitted._compiled.variants.values()
    assert variant.ready, variant.failed


def test_the_update_of_a_trainer_moves_no_weight():
    net = nn.Dense(64, in_units=64)
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.01})

    @gluon.jit
    def step(x):
        with autograd.record():
            loss = (net(x) ** 2).mean()
        loss.backward()
        trainer.step(1)
        return loss

    x = nd.ones((8, 64))
    for _ in range(5):
        step(x)
    before = net.weight.data().raw.ctypes.data
    step(x)
    assert net.weight.data().raw.ctypes.data == before


def test_memory_is_flat_over_many_runs():
    w = nd.array([1.0, 2.0, 3.0])
    w.attach_grad()

    @gluon.jit
    def step(x):
        with autograd.record():
            loss = (nd.softmax(w * x) * x).sum()
        loss.backward()
        w[:] = w - 0.001 * w.grad
        return loss

    x = nd.array([3.0, 1.0, 2.0])
    for _ in range(100):
        step(x)
    tracemalloc.start()
    try:
        for _ in range(100):
            step(x)
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(10_000):
            step(x)
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] - before < 50_000
    finally:
        tracemalloc.stop()


def test_the_memory_of_a_program_goes_with_its_step():
    jitted = gluon.jit(lambda x: nd.dot(nd.tanh(x), x))
    for _ in range(4):
        jitted(nd.ones((64, 64)))
    (variant,) = jitted._compiled.variants.values()
    assert variant.ready, variant.failed
    (room,) = variant.program.rooms
    arena = ref(room.arena)
    del jitted, variant, room
    gc.collect()
    assert arena() is None


def test_a_call_that_needs_more_memory_than_there_is_stays_as_it_is(monkeypatch):
    monkeypatch.setattr(variant, "available", lambda: 2_000_000)
    step, x = deep()
    jitted = gluon.jit(step)
    for _ in range(4):
        jitted(x)
    assert "too little memory" in jitted.program()
