"""`nd`: normalization layers. Tuning arguments of MXNet are ignored."""

from __future__ import annotations

from typing import Any

from ..engine.errors import ArgumentError
from ..engine.mode import mode as now
from ..engine.mode import paused, scope
from ..engine.op import RECORDED as F
from ..ndarray import NDArray
from ._public import floating, public


def _follow(moving: NDArray, value: NDArray, momentum: float) -> None:
    """Move a running mean or variance towards a batch's, in place and unrecorded."""
    with scope(paused):
        moving[...] = F.add(F.multiply(moving, momentum), F.multiply(value, 1 - momentum))


@public
def BatchNorm(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    moving_mean: NDArray,
    moving_var: NDArray,
    eps: float = 1e-3,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    axis: int = 1,
    cudnn_off: bool = False,
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
) -> Any:
    """Normalize each channel over the batch.

    In training the mean and the variance are those of the batch, and `moving_mean` and
    `moving_var` are moved towards them in place; otherwise these two are used.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, ...)
    gamma, beta : NDArray of shape (channels,)
        Scale and shift.
    moving_mean, moving_var : NDArray of shape (channels,)
    eps : float, default 1e-3
    momentum : float, default 0.9
        The share that the moving statistics keep of themselves.
    fix_gamma : bool, default True
        Use 1 in place of `gamma`, whose gradient is 0.
    use_global_stats : bool, default False
        Use the moving statistics in training as well.
    output_mean_var : bool, default False
        Also return the mean and 1 over the deviation.
    axis : int, default 1
        The axis of the channels.
    cudnn_off, min_calib_range, max_calib_range
        Ignored.

    Returns
    -------
    NDArray of the same shape, or list of three NDArrays
    """
    floating("BatchNorm", data)
    if fix_gamma:
        gamma = F.add(F.multiply(gamma, 0), 1)
    if now().training and not use_global_stats:
        y, mean, var = F.batch_norm(data, gamma, beta, axis=axis, eps=eps)
        _follow(moving_mean, mean, momentum)
        _follow(moving_var, var, momentum)
    else:
        mean, var = moving_mean, moving_var
        y = F.batch_norm_inference(data, gamma, beta, mean, var, axis=axis, eps=eps)
    return [y, mean, F.rsqrt(F.add(var, eps))] if output_mean_var else y


BatchNorm_v1 = BatchNorm


def _with_deviation(outputs: list[NDArray], eps: float, wanted: bool) -> Any:
    y, mean, var = outputs
    return [y, mean, F.sqrt(F.add(var, eps))] if wanted else y


@public
def LayerNorm(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    axis: int = -1,
    eps: float = 1e-5,
    output_mean_var: bool = False,
) -> Any:
    """Normalize along one axis, then scale by `gamma` and shift by `beta`.

    Parameters
    ----------
    data : NDArray
    gamma, beta : NDArray, as long as `axis`
    axis : int, default -1
    eps : float, default 1e-5
    output_mean_var : bool, default False
        Also return the mean and the deviation.

    Returns
    -------
    NDArray of the same shape, or list of three NDArrays
    """
    floating("LayerNorm", data)
    outputs = F.layer_norm(data, gamma, beta, axis=axis, eps=eps)
    return _with_deviation(outputs, eps, output_mean_var)


@public
def GroupNorm(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    num_groups: int = 1,
    eps: float = 1e-5,
    output_mean_var: bool = False,
) -> Any:
    """Normalize each group of channels of each sample.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, ...)
    gamma, beta : NDArray of shape (num_groups,)
    num_groups : int, default 1
    eps : float, default 1e-5
    output_mean_var : bool, default False
        Also return the mean and the deviation, of shape (batch, num_groups).

    Returns
    -------
    NDArray of the same shape, or list of three NDArrays
    """
    floating("GroupNorm", data)
    y, *stats = F.group_norm(data, gamma, beta, num_groups=num_groups, eps=eps)
    stats = [F.reshape(s, shape=(data.shape[0], num_groups)) for s in stats]
    return _with_deviation([y, *stats], eps, output_mean_var)


@public
def InstanceNorm(data: NDArray, gamma: NDArray, beta: NDArray, eps: float = 1e-3) -> NDArray:
    """Normalize each channel of each sample of shape (channels, *spatial).

    Parameters
    ----------
    data : NDArray of shape (batch, channels, *spatial)
    gamma, beta : NDArray of shape (channels,)
    eps : float, default 1e-3

    Returns
    -------
    NDArray of the same shape
    """
    floating("InstanceNorm", data)
    return F.instance_norm(data, gamma, beta, eps=eps)[0]


@public
def L2Normalization(data: NDArray, eps: float = 1e-10, mode: str = "instance") -> NDArray:
    """Divide by the 2-norm of a sample, of its channels or of its spatial axes.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, ...)
    eps : float, default 1e-10
    mode : {'instance', 'channel', 'spatial'}

    Returns
    -------
    NDArray of the same shape
    """
    floating("L2Normalization", data)
    return F.l2_normalization(data, eps=eps, mode=mode)


@public
def LRN(
    data: NDArray, nsize: int, alpha: float = 1e-4, beta: float = 0.75, knorm: float = 2.0
) -> NDArray:
    """``data / (knorm + alpha / nsize * squares) ** beta``, squares summed over channels nearby.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, ...)
    nsize : int
        How many channels count.
    alpha, beta, knorm : float

    Returns
    -------
    NDArray of the same shape
    """
    floating("LRN", data)
    if data.ndim < 2 or nsize < 1 or nsize % 2 == 0:
        raise ArgumentError(
            f"LRN: nsize={nsize} for shape {data.shape}; it must be odd, and the data needs"
            " channels, axis 1"
        )
    near = (nsize - 1) // 2
    lines = (data.shape[0], 1, data.shape[1], -1)
    squares = F.reshape(F.square(data), shape=lines)
    total = F.sum_pool(squares, kernel=(2 * near + 1, 1), pad=(near, 0))
    total = F.reshape(total, shape=data.shape)
    scale = F.power(F.add(F.multiply(total, alpha / nsize), knorm), -beta)
    return F.multiply(data, scale)
