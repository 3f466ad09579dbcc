"""Every function of NumPy's with recorded arrays: none silently treats one as a constant.

The functions are read from NumPy, so that those of any version are tried. Calls of the functions
that `gluon.np` has are those of `tests.public_calls`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy
import pytest

from gluon import GluonError, autograd, nd, np
from gluon._core.engine.array import Array
from gluon.np.protocols import functions
from tests.each import each
from tests.public_calls import Call, Place, arrays_in, at, calls, places, reaches, replaced

#: How arrays are made, and of which class.
KINDS: dict[str, Any] = {"nd": (nd.array, nd.NDArray), "np": (np.array, np.ndarray)}


def public(module: Any) -> dict[str, Callable]:
    """The functions of a module of NumPy's, by their full names."""
    found = {name: getattr(module, name) for name in dir(module) if name[0] != "_"}
    return {
        f"{module.__name__}.{name}": one
        for name, one in found.items()
        if callable(one) and not isinstance(one, type)
    }


def asks(function: Callable) -> bool:
    """Whether NumPy asks the arguments for an implementation of their own."""
    return isinstance(function, numpy.ufunc) or hasattr(function, "_implementation")


ALL = {**public(numpy), **public(numpy.linalg), **public(numpy.fft)}
SHARED = {name: one for name, one in ALL.items() if asks(one) and one in functions()}
OTHERS = {name: one for name, one in ALL.items() if asks(one) and one not in functions()}
#: Functions that take integers and dtypes only.
WITHOUT = {"can_cast", "invert", "bitwise_invert", "bitwise_not", "bitwise_count", "packbits"}


class Result(NamedTuple):
    """The arrays that a call gives or writes to, and the gradient of an argument."""

    arrays: list[Any]
    gradient: Any


def of_kind(make: Any, value: Any) -> Any:
    """Arguments with arrays that `make` makes."""
    if isinstance(value, Array):
        raw = value.asnumpy()
        return make(raw.reshape(raw.shape or (1,)), dtype=raw.dtype)
    if isinstance(value, dict):
        return {key: of_kind(make, part) for key, part in value.items()}
    return type(value)(of_kind(make, x) for x in value) if type(value) in (tuple, list) else value


def values(call: Call, place: Place) -> Any:
    """The numbers at a place of a call; None if they do not form an array."""
    value = at(call, place.path)
    if value is None:
        return None
    try:
        return value.asnumpy() if isinstance(value, Array) else numpy.array(value, "float32")
    except (TypeError, ValueError):
        return None


def result(make: Any, function: Callable, call: Call, place: Place) -> Result:
    """Make a call with a recorded array at a place and arrays of one kind elsewhere."""
    raw = values(call, place)
    leaf = make(raw.reshape(raw.shape or (1,)), dtype=raw.dtype)
    leaf.attach_grad()
    args, kwargs = of_kind(make, (call.args, call.kwargs))
    with autograd.record():
        args, kwargs = replaced(Call("", "", function, args, kwargs), place.path, leaf * 1)
        before = {id(x): x._node for x in arrays_in((args, kwargs))}
        found = function(*args, **kwargs)
    written = [x for x in arrays_in((args, kwargs)) if x._node is not before[id(x)]]
    arrays = [*arrays_in(found), *written]
    heads = [x for x in arrays if reaches(x._node, leaf._node)]
    heads = [x for x in heads if numpy.dtype(x.dtype).kind == "f"]
    if heads:
        autograd.backward(heads)
    return Result(arrays, leaf.grad.asnumpy() if heads else None)


class Asked(Exception):
    """NumPy asks an argument for an implementation."""


class Probe:
    """An argument that says when it is asked. NumPy asks for each part of some arguments."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def _asked(self, *args: Any, **kwargs: Any) -> Any:
        raise Asked

    __array_function__ = __array_ufunc__ = __iter__ = _asked

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError("NumPy converts it to an array")


def is_seen(function: Callable, call: Call, place: Place) -> bool:
    """Whether NumPy asks an argument: it skips most lists, and rejects those of other versions."""
    args, kwargs = of_kind(Probe, replaced(call, place.path, np.zeros(1)))
    try:
        function(*args, **kwargs)
    except Asked:
        return True
    except (TypeError, ValueError):
        pass
    return False


@cache
def trials(name: str) -> list[tuple[Call, Place]]:
    """Calls of the function of `gluon.np` that stands for one of NumPy's, and places to try."""
    mine = inspect.unwrap(functions()[SHARED[name]])
    made = [one for one in calls() if inspect.unwrap(one.function) is mine]
    found = [(one, place) for one in made for place in places(one)]
    return [
        (one, place)
        for one, place in found
        if values(one, place) is not None and is_seen(SHARED[name], one, place)
    ]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", KINDS)
@each("name", SHARED)
def test_what_both_have_runs_in_gluon_and_is_differentiated(name, kind):
    make, cls = KINDS[kind]
    for call, place in trials(name):
        try:
            wanted = result(np.array, call.function, call, place)
        except GluonError:
            continue
        found = result(make, SHARED[name], call, place)
        assert (found.gradient is None) == (wanted.gradient is None), place
        if wanted.gradient is not None:
            numpy.testing.assert_array_equal(found.gradient, wanted.gradient)
            assert {type(x) for x in found.arrays} == {cls}
            for mine, theirs in zip(found.arrays, wanted.arrays, strict=True):
                numpy.testing.assert_array_equal(mine.asnumpy().ravel(), theirs.asnumpy().ravel())


@pytest.mark.slow
def test_calls_were_tried():
    """Of each function that takes arrays of floats."""
    assert {name[6:] for name in SHARED if not trials(name)} <= WITHOUT
    assert len(SHARED) > 300


@pytest.mark.parametrize("kind", KINDS)
@each("name", OTHERS)
def test_what_numpy_alone_has_is_refused_while_recording(name, kind):
    x = KINDS[kind][0]([1.0, 2.0])
    x.attach_grad()
    with autograd.record():
        y = x * 2
        with pytest.raises(TypeError, match=r"x\.detach\(\) or x\.asnumpy\(\)") as error:
            with_enough(OTHERS[name], y)
    assert isinstance(error.value, GluonError)
    assert OTHERS[name].__name__ in str(error.value)


def with_enough(function: Callable, x: Any) -> None:
    """Call a function with `x` for each argument that it needs."""
    for count in (1, 2, 3):
        try:
            function(*[x] * count)
        except GluonError:
            raise
        except TypeError:  # another one is missing
            continue


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "values",
    [
        *(numpy.array, numpy.asarray, numpy.asanyarray, numpy.ascontiguousarray),
        *(numpy.asfortranarray, numpy.require, numpy.asarray_chkfinite),
        *(lambda x: x.asnumpy(), lambda x: numpy.array([x, x])[1], lambda x: numpy.full(2, x)),
        *(
            lambda x: numpy.broadcast_to(x.asnumpy(), 2),
            lambda x: numpy.random.default_rng(0).normal(x, 0),
        ),
        lambda x: numpy.sum([x, x], axis=0) / 2,
    ],
)
def test_conversion_is_a_way_out(kind, values):
    x = KINDS[kind][0]([1.0, 2.0])
    x.attach_grad()
    with autograd.record():
        y = x * 2
        raw = values(y)
        z = y * KINDS[kind][0](raw)
    z.backward()
    assert (type(raw), raw.tolist()) == (numpy.ndarray, [2, 4])
    assert x.grad.asnumpy().tolist() == [4, 8]


PROMISE = """gluon differentiates a NumPy function of a recorded array if `gluon.np` has this
 function. Most other NumPy functions raise an error. `x.asnumpy()` and `numpy.asarray(x)` return
 the values without history."""


@pytest.mark.parametrize(
    "page", ["CHANGELOG.md", "docs/howto/mixed_code.md", "docs/concepts/recording.md"]
)
def test_the_promise_is_the_same_everywhere(page):
    text = (Path(__file__).parents[2] / page).read_text(encoding="utf-8")
    assert " ".join(PROMISE.split()) in " ".join(text.split())
