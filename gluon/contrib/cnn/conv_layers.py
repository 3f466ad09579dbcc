"""Deformable convolution layers."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from ..._core.errors import ArgumentError
from ...block import HybridBlock
from ...nn import Activation
from ...nn.activations import activated
from ...nn.conv_layers import Sizes, each, positive
from ...parameter import ParameterDict

if TYPE_CHECKING:
    from ...initializer.base import InitLike
    from ...nd.activation import ActivationName


class DeformableConvolution(HybridBlock):
    """Convolution with learned offsets of the sampling points.

    A convolution of the same geometry computes from the input the offsets of the sampling points,
    down and right: see `nd.contrib.DeformableConvolution`.

    Parameters
    ----------
    channels : int
        The number of channels of the output.
    kernel_size : int or tuple of two int, default 1
    strides, padding, dilation : int or tuple of two int
        1, 0 and 1 by default.
    groups : int, default 1
        The number of groups of channels that are convolved separately.
    num_deformable_group : int, default 1
        The number of groups of channels with separate offsets.
    layout : {'NCHW'}
    use_bias : bool, default True
    in_channels : int, optional
        The number of channels of the input; inferred from the first batch by default.
    activation : str, optional
        As for `gluon.nn.Activation`.
    weight_initializer, bias_initializer : str or Initializer, optional
    offset_weight_initializer, offset_bias_initializer : str or Initializer, optional
        For the convolution that computes offsets; zeros by default, which means no offsets.
    offset_use_bias : bool, default True
    op_name : str
        Ignored.
    adj : None
        Unsupported: it is for transposed convolutions.
    prefix : str, optional
        The start of the names of its parameters; see `Block`.
    params : ParameterDict, optional
        Parameters to share with another block.

    Raises
    ------
    ArgumentError
        If `layout` is not 'NCHW', `adj` is given, or a size has
        neither one number nor one for each axis.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.contrib.cnn import DeformableConvolution
    >>> layer = DeformableConvolution(8, kernel_size=3, padding=1)
    >>> layer.initialize()
    >>> layer(nd.ones((2, 4, 5, 6))).shape, layer.offset_weight.shape
    ((2, 8, 5, 6), (18, 4, 3, 3))
    """

    act: Activation | None
    deformable_conv_bias: Any | None
    deformable_conv_weight: Any
    offset_bias: Any | None
    offset_weight: Any

    #: The number of offsets per kernel element.
    _each = 2

    def __init__(
        self,
        channels: int,
        kernel_size: Sizes = (1, 1),
        strides: Sizes = (1, 1),
        padding: Sizes = (0, 0),
        dilation: Sizes = (1, 1),
        groups: int = 1,
        num_deformable_group: int = 1,
        layout: str = "NCHW",
        use_bias: bool = True,
        in_channels: int = 0,
        activation: ActivationName | None = None,
        weight_initializer: InitLike = None,
        bias_initializer: InitLike = "zeros",
        offset_weight_initializer: InitLike = "zeros",
        offset_bias_initializer: InitLike = "zeros",
        offset_use_bias: bool = True,
        op_name: str = "DeformableConvolution",
        adj: None = None,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        if layout != "NCHW" or adj is not None:
            raise ArgumentError(
                f"{type(self).__name__} takes layout='NCHW' and no adj, not layout={layout!r} and"
                f" adj={adj!r}"
            )
        kernel = positive(kernel_size, 2, "kernel_size")
        moved = self._each * num_deformable_group * prod(kernel)
        self._geometry: dict[str, Any] = {
            "kernel": kernel,
            "stride": positive(strides, 2, "strides"),
            "dilate": positive(dilation, 2, "dilation"),
            "pad": each(padding, 2, "padding"),
            "num_group": groups,
        }
        self._channels, self._moved, self._deformable = channels, moved, num_deformable_group
        with self.name_scope():
            weight = (in_channels // groups, *kernel)
            self.offset_weight = self._of("offset_weight", moved, weight, offset_weight_initializer)
            self.offset_bias = (
                self._of("offset_bias", moved, (), offset_bias_initializer)
                if offset_use_bias
                else None
            )
            self.deformable_conv_weight = self._of(
                "deformable_conv_weight", channels, weight, weight_initializer
            )
            self.deformable_conv_bias = (
                self._of("deformable_conv_bias", channels, (), bias_initializer)
                if use_bias
                else None
            )
            self.act = activated(activation)

    def _of(self, name: str, first: int, others: tuple[int, ...], init: Any) -> Any:
        return self.params.get(name, shape=(first, *others), init=init, allow_deferred_init=True)

    def _alias(self) -> str:
        return "deformable_conv"

    def hybrid_forward(
        self,
        F: Any,
        x: Any,
        offset_weight: Any,
        deformable_conv_weight: Any,
        offset_bias: Any = None,
        deformable_conv_bias: Any = None,
    ) -> Any:
        """Apply the layer."""
        offset = F.Convolution(
            x,
            offset_weight,
            offset_bias,
            num_filter=self._moved,
            no_bias=offset_bias is None,
            **self._geometry,
        )
        y = self._convolve(
            F,
            x,
            offset,
            weight=deformable_conv_weight,
            bias=deformable_conv_bias,
            num_filter=self._channels,
            num_deformable_group=self._deformable,
            no_bias=deformable_conv_bias is None,
            **self._geometry,
        )
        return y if self.act is None else self.act(y)

    def _convolve(self, F: Any, x: Any, offset: Any, **settings: Any) -> Any:
        return F.contrib.DeformableConvolution(x, offset, **settings)

    def __repr__(self) -> str:
        given = self._geometry
        weight = self.deformable_conv_weight.shape
        parts = [
            f"{weight[1] * given['num_group'] or None} -> {weight[0]}",
            f"kernel_size={given['kernel']}",
            f"stride={given['stride']}",
        ]
        for name, key, usual in (("padding", "pad", 0), ("dilation", "dilate", 1)):
            if given[key] != (usual, usual):
                parts.append(f"{name}={given[key]}")
        if given["num_group"] != 1:
            parts.append(f"groups={given['num_group']}")
        if self.deformable_conv_bias is None:
            parts.append("bias=False")
        if self.act is not None:
            parts.append(repr(self.act))
        return f"{type(self).__name__}({', '.join(parts)})"


class ModulatedDeformableConvolution(DeformableConvolution):
    """Deformable convolution with a learned weight from 0 to 2 for each sampling point.

    The convolution that computes the offsets also computes the weights, through a sigmoid times 2:
    an output of 0 means a weight of 1. See `nd.contrib.ModulatedDeformableConvolution`.

    Parameters
    ----------
    channels : int
        The number of channels of the output.
    kernel_size, strides, padding, dilation, groups, num_deformable_group, layout, use_bias
        See `DeformableConvolution`, here and below.
    in_channels, activation, weight_initializer, bias_initializer, offset_weight_initializer
    offset_bias_initializer, offset_use_bias, op_name, adj, prefix, params

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.contrib.cnn import ModulatedDeformableConvolution
    >>> layer = ModulatedDeformableConvolution(8, kernel_size=3, padding=1)
    >>> layer.initialize()
    >>> layer(nd.ones((2, 4, 5, 6))).shape, layer.offset_weight.shape
    ((2, 8, 5, 6), (27, 4, 3, 3))
    """

    _each = 3

    def _alias(self) -> str:
        return "modulated_deformable_conv"

    def _convolve(self, F: Any, x: Any, offset: Any, **settings: Any) -> Any:
        moves = self._moved // 3 * 2
        mask = F.sigmoid(F.slice_axis(offset, axis=1, begin=moves, end=None)) * 2
        offset = F.slice_axis(offset, axis=1, begin=0, end=moves)
        return F.contrib.ModulatedDeformableConvolution(x, offset, mask, **settings)
