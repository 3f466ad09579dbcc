"""Layers whose weights or points differ from place to place, and stacks of matrices."""

from __future__ import annotations

import math
from typing import Any

from ..._core.errors import ArgumentError
from .. import functional
from ..functional.conv import _pair
from ..functional.creation import ones, zeros
from ..tensor import Parameter, Tensor
from . import init
from .layers import Conv2d, _Conv, _draw_by, lengths
from .module import Module

__all__ = [
    "BatchMatMulActivation",
    "DeformableConv2d",
    "DeformablePSROIPooling",
    "GeneralNorm",
    "LocalConv2d",
]


class LocalConv2d(Module):
    """Locally connected convolution: a separate kernel for each position, without bias.

    Parameters
    ----------
    input_height, input_width : int
        The size of the images.
    kernel_size : int or (int, int)
    stride, padding, dilation : int or (int, int)
    conv_mode : str
        Only its default is supported.

    Raises
    ------
    CheckError
        If a size is too small.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> LocalConv2d(3, 4, 5, 5, 3)(F.ones((1, 3, 5, 5))).shape
    (1, 4, 3, 3)
    """

    bias: None
    conv_mode: str
    dilation: tuple[int, ...]
    groups: int
    in_channels: int
    input_height: int
    input_width: int
    kernel_size: tuple[int, ...]
    ndim: int
    out_channels: int
    padding: tuple[int, ...]
    stride: tuple[int, ...]
    weight: Parameter

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        input_height: int,
        input_width: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        conv_mode: str = "cross_correlation",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.input_height, self.input_width = input_height, input_width
        self.kernel_size = lengths("kernel_size", kernel_size, 2)
        self.stride = lengths("stride", stride, 2)
        self.padding, self.dilation = lengths("padding", padding, 2, 0), _pair(dilation, 2)
        self.conv_mode, self.ndim, self.bias = conv_mode, 2, None
        sizes = zip(
            (input_height, input_width), self.kernel_size, self.stride, self.padding, self.dilation
        )
        places = [(n + 2 * p - (k - 1) * d - 1) // s + 1 for n, k, s, p, d in sizes]
        shape = (groups, *places, in_channels // groups, *self.kernel_size, out_channels // groups)
        self.weight = Parameter(zeros(shape))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Initialize the weight.

        Examples
        --------
        >>> import gluon.megengine.module as M
        >>> layer = M.LocalConv2d(3, 4, 5, 5, 3)
        >>> layer.reset_parameters()
        >>> layer.weight.shape
        (1, 3, 3, 3, 3, 3, 4)
        """
        fan_in = self.in_channels * math.prod(self.kernel_size)
        init.normal_(self.weight, 0.0, math.sqrt(1 / fan_in))

    def forward(self, inp: Any) -> Tensor:
        """Compute the output."""
        where = (self.stride, self.padding, self.dilation, self.conv_mode)
        return functional.local_conv2d(inp, self.weight, None, *where)

    _module_info_string = _Conv._module_info_string


class DeformableConv2d(Conv2d):
    """Deformable convolution with weighted sampling points.

    It is called with the images, the offsets and the mask; see `functional.deformable_conv2d`.

    Parameters
    ----------
    kernel_size : int or (int, int)
    stride, padding, dilation : int or (int, int)
    conv_mode, compute_mode, padding_mode : str
        Only their defaults are supported.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> layer = DeformableConv2d(2, 3, 2)
    >>> layer(F.ones((1, 2, 3, 3)), F.zeros((1, 8, 2, 2)), F.ones((1, 4, 2, 2))).shape
    (1, 3, 2, 2)
    """

    def forward(self, inp: Any, offset: Any, mask: Any) -> Tensor:  # type: ignore[override]
        """Compute the output."""
        return functional.deformable_conv2d(
            inp, self.weight, offset, mask, self.bias, **self._options()
        )


class DeformablePSROIPooling(Module):
    """Position-sensitive region pooling with offsets of the bins.

    It is called with the images, the regions and the offsets.

    Parameters
    ----------
    no_trans, part_size, pooled_h, pooled_w, sample_per_part, spatial_scale, trans_std
        As for `functional.deformable_psroi_pooling`.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> layer = DeformablePSROIPooling(True, 2, 2, 2, 2, 1.0)
    >>> rois = Tensor([[0.0, 0.0, 0.0, 4.0, 4.0]])
    >>> layer(F.ones((1, 2, 6, 6)), rois, F.zeros((1, 2, 2, 2))).shape
    (1, 2, 2, 2)
    """

    no_trans: bool
    part_size: int
    pooled_h: int
    pooled_w: int
    sample_per_part: int
    spatial_scale: float

    def __init__(
        self,
        no_trans: bool,
        part_size: int,
        pooled_h: int,
        pooled_w: int,
        sample_per_part: int,
        spatial_scale: float,
        trans_std: float = 0.1,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.no_trans, self.part_size = no_trans, part_size
        self.pooled_h, self.pooled_w = pooled_h, pooled_w
        self.sample_per_part, self.spatial_scale = sample_per_part, spatial_scale
        self.trans_std = trans_std

    def forward(self, inp: Any, rois: Any, trans: Any) -> Tensor:
        """Compute the output."""
        return functional.deformable_psroi_pooling(
            inp,
            rois,
            trans,
            self.no_trans,
            self.part_size,
            self.pooled_h,
            self.pooled_w,
            self.sample_per_part,
            self.spatial_scale,
            self.trans_std,
        )


class GeneralNorm(Module):
    """Normalize over any axes.

    Parameters
    ----------
    normalized_shape : int or sequence of int
        The lengths of those axes.
    affine : bool, default True
        Whether to have weight and bias.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> GeneralNorm((2, 3), (0, 2))(F.ones((2, 4, 3))).shape
    (2, 4, 3)
    """

    affine: bool
    bias: Parameter | None
    eps: float
    normalized_axis: list[Any] | list[Any]
    normalized_shape: tuple[Any, ...] | tuple[Any]
    weight: Parameter | None

    def __init__(
        self,
        normalized_shape: Any = None,
        normalized_axis: Any = 0,
        eps: float = 1e-5,
        affine: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        several = isinstance(normalized_axis, (list, tuple))
        self.normalized_axis = list(normalized_axis) if several else [normalized_axis]
        many = isinstance(normalized_shape, (list, tuple))
        self.normalized_shape = tuple(normalized_shape) if many else (normalized_shape,)
        if len(self.normalized_shape) != len(self.normalized_axis):
            raise ArgumentError(
                f"GeneralNorm: normalized_shape={normalized_shape} and"
                f" normalized_axis={normalized_axis} must be of one length"
            )
        self.eps, self.affine = eps, affine
        self.weight = Parameter(ones(self.normalized_shape)) if affine else None
        self.bias = Parameter(zeros(self.normalized_shape)) if affine else None

    def reset_parameters(self) -> None:
        """Set the weight to ones and the bias to zeros.

        Examples
        --------
        >>> import gluon.megengine.module as M
        >>> layer = M.GeneralNorm((2, 3), (0, 2))
        >>> layer.reset_parameters()
        >>> layer.weight.shape
        (2, 3)
        """
        if self.weight is not None and self.bias is not None:
            init.ones_(self.weight)
            init.zeros_(self.bias)

    def forward(self, x: Any) -> Tensor:
        """Compute the output."""
        return functional.general_norm(
            x, self.normalized_axis, self.affine, self.weight, self.bias, self.eps
        )

    def _module_info_string(self) -> str:
        return (
            f"normalized_shape={self.normalized_shape}, normalized_axis={self.normalized_axis},"
            f" eps={self.eps}, affine={self.affine}"
        )


class BatchMatMulActivation(Module):
    """Batched matrix product, optionally followed by ReLU.

    Parameters
    ----------
    bias : bool, default True
        Whether to add a bias of `out_features` values along the last axis, as in MegEngine.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> BatchMatMulActivation(2, 3, 4, bias=False)(F.ones((2, 3, 5))).shape
    (2, 4, 5)
    """

    batch: int
    bias: Parameter | None
    in_features: int
    nonlinear_mode: str
    out_features: int
    weight: Parameter

    def __init__(
        self,
        batch: int,
        in_features: int,
        out_features: int,
        bias: bool = True,
        nonlinear_mode: str = "identity",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if nonlinear_mode.lower() not in ("identity", "relu"):
            raise ArgumentError(
                f"BatchMatMulActivation: nonlinear_mode {nonlinear_mode!r} is not one of 'identity'"
                " and 'relu'"
            )
        self.batch, self.in_features, self.out_features = batch, in_features, out_features
        self.nonlinear_mode = nonlinear_mode.lower()
        self.weight = Parameter(zeros((batch, out_features, in_features)))
        self.bias = Parameter(zeros((out_features,))) if bias else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Initialize the matrices, and set the bias to zeros.

        Examples
        --------
        >>> import gluon.megengine.module as M
        >>> layer = M.BatchMatMulActivation(2, 3, 4)
        >>> layer.reset_parameters()
        >>> layer.weight.shape
        (2, 4, 3)
        """
        _draw_by(self, self.in_features)

    def forward(self, x: Any) -> Tensor:
        """Compute the output."""
        y: Any = functional.matmul(self.weight, x)
        if self.bias is not None:
            y = y + self.bias
        return functional.relu(y) if self.nonlinear_mode == "relu" else y

    def _module_info_string(self) -> str:
        return (
            f"batch={self.batch}, in_features={self.in_features},"
            f" out_features={self.out_features}, bias={self.bias is not None}"
        )
