"""Shared parts of the functions of `gluon.np`: arguments, results, `out`, docstrings."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from operator import index
from typing import TYPE_CHECKING, Any

import numpy

from .._core.arrays import interfaces
from .._core.arrays.base import DeviceArray, seen_as
from .._core.arrays.context import device
from .._core.arrays.dtypes import as_numpy_dtype, castable, check_casting
from .._core.arrays.history import constants, with_history
from .._core.arrays.rebind import is_recorded, rebind
from .._core.arrays.switch import is_np_default_dtype
from .._core.arrays.through_host import through_host
from .._core.devices.common import Unimplemented
from .._core.engine.array import Array, alias, wrap
from .._core.engine.mode import mode
from .._core.engine.op import RECORDED as ops
from .._core.errors import CAUSES, ArgumentError, DTypeError, GluonError
from .._core.faces.errors import named, rejected, unmade
from .._core.faces.face import Face
from .._core.faces.prototype import T
from .._core.faces.text import REAL, WHOLE, readers
from .._core.journal import taken
from .._core.kernels.memory import on_host
from .._core.refusals import NUMBERS as NUMBERS
from .._core.transforms.batched import asks
from .._core.transforms.crossing import looped

if TYPE_CHECKING:
    from ._array import ndarray

NP = Face("gluon.np", "from gluon import np", rounds=False)


def public(function: T) -> T:
    """Return `function` for users: errors begin with its name and are those of gluon.

    An argument that is annotated as a number is not an array that a gradient should pass.
    """

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            if mode().tapes and (numbers := _numbers(function)):
                given = {key: args[k] for key, k in numbers.items() if k < len(args)}
                constants(**given, **{key: kwargs[key] for key in numbers.keys() & kwargs})
            return function(*args, **kwargs)
        except GluonError as error:
            if not asks(error):
                named(error, call.__name__)
                raise
            asking = error
        except Unimplemented as error:
            return through_host(call.__name__, function, args, kwargs, error)
        except CAUSES as error:
            keys = inspect.signature(function).parameters
            raise rejected(error, function.__name__, call.__name__, keys) from None
        return looped(asking, call.__name__, call, args, kwargs)

    if "__all__" not in function.__globals__:  # otherwise users find it in its module
        call.__module__ = function.__globals__["__name__"].rpartition(".")[0]
    return call  # type: ignore[return-value]


def public_like(
    like: T, call: Callable[..., Any], name: str, title: str, code: str, printed: str, **words: str
) -> T:
    """Make `call` public, like a prototype; in its example, `code` prints `printed`."""
    return public(NP.made(like, call, name, title, code, printed, words=words))


@functools.cache
def _numbers(function: Callable) -> dict[str, int]:
    """Return the positions of the parameters that are numbers, except axes, checked later."""
    parameters, read = inspect.signature(function).parameters.values(), readers(function)
    return {
        p.name: k if p.kind is p.POSITIONAL_OR_KEYWORD else sys.maxsize
        for k, p in enumerate(parameters)
        if read.get(p.name) in (WHOLE, REAL) and p.name != "axis"
    }


# --------------------------------------------------------------------------------- inputs


def as_array(value: Any, dtype: Any = None) -> ndarray:
    """Return `value` as an array of `gluon.np`: itself, a view of an NDArray, or a new one.

    Numbers and sequences become arrays as `np.array` makes them.
    """
    if type(value) is interfaces.ndarray and dtype is None:
        return value
    if not isinstance(value, Array):
        return made(value, dtype)
    if not isinstance(value, interfaces.ndarray):
        is_bare = not isinstance(value, DeviceArray)
        value = alias(value, interfaces.ndarray) if is_bare else seen_as(interfaces.ndarray, value)
    return value if dtype is None else cast(value, as_numpy_dtype(dtype))


def made(source: Any, dtype: Any = None, ctx: Any = None) -> ndarray:
    """Return a new array with the values of `source`; recorded if it contains recorded arrays.

    Raises
    ------
    DTypeError
        If it holds no numbers.
    """
    if dtype is not None:
        dtype = as_numpy_dtype(dtype)
    elif not hasattr(source, "dtype") and not is_np_default_dtype():
        dtype = numpy.dtype("float32")
    try:
        values = plain(source)
        raw = numpy.array(values if dtype is None else castable(values, dtype), dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise unmade(error, source, "array") from None
    as_numpy_dtype(raw.dtype)
    return with_history(source, wrap(interfaces.ndarray, raw, device(ctx)))


def plain(source: Any) -> Any:
    """Replace gluon's arrays in `source` by NumPy's."""
    if isinstance(source, Array):
        return on_host(taken(source))
    if isinstance(source, (list, tuple)):
        return [plain(part) for part in source]
    return source


def as_axis(axis: Any) -> Any:
    """Return an axis, several or None, as `int`, a tuple of `int` or None."""
    if axis is None:
        return None
    if isinstance(axis, (tuple, list)):
        return tuple([whole(one, "axis") for one in axis])
    return whole(axis, "axis")


def whole(value: Any, what: str) -> int:
    """Return `value` as an `int`; raise if it is not an integer."""
    try:
        return value.__index__()
    except (AttributeError, TypeError):
        if isinstance(value, Array):
            raise DTypeError(
                f"{what} is an array of shape {value.shape}, not an integer; if the function joins"
                " arrays, put them into a list"
            ) from None
        raise DTypeError(f"{what} is an integer, not {value!r}") from None


def as_shape(shape: Any) -> tuple[int, ...]:
    """Return a length or several as a tuple of `int`."""
    if isinstance(shape, Array):
        shape = taken(shape).tolist()
    elif isinstance(shape, numpy.ndarray):
        shape = shape.tolist()
    lengths = shape if isinstance(shape, (tuple, list)) else (shape,)
    try:
        return tuple(map(index, lengths))
    except TypeError:
        return tuple([whole(n, "a length") for n in lengths])


def new_shape(name: str, shape: Any) -> tuple[int, ...]:
    """Return the shape of what the function `name` is to create."""
    lengths = as_shape(shape)
    if min(lengths, default=0) < 0:
        raise ArgumentError(f"{name}: shape={lengths} has a negative length")
    return lengths


def cast(x: ndarray, dtype: Any) -> ndarray:
    """Return `x` in another dtype, or itself if it has that dtype; recorded."""
    return x if x.form.dtype == dtype else ops.cast(x, dtype=dtype)


def moved(move: Callable[..., Any], *arrays: ndarray) -> ndarray:
    """Apply `move`, a function of NumPy's that only moves and copies values, to `arrays`.

    It is applied to the numbers of the places, and the values follow, so that a gradient passes.
    """
    ends = numpy.cumsum([x.form.size for x in arrays])
    numbered = [
        numpy.arange(end - x.form.size, end).reshape(x.form.shape) for x, end in zip(arrays, ends)
    ]
    flat = [ops.reshape(x, shape=(-1,)) for x in arrays]
    values = flat[0] if len(flat) == 1 else ops.concat(*flat, axis=0)
    return ops.getitem(values, key=move(*numbered))


# -------------------------------------------------------------------------------- results


def into(out: Any, result: ndarray, casting: str = "same_kind") -> ndarray:
    """Return `result`, or write it to `out` and return that; recorded if the result is."""
    if out is None:
        return result
    if isinstance(out, tuple) and len(out) == 1:
        (out,) = out
    if not isinstance(out, Array):
        raise DTypeError(f"out must be an array of gluon, not {type(out).__name__}")
    check_casting("out", result.form.dtype, out.form.dtype, casting)
    if out.form.shape != result.form.shape:
        if numpy.broadcast_shapes(out.form.shape, result.form.shape) != out.form.shape:
            raise ArgumentError(
                f"out has shape {out.form.shape}, which cannot hold a result of shape"
                f" {result.form.shape}"
            )
        result = ops.broadcast_to(result, shape=out.form.shape)
    if is_recorded(out, result):
        rebind(out, result, "out=")
    else:
        out[...] = cast(result, out.form.dtype)  # type: ignore[index]
    return out  # type: ignore[return-value]


def selected(where: Any, result: ndarray, out: Any) -> ndarray:
    """Return `result` where the mask `where` holds; elsewhere the values of `out`, or 0."""
    if where is True:
        return result
    mask = as_array(where, "bool")
    return ops.where(mask, result, as_array(out) if out is not None else 0)
