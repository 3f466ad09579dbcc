"""The table of functions that compute ONNX's operators, and what they share.

A function takes the inputs of the operator by position, None for one that is left out, and its
attributes by their names in ONNX's documentation. Arrays are `np.ndarray`: NumPy's conventions are
those of ONNX.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, TypeVar

import numpy

from ... import np
from ..._core.arrays.context import device
from ..._core.engine.array import alias, wrap
from ..._core.errors import ArgumentError
from ..._core.kernels.memory import on_host

Function = TypeVar("Function", bound=Callable[..., Any])

#: The functions by operator name; those of other domains as ``domain.Name``.
FUNCTIONS: dict[str, Callable[..., Any]] = {}
#: Maps the codes of dtypes in ONNX files to the dtypes that gluon supports.
DTYPES: dict[int, str] = {
    1: "float32",
    2: "uint8",
    3: "int8",
    4: "uint16",
    5: "int16",
    6: "int32",
    7: "int64",
    9: "bool",
    10: "float16",
    11: "float64",
    12: "uint32",
    13: "uint64",
    16: "bfloat16",
}
#: The kinds of floating dtypes; V is bfloat16.
FLOATS = "fV"
#: The maximum size of an array whose shape comes from numbers in a file, as in MXNet.
MOST = 2**31 - 1
#: The code of strings, which only class labels can be.
STRING = 8


def implements(function: Function) -> Function:
    """Enter a function in the table under its own name."""
    FUNCTIONS[function.__name__] = function
    return function


def whole(x: Any) -> list[int]:
    """The integers in an input or an attribute; none if it is left out."""
    if x is None:
        return []
    raw = x.raw if isinstance(x, np.ndarray) else x
    return [int(one) for one in numpy.ravel(raw)]


def number(x: Any, default: float = 0.0) -> Any:
    """The one number of an input, or of an attribute in older files; `default` for none."""
    if isinstance(x, np.ndarray):
        return x.raw.reshape(-1)[0].item()
    return default if x is None else x


def dtype_of(code: int) -> str:
    """The dtype of a number in ONNX's files.

    Raises
    ------
    ArgumentError
        If gluon does not support it, such as strings and 8-bit floats.
    """
    if code not in DTYPES:
        raise ArgumentError(f"ONNX's data type {code} is unsupported; gluon has {_listed()}")
    return DTYPES[code]


def _listed() -> str:
    return ", ".join(DTYPES.values())


def axes_of(x: Any, axes: Any) -> tuple[int, ...]:
    """Axes counted from the front; all axes by default."""
    return tuple(axis_of(axis, x.ndim) for axis in whole(axes)) or tuple(range(x.ndim))


def axis_of(axis: int, ndim: int) -> int:
    """An axis counted from the front.

    Raises
    ------
    ArgumentError
        If there is no such axis.
    """
    if not -ndim <= axis < ndim:
        raise ArgumentError(f"axis={axis} does not exist; the array has {ndim} axes")
    return axis % ndim


def room(*lengths: int) -> tuple[int, ...]:
    """A shape that comes from numbers in a file.

    Raises
    ------
    ArgumentError
        If it cannot be the shape of an array, or would take absurd memory.
    """
    if any(n < 0 for n in lengths):
        raise ArgumentError(f"shape {lengths} has a negative length")
    if prod(max(n, 1) for n in lengths) > MOST:
        raise ArgumentError(f"shape {lengths} has more than {MOST} values, the most of a network")
    return lengths


def made(raw: Any) -> Any:
    """An array of values without gradient, on the current context."""
    raw = numpy.asarray(on_host(raw))
    return wrap(np.ndarray, raw, None if raw.dtype.kind in "OSU" else device())


class Sequence(list[Any]):
    """Arrays that are one value of a graph."""


def as_np(x: Any) -> Any:
    """The same array, or sequence of arrays, with NumPy's conventions."""
    return as_kind(np.ndarray, x)


def as_kind(kind: type, x: Any) -> Any:
    """The same array, or sequence of arrays, as another class."""
    if isinstance(x, Sequence):
        return Sequence(as_kind(kind, one) for one in x)
    return x if x is None or type(x) is kind else alias(x, kind)


def over(x: Any, vector: Any, axis: int) -> Any:
    """A vector, reshaped to broadcast along axis `axis` of `x`."""
    return vector.reshape([-1 if k == axis_of(axis, x.ndim) else 1 for k in range(x.ndim)])
