"""Hybridized blocks run as programs: the same values, gradients and random numbers as without."""

from __future__ import annotations

import numpy as np
import pytest

import gluon
from gluon import HybridBlock, autograd, contrib, loss, nd, nn, rnn
from tests.nn.programs import LAYERS, LOSSES
from tests.values import samples
from tests.values.test_values import sequence

NAMES = {"nn": nn, "rnn": rnn, "contrib": contrib, "loss": loss, "nd": nd}


def data(*shape, seed=0):
    return nd.array(np.random.RandomState(seed).uniform(-1, 1, shape).astype("float32"))


def programs_of(net) -> list:
    return list(net._programs.calls.variants.values())


def is_program(net) -> bool:
    """Whether calls of the block can run as a program."""
    return any(one.ready for one in programs_of(net))


def reasons(net) -> str:
    """Why calls ran as written."""
    return "; ".join([*[one.failed for one in programs_of(net)], *net._programs.calls.why])


class Around(HybridBlock):
    """A block with some operators of its own around another one, so that a program is worth it."""

    def __init__(self, inner, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.inner = inner
            self.scale = self.params.get("scale", shape=(1,), init="ones")

    def hybrid_forward(self, F, *inputs, scale):
        first, *others = inputs
        for _ in range(4):
            first = F.broadcast_mul(first * 1.01 + 0.01, scale)
        found = self.inner(first, *others)
        if not isinstance(found, (list, tuple)):
            return F.tanh(found) * 1.5 + F.sigmoid(found) - F.square(found) * 0.1
        return found


def assert_same(found: list, right: list, rtol: float = 2e-5) -> None:
    assert len(found) == len(right)
    for one, two in zip(found, right):
        assert one.shape == two.shape
        assert one.dtype == two.dtype
        scale = np.abs(two[np.isfinite(two)]).max(initial=0) if two.dtype.kind == "f" else 0
        np.testing.assert_allclose(one, two, rtol, rtol * max(scale, 0.01))


def flat(value) -> list:
    if isinstance(value, (list, tuple)):
        return [one for part in value for one in flat(part)]
    return [value]


def used(make, inputs, hybrid: bool, order: int, times: int = 6):
    """What a block gives in some calls, with gradients, and what its parameters are then."""
    gluon.random.seed(3)
    net = make()
    net.initialize()
    if order == 2:  # where terms nearly cancel
        net.cast("float64")
        inputs = [x.astype("float64") for x in inputs]
    if hybrid:
        net.hybridize()
    found = []
    for k in range(times):
        given = [x * (1 + k / 20) if x.size > 4 else x for x in inputs]
        given[0].attach_grad()
        gluon.random.seed(k)
        with autograd.record():
            heads = flat(net(*given))
            if order == 2:
                wanted = [given[0]]
                total = sum((y * y).sum() for y in heads)
                (g,) = autograd.grad(total, wanted, create_graph=True)
                heads = [(g * g).sum()]
        autograd.backward(heads)
        found += [y.asnumpy() for y in heads]
        params = net.collect_params().values()
        found += [given[0].grad.asnumpy()]
        found += [one.grad().asnumpy() for one in params if one.grad_req != "null"]
        found += [y.asnumpy() for y in flat(net(*given))]
    return [*found, *[one.data().asnumpy() for one in net.collect_params().values()]], net


def compared(make, inputs, order=1):
    """Check that the hybridized block does the same; return it."""
    right, _ = used(make, inputs, False, order)
    found, net = used(make, inputs, True, order)
    assert_same(found, right, 2e-5 if order == 1 else 1e-9)
    return net


def layer(text):
    return eval(text, {**NAMES, "sequence": sequence})


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize(("text", "shape"), LAYERS)
def test_layers(text, shape, order):
    net = compared(lambda: Around(layer(text)), [data(*shape)], order)
    assert is_program(net), reasons(net)


MORE = [
    one for one in samples.LAYERS if all(np.asarray(x).dtype.kind == "f" for x in one.inputs)
]


@pytest.mark.parametrize("sample", MORE, ids=lambda one: one.text)
def test_layers_that_mxnet_lacks(sample):
    inputs = [nd.array(x) for x in sample.inputs]
    make = lambda: layer(sample.text)  # noqa: E731
    if not isinstance(make(), HybridBlock):
        pytest.skip("no HybridBlock")
    compared(make, inputs)


@pytest.mark.parametrize(("text", "kind"), LOSSES)
@pytest.mark.parametrize("weighted", [False, True])
def test_losses(text, kind, weighted):
    pred, label = data(4, 3), data(4, 3, seed=8)
    if kind == "classes":
        label = nd.array([0, 2, 1, 1])
    elif kind == "places":
        pred, label = data(4, 3, 2), nd.array([[0, 2], [1, 1], [2, 0], [0, 0]])
    elif kind in ("shares", "probabilities"):
        label = nd.abs(label)
        pred = nd.abs(pred) * 0.5 + 0.05 if kind == "probabilities" else pred
    axes = (1, 3) if "batch_axis=1" in text else (4,) + (1,) * (len(pred.shape) - 1)
    extra = [data(*axes, seed=9)] if weighted else []
    compared(lambda: Around(eval(text, vars(loss).copy())), [pred, label, *extra])


CELLS = ["RNNCell(4)", "LSTMCell(4)", "GRUCell(4)"]


class Unrolled(HybridBlock):
    def __init__(self, cell, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.cell = cell

    def hybrid_forward(self, F, x):
        outputs, states = self.cell.unroll(4, x, layout="NTC", merge_outputs=True)
        return [outputs, *states]


@pytest.mark.parametrize("text", CELLS)
@pytest.mark.parametrize("order", [1, 2])
def test_unrolled_cells(text, order):
    net = compared(lambda: Unrolled(layer(f"rnn.{text}")), [data(3, 4, 5)], order)
    assert is_program(net), reasons(net)


@pytest.mark.parametrize("kind", ["RNN", "LSTM", "GRU"])
def test_recurrent_layers(kind):
    compared(lambda: layer(f"rnn.{kind}(4, 2, bidirectional=True)"), [data(4, 3, 5)])
