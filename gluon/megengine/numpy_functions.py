"""What NumPy's functions and Python's numbers do with tensors."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..engine.array import Array
from ..engine.errors import DTypeError
from ..engine.rebind import is_recorded

#: NumPy's functions, and those of MegEngine in their place, where the names differ.
RENAMED = {
    **{"absolute": "abs", "negative": "neg", "subtract": "sub", "multiply": "mul"},
    **{"divide": "div", "true_divide": "div", "floor_divide": "floor_div", "power": "pow"},
    **{"remainder": "mod", "arcsin": "asin", "arccos": "acos", "arctan": "atan"},
    **{"arctan2": "atan2", "arcsinh": "asinh", "arccosh": "acosh", "arctanh": "atanh"},
    **{"rint": "round", "float_power": "pow"},
}
#: Those that have the same name.
SAME = frozenset(
    "add ceil cos cosh equal exp expm1 floor greater greater_equal isinf isnan left_shift less"
    " less_equal log log1p logaddexp logical_and logical_not logical_or logical_xor matmul maximum"
    " minimum mod not_equal right_shift sign sin sinh sqrt square tan tanh".split()
)


#: NumPy's functions -> MegEngine's; filled by `functional`.
FUNCTIONS: dict[str, Callable] = {}


class NumpyFunctions:
    """What a tensor has for NumPy's functions, and for those of Python's numbers."""

    __slots__ = ()
    __array_priority__ = 1001
    _raw: Any
    _plain: Any

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        """Run ``numpy.exp(x)`` and its like: recorded where MegEngine has such a function."""
        name = ufunc.__name__
        if method == "__call__" and not kwargs and name in FUNCTIONS:
            return FUNCTIONS[name](*inputs)
        arrays = [one for one in inputs if isinstance(one, Array)]
        if is_recorded(*arrays):
            raise DTypeError(
                f"numpy.{name} of a recorded tensor has no gradient; call detach() first, or a"
                " function of megengine.functional"
            )
        out = kwargs.get("out", ())
        kwargs = {**kwargs, "out": tuple(map(_values, out))} if out else kwargs
        found = getattr(ufunc, method)(*map(_values, inputs), **kwargs)
        if out:
            return out[0] if len(out) == 1 else out
        many = isinstance(found, tuple)
        tensors = tuple(self._plain(np.asarray(one)) for one in (found if many else (found,)))
        return tensors if many else tensors[0]

    def __array_wrap__(self, values: Any, *_: Any) -> Any:
        return self._plain(values)

    def __dlpack__(self, **kwargs: Any) -> Any:
        return np.array(self._raw).__dlpack__()

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0  # memory of the host

    def __contains__(self, value: Any) -> bool:
        return bool((self._raw == getattr(value, "_raw", value)).any())

    def __complex__(self) -> complex:
        return complex(self.item())

    def __floor__(self) -> int:
        return math.floor(self.item())

    def __ceil__(self) -> int:
        return math.ceil(self.item())

    def __trunc__(self) -> int:
        return math.trunc(self.item())

    def item(self) -> Any:
        """The one value."""
        raise NotImplementedError


def _values(x: Any) -> Any:
    return x._raw if isinstance(x, Array) else x
