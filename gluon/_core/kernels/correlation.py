"""Kernels that compare the patches of one image with those around them in another.

Images are padded and their channels come last. For each displacement the two meet in a region of
the same size: *here* in the first one, shifted in the second. The sum over channels there, and then
over the patches, is one channel of the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from .linalg import wide

Ints = tuple[int, ...]
Region = tuple[slice, slice, slice]


class Plan(NamedTuple):
    """Which patches meet.

    Attributes
    ----------
    out : tuple of int
        The number of patches along y and x.
    size : tuple of int
        The pixels that these patches reach over.
    shifts : list of (int, int)
        The displacements.
    start, kernel, stride, pad : int
        Where the first patch begins, the size of patches, the distance of two, the padding.
    share : float
        What the sums are multiplied by.
    """

    out: Ints
    size: Ints
    shifts: list[Ints]
    start: int
    kernel: int
    stride: int
    pad: int
    share: float

    def region(self, shift: Ints = (0, 0)) -> Region:
        """Where the images meet at a displacement."""
        down, across = (slice(self.start + s, self.start + s + n) for s, n in zip(shift, self.size))
        return slice(None), down, across

    def offsets(self) -> Iterator[Region]:
        """One pixel of each patch, after the other, within the region."""
        for place in np.ndindex(self.kernel, self.kernel):
            down, across = (
                slice(k, k + (n - 1) * self.stride + 1, self.stride)
                for k, n in zip(place, self.out)
            )
            yield slice(None), down, across


def make_plan(shape: Ints, kernel: int, reach: int, stride1: int, stride2: int, pad: int) -> Plan:
    """The `Plan` for images of `shape`."""
    if len(shape) != 4:
        raise ValueError(f"images are (batch, channels, height, width), not {shape}")
    if kernel < 1 or kernel % 2 == 0:
        raise ValueError(f"kernel_size={kernel} must be odd")
    if min(stride1, stride2) < 1 or min(reach, pad) < 0:
        raise ValueError(
            f"stride1={stride1} and stride2={stride2} must be 1 or more, max_displacement={reach}"
            f" and pad_size={pad} 0 or more"
        )
    border = 2 * (reach + kernel // 2)
    out = tuple(-((border - n - 2 * pad) // stride1) for n in shape[2:])
    if min(out) < 1:
        raise ValueError(
            f"patches of {kernel} moved by {reach} do not fit into images {shape} padded by {pad}"
        )
    size = tuple((n - 1) * stride1 + kernel for n in out)
    steps = [k * stride2 for k in range(-(reach // stride2), reach // stride2 + 1)]
    shifts: list[Ints] = [(down, across) for down in steps for across in steps]
    share = 1 / (kernel * kernel * max(1, shape[1]))
    return Plan(out, size, shifts, reach, kernel, stride1, pad, share)


def _padded(x: Any, plan: Plan) -> Any:
    """Return `x` padded, with its channels last."""
    border = (plan.pad, plan.pad)
    last = x.transpose(0, 2, 3, 1).astype(wide(x.dtype), copy=False)
    return np.pad(last, [(0, 0), border, border, (0, 0)])


def _unpadded(x: Any, plan: Plan, dtype: Any) -> Any:
    """The transpose of `_padded`."""
    inside = slice(plan.pad, -plan.pad or None)
    return np.ascontiguousarray(x[:, inside, inside].transpose(0, 3, 1, 2), dtype)


def _meet(compare: Callable, arrays: list, shape: Ints, dtype: Any, plan: Plan) -> Any:
    """Return ``compare(*arrays)`` with one array shifted, summed over each patch."""
    y = np.zeros((shape[0], len(plan.shifts), *plan.out), wide(dtype))
    for k, shift in enumerate(plan.shifts):
        total = compare(*(a[plan.region(shift if moves else (0, 0))] for a, moves in arrays))
        for part in plan.offsets():
            y[:, k] += total[part]
    return (y * plan.share).astype(dtype, copy=False)


def _spread(x: Any, plan: Plan) -> Iterator[tuple[Ints, Any]]:
    """Yield each displacement, and its channel of x spread over the pixels of the patches."""
    for k, shift in enumerate(plan.shifts):
        total = np.zeros((len(x), *plan.size, 1), wide(x.dtype))
        for part in plan.offsets():
            total[(*part, 0)] += x[:, k]
        yield shift, total * total.dtype.type(plan.share)


def _check(x1: Any, x2: Any) -> None:
    if x1.shape != x2.shape:
        raise ValueError(f"the two images have different shapes, {x1.shape} and {x2.shape}")


def _dot(a: Any, b: Any) -> Any:
    return np.einsum("nhwc,nhwc->nhw", a, b)


def correlation(
    x1: Any, x2: Any, *, kernel: int, reach: int, stride1: int, stride2: int, pad: int
) -> Any:
    """The mean product of each patch of x1 with each near it in x2, a channel a displacement."""
    _check(x1, x2)
    plan = make_plan(x1.shape, kernel, reach, stride1, stride2, pad)
    arrays = [(_padded(x1, plan), False), (_padded(x2, plan), True)]
    return _meet(_dot, arrays, x1.shape, x1.dtype, plan)


def correlation_grad(
    x: Any,
    other: Any,
    *,
    first: bool,
    kernel: int,
    reach: int,
    stride1: int,
    stride2: int,
    pad: int,
) -> Any:
    """The transpose of `correlation` in its first or second input, given the other one."""
    plan = make_plan(other.shape, kernel, reach, stride1, stride2, pad)
    padded = _padded(other, plan)
    total = np.zeros_like(padded)
    for shift, values in _spread(x, plan):
        to, source = (plan.region(s) for s in (((0, 0), shift) if first else (shift, (0, 0))))
        total[to] += values * padded[source]
    return _unpadded(total, plan, x.dtype)


def _sign(a: Any, b: Any) -> Any:
    """The slope of ``|a - b|`` in a; at equality, the slope from the right."""
    return np.where(a >= b, a.dtype.type(1), a.dtype.type(-1))


def distance(
    x1: Any, x2: Any, *, kernel: int, reach: int, stride1: int, stride2: int, pad: int
) -> Any:
    """As `correlation`, with absolute differences in place of products."""
    _check(x1, x2)
    plan = make_plan(x1.shape, kernel, reach, stride1, stride2, pad)
    arrays = [(_padded(x1, plan), False), (_padded(x2, plan), True)]
    return _meet(lambda a, b: np.abs(a - b).sum(-1), arrays, x1.shape, x1.dtype, plan)


def distance_slope(
    x: Any,
    x1: Any,
    x2: Any,
    *,
    first: bool,
    kernel: int,
    reach: int,
    stride1: int,
    stride2: int,
    pad: int,
) -> Any:
    """How fast `distance` changes when its first or second input moves along x."""
    plan = make_plan(x1.shape, kernel, reach, stride1, stride2, pad)
    arrays = [(_padded(x1, plan), False), (_padded(x2, plan), True), (_padded(x, plan), not first)]
    sign = 1 if first else -1
    return _meet(lambda a, b, u: _dot(sign * _sign(a, b), u), arrays, x1.shape, x.dtype, plan)


def distance_grad(
    x: Any,
    x1: Any,
    x2: Any,
    *,
    first: bool,
    kernel: int,
    reach: int,
    stride1: int,
    stride2: int,
    pad: int,
) -> Any:
    """The transpose of `distance_slope`."""
    plan = make_plan(x1.shape, kernel, reach, stride1, stride2, pad)
    here, there = _padded(x1, plan), _padded(x2, plan)
    total = np.zeros_like(here)
    for shift, values in _spread(x, plan):
        signs = _sign(here[plan.region()], there[plan.region(shift)])
        total[plan.region((0, 0) if first else shift)] += values * (signs if first else -signs)
    return _unpadded(total, plan, x.dtype)
