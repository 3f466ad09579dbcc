"""Which calls of a hybridized block become programs, if nothing is set, and what nobody notices."""

from __future__ import annotations

import gc
import multiprocessing

import numpy as np
import pytest

import gluon
from gluon import HybridBlock, autograd, nd, nn, profiler
from gluon._core.program import step, variant

from .test_hybridize import assert_same, data, is_program, mixed, programs_of, ready, reasons

SCALE = 1.0


class Settings:
    factor = 2.0


SETTINGS = Settings()


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setenv("GLUON_PROGRAM", "1")


@pytest.fixture
def by_default(monkeypatch):
    monkeypatch.delenv("GLUON_PROGRAM", raising=False)


def call(net, x, times: int = 1) -> None:
    for _ in range(times):
        with autograd.record():
            net(x)


# ------------------------------------------------------------------------- when


@pytest.mark.usefixtures("by_default")
def test_a_program_is_made_after_many_calls():
    net, x = mixed(), data(7, 4)
    net.hybridize()
    call(net, x, step.PATIENCE)
    assert "the next 0 calls" not in net.program()
    assert not programs_of(net)
    call(net, x, step.PATIENCE)
    assert [one.ready for one in programs_of(net)] == [False]
    assert f"called {step.PATIENCE} times" in net.program()
    call(net, x, 2)
    assert is_program(net), reasons(net)


@pytest.mark.usefixtures("by_default")
def test_what_is_called_only_a_few_times_with_each_form_stays_as_it_is():
    net = mixed()
    net.hybridize()
    for k in range(step.PATIENCE + 3 * step.COLD):
        call(net, data(1 + k % (2 * step.COLD), 4))
    assert not any(one.calls > one.wait for one in programs_of(net))
    assert len(programs_of(net)) <= step.COLD


@pytest.mark.usefixtures("by_default")
def test_a_form_that_comes_often_among_others_becomes_a_program():
    net = mixed()
    net.hybridize()
    for k in range(2 * step.PATIENCE + 4):
        call(net, data(7, 4))
        call(net, data(10 + k % 20, 4))
    assert is_program(net), reasons(net)


def test_where_no_form_comes_again_nobody_looks_any_longer(at_once, monkeypatch):
    monkeypatch.setattr(step, "COLD", 4)
    net = mixed()
    net.hybridize()
    for k in range(step.COLD * (step.FORGOTTEN + 2)):
        call(net, data(1 + k, 4))
    assert "change all the time" in reasons(net)
    assert len(programs_of(net)) <= step.COLD


@pytest.mark.usefixtures("at_once")
def test_there_is_a_limit_to_the_programs():
    net = mixed()
    net.hybridize()
    for rows in range(1, step.MOST + 4):
        call(net, data(rows, 4), 4)
    assert sum(one.ready for one in programs_of(net)) == step.MOST
    assert f"more than {step.MOST} forms" in reasons(net)


@pytest.mark.usefixtures("by_default")
def test_blocks_inside_wait_for_the_block_around_them():
    inner, outer = mixed(), nn.HybridSequential()
    outer.add(inner)
    outer.hybridize()
    for _ in range(step.PATIENCE):
        outer(data(7, 4))
    assert inner._programs.wait == step.PATIENCE


def test_too_little_memory_to_compare(at_once, monkeypatch):
    def scarce(*_):
        raise MemoryError

    monkeypatch.setattr(variant, "Copies", scarce)
    net, x = mixed(), data(7, 4)
    right = net(x).asnumpy()
    net.hybridize()
    for _ in range(5):
        assert_same([net(x).asnumpy()], [right])
    assert "too little memory" in reasons(net)


# ------------------------------------------------------------------------- values from outside


def scaled(x):
    return x * SCALE


class Outside(HybridBlock):
    """A block that reads numbers of a module, of a class and of an object."""

    steps = 2

    def hybrid_forward(self, F, x):
        y = scaled(x) * SETTINGS.factor
        for _ in range(self.steps):
            y = F.tanh(y) * 1.1 + F.sin(y)
        return self.ended(y)

    def ended(self, y):
        return y + sum(SCALE for _ in range(2))


def closure():
    amount = 1.0

    def function(F, x):
        return F.tanh(x * amount) * F.cos(x) + F.sigmoid(x) * F.sin(x) + x * x

    def change(value):
        nonlocal amount
        amount = value

    return nn.HybridLambda(function), change


@pytest.mark.usefixtures("at_once")
def test_numbers_outside_of_the_block_may_change(monkeypatch):
    (inner, change), net, x = closure(), nn.HybridSequential(), data(5, 4)
    net.add(Outside(), inner)

    def check():
        net.hybridize(False)
        right = net(x).asnumpy()
        net.hybridize()
        return right

    net.hybridize()
    changes = [
        lambda: monkeypatch.setitem(globals(), "SCALE", 2.0),
        lambda: monkeypatch.setattr(Settings, "factor", 3.0),
        lambda: monkeypatch.setattr(SETTINGS, "factor", 4.0, raising=False),
        lambda: monkeypatch.setattr(Outside, "steps", 3),
        lambda: change(2.0),
    ]
    for one in changes:
        before = check()
        for _ in range(4):
            assert_same([net(x).asnumpy()], [before])
        assert is_program(net), reasons(net)
        one()
        found = net(x).asnumpy()
        right = check()
        assert_same([found], [right])
        assert np.abs(right - before).max() > 1e-3


# ------------------------------------------------------------------------- values


STRIDED = {
    "where": lambda F, x: F.where(x > 0.1, x * 2, F.exp(x) - 1),
    "comparison": lambda F, x: (x > 0.1) * 1.5 + F.exp(x) * F.sin(x) + x,
    "cast": lambda F, x: F.cast(x, "float64") * 2 + F.cast(F.cast(x, "float64"), "float32") * x,
    "same": lambda F, x: F.cast(x, "float32") * 2 + F.exp(F.cast(x, "float32")) * F.sin(x),
}


@pytest.mark.parametrize("name", STRIDED)
@pytest.mark.parametrize("view", [lambda x: x.T, lambda x: x[:, 1:3], lambda x: x[::2]])
@pytest.mark.usefixtures("at_once")
def test_conversions_of_strided_arrays(name, view):
    function = STRIDED[name]
    net = nn.HybridLambda(function)
    net.hybridize()
    for k in range(8):
        x = view(data(6, 4, seed=k))
        assert_same([net(x).asnumpy()], [function(nd, x).asnumpy()])
    assert is_program(net), reasons(net)


# ------------------------------------------------------------------------- what looks on


@pytest.mark.usefixtures("at_once")
def test_gradients_stay_the_arrays_that_they_were():
    net, x = mixed(), data(7, 4)
    params = [*net.collect_params().values()]
    grads, values = [one.grad() for one in params], [one.data() for one in params]
    ready(net, x)
    with autograd.record():
        y = net(x)
    y.backward()
    assert all(one.grad() is g for one, g in zip(params, grads))
    assert all(one.data() is value for one, value in zip(params, values))


@pytest.mark.usefixtures("at_once")
def test_hooks_of_operators_see_each_call():
    net, x = ready(mixed(), data(7, 4), record=False), data(7, 4)
    seen, right = [], []
    net.register_op_hook(lambda name, op, y: seen.append((name, op)))
    net(x)
    other = mixed()
    other.register_op_hook(lambda name, op, y: right.append((name, op)))
    other(x)
    assert len(seen) == len(right) > 0


@pytest.mark.usefixtures("at_once")
def test_the_profiler_sees_instructions():
    net, x = ready(mixed(), data(7, 4), record=False), data(7, 4)
    right = net(x).asnumpy()
    profiler.set_config(profile_all=True, aggregate_stats=True)
    profiler.set_state("run")
    try:
        found = net(x)
    finally:
        profiler.set_state("stop")
    text = profiler.dumps(reset=True)
    assert "program\n===" in text
    assert "\ndot " in text
    assert_same([found.asnumpy()], [right])


@pytest.mark.usefixtures("at_once")
def test_a_summary_is_that_of_the_layers(capsys):
    x = data(7, 4)
    mixed().summary(x)
    right = capsys.readouterr().out
    ready(mixed(), x).summary(x)
    found = capsys.readouterr().out
    assert [line.split()[-1:] for line in found.splitlines()] == [
        line.split()[-1:] for line in right.splitlines()
    ]


def _in_a_child(net, x, pipe):
    with autograd.record():
        y = net(x)
    y.backward()
    pipe.send([y.asnumpy(), x.grad.asnumpy()])


@pytest.mark.usefixtures("at_once")
@pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(), reason="no fork on this system"
)
def test_a_forked_process_runs_the_program():
    net, x = ready(mixed(), data(7, 4)), data(7, 4)
    x.attach_grad()
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()
    child = context.Process(target=_in_a_child, args=(net, x, there))
    child.start()
    found = here.recv()
    child.join()
    with autograd.record():
        y = net(x)
    y.backward()
    assert_same(found, [y.asnumpy(), x.grad.asnumpy()])


@pytest.mark.usefixtures("at_once")
def test_an_error_in_the_middle_leaves_the_block_usable():
    net, x = ready(mixed(), data(7, 4)), data(7, 4)
    right = net(x).asnumpy()
    for _ in range(3):
        with pytest.raises(gluon.GluonError, match="dense"), autograd.record():
            net(data(7, 5))
        assert_same([net(x).asnumpy()], [right])
    gc.collect()
    call(net, x, 3)
    assert is_program(net), reasons(net)
