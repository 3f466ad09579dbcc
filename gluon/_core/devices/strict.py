"""``GLUON_DEVICE=numpy:strict``: arrays of NumPy as a device without PyTorch, for tests.

A buffer answers NumPy's protocols with NumPy itself, and refuses what would copy values of a GPU to
the host: conversions to arrays, and numbers that kernels read. So tests show where a kernel leaves
the device, in an installation without PyTorch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from ..engine.op import TABLE
from ..kernels.elementwise import move
from ..kernels.large_batch import lamb
from ..kernels.memory import same_place
from ..kernels.normalization import standardize_grad
from ..kernels.parallel import WHOLE
from ..kernels.reduce import sum_to
from .common import (
    COUNTS,
    Backend,
    OnDevice,
    Unimplemented,
    check_place,
    check_written,
    refuse_array,
)

#: Functions of NumPy that read values, and those that write to their first argument.
READERS = (np.array_equal, np.array_equiv, np.allclose, np.count_nonzero)
WRITERS = (np.copyto, np.put_along_axis, np.put, np.place, np.putmask, np.fill_diagonal)
#: Attributes of arrays that lead to the memory.
HIDDEN = frozenset("ctypes data dump dumps tofile".split())


class StrictBuffer(NDArrayOperatorsMixin, OnDevice):
    """An array that nothing reads unasked.

    Attributes
    ----------
    a : numpy.ndarray
    place : int
        The number of the device.
    base : StrictBuffer or None
        The owner of the memory, if this is a view.
    """

    __slots__ = ("__weakref__", "a", "base", "place")
    a: np.ndarray
    place: int
    base: Any

    def __init__(self, a: np.ndarray, place: int, base: StrictBuffer | None = None) -> None:
        self.a, self.place = a, place
        self.base = base if base is None or base.base is None else base.base

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name in HIDDEN:
            raise AttributeError(f"a buffer on a device has no attribute {name!r}")
        found = getattr(self.a, name)
        return self._method(found) if callable(found) else _wrapped(found, [self])

    def _method(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any, **options: Any) -> Any:
            _check_out(options)
            used = [self]
            found = method(*_bare(args, used), **_bare(options, used))
            return _wrapped(found, used)

        return run

    # ------------------------------------------------------------------- values on the host

    def get(self) -> np.ndarray:
        """A copy of the values as an array of NumPy."""
        COUNTS["waits"] += 1
        return self.a.copy()

    def wait(self) -> None:
        """Nothing: values are there at once."""

    def _read(self) -> np.ndarray:
        """The values, where they are asked for: kernels may not."""
        if WHOLE.on:
            raise Unimplemented("a kernel reads values")
        COUNTS["waits"] += 1
        return self.a

    def item(self, *place: int) -> Any:
        """One value as a number of Python."""
        return self._read().item(*place)

    def tolist(self) -> Any:
        """The values in nested lists."""
        return self._read().tolist()

    def tobytes(self, order: Any = "C") -> bytes:
        """The values as bytes."""
        return self._read().tobytes(order)

    # ------------------------------------------------------------------- NumPy's protocols

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if self.leaves_to(map(type, inputs)):
            return NotImplemented
        check_written(inputs, options.get("out"))
        _check_out(options)
        if method == "at" and not isinstance(inputs[0], StrictBuffer):
            raise refuse_array(self)
        used: list[StrictBuffer] = []
        found = getattr(ufunc, method)(*_bare(inputs, used), **_bare(options, used))
        out = options.get("out")
        return out[0] if out and len(out) == 1 else out or _wrapped(found, used)

    def __array_function__(self, function: Any, types: Any, args: tuple, kwargs: dict) -> Any:
        if self.leaves_to(types):
            return NotImplemented
        _check_out(kwargs)
        if function in WRITERS and not isinstance(args[0], StrictBuffer):
            raise refuse_array(self)
        if function in READERS:
            self._read()
        used: list[StrictBuffer] = []
        found = function(*_bare(args, used), **_bare(kwargs, used))
        return _wrapped(found, used)

    # ---------------------------------------------------------------------------- indexing

    def _sum_to(self, shape: tuple[int, ...]) -> Any:
        """The kernel `sum_to`, which the engine itself calls for broadcast inputs."""
        return _wrapped(sum_to(self.a, shape=shape), [self])

    def __len__(self) -> int:
        return len(self.a)

    def __iter__(self) -> Iterator[StrictBuffer]:
        return iter([self[k] for k in range(len(self))])

    def __getitem__(self, key: Any) -> Any:
        used = [self]
        return _wrapped(self.a[_bare(key, used)], used)

    def __setitem__(self, key: Any, value: Any) -> None:
        used = [self]
        self.a[_bare(key, used)] = _bare(value, [])

    def approach(self, other: StrictBuffer, rate: float) -> None:
        """Go a part of the way to other values, in place."""
        self += (other - self) * rate

    # -------------------------------------------------------------------------- new buffers

    def copy(self, order: Any = "C") -> StrictBuffer:
        """A copy, by default in the order of C."""
        return StrictBuffer(self.a.copy(order), self.place)

    def __reduce__(self) -> Any:
        return put, (self.get(), self.place)

    def beside(self, constants: np.ndarray) -> StrictBuffer:
        """A host array on the same device."""
        return put(np.asarray(constants), self.place)

    def filled(self, shape: Any, value: Any, dtype: Any) -> StrictBuffer:
        """An array on the same device with one value in all places, or any values for None."""
        made = np.empty(shape, dtype) if value is None else np.full(shape, value, dtype)
        return StrictBuffer(made, self.place)

    def counted(self, *numbers: Any, dtype: Any) -> StrictBuffer:
        """``np.arange(*numbers)`` on the same device."""
        return StrictBuffer(np.arange(*numbers, dtype=dtype), self.place)

    def as_laid(self, other: StrictBuffer, owner: StrictBuffer) -> StrictBuffer:
        """The view of this copy of `owner` that `other` is of `owner`."""
        return StrictBuffer(same_place(other.a, owner.a, self.a), self.place, self)


def _check_out(options: dict[str, Any]) -> None:
    """Raise if results are to be written to the host."""
    outs = options.get("out")
    for out in outs if isinstance(outs, tuple) else (outs,):
        if isinstance(out, np.ndarray):
            raise Unimplemented("out= on the host for values on a device")


def _bare(x: Any, used: list[StrictBuffer]) -> Any:
    """Nested arguments with the arrays of buffers, which are noted in `used`."""
    if isinstance(x, StrictBuffer):
        used.append(x)
        check_place(x, used[0])
        return x.a
    if isinstance(x, np.ndarray) and x.ndim:
        COUNTS["uploads"] += 1
    if type(x) in (list, tuple):
        return type(x)([_bare(one, used) for one in x])
    if type(x) is dict:
        return {key: _bare(one, used) for key, one in x.items()}
    return x


def _owner(a: np.ndarray) -> np.ndarray:
    while isinstance(a.base, np.ndarray):
        a = a.base
    return a


def _wrapped(x: Any, used: list[StrictBuffer]) -> Any:
    """Nested results with buffers for arrays: views of those in `used`, or new ones."""
    if isinstance(x, np.ndarray):
        for one in used:
            if x is one.a:
                return one
            if _owner(x) is _owner(one.a):
                return StrictBuffer(x, one.place, one)
        return StrictBuffer(x, used[0].place)
    if isinstance(x, np.generic):
        return StrictBuffer(np.asarray(x), used[0].place)
    if type(x) in (list, tuple):
        return type(x)([_wrapped(one, used) for one in x])
    if isinstance(x, tuple):  # with names
        return tuple([_wrapped(one, used) for one in x])
    return x


def put(raw: Any, place: int) -> Any:
    """An array of NumPy, or a buffer, on device number `place`."""
    if isinstance(raw, StrictBuffer):
        return raw if raw.place == place else StrictBuffer(raw.a.copy(), place)
    if type(raw) is not np.ndarray:
        return raw
    COUNTS["uploads"] += 1
    return StrictBuffer(np.array(raw, raw.dtype.newbyteorder("="), order="C"), place)


def _own(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel for NumPy as one of its own: it looks at memory, or is a loop over values."""

    def run(*inputs: Any, **attrs: Any) -> Any:
        used: list[StrictBuffer] = []
        return _wrapped(kernel(*_bare(inputs, used), **_bare(attrs, used)), used)

    return run


def _lamb(rows: list) -> list:
    """A step that reads norms."""
    for arrays, settings in rows:
        lamb(*_bare(arrays, []), **settings)
    return [None] * len(rows)


#: Operators that have kernels in PyTorch, while that for NumPy computes on the host alone.
OWN = "convolution convolution_input_grad convolution_weight_grad deconvolution digamma polygamma"

BACKEND = Backend(
    kind=StrictBuffer,
    put=put,
    kernels={"move": move} | {name: _own(TABLE[name].fallback) for name in OWN.split()},
    steps={"lamb": _lamb},
    rules={"standardize_grad": _own(standardize_grad)},
    sample=lambda *given: None,
    full=(MemoryError,),
)
