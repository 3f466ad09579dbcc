"""Operators with MXNet's own names, such as ``_plus_scalar``: see `OPERATORS`."""

from __future__ import annotations

import operator as python
from collections.abc import Callable
from typing import Any

from .. import nd
from .._core.arrays.base import A
from .._core.arrays.switch import is_np_array
from .._core.faces.kinds import keeps_shape
from .operator import OPERATORS, Operator


def _of_number(compute: Callable[..., Any]) -> Callable[..., Any]:
    @keeps_shape
    def call(data: A, scalar: float = 1.0, is_int: bool = True) -> A:
        return compute(data, scalar)

    return call


def turned(compute: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with its two arguments swapped."""
    return lambda data, scalar: compute(scalar, data)


def _of_two(compute: Callable[..., Any]) -> Callable[..., Any]:
    @keeps_shape
    def call(lhs: A, rhs: A) -> A:
        return compute(lhs, rhs)

    return call


#: ``_NAME_scalar``, of an array and a number.
SCALARS: dict[str, Callable[..., Any]] = {
    "div": python.truediv,
    "equal": nd.equal,
    "greater": nd.greater,
    "greater_equal": nd.greater_equal,
    "hypot": nd.broadcast_hypot,
    "lesser": nd.lesser,
    "lesser_equal": nd.lesser_equal,
    "logical_and": nd.logical_and,
    "logical_or": nd.logical_or,
    "logical_xor": nd.logical_xor,
    "maximum": nd.maximum,
    "minimum": nd.minimum,
    "minus": python.sub,
    "mod": python.mod,
    "mul": python.mul,
    "not_equal": nd.not_equal,
    "plus": python.add,
    "power": python.pow,
    "rdiv": turned(python.truediv),
    "rminus": turned(python.sub),
    "rmod": turned(python.mod),
    "rpower": turned(python.pow),
}
#: ``_NAME``, of two arrays of one shape.
PAIRS: dict[str, Callable[..., Any]] = {
    "equal": nd.broadcast_equal,
    "greater": nd.broadcast_greater,
    "greater_equal": nd.broadcast_greater_equal,
    "hypot": nd.broadcast_hypot,
    "lesser": nd.broadcast_lesser,
    "lesser_equal": nd.broadcast_lesser_equal,
    "logical_and": nd.broadcast_logical_and,
    "logical_or": nd.broadcast_logical_or,
    "logical_xor": nd.broadcast_logical_xor,
    "maximum": nd.broadcast_maximum,
    "minimum": nd.broadcast_minimum,
    "mod": nd.broadcast_mod,
    "not_equal": nd.broadcast_not_equal,
    "power": nd.broadcast_power,
    "grad_add": nd.elemwise_add,
}

OPERATORS.update(
    (f"_{name}_scalar", Operator(f"_{name}_scalar", _of_number(how)))
    for name, how in SCALARS.items()
)
OPERATORS.update((f"_{name}", Operator(f"_{name}", _of_two(how))) for name, how in PAIRS.items())


def _as_set(array: Any) -> Any:
    """Convert a created array to NumPy's interface if that is on."""
    return array.as_np_ndarray() if is_np_array() else array


def _zeros(
    shape: tuple[int, ...] | int = (), ctx: Any = None, dtype: str | None = "float32"
) -> Any:
    return _as_set(nd.zeros(shape, None, dtype))


def _ones(shape: tuple[int, ...] | int = (), ctx: Any = None, dtype: str | None = "float32") -> Any:
    return _as_set(nd.ones(shape, None, dtype))


def _full(
    shape: tuple[int, ...] | int = (),
    ctx: Any = None,
    dtype: str | None = "float32",
    value: float = 0.0,
) -> Any:
    return _as_set(nd.full(shape, value, None, dtype))


def _arange(
    start: float = 0.0,
    stop: float | None = None,
    step: float = 1.0,
    repeat: int = 1,
    infer_range: bool = False,
    ctx: Any = None,
    dtype: str | None = "float32",
) -> Any:
    return _as_set(nd.arange(start, stop, step, repeat, dtype=dtype))


def _eye(N: int = 0, M: int = 0, k: int = 0, ctx: Any = None, dtype: str | None = "float32") -> Any:
    return _as_set(nd.eye(N, M, k, dtype=dtype))


def _linspace(
    start: float = 0.0,
    stop: float | None = None,
    step: float = 1.0,
    repeat: int = 1,
    num: int = 50,
    endpoint: bool = True,
    infer_range: bool = False,
    ctx: Any = None,
    dtype: str | None = "float32",
) -> Any:
    return _as_set(nd.linspace(start, stop or 0.0, num, endpoint, dtype=dtype))


def _split_v2(
    data: A,
    indices: tuple[int, ...] = (),
    axis: int = 1,
    squeeze_axis: bool = False,
    sections: int = 0,
) -> Any:
    """Split an array into `sections` of equal length, or at `indices`."""
    return nd.split_v2(data, sections or tuple(indices)[1:], axis, squeeze_axis)


def _histogram(data: A, bins: A | None = None, bin_cnt: int | None = None,
               range: tuple[float, float] | None = None) -> Any:  # fmt: skip
    return nd.histogram(data, bins if bin_cnt is None else bin_cnt, range)


def _rnn_param_concat(*data: Any, dim: int = 1, num_args: int | None = None) -> Any:
    """Concatenate the parameters of a recurrent layer to the vector that `RNN` takes."""
    return nd.concat(*data, dim=dim)


for _function in (
    _rnn_param_concat,
    _zeros,
    _ones,
    _full,
    _arange,
    _eye,
    _linspace,
    _split_v2,
    _histogram,
):
    OPERATORS[_function.__name__] = Operator(_function.__name__, _function)
