"""Kernels that change the resolution of images (batch, channels, height, width)."""

from __future__ import annotations

from typing import Any

import numpy as np

from .linalg import gemm, sparsely

Size = tuple[int, int]


def upsample_nearest(x: Any, *, scale: int) -> Any:
    """Each pixel becomes a square of `scale` by `scale`."""
    if scale < 1:
        raise ValueError(f"scale={scale} must be 1 or more")
    return x.repeat(scale, 2).repeat(scale, 3)


def linear_map(x: Any, rows: Any, columns: Any) -> Any:
    """``rows @ image @ columns.T`` for each image."""
    left, right = rows.astype(x.dtype), columns.astype(x.dtype).T
    return sparsely(lambda x: gemm(gemm(left, x), right), x)


def _check(x: Any, size: Size) -> None:
    if x.ndim != 4 or min(*size, *x.shape[2:]) < 1:
        raise ValueError(
            f"x of shape {x.shape} cannot be resized to {size}: x must be (batch, channels, height,"
            " width), with at least one pixel"
        )


def average_matrix(n: int, out: int) -> Any:
    """(out, n): row k averages the elements from floor(k n / out) to ceil((k + 1) n / out)."""
    k = np.arange(out)
    start, stop = k * n // out, -((-(k + 1) * n) // out)
    places = np.arange(n)
    inside = (places >= start[:, None]) & (places < stop[:, None])
    return inside / (stop - start)[:, None]


def bilinear_matrix(n: int, out: int, align_corners: bool) -> Any:
    """(out, n): row k interpolates between the two elements next to output element k."""
    k = np.arange(out)
    if align_corners:
        place = k * ((n - 1) / (out - 1) if out > 1 else 0.0)
    else:
        place = np.maximum((k + 0.5) * (n / out if out > 1 else 0.0) - 0.5, 0)
    left = np.minimum(place.astype(int), n - 1)
    matrix = np.zeros((out, n))
    matrix[k, left] = 1 - (place - left)
    matrix[k, np.minimum(left + 1, n - 1)] += place - left
    return matrix


def matrices(method: str, size: Size, out: Size, align_corners: bool) -> tuple[Any, Any]:
    """The two matrices of a resize by "average" or "bilinear" from `size` to `out`."""
    if method == "average":
        return average_matrix(size[0], out[0]), average_matrix(size[1], out[1])
    if method == "bilinear":
        return (
            bilinear_matrix(size[0], out[0], align_corners),
            bilinear_matrix(size[1], out[1], align_corners),
        )
    raise ValueError(f"method={method!r} is neither 'average' nor 'bilinear'")


def resize(x: Any, *, size: Size, method: str, align_corners: bool = True) -> Any:
    """Adaptive average pooling or bilinear interpolation to `size`."""
    _check(x, size)
    np.empty((*x.shape[:2], *size), x.dtype)  # fails immediately if the result is too large
    return linear_map(x, *matrices(method, x.shape[2:], size, align_corners))


def resize_grad(x: Any, *, size: Size, method: str, align_corners: bool = True) -> Any:
    """The transpose of `resize` of an image of `size`."""
    _check(x, size)
    rows, columns = matrices(method, size, x.shape[2:], align_corners)
    return linear_map(x, rows.T, columns.T)
