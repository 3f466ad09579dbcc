"""Recurrent layers against `nd.RNN` and against cells, and what MXNet does on GPUs alone."""

from __future__ import annotations

import numpy as np
import pytest

import gluon
from gluon import GluonError, autograd, init, nd, nn, rnn
from gluon._core.engine.op import RECORDED
from gluon.contrib.rnn import LSTMPCell

LAYERS = [
    lambda **more: rnn.RNN(3, **more),
    lambda **more: rnn.RNN(3, activation="tanh", **more),
    lambda **more: rnn.LSTM(3, **more),
    lambda **more: rnn.LSTM(3, projection_size=2, **more),
    lambda **more: rnn.GRU(3, **more),
]
CELLS = [
    lambda: rnn.RNNCell(3, "relu"),
    lambda: rnn.RNNCell(3),
    lambda: rnn.LSTMCell(3),
    lambda: LSTMPCell(3, 2),
    lambda: rnn.GRUCell(3),
]


def x(*shape, seed=0, dtype="float32"):
    return nd.array(np.random.RandomState(seed).uniform(-1, 1, shape), dtype=dtype)


def ready(layer, *shape):
    """The layer with values for all parameters, which it finds with data of that shape."""
    layer.initialize(init.Uniform(0.7))
    if shape:
        layer(nd.ones(shape, dtype=layer.state_info()[0]["dtype"]))
    for place, one in enumerate(layer.collect_params().values()):
        one.set_data(x(*one.shape, seed=place, dtype=one.dtype))
    return layer


def close(got, want, rtol=1e-5):
    got, want = (one if isinstance(one, (list, tuple)) else [one] for one in (got, want))
    assert len(got) == len(want)
    for one, other in zip(got, want):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol, atol=1e-6)


@pytest.mark.parametrize("make", LAYERS)
@pytest.mark.parametrize("both", [False, True])
def test_a_layer_is_nd_rnn_of_its_parameters_as_one_vector(make, both):
    layer = ready(make(num_layers=2, bidirectional=both), 4, 2, 5)
    params = {name: one.data() for name, one in layer._reg_params.items()}
    sides = [f"{side}{k}_" for k in range(2) for side in "lr"[: 1 + both]]
    order = [
        side + kind
        for kinds in (["i2h_weight", "h2h_weight", "h2r_weight"], ["i2h_bias", "h2h_bias"])
        for side in sides
        for kind in kinds
        if side + kind in params
    ]
    data, states = x(4, 2, 5, seed=50), layer.begin_state(2, func=nd.random.uniform)
    form = layer._form
    settings = {"mode": form.mode, "state_size": 3, "num_layers": 2, "bidirectional": both}

    def fused():
        packed = nd.concat(*(params[name].reshape((-1,)) for name in order), dim=0)
        return nd.RNN(
            data, packed, *states, **settings, projection_size=form.projection, state_outputs=True
        )

    found = []
    for run in (lambda: layer(data, states), fused):
        with autograd.record():
            y, *rest = run()
            lasts = rest[0] if isinstance(rest[0], list) else rest
            total = (y**2).sum() + sum((one**3).sum() for one in lasts)
        total.backward()
        found.append([y, *lasts, *(one.grad().copy() for one in layer.collect_params().values())])
    close(*found)


@pytest.mark.parametrize(("make", "cell"), list(zip(LAYERS, CELLS)))
@pytest.mark.parametrize("both", [False, True])
def test_a_layer_is_a_stack_of_cells(make, cell, both):
    layer = ready(make(num_layers=2, bidirectional=both, layout="NTC"), 2, 4, 5)
    stack = rnn.HybridSequentialRNNCell()
    for _ in range(2):
        stack.add(rnn.BidirectionalCell(cell(), cell()) if both else cell())
    stack.initialize()
    data = x(2, 4, 5, seed=50)
    stack.unroll(4, data)
    saved = layer._collect_params_with_prefix()
    for name, one in stack._collect_params_with_prefix().items():
        one.set_data(saved[f"_unfused.{name}"].data())
    y, _ = stack.unroll(4, data, merge_outputs=True)
    close(layer(data), y)


@pytest.mark.parametrize("make", LAYERS)
@pytest.mark.parametrize("layout", ["TNC", "NTC"])
def test_lengths_count_each_sample_alone(make, layout):
    layer = make(num_layers=2, bidirectional=True, layout=layout, use_sequence_length=True)
    layer.initialize(init.Uniform(0.7))
    data, lengths = x(3, 5, 4), [2, 5, 1]
    turned = data if layout == "NTC" else nd.swapaxes(data, 0, 1)
    states = layer.begin_state(3)
    y, lasts = layer(turned, states, nd.array(lengths))
    close(layer(turned, sequence_length=nd.array(lengths)), y)
    y = y if layout == "NTC" else nd.swapaxes(y, 0, 1)
    for k, n in enumerate(lengths):
        part = data[k : k + 1, :n]
        part = part if layout == "NTC" else nd.swapaxes(part, 0, 1)
        alone, last = layer(part, layer.begin_state(1), nd.array([n]))
        close(y[k, :n], alone[0] if layout == "NTC" else alone[:, 0])
        close([one[:, k] for one in lasts], [one[:, 0] for one in last])
        assert not y[k, n:].asnumpy().any()


def test_dropout_between_layers_is_for_training():
    gluon.random.seed(0)
    layer = ready(rnn.GRU(40, 2, dropout=0.5), 3, 2, 4)
    data = x(3, 2, 4)
    plain = layer(data)
    close(layer(data), plain)
    with autograd.train_mode():
        assert (layer(data) != plain).mean().item() > 0.9
    with pytest.warns(UserWarning, match="does nothing with num_layers=1"):
        single = ready(rnn.GRU(40, dropout=0.5), 3, 2, 4)
    with autograd.train_mode():
        trained = single(data)
    close(single(data), trained)


def test_the_cell_state_keeps_within_its_limits():
    layer = ready(rnn.LSTM(3, state_clip_min=-0.1, state_clip_max=0.2), 4, 2, 5)
    _, (_, cells) = layer(x(4, 2, 5), layer.begin_state(2))
    assert (cells.min().item(), cells.max().item()) == (np.float32(-0.1), np.float32(0.2))


@pytest.mark.parametrize("make", LAYERS)
def test_layers_in_float16(make):
    layer = make()
    layer.cast("float16")
    assert layer.state_info()[0]["dtype"] == "float16"
    ready(layer, 3, 2, 4)
    data = x(3, 2, 4, dtype="float16")
    with autograd.record():
        y, states = layer(data, layer.begin_state(2))
    y.backward()
    wide = make()
    wide.initialize()
    wide(nd.ones((3, 2, 4)))
    for one, other in zip(wide.collect_params().values(), layer.collect_params().values()):
        one.set_data(other.data().astype("float32"))
    assert {one.dtype for one in (y, *states)} == {np.float16}
    np.testing.assert_allclose(y.asnumpy(), wide(data.astype("float32")).asnumpy(), atol=4e-3)
    assert all(one.grad().asnumpy().any() for one in layer.collect_params().values())


def test_states_begin_as_they_are_given():
    data = x(4, 2, 5)
    layer = ready(rnn.GRU(3, layout="NTC"), 2, 4, 5)
    data = nd.swapaxes(data, 0, 1)
    y = layer(data)
    assert isinstance(y, nd.NDArray)
    zeros = layer.begin_state(batch_size=2)
    for states in (zeros, zeros[0], tuple(zeros)):
        again, lasts = layer(data, states)
        close(again, y)
        assert isinstance(lasts, list)
    first, middle = layer(data[:, :2], zeros)
    second, end = layer(data[:, 2:], middle)
    close([nd.concat(first, second, dim=1), *end], [y, *lasts])


def test_a_batch_may_be_empty():
    layer = ready(rnn.LSTM(3), 4, 2, 5)
    y, states = layer(nd.ones((4, 0, 5)), layer.begin_state())
    assert [one.shape for one in (y, *states)] == [(4, 0, 3), (1, 0, 3), (1, 0, 3)]
    assert layer(nd.ones((4, 0, 5))).shape == (4, 0, 3)


def test_shapes_are_found_in_networks():
    net = nn.HybridSequential()
    net.add(nn.Embedding(5, 4), rnn.LSTM(3, bidirectional=True), nn.Dense(2, flatten=False))
    net.initialize()
    net.infer_shape(nd.zeros((4, 2)))
    assert repr(net[1]) == "LSTM(4 -> 3, TNC, bidirectional)"
    assert net[1].r0_i2h_weight.shape == (12, 4)
    assert net(nd.zeros((4, 2))).shape == (4, 2, 2)
    net.hybridize()
    assert net(nd.zeros((4, 2))).shape == (4, 2, 2)


def test_initializers_go_to_their_parameters():
    layer = rnn.LSTM(
        2,
        bidirectional=True,
        input_size=3,
        i2h_weight_initializer="ones",
        h2h_weight_initializer=init.Constant(3),
        i2h_bias_initializer=init.LSTMBias(2),
        projection_size=1,
        h2r_weight_initializer=init.Constant(7),
    )
    layer.initialize(init.Constant(9))
    for side in ("l0_", "r0_"):
        values = {
            name.removeprefix(side): one.data().asnumpy()
            for name, one in layer._reg_params.items()
            if name.startswith(side)
        }
        assert {name: set(value.ravel()) for name, value in values.items()} == {
            "i2h_weight": {1},
            "h2h_weight": {3},
            "i2h_bias": {0, 2},
            "h2h_bias": {0},
            "h2r_weight": {7},
        }
        assert values["i2h_bias"].tolist() == [0, 0, 2, 2, 0, 0, 0, 0]


def test_more_than_ten_layers_are_saved(tmp_path):
    """In files of MXNet, the number of a layer has only one digit."""
    one, two = (ready(rnn.RNN(2, 12), 2, 1, 3) for _ in range(2))
    two.initialize(force_reinit=True)
    path = str(tmp_path / "layers.params")
    one.save_parameters(path)
    two.load_parameters(path)
    assert "_unfused.11.i2h_weight" in nd.load(path)
    close(two(x(2, 1, 3)), one(x(2, 1, 3)))


def test_parameters_are_shared_with_another_layer():
    one = ready(rnn.LSTM(3, 2), 4, 2, 5)
    two = rnn.LSTM(3, 2, params=one.params, layout="NTC")
    data = x(4, 2, 5)
    close(two(nd.swapaxes(data, 0, 1)), nd.swapaxes(one(data), 0, 1))


def test_parameters_are_neither_joined_nor_taken_apart(monkeypatch):
    layer, seen = ready(rnn.LSTM(3, 2), 4, 2, 5), []
    for name in ("concat", "split", "reshape"):
        operator = getattr(RECORDED, name)

        def watched(*arrays, _operator=operator, **attributes):
            seen.extend(map(id, arrays))
            return _operator(*arrays, **attributes)

        monkeypatch.setattr(RECORDED, name, watched)
    layer(x(4, 2, 5))
    assert seen
    assert not {id(one.data()) for one in layer.collect_params().values()} & set(seen)


def test_hooks_see_the_output():
    layer, seen = ready(rnn.GRU(3), 4, 2, 5), []
    layer.register_forward_hook(lambda block, inputs, output: seen.append(output))
    y = layer(x(4, 2, 5))
    assert seen[0] is y


def wrong_calls():
    layer = ready(rnn.LSTM(3, input_size=5, prefix="lstm_"))
    data, state, cell = nd.ones((4, 2, 5)), nd.zeros((1, 2, 3)), nd.zeros((1, 2, 3))
    lengths = nd.array([1, 4])
    return [
        (lambda: rnn.LSTM(3, layout="CTN"), ValueError, "'CTN' is not one of TNC, NTC"),
        (lambda: rnn.LSTM(0), ValueError, "hidden_size=0"),
        (lambda: rnn.GRU(3, 0), ValueError, "num_layers=0"),
        (lambda: rnn.GRU(3, dropout=2), ValueError, "dropout=2"),
        (lambda: rnn.RNN(3, activation="sine"), ValueError, "sine"),
        (lambda: rnn.LSTM(3, projection_size=0), ValueError, "projection_size=0"),
        (lambda: rnn.LSTM(3, state_clip_min=1), ValueError, "pass both"),
        (lambda: rnn.GRU(3, projection_size=2), TypeError, "projection_size'"),
        (lambda: rnn.GRU(3, unknown=2), TypeError, "unknown"),
        (lambda: layer(data[0]), ValueError, r"'lstm'.*\(2, 5\).*needs \(steps, batch"),
        (lambda: layer(nd.ones((4, 2, 6))), ValueError, r"l0_i2h_weight has shape \(12, 5\)"),
        (lambda: layer(data, state), ValueError, "1 states for mode='lstm'"),
        (lambda: layer(data, [state] * 3), ValueError, "3 states for mode='lstm'"),
        (lambda: layer(data, [state, cell[:, :1]]), ValueError, r"state_cell.*needs \(1, 2, 3\)"),
        (lambda: layer(data, layer.begin_state()), ValueError, r"state has shape \(1, 0, 3\)"),
        (lambda: layer(data, [1, 2]), TypeError, "states are NDArrays, not int"),
        (lambda: layer(data.astype("float64")), TypeError, "float64 and l0_i2h_weight of float32"),
        (lambda: layer(data.astype("int32")), TypeError, "floating"),
        (lambda: layer([data]), TypeError, "inputs must be an NDArray, not list"),
        (lambda: layer(data, None, [1, 4]), TypeError, "sequence_length must be an NDArray"),
        (lambda: layer(data, None, lengths), ValueError, "use_sequence_length=False"),
        (
            lambda: ready(rnn.GRU(3, use_sequence_length=True, input_size=5))(data),
            *(ValueError, "sequence_length missing"),
        ),
        (
            lambda: ready(rnn.GRU(3, use_sequence_length=True, input_size=5))(
                data, None, nd.array([0, 5])
            ),
            *(ValueError, "outside 1 to 4"),
        ),
        (lambda: rnn.LSTM(3)(data), GluonError, "has not been initialized"),
    ]


WRONG = wrong_calls()


@pytest.mark.parametrize(("call", "kind", "message"), WRONG, ids=[one[2] for one in WRONG])
def test_wrong_calls(call, kind, message):
    with pytest.raises(kind, match=f"(?s){message}"):
        call()
