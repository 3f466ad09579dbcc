"""Layers that normalize."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._core.errors import ArgumentError
from ..._hook.errors import CheckError
from .. import functional
from ..functional.conv import _pair
from ..functional.creation import ones, zeros
from ..tensor import Parameter, Tensor
from .module import Module

__all__ = [
    "BatchNorm1d",
    "BatchNorm2d",
    "GroupNorm",
    "InstanceNorm",
    "LayerNorm",
    "SyncBatchNorm",
]


class _BatchNorm(Module):
    """What the layers of batch normalization have in common."""

    affine: bool
    bias: Parameter | None
    eps: float
    freeze: bool
    momentum: float
    num_features: int
    running_mean: Tensor | None
    running_var: Tensor | None
    track_running_stats: bool
    weight: Parameter | None

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
            raise ArgumentError(
                f"{type(self).__name__}: an input of shape {inp.shape} has {inp.ndim} axes; give"
                f" {' or '.join(map(str, self.ndims))}"
            )
        by_batch = not self.track_running_stats or (self.training and not self.freeze)
        weight: Tensor | None = self.weight
        bias: Tensor | None = self.bias
        if self.freeze and weight is not None and bias is not None:
            weight, bias = weight.detach(), bias.detach()
        return self._normalize(
            inp,
            self.running_mean,
            self.running_var,
            weight,
            bias,
            training=by_batch,
            momentum=self.momentum,
            eps=self.eps,
        )

    def _normalize(self, *args: Any, **settings: Any) -> Tensor:
        return functional.batch_norm(*args, **settings)

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
    momentum : float, default 0.9
        The share of the running statistics that an update keeps.
    affine : bool, default True
        Whether to have weight and bias.
    track_running_stats : bool, default True
        Whether evaluation uses running statistics.
    freeze : bool, default False
        Whether training uses them too, without updating them.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> import gluon.megengine.module as M
    >>> layer = M.BatchNorm1d(1)
    >>> layer(F.reshape(F.arange(2), (2, 1))).numpy().round(3)
    array([[-1.],
           [ 1.]], dtype=float32)
    """

    ndims = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Normalize each channel over a batch of images.

    Parameters
    ----------
    num_features : int
        The number of channels.
    momentum : float, default 0.9
        The share of the running statistics that an update keeps.
    affine : bool, default True
        Whether to have weight and bias.
    track_running_stats : bool, default True
        Whether evaluation uses running statistics.
    freeze : bool, default False
        Whether training uses them too, without updating them.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> import gluon.megengine.module as M
    >>> layer = M.BatchNorm2d(3)
    >>> layer(F.ones((2, 3, 4, 4))).shape, layer.running_mean.shape
    ((2, 3, 4, 4), (1, 3, 1, 1))
    """


class SyncBatchNorm(_BatchNorm):
    """Normalize each channel over the batches of all processes, which all must call it.

    Parameters
    ----------
    *args, **kwargs
        Those of `BatchNorm2d`.
    group : Group, optional
        The processes; by default all.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> import gluon.megengine.module as M
    >>> M.SyncBatchNorm(3)(F.ones((2, 3, 4, 4))).shape
    (2, 3, 4, 4)
    """

    ndims = (2, 3, 4)

    def __init__(self, *args: Any, group: Any = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.group = group

    def _normalize(self, *args: Any, **settings: Any) -> Tensor:
        return functional.sync_batch_norm(*args, **{**settings, "group": self.group})


class _Norm(Module):
    """What layers that normalize single samples have in common."""

    affine: bool
    bias: Parameter | None
    eps: float
    weight: Parameter | None

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
    affine : bool, default True
        Whether to have weight and bias.

    Examples
    --------
    >>> LayerNorm(3)
    LayerNorm(normalized_shape=(3,), eps=1e-05, affine=True)
    """

    normalized_shape: tuple[int, ...]

    def __init__(
        self, normalized_shape: Any, eps: float = 1e-5, affine: bool = True, **kwargs: Any
    ) -> None:
        self.normalized_shape = _pair(normalized_shape, 1)
        super().__init__(self.normalized_shape, eps, affine, **kwargs)

    def forward(self, x: Any) -> Tensor:
        """Compute the output."""
        return functional.layer_norm(
            x, self.normalized_shape, self.affine, self.weight, self.bias, self.eps
        )

    def _module_info_string(self) -> str:
        return f"normalized_shape={self.normalized_shape}, eps={self.eps}, affine={self.affine}"


class GroupNorm(_Norm):
    """Normalize each group of channels of each sample.

    Parameters
    ----------
    affine : bool, default True
        Whether to have weight and bias.

    Raises
    ------
    CheckError
        If the groups are not of one size.

    Examples
    --------
    >>> GroupNorm(2, 4)
    GroupNorm(groups=2, channels=4, eps=1e-05, affine=True)
    """

    num_channels: int
    num_groups: int

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        **kwargs: Any,
    ) -> None:
        if num_channels % num_groups:
            raise CheckError(
                f"GroupNorm: {num_channels} channels cannot be divided into {num_groups} groups"
            )
        super().__init__((num_channels,), eps, affine, **kwargs)
        self.num_groups, self.num_channels = num_groups, num_channels

    def forward(self, x: Any) -> Tensor:
        """Compute the output."""
        return functional.group_norm(
            x, self.num_groups, self.affine, self.weight, self.bias, self.eps
        )

    def _module_info_string(self) -> str:
        return (
            f"groups={self.num_groups}, channels={self.num_channels}, eps={self.eps},"
            f" affine={self.affine}"
        )


class InstanceNorm(_Norm):
    """Normalize each channel of each sample.

    Parameters
    ----------
    affine : bool, default True
        Whether to have weight and bias.

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
        return functional.instance_norm(x, self.affine, self.weight, self.bias, self.eps)

    def _module_info_string(self) -> str:
        return f"channels={self.num_channels}, eps={self.eps}, affine={self.affine}"
