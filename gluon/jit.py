"""`jit`: a step that runs as a program, without Python for each operator."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any

from ._core.program import rules as rules
from ._core.program.step import Compiled

__all__ = ["jit"]


class Jitted:
    def __init__(self, function: Callable, exact: bool) -> None:
        self._compiled = Compiled(function, exact)
        update_wrapper(self, function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._compiled(args, kwargs)


def jit(step: Callable, *, exact: bool = False) -> Any:
    return Jitted(step, exact)
