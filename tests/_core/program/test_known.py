"""How a trace tells arrays apart that it does not hold."""

import gc
from weakref import ref

import numpy as np
import pytest

import gluon
from gluon import autograd, nd, nn
from gluon._core.program.known import Arrays
from gluon._core.program.listing import Listing
from gluon._core.program.trace import Call, Trace


def listed(step, x):
    """What a trace of a step lists, and the ids of what its operators gave."""
    ids = []
    listing = Listing([x], lambda listing, entry: None)

    def take(event):
        if isinstance(event, Call):
            ids.append(id(event.out))
        listing.enter(event)

    with Trace(None, [x], take) as listing.trace:
        step(x)
    assert listing.trace.failed == ""
    return listing, ids


def test_what_is_known_goes_with_the_array():
    arrays = Arrays()
    x = np.ones(3)
    arrays.of(x).is_computed = True
    assert arrays.get(x) is arrays.of(x)
    assert arrays.get(x[:]) is None
    del x
    assert arrays.known == {}


def test_a_record_whose_array_is_gone_is_none_of_a_later_one():
    """Also where nobody has told yet that the first is gone."""
    arrays = Arrays()
    x, y = np.ones(3), np.ones(3)
    arrays.known[id(y)] = arrays.of(x)
    assert arrays.get(y) is None
    assert arrays.of(y)() is y


def chain(x):
    y = x
    for _ in range(30):
        y = nd.tanh(y)
    return y


def test_arrays_with_the_same_id_are_different_values():
    listing, ids = listed(chain, nd.ones((4, 5)))
    assert len({*ids}) < len(ids) == 30  # otherwise nothing is tried here
    assert len({entry.outs[0].buffer for entry in listing.entries}) == 30
    for before, after in zip(listing.entries, listing.entries[1:]):
        assert after.inputs[0].key == before.outs[0].key


def test_a_trace_holds_none_of_the_arrays():
    x = nd.ones((4, 5))
    listing, _ = listed(chain, x)
    gc.collect()
    assert len(listing.trace.known.known) == 1  # that of the argument


@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_views_of_what_is_freed_and_made_again(size):
    def step(x):
        total = x * 0
        for k in range(1, 20):
            y = nd.tanh(x * k)
            part = y.reshape((-1, 1))[:, 0]
            del y
            total = total + part * k
            del part
            y = x + k
            total = total - y[::-1]
            total[:] = total * 0.5
        return total

    jitted = gluon.jit(step)
    for k in range(6):
        x = nd.array(np.linspace(-k, 1, size))
        np.testing.assert_allclose(jitted(x).asnumpy(), step(x).asnumpy(), 1e-5, 1e-5)
    assert "as written" not in jitted.program()
    (variant,) = jitted._compiled.variants.values()
    assert variant.ready, variant.failed


def test_constants_that_follow_freed_results():
    def step(x):
        y = x
        for k in range(10):
            z = nd.tanh(y) * 2
            del z
            y = y + nd.array(np.full(6, k, np.float32))
        return y

    jitted = gluon.jit(step)
    for k in range(6):
        found = jitted(nd.array(np.arange(6) * k)).asnumpy()
        np.testing.assert_array_equal(found, np.arange(6) * k + 45)


def test_values_that_no_operator_computed_in_the_place_of_some_that_one_did():
    """They change from call to call, and the memory is the same."""
    count = [0]

    def step(x):
        y = nd.tanh(x)
        del y
        count[0] += 1
        return x + nd.array(np.full(6, count[0], np.float32))

    jitted = gluon.jit(step)
    for k in range(1, 7):
        np.testing.assert_array_equal(jitted(nd.zeros(6)).asnumpy(), np.full(6, k))


@pytest.mark.parametrize("req", ["write", "add"])
def test_gradients_that_are_replaced_and_freed_in_a_step(req):
    def training():
        w = nd.array(np.linspace(-1, 1, 7))
        w.attach_grad(req)
        v = nd.zeros(7)

        def step(x):
            for _ in range(3):
                with autograd.record():
                    loss = (nd.tanh(w * x) ** 2).sum()
                loss.backward()
                v[:] = v * 0.9 - w.grad * 0.1
                w[:] = w + v
                w.grad[:] = w.grad * 0.5
            return loss

        return step, (w, v, w.grad)

    (eager, right), (step, found) = training(), training()
    jitted = gluon.jit(step)
    for k in range(8):
        x = nd.array(np.linspace(k, 2, 7))
        np.testing.assert_allclose(jitted(x).asnumpy(), eager(x).asnumpy(), 1e-5)
        for one, other in zip(found, right):
            np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), 1e-4, 1e-5)


@pytest.mark.parametrize("view", [lambda w: w.T, lambda w: w[:2], lambda w: w.reshape((-1,))])
def test_what_an_update_replaces_while_the_step_still_reads_it(view):
    """The watched calls do not show it, because the update changes nothing in them."""

    def training():
        net = nn.Dense(3, in_units=4, use_bias=False)
        net.initialize(gluon.init.Constant(0.3))
        trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.0})

        def step(x):
            before = view(net.weight.data())
            with autograd.record():
                loss = (nd.tanh(net(x)) ** 2).sum()
            loss.backward()
            trainer.step(1)
            return before * 2

        return step, trainer

    (eager, one), (step, other) = training(), training()
    jitted = gluon.jit(step)
    for k in range(7):
        if k == 4:
            one.set_learning_rate(0.5)
            other.set_learning_rate(0.5)
        x = nd.array(np.linspace(k, 1, 8).reshape(2, 4))
        np.testing.assert_allclose(jitted(x).asnumpy(), eager(x).asnumpy(), 1e-5)


def test_a_probe_of_a_reduction_holds_nothing():
    """NumPy would keep the arguments of a reduction that raises."""
    jitted = gluon.jit(lambda x: x.mean(axis=0) * 2, exact=True)
    x = nd.ones((3, 4))
    buffer = ref(x.raw)
    for _ in range(4):
        jitted(x)
    del x, jitted
    gc.collect()
    assert buffer() is None
