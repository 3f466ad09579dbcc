"""Splitting batches over contexts, clipping gradients, and hooks."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from itertools import count, pairwise
from typing import Any

import numpy as np

from . import nd
from .engine.errors import ArgumentError
from .engine.inplace import writable
from .ndarray import Context, NDArray

__all__ = ["HookHandle", "clip_global_norm", "split_and_load", "split_data"]

_number = count().__next__


class HookHandle:
    """What registering a hook returns: it takes the hook away again.

    Parameters
    ----------
    hooks : dict
        Where the hook is put.
    hook : callable
    """

    def __init__(self, hooks: dict[int, Callable], hook: Callable) -> None:
        self._hooks, self._key = hooks, _number()
        hooks[self._key] = hook

    def detach(self) -> None:
        """Take the hook away."""
        self._hooks.pop(self._key, None)

    def __enter__(self) -> HookHandle:
        return self

    def __exit__(self, *exc: object) -> None:
        self.detach()


def split_data(
    data: NDArray, num_slice: int, batch_axis: int = 0, even_split: bool = True
) -> list[NDArray]:
    """Cut a batch into `num_slice` slices.

    Parameters
    ----------
    data : NDArray
    num_slice : int
    batch_axis : int, default 0
    even_split : bool, default True
        Whether slices of different lengths are an error.

    Returns
    -------
    list of NDArray

    Raises
    ------
    ArgumentError
        If the batch cannot be cut evenly, and `even_split` asks for it.

    Examples
    --------
    >>> from gluon import nd, utils
    >>> [part.shape for part in utils.split_data(nd.ones((5, 2)), 2, even_split=False)]
    [(3, 2), (2, 2)]
    """
    size = data.shape[batch_axis]
    step, extra = divmod(size, num_slice)
    if even_split and extra:
        raise ArgumentError(
            f"split_data: {size} samples of data of shape {data.shape} do not divide into"
            f" {num_slice} slices; take a batch size that is a multiple of {num_slice}, or"
            " even_split=False"
        )
    bounds = [k * step + min(k, extra) for k in range(num_slice + 1)]
    if batch_axis == 0:
        return [data[start:stop] for start, stop in pairwise(bounds)]
    return [
        nd.slice_axis(data, axis=batch_axis, begin=start, end=stop)
        for start, stop in pairwise(bounds)
    ]


def split_and_load(
    data: Any, ctx_list: Sequence[Context], batch_axis: int = 0, even_split: bool = True
) -> list[NDArray]:
    """Cut a batch into as many slices as there are contexts, and put one on each.

    Parameters
    ----------
    data : NDArray or array-like
    ctx_list : list of Context
    batch_axis : int, default 0
    even_split : bool, default True
        Whether slices of different lengths are an error.

    Returns
    -------
    list of NDArray

    Examples
    --------
    >>> from gluon import cpu, nd, utils
    >>> [part.context for part in utils.split_and_load(nd.ones((4, 2)), [cpu(0), cpu(1)])]
    [cpu(0), cpu(1)]
    """
    if not isinstance(data, NDArray):
        data = nd.array(data, ctx=ctx_list[0])
    if len(ctx_list) == 1:
        return [data.as_in_context(ctx_list[0])]
    slices = split_data(data, len(ctx_list), batch_axis, even_split)
    return [part.as_in_context(ctx) for part, ctx in zip(slices, ctx_list)]


def clip_global_norm(
    arrays: Sequence[NDArray], max_norm: float, check_isfinite: bool = True
) -> Any:
    """Scale arrays in place so that their norm, taken together, is at most `max_norm`.

    Parameters
    ----------
    arrays : list of NDArray
        Gradients, for instance.
    max_norm : float
    check_isfinite : bool, default True
        Warn of a norm that is infinite or NaN, and return a float; otherwise an NDArray.

    Returns
    -------
    float or NDArray of shape (1,)
        The norm before.

    Raises
    ------
    ArgumentError
        If there is no array.

    Examples
    --------
    >>> from gluon import nd, utils
    >>> grad = nd.array([3, 4])
    >>> utils.clip_global_norm([grad], 1)
    5.0
    >>> grad.asnumpy().round(4)
    array([0.6, 0.8], dtype=float32)
    """
    if not arrays:
        raise ArgumentError("clip_global_norm: give at least one array")
    flat = [one._raw.ravel() for one in arrays]
    norm = math.sqrt(sum(float(np.dot(one, one)) for one in flat))
    if check_isfinite and not math.isfinite(norm):
        warnings.warn(
            f"clip_global_norm: the norm is {norm}; the gradients hold NaN or inf, and clipping"
            " does not mend them",
            stacklevel=2,
        )
    scale = max_norm / (norm + 1e-8)
    if not scale >= 1:
        for one in arrays:
            writable(one)[...] *= scale
    return norm if check_isfinite else nd.array([norm], ctx=arrays[0].context)
