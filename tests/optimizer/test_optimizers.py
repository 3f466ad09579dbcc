"""Optimizers: trajectories as the oracle's; kernels in place; registry, counts and multipliers."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from gluon import GluonError, lr_scheduler, nd, optimizer
from gluon.kernels import optimizer as kernels
from tests.nn.replay import assert_as_the_oracle, named

#: MXNet's NAG decays with the weight that it has already changed.
WRONG_IN_MXNET = ["optimizer NAG(learning_rate=0.1, momentum=0.9, wd=0.2)"]


@pytest.mark.parametrize("name", [one for one in named("optimizer") if one not in WRONG_IN_MXNET])
def test_trajectory(name, monkeypatch):
    assert_as_the_oracle(name, monkeypatch, rtol=1e-4)


def test_multipliers(monkeypatch):
    assert_as_the_oracle("multipliers", monkeypatch)


def test_nag_with_weight_decay():
    rng = np.random.default_rng(0)
    want, state = rng.normal(size=5), np.zeros(5)
    weight = nd.array(want, dtype="float64")
    update = optimizer.get_updater(optimizer.NAG(learning_rate=0.1, momentum=0.9, wd=0.2))
    for _ in range(4):
        grad = rng.normal(size=5)
        update(0, nd.array(grad, dtype="float64"), weight)
        change = grad + 0.2 * want
        state = 0.9 * state + change
        want = want - 0.1 * (change + 0.9 * state)
    np.testing.assert_allclose(weight.asnumpy(), want, rtol=1e-12)


# ---------------------------------------------------------------------------------- kernels

SETTINGS = {"lr": 0.1, "wd": 0.2, "rescale": 0.5, "clip": 0.3}
KERNELS = {
    "sgd": (kernels.sgd, 0, {}),
    "sgd_momentum": (kernels.sgd_momentum, 1, {"momentum": 0.9}),
    "nag": (kernels.nag, 1, {"momentum": 0.9}),
    "adam": (kernels.adam, 2, {"beta1": 0.9, "beta2": 0.99, "epsilon": 1e-8}),
}


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize(
    ("shape", "order"),
    [((3005,), "C"), ((7, 901), "F"), ((4000, 3), "F"), ((), "C")],
)
def test_blocks_make_no_difference(name, shape, order, monkeypatch):
    """Large arrays, whole or in blocks, contiguous or not."""
    kernel, states, settings = KERNELS[name]
    rng = np.random.default_rng(0)
    arrays = [np.asarray(rng.random(shape), order=order) for _ in range(2 + states)]
    arrays[0] = np.array(arrays[0], order="C")
    whole = [array.copy() for array in arrays]
    monkeypatch.setattr(kernels, "BLOCK", 1000)
    kernel(*arrays, **SETTINGS, **settings)
    monkeypatch.setattr(kernels, "BLOCK", 10**9)
    kernel(*whole, **SETTINGS, **settings)
    for one, other in zip(arrays, whole):
        np.testing.assert_allclose(one, other, rtol=1e-12)


# --------------------------------------------------------------------------------- the base


def test_registry():
    @optimizer.register
    class Halver(optimizer.Optimizer):
        def update(self, index, weight, grad, state):
            weight[:] = weight / 2

    made = optimizer.create("HALVER", learning_rate=3)
    assert made.learning_rate == 3
    weight = nd.ones((2,))
    optimizer.get_updater(made)([0, 1], [None, None], [weight, weight])
    assert weight.asnumpy().tolist() == [0.25, 0.25]
    del optimizer.Optimizer.opt_registry["halver"]
    with pytest.raises(ValueError, match="no optimizer is called 'halver'; there are adam, nag"):
        optimizer.create("halver")
    with pytest.raises(TypeError, match="by its name, not by a int"):
        optimizer.create(3)
    with pytest.raises(NotImplementedError, match=r"must define update\(\)"):
        optimizer.Optimizer().update(0, weight, weight, None)


def test_half_precision_keeps_a_float32_copy():
    weight, grad = nd.ones((1,), dtype="float16"), nd.ones((1,), dtype="float16")
    coarse = weight.copy()
    update = optimizer.get_updater(optimizer.SGD(learning_rate=1e-4, multi_precision=True))
    coarse_update = optimizer.get_updater(optimizer.SGD(learning_rate=1e-4))
    for _ in range(10):
        update(0, grad, weight)
        coarse_update(0, grad, coarse)
    assert weight.dtype == np.float16
    assert weight.asscalar() == np.float16(0.999)
    assert coarse.asscalar() == 1


def test_states_travel_as_bytes():
    one = optimizer.get_updater(optimizer.SGD(momentum=0.9))
    one(0, nd.ones((2,)), nd.ones((2,)))
    two = optimizer.get_updater(optimizer.SGD(momentum=0.9))
    two.set_states(one.get_states())
    assert two.states[0].asnumpy().tolist() == one.states[0].asnumpy().tolist()
    three = optimizer.get_updater(optimizer.SGD())
    three.set_states(one.get_states(dump_optimizer=True))
    assert three.optimizer.momentum == 0.9
    assert pickle.loads(pickle.dumps(three.optimizer)).num_update == 1


def test_a_scheduler_and_a_learning_rate():
    schedule = lr_scheduler.FactorScheduler(1, base_lr=1)
    with pytest.warns(UserWarning, match="learning rate 1 of the scheduler is replaced"):
        made = optimizer.SGD(learning_rate=0.5, lr_scheduler=schedule)
    assert made.learning_rate == 0.5
    with pytest.raises(GluonError, match="decided by lr_scheduler"):
        made.set_learning_rate(1)
