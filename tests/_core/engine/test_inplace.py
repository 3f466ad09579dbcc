"""Copy on write: reference counts show which objects hold a buffer."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from types import SimpleNamespace

import numpy as np
import pytest

from gluon._core.engine import inplace
from gluon._core.engine.array import Array, wrap


def generator(raw: np.ndarray) -> Iterator[None]:
    """Hold `raw` in a variable of a frame that waits."""
    yield
    assert raw is not None


def waiting(raw: np.ndarray) -> Iterator[None]:
    held = generator(raw)
    next(held)
    return held


#: Ways to hold a raw array, as graphs and users do.
OWNERS = {
    "list": lambda raw: [raw],
    "tuple": lambda raw: (raw,),
    "dict": lambda raw: {"kept": raw},
    "attribute": lambda raw: SimpleNamespace(kept=raw),
    "closure": lambda raw: lambda: raw,
    "default": lambda raw: lambda kept=raw: kept,
    "generator": waiting,
    "view": lambda raw: raw[:1],
    "view of a view": lambda raw: raw[:3][:1],
    "memoryview": memoryview,
    "iterator": iter,
    "handle": lambda raw: wrap(Array, raw),
}


def arrays(shared: str) -> list[Array]:
    """An array, and what shares its buffer."""
    array = wrap(Array, np.zeros(4))
    if shared == "alone":
        return [array]
    view = wrap(Array, array.raw[1:])
    inplace.join(array, view)
    if shared == "view":
        return [array, view]
    if shared == "orphan":
        return [view]
    other = wrap(Array, array.raw[:2])
    inplace.join(array, other)
    return [array, view, other] if shared == "two views" else [view, other]


SHARED = ["alone", "view", "two views", "orphan", "two orphans"]


def moves(array: Array) -> bool:
    """Whether a write moves the array to another buffer."""
    address = array.raw.ctypes.data
    return inplace.writable(array).ctypes.data != address


@pytest.mark.parametrize("shared", SHARED)
def test_what_nobody_else_holds_is_written_where_it_is(shared):
    handles = arrays(shared)
    assert [moves(one) for one in handles] == [False] * len(handles)


@pytest.mark.parametrize("shared", SHARED)
@pytest.mark.parametrize("owner", OWNERS)
def test_every_owner_is_counted(owner, shared):
    for place in range(len(arrays(shared))):
        handles = arrays(shared)
        held = OWNERS[owner](handles[place].raw)
        assert moves(handles[place])
        assert not moves(handles[place])
        del held


def test_a_variable_of_another_thread_is_counted():
    (array,) = arrays("alone")
    begun, done = threading.Event(), threading.Event()

    def hold(raw: np.ndarray) -> None:
        begun.set()
        done.wait(60)

    thread = threading.Thread(target=hold, args=(array.raw,))
    thread.start()
    begun.wait(60)
    try:
        assert moves(array)
    finally:
        done.set()
        thread.join()
    assert not moves(array)


def test_the_count_falls_when_an_owner_is_gone():
    (array,) = arrays("alone")
    held = [array.raw, array.raw]
    held.clear()
    assert not moves(array)


def test_views_that_are_gone_are_forgotten():
    array = wrap(Array, np.zeros(4))
    kept = [wrap(Array, array.raw[k:]) for k in range(4)]
    for one in kept:
        inplace.join(array, one)
    for _ in range(1000):
        inplace.join(array, wrap(Array, array.raw[:2]))
    living = [member() for member in array._group if member() is not None]
    assert [id(one) for one in living] == [id(one) for one in (array, *kept)]
    assert len(array._group) < 40
