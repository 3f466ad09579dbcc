"""Convolution, its two gradients and deconvolution; windows as columns and back.

Convolution is linear in its input and in its weight, and so are its gradients: the gradients
of each of the three are the other two. So are im2col and col2im the gradients of one another.
"""

from __future__ import annotations

from typing import Any, Final

from ..engine.op import define
from ..kernels import conv as kernels


def _over_channels(F: Any, g: Any) -> Any:
    """Return the cotangent of a bias."""
    return F.sum(g, axis=(0, *range(2, g.ndim)))


def _attributes(stride: Any, pad: Any, dilate: Any, num_group: int) -> dict:
    return {"stride": stride, "pad": pad, "dilate": dilate, "num_group": num_group}


convolution: Final = define(
    "convolution",
    kernels.convolution,
    "The convolution of (batch, channels, *spatial) with (filters, channels / groups, *kernel)",
    x=lambda F, g, weight, x_shape, stride, pad, dilate, num_group: F.convolution_input_grad(
        g, weight, shape=x_shape[2:], **_attributes(stride, pad, dilate, num_group)
    ),
    weight=lambda F, g, x, weight_shape, stride, pad, dilate, num_group: F.convolution_weight_grad(
        g, x, kernel=weight_shape[2:], **_attributes(stride, pad, dilate, num_group)
    ),
    bias=_over_channels,
)
convolution_input_grad: Final = define(
    "convolution_input_grad",
    kernels.convolution_input_grad,
    "The gradient of a convolution in its input: from an output's cotangent to `shape`",
    x=lambda F, g, weight, stride, pad, dilate, num_group: F.convolution(
        g, weight, **_attributes(stride, pad, dilate, num_group)
    ),
    weight=lambda F, g, x, weight_shape, stride, pad, dilate, num_group: F.convolution_weight_grad(
        x, g, kernel=weight_shape[2:], **_attributes(stride, pad, dilate, num_group)
    ),
)
convolution_weight_grad: Final = define(
    "convolution_weight_grad",
    kernels.convolution_weight_grad,
    "The gradient of a convolution in its weight, from an output's cotangent and the input",
    out_grad=lambda F, g, x, stride, pad, dilate, num_group: F.convolution(
        x, g, **_attributes(stride, pad, dilate, num_group)
    ),
    x=lambda F, g, out_grad, x_shape, stride, pad, dilate, num_group: F.convolution_input_grad(
        out_grad, g, shape=x_shape[2:], **_attributes(stride, pad, dilate, num_group)
    ),
)


def _deconvolution_x(
    F: Any,
    g: Any,
    x_shape: Any,
    weight: Any,
    stride: Any,
    pad: Any,
    dilate: Any,
    adj: Any,
    target_shape: Any,
    num_group: int,
) -> Any:
    to = kernels.spread(x_shape[2:], weight.shape[2:], stride, pad, dilate, adj, target_shape)
    return F.convolution(g, weight, **_attributes(stride, to.pad, dilate, num_group))


def _deconvolution_weight(
    F: Any,
    g: Any,
    x: Any,
    weight_shape: Any,
    stride: Any,
    pad: Any,
    dilate: Any,
    adj: Any,
    target_shape: Any,
    num_group: int,
) -> Any:
    kernel = weight_shape[2:]
    to = kernels.spread(x.shape[2:], kernel, stride, pad, dilate, adj, target_shape)
    return F.convolution_weight_grad(
        x, g, kernel=kernel, **_attributes(stride, to.pad, dilate, num_group)
    )


deconvolution: Final = define(
    "deconvolution",
    kernels.deconvolution,
    "The transposed convolution, with weight (channels, filters / groups, *kernel)",
    x=_deconvolution_x,
    weight=_deconvolution_weight,
    bias=_over_channels,
)
im2col: Final = define(
    "im2col",
    kernels.im2col,
    "Every window of (batch, channels, *spatial) as a column",
    x=lambda F, g, x_shape, kernel, stride, pad, dilate: F.col2im(
        g, shape=x_shape[2:], kernel=kernel, stride=stride, pad=pad, dilate=dilate
    ),
)
col2im: Final = define(
    "col2im",
    kernels.col2im,
    "Columns added up where their windows lie in an image of spatial `shape`",
    x=lambda F, g, kernel, stride, pad, dilate: F.im2col(
        g, kernel=kernel, stride=stride, pad=pad, dilate=dilate
    ),
)


def _convolve(F: Any, g: Any, other: Any, length: int, start: int) -> Any:
    """Return the gradient of one line: the cotangent convolved with the flipped other line."""
    turned = F.flip(other, axis=0)
    return F.convolve(g, turned, start=other.shape[0] - 1 - start, size=length)


convolve: Final = define(
    "convolve",
    kernels.convolve,
    "`size` places, from `start` on, of the convolution of two lines of values",
    a=lambda F, g, v, a_shape, start: _convolve(F, g, v, a_shape[0], start),
    v=lambda F, g, a, v_shape, start: _convolve(F, g, a, v_shape[0], start),
)
