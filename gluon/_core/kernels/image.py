"""Kernels of images (..., height, width, channels); bytes are rounded as OpenCV rounds them."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .steps import step

Size = tuple[int, int]
NEAREST, LINEAR, CUBIC, AREA, LANCZOS = range(5)
#: Weights of bytes are fixed-point numbers: multiples of 1 / ONE.
ONE = 2048
EXACT = np.finfo(np.float64).eps
#: Overlaps with a pixel up to this are ignored.
SLIVER = 1e-3


class Taps(NamedTuple):
    """What each place of a new axis is made of: places of the old one, (out, k), and weights."""

    places: Any
    weights: Any


# ---------------------------------------------------------------------------------- weights


def _linear(f: Any) -> Any:
    return np.stack([1 - f, f], -1)


def _cubic(f: Any) -> Any:
    """The cubic convolution with the slope -0.75 at distance 1."""
    a = -0.75
    t = np.stack([f + 1, f, 1 - f], -1)
    near = ((a + 2) * t - (a + 3)) * t * t + 1
    far = ((a * t - 5 * a) * t + 8 * a) * t - 4 * a
    first = np.where(t > 1, far, near)
    return np.concatenate([first, 1 - first.sum(-1, keepdims=True)], -1)


def _lanczos(f: Any) -> Any:
    """The cardinal sine in the window of a wider one, over eight pixels."""
    t = f[:, None].astype(np.float64) + 3 - np.arange(8)
    weights = np.sinc(t) * np.sinc(t / 4)
    return weights / weights.sum(-1, keepdims=True)


WEIGHTS: dict[int, Callable[..., Any]] = {
    LINEAR: _linear,
    AREA: _linear,
    CUBIC: _cubic,
    LANCZOS: _lanczos,
}


def _overlaps(n: int, out: int) -> Taps:
    """Return the taps that make each new pixel the mean of the pixels that it covers."""
    scale = 1 / (out / n)
    start = np.arange(out) * scale
    stop = start + scale
    places = np.floor(start).astype(int)[:, None] + np.arange(int(np.ceil(scale)) + 1)
    shared = np.minimum(stop[:, None], places + 1) - np.maximum(start[:, None], places)
    shared = np.where((shared > SLIVER) & (places < n), shared, 0)
    weights = shared / np.minimum(scale, n - start)[:, None]
    return Taps(np.minimum(places, n - 1), weights.astype(np.float32))


def taps(n: int, out: int, interp: int, shrinks: bool) -> Taps:
    """How an axis of length `n` becomes one of length `out`."""
    k = np.arange(out)
    inverse = out / n
    scale = 1 / inverse
    if interp == NEAREST:
        places = np.minimum(np.floor(k * scale).astype(int), n - 1)
        return Taps(places[:, None], np.ones((out, 1), np.float32))
    if interp == AREA and shrinks:
        return _overlaps(n, out)
    if interp == AREA:  # pixels keep their extent, except at their borders
        left = np.floor(k * scale).astype(int)
        place = ((k + 1) - (left + 1) * inverse).astype(np.float32)
        fraction = np.where(place > 0, place - np.floor(place), 0).astype(np.float32)
    else:
        place = ((k + 0.5) * scale - 0.5).astype(np.float32)
        left = np.floor(place).astype(int)
        fraction = place - left.astype(np.float32)
    weights = WEIGHTS[interp](fraction).astype(np.float32)
    count = weights.shape[1]
    return Taps(left[:, None] + np.arange(count) - (count // 2 - 1), weights)


def _gather(x: Any, way: Taps, axis: int, dtype: Any = None) -> Any:
    """Resize `x` along `axis`, optionally in another dtype; edge pixels are repeated."""
    places = np.clip(way.places, 0, x.shape[axis] - 1)
    tail = (1,) * (-axis - 1)
    total: Any = 0
    for place, weight in zip(places.T, way.weights.T):
        total = total + x.take(place, axis) * weight.reshape(-1, *tail).astype(dtype or x.dtype)
    return total


def _needed(x: Any, rows: Taps) -> tuple[Any, Taps]:
    """Return only the image rows that `rows` uses, and `rows` with adjusted positions."""
    places = np.clip(rows.places, 0, x.shape[-3] - 1)
    used = np.unique(places)
    if 4 * len(used) > 3 * x.shape[-3]:
        return x, rows
    return x.take(used, -3), rows._replace(places=np.searchsorted(used, places))


# ----------------------------------------------------------------------------------- resize


def ways(old: Size, new: Size, interp: int) -> tuple[int, tuple[Taps, Taps]]:
    """Return the interpolation to use, and the taps of both axes."""
    shrinks = all(n >= out for n, out in zip(old, new))
    if interp == LINEAR and all(n == 2 * out for n, out in zip(old, new)):
        interp = AREA
    height, width = (taps(n, out, interp, shrinks) for n, out in zip(old, new))
    return interp, (height, width)


def _check(x: Any, size: Size, interp: int) -> None:
    if x.ndim not in (3, 4) or min(size) < 1:
        raise ValueError(
            f"x is (height, width, channels) or (batch, height, width, channels) and size"
            f" positive: {x.shape}, {size}"
        )
    if interp not in range(5):
        raise ValueError(f"interp={interp} is not one of 0, 1, 2, 3, 4")
    if 0 in x.shape[-3:-1]:
        raise ValueError(f"an image of shape {x.shape} has no pixels to resize")


def resize(x: Any, *, size: Size, interp: int) -> Any:
    """`x` with the height and width `size`."""
    _check(x, size, interp)
    old = x.shape[-3:-1]
    if old == size:
        return x.copy()
    interp, (rows, columns) = ways(old, size, interp)
    if interp == NEAREST:
        return x.take(rows.places[:, 0], -3).take(columns.places[:, 0], -2)
    if x.dtype == np.uint8:
        return _resize_bytes(x, size, interp, rows, columns)
    if x.dtype not in (np.float32, np.float64):
        raise TypeError(
            f"{x.dtype} can only be resized with interp=0; cast it to uint8, float32 or float64"
        )
    x, rows = _needed(x, rows)
    return _gather(_gather(x, columns, -2), rows, -3)


def _resize_bytes(x: Any, size: Size, interp: int, rows: Taps, columns: Taps) -> Any:
    old = x.shape[-3:-1]
    if interp == AREA and all(n >= out for n, out in zip(old, size)):
        if all(n % out == 0 for n, out in zip(old, size)):
            return _block_means(x, size)
        x, rows = _needed(x, rows)
        means = _gather(_gather(x, columns, -2, np.float32), rows, -3)
        return np.rint(means).clip(0, 255).astype(np.uint8)
    halved = interp in (LINEAR, AREA)
    rows, columns = byte_ways(rows, columns, old[1], halved)
    return weigh_bytes(x, rows, columns, halved)


def byte_ways(rows: Taps, columns: Taps, width: int, halved: bool) -> tuple[Taps, Taps]:
    """Return the taps with integers as weights, for images of bytes with `width` columns."""
    # At the left and right edge, one pixel gets all the weight: two halves could each round down.
    if halved:
        left = columns.places[:, :1]
        alone = (left < 0) | (left >= width - 1)
        columns = columns._replace(weights=np.where(alone, [1, 0], columns.weights))
    whole = (np.rint(way.weights * np.float32(ONE)).astype(np.int32) for way in (rows, columns))
    row_weights, column_weights = whole
    return rows._replace(weights=row_weights), columns._replace(weights=column_weights)


@step
def weigh_bytes(x: Any, rows: Taps, columns: Taps, halved: bool) -> Any:
    """Bytes weighed by integers; `halved`: two rows each, as in arithmetic on 16 bits."""
    x, rows = _needed(x, rows)
    wide = _gather(x, columns, -2, np.int32)
    if halved:
        # Each product drops its low bits before the sum, as in 16-bit arithmetic.
        top, bottom = (
            (wide.take(place, -3) >> 4) * weight[:, None, None] >> 16
            for place, weight in zip(np.clip(rows.places, 0, x.shape[-3] - 1).T, rows.weights.T)
        )
        return (top + bottom + 2 >> 2).astype(np.uint8)
    total = _gather(wide, rows, -3)
    return (total + ONE * ONE // 2 >> 22).clip(0, 255).astype(np.uint8)


def _block_means(x: Any, size: Size) -> Any:
    """Return the means of the equal blocks that the new pixels cover."""
    *batch, height, width, channels = x.shape
    high, wide = height // size[0], width // size[1]
    blocks = x.reshape(*batch, size[0], high, size[1], wide, channels)
    total = blocks.sum((-4, -2), dtype=np.int32)
    if high == wide == 2 and channels in (1, 3, 4):
        return (total + 2 >> 2).astype(np.uint8)
    return np.rint(total.astype(np.float32) * np.float32(1 / (high * wide))).astype(np.uint8)


def _transposed(x: Any, way: Taps, n: int, axis: int) -> Any:
    """The transpose of `_gather` from an axis of length `n`."""
    matrix = np.zeros((n, len(way.places)), x.dtype)
    columns = np.arange(len(way.places))[:, None]
    np.add.at(matrix, (np.clip(way.places, 0, n - 1), columns), way.weights.astype(x.dtype))
    return np.moveaxis(np.tensordot(matrix, x, (1, axis)), 0, axis)


def resize_grad(x: Any, *, size: Size, interp: int) -> Any:
    """The transpose of `resize` of an image with the height and width `size`."""
    _check(x, size, interp)
    new = x.shape[-3:-1]
    if new == size:
        return x.copy()
    _, (rows, columns) = ways(size, new, interp)
    return _transposed(_transposed(x, rows, size[0], -3), columns, size[1], -2)


# --------------------------------------------------------------------------- borders, turning

#: Maps OpenCV's border types to NumPy's padding modes.
BORDERS: dict[int, Any] = {1: "edge", 2: "symmetric", 3: "wrap", 4: "reflect"}


def border(x: Any, *, top: int, bottom: int, left: int, right: int, kind: int, values: Any) -> Any:
    """`x` (height, width, channels) with a border; of kind 0 it has `values`, one a channel."""
    widths = ((top, bottom), (left, right), (0, 0))
    if min(top, bottom, left, right) < 0 or kind not in (0, *BORDERS):
        raise ValueError(f"the widths {widths[:2]} must be 0 or more, and the type from 0 to 4")
    if kind:
        return np.pad(x, widths, BORDERS[kind])
    height, width, channels = x.shape
    y = np.empty((top + height + bottom, left + width + right, channels), x.dtype)
    y[:] = np.broadcast_to(np.asarray(values), (channels,)).astype(x.dtype)
    y[top : top + height, left : left + width] = x
    return y


def affine(x: Any, *, matrix: Any, size: Size, fill: float) -> Any:
    """`x` (height, width, channels) where `matrix` (2, 3) moves its points (x, y, 1) to.

    Between the pixels it is interpolated linearly; what lies outside of it is `fill`.
    """
    inverse = np.linalg.inv(np.vstack([matrix, [0, 0, 1]]))
    rows, columns = np.mgrid[: size[0], : size[1]]
    places = inverse[:2] @ np.stack([columns.ravel(), rows.ravel(), np.ones(rows.size)])
    around = border(x, top=1, bottom=1, left=1, right=1, kind=0, values=fill).astype(np.float32)
    limits = np.array(x.shape[1::-1])[:, None]
    places = places.clip(-1, limits) + 1
    whole = np.minimum(places.astype(int), limits)
    (right, down), (column, row) = (places - whole).astype(np.float32)[..., None], whole
    upper = around[row, column] * (1 - right) + around[row, column + 1] * right
    lower = around[row + 1, column] * (1 - right) + around[row + 1, column + 1] * right
    y = (upper * (1 - down) + lower * down).reshape(*size, -1)
    return np.rint(y).astype(x.dtype) if x.dtype.kind in "iu" else y.astype(x.dtype)


# ------------------------------------------------------------------------------ dtypes, files


def saturate(x: Any, *, dtype: Any) -> Any:
    """`x` without its fraction, as integers; what does not fit becomes the nearest that does."""
    dtype = np.dtype(dtype)
    limits = np.iinfo(dtype)
    whole = np.trunc(x)
    whole[whole != whole] = 0  # for NaN
    low, high = whole.dtype.type(limits.min), whole.dtype.type(limits.max)
    inside = whole.clip(low, np.nextafter(high, low) if int(high) > limits.max else high)
    return inside.astype(dtype)


def decode(data: bytes, *, channels: int | None) -> Any:
    """The image in a file's bytes: uint8 (height, width, channels), grey, RGB or RGBA.

    With ``channels=None`` it is as the file has it: (height, width) if grey, up to uint16.
    """
    try:
        from PIL import Image
    except ImportError:
        return _decoded_by_opencv(data, channels)

    with Image.open(io.BytesIO(data)) as file:
        check_pixels(len(data), *file.size)
        if channels == 1:
            file.draft("L", None)  # JPEG files store the grey image
        deep = file.mode.startswith("I;16")
        if channels is None:
            return np.array(file if deep else file.convert(_own_mode(file)))
        picture = Image.fromarray((np.asarray(file) >> 8).astype(np.uint8)) if deep else file
        values = np.array(picture.convert({1: "L", 3: "RGB", 4: "RGBA"}[channels]))
    return values.reshape(*values.shape[:2], channels)


#: The maximum number of pixels of an image, and of pixels per byte of its file.
MOST_PIXELS, MOST_PIXELS_PER_BYTE = 1 << 24, 1 << 10


def check_pixels(size: int, width: int, height: int) -> None:
    """Raise for an image much larger than its file of `size` bytes: it may fill the memory."""
    if width * height > max(MOST_PIXELS, size * MOST_PIXELS_PER_BYTE):
        raise ValueError(
            f"an image of {width} x {height} pixels in {size} bytes is more than"
            f" {MOST_PIXELS_PER_BYTE} for each byte; if the file is right, decode it with Pillow"
        )


def _decoded_by_opencv(data: bytes, channels: int | None) -> Any:
    import cv2

    check_pixels(len(data), *_announced(data))
    flags: dict[int | None, int] = {1: cv2.IMREAD_GRAYSCALE, 3: cv2.IMREAD_COLOR}
    flag = flags.get(channels, cv2.IMREAD_UNCHANGED) | cv2.IMREAD_IGNORE_ORIENTATION
    found = cv2.imdecode(np.frombuffer(data, np.uint8), flag) if data else None
    if found is None:
        raise ValueError("OpenCV cannot read the file")
    if channels == 4:
        found = (found >> 8).astype(np.uint8) if found.dtype == np.uint16 else found
        to = {1: cv2.COLOR_GRAY2BGRA, 3: cv2.COLOR_BGR2BGRA}.get(found[0, 0].size)
        found = found if to is None else cv2.cvtColor(found, to)
    if found.ndim == 2:
        return found if channels is None else found[..., None]
    return np.ascontiguousarray(found[..., [2, 1, 0, 3][: found.shape[2]]])


def _announced(data: bytes) -> tuple[int, int]:
    """Return the width and height in the header of a PNG, BMP or JPEG file; 0 for other formats.

    OpenCV has no function for that, and a limit of its own for all formats.
    """
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:
        return struct.unpack_from(">II", data, 16)
    if data[:2] == b"BM" and len(data) >= 26:
        width, height = struct.unpack_from("<ii", data, 18)
        return abs(width), abs(height)
    place = 2 if data[:2] == b"\xff\xd8" else len(data)
    while place + 9 <= len(data):
        _, kind, length, _, height, width = struct.unpack_from(">BBHBHH", data, place)
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):  # the frame's header
            return width, height
        place += 1 if kind in (0x00, 0xFF) else 2 + length
    return 0, 0


def with_boxes(picture: Any, *, boxes: Any, thickness: int) -> Any:
    """`picture` of bytes with boxes on it.

    Each is its edges in parts of the width and height, a colour, and a text or None.
    """
    from PIL import Image, ImageDraw

    canvas = Image.fromarray(picture)
    draw = ImageDraw.Draw(canvas)
    width, height = canvas.size
    for edges, colour, text in boxes:
        corners = [int(edge * n) for edge, n in zip(edges, (width, height) * 2)]
        draw.rectangle(corners, outline=tuple(map(int, colour)), width=thickness)
        if text:
            draw.text((corners[0] + 5, corners[1] + 5), text, fill=(255, 255, 255))
    return np.array(canvas)


def _own_mode(file: Any) -> str:
    """Return which of grey, RGB and RGBA preserves all content of a file opened by Pillow."""
    if file.mode in ("1", "L"):
        return "L"
    clear = file.mode in ("LA", "PA", "RGBA") or "transparency" in file.info
    return "RGBA" if clear else "RGB"


def encode(picture: Any, *, extension: str, quality: int) -> bytes:
    """A file with an image (height, width[, channels]) of bytes, red before blue."""
    try:
        from PIL import Image
    except ImportError:
        return _encoded_by_opencv(picture, extension, quality)
    form = Image.registered_extensions().get(extension.lower())
    if form not in Image.SAVE:
        raise ValueError(f"unknown format {extension!r}; use .jpg or .png")
    if form == "JPEG" and picture.ndim == 3:
        picture = picture[..., :3]
    settings = {"JPEG": {"quality": quality}, "PNG": {"compress_level": min(quality, 9)}}
    file = io.BytesIO()
    Image.fromarray(picture).save(file, form, **settings.get(form, {}))
    return file.getvalue()


def _encoded_by_opencv(picture: Any, extension: str, quality: int) -> bytes:
    import cv2

    settings = {
        ".png": [cv2.IMWRITE_PNG_COMPRESSION, min(quality, 9)],
        ".jpg": [cv2.IMWRITE_JPEG_QUALITY, quality],
    }
    extension = extension.lower().replace(".jpeg", ".jpg")
    if extension not in settings:
        raise ValueError(f"unknown format {extension!r}; use .jpg or .png")
    if picture.ndim == 3:
        picture = picture[..., [2, 1, 0, 3][: picture.shape[2]]]
    return cv2.imencode(extension, picture, settings[extension])[1].tobytes()
