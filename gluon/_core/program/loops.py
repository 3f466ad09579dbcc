"""The inner loops of groups: NumPy's own, read from its ufuncs, and those of the library.

What NumPy computes for an array, its loop computes for each block of it, so that results have the
same bits. The address of a loop is read from the ufunc's structure, which has not changed since
NumPy 1.0; `is_read_right` compares two loops with what NumPy computes before any is used.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ..native.loading import LEAST, library


class Loop(NamedTuple):
    """A function over blocks: of NumPy (`function`, `data`), or number `own` of the library."""

    own: int
    function: int
    data: int

    @property
    def needs_many(self) -> bool:
        """Whether not all of its inputs may be one value that serves for all: so in the library."""
        return self.own >= 0


#: The types of values that registers hold.
KINDS = frozenset("bBhHiIlLqQefd?")
OWN = {name: k for k, name in enumerate(library.OPERATIONS)} if library else {}
#: Operations of the library with exactly the values of NumPy's ufunc of that name.
EXACT = frozenset(
    "add subtract multiply divide negative square sqrt maximum minimum equal not_equal greater"
    " greater_equal less less_equal".split()
)
FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


@cache
def _loops(ufunc: Any) -> dict[bytes, tuple[int, int]]:
    return {types: (f, data) for types, f, data in reversed(library.inner_loops(ufunc))}


def numpys(ufunc: Any, dtypes: tuple) -> Loop | None:
    """The loop of a ufunc for inputs and an output of these dtypes."""
    if not READABLE or any(d.char not in KINDS for d in dtypes):
        return None
    found = _loops(ufunc).get(bytes([d.num for d in dtypes]))
    return Loop(-1, *found) if found and found[0] else None


def own(name: str, dtype: Any, size: int) -> Loop | None:
    """The library's operation `name` where it computes arrays of this size."""
    if not READABLE or name not in OWN or size < LEAST or dtype not in FLOATS:
        return None
    return Loop(OWN[name], 0, 0) if library.has_loop(OWN[name], dtype == FLOATS[1]) else None


def _is_read_right() -> bool:
    """Whether loops that are read from ufuncs compute what the ufuncs do."""
    if library is None or not hasattr(library, "call_loop"):
        return False
    x, z = np.linspace(-2, 2, 8), np.linspace(1, 3, 8)
    for ufunc, inputs in ((np.add, (x, z)), (np.negative, (x,)), (np.less, (x, z))):
        right = ufunc(*inputs)
        y = np.zeros_like(right)
        types = bytes([one.dtype.num for one in (*inputs, y)])
        found = _loops(ufunc).get(types)
        if not found or not library.call_loop(*found, (*inputs, y)) or (y != right).any():
            return False
    return True


READABLE = _is_read_right()


def cast(source: np.dtype, target: np.dtype) -> Loop | None:
    """The loop that converts values."""
    found = library.HELPERS.get(f"{source.str[1:]} {target.str[1:]}") if READABLE else None
    return Loop(-1, found, 0) if found else None


def where(dtype: np.dtype) -> Loop | None:
    """The loop that chooses between two values of `dtype`."""
    found = library.HELPERS.get(f"where {dtype.itemsize}") if READABLE else None
    return Loop(-1, found, 0) if found and dtype.char in KINDS else None


def identity(dtype: np.dtype) -> Loop | None:
    """The loop that copies values."""
    found = library.HELPERS.get(f"copy {dtype.itemsize}") if READABLE else None
    return Loop(-1, found, 0) if found else None
