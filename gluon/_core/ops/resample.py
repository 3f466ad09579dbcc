"""Operators that change the resolution of images; both are linear."""

from __future__ import annotations

from typing import Final

from ..engine.op import define
from ..kernels import resample as kernels

upsample_nearest: Final = define(
    "upsample_nearest",
    kernels.upsample_nearest,
    "Each pixel becomes a square of `scale` by `scale`",
    x=lambda F, g, scale: F.sum_pool(g, kernel=scale, stride=scale),
)
resize: Final = define(
    "resize",
    kernels.resize,
    "Adaptive average pooling or bilinear interpolation to `size`",
    x=lambda F, g, x_shape, method, align_corners: F.resize_grad(
        g, size=x_shape[2:], method=method, align_corners=align_corners
    ),
)
resize_grad: Final = define(
    "resize_grad",
    kernels.resize_grad,
    "The gradient of resize: from a cotangent back to `size`",
    x=lambda F, g, x_shape, method, align_corners: F.resize(
        g, size=x_shape[2:], method=method, align_corners=align_corners
    ),
)
