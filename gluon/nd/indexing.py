"""`nd`: functions that pick and place values by index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..engine.errors import ArgumentError
from ..engine.op import RECORDED as F
from ..ndarray import NDArray
from ..ndarray.dtypes import as_dtype
from ._public import at_least_1d, choice, public


def _shape(shape: int | Sequence[int]) -> tuple[int, ...]:
    return (shape,) if isinstance(shape, int) else tuple(shape)


@public
def take(a: NDArray, indices: NDArray, axis: int = 0, mode: str = "clip") -> NDArray:
    """Slices of `a` by their index along `axis`.

    Parameters
    ----------
    a : NDArray
    indices : NDArray of any dtype
        Fractions are dropped.
    axis : int, default 0
    mode : {'clip', 'wrap', 'raise'}
        What an index outside the axis becomes: the nearest one, the one modulo the length, or
        an error.

    Returns
    -------
    NDArray of the shape of `a` with that of `indices` in place of `axis`
    """
    choice("take", "mode", mode, ("clip", "wrap", "raise"))
    return F.take(a, indices, axis=axis, mode=mode)


@public
def batch_take(a: NDArray, indices: NDArray) -> NDArray:
    """One element of each row of `a`; see `pick`."""
    return F.pick(a, indices, axis=1, mode="clip")


@public
def pick(
    data: NDArray, index: NDArray, axis: int = -1, keepdims: bool = False, mode: str = "clip"
) -> NDArray:
    """One element of each line along `axis`.

    Parameters
    ----------
    data : NDArray
    index : NDArray of the shape of `data` without `axis`, or with length 1 there
    axis : int, default -1
    keepdims : bool, default False
        Keep `axis`, with length 1.
    mode : {'clip', 'wrap'}
        What an index outside the axis becomes.

    Returns
    -------
    NDArray
    """
    choice("pick", "mode", mode, ("clip", "wrap"))
    if axis is None:
        raise ArgumentError("pick: axis=None is not available; give an axis, or flatten the data")
    return at_least_1d(F.pick(data, index, axis=axis, keepdims=bool(keepdims), mode=mode))


choose_element_0index = pick


@public
def one_hot(
    indices: NDArray,
    depth: int,
    on_value: float = 1.0,
    off_value: float = 0.0,
    dtype: Any = "float32",
) -> NDArray:
    """A new last axis, with `on_value` at each index and `off_value` elsewhere.

    Parameters
    ----------
    indices : NDArray
        One outside the axis gives `off_value` everywhere.
    depth : int
        The length of the new axis.
    on_value, off_value : float
    dtype : str, default 'float32'

    Returns
    -------
    NDArray of shape (*indices.shape, depth)
    """
    dtype = as_dtype(dtype)
    return F.one_hot(indices, depth=depth, on_value=on_value, off_value=off_value, dtype=dtype)


@public
def gather_nd(data: NDArray, indices: NDArray) -> NDArray:
    """``data[indices[0], indices[1], ...]``.

    Parameters
    ----------
    data : NDArray
    indices : NDArray of shape (m, ...)
        One row for each of the first m axes of `data`; negative indices count from the end.

    Returns
    -------
    NDArray of shape indices.shape[1:] + data.shape[m:]

    Raises
    ------
    IndexRangeError
        If an index lies outside the data.
    """
    return at_least_1d(F.gather_nd(data, indices))


@public
def scatter_nd(data: NDArray, indices: NDArray, shape: Sequence[int]) -> NDArray:
    """Zeros with `data` at ``[indices[0], indices[1], ...]``; of several values the last.

    Parameters
    ----------
    data : NDArray of shape indices.shape[1:] + shape[m:]
    indices : NDArray of shape (m, ...)
    shape : tuple of int
        Of the result.

    Returns
    -------
    NDArray

    Raises
    ------
    IndexRangeError
        If an index lies outside the shape.
    """
    return F.scatter_nd(data, indices, shape=_shape(shape))


@public
def diag(data: NDArray, k: int = 0, axis1: int = 0, axis2: int = 1) -> NDArray:
    """The `k`-th diagonal of two axes, or the matrix that has a vector as that diagonal.

    Parameters
    ----------
    data : NDArray
    k : int, default 0
        Above the main diagonal for k > 0.
    axis1, axis2 : int
        The two axes, of arrays with two axes or more.

    Returns
    -------
    NDArray
        With the diagonal as the last axis, or of shape (n, n) for a vector.
    """
    if data.ndim == 1:
        n = data.shape[0] + abs(k)
        return F.place_diagonal(data, shape=(n, n), k=k)
    return F.diagonal(data, k=k, axis1=axis1, axis2=axis2)


@public
def ravel_multi_index(data: NDArray, shape: Sequence[int]) -> NDArray:
    """Flat indices into an array of `shape`.

    Parameters
    ----------
    data : NDArray of shape (len(shape), ...)
        One row for each axis.
    shape : tuple of int

    Returns
    -------
    NDArray of shape data.shape[1:]
    """
    return at_least_1d(F.ravel_multi_index(data, shape=_shape(shape)))


@public
def unravel_index(data: NDArray, shape: Sequence[int]) -> NDArray:
    """The index of each axis that flat indices into an array of `shape` stand for.

    Parameters
    ----------
    data : NDArray
    shape : tuple of int

    Returns
    -------
    NDArray of shape (len(shape), *data.shape)
    """
    return F.unravel_index(data, shape=_shape(shape))


@public
def histogram(
    a: NDArray, bins: int | NDArray = 10, range: tuple[float, float] | None = None
) -> list[NDArray]:
    """How many values lie in each bin, and the edges of the bins.

    Parameters
    ----------
    a : NDArray
    bins : int or NDArray
        The number of equal bins, or their edges.
    range : tuple of float, optional
        The outer edges; the least and the largest value by default.

    Returns
    -------
    list of two NDArrays, of shapes (n,) and (n + 1,)
    """
    edges = bins._raw if isinstance(bins, NDArray) else bins
    found = F.histogram(a, bins=edges, range=range)
    if range is None and edges is bins:
        found = [F.cast(part, dtype=np.float32) for part in found]  # as MXNet has it
    return found


# -------------------------------------------------------------------------- depth and space


def _blocks(name: str, data: NDArray, block_size: int, divides: bool) -> None:
    if data.ndim != 4 or block_size < 1 or not divides:
        raise ArgumentError(
            f"{name}: block_size={block_size} for shape {data.shape}; the data is (batch, channels,"
            " height, width), and the axes that shrink are multiples of the block"
        )


@public
def depth_to_space(data: NDArray, block_size: int) -> NDArray:
    """Channels moved into blocks of pixels.

    Parameters
    ----------
    data : NDArray of shape (batch, channels * block_size**2, height, width)
    block_size : int

    Returns
    -------
    NDArray of shape (batch, channels, height * block_size, width * block_size)
    """
    b = block_size
    _blocks("depth_to_space", data, b, data.ndim == 4 and data.shape[1] % (b * b or 1) == 0)
    n, c, h, w = data.shape
    blocks = F.reshape(data, shape=(n, b, b, c // (b * b), h, w))
    moved = F.transpose(blocks, axes=(0, 3, 4, 1, 5, 2))
    return F.reshape(moved, shape=(n, c // (b * b), h * b, w * b))


@public
def space_to_depth(data: NDArray, block_size: int) -> NDArray:
    """Blocks of pixels moved into channels; undoes `depth_to_space`.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, height * block_size, width * block_size)
    block_size : int

    Returns
    -------
    NDArray of shape (batch, channels * block_size**2, height, width)
    """
    b = block_size
    _blocks("space_to_depth", data, b, not any(n % (b or 1) for n in data.shape[2:]))
    n, c, h, w = data.shape
    blocks = F.reshape(data, shape=(n, c, h // b, b, w // b, b))
    moved = F.transpose(blocks, axes=(0, 3, 5, 1, 2, 4))
    return F.reshape(moved, shape=(n, c * b * b, h // b, w // b))
