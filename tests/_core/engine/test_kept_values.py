"""A graph keeps the recorded values: later writes by the caller change no gradient.

Every call of `public_calls`, and every call of an operator behind it, is made again with NumPy's
arrays and with lists in place of indices, masks and other arguments, which are then written to.
"""

from __future__ import annotations

import warnings
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

import numpy
import pytest

from gluon import GluonError, autograd, nd, np, random
from gluon._core.engine.array import Array
from gluon._core.kernels.foreign import is_loose
from tests.public_calls import OWNERS, Call, Place, arrays_in, at, calls, places, reaches, replaced

#: How calls reject NumPy arrays and lists.
REFUSED = (GluonError, AttributeError, LookupError, TypeError, ValueError)
#: What is called with files, or with what an example defines.
ELSEWHERE = {"nd.save", "npx.save", "npx.savez", "nd.Custom", "nd.contrib.cond"}


def is_changeable(value: Any) -> bool:
    """Whether an array of NumPy's or a list can stand in place of `value`."""
    is_numbers = type(value) in (list, tuple) and bool(value) and all(map(is_number, value))
    return is_numbers or isinstance(value, (Array, numpy.ndarray))


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float, numpy.number))


def forms(value: Any) -> list[Any]:
    """`value` as an array of NumPy's and as a list, where it can be one."""
    if isinstance(value, Array):
        value = value.asnumpy()
    try:
        raw = numpy.array(value)
    except ValueError:  # arrays of different shapes
        return []
    return [raw, raw.tolist()] if raw.ndim else [raw]


def write_to(value: Any) -> None:
    """Change all values, such that an index stays valid."""
    if isinstance(value, list):
        value[:] = numpy.roll(value, 1).tolist() if len(set(map(str, value))) > 1 else [0]
    elif value.dtype.kind == "b":
        value[...] = ~value
    else:
        value[...] = 0


def track(value: Any) -> list[Array]:
    """The floating arrays in arguments, which are to be differentiated."""
    leaves = [x for x in arrays_in(value) if numpy.dtype(x.dtype).kind == "f"]
    for leaf in leaves:
        leaf.attach_grad()
    return leaves


def changes(call: Call, place: Place, form: Any) -> bool:
    """Whether gradients change when `form`, which is an argument of the call, is written to."""
    random.seed(0)
    args, kwargs = replaced(call, place.path, form)
    leaves = track((args, kwargs))
    with autograd.record(), warnings.catch_warnings(), redirect_stdout(StringIO()):
        warnings.simplefilter("ignore")
        args, kwargs = recorded((args, kwargs))
        result = call.function(*args, **kwargs)
    found = [*arrays_in(result), *arrays_in((args, kwargs))]
    heads = [x for x in found if x._node.tapes and numpy.dtype(x.dtype).kind == "f"]
    if not heads:
        return False
    leaves = [leaf for leaf in leaves if any(reaches(x._node, leaf._node) for x in heads)]
    before = autograd.grad(heads, leaves, retain_graph=True)
    write_to(form)
    return any(
        not numpy.array_equal(one.asnumpy(), other.asnumpy(), equal_nan=True)
        for watched in (False, True)
        for one, other in zip(
            before, autograd.grad(heads, leaves, retain_graph=True, create_graph=watched)
        )
    )


def is_fixed(call: Call, place: Place) -> bool:
    """Whether an operator wants an attribute as a number or a tuple, not as what is written to."""
    op = call.function.op  # type: ignore[attr-defined]
    return place.argument in op.attributes and not is_loose(op.fallback, place.argument)


def recorded(value: Any) -> Any:
    """Arguments with results of operators for variables, so that they can be written to."""
    if isinstance(value, Array):
        return value * 1 if value._node.tapes else value
    if isinstance(value, dict):
        return {key: recorded(part) for key, part in value.items()}
    return type(value)(map(recorded, value)) if type(value) in (tuple, list) else value


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("owner", [*OWNERS, "F"])
def test_what_is_written_to_after_a_call_changes_no_gradient(owner):
    changed = set()
    for call in calls(of_operators=owner == "F"):
        if call.owner != owner or f"{owner}.{call.name}" in ELSEWHERE:
            continue
        for place in places(call, is_changeable):
            if owner == "F" and is_fixed(call, place):
                continue
            for form in forms(at(call, place.path)):
                try:
                    if changes(call, place, form):
                        changed.add(f"{call.name}: {place.argument}")
                except REFUSED:
                    continue
    assert not changed, f"gradients of inputs that are written to afterwards: {sorted(changed)}"


@pytest.mark.parametrize("make", [nd.array, np.array])
def test_an_index_that_a_loop_writes_to(make):
    w, index = make([1, 2, 3, 4]), numpy.zeros(1, int)
    w.attach_grad()
    with autograd.record():
        total = make([0.0])
        for k in range(2):
            index[:] = k
            total = total + w[index] * 4 * (k + 1)
    total.backward()
    assert w.grad.asnumpy().tolist() == [4, 8, 0, 0]


@pytest.mark.parametrize("make", [nd.array, np.array])
def test_a_mask_beside_a_slice_and_a_write_to_places(make):
    x, rows = make([[1, 2], [3, 4]]), numpy.array([0])
    x.attach_grad()
    with autograd.record():
        y = x * 1
        y[rows] *= 3
        y[rows, 1:] = 0.5
        z = y[rows, :1] * 5
        total = y.sum() + z.sum()
    rows[:] = 1
    total.backward()
    assert x.grad.asnumpy().tolist() == [[18, 0], [1, 1]]


class Picked(autograd.Function):
    """The values at some indices, times a scale that is not an argument."""

    def __init__(self, scale):
        self.scale = scale

    def forward(self, x, places):
        self.save_for_backward(places, self.scale, x)
        return x[places] * self.scale

    def backward(self, g):
        places, scale, x = self.saved_tensors
        dx = nd.zeros_like(x)
        dx[places] = g * scale
        return dx, None


def test_a_function_keeps_what_it_saves():
    x, places, scale = nd.array([1, 2, 3]), numpy.array([0, 2]), nd.array([5])
    x.attach_grad()
    with autograd.record():
        y = Picked(scale)(x, places)
    places[:] = 1
    scale[:] = 0
    y.backward()
    assert x.grad.asnumpy().tolist() == [5, 0, 5]


@pytest.mark.parametrize("form", [numpy.array, list])
def test_a_checkpoint_keeps_its_arguments(form):
    x, places = nd.array([1, 2, 3]), form([0, 2])
    x.attach_grad()
    with autograd.record():
        y = autograd.checkpoint(lambda x, places: x[places] ** 2, x, places)
    places[:] = [1, 1]
    y.backward()
    assert x.grad.asnumpy().tolist() == [2, 0, 6]


def test_a_checkpointed_function_writes_to_the_callers_arrays_once():
    x, seen = nd.array([2]), numpy.zeros(1)
    x.attach_grad()

    def square(x, seen):
        seen += 1
        return x * x * float(seen[0])

    with autograd.record():
        y = autograd.checkpoint(square, x, seen)
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.asnumpy().tolist() == [4]
    assert seen.tolist() == [1]
