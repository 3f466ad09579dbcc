"""Recurrent cells beyond what the oracle's programs show: randomness, errors, higher orders."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import gluon
from gluon import GluonError, autograd, init, nd, nn, rnn, sym
from gluon.contrib.rnn import (
    Conv1DRNNCell,
    Conv2DGRUCell,
    Conv2DLSTMCell,
    LSTMPCell,
    VariationalDropoutCell,
)
from gluon.contrib.rnn.rnn_cell import dynamic_unroll


class Through(rnn.HybridRecurrentCell):
    """Gives its inputs, and adds them to both of its states."""

    def state_info(self, batch_size=0):
        return [{"shape": (batch_size, 50), "__layout__": "NC"}] * 2

    def hybrid_forward(self, F, inputs, states):
        return inputs, [state + inputs for state in states]


def ready(cell):
    cell.initialize(init.Xavier())
    return cell


def stack(*cells, kind=rnn.HybridSequentialRNNCell):
    made = kind()
    for cell in cells:
        made.add(cell)
    return made


def x(*shape, seed=0, dtype="float32"):
    return nd.array(np.random.RandomState(seed).uniform(-1, 1, shape), dtype=dtype)


def assert_close(got, want):
    np.testing.assert_allclose(got.asnumpy(), want.asnumpy(), rtol=1e-5, atol=1e-6)


# ------------------------------------------------------------------------------ randomness


def test_dropout_takes_one_array_at_once_and_a_list_step_by_step():
    ones = nd.ones((2, 3, 50))
    with autograd.train_mode():
        whole, _ = rnn.DropoutCell(0.5, axes=(1,)).unroll(3, ones)
        parts, states = rnn.DropoutCell(0.5).unroll(3, ones, merge_outputs=False)
    assert (whole[:, 0] == whole[:, 2]).min().item() == 1
    assert {0.0, 2.0} == set(whole.asnumpy().ravel())
    assert states == []
    assert (parts[0] != parts[1]).max().item() == 1


def test_zoneout_lets_outputs_and_states_stay_while_training():
    gluon.random.seed(0)
    inputs = nd.array(np.arange(1, 301).reshape(2, 3, 50))
    cell = rnn.ZoneoutCell(Through(), 0.5, 0.25)
    with autograd.train_mode():
        outputs, states = cell.unroll(3, inputs)
    new = [inputs[:, k].asnumpy() for k in range(3)]
    old = np.zeros((2, 50))
    for output, now in zip(outputs, new):
        assert ((output.asnumpy() == now) | (output.asnumpy() == old)).all()
        assert 0.3 < (output.asnumpy() == now).mean() < 0.7
        old = output.asnumpy()
    possible = np.stack([a * new[0] + b * new[1] + c * new[2] for a, b, c in np.ndindex(2, 2, 2)])
    assert all((possible == state.asnumpy()).any(axis=0).all() for state in states)
    assert 0.65 < (states[0].asnumpy() == sum(new)).mean() ** (1 / 3) < 0.85
    assert (cell._prev_output == outputs[-1]).min().item() == 1
    cell.reset()
    assert cell._prev_output is None


def test_variational_dropout_keeps_its_places_until_reset():
    gluon.random.seed(0)
    ones = nd.ones((2, 3, 50))
    cell = VariationalDropoutCell(Through(), 0.5, 0.4, 0.3)
    with autograd.train_mode():
        (one, two, three), states = cell.unroll(3, ones, merge_outputs=False)
        again, _ = cell(nd.ones((2, 50)), cell.begin_state(batch_size=2))
        other = cell.unroll(3, ones)[0][0]
    assert ((one == two) * (one == three) * (one == again)).min().item() == 1
    assert (one != other).max().item() == 1
    np.testing.assert_allclose(one.max().item(), 1 / 0.5 / 0.7, rtol=1e-6)
    dropped = cell.drop_inputs_mask
    assert 0.3 < (dropped == 0).mean().item() < 0.7
    assert (states[0] != states[1]).max().item() == 1  # the second state is not dropped


@pytest.mark.parametrize("rates", [(0.5, 0, 0), (0, 0, 0.5)])
def test_variational_dropout_without_states_takes_the_sequence_at_once(rates):
    cell = VariationalDropoutCell(Through(), *rates)
    with autograd.train_mode():
        outputs, _ = cell.unroll(3, nd.ones((2, 3, 50)))
        parts, _ = cell.unroll(3, nd.ones((2, 3, 50)), merge_outputs=False)
    for one, two, three in (nd.split(outputs, 3, squeeze_axis=True), parts):
        assert set(one.asnumpy().ravel()) == {0.0, 2.0}
        assert ((one == two) * (one == three)).min().item() == 1


# ------------------------------------------------------------------------ lengths, layouts


def cells_for_lengths():
    return [
        rnn.LSTMCell(3, input_size=4),
        rnn.BidirectionalCell(rnn.LSTMCell(3, input_size=4), rnn.GRUCell(2, input_size=4)),
        rnn.ResidualCell(stack(rnn.GRUCell(3, input_size=4), rnn.RNNCell(4, input_size=3))),
        VariationalDropoutCell(rnn.BidirectionalCell(rnn.RNNCell(3), rnn.RNNCell(3))),
    ]


@pytest.mark.parametrize("cell", cells_for_lengths(), ids=lambda cell: type(cell).__name__)
@pytest.mark.parametrize("merge", [None, True, False])
@pytest.mark.parametrize("layout", ["NTC", "TNC"])
def test_each_sample_is_as_if_alone(cell, merge, layout):
    """Also where MXNet cannot join the outputs of both directions."""
    cell.collect_params().initialize(init.Xavier(), force_reinit=True)
    data, lengths = x(3, 5, 4), [2, 5, 1]
    inputs = data if layout == "NTC" else nd.swapaxes(data, 0, 1)
    settings = {"layout": layout, "merge_outputs": merge}
    outputs, states = cell.unroll(5, inputs, valid_length=nd.array(lengths), **settings)
    assert isinstance(outputs, list) == (merge is False)
    if merge is False:
        outputs = nd.stack(*outputs, axis=layout.index("T"))
    outputs = outputs if layout == "NTC" else nd.swapaxes(outputs, 0, 1)
    for k, n in enumerate(lengths):
        alone, last = cell.unroll(n, data[k : k + 1, :n], merge_outputs=True)
        assert_close(outputs[k, :n], alone[0])
        assert not outputs[k, n:].asnumpy().any()
        for one, whole in zip(last, states):
            assert_close(whole[k], one[0])


def test_features_last_are_joined_in_images_too():
    cell = rnn.BidirectionalCell(
        *(Conv2DGRUCell((5, 4, 2), 3, 3, 3, 1, conv_layout="NHWC") for _ in range(2))
    )
    ready(cell)
    images = x(2, 3, 5, 4, 2)
    merged, _ = cell.unroll(3, images, layout="NTHWC", merge_outputs=True)
    parts, _ = cell.unroll(3, images, layout="NTHWC", merge_outputs=False)
    assert merged.shape == (2, 3, 5, 4, 6)
    assert (nd.stack(*parts, axis=1) == merged).min().item() == 1


def test_convolutions_with_channels_last_give_the_same():
    first = ready(Conv2DLSTMCell((2, 5, 6), 3, (3, 2), 3, 1, prefix="a_"))
    last = ready(Conv2DLSTMCell((5, 6, 2), 3, (3, 2), 3, 1, conv_layout="NHWC", prefix="b_"))
    for name in ("i2h_weight", "h2h_weight"):
        weight = getattr(first, name).data()
        getattr(last, name).set_data(nd.transpose(weight, (0, 2, 3, 1)))
    images = x(2, 4, 2, 5, 6)
    y, states = first.unroll(4, images, merge_outputs=True)
    z, _ = last.unroll(4, nd.transpose(images, (0, 1, 3, 4, 2)), merge_outputs=True)
    assert_close(nd.transpose(z, (0, 1, 4, 2, 3)), y)
    assert [one["shape"] for one in last.state_info(7)] == [(7, 5, 7, 3)] * 2
    assert last.state_info()[0]["__layout__"] == "NHWC"
    assert states[0].shape == (2, 3, 5, 7)


# ---------------------------------------------------------------------------------- states


@pytest.mark.parametrize(
    "func",
    [
        nd.zeros,
        nd.random.uniform,
        nd.empty,
        functools.partial(nd.full, val=2),
        lambda **given: given,
    ],
)
def test_begin_state_takes_any_maker_of_arrays(func):
    for cell in (rnn.LSTMCell(3, prefix="a_"), rnn.LSTM(3, prefix="a_")):
        states = cell.begin_state(batch_size=2, func=func)
        if isinstance(states[0], dict):
            assert [one["name"][:2] for one in states] == ["a_", "a_"]
            assert states[0]["__layout__"] in ("NC", "LNC")
        else:
            assert [one.shape[-2:] for one in states] == [(2, 3)] * 2


def test_a_modifier_begins_with_arrays():
    cell = rnn.ZoneoutCell(rnn.LSTMCell(3))
    assert [one.shape for one in cell.begin_state(batch_size=2)] == [(2, 3)] * 2
    assert cell.begin_state(nd.ones, batch_size=1)[0].asnumpy().tolist() == [[1, 1, 1]]


@pytest.mark.parametrize("dtype", ["float16", "float64"])
def test_cells_compute_in_the_dtype_they_are_cast_to(dtype):
    cell = ready(stack(rnn.LSTMCell(3, input_size=4), rnn.GRUCell(2, input_size=3)))
    cell.cast(dtype)
    outputs, states = cell.unroll(2, x(1, 2, 4, dtype=dtype), merge_outputs=True)
    assert {str(np.dtype(one.dtype)) for one in (outputs, *states)} == {dtype}


def test_a_batch_may_be_empty():
    outputs, states = ready(rnn.LSTMCell(3, input_size=4)).unroll(2, nd.ones((0, 2, 4)))
    assert [one.shape for one in (*outputs, *states)] == [(0, 3)] * 4


def test_a_cell_counts_its_steps_once_though_it_finds_its_shapes():
    cell = ready(stack(rnn.RNNCell(3), rnn.ZoneoutCell(rnn.GRUCell(2))))
    cell.unroll(3, nd.ones((1, 3, 4)))
    assert [one._counter for one in (cell, *cell, cell[1].base_cell)] == [-1, 2, 2, 2]
    cell(nd.ones((1, 4)), cell.begin_state(batch_size=1))
    assert [one._counter for one in (cell, *cell)] == [0, 3, 3]
    cell.reset()
    assert [one._counter for one in (cell, *cell, cell[1].base_cell)] == [-1] * 4


def test_a_stack_is_a_sequence():
    cells = [rnn.RNNCell(3), rnn.DropoutCell(0.1), rnn.LSTMCell(2)]
    made = stack(*cells, kind=rnn.SequentialRNNCell)
    assert (len(made), list(made), made[-1], made[:2]) == (3, cells, cells[2], cells[:2])
    with pytest.raises(IndexError):
        made[3]


def test_activations_may_be_blocks_and_functions():
    for activation in (nn.LeakyReLU(0.5), lambda y: nd.LeakyReLU(y, slope=0.5)):
        for cell, shape in (
            (rnn.RNNCell(3, activation), (1, 2, 4)),
            (Conv1DRNNCell((4, 5), 2, 3, 3, activation=activation), (1, 2, 4, 5)),
        ):
            ready(cell)
            negative = nd.ones(shape) * -1
            cell.initialize("ones", force_reinit=True)
            output = cell.unroll(2, negative)[0][0]
            assert output.max().item() == -2 if len(shape) == 3 else -6
    learned = rnn.RNNCell(3, nn.PReLU(), input_size=2)
    assert [name.split("_")[-1] for name in learned.collect_params()][-1] == "alpha"


def test_dynamic_unroll_drops_the_same_places_at_all_steps():
    gluon.random.seed(0)
    with autograd.train_mode():
        (one, two), _ = dynamic_unroll(Through(), nd.ones((2, 3, 50)), None, 0.5, 0.5)
    assert (one == two).min().item() == 1
    assert set(one.asnumpy().ravel()) == {0.0, 4.0}


# ------------------------------------------------------------------------- gradients, hooks


@pytest.mark.parametrize(
    "make",
    [
        lambda: rnn.LSTMCell(2, input_size=3),
        lambda: rnn.GRUCell(2, input_size=3),
        lambda: LSTMPCell(3, 2, input_size=3),
    ],
)
def test_second_order_gradients(make):
    """Check the gradient of the squared gradient against finite differences."""
    cell = make()
    cell.initialize(init.Uniform(0.7))
    cell.cast("float64")
    data = x(2, 3, 3, dtype="float64")
    params = [one.data() for one in cell.collect_params().values()]

    def penalty():
        with autograd.record():
            outputs, states = cell.unroll(3, data, merge_outputs=True)
            total = (outputs**2).sum() + sum((state**3).sum() for state in states)
            grads = autograd.grad(total, params, create_graph=True)
            return sum((grad**2).sum() for grad in grads)

    penalty().backward()
    grads = [one.grad.asnumpy().copy() for one in params]
    rng = np.random.RandomState(1)
    steps = [rng.normal(size=one.shape) * 1e-5 for one in params]
    ends = []
    for sign in (1, -1):
        for one, step in zip(params, steps):
            one[:] = one + nd.array(sign * step, dtype="float64")
        ends.append(penalty().item())
        for one, step in zip(params, steps):
            one[:] = one - nd.array(sign * step, dtype="float64")
    found = sum((grad * step).sum() for grad, step in zip(grads, steps))
    np.testing.assert_allclose(found, (ends[0] - ends[1]) / 2, rtol=1e-6)


def test_hooks_run_for_single_cells_and_stacks():
    seen = []
    made = ready(stack(rnn.RNNCell(3), kind=rnn.SequentialRNNCell))
    for block in (made, made[0]):
        block.register_forward_hook(lambda block, inputs, outputs: seen.append(block.name))
    made.unroll(2, nd.ones((1, 2, 4)))
    made(nd.ones((1, 4)), made.begin_state(batch_size=1))
    assert seen == [made[0].name] * 3 + [made.name]


# ---------------------------------------------------------------------------------- errors


def wrong_calls():
    """What is wrong, what raises it, the kind of error, and what the message says."""
    cell = rnn.RNNCell(3, input_size=4, prefix="cell_")
    lstm = rnn.LSTMCell(3, input_size=4, prefix="lstm_")
    for one in (cell, lstm):
        one.initialize()
    both = rnn.BidirectionalCell(rnn.RNNCell(3), rnn.RNNCell(3))
    base = rnn.RNNCell(3, prefix="base_")
    rnn.ResidualCell(base)
    data, state = nd.ones((2, 5, 4)), nd.zeros((2, 3))
    conv = (2, 5, 5), 3
    return [
        ("length", lambda: cell.unroll(4, data), ValueError, r"length=4.*\(2, 5, 4\).*5 steps"),
        ("list", lambda: cell.unroll(4, [data[:, 0]]), ValueError, "length=4.*have 1 steps"),
        ("empty", lambda: cell.unroll(0, []), ValueError, "at least 1"),
        ("no axis", lambda: cell.unroll(1, state), ValueError, "have 3 steps"),
        ("nothing", lambda: cell.unroll(1, None), TypeError, "not NoneType"),
        ("things", lambda: cell.unroll(1, [3]), TypeError, "one NDArray or a list"),
        ("layout", lambda: cell.unroll(5, data, layout="NCX"), ValueError, "'NCX' must name"),
        ("width", lambda: cell.unroll(4, nd.ones((2, 4, 5))), ValueError, r"'cell'.*\[3, 4\]"),
        ("dropout", lambda: rnn.DropoutCell(0.5).unroll(3, data), ValueError, "length=3"),
        (
            *("lengths", lambda: cell.unroll(5, data, valid_length=nd.array([1, 9]))),
            *(ValueError, "SequenceLast"),
        ),
        ("no list", lambda: cell(data[:, 0], state), ValueError, "needs a list.*NDArray"),
        ("no states", lambda: cell(data[:, 0], []), ValueError, r"\[\(2, 3\)\].*got \[\]"),
        ("number", lambda: cell(data[:, 0], [state] * 2), ValueError, r"'cell'.*needs a list"),
        ("shape", lambda: cell(data[:, 0], [data[:, 0]]), ValueError, r"got \[\(2, 4\)\]"),
        ("batch", lambda: lstm(data[:1, 0], lstm.begin_state()), ValueError, "batch_size=1"),
        ("cell", lambda: lstm(data[:, 0], [state, state[:, :1]]), ValueError, r"\(2, 1\)"),
        ("things as states", lambda: cell(data[:, 0], [3]), ValueError, r"got \['int'\]"),
        ("stack", lambda: stack(cell, lstm)(data[:, 0], [state]), ValueError, "3 states, got 1"),
        ("in stack", lambda: stack(cell)(data[:, 0], state), ValueError, "got NDArray"),
        ("add", lambda: rnn.SequentialRNNCell().add(nn.Dense(1)), TypeError, "not Dense"),
        ("bidirectional", lambda: both(data[:, 0], []), NotImplementedError, r"unroll\(\)"),
        ("modified", lambda: base.begin_state(batch_size=1), ValueError, "'base'.*the modifier"),
        ("twice", lambda: rnn.ZoneoutCell(base), ValueError, "'base' belongs.*already"),
        ("no cell", lambda: rnn.ResidualCell(nn.Dense(3)), TypeError, "not of Dense"),
        ("zoneout", lambda: rnn.ZoneoutCell(both), ValueError, "no single step"),
        ("varied", lambda: VariationalDropoutCell(both, 0, 0.1), ValueError, "no single step"),
        ("not hybrid", lambda: rnn.ZoneoutCell(rnn.SequentialRNNCell()), ValueError, "Hybrid"),
        ("rate", lambda: rnn.DropoutCell("0.1"), TypeError, "rate='0.1' is a str; pass a number"),
        ("modifier", lambda: rnn.ModifierCell(Through()).unroll(5, data), NotImplementedError, ""),
        ("no info", lambda: rnn.RecurrentCell().begin_state(), NotImplementedError, "state_info"),
        (
            *("residual", lambda: ready(rnn.ResidualCell(rnn.RNNCell(3))).unroll(5, data)),
            *(ValueError, r"\(2, 3\) cannot be added to inputs of shape \(2, 4\)"),
        ),
        (
            *(
                "residual step",
                lambda: ready(rnn.ResidualCell(rnn.RNNCell(3)))(data[:, 0], [state]),
            ),
            *(ValueError, "as many outputs as inputs"),
        ),
        (
            "activation",
            lambda: ready(rnn.RNNCell(3, "sine"))(data[:, 0], [state]),
            ValueError,
            "sine",
        ),
        ("even", lambda: Conv2DGRUCell(*conv, 3, (3, 2)), ValueError, r"h2h_kernel=\(3, 2\).*odd"),
        (
            "sizes",
            lambda: Conv2DGRUCell(*conv, (3,), 3),
            ValueError,
            "i2h_kernel is one number or 2",
        ),
        ("space", lambda: Conv2DGRUCell(*conv, 7, 3), ValueError, "is too small for i2h_kernel"),
        ("input shape", lambda: Conv2DGRUCell((2, 5), 3, 3, 3), ValueError, "must have 3 lengths"),
        (
            *("conv layout", lambda: Conv2DGRUCell(*conv, 3, 3, conv_layout="NCW")),
            *(ValueError, "'NCW' is not one of"),
        ),
        (
            "conv state",
            lambda: ready(Conv2DGRUCell(*conv, 3, 3))(
                nd.ones((1, 2, 5, 5)), [nd.ones((1, 3, 1, 1))]
            ),
            *(ValueError, r"\(1, 3, 3, 3\).*got \[\(1, 3, 1, 1\)\]"),
        ),
    ]


WRONG = wrong_calls()


@pytest.mark.parametrize(
    ("call", "kind", "message"), [one[1:] for one in WRONG], ids=[one[0] for one in WRONG]
)
def test_wrong_calls(call, kind, message):
    with pytest.raises(kind, match=f"(?s){message}") as raised:
        call()
    assert kind is NotImplementedError or isinstance(raised.value, GluonError)


@pytest.mark.parametrize("layout", ["TNC", "NTC"])
@pytest.mark.parametrize("lengths", [None, [3, 5]])
@pytest.mark.parametrize("starts", [True, False])
def test_dynamic_unroll_of_a_symbol_is_that_of_arrays(layout, lengths, starts):
    cell = rnn.LSTMCell(4, input_size=3, prefix="l_")
    cell.initialize()
    x = nd.random.normal(shape=(5, 2, 3) if layout == "TNC" else (2, 5, 3))
    states = [nd.random.normal(shape=(2, 4)) for _ in "hc"] if starts else None
    valid = lengths and nd.array(lengths)
    outputs, last = dynamic_unroll(cell, x, states, layout=layout, valid_length=valid)
    given = {"x": x} | dict(zip("hc", states or ())) | ({"v": valid} if lengths else {})
    y, ends = dynamic_unroll(
        *(cell, sym.var("x"), [sym.var("h"), sym.var("c")] if starts else None),
        layout=layout,
        valid_length=sym.var("v") if lengths else None,
    )
    bound = sym.Group([y, *ends]).simple_bind(**{name: one.shape for name, one in given.items()})
    given |= {one.name: one.data() for one in cell.collect_params().values()}
    for one, right in zip(bound.forward(**given), [outputs, *last]):
        np.testing.assert_allclose(one.asnumpy(), right.asnumpy(), rtol=1e-5, atol=1e-6)
