"""Convolutions, with MegEngine's shapes of weights and biases."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from ..._core.engine.op import RECORDED as ops
from ..._core.errors import ArgumentError
from ..interfaces import as_tensor, cast, operands, tensors
from ._checked import checked
from ._faces import MEGENGINE

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ..tensor import Tensor

__all__ = [
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose2d",
    "conv_transpose3d",
    "sliding_window",
]

TEXT = """{doc}.

    Parameters
    ----------
    inp : Tensor of shape (batch, channels, *spatial)
        Of any dtype; integers count as float32.
    weight : Tensor
        Of shape ({weight}, *kernel), the groups before it where there are several.
    bias : Tensor of shape (1, filters, 1, ...), optional
    stride : int or sequence of int, default 1
    padding : int or sequence of int, default 0
        The width of the border of zeros.{more}
    dilation : int or sequence of int, default 1
        How far the places of the kernel are apart.
    groups : int, default 1
    conv_mode, compute_mode : str
        Only their defaults are supported.

    Returns
    -------
    Tensor of shape (batch, filters, *spatial)

    Raises
    ------
    ArgumentError
        If the shapes do not fit each other, or `conv_mode` is another.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> F.{name}(F.ones((1, 2{lengths})), F.ones(({filters}{kernel})), padding=1).shape
    (1, 3{lengths})
"""
MORE = """
    output_padding : int or sequence of int, default 0
        How much longer to make the result at the end."""


def _text(name: str, n: int, doc: str, weight: str, more: str = "") -> str:
    """The docstring of a convolution over `n` axes."""
    filters = "3, 2" if weight.startswith("filters") else "2, 3"
    shapes = {"lengths": ", 5" * n, "kernel": ", 3" * n, "filters": filters}
    return TEXT.format(name=name, doc=doc, weight=weight, more=more, **shapes)


def _pair(value: Any, n: int) -> tuple[int, ...]:
    """A number for each spatial axis."""
    return (int(value),) * n if not isinstance(value, (list, tuple)) else tuple(map(int, value))


def _prepared(name: str, n: int, inp: Any, weight: Any, bias: Any, groups: int) -> tuple:
    """The three inputs as the operators take them."""
    inp, weight = tensors(inp, weight, floats=True)
    if inp.ndim != n + 2:
        raise ArgumentError(
            f"{name}: inp has shape {inp.shape}; give (batch, channels, and {n} spatial lengths)"
        )
    if groups > 1 and weight.ndim == n + 3:
        return inp, weight, _flat(bias, inp)
    if weight.ndim != n + 2:
        raise ArgumentError(
            f"{name}: weight has shape {weight.shape} for groups={groups}; with several groups"
            f" their number comes first, then come two lengths and {n} of the kernel"
        )
    return inp, weight, _flat(bias, inp)


def _flat(bias: Any, inp: Tensor) -> Any:
    if bias is None:
        return None
    return ops.reshape(cast(as_tensor(bias), inp.dtype), shape=(-1,))


def _only_default(name: str, conv_mode: str) -> None:
    if conv_mode.lower() != "cross_correlation":
        raise ArgumentError(f"{name}: conv_mode {conv_mode!r} is planned; flip the weight instead")


def _convolution(n: int) -> Any:
    name = f"conv{n}d"

    def function(
        inp: Any,
        weight: Any,
        bias: Any = None,
        stride: int | Sequence[int] = 1,
        padding: int | Sequence[int] = 0,
        dilation: int | Sequence[int] = 1,
        groups: int = 1,
        conv_mode: str = "cross_correlation",
        compute_mode: str = "default",
    ) -> Tensor:
        _only_default(name, conv_mode)
        inp, weight, bias = _prepared(name, n, inp, weight, bias, groups)
        if weight.ndim == n + 3:  # (groups, filters of a group, ...) in one row
            weight = ops.reshape(weight, shape=(-1, *weight.shape[2:]))
        where = {"stride": _pair(stride, n), "pad": _pair(padding, n)}
        return ops.convolution(
            inp, weight, bias, dilate=_pair(dilation, n), num_group=groups, **where
        )

    doc = _text(name, n, f"Slide a kernel over the {n} last axes", "filters, channels")
    return checked(MEGENGINE.named(function, name, doc))


def _transposed(n: int) -> Any:
    name = f"conv_transpose{n}d"

    def function(
        inp: Any,
        weight: Any,
        bias: Any = None,
        stride: int | Sequence[int] = 1,
        padding: int | Sequence[int] = 0,
        output_padding: int | Sequence[int] = 0,
        dilation: int | Sequence[int] = 1,
        groups: int = 1,
        conv_mode: str = "cross_correlation",
        compute_mode: str = "default",
    ) -> Tensor:
        _only_default(name, conv_mode)
        inp, weight, bias = _prepared(name, n, inp, weight, bias, groups)
        if weight.ndim == n + 3:
            weight = ops.reshape(weight, shape=(-1, *weight.shape[2:]))
        where = {"stride": _pair(stride, n), "pad": _pair(padding, n)}
        return ops.deconvolution(
            inp,
            weight,
            bias,
            dilate=_pair(dilation, n),
            adj=_pair(output_padding, n),
            num_group=groups,
            **where,
        )

    title = f"The transposed convolution over the {n} last axes"
    doc = _text(name, n, title, "channels, filters", MORE)
    return checked(MEGENGINE.named(function, name, doc))


conv1d, conv2d, conv3d = (_convolution(n) for n in (1, 2, 3))
conv_transpose2d, conv_transpose3d = (_transposed(n) for n in (2, 3))


@checked
def sliding_window(
    inp: ArrayLike,
    kernel_size: int | Sequence[int],
    padding: int | Sequence[int] = 0,
    stride: int | Sequence[int] = 1,
    dilation: int | Sequence[int] = 1,
) -> Tensor:
    """Extract all windows of an image.

    Parameters
    ----------
    inp : Tensor of shape (batch, channels, height, width), of any dtype
    kernel_size : int or (int, int)
    padding, stride, dilation : int or (int, int)
        As for `conv2d`.

    Returns
    -------
    Tensor of shape (batch, channels, rows, columns, *kernel_size)

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> sliding_window(Tensor([[[[1.0, 2.0, 3.0]]]]), (1, 2)).tolist()
    [[[[[[1.0, 2.0]], [[2.0, 3.0]]]]]]
    """
    (inp,) = operands(inp)
    kernel, step, border, apart = (_pair(v, 2) for v in (kernel_size, stride, padding, dilation))
    columns = ops.im2col(inp, kernel=kernel, stride=step, pad=border, dilate=apart)
    spans = [(k - 1) * d + 1 for k, d in zip(kernel, apart)]
    out = [(n + 2 * p - s) // t + 1 for n, p, s, t in zip(inp.shape[2:], border, spans, step)]
    parts = ops.reshape(columns, shape=(*inp.shape[:2], prod(kernel), prod(out)))
    turned = ops.transpose(parts, axes=(0, 1, 3, 2))
    return ops.reshape(turned, shape=(*inp.shape[:2], *out, *kernel))
