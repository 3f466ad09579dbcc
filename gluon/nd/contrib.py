"""`nd.contrib`: functions that MXNet counts as experimental."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..engine.errors import ArgumentError
from ..engine.op import RECORDED as F
from ..ndarray import NDArray
from ..ndarray.context import device
from ._public import choice, floating, public
from .boxes import (
    MultiBoxDetection,
    MultiBoxPrior,
    MultiBoxTarget,
    box_iou,
    box_nms,
    box_non_maximum_suppression,
)
from .control import cond, foreach, while_loop
from .nn import Embedding as SparseEmbedding
from .normalization import BatchNorm

__all__ = [
    "AdaptiveAvgPooling2D",
    "BilinearResize2D",
    "MultiBoxDetection",
    "MultiBoxPrior",
    "MultiBoxTarget",
    "SparseEmbedding",
    "SyncBatchNorm",
    "arange_like",
    "boolean_mask",
    "box_iou",
    "box_nms",
    "box_non_maximum_suppression",
    "cond",
    "div_sqrt_dim",
    "foreach",
    "gradientmultiplier",
    "index_array",
    "index_copy",
    "isfinite",
    "isinf",
    "isnan",
    "quadratic",
    "while_loop",
]


@public
def AdaptiveAvgPooling2D(data: NDArray, output_size: int | Sequence[int] = ()) -> NDArray:
    """The average over a grid of windows as equal as can be.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, height, width)
    output_size : int or tuple of int, default 1
        The shape of the grid; one number for a square.

    Returns
    -------
    NDArray of shape (batch, channels, *output_size)
    """
    size = (output_size,) if isinstance(output_size, int) else tuple(output_size) or (1,)
    if len(size) > 2:
        raise ArgumentError(f"AdaptiveAvgPooling2D: output_size={size} has more than two lengths")
    floating("AdaptiveAvgPooling2D", data)
    return F.resize(data, size=size * 2 if len(size) == 1 else size, method="average")


#: mode -> the new length of an axis of length n
ROUNDED = {
    "to_even_down": lambda n: n - n % 2,
    "to_even_up": lambda n: n + n % 2,
    "to_odd_down": lambda n: n - (n % 2 == 0),
    "to_odd_up": lambda n: n + (n % 2 == 0),
}


def _resized(
    shape: tuple[int, ...], like: NDArray | None, size: tuple, scales: tuple, mode: str
) -> tuple[int, ...]:
    """The size that `BilinearResize2D` makes of pictures of `shape`."""
    if mode == "like":
        if like is None:
            raise ArgumentError("BilinearResize2D: mode='like' needs the array like")
        return like.shape[2:]
    if mode in ROUNDED:
        return tuple(ROUNDED[mode](n) for n in shape)
    if (scales[0] is None) != (scales[1] is None) or (mode == "odd_scale" and scales[0] is None):
        raise ArgumentError("BilinearResize2D: pass both scale_height and scale_width")
    if mode == "odd_scale":
        pairs = zip(shape, scales)
        return tuple(int(n * s) if n % 2 == 0 else int((n - 1) * s) + 1 for n, s in pairs)
    return size if scales[0] is None else tuple(int(n * s) for n, s in zip(shape, scales))


@public
def BilinearResize2D(
    data: NDArray,
    like: NDArray | None = None,
    height: int = 1,
    width: int = 1,
    scale_height: float | None = None,
    scale_width: float | None = None,
    mode: str = "size",
    align_corners: bool = True,
) -> NDArray:
    """Pictures in another size, interpolated bilinearly.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, height, width)
    like : NDArray, optional
        Whose size to take, for ``mode='like'``.
    height, width : int
        The new size, for ``mode='size'`` without scales.
    scale_height, scale_width : float, optional
    mode : {'size', 'odd_scale', 'like', 'to_even_down', 'to_even_up', 'to_odd_down', 'to_odd_up'}
    align_corners : bool, default True
        Whether the corner pixels keep their place, or the corners of the pixels.

    Returns
    -------
    NDArray of shape (batch, channels, new height, new width)
    """
    floating("BilinearResize2D", data)
    choice("BilinearResize2D", "mode", mode, ("size", "odd_scale", "like", *ROUNDED))
    scales = (scale_height, scale_width)
    size = _resized(data.shape[2:], like, (height, width), scales, mode)
    return F.resize(data, size=size, method="bilinear", align_corners=bool(align_corners))


@public
def SyncBatchNorm(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    moving_mean: NDArray,
    moving_var: NDArray,
    ndev: int = 1,
    key: str = "",
    **kwargs: Any,
) -> Any:
    """`nd.BatchNorm`, over the one device there is; its parameters, `ndev` and `key` ignored."""
    return BatchNorm(data, gamma, beta, moving_mean, moving_var, **kwargs)


@public
def boolean_mask(data: NDArray, index: NDArray, axis: int = 0) -> NDArray:
    """The rows of `data` where `index` is not 0.

    Parameters
    ----------
    data : NDArray of shape (n, ...)
    index : NDArray of shape (n,)
    axis : int, default 0
        Of the rows.

    Returns
    -------
    NDArray
    """
    if index.shape != (data.shape[axis],):
        raise ArgumentError(
            f"boolean_mask: index has shape {index.shape}; it needs {(data.shape[axis],)}, one"
            f" value for each place of axis {axis} of the data {data.shape}"
        )
    mask = F.not_equal(index, 0)._raw
    return F.getitem(data, key=(slice(None),) * (axis % data.ndim) + (mask,))


@public
def index_copy(old_tensor: NDArray, index_vector: NDArray, new_tensor: NDArray) -> NDArray:
    """`old_tensor` with some of its rows replaced; of several for one row the last.

    Parameters
    ----------
    old_tensor : NDArray of shape (n, ...)
    index_vector : NDArray of shape (m,)
    new_tensor : NDArray of shape (m, ...)

    Returns
    -------
    NDArray of the shape of `old_tensor`
    """
    key = F.cast(index_vector, dtype="int64")._raw
    if new_tensor.shape != key.shape + old_tensor.shape[1:]:
        raise ArgumentError(
            f"index_copy: new_tensor has shape {new_tensor.shape}; {key.shape[0]} rows of"
            f" {old_tensor.shape} have {key.shape + old_tensor.shape[1:]}"
        )
    return F.setitem(old_tensor, new_tensor, key=key)


@public
def arange_like(
    data: NDArray,
    start: float = 0.0,
    step: float = 1.0,
    repeat: int = 1,
    ctx: Any = None,
    axis: int | None = None,
) -> NDArray:
    """Evenly spaced values in the shape of `data`, or as many as `axis` has places.

    Parameters
    ----------
    data : NDArray
    start, step : float
    repeat : int, default 1
        How often each value comes.
    ctx : Context, optional
    axis : int, optional

    Returns
    -------
    NDArray of the dtype of `data`
    """
    result = F.arange_like(data, start=start, step=step, repeat=repeat, axis=axis)
    if ctx:
        result._ctx = device(ctx)
    return result


@public
def index_array(data: NDArray, axes: Sequence[int] | None = None) -> NDArray:
    """For each place of `data` its indices, or those of `axes`, as an int64 last axis."""
    return F.index_array(data, axes=None if axes is None else tuple(axes))


@public
def div_sqrt_dim(data: NDArray) -> NDArray:
    """`data` divided by the square root of the length of its last axis."""
    return _in_floats(data, lambda x: F.divide(x, data.shape[-1] ** 0.5))


@public
def gradientmultiplier(data: NDArray, scalar: float = 1.0, is_int: bool = True) -> NDArray:
    """`data`; its gradient is multiplied by `scalar`."""
    return F.scale_gradient(data, scalar=scalar)


@public
def quadratic(data: NDArray, a: float = 0.0, b: float = 0.0, c: float = 0.0) -> NDArray:
    """``a * data**2 + b * data + c``."""
    return _in_floats(data, lambda x: F.add(F.multiply(F.add(F.multiply(x, a), b), x), c))


def _in_floats(data: NDArray, function: Callable) -> NDArray:
    """``function(data)`` in the dtype of the data; integers are computed with as floats."""
    if data._raw.dtype.kind in "fV":
        return function(data)
    return F.cast(function(F.cast(data, dtype=np.float64)), dtype=data._raw.dtype)


def _asks(name: str, doc: str) -> Any:
    def call(data: NDArray) -> NDArray:
        return F.cast(getattr(F, name)(data), dtype=data._raw.dtype)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"{doc}: 1 and 0 in the dtype of `data`."
    return public(call)


isnan = _asks("isnan", "Which values are NaN")
isinf = _asks("isinf", "Which values are infinite")
isfinite = _asks("isfinite", "Which values are neither NaN nor infinite")
