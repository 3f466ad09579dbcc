"""Sparse arrays are taken everywhere, or refused by an error that says what to do.

Every call of `public_calls` is made again with a sparse array in place of each array. It must give
what the dense array gives, with the same gradient, or raise an error that names ``tostype``.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from typing import Any, NamedTuple

import numpy
import pytest

from gluon import GluonError, autograd, random
from gluon._core.arrays import storage
from gluon._core.arrays.base import DeviceArray
from gluon._core.engine.op import TABLE
from tests.public_calls import (
    OPERATORS,
    OWNERS,
    Call,
    Place,
    arrays_in,
    at,
    calls,
    places,
    replaced,
)

#: Operators of sparse arrays, which `storage` gives their class.
SPARSE = {name for name, op in TABLE.items() if op.takes_sparse}


class Outcome(NamedTuple):
    """The arrays after a call: those of the result, then all arguments; and the gradient."""

    values: list[Any]
    grad: Any


def outcome(call: Call, place: Place, value: Any, recorded: bool) -> Outcome:
    """Make the call with `value` at a place."""
    random.seed(0)
    if recorded:
        value.attach_grad(stype="default")
    args, kwargs = replaced(call, place.path, value)
    with warnings.catch_warnings(), redirect_stdout(StringIO()), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        if not recorded:
            result = call.function(*args, **kwargs)
        else:
            with autograd.record():
                result = call.function(*args, **kwargs)
                total = 0 * whole(value).sum()
                for x in arrays_in(result):
                    if numpy.dtype(x.dtype).kind == "f":
                        total = total + whole(x).sum()
            total.backward()
    seen = [x.asnumpy() for x in arrays_in((result, args, kwargs))] if not recorded else []
    return Outcome(seen + plain(result), value.grad.asnumpy() if recorded else None)


def whole(x: Any) -> Any:
    """A dense array of `nd`."""
    return x.as_nd_ndarray() if x._of_numpy else x.tostype("default")


def plain(result: Any) -> list[Any]:
    """The numbers in a result."""
    if isinstance(result, (tuple, list)):
        return [x for part in result for x in plain(part)]
    return [result] if isinstance(result, (int, float, numpy.generic, numpy.ndarray)) else []


def is_array(value: Any) -> bool:
    return isinstance(value, DeviceArray) and value.ndim > 0


def trials(owner: str) -> Iterator[tuple[Call, Place, str]]:
    for call in calls(owner in OPERATORS):
        if call.owner == owner and call.name not in SPARSE and "rng" not in call.kwargs:
            for place in places(call, is_array):
                if not is_array(at(call, place.path)):
                    continue  # a list of arrays; they follow, one by one
                yield call, place, "row_sparse"
                if at(call, place.path).ndim == 2:
                    yield call, place, "csr"


def same(x: Any, y: Any) -> bool:
    return numpy.shape(x) == numpy.shape(y) and numpy.allclose(x, y, 1e-5, 1e-6, equal_nan=True)


def differs(call: Call, place: Place, stype: str, recorded: bool) -> str:
    """How a call with a sparse array differs from that with a dense one, if it does."""
    dense = copy.deepcopy(at(call, place.path))
    sparse = copy.deepcopy(dense).as_nd_ndarray().tostype(stype)
    if recorded and numpy.dtype(dense.dtype).kind != "f":
        return ""
    try:
        expected = outcome(call, place, dense, recorded)
    except Exception:
        return ""
    try:
        found = outcome(call, place, sparse, recorded)
    except Exception as error:
        own = dense._of_numpy and isinstance(error, GluonError)  # functions that want arrays of np
        return "" if own or "tostype" in str(error) else f"{type(error).__name__}: {error}"
    if len(found.values) != len(expected.values):
        return f"{len(found.values)} values, not {len(expected.values)}"
    for x, y in zip([*found.values, found.grad], [*expected.values, expected.grad]):
        if (x is None) != (y is None) or (x is not None and not same(x, y)):
            return f"{x}, not {y}"
    return ""


@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize("owner", [*OWNERS, *OPERATORS])
def test_calls_with_sparse_arrays(owner: str, recorded: bool, monkeypatch: Any) -> None:
    monkeypatch.setenv(storage.VARIABLE, "0")
    wrong = {
        f"{owner}.{call.name}({place.argument}: {stype})": how
        for call, place, stype in trials(owner)
        if (how := differs(call, place, stype, recorded))
    }
    assert not wrong, "\n".join(f"{key} {how[:300]}" for key, how in wrong.items())
