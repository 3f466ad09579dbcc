"""Read, crop and rotate images (height, width, channels)."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from numbers import Number
from typing import Any

import numpy as np

from .. import nd
from .._core.arrays.interfaces import chosen_class
from .._core.engine.array import Array, wrap
from .._core.errors import ArgumentError, DTypeError, a_type, warn_caller
from .._core.hints.lookup import told
from .._core.kernels import image as kernels
from .._core.kernels.memory import on_host
from ..io.augment import check_interpolation, interpolation
from ..nd import NDArray
from ..nd.decode import decoded
from ..recordio.files import content_of

__all__ = [
    "center_crop",
    "color_normalize",
    "copyMakeBorder",
    "fixed_crop",
    "imdecode",
    "imread",
    "imresize",
    "imrotate",
    "random_crop",
    "random_rotate",
    "random_size_crop",
    "resize_short",
    "scale_down",
]
Rectangle = tuple[int, int, int, int]


# ------------------------------------------------------------------------------------- files


@told
def imread(
    filename: str, flag: int = 1, to_rgb: bool = True, out: NDArray | None = None
) -> NDArray:
    """Read an image file (JPEG, PNG, ...); requires Pillow or OpenCV.

    Parameters
    ----------
    filename : str
    flag : {0, 1}, default 1
        0 for grey, 1 for colour.
    to_rgb : bool, default True
        RGB order; False for BGR.
    out : NDArray of the shape of the image, of uint8, optional
        Where to write it.

    Returns
    -------
    NDArray of shape (height, width, 1 or 3)
        uint8.

    Raises
    ------
    ArgumentError
        If the file holds no image, or `flag` is neither 0 nor 1.
    GluonError
        If neither Pillow nor OpenCV is installed.
    MissingFileError
        If the file does not exist.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> from gluon import image, recordio
    >>> header, picture = recordio.IRHeader(0, 0, 0, 0), np.zeros((6, 8, 3), "uint8")
    >>> packed = recordio.pack_img(header, picture, 9, ".png")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with open(f"{folder}/a.png", "wb") as file:
    ...         _ = file.write(recordio.unpack(packed)[1])
    ...     image.imread(f"{folder}/a.png").shape
    (6, 8, 3)
    """
    data = content_of("imread", filename)
    try:
        return imdecode(data, flag, to_rgb, out)
    except ArgumentError as error:
        raise ArgumentError(f"imread of {filename!r}: {error}") from error


@told
def imdecode(buf: Any, flag: int = 1, to_rgb: bool = True, out: NDArray | None = None) -> NDArray:
    """Decode the bytes of an image file (JPEG, PNG, ...); requires Pillow or OpenCV.

    Parameters
    ----------
    buf : bytes, or numpy.ndarray or NDArray of uint8, of shape (n,)
    flag : {0, 1}, default 1
        0 for grey, 1 for colour.
    to_rgb : bool, default True
        RGB order; False for BGR.
    out : NDArray of the shape of the image, optional
        Where to write it.

    Returns
    -------
    NDArray of shape (height, width, 1 or 3)
        uint8.

    Raises
    ------
    ArgumentError
        If the bytes hold no image, or `flag` is neither 0 nor 1.
    DTypeError
        If `buf` is not bytes.
    GluonError
        If neither Pillow nor OpenCV is installed.

    Examples
    --------
    >>> from gluon import image
    >>> file = b"P6 1 2 255 " + bytes([1, 2, 3, 4, 5, 6])  # two pixels, one above the other
    >>> image.imdecode(file).asnumpy()[:, 0]
    array([[1, 2, 3],
           [4, 5, 6]], dtype=uint8)
    """
    if flag not in (0, 1):
        raise ArgumentError(f"imdecode: flag={flag!r} is neither 0, for grey, nor 1, for colour")
    if isinstance(buf, (Array, np.ndarray)):
        buf = np.asarray(on_host(getattr(buf, "raw", buf)), np.uint8).tobytes()
    picture = decoded("imdecode", "buf", buf, 3 if flag else 1)
    if flag and not to_rgb:
        picture = picture[..., ::-1].copy()
    result = wrap(chosen_class(), picture)
    if out is None:
        return result
    out[...] = result
    return out


# ---------------------------------------------------------------------------------- resizing


@told
def imresize(src: NDArray, w: int, h: int, interp: int = 1) -> NDArray:
    """Resize an image; see `nd.image.resize`.

    Parameters
    ----------
    src : NDArray of shape (height, width, channels), of uint8, float32 or float64
    w, h : int
        The new width and height.
    interp : {0, 1, 2, 3, 4}, default 1
        Nearest, linear, cubic, area or Lanczos.

    Returns
    -------
    NDArray of shape (h, w, channels)

    Raises
    ------
    ArgumentError
        If `w`, `h` or `interp` has an invalid value, or `src` does not have three axes.

    Examples
    --------
    >>> from gluon import image, nd
    >>> image.imresize(nd.zeros((4, 6, 3)), 3, 2).shape
    (2, 3, 3)
    """
    _height_and_width("imresize", src)
    return nd.image.resize(src, (int(w), int(h)), interp=interp)


@told
def resize_short(src: NDArray, size: int, interp: int = 2) -> NDArray:
    """Resize an image so that its shorter side is `size`, keeping the aspect ratio.

    Parameters
    ----------
    src : NDArray of shape (height, width, channels), of uint8, float32 or float64
    size : int
    interp : int, default 2
        See `fixed_crop`.

    Returns
    -------
    NDArray of shape (new height, new width, channels)

    Raises
    ------
    ArgumentError
        If `size` or `interp` has an invalid value, or `src` does not have three axes.

    Examples
    --------
    >>> from gluon import image, nd
    >>> image.resize_short(nd.zeros((4, 6, 3)), 8).shape
    (8, 12, 3)
    """
    h, w = _height_and_width("resize_short", src)
    if not isinstance(size, Number):
        raise DTypeError(f"resize_short: size={size!r} must be one number, of the shorter side")
    if size < 1:
        raise ArgumentError(f"resize_short: size={size} must be 1 or more")
    new_h, new_w = (size * h // w, size) if h > w else (size, size * w // h)
    check_interpolation("resize_short", interp)
    return imresize(src, new_w, new_h, interpolation(interp, (h, w), (new_h, new_w), draw))


def pair(name: str, what: str, value: Any, such: str = "") -> tuple[Any, Any]:
    """The two numbers of an argument, called `what`, of the function `name`: a size by default."""
    try:
        first, second = value
    except (TypeError, ValueError):
        size = (value, value) if isinstance(value, Number) else (224, 224)
        such = such or f"(width, height), such as {size}"
        raise DTypeError(f"{name}: {what}={value!r} must be two numbers, {such}") from None
    return first, second


def draw() -> int:
    """An interpolation, drawn with Python's module `random`."""
    return random.randint(0, 4)


def _height_and_width(name: str, src: Any) -> tuple[int, int]:
    if np.ndim(src) != 3:
        raise ArgumentError(
            f"{name}: src has shape {np.shape(src)}; it needs (height, width, channels)"
        )
    return src.shape[:2]


@told
def scale_down(src_size: tuple[int, int], size: tuple[int, int]) -> tuple[int, int]:
    """Scale down the size of a crop, in proportion, until it fits into the image.

    Parameters
    ----------
    src_size : tuple of int
        Width and height of the image.
    size : tuple of int
        The requested width and height.

    Returns
    -------
    tuple of int
        Width and height.

    Raises
    ------
    DTypeError
        If a size is not two numbers.

    Examples
    --------
    >>> from gluon import image
    >>> image.scale_down((60, 40), (90, 30))
    (60, 20)
    """
    width, height = pair("scale_down", "src_size", src_size)
    w, h = pair("scale_down", "size", size)
    if h > height:
        w, h = w * height / h, height
    if w > width:
        w, h = width, h * width / w
    return int(w), int(h)


@told
def copyMakeBorder(
    src: NDArray,
    top: int,
    bot: int,
    left: int,
    right: int,
    type: int = 0,
    value: float = 0.0,
    values: float | Sequence[float] = (),
    out: NDArray | None = None,
) -> NDArray:
    """Add a border to an image.

    Parameters
    ----------
    src : NDArray of shape (height, width, channels)
    top, bot, left, right : int
        The width of the border on each side.
    type : {0, 1, 2, 3, 4}, default 0
        How to fill it: 0 with one colour, 1 with the pixels at the edge, 2 with the image
        reflected including the edge, 3 with the image repeated, 4 with the image reflected without
        the edge. 16 is treated as 0.
    value : float, default 0
        The colour of every channel.
    values : float or sequence of float, optional
        The colour of each channel.
    out : NDArray of the shape and dtype of the result, optional
        Where to write it.

    Returns
    -------
    NDArray of shape (top + height + bot, left + width + right, channels)

    Raises
    ------
    ArgumentError
        If a width is negative, there is no such type, or no colour for each channel.

    Examples
    --------
    >>> from gluon import image, nd
    >>> image.copyMakeBorder(nd.ones((1, 2, 1)), 1, 0, 0, 1, values=7)[:, :, 0]
    <BLANKLINE>
    [[7. 7. 7.]
     [1. 1. 7.]]
    <NDArray 2x3 @cpu(0)>
    """
    _height_and_width("copyMakeBorder", src)
    colours = np.atleast_1d(values).ravel()[: src.shape[2]] if np.size(values) else value
    widths = {"top": int(top), "bottom": int(bot), "left": int(left), "right": int(right)}
    try:
        raw = kernels.border(on_host(src.raw), **widths, kind=int(type) & ~16, values=colours)
    except ValueError as error:
        raise ArgumentError(f"copyMakeBorder: {error}") from error
    result = wrap(NDArray, raw, src._ctx)
    if out is None:
        return result
    out[...] = result
    return out


# ---------------------------------------------------------------------------------- cropping


@told
def fixed_crop(
    src: NDArray,
    x0: int,
    y0: int,
    w: int,
    h: int,
    size: Sequence[int] | None = None,
    interp: int = 2,
) -> NDArray:
    """Crop a rectangle of an image, limited to the image.

    Parameters
    ----------
    src : NDArray of shape (height, width, channels), of any dtype
    x0, y0 : int
        The first column and the first row.
    w, h : int
        Width and height.
    size : tuple of int, optional
        The width and height to resize the rectangle to.
    interp : int, default 2
        From 0 to 4 as for `imresize`; 9 for cubic to enlarge, area to shrink and linear
        otherwise; 10 for any of these at random.

    Returns
    -------
    NDArray of shape (h, w, channels), or as `size` says

    Raises
    ------
    ArgumentError
        If the rectangle is empty or starts outside the image, or `interp` is not one of these.

    Examples
    --------
    >>> from gluon import image, nd
    >>> image.fixed_crop(nd.arange(6).reshape((2, 3, 1)), 1, 0, 2, 1)[:, :, 0]
    <BLANKLINE>
    [[1. 2.]]
    <NDArray 1x2 @cpu(0)>
    """
    rows, columns = _height_and_width("fixed_crop", src)
    nd.image.warn_of_planes("fixed_crop", src.shape)
    if not (0 <= x0 < columns and 0 <= y0 < rows and w > 0 and h > 0):
        raise ArgumentError(
            f"fixed_crop: x0={x0}, y0={y0}, w={w}, h={h} is not a rectangle in an image of width"
            f" {columns} and height {rows}"
        )
    check_interpolation("fixed_crop", interp)
    if x0 + w > columns or y0 + h > rows:
        warn_caller(
            f"fixed_crop: x0={x0}, y0={y0}, w={w}, h={h} reaches beyond the image of width"
            f" {columns} and height {rows}; the result has what lies inside"
        )
    part = src[y0 : y0 + h, x0 : x0 + w]
    width, height = (w, h) if size is None else pair("fixed_crop", "size", size)
    if size is None or (width, height) == (w, h):
        return part
    return imresize(part, width, height, interpolation(interp, (h, w), (height, width), draw))


@told
def center_crop(src: NDArray, size: Sequence[int], interp: int = 2) -> tuple[NDArray, Rectangle]:
    """Crop the center of an image, enlarged if the image is smaller than `size`.

    Parameters
    ----------
    src : NDArray of shape (height, width, channels), of any dtype
    size : tuple of int
        Width and height.
    interp : int, default 2
        See `fixed_crop`.

    Returns
    -------
    NDArray of shape (height, width, channels)
    tuple of int
        The rectangle: x, y, width and height.

    Raises
    ------
    ArgumentError
        If `src` does not have three axes.

    Examples
    --------
    >>> from gluon import image, nd
    >>> image.center_crop(nd.zeros((6, 8, 3)), (4, 4))[1]
    (2, 1, 4, 4)
    """
    h, w = _height_and_width("center_crop", src)
    new_w, new_h = scale_down((w, h), pair("center_crop", "size", size))
    x0, y0 = (w - new_w) // 2, (h - new_h) // 2
    return fixed_crop(src, x0, y0, new_w, new_h, size, interp), (x0, y0, new_w, new_h)


@told
def random_crop(src: NDArray, size: Sequence[int], interp: int = 2) -> tuple[NDArray, Rectangle]:
    """Crop a random rectangle of an image, enlarged if the image is smaller than `size`.

    The position is drawn with Python's module `random`.

    Parameters
    ----------
    src : NDArray of shape (height, width, channels), of any dtype
    size : tuple of int
        Width and height.
    interp : int, default 2
        See `fixed_crop`.

    Returns
    -------
    NDArray of shape (height, width, channels)
    tuple of int
        The rectangle: x, y, width and height.

    Raises
    ------
    ArgumentError
        If `src` does not have three axes.

    Examples
    --------
    >>> from gluon import image, nd
    >>> picture, (x, y, width, height) = image.random_crop(nd.ones((6, 8, 3)), (4, 2))
    >>> picture.shape, width, height
    ((2, 4, 3), 4, 2)
    """
    h, w = _height_and_width("random_crop", src)
    new_w, new_h = scale_down((w, h), pair("random_crop", "size", size))
    x0, y0 = random.randint(0, w - new_w), random.randint(0, h - new_h)
    return fixed_crop(src, x0, y0, new_w, new_h, size, interp), (x0, y0, new_w, new_h)


@told
def random_size_crop(
    src: NDArray,
    size: Sequence[int],
    area: float | Sequence[float],
    ratio: Sequence[float],
    interp: int = 2,
) -> tuple[NDArray, Rectangle]:
    """Crop a rectangle of random size and aspect ratio, and resize it.

    The rectangle is drawn with Python's module `random`; if ten draws do not fit into the image,
    it is that of `center_crop`.

    Parameters
    ----------
    src : NDArray of shape (height, width, channels), of uint8, float32 or float64
    size : tuple of int
        Width and height of the result.
    area : float or tuple of float
        The smallest and the largest share of the image that it covers; one number is the smallest.
    ratio : tuple of float
        The smallest and the largest ratio of width to height.
    interp : int, default 2
        See `fixed_crop`.

    Returns
    -------
    NDArray of shape (height, width, channels)
    tuple of int
        The rectangle: x, y, width and height.

    Raises
    ------
    ArgumentError
        If `src` does not have three axes.

    Examples
    --------
    >>> from gluon import image, nd
    >>> picture = nd.ones((6, 8, 3))
    >>> picture, rectangle = image.random_size_crop(picture, (4, 2), (0.5, 1), (0.75, 1.33))
    >>> picture.shape
    (2, 4, 3)
    """
    h, w = _height_and_width("random_size_crop", src)
    pair("random_size_crop", "size", size)
    least, largest = area if isinstance(area, Sequence) else (area, 1.0)
    if largest > 1 or least > 1:
        warn_caller(f"random_size_crop: area={area} is of the image, of which all is 1")
    narrow, wide = pair("random_size_crop", "ratio", ratio, "such as (0.75, 1.33)")
    logarithms = math.log(narrow), math.log(wide)
    for _ in range(10):
        target = random.uniform(least, largest) * h * w
        proportion = math.exp(random.uniform(*logarithms))
        new_w = round(math.sqrt(target * proportion))
        new_h = round(math.sqrt(target / proportion))
        if 0 < new_w <= w and 0 < new_h <= h:
            x0, y0 = random.randint(0, w - new_w), random.randint(0, h - new_h)
            return fixed_crop(src, x0, y0, new_w, new_h, size, interp), (x0, y0, new_w, new_h)
    return center_crop(src, size, interp)


# ------------------------------------------------------------------------- colours, rotation


@told
def color_normalize(src: Any, mean: NDArray | None, std: NDArray | None = None) -> NDArray:
    """Compute ``(src - mean) / std`` in place.

    Parameters
    ----------
    src : NDArray of shape (height, width, channels), of any dtype
    mean, std : NDArray of shape (channels,), optional

    Returns
    -------
    NDArray of the same shape
        `src`.

    Examples
    --------
    >>> from gluon import image, nd
    >>> image.color_normalize(nd.full((1, 1, 3), 40), nd.array([10, 20, 30])).asnumpy()
    array([[[30., 20., 10.]]], dtype=float32)
    """
    if src.form.dtype.kind in "iu":
        warn_caller(
            f"color_normalize: src is of {src.form.dtype}, where differences wrap around and"
            " fractions are dropped; give src.astype('float32')"
        )
    if mean is not None:
        src -= _wide(src, mean)
    if std is not None:
        src /= _wide(src, std)
    return src


def _wide(src: NDArray, values: Any) -> Any:
    """Repeat one number per channel along the width: NumPy is slow on short last axes."""
    if isinstance(values, NDArray):
        values = values.as_in_context(src.context)
    if src.ndim < 3 or getattr(values, "shape", None) != src.shape[-1:]:
        return values
    return nd.tile(values, (src.shape[-2], 1))


@told
def imrotate(
    src: NDArray, rotation_degrees: Any, zoom_in: bool = False, zoom_out: bool = False
) -> NDArray:
    """Rotate images, channels first, about their center; the corners are filled with zeros.

    Parameters
    ----------
    src : NDArray of shape (channels, height, width) or (batch, channels, height, width)
        Of a floating dtype.
    rotation_degrees : float, or NDArray of shape (batch,)
        Counterclockwise.
    zoom_in : bool, default False
        Enlarge the image, so that no corner is empty.
    zoom_out : bool, default False
        Shrink the image, so that all of it is visible.

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    ArgumentError
        If `src` has another number of axes, there is not one angle for each image, or both zooms
        are True.
    DTypeError
        If `src` holds integers, or a single image gets an array of angles.

    Examples
    --------
    >>> from gluon import image, nd
    >>> x = nd.array([[[1, 2, 3], [4, 5, 6], [7, 8, 9]]])
    >>> image.imrotate(x, 90).asnumpy().round(4)
    array([[[3., 6., 9.],
            [2., 5., 8.],
            [1., 4., 7.]]], dtype=float32)
    """
    if zoom_in and zoom_out:
        raise ArgumentError("imrotate: zoom_in and zoom_out exclude each other; leave one out")
    if src.form.dtype.kind in "iub":
        raise DTypeError(
            f"imrotate: src holds {src.form.dtype}; it needs a floating dtype, as ToTensor gives"
        )
    if src.ndim not in (3, 4):
        raise ArgumentError(
            f"imrotate: src has shape {src.shape}; it needs (channels, height, width) or (batch,"
            " channels, height, width)"
        )
    single = isinstance(rotation_degrees, Number)
    if src.ndim == 3:
        if not single:
            raise DTypeError(
                f"imrotate: one image takes one number of degrees, not {a_type(rotation_degrees)}"
            )
        return imrotate(nd.expand_dims(src, 0), rotation_degrees, zoom_in, zoom_out)[0]
    degrees = np.asarray([rotation_degrees] * len(src) if single else rotation_degrees, float)
    if degrees.shape != (len(src),):
        raise ArgumentError(
            f"imrotate: {len(src)} images need as many angles, and got {degrees.shape}"
        )
    _, _, h, w = src.shape
    grid = _rotated_grid(h, w, np.deg2rad(degrees), zoom_in, zoom_out)
    return nd.BilinearSampler(src, nd.array(grid, ctx=src.context, dtype=src.dtype))


def _rotated_grid(h: int, w: int, angle: Any, zoom_in: bool, zoom_out: bool) -> np.ndarray:
    """Return the grid of source points of a rotation, for `nd.BilinearSampler`."""
    half_h, half_w = (h - 1) / 2, (w - 1) / 2
    y, x = np.mgrid[:h, :w] - np.array([half_h, half_w]).reshape(2, 1, 1)
    cos, sin = (f(angle).reshape(-1, 1, 1) for f in (np.cos, np.sin))
    grid = np.stack([(x * cos - y * sin) / (half_w or 1), (x * sin + y * cos) / (half_h or 1)], 1)
    if not (zoom_in or zoom_out):
        return grid
    # The size of the rectangle around the rotated image, relative to the image.
    wide = (w * abs(cos) + h * abs(sin)) / w
    high = (w * abs(sin) + h * abs(cos)) / h
    zoom = np.maximum(wide, high) if zoom_out else 1 / np.maximum(wide, high)
    return grid * zoom[:, None]


@told
def random_rotate(
    src: NDArray,
    angle_limits: tuple[float, float],
    zoom_in: bool = False,
    zoom_out: bool = False,
) -> NDArray:
    """Rotate images by random angles from NumPy's global generator; see `imrotate`.

    Parameters
    ----------
    src : NDArray of shape (channels, height, width) or (batch, channels, height, width)
        Of a floating dtype.
    angle_limits : tuple of float
        The smallest and the largest angle, in degrees.
    zoom_in, zoom_out : bool, default False

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    ArgumentError
        If `src` has another number of axes, or both `zoom_in` and `zoom_out` are True.

    Examples
    --------
    >>> from gluon import image, nd
    >>> image.random_rotate(nd.ones((3, 6, 8)), (-10, 10)).shape
    (3, 6, 8)
    """
    low, high = pair("random_rotate", "angle_limits", angle_limits, "such as (-10, 10)")
    if src.ndim == 3:
        return imrotate(src, np.random.uniform(low, high), zoom_in, zoom_out)  # noqa: NPY002
    degrees = np.random.uniform(low, high, len(src))  # noqa: NPY002
    return imrotate(src, degrees, zoom_in, zoom_out)
