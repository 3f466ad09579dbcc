"""`nd.RNN` against its definition written out step by step, and what MXNet does on GPUs alone."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

import gluon
from gluon import autograd, nd

MODES = ("rnn_relu", "rnn_tanh", "lstm", "gru")
GATES = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}


class Layers:
    """Random arguments of `nd.RNN`, and the same layers made of other operators."""

    def __init__(self, mode, shape, size, layers=1, directions=1, projection=None, seed=0):
        rng = np.random.default_rng(seed)
        self.mode, self.shape, self.size = mode, shape, size
        self.layers, self.directions, self.projection = layers, directions, projection
        out, runs = projection or size, layers * directions
        rows = GATES[mode] * size
        weights, biases = [], []
        for k in range(layers):
            inputs = directions * out if k else shape[2]
            one = [(rows, inputs), (rows, out)] + [(out, size)] * bool(projection)
            weights += [one] * directions
            biases += [[(rows,), (rows,)]] * directions
        self.order = [shape for part in (weights, biases) for one in part for shape in one]
        count = sum(int(np.prod(shape)) for shape in self.order)
        shapes = [shape, (count,), (runs, shape[1], out), (runs, shape[1], size)]
        self.arrays = [
            nd.array(rng.uniform(-0.8, 0.8, shape), dtype="float64")
            for shape in (shapes if mode == "lstm" else shapes[:3])
        ]
        self.spec = {"mode": mode, "state_size": size, "num_layers": layers}
        self.spec |= {"bidirectional": directions == 2, "projection_size": projection}

    def fused(self, *arrays, **more) -> list:
        return nd.RNN(*arrays, **self.spec, state_outputs=True, **more)

    def written_out(self, x, parameters, *states, clip=None) -> list:
        """As MXNet's documentation defines it."""
        pieces, at = [], 0
        for shape in self.order:
            size = int(np.prod(shape))
            pieces.append(parameters[at : at + size].reshape(shape))
            at += size
        runs = self.layers * self.directions
        wide = 3 if self.projection else 2
        lasts = []
        for layer in range(self.layers):
            outs = []
            for direction in range(self.directions):
                k = layer * self.directions + direction
                w = pieces[k * wide : (k + 1) * wide]
                b = pieces[runs * wide + 2 * k : runs * wide + 2 * k + 2]
                order = range(self.shape[0])
                order = order[::-1] if direction else order
                state, ys = [s[k] for s in states], {}
                for t in order:
                    state = self.step(x[t], state, w, b, clip)
                    ys[t] = state[0]
                outs.append(nd.stack(*(ys[t] for t in range(self.shape[0]))))
                lasts.append(state)
            x = nd.concat(*outs, dim=2)
        return [x, *(nd.stack(*column) for column in zip(*lasts))]

    def step(self, x, state, w, b, clip):
        from_x = nd.dot(x, w[0], transpose_b=True) + b[0]
        from_h = nd.dot(state[0], w[1], transpose_b=True) + b[1]
        if self.mode.startswith("rnn"):
            return [nd.Activation(from_x + from_h, act_type=self.mode[4:])]
        if self.mode == "gru":
            (rx, zx, nx), (rh, zh, nh) = (nd.split(v, 3, axis=1) for v in (from_x, from_h))
            r, z = nd.sigmoid(rx + rh), nd.sigmoid(zx + zh)
            return [(1 - z) * nd.tanh(nx + r * nh) + z * state[0]]
        i, f, g, o = nd.split(from_x + from_h, 4, axis=1)
        c = nd.sigmoid(f) * state[1] + nd.sigmoid(i) * nd.tanh(g)
        c = nd.clip(c, *clip) if clip else c
        h = nd.sigmoid(o) * nd.tanh(c)
        return [nd.dot(h, w[2], transpose_b=True) if self.projection else h, c]


def orders(function, arrays, order: int) -> list:
    """The gradients of the `order`-th derivative of all outputs, each time made one number."""
    arrays = [x.copy() for x in arrays]
    for x in arrays:
        x.attach_grad()
    with autograd.record():
        y = sum((out * out * (k + 1)).sum() for k, out in enumerate(function(*arrays)))
        for _ in range(order - 1):
            y = sum((g * g).sum() for g in autograd.grad(y, arrays, create_graph=True))
    y.backward()
    return [x.grad.asnumpy() for x in arrays]


def assert_all_close(got, want, rtol=1e-9):
    for one, other in zip(got, want):
        one, other = (x if isinstance(x, np.ndarray) else x.asnumpy() for x in (one, other))
        np.testing.assert_allclose(one, other, rtol=rtol, atol=rtol * np.abs(other).max())


FORMS = [
    *((mode, (3, 2, 2), 2, {}) for mode in MODES),
    *((mode, (2, 2, 2), 2, {"layers": 2, "directions": 2}) for mode in MODES),
    ("lstm", (3, 2, 2), 3, {"projection": 2}),
]


@pytest.mark.parametrize("order", [0, 1, 2, 3])
@pytest.mark.parametrize(("mode", "shape", "size", "more"), FORMS, ids=str)
def test_values_and_gradients_of_every_order_are_those_of_the_definition(
    mode, shape, size, more, order
):
    layers = Layers(mode, shape, size, **more)
    if order == 0:
        assert_all_close(layers.fused(*layers.arrays), layers.written_out(*layers.arrays))
    else:
        got = orders(layers.fused, layers.arrays, order)
        assert_all_close(got, orders(layers.written_out, layers.arrays, order))


@pytest.mark.parametrize("order", [1, 2, 3])
def test_the_cell_stays_within_its_limits(order):
    layers = Layers("lstm", (4, 2, 2), 3)
    limits = {"lstm_state_clip_min": -0.1, "lstm_state_clip_max": 0.15}
    _, _, cells = layers.fused(*layers.arrays, **limits)
    assert cells.min().item() == -0.1
    assert cells.max().item() == 0.15
    assert_all_close(
        orders(lambda *x: layers.fused(*x, **limits), layers.arrays, order),
        orders(lambda *x: layers.written_out(*x, clip=(-0.1, 0.15)), layers.arrays, order),
    )


@pytest.mark.parametrize("stops", [False, True])
def test_nan_in_a_cell_becomes_the_lower_limit(stops):
    layers = Layers("lstm", (2, 1, 1), 1)
    layers.arrays[3][:] = np.nan
    limits = {"lstm_state_clip_min": -1, "lstm_state_clip_max": 1, "lstm_state_clip_nan": stops}
    outputs = layers.fused(*layers.arrays, **limits)
    assert all(np.isfinite(y.asnumpy()).all() == stops for y in outputs)


@pytest.mark.parametrize("directions", [1, 2])
@pytest.mark.parametrize("mode", MODES)
def test_a_sequence_ends_at_its_length(mode, directions):
    lengths = [2, 4, 1]
    layers = Layers(mode, (4, 3, 2), 2, 2, directions)
    x, parameters, *states = layers.arrays
    x[2:, 0], x[1:, 2] = np.nan, np.inf  # whatever is there
    given = {"sequence_length": nd.array(lengths), "use_sequence_length": True}

    def padded(*arrays):
        return layers.fused(*arrays, **given)

    y, *lasts = padded(*layers.arrays)
    for k, n in enumerate(lengths):
        alone = [x[:n, k : k + 1], parameters, *(state[:, k : k + 1] for state in states)]
        want, *ends = layers.fused(*alone)
        assert_all_close([y[:n, k : k + 1]], [want])
        assert_all_close([last[:, k : k + 1] for last in lasts], ends)
        assert (y.asnumpy()[n:, k] == 0).all()
    grads = orders(padded, layers.arrays, 2)
    assert all(np.isfinite(grad).all() for grad in grads)
    assert (grads[0][2:, 0] == 0).all()


def test_outputs_are_dropped_between_layers_in_training_only():
    layers = Layers("gru", (3, 2, 2), 2, 2)
    plain = layers.fused(*layers.arrays)
    assert_all_close(layers.fused(*layers.arrays, p=0.9), plain)
    with autograd.train_mode():
        assert_all_close(layers.fused(*layers.arrays), plain)
        y, ends = layers.fused(*layers.arrays, p=1)
    assert_all_close([ends[0]], [plain[1][0]])  # the first layer is as before, the second sees 0
    second = Layers("gru", (3, 2, 2), 2)
    count = second.arrays[1].size
    rows = 6
    weights, biases = layers.arrays[1][: 2 * rows * 4], layers.arrays[1][2 * rows * 4 :]
    own = nd.concat(weights[rows * 4 :], biases[2 * rows :], dim=0)
    assert own.shape == (count,)
    want, _ = second.fused(nd.zeros((3, 2, 2), dtype="float64"), own, layers.arrays[2][1:])
    assert_all_close([y], [want])


def test_dropped_outputs_have_no_gradient_and_the_others_are_scaled():
    layers = Layers("rnn_tanh", (5, 4, 3), 6, 2)

    def value(*arrays):
        gluon.random.seed(3)
        with autograd.train_mode():
            return layers.fused(*arrays, p=0.5)

    grads = orders(value, layers.arrays, 1)
    step = 1e-6 * np.random.default_rng(0).normal(size=layers.arrays[1].shape)
    ends = []
    for sign in (1, -1):
        moved = [*layers.arrays]
        moved[1] = nd.array(layers.arrays[1].asnumpy() + sign * step, dtype="float64")
        outputs = [y.asnumpy() for y in value(*moved)]
        ends.append(sum((k + 1) * (y * y).sum() for k, y in enumerate(outputs)))
    np.testing.assert_allclose((grads[1] * step).sum(), (ends[0] - ends[1]) / 2, rtol=1e-5)


@pytest.mark.parametrize("mode", MODES)
def test_half_precision_is_computed_in_single(mode):
    layers = Layers(mode, (20, 2, 8), 16)
    half = [x.astype("float16") for x in layers.arrays]
    outputs = layers.fused(*half)
    assert {y.dtype for y in outputs} == {np.float16}
    assert_all_close([y.astype("float64") for y in outputs], layers.fused(*layers.arrays), 5e-3)


@pytest.mark.parametrize("mode", MODES)
def test_large_activations_saturate(mode):
    layers = Layers(mode, (3, 2, 2), 2)
    x, *rest = (array.astype("float32") for array in layers.arrays)
    outputs = layers.fused(x * 1e4, *rest)
    assert all(np.isfinite(y.asnumpy()).all() for y in outputs)


def test_without_state_outputs_the_output_comes_alone():
    layers = Layers("lstm", (3, 2, 2), 2)
    y = nd.RNN(*layers.arrays, **layers.spec)
    assert_all_close([y], layers.fused(*layers.arrays)[:1])


@pytest.mark.usefixtures("no_cycle_collector")
def test_a_graph_is_freed_with_its_last_array():
    layers = Layers("lstm", (3, 2, 2), 2, 2, 2)
    for x in layers.arrays:
        x.attach_grad()
    with autograd.record():
        y, *_ = layers.fused(*layers.arrays)
        loss = (y * y).sum()
        grads = autograd.grad(loss, layers.arrays, create_graph=True)
    ref = weakref.ref(y.raw)
    del y, loss, grads, _
    assert ref() is None
    assert not gc.isenabled()
