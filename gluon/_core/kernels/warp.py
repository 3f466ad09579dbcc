"""Kernels that read images (batch, channels, height, width) between their pixels.

A point between pixels has the bilinear interpolation of the four around it. Both its slopes have
the same form with other weights, so that one kernel and its transpose give all derivatives.

Each channel is one line of all pixels, in which each image has a border of zeros two pixels wide:
whatever lies outside is a pixel as well, and the four pixels around a point are always neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from .linalg import gemm, wide
from .parallel import in_blocks

Ints = tuple[int, ...]
#: Maps a border mode to a function that tells which positions along an axis of n pixels have a
#: value; positions outside take that of the nearest pixel. With the mode "zero", zeros surround the
#: image.
INSIDE: dict[str, Callable[..., Any]] = {
    "deform": lambda at, n: (at >= 0) & (at < n),
    "part": lambda at, n: (at >= -0.5) & (at <= n - 0.5),
    "align": lambda at, n: (at >= -1) & (at <= n),
}
#: The width of the border of zeros.
BORDER = 2


# -------------------------------------------------------------------------------- weights


def neighbours(at: Any, n: int, border: str) -> tuple[Any, Any, Any]:
    """The pixel before each place along an axis, how far on it is, and how steep the way is.

    Pixels are counted in a line with its borders of zeros, so that there is always one after. Where
    all is level, beyond the last pixel, the steepness is 0; elsewhere it is 1.
    """
    steep = None
    if border != "zero":
        inside = INSIDE[border](at, n)
        steep = (inside & (at >= 0) & (at < n - 1)).astype(at.dtype)
        at = np.clip(at, 0, n - 1)
    with np.errstate(invalid="ignore"):  # a NaN position has a NaN fraction
        whole = np.floor(at)
        fraction = at - whole
    # Unlike clip, these move NaN positions to the border.
    np.fmax(whole, at.dtype.type(-BORDER), out=whole)
    np.fmin(whole, at.dtype.type(n), out=whole)
    low = whole.astype(np.intp)
    low += BORDER
    if steep is not None:
        low[~inside] = 0
    return low, fraction, np.ones((), at.dtype) if steep is None else steep


class Points(NamedTuple):
    """Where points lie among the pixels.

    Attributes
    ----------
    places : array of int
        The pixel above and to the left of each point, in one line of all pixels.
    width : int
        How far on the pixel below is.
    sides : tuple
        For both axes how far on each point is, and how steep the way is.
    """

    places: Any
    width: int
    sides: tuple[Any, ...]

    def corners(self, slope: Ints = (0, 0), share: Any = None) -> list[tuple[int, Any]]:
        """How far on each of the four pixels is, and its weights, or the slopes of these."""
        down, across = (
            (-steep, steep) if steeper else (1 - fraction, fraction)
            for (fraction, steep), steeper in zip(self.sides, slope)
        )
        if share is not None:
            down = tuple(weight * share for weight in down)
        shape = self.places.shape
        return [
            (i * self.width + j, np.broadcast_to(row * column, shape).reshape(-1))
            for i, row in enumerate(down)
            for j, column in enumerate(across)
        ]


def locate(shape: Ints, rows: Any, columns: Any, images: Any, border: str) -> Points:
    """The `Points` of lists of rows and columns; list k is of image images[k], or k."""
    height, width = (n + 2 * BORDER for n in shape[2:])
    image = np.arange(len(rows)) if images is None else images
    if len(image) and image.max() >= shape[0]:
        raise IndexError(f"image {image.max()} is out of range for {shape[0]} images")
    rows, columns = (at.astype(wide(at.dtype), copy=False) for at in (rows, columns))
    low, *down = neighbours(rows, shape[2], border)
    places, *across = neighbours(columns, shape[3], border)
    low *= width
    places += low
    places += (image * (height * width))[:, None]
    if images is not None:
        places[image < 0] = 0
    return Points(places, width, (down, across))


# --------------------------------------------------------------------------------- pixels


def pixels(x: Any) -> Any:
    """The lines of all pixels with their borders, (channels, pixels)."""
    n, channels, height, width = x.shape
    shape = (channels, n, height + 2 * BORDER, width + 2 * BORDER)
    out = np.zeros(shape, wide(x.dtype))
    out[:, :, BORDER:-BORDER, BORDER:-BORDER] = x.swapaxes(0, 1)
    return out.reshape(channels, count(x.shape))


def pictures(lines: Any, shape: Ints, dtype: Any) -> Any:
    """The transpose of `pixels`."""
    n, channels, height, width = shape
    x = lines.reshape(channels, n, height + 2 * BORDER, width + 2 * BORDER)
    x = x[:, :, BORDER:-BORDER, BORDER:-BORDER]
    return np.ascontiguousarray(x.swapaxes(0, 1), dtype)


def count(shape: Ints) -> int:
    """How many pixels a channel of all images has, with the borders."""
    return shape[0] * (shape[2] + 2 * BORDER) * (shape[3] + 2 * BORDER)


def gather(lines: Any, places: Any, corners: list[Any]) -> Any:
    """The weighted sum of the pixels around each point: (channels, points)."""
    flat = places.reshape(-1)
    y = np.zeros((len(lines), flat.size), np.result_type(lines, corners[0][1]))
    part = np.empty(flat.size, lines.dtype)
    for line, total in zip(lines, y):
        for further, weights in corners:
            # All positions are valid: "clip" only skips the check.
            line[further:].take(flat, out=part, mode="clip")
            total += np.multiply(part, weights, out=part if part.dtype == y.dtype else None)
    return y


def scatter(values: Any, places: Any, corners: list[Any], size: int) -> Any:
    """The transpose of `gather`, to lines of `size` pixels."""
    flat = np.concatenate([places.reshape(-1) + further for further, _ in corners])
    total = np.zeros((len(values), size), values.dtype)
    part = np.empty((len(corners), places.size))
    for line, value in zip(total, values):
        for weighted, (_, weights) in zip(part, corners):
            np.multiply(value, weights, out=weighted)
        line[...] = np.bincount(flat, part.reshape(-1), size)
    return total


def _check(shape: Ints, rows: Any, columns: Any) -> None:
    if len(shape) != 4 or not (shape[2] and shape[3]):
        raise ValueError(f"images are (batch, channels, height, width), not {shape}")
    if rows.ndim != 2 or rows.shape != columns.shape:
        raise ValueError(
            f"rows and columns are both (lists, points), not {rows.shape} and {columns.shape}"
        )


def sample(
    x: Any,
    rows: Any,
    columns: Any,
    images: Any = None,
    *,
    border: str = "zero",
    slope: Ints = (0, 0),
) -> Any:
    """The images at lists of points, (lists, channels, points); list k is of image images[k].

    `slope` says how often to differentiate by the row and by the column.
    """
    if max(slope) > 1:
        return np.zeros((len(rows), x.shape[1], rows.shape[1]), x.dtype)
    _check(x.shape, rows, columns)
    y = np.empty((len(rows), x.shape[1], rows.shape[1]), x.dtype)

    def task(part: slice, own: slice) -> None:
        points = locate(x[own].shape, rows[part], columns[part], _of(images, part), border)
        values = gather(pixels(x[own]), points.places, points.corners(slope))
        y[part] = values.reshape(x.shape[1], len(y[part]), rows.shape[1]).swapaxes(0, 1)

    _in_turn(task, rows, images)
    return y


def _in_turn(task: Callable, rows: Any, images: Any) -> None:
    """Run ``task(some lists, their images)``, in blocks if each list has its own image."""
    if images is not None or not rows.size:
        task(slice(None), slice(None))
        return
    in_blocks(lambda a, b: task(slice(a, b), slice(a, b)), len(rows), rows.size)


def _of(images: Any, part: slice) -> Any:
    return None if images is None else images[part]


def _channels(x: Any) -> Any:
    """Return (lists, channels, points) as (channels, lists * points), in a computing dtype."""
    lists, channels, points = x.shape
    return x.swapaxes(0, 1).astype(wide(x.dtype), copy=False).reshape(channels, lists * points)


def sample_grad(
    x: Any,
    rows: Any,
    columns: Any,
    images: Any = None,
    *,
    shape: Ints,
    border: str = "zero",
    slope: Ints = (0, 0),
) -> Any:
    """The transpose of `sample` from images of `shape`."""
    if max(slope) > 1:
        return np.zeros(shape, x.dtype)
    _check(shape, rows, columns)
    y = np.empty(shape, x.dtype)

    def task(part: slice, own: slice) -> None:
        to = y[own].shape
        points = locate(to, rows[part], columns[part], _of(images, part), border)
        total = scatter(_channels(x[part]), points.places, points.corners(slope), count(to))
        y[own] = pictures(total, to, x.dtype)

    _in_turn(task, rows, images)
    return y


def sample_slopes(
    x: Any,
    values: Any,
    rows: Any,
    columns: Any,
    images: Any = None,
    *,
    border: str = "zero",
    slope: Ints = (0, 0),
) -> tuple[Any, Any]:
    """The sum over the channels of `values` times the slopes of `sample` by row and by column."""
    _check(x.shape, rows, columns)
    steeper = [(slope[0] + 1, slope[1]), (slope[0], slope[1] + 1)]
    y = np.zeros((2, *rows.shape), rows.dtype)

    def task(part: slice, own: slice) -> None:
        points = locate(x[own].shape, rows[part], columns[part], _of(images, part), border)
        products = list(_products(pixels(x[own]), _channels(values[part]), points))
        for total, one in zip(y[:, part], steeper):
            if max(one) <= 1:
                pairs = zip(products, points.corners(one))
                total[...] = sum(p * weights for p, (_, weights) in pairs).reshape(total.shape)

    _in_turn(task, rows, images)
    return y[0], y[1]


def _products(lines: Any, values: Any, points: Points) -> Iterator[Any]:
    """Yield for each corner the sum over the channels of `values` times the pixels."""
    flat = points.places.reshape(-1)
    part = np.empty(flat.size, lines.dtype)
    for further, _ in points.corners():
        product = np.zeros(flat.size, lines.dtype)
        for line, value in zip(lines, values):
            line[further:].take(flat, out=part, mode="clip")
            part *= value
            product += part
        yield product


# ---------------------------------------------------------------------------------- grids


def _axis(n: int) -> Any:
    """Return `n` positions from -1 to 1; a single one is at the centre."""
    return np.linspace(-1, 1, n) if n > 1 else np.zeros(1)


def _plane(size: Ints, dtype: Any) -> Any:
    """Return the points (x, y, 1) of an image of `size`, one per column."""
    y, x = np.meshgrid(_axis(size[0]), _axis(size[1]), indexing="ij")
    return np.stack([x.ravel(), y.ravel(), np.ones(x.size)]).astype(dtype)


def affine_grid(x: Any, *, size: Ints) -> Any:
    """Where the matrices x, (batch, 6), move the points of an image: (batch, 2, *size)."""
    if x.ndim != 2 or x.shape[1] != 6 or len(size) != 2 or min(size) < 1:
        raise ValueError(f"x is (batch, 6) and size two positive numbers, not {x.shape} and {size}")
    return gemm(x.reshape(-1, 2, 3), _plane(size, x.dtype)).reshape(len(x), 2, *size)


def affine_grid_grad(x: Any) -> Any:
    """The transpose of `affine_grid`."""
    flat = x.reshape(len(x), 2, x.shape[2] * x.shape[3])
    return gemm(flat, _plane(x.shape[2:], x.dtype).T).reshape(len(x), 6)


def _halves(shape: Ints, dtype: Any) -> Any:
    """Return half the distance between the first and the last pixel, for x and for y."""
    return np.array([shape[3] - 1, shape[2] - 1], dtype).reshape(2, 1, 1) / 2


def flow_grid(x: Any) -> Any:
    """Where the flow x, (batch, 2, height, width) in pixels, moves the points of an image."""
    if x.ndim != 4 or x.shape[1] != 2 or min(x.shape[2:]) < 2:
        raise ValueError(
            f"a flow is (batch, 2, height, width) of 2 x 2 pixels or more, not {x.shape}"
        )
    down, along = np.indices(x.shape[2:]).astype(x.dtype)
    return (x + np.stack([along, down])) / _halves(x.shape, x.dtype) - x.dtype.type(1)


def flow_grid_grad(x: Any) -> Any:
    """The transpose of the linear part of `flow_grid`, which is its own."""
    return x / _halves(x.shape, x.dtype)
