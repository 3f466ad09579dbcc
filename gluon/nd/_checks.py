"""Checks of the arguments of functions, before they call an operator.

Each takes the name of the function first, with which its message begins.
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral, Real
from operator import index
from typing import Any

from .._core.arrays.base import DeviceArray
from .._core.errors import ArgumentError, DTypeError, IndexRangeError
from .._core.faces.text import WHOLES, read

Size = tuple[int, int]


def check_choice(
    name: str, argument: str, value: Any, choices: Any, instead: Mapping[str, str] | None = None
) -> None:
    """Raise unless `value` is one of `choices`; `instead` names an alternative for other values."""
    if value not in choices:
        names = ", ".join(repr(one) for one in choices)
        way_out = f"; {instead[value]}" if instead and value in instead else ""
        raise ArgumentError(f"{name}: {argument}={value!r} is not one of {names}{way_out}")


def check_integers(name: str, **values: Any) -> None:
    """Raise unless the values are integers."""
    for argument, value in values.items():
        if not isinstance(value, Integral):
            raise ArgumentError(f"{name}: {argument}={value!r} must be an integer")


def check_numbers(name: str, **values: Any) -> None:
    """Raise unless the values are numbers."""
    for argument, value in values.items():
        if not isinstance(value, Real):
            raise DTypeError(f"{name}: {argument}={value!r} must be a number")


def two_sizes(name: str, argument: str, value: Any) -> Size:
    """Return `value` as two positive integers, or raise."""
    pair = isinstance(value, (tuple, list)) and len(value) == 2
    if not pair or not all(isinstance(v, Integral) and int(v) > 0 for v in value):
        raise ArgumentError(f"{name}: {argument}={value!r} must be two positive integers")
    return int(value[0]), int(value[1])


def whole(name: str, argument: str, value: Any) -> tuple[int, ...]:
    """Return `value`, an integer or several, as a tuple, or raise."""
    try:
        several = isinstance(value, (tuple, list, range)) or getattr(value, "ndim", 0) > 0
        return tuple(map(index, value)) if several else (index(value),)
    except TypeError:
        if isinstance(value, str):
            return whole(name, argument, read(WHOLES, name, argument, value))
        raise DTypeError(
            f"{name}: {argument}={value!r} is neither an integer nor a tuple of them"
        ) from None


def places(name: str, argument: str, value: Any, ndim: int) -> tuple[int, ...]:
    """Return `value`, one or more axes of an array with `ndim` axes, as nonnegative axes."""
    axes = whole(name, argument, value)
    if any(not -ndim <= a < ndim for a in axes):
        raise IndexRangeError(
            f"{name}: {argument}={value} is out of range for an array with {ndim} axes"
        )
    axes = tuple([a % ndim for a in axes])
    if len(set(axes)) < len(axes):
        raise ArgumentError(f"{name}: {argument}={value} names an axis twice")
    return axes


def check_used(name: str, argument: str, value: DeviceArray | None, used: bool) -> None:
    """Raise unless `value` is given exactly if ``use_<argument>`` is set."""
    if bool(used) != (value is not None):
        raise ArgumentError(
            f"{name}: use_{argument}={used} and {argument}"
            f" {'missing' if value is None else 'given'}; pass both or none, or to a"
            f" layer use_{argument}={not used} when it is made"
        )


# --------------------------------------------------------------------------------- dtypes


def check_numeric(name: str, data: DeviceArray) -> None:
    """Raise if `data` is boolean; the function computes with numbers."""
    if data.form.dtype == bool:
        raise DTypeError(f"{name}: data is boolean and must be numbers; use astype")


def check_floating(name: str, data: DeviceArray) -> None:
    """Raise if `data` holds integers or bools, which the function does not support."""
    if data.form.dtype.kind not in "fV":  # bfloat16 is of NumPy's kind "V"
        raise DTypeError(
            f"{name}: data has dtype {data.form.dtype} and must be floating; use"
            " data.astype('float32')"
        )


def check_one_floating(name: str, **arrays: DeviceArray | None) -> None:
    """Raise unless the given arrays share one floating dtype."""
    kinds = {key: array.form.dtype for key, array in arrays.items() if array is not None}
    first = next(iter(kinds.values()))
    if first.kind not in "fV" or any(kind != first for kind in kinds.values()):
        given = ", ".join(f"{key}: {kind}" for key, kind in kinds.items())
        raise DTypeError(f"{name}: needs arrays of one floating dtype, not {given}; use astype")


# --------------------------------------------------------------------------------- shapes


def check_shape(name: str, argument: str, array: DeviceArray, wanted: tuple[Any, ...]) -> None:
    """Raise unless `array` has the shape `wanted`."""
    if array.shape != wanted:
        raise ArgumentError(f"{name}: {argument} has shape {array.shape}; it needs {wanted}")


def check_pictures(name: str, argument: str, array: DeviceArray) -> None:
    """Raise unless the array holds images: four axes, and at least one pixel."""
    if array.ndim != 4 or not (array.shape[2] and array.shape[3]):
        raise ArgumentError(
            f"{name}: {argument} has shape {array.shape}; it needs (batch, channels, height, width)"
        )


def check_bias(name: str, bias: DeviceArray | None, no_bias: bool) -> None:
    """Raise unless there is either a bias or ``no_bias=True``."""
    if (bias is None) != bool(no_bias):
        raise ArgumentError(
            f"{name}: no_bias={no_bias} and bias {'missing' if bias is None else 'given'}; pass"
            " either a bias or no_bias=True"
        )


def check_size(name: str, argument: str, given: int | None, weight: DeviceArray, size: int) -> None:
    """Raise if a given size differs from `size`, that of the weight."""
    if given is not None and given != size:
        raise ArgumentError(f"{name}: {argument}={given}, but the weight has shape {weight.shape}")
