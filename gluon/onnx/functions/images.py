"""Operators on images and boxes: resizing, sampling, regions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from ... import nd, np
from ..._core.errors import ArgumentError
from ...nd.decode import decoded
from .table import FLOATS, axes_of, implements, made, number, room, whole
from .windows import geometry


@implements
def Resize(
    X: Any,
    roi: Any = None,
    scales: Any = None,
    sizes: Any = None,
    *,
    antialias: int = 0,
    axes: Any = None,
    coordinate_transformation_mode: str = "half_pixel",
    cubic_coeff_a: float = -0.75,
    exclude_outside: int = 0,
    extrapolation_value: float = 0.0,
    keep_aspect_ratio_policy: str = "stretch",
    mode: str = "nearest",
    nearest_mode: str = "round_prefer_floor",
) -> Any:
    places = axes_of(X, axes)
    given, wanted = _resized([X.shape[k] for k in places], scales, sizes, keep_aspect_ratio_policy)
    lengths = dict(zip(places, wanted))
    room(*(lengths.get(axis, n) for axis, n in enumerate(X.shape)))
    region = None if roi is None or not roi.size else roi.raw
    dtype = X.dtype
    y = X if dtype.kind in FLOATS or mode == "nearest" else X.astype("float32")
    for k, (axis, scale, length) in enumerate(zip(places, given, wanted)):
        crop = None if region is None else (float(region[k]), float(region[k + len(places)]))
        at, outside = _coordinates(
            X.shape[axis], length, scale, crop, coordinate_transformation_mode
        )
        if mode == "nearest":
            taken = _nearest(at, nearest_mode).clip(0, X.shape[axis] - 1)
            y = np.take(y, made(taken), axis=axis) if _moves(taken, X.shape[axis]) else y
        elif length != X.shape[axis] or crop:
            weights = _weights(
                at, X.shape[axis], mode, cubic_coeff_a, exclude_outside, antialias, scale
            )
            y = np.moveaxis(
                np.tensordot(y, made(weights.astype(y.dtype)), ((axis,), (1,))), -1, axis
            )
        if outside.any():
            shape = [-1 if j == axis else 1 for j in range(X.ndim)]
            y = np.where(
                made(outside.reshape(shape)), made(numpy.array(extrapolation_value, y.dtype)), y
            )
    return y if y.dtype == dtype else np.rint(y).astype(dtype)


def _resized(
    shape: Sequence[int], scales: Any, sizes: Any, policy: str
) -> tuple[list[float], list[int]]:
    """Return the scales and the lengths of the resized axes."""
    if scales is not None and scales.size:
        given = [float(s) for s in scales.raw]
        return given, [int(n * s) for n, s in zip(shape, given)]
    wanted = whole(sizes)
    given = [n / length for n, length in zip(wanted, shape)]
    if policy != "stretch":
        pick = min if policy == "not_larger" else max
        given = [pick(given)] * len(given)
        wanted = [int(numpy.floor(length * given[0] + 0.5)) for length in shape]
    return given, wanted


def _moves(taken: Any, length: int) -> bool:
    return len(taken) != length or bool((taken != numpy.arange(length)).any())


def _coordinates(
    length: int, wanted: int, scale: float, crop: tuple[float, float] | None, mode: str
) -> tuple[Any, Any]:
    """Return the input coordinates of the result's values, and which are outside the input.

    They are rounded to float32, as in other runtimes, which decides for values halfway.
    """
    out: Any = numpy.arange(wanted, dtype="float32")
    scale = float(numpy.float32(scale))
    none = numpy.zeros(wanted, bool)
    exact = wanted / (length * scale)  # the length is rounded down
    if mode == "half_pixel":
        return (out + 0.5) / scale - 0.5, none
    if mode == "half_pixel_symmetric":
        return length / 2 * (1 - exact) + (out + 0.5) / scale - 0.5, none
    if mode == "asymmetric":
        return out / scale, none
    if mode == "pytorch_half_pixel":
        return ((out + 0.5) / scale - 0.5 if wanted > 1 else out * 0), none
    if mode == "align_corners":
        return out * (length - 1) / max(wanted - 1, 1), none
    if mode == "tf_half_pixel_for_nn":
        return (out + 0.5) / scale, none
    if mode != "tf_crop_and_resize" or crop is None:
        raise ArgumentError(f"Resize: coordinate_transformation_mode={mode!r} is unsupported here")
    start, end = crop
    if wanted > 1:
        at = start * (length - 1) + out * (end - start) * (length - 1) / (wanted - 1)
    else:
        at = 0.5 * (start + end) * (length - 1) + out
    return at, (at < 0) | (at > length - 1)


def _nearest(at: Any, mode: str) -> Any:
    rounded = {
        "round_prefer_floor": lambda: numpy.ceil(at - 0.5),
        "round_prefer_ceil": lambda: numpy.floor(at + 0.5),
        "floor": lambda: numpy.floor(at),
        "ceil": lambda: numpy.ceil(at),
    }[mode]()
    return rounded.astype("int64")


def _weights(
    at: Any, length: int, mode: str, a: float, exclude: int, antialias: int, scale: float
) -> Any:
    """Return a matrix: the weight of each input value in each value of the result."""
    room(len(at), length)
    stretch = max(1.0, 1 / scale) if antialias else 1.0
    radius = (1 if mode == "linear" else 2) * stretch
    first = numpy.floor(at - radius).astype("int64") + 1
    count = int(numpy.ceil(2 * radius)) + 1
    places = first[:, None] + numpy.arange(count)
    away = numpy.abs(places - at[:, None]) / stretch
    share = numpy.maximum(0, 1 - away) if mode == "linear" else _cubic(away, a)
    inside = (places >= 0) & (places < length)
    if exclude:
        share = numpy.where(inside, share, 0)
    if exclude or antialias:
        share = share / share.sum(1, keepdims=True)
    found = numpy.zeros((len(at), length))
    rows = numpy.broadcast_to(numpy.arange(len(at))[:, None], places.shape)
    numpy.add.at(found, (rows, places.clip(0, length - 1)), share)
    return found


def _cubic(away: Any, a: float) -> Any:
    """Return the weights of cubic convolution at a distance."""
    near = (a + 2) * away**3 - (a + 3) * away**2 + 1
    far = a * away**3 - 5 * a * away**2 + 8 * a * away - 4 * a
    return numpy.where(away <= 1, near, numpy.where(away < 2, far, 0))


@implements
def Upsample(X: Any, scales: Any = None, *, mode: str = "nearest", **old: Any) -> Any:
    if scales is None:
        scales = made(numpy.array(old["scales"], "float32"))
    return Resize(
        X,
        None,
        scales,
        mode=mode,
        coordinate_transformation_mode="asymmetric",
        nearest_mode="floor",
    )


@implements
def AffineGrid(theta: Any, size: Any, *, align_corners: int = 0) -> Any:
    n, _, *spatial = room(*whole(size))
    lines = []
    for length in spatial:
        if align_corners:
            line = numpy.linspace(-1, 1, length) if length > 1 else numpy.zeros(1)
        else:
            line = (2 * numpy.arange(length) + 1) / length - 1
        lines.append(line)
    grids = numpy.meshgrid(*lines, indexing="ij")
    points = numpy.stack([*reversed(grids), numpy.ones(spatial)], -1).astype(theta.dtype)
    flat = made(points.reshape(-1, len(spatial) + 1))
    return np.matmul(flat, np.swapaxes(theta, 1, 2)).reshape((n, *spatial, len(spatial)))


@implements
def GridSample(
    X: Any,
    grid: Any,
    *,
    align_corners: int = 0,
    mode: str = "linear",
    padding_mode: str = "zeros",
) -> Any:
    spatial = X.shape[2:]
    at = []
    for k, length in enumerate(spatial):
        line = grid[..., len(spatial) - 1 - k]
        at.append(_pixels(line, length, align_corners))
        if padding_mode != "zeros" and "cubic" not in mode:
            at[k] = _inside(at[k], length, padding_mode, align_corners)
    y: Any = 0
    for places, weight in _corners(at, mode):
        whole_places = []
        hit: Any = True
        for place, length in zip(places, spatial):
            if "cubic" in mode and padding_mode == "reflection":
                place = numpy.rint(_reflected(place.astype("float64"), length, align_corners))
                place = place.astype("int64")
            if padding_mode == "zeros":
                hit = hit & (place >= 0) & (place < length)
            whole_places.append(place.clip(0, length - 1))
        share = weight if hit is True else weight * made(hit.astype(X.dtype))
        # (batch, *grid) positions and (batch, channels, *spatial) values
        batch = numpy.arange(X.shape[0]).reshape(-1, *(1,) * (grid.ndim - 2))
        key = (made(batch), slice(None), *map(made, whole_places))
        y = y + np.expand_dims(share, -1) * X[key]
    return np.moveaxis(y, -1, 1)


def _pixels(line: Any, length: int, align_corners: int) -> Any:
    """Convert coordinates from -1 to 1 to positions."""
    return (line + 1) * ((length - 1) / 2) if align_corners else ((line + 1) * length - 1) / 2


def _inside(at: Any, length: int, padding: str, align_corners: int) -> Any:
    if padding == "reflection":
        raw = at.raw
        turned = _reflected(raw, length, align_corners).astype(raw.dtype)
        sign = numpy.where(_is_turned(raw, length, align_corners), -1, 1).astype(raw.dtype)
        at = at * made(sign) + made(turned - raw * sign)
    return np.clip(at, 0, length - 1)


def _span(length: int, align_corners: int) -> tuple[float, float]:
    return (0, length - 1) if align_corners else (-0.5, length - 0.5)


def _reflected(at: Any, length: int, align_corners: int) -> Any:
    low, high = _span(length, align_corners)
    if high == low:
        return numpy.zeros_like(at)
    away = numpy.abs(at - low) % (2 * (high - low))
    return low + numpy.minimum(away, 2 * (high - low) - away)


def _is_turned(at: Any, length: int, align_corners: int) -> Any:
    low, high = _span(length, align_corners)
    if high == low:
        return numpy.zeros(at.shape, bool)
    back = (numpy.abs(at - low) % (2 * (high - low))) > high - low
    return back ^ (at < low)


def _corners(at: list[Any], mode: str) -> Any:
    """Return the positions around each point, and their weights."""
    each = []
    for line in at:
        raw = line.raw
        if mode == "nearest":
            each.append([(numpy.rint(raw).astype("int64"), None)])
            continue
        first = numpy.floor(raw).astype("int64")
        part = line - made(first.astype(raw.dtype))
        if mode in ("linear", "bilinear"):
            each.append([(first, 1 - part), (first + 1, part)])
        else:
            each.append([(first + k, _cubic_share(np.abs(part - k), k)) for k in (-1, 0, 1, 2)])
    corners: list[tuple[tuple[Any, ...], Any]] = [((), None)]
    for line_corners in each:
        corners = [
            ((*places, place), share if so_far is None else so_far * share)
            for places, so_far in corners
            for place, share in line_corners
        ]
    ones = np.ones_like(at[0])
    return [(places, ones if share is None else share) for places, share in corners]


def _cubic_share(away: Any, k: int, a: float = -0.75) -> Any:
    if k in (0, 1):
        return ((a + 2) * away - (a + 3)) * away * away + 1
    return ((a * away - 5 * a) * away + 8 * a) * away - 4 * a


@implements
def NonMaxSuppression(
    boxes: Any,
    scores: Any,
    max_output_boxes_per_class: Any = None,
    iou_threshold: Any = None,
    score_threshold: Any = None,
    *,
    center_point_box: int = 0,
) -> Any:
    most = int(number(max_output_boxes_per_class))
    threshold = number(iou_threshold)
    least = None if score_threshold is None else number(score_threshold)
    corners = boxes.raw
    if center_point_box:
        middle, half = corners[..., :2], corners[..., 2:] / 2
        corners = numpy.concatenate([middle - half, middle + half], -1)
    low = numpy.minimum(corners[..., :2], corners[..., 2:])
    high = numpy.maximum(corners[..., :2], corners[..., 2:])
    found = []
    for batch, classes in enumerate(scores.raw):
        for kind, row in enumerate(classes):
            order = numpy.argsort(-row, kind="stable")
            if least is not None:
                order = order[row[order] > least]
            kept: list[int] = []
            for place in order:
                if len(kept) == most:
                    break
                if (_overlap(low[batch], high[batch], place, kept) <= threshold).all():
                    kept.append(place)
            found += [(batch, kind, place) for place in kept]
    return made(numpy.array(found, "int64").reshape(-1, 3))


def _overlap(low: Any, high: Any, one: int, others: list[int]) -> Any:
    """Return intersections over unions of a box with others."""
    sides = numpy.minimum(high[one], high[others]) - numpy.maximum(low[one], low[others])
    common = numpy.maximum(sides, 0).prod(-1)
    area = (high - low).prod(-1)
    union = area[one] + area[others] - common
    return common / numpy.where(union > 0, union, 1)


@implements
def RoiAlign(
    X: Any,
    rois: Any,
    batch_indices: Any,
    *,
    coordinate_transformation_mode: str = "half_pixel",
    mode: str = "avg",
    output_height: int = 1,
    output_width: int = 1,
    sampling_ratio: int = 0,
    spatial_scale: float = 1.0,
) -> Any:
    room(len(rois), X.shape[1], output_height, output_width)
    regions = []
    shift = 0.5 if coordinate_transformation_mode == "half_pixel" else 0.0
    for box, batch in zip(rois.raw * spatial_scale - shift, whole(batch_indices)):
        x0, y0, x1, y1 = (float(v) for v in box)
        height, width = y1 - y0, x1 - x0
        if not shift:
            height, width = max(height, 1.0), max(width, 1.0)
        bins = (height / output_height, width / output_width)
        count = [sampling_ratio or max(1, int(numpy.ceil(n))) for n in bins]
        room(X.shape[1], output_height, output_width, *count)
        rows = _line(y0, bins[0], output_height, count[0], X.shape[2])
        columns = _line(x0, bins[1], output_width, count[1], X.shape[3])
        regions.append(_region(X[batch], rows, columns, mode))
    shape = (0, X.shape[1], output_height, output_width)
    return np.stack(regions) if regions else np.zeros(shape, dtype=X.dtype)


@implements
def MaxRoiPool(
    X: Any, rois: Any, *, pooled_shape: Sequence[int], spatial_scale: float = 1.0
) -> Any:
    height, width = pooled_shape
    room(len(rois), X.shape[1], height, width)
    return nd.ROIPooling(X, rois, (height, width), spatial_scale)


#: The weights of red, green and blue in a grey value, of 2**16.
LUMA = numpy.array([19595, 38470, 7471])


@implements
def ImageDecoder(encoded_stream: Any, *, pixel_format: str = "RGB") -> Any:
    change = {
        "RGB": lambda picture: picture,
        "BGR": lambda picture: picture[..., ::-1],
        "Grayscale": lambda picture: ((picture @ LUMA + 2**15) >> 16)[..., None],
    }[pixel_format]
    try:
        picture = decoded("ImageDecoder", "encoded_stream", encoded_stream.raw.tobytes(), 3)
    except ArgumentError:  # ONNX specifies this for a file that is not an image
        picture = numpy.zeros((0, 0, 3), "uint8")
    return made(change(picture).astype("uint8"))


def _line(start: float, size: float, bins: int, count: int, length: int) -> Any:
    """Return weights of an axis' values at each sample: (bins, samples, length)."""
    room(bins, count, length)
    at = start + size * (numpy.arange(bins)[:, None] + (numpy.arange(count)[None] + 0.5) / count)
    outside = (at < -1) | (at > length)
    at = at.clip(0, length - 1)
    first = numpy.floor(at).astype("int64")
    part = at - first
    found = numpy.zeros((bins, count, length))
    places = numpy.indices(at.shape)
    numpy.add.at(found, (*places, first), 1 - part)
    numpy.add.at(found, (*places, (first + 1).clip(0, length - 1)), part)
    found[outside] = 0
    return found


def _region(x: Any, rows: Any, columns: Any, mode: str) -> Any:
    """Return the average or the maximum of the samples in each bin of a region."""
    if mode == "avg":
        rows, columns = made(rows.mean(1).astype(x.dtype)), made(columns.mean(1).astype(x.dtype))
        return np.einsum("chw,ph,qw->cpq", x, rows, columns)
    best = None
    # The maximum is over the four weighted corners of every sample, as in ONNX's reference.
    for i in range(rows.shape[1]):
        for j in range(columns.shape[1]):
            value = np.max(
                np.einsum(
                    "chw,ph,qw->cpqhw",
                    x,
                    made(rows[:, i].astype(x.dtype)),
                    made(columns[:, j].astype(x.dtype)),
                ).reshape((len(x), len(rows), len(columns), -1)),
                -1,
            )
            best = value if best is None else np.maximum(best, value)
    return best


@implements
def DeformConv(
    X: Any,
    W: Any,
    offset: Any,
    B: Any = None,
    mask: Any = None,
    *,
    dilations: Sequence[int] = (),
    group: int = 1,
    kernel_shape: Sequence[int] = (),
    offset_group: int = 1,
    pads: Sequence[int] = (),
    strides: Sequence[int] = (),
) -> Any:
    window = geometry(X, W.shape[2:], "NOTSET", dilations, pads, strides)
    x, pad = window.symmetric(X)
    options: dict[str, Any] = {
        "kernel": window.kernel,
        "stride": window.strides,
        "dilate": window.dilations,
        "pad": pad,
        "num_filter": len(W),
        "num_group": group,
        "num_deformable_group": offset_group,
        "no_bias": B is None,
    }
    rest = () if B is None else (B,)
    if mask is None:
        return nd.contrib.DeformableConvolution(x, offset, W, *rest, **options)
    return nd.contrib.ModulatedDeformableConvolution(x, offset, mask, W, *rest, **options)
