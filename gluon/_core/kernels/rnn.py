"""Kernels of recurrent layers: one direction of one layer, over all steps.

What the data contribute comes as `x` (steps, batch, gates * size), the matrix product over all
steps taken before; left here is one product with the state for each step. Besides the states a
kernel returns what its gradient needs: the gates after their activation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import linalg
from .linalg import wide


def _widened(*arrays: Any) -> list:
    """Return the arrays in the dtype to compute in."""
    kind = wide(arrays[0].dtype)
    return [None if array is None else array.astype(kind, copy=False) for array in arrays]


def rnn_scan(x: Any, weight: Any, h: Any, *, act: str) -> Any:
    """``h = act(x + h @ weight.T)`` for each step, `act` being relu or tanh; all the states."""
    now, weight, h = _widened(x, weight, h)
    hs = np.empty_like(now)
    for t, y in enumerate(hs):
        linalg.multiply(h, weight.T, out=y)
        y += now[t]
        h = np.tanh(y, out=y) if act == "tanh" else np.maximum(y, 0, out=y)
    return hs.astype(x.dtype, copy=False)


def _clipped(c: Any, limits: tuple[float, float], nan: bool) -> Any:
    """Clip `c` to `limits`; with `nan`, replace NaN by the lower limit."""
    low, high = map(c.dtype.type, limits)
    return np.minimum((np.fmax if nan else np.maximum)(c, low), high)


def lstm_scan(
    x: Any,
    weight: Any,
    h: Any,
    c: Any,
    projection: Any = None,
    *,
    clip: tuple[float, float] | None = None,
    nan: bool = False,
) -> tuple[Any, Any, Any]:
    """The states and the cells of all steps, and the gates: input, forget, cell, output.

    ``c = forget * c + input * cell`` and ``h = output * tanh(c)``, times ``projection.T`` if
    there is one.
    """
    now, weight, h, c, projection = _widened(x, weight, h, c, projection)
    size, steps = c.shape[-1], len(now)
    hs, cs = np.empty((steps, *h.shape), now.dtype), np.empty((steps, *c.shape), now.dtype)
    gates = np.empty_like(now)
    # sigmoid(x) = tanh(x / 2) / 2 + 1 / 2: a single tanh computes all gates.
    scale = np.full(4 * size, 0.5, now.dtype)
    scale[2 * size : 3 * size] = 1
    for t, gate in enumerate(gates):
        linalg.multiply(h, weight.T, out=gate)
        gate += now[t]
        gate *= scale
        np.tanh(gate, out=gate)
        gate *= scale
        gate += 1 - scale
        enter, forget, cell, leave = (gate[:, k * size : (k + 1) * size] for k in range(4))
        c = np.multiply(forget, c, out=cs[t])
        c += enter * cell
        if clip:
            c[...] = _clipped(c, clip, nan)
        h = leave * np.tanh(c)
        h = h if projection is None else linalg.multiply(h, projection.T)
        hs[t] = h
    return tuple(y.astype(x.dtype, copy=False) for y in (hs, cs, gates))  # type: ignore[return-value]


def gru_scan(x: Any, weight: Any, bias: Any, h: Any) -> tuple[Any, Any, Any]:
    """The states of all steps, the gates (reset, update, new), and what reset multiplies.

    With ``s = h @ weight.T + bias`` in three parts, ``new = tanh(x_new + reset * s_new)`` and
    ``h = (1 - update) * new + update * h``; the other two gates are ``sigmoid(x + s)``.
    """
    now, weight, bias, h = _widened(x, weight, bias, h)
    size = h.shape[-1]
    hs = np.empty((len(now), *h.shape), now.dtype)
    gates, hidden = np.empty_like(now), np.empty_like(hs)
    for t, gate in enumerate(gates):
        s = linalg.multiply(h, weight.T)
        s += bias
        both, new = gate[:, : 2 * size], gate[:, 2 * size :]
        np.add(now[t, :, : 2 * size], s[:, : 2 * size], out=both)
        both *= 0.5
        np.tanh(both, out=both)
        both *= 0.5
        both += 0.5
        hidden[t] = s[:, 2 * size :]
        np.multiply(both[:, :size], hidden[t], out=new)
        new += now[t, :, 2 * size :]
        np.tanh(new, out=new)
        h = h - new
        h *= both[:, size:]
        h += new
        hs[t] = h
    return tuple(y.astype(x.dtype, copy=False) for y in (hs, gates, hidden))  # type: ignore[return-value]
