"""What every `nd` function has: ``out=`` and ``name=``, and results that are never 0-d."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from ..engine.array import Array
from ..engine.errors import DTypeError
from ..engine.inplace import is_recorded, rebind
from ..engine.op import RECORDED as F
from ..ndarray import NDArray

OUT = """
    out : NDArray, optional
        Where to write the result.
    name : str, optional
        Ignored; symbols use it in MXNet.
"""


def public(function: Callable) -> Callable:
    """`function` with the keywords ``out`` and ``name`` of every MXNet operator."""

    @functools.wraps(function)
    def call(*args: Any, out: Any = None, name: Any = None, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        return result if out is None else write(out, result, function.__name__)

    signature = inspect.signature(function)
    extra = [
        inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=None)
        for key in ("out", "name")
    ]
    parameters = list(signature.parameters.values())
    before = [p for p in parameters if p.kind is not p.VAR_KEYWORD]
    call.__signature__ = signature.replace(parameters=before + extra)  # type: ignore[attr-defined]
    return call


def unary(op: Callable, doc: str) -> Callable:
    """The public form of a float function of one array."""

    def call(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
        result = op(data)
        if result._raw.dtype is not data._raw.dtype:
            result = F.cast(result, dtype=data._raw.dtype)  # integers stay integers
        return result if out is None else write(out, result, op.__name__)

    return documented(call, op.__name__, doc, "data : NDArray\n", "NDArray of the same shape and dtype")


def documented(call: Callable, name: str, doc: str, inputs: str, returns: str) -> Callable:
    """Give a function made from a table its name and a docstring."""
    call.__name__ = call.__qualname__ = name
    call.__doc__ = (
        f"{doc}.\n\n    Parameters\n    ----------\n    {inputs.strip()}{OUT}\n"
        f"    Returns\n    -------\n    {returns}\n"
    )
    return call


def write(out: Any, result: Any, name: str) -> Any:
    """Write a result, or several, into `out`, recorded where the result is."""
    if isinstance(out, (list, tuple)):
        for one, value in zip(out, result if isinstance(result, (list, tuple)) else [result]):
            write(one, value, name)
        return out
    if not isinstance(out, Array):
        raise DTypeError(f"{name}: out must be an NDArray, not {type(out).__name__}")
    if is_recorded(out, result) and out._raw.shape == result._raw.shape:
        if result._raw.dtype != out._raw.dtype:
            result = F.cast(result, dtype=out._raw.dtype)
        rebind(out, result, f"{name}(out=...)")
    else:
        out[...] = result
    return out


def at_least_1d(result: NDArray) -> NDArray:
    """MXNet's classic arrays have at least one axis: a scalar result has shape (1,)."""
    return result if result._raw.ndim else F.reshape(result, shape=(1,))
