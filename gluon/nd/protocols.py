"""NumPy's protocols: what ``numpy.exp(x)`` and ``numpy.stack([x, y])`` do with an `NDArray`.

Ufuncs give NDArrays and are recorded. Other functions take the values, or call a method of the
array, until an array is recorded: then the function of `gluon.np` runs in their place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._core.arrays import interfaces
from .._core.arrays.base import DeviceArray
from .._core.arrays.history import arrays_in, converted
from .._core.arrays.rebind import is_recorded
from .._core.engine.array import Array
from .._core.engine.mode import mode
from .._core.engine.op import RECORDED as ops
from .._core.errors import GluonError
from ._public import at_least_1d

#: Maps a ufunc of NumPy, called with a number or NumPy array and an NDArray, to the method.
REFLECTED = {
    np.add: "__radd__",
    np.subtract: "__rsub__",
    np.multiply: "__rmul__",
    np.divide: "__rtruediv__",
    np.remainder: "__rmod__",
    np.power: "__rpow__",
    np.equal: "__eq__",
    np.not_equal: "__ne__",
    np.less: "__gt__",
    np.less_equal: "__ge__",
    np.greater: "__lt__",
    np.greater_equal: "__le__",
}
#: Functions that NumPy leaves to methods of the array; their results have MXNet's dtypes.
METHODS: set[Any] = {
    *(np.sum, np.mean, np.prod, np.max, np.min, np.amax, np.amin),
    *(np.all, np.any, np.argmax, np.argmin),
}


def array_ufunc(self: Any, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
    """What ``numpy.exp(x)`` gives, by the function of `gluon.np`; it is recorded."""
    is_operator = method == "__call__" and not kwargs and ufunc in REFLECTED
    if is_operator and not isinstance(inputs[0], Array):
        left = np.asarray(inputs[0])
        return getattr(self, REFLECTED[ufunc])(left if left.ndim else left[()])
    given = converted(inputs, _of_numpy)
    found = self.as_np_ndarray().__array_ufunc__(ufunc, method, *given, **kwargs)
    return converted(found, _classic)


def array_function(
    self: Any, func: Any, types: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """What ``numpy.stack([x, y])`` gives: an NDArray with a history, if one is recorded."""
    recorded = bool(mode().tapes) and is_recorded(*arrays_in((args, kwargs)))
    if not recorded and not is_like(func):
        known = all(issubclass(one, (Array, np.ndarray)) for one in types)
        return func._implementation(*args, **kwargs) if known else NotImplemented
    if func in METHODS and args and isinstance(args[0], DeviceArray):
        try:
            return func._implementation(*args, **kwargs)
        except (GluonError, TypeError):  # the method lacks an argument, such as where=
            pass
    out = {"out": kwargs["out"]} if "out" in kwargs else {}
    args, kwargs = converted(args, _of_numpy), {**converted(kwargs, _of_numpy), **out}
    found = self.as_np_ndarray().__array_function__(func, types, args, kwargs)
    return converted(found, _classic)


def is_like(func: Any) -> bool:
    """Whether `func` stands for ``numpy.ones(3, like=x)`` and its like: x is no argument."""
    is_numpys = func.__module__ == "numpy"
    return is_numpys and not hasattr(getattr(np, func.__name__), "_implementation")


def _of_numpy(x: Any) -> Any:
    return x.as_np_ndarray() if isinstance(x, DeviceArray) else x


def _classic(x: Any) -> Any:
    """An array of `gluon.np` as an NDArray that shares no memory with another array."""
    if not isinstance(x, interfaces.ndarray):
        return x
    return at_least_1d((x if x._group is None else ops.copy(x)).as_nd_ndarray())
