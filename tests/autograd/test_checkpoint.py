"""checkpoint: the same values and gradients of every order, without the intermediate values."""

from __future__ import annotations

import threading
import weakref
from collections import namedtuple

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from gluon import GluonError, autograd, cpu, nd, nn, random
from gluon._core.engine.mode import mode
from gluon._core.errors import AnomalyError, AutogradError
from gluon.autodiff import GradManager


def double(*values):
    return nd.array(np.array(values), dtype="float64")


@pytest.fixture
def x():
    x = double(0.5, -1.0, 2.0)
    x.attach_grad()
    return x


@pytest.fixture
def w():
    w = double(1.5, 0.5, -0.25)
    w.attach_grad()
    return w


def plain(function, *inputs, **keywords):
    return function(*inputs, **keywords)


def both(program):
    """Return the results of a program with plain functions, and with checkpoints."""
    found = []
    for call in (plain, autograd.checkpoint):
        random.seed(3)
        found.append(program(call))
    return found


def assert_equal(program):
    wanted, found = both(program)
    assert len(wanted) == len(found)
    for a, b in zip(wanted, found):
        assert_allclose(b.asnumpy(), a.asnumpy(), rtol=1e-12, atol=1e-14)


# ------------------------------------------------------------------------ the same results


def test_values_gradients_and_parameters(x, w):
    def program(call):
        with autograd.record():
            h = x
            for _ in range(4):
                h = call(lambda h: nd.tanh(h * w) + x, h)
        h.backward()
        return [h, x.grad.copy(), w.grad.copy()]

    assert_equal(program)


def test_dropout_falls_on_the_same_places(x, w):
    def layer(h):
        return nd.Dropout(nd.tanh(h * w), 0.5) + nd.Dropout(h, 0.5)

    def program(call):
        with autograd.record():
            h = x
            for _ in range(4):
                h = call(layer, h)
        h.backward()
        return [h, x.grad.copy(), w.grad.copy(), nd.random.uniform(shape=(3,))]

    assert_equal(program)


def test_a_seed_inside_counts_outside(x):
    def seeded(x):
        random.seed(9)
        return nd.Dropout(x, 0.5)

    def program(call):
        with autograd.record():
            y = call(seeded, x)
        after = nd.random.uniform(shape=(3,))
        y.backward()
        return [y, x.grad.copy(), after, nd.random.uniform(shape=(3,))]

    assert_equal(program)


def test_nested_inputs_and_outputs(x, w):
    def layer(pair, *, scale, states):
        a, b = pair
        return a * b * scale, {"sum": [a + states[0]], "n": 3, "none": None}, states

    def program(call):
        with autograd.record():
            y, parts, (state,) = call(layer, [x, w], scale=x, states=(w * 2,))
            assert (parts["n"], parts["none"], type(parts["sum"])) == (3, None, list)
            z = (y * parts["sum"][0] + state).sum()
        z.backward()
        return [z, x.grad.copy(), w.grad.copy()]

    assert_equal(program)


def test_named_tuples_stay_such(x):
    pair, calls = namedtuple("pair", "first second"), []

    def function(p):
        calls.append(type(p))
        return pair(p.first * 2, p.second)

    with autograd.record():
        y = autograd.checkpoint(function, pair(x, 3))
    y.first.backward()
    assert type(y) is pair
    assert calls == [pair, pair]
    assert x.grad.asnumpy().tolist() == [2] * x.size


def test_one_output_of_several_is_used(x, w):
    def program(call):
        with autograd.record():
            _, z = call(lambda x: (x * w, w * w), x)
        z.backward()
        return [z, w.grad.copy()]

    assert_equal(program)


def test_an_output_that_depends_on_nothing(x):
    def layer(x):
        return x * x, nd.ones((3,), dtype="float64") * 5

    with autograd.record():
        y, constant = autograd.checkpoint(layer, x)
        z = y * constant
    z.backward()
    assert_allclose(x.grad.asnumpy(), 10 * x.asnumpy())


def test_an_input_that_another_one_is_made_of(x):
    def program(call):
        with autograd.record():
            h = nd.exp(x)
            y = call(lambda h: h * nd.sin(x), h)
        y.backward()
        return [y, x.grad.copy()]

    assert_equal(program)


@pytest.mark.parametrize("orders", [2, 3])
def test_gradients_of_higher_order_and_nested_checkpoints(x, w, orders):
    def program(call):
        def inner(h):
            return nd.tanh(h * w)

        def outer(h):
            return call(inner, h) * nd.exp(call(inner, h * x))

        with autograd.record():
            score, found = (call(outer, x) * w).sum(), []
            for _ in range(orders - 1):
                grads = autograd.grad(score, [x, w], create_graph=True)
                found += grads
                score = (grads[0] * grads[1]).sum()
        score.backward()
        return [*found, x.grad.copy(), w.grad.copy()]

    assert_equal(program)


def test_managers_nested_and_as_peers(x, w):
    def program(call):
        x.grad = w.grad = None
        outer, inner, peer = GradManager().attach(x), GradManager().attach([x, w]), GradManager()
        peer.attach(w)
        with outer:
            with inner | peer:
                y = call(lambda x: nd.sin(x * w) * x, x)
                slope = inner.backward(y)[0]
                peer.backward(y)
            first = [x.grad.copy(), w.grad.copy()]
            outer.backward(slope)
        return [*first, x.grad, w.grad]

    assert_equal(program)


def test_inside_jacobian_and_gradcheck(x, w):
    def program(call):
        return [autograd.jacobian(lambda x: call(lambda h: nd.tanh(h * w) * x.sum(), x), x)]

    assert_equal(program)
    assert autograd.gradgradcheck(
        lambda x, w: autograd.checkpoint(lambda x: (nd.sin(x) * w, x * w), x), (x, w)
    )


def test_a_block_with_its_running_averages():
    random.seed(0)
    net = nn.HybridSequential()
    net.add(nn.Dense(4), nn.BatchNorm(), nn.Dropout(0.5), nn.Dense(1))
    net.initialize()
    data = nd.random.normal(shape=(8, 3))
    net(data)
    start = [value.data().copy() for value in net.collect_params().values()]

    def program(call):
        values = list(net.collect_params().values())
        for value, raw in zip(values, start):
            value.set_data(raw)
        with autograd.record():
            y = call(net, data)
        y.backward()
        return [y, *(v.data().copy() for v in values), *(v.grad().copy() for v in values[:4])]

    assert_equal(program)


@pytest.mark.parametrize("kwargs", [{}, {"train_mode": False}])
def test_the_mode_of_the_call_is_that_of_its_repetition(x, kwargs):
    seen = []

    def layer(x):
        seen.append((autograd.is_training(), autograd.is_recording(), nd.zeros(1).context))
        return nd.Dropout(x, 0.5)

    with autograd.record(), cpu(3):
        y = autograd.checkpoint(layer, x)
    y.backward(**kwargs)
    assert seen == [(True, True, cpu(3))] * 2
    assert_array_equal(x.grad.asnumpy(), np.where(y.asnumpy() == 0, 0, 2))


def test_in_place_operations_inside(x, w):
    def layer(h):
        total = nd.zeros((3,), dtype="float64")
        total += h * w
        total[1:] = total[1:] * total[1:]
        return total

    def program(call):
        with autograd.record():
            y = call(layer, x)
        y.backward()
        return [y, x.grad.copy(), w.grad.copy()]

    assert_equal(program)


def test_all_writes_of_the_repetition_are_taken_back(x):
    calls, view = nd.zeros((2,)), []

    def counted(x):
        view.append(calls[1:])
        for _ in range(3):
            calls[:] = calls + 1
        return x * calls.sum()

    with autograd.record():
        y = autograd.checkpoint(counted, x)
    assert calls.asnumpy().tolist() == [3, 3]
    y.backward()
    assert calls.asnumpy().tolist() == [3, 3]
    assert view[0].asnumpy().tolist() == [3]


def test_the_history_of_what_is_written_is_put_back_too(x):
    state = nd.zeros((3,), dtype="float64")

    def layer(x):
        state[:] = x * x
        return state * x

    with autograd.record():
        y = autograd.checkpoint(layer, x)
    before = state._node
    y.backward()
    assert_allclose(x.grad.asnumpy(), 3 * x.asnumpy() ** 2)
    assert state._node is before


def test_a_graph_that_is_retained_is_walked_again(x, w):
    x.attach_grad("add")
    with autograd.record():
        y = autograd.checkpoint(lambda x: x * x * w, x)
    y.backward(retain_graph=True)
    y.backward()
    assert_allclose(x.grad.asnumpy(), 2 * (2 * x * w).asnumpy())
    with pytest.raises(AutogradError, match="released by an earlier backward"):
        y.backward()


def test_without_recording_it_is_a_call(x):
    seen = []
    y = autograd.checkpoint(lambda x: seen.append(x) or x * 2, x)
    assert seen == [x]
    assert not y._node.tapes
    with autograd.record():
        assert not autograd.checkpoint(lambda n: nd.ones(n), 3)._node.tapes
        assert autograd.checkpoint(lambda: None) is None
        same = autograd.checkpoint(lambda x: x, x)
    same.backward()
    assert x.grad.asnumpy().tolist() == [1, 1, 1]


def test_two_threads_at_once_drop_the_same_places():
    def train(found):
        v = nd.ones((1000,))
        v.attach_grad()
        for _ in range(20):
            with autograd.record():
                y = autograd.checkpoint(lambda v: nd.Dropout(v, 0.5), v)
            y.backward()
            found.append(bool((v.grad == y).min()))

    results = [[], []]
    threads = [threading.Thread(target=train, args=[found]) for found in results]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [[True] * 20] * 2


# ----------------------------------------------------------------------------- memory


@pytest.mark.usefixtures("no_cycle_collector")
def test_what_lies_between_is_freed_at_once_and_after_backward(x, w):
    kept = []

    def layer(h):
        middle = nd.tanh(h)
        kept.append(weakref.ref(middle.raw))
        return middle * middle * w

    with autograd.record():
        h = x
        for _ in range(3):
            h = autograd.checkpoint(layer, h)
    assert [one() for one in kept] == [None] * 3
    call = weakref.ref(h._node.kept[0])
    h.backward()
    assert [one() for one in kept] == [None] * 6
    assert call() is None


@pytest.mark.usefixtures("no_cycle_collector")
@pytest.mark.parametrize("call", [plain, autograd.checkpoint])
def test_how_many_layers_live_at_once(x, call):
    alive, most = set(), 0

    class Seen(autograd.Function):
        def forward(self, x):
            self.mark = object.__new__(Mark)
            alive.add(id(self.mark))
            weakref.finalize(self.mark, alive.discard, id(self.mark))
            nonlocal most
            most = max(most, len(alive))
            return x * 1

        def backward(self, dy):
            return dy

    class Mark:
        pass

    def ten(h):
        for _ in range(10):
            h = Seen()(h)
        return h

    with autograd.record():
        h = x
        for _ in range(10):
            h = call(ten, h)
    h.backward()
    assert most == (100 if call is plain else 10)


# ----------------------------------------------------------------------------- bad input


def test_a_captured_variable_that_is_overwritten_is_an_error(x, w):
    with autograd.record():
        y = autograd.checkpoint(lambda x: x * x * w, x)
    w[:] = 5
    with pytest.raises(AutogradError, match=r"variable of shape \(3,\) that <lambda> captures was"):
        y.backward()


def test_an_input_that_is_overwritten_keeps_its_value(x, w):
    with autograd.record():
        y = autograd.checkpoint(lambda x, w: x * x * w, x, w)
    before = (2 * x * w).asnumpy()
    w[:] = 5
    x += 1
    y.backward()
    assert_allclose(x.grad.asnumpy(), before)


def test_a_function_that_changes_is_an_error(x):
    lengths = iter([3, 2])
    with autograd.record():
        y = autograd.checkpoint(lambda x: x[: next(lengths)] * 2, x)
    with pytest.raises(AutogradError, match=r"shapes \[\(2,\)\] when .* \[\(3,\)\] the first time"):
        y.backward()


def test_an_error_in_the_repetition_leaves_nothing_behind(x):
    values = iter([2.0])
    with autograd.record():
        y = autograd.checkpoint(lambda x: x * next(values), x)
    before = mode()
    with pytest.raises(StopIteration):
        y.backward()
    assert mode() is before
    assert not x.grad.asnumpy().any()


def test_what_cannot_be_called_is_an_error(x):
    with pytest.raises(GluonError, match=r"checkpoint: give a function, .* got NDArray"):
        autograd.checkpoint(x, x)


def test_a_symbol_shows_the_call_and_cannot_repeat_it(x, w):
    def layer(x):
        return x * w

    with autograd.record():
        y = autograd.checkpoint(layer, x) * 2
    symbol = autograd.get_symbol(y)
    assert "Op:layer" in symbol.debug_str()
    with pytest.raises(AutogradError, match="record it without"):
        symbol.eval(**dict.fromkeys(symbol.list_arguments(), x))


def test_anomalies_are_found_inside(x):
    def root(x):
        return nd.sqrt(x * 0)

    with autograd.detect_anomaly(), np.errstate(divide="ignore", invalid="ignore"):
        with autograd.record():
            y = autograd.checkpoint(root, x)
        with pytest.raises(AnomalyError, match="in sqrt"):
            y.backward()
