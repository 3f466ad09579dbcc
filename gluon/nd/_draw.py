"""Shared checks of all samplers: arguments, shapes, dtypes and devices."""

from __future__ import annotations

import functools
from collections.abc import Callable
from operator import index
from typing import Any

import numpy as np

from .._core.arrays.context import device
from .._core.arrays.dtypes import as_dtype
from .._core.devices import available
from .._core.engine.array import Array, wrap
from .._core.engine.node import Blank
from .._core.errors import CAUSES, ArgumentError, DTypeError, GluonError, translated
from .._core.faces.errors import named
from .._core.instruments.base import OBSERVED
from .._core.kernels import random as kernels
from .._core.kernels.generator import generator
from .._core.kernels.memory import on_host
from ._array import NDArray
from ._checks import whole
from ._public import with_zero_gradients, write

Shape = int | tuple[int, ...] | None

REALS = (int, float, np.integer, np.floating)
DRAWN = Blank(
    "drawn at random, which has no gradient; compute it from the parameters and samples of a"
    " fixed distribution, such as loc + scale * nd.random.normal(shape=...)"
)

OBSERVED += [
    (kernels, "sample", "forward", lambda distribution: f"random_{distribution}"),
    (kernels, "integers", "forward", lambda _: "random_randint"),
]


def dimensions(operator: str, shape: Any) -> tuple[int, ...]:
    """Return `shape`, an int, a sequence of int or None, as a tuple; () for None."""
    if shape is None:
        return ()
    size = whole(operator, "shape", shape)
    if any(n < 0 for n in size):
        raise ArgumentError(f"{operator}: shape={shape!r} has a negative length")
    return size


def is_default(dtype: Any) -> bool:
    """Whether no dtype is requested; MXNet also accepts the string 'None'."""
    return dtype is None or (isinstance(dtype, str) and dtype == "None")


def dtype_of(operator: str, dtype: Any, out: Any, default: str, kinds: str) -> np.dtype:
    """Return the dtype of samples: the requested one, that of `out`, or the default.

    `kinds` are those that samples can have, as in ``numpy.dtype.kind``; V is bfloat16.
    """
    asked = None if is_default(dtype) else as_dtype(dtype)
    given = out.form.dtype if isinstance(out, Array) else None
    if asked is not None and given is not None and asked != given:
        raise DTypeError(
            f"{operator}: dtype={asked.name}, but out has the dtype {given.name}; leave dtype out"
        )
    found = next(one for one in (asked, given, np.dtype(default)) if one is not None)
    if found.kind not in kinds:
        names = "integers" if "i" in kinds else "floating-point numbers"
        raise DTypeError(f"{operator}: samples are {names} and cannot have the dtype {found.name}")
    return found


def start_of(operator: str, parameters: dict[str, Any]) -> tuple[int, ...]:
    """Return the shape of the array parameters; () if all are numbers."""
    shapes = {}
    for name, value in parameters.items():
        if isinstance(value, Array):
            shapes[name] = value.shape
        elif not isinstance(value, REALS):
            shape = f"; for a shape give shape={value}" if isinstance(value, tuple) else ""
            raise DTypeError(
                f"{operator}: {name} must be a number or an NDArray, not"
                f" {type(value).__name__}{shape}"
            )
    if len(set(shapes.values())) > 1:
        given = ", ".join(f"{name}: {shape}" for name, shape in shapes.items())
        raise ArgumentError(f"{operator}: parameters need one shape; got {given}")
    return next(iter(shapes.values()), ())


def size_of(operator: str, start: tuple[int, ...], shape: Any, out: Any) -> tuple[int, ...]:
    """Return the shape of the result: that of the parameters and `shape`, or of `out`, or (1,)."""
    size = start + dimensions(operator, shape)
    if not isinstance(out, Array):
        return size or (1,)
    if shape is None and not start:
        return out.shape
    if size != out.shape:
        raise ArgumentError(f"{operator}: samples of shape {size}, but out has {out.shape}")
    return size


def given(raw: Any, ctx: Any, out: Any, operator: str) -> NDArray:
    """Return drawn samples as an array, or write them to `out`."""
    result = wrap(NDArray, raw, ctx, DRAWN)
    return result if out is None else write(out, result, operator)


def _told(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let errors of `function` begin with its first argument, the name of the operator."""

    @functools.wraps(function)
    def call(operator: str, *args: Any, **kwargs: Any) -> NDArray:
        try:
            return function(operator, *args, **kwargs)
        except GluonError as error:
            named(error, operator)
            raise
        except CAUSES as error:
            raise translated(error, f"{operator}: {error}") from None

    return call


def _check_bounds(operator: str, low: Any, high: Any) -> None:
    """As in MXNet, numbers must be in order; arrays need not be."""
    numbers = not (isinstance(low, Array) or isinstance(high, Array))
    if numbers and low > high:
        raise ArgumentError(f"{operator}: low={low} must not be above high={high}")


@_told
def draw(
    operator: str,
    distribution: str,
    parameters: dict[str, Any],
    shape: Shape = None,
    dtype: Any = None,
    ctx: Any = None,
    out: Any = None,
) -> NDArray:
    """Draw samples of one of `kernels.DISTRIBUTIONS`.

    Parameters
    ----------
    operator : str
        The name that errors begin with.
    distribution : str
    parameters : dict
        Numbers, or arrays of one shape.
    shape : int or tuple of int, optional
        Of the block drawn for each value of array parameters.
    dtype, ctx, out
        As the public functions take them.

    Returns
    -------
    NDArray of shape (*shape of the parameters, *shape)
        Or `out`.
    """
    start = start_of(operator, parameters)
    size = size_of(operator, start, shape, out)
    kind = dtype_of(operator, dtype, out, "float32", "fV")
    if distribution == "uniform" and not start:
        _check_bounds(operator, **parameters)
    arrays = [value for value in parameters.values() if isinstance(value, Array)]
    where = arrays[0]._ctx if arrays else device(ctx)
    shaped = (Ellipsis, *[None] * (len(size) - len(start)))
    raws = {k: on_host(v.raw)[shaped] if isinstance(v, Array) else v for k, v in parameters.items()}
    raw = available.sample(where, distribution, raws, size, kind, generator())
    return with_zero_gradients(given(raw, where, out, operator), *arrays)


_limits = functools.lru_cache(np.iinfo)  # making one takes longer than drawing a few numbers


@_told
def draw_integers(
    operator: str, low: Any, high: Any, shape: Shape, dtype: Any, ctx: Any, out: Any
) -> NDArray:
    """Draw integers from ``[low, high)``; the other arguments are those of `draw`."""
    try:
        low, high = index(low), index(high)
    except TypeError:
        raise DTypeError(
            f"{operator}: low and high must be integers, not {type(low).__name__} and"
            f" {type(high).__name__}"
        ) from None
    if not low < high:
        raise ArgumentError(f"{operator}: low={low} must be below high={high}")
    kind = dtype_of(operator, dtype, out, "int32", "iu")
    limits = _limits(kind)
    if low < limits.min or high - 1 > limits.max:
        raise ArgumentError(
            f"{operator}: low={low}, high={high} are out of range for {kind.name} ({limits.min} to"
            f" {limits.max}); pass dtype='int64'"
        )
    size = size_of(operator, (), shape, out)
    raw = kernels.integers(low, high, size=size, dtype=kind, rng=generator())
    return given(raw, device(ctx), out, operator)
