"""Normalization layers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.errors import warn_caller
from ..autograd import is_training
from ..block import HybridBlock
from ..parameter import Parameter, ParameterDict

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..block.naming import Naming
    from ..initializer.base import InitLike


def _check_momentum(name: str, momentum: Any) -> None:
    if isinstance(momentum, (int, float)) and not 0 <= momentum <= 1:
        warn_caller(
            f"{name}: momentum={momentum} is no weight of an average; give a number from 0 to 1, of"
            " which 1 keeps the old statistics"
        )


def learned(block: HybridBlock, name: str, init: Any, length: int, grad: bool) -> Parameter:
    """A vector of a layer that is trained if `grad`; a length of 0 is inferred later."""
    return block.params.get(
        name,
        grad_req="write" if grad else "null",
        shape=(length,),
        init=init,
        allow_deferred_init=True,
    )


class BatchNorm(HybridBlock):
    """Batch normalization: by batch statistics in training, by running statistics otherwise.

    Takes floats of any shape with the channels along `axis`; returns the same shape and dtype.

    Parameters
    ----------
    axis : int, default 1
        The axis of the channels.
    momentum : float, default 0.9
        The weight of the old running statistics; ``1 - momentum`` is that of a training batch.
    epsilon : float, default 1e-5
        Added to the variance.
    center, scale : bool, default True
        Whether to add a learned beta, and to multiply by a learned gamma.
    use_global_stats : bool, default False
        Use the running statistics in training too.
    beta_initializer, gamma_initializer : str or Initializer
    running_mean_initializer, running_variance_initializer : str or Initializer
    in_channels : int, optional
        The number of channels; inferred from the first batch by default.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Examples
    --------
    >>> from gluon import autograd, nd, nn
    >>> layer = nn.BatchNorm(momentum=0.5)
    >>> layer.initialize()
    >>> with autograd.train_mode():
    ...     layer(nd.array([[1], [3]])).asnumpy().round(3)
    array([[-1.],
           [ 1.]], dtype=float32)
    >>> layer.running_mean.data().asnumpy()
    array([1.], dtype=float32)
    """

    _names_fwd = True

    gamma: Parameter
    beta: Parameter
    running_mean: Parameter
    running_var: Parameter

    def __init__(
        self,
        axis: int = 1,
        momentum: float = 0.9,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = True,
        use_global_stats: bool = False,
        beta_initializer: InitLike = "zeros",
        gamma_initializer: InitLike = "ones",
        running_mean_initializer: InitLike = "zeros",
        running_variance_initializer: InitLike = "ones",
        in_channels: int = 0,
        **kwargs: Unpack[Naming],
    ) -> None:
        super().__init__(**kwargs)
        _check_momentum(type(self).__name__, momentum)
        self._kwargs = {
            "axis": axis,
            "eps": epsilon,
            "momentum": momentum,
            "fix_gamma": not scale,
            "use_global_stats": use_global_stats,
        }
        for name, init, learned in (
            ("gamma", gamma_initializer, scale),
            ("beta", beta_initializer, center),
            ("running_mean", running_mean_initializer, False),
            ("running_var", running_variance_initializer, False),
        ):
            parameter = self.params.get(
                name,
                grad_req="write" if learned else "null",
                shape=(in_channels,),
                init=init,
                allow_deferred_init=True,
                differentiable=learned,
            )
            setattr(self, name, parameter)

    def cast(self, dtype: Any) -> None:
        """Change the dtype; float16 keeps the parameters in float32, which is more accurate."""
        super().cast("float32" if np.dtype(dtype) == np.float16 else dtype)

    def _begin(self, x: Any) -> None:
        super()._begin(x)
        training = is_training() and not self._kwargs["use_global_stats"]
        if training and x.size == self.gamma.shape[0]:
            warn_caller(
                f"{type(self).__name__}: an input of shape {x.shape} has one value for each"
                " channel, so in training the output is beta, whatever it is; give more samples"
            )

    def hybrid_forward(
        self, F: Any, x: Any, gamma: Any, beta: Any, running_mean: Any, running_var: Any
    ) -> Any:
        """Apply the layer."""
        return F.BatchNorm(x, gamma, beta, running_mean, running_var, **self._kwargs)

    def __repr__(self) -> str:
        channels = self.gamma.shape[0] or None
        settings = ", ".join(f"{key}={value}" for key, value in self._kwargs.items())
        return f"{type(self).__name__}({settings}, in_channels={channels})"


class BatchNormReLU(BatchNorm):
    """`BatchNorm` followed by ReLU.

    Takes floats of any shape with the channels along `axis`; returns the same shape and dtype.

    Parameters
    ----------
    axis, momentum, epsilon, center, scale, use_global_stats
        As for `BatchNorm`.
    beta_initializer, gamma_initializer : str or Initializer
    running_mean_initializer, running_variance_initializer : str or Initializer
    in_channels : int, optional
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> layer = nn.BatchNormReLU()
    >>> layer.initialize()
    >>> layer(nd.array([[-1, 2]])).asnumpy().round(3)
    array([[0., 2.]], dtype=float32)
    """

    def hybrid_forward(
        self, F: Any, x: Any, gamma: Any, beta: Any, running_mean: Any, running_var: Any
    ) -> Any:
        """Apply the layer."""
        return F.relu(super().hybrid_forward(F, x, gamma, beta, running_mean, running_var))


class LayerNorm(HybridBlock):
    """Layer normalization: normalizes each sample along one axis, then scales and shifts.

    Takes floats of any shape; returns the same shape and dtype.

    Parameters
    ----------
    axis : int, default -1
    epsilon : float, default 1e-5
        Added to the variance.
    center, scale : bool, default True
        Whether to add a learned beta, and to multiply by a learned gamma.
    beta_initializer, gamma_initializer : str or Initializer
    in_channels : int, optional
        The length of the axis; inferred from the first batch by default.
    prefix : str, optional
        See `Block`.
    params : ParameterDict, optional

    Examples
    --------
    >>> from gluon import nd, nn
    >>> layer = nn.LayerNorm()
    >>> layer.initialize()
    >>> layer(nd.array([[1, 3], [0, 10]])).asnumpy().round(3)
    array([[-1.,  1.],
           [-1.,  1.]], dtype=float32)
    """

    beta: Parameter
    gamma: Parameter

    def __init__(
        self,
        axis: int = -1,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = True,
        beta_initializer: InitLike = "zeros",
        gamma_initializer: InitLike = "ones",
        in_channels: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix, params)
        self._axis, self._epsilon, self._in_channels = axis, epsilon, in_channels
        self._center, self._scale = center, scale
        self.gamma = learned(self, "gamma", gamma_initializer, in_channels, scale)
        self.beta = learned(self, "beta", beta_initializer, in_channels, center)

    def hybrid_forward(self, F: Any, data: Any, gamma: Any, beta: Any) -> Any:
        """Apply the layer."""
        return F.LayerNorm(data, gamma, beta, axis=self._axis, eps=self._epsilon)

    def __repr__(self) -> str:
        return (
            f"LayerNorm(eps={self._epsilon}, axis={self._axis}, center={self._center},"
            f" scale={self._scale}, in_channels={self.gamma.shape[0]})"
        )


class InstanceNorm(HybridBlock):
    """Instance normalization: normalizes each channel per sample, then scales and shifts.

    Takes floats of shape (batch, channels, ...), the channels along `axis`; returns the same shape
    and dtype.

    Parameters
    ----------
    axis : int, default 1
        The axis of the channels.
    epsilon : float, default 1e-5
        Added to the variance.
    center : bool, default True
        Whether to add a learned beta.
    scale : bool, default False
        Whether to multiply by a learned gamma.
    beta_initializer, gamma_initializer : str or Initializer
    in_channels : int, optional
        The number of channels; inferred from the first batch by default.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> layer = nn.InstanceNorm()
    >>> layer.initialize()
    >>> layer(nd.array([[[1, 3], [0, 10]]])).asnumpy().round(3)
    array([[[-1.,  1.],
            [-1.,  1.]]], dtype=float32)
    """

    beta: Parameter
    gamma: Parameter

    def __init__(
        self,
        axis: int = 1,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = False,
        beta_initializer: InitLike = "zeros",
        gamma_initializer: InitLike = "ones",
        in_channels: int = 0,
        **kwargs: Unpack[Naming],
    ) -> None:
        super().__init__(**kwargs)
        self._axis, self._epsilon = axis, epsilon
        self._center, self._scale = center, scale
        self.gamma = learned(self, "gamma", gamma_initializer, in_channels, scale)
        self.beta = learned(self, "beta", beta_initializer, in_channels, center)

    def hybrid_forward(self, F: Any, x: Any, gamma: Any, beta: Any) -> Any:
        """Apply the layer."""
        if self._axis != 1:
            x = F.swapaxes(x, 1, self._axis)
        x = F.InstanceNorm(x, gamma, beta, name="fwd", eps=self._epsilon)
        return x if self._axis == 1 else F.swapaxes(x, 1, self._axis)

    def __repr__(self) -> str:
        return (
            f"InstanceNorm(eps={self._epsilon}, axis={self._axis}, center={self._center},"
            f" scale={self._scale}, in_channels={self.gamma.shape[0]})"
        )


class GroupNorm(HybridBlock):
    """Group normalization: normalizes groups of channels per sample, then scales and shifts.

    Takes floats of shape (batch, channels, ...); returns the same shape and dtype.

    Parameters
    ----------
    num_groups : int, default 1
        The number of groups that the channels, along axis 1, are divided into.
    epsilon : float, default 1e-5
        Added to the variance.
    center, scale : bool, default True
        Whether beta and gamma are learned, one for each group.
    beta_initializer, gamma_initializer : str or Initializer
    prefix : str, optional
        See `Block`.
    params : ParameterDict, optional

    Examples
    --------
    >>> from gluon import nd, nn
    >>> layer = nn.GroupNorm(num_groups=2)
    >>> layer.initialize()
    >>> layer(nd.array([[[1], [3], [0], [10]]])).asnumpy().round(3).ravel()
    array([-1.,  1., -1.,  1.], dtype=float32)
    """

    beta: Parameter
    gamma: Parameter

    def __init__(
        self,
        num_groups: int = 1,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = True,
        beta_initializer: InitLike = "zeros",
        gamma_initializer: InitLike = "ones",
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix, params)
        self._num_groups, self._epsilon = num_groups, epsilon
        self._center, self._scale = center, scale
        self.gamma = learned(self, "gamma", gamma_initializer, num_groups, scale)
        self.beta = learned(self, "beta", beta_initializer, num_groups, center)

    def hybrid_forward(self, F: Any, data: Any, gamma: Any, beta: Any) -> Any:
        """Apply the layer."""
        return F.GroupNorm(data, gamma, beta, num_groups=self._num_groups, eps=self._epsilon)

    def __repr__(self) -> str:
        return (
            f"GroupNorm(eps={self._epsilon}, num_groups={self._num_groups},"
            f" center={self._center}, scale={self._scale})"
        )
