"""Functions of pictures."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.errors import ArgumentError
from ...engine.op import RECORDED as F
from ..tensor import Tensor, operands
from .conv import _pair

__all__ = ["interpolate"]


def interpolate(
    inp: Any,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "bilinear",
    align_corners: bool | None = None,
) -> Tensor:
    """Make pictures larger or smaller.

    Parameters
    ----------
    inp : Tensor of shape (batch, channels, height, width)
    size : int or (int, int), optional
        The new size.
    scale_factor : float or (float, float), optional
        The new size over the old one; this or `size`.
    mode : {'bilinear', 'nearest'}
    align_corners : bool, optional
        Whether the outermost pixels stay where they are; False by default.

    Returns
    -------
    Tensor of shape (batch, channels, *size)

    Raises
    ------
    ArgumentError
        If not just one of `size` and `scale_factor` is given, or `mode` is another.

    Examples
    --------
    >>> interpolate(Tensor([[[[1.0, 2.0]]]]), scale_factor=2, mode="nearest").tolist()
    [[[[1.0, 1.0, 2.0, 2.0], [1.0, 1.0, 2.0, 2.0]]]]
    """
    (inp,) = operands(inp, floats=True)
    if (size is None) == (scale_factor is None):
        raise ArgumentError("interpolate: give size or scale_factor, one of the two")
    if scale_factor is not None:
        factors = scale_factor if isinstance(scale_factor, (list, tuple)) else (scale_factor,) * 2
        size = tuple(int(n * by) for n, by in zip(inp.shape[2:], factors))
    size = _pair(size, 2)
    if mode == "bilinear":
        return F.resize(inp, size=size, method="bilinear", align_corners=bool(align_corners))
    if mode != "nearest":
        raise ArgumentError(f"interpolate: mode {mode!r} is planned; use 'bilinear' or 'nearest'")
    for axis, n in zip((2, 3), size):
        inp = F.take(inp, np.arange(n) * inp.shape[axis] // n, axis=axis)
    return inp
