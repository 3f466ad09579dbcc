"""``nd.imdecode``: decode image files with Pillow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._core.engine.array import Array, wrap
from .._core.errors import ArgumentError, DTypeError, GluonError
from .._core.kernels import image as kernels
from ._array import NDArray


def imdecode(
    str_img: bytes,
    clip_rect: Sequence[int] = (0, 0, 0, 0),
    out: NDArray | None = None,
    index: int = 0,
    channels: int = 3,
    mean: NDArray | None = None,
) -> NDArray:
    """Decode an image file (PNG, JPEG, ...) to channels first, in BGR order.

    It needs Pillow or OpenCV: ``pip install "gluon-autograd[image]"``.

    Parameters
    ----------
    str_img : bytes
        The content of the file.
    clip_rect : sequence of four int
        The rectangle (left, top, right, bottom) to crop; the whole image if top and bottom are
        equal.
    out : NDArray of shape (channels, height, width) or (batch, channels, height, width), optional
        Where to write the image.
    index : int, default 0
        The index in the batch of `out` to write to.
    channels : {1, 3, 4}, default 3
        Grey; blue, green and red; or these and the opacity.
    mean : NDArray of shape (channels, height, width), of any dtype, optional
        What to subtract.

    Returns
    -------
    NDArray of shape (channels, height, width)
        In the dtype of `mean`, float32 without one; or `out`.

    Raises
    ------
    ArgumentError
        If the bytes hold no image, or `clip_rect`, `channels`, `index` or a shape does not fit.
    DTypeError
        If `str_img` is not bytes, or `out` or `mean` is not an array.
    GluonError
        If neither Pillow nor OpenCV is installed.

    Examples
    --------
    >>> from gluon import nd
    >>> file = b"P6 1 2 255 " + bytes([1, 2, 3, 4, 5, 6])  # two pixels, red first
    >>> nd.imdecode(file)[:, :, 0]
    <BLANKLINE>
    [[3. 6.]
     [2. 5.]
     [1. 4.]]
    <NDArray 3x2 @cpu(0)>
    """
    if channels not in (1, 3, 4):
        raise ArgumentError(f"imdecode: channels={channels!r} is not one of 1, 3, 4")
    for name, given in (("out", out), ("mean", mean)):
        if given is not None and not isinstance(given, Array):
            raise DTypeError(f"imdecode: {name} must be an NDArray, not {type(given).__name__}")
    picture = decoded("imdecode", "str_img", str_img, channels)
    if channels > 1:
        picture[..., :3] = picture[..., 2::-1].copy()
    raw = _clipped(picture.transpose(2, 0, 1), clip_rect)
    raw = raw.astype(np.float32 if mean is None else mean.form.dtype)
    if mean is not None:
        _check("mean", mean.shape, raw.shape)
        raw = raw - mean.raw
    if out is None:
        return wrap(NDArray, raw)
    _check("out", out.shape[-3:], raw.shape)
    if out.ndim == 3:
        out[...] = raw
    elif out.ndim == 4 and 0 <= index < len(out):
        out[index] = raw
    else:
        raise ArgumentError(f"imdecode: out of shape {out.shape} has no image index={index}")
    return out


def _check(name: str, shape: tuple[Any, ...], wanted: tuple[Any, ...]) -> None:
    if shape != wanted:
        raise ArgumentError(f"imdecode: {name} holds {shape}, the image has {wanted}")


def decoded(name: str, argument: str, data: Any, channels: int | None) -> Any:
    """The image (height, width, channels) in the bytes of a file, red before blue.

    Parameters
    ----------
    name, argument : str
        Who asks, and what it calls `data`.
    data : bytes
    channels : {1, 3, 4, None}
        None for those of the file; a grey image then has no axis of channels.

    Raises
    ------
    ArgumentError
        If the bytes hold no image.
    DTypeError
        If `data` is not bytes.
    GluonError
        If neither Pillow nor OpenCV is installed.
    """
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise DTypeError(
            f"{name}: {argument} must be bytes, not {type(data).__name__}; open the file with 'rb'"
        )
    try:
        return kernels.decode(bytes(data), channels=channels)
    except ImportError as error:
        raise GluonError(
            f'{name}: it needs Pillow or OpenCV; pip install "gluon-autograd[image]"'
        ) from error
    except Exception as error:  # Pillow raises various errors for a broken file
        raise ArgumentError(f"{name}: the {len(data)} bytes are not an image: {error}") from error


def _clipped(picture: Any, rectangle: Sequence[int]) -> Any:
    height, width = picture.shape[1:]
    left, top, right, bottom = rectangle
    if top == bottom:
        return picture
    if not (0 <= left < right <= width and 0 <= top < bottom <= height):
        raise ArgumentError(
            f"imdecode: clip_rect={tuple(rectangle)} is not a rectangle in an image of width"
            f" {width} and height {height}"
        )
    return picture[:, top:bottom, left:right]
