"""What kind of function each public function is: what is known of its shapes without running it.

The factory or the decorator that makes a function says so, once. Symbols infer shapes from it, and
tests draw arguments by it; they state only what is different.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from .prototype import T

#: ``alike``: all inputs and outputs have one shape; ``broadcast``: the inputs broadcast to the
#: shape of the output; ``reduce``: the output lacks the axes in ``axis``; otherwise nothing.
Kind = Literal["alike", "broadcast", "reduce", ""]
#: The public functions, without helpers.
KINDS: dict[Callable[..., Any], Kind] = {}


def keeps_shape(function: T) -> T:
    """Declare that all inputs and outputs of a function have one shape."""
    KINDS[function] = "alike"
    return function


def broadcasts(function: T) -> T:
    """Declare that the inputs of a function broadcast to the shape of its output."""
    KINDS[function] = "broadcast"
    return function


def reduces(function: T) -> T:
    """Declare that a function removes axes, or keeps them with length 1."""
    KINDS[function] = "reduce"
    return function
