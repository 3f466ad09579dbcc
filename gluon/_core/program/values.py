"""What instructions read and write: views of buffers."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np


class Source(NamedTuple):
    """Where a run finds a handle: an argument, the gradient of one, or a handle by itself."""

    kind: str
    place: int
    handle: Any = None

    @property
    def key(self) -> tuple[str, int, Any]:
        """What no other source has: handles may neither be hashed nor compared."""
        return self.kind, self.place, self.handle and id(self.handle())

    def find(self, leaves: list) -> Any:
        """The handle among the arguments `leaves`, or wherever it is; None if it is gone."""
        if self.kind == "argument":
            return leaves[self.place]
        if self.kind == "gradient":
            mark = leaves[self.place]._mark
            return None if mark is None else mark.grad
        return self.handle()


class Buffer:
    """Memory: of a temporary value, of an array given to each run, or of a constant.

    Attributes
    ----------
    kind : {'temporary', 'given', 'constant'}
    nbytes : int
    source : Source, ndarray or None
        Of what is given; the values of a constant.
    like : tuple
        The shape, strides and dtype of an array that is given.
    number, place : int
        Given by `Plan`: in which memory of a run it is, and where.
    """

    __slots__ = ("kind", "like", "nbytes", "number", "place", "source")

    def __init__(self, kind: str, nbytes: int, source: Any = None, like: Any = None) -> None:
        self.kind, self.nbytes, self.source, self.like = kind, nbytes, source, like
        self.number = self.place = -1


class View:
    """A value in a buffer."""

    __slots__ = ("buffer", "dtype", "offset", "shape", "size", "strides")

    def __init__(
        self, buffer: Buffer, offset: int, shape: tuple, strides: tuple, dtype: np.dtype
    ) -> None:
        self.buffer, self.offset, self.shape = buffer, offset, shape
        self.strides, self.dtype, self.size = strides, dtype, math.prod(shape)

    @property
    def key(self) -> tuple:
        """What two views of the same values share."""
        return self.buffer, self.offset, self.shape, self.strides, self.dtype

    @property
    def contiguous(self) -> bool:
        """Whether the values lie one after the other, in the order of the last axis."""
        step = self.dtype.itemsize
        for n, stride in zip(self.shape[::-1], self.strides[::-1]):
            if n != 1 and stride != step:
                return False
            step *= n
        return True

    @property
    def whole(self) -> bool:
        """Whether it is all of its buffer."""
        return self.contiguous and self.size * self.dtype.itemsize == self.buffer.nbytes

    @property
    def alone(self) -> bool:
        """Whether one value serves for all."""
        return not any(step and n != 1 for step, n in zip(self.strides, self.shape))

    def stretched(self, shape: tuple) -> View:
        """The value broadcast to `shape`."""
        extra = len(shape) - len(self.shape)
        steps = [0 if n == 1 else step for n, step in zip(self.shape, self.strides)]
        return View(self.buffer, self.offset, shape, (*[0] * extra, *steps), self.dtype)

    def turned(self) -> View:
        """The transposed matrix."""
        return View(self.buffer, self.offset, self.shape[::-1], self.strides[::-1], self.dtype)

    def part(self, offset: int, shape: tuple, strides: tuple) -> View:
        """Other values of the same buffer."""
        return View(self.buffer, self.offset + offset, shape, strides, self.dtype)


def address(raw: Any) -> int:
    """Where the first value of an array is."""
    at: int = raw.__array_interface__["data"][0]
    return at


def extent(raw: Any) -> tuple[int, int, int]:
    """Where the first value is, and where its memory begins and ends: axes may go backwards."""
    at = address(raw)
    if raw.flags.c_contiguous:
        return at, at, at + raw.nbytes
    steps = [(n - 1) * step for n, step in zip(raw.shape, raw.strides)]
    down, up = (sum([limit(step, 0) for step in steps]) for limit in (min, max))
    return at, at + down, at + up + raw.itemsize


def steps_of(shape: tuple, itemsize: int) -> tuple:
    """The strides of a contiguous array."""
    steps, step = [], itemsize
    for n in shape[::-1]:
        steps.append(step)
        step *= max(n, 1)
    return tuple(steps[::-1])


def new(shape: tuple, dtype: Any, kind: str = "temporary") -> View:
    """A value in a new buffer of its own."""
    dtype = np.dtype(dtype)
    nbytes = math.prod(shape) * dtype.itemsize
    return View(Buffer(kind, nbytes), 0, shape, steps_of(shape, dtype.itemsize), dtype)


class Instruction:
    """An instruction: its `kind`, what it reads and writes, and more by kind.

    ==========  =========================================================================
    ``each``    one function for each value: ``ufunc`` (``name`` in words), inputs broadcast
    ``dot``     a product of two matrices
    ``sum``     the sum over ``middle`` of (``outer``, ``middle``, ``inner``)
    ``copy``    to another place, maybe of another layout
    ``kernel``  a call of a compiled kernel
    ``mask``    that of dropout, drawn with probability ``p``
    ``python``  ``call`` of a kernel in Python
    ==========  =========================================================================

    `segment` counts the actions that come before it; `line` is the user's. `draws` is whether it
    draws random numbers.
    """

    def __init__(self, kind: str, reads: list, writes: list, name: str = "", **more: Any) -> None:
        self.kind, self.reads, self.writes, self.name = kind, reads, writes, name
        self.segment, self.line, self.why = 0, "", ""
        self.draws = False
        self.more = more
