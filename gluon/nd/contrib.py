"""`nd.contrib`: functions that MXNet counts as experimental."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..engine.errors import ArgumentError
from ..engine.op import RECORDED as F
from ..ndarray import NDArray
from ..ndarray.context import device
from ._public import choice, floating, numeric, public
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
        Of a floating dtype.
    output_size : int or tuple of int, default 1
        The shape of the grid; one number for a square. The windows overlap where it does not divide
        the height or the width.

    Returns
    -------
    NDArray of shape (batch, channels, *output_size) and the same dtype

    Raises
    ------
    ArgumentError
        If `data` does not have four axes, or `output_size` one or two lengths of 1 or more.
    DTypeError
        If `data` is of integers.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[[[1, 3, 5], [1, 3, 5]]]])
    >>> nd.contrib.AdaptiveAvgPooling2D(x, output_size=(1, 2)).asnumpy().tolist()
    [[[[2.0, 4.0]]]]
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
        Of a floating dtype.
    like : NDArray, optional
        Whose size to take, for ``mode='like'``.
    height, width : int
        The new size, for ``mode='size'`` without scales.
    scale_height, scale_width : float, optional
        The new size as a multiple, for ``'size'``; ``'odd_scale'`` keeps odd lengths odd.
    mode : {'size', 'odd_scale', 'like', 'to_even_down', 'to_even_up', 'to_odd_down', 'to_odd_up'}
        How the new size is found; the last four add or remove one pixel where needed.
    align_corners : bool, default True
        Whether the corner pixels keep their place, or the corners of the pixels.

    Returns
    -------
    NDArray of shape (batch, channels, new height, new width) and the same dtype

    Raises
    ------
    ArgumentError
        If `data` does not have four axes, the new size is below 1, `mode` is none of the above, or
        lacks what it needs.
    DTypeError
        If `data` is of integers.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[[[0, 2], [4, 6]]]])
    >>> nd.contrib.BilinearResize2D(x, height=2, width=3).asnumpy().tolist()
    [[[[0.0, 1.0, 2.0], [4.0, 5.0, 6.0]]]]
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
    """`nd.BatchNorm`, over the one device there is; its parameters, `ndev` and `key` ignored.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, ...)
    gamma, beta : NDArray of shape (channels,)
    moving_mean, moving_var : NDArray of shape (channels,)
    ndev : int, default 1
        Ignored.
    key : str
        Ignored.
    **kwargs
        As for `nd.BatchNorm`.

    Returns
    -------
    NDArray of the same shape and dtype, or list of three NDArrays

    Raises
    ------
    ArgumentError
        As `nd.BatchNorm` does.

    Examples
    --------
    >>> from gluon import nd
    >>> x, ones, zeros = nd.array([[1], [3]]), nd.ones((1,)), nd.zeros((1,))
    >>> mean, var = nd.array([1]), nd.array([4])
    >>> nd.contrib.SyncBatchNorm(x, ones, zeros, mean, var, key="a", eps=0).asnumpy().tolist()
    [[0.0], [1.0]]
    """
    return BatchNorm(data, gamma, beta, moving_mean, moving_var, **kwargs)


@public
def boolean_mask(data: NDArray, index: NDArray, axis: int = 0) -> NDArray:
    """The rows of `data` where `index` is not 0.

    Parameters
    ----------
    data : NDArray of any dtype
    index : NDArray of shape (n,) and any dtype, as long as `axis`
        No gradient reaches it.
    axis : int, default 0
        Of the rows.

    Returns
    -------
    NDArray of the same dtype, with as many places along `axis` as `index` has values other than 0

    Raises
    ------
    ArgumentError
        If `index` is not as long as `axis`.
    IndexRangeError
        If `data` has no such axis.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[1, 2], [3, 4], [5, 6]])
    >>> nd.contrib.boolean_mask(x, nd.array([1, 0, 1])).asnumpy().tolist()
    [[1.0, 2.0], [5.0, 6.0]]
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
    old_tensor : NDArray of shape (n, ...) and any dtype
    index_vector : NDArray of shape (m,) and any dtype
        Which rows; negative ones count from the end. No gradient reaches it.
    new_tensor : NDArray of shape (m, ...)
        The new rows.

    Returns
    -------
    NDArray of the shape and dtype of `old_tensor`
        What was replaced has the gradient 0.

    Raises
    ------
    ArgumentError
        If `new_tensor` does not have the shape of as many rows.
    IndexRangeError
        If there is no such row.

    Examples
    --------
    >>> from gluon import nd
    >>> x, rows = nd.zeros((3, 2)), nd.array([[1, 2], [3, 4]])
    >>> nd.contrib.index_copy(x, nd.array([2, 0]), rows).asnumpy().tolist()
    [[3.0, 4.0], [0.0, 0.0], [1.0, 2.0]]
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
    data : NDArray of any number type
        Only its shape and dtype count.
    start, step : float, default 0 and 1
    repeat : int, default 1
        How often each value comes.
    ctx : Context, optional
        The device of the result.
    axis : int, optional

    Returns
    -------
    NDArray of the shape of `data`, or as long as `axis`, and of the dtype of `data`

    Raises
    ------
    DTypeError
        If `data` is boolean.
    IndexRangeError
        If `data` has no such axis.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.contrib.arange_like(nd.zeros((2, 3)), step=0.5).asnumpy().tolist()
    [[0.0, 0.5, 1.0], [1.5, 2.0, 2.5]]
    >>> nd.contrib.arange_like(nd.zeros((2, 3)), axis=1).asnumpy().tolist()
    [0.0, 1.0, 2.0]
    """
    numeric("arange_like", data)
    result = F.arange_like(data, start=start, step=step, repeat=repeat, axis=axis)
    if ctx:
        result._ctx = device(ctx)
    return result


@public
def index_array(data: NDArray, axes: Sequence[int] | None = None) -> NDArray:
    """For each place of `data` its indices, as a new last axis.

    Parameters
    ----------
    data : NDArray of any dtype
        Only its shape counts.
    axes : tuple of int, optional
        The indices along these axes only.

    Returns
    -------
    NDArray of shape (*data.shape, data.ndim), or (*data.shape, len(axes)), and dtype int64
        It cannot be differentiated.

    Raises
    ------
    IndexRangeError
        If `data` lacks one of the `axes`.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.contrib.index_array(nd.zeros((2, 2))).asnumpy().tolist()
    [[[0, 0], [0, 1]], [[1, 0], [1, 1]]]
    """
    return F.index_array(data, axes=None if axes is None else tuple(axes))


@public
def div_sqrt_dim(data: NDArray) -> NDArray:
    """`data` divided by the square root of the length of its last axis.

    Parameters
    ----------
    data : NDArray of any number type

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    DTypeError
        If `data` is no NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.contrib.div_sqrt_dim(nd.array([1, 2, 3, 4])).asnumpy().tolist()
    [0.5, 1.0, 1.5, 2.0]
    """
    return _in_floats(data, lambda x: F.divide(x, data.shape[-1] ** 0.5))


@public
def gradientmultiplier(data: NDArray, scalar: float = 1.0, is_int: bool = True) -> NDArray:
    """`data`; its gradient is multiplied by `scalar`.

    Parameters
    ----------
    data : NDArray of any dtype
    scalar : float, default 1
        Below 0 it turns the gradient round.
    is_int
        Ignored.

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    DTypeError
        If `data` is no NDArray.

    Examples
    --------
    >>> from gluon import autograd, nd
    >>> x = nd.array([1, 2])
    >>> x.attach_grad()
    >>> with autograd.record():
    ...     y = nd.contrib.gradientmultiplier(x, scalar=-0.5) * 10
    >>> y.backward()
    >>> y.asnumpy().tolist(), x.grad.asnumpy().tolist()
    ([10.0, 20.0], [-5.0, -5.0])
    """
    return F.scale_gradient(data, scalar=scalar)


@public
def quadratic(data: NDArray, a: float = 0.0, b: float = 0.0, c: float = 0.0) -> NDArray:
    """``a * data**2 + b * data + c``.

    Parameters
    ----------
    data : NDArray of any number type
    a, b, c : float, default 0

    Returns
    -------
    NDArray of the same shape and dtype
        The fraction of a result is dropped where `data` is of integers.

    Raises
    ------
    DTypeError
        If `data` is no NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.contrib.quadratic(nd.array([0, 1, 2]), a=1, b=-2, c=0.5).asnumpy().tolist()
    [0.5, -0.5, 0.5]
    """
    return _in_floats(data, lambda x: F.add(F.multiply(F.add(F.multiply(x, a), b), x), c))


def _in_floats(data: NDArray, function: Callable) -> NDArray:
    """``function(data)`` in the dtype of the data; integers are computed with as floats."""
    if data._raw.dtype.kind in "fV":
        return function(data)
    return F.cast(function(F.cast(data, dtype=np.float64)), dtype=data._raw.dtype)


def _asks(name: str, doc: str, answer: str) -> Any:
    def call(data: NDArray) -> NDArray:
        return F.cast(getattr(F, name)(data), dtype=data._raw.dtype)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"""{doc}: 1 for yes, 0 for no.

    Parameters
    ----------
    data : NDArray of any number type

    Returns
    -------
    NDArray of the same shape and dtype
        It cannot be differentiated.

    Raises
    ------
    DTypeError
        If `data` is no NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.contrib.{name}(nd.array([1, float("inf"), float("nan")])).asnumpy().tolist()
    {answer}
    """
    return public(call)


isnan = _asks("isnan", "Which values are NaN", "[0.0, 0.0, 1.0]")
isinf = _asks("isinf", "Which values are infinite", "[0.0, 1.0, 0.0]")
isfinite = _asks("isfinite", "Which values are neither NaN nor infinite", "[1.0, 0.0, 0.0]")
