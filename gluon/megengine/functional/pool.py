"""Pooling."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...engine.errors import ArgumentError
from ...engine.op import RECORDED as F
from ..tensor import Tensor, operands
from .conv import _pair

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


def max_pool2d(inp: Any, kernel_size: Any, stride: Any = None, padding: Any = 0) -> Tensor:
    """The largest value of each window.

    Parameters
    ----------
    inp : Tensor of shape (batch, channels, height, width)
    kernel_size : int or (int, int)
    stride : int or (int, int), optional
        `kernel_size` by default.
    padding : int or (int, int), default 0

    Returns
    -------
    Tensor of shape (batch, channels, rows, columns)

    Examples
    --------
    >>> max_pool2d(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), 2).item()
    4.0
    """
    (inp,) = operands(inp, floats=True)
    return F.max_pool(inp, **_windows(kernel_size, stride, padding))


def avg_pool2d(
    inp: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    mode: str = "average_count_exclude_padding",
) -> Tensor:
    """The mean of each window.

    Parameters
    ----------
    inp : Tensor of shape (batch, channels, height, width)
    kernel_size : int or (int, int)
    stride : int or (int, int), optional
        `kernel_size` by default.
    padding : int or (int, int), default 0
    mode : {'average_count_exclude_padding', 'average'}
        Whether the border counts as values.

    Returns
    -------
    Tensor of shape (batch, channels, rows, columns)

    Raises
    ------
    ArgumentError
        If `mode` is neither.

    Examples
    --------
    >>> avg_pool2d(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), 2).item()
    2.5
    """
    if mode not in AVERAGES:
        raise ArgumentError(f"avg_pool2d: mode {mode!r} is none of {', '.join(AVERAGES)}")
    (inp,) = operands(inp, floats=True)
    return F.sum_pool(inp, divide_by=AVERAGES[mode], **_windows(kernel_size, stride, padding))


def adaptive_avg_pool2d(inp: Any, oshp: Any) -> Tensor:
    """The means of as many windows as the result has pixels.

    Parameters
    ----------
    inp : Tensor of shape (batch, channels, height, width)
    oshp : int or (int, int)
        The size of the result.

    Returns
    -------
    Tensor of shape (batch, channels, *oshp)

    Examples
    --------
    >>> adaptive_avg_pool2d(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), 1).item()
    2.5
    """
    (inp,) = operands(inp, floats=True)
    return F.resize(inp, size=_pair(oshp, 2), method="average")


def adaptive_max_pool2d(inp: Any, oshp: Any) -> Tensor:
    """The largest values of as many windows as the result has pixels.

    Parameters
    ----------
    inp : Tensor of shape (batch, channels, height, width)
    oshp : int or (int, int)
        The size of the result.

    Returns
    -------
    Tensor of shape (batch, channels, *oshp)

    Examples
    --------
    >>> adaptive_max_pool2d(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), 1).item()
    4.0
    """
    (inp,) = operands(inp, floats=True)
    rows, columns = _pair(oshp, 2)
    return _along(_along(inp, 2, rows, F.max), 3, columns, F.max)


def _along(x: Tensor, axis: int, out: int, reduce: Callable) -> Tensor:
    """`reduce` of the `out` windows that cover `axis`."""
    n = x.shape[axis]
    before = (slice(None),) * axis
    spans = [slice(k * n // out, -(-(k + 1) * n // out)) for k in range(out)]
    return F.stack(*[reduce(x[(*before, span)], axis=axis) for span in spans], axis=axis)
