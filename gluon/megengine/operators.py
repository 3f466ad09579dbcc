"""Python's operators on tensors: in the other order, and in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

T = TypeVar("T", bound=Callable[..., Any])


def reflected(function: T) -> T:
    """The operator of a tensor on the right of something else."""

    def method(self: Any, other: Any) -> Any:
        return function(other, self)

    return cast(T, method)


def in_place(function: T) -> T:
    """The operator that has the tensor stand for its result."""

    def method(self: Any, other: Any) -> Any:
        self._reset(function(self, other))
        return self

    return cast(T, method)
