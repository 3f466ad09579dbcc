"""Operators on images (..., height, width, channels)."""

from __future__ import annotations

from typing import Final

from ..engine.op import define
from ..kernels import image as kernels

resize_image: Final = define(
    "resize_image",
    kernels.resize,
    "Images with the height and width `size`, as OpenCV interpolates",
    x=lambda F, g, x_shape, interp: F.resize_image_grad(g, size=x_shape[-3:-1], interp=interp),
)
resize_image_grad: Final = define(
    "resize_image_grad",
    kernels.resize_grad,
    "The gradient of resize_image: from a cotangent back to `size`",
    x=lambda F, g, x_shape, interp: F.resize_image(g, size=x_shape[-3:-1], interp=interp),
)
saturate: Final = define(
    "saturate",
    kernels.saturate,
    "x without its fraction, as integers; what does not fit becomes the nearest that does",
)
