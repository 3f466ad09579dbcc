"""Images sampled at other points: maps of points, affine and perspective ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._core.engine.op import RECORDED as ops
from ..._core.errors import ArgumentError
from ..interfaces import as_tensor, tensors
from ._checked import checked
from .conv import _pair

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ..tensor import Tensor

__all__ = ["remap", "warp_affine", "warp_perspective"]

#: border -> which of n pixels stands for place k of an axis, where k may lie outside.
BORDERS: dict[str, Callable[..., Any]] = {
    "replicate": lambda k, n: np.clip(k, 0, n - 1),
    "reflect": lambda k, n: np.minimum(k % (2 * n), 2 * n - 1 - k % (2 * n)),
    "reflect_101": lambda k, n: (n - 1) - np.abs((n - 1) - k % max(2 * n - 2, 1)),
    "wrap": lambda k, n: k % n,
    "constant": lambda k, n: np.where((k >= 0) & (k < n), k, -1),
}
TEXT_BORDER = "replicate"


@checked
def remap(
    inp: ArrayLike,
    map_xy: ArrayLike,
    border_mode: str = TEXT_BORDER,
    scalar: float = 0.0,
    interp_mode: str = "linear",
) -> Tensor:
    """Sample images at the points of a map.

    Parameters
    ----------
    inp : Tensor of shape (batch, channels, height, width)
        Of any dtype; integers count as float32.
    map_xy : Tensor of shape (batch, rows, columns, 2)
        For each pixel of the result the x and y to sample.
    border_mode : {'replicate', 'reflect', 'reflect_101', 'wrap', 'constant'}
        The values outside of an image.
    scalar : float, default 0.0
        That value, for 'constant'.
    interp_mode : {'linear', 'nearest'}
        The interpolation between pixels.

    Returns
    -------
    Tensor of shape (batch, channels, rows, columns)

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> x = Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
    >>> remap(x, Tensor([[[[0.5, 0.0], [1.0, 0.5]]]])).tolist()
    [[[[1.5, 3.0]]]]
    """
    inp, map_xy = tensors(inp, map_xy, floats=True)
    if map_xy.ndim != 4 or map_xy.shape[3] != 2 or len(map_xy) != len(inp):
        raise ArgumentError(
            f"remap: map_xy has shape {map_xy.shape}; for inp {inp.shape} it needs"
            f" ({len(inp)}, rows, columns, 2)"
        )
    xs, ys = map_xy[..., 0], map_xy[..., 1]
    return _read("remap", inp, xs, ys, None, border_mode, scalar, interp_mode)


@checked
def warp_perspective(
    inp: ArrayLike,
    mat: ArrayLike,
    out_shape: Any,
    mat_idx: Any = None,
    border_mode: str = TEXT_BORDER,
    border_val: float = 0.0,
    format: str = "NCHW",
    interp_mode: str = "linear",
) -> Tensor:
    """Apply a perspective transformation to images.

    Parameters
    ----------
    inp : Tensor of shape (batch, channels, height, width)
        Of any dtype; integers count as float32.
    mat : Tensor of shape (batch, 3, 3)
        A matrix maps (x, y, 1) of a pixel of the result to (u, v, w); the image is sampled at
        (u / w, v / w).
    out_shape : int or (int, int)
        The rows and the columns of the result.
    mat_idx : sequence of int, optional
        The index of the image for each matrix; by default each has the image of the same index.
    border_mode : {'replicate', 'reflect', 'reflect_101', 'wrap', 'constant'}
        The values outside of an image.
    border_val : float, default 0.0
        That value, for 'constant'.
    format : {'NCHW', 'NHWC'}
        'NHWC' for images with the channels last.
    interp_mode : {'linear', 'nearest'}
        The interpolation between pixels.

    Returns
    -------
    Tensor of shape (matrices, channels, *out_shape), in `format`

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> x = Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
    >>> move = Tensor([[[1.0, 0.0, 0.5], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]])
    >>> warp_perspective(x, move, (1, 1)).item()
    3.5
    """
    return _warped(
        "warp_perspective", 3, inp, mat, out_shape, mat_idx, border_mode, border_val, format,
        interp_mode,
    )  # fmt: skip


@checked
def warp_affine(
    inp: ArrayLike,
    mat: ArrayLike,
    out_shape: Any,
    border_mode: str = TEXT_BORDER,
    border_val: float = 0.0,
    format: str = "NHWC",
    interp_mode: str = "linear",
) -> Tensor:
    """Apply an affine transformation to images.

    Parameters
    ----------
    inp : Tensor of shape (batch, height, width, channels)
        Of any dtype; integers count as float32.
    mat : Tensor of shape (batch, 2, 3)
        A matrix maps (x, y, 1) of a pixel of the result to the point to sample.
    out_shape : int or (int, int)
        The rows and the columns of the result.
    border_mode : {'replicate', 'reflect', 'reflect_101', 'wrap', 'constant'}
        The values outside of an image.
    border_val : float, default 0.0
        That value, for 'constant'.
    format : {'NHWC', 'NCHW'}
        'NCHW' for images with the channels first.
    interp_mode : {'linear', 'nearest'}
        The interpolation between pixels.

    Returns
    -------
    Tensor of shape (batch, *out_shape, channels), in `format`

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> x = Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
    >>> warp_affine(x, Tensor([[[1.0, 0.0, 0.5], [0.0, 1.0, 1.0]]]), 1, format="NCHW").item()
    3.5
    """
    return _warped(
        "warp_affine", 2, inp, mat, out_shape, None, border_mode, border_val, format, interp_mode
    )


def _warped(
    name: str,
    lines: int,
    inp: Any,
    mat: ArrayLike,
    out_shape: Any,
    images: Any,
    border: str,
    value: float,
    format: str,
    interp: str,
) -> Tensor:
    """`warp_perspective`, with matrices of three `lines`, and `warp_affine`, with two."""
    inp, mat = tensors(inp, mat, floats=True)
    if format not in ("NCHW", "NHWC"):
        raise ArgumentError(f"{name}: format {format!r} is not one of 'NCHW' and 'NHWC'")
    images = None if images is None else np.asarray(as_tensor(images).raw, np.intp)
    count = len(inp) if images is None else len(images)
    if inp.ndim != 4 or mat.shape != (count, lines, 3):
        raise ArgumentError(
            f"{name}: mat has shape {mat.shape}; for inp {inp.shape} it needs {(count, lines, 3)}"
        )
    if format == "NHWC":
        inp = ops.transpose(inp, axes=(0, 3, 1, 2))
    size = _pair(out_shape, 2)
    y, x = np.indices(size).astype(mat.dtype)
    plane = as_tensor(np.stack([x.ravel(), y.ravel(), np.ones_like(x.ravel())]))
    points = ops.reshape(ops.matmul(mat, plane), shape=(count, lines, *size))
    xs, ys = points[:, 0], points[:, 1]
    if lines == 3:
        xs, ys = xs / points[:, 2], ys / points[:, 2]
    out = _read(name, inp, xs, ys, images, border, value, interp)
    return ops.transpose(out, axes=(0, 2, 3, 1)) if format == "NHWC" else out


def _read(
    name: str, inp: Tensor, xs: Tensor, ys: Tensor, images: Any, border: str, value: float, how: str
) -> Tensor:
    """Images at points (lists, rows, columns), list k of image ``images[k]``."""
    choices = {"border_mode": (border, BORDERS), "interp_mode": (how, ("linear", "nearest"))}
    for argument, (given, known) in choices.items():
        if given.lower() not in known:
            raise ArgumentError(f"{name}: {argument} {given!r} is not one of {', '.join(known)}")
    axes = [
        _neighbours(at, n, border.lower(), how.lower())
        for at, n in ((ys, inp.shape[2]), (xs, inp.shape[3]))
    ]
    image = np.arange(len(inp)) if images is None else images
    flat = ops.transpose(inp, axes=(0, 2, 3, 1))
    total: Any = 0
    for row, row_weight in axes[0]:
        for column, column_weight in axes[1]:
            picked = ops.getitem(flat, key=(image[:, None, None], row, column))
            if (row < 0).any() or (column < 0).any():
                outside = ((row < 0) | (column < 0))[..., None]
                picked = ops.where(outside, value, picked)
            if how.lower() == "nearest":
                return ops.transpose(picked, axes=(0, 3, 1, 2))
            total = total + picked * ops.expand_dims(row_weight * column_weight, axis=-1)
    return ops.transpose(total, axes=(0, 3, 1, 2))


def _neighbours(at: Tensor, n: int, border: str, how: str) -> list[tuple[Any, Any]]:
    """The pixels around each place along an axis of `n`, -1 for none, and their weights."""
    place = np.nan_to_num(at.raw).astype(np.float64)
    place = np.clip(place, -1e9, 1e9)
    find = BORDERS[border]
    if how == "nearest":
        return [(find(np.rint(place).astype(np.intp), n), None)]
    low = np.floor(place)
    ahead = at - as_tensor(low.astype(at.dtype))
    first = low.astype(np.intp)
    return [(find(first, n), 1 - ahead), (find(first + 1, n), ahead)]
