"""`nd`: normalization layers. gluon ignores MXNet's tuning arguments."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, Final

import numpy as np

from .._core.arrays.base import A, DeviceArray
from .._core.engine.inplace import compute, writable
from .._core.engine.mode import mode as now
from .._core.engine.node import InFunction
from .._core.engine.op import KERNELS
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, AutogradError
from .._core.faces.kinds import keeps_shape
from .._core.kernels import collective
from .._core.kernels.linalg import is_half, wide
from .._core.kernels.memory import BUFFERS, Buffer
from .._core.kernels.normalization import along, other_axes
from .._core.scopes import scope
from ._checks import check_floating
from ._public import alias, public


def check_not_mapped(x: DeviceArray) -> None:
    """Raise if running statistics are to follow an array of one example inside vmap."""
    if not isinstance(x.raw, BUFFERS):
        raise AutogradError(
            "inside vmap the running statistics would differ from example to example; use predict"
            " mode, use_global_stats=True, or a normalization without them, such as GroupNorm"
        )


def follow(moving: DeviceArray, value: DeviceArray, momentum: float) -> None:
    """Move a running average towards that of a batch, in place and unrecorded."""
    check_not_mapped(value)
    if _are_alike(moving.raw, value.raw) and type(now().blank) is not InFunction:
        # As below, in a third of the time: a deep network has many averages.
        if isinstance(moving.raw, Buffer):
            writable(moving).approach(value.raw, 1 - momentum)
            return
        compute(moving, np.multiply, momentum)
        compute(moving, np.add, KERNELS.multiply(value.raw, 1 - momentum))
        return
    with scope(lambda now, entry: now.paused(entry=entry)):
        moving[...] = ops.add(ops.multiply(moving, momentum), ops.multiply(value, 1 - momentum))


def _are_alike(x: Any, y: Any) -> bool:
    return x.dtype.kind == "f" and x.dtype == y.dtype and x.shape == y.shape


def over_ranks(x: Any, axis: int, ranks: tuple[int, ...] | None = None) -> tuple[Any, Any, Any]:
    """The mean, the (biased) variance and the count of each place of `axis`, over all processes.

    The first two are recorded, so that gradients flow to the data of every process.
    """
    wider, axes = ops.cast(x, dtype=wide(x.raw.dtype)), other_axes(axis, x.ndim)
    mine = prod(x.shape[k] for k in axes)
    count = int(collective.allreduce(np.array(mine), ranks=ranks))
    if not count:
        raise ArgumentError(
            f"data of shape {x.shape} has no values to compute a mean from; skip it"
        )

    def mean(values: Any) -> Any:
        total = ops.allreduce(ops.sum(values, axis=axes), reduction="sum", ranks=ranks)
        return ops.multiply(total, 1 / count)

    center = mean(wider)
    far = ops.subtract(wider, ops.reshape(center, shape=along(axis, x.ndim)))
    return center, mean(ops.multiply(far, far)), count


@public
def BatchNorm(
    data: A,
    gamma: A,
    beta: A,
    moving_mean: A,
    moving_var: A,
    eps: float = 1e-3,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    axis: int = 1,
    cudnn_off: bool = False,
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
    out: A | Sequence[A] | None = None,
    name: str | None = None,
) -> A | Any:
    """Normalize each channel over the batch: ``gamma * (data - mean) / sqrt(var + eps) + beta``.

    In training the mean and the (biased) variance are those of the batch, and `moving_mean` and
    `moving_var` are moved towards them in place; otherwise these two are used.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, ...)
        Of a floating dtype.
    gamma, beta : NDArray of shape (channels,)
        Scale and shift.
    moving_mean, moving_var : NDArray of shape (channels,)
        Without gradient.
    eps : float, default 1e-3
    momentum : float, default 0.9
        The weight of the old moving statistics; ``1 - momentum`` is the weight of the batch.
    fix_gamma : bool, default True
        Use 1 in place of `gamma`, and set its gradient to 0.
    use_global_stats : bool, default False
        Use the moving statistics in training too, without updating them.
    output_mean_var : bool, default False
        Also return the mean and the inverse of the standard deviation.
    axis : int, default 1
        The axis of the channels.
    cudnn_off, min_calib_range, max_calib_range
        Ignored.

    Returns
    -------
    NDArray of the same shape and dtype, or list of three NDArrays
        The mean and 1 over the deviation have shape (channels,).

    Raises
    ------
    ArgumentError
        If a parameter is not as long as `axis`, or the axis is out of range.
    DTypeError
        If `data` is of integers.

    Examples
    --------
    >>> from gluon import autograd, nd
    >>> x, ones, zeros = nd.array([[1], [3]]), nd.ones((1,)), nd.zeros((1,))
    >>> nd.BatchNorm(x, ones, zeros, nd.array([1]), nd.array([4]), eps=0).asnumpy().tolist()
    [[0.0], [1.0]]
    >>> mean, var = nd.zeros((1,)), nd.ones((1,))
    >>> with autograd.train_mode():
    ...     y = nd.BatchNorm(x, ones, zeros, mean, var, eps=0, momentum=0.5)
    >>> y.asnumpy().tolist(), mean.asnumpy().tolist()
    ([[-1.0], [1.0]], [1.0])
    """
    check_floating("BatchNorm", data)
    if fix_gamma:
        gamma = ops.ones_like(gamma)
    if now().training and not use_global_stats:
        check_not_mapped(data)
        y, mean, var = ops.batch_norm(data, gamma, beta, axis=axis, eps=eps)
        follow(moving_mean, mean, momentum)
        follow(moving_var, var, momentum)
    else:
        mean, var = moving_mean, moving_var
        y = ops.batch_norm_inference(data, gamma, beta, mean, var, axis=axis, eps=eps)
    return [y, mean, ops.rsqrt(ops.add(var, eps))] if output_mean_var else y


BatchNorm_v1: Final = alias("BatchNorm_v1", BatchNorm)


@public
def BatchNormWithReLU(
    data: A,
    gamma: A,
    beta: A,
    moving_mean: A,
    moving_var: A,
    eps: float = 1e-3,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    axis: int = 1,
    cudnn_off: bool = False,
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
    out: A | Sequence[A] | None = None,
    name: str | None = None,
) -> A | Any:
    """`BatchNorm` followed by ReLU: ``max(BatchNorm(...), 0)``.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, ...)
        Of a floating dtype.
    gamma, beta : NDArray of shape (channels,)
        Scale and shift.
    moving_mean, moving_var : NDArray of shape (channels,)
        Without gradient.
    eps, momentum, fix_gamma, use_global_stats, output_mean_var, axis
        As for `nd.BatchNorm`.
    cudnn_off, min_calib_range, max_calib_range
        Ignored.

    Returns
    -------
    NDArray of the same shape and dtype, or list of three NDArrays
        The mean and 1 over the deviation have shape (channels,).

    Raises
    ------
    ArgumentError
        If a parameter is not as long as `axis`, or the axis is out of range.
    DTypeError
        If `data` is of integers.

    Examples
    --------
    >>> from gluon import nd
    >>> x, ones, zeros = nd.array([[1], [-3]]), nd.ones((1,)), nd.zeros((1,))
    >>> nd.contrib.BatchNormWithReLU(x, ones, zeros, zeros, ones, eps=0).asnumpy().tolist()
    [[1.0], [0.0]]
    """
    norm = (eps, momentum, fix_gamma, use_global_stats, output_mean_var, axis)
    found = BatchNorm(data, gamma, beta, moving_mean, moving_var, *norm)
    return [ops.relu(found[0]), *found[1:]] if output_mean_var else ops.relu(found)


def _with_deviation(outputs: list[DeviceArray], eps: float, wanted: bool) -> Any:
    y, mean, var = outputs
    return [y, mean, ops.sqrt(ops.add(var, eps))] if wanted else y


@public
def LayerNorm(
    data: A,
    gamma: A,
    beta: A,
    axis: int = -1,
    eps: float = 1e-5,
    output_mean_var: bool = False,
    out: A | Sequence[A] | None = None,
    name: str | None = None,
) -> A | Any:
    """Normalize along one axis: ``gamma * (data - mean) / sqrt(var + eps) + beta``.

    Parameters
    ----------
    data : NDArray of a floating dtype, of any shape
    gamma, beta : NDArray of shape (n,), as long as `axis`
        Scale and shift.
    axis : int, default -1
    eps : float, default 1e-5
    output_mean_var : bool, default False
        Also return the mean and the deviation.

    Returns
    -------
    NDArray of the same shape and dtype, or list of three NDArrays
        The mean and the deviation have length 1 along `axis`.

    Raises
    ------
    ArgumentError
        If `gamma` or `beta` is not as long as `axis`, or the axis is out of range.
    DTypeError
        If `data` is of integers.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[1, 3], [0, 8]])
    >>> nd.LayerNorm(x, nd.array([1, 10]), nd.array([0, 5]), eps=0).asnumpy().tolist()
    [[-1.0, 15.0], [-1.0, 15.0]]
    """
    check_floating("LayerNorm", data)
    outputs = ops.layer_norm(data, gamma, beta, axis=axis, eps=eps)
    return _with_deviation(outputs, eps, output_mean_var)


@public
def GroupNorm(
    data: A,
    gamma: A,
    beta: A,
    num_groups: int = 1,
    eps: float = 1e-5,
    output_mean_var: bool = False,
    out: A | Sequence[A] | None = None,
    name: str | None = None,
) -> A | Any:
    """Normalize each group of channels of each sample.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, ...)
        Of a floating dtype.
    gamma, beta : NDArray of shape (num_groups,)
        Scale and shift.
    num_groups : int, default 1
    eps : float, default 1e-5
    output_mean_var : bool, default False
        Also return the mean and the deviation.

    Returns
    -------
    NDArray of the same shape and dtype, or list of three NDArrays
        The mean and the deviation have shape (batch, num_groups).

    Raises
    ------
    ArgumentError
        If `num_groups` does not divide the channels, or `gamma` or `beta` does not have one value
        for each group.
    DTypeError
        If `data` is of integers.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[[1], [3], [0], [8]]])
    >>> nd.GroupNorm(x, nd.ones((2,)), nd.zeros((2,)), num_groups=2, eps=0).asnumpy().tolist()
    [[[-1.0], [1.0], [-1.0], [1.0]]]
    """
    check_floating("GroupNorm", data)
    y, *stats = ops.group_norm(data, gamma, beta, num_groups=num_groups, eps=eps)
    stats = [ops.reshape(s, shape=(data.shape[0], num_groups)) for s in stats]
    return _with_deviation([y, *stats], eps, output_mean_var)


@public
def InstanceNorm(
    data: A, gamma: A, beta: A, eps: float = 1e-3, out: A | None = None, name: str | None = None
) -> A:
    """Normalize each channel of each sample: ``gamma * (data - mean) / sqrt(var + eps) + beta``.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, *spatial)
        Of a floating dtype.
    gamma, beta : NDArray of shape (channels,)
        Scale and shift.
    eps : float, default 1e-3

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    ArgumentError
        If `data` has no spatial axis, or `gamma` or `beta` does not have one value for each
        channel.
    DTypeError
        If `data` is of integers.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[[1, 3], [0, 8]]])
    >>> nd.InstanceNorm(x, nd.array([1, 10]), nd.zeros((2,)), eps=0).asnumpy().tolist()
    [[[-1.0, 1.0], [-10.0, 10.0]]]
    """
    check_floating("InstanceNorm", data)
    return ops.instance_norm(data, gamma, beta, eps=eps)[0]


@keeps_shape
@public
def L2Normalization(
    data: A,
    eps: float = 1e-10,
    mode: str = "instance",
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Divide by a 2-norm: ``data / sqrt(sum(data**2) + eps)``.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, ...)
        Of a floating dtype; ``'channel'`` and ``'spatial'`` need three axes or more.
    eps : float, default 1e-10
    mode : {'instance', 'channel', 'spatial'}
        The axes of the sum: all of a sample, its channels, or its spatial axes.

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    ArgumentError
        If `mode` is not one of the three, or `data` has too few axes for it.
    DTypeError
        If `data` is of integers.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.L2Normalization(nd.array([[3, 4], [0, 2]])).asnumpy()
    array([[0.6, 0.8],
           [0. , 1. ]], dtype=float32)
    """
    check_floating("L2Normalization", data)
    return ops.l2_normalization(data, eps=eps, mode=mode)


@keeps_shape
@public
def LRN(
    data: A,
    alpha: float = 1e-4,
    beta: float = 0.75,
    knorm: float = 2.0,
    nsize: int | None = None,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Normalize over nearby channels: ``data / (knorm + alpha / nsize * squares) ** beta``.

    `squares` is the sum of ``data**2`` over the `nsize` channels around each.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, ...)
        Of a floating dtype.
    alpha, beta, knorm : float, default 1e-4, 0.75 and 2
    nsize : int
        The number of channels to sum over, odd. Required.

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    ArgumentError
        If `nsize` is even or below 1, or `data` has no channels.
    DTypeError
        If `data` is of integers.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.LRN(nd.array([[1, 1, 0]]), nsize=3, alpha=3, beta=1, knorm=2).asnumpy().tolist()
    [[0.25, 0.25, 0.0]]
    """
    if nsize is None:
        raise ArgumentError("LRN: pass nsize, the number of channels in the window")
    check_floating("LRN", data)
    if data.ndim < 2 or nsize < 1 or nsize % 2 == 0:
        raise ArgumentError(
            f"LRN: nsize={nsize} for shape {data.shape}; it must be odd, and the data needs"
            " channels, axis 1"
        )
    near = (nsize - 1) // 2
    lines = (data.shape[0], 1, data.shape[1], prod(data.shape[2:]))
    dtype = data.raw.dtype
    wider = ops.cast(data, dtype=wide(dtype)) if is_half(dtype) else data
    squares = ops.reshape(ops.square(wider), shape=lines)
    total = ops.sum_pool(squares, kernel=(2 * near + 1, 1), pad=(near, 0))
    total = ops.reshape(total, shape=data.shape)
    scale = ops.power(ops.add(ops.multiply(total, alpha / nsize), knorm), -beta)
    y = ops.multiply(wider, scale)
    return ops.cast(y, dtype=dtype) if wider is not data else y
