"""The history of arrays that are built from other arrays, alone or in nested lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any, TypeVar

import numpy as np

from ..engine.array import Array, alias, wrap
from ..engine.mode import mode
from ..engine.op import RECORDED as ops
from ..errors import AutogradError
from ..kernels.memory import Buffer, beside
from .rebind import is_recorded

PLAIN_NUMBERS = frozenset({int, float, bool})
A = TypeVar("A", bound=Array)


def constants(name: str = "", /, **given: Any) -> None:
    """Raise if a value of `given`, or what it holds, is recorded: no gradient passes to it.

    The message begins with `name`, that of the function, if it is given.
    """
    for key, value in given.items():
        if mode().tapes and _has_arrays(value) and is_recorded(*parts(value)):
            raise AutogradError(
                f"{name}{': ' * bool(name)}{key} is a recorded array, but no gradient passes to it."
                f" Pass {key}.item() or {key}.detach() to take its value as a constant, or write"
                " the function with others that are differentiable in it"
            )


def parts(source: Any) -> Iterator[Any]:
    """What stands in nested lists and tuples, in order."""
    if isinstance(source, (list, tuple)):
        for part in source:
            yield from parts(part)
    else:
        yield source


def arrays_in(value: Any) -> Iterator[Array]:
    """Yield gluon's arrays in the arguments of a call: tuples, lists and dictionaries."""
    if isinstance(value, Array):
        yield value
    elif isinstance(value, (tuple, list, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from arrays_in(part)


def converted(value: Any, convert: Callable[[Any], Any]) -> Any:
    """Arguments or results with ``convert(x)`` in place of each array x of gluon."""
    if isinstance(value, Array):
        return convert(value)
    if isinstance(value, dict):
        return {key: converted(part, convert) for key, part in value.items()}
    if not isinstance(value, (tuple, list)):
        return value
    parts = [converted(part, convert) for part in value]
    return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)


def _has_arrays(source: Any) -> bool:
    """Whether `parts` of `source` include arrays of gluon; fast if there are none."""
    if not isinstance(source, (list, tuple)):
        return isinstance(source, Array)
    return not PLAIN_NUMBERS.issuperset(map(type, source)) and any(map(_has_arrays, source))


def with_history(source: Any, made: A) -> A:
    """`made`, the values of `source` as one array, recorded where arrays in `source` are."""
    if not (mode().tapes and _has_arrays(source) and is_recorded(*parts(source))):
        return made
    cls, dtype, ctx = type(made), made.raw.dtype, made._ctx
    pieces = []
    for is_array, group in groupby(parts(source), lambda part: isinstance(part, Array)):
        if is_array:
            here = (_beside(made, alias(x, cls)) for x in group)
            pieces += [ops.reshape(ops.cast(x, dtype=dtype), shape=(-1,)) for x in here]
        else:
            numbers = [np.ravel(np.asarray(part, dtype)) for part in group]
            pieces.append(wrap(cls, beside(made.raw, np.concatenate(numbers)), ctx))
    joined = ops.reshape(ops.concat(*pieces, axis=0), shape=made.raw.shape)
    joined._ctx = ctx
    return joined


def _beside(made: Array, x: Array) -> Array:
    """`x` where `made` is; recorded."""
    if x._ctx == made._ctx or not (isinstance(x.form, Buffer) or isinstance(made.raw, Buffer)):
        return x
    moved: Array = ops.move(x, to=made._ctx, back=x._ctx)
    return moved
