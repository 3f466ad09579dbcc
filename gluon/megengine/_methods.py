"""The functions that are methods of `Tensor`."""

from __future__ import annotations

from typing import Final

from .._core.engine.array import Array
from .functional import math, tensor


class Methods(Array):
    """Base of `Tensor`."""

    __slots__ = ()

    sum: Final = math.sum
    prod: Final = math.prod
    mean: Final = math.mean
    max: Final = math.max
    min: Final = math.min
    flatten: Final = tensor.flatten
