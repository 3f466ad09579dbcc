"""Convolution of one to three dimensions, and its two gradients."""

from __future__ import annotations

import os
from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from ..kernels.columns import Window
from ..kernels.conv import is_pointwise, make_window, spread
from . import loading
from .layout import in_order
from .loading import runner
from .stand_ins import FLOAT32, FLOAT64, stands_in

Ints = tuple[int, ...]

_run = runner("convolution")
_run_input_grad = runner("convolution_input_grad")
_run_weight_grad = runner("convolution_weight_grad")
_run_spread = runner("spread")
_run_spread_grad = runner("spread_grad")
_run_winograd = runner("winograd")
_run_winograd_grad = runner("winograd_weight_grad")

#: ``GLUON_WINOGRAD=0`` computes 3 x 3 convolutions as plain sums, which round less.
WINOGRAD = os.environ.get("GLUON_WINOGRAD") != "0"


#: Pointwise convolutions are left to the plain kernel: BLAS multiplies matrices faster.
_is_left = is_pointwise


def _suits(window: Window, *arrays: Any) -> bool:
    """Whether all are large float arrays of one dtype, with one to three spatial dimensions."""
    first = arrays[0]
    return (
        first.dtype in (FLOAT32, FLOAT64)
        and all(type(x) is np.ndarray and x.dtype == first.dtype for x in arrays)
        and len(window.size) <= 3
        and (max(x.size for x in arrays) >= loading.LEAST or loading.is_told())
        and all(x.size for x in arrays)
    )


def _integers(batch: int, groups: int, channels: int, filters: int, window: Window) -> Ints:
    """Return the integers for the library: each field of the window with three values."""
    more = 3 - len(window.size)
    fields = (
        ("size", 1),
        ("kernel", 1),
        ("stride", 1),
        ("pad", 0),
        ("dilate", 1),
        ("out", 1),
    )
    numbers = [n for name, one in fields for n in (*(one,) * more, *getattr(window, name))]
    return (batch, groups, channels, filters, *numbers)


def _grouped(weight: Any, groups: int) -> Any:
    """Return the weight as a view (groups, filters, channels, three axes of the kernel)."""
    kernel = (*(1,) * (5 - weight.ndim), *weight.shape[2:])
    return weight.reshape(groups, len(weight) // groups, weight.shape[1], *kernel)


#: The costs of Winograd's convolution, in multiplications of a matrix product: transforming a value
#: at a point, and weights and their gradients. A plain one lays out values at cost LAID.
AT_POINT, OF_WEIGHT, OF_GRADIENT, LAID = 32, 16, 31, 14
#: The block sizes of a multiplication.
TILES, FILTERS, CHANNELS = 32, 16, 32


def _rounded(n: int, part: int) -> int:
    return -(-n // part) * part


def _is_winograd(
    batch: int, channels: int, filters: int, window: Window, dtype: Any, grad: bool = False
) -> bool:
    """Whether Winograd's convolution applies and is cheaper: 36 products for 16 results.

    `grad` is for the gradient in the weight.
    """
    fields = window.kernel, window.stride, window.dilate
    if not WINOGRAD or dtype != FLOAT32 or fields != ((3, 3), (1, 1), (1, 1)):
        return False
    plain = 9 * batch * prod(window.out) * channels * (filters + LAID)
    tiles = batch * prod(_rounded(n, 4) // 4 for n in window.out)
    if grad:
        channels, filters = _rounded(channels, CHANNELS), _rounded(filters, FILTERS)
        products = channels * filters * (tiles + OF_GRADIENT)
    else:
        products = channels * filters * (_rounded(tiles, TILES) + OF_WEIGHT)
    return plain > 36 * (products + AT_POINT * tiles * (channels + filters))


def _convolve(x: Any, weight: Any, bias: Any, window: Window) -> Any:
    """Convolve with a `_grouped` weight; return None if the library does not support it."""
    groups, filters, channels = weight.shape[:3]
    y = np.empty((len(x), groups * filters, *window.out), x.dtype)
    numbers = _integers(len(x), groups, channels, filters, window)
    arrays = in_order(x), weight, bias, y
    if (
        _is_winograd(len(x), channels, filters, window, x.dtype)
        and _run_spread(arrays[:2], numbers)
        and _run_winograd(arrays, numbers)
    ):
        return y
    return y if _run(arrays, numbers) else None


@stands_in("convolution")
def convolution(
    plain: Callable,
    x: Any,
    weight: Any,
    bias: Any = None,
    *,
    stride: Any = None,
    pad: Any = None,
    dilate: Any = None,
    num_group: int = 1,
) -> Any:
    if _match(x, weight, num_group) and x.shape[1] == weight.shape[1] * num_group:
        window = make_window(x.shape[2:], weight.shape[2:], stride, pad, dilate)
        fused = bias is None or (bias.dtype == x.dtype and bias.shape == weight.shape[:1])
        if fused and not _is_left(window, num_group) and _suits(window, x, weight):
            bias = bias if bias is None else in_order(bias)
            y = _convolve(x, _grouped(weight, num_group), bias, window)
            if y is not None:
                return y
    attributes = {"stride": stride, "pad": pad, "dilate": dilate, "num_group": num_group}
    return plain(x, weight, bias, **attributes)


def _match(x: Any, weight: Any, groups: int) -> bool:
    """Whether the arrays may be an image and a weight; if not, the plain kernel raises."""
    return x.ndim == weight.ndim > 2 and groups > 0 and not len(weight) % groups


@stands_in("convolution_input_grad")
def convolution_input_grad(
    plain: Callable,
    x: Any,
    weight: Any,
    *,
    shape: Ints,
    stride: Any = None,
    pad: Any = None,
    dilate: Any = None,
    num_group: int = 1,
) -> Any:
    if _match(x, weight, num_group):
        window = make_window(tuple(shape), weight.shape[2:], stride, pad, dilate)
        y = None
        fits = not _is_left(window, num_group) and x.shape[1:] == (len(weight), *window.out)
        if fits and _suits(window, x, weight):
            y = _input_grad(x, _grouped(weight, num_group), window)
        if y is not None:
            return y
    attributes = {"stride": stride, "pad": pad, "dilate": dilate, "num_group": num_group}
    return plain(x, weight, shape=shape, **attributes)


#: The cost of copying and of adding a value, in multiplications of a matrix product.
COPY, ADD = 4, 8
#: A product with fewer rows takes as long as one with this many.
ROWS = 4


def _input_grad(g: Any, weight: Any, window: Window) -> Any:
    """Return the gradient of the input for a `_grouped` weight, or None.

    It is a convolution with the kernel flipped, or the columns are computed and added up,
    whichever takes less.
    """
    groups, filters, channels = weight.shape[:3]
    taps = prod(window.kernel)
    turned = prod(window.size) * filters * taps * (max(channels, ROWS) + COPY)
    added = prod(window.out) * channels * taps * (max(filters, ROWS) + ADD)
    strided = any(s > 1 for s in window.stride)
    if strided or turned > added:
        y = np.empty((len(g), groups * channels, *window.size), g.dtype)
        numbers = _integers(len(g), groups, channels, filters, window)
        return y if _run_input_grad((in_order(g), weight, y), numbers) else None
    backwards = (slice(None, None, -1),) * 3
    pad = tuple((k - 1) * d - p for k, d, p in zip(window.kernel, window.dilate, window.pad))
    back = window._replace(size=window.out, pad=pad, out=window.size)
    return _convolve(g, weight.swapaxes(1, 2)[(..., *backwards)], None, back)


@stands_in("convolution_weight_grad")
def convolution_weight_grad(
    plain: Callable,
    out_grad: Any,
    x: Any,
    *,
    kernel: Ints,
    stride: Any = None,
    pad: Any = None,
    dilate: Any = None,
    num_group: int = 1,
) -> Any:
    attributes = {"stride": stride, "pad": pad, "dilate": dilate, "num_group": num_group}
    window = make_window(x.shape[2:], tuple(kernel), stride, pad, dilate)
    fits = out_grad.shape[2:] == window.out and len(out_grad) == len(x)
    if _is_left(window, num_group) or not (fits and _suits(window, x, out_grad)):
        return plain(out_grad, x, kernel=kernel, **attributes)
    channels, filters = x.shape[1] // num_group, out_grad.shape[1] // num_group
    grad = np.empty((filters * num_group, channels, *window.kernel), x.dtype)
    arrays = in_order(out_grad), in_order(x), grad
    numbers = _integers(len(x), num_group, channels, filters, window)
    if (
        _is_winograd(len(x), channels, filters, window, x.dtype, True)
        and _run_spread_grad(arrays[:2], numbers)
        and _run_winograd_grad(arrays, numbers)
    ):
        return grad
    if _run_weight_grad(arrays, numbers):
        return grad
    return plain(out_grad, x, kernel=kernel, **attributes)


@stands_in("deconvolution")
def deconvolution(
    plain: Callable,
    x: Any,
    weight: Any,
    bias: Any = None,
    *,
    stride: Any = None,
    pad: Any = None,
    dilate: Any = None,
    adj: Any = None,
    target_shape: Any = None,
    num_group: int = 1,
) -> Any:
    if _match(x, weight, num_group) and x.shape[1] == len(weight):
        to = spread(x.shape[2:], weight.shape[2:], stride, pad, dilate, adj, target_shape)
        window = make_window(to.shape, weight.shape[2:], stride, to.pad, dilate)
        filters = (weight.shape[1] * num_group,)
        fused = bias is None or (bias.dtype == x.dtype and bias.shape == filters)
        y = None
        if fused and _suits(window, x, weight) and x.shape[2:] == window.out:
            y = _input_grad(x, _grouped(weight, num_group), window)
        if y is not None:
            if bias is not None:
                y += bias.reshape(-1, *(1,) * (y.ndim - 2))
            return y
    return plain(
        x,
        weight,
        bias,
        stride=stride,
        pad=pad,
        dilate=dilate,
        adj=adj,
        target_shape=target_shape,
        num_group=num_group,
    )
