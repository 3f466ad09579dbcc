"""`gluon.jit`: steps as programs, and what keeps them as they are written."""

from __future__ import annotations

import gc
import os
import threading
import tracemalloc
from collections import OrderedDict, namedtuple
from tempfile import TemporaryDirectory

import numpy as np
import pytest

import gluon
from gluon import autograd, nd, nn
from gluon import np as mnp


def calls(function, *arguments, times=6):
    """What the calls give, each with the same arguments."""
    return [function(*arguments).asnumpy() for _ in range(times)]


def is_program(step) -> bool:
    """Whether the last call could run as a program."""
    return any(variant.ready for variant in step._compiled.variants.values())


def reasons(step) -> str:
    """Why calls ran as written."""
    failed = [variant.failed for variant in step._compiled.variants.values()]
    return "; ".join([*failed, *step._compiled.why])


def net_of(*layers, seed=0):
    gluon.random.seed(seed)
    net = nn.HybridSequential()
    net.add(*layers)
    net.initialize()
    return net


def training(net, x, y, optimizer="sgd", settings=None, loss=None, jitted=True, batches=8):
    """The losses of some steps, then the parameters."""
    net(x)
    trainer = gluon.Trainer(net.collect_params(), optimizer, settings or {"learning_rate": 0.1})
    loss = loss or gluon.loss.L2Loss()

    def step(x, y):
        with autograd.record():
            value = loss(net(x), y)
        value.backward()
        trainer.step(len(x))
        return value.mean()

    called = gluon.jit(step) if jitted else step
    gluon.random.seed(7)
    losses = [called(x * (1 + k / 10), y).asscalar() for k in range(batches)]
    if jitted:
        assert is_program(called), reasons(called)
    return losses, [one.data().asnumpy() for one in net.collect_params().values()]


def assert_trained_alike(make, x, y, rtol=1e-4, **options):
    left, right = (training(make(), x, y, jitted=k, **options) for k in (True, False))
    np.testing.assert_allclose(left[0], right[0], rtol)
    for one, two in zip(left[1], right[1]):
        # The bias before a norm is only rounding, about 1e-9: the terms of its gradient cancel.
        np.testing.assert_allclose(one, two, rtol, rtol * np.abs(two).max() + 1e-7)


def data(*shape, seed=0):
    return nd.array(np.random.RandomState(seed).randn(*shape).astype("float32"))


OPTIMIZERS = {
    "sgd": {"learning_rate": 0.1, "momentum": 0.9, "wd": 0.01},
    "nag": {"learning_rate": 0.1, "momentum": 0.9},
    "adam": {"learning_rate": 0.01},
    "adamw": {"learning_rate": 0.01},
    "rmsprop": {"learning_rate": 0.01},
    "adagrad": {"learning_rate": 0.1},
    "adadelta": {},
    "ftrl": {"learning_rate": 0.1},
    "lamb": {"learning_rate": 0.01},
    "signum": {"learning_rate": 0.01},
}


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_every_optimizer_trains_as_without(name):
    x, y = data(8, 5), data(8, 3, seed=1)
    assert_trained_alike(
        lambda: net_of(nn.Dense(6, activation="tanh"), nn.Dense(3)),
        x,
        y,
        optimizer=name,
        settings=OPTIMIZERS[name],
    )


LAYERS = {
    "batch norm": lambda: net_of(nn.Dense(6), nn.BatchNorm(), nn.Dense(3)),
    "layer norm": lambda: net_of(nn.Dense(6), nn.LayerNorm(), nn.Dense(3)),
    "dropout": lambda: net_of(nn.Dense(16, activation="relu"), nn.Dropout(0.5), nn.Dense(3)),
    "activations": lambda: net_of(
        nn.Dense(6), nn.GELU(), nn.Dense(6), nn.LeakyReLU(0.1), nn.Dense(6), nn.SELU(), nn.Dense(3)
    ),
}


@pytest.mark.parametrize("name", LAYERS)
def test_layers_train_as_without(name):
    assert_trained_alike(LAYERS[name], data(8, 5), data(8, 3, seed=1))


def test_convolutions_train_as_without():
    def make():
        return net_of(
            nn.Conv2D(4, 3, activation="relu"), nn.MaxPool2D(2), nn.BatchNorm(), nn.Dense(3)
        )

    assert_trained_alike(make, data(4, 2, 8, 8), data(4, 3, seed=1))


def test_labels_train_as_without():
    labels = nd.array([0, 1, 2, 1, 0, 2, 1, 0])
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    assert_trained_alike(lambda: net_of(nn.Dense(3)), data(8, 5), labels, loss=loss)


def test_a_label_out_of_range_is_the_error_of_the_step():
    net, loss = net_of(nn.Dense(3)), gluon.loss.SoftmaxCrossEntropyLoss()
    step = gluon.jit(lambda x, y: loss(net(x), y).mean())
    x = data(2, 5)
    calls(step, x, nd.array([0, 1]))
    assert is_program(step), reasons(step)
    with pytest.raises(IndexError, match="label 7"):
        step(x, nd.array([0, 7]))


def test_a_schedule_of_the_learning_rate_is_followed():
    schedule = gluon.lr_scheduler.FactorScheduler(2, 0.5, base_lr=0.1)
    assert_trained_alike(
        lambda: net_of(nn.Dense(3)),
        data(8, 5),
        data(8, 3, seed=1),
        settings={"learning_rate": 0.1, "lr_scheduler": schedule},
    )


def test_a_changed_learning_rate_is_used():
    w = gluon.Parameter("w", shape=(1,), init="zeros")
    w.initialize()
    trainer = gluon.Trainer([w], "sgd", {"learning_rate": 1.0})

    @gluon.jit
    def step(x):
        with autograd.record():
            y = (w.data() * x).sum()
        y.backward()
        trainer.step(1)

    for _ in range(5):
        step(nd.ones((1,)))
    assert is_program(step), reasons(step)
    trainer.set_learning_rate(10)
    step(nd.ones((1,)))
    assert w.data().asscalar() == -15


def set_attribute(name, value):
    return lambda net, trainer: setattr(trainer.optimizer, name, value)


def load_again(net, trainer):
    with TemporaryDirectory() as folder:
        trainer.save_states(f"{folder}/states")
        trainer._updaters[0].states[0] = nd.ones((3, 5))  # not what is loaded
        trainer.load_states(f"{folder}/states")


def keep_weight(net, trainer):
    net.kept = net[0].weight.data()[1:]
    net.before = net.kept.asnumpy()


def record_weight(net, trainer):
    with autograd.record():
        net.graph = (net[0].weight.data() ** 2).sum()


#: What happens between two steps.
CHANGES = {
    "nothing": lambda net, trainer: None,
    "rate": lambda net, trainer: trainer.set_learning_rate(0.03),
    "decay": set_attribute("wd", 0.1),
    "limit": set_attribute("clip_gradient", 0.01),
    "factor of a rate": lambda net, trainer: setattr(net[0].weight, "lr_mult", 0.0),
    "factor of a decay": lambda net, trainer: setattr(net[0].weight, "wd_mult", 9.0),
    "count": set_attribute("num_update", 100),
    "momentum": lambda net, trainer: setattr(
        trainer.optimizer, "beta1" if hasattr(trainer.optimizer, "beta1") else "momentum", 0.2
    ),
    "scale": lambda net, trainer: setattr(trainer, "_scale", 3.0),
    "states": load_again,
    "view": keep_weight,
    "graph": record_weight,
    "values": lambda net, trainer: net[0].weight.set_data(nd.ones((3, 5))),
    "request": lambda net, trainer: setattr(net[0].bias, "grad_req", "null"),
    "addition": lambda net, trainer: setattr(net[0].bias, "grad_req", "add"),
    "gradient": lambda net, trainer: setattr(net[0].weight.data(), "grad", nd.ones((3, 5))),
    "dtype": lambda net, trainer: net[0].cast("float64") or net[0].cast("float32"),
}


def updates(optimizer, change, jitted):
    """The parameters after each of some steps, between which something changes."""
    net = net_of(nn.Dense(3, in_units=5))
    trainer = gluon.Trainer(net.collect_params(), *optimizer)
    x, found = data(4, 5), []

    def step(x):
        with autograd.record():
            loss = (net(x) ** 2).sum()
        loss.backward()
        trainer.step(len(x))

    called = gluon.jit(step) if jitted else step
    for k in range(10):
        if k == 6:
            assert not jitted or is_program(called), reasons(called)
            change(net, trainer)
        called(x)
        found += [one.data().asnumpy() for one in net.collect_params().values()]
    if hasattr(net, "kept"):
        np.testing.assert_array_equal(net.kept.asnumpy() == net.before, False)
    if hasattr(net, "graph"):
        net.graph.backward()
        found.append(net[0].weight.grad().asnumpy())
    return found


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize(
    "optimizer", [("sgd", {"momentum": 0.9}), ("adam", {"learning_rate": 0.01})], ids=lambda o: o[0]
)
def test_what_changes_between_updates_is_noticed(optimizer, name):
    left, right = (updates(optimizer, CHANGES[name], jitted) for jitted in (True, False))
    for one, two in zip(left, right, strict=True):
        np.testing.assert_allclose(one, two, 1e-5, 1e-6)


def test_an_update_needs_new_gradients():
    net, other = net_of(nn.Dense(3, in_units=5)), net_of(nn.Dense(3, in_units=5))
    parameters = [*net.collect_params().values(), *other.collect_params().values()]
    trainer = gluon.Trainer(parameters, "sgd", {"learning_rate": 0.1})

    @gluon.jit
    def step(x):
        with autograd.record():
            loss = (net(x) ** 2).sum()
        loss.backward()
        trainer.step(1)

    x = data(4, 5)
    for _ in range(5):
        with autograd.record():
            loss = (other(x) ** 2).sum()
        loss.backward()
        step(x)
    assert is_program(step), reasons(step)
    before = net[0].weight.data().asnumpy()
    with pytest.raises(gluon.trainer.StaleGradientError):
        step(x)
    np.testing.assert_array_equal(net[0].weight.data().asnumpy(), before)


# ------------------------------------------------------------------------- what a step may do


def test_a_decorator_keeps_name_and_documentation():
    @gluon.jit
    def step(x):
        """Double it."""
        return x * 2

    assert (step.__name__, step.__doc__) == ("step", "Double it.")


def test_arguments_and_results_may_be_nested():
    Pair = namedtuple("Pair", "a b")

    @gluon.jit
    def step(pair, more, *, scale=1):
        return {"sum": pair.a + more[0]["x"], "list": [pair.b * scale, Pair(pair.a, 3)]}

    x, y = nd.array([1, 2]), nd.array([3, 4])
    for _ in range(5):
        found = step(Pair(x, y), [{"x": y}], scale=2)
        assert found["sum"].asnumpy().tolist() == [4, 6]
        assert found["list"][0].asnumpy().tolist() == [6, 8]
        assert found["list"][1].a is x
        assert found["list"][1].b == 3
    assert is_program(step)


def test_other_numbers_and_shapes_have_their_own_programs():
    step = gluon.jit(lambda x, factor: x * factor)
    for _ in range(5):
        for n in (1, 2, 3):
            for factor in (2, 3.5):
                assert step(nd.ones((n,)), factor).asnumpy().tolist() == [factor] * n


def test_arguments_by_name_have_their_own_programs():
    step, x = gluon.jit(lambda x, k=1.0: x * k), nd.array([1.0, 2.0])
    for _ in range(5):
        assert step(x=x, k=2.0).asnumpy().tolist() == [2, 4]
    assert step(x=x, k=5.0).asnumpy().tolist() == [5, 10]
    assert step(x=x + 1, k=2.0).asnumpy().tolist() == [4, 6]
    assert step(k=2.0, x=nd.ones(3)).asnumpy().tolist() == [2, 2, 2]
    assert step.program().startswith("<lambda>: 3 forms of arguments")


@pytest.mark.filterwarnings("ignore:divide by zero")
@pytest.mark.parametrize("kind", [float, np.float32, np.float64])
def test_zeros_of_either_sign_have_their_own_programs(kind):
    step = gluon.jit(lambda x, k: x / k)
    for k in (0.0, -0.0):
        for _ in range(5):
            found = step(nd.ones(1), kind(k)).asnumpy()
            assert found == np.copysign(np.inf, k)


@pytest.mark.parametrize(
    "value",
    [
        {"a": [None, {"b": ()}], "c": 1.5},
        {1: None, "x": ["y"]},
        OrderedDict(b=[], a=2),
        range(3),
    ],
)
def test_arguments_and_results_keep_their_form(value):
    step = gluon.jit(lambda x, value: (x * 2, value, {"again": value}))
    for _ in range(5):
        y, found, again = step(nd.ones(2), value)
        assert (found, again) == (value, {"again": value})
        assert type(found) is type(value)
        assert y.asnumpy().tolist() == [2, 2]


def test_arrays_of_numpy_stay_theirs():
    step = gluon.jit(lambda x: mnp.exp(x) + 1)
    for _ in range(5):
        found = step(mnp.array([0.0, 1.0]))
        assert type(found) is mnp.ndarray
    assert is_program(step), reasons(step)


@pytest.mark.parametrize("dtype", ["float64", "float16", "int32", "int64", "uint8"])
def test_other_dtypes(dtype):
    step = gluon.jit(lambda x, y: [x + y * 2, nd.where(x > y, x, y), (x >= y) * x, x.sum()])
    x, y = (nd.array(values, dtype=dtype) for values in ([1, 5, 3], [4, 2, 3]))
    for _ in range(5):
        found = [one.asnumpy().tolist() for one in step(x, y)]
    assert found == [[9, 9, 9], [4, 5, 3], [0, 5, 3], [9] if np.ndim(found[3]) else 9]
    assert is_program(step), reasons(step)


def test_writes_in_place_reach_the_array_and_its_views():
    x, step_size = nd.array([1.0, 2.0, 3.0]), 0.5
    view = x[1:]

    @gluon.jit
    def step(g):
        x[:] = x - step_size * g
        return x.sum()

    for k in range(1, 6):
        step(nd.ones((3,)))
        assert x.asnumpy().tolist() == [1 - k / 2, 2 - k / 2, 3 - k / 2]
        assert view.asnumpy().tolist() == [2 - k / 2, 3 - k / 2]


def test_parts_can_be_written():
    x = nd.zeros((4,))

    @gluon.jit
    def step(g):
        x[1:3] = g
        x[0] += 1

    for k in range(1, 7):
        step(nd.array([k, k]))
        assert x.asnumpy().tolist() == [k, k, k, 0]
    assert is_program(step), reasons(step)


def test_a_write_after_a_read_does_not_change_what_was_read():
    x = nd.array([1.0, 2.0])
    x.attach_grad()

    @gluon.jit
    def step():
        with autograd.record():
            y = (x * x).sum()
        x[:] = 10
        y.backward()
        gradient = x.grad * 1
        x[:] = nd.array([1, 2])
        return gradient

    for _ in range(6):
        assert step().asnumpy().tolist() == [2, 4]
    assert is_program(step), reasons(step)


def test_gradients_are_added_where_that_is_asked_for():
    x = nd.array([1.0, 2.0])
    x.attach_grad("add")

    @gluon.jit
    def step(y):
        with autograd.record():
            z = (x * y).sum()
        z.backward()

    for k in range(1, 7):
        step(nd.array([1, 10]))
        assert x.grad.asnumpy().tolist() == [k, 10 * k]
    assert is_program(step), reasons(step)


def test_gradients_that_are_held_stay():
    x = nd.array([1.0, 2.0])
    x.attach_grad()

    @gluon.jit
    def step(y):
        with autograd.record():
            z = (x * y).sum()
        z.backward()

    held = []
    for k in range(6):
        step(nd.array([k, k]))
        held.append(x.grad.asnumpy())
        before = x.grad.detach()
        step(nd.array([k + 0.5, k]))
        assert before.asnumpy().tolist() == [k, k] or before.asnumpy()[0] == k + 0.5
    assert [one.tolist() for one in held] == [[k, k] for k in range(6)]


def test_results_are_arrays_of_their_own():
    step = gluon.jit(lambda x: x * 2)
    found = [step(nd.array([k])) for k in range(8)]
    assert [one.asscalar() for one in found] == [2 * k for k in range(8)]


def test_gradients_of_gradients():
    w = nd.array([1.0, 2.0])
    w.attach_grad()

    def step(v):
        with autograd.record():
            y = (nd.exp(w) * w).sum()
            (g,) = autograd.grad(y, [w], create_graph=True, retain_graph=True)
            z = (g * v).sum()
        z.backward()
        return w.grad * 1

    jitted = gluon.jit(step)
    for k in range(6):
        v = nd.array([k, 1])
        np.testing.assert_allclose(jitted(v).asnumpy(), step(v).asnumpy(), 1e-6)
    assert is_program(jitted), reasons(jitted)


def test_random_numbers_follow_the_seed():
    def step(x):
        with autograd.train_mode():
            return nd.Dropout(x, p=0.5) + 1

    jitted = gluon.jit(step)
    x = nd.ones((50,))
    calls(jitted, x)
    assert is_program(jitted), reasons(jitted)
    for seed in (1, 2):
        gluon.random.seed(seed)
        found = calls(jitted, x, times=3)
        gluon.random.seed(seed)
        assert np.array_equal(found, calls(step, x, times=3))


# ------------------------------------------------------------------------- what keeps it as it is


def kept_as_it_is(step, *arguments, why):
    """Check that the calls run as written, for the reason `why`, and give it."""
    jitted = gluon.jit(step)
    for _ in range(6):
        jitted(*arguments)
    assert not is_program(jitted)
    assert why in reasons(jitted)
    return jitted


X = nd.array([1.0, 2.0])


@pytest.mark.parametrize(
    "step",
    [
        lambda x: x * x.sum().asscalar(),
        lambda x: x * float(x.sum()),
        lambda x: x if x.sum() > 0 else -x,
        lambda x: x + nd.array(x.asnumpy()),
        lambda x: x * int(x[0].item()),
        lambda x: x[int(x[0])],
        lambda x: (str(x), x * 2)[1],
        lambda x: mnp.array(x.tolist()).as_nd_ndarray() + x,
    ],
)
def test_a_value_is_read(step):
    kept_as_it_is(step, X, why="a value is read")


def test_random_numbers_of_no_operator():
    kept_as_it_is(lambda x: x + nd.random.uniform(shape=(2,)), X, why="without an operator")


def test_a_counter_is_noticed():
    count = [0]

    def step(x):
        count[0] += 1
        return x * count[0]

    jitted = kept_as_it_is(step, X, why="not the same in two calls")
    assert jitted(X).asnumpy().tolist() == [7, 14]


def test_a_branch_of_python_is_noticed():
    state = [0]

    def step(x):
        state[0] += 1
        return x * 2 if state[0] % 2 else x + 1

    kept_as_it_is(step, X, why="not the same in two calls")


def test_an_array_that_is_kept():
    kept = []
    kept_as_it_is(lambda x: kept.append(x * 2), X, why="keeps an array")
    assert len(kept) == 6


def test_a_result_that_can_be_differentiated():
    x = nd.array([3.0])
    x.attach_grad()

    def step(x):
        with autograd.record():
            return x * x

    jitted = kept_as_it_is(step, x, why="can still be differentiated")
    jitted(x).backward()
    assert x.grad.asscalar() == 6


def test_marking_inside():
    def step(x):
        x.attach_grad()
        with autograd.record():
            y = (x * x).sum()
        y.backward()

    x = nd.array([1.0])
    kept_as_it_is(step, x, why="")
    assert x.grad.asscalar() == 2


def test_a_step_inside_a_recording():
    jitted = gluon.jit(lambda x: x * x)
    x = nd.array([3.0])
    calls(jitted, x)
    x.attach_grad()
    with autograd.record():
        y = jitted(x)
    y.backward()
    assert x.grad.asscalar() == 6
    assert "a tape records" in reasons(jitted)


def test_the_switch(monkeypatch):
    monkeypatch.setenv("GLUON_PROGRAM", "0")
    kept_as_it_is(lambda x: x * 2, X, why="GLUON_PROGRAM=0")


def test_an_instrument_that_needs_operators_sees_them():
    jitted = gluon.jit(lambda x: x * 2)
    calls(jitted, X)
    with autograd.detect_anomaly():
        jitted(X)
    assert "instrument" in reasons(jitted)


def test_many_shapes_stay_as_they_are():
    jitted = gluon.jit(lambda x: x * 2)
    for n in range(1, 20):
        for _ in range(3):
            assert jitted(nd.ones((n,))).shape == (n,)
    assert "forms of arguments" in reasons(jitted)


# ------------------------------------------------------------------------- guards


def test_an_argument_is_not_what_the_step_knows_by_another_name():
    w = nd.array([1.0])
    step = gluon.jit(lambda x: x * 10 + w)
    for _ in range(5):
        assert step(w).asscalar() == 11
    for k in range(3):
        assert step(nd.array([2.0 + k])).asscalar() == 21 + 10 * k
    w[:] = 5
    assert step(nd.array([2.0])).asscalar() == 25


def test_one_array_as_two_arguments():
    step = gluon.jit(lambda x, y: x * 10 + y)
    x = nd.array([1.0])
    for _ in range(5):
        assert step(x, x).asscalar() == 11
    assert step(x, nd.array([2.0])).asscalar() == 12
    assert step(nd.array([3.0]), x).asscalar() == 31


def test_other_parameters_are_noticed():
    net = net_of(nn.Dense(2, in_units=2, use_bias=False))
    jitted = gluon.jit(lambda x: net(x))
    x = data(3, 2)
    calls(jitted, x)
    assert is_program(jitted), reasons(jitted)
    net.initialize(init="ones", force_reinit=True)
    np.testing.assert_allclose(jitted(x).asnumpy(), net(x).asnumpy(), 1e-5)
    net.cast("float64")
    assert jitted(x.astype("float64")).dtype == np.float64
    net[0].weight.set_data(nd.zeros((2, 2)))
    assert not jitted(x.astype("float64")).asnumpy().any()


def test_another_gradient_request_is_noticed():
    x = nd.array([1.0])
    x.attach_grad()

    @gluon.jit
    def step(y):
        with autograd.record():
            z = (x * y).sum()
        z.backward()

    for _ in range(5):
        step(nd.array([2.0]))
    assert is_program(step), reasons(step)
    x.attach_grad("add")
    for k in range(1, 7):
        step(nd.array([2.0]))
        assert x.grad.asscalar() == 2 * k


def test_training_and_predicting_have_their_own_programs():
    jitted = gluon.jit(lambda x: nd.Dropout(x, p=0.9))
    x = nd.ones((100,))
    for _ in range(5):
        assert jitted(x).asnumpy().all()
        with autograd.train_mode():
            assert not jitted(x).asnumpy().all()


def test_arguments_that_share_memory_with_what_is_written():
    x = nd.array([1.0, 2.0])

    @gluon.jit
    def step(y):
        x[:] = x + 1
        return y * 1

    for _ in range(5):
        step(nd.array([5.0, 5.0]))
    before = x.asnumpy()
    assert step(x).asnumpy().tolist() == (before + 1).tolist()


# ------------------------------------------------------------------------- around it


def test_an_error_in_a_step_is_its_own():
    jitted = gluon.jit(lambda x, y: nd.dot(x, y))
    for _ in range(4):
        with pytest.raises(ValueError, match=r"differ|multiply"):
            jitted(nd.ones((2, 3)), nd.ones((2, 3)))


def test_several_threads_at_once():
    net = net_of(nn.Dense(8, in_units=4, activation="tanh"), nn.Dense(4, in_units=8))
    jitted = gluon.jit(lambda x: net(x))
    inputs = [data(5, 4, seed=k) for k in range(8)]
    right = [net(x).asnumpy() for x in inputs]
    wrong = []

    def work(k):
        for _ in range(50):
            if not np.allclose(jitted(inputs[k]).asnumpy(), right[k], 1e-5, 1e-6):
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert not wrong


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_process_goes_on():
    jitted = gluon.jit(lambda x: nd.tanh(x) * 2 + x)
    x = data(100_000)
    right = calls(jitted, x)[-1]
    child = os.fork()
    if not child:
        os._exit(0 if np.array_equal(jitted(x).asnumpy(), right) else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_memory_does_not_grow():
    w = nd.array(np.ones((20, 20), "float32"))
    w.attach_grad()

    @gluon.jit
    def step(x):
        with autograd.record():
            y = (nd.dot(x, w) ** 2).sum()
        y.backward()
        w[:] = w - 0.001 * w.grad
        return y

    x = data(5, 20)
    for _ in range(20):
        step(x)
    assert is_program(step), reasons(step)
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(2000):
        step(x)
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < 20_000


def test_a_program_goes_with_its_step():
    class Token:
        pass

    import weakref

    token = Token()
    alive = weakref.ref(token)

    def made(token):
        return gluon.jit(lambda x: (token, x * 2)[1])

    jitted = made(token)
    calls(jitted, X)
    del token, jitted
    gc.collect()
    assert alive() is None


def test_a_long_sum_is_no_deep_recursion():
    x = nd.ones((1200, 2))
    x.attach_grad()

    @gluon.jit
    def step():
        with autograd.record():
            y = sum((x[i] * x[i]).sum() for i in range(len(x)))
        y.backward()

    for _ in range(5):
        step()
    assert is_program(step), reasons(step)
    assert x.grad.asnumpy().tolist() == [[2, 2]] * 1200


def test_layers_that_change_are_noticed():
    net = net_of(nn.Dense(4, in_units=2), nn.Activation("relu"), nn.Dense(2, in_units=4))
    step, x, seen = gluon.jit(lambda x: net(x) * 2), data(3, 2), []

    def check():
        for _ in range(5):
            np.testing.assert_allclose(step(x).asnumpy(), (net(x) * 2).asnumpy(), 1e-5)
        assert is_program(step), reasons(step)

    check()
    net[1]._act_type = "sigmoid"
    check()
    net._children["1"] = nn.Activation("tanh")
    check()
    handle = net[0].register_forward_hook(lambda *_: seen.append(1))
    step(x)
    assert seen == [1]
    handle.detach()
    check()
    held = net[0].weight.data()
    net.initialize("ones", force_reinit=True)
    check()
    assert held.shape == (4, 2)


def test_what_is_returned_twice_is_one_array():
    step = gluon.jit(lambda x: (lambda y: (y, x, y))(x * 2))
    x = nd.ones((3,))
    for _ in range(5):
        first, same, second = step(x)
        assert first is second
        assert same is x
    assert is_program(step), reasons(step)


def test_a_gradient_that_was_used_is_not_fresh_after_another_backward_pass():
    layer, w = nn.Dense(1), nd.ones((2,))
    layer.initialize()
    w.attach_grad()
    trainer = gluon.Trainer(layer.collect_params(), "sgd", {"learning_rate": 0.1})

    @gluon.jit
    def step(x):
        with autograd.record():
            y = layer(x).sum()
        y.backward()
        trainer.step(1)
        with autograd.record():
            z = (w * x).sum()
        z.backward()
        return y + z

    for _ in range(6):
        step(nd.ones((1, 2)))
        assert w.fresh_grad
        assert not layer.weight.data().fresh_grad
    assert is_program(step), reasons(step)
