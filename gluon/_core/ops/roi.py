"""Pooling regions of interest: linear in the images, with the regions as constants."""

from __future__ import annotations

from typing import Final

from ..engine.op import define
from ..kernels import roi as kernels

roi_average: Final = define(
    "roi_average",
    kernels.roi_average,
    "The average over each bin of upright regions",
    x=lambda F, g, x_shape, rois, pooled, scale, method, samples, groups: F.roi_average_grad(
        g,
        rois,
        shape=x_shape,
        pooled=pooled,
        scale=scale,
        method=method,
        samples=samples,
        groups=groups,
    ),
)
roi_average_grad: Final = define(
    "roi_average_grad",
    kernels.roi_average_grad,
    "The gradient of roi_average: each value shared out over its bin",
    x=lambda F, g, rois, pooled, scale, method, samples, groups: F.roi_average(
        g, rois, pooled=pooled, scale=scale, method=method, samples=samples, groups=groups
    ),
)
rotated_average: Final = define(
    "rotated_average",
    kernels.rotated_average,
    "The average over each bin of rotated regions",
    x=lambda F, g, x_shape, rois, pooled, scale, samples: F.rotated_average_grad(
        g, rois, shape=x_shape, pooled=pooled, scale=scale, samples=samples
    ),
)
rotated_average_grad: Final = define(
    "rotated_average_grad",
    kernels.rotated_average_grad,
    "The gradient of rotated_average: each value shared out over its bin",
    x=lambda F, g, rois, pooled, scale, samples: F.rotated_average(
        g, rois, pooled=pooled, scale=scale, samples=samples
    ),
)
roi_places: Final = define(
    "roi_places", kernels.roi_places, "The place of the first maximum over each bin, -1 for none"
)
