"""NumPy's functions and Python's numbers with tensors."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, floor, trunc
from typing import Any

import numpy as np

from .._core.arrays.history import arrays_in, converted
from .._core.arrays.rebind import is_recorded
from .._core.engine.array import Array, alias
from .._core.errors import DTypeError
from ..nd.protocols import is_like
from ..np._public import as_array
from ..np.protocols import WRITERS, array_function, functions
from .functional import elemwise, math

#: NumPy's functions -> MegEngine's, which run instead.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "absolute": elemwise.abs,
    "add": elemwise.add,
    "arccos": elemwise.acos,
    "arccosh": elemwise.acosh,
    "arcsin": elemwise.asin,
    "arcsinh": elemwise.asinh,
    "arctan": elemwise.atan,
    "arctan2": elemwise.atan2,
    "arctanh": elemwise.atanh,
    "ceil": elemwise.ceil,
    "cos": elemwise.cos,
    "cosh": elemwise.cosh,
    "divide": elemwise.div,
    "equal": elemwise.equal,
    "exp": elemwise.exp,
    "expm1": elemwise.expm1,
    "float_power": elemwise.pow,
    "floor": elemwise.floor,
    "floor_divide": elemwise.floor_div,
    "greater": elemwise.greater,
    "greater_equal": elemwise.greater_equal,
    "isinf": math.isinf,
    "isnan": math.isnan,
    "left_shift": elemwise.left_shift,
    "less": elemwise.less,
    "less_equal": elemwise.less_equal,
    "log": elemwise.log,
    "log1p": elemwise.log1p,
    "logaddexp": elemwise.logaddexp,
    "logical_and": elemwise.logical_and,
    "logical_not": elemwise.logical_not,
    "logical_or": elemwise.logical_or,
    "logical_xor": elemwise.logical_xor,
    "matmul": math.matmul,
    "maximum": elemwise.maximum,
    "minimum": elemwise.minimum,
    "mod": elemwise.mod,
    "multiply": elemwise.mul,
    "negative": elemwise.neg,
    "not_equal": elemwise.not_equal,
    "power": elemwise.pow,
    "remainder": elemwise.mod,
    "right_shift": elemwise.right_shift,
    "rint": elemwise.round,
    "sign": elemwise.sign,
    "sin": elemwise.sin,
    "sinh": elemwise.sinh,
    "sqrt": elemwise.sqrt,
    "square": elemwise.square,
    "subtract": elemwise.sub,
    "tan": elemwise.tan,
    "tanh": elemwise.tanh,
    "true_divide": elemwise.div,
}
#: Functions without gradients that NumPy leaves to methods of a tensor, with MegEngine's dtypes.
PLACES: set[Any] = {np.argmax, np.argmin}


def _unrecorded(name: str) -> DTypeError:
    return DTypeError(
        f"{name} of a recorded tensor has no gradient; call detach() first, or a"
        " function of megengine.functional"
    )


class NumpyFunctions:
    """The protocols by which NumPy's functions and Python's numbers take tensors."""

    __slots__ = ()
    __array_priority__ = 1001
    raw: Any
    _plain: Any

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        """Run ``numpy.exp(x)`` and its like: recorded where MegEngine has such a function."""
        name = ufunc.__name__
        if method == "__call__" and not kwargs and name in FUNCTIONS:
            return FUNCTIONS[name](*inputs)
        arrays = [one for one in inputs if isinstance(one, Array)]
        if is_recorded(*arrays):
            raise _unrecorded(f"numpy.{name}")
        out = kwargs.get("out", ())
        kwargs = {**kwargs, "out": tuple(map(_values, out))} if out else kwargs
        found = getattr(ufunc, method)(*map(_values, inputs), **kwargs)
        if out:
            return out[0] if len(out) == 1 else out
        many = isinstance(found, tuple)
        tensors = tuple(self._plain(np.asarray(one)) for one in (found if many else (found,)))
        return tensors if many else tensors[0]

    def __array_function__(
        self, func: Any, types: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Run ``numpy.stack([x, y])`` and its like: on the values, or recorded as by `gluon.np`."""
        if is_like(func):
            return NotImplemented
        if not is_recorded(*arrays_in((args, kwargs))) or func in PLACES:
            return func._implementation(*args, **kwargs)
        if func in WRITERS or func not in functions():
            raise _unrecorded(f"{func.__module__}.{func.__name__}")
        args, kwargs = converted((args, kwargs), as_array)
        found = array_function(as_array(self), func, types, args, kwargs)
        return converted(found, lambda x: alias(x, self._plain))

    def __array_wrap__(self, values: Any, *_: Any) -> Any:
        return self._plain(values)

    def __dlpack__(self, **kwargs: Any) -> Any:
        return np.array(self.raw).__dlpack__()

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0  # CPU memory

    def __contains__(self, value: Any) -> bool:
        return bool((self.raw == getattr(value, "raw", value)).any())

    def __complex__(self) -> complex:
        return complex(self.item())

    def __floor__(self) -> int:
        return floor(self.item())

    def __ceil__(self) -> int:
        return ceil(self.item())

    def __trunc__(self) -> int:
        return trunc(self.item())

    def item(self) -> Any:
        """Return the value of a tensor of size 1 as a Python number."""
        raise NotImplementedError


def _values(x: Any) -> Any:
    return x.raw if isinstance(x, Array) else x
