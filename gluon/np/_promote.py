"""The dtype of an operation on arrays and numbers.

As in NumPy, except for integers that meet floating ones, which take the dtype of the others,
and for functions whose results have fractions: of integers they give the default dtype.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy

from .._core.arrays import interfaces
from .._core.arrays.switch import default_float
from .._core.errors import DTypeError
from ._public import NUMBERS, as_array, cast

if TYPE_CHECKING:
    from ._array import ndarray

INT = numpy.dtype("int64")
#: Maps the common dtype of the inputs to the dtype of the computation.
Rule = Callable[[numpy.dtype], numpy.dtype]


def any_dtype(dtype: numpy.dtype) -> numpy.dtype:
    """The rule of functions that keep the dtype of their inputs."""
    return dtype


def fractions(dtype: numpy.dtype) -> numpy.dtype:
    """The rule of functions whose results have fractions."""
    return default_float() if dtype.kind in "biu" else dtype


def common(*dtypes: numpy.dtype) -> numpy.dtype:
    """Return the common dtype of arrays of `dtypes`."""
    first = dtypes[0]
    if dtypes.count(first) == len(dtypes):
        return first
    floats = [dtype for dtype in dtypes if dtype.kind in "fV"]
    found = numpy.result_type(*floats or dtypes)
    return found if floats or found.kind in "biu" else default_float()


def with_number(dtype: numpy.dtype, number: Any) -> numpy.dtype:
    """Return the common dtype of an array of `dtype` and a number."""
    if dtype.kind in "fV" or isinstance(number, (bool, numpy.bool_)):
        return dtype
    if isinstance(number, (int, numpy.integer)):
        return INT if dtype.kind == "b" else dtype
    if isinstance(number, (float, numpy.floating)):
        return default_float()
    raise DTypeError(f"numbers of type {type(number).__name__} are not supported")


def pair(x1: Any, x2: Any, rule: Rule, dtype: Any = None) -> tuple[Any, Any]:
    """Return two inputs as an operator takes them: arrays of one dtype, or an array and a number.

    Parameters
    ----------
    x1, x2 : array_like
        Not both numbers.
    rule : callable
        What the function makes of the dtype in which they meet.
    dtype : numpy.dtype, optional
        The dtype to compute in, in place of that.
    """
    if isinstance(x2, NUMBERS):
        x1 = as_array(x1)
        return cast(x1, dtype or rule(with_number(x1.form.dtype, x2))), number(x2)
    if isinstance(x1, NUMBERS):
        x2 = as_array(x2)
        return number(x1), cast(x2, dtype or rule(with_number(x2.form.dtype, x1)))
    x1, x2 = as_array(x1), as_array(x2)
    dtype = dtype or rule(common(x1.form.dtype, x2.form.dtype))
    return cast(x1, dtype), cast(x2, dtype)


def mixed(rule: Rule) -> Callable[..., Any]:
    """Apply `pair` with `rule`, for differentiable operators."""
    return lambda x1, x2, dtype=None: pair(x1, x2, rule, dtype)


def constant(x1: Any, x2: Any, dtype: Any = None) -> tuple[Any, Any]:
    """Apply `pair` for operators without gradient, whose kernels accept numbers."""
    x1, x2 = pair(x1, x2, any_dtype, dtype)
    if not isinstance(x2, interfaces.ndarray):
        return x1, x1._number(x2)
    return (x1 if isinstance(x1, interfaces.ndarray) else x2._number(x1)), x2


def compared(x1: Any, x2: Any, dtype: Any = None) -> tuple[Any, Any]:
    """Return two inputs of a comparison; dtypes stay, because NumPy compares exactly."""
    if isinstance(x2, NUMBERS):
        x1 = as_array(x1)
        return x1, x1._number(x2) if x1.form.dtype.kind in "fV" else number(x2)
    if isinstance(x1, NUMBERS):
        return compared(x2, x1)[::-1]
    return as_array(x1), as_array(x2)


def number(value: Any) -> Any:
    """Return a number without a NumPy dtype, which would affect that of the result."""
    return value.item() if isinstance(value, numpy.generic) else value


def alike(arrays: Any) -> list[ndarray]:
    """Return several arrays or array-likes in one dtype."""
    found = [as_array(x) for x in arrays]
    dtypes = [x.form.dtype for x in found]
    if dtypes == dtypes[:1] * len(dtypes):
        return found
    dtype = common(*dtypes)
    return [cast(x, dtype) for x in found]
