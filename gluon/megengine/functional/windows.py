"""Windows that differ from place to place: weights of each place, moved points, and sums."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from ... import nd
from ..._core.engine.op import RECORDED as ops
from ..._core.errors import ArgumentError
from ..interfaces import operands, tensors
from ._checked import checked
from .conv import _pair, sliding_window

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ..tensor import Tensor

__all__ = [
    "deformable_conv2d",
    "deformable_psroi_pooling",
    "local_conv2d",
    "sliding_window_transpose",
]


@checked
def sliding_window_transpose(
    inp: ArrayLike,
    output_size: Any,
    kernel_size: Any,
    padding: Any = 0,
    stride: Any = 1,
    dilation: Any = 1,
) -> Tensor:
    """Sum windows back into an image: the transpose of `sliding_window`.

    Parameters
    ----------
    inp : Tensor of shape (batch, channels, rows, columns, *kernel_size), of any dtype
    output_size : int or (int, int)
        The height and the width of the image.
    kernel_size, padding, stride, dilation : int or (int, int)
        As for `sliding_window`.

    Returns
    -------
    Tensor of shape (batch, channels, *output_size)

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> windows = Tensor([[[[[[1.0, 2.0]], [[3.0, 4.0]]]]]])
    >>> sliding_window_transpose(windows, (1, 3), (1, 2)).tolist()
    [[[[1.0, 5.0, 4.0]]]]
    """
    (inp,) = operands(inp)
    kernel, step, border, apart = (_pair(v, 2) for v in (kernel_size, stride, padding, dilation))
    size = _pair(output_size, 2)
    spans = [(k - 1) * d + 1 for k, d in zip(kernel, apart)]
    out = tuple((n + 2 * p - s) // t + 1 for n, p, s, t in zip(size, border, spans, step))
    if inp.ndim != 6 or inp.shape[2:] != (*out, *kernel):
        raise ArgumentError(
            f"sliding_window_transpose: inp has shape {inp.shape}; for an image of {size} it needs"
            f" (batch, channels, {', '.join(map(str, (*out, *kernel)))})"
        )
    batch, channels = inp.shape[:2]
    turned = ops.transpose(
        ops.reshape(inp, shape=(batch, channels, prod(out), prod(kernel))), axes=(0, 1, 3, 2)
    )
    columns = ops.reshape(turned, shape=(batch, channels * prod(kernel), prod(out)))
    return ops.col2im(columns, shape=size, kernel=kernel, stride=step, pad=border, dilate=apart)


@checked
def local_conv2d(
    inp: ArrayLike,
    weight: ArrayLike,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    conv_mode: str = "cross_correlation",
) -> Tensor:
    """Locally connected convolution: a separate kernel for each position.

    Parameters
    ----------
    inp : Tensor of shape (batch, channels, height, width)
        Of any dtype; integers count as float32.
    weight : Tensor
        Of shape (groups, rows, columns, channels / groups, *kernel, filters / groups).
    bias : Tensor of shape (1, filters, rows, columns), optional
        It may broadcast.
    stride, padding, dilation : int or (int, int)
        As for `conv2d`.
    conv_mode : str
        Only its default is supported.

    Returns
    -------
    Tensor of shape (batch, filters, rows, columns)

    Examples
    --------
    >>> from gluon.megengine.functional import ones
    >>> local_conv2d(ones((1, 2, 3, 3)), ones((1, 2, 2, 2, 2, 2, 3))).shape
    (1, 3, 2, 2)
    """
    inp, weight = tensors(inp, weight, floats=True)
    if weight.ndim != 7 or inp.ndim != 4 or inp.shape[1] != weight.shape[0] * weight.shape[3]:
        raise ArgumentError(
            f"local_conv2d: weight has shape {weight.shape}; for inp {inp.shape} it needs (groups,"
            " rows, columns, channels / groups, kernel height, kernel width, filters / groups)"
        )
    groups, rows, columns, channels, *kernel, filters = weight.shape
    windows = sliding_window(inp, tuple(kernel), padding, stride, dilation)
    if windows.shape[2:4] != (rows, columns):
        raise ArgumentError(
            f"local_conv2d: weight is for {(rows, columns)} places, but the image has"
            f" {windows.shape[2:4]}"
        )
    batch, places, inner = len(inp), rows * columns, channels * prod(kernel)
    cut = ops.reshape(windows, shape=(batch, groups, channels, places, prod(kernel)))
    cut = ops.reshape(
        ops.transpose(cut, axes=(1, 3, 0, 2, 4)), shape=(groups, places, batch, inner)
    )
    y = ops.matmul(cut, ops.reshape(weight, shape=(groups, places, inner, filters)))
    y = ops.reshape(ops.transpose(y, axes=(2, 0, 3, 1)), shape=(batch, -1, rows, columns))
    return y if bias is None else y + bias


@checked
def deformable_conv2d(
    inp: ArrayLike,
    weight: Any,
    offset: Any,
    mask: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    conv_mode: str = "cross_correlation",
    compute_mode: str = "default",
) -> Tensor:
    """Deformable convolution with weighted sampling points.

    See "Deformable ConvNets v2", 2019.

    Parameters
    ----------
    inp : Tensor of shape (batch, channels, height, width)
        Of any dtype; integers count as float32.
    weight : Tensor
        Of shape (filters, channels, *kernel); several groups are a first axis.
    offset : Tensor of shape (batch, 2 * points, rows, columns)
        The offsets of each point of the kernel, down and to the right.
    mask : Tensor of shape (batch, points, rows, columns)
        The weight of each point.
    bias : Tensor of shape (1, filters, 1, 1), optional
    stride, padding, dilation : int or (int, int)
    conv_mode, compute_mode : str
        Only their defaults are supported.

    Returns
    -------
    Tensor of shape (batch, filters, rows, columns)

    Examples
    --------
    >>> from gluon.megengine.functional import ones, zeros
    >>> x, weight = ones((1, 2, 3, 3)), ones((3, 2, 2, 2))
    >>> deformable_conv2d(x, weight, zeros((1, 8, 2, 2)), ones((1, 4, 2, 2))).shape
    (1, 3, 2, 2)
    """
    inp, weight, offset, mask = tensors(inp, weight, offset, mask, floats=True)
    if weight.ndim == 5:
        weight = ops.reshape(weight, shape=(-1, *weight.shape[2:]))
    y = nd.contrib.ModulatedDeformableConvolution(
        inp,
        offset,
        mask,
        weight,
        kernel=weight.shape[2:],
        stride=_pair(stride, 2),
        pad=_pair(padding, 2),
        dilate=_pair(dilation, 2),
        num_filter=len(weight),
        num_group=groups,
        num_deformable_group=offset.shape[1] // (2 * prod(weight.shape[2:])),
        no_bias=True,
    )
    return y if bias is None else y + bias


@checked
def deformable_psroi_pooling(
    inp: ArrayLike,
    rois: ArrayLike,
    trans: Any,
    no_trans: bool,
    part_size: int,
    pooled_h: int,
    pooled_w: int,
    sample_per_part: int,
    spatial_scale: float,
    trans_std: float = 0.1,
) -> Tensor:
    """Position-sensitive region pooling with offsets of the bins.

    See "Deformable convolutional networks", 2017.

    Parameters
    ----------
    inp : Tensor of shape (batch, channels, height, width)
        Of any dtype; integers count as float32.
    rois : Tensor of shape (regions, 5)
        Rows of image index, left, top, right and bottom.
    trans : Tensor of shape (regions, 2 * classes, part_size, part_size)
        The offsets of the bins, to the right and down.
    no_trans : bool
        Whether to ignore `trans`.
    part_size : int
        The number of parts of `trans` along each axis.
    pooled_h, pooled_w : int
        The bins along each axis, as many along both.
    sample_per_part : int
        The points of a bin along each axis.
    spatial_scale : float
        The factor from the coordinates of `rois` to pixels of `inp`.
    trans_std : float, default 0.1
        A factor of the offsets, besides the size of the region.

    Returns
    -------
    Tensor of shape (regions, channels, pooled_h, pooled_w)

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> from gluon.megengine.functional import ones, zeros
    >>> rois = Tensor([[0.0, 0.0, 0.0, 4.0, 4.0]])
    >>> x, moves = ones((1, 2, 6, 6)), zeros((1, 2, 2, 2))
    >>> deformable_psroi_pooling(x, rois, moves, False, 2, 2, 2, 2, 1.0).shape
    (1, 2, 2, 2)
    """
    inp, rois, trans = tensors(inp, rois, trans, floats=True)
    if pooled_h != pooled_w:
        raise ArgumentError(
            f"deformable_psroi_pooling: pooled_h={pooled_h} and pooled_w={pooled_w} must be equal"
        )
    return nd.contrib.DeformablePSROIPooling(
        inp,
        rois,
        None if no_trans else trans,
        spatial_scale,
        output_dim=inp.shape[1],
        group_size=1,
        pooled_size=pooled_h,
        part_size=part_size,
        sample_per_part=sample_per_part,
        trans_std=trans_std,
        no_trans=bool(no_trans),
    )
