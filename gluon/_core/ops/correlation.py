"""Comparing the patches of two images, by products or by absolute differences.

The products are linear in either image, and so are their gradients. The differences have slopes
of 1 and -1, which are flat.
"""

from __future__ import annotations

from typing import Any, Final

from ..engine.op import define
from ..kernels import correlation as kernels
from .elementwise import flat


def _spec(kernel: int, reach: int, stride1: int, stride2: int, pad: int) -> dict:
    spec = {"kernel": kernel, "reach": reach, "stride1": stride1, "stride2": stride2}
    return {**spec, "pad": pad}


correlation: Final = define(
    "correlation",
    kernels.correlation,
    "The mean product of each patch of x1 with each near it in x2",
    x1=lambda F, g, x2, kernel, reach, stride1, stride2, pad: F.correlation_grad(
        g, x2, first=True, **_spec(kernel, reach, stride1, stride2, pad)
    ),
    x2=lambda F, g, x1, kernel, reach, stride1, stride2, pad: F.correlation_grad(
        g, x1, first=False, **_spec(kernel, reach, stride1, stride2, pad)
    ),
)


def _correlation_grad_x(
    F: Any,
    g: Any,
    other: Any,
    first: bool,
    kernel: int,
    reach: int,
    stride1: int,
    stride2: int,
    pad: int,
) -> Any:
    pair = (g, other) if first else (other, g)
    return F.correlation(*pair, **_spec(kernel, reach, stride1, stride2, pad))


correlation_grad: Final = define(
    "correlation_grad",
    kernels.correlation_grad,
    "The gradient of correlation in its first or second input",
    x=_correlation_grad_x,
    other=lambda F, g, x, first, kernel, reach, stride1, stride2, pad: F.correlation_grad(
        x, g, first=not first, **_spec(kernel, reach, stride1, stride2, pad)
    ),
)
distance: Final = define(
    "distance",
    kernels.distance,
    "The mean absolute difference of each patch of x1 from each near it in x2",
    x1=lambda F, g, x1, x2, kernel, reach, stride1, stride2, pad: F.distance_grad(
        g, x1, x2, first=True, **_spec(kernel, reach, stride1, stride2, pad)
    ),
    x2=lambda F, g, x1, x2, kernel, reach, stride1, stride2, pad: F.distance_grad(
        g, x1, x2, first=False, **_spec(kernel, reach, stride1, stride2, pad)
    ),
)
distance_grad: Final = define(
    "distance_grad",
    kernels.distance_grad,
    "The gradient of distance in its first or second input; flat in both",
    x=lambda F, g, x1, x2, first, kernel, reach, stride1, stride2, pad: F.distance_slope(
        g, x1, x2, first=first, **_spec(kernel, reach, stride1, stride2, pad)
    ),
    x1=flat,
    x2=flat,
)
distance_slope: Final = define(
    "distance_slope",
    kernels.distance_slope,
    "How fast distance changes when its first or second input moves along x",
    x=lambda F, g, x1, x2, first, kernel, reach, stride1, stride2, pad: F.distance_grad(
        g, x1, x2, first=first, **_spec(kernel, reach, stride1, stride2, pad)
    ),
    x1=lambda F, g, x1: F.zeros_like(x1),
    x2=lambda F, g, x2: F.zeros_like(x2),
)
