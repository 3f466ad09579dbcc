"""Kernels that pool regions of interest of images (batch, channels, height, width).

A region is a row (image, left, top, right, bottom) in the coordinates of an image that `scale`
takes to those of the images; each is cut into as many bins as `pooled` says. Regions of an image
below 0 count as padding and give zeros.

Averages over the bins of upright regions are taken one axis after the other: a matrix for each
region says what its bins take of the rows of the image, another one what of the columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial, reduce
from itertools import product
from math import prod
from typing import Any

import numpy as np

from .columns import CHUNK
from .elementwise import round_away
from .indexing import add_values
from .linalg import sparsely, wide
from .steps import step
from .warp import BORDER, count, gather, locate, neighbours, pictures, pixels, scatter

Ints = tuple[int, ...]
#: Coordinates are clipped to this distance, so that they fit in integers.
FAR = 2.0**30


def read(rois: Any, shape: Ints, width: int = 5) -> tuple[Any, Any]:
    """The number of each region's image, and the coordinates, once they are checked."""
    if len(shape) != 4 or not prod(shape[2:]) or rois.ndim != 2 or rois.shape[1] != width:
        raise ValueError(
            f"images are (batch, channels, height, width) and rois (regions, {width}), not"
            f" {shape} and {rois.shape}"
        )
    rois = rois if rois.dtype.kind == "f" and rois.dtype.itemsize > 2 else rois.astype(np.float32)
    if not np.isfinite(rois).all():
        raise ValueError("rois hold NaN or infinite coordinates")
    rois = np.clip(rois, -FAR, FAR)
    return rois[:, 0].astype(np.intp), rois[:, 1:]


def present(images: Any, count: int) -> Any:
    if images.size and images.max() >= count:
        raise IndexError(
            f"rois contain image {images.max()}, which is out of range for {count} images"
        )
    return images


# ------------------------------------------------------------------------------- averages


def _align(start: Any, length: Any, bins: int, n: int, samples: int) -> Any:
    """The average over equally spaced, interpolated points: (regions, bins, n)."""
    size = length / bins
    count = np.full(size.shape, samples) if samples > 0 else np.ceil(size).astype(np.intp)
    first = start[:, None] + np.arange(bins, dtype=start.dtype) * size[:, None]
    step = (size / count)[:, None]  # float64, because count holds integers
    # Use only points within reach of the image, however many lie outside.
    skip = np.maximum(np.floor((-1 - first) / step), 0).astype(np.intp)
    reach = np.minimum(count, np.ceil((n + 1) / step[:, 0]) + 2).max(initial=0)
    number = skip[..., None] + np.arange(int(reach))
    along = (number + 0.5).astype(start.dtype) * size[:, None, None]
    at = first[..., None] + along / count.astype(start.dtype)[:, None, None]
    weight = (number < count[:, None, None]) / count[:, None, None]
    low, fraction, _ = neighbours(at, n, "align")
    places = np.arange(at.shape[0] * bins).reshape(-1, bins, 1) * (n + 2 * BORDER) + low
    places = np.concatenate([places.ravel(), places.ravel() + 1])
    weights = np.concatenate([((1 - fraction) * weight).ravel(), (fraction * weight).ravel()])
    y = add_values(weights, places, len(size) * bins * (n + 2 * BORDER))
    return y.reshape(-1, bins, n + 2 * BORDER)


def _bounds(start: Any, size: Any, bins: int, n: int) -> tuple[Any, Any]:
    """Return the first pixel of each bin, and the one after its last, within n pixels."""
    number = np.arange(bins, dtype=size.dtype)
    low = np.floor(number * size[:, None] + start[:, None])
    high = np.ceil((number + 1) * size[:, None] + start[:, None])
    return np.clip(low, 0, n).astype(np.intp), np.clip(high, 0, n).astype(np.intp)


def _whole(start: Any, length: Any, bins: int, n: int) -> Any:
    """(regions, bins, n): the average over whole pixels, 0 over none."""
    low, high = _bounds(start, length / bins, bins, n)
    place = np.arange(n)
    inside = (place >= low[..., None]) & (place < high[..., None])
    return inside / np.maximum(high - low, 1)[..., None]


def averages(
    rois: Any, size: Ints, pooled: Ints, scale: float, method: str, samples: int
) -> tuple[Any, Any]:
    """What each bin of each region takes of the rows and of the columns of an image."""
    if method in ("whole", "pixels"):
        if method == "whole":
            rounded = round_away(rois)
            start, stop, least = rounded[:, :2] * scale, (rounded[:, 2:] + 1) * scale, 0.1
        else:
            rounded = round_away(rois * scale)
            start, stop, least = rounded[:, :2], rounded[:, 2:] + 1, 1.0
        length = np.maximum(stop - start, least)
        row, column = (
            _whole(start[:, k], length[:, k], pooled[1 - k], size[1 - k]) for k in (1, 0)
        )
        return row, column
    offset = 0.5 if method == "aligned" else 0.0
    start, stop = rois[:, :2] * scale - offset, rois[:, 2:] * scale - offset
    length = stop - start
    if method == "aligned" and length.size and length.min() <= 0:
        empty = rois[length.min(1).argmin()].tolist()
        raise ValueError(
            f"the roi {empty} is empty; drop it, give it an image below 0 or pass aligned=False"
        )
    if method == "align":
        length = np.maximum(length, 1)
    row, column = (
        _align(start[:, k], length[:, k], pooled[1 - k], size[1 - k], samples)[..., BORDER:-BORDER]
        for k in (1, 0)
    )
    return row, column


@step
def take_bins(rows: Any, columns: Any, picture: Any) -> Any:
    """``rows @ image @ columns.T`` for each region: (regions, channels, bins, bins).

    From a picture (channels, height, width), or one for each group of bins: (channels, groups,
    groups, height, width).
    """
    channels, *groups, height, width = picture.shape
    (n, bins), across = rows.shape[:2], columns.shape[1]
    if groups:
        out = np.empty((n, channels, bins, across), picture.dtype)
        for p, q, *cell in _cells((bins, across), groups):
            one = (rows[:, p : p + 1], columns[:, q : q + 1], picture[:, cell[0], cell[1]])
            out[:, :, p : p + 1, q : q + 1] = take_bins(*one)
        return out
    lines = rows.reshape(n * bins, height) @ picture.swapaxes(0, 1).reshape(height, -1)
    y = lines.reshape(n, bins * channels, width) @ columns.swapaxes(1, 2)
    return y.reshape(n, bins, channels, across).swapaxes(1, 2)


@step
def give_bins(rows: Any, columns: Any, values: Any, groups: Ints = ()) -> Any:
    """The transpose of `take_bins`, to pictures of `groups`."""
    n, channels, bins, across = values.shape
    if groups:
        out = np.zeros((channels, *groups, rows.shape[2], columns.shape[2]), values.dtype)
        for p, q, i, j in _cells((bins, across), groups):
            one = (rows[:, p : p + 1], columns[:, q : q + 1], values[:, :, p : p + 1, q : q + 1])
            out[:, i, j] += give_bins(*one)
        return out
    lines = values.swapaxes(1, 2).reshape(n, bins * channels, across) @ columns
    picture = rows.reshape(n * bins, -1).T @ lines.reshape(n * bins, -1)
    return picture.reshape(rows.shape[2], channels, columns.shape[2]).swapaxes(0, 1)


def _cells(pooled: Ints, groups: Sequence[int]) -> Iterator[Ints]:
    """Yield the place of each bin, and that of the group it takes."""
    for p, q in np.ndindex(*pooled):
        yield p, q, p * groups[0] // pooled[0], q * groups[1] // pooled[1]


def _parts(images: Any, each: int) -> Iterator[tuple[int, Any]]:
    """Yield each image with some of its regions, `each` values per region."""
    step = max(1, CHUNK // max(1, each))
    for image in np.unique(images[images >= 0]):
        places = np.flatnonzero(images == image)
        for k in range(0, len(places), step):
            yield int(image), places[k : k + step]


def _grouped(shape: Ints, groups: Ints) -> Ints:
    """The shape with axes for `groups`, unless there is one."""
    if shape[1] % prod(groups):
        raise ValueError(f"{shape[1]} channels cannot be divided into {groups} groups")
    own = groups if prod(groups) > 1 else ()
    return (shape[0], shape[1] // prod(groups), *own, *shape[2:])


def _pairs(
    rois: Any, shape: Ints, dtype: Any, pooled: Ints, groups: Ints, **how: Any
) -> Iterator[tuple]:
    """Yield an image, some of its regions, and their matrices."""
    images, boxes = read(rois, shape)
    used = present(images, shape[0]) >= 0
    matrices = averages(boxes[used], shape[2:], pooled, **how)
    rows, columns = (np.zeros((len(rois), *m.shape[1:]), dtype) for m in matrices)
    rows[used], columns[used] = matrices
    for image, part in _parts(images, pooled[0] * shape[1] // prod(groups) * shape[3]):
        yield image, part, rows[part], columns[part]


def roi_average(
    x: Any,
    rois: Any,
    *,
    pooled: Ints,
    scale: float,
    method: str,
    samples: int = -1,
    groups: Ints = (1, 1),
) -> Any:
    """The average over each bin of each region: (regions, channels / groups, *pooled).

    With `groups`, bin (p, q) takes the channels of its group alone. The methods are "align" and
    "aligned", of points between the pixels, and of pixels "whole", which rounds the corners before
    it scales them, and "pixels", which does so afterwards.
    """
    how: dict[str, Any] = {"scale": scale, "method": method, "samples": samples, "groups": groups}
    grouped = _grouped(x.shape, groups)
    pictures = x.reshape(grouped).astype(wide(x.dtype), copy=False)
    y = np.zeros((len(rois), grouped[1], *pooled), pictures.dtype)
    for image, part, rows, columns in _pairs(rois, x.shape, y.dtype, pooled, **how):
        y[part] = sparsely(partial(take_bins, rows, columns), pictures[image])
    return y.astype(x.dtype, copy=False)


def _given(rows: Any, columns: Any, groups: Ints, values: Any) -> Any:
    return give_bins(rows, columns, values, groups)


def roi_average_grad(
    x: Any,
    rois: Any,
    *,
    shape: Ints,
    pooled: Ints,
    scale: float,
    method: str,
    samples: int = -1,
    groups: Ints = (1, 1),
) -> Any:
    """The transpose of `roi_average` from images of `shape`."""
    how: dict[str, Any] = {"scale": scale, "method": method, "samples": samples, "groups": groups}
    out = np.zeros(_grouped(shape, groups), wide(x.dtype))
    own, wider = out.shape[2:-2], x.astype(out.dtype, copy=False)
    for image, part, rows, columns in _pairs(rois, shape, out.dtype, pooled, **how):
        out[image] += sparsely(partial(_given, rows, columns, own), wider[part])
    return out.reshape(shape).astype(x.dtype, copy=False)


# -------------------------------------------------------------------------------- rotated


def _rotated(rois: Any, pooled: Ints, scale: float, samples: int) -> Iterator[tuple]:
    """Yield the points of rotated bins, one per bin at a time: regions, rows, columns, weights."""
    x, y, *sides = (rois[:, :4] * scale).T
    width, height = (np.maximum(side, 1) for side in sides)
    angle = rois[:, 4] * (np.pi / 180)
    high, wide_ = height / pooled[0], width / pooled[1]
    down, across = (
        np.full(size.shape, samples) if samples > 0 else np.ceil(size).astype(np.intp)
        for size in (high, wide_)
    )
    p, q = (part.ravel() for part in np.indices(pooled).astype(rois.dtype))
    for i, j in np.ndindex(int(down.max(initial=0)), int(across.max(initial=0))):
        some = np.flatnonzero((i < down) & (j < across))
        h, w, n, m, a = (v[some, None] for v in (high, wide_, down, across, angle))
        v = -height[some, None] / 2 + (p + ((i + 0.5) / n).astype(h.dtype)) * h
        u = -width[some, None] / 2 + (q + ((j + 0.5) / m).astype(h.dtype)) * w
        rows = v * np.cos(a) - u * np.sin(a) + y[some, None]
        columns = u * np.cos(a) + v * np.sin(a) + x[some, None]
        yield some, rows, columns, (1 / (n * m)).astype(h.dtype)


def _turned(rois: Any, shape: Ints, pooled: Ints, scale: float, samples: int) -> Iterator[tuple]:
    """Yield `_rotated` as pixel positions and weights; see `warp.Points`."""
    images, boxes = read(rois, shape, 6)
    present(images, shape[0])
    for some, rows, columns, share in _rotated(boxes, pooled, scale, samples):
        points = locate(shape, rows, columns, images[some], "align")
        yield some, points.places, points.corners(share=share)


def rotated_average(x: Any, rois: Any, *, pooled: Ints, scale: float, samples: int = -1) -> Any:
    """The average over each bin of regions (image, x, y, width, height, angle in degrees)."""
    lines, bins = pixels(x), prod(pooled)
    y = np.zeros((x.shape[1], len(rois), bins), lines.dtype)
    for some, places, weighted in _turned(rois, x.shape, pooled, scale, samples):
        part = gather(lines, places, weighted).reshape(len(y), len(some), bins)
        y[:, some] += part.astype(y.dtype, copy=False)
    y = np.ascontiguousarray(y.swapaxes(0, 1), x.dtype)
    return y.reshape(len(rois), x.shape[1], *pooled)


def rotated_average_grad(
    x: Any, rois: Any, *, shape: Ints, pooled: Ints, scale: float, samples: int = -1
) -> Any:
    """The transpose of `rotated_average` from images of `shape`."""
    values = x.swapaxes(0, 1).astype(wide(x.dtype), copy=False)
    values = values.reshape(shape[1], len(rois), prod(pooled))
    size = count(shape)
    total = np.zeros((shape[1], size), values.dtype)
    for some, places, weighted in _turned(rois, shape, pooled, scale, samples):
        total += scatter(values[:, some].reshape(shape[1], places.size), places, weighted, size)
    return pictures(total, shape, x.dtype)


# -------------------------------------------------------------------------------- maximum


def _larger(a: tuple, b: tuple) -> tuple:
    """Return the larger value of two arrays of (value, place); of equal ones, the first place."""
    better = (b[0] > a[0]) | ((b[0] == a[0]) & (b[1] < a[1]))
    return np.where(better, b[0], a[0]), np.where(better, b[1], a[1])


def _doubled(blocks: tuple, level: int, axis: int) -> tuple:
    """Return the maxima over blocks of twice the length, from those of length ``2 ** level``."""
    before = (slice(None),) * axis
    step = 1 << level
    a, b = (*before, slice(None, -step)), (*before, slice(step, None))
    return _larger(tuple(m[a] for m in blocks), tuple(m[b] for m in blocks))


def _level(length: Any) -> Any:
    """Return the largest k with ``2 ** k <= length``."""
    return np.frexp(np.maximum(length, 1))[1] - 1


def _blocks(key: Any, levels: tuple[Any, Any]) -> Iterator[tuple]:
    """Yield the bins of each size, and the block maxima of which two cover such a bin."""
    place = np.arange(prod(key.shape[1:3])).reshape(1, *key.shape[1:3], 1)
    wider = key, np.broadcast_to(place, key.shape)
    for j in range(levels[1].max(initial=-1) + 1):
        wider = _doubled(wider, j - 1, 2) if j else wider
        found = levels[1] == j
        taller = wider
        for i in range(levels[0][found].max(initial=-1) + 1):
            taller = _doubled(taller, i - 1, 1) if i else taller
            bins = np.flatnonzero(found & (levels[0] == i))
            if bins.size:
                yield bins, taller, 1 << i, 1 << j


def _pixel_bins(boxes: Any, size: Ints, pooled: Ints, scale: float) -> list[Any]:
    """Return the exclusive edges of all bins of regions of whole pixels, flat."""
    corner = round_away(boxes * scale)
    lengths = np.maximum(corner[:, 2:] - corner[:, :2] + 1, 1)
    ends = []
    for k in (1, 0):
        each = lengths[:, k] / pooled[1 - k]
        bounds = _bounds(np.zeros_like(each), each, pooled[1 - k], 1 << 31)
        first = corner[:, k, None].astype(np.intp)
        shape = (len(boxes), pooled[0], 1) if k else (len(boxes), 1, pooled[1])
        ends += [np.clip(end + first, 0, size[1 - k]).reshape(shape) for end in bounds]
    return [np.broadcast_to(end, (len(boxes), *pooled)).ravel() for end in ends]


@step
def first_maxima(x: Any, image: Any, top: Any, bottom: Any, left: Any, right: Any) -> Any:
    """(bins, channels): the place in x, flat, of the first maximum over each bin of an image."""
    _, channels, height, width = x.shape
    places = np.full((len(image), channels), -1)
    some = np.flatnonzero((image >= 0) & (bottom > top) & (right > left))
    top, bottom, left, right, image = (v[some] for v in (top, bottom, left, right, image))
    key = x.transpose(0, 2, 3, 1).astype(wide(x.dtype))
    key = np.nan_to_num(key, nan=np.inf, posinf=np.finfo(key.dtype).max, neginf=-np.inf)
    levels = _level(bottom - top), _level(right - left)
    for bins, (values, where), tall, broad in _blocks(key, levels):
        at = image[bins]
        four = product((top[bins], bottom[bins] - tall), (left[bins], right[bins] - broad))
        found = [(values[at, row, column], where[at, row, column]) for row, column in four]
        _, best = reduce(_larger, found)
        offset = (at[:, None] * channels + np.arange(channels)) * (height * width)
        places[some[bins]] = best + offset
    return places


def roi_places(x: Any, rois: Any, *, pooled: Ints, scale: float) -> Any:
    """The place in x, flat, of the first maximum over each bin, -1 for a bin without pixels."""
    images, boxes = read(rois, x.shape)
    image = np.repeat(np.where(images < len(x), images, -1), prod(pooled))
    places = first_maxima(x, image, *_pixel_bins(boxes, x.shape[2:], pooled, scale))
    return places.reshape(len(rois), *pooled, x.shape[1]).transpose(0, 3, 1, 2)
