"""`nd`: functions that gather and scatter values by index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from .._core.arrays.base import A, DeviceArray
from .._core.arrays.dtypes import as_dtype
from .._core.engine.array import Array
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, DTypeError, a_type
from ._checks import check_choice, check_numeric, whole
from ._public import INTS, alias, at_least_1d, public, write


@public
def take(
    a: A,
    indices: A,
    axis: int = 0,
    mode: str = "clip",
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Take slices of `a` along `axis` by index.

    Parameters
    ----------
    a : NDArray of any shape and dtype
    indices : NDArray of any shape and dtype
        Fractions are dropped. No gradient reaches it.
    axis : int, default 0
        Negative axes count from the last.
    mode : {'clip', 'wrap', 'raise'}
        What to do with an index outside the axis: take the nearest index, so that negative ones
        become 0; take the index modulo the length; or raise an error.

    Returns
    -------
    NDArray of the shape of `a` with that of `indices` in place of `axis`, and its dtype
        The gradients of an index that appears several times add up.

    Raises
    ------
    ArgumentError
        If `mode` is not one of the three.
    IndexRangeError
        If `a` has no such axis, or an index lies outside it and `mode` is ``'raise'``.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[1, 2], [3, 4], [5, 6]])
    >>> nd.take(x, nd.array([2, 0, 9])).asnumpy().tolist()
    [[5.0, 6.0], [1.0, 2.0], [5.0, 6.0]]
    >>> nd.take(x, nd.array([-1]), axis=1, mode="wrap").asnumpy().tolist()
    [[2.0], [4.0], [6.0]]
    """
    check_choice("take", "mode", mode, ("clip", "wrap", "raise"))
    return ops.take(a, indices, axis=axis, mode=mode)


@public
def batch_take(a: A, indices: A, out: A | None = None, name: str | None = None) -> A:
    """Pick one element of each row of a matrix; `pick` takes any axis.

    Parameters
    ----------
    a : NDArray of shape (n, m) and any dtype
    indices : NDArray of shape (n,) and any dtype
        Those outside the row are clipped. No gradient reaches it.

    Returns
    -------
    NDArray of shape (n,) and the dtype of `a`

    Raises
    ------
    ArgumentError
        If there is not one index for each row.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[1, 2], [3, 4], [5, 6]])
    >>> nd.batch_take(x, nd.array([0, 1, 0])).asnumpy().tolist()
    [1.0, 4.0, 5.0]
    """
    return ops.pick(a, indices, axis=1, mode="clip")


@public
def pick(
    data: A,
    index: A,
    axis: int = -1,
    keepdims: bool = False,
    mode: str = "clip",
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Pick one element along `axis` by index.

    Parameters
    ----------
    data : NDArray of any shape and dtype
    index : NDArray of the shape of `data` without `axis`, or with length 1 there
        Of any dtype; fractions are dropped. No gradient reaches it.
    axis : int, default -1
    keepdims : bool, default False
        Keep `axis`, with length 1.
    mode : {'clip', 'wrap'}
        What to do with an index outside the axis: take the nearest one, or the index modulo the
        length.

    Returns
    -------
    NDArray of the shape of `data` without `axis`, or with length 1 there, and its dtype

    Raises
    ------
    ArgumentError
        If `index` has another shape, `mode` is neither of the two, or `axis` is None.
    IndexRangeError
        If the axis is out of range for `data`.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[1, 2, 3], [4, 5, 6]])
    >>> nd.pick(x, nd.array([2, 0])).asnumpy().tolist()
    [3.0, 4.0]
    >>> nd.pick(x, nd.array([0, 1, 0]), axis=0, keepdims=True).asnumpy().tolist()
    [[1.0, 5.0, 3.0]]
    """
    check_choice("pick", "mode", mode, ("clip", "wrap"))
    if axis is None:
        raise ArgumentError("pick: axis=None is not available; give an axis, or flatten the data")
    return at_least_1d(ops.pick(data, index, axis=axis, keepdims=bool(keepdims), mode=mode))


choose_element_0index: Final = alias("choose_element_0index", pick)


@public
def fill_element_0index(lhs: A, mhs: A, rhs: A, out: A | None = None, name: str | None = None) -> A:
    """Replace one element of each row of `lhs`.

    Parameters
    ----------
    lhs : NDArray of shape (n, m) and any dtype
    mhs : NDArray of shape (n,) and any dtype
        The new values.
    rhs : NDArray of shape (n,) and any dtype
        The index of the element in each row; an index outside the row replaces nothing. No
        gradient reaches it.

    Returns
    -------
    NDArray of shape (n, m)
        Has the dtype of `lhs` and `mhs`, promoted as in NumPy if they differ.

    Raises
    ------
    ArgumentError
        If `lhs` is not a matrix, or `mhs` or `rhs` does not have one value for each of its rows.
    DTypeError
        If an argument is not an NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.zeros((2, 3))
    >>> nd.fill_element_0index(x, nd.array([5, 7]), nd.array([0, 2])).asnumpy().tolist()
    [[5.0, 0.0, 0.0], [0.0, 0.0, 7.0]]
    """
    if lhs.ndim != 2 or not lhs.shape[:1] == mhs.shape == rhs.shape:
        raise ArgumentError(
            f"fill_element_0index: lhs, mhs and rhs have shapes {lhs.shape}, {mhs.shape} and"
            f" {rhs.shape}; lhs is a matrix, and the others have a value for each of its rows"
        )
    return ops.fill_places(lhs, mhs, rhs)


@public
def one_hot(
    indices: A,
    depth: int,
    on_value: float = 1.0,
    off_value: float = 0.0,
    dtype: Any = "float32",
    out: A | None = None,
    name: str | None = None,
) -> A:
    """One-hot encoding along a new last axis: `on_value` at each index, `off_value` elsewhere.

    Parameters
    ----------
    indices : NDArray of any shape and dtype
        Fractions are dropped. An index outside the axis yields `off_value` everywhere.
    depth : int
        The length of the new axis.
    on_value, off_value : float, default 1 and 0
    dtype : str, default 'float32'
        Of the result.

    Returns
    -------
    NDArray of shape (*indices.shape, depth) and dtype `dtype`
        It cannot be differentiated.

    Raises
    ------
    ArgumentError
        If `depth` is negative.
    DTypeError
        If `depth` is not an int, or arrays cannot have `dtype`.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.one_hot(nd.array([1, 0, 5]), depth=3).asnumpy().tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    dtype = as_dtype(dtype)
    return ops.one_hot(indices, depth=depth, on_value=on_value, off_value=off_value, dtype=dtype)


def onehot_encode(indices: A, out: A) -> A:
    """Write the one-hot encoding of `indices` into `out`.

    Parameters
    ----------
    indices : NDArray of shape (n,) and any dtype
        An index outside the row leaves a row of zeros.
    out : NDArray of shape (n, m) and any dtype

    Returns
    -------
    NDArray of shape (n, m)
        `out`.

    Raises
    ------
    ArgumentError
        If the shapes do not fit each other.
    DTypeError
        If `indices` or `out` is not an NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.onehot_encode(nd.array([0, 2]), out=nd.zeros((2, 3))).asnumpy().tolist()
    [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    if not isinstance(out, Array):
        raise DTypeError(f"onehot_encode: out is {a_type(out)}; it must be an NDArray")
    found = one_hot(indices, out.shape[-1], dtype=out.dtype)
    if found.shape != out.shape or found.ndim != 2:
        raise ArgumentError(
            f"onehot_encode: indices and out have shapes {indices.shape} and {out.shape}; they are"
            " a vector, and a matrix with a row for each of its values"
        )
    return write(out, found, "onehot_encode")


@public
def gather_nd(data: A, indices: A, out: A | None = None, name: str | None = None) -> A:
    """Gather values by index: ``data[indices[0], indices[1], ...]``.

    Parameters
    ----------
    data : NDArray of any shape and dtype
    indices : NDArray of shape (m, ...) and any dtype
        One row for each of the first m axes of `data`; negative indices count from the end, and
        fractions are dropped. No gradient reaches it.

    Returns
    -------
    NDArray of shape indices.shape[1:] + data.shape[m:], at least (1,), and the dtype of `data`
        The gradients of a value that is gathered several times add up.

    Raises
    ------
    ArgumentError
        If `indices` has more rows than `data` axes.
    IndexRangeError
        If an index lies outside the data.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[1, 2], [3, 4]])
    >>> nd.gather_nd(x, nd.array([[0, 1, 1], [1, 0, -1]])).asnumpy().tolist()
    [2.0, 3.0, 4.0]
    """
    return at_least_1d(ops.gather_nd(data, indices))


@public
def scatter_nd(
    data: A, indices: A, shape: Sequence[int], out: A | None = None, name: str | None = None
) -> A:
    """Write `data` into zeros at ``[indices[0], indices[1], ...]``; the last duplicate wins.

    Parameters
    ----------
    data : NDArray of shape indices.shape[1:] + shape[m:] and any dtype
    indices : NDArray of shape (m, ...) and any dtype
        One row for each of the first m axes; negative indices count from the end.
    shape : int or tuple of int
        Of the result.

    Returns
    -------
    NDArray of shape `shape` and the dtype of `data`
        The gradient of a replaced value is 0.

    Raises
    ------
    ArgumentError
        If `data` does not have that shape.
    IndexRangeError
        If an index lies outside the shape.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.scatter_nd(nd.array([5, 6]), nd.array([[0, 1], [2, 0]]), shape=(2, 3)).asnumpy().tolist()
    [[0.0, 0.0, 5.0], [6.0, 0.0, 0.0]]
    """
    return ops.scatter_nd(data, indices, shape=whole("scatter_nd", "shape", shape))


@public
def diag(
    data: A,
    k: int = 0,
    axis1: int = 0,
    axis2: int = 1,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Extract the `k`-th diagonal, or create a matrix with a vector on that diagonal.

    Parameters
    ----------
    data : NDArray of any shape and dtype
    k : int, default 0
        Above the main diagonal for k > 0, below it for k < 0.
    axis1, axis2 : int, default 0 and 1
        The two axes, of arrays with two axes or more.

    Returns
    -------
    NDArray of the same dtype
        Of shape (n + abs(k), n + abs(k)) for a vector of n values; else with the diagonal as the
        last axis, after the axes other than the two.

    Raises
    ------
    ArgumentError
        If the axes have no such diagonal, or are the same.
    IndexRangeError
        If the axis is out of range for `data`.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.diag(nd.array([[1, 2, 3], [4, 5, 6]]), k=1).asnumpy().tolist()
    [2.0, 6.0]
    >>> nd.diag(nd.array([1, 2])).asnumpy().tolist()
    [[1.0, 0.0], [0.0, 2.0]]
    """
    if data.ndim == 1:
        n = data.shape[0] + abs(k)
        return ops.place_diagonal(data, shape=(n, n), k=k)
    return ops.diagonal(data, k=k, axis1=axis1, axis2=axis2)


@public
def ravel_multi_index(
    data: A, shape: Sequence[int], out: A | None = None, name: str | None = None
) -> A:
    """Convert multi-dimensional indices to flat indices into an array of `shape`.

    Parameters
    ----------
    data : NDArray of shape (len(shape), ...) and any number type
        One row for each axis.
    shape : int or tuple of int
        The first length does not matter, and may be -1. Indices outside are not checked.

    Returns
    -------
    NDArray of shape data.shape[1:], at least (1,), and the same dtype
        ``data[0] * shape[1] * shape[2] * ... + data[1] * shape[2] * ... + ...``. It cannot be
        differentiated.

    Raises
    ------
    ArgumentError
        If `data` does not have one row for each axis.
    DTypeError
        If `data` is boolean.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.ravel_multi_index(nd.array([[0, 2], [3, 1]]), shape=(3, 4)).asnumpy().tolist()
    [3.0, 9.0]
    """
    check_numeric("ravel_multi_index", data)
    return at_least_1d(
        ops.ravel_multi_index(data, shape=whole("ravel_multi_index", "shape", shape))
    )


@public
def unravel_index(
    data: A, shape: Sequence[int], out: A | None = None, name: str | None = None
) -> A:
    """Convert flat indices into an array of `shape` to multi-dimensional indices.

    Parameters
    ----------
    data : NDArray of any shape and number type
    shape : int or tuple of int
        The first length does not matter, and may be -1. Indices outside are not checked.

    Returns
    -------
    NDArray of shape (len(shape), *data.shape) and the same dtype
        It cannot be differentiated.

    Raises
    ------
    DTypeError
        If `data` is not an NDArray, or boolean.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.unravel_index(nd.array([3, 9]), shape=(3, 4)).asnumpy().tolist()
    [[0.0, 2.0], [3.0, 1.0]]
    """
    check_numeric("unravel_index", data)
    return ops.unravel_index(data, shape=whole("unravel_index", "shape", shape))


@public
def histogram(
    a: A,
    bins: int | A = 10,
    range: tuple[float, float] | None = None,
    out: Sequence[A] | None = None,
    name: str | None = None,
) -> list[A]:
    """Count the values in each bin; returns the counts and the edges of the bins.

    Each bin includes its left edge, and the last one its right edge too. Values outside all bins,
    and NaN, are not counted.

    Parameters
    ----------
    a : NDArray of any shape and number type
    bins : int or NDArray of shape (number + 1,), default 10
        The number of equal bins, or their edges in increasing order.
    range : tuple of float, optional
        The outer edges of equal bins; by default the smallest and the largest value.

    Returns
    -------
    list of two NDArrays, of shapes (n,) and (n + 1,)
        The counts, int64, and the edges, in the dtype of `a`; both float32 where neither `range`
        nor the edges are given, as in MXNet. They cannot be differentiated.

    Raises
    ------
    ArgumentError
        If there is no bin, the edges do not increase, or the range is empty.
    DTypeError
        If `a` is boolean, `bins` is not an integer, or `range` is not two numbers.

    Examples
    --------
    >>> from gluon import nd
    >>> counts, edges = nd.histogram(nd.array([0, 1, 1, 2, 4]), bins=2, range=(0, 4))
    >>> counts.asnumpy().tolist(), edges.asnumpy().tolist()
    ([3, 2], [0.0, 2.0, 4.0])
    """
    check_numeric("histogram", a)
    if not isinstance(bins, (DeviceArray, *INTS)):
        raise DTypeError(f"histogram: bins={bins!r} must be an integer, or an NDArray of edges")
    if not (range is None or (np.shape(range) == (2,) and np.isreal(range).all())):
        raise DTypeError(f"histogram: range={range!r}; pass two numbers, the outer edges")
    edges = bins.raw if isinstance(bins, DeviceArray) else bins
    if range is None and edges is bins:  # as in MXNet
        found = ops.histogram(ops.cast(a, dtype=np.float64), bins=edges)
        return [ops.cast(part, dtype=np.float32) for part in found]
    return ops.histogram(a, bins=edges, range=range)


# -------------------------------------------------------------------------- depth and space


def _blocks(name: str, data: DeviceArray, block_size: int, divides: bool) -> None:
    if data.ndim != 4 or block_size < 1 or not divides:
        raise ArgumentError(
            f"{name}: block_size={block_size} for shape {data.shape}; the data is (batch, channels,"
            " height, width), and the axes that shrink are multiples of the block"
        )


@public
def depth_to_space(data: A, block_size: int, out: A | None = None, name: str | None = None) -> A:
    """Rearrange channels into blocks of pixels; the inverse of `space_to_depth`.

    Parameters
    ----------
    data : NDArray of shape (batch, channels * block_size**2, height, width) and any dtype
    block_size : int

    Returns
    -------
    NDArray of shape (batch, channels, height * block_size, width * block_size), of the same dtype

    Raises
    ------
    ArgumentError
        If `data` does not have four axes, or its channels are not a multiple of the block's pixels.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([1, 2, 3, 4]).reshape((1, 4, 1, 1))
    >>> nd.depth_to_space(x, block_size=2).asnumpy().tolist()
    [[[[1.0, 2.0], [3.0, 4.0]]]]
    """
    b = block_size
    _blocks("depth_to_space", data, b, data.ndim == 4 and data.shape[1] % (b * b or 1) == 0)
    n, c, h, w = data.shape
    blocks = ops.reshape(data, shape=(n, b, b, c // (b * b), h, w))
    moved = ops.transpose(blocks, axes=(0, 3, 4, 1, 5, 2))
    return ops.reshape(moved, shape=(n, c // (b * b), h * b, w * b))


@public
def space_to_depth(data: A, block_size: int, out: A | None = None, name: str | None = None) -> A:
    """Rearrange blocks of pixels into channels; the inverse of `depth_to_space`.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, height * block_size, width * block_size)
        Of any dtype.
    block_size : int

    Returns
    -------
    NDArray of shape (batch, channels * block_size**2, height, width) and the same dtype

    Raises
    ------
    ArgumentError
        If `data` does not have four axes, or its height or width is not a multiple of the block.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[[[1, 2], [3, 4]]]])
    >>> nd.space_to_depth(x, block_size=2).shape
    (1, 4, 1, 1)
    """
    b = block_size
    _blocks("space_to_depth", data, b, not any(n % (b or 1) for n in data.shape[2:]))
    n, c, h, w = data.shape
    blocks = ops.reshape(data, shape=(n, c, h // b, b, w // b, b))
    moved = ops.transpose(blocks, axes=(0, 3, 5, 1, 2, 4))
    return ops.reshape(moved, shape=(n, c * b * b, h // b, w // b))
