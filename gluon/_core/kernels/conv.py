"""Convolution in any number of dimensions, its two gradients, and deconvolution.

All are products of a matrix of weights with the columns of images (`columns.py`).
"""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import Any, NamedTuple

import numpy as np

from . import depthwise, linalg
from .columns import Window, add_columns, columns, layout, multiply
from .linalg import wide

Ints = tuple[int, ...]
#: The cost of copying and of adding a value, in multiplications of a matrix product.
COPY, ADD = 12, 32


def as_tuple(value: Any, n: int, default: int, name: str, least: int = 0) -> Ints:
    """`value` for each of `n` dimensions: None is the default, one int stands for all."""
    if type(value) is tuple and len(value) == n:
        for v in value:
            if type(v) is not int or v < least:
                break
        else:  # the common case: layers pass valid tuples
            return value
    if value is None or (isinstance(value, tuple) and not value):
        return (default,) * n
    values = tuple(value) if isinstance(value, (tuple, list)) else (value,) * n
    if len(values) != n:
        raise ValueError(f"{name}={value!r} needs {n} values, one for each dimension of the data")
    if not all(isinstance(v, (int, np.integer)) and v >= least for v in values):
        raise ValueError(f"{name}={value!r} must hold integers, {least} or more")
    return tuple(int(v) for v in values)


def make_window(size: Ints, kernel: Ints, stride: Any, pad: Any, dilate: Any) -> Window:
    """The `Window` over an image of shape `size`."""
    n = len(size)
    stride = as_tuple(stride, n, 1, "stride", 1)
    pad = as_tuple(pad, n, 0, "pad")
    dilate = as_tuple(dilate, n, 1, "dilate", 1)
    return _window(size, kernel, stride, pad, dilate)


@lru_cache(maxsize=1024)
def _window(size: Ints, kernel: Ints, stride: Ints, pad: Ints, dilate: Ints) -> Window:
    """Cached, since each layer asks for the same window again."""
    reach = tuple((k - 1) * d + 1 for k, d in zip(kernel, dilate))
    out = tuple((x + 2 * p - r) // s + 1 for x, p, r, s in zip(size, pad, reach, stride))
    if min(out) < 1 or min(kernel) < 1:
        raise ValueError(
            f"the kernel {kernel} reaches over {reach}, more than the data {size} padded by {pad}; "
            "enlarge pad or take a smaller kernel"
        )
    return Window(size, kernel, stride, pad, dilate, out)


# ------------------------------------------------------------------------ im2col, col2im


def im2col(x: Any, *, kernel: Any, stride: Any = None, pad: Any = None, dilate: Any = None) -> Any:
    """Every window of `x` as a column: (batch, channels and kernel, positions)."""
    if x.ndim < 3:
        raise ValueError(f"x is (batch, channels, *spatial), not {x.shape}")
    kernel = as_tuple(kernel, x.ndim - 2, 1, "kernel", 1)
    window = make_window(x.shape[2:], kernel, stride, pad, dilate)
    n, channels = x.shape[:2]
    padded: Any = np.pad(x, [(0, 0), (0, 0), *zip(window.pad, window.pad)])
    y: Any = np.empty((n, channels, *window.kernel, *window.out), x.dtype)
    for place in np.ndindex(*window.kernel):
        y[(slice(None), slice(None), *place)] = padded[(..., *window.at(place))]
    return y.reshape(n, channels * prod(window.kernel), prod(window.out))


def col2im(
    x: Any, *, shape: Ints, kernel: Any, stride: Any = None, pad: Any = None, dilate: Any = None
) -> Any:
    """The transpose of `im2col`: add up what meets each element of spatial `shape`."""
    kernel = as_tuple(kernel, len(shape), 1, "kernel", 1)
    window = make_window(tuple(shape), kernel, stride, pad, dilate)
    if x.ndim != 3 or x.shape[1] % prod(kernel) or x.shape[2] != prod(window.out):
        raise ValueError(
            f"x has shape {x.shape}; an image of {tuple(shape)} has {prod(window.out)} positions,"
            f" so that x needs (batch, a multiple of {prod(kernel)}, {prod(window.out)})"
        )
    n, channels = len(x), x.shape[1] // prod(kernel)
    y: Any = np.zeros((n, channels, *(k + 2 * p for k, p in zip(shape, window.pad))), wide(x.dtype))
    values = x.reshape(n, channels, *window.kernel, *window.out)
    for place in np.ndindex(*window.kernel):
        part = y[(..., *window.at(place))]
        part += values[(slice(None), slice(None), *place)]
    inside = tuple(slice(p, p + k) for k, p in zip(shape, window.pad))
    return np.ascontiguousarray(y[(..., *inside)], x.dtype)


# ---------------------------------------------------------------------- the three products


def _check(x: Any, weight: Any, num_group: int, what: str) -> None:
    if x.ndim < 3 or weight.ndim != x.ndim:
        raise ValueError(
            f"{what} is (batch, channels, *spatial) and weight (out, in, *kernel) with as many "
            f"axes, not shapes {x.shape} and {weight.shape}"
        )
    if num_group < 1 or weight.shape[0] % num_group:
        raise ValueError(
            f"weight {weight.shape} cannot be divided into num_group={num_group} groups"
        )


def same_dtype(x: Any, weight: Any) -> tuple[Any, Any]:
    """Both in the dtype that NumPy promotes them to."""
    if x.dtype == weight.dtype:
        return x, weight
    kind = np.result_type(x, weight)
    return x.astype(kind, copy=False), weight.astype(kind, copy=False)


def window_of(
    x: Any,
    weight: Any,
    *,
    stride: Any = None,
    pad: Any = None,
    dilate: Any = None,
    num_group: int = 1,
) -> Window:
    """The checked window of a convolution of `x`."""
    _check(x, weight, num_group, "x")
    if x.shape[1] != weight.shape[1] * num_group:
        raise ValueError(
            f"x has {x.shape[1]} channels; weight {weight.shape} with num_group={num_group} takes "
            f"{weight.shape[1] * num_group}"
        )
    return make_window(x.shape[2:], weight.shape[2:], stride, pad, dilate)


def window_to(
    x: Any,
    weight: Any,
    *,
    shape: Ints,
    stride: Any = None,
    pad: Any = None,
    dilate: Any = None,
    num_group: int = 1,
) -> Window:
    """The checked window of a convolution of an image of spatial `shape` whose output is `x`."""
    _check(x, weight, num_group, "x")
    window = make_window(tuple(shape), weight.shape[2:], stride, pad, dilate)
    if x.shape[1:] != (weight.shape[0], *window.out):
        raise ValueError(
            f"x has shape {x.shape}; weight {weight.shape} makes {(weight.shape[0], *window.out)} "
            f"of an image of shape {tuple(shape)}"
        )
    return window


def window_between(
    out_grad: Any, x: Any, *, kernel: Ints, stride: Any = None, pad: Any = None, dilate: Any = None
) -> Window:
    """The checked window of a convolution of `x` whose output has the shape of `out_grad`."""
    window = make_window(x.shape[2:], tuple(kernel), stride, pad, dilate)
    if out_grad.shape[2:] != window.out or len(out_grad) != len(x):
        raise ValueError(
            f"out_grad has shape {out_grad.shape}; it needs the batch of x and the spatial shape"
            f" {window.out}"
        )
    return window


def check_bias(bias: Any, channels: Ints) -> None:
    """Raise if `bias` is not one value for each output channel."""
    if bias is not None and bias.shape != channels:
        raise ValueError(
            f"bias has shape {bias.shape}; it needs {channels}, one value for each output channel"
        )


def convolution(
    x: Any,
    weight: Any,
    bias: Any = None,
    *,
    stride: Any = None,
    pad: Any = None,
    dilate: Any = None,
    num_group: int = 1,
) -> Any:
    """Slide `weight` (out, channels / groups, *kernel) over `x` (batch, channels, *spatial)."""
    window = window_of(x, weight, stride=stride, pad=pad, dilate=dilate, num_group=num_group)
    x, weight = same_dtype(x, weight)
    if is_pointwise(window, num_group):
        return add_bias(_pointwise(x, weight.reshape(weight.shape[:2])), bias)
    if depthwise.is_depthwise(weight, num_group, x.shape[1]):
        return add_bias(depthwise.convolve(x, weight, window), bias)
    fused = bias is not None and bias.dtype == x.dtype and bias.shape == weight.shape[:1]
    y = _convolve(x, weight, window, num_group, bias if fused else None)
    return y if fused else add_bias(y, bias)


def is_pointwise(window: Window, groups: int) -> bool:
    """Whether a kernel of 1 x 1 mixes the channels only: no columns are needed."""
    return prod(window.kernel) == 1 == groups and not any(window.pad) and window.out == window.size


def _pixels(x: Any) -> Any:
    return x.reshape(*x.shape[:2], prod(x.shape[2:])).astype(wide(x.dtype), copy=False)


def _pointwise(x: Any, matrix: Any) -> Any:
    """Multiply the channels of each pixel by a matrix."""
    y = linalg.multiply(matrix.astype(wide(x.dtype), copy=False), _pixels(x))
    return y.reshape(len(x), len(matrix), *x.shape[2:]).astype(x.dtype, copy=False)


def _matrix(weight: Any, groups: int, kind: Any) -> Any:
    """Return `weight` as (groups, 1, filters / groups, kernel and channels), for products."""
    weight = np.moveaxis(weight, 1, -1).astype(kind, copy=False)
    return weight.reshape(groups, 1, len(weight) // groups, -1)


def _as_rows(window: Window) -> Window:
    """Treat a one-dimensional window as one over images with a single row."""
    first = Window((1,), (1,), (1,), (0,), (1,), (1,))
    return Window(*(one + own for one, own in zip(first, window)))


def _convolve(x: Any, weight: Any, window: Window, groups: int, bias: Any = None) -> Any:
    if len(window.out) == 1:
        rows = _as_rows(window)
        return _convolve(x[:, :, None], weight[:, :, None], rows, groups, bias)[:, :, 0]
    n, channels = x.shape[:2]
    y = np.empty((n, len(weight), *window.out), x.dtype)
    matrix = _matrix(weight, groups, wide(x.dtype))
    to = layout(window, n, channels, groups)
    for part in to.chunks(n):
        product = multiply(matrix, columns(x[part], to))
        if bias is not None:
            product += bias.reshape(groups, 1, -1, 1)
        to.write(product, y[part])
    return y


def add_bias(y: Any, bias: Any) -> Any:
    """Add one value of the bias per channel to `y`, in place if the dtypes are equal."""
    if bias is None:
        return y
    check_bias(bias, y.shape[1:2])
    shift = bias.reshape(-1, *(1,) * (y.ndim - 2))
    return np.add(y, shift, out=y if bias.dtype == y.dtype else None)


def convolution_input_grad(
    x: Any,
    weight: Any,
    *,
    shape: Ints,
    stride: Any = None,
    pad: Any = None,
    dilate: Any = None,
    num_group: int = 1,
) -> Any:
    """The transpose of `convolution` in its input: from an output back to spatial `shape`."""
    given = {"stride": stride, "pad": pad, "dilate": dilate, "num_group": num_group}
    window = window_to(x, weight, shape=shape, **given)
    if depthwise.is_depthwise(weight, num_group, x.shape[1]):
        return depthwise.input_grad(x, weight, window)
    if is_pointwise(window, num_group):
        return _pointwise(x, weight.reshape(weight.shape[:2]).T)
    if turned := _turned(window, weight, num_group):
        return _convolve(x, *turned, num_group)
    return _unconvolve(x, weight, window, num_group)


def _unconvolve(x: Any, weight: Any, window: Window, num_group: int) -> Any:
    if len(window.out) == 1:
        rows = _as_rows(window)
        return _unconvolve(x[:, :, None], weight[:, :, None], rows, num_group)[:, :, 0]
    n, channels = len(x), weight.shape[1] * num_group
    y = np.empty((n, channels, *window.size), x.dtype)
    matrix = _matrix(weight, num_group, wide(x.dtype)).swapaxes(-1, -2)
    to = layout(window, n, channels, num_group)
    for part in to.chunks(n):
        add_columns(multiply(matrix, to.matrices(x[part])), y[part], to)
    return y


def _turned(window: Window, weight: Any, groups: int) -> tuple[Any, Window] | None:
    """Return the weight and the window of the convolution that is the transpose of another.

    Its kernel is flipped and its pad makes up for the other's; None where strides leave gaps,
    where the pad would be negative, and where it would take longer than to add up columns.
    """
    reach = [(k - 1) * d for k, d in zip(window.kernel, window.dilate)]
    pad = tuple(r - p for r, p in zip(reach, window.pad))
    if set(window.stride) != {1} or min(pad) < 0:
        return None
    filters, channels = len(weight), weight.shape[1] * groups
    products = filters * weight[0].size
    ours = prod(window.size) * (products + COPY * filters * prod(window.kernel[1:]))
    theirs = prod(window.out) * (products + ADD * channels * prod(window.kernel))
    if ours > theirs:
        return None
    split = weight.reshape(groups, filters // groups, *weight.shape[1:]).swapaxes(1, 2)
    turned = split[(..., *(slice(None, None, -1),) * len(pad))]
    turned = turned.reshape(channels, filters // groups, *window.kernel)
    return turned, window._replace(size=window.out, pad=pad, out=window.size)


def convolution_weight_grad(
    out_grad: Any,
    x: Any,
    *,
    kernel: Ints,
    stride: Any = None,
    pad: Any = None,
    dilate: Any = None,
    num_group: int = 1,
) -> Any:
    """The transpose of `convolution` in its weight, of spatial shape `kernel`."""
    window = window_between(out_grad, x, kernel=kernel, stride=stride, pad=pad, dilate=dilate)
    channels, filters = x.shape[1], out_grad.shape[1]
    if num_group == channels == filters:
        return depthwise.weight_grad(out_grad, x, window)
    if is_pointwise(window, num_group) and len(x):
        grad = sum(linalg.multiply(a, b.T) for a, b in zip(_pixels(out_grad), _pixels(x)))
        return grad.reshape(filters, channels, *window.kernel).astype(x.dtype, copy=False)
    if len(kernel) == 1:
        rows = _as_rows(window)
        return _weight_grad(out_grad[:, :, None], x[:, :, None], rows, num_group)[:, :, 0]
    return _weight_grad(out_grad, x, window, num_group)


def _weight_grad(out_grad: Any, x: Any, window: Window, num_group: int) -> Any:
    channels, filters = x.shape[1], out_grad.shape[1]
    inner, outer = channels // num_group * prod(window.kernel), filters // num_group
    total = np.zeros((num_group, outer, inner), wide(x.dtype))
    to = layout(window, len(x), channels, num_group)
    for part in to.chunks(len(x)):
        ours, theirs = to.matrices(out_grad[part]), columns(x[part], to)
        for k in range(ours.shape[1]):
            total += linalg.multiply(ours[:, k], theirs[:, k].swapaxes(-1, -2))
    grad = total.reshape(filters, *window.kernel, channels // num_group)
    return np.ascontiguousarray(np.moveaxis(grad, -1, 1), x.dtype)


# -------------------------------------------------------------------------- deconvolution


class Spread(NamedTuple):
    """The image a deconvolution makes, and the padding taken off it."""

    shape: Ints
    pad: Ints


def spread(
    size: Ints, kernel: Ints, stride: Any, pad: Any, dilate: Any, adj: Any, target_shape: Any
) -> Spread:
    """What a deconvolution makes of an image of shape `size`."""
    n = len(size)
    stride = as_tuple(stride, n, 1, "stride", 1)
    dilate = as_tuple(dilate, n, 1, "dilate", 1)
    pad = as_tuple(pad, n, 0, "pad")
    adj = as_tuple(adj, n, 0, "adj")
    full = tuple(s * (x - 1) + (k - 1) * d + 1 for s, x, k, d in zip(stride, size, kernel, dilate))
    if target_shape is not None and any(target := as_tuple(target_shape, n, 0, "target_shape")):
        excess = tuple(f - t for f, t in zip(full, target))
        if min(excess) < 0:
            raise ValueError(
                f"target_shape={target} is larger than {full}, the shape before cropping"
            )
        return Spread(target, tuple((e + 1) // 2 for e in excess))
    if any(a >= s for a, s in zip(adj, stride)):
        raise ValueError(f"adj={adj} must be smaller than stride={stride}")
    shape = tuple(f - 2 * p + a for f, p, a in zip(full, pad, adj))
    if min(shape) < 1:
        raise ValueError(f"pad={pad} removes all of the output {full}")
    return Spread(shape, pad)


def spread_of(
    x: Any,
    weight: Any,
    *,
    stride: Any = None,
    pad: Any = None,
    dilate: Any = None,
    adj: Any = None,
    target_shape: Any = None,
    num_group: int = 1,
) -> Spread:
    """The checked `Spread` of a deconvolution of `x`."""
    _check(x, weight, num_group, "x")
    if x.shape[1] != weight.shape[0]:
        raise ValueError(
            f"x has {x.shape[1]} channels, weight {weight.shape} takes {weight.shape[0]}"
        )
    return spread(x.shape[2:], weight.shape[2:], stride, pad, dilate, adj, target_shape)


def deconvolution(
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
    """The transposed convolution; `weight` is (channels of x, filters / groups, *kernel)."""
    given = {"stride": stride, "pad": pad, "dilate": dilate, "num_group": num_group}
    to = spread_of(x, weight, adj=adj, target_shape=target_shape, **given)
    x, weight = same_dtype(x, weight)
    y = convolution_input_grad(
        x, weight, shape=to.shape, stride=stride, pad=to.pad, dilate=dilate, num_group=num_group
    )
    return add_bias(y, bias)


# ----------------------------------------------------------------------------- lines of values


def convolve(a: Any, v: Any, *, start: int, size: int) -> Any:
    """`size` places of the convolution of two lines of values, from `start` on; 0 outside it."""
    full = a.size + v.size - 1
    first, last = max(start, 0), min(start + size, full)
    y = np.zeros(size, a.dtype)
    if first < last:
        y[first - start : last - start] = _convolved(
            a.astype(wide(a.dtype), copy=False), v.astype(wide(v.dtype), copy=False), first, last
        )
    return y


def _convolved(a: Any, v: Any, first: int, last: int) -> Any:
    """Compute the outputs from `first` to `last` only, or all of them if that is faster."""
    from_a, from_v = max(0, first - v.size + 1), max(0, first - a.size + 1)
    a, v = a[from_a:last], v[from_v:last]
    first, last = first - from_a - from_v, last - from_a - from_v
    short, long = sorted((a.size, v.size))
    if short - 1 <= first and last <= long:
        return np.convolve(a, v, "valid")[first - short + 1 : last - short + 1]
    if 2 * (last - first) >= a.size + v.size - 1:
        return np.convolve(a, v)[first:last]
    backwards, y = v[::-1].copy(), np.empty(last - first, a.dtype)
    for k in range(first, last):
        low, high = max(0, k - v.size + 1), min(a.size, k + 1)
        y[k - first] = np.dot(a[low:high], backwards[v.size - 1 - k + low :][: high - low])
    return y
