"""Normalization over a batch, a layer, groups of channels and single channels."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from ... import nd
from ..._core.engine.op import RECORDED as ops
from ..._core.errors import ArgumentError
from ...distributed.group import get_size, ranks_of
from ..interfaces import as_tensor, cast, operands
from ._checked import checked
from .creation import ones, zeros

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ..tensor import Tensor

__all__ = [
    "batch_norm",
    "general_norm",
    "group_norm",
    "instance_norm",
    "layer_norm",
    "local_response_norm",
    "sync_batch_norm",
]


def _vector(x: Any, n: int, like: Tensor, default: Any) -> Any:
    """A parameter of any shape as a vector of `n` values."""
    x = default(n) if x is None else as_tensor(x)
    return ops.reshape(cast(x, like.dtype), shape=(n,))


@checked
def batch_norm(
    inp: ArrayLike,
    running_mean: Any = None,
    running_var: Any = None,
    weight: Any = None,
    bias: Any = None,
    *,
    training: bool = False,
    momentum: float = 0.9,
    eps: float = 1e-5,
    inplace: bool = True,
) -> Any:
    """Normalize each channel, by the batch or by running statistics.

    Parameters
    ----------
    inp : Tensor of shape (batch, channels, ...)
        Of any dtype; integers count as float32.
    running_mean, running_var : Tensor of shape (channels,), optional
        Updated if `training`; required otherwise.
    weight, bias : Tensor of shape (channels,), optional
    momentum : float, default 0.9
        The share of the running statistics that an update keeps.
    eps : float, default 1e-5
        Added to the variance.
    inplace : bool, default True
        Whether to write to the running statistics; else new ones are returned.

    Returns
    -------
    Tensor of the shape of `inp`, or tuple of Tensor
        The result; the new mean and variance follow it if they are not written in place.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> batch_norm(Tensor([[1.0], [3.0]]), training=True).tolist()[1][0] > 0.99
    True
    """
    (inp,) = operands(inp, floats=True)
    n = inp.shape[1]
    gamma, beta = _vector(weight, n, inp, ones), _vector(bias, n, inp, zeros)
    if not training:
        stats = _running("batch_norm", running_mean, running_var, inp)
        return ops.batch_norm_inference(inp, gamma, beta, *stats, axis=1, eps=eps)
    if not inp.size:  # there is nothing to take a mean of
        old = () if inplace or running_mean is None else (running_mean, running_var)
        return (inp * 1, *map(as_tensor, old)) if old else inp * 1
    out, mean, var = ops.batch_norm(inp, gamma, beta, axis=1, eps=eps)
    if running_mean is None or running_var is None:
        return out
    new = _moved(running_mean, running_var, mean, var, prod(inp.shape) // n, momentum)
    if not inplace:
        return (out, *new)
    for old, now in zip((running_mean, running_var), new):
        old._reset(now.detach())
    return out


def _running(name: str, mean: Any, var: Any, inp: Any) -> list[Any]:
    """The running statistics as vectors, where they are needed."""
    if mean is None or var is None:
        raise ArgumentError(f"{name}: give running_mean and running_var unless training")
    return [_vector(one, inp.shape[1], inp, zeros) for one in (mean, var)]


def _moved(
    running_mean: Any, running_var: Any, mean: Any, var: Any, count: int, momentum: float
) -> list[Any]:
    """The running statistics after a batch of `count` values for each channel."""
    unbiased = var.detach() * (count / max(count - 1, 1))
    return [
        as_tensor(old) * momentum + ops.reshape(now, shape=old.shape) * (1 - momentum)
        for old, now in ((running_mean, mean.detach()), (running_var, unbiased))
    ]


@checked
def sync_batch_norm(
    inp: ArrayLike,
    running_mean: Any,
    running_var: Any,
    weight: Any = None,
    bias: Any = None,
    training: bool = False,
    momentum: float = 0.9,
    eps: float = 1e-5,
    eps_mode: str = "additive",
    group: Any = None,
) -> Any:
    """`batch_norm` over the batches of all processes, which all must call it.

    Parameters
    ----------
    eps_mode : {'additive', 'max'}
        Whether `eps` is added to the variance, or is a lower limit of it.
    group : Group, optional
        The processes; by default all.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> x, mean, var = Tensor([[1.0], [3.0]]), Tensor([0.0]), Tensor([1.0])
    >>> sync_batch_norm(x, mean, var, training=True).tolist()[1][0] > 0.99
    True
    """
    if eps_mode.lower() not in ("additive", "max"):
        raise ArgumentError(f"sync_batch_norm: eps_mode={eps_mode!r}; use 'additive' or 'max'")
    stats, ranks = (running_mean, running_var), ranks_of(group)
    if eps_mode.lower() == "additive" and (not training or get_size(ranks) == 1):
        return batch_norm(inp, *stats, weight, bias, training=training, momentum=momentum, eps=eps)
    (inp,) = operands(inp, floats=True)
    if training:
        mean, var, count = nd.normalization.over_ranks(inp, 1, ranks)
        if running_mean is not None and running_var is not None:
            for old, now in zip(stats, _moved(*stats, mean, var, count, momentum)):
                old._reset(now.detach())
    else:
        mean, var = _running("sync_batch_norm", *stats, inp)
    if eps_mode.lower() == "max":
        var, eps = ops.maximum(var, eps), 0.0
    n = inp.shape[1]
    gamma, beta = _vector(weight, n, inp, ones), _vector(bias, n, inp, zeros)
    return ops.batch_norm_inference(inp, gamma, beta, mean, var, axis=1, eps=eps)


@checked
def layer_norm(
    inp: ArrayLike,
    normalized_shape: Any,
    affine: bool,
    weight: Any = None,
    bias: Any = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalize over the last axes.

    Parameters
    ----------
    inp : Tensor of any shape
        Of any dtype; integers count as float32.
    normalized_shape : int or sequence of int
        The lengths of those axes.
    affine : bool
        Whether to use `weight` and `bias`.
    eps : float, default 1e-5
        Added to the variance.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> layer_norm(Tensor([[-1.0, 1.0]]), 2, False)
    Tensor([[-1.  1.]], device=xpux:0)
    """
    (inp,) = operands(inp, floats=True)
    shape = normalized_shape if isinstance(normalized_shape, (list, tuple)) else [normalized_shape]
    if list(inp.shape[inp.ndim - len(shape) :]) != list(shape):
        raise ArgumentError(f"layer_norm: inp of shape {inp.shape} does not end in {tuple(shape)}")
    n = prod(shape)
    given = (weight, bias) if affine else (None, None)
    gamma, beta = (_vector(p, n, inp, d) for p, d in zip(given, (ones, zeros)))
    out = ops.layer_norm(ops.reshape(inp, shape=(-1, n)), gamma, beta, axis=-1, eps=eps)[0]
    return ops.reshape(out, shape=inp.shape)


@checked
def group_norm(
    inp: ArrayLike,
    num_groups: int,
    affine: bool,
    weight: Any = None,
    bias: Any = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalize each group of channels of each sample.

    Parameters
    ----------
    inp : Tensor of shape (batch, channels, ...)
        Of any dtype; integers count as float32.
    affine : bool
        Whether to use `weight` and `bias`.
    weight, bias : Tensor of shape (channels,), optional
    eps : float, default 1e-5
        Added to the variance.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> group_norm(Tensor([[[-1.0], [1.0]]]), 1, False).tolist()[0][1][0] > 0.99
    True
    """
    (inp,) = operands(inp, floats=True)
    flat = (_vector(None, num_groups, inp, make) for make in (ones, zeros))
    out = ops.group_norm(inp, *flat, num_groups=num_groups, eps=eps)[0]
    if not affine or weight is None:
        return out
    along = (1, inp.shape[1], *(1,) * (inp.ndim - 2))
    gamma, beta = (
        ops.reshape(_vector(p, inp.shape[1], inp, make), shape=along)
        for p, make in ((weight, ones), (bias, zeros))
    )
    return out * gamma + beta


@checked
def instance_norm(
    inp: ArrayLike, affine: bool, weight: Any = None, bias: Any = None, eps: float = 1e-5
) -> Tensor:
    """Normalize each channel of each sample.

    Parameters
    ----------
    inp : Tensor of shape (batch, channels, ...)
        Of any dtype; integers count as float32.
    affine : bool
        Whether to use `weight` and `bias`.
    weight, bias : Tensor of shape (channels,), optional
    eps : float, default 1e-5
        Added to the variance.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> instance_norm(Tensor([[[-1.0, 1.0]]]), False).tolist()[0][0][1] > 0.99
    True
    """
    (inp,) = operands(inp, floats=True)
    given = (weight, bias) if affine else (None, None)
    gamma, beta = (_vector(p, inp.shape[1], inp, d) for p, d in zip(given, (ones, zeros)))
    return ops.instance_norm(inp, gamma, beta, eps=eps)[0]


@checked
def general_norm(
    inp: ArrayLike,
    normalized_axis: Any,
    affine: bool = True,
    weight: Any = None,
    bias: Any = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalize over any axes.

    Parameters
    ----------
    affine : bool, default True
        Whether to use `weight` and `bias`.
    weight, bias : Tensor, optional
        Of the shape of those axes.
    eps : float, default 1e-5
        Added to the variance.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> general_norm(Tensor([[-1.0, 2.0], [1.0, 4.0]]), 0, affine=False, eps=0.0).tolist()
    [[-1.0, -1.0], [1.0, 1.0]]
    """
    (inp,) = operands(inp, floats=True)
    given = normalized_axis if isinstance(normalized_axis, (list, tuple)) else (normalized_axis,)
    axes = tuple(sorted(axis % inp.ndim for axis in given))
    centred = inp - ops.mean(inp, axis=axes, keepdims=True)
    variance = ops.mean(ops.square(centred), axis=axes, keepdims=True)
    out = centred / ops.sqrt(variance + eps)
    if not affine:
        return out
    if weight is None or bias is None:
        raise ArgumentError("general_norm: give weight and bias, or affine=False")
    along = tuple(n if k in axes else 1 for k, n in enumerate(inp.shape))
    gamma, beta = (ops.reshape(cast(as_tensor(p), inp.dtype), shape=along) for p in (weight, bias))
    return out * gamma + beta


@checked
def local_response_norm(
    inp: ArrayLike, kernel_size: int = 5, k: float = 2.0, alpha: float = 1e-4, beta: float = 0.75
) -> Tensor:
    """Normalize over nearby channels: ``inp / (k + alpha * squares) ** beta``.

    Parameters
    ----------
    inp : Tensor of shape (batch, channels, height, width)
        Of any dtype; integers count as float32.
    kernel_size : int, default 5
        The number of channels to sum, odd.

    Examples
    --------
    >>> local_response_norm(ones((1, 1, 1, 1)), k=1.0, alpha=3.0, beta=1.0).item()
    0.25
    """
    (inp,) = operands(inp, floats=True)
    return nd.LRN(inp, alpha=alpha * kernel_size, beta=beta, knorm=k, nsize=kernel_size)  # type: ignore[type-var]
