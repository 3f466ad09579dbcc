"""What a plain kernel does, found by running it once over arrays that note each ufunc of NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np


class Unknown(Exception):
    """A kernel does something that is no instruction; it is called in Python."""


#: Functions of NumPy that ask only for the form of an array.
FORMS = frozenset({np.ndim, np.shape, np.size, np.result_type, np.can_cast})
#: Functions that give a view, or a copy where there is none, which is then unknown memory.
VIEWS = frozenset(
    {np.reshape, np.transpose, np.swapaxes, np.moveaxis, np.expand_dims, np.squeeze, np.ravel}
    | {np.broadcast_to, np.atleast_1d, np.split}
)
#: Functions that make constants of an array's form.
LIKE = frozenset({np.zeros_like, np.ones_like, np.full_like, np.empty_like})


class Probe(np.ndarray):
    """An array whose ufuncs, and those of its views, are told to `listener`."""

    listener: Any = None

    def __array_finalize__(self, source: Any) -> None:
        self.listener = getattr(source, "listener", None)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **more: Any) -> Any:
        # Where `out` is given, the result stands in its place; another name shows in the values.
        why = f"{ufunc.__name__}.{method} of NumPy"
        if method != "__call__":  # NumPy holds its arguments for ever if this raises
            return self.listener.refuse(why)
        if more.keys() - {"out"} or ufunc.nout != 1 or ufunc.signature:
            raise Unknown(why)
        return self.listener.ufunc(ufunc, inputs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if function in FORMS:
            return function(*map(plain, args), **kwargs)
        if function in VIEWS:
            return super().__array_function__(function, types, args, kwargs)
        if function in LIKE and function is not np.empty_like:
            return self.listener.uniform(function(*map(plain, args), **kwargs, subok=False))
        if function is np.clip and kwargs.keys() <= {"out"}:
            return Probe.clip(*args)
        if function is np.where and len(args) == 3 and not kwargs:
            return self.listener.where(*args)
        raise Unknown(f"{function.__name__} of NumPy")

    def astype(self, dtype: Any, *args: Any, **more: Any) -> Any:
        """A conversion, which is an instruction."""
        if args or more.get("casting", "unsafe") != "unsafe" or "order" in more:
            raise Unknown("astype of NumPy with options")
        if np.dtype(dtype) == self.dtype:
            return self
        return self.listener.cast(self, np.dtype(dtype))

    def clip(self, low: Any = None, high: Any = None) -> Any:  # type: ignore[override]
        """The smaller and the larger of two values."""
        found = self if low is None else np.maximum(self, low)
        return found if high is None else np.minimum(found, high)

    __iadd__: Any = np.ndarray.__add__
    __isub__: Any = np.ndarray.__sub__
    __imul__: Any = np.ndarray.__mul__
    __itruediv__: Any = np.ndarray.__truediv__

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        return found if isinstance(found, np.ndarray) else self._read()

    def _read(self, *_: Any, **__: Any) -> Any:
        raise Unknown("a value is read")

    __ipow__ = __imod__ = _read
    __bool__ = __float__ = __int__ = __index__ = __complex__ = __contains__ = _read
    item = tolist = __setitem__ = copy = fill = sort = put = tobytes = __iter__ = _read
    sum = mean = max = min = prod = std = var = cumsum = dot = argmax = argmin = _read
    any = all = nonzero = take = repeat = choose = round = flatten = _read


def plain(value: Any) -> Any:
    """`value` without its listener."""
    return value.view(np.ndarray) if isinstance(value, Probe) else value
