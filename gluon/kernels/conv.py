"""Convolution in any number of dimensions, its two gradients, and deconvolution.

All go through one matrix: the columns, of shape (channels, *kernel, positions). They are laid
out so that the copies run along memory: the batch is the last axis when it is longer than the
rows of the picture, and the axis before the picture otherwise. A large batch goes in chunks.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any, NamedTuple

import numpy as np

from .linalg import wide

Ints = tuple[int, ...]
#: The most values that columns hold at a time.
CHUNK = 1 << 23


def as_tuple(value: Any, n: int, default: int, name: str, least: int = 0) -> Ints:
    """`value` for each of `n` dimensions: None is the default, one int stands for all."""
    if value is None or (isinstance(value, tuple) and not value):
        return (default,) * n
    values = tuple(value) if isinstance(value, (tuple, list)) else (value,) * n
    if len(values) != n:
        raise ValueError(f"{name}={value!r} needs {n} values, one for each dimension of the data")
    if not all(isinstance(v, (int, np.integer)) and v >= least for v in values):
        raise ValueError(f"{name}={value!r} must hold integers, {least} or more")
    return tuple(int(v) for v in values)


class Window(NamedTuple):
    """A kernel that moves over a padded picture; each field has one value per dimension."""

    size: Ints
    kernel: Ints
    stride: Ints
    pad: Ints
    dilate: Ints
    out: Ints

    def at(self, place: Ints) -> tuple[slice, ...]:
        """Where the padded picture meets kernel element `place`, over all positions."""
        return tuple(
            slice(k * d, k * d + (n - 1) * s + 1, s)
            for k, d, s, n in zip(place, self.dilate, self.stride, self.out)
        )


def make_window(size: Ints, kernel: Ints, stride: Any, pad: Any, dilate: Any) -> Window:
    """The `Window` over a picture of shape `size`."""
    n = len(size)
    stride = as_tuple(stride, n, 1, "stride", 1)
    pad = as_tuple(pad, n, 0, "pad")
    dilate = as_tuple(dilate, n, 1, "dilate", 1)
    reach = tuple((k - 1) * d + 1 for k, d in zip(kernel, dilate))
    out = tuple((x + 2 * p - r) // s + 1 for x, p, r, s in zip(size, pad, reach, stride))
    if min(out) < 1 or min(kernel) < 1:
        raise ValueError(
            f"the kernel {kernel} reaches over {reach}, more than the data {size} padded by {pad}; "
            "enlarge pad or take a smaller kernel"
        )
    return Window(size, kernel, stride, pad, dilate, out)


# ------------------------------------------------------------------------------- columns


def _batch_last(n: int, window: Window) -> bool:
    return n >= 2 * window.out[-1]


def _tail(batch: int, spatial: Ints, last: bool) -> Ints:
    return (*spatial, batch) if last else (batch, *spatial)


def _channel_first(x: Any, last: bool) -> Any:
    """(batch, channels, *spatial) as (channels, batch and *spatial), a view."""
    rest = range(2, x.ndim)
    return x.transpose((1, *rest, 0) if last else (1, 0, *rest))


def _inside(window: Window, last: bool) -> tuple[slice, ...]:
    """The picture without its padding, after the channel axis."""
    spatial = tuple(slice(p, p + n) for p, n in zip(window.pad, window.size))
    return (slice(None), *spatial) if last else (slice(None), slice(None), *spatial)


def _at(window: Window, place: Ints, last: bool) -> tuple[slice, ...]:
    spatial = window.at(place)
    return (slice(None), *spatial) if last else (slice(None), slice(None), *spatial)


def _padded_shape(channels: int, batch: int, window: Window, last: bool) -> Ints:
    spatial = tuple(n + 2 * p for n, p in zip(window.size, window.pad))
    return (channels, *_tail(batch, spatial, last))


def _columns(x: Any, window: Window, last: bool) -> Any:
    """Every window of `x` as a column: (channels, *kernel, batch and positions)."""
    n, channels = x.shape[:2]
    moved = _channel_first(x, last)
    if any(window.pad):
        padded = np.zeros(_padded_shape(channels, n, window, last), x.dtype)
        padded[_inside(window, last)] = moved
        moved = padded
    elif last:
        moved = np.ascontiguousarray(moved)
    columns = np.empty((channels, *window.kernel, *_tail(n, window.out, last)), wide(x.dtype))
    for place in np.ndindex(*window.kernel):
        columns[(slice(None), *place)] = moved[_at(window, place, last)]
    return columns


def _add_columns(columns: Any, out: Any, window: Window, last: bool) -> None:
    """The transpose of `_columns`: write the sum of what meets each element into `out`."""
    n, channels = out.shape[:2]
    padded = np.zeros(_padded_shape(channels, n, window, last), columns.dtype)
    for place in np.ndindex(*window.kernel):
        part = padded[_at(window, place, last)]
        part += columns[(slice(None), *place)]
    _channel_first(out, last)[...] = padded[_inside(window, last)]


def _matrix(x: Any, groups: int, inner: int) -> Any:
    """The leading axis of `x` split in groups: (groups, inner, rest), no groups axis for 1."""
    shape = (inner, -1) if groups == 1 else (groups, inner, -1)
    return x.reshape(shape)


def _chunks(batch: int, channels: int, window: Window) -> Iterator[slice]:
    step = max(1, CHUNK // max(1, channels * prod(window.kernel) * prod(window.out)))
    return (slice(k, k + step) for k in range(0, batch, step))


def im2col(x: Any, *, kernel: Any, stride: Any = None, pad: Any = None, dilate: Any = None) -> Any:
    """Every window of `x` as a column: (batch, channels and kernel, positions)."""
    if x.ndim < 3:
        raise ValueError(f"x is (batch, channels, *spatial), not {x.shape}")
    kernel = as_tuple(kernel, x.ndim - 2, 1, "kernel", 1)
    window = make_window(x.shape[2:], kernel, stride, pad, dilate)
    n, channels = x.shape[:2]
    padded = np.pad(x, [(0, 0), (0, 0), *zip(window.pad, window.pad)])
    columns = np.empty((n, channels, *window.kernel, *window.out), x.dtype)
    for place in np.ndindex(*window.kernel):
        columns[(slice(None), slice(None), *place)] = padded[_at(window, place, False)]
    return columns.reshape(n, channels * prod(window.kernel), prod(window.out))


def col2im(
    x: Any, *, shape: Ints, kernel: Any, stride: Any = None, pad: Any = None, dilate: Any = None
) -> Any:
    """The transpose of `im2col`: add up what meets each element of spatial `shape`."""
    kernel = as_tuple(kernel, len(shape), 1, "kernel", 1)
    window = make_window(tuple(shape), kernel, stride, pad, dilate)
    if x.ndim != 3 or x.shape[1] % prod(kernel) or x.shape[2] != prod(window.out):
        raise ValueError(
            f"x has shape {x.shape}; a picture of {tuple(shape)} has {prod(window.out)} positions,"
            f" so that x needs (batch, a multiple of {prod(kernel)}, {prod(window.out)})"
        )
    n, channels = len(x), x.shape[1] // prod(kernel)
    columns = x.astype(wide(x.dtype), copy=False).reshape(n, channels, *kernel, *window.out)
    y = np.empty((n, channels, *shape), x.dtype)
    _add_columns(np.moveaxis(columns, 0, len(kernel) + 1), y, window, False)
    return y


# ---------------------------------------------------------------------- the three products


def _check(x: Any, weight: Any, num_group: int, what: str) -> None:
    if x.ndim < 3 or weight.ndim != x.ndim:
        raise ValueError(
            f"{what} is (batch, channels, *spatial) and weight (out, in, *kernel) with as many "
            f"axes, not shapes {x.shape} and {weight.shape}"
        )
    if num_group < 1 or weight.shape[0] % num_group:
        raise ValueError(f"weight {weight.shape} cannot be cut into num_group={num_group} groups")


def _same_dtype(x: Any, weight: Any) -> tuple[Any, Any]:
    if x.dtype == weight.dtype:
        return x, weight
    kind = np.result_type(x, weight)
    return x.astype(kind, copy=False), weight.astype(kind, copy=False)


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
    _check(x, weight, num_group, "x")
    if x.shape[1] != weight.shape[1] * num_group:
        raise ValueError(
            f"x has {x.shape[1]} channels; weight {weight.shape} with num_group={num_group} takes "
            f"{weight.shape[1] * num_group}"
        )
    x, weight = _same_dtype(x, weight)
    window = make_window(x.shape[2:], weight.shape[2:], stride, pad, dilate)
    if prod(window.kernel) == 1 == num_group and not any(window.pad) and window.out == window.size:
        y = _pointwise(x, weight)
    else:
        y = _convolve(x, weight, window, num_group)
    return _add_bias(y, bias)


def _pointwise(x: Any, weight: Any) -> Any:
    """A 1 x 1 kernel mixes the channels only: no columns are needed."""
    n, channels = x.shape[:2]
    kind = wide(x.dtype)
    matrix = weight.reshape(-1, channels).astype(kind, copy=False)
    y = matrix @ x.reshape(n, channels, prod(x.shape[2:])).astype(kind, copy=False)
    return y.reshape(n, len(matrix), *x.shape[2:]).astype(x.dtype, copy=False)


def _convolve(x: Any, weight: Any, window: Window, groups: int) -> Any:
    n, channels = x.shape[:2]
    filters = weight.shape[0]
    y = np.empty((n, filters, *window.out), x.dtype)
    matrix = _matrix(weight.astype(wide(x.dtype), copy=False), groups, filters // groups)
    for part in _chunks(n, channels, window):
        batch = x[part]
        last = _batch_last(len(batch), window)
        columns = _columns(batch, window, last)
        columns = _matrix(columns, groups, channels // groups * prod(window.kernel))
        product = (matrix @ columns).reshape(filters, *_tail(len(batch), window.out, last))
        _channel_first(y[part], last)[...] = product
    return y


def _add_bias(y: Any, bias: Any) -> Any:
    """`y`, in place where the dtypes are equal, with one value of the bias for each channel."""
    if bias is None:
        return y
    if bias.shape != y.shape[1:2]:
        raise ValueError(
            f"bias has shape {bias.shape}, one for each output channel is {y.shape[1:2]}"
        )
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
    _check(x, weight, num_group, "x")
    window = make_window(tuple(shape), weight.shape[2:], stride, pad, dilate)
    if x.shape[1:] != (weight.shape[0], *window.out):
        raise ValueError(
            f"x has shape {x.shape}; weight {weight.shape} makes {(weight.shape[0], *window.out)} "
            f"of a picture of shape {tuple(shape)}"
        )
    n, filters = x.shape[:2]
    per_group = weight.shape[1]
    kind = wide(x.dtype)
    y = np.empty((n, per_group * num_group, *window.size), x.dtype)
    matrix = _matrix(weight.astype(kind, copy=False), num_group, filters // num_group)
    matrix = matrix.swapaxes(-1, -2)
    for part in _chunks(n, y.shape[1], window):
        batch = x[part]
        last = _batch_last(len(batch), window)
        moved = _channel_first(batch, last).astype(kind, order="C", copy=False)
        columns = matrix @ _matrix(moved, num_group, filters // num_group)
        columns = columns.reshape(y.shape[1], *window.kernel, *_tail(len(batch), window.out, last))
        _add_columns(columns, y[part], window, last)
    return y


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
    window = make_window(x.shape[2:], tuple(kernel), stride, pad, dilate)
    if out_grad.shape[2:] != window.out or len(out_grad) != len(x):
        raise ValueError(
            f"out_grad has shape {out_grad.shape}, the positions of the kernel are {window.out}"
        )
    channels, filters = x.shape[1], out_grad.shape[1]
    kind = wide(x.dtype)
    inner, outer = channels // num_group * prod(window.kernel), filters // num_group
    total = np.zeros((inner, outer) if num_group == 1 else (num_group, inner, outer), kind)
    for part in _chunks(len(x), channels, window):
        last = _batch_last(len(x[part]), window)
        columns = _matrix(_columns(x[part], window, last), num_group, inner)
        moved = _channel_first(out_grad[part], last).astype(kind, order="C", copy=False)
        total += columns @ _matrix(moved, num_group, outer).swapaxes(-1, -2)
    shape = (filters, channels // num_group, *window.kernel)
    return total.swapaxes(-1, -2).reshape(shape).astype(x.dtype, copy=False)


# -------------------------------------------------------------------------- deconvolution


class Spread(NamedTuple):
    """The picture a deconvolution makes, and the padding taken off it."""

    shape: Ints
    pad: Ints


def spread(
    size: Ints, kernel: Ints, stride: Any, pad: Any, dilate: Any, adj: Any, target_shape: Any
) -> Spread:
    """What a deconvolution makes of a picture of shape `size`."""
    n = len(size)
    stride = as_tuple(stride, n, 1, "stride", 1)
    dilate = as_tuple(dilate, n, 1, "dilate", 1)
    pad = as_tuple(pad, n, 0, "pad")
    adj = as_tuple(adj, n, 0, "adj")
    full = tuple(s * (x - 1) + (k - 1) * d + 1 for s, x, k, d in zip(stride, size, kernel, dilate))
    if target_shape is not None and any(target := as_tuple(target_shape, n, 0, "target_shape")):
        excess = tuple(f - t for f, t in zip(full, target))
        if min(excess) < 0:
            raise ValueError(f"target_shape={target} is larger than the {full} there is to crop")
        return Spread(target, tuple((e + 1) // 2 for e in excess))
    if any(a >= s for a, s in zip(adj, stride)):
        raise ValueError(f"adj={adj} must be smaller than stride={stride}")
    shape = tuple(f - 2 * p + a for f, p, a in zip(full, pad, adj))
    if min(shape) < 1:
        raise ValueError(f"pad={pad} leaves nothing of the output {full}")
    return Spread(shape, pad)


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
    _check(x, weight, num_group, "x")
    if x.shape[1] != weight.shape[0]:
        raise ValueError(
            f"x has {x.shape[1]} channels, weight {weight.shape} takes {weight.shape[0]}"
        )
    x, weight = _same_dtype(x, weight)
    to = spread(x.shape[2:], weight.shape[2:], stride, pad, dilate, adj, target_shape)
    y = convolution_input_grad(
        x, weight, shape=to.shape, stride=stride, pad=to.pad, dilate=dilate, num_group=num_group
    )
    return _add_bias(y, bias)
