"""Recurrent layers: one direction of one layer over all steps, and its gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import loading
from .copy import put
from .layout import in_order
from .linalg import multiply
from .loading import runner
from .reduce import SUM, reduced
from .stand_ins import FLOAT32, stands_in

#: Larger batches have products large enough for BLAS.
LARGEST_BATCH = 512

_lstm = runner("lstm_scan")
_lstm_grad = runner("lstm_scan_grad")
_gru = runner("gru_scan")
_gru_grad = runner("gru_scan_grad")
_rnn = runner("rnn_scan")
_rnn_grad = runner("rnn_scan_grad")


def _ready(*arrays: Any) -> list | None:
    """Return the arrays, contiguous; None if not all are float32 or the work is small.

    The first has steps, batch and width; None stays None.
    """
    first = next(x for x in arrays if x is not None)
    is_large = first.size >= loading.LEAST or loading.is_told()
    if not is_large or not 0 < first.shape[1] <= LARGEST_BATCH:
        return None
    if all(x is None or (type(x) is np.ndarray and x.dtype == FLOAT32) for x in arrays):
        return [x if x is None else in_order(x) for x in arrays]
    return None


def _sizes(x: Any, h: Any, mode: int = 0) -> tuple[int, ...]:
    """Return steps, batch and size; the library checks all arrays against them."""
    return (len(x), *h.shape, mode)


def _before(first: Any, states: Any) -> Any:
    """Return the state before each step."""
    found = np.empty(states.shape, states.dtype)
    put((found[:1], first[None]), (found[1:], states[:-1]))
    return found.reshape(-1, states.shape[-1])


def _weight_grad(total: Any, first: Any, states: Any) -> Any:
    return multiply(total.reshape(-1, total.shape[-1]).T, _before(first, states))


@stands_in("lstm_scan")
def lstm_scan(
    plain: Callable,
    x: Any,
    weight: Any,
    h: Any,
    c: Any,
    projection: Any = None,
    *,
    clip: Any = None,
    nan: bool = False,
) -> Any:
    ready = _ready(x, weight, h, c) if projection is None and not clip else None
    if ready:
        y = [np.empty((len(x), *c.shape), x.dtype) for _ in range(2)] + [np.empty_like(ready[0])]
        if _lstm((*ready, *y), _sizes(x, h)):
            return tuple(y)
    return plain(x, weight, h, c, projection, clip=clip, nan=nan)


@stands_in("lstm_scan_grad")
def lstm_scan_grad(
    plain: Callable, g: tuple, weight: Any, h: Any, c: Any, projection: Any, y: tuple, clip: Any
) -> Any:
    hs, cs, gates = y
    known = projection is None and not clip and g[2] is None and h.shape == c.shape
    ready = _ready(cs, gates, hs, g[0], g[1], weight, c) if known else None
    if ready:
        cs, gates, hs, *others = ready
        results = [np.empty_like(gates), *(np.empty(c.shape, c.dtype) for _ in range(2))]
        if _lstm_grad((*others, cs, gates, *results), _sizes(hs, h)):
            total, *carries = results
            return (total, _weight_grad(total, h, hs), *carries, None)
    return plain(g, weight, h, c, projection, y, clip)


@stands_in("gru_scan")
def gru_scan(plain: Callable, x: Any, weight: Any, bias: Any, h: Any) -> Any:
    ready = _ready(x, weight, bias, h)
    if ready:
        hs, hidden = (np.empty((len(x), *h.shape), x.dtype) for _ in range(2))
        gates = np.empty_like(ready[0])
        if _gru((*ready, hs, gates, hidden), _sizes(x, h)):
            return hs, gates, hidden
    return plain(x, weight, bias, h)


@stands_in("gru_scan_grad")
def gru_scan_grad(plain: Callable, g: tuple, weight: Any, h: Any, y: tuple) -> Any:
    known = g[0] is not None and g[1] is None and g[2] is None
    ready = _ready(g[0], weight, h, *y) if known else None
    if ready:
        hs, gates = ready[3:5]
        total, fresh, carry = np.empty_like(gates), np.empty_like(hs), np.empty_like(ready[2])
        if _gru_grad((*ready, total, fresh, carry), _sizes(hs, h)):
            to_weight = _weight_grad(total, h, hs)
            to_bias = reduced(total, (0, 1), False, False, SUM)
            to_bias = total.sum((0, 1)) if to_bias is None else to_bias
            put((total[..., -h.shape[1] :], fresh))
            return total, to_weight, to_bias, carry
    return plain(g, weight, h, y)


@stands_in("rnn_scan")
def rnn_scan(plain: Callable, x: Any, weight: Any, h: Any, *, act: str) -> Any:
    ready = _ready(x, weight, h)
    if ready:
        hs = np.empty_like(ready[0])
        if _rnn((*ready, hs), _sizes(x, h, act == "tanh")):
            return hs
    return plain(x, weight, h, act=act)


@stands_in("rnn_scan_grad")
def rnn_scan_grad(plain: Callable, g: Any, weight: Any, h: Any, y: Any, act: str) -> Any:
    ready = _ready(g, weight, y)
    if ready:
        total, carry = np.empty_like(ready[2]), np.empty(h.shape, h.dtype)
        if _rnn_grad((*ready, total, carry), _sizes(y, h, act == "tanh")):
            return total, _weight_grad(total, h, ready[2]), carry
    return plain(g, weight, h, y, act)
