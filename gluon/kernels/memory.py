"""Whose memory a raw array is in, and where in it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided


def foreign(raw: Any) -> Any:
    """`raw` with a memoryview between it and its memory, if that can be written to.

    NumPy names the array that owns the memory as the base of every view; with a memoryview in
    between `raw` is the owner as far as copy on write is concerned.
    """
    if raw.flags.writeable and raw.flags.c_contiguous and raw.size:
        memory = np.asarray(memoryview(raw.reshape(-1).view(np.uint8)))
        raw = memory.view(raw.dtype).reshape(raw.shape)
    return raw


def is_external(raw: Any) -> bool:
    """Whether somebody else may write to the memory of `raw`; see `foreign`."""
    while isinstance(raw, np.ndarray):
        raw = raw.base
    return raw is not None


def own(raw: Any) -> Any:
    """`raw`, or a copy where somebody else may write to its memory."""
    return raw.copy() if raw.base is not None and is_external(raw) else raw


def offset(raw: Any, owner: Any) -> int:
    """Where the memory of `raw` begins in that of `owner`, in bytes."""
    starts = [array.__array_interface__["data"][0] for array in (raw, owner)]
    return starts[0] - starts[1]


def same_place(raw: Any, owner: Any, fresh: Any) -> Any:
    """The view of `fresh` that `raw` is of `owner`, both laid out alike."""
    memory = fresh.ravel(order="K").view(np.uint8)
    return np.ndarray(raw.shape, raw.dtype, memory, offset(raw, owner), raw.strides)


def places(raw: Any, whole: Any) -> Any:
    """The place in the flat `whole`, which is contiguous, of each element of its view `raw`."""
    numbers = np.arange(whole.size)
    strides = [stride // raw.itemsize * numbers.itemsize for stride in raw.strides]
    start = numbers[offset(raw, whole) // raw.itemsize :]
    return as_strided(start, raw.shape, strides).copy()
