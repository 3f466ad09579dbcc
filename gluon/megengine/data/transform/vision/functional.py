"""Functions on images (height, width, channels), of the kind that OpenCV has."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ....._core.errors import ArgumentError
from ....._core.kernels import image as kernels

#: The weights of blue, green and red in brightness.
BGR = np.array([0.114, 0.587, 0.299], "float32")
#: OpenCV's weights for integers, times 2**14.
WHOLE_BGR = np.array([1868, 9617, 4899])


def wrap_keepdims(func: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function of images so that it receives and returns three axes."""

    @functools.wraps(func)
    def wrapper(image: Any, *args: Any, **kwargs: Any) -> Any:
        if image.ndim != 3:
            raise ArgumentError(
                f"{func.__name__}: the image has shape {image.shape};"
                " give (height, width, channels)"
            )
        found = func(image, *args, **kwargs)
        return found[:, :, None] if found.ndim == 2 else found

    return wrapper


@wrap_keepdims
def to_gray(image: Any) -> Any:
    """Return the brightness of a BGR image."""
    if image.dtype == np.uint8:
        return (image @ WHOLE_BGR + 2**13 >> 14).astype(np.uint8)
    return image @ BGR.astype(image.dtype)


@wrap_keepdims
def to_bgr(image: Any) -> Any:
    """Convert a grey image to BGR."""
    return np.repeat(image, 3, 2)


@wrap_keepdims
def pad(input: Any, size: Any, value: Any) -> Any:
    """Pad an image with one color; a fraction as value makes it float32."""
    top, bottom, left, right = widths(size)
    if np.asarray(value).dtype.kind == "f":
        input = input.astype(np.float32)
    values = np.zeros(input.shape[2])
    given = np.atleast_1d(value)[: input.shape[2]]
    values[: len(given)] = given  # as in OpenCV, where a number is the first channel's
    if input.dtype.kind in "iu":
        values = kernels.saturate(values, dtype=input.dtype)
    sides = {"top": top, "bottom": bottom, "left": left, "right": right}
    return kernels.border(input, **sides, kind=0, values=values)


def widths(size: Any) -> tuple[int, int, int, int]:
    """The widths of a border above, below, left and right."""
    if isinstance(size, int):
        return (size,) * 4
    if isinstance(size, Sequence) and len(size) == 2:
        return 0, size[0], 0, size[1]
    if isinstance(size, Sequence) and len(size) == 4:
        return tuple(size)
    raise ArgumentError(f"pad: size={size!r} must be a number, or 2 or 4 numbers")


@wrap_keepdims
def flip(image: Any, flipCode: int) -> Any:
    """Flip an image: vertically for 0, horizontally for positive, and both for negative codes."""
    rows, columns = flipCode <= 0, flipCode != 0
    return np.ascontiguousarray(image[:: -1 if rows else 1, :: -1 if columns else 1])


@wrap_keepdims
def resize(input: Any, size: Any, interpolation: Any = 1) -> Any:
    """Resize an image; of several interpolations, one is drawn."""
    if len(size) != 2:
        raise ArgumentError(f"resize: size={size!r} is not (height, width)")
    if isinstance(interpolation, Sequence):
        interpolation = random.choice(interpolation)
    return kernels.resize(input, size=(int(size[0]), int(size[1])), interp=int(interpolation))


def turn_hue(image: Any, part: float) -> Any:
    """Rotate the hue of a BGR image of uint8."""
    bgr = image.astype(np.float32)
    value, low = bgr.max(2), bgr.min(2)
    spread = value - low
    safe = np.where(spread == 0, 1, spread)
    blue, green, red = np.moveaxis(bgr, 2, 0)
    sixth = np.select(
        [value == red, value == green],
        [(green - blue) / safe, 2 + (blue - red) / safe],
        4 + (red - green) / safe,
    )
    sixth = (sixth + 6 * part) % 6
    # The share of each color follows from its distance to the hue on a circle of length 6.
    far = [4.0, 2.0, 0.0]
    apart = np.stack([np.abs((sixth - one + 3) % 6 - 3) for one in far], 2)
    amount = np.clip(2 - apart, 0, 1)
    return np.rint(low[..., None] + spread[..., None] * amount).clip(0, 255).astype(np.uint8)
