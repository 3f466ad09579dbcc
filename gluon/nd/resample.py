"""`nd` and `nd.contrib`: resampling of images."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np

from .._core.arrays.base import A, DeviceArray
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError
from ._checks import check_choice, check_floating, check_pictures, two_sizes
from ._public import public, several


@public
def UpSampling(
    *data: A,
    scale: int,
    sample_type: str,
    num_filter: int = 0,
    multi_input_mode: str = "concat",
    workspace: int = 512,
    num_args: int | None = None,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Enlarge images `scale` times.

    Parameters
    ----------
    *data : NDArray of shape (batch, channels, height, width)
        For ``'nearest'`` several images, all enlarged to the size of the first result; for
        ``'bilinear'`` an image and the weight of a deconvolution, of shape (channels, 1, size,
        size) with ``size = 2 * scale - scale % 2``.
    scale : int
    sample_type : {'nearest', 'bilinear'}
        Repeat each pixel, or interpolate with the weight.
    num_filter : int, optional
        The channels, for ``'bilinear'``.
    multi_input_mode : {'concat', 'sum'}
        How to combine several results.
    workspace
        Ignored.

    Returns
    -------
    NDArray of shape (batch, channels, height * scale, width * scale) and the same dtype

    Raises
    ------
    ArgumentError
        If an option is not one of the above, `scale` is below 1, there is no image, or the shapes
        do not fit.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[[[1, 2]]]])
    >>> nd.UpSampling(x, scale=2, sample_type="nearest").asnumpy().tolist()
    [[[[1.0, 1.0, 2.0, 2.0], [1.0, 1.0, 2.0, 2.0]]]]
    """
    check_choice("UpSampling", "sample_type", sample_type, ("nearest", "bilinear"))
    check_choice("UpSampling", "multi_input_mode", multi_input_mode, ("concat", "sum"))
    if not (isinstance(scale, Integral) and scale > 0):
        raise ArgumentError(f"UpSampling: scale={scale!r} must be a positive integer")
    if sample_type == "bilinear":
        return _bilinear(data, int(scale), num_filter)
    if not data:
        raise ArgumentError("UpSampling: pass at least one image")
    for k, x in enumerate(data):
        check_pictures("UpSampling", f"data[{k}]", x)
    height, width = (n * int(scale) for n in data[0].shape[2:])
    parts = [ops.upsample_nearest(x, scale=max(1, height // x.shape[2])) for x in data]
    alike = multi_input_mode == "concat" or len({part.shape[1] for part in parts}) == 1
    if not alike or any(part.shape[2:] != (height, width) for part in parts):
        raise ArgumentError(
            f"UpSampling: images of shapes {[x.shape for x in data]} cannot become"
            f" {height} x {width} all{'' if alike else ' with the same number of channels'}"
        )
    if multi_input_mode == "concat":
        return ops.concat(*parts, axis=1) if len(parts) > 1 else parts[0]
    total = parts[0]
    for part in parts[1:]:
        total = ops.add(total, part)
    return total


def _bilinear(data: tuple[A, ...], scale: int, num_filter: int) -> A:
    side = 2 * scale - scale % 2
    if len(data) != 2:
        raise ArgumentError(
            f"UpSampling: {len(data)} arrays; sample_type='bilinear' takes the image and the"
            f" weight, of shape (channels, 1, {side}, {side})"
        )
    picture, weight = data
    check_pictures("UpSampling", "data[0]", picture)
    channels = picture.shape[1]
    if weight.shape != (channels, 1, side, side) or num_filter not in (0, channels):
        raise ArgumentError(
            f"UpSampling: the weight has shape {weight.shape} and num_filter is {num_filter};"
            f" for an image {picture.shape} with scale={scale} they need "
            f"{(channels, 1, side, side)} and {channels}"
        )
    pad = (scale // 2,) * 2
    return ops.deconvolution(picture, weight, stride=(scale,) * 2, pad=pad, num_group=channels)


@public
def Crop(
    *data: A,
    offset: tuple[int, int] = (0, 0),
    h_w: tuple[int, int] = (0, 0),
    center_crop: bool = False,
    num_args: int | None = None,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Crop images.

    Parameters
    ----------
    *data : NDArray of shape (batch, channels, height, width) and any dtype
        The image and, optionally, another image that sets the size.
    offset : tuple of int, default (0, 0)
        Where the part begins; ignored with `center_crop`.
    h_w : tuple of int
        The height and width of the part; ignored with a second image.
    center_crop : bool, default False

    Returns
    -------
    NDArray of shape (batch, channels, *h_w) and the dtype of the image

    Raises
    ------
    ArgumentError
        If the part lies outside the image or has no pixels, or an array does not have four axes.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[[[1, 2, 3], [4, 5, 6]]]])
    >>> nd.Crop(x, h_w=(1, 2), offset=(1, 1)).asnumpy().tolist()
    [[[[5.0, 6.0]]]]
    """
    for k, x in enumerate(data):
        check_pictures("Crop", f"data[{k}]", x)
    picture, *like = data
    height, width = like[0].shape[2:] if like else h_w
    top, left = offset
    if center_crop:
        top, left = (picture.shape[2] - height) // 2, (picture.shape[3] - width) // 2
    ends = (top + height, left + width)
    if min(top, left) < 0 or min(height, width) < 1 or any(np.greater(ends, picture.shape[2:])):
        raise ArgumentError(
            f"Crop: {height} x {width} pixels from {(top, left)} on are empty or outside"
            f" {picture.shape}; pass h_w or another image, and an offset that fits"
        )
    rows, columns = slice(top, top + height), slice(left, left + width)
    return ops.getitem(picture, key=(slice(None), slice(None), rows, columns))


@public
def AdaptiveAvgPooling2D(
    data: A, output_size: int | Sequence[int] = (), out: A | None = None, name: str | None = None
) -> A:
    """Adaptive average pooling to a given output size.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, height, width)
        Of a floating dtype.
    output_size : int or tuple of int, default 1
        The height and width of the result; one number for a square. The windows overlap where it
        does not divide the height or the width.

    Returns
    -------
    NDArray of shape (batch, channels, *output_size) and the same dtype

    Raises
    ------
    ArgumentError
        If `data` does not have four axes, or `output_size` is not one or two positive lengths.
    DTypeError
        If `data` is of integers.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[[[1, 3, 5], [1, 3, 5]]]])
    >>> nd.contrib.AdaptiveAvgPooling2D(x, output_size=(1, 2)).asnumpy().tolist()
    [[[[2.0, 4.0]]]]
    """
    check_floating("AdaptiveAvgPooling2D", data)
    size = several(output_size) or (1,)
    if len(size) > 2:
        raise ArgumentError(f"AdaptiveAvgPooling2D: output_size={size} has more than two lengths")
    return ops.resize(data, size=size * 2 if len(size) == 1 else size, method="average")


ROUNDED: dict[str, Callable[[int], int]] = {
    "to_even_down": lambda n: n - n % 2,
    "to_even_up": lambda n: n + n % 2,
    "to_odd_down": lambda n: n - (n % 2 == 0),
    "to_odd_up": lambda n: n + (n % 2 == 0),
}


def resized(
    shape: tuple[int, ...],
    like: DeviceArray | None,
    size: tuple[Any, ...],
    scales: tuple[Any, ...],
    mode: str,
) -> tuple[int, ...]:
    """The size that `BilinearResize2D` makes of images of `shape`."""
    if (like is None) == (mode == "like"):
        raise ArgumentError("BilinearResize2D: pass the array like with mode='like', and only then")
    if like is not None:
        check_pictures("BilinearResize2D", "like", like)
        return like.shape[2:]
    if mode in ROUNDED:
        return tuple(ROUNDED[mode](n) for n in shape)
    if scales == (None, None) and mode == "size":
        return size
    if not all(isinstance(scale, Real) for scale in scales):
        raise ArgumentError(
            f"BilinearResize2D: pass two numbers as scale_height and scale_width, not {scales}"
        )
    odd = [mode == "odd_scale" and n % 2 for n in shape]
    # In single precision, as in MXNet.
    scaled = (int(np.float32(s) * np.float32(n - k)) for n, s, k in zip(shape, scales, odd))
    return tuple(n + k for n, k in zip(scaled, odd))


@public
def BilinearResize2D(
    data: A,
    like: A | None = None,
    height: int = 1,
    width: int = 1,
    scale_height: float | None = None,
    scale_width: float | None = None,
    mode: str = "size",
    align_corners: bool = True,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Resize images by bilinear interpolation.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, height, width)
        Of a floating dtype.
    like : NDArray of shape (any, any, new height, new width), optional
        The array whose size to take, for ``mode='like'``.
    height, width : int
        The new size, for ``mode='size'`` without scales.
    scale_height, scale_width : float, optional
        What to multiply the size by, for ``mode='size'`` and ``'odd_scale'``.
    mode : {'size', 'odd_scale', 'like', 'to_even_down', 'to_even_up', 'to_odd_down', 'to_odd_up'}
        How to choose the new size. ``'odd_scale'`` changes an odd length n to
        ``(n - 1) * scale + 1``; the last four round to the next even or odd length.
    align_corners : bool, default True
        Align the centres of the corner pixels; False aligns the outer corners of the image.

    Returns
    -------
    NDArray of shape (batch, channels, new height, new width) and the same dtype

    Raises
    ------
    ArgumentError
        If `data` does not have four axes, the new size is below 1, or `mode` is unknown or
        lacks what it needs.
    DTypeError
        If `data` is of integers.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[[[1, 2]]]])
    >>> nd.contrib.BilinearResize2D(x, height=1, width=3).asnumpy().tolist()
    [[[[1.0, 1.5, 2.0]]]]
    >>> x = nd.array([[[[0, 2], [4, 6]]]])
    >>> nd.contrib.BilinearResize2D(x, height=2, width=3).asnumpy().tolist()
    [[[[0.0, 1.0, 2.0], [4.0, 5.0, 6.0]]]]
    """
    check_floating("BilinearResize2D", data)
    check_choice("BilinearResize2D", "mode", mode, ("size", "odd_scale", "like", *ROUNDED))
    check_pictures("BilinearResize2D", "data", data)
    scales = (scale_height, scale_width)
    size = resized(data.shape[2:], like, (height, width), scales, mode)
    size = two_sizes("BilinearResize2D", "the new size", size)
    return ops.resize(data, size=size, method="bilinear", align_corners=bool(align_corners))
