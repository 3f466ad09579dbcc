"""Pooling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..._core.engine.op import RECORDED as ops
from ..._core.errors import ArgumentError
from ..interfaces import operands
from ._checked import checked
from .conv import _pair

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ..tensor import Tensor

__all__ = ["adaptive_avg_pool2d", "adaptive_max_pool2d", "avg_pool2d", "max_pool2d"]

#: mode -> what a sum is divided by.
AVERAGES = {"average": "window", "average_count_exclude_padding": "inside"}


def _windows(kernel_size: Any, stride: Any, padding: Any) -> dict[str, Any]:
    stride = kernel_size if stride is None else stride
    return {
        "kernel": _pair(kernel_size, 2),
        "stride": _pair(stride, 2),
        "pad": _pair(padding, 2),
    }


@checked
def max_pool2d(inp: ArrayLike, kernel_size: Any, stride: Any = None, padding: Any = 0) -> Tensor:
    """The largest value of each window.

    Parameters
    ----------
    inp : Tensor of shape (batch, channels, height, width)
        Of any dtype; integers count as float32.
    kernel_size : int or (int, int)
    stride : int or (int, int), optional
        `kernel_size` by default.
    padding : int or (int, int), default 0

    Returns
    -------
    Tensor of shape (batch, channels, rows, columns)

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> max_pool2d(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), 2).item()
    4.0
    """
    (inp,) = operands(inp, floats=True)
    return ops.max_pool(inp, **_windows(kernel_size, stride, padding))


@checked
def avg_pool2d(
    inp: ArrayLike,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    mode: str = "average_count_exclude_padding",
) -> Tensor:
    """The mean of each window.

    Parameters
    ----------
    inp : Tensor of shape (batch, channels, height, width)
        Of any dtype; integers count as float32.
    kernel_size : int or (int, int)
    stride : int or (int, int), optional
        `kernel_size` by default.
    padding : int or (int, int), default 0
    mode : {'average_count_exclude_padding', 'average'}
        Whether the border counts as values.

    Returns
    -------
    Tensor of shape (batch, channels, rows, columns)

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> avg_pool2d(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), 2).item()
    2.5
    """
    if mode not in AVERAGES:
        raise ArgumentError(f"avg_pool2d: mode {mode!r} is not one of {', '.join(AVERAGES)}")
    (inp,) = operands(inp, floats=True)
    return ops.sum_pool(inp, divide_by=AVERAGES[mode], **_windows(kernel_size, stride, padding))


def _covering(inp: Tensor, oshp: Any) -> dict[str, Any]:
    """The windows, all of one size and one distance, that cover an image."""
    out = _pair(oshp, 2)
    stride = tuple(n // k for n, k in zip(inp.shape[2:], out))
    if min(stride) < 1:
        raise ArgumentError(
            f"images of {inp.shape[2:]} cannot be divided into {out} windows; choose fewer"
        )
    kernel = tuple(n - (k - 1) * s for n, k, s in zip(inp.shape[2:], out, stride))
    return {"kernel": kernel, "stride": stride}


@checked
def adaptive_avg_pool2d(inp: ArrayLike, oshp: Any) -> Tensor:
    """Adaptive average pooling to a given output size.

    Parameters
    ----------
    inp : Tensor of shape (batch, channels, height, width)
        Of any dtype; integers count as float32.
    oshp : int or (int, int)
        The size of the result.

    Returns
    -------
    Tensor of shape (batch, channels, *oshp)

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> adaptive_avg_pool2d(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), 1).item()
    2.5
    """
    (inp,) = operands(inp, floats=True)
    return ops.sum_pool(inp, divide_by="window", **_covering(inp, oshp))


@checked
def adaptive_max_pool2d(inp: ArrayLike, oshp: Any) -> Tensor:
    """Adaptive max pooling to a given output size.

    Parameters
    ----------
    inp : Tensor of shape (batch, channels, height, width)
        Of any dtype; integers count as float32.
    oshp : int or (int, int)
        The size of the result.

    Returns
    -------
    Tensor of shape (batch, channels, *oshp)

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> adaptive_max_pool2d(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), 1).item()
    4.0
    """
    (inp,) = operands(inp, floats=True)
    return ops.max_pool(inp, **_covering(inp, oshp))
