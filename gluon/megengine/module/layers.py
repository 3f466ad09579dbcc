"""Layers with parameters, and those that normalize."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import functional as F
from ..functional.conv import _pair
from ..functional.tensor import full, ones, zeros
from ..tensor import Parameter, Tensor
from . import init
from .module import Module

__all__ = [
    "BatchNorm1d",
    "BatchNorm2d",
    "Conv1d",
    "Conv2d",
    "Conv3d",
    "ConvTranspose2d",
    "Embedding",
    "GroupNorm",
    "InstanceNorm",
    "LayerNorm",
    "Linear",
    "PReLU",
    "SyncBatchNorm",
]


class Linear(Module):
    """``x @ weight.T + bias``.

    Parameters
    ----------
    in_features, out_features : int
    bias : bool, default True
    compute_mode : str
        Taken and of no effect.

    Examples
    --------
    >>> layer = Linear(2, 3)
    >>> layer, layer(ones((4, 2))).shape
    (Linear(in_features=2, out_features=3, bias=True), (4, 3))
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        compute_mode: str = "default",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.in_features, self.out_features = in_features, out_features
        self.weight = Parameter(zeros((out_features, in_features)))
        self.bias = Parameter(zeros((out_features,))) if bias else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the weight anew, and set the bias to zeros."""
        init.normal_(self.weight, 0.0, math.sqrt(1 / self.in_features))
        if self.bias is not None:
            init.zeros_(self.bias)

    def forward(self, x: Any) -> Tensor:
        """Compute the output."""
        return F.linear(x, self.weight, self.bias)

    def _module_info_string(self) -> str:
        return (
            f"in_features={self.in_features}, out_features={self.out_features},"
            f" bias={self.bias is not None}"
        )


class _Conv(Module):
    """What convolutions over `ndim` axes have in common."""

    ndim = 2
    transposed = False

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        conv_mode: str = "cross_correlation",
        compute_mode: str = "default",
        padding_mode: str = "zeros",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if padding_mode != "zeros":
            raise NotImplementedError(
                f"{type(self).__name__}: padding_mode {padding_mode!r} is planned; call"
                " functional.pad before the layer"
            )
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size = _pair(kernel_size, self.ndim)
        self.stride, self.padding = _pair(stride, self.ndim), _pair(padding, self.ndim)
        self.dilation = _pair(dilation, self.ndim)
        self.conv_mode, self.compute_mode = conv_mode, compute_mode
        lengths = [out_channels // groups, in_channels // groups]
        shape = (*(lengths[::-1] if self.transposed else lengths), *self.kernel_size)
        self.weight = Parameter(zeros((groups, *shape) if groups > 1 else shape))
        spatial = (1,) * self.ndim
        self.bias = Parameter(zeros((1, out_channels, *spatial))) if bias else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the weight anew, and set the bias to zeros."""
        place = 2 if self.groups > 1 else 1
        fan_in = math.prod(self.weight.shape[place:])
        init.normal_(self.weight, 0.0, math.sqrt(1 / fan_in))
        if self.bias is not None:
            init.zeros_(self.bias)

    def _options(self) -> dict[str, Any]:
        names = ("stride", "padding", "dilation", "groups", "conv_mode")
        return {name: getattr(self, name) for name in names}

    def forward(self, inp: Any) -> Tensor:
        """Compute the output."""
        convolution = getattr(F, f"conv{self.ndim}d")
        return convolution(inp, self.weight, self.bias, **self._options())

    def _module_info_string(self) -> str:
        def shown(values: tuple[int, ...]) -> str:
            return str(values if self.ndim > 1 else values[0])

        parts = [
            str(self.in_channels),
            str(self.out_channels),
            f"kernel_size={shown(self.kernel_size)}",
        ]
        usual = {"stride": 1, "padding": 0, "dilation": 1}
        for name, number in usual.items():
            values = getattr(self, name)
            if values != (number,) * self.ndim:
                parts.append(f"{name}={shown(values)}")
        if self.groups != 1:
            parts.append(f"groups={self.groups}")
        if self.bias is None:
            parts.append("bias=False")
        return ", ".join(parts)


class Conv1d(_Conv):
    """A convolution over one axis.

    Parameters
    ----------
    in_channels, out_channels : int
    kernel_size : int or sequence of int
    stride, padding, dilation : int or sequence of int
    groups : int, default 1
    bias : bool, default True
    conv_mode, compute_mode, padding_mode : str
        Only their defaults.

    Examples
    --------
    >>> Conv1d(3, 4, 3, padding=1)(ones((1, 3, 5))).shape
    (1, 4, 5)
    """

    ndim = 1


class Conv2d(_Conv):
    """A convolution over two axes.

    Parameters
    ----------
    in_channels, out_channels : int
    kernel_size : int or sequence of int
    stride, padding, dilation : int or sequence of int
    groups : int, default 1
    bias : bool, default True
    conv_mode, compute_mode, padding_mode : str
        Only their defaults.

    Examples
    --------
    >>> Conv2d(3, 4, 3, padding=1)(ones((1, 3, 5, 5))).shape
    (1, 4, 5, 5)
    """

    ndim = 2


class Conv3d(_Conv):
    """A convolution over three axes.

    Parameters
    ----------
    in_channels, out_channels : int
    kernel_size : int or sequence of int
    stride, padding, dilation : int or sequence of int
    groups : int, default 1
    bias : bool, default True
    conv_mode, compute_mode, padding_mode : str
        Only their defaults.

    Examples
    --------
    >>> Conv3d(3, 4, 3, padding=1)(ones((1, 3, 5, 5, 5))).shape
    (1, 4, 5, 5, 5)
    """

    ndim = 3


class ConvTranspose2d(_Conv):
    """A transposed convolution over two axes.

    Parameters
    ----------
    in_channels, out_channels : int
    kernel_size, stride, padding : int or (int, int)
    output_padding : int or (int, int), default 0
        How much longer to make the result.
    dilation : int or (int, int), default 1
    groups : int, default 1
    bias : bool, default True
    conv_mode, compute_mode : str
        Only their defaults.

    Examples
    --------
    >>> ConvTranspose2d(3, 2, 2, stride=2)(ones((1, 3, 4, 4))).shape
    (1, 2, 8, 8)
    """

    transposed = True

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        conv_mode: str = "cross_correlation",
        compute_mode: str = "default",
        **kwargs: Any,
    ) -> None:
        self.output_padding = _pair(output_padding, 2)
        super().__init__(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            groups,
            bias,
            conv_mode,
            compute_mode,
            **kwargs,
        )

    def forward(self, inp: Any) -> Tensor:
        """Compute the output."""
        options = {**self._options(), "output_padding": self.output_padding}
        return F.conv_transpose2d(inp, self.weight, self.bias, **options)


class Embedding(Module):
    """Rows of a table.

    Parameters
    ----------
    num_embeddings, embedding_dim : int
    padding_idx, max_norm, norm_type
        Not supported, as in MegEngine.
    initial_weight : Tensor, optional
    freeze : bool, default False
        Whether no gradient reaches the table.

    Examples
    --------
    >>> Embedding(10, 4)(Tensor([[1, 2]])).shape
    (1, 2, 4)
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: Any = None,
        max_norm: Any = None,
        norm_type: Any = None,
        initial_weight: Any = None,
        freeze: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if (padding_idx, max_norm, norm_type) != (None, None, None):
            raise ValueError("Embedding: padding_idx, max_norm and norm_type are not supported")
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.initial_weight, self.freeze = None, freeze
        self.weight = Parameter(zeros((num_embeddings, embedding_dim)))
        if initial_weight is None:
            self.reset_parameters()
        else:
            self.weight._reset(Tensor(initial_weight))

    def reset_parameters(self) -> None:
        """Draw the table anew."""
        init.normal_(self.weight)

    def forward(self, inputs: Any) -> Tensor:
        """Compute the output."""
        return F.embedding(inputs, self.weight.detach() if self.freeze else self.weight)


class PReLU(Module):
    """A rectifier whose negative slope is learned.

    Parameters
    ----------
    num_parameters : int, default 1
        1, or the number of channels.
    init : float, default 0.25

    Examples
    --------
    >>> PReLU()(Tensor([-4.0])).item()
    -1.0
    """

    def __init__(self, num_parameters: int = 1, init: float = 0.25, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.num_parameters = num_parameters
        shape = (1, num_parameters, 1, 1) if num_parameters > 1 else (1,)
        self.weight = Parameter(full(shape, init, dtype="float32"))

    def forward(self, inputs: Any) -> Tensor:
        """Compute the output."""
        return F.prelu(inputs, self.weight)


# ------------------------------------------------------------------------- normalization


class _BatchNorm(Module):
    """What the layers of batch normalization have in common."""

    ndims: tuple[int, ...] = (4,)

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.9,
        affine: bool = True,
        track_running_stats: bool = True,
        freeze: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats, self.freeze = affine, track_running_stats, freeze
        shape = (1, num_features, 1, 1)
        self.weight = Parameter(ones(shape)) if affine else None
        self.bias = Parameter(zeros(shape)) if affine else None
        self.running_mean = zeros(shape) if track_running_stats else None
        self.running_var = ones(shape) if track_running_stats else None

    def _saved(self, x: Tensor) -> np.ndarray:
        return x.numpy().reshape(-1)

    def forward(self, inp: Any) -> Tensor:
        """Compute the output."""
        if inp.ndim not in self.ndims:
            raise ValueError(
                f"{type(self).__name__}: an input of shape {inp.shape} has {inp.ndim} axes; give"
                f" {' or '.join(map(str, self.ndims))}"
            )
        by_batch = not self.track_running_stats or (self.training and not self.freeze)
        weight: Tensor | None = self.weight
        bias: Tensor | None = self.bias
        if self.freeze and weight is not None and bias is not None:
            weight, bias = weight.detach(), bias.detach()
        return F.batch_norm(
            inp,
            self.running_mean,
            self.running_var,
            weight,
            bias,
            training=by_batch,
            momentum=self.momentum,
            eps=self.eps,
        )

    def _module_info_string(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine},"
            f" track_running_stats={self.track_running_stats}"
        )


class BatchNorm1d(_BatchNorm):
    """Normalize each channel over a batch of shape (n, channels) or (n, channels, length).

    Parameters
    ----------
    num_features : int
        The number of channels.
    eps : float, default 1e-5
    momentum : float, default 0.9
        The share of the running statistics that an update keeps.
    affine : bool, default True
        Whether there are weight and bias.
    track_running_stats : bool, default True
        Whether evaluation uses running statistics.
    freeze : bool, default False
        Whether training uses them too, and leaves them.
    """

    ndims = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Normalize each channel over a batch of pictures.

    Parameters
    ----------
    num_features : int
        The number of channels.
    eps : float, default 1e-5
    momentum : float, default 0.9
        The share of the running statistics that an update keeps.
    affine : bool, default True
        Whether there are weight and bias.
    track_running_stats : bool, default True
        Whether evaluation uses running statistics.
    freeze : bool, default False
        Whether training uses them too, and leaves them.
    """


class SyncBatchNorm(_BatchNorm):
    """Normalize each channel over the batches of all processes: of this one.

    Parameters
    ----------
    *args, **kwargs
        Those of `BatchNorm2d`.
    group
        The one process.
    """

    ndims = (2, 3, 4)

    def __init__(self, *args: Any, group: Any = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class _Norm(Module):
    """What layers that normalize single samples have in common."""

    def __init__(self, shape: tuple[int, ...], eps: float, affine: bool, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.eps, self.affine = eps, affine
        self.weight = Parameter(ones(shape)) if affine else None
        self.bias = Parameter(zeros(shape)) if affine else None


class LayerNorm(_Norm):
    """Normalize over the last axes.

    Parameters
    ----------
    normalized_shape : int or sequence of int
        Their lengths.
    eps : float, default 1e-5
    affine : bool, default True
        Whether there are weight and bias.

    Examples
    --------
    >>> LayerNorm(3)
    LayerNorm(normalized_shape=(3,), eps=1e-05, affine=True)
    """

    def __init__(
        self, normalized_shape: Any, eps: float = 1e-5, affine: bool = True, **kwargs: Any
    ) -> None:
        self.normalized_shape = _pair(normalized_shape, 1)
        super().__init__(self.normalized_shape, eps, affine, **kwargs)

    def forward(self, x: Any) -> Tensor:
        """Compute the output."""
        return F.layer_norm(x, self.normalized_shape, self.affine, self.weight, self.bias, self.eps)

    def _module_info_string(self) -> str:
        return f"normalized_shape={self.normalized_shape}, eps={self.eps}, affine={self.affine}"


class GroupNorm(_Norm):
    """Normalize each group of channels of each sample.

    Parameters
    ----------
    num_groups, num_channels : int
    eps : float, default 1e-5
    affine : bool, default True
        Whether there are weight and bias.

    Examples
    --------
    >>> GroupNorm(2, 4)
    GroupNorm(groups=2, channels=4, eps=1e-05, affine=True)
    """

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__((num_channels,), eps, affine, **kwargs)
        self.num_groups, self.num_channels = num_groups, num_channels

    def forward(self, x: Any) -> Tensor:
        """Compute the output."""
        return F.group_norm(x, self.num_groups, self.affine, self.weight, self.bias, self.eps)

    def _module_info_string(self) -> str:
        return (
            f"groups={self.num_groups}, channels={self.num_channels}, eps={self.eps},"
            f" affine={self.affine}"
        )


class InstanceNorm(_Norm):
    """Normalize each channel of each sample.

    Parameters
    ----------
    num_channels : int
    eps : float, default 1e-5
    affine : bool, default True
        Whether there are weight and bias.

    Examples
    --------
    >>> InstanceNorm(4)
    InstanceNorm(channels=4, eps=1e-05, affine=True)
    """

    def __init__(
        self, num_channels: int, eps: float = 1e-5, affine: bool = True, **kwargs: Any
    ) -> None:
        super().__init__((num_channels,), eps, affine, **kwargs)
        self.num_channels = num_channels

    def forward(self, x: Any) -> Tensor:
        """Compute the output."""
        return F.instance_norm(x, self.affine, self.weight, self.bias, self.eps)

    def _module_info_string(self) -> str:
        return f"channels={self.num_channels}, eps={self.eps}, affine={self.affine}"
