"""Pooling in any number of dimensions: sums, averages and maxima over moving windows.

Sums and maxima go axis by axis: a window of 3 x 3 costs 3 + 3 passes, not 9. A window that
reaches over the border has fewer elements; MXNet's convention "full" even makes windows
without any, whose sum is 0 and whose maximum is the lowest finite number.
"""

from __future__ import annotations

from math import ceil, prod
from typing import Any, NamedTuple

import numpy as np

from .conv import Ints, as_tuple
from .elementwise import where
from .indexing import add_values
from .linalg import wide
from .sums import summed

#: Up to this many window elements, iterating over them is fastest.
FEW = 16
CONVENTIONS = ("valid", "full", "same")
#: The divisors of sums: none, the window size, or the part of the window inside.
DIVISORS = (None, "window", "inside")


class Windows(NamedTuple):
    """Where the windows lie along one axis: `out` of them, `stride` apart, from ``-pad`` on."""

    size: int
    kernel: int
    stride: int
    pad: int
    out: int

    @property
    def reach(self) -> int:
        """From the first place of the first window to that of the last, inclusive."""
        return (self.out - 1) * self.stride + 1

    @property
    def border(self) -> tuple[int, int]:
        """How much the axis must be lengthened for every window to lie within."""
        return self.pad, max(0, self.reach + self.kernel - 1 - self.pad - self.size)

    def at(self, place: int) -> slice:
        """The element number `place` of each window, on the lengthened axis."""
        return slice(place, place + self.reach, self.stride)

    def counts(self, inside: bool) -> Any:
        """How many elements each window averages over, with those of the padding or without."""
        start = np.arange(self.out) * self.stride - self.pad
        stop = np.minimum(start + self.kernel, self.size + (0 if inside else self.pad))
        return np.maximum(stop - (np.maximum(start, 0) if inside else start), 1)


def windows(
    size: Ints, kernel: Any, stride: Any = None, pad: Any = None, convention: str = "valid"
) -> list[Windows]:
    """The `Windows` of each spatial axis."""
    n = len(size)
    if n < 1:
        raise ValueError("pooling takes data of shape (batch, channels, *spatial)")
    kernel = as_tuple(kernel, n, 1, "kernel", 1)
    stride = as_tuple(stride, n, 1, "stride", 1)
    pad = as_tuple(pad, n, 0, "pad")
    if convention not in CONVENTIONS:
        raise ValueError(f"pooling_convention={convention!r} is not one of {CONVENTIONS}")
    if convention == "same" and any(pad):
        raise ValueError("pooling_convention='same' takes no pad")
    if any(p >= k for p, k in zip(pad, kernel)):
        raise ValueError(f"pad={pad} must be smaller than kernel={kernel}")
    if convention != "same" and any(k > x + 2 * p for k, x, p in zip(kernel, size, pad)):
        raise ValueError(
            f"kernel={kernel} is larger than the data {size} padded by {pad};"
            " give larger images, or a smaller kernel"
        )
    axes = zip(size, kernel, stride, pad)
    return [Windows(*axis, _positions(*axis, convention)) for axis in axes]


def _positions(size: int, kernel: int, stride: int, pad: int, convention: str) -> int:
    if convention == "same":
        return ceil(size / stride)
    steps = (size + 2 * pad - kernel) / stride
    return 1 + (ceil(steps) if convention == "full" else int(steps))


def _lengthened(x: Any, axes: list[Windows], value: Any) -> Any:
    if not any(any(axis.border) for axis in axes):
        return x
    width = [(0, 0), (0, 0), *(axis.border for axis in axes)]
    return np.pad(x, width, constant_values=value)


def _fold(x: Any, axes: list[Windows], combine: Any) -> Any:
    """Combine the elements of each window, one axis after the other, of a padded `x`."""
    for k, axis in enumerate(axes, 2):
        parts = [x[(slice(None),) * k + (axis.at(place),)] for place in range(axis.kernel)]
        if axis.out == 1:
            part = x[(slice(None),) * k + (slice(0, axis.kernel),)]
            x = summed(part, k) if combine is np.add else combine.reduce(part, k, keepdims=True)
        elif axis.kernel == 1:
            x = parts[0]
        else:
            x = combine(parts[0], parts[1])
            for part in parts[2:]:
                combine(x, part, out=x)
    return x


def _lowest(dtype: Any) -> Any:
    if dtype.kind == "V":  # bfloat16, whose limits NumPy does not know
        return dtype.type(-np.inf)
    return np.finfo(dtype).min if dtype.kind == "f" else np.iinfo(dtype).min


# ---------------------------------------------------------------------------- sum, average


def _divisor(axes: list[Windows], divide_by: str | None, dtype: Any) -> Any:
    """Return the divisor of the sums, shaped to broadcast; None for no division."""
    if divide_by is None:
        return None
    if divide_by not in DIVISORS:
        raise ValueError(f"divide_by={divide_by!r} is not one of None, 'window', 'inside'")
    total = np.ones((), dtype)
    for axis in axes:
        total = total[..., None] * axis.counts(divide_by == "inside").astype(dtype)
    return total


def sum_pool(
    x: Any,
    *,
    kernel: Any,
    stride: Any = None,
    pad: Any = None,
    convention: str = "valid",
    divide_by: str | None = None,
) -> Any:
    """The sum over each window, divided by the size of the "window" or its part "inside"."""
    axes = windows(x.shape[2:], kernel, stride, pad, convention)
    wider = x.astype(wide(x.dtype), copy=False)
    y = _fold(_lengthened(wider, axes, 0), axes, np.add)
    divisor = _divisor(axes, divide_by, y.dtype)
    if divisor is not None:
        y = y / divisor
    y = y.astype(x.dtype, copy=False)
    return y.copy() if np.may_share_memory(y, x) else y


def sum_pool_grad(
    x: Any,
    *,
    shape: Ints,
    kernel: Any,
    stride: Any = None,
    pad: Any = None,
    convention: str = "valid",
    divide_by: str | None = None,
) -> Any:
    """The transpose of `sum_pool`: give each element of `shape` the sum over its windows."""
    axes = windows(tuple(shape), kernel, stride, pad, convention)
    y = x.astype(wide(x.dtype), copy=False)
    divisor = _divisor(axes, divide_by, y.dtype)
    if divisor is not None:
        y = y / divisor
    for k in reversed(range(len(axes))):
        axis, before = axes[k], (slice(None),) * (k + 2)
        left, right = axis.border
        long = np.zeros((*y.shape[: k + 2], axis.size + left + right, *y.shape[k + 3 :]), y.dtype)
        for place in range(axis.kernel):
            part = long[(*before, axis.at(place))]
            part += y
        y = long[(*before, slice(left, left + axis.size))]
    return np.ascontiguousarray(y, x.dtype)


def lp_pool(
    x: Any,
    *,
    p: int,
    kernel: Any,
    stride: Any = None,
    pad: Any = None,
    convention: str = "valid",
) -> Any:
    """The p-th root of the sum of ``x ** p`` over each window; signs count, as in MXNet."""
    if p not in (1, 2, 3):
        raise ValueError(f"p_value={p!r} is not one of 1, 2, 3")
    powers = x.astype(wide(x.dtype), copy=False) ** p
    total = sum_pool(powers, kernel=kernel, stride=stride, pad=pad, convention=convention)
    root = total if p == 1 else np.sqrt(total) if p == 2 else np.cbrt(total)
    return root.astype(x.dtype, copy=False)


# ------------------------------------------------------------------------------- maximum


def max_pool(
    x: Any, *, kernel: Any, stride: Any = None, pad: Any = None, convention: str = "valid"
) -> Any:
    """The maximum over each window."""
    axes = windows(x.shape[2:], kernel, stride, pad, convention)
    y = _fold(_lengthened(x, axes, _lowest(x.dtype)), axes, np.maximum)
    return y.copy() if np.may_share_memory(y, x) else y


def _elements(x: Any, axes: list[Windows]) -> list[Any]:
    """Return views of each window element over all windows of a padded `x`, row by row."""
    places = np.ndindex(*(axis.kernel for axis in axes))
    every = (slice(None), slice(None))
    return [x[every + tuple(a.at(k) for a, k in zip(axes, place))] for place in places]


def _many(axes: list[Windows]) -> bool:
    """Whether windows have too many elements to iterate over them."""
    return prod(axis.kernel for axis in axes) > FEW


def _searched(x: Any, axes: list[Windows]) -> Any:
    """Return `max_places` of a padded `x`, one axis after the other, the last first."""
    if all(axis.stride >= axis.kernel for axis in axes):  # windows do not overlap
        sides, last = [axis.kernel for axis in axes], tuple(range(2, x.ndim))
        each = np.lib.stride_tricks.sliding_window_view(x, sides, last)
        starts = [slice(0, axis.reach, axis.stride) for axis in axes]
        each = each[(slice(None), slice(None), *starts)]
        return each.reshape(*each.shape[: x.ndim], prod(sides)).argmax(-1)
    places: Any = 0
    for k in reversed(range(len(axes))):
        axis = axes[k]
        every = (slice(None),) * (k + 2)
        each = np.lib.stride_tricks.sliding_window_view(x, axis.kernel, k + 2)
        number = each[(*every, slice(0, axis.reach, axis.stride))].argmax(-1)
        start = np.arange(axis.out) * axis.stride
        at = number + start.reshape(-1, *(1,) * (x.ndim - k - 3))
        x = np.take_along_axis(x, at, k + 2)
        before = number * prod(later.kernel for later in axes[k + 1 :])
        places = before + (np.take_along_axis(places, at, k + 2) if k + 1 < len(axes) else 0)
    return places


def _flat(places: Any, axes: list[Windows], shape: Ints) -> Any:
    """Return the flat positions in a padded array of `shape` of the given window elements."""
    n = prod(shape[:2])
    flat = np.arange(n).reshape(*shape[:2], *(1,) * len(axes))
    numbers = np.unravel_index(places, [axis.kernel for axis in axes])
    for k, (number, axis) in enumerate(zip(numbers, axes)):
        start = np.arange(axis.out) * axis.stride
        flat = flat * shape[k + 2] + start.reshape(-1, *(1,) * (len(axes) - k - 1)) + number
    return flat


def max_places(
    x: Any,
    y: Any,
    *,
    kernel: Any,
    stride: Any = None,
    pad: Any = None,
    convention: str = "valid",
) -> Any:
    """The number of the first element of each window of `x` that is its maximum `y`."""
    axes = windows(x.shape[2:], kernel, stride, pad, convention)
    long = _lengthened(x, axes, _lowest(x.dtype))
    if _many(axes) and x.dtype.kind in "fiu":
        return _searched(long, axes)
    elements = _elements(long, axes)
    # Count the elements before the first that equals y: masked writes take four times as long.
    places = np.zeros(y.shape, np.min_scalar_type(len(elements)))
    before = np.ones(y.shape, bool)
    for element in elements[:-1]:
        before &= element != y
        places += before
    return places


def pick_places(
    x: Any,
    places: Any,
    *,
    kernel: Any,
    stride: Any = None,
    pad: Any = None,
    convention: str = "valid",
) -> Any:
    """The element of each window of `x` that `places` says."""
    axes = windows(x.shape[2:], kernel, stride, pad, convention)
    if _many(axes):
        long = _lengthened(x, axes, 0)
        return long.reshape(-1).take(_flat(places, axes, long.shape))
    y = np.zeros(places.shape, x.dtype)
    for number, element in enumerate(_elements(_lengthened(x, axes, 0), axes)):
        np.copyto(y, element, where=places == number)
    return y


def put_places(
    x: Any,
    places: Any,
    *,
    shape: Ints,
    kernel: Any,
    stride: Any = None,
    pad: Any = None,
    convention: str = "valid",
) -> Any:
    """The transpose of `pick_places`: add each value where it would be picked in `shape`."""
    axes = windows(tuple(shape), kernel, stride, pad, convention)
    borders = [axis.border for axis in axes]
    lengths = (sum(border) + axis.size for border, axis in zip(borders, axes))
    shape = (*x.shape[:2], *lengths)
    if _many(axes):
        flat = _flat(places, axes, shape)
        y = add_values(x.ravel(), flat.ravel(), prod(shape)).reshape(shape)
    else:
        y, zero = np.zeros(shape, wide(x.dtype)), x.dtype.type(0)
        apart = all(axis.stride >= axis.kernel for axis in axes)
        for number, element in enumerate(_elements(y, axes)):
            if apart:
                element[...] = where(places == number, x, zero)
            else:
                element += where(places == number, x, zero)
    if not any(any(border) for border in borders):
        return y.astype(x.dtype, copy=False)
    inside = tuple(slice(left, left + axis.size) for (left, _), axis in zip(borders, axes))
    return np.ascontiguousarray(y[(slice(None), slice(None), *inside)], x.dtype)


def max_pool_push(
    tangent: Any,
    x: Any,
    y: Any,
    *,
    kernel: Any,
    stride: Any = None,
    pad: Any = None,
    convention: str = "valid",
) -> Any:
    """The tangent of `y`: of each window that at the first maximum `y` in `x`."""
    window = {"kernel": kernel, "stride": stride, "pad": pad, "convention": convention}
    return pick_places(tangent, max_places(x, y, **window), **window)


def max_pool_grad(
    out_grad: Any,
    x: Any,
    y: Any,
    *,
    kernel: Any,
    stride: Any = None,
    pad: Any = None,
    convention: str = "valid",
) -> Any:
    """The cotangent of `x`: to the first maximum `y` of each window goes that of the window."""
    window = {"kernel": kernel, "stride": stride, "pad": pad, "convention": convention}
    places = max_places(x, y, **window)
    return put_places(out_grad, places, shape=x.shape[2:], **window)
