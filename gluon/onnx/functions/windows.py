"""Sliding windows: their positions, and pooling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy

from ... import np
from ..._core.engine.op import RECORDED as ops
from ..._core.errors import ArgumentError
from .table import FLOATS, implements, made, room, whole


class Geometry(NamedTuple):
    """Windows over the axes after the second.

    Attributes
    ----------
    kernel, strides, dilations : tuple of int
    pads : tuple of (int, int)
        Before and after each axis.
    counts : tuple of int
        The number of windows along each axis.
    """

    kernel: tuple[int, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    pads: tuple[tuple[int, int], ...]
    counts: tuple[int, ...]

    def symmetric(self, x: Any, filling: float = 0) -> tuple[Any, tuple[int, ...]]:
        """The array and its pads if they are equal on both sides; otherwise the padded array."""
        if all(a == b for a, b in self.pads):
            return x, tuple(a for a, _ in self.pads)
        width = [(0, 0), (0, 0), *self.pads]
        return np.pad(x, width, constant_values=filling), (0,) * len(self.pads)

    def taken(self, x: Any, filling: float) -> Any:
        """The values in the windows: (batch, channels, *counts, values of a window)."""
        room(*x.shape[:2], *self.counts, *self.kernel)
        need = [
            (k - 1) * d + 1 + (n - 1) * s
            for k, d, n, s in zip(self.kernel, self.dilations, self.counts, self.strides)
        ]
        width = [
            (a, max(0, total - length - a))
            for (a, _), total, length in zip(self.pads, need, x.shape[2:])
        ]
        x = np.pad(x, [(0, 0), (0, 0), *width], constant_values=filling)
        return x[(slice(None), slice(None), *map(made, self.places()))].reshape(
            (*x.shape[:2], *self.counts, -1)
        )

    def places(self) -> list[Any]:
        """For each axis the indices of the values of windows in the padded array."""
        rank = len(self.kernel)
        found = []
        for axis, (k, d, n, s) in enumerate(
            zip(self.kernel, self.dilations, self.counts, self.strides)
        ):
            shape = [1] * 2 * rank
            shape[axis], shape[rank + axis] = n, k
            found.append((numpy.arange(n)[:, None] * s + numpy.arange(k) * d).reshape(shape))
        return found


def geometry(
    x: Any,
    kernel: Sequence[int],
    auto_pad: str,
    dilations: Sequence[int],
    pads: Sequence[int],
    strides: Sequence[int],
    ceil_mode: int = 0,
) -> Geometry:
    """The windows that ONNX's attributes describe.

    Raises
    ------
    ArgumentError
        If a window is larger than the padded input.
    """
    rank = x.ndim - 2
    strides, dilations = tuple(strides or (1,) * rank), tuple(dilations or (1,) * rank)
    spans = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
    if auto_pad in ("SAME_UPPER", "SAME_LOWER"):
        total = [
            max(0, (-(-n // s) - 1) * s + span - n)
            for n, s, span in zip(x.shape[2:], strides, spans)
        ]
        first = [n - n // 2 if auto_pad == "SAME_LOWER" else n // 2 for n in total]
        both = tuple((a, n - a) for a, n in zip(first, total))
    else:
        pads = pads if pads and auto_pad == "NOTSET" else (0,) * 2 * rank
        both = tuple(zip(pads[:rank], pads[rank:]))
    room(*x.shape[:2], *(max(n + a + b, 0) for n, (a, b) in zip(x.shape[2:], both)))
    counts = []
    for n, s, span, (a, b) in zip(x.shape[2:], strides, spans, both):
        rest = n + a + b - span
        if rest < 0:
            raise ArgumentError(
                f"a window of {span} values does not fit into {n} values with pads {a} and {b}"
            )
        count = -(-rest // s) + 1 if ceil_mode else rest // s + 1
        if ceil_mode and (count - 1) * s >= n + a:
            count -= 1  # it would begin after the values and their padding
        counts.append(count)
    return Geometry(tuple(kernel), strides, dilations, both, tuple(counts))


@implements
def MaxPool(
    X: Any,
    *,
    kernel_shape: Sequence[int],
    auto_pad: str = "NOTSET",
    ceil_mode: int = 0,
    dilations: Sequence[int] = (),
    pads: Sequence[int] = (),
    storage_order: int = 0,
    strides: Sequence[int] = (),
    outputs: int = 1,
) -> Any:
    window = geometry(X, kernel_shape, auto_pad, dilations, pads, strides, ceil_mode)
    plain = not ceil_mode and set(window.dilations) == {1} and outputs == 1
    if plain and X.dtype.kind in FLOATS and all(a == b for a, b in window.pads):
        pad = tuple(a for a, _ in window.pads)
        return ops.max_pool(X, kernel=window.kernel, stride=window.strides, pad=pad)
    lowest = -numpy.inf if X.dtype.kind in FLOATS else numpy.iinfo(X.dtype).min
    taken = window.taken(X, lowest)
    y = np.max(taken, -1)
    return y if outputs == 1 else (y, _places(X, window, taken, storage_order))


def _places(x: Any, window: Geometry, taken: Any, storage_order: int) -> Any:
    """Return the positions of maxima in the flat input, in row- or column-major order."""
    best = taken.raw.argmax(-1)
    spatial = x.shape[2:]
    at = []
    for each, (pad, _) in zip(window.places(), window.pads):
        every = numpy.broadcast_to(each, window.counts + window.kernel)
        flat = every.reshape((*window.counts, -1))
        at.append(numpy.take_along_axis(flat[None, None], best[..., None], -1)[..., 0] - pad)
    steps = numpy.cumprod([1, *(spatial if storage_order else spatial[::-1])])[:-1]
    inside: Any = sum(place * step for place, step in zip(at if storage_order else at[::-1], steps))
    channels = numpy.arange(x.shape[0] * x.shape[1]).reshape(*x.shape[:2], *(1,) * len(spatial))
    return made((inside + channels * int(numpy.prod(spatial))).astype("int64"))


@implements
def AveragePool(
    X: Any,
    *,
    kernel_shape: Sequence[int],
    auto_pad: str = "NOTSET",
    ceil_mode: int = 0,
    count_include_pad: int = 0,
    dilations: Sequence[int] = (),
    pads: Sequence[int] = (),
    strides: Sequence[int] = (),
) -> Any:
    window = geometry(X, kernel_shape, auto_pad, dilations, pads, strides, ceil_mode)
    pad = tuple(a for a, _ in window.pads)
    if not ceil_mode and set(window.dilations) == {1} and all(a == b for a, b in window.pads):
        return ops.sum_pool(
            X,
            kernel=window.kernel,
            stride=window.strides,
            pad=pad,
            divide_by="window" if count_include_pad else "inside",
        )
    ones = made(numpy.ones((1, 1, *X.shape[2:]), X.dtype))
    counted = window
    if count_include_pad:
        ones = np.pad(ones, [(0, 0), (0, 0), *window.pads], constant_values=1)
        counted = window._replace(pads=((0, 0),) * len(pad))
    return np.sum(window.taken(X, 0), -1) / np.sum(counted.taken(ones, 0), -1)


@implements
def LpPool(
    X: Any,
    *,
    kernel_shape: Sequence[int],
    auto_pad: str = "NOTSET",
    ceil_mode: int = 0,
    dilations: Sequence[int] = (),
    p: int = 2,
    pads: Sequence[int] = (),
    strides: Sequence[int] = (),
) -> Any:
    window = geometry(X, kernel_shape, auto_pad, dilations, pads, strides, ceil_mode)
    return np.sum(np.abs(window.taken(X, 0)) ** p, -1) ** (1 / p)


@implements
def GlobalMaxPool(X: Any) -> Any:
    return np.max(X, tuple(range(2, X.ndim)), keepdims=True)


@implements
def GlobalAveragePool(X: Any) -> Any:
    return np.mean(X, tuple(range(2, X.ndim)), keepdims=True)


@implements
def GlobalLpPool(X: Any, *, p: int = 2) -> Any:
    return np.sum(np.abs(X) ** p, tuple(range(2, X.ndim)), keepdims=True) ** (1 / p)


@implements
def MaxUnpool(
    X: Any,
    indices: Any,
    output_shape: Any = None,
    *,
    kernel_shape: Sequence[int],
    pads: Sequence[int] = (),
    strides: Sequence[int] = (),
) -> Any:
    rank = X.ndim - 2
    strides, pads = strides or (1,) * rank, pads or (0,) * 2 * rank
    least = [
        (n - 1) * s + k - a - b
        for n, s, k, a, b in zip(X.shape[2:], strides, kernel_shape, pads, pads[rank:])
    ]
    shape = room(*X.shape[:2], *least)
    wanted = shape if output_shape is None else room(*whole(output_shape))
    size = int(numpy.prod(shape))
    y = ops.scatter_add(X.reshape(-1), key=(indices.raw.reshape(-1),), shape=(size,)).reshape(shape)
    return np.pad(y, [(0, n - m) for m, n in zip(shape, wanted)])
