"""How colours change: functions of pictures (..., height, width, channels) of a floating dtype."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..engine.array import wrap
from ..engine.op import RECORDED as F
from ..ndarray import NDArray

#: How much red, green and blue there is in grey (ITU-R BT.601).
GREY = (0.299, 0.587, 0.114)
#: The principal components of the colours of ImageNet, one in each column, and their deviations.
EIGVEC = np.array(
    [[-0.5675, 0.7192, 0.4009], [-0.5808, -0.0045, -0.8140], [-0.5836, -0.6948, 0.4203]]
)
EIGVAL = np.array([55.46, 4.794, 1.148])
#: For each sixth of the circle of hues where red, green and blue are, among the largest value,
#: the smallest, the falling one and the rising one.
SIXTHS = np.array([[0, 3, 1], [2, 0, 1], [1, 0, 3], [1, 2, 0], [3, 1, 0], [0, 1, 2]])


def constant(values: Any, like: NDArray) -> NDArray:
    return wrap(NDArray, np.asarray(values, like._raw.dtype), like._ctx)


def grey_of(x: NDArray) -> NDArray:
    """The grey picture with a last axis of length 1."""
    if x.shape[-1] == 1:
        return x
    return F.sum(F.multiply(x, constant(GREY, x)), axis=-1, keepdims=True)


def brightness(x: NDArray, factor: float) -> NDArray:
    return F.multiply(x, factor)


def contrast(x: NDArray, factor: float) -> NDArray:
    """A mean of the picture and the mean of its grey, all over."""
    level = F.mean(grey_of(x), axis=(0, 1, 2), keepdims=True)
    return F.add(F.multiply(x, factor), F.multiply(level, 1 - factor))


def saturation(x: NDArray, factor: float) -> NDArray:
    """A mean of the picture and its grey."""
    if x.shape[-1] == 1:
        return F.copy(x)
    return F.add(F.multiply(grey_of(x), 1 - factor), F.multiply(x, factor))


def lighting(x: NDArray, alpha: Sequence[float]) -> NDArray:
    if x.shape[-1] == 1:
        return F.copy(x)
    return F.add(x, constant((EIGVEC * EIGVAL) @ np.asarray(alpha), x))


def hue(x: Any, turn: float, fuller: float = 0, lighter: float = 0) -> NDArray:
    """The colours turned by so many circles, and more saturated and lighter (HLS) by so much."""
    if x.shape[-1] == 1:
        return F.copy(x)
    x = x / 255
    red, green, blue = F.split(x, sections=[1, 2], axis=-1)
    high, low = F.max(x, axis=-1, keepdims=True), F.min(x, axis=-1, keepdims=True)
    range_, total = high - low, high + low
    lightness = total * 0.5
    grey = range_ <= float(np.finfo(np.float32).eps)
    span = F.where(grey, 1.0, range_)
    saturation = span / F.where(grey, 1.0, F.where(lightness < 0.5, total, 2 - high - low))
    degrees = 60 / span
    if fuller or lighter:
        saturation = F.clip(saturation + fuller, a_min=0, a_max=1)
        lightness = F.clip(lightness + lighter, a_min=0, a_max=1)
    angle = F.where(
        F.equal(high, red),
        (green - blue) * degrees,
        F.where(
            F.equal(high, green),
            (blue - red) * degrees + 120,
            (red - green) * degrees + 240,
        ),
    )
    angle = F.where(angle < 0, angle + 360, angle) + turn * 360
    place = F.mod(angle * (6 / 360), 6)
    sixth = np.nan_to_num(np.floor(place._raw)).astype(int)
    rest = place - constant(sixth, place)
    most = F.where(
        lightness <= 0.5,
        lightness * (saturation + 1),
        lightness + saturation - lightness * saturation,
    )
    least = lightness * 2 - most
    levels = F.concat(
        most, least, least + (most - least) * (1 - rest), least + (most - least) * rest, axis=-1
    )
    where = wrap(NDArray, SIXTHS[sixth[..., 0] % 6], x._ctx)
    return F.where(grey, lightness, F.take_along(levels, where, axis=-1)) * 255
