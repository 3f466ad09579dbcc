"""`nd.image`: prepare images (height, width, channels) for a network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.arrays.base import A, DeviceArray
from .._core.arrays.laxness import TRUSTED
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, warn_caller
from .._core.faces.kinds import keeps_shape
from .._core.journal import watcher
from .._core.kernels.generator import generator
from . import _colour as colour
from ._public import public
from .absent import missing

__all__ = [
    "adjust_lighting",
    "crop",
    "flip_left_right",
    "flip_top_bottom",
    "normalize",
    "random_brightness",
    "random_color_jitter",
    "random_contrast",
    "random_flip_left_right",
    "random_flip_top_bottom",
    "random_hue",
    "random_lighting",
    "random_saturation",
    "resize",
    "to_tensor",
]


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:  # so that type checkers report wrong names

    def __getattr__(name: str) -> Any:
        raise missing("nd.image", name, __all__)


# --------------------------------------------------------------------------------- checks


def warn_of_planes(name: str, shape: tuple[int, ...]) -> None:
    """Warn if images that are read as (..., height, width, channels) seem to be otherwise."""
    if shape[-3] in (1, 3) and min(shape[-2:]) > 4:
        warn_caller(
            f"{name}: data of shape {shape} is read as {shape[-1]} channels on the last axis; for"
            " (channels, height, width) give nd.moveaxis(data, -3, -1)"
        )


def _check(name: str, data: DeviceArray, batches: bool = False, channels: bool = True) -> None:
    """Raise unless `data` is an image of 1 or 3 channels, or a batch of them."""
    if data.ndim not in ((3, 4) if batches else (3,)):
        several = ", or (batch, height, width, channels)" if batches else ""
        raise ArgumentError(
            f"{name}: data has shape {data.shape}; it needs (height, width, channels){several}"
        )
    if not channels:
        warn_of_planes(name, data.shape)
    if channels and data.shape[-1] not in (1, 3):
        raise ArgumentError(
            f"{name}: data of shape {data.shape} has {data.shape[-1]} channels; it needs 1 or 3,"
            " as the last axis"
        )


def _draw(name: str, low: float, high: float) -> float:
    """Draw a factor between two limits, with the precision of float32."""
    if not 0 <= low <= high:
        raise ArgumentError(f"{name}: 0 <= min_factor={low} <= max_factor={high} must hold")
    return _uniform(low, high)


def _uniform(low: float, high: float) -> float:
    return float(np.float32(generator().uniform(low, high)))


def _coin() -> bool:
    return bool(generator().random() < 0.5)


# ------------------------------------------------------------------------------ arithmetic


def _computed(data: A, change: Callable[..., Any], *args: Any) -> A:
    """Run ``change(data, *args)`` in float32 or float64, and cast back to the dtype of `data`."""
    dtype = data.form.dtype
    y = change(data if dtype == np.float64 else ops.cast(data, dtype="float32"), *args)
    if dtype.kind in "iu":
        return ops.saturate(y, dtype=dtype)
    return y if y.form.dtype == dtype else ops.cast(y, dtype=dtype)


# ------------------------------------------------------------------------- for the network


@public
def to_tensor(data: A, out: A | None = None, name: str | None = None) -> A:
    """Convert images in [0, 255] to float32 in [0, 1], channels first.

    Parameters
    ----------
    data : NDArray of shape (height, width, channels) or (batch, height, width, channels)
        Of any dtype.

    Returns
    -------
    NDArray of shape (channels, height, width) or (batch, channels, height, width)
        float32.

    Raises
    ------
    ArgumentError
        If `data` has another number of axes.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.image.to_tensor(nd.array([[[0, 51], [255, 102]]], dtype="uint8"))
    <BLANKLINE>
    [[[0.  1. ]]
    <BLANKLINE>
     [[0.2 0.4]]]
    <NDArray 2x1x2 @cpu(0)>
    """
    _check("to_tensor", data, batches=True, channels=False)
    axes = tuple(range(data.ndim - 3))
    whole = data.form.dtype.kind in "iub"
    if not whole and "to_tensor" not in TRUSTED and watcher() is None:
        _warn_of_shares(data.raw)
    y = ops.divide(ops.cast(data, dtype="float32") if whole else data, 255.0)
    y = y if y.dtype == np.float32 else ops.cast(y, dtype="float32")
    return ops.transpose(y, axes=(*axes, data.ndim - 1, data.ndim - 3, data.ndim - 2))


def _warn_of_shares(raw: Any) -> None:
    """Warn if values are from 0 to 1, until an image has been right."""
    if not isinstance(raw, np.ndarray) or not raw.size:
        return
    largest = raw.max()
    if largest > 1:
        TRUSTED.add("to_tensor")
    elif largest > 0:
        warn_caller(
            "to_tensor: data are floats up to 1, and are divided by 255 all the same; for values"
            " from 0 to 1 use x.transpose((2, 0, 1))"
        )


def _per_channel(name: str, values: Any, x: A) -> A:
    """Return one number per channel, the third axis from the end."""
    numbers = np.atleast_1d(np.asarray(values, np.float64))
    channels = x.shape[-3]
    if numbers.shape not in ((1,), (channels,)):
        raise ArgumentError(
            f"normalize: {name}={values!r} has {numbers.size} numbers for {channels} channels;"
            f" pass one, or {channels}"
        )
    return colour.constant(numbers.reshape(-1, 1, 1), x)


@keeps_shape
@public
def normalize(
    data: A,
    mean: float | Sequence[float] = 0.0,
    std: float | Sequence[float] = 1.0,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Normalize each channel: ``(data - mean) / std``.

    Parameters
    ----------
    data : NDArray of shape (channels, height, width) or (batch, channels, height, width)
        With 1 or 3 channels. Integers are computed in float32, and lose their fraction.
    mean, std : float or sequence of float
        One number, or one for each channel.

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    ArgumentError
        If `data` has another shape, or `mean` or `std` another number of values.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.image.normalize(nd.array([[[1, 3]]]), mean=1, std=(2,))
    <BLANKLINE>
    [[[0. 1.]]]
    <NDArray 1x1x2 @cpu(0)>
    """
    if data.ndim not in (3, 4) or data.shape[-3] not in (1, 3):
        raise ArgumentError(
            f"normalize: data has shape {data.shape}; it needs (channels, height, width) or"
            " (batch, channels, height, width), with 1 or 3 channels"
        )

    if data.form.dtype.kind in "iu" and np.max(mean) <= 1 and np.max(std) <= 1:
        warn_caller(
            f"normalize: data is of {data.form.dtype}, with numbers from 0 to 255, and mean={mean},"
            f" std={std} are of numbers from 0 to 1, which ToTensor makes; call that before"
        )

    def change(x: A) -> A:
        centred = ops.subtract(x, _per_channel("mean", mean, x))
        return ops.divide(centred, _per_channel("std", std, x))

    return _computed(data, change)


# -------------------------------------------------------------------------------- geometry


@public
def resize(
    data: A,
    size: int | Sequence[int],
    keep_ratio: bool = False,
    interp: int = 1,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Resize images, with the interpolation of OpenCV 3.4.

    Parameters
    ----------
    data : NDArray of shape (height, width, channels) or (batch, height, width, channels)
        uint8, float32 or float64; any dtype for ``interp=0``. uint8 stays uint8: the linear
        and the cubic interpolation round their weights to multiples of 1 / 2048.
    size : int or tuple of int
        Width and height, or one number for both.
    keep_ratio : bool, default False
        If `size` is a number, make the shorter side that long and keep the proportions.
    interp : {0, 1, 2, 3, 4}, default 1
        The nearest pixel; linear; cubic; the mean of the area that a new pixel covers, which
        is for shrinking; Lanczos over 8 by 8 pixels. Linear interpolation to exactly half the size
        averages areas too.

    Returns
    -------
    NDArray of shape (new height, new width, channels), or (batch, new height, ...)

    Raises
    ------
    ArgumentError
        If `data` has another number of axes, or `size` or `interp` is not one of these.
    DTypeError
        If the dtype of `data` cannot be interpolated.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.image.resize(nd.array([[[0], [100]]], dtype="uint8"), size=(4, 1))[:, :, 0]
    <BLANKLINE>
    [[  0  25  75 100]]
    <NDArray 1x4 @cpu(0)>
    """
    _check("resize", data, batches=True, channels=False)
    sides = (size,) if isinstance(size, (int, np.integer)) else tuple(size or ())
    if len(sides) not in (1, 2) or min(sides) < 1:
        raise ArgumentError(f"resize: size={size!r} is neither a length nor (width, height)")
    width, height = sides * 2 if len(sides) == 1 else sides
    if keep_ratio and len(sides) == 1:
        old = data.shape[-3:-1]
        height, width = (side * sides[0] // min(old) for side in old) if min(old) else sides * 2
    return ops.resize_image(data, size=(int(height), int(width)), interp=interp)


@public
def crop(
    data: A, x: int, y: int, width: int, height: int, out: A | None = None, name: str | None = None
) -> A:
    """Crop a rectangle of images.

    Parameters
    ----------
    data : NDArray of shape (height, width, channels) or (batch, height, width, channels)
        With 1 or 3 channels.
    x, y : int
        Where the rectangle begins: the column and the row.
    width, height : int
        Of the rectangle.

    Returns
    -------
    NDArray of shape (height, width, channels) or (batch, height, width, channels)

    Raises
    ------
    ArgumentError
        If the rectangle is empty or does not lie in the image, or `data` has another shape.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.image.crop(nd.arange(6).reshape((2, 3, 1)), x=1, y=0, width=2, height=1)[:, :, 0]
    <BLANKLINE>
    [[1. 2.]]
    <NDArray 1x2 @cpu(0)>
    """
    _check("crop", data, batches=True)
    rows, columns = data.shape[-3:-1]
    inside = 0 <= x < x + width <= columns and 0 <= y < y + height <= rows
    if not inside:
        raise ArgumentError(
            f"crop: x={x}, y={y}, width={width}, height={height} is not a rectangle in an image of"
            f" width {columns} and height {rows}"
        )
    return ops.getitem(data, key=(..., slice(y, y + height), slice(x, x + width), slice(None)))


@keeps_shape
@public
def flip_left_right(data: A, out: A | None = None, name: str | None = None) -> A:
    """Flip images horizontally.

    Parameters
    ----------
    data : NDArray of shape (height, width, channels)
        With 1 or 3 channels.

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    ArgumentError
        If `data` has another shape.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.image.flip_left_right(nd.arange(3).reshape((1, 3, 1)))[:, :, 0]
    <BLANKLINE>
    [[2. 1. 0.]]
    <NDArray 1x3 @cpu(0)>
    """
    _check("flip_left_right", data)
    return ops.flip(data, axis=1)


@keeps_shape
@public
def flip_top_bottom(data: A, out: A | None = None, name: str | None = None) -> A:
    """Flip images vertically; see `flip_left_right`.

    Parameters
    ----------
    data : NDArray of shape (height, width, channels)
        With 1 or 3 channels.

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    ArgumentError
        If `data` has another shape.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.image.flip_top_bottom(nd.arange(2).reshape((2, 1, 1)))[:, :, 0]
    <BLANKLINE>
    [[1.]
     [0.]]
    <NDArray 2x1 @cpu(0)>
    """
    _check("flip_top_bottom", data)
    return ops.flip(data, axis=0)


@keeps_shape
@public
def random_flip_left_right(data: A, out: A | None = None, name: str | None = None) -> A:
    """Flip images horizontally with probability 0.5.

    Parameters
    ----------
    data : NDArray of shape (height, width, channels)
        With 1 or 3 channels.

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    ArgumentError
        If `data` has another shape.

    Examples
    --------
    >>> from gluon import nd, random
    >>> random.seed(0)
    >>> x = nd.arange(3).reshape((1, 3, 1))
    >>> sorted({nd.image.random_flip_left_right(x)[0, 0].asscalar().item() for _ in range(20)})
    [0.0, 2.0]
    """
    _check("random_flip_left_right", data)
    return ops.flip(data, axis=1) if _coin() else ops.copy(data)


@keeps_shape
@public
def random_flip_top_bottom(data: A, out: A | None = None, name: str | None = None) -> A:
    """Flip images vertically with probability 0.5.

    Parameters
    ----------
    data : NDArray of shape (height, width, channels)
        With 1 or 3 channels.

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    ArgumentError
        If `data` has another shape.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.image.random_flip_top_bottom(nd.ones((2, 3, 1))).shape
    (2, 3, 1)
    """
    _check("random_flip_top_bottom", data)
    return ops.flip(data, axis=0) if _coin() else ops.copy(data)


# ---------------------------------------------------------------------------------- colours


@keeps_shape
@public
def random_brightness(
    data: A, min_factor: float, max_factor: float, out: A | None = None, name: str | None = None
) -> A:
    """Randomly change the brightness: multiply `data` by a random factor.

    Parameters
    ----------
    data : NDArray of shape (height, width, channels)
        With 1 or 3 channels, red, green and blue. Integers are computed in float32, lose
        their fraction and stay in the range of their dtype.
    min_factor, max_factor : float
        The factor is uniform between these, from 0 on.

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    ArgumentError
        If `data` has another shape, or the factors are negative or in the wrong order.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.image.random_brightness(nd.array([[[99, 200, 3]]], dtype="uint8"), 1.5, 1.5)
    <BLANKLINE>
    [[[148 255   4]]]
    <NDArray 1x1x3 @cpu(0)>
    """
    _check("random_brightness", data)
    return _computed(data, colour.brightness, _draw("random_brightness", min_factor, max_factor))


@keeps_shape
@public
def random_contrast(
    data: A, min_factor: float, max_factor: float, out: A | None = None, name: str | None = None
) -> A:
    """Randomly change the contrast: ``factor * data + (1 - factor) * mean``.

    Parameters
    ----------
    data : NDArray of shape (height, width, channels)
        See `random_brightness`.
    min_factor, max_factor : float
        The factor is uniform between these, from 0 on.

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    ArgumentError
        If `data` has another shape, or the factors are negative or in the wrong order.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.image.random_contrast(nd.array([[[10], [30]]]), 0.5, 0.5)[:, :, 0]
    <BLANKLINE>
    [[15. 25.]]
    <NDArray 1x2 @cpu(0)>
    """
    _check("random_contrast", data)
    return _computed(data, colour.contrast, _draw("random_contrast", min_factor, max_factor))


@keeps_shape
@public
def random_saturation(
    data: A, min_factor: float, max_factor: float, out: A | None = None, name: str | None = None
) -> A:
    """Randomly change the saturation: ``factor * data + (1 - factor) * grey``.

    Grey is 0.299 red + 0.587 green + 0.114 blue. An image of one channel stays as it is.

    Parameters
    ----------
    data : NDArray of shape (height, width, channels)
        See `random_brightness`.
    min_factor, max_factor : float
        The factor is uniform between these, from 0 on.

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    ArgumentError
        If `data` has another shape, or the factors are negative or in the wrong order.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.image.random_saturation(nd.array([[[100, 0, 0]]]), 0, 0)
    <BLANKLINE>
    [[[29.9 29.9 29.9]]]
    <NDArray 1x1x3 @cpu(0)>
    """
    _check("random_saturation", data)
    return _computed(data, colour.saturation, _draw("random_saturation", min_factor, max_factor))


@keeps_shape
@public
def random_hue(
    data: A, min_factor: float, max_factor: float, out: A | None = None, name: str | None = None
) -> A:
    """Randomly rotate the hue; lightness and saturation (HLS) stay.

    An image of one channel stays as it is.

    Parameters
    ----------
    data : NDArray of shape (height, width, channels)
        With values from 0 to 255; see `random_brightness`.
    min_factor, max_factor : float
        The part of a full turn, uniform between these; not negative.

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    ArgumentError
        If `data` has another shape, or the factors are negative or in the wrong order.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.image.random_hue(nd.array([[[255, 0, 0]]], dtype="uint8"), 0.25, 0.25)
    <BLANKLINE>
    [[[127 255   0]]]
    <NDArray 1x1x3 @cpu(0)>
    """
    _check("random_hue", data)
    return _computed(data, colour.hue, _draw("random_hue", min_factor, max_factor))


@keeps_shape
@public
def random_color_jitter(
    data: A,
    brightness: float,
    contrast: float,
    saturation: float,
    hue: float,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Randomly change brightness, contrast, saturation and hue, in random order.

    Parameters
    ----------
    data : NDArray of shape (height, width, channels)
        See `random_brightness`.
    brightness, contrast, saturation : float
        Each factor is uniform from 1 - this to 1 + this; 0 for no change.
    hue : float
        The part of a turn is uniform from - this to this; 0 for no change.

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    ArgumentError
        If `data` has another shape, or one of the numbers is negative.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.image.random_color_jitter(nd.array([[[1, 2, 3]]]), 0, 0, 0, 0)
    <BLANKLINE>
    [[[1. 2. 3.]]]
    <NDArray 1x1x3 @cpu(0)>
    """
    _check("random_color_jitter", data)
    steps = [
        (colour.brightness, 1, brightness),
        (colour.contrast, 1, contrast),
        (colour.saturation, 1, saturation),
        (colour.hue, 0, hue),
    ]
    if min(width for _, _, width in steps) < 0:
        raise ArgumentError(
            f"random_color_jitter: brightness={brightness}, contrast={contrast},"
            f" saturation={saturation} and hue={hue} must be 0 or more"
        )
    data = ops.copy(data)
    for k in generator().permutation(len(steps)):
        change, middle, width = steps[k]
        if width > 0:
            data = _computed(data, change, _uniform(middle - width, middle + width))
    return data


@keeps_shape
@public
def adjust_lighting(
    data: A, alpha: Sequence[float], out: A | None = None, name: str | None = None
) -> A:
    """Add the principal components of ImageNet's colors, each times its `alpha`.

    See "ImageNet classification with deep convolutional neural networks", 2012. An image of one
    channel stays as it is.

    Parameters
    ----------
    data : NDArray of shape (height, width, channels)
        With values from 0 to 255; see `random_brightness`.
    alpha : sequence of three floats

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    ArgumentError
        If `data` has another shape, or `alpha` another number of values.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.image.adjust_lighting(nd.array([[[100, 100, 100]]], dtype="uint8"), (-1, 0, 0))
    <BLANKLINE>
    [[[131 132 132]]]
    <NDArray 1x1x3 @cpu(0)>
    """
    _check("adjust_lighting", data)
    if np.shape(alpha) != (3,):
        raise ArgumentError(f"adjust_lighting: alpha={alpha!r} needs three numbers")
    return _computed(data, colour.lighting, alpha)


@keeps_shape
@public
def random_lighting(
    data: A, alpha_std: float = 0.05, out: A | None = None, name: str | None = None
) -> A:
    """`adjust_lighting` with a random `alpha`.

    Parameters
    ----------
    data : NDArray of shape (height, width, channels)
        With values from 0 to 255; see `random_brightness`.
    alpha_std : float, default 0.05
        The standard deviation of each of the three numbers, whose mean is 0.

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    ArgumentError
        If `data` has another shape, or `alpha_std` is negative.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.image.random_lighting(nd.array([[[100, 100, 100]]]), 0)
    <BLANKLINE>
    [[[100. 100. 100.]]]
    <NDArray 1x1x3 @cpu(0)>
    """
    _check("random_lighting", data)
    if alpha_std < 0:
        raise ArgumentError(f"random_lighting: alpha_std={alpha_std} must be 0 or more")
    return _computed(data, colour.lighting, generator().normal(0, alpha_std, 3))
