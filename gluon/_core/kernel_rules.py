"""Gradient rules with a kernel of their own for all that they compute."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from .engine.op import KERNELS
from .journal import watcher
from .native import choose

#: Every `Whole`, by name.
WHOLES: dict[str, Whole] = {}


class Whole:
    """A kernel that computes what a rule does, where nobody differentiates what it computes.

    So it is on raw arrays, and also in a step that is traced: who watches it is told of the kernel.

    Parameters
    ----------
    name : str
        Of the compiled kernel.
    plain : callable
        What computes the same over raw arrays.
    """

    #: What makes it look like an operator to who is told of it.
    many, fixed, inputs, variadic = True, None, ("given",), True

    def __init__(self, name: str, plain: Callable) -> None:
        self.name, self.fallback, self.kernel = name, plain, choose(name, plain)
        WHOLES[name] = self

    def caller(self, F: Any) -> Callable | None:
        """What to call in place of a rule with the operators `F`; None where there is none."""
        if F is KERNELS:
            return self.kernel
        journal: Any = watcher()
        return partial(journal.whole, self) if getattr(journal, "ends", False) else None
