"""Colour changes: functions of images (..., height, width, channels) of a floating dtype."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._core.arrays.base import A
from .._core.engine.array import wrap
from .._core.engine.op import RECORDED as ops
from ._array import NDArray

#: The weights of red, green and blue in grey (ITU-R BT.601).
GREY = (0.299, 0.587, 0.114)
#: The principal components of ImageNet's colours, one per column, and their deviations.
EIGVEC = np.array(
    [[-0.5675, 0.7192, 0.4009], [-0.5808, -0.0045, -0.8140], [-0.5836, -0.6948, 0.4203]]
)
EIGVAL = np.array([55.46, 4.794, 1.148])
#: For red, green and blue: the centre of the ramp on the circle of hues (0 to 6), where it begins,
#: and its sign.
RAMPS = ((3, 1, 1), (2, 2, -1), (4, 2, -1))


def constant(values: Any, like: A) -> A:
    raw = values if hasattr(values, "dtype") else np.asarray(values)
    return wrap(type(like), raw.astype(like.form.dtype, copy=False), like._ctx)


def _pixels(x: A) -> A:
    """Flatten the pixels: NumPy is slow if a short axis follows many others."""
    return ops.reshape(x, shape=(-1, x.shape[-1]))


def grey_of(x: A) -> A:
    """Return the grey of each pixel, in one row."""
    if x.shape[-1] == 1:
        return x
    return ops.matmul(_pixels(x), constant(GREY, x))


def brightness(x: A, factor: float) -> A:
    return ops.multiply(x, factor)


def contrast(x: A, factor: float) -> A:
    """Blend the image with the mean of its grey."""
    return ops.add(ops.multiply(x, factor), ops.multiply(ops.mean(grey_of(x)), 1 - factor))


def saturation(x: A, factor: float) -> A:
    """Blend the image with its grey."""
    if x.shape[-1] == 1:
        return ops.copy(x)
    mixed = factor * np.eye(3) + (1 - factor) * np.outer(GREY, np.ones(3))
    return ops.reshape(ops.matmul(_pixels(x), constant(mixed, x)), shape=x.shape)


def lighting(x: A, alpha: Sequence[float]) -> A:
    if x.shape[-1] == 1:
        return ops.copy(x)
    return shifted(x, (EIGVEC * EIGVAL) @ np.asarray(alpha))


def shifted(x: A, values: Any) -> A:
    """Add a number to each channel."""
    return ops.add(x, constant(np.tile(values, (x.shape[-2], 1)), x))


def hue(x: Any, turn: float, fuller: float = 0, lighter: float = 0) -> NDArray:
    """Rotate the hues by a fraction of a circle, and increase saturation and lightness (HLS)."""
    if x.shape[-1] == 1:
        return ops.copy(x)
    # Each colour gets contiguous memory, so that NumPy uses vector instructions.
    parts = ops.split(x, sections=[1, 2], axis=-1)
    red, green, blue = (ops.squeeze(one, axis=-1) / 255 for one in parts)
    high = ops.maximum(ops.maximum(red, green), blue)
    low = ops.minimum(ops.minimum(red, green), blue)
    span = high - low
    coloured: Any = _numbers(span > float(np.finfo(np.float32).eps), x)
    place = _sixths(red, green, blue, high, span + (1 - coloured)) + turn * 6
    place = place - constant(np.floor(place.raw / 6) * 6, place)
    if fuller or lighter:
        low, span = _enriched(low + high, span, coloured, fuller, lighter)
    levels = (
        low + span * ops.clip(sign * (ops.abs(place - middle) - offset), a_min=0, a_max=1)
        for middle, offset, sign in RAMPS
    )
    return ops.stack(*levels, axis=-1) * 255


def _numbers(condition: A, like: A) -> A:
    """Return 1 where the condition holds, else 0: products are faster than `where` here."""
    return ops.cast(condition, dtype=like.dtype)


def _sixths(red: Any, green: Any, blue: Any, high: Any, span: Any) -> Any:
    """Return the angles of the hues, from -1 to 5: 0 for red, 2 for green, 4 for blue."""
    place = (red - green) / span + 4
    place = place + _numbers(ops.equal(high, green), place) * ((blue - red) / span + 2 - place)
    return place + _numbers(ops.equal(high, red), place) * ((green - blue) / span - place)


def _enriched(total: Any, span: Any, coloured: Any, fuller: float, lighter: float) -> Any:
    """Return the minimum and the span of the levels, with more saturation and lightness."""
    lightness = total * 0.5
    room = ops.minimum(lightness, 1 - lightness) * 2
    saturation = ops.clip(span / (room * coloured + (1 - coloured)) + fuller, a_min=0, a_max=1)
    lightness = ops.clip(lightness + lighter, a_min=0, a_max=1)
    span = saturation * ops.minimum(lightness, 1 - lightness) * 2 * coloured
    return lightness - span * 0.5, span
