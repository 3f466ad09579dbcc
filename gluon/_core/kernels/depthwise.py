"""Depthwise convolutions: each channel has its own kernel, so they are sums of products."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from .columns import Window
from .linalg import wide
from .parallel import in_blocks


def is_depthwise(weight: Any, groups: int, channels: int) -> bool:
    """Whether each of the channels has one kernel."""
    return groups == channels == len(weight) and weight.shape[1] == 1


def _long(n: int, channels: int, window: Window, kind: Any) -> Any:
    """Return zeros for padded images."""
    return np.zeros((n, channels, *(k + 2 * p for k, p in zip(window.size, window.pad))), kind)


def _inside(window: Window) -> Any:
    return (..., *(slice(p, p + n) for p, n in zip(window.pad, window.size)))


def _places(weight: Any, window: Window) -> list[tuple[tuple, Any]]:
    """Return the position of each kernel element in the padded image, and its weights."""
    return [
        ((..., *window.at(place)), weight[(slice(None), 0, *place)].reshape(-1, *(1,) * len(place)))
        for place in np.ndindex(*window.kernel)
    ]


def convolve(x: Any, weight: Any, window: Window) -> Any:
    """Slide the kernel of each channel over it."""
    kind = wide(x.dtype)
    y = np.zeros((*x.shape[:2], *window.out), kind)
    weight = weight.astype(kind, copy=False)
    add = _add_lines if set(window.stride) == {1} else _add_places

    def task(a: int, b: int) -> None:
        long = _long(b - a, x.shape[1], window, kind)
        long[_inside(window)] = x[a:b]
        add(long, weight, window, y[a:b])

    in_blocks(task, len(x), y.size)
    return y.astype(x.dtype, copy=False)


def _add_places(long: Any, weight: Any, window: Window, y: Any) -> None:
    part = np.empty(y.shape, y.dtype)
    for at, weights in _places(weight, window):
        y += np.multiply(long[at], weights, out=part)


def _add_lines(long: Any, weight: Any, window: Window, y: Any) -> None:
    """`_add_places` for adjacent positions, which continue from row to row as one long line."""
    steps = [prod(long.shape[k + 1 :]) * d for k, d in enumerate(window.dilate, 2)]
    flat = long.reshape(*long.shape[:2], prod(long.shape[2:]))
    size = flat.shape[2] - sum((k - 1) * step for k, step in zip(window.kernel, steps))
    total = np.zeros(flat.shape, y.dtype)
    part = np.empty((*flat.shape[:2], size), y.dtype)
    for place in np.ndindex(*window.kernel):
        begin = sum(k * step for k, step in zip(place, steps))
        weights = weight[(slice(None), 0, *place)][:, None]
        np.multiply(flat[..., begin : begin + size], weights, out=part)
        total[..., :size] += part
    inside: Any = (..., *(slice(n) for n in window.out))
    y[...] = total.reshape(long.shape)[inside]


def input_grad(x: Any, weight: Any, window: Window) -> Any:
    """The transpose of `convolve` in its input."""
    kind = wide(x.dtype)
    pad = tuple((k - 1) * d - p for k, d, p in zip(window.kernel, window.dilate, window.pad))
    if set(window.stride) == {1} and min(pad) >= 0:
        turned = weight[(..., *(slice(None, None, -1),) * len(pad))]
        return convolve(x, turned, window._replace(size=window.out, pad=pad, out=window.size))
    y = np.empty((*x.shape[:2], *window.size), x.dtype)
    places = _places(weight.astype(kind, copy=False), window)

    def task(a: int, b: int) -> None:
        long, values = _long(b - a, x.shape[1], window, kind), x[a:b].astype(kind, copy=False)
        part = np.empty(values.shape, kind)
        for at, weights in places:
            to = long[at]
            to += np.multiply(values, weights, out=part)
        y[a:b] = long[_inside(window)]

    in_blocks(task, len(x), y.size)
    return y


def weight_grad(out_grad: Any, x: Any, window: Window) -> Any:
    """The transpose of `convolve` in its weight."""
    kind = wide(x.dtype)
    axes = "ncdefgh"[: x.ndim]
    parts: dict[int, list] = {}

    def task(a: int, b: int) -> None:
        long, values = (
            _long(b - a, x.shape[1], window, kind),
            out_grad[a:b].astype(kind, copy=False),
        )
        long[_inside(window)] = x[a:b]
        parts[a] = [
            np.einsum(f"{axes},{axes}->c", long[(..., *window.at(place))], values)
            for place in np.ndindex(*window.kernel)
        ]

    in_blocks(task, len(x), x.size)
    total = np.zeros((prod(window.kernel), x.shape[1]), kind)
    for a in sorted(parts):  # in a fixed order, independent of the number of threads
        total += parts[a]
    return total.T.reshape(x.shape[1], 1, *window.kernel).astype(x.dtype)
