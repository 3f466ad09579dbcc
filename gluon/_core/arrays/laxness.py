"""What MXNet permits and gluon rejects, unless a program relies on it: `lax`, and the checks."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from ..engine.array import Array
from ..errors import DTypeError, IndexRangeError, warn_caller
from ..journal import watcher
from ..kernels.memory import Buffer, on_host
from ..kernels.reduce import of_all, surely

least: Any = np.minimum.reduce
largest: Any = np.maximum.reduce

#: What is permitted; `gluon.mxnet` permits all while its hook is installed.
#:
#: - ``clip_indices``: layers and losses replace an invalid label by the nearest class.
#: - ``integer_gradients``: arrays of `gluon.np` may have one, with a warning, as in `nd`.
#: - ``late_checks``: names of activations and counts of units are checked at the first call,
#:   flags may be anything, and numbers None.
#: - ``mxnet_states``: states of optimizers are written as MXNet writes them.
#: - ``zero_heads``: an array whose gradient is only zeros may be a head of a backward pass, even if
#:   that looks like a mistake.
lax = SimpleNamespace(
    clip_indices=False,
    integer_gradients=False,
    late_checks=False,
    mxnet_states=False,
    zero_heads=False,
)


#: Functions that were given right values, and look at none any more.
TRUSTED: set[str] = set()


def check_gradient(what: str, array: Array, req: str, refuse: bool) -> None:
    """Warn of a gradient of integers, or `refuse` it, unless `req` asks for none."""
    dtype = array.held.dtype
    if dtype.kind not in "biu" or req == "null":
        return
    message = (
        f"{what} of dtype {dtype}: its gradient would have that dtype too, which drops fractions"
        " and wraps around; mark x.astype('float32') and compute from that, or mark it with"
        " grad_req='null'"
    )
    if refuse and not lax.integer_gradients:
        raise DTypeError(message)
    warn_caller(message.replace("would have", "has"))


def warn_of_computed(array: Array) -> None:
    """Warn if the gradient is asked of an array that was computed, which keeps none."""
    if array._node.tapes:
        warn_caller(
            f"grad of an array of shape {array.shape} that was computed while recording is None:"
            " the gradient goes to the arrays that attach_grad() marked, so keep the marked one"
            " under a name of its own; autograd.grad(y, x) gives that of a computed x"
        )


def check_indices(what: str, indices: Any, count: int, of: str, way_out: str) -> None:
    """Raise where one of `indices` is not one of the numbers from 0 to below `count`.

    Symbols pass: they have no values.
    """
    if isinstance(indices, Array) and (places := outside(indices, count)) is not None:
        raise out_of_range(what, indices, count, of, way_out, places)


def warn_of_fractions(indices: Any) -> None:
    """Warn if some of `indices` have a fraction, which is dropped."""
    raw = of_all(indices.raw) if isinstance(indices, Array) else None
    if isinstance(raw, np.ndarray) and raw.dtype.kind == "f" and (raw != np.trunc(raw)).any():
        warn_of_fraction(raw[raw != np.trunc(raw)][0])


def warn_of_fraction(value: Any) -> None:
    """Warn of an index with a fraction."""
    warn_caller(f"index {value:.4g} is no whole number: the fraction is dropped, as in MXNet")


def outside(indices: Array, count: int) -> Any:
    """Which of `indices` are out of range, as a boolean array; None if none is, or clipping is on.

    NaN is out of range.
    """
    raw: Any = indices.raw
    if (watching := watcher()) is not None:
        watching.checked(outside, (indices, count))
    if lax.clip_indices or not raw.size:
        return None
    if isinstance(raw, Buffer):  # one wait for the device
        right: Any = (indices.raw >= 0) & (indices.raw < count)
        return None if right.all() else on_host(~right)
    if surely(least(raw, None) >= 0) and surely(largest(raw, None) < count):
        return None
    return ~((raw >= 0) & (raw < count))


def out_of_range(
    what: str, indices: Array, count: int, of: str, way_out: str, places: Any
) -> IndexRangeError:
    """The error for the first index where `places` is True."""
    raw = of_all(on_host(indices.raw))
    place = [int(k) for k in np.argwhere(of_all(places))[0]]
    value = raw[tuple(place)].item()
    value = int(value) if value == value // 1 and abs(value) < 1e15 else value
    return IndexRangeError(
        f"{what} {value} is out of range for {count} {of} (0 to {count - 1}), at position {place}"
        f" of shape {raw.shape}; {way_out}, or call util.set_clip_indices(True) to take"
        " the nearest instead, as MXNet does"
    )
