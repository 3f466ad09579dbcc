"""Windows of images as the columns of matrices, for the products that convolutions are.

An image (batch, channels, *spatial) is laid out as (groups, rows, channels / groups, *tail) with
its first spatial axis as the rows; the tail is the batch and the other spatial axes, in the order
in which copies run along memory. Two ways lead from there to matrices of windows:

* *Strips*: the windows along all axes but the rows are copied side by side. With the channels of a
  row behind one another, as many rows as a kernel has are a matrix without a further copy: one for
  each row of the output, overlapping in memory.
* *One matrix* of all windows, where strips would be too narrow for fast products.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from math import prod
from typing import Any, NamedTuple

import numpy as np

from . import linalg
from .linalg import wide
from .parallel import WHOLE

Ints = tuple[int, ...]
#: The maximum number of values in columns at a time.
CHUNK = 1 << 22
#: The minimum number of columns of a strip.
WIDTH = 256
#: Allocations up to this size come from the heap, at no cost.
SMALL = 1 << 16


class Window(NamedTuple):
    """A kernel that moves over a padded image; each field has one value per dimension."""

    size: Ints
    kernel: Ints
    stride: Ints
    pad: Ints
    dilate: Ints
    out: Ints

    def at(self, place: Ints) -> tuple[slice, ...]:
        """Where the padded image meets kernel element `place`, over all positions."""
        return tuple(
            slice(k * d, k * d + (n - 1) * s + 1, s)
            for k, d, s, n in zip(place, self.dilate, self.stride, self.out)
        )


class Layout(NamedTuple):
    """How images of `channels` channels become matrices."""

    window: Window
    channels: int
    groups: int
    step: int
    last: bool
    strips: bool

    def chunks(self, batch: int) -> Iterator[slice]:
        """Parts of a batch whose columns fit into memory that is fast."""
        return (slice(k, k + self.step) for k in range(0, batch, self.step))

    def tail(self, batch: Any, spatial: Any) -> tuple[Any, ...]:
        """What belongs to the batch and to the axes after the rows, in the order of the tail."""
        return (*spatial, batch) if self.last else (batch, *spatial)

    def rows(self, x: Any) -> Any:
        """The view (groups, rows, channels / groups, *tail) of (batch, channels, *spatial)."""
        n, channels, *spatial = x.shape
        x = x.reshape(n, self.groups, channels // self.groups, *spatial)
        return x.transpose(1, 3, 2, *self.tail(0, range(4, x.ndim)))

    def matrices(self, x: Any) -> Any:
        """Images without windows as matrices: (groups, matrices, channels / groups, columns)."""
        rows = self.rows(x)
        groups, n, channels = rows.shape[:3]
        if not self.strips:
            return rows.swapaxes(1, 2).reshape(groups, 1, channels, -1)
        return rows.reshape(groups, n, channels, -1)

    def write(self, matrices: Any, out: Any) -> None:
        """Undo `matrices`: write into the images `out`."""
        rows = self.rows(out)
        if self.strips:
            rows[...] = matrices.reshape(rows.shape)
        else:
            rows[...] = matrices.reshape(rows.swapaxes(1, 2).shape).swapaxes(1, 2)


def layout(window: Window, batch: int, channels: int, groups: int) -> Layout:
    """The fastest layout for a batch."""
    share = prod(window.out[1:]) * channels * prod(window.kernel[1:])
    step = max(1, CHUNK // max(1, share * (window.size[0] + 2 * window.pad[0])))
    step = min(step, max(1, batch))
    strips = window.dilate[0] == 1 and step * prod(window.out[1:]) >= WIDTH
    if not strips:
        step = max(1, CHUNK // max(1, share * window.kernel[0] * window.out[0]))
    # Moving the batch to the end pays off for short lines that are copied many times.
    last = window.out[-1] <= min(2 * window.kernel[-1], min(step, batch) // 2)
    return Layout(window, channels, groups, step, last, strips)


class _Kept(threading.local):
    """The scratch memory of each thread, by name."""

    def __init__(self) -> None:
        self.memory: dict[str, Any] = {}


_kept = _Kept()


def _check_memory() -> None:
    """Raise where arrays are on a device: what follows is about addresses on the host."""
    if WHOLE.on:
        raise NotImplementedError("windows as columns, for these dtypes or shapes, on devices")


def scratch(name: str, shape: Ints, dtype: Any) -> Any:
    """An array for the time of one product, in memory that stays from call to call.

    Memory fresh from the system would take longer than what is computed in it.
    """
    _check_memory()
    size = prod(shape) * dtype.itemsize
    if not SMALL < size <= 4 * CHUNK:
        return np.empty(shape, dtype)
    memory = _kept.memory.get(name)
    if memory is None or len(memory) < size:
        memory = _kept.memory[name] = np.empty(size, np.uint8)
    return np.ndarray(shape, dtype, memory)


def _contiguous(name: str, x: Any, dtype: Any) -> Any:
    """Return `x`, or a contiguous copy in `scratch` memory if it is not contiguous."""
    if x.flags.c_contiguous and x.dtype == dtype:
        return x
    y = scratch(name, x.shape, dtype)
    y[...] = x
    return y


def multiply(weights: Any, matrices: Any) -> Any:
    """The products ``weights @ matrices``, in `scratch` memory."""
    shape = (*matrices.shape[:2], weights.shape[2], matrices.shape[3])
    return linalg.multiply(weights, matrices, out=scratch("product", shape, matrices.dtype))


def _padded_shape(to: Layout, batch: int) -> Ints:
    first, *rest = (n + 2 * p for n, p in zip(to.window.size, to.window.pad))
    return (to.groups, first, to.channels // to.groups, *to.tail(batch, rest))


def _inside(to: Layout) -> tuple[slice, ...]:
    """Return the padded image without its padding."""
    first, *rest = (slice(p, p + n) for p, n in zip(to.window.pad, to.window.size))
    return (slice(None), first, slice(None), *to.tail(slice(None), rest))


def columns(x: Any, to: Layout) -> Any:
    """Every window of `x` as a column: (groups, matrices, kernel and channels / groups, columns).

    The channels vary fastest within a column.
    """
    _check_memory()
    kind = wide(x.dtype)
    if any(to.window.pad):
        picture = scratch("picture", _padded_shape(to, len(x)), kind)
        picture.fill(0)
        picture[_inside(to)] = to.rows(x)
    else:
        picture = _contiguous("picture", to.rows(x), kind)
    groups, rows, channels = picture.shape[:3]
    by_group, by_row, by_channel, *by_tail = picture.strides
    by_image = by_tail.pop(-1 if to.last else 0)
    _, kernel, stride, _, dilate, out = to.window
    shifts = [d * s for d, s in zip(dilate[1:], by_tail)]
    tail = to.tail(len(x), out[1:])
    steps = to.tail(by_image, [n * s for n, s in zip(stride[1:], by_tail)])
    width, height = prod(tail), channels * prod(kernel[1:])
    if not to.strips:
        shape = (groups, *kernel, channels, out[0], *tail)
        places = (by_group, dilate[0] * by_row, *shifts, by_channel, stride[0] * by_row, *steps)
        windows = np.ndarray(shape, kind, picture, 0, places)
        return _contiguous("windows", windows, kind).reshape(
            groups, 1, kernel[0] * height, out[0] * width
        )
    shape = (groups, rows, *kernel[1:], channels, *tail)
    windows = np.ndarray(shape, kind, picture, 0, (by_group, by_row, *shifts, by_channel, *steps))
    strips = _contiguous("windows", windows, kind)
    line = width * kind.itemsize
    places = (rows * height * line, stride[0] * height * line, line, kind.itemsize)
    return np.ndarray((groups, out[0], kernel[0] * height, width), kind, strips, 0, places)


def add_columns(matrices: Any, out: Any, to: Layout) -> None:
    """The transpose of `columns`: write the sum of what meets each element into `out`."""
    kernel, tail = to.window.kernel, to.tail(len(out), to.window.out[1:])
    channels = to.channels // to.groups
    if to.strips:
        matrices = matrices.reshape(to.groups, to.window.out[0], *kernel, channels, *tail)
    else:
        matrices = matrices.reshape(to.groups, *kernel, channels, to.window.out[0], *tail)
        matrices = np.moveaxis(matrices, len(kernel) + 2, 1)
    picture = scratch("picture", _padded_shape(to, len(out)), matrices.dtype)
    picture.fill(0)
    every = slice(None)
    for place in np.ndindex(*kernel):
        first, *rest = to.window.at(place)
        part = picture[(every, first, every, *to.tail(every, rest))]
        part += matrices[(every, every, *place)]
    to.rows(out)[...] = picture[_inside(to)]
