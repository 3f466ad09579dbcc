"""What a trace takes for a value that Python reads."""

import re
from pathlib import Path
from threading import Thread

import pytest

import gluon
from gluon import autograd, nd, nn, np, profiler
from gluon._core.engine.array import Array
from gluon._core.engine.op import TABLE
from gluon._core.program import trace

ROOT = Path(gluon.__file__).parent
MIXED_UP = re.compile(r"\.(raw|held)\.(shape|ndim|size|dtype|flags)\b")


def test_form_is_what_tells_the_form():
    """A step with ``x.raw.shape`` would have no program."""
    wrong = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in ROOT.rglob("*.py")
        if not str(path).startswith(trace.HANDLING)
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if MIXED_UP.search(line)
    ]
    assert wrong == []


@pytest.mark.parametrize("room", [nd, np])
@pytest.mark.parametrize("name", ["shape", "ndim", "size", "dtype", "form"])
def test_the_form_of_an_array_is_no_value(room, name):
    x = room.ones((2, 3))
    with trace.Trace() as seen:
        getattr(x, name)
    assert seen.failed == ""
    assert [one.handle() for one in seen.first.values()] == [x]  # it is checked in later runs


@pytest.mark.parametrize("name", ["raw", "held"])
def test_a_buffer_that_python_takes_is_a_value(name):
    x = nd.ones((2, 3))
    with trace.Trace() as seen:
        getattr(x, name)
    assert seen.failed.startswith("a value is read: test_a_buffer")


def test_arrays_are_as_before_after_a_trace():
    x = nd.ones((2, 3))
    with trace.Trace():
        assert x.form.shape == (2, 3)
    assert x.form is x.raw is x.held
    assert type(gluon.nd.NDArray.form) is type(trace.RAW)


def in_thread(function):
    thread = Thread(target=function)
    thread.start()
    thread.join()


def step(net, x):
    with autograd.record():
        y = net(x).sum()
    y.backward()


def calls(seen):
    return [event.op.name for event in seen.events if isinstance(event, trace.Call)]


@pytest.mark.parametrize("how", ["around", "before", "over the end", "all along"])
def test_an_instrument_of_another_thread_takes_nothing_from_a_trace(how):
    """And the trace takes nothing from the instrument, such as kernels that it looks at."""
    net = nn.Dense(2, in_units=3, activation="tanh")
    net.initialize()
    x = nd.ones((2, 3))
    plain = Array.raw, nn.Dense.__call__, type(net).__setattr__, TABLE["tanh"].kernel
    with trace.Trace() as alone:
        step(net, x)
    profile = profiler.profile()
    if how == "all along":
        in_thread(profile.__enter__)
    with trace.Trace() as seen:
        if how != "all along":
            in_thread(profile.__enter__)
        if how == "before":
            in_thread(lambda: profile.__exit__(None, None, None))
        step(net, x)
        if how == "around":
            in_thread(lambda: profile.__exit__(None, None, None))
    if how in ("over the end", "all along"):
        step(net, x)
        in_thread(lambda: profile.__exit__(None, None, None))
        names = [event.name for event in profile.events]
        assert names.count("tanh") == 3 + 1
    assert seen.failed == alone.failed == ""
    assert calls(seen) == calls(alone)
    assert [one() for one in seen.layers] == [one() for one in alone.layers] == [net, net.act]
    now = Array.raw, nn.Dense.__call__, type(net).__setattr__, TABLE["tanh"].kernel
    assert now == plain
