"""What batching rules share: the operator on the arrays of all examples at once."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_letters
from typing import Any

import numpy as np

from ..engine.op import KERNELS as F
from ..engine.op import TABLE
from .batched import Level, is_at, wrapped

Inputs = Sequence[Any]
Attrs = dict[str, Any]


def full(x: Any, level: Level) -> Any:
    """The arrays of all examples, also of an input that all of them share."""
    if is_at(x, level):
        return x.data
    x = x if hasattr(x, "ndim") else np.asarray(x)
    return F.broadcast_to(F.expand_dims(x, axis=0), shape=(level.size, *x.shape))


def call(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    """The operator on arrays of all examples, as results of one."""
    return wrapped(getattr(F, name)(*inputs, **attrs), level)


def given(name: str, attrs: Attrs, key: str) -> Any:
    """An attribute of a call, or its default."""
    return attrs.get(key, TABLE[name].attributes[key])


def moved(axis: int, ndim: int) -> int:
    """Where an axis of one example is in the array of all."""
    return axis % ndim + 1


def free_letter(subscripts: str) -> str | None:
    """A letter for the examples that the subscripts of an einsum do not have; None if all are."""
    return next((one for one in ascii_letters if one not in subscripts), None)
