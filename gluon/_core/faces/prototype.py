"""Prototypes: functions whose signatures declare the arguments of those that are made like them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

T = TypeVar("T", bound=Callable[..., Any])


def typed(like: T, function: Callable[..., Any]) -> T:
    """`function` itself, for type checkers of the type of `like`."""
    return cast(T, function)
