"""Errors of functions about what they are given: they name the function and the argument."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache, wraps
from typing import Any, TypeVar, cast

from ..._core.engine.array import Array
from ..._core.errors import CAUSES, ArgumentError, GluonError, translated
from ..._core.faces.errors import renamed
from ..._core.faces.text import misfit, readers
from ..._core.hints.lookup import keyword_meant, parameters


class ZeroError(ArgumentError, ZeroDivisionError):
    """An argument by which MegEngine divides is 0."""


T = TypeVar("T", bound=Callable[..., Any])
#: What wrong arguments bring about.
WRONG: tuple[type[Exception], ...] = (*CAUSES, AttributeError)

_signature = cache(inspect.signature)


def checked(function: T) -> T:
    """`function`, with errors that name it and what it was given."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except WRONG as error:
            raise explained(call, args, kwargs, error) from error.__cause__

    return cast(T, call)


def explained(
    function: Callable[..., Any], args: tuple, kwargs: dict[str, Any], error: Exception
) -> Exception:
    """The error to raise where `function` was given these arguments and raised `error`."""
    name = function.__name__
    if isinstance(error, GluonError):
        return renamed(error, "Tensor", name)
    try:
        given = _signature(function).bind(*args, **kwargs).arguments
    except TypeError:
        hint = keyword_meant(str(error), parameters(function))
        return translated(error, f"{error}{hint}") if hint else error
    how = readers(function)
    if key := misfit(given, how, optional=given):
        return translated(error, f"{name}: {key}={given[key]!r} must be {how[key].kind}")
    told = ", ".join(f"{key}={_described(value)}" for key, value in given.items())
    message = f"{name}: {error}; it was given {told}"
    if isinstance(error, ZeroDivisionError):
        return ZeroError(message)
    return translated(TypeError() if isinstance(error, AttributeError) else error, message)


def _described(value: Any) -> str:
    if isinstance(value, Array):
        return f"a Tensor of shape {value.shape} and dtype {value.dtype}"
    return f"{value!r:.60}"
