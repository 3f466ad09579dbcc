"""Random numbers that a GPU draws itself: tensors in host memory do here as a GPU does."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

import gluon
from gluon import autograd, nd, nn, npx
from gluon._core.devices import random
from gluon._core.kernels.memory import Buffer

pytestmark = pytest.mark.parametrize("played", ["torch:cpu"], indirect=True)


@pytest.fixture
def drawing(device, monkeypatch):
    """A device that draws."""
    monkeypatch.setattr(random, "draws_there", lambda rng: True)
    return device


def dropped():
    with autograd.train_mode():
        return nd.Dropout(nd.ones((1000, 10)), p=0.25)


DRAWS = {
    "uniform": (lambda: nd.random.uniform(-1, 3, shape=(1000, 10)), 1, 4 / np.sqrt(12)),
    "normal": (lambda: nd.random.normal(2, 3, shape=(1000, 10)), 2, 3),
    "half": (lambda: nd.random.normal(0, 1, shape=(1000, 10), dtype="float16"), 0, 1),
    "npx": (lambda: npx.random.normal_n(1, 2, batch_shape=(1000, 10)), 1, 2),
    "dropout": (dropped, 1, np.sqrt(1 / 3)),
}


@pytest.mark.parametrize("name", DRAWS)
def test_a_seed_decides_what_a_device_draws(name, drawing):
    draw, mean, std = DRAWS[name]
    gluon.random.seed(3)
    one, other = draw(), draw()
    gluon.random.seed(3)
    again = draw()
    assert isinstance(one.raw, Buffer)
    np.testing.assert_array_equal(one.asnumpy(), again.asnumpy())
    assert (one.asnumpy() != other.asnumpy()).any()
    values = one.asnumpy().astype(float)
    assert abs(values.mean() - mean) < 0.15
    assert abs(values.std() - std) < 0.1


def test_numbers_are_checked_where_the_device_draws(drawing):
    with pytest.raises(gluon.GluonError, match="scale must be 0 or more"):
        nd.random.normal(0, -1, shape=(2,))


def test_a_checkpoint_draws_the_same_again(drawing):
    net = nn.Sequential()
    net.add(nn.Dense(8), nn.Dropout(0.5), nn.Dense(1))
    net.initialize()
    net(nd.ones((2, 3)))  # makes the parameters
    grads = []
    for call in (net, lambda x: autograd.checkpoint(net, x)):
        x = nd.ones((2, 3))
        x.attach_grad()
        gluon.random.seed(5)
        with autograd.record():
            y = call(x).sum()
        y.backward()
        grads.append(x.grad.asnumpy())
    np.testing.assert_allclose(*grads, 1e-6)


def test_what_plays_a_device_draws_as_the_host(device):
    found = []
    for ctx in (device, gluon.cpu()):
        gluon.random.seed(1)
        found.append(nd.random.normal(shape=(3,), ctx=ctx).asnumpy())
    np.testing.assert_array_equal(*found)
