"""`np.linalg`: norms and condition numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy

from ..._core.arrays.history import constants
from ..._core.engine.op import RECORDED as ops
from ..._core.errors import ArgumentError, GluonError
from .. import reduce
from .._array import ndarray
from .._explained import explained
from .._public import as_array, as_axis, cast
from .solvers import floating, inv

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


inf: Final = numpy.inf


def _largest(x: ndarray, *, axis: Any, keepdims: bool) -> ndarray:
    """Return the maximum of nonnegative values; 0 if there are none."""
    if x.size:
        return ops.max(x, axis=axis, keepdims=keepdims)
    return reduce.max(x, axis, None, keepdims, 0)


#: Orders that MXNet accepts as strings: of matrices if two axes are given, otherwise of vectors.
NAMED = {"inf": inf, "-inf": -inf}


def _of_vectors(x: ndarray, order: Any, axis: Any, keepdims: bool) -> ndarray:
    constants(ord=order)
    if order is None or order == 2:
        return ops.norm(x, ord=2, axis=axis, keepdims=keepdims)
    if isinstance(order, str):
        raise ArgumentError(f"ord={order!r} is a norm of matrices; give two axes")
    if order == 0:
        counted = reduce.count_nonzero(x, axis, keepdims=keepdims)
        return cast(counted, x.dtype)
    size = ops.abs(x)
    if order in (inf, -inf):
        op = _largest if order > 0 else ops.min
        return op(size, axis=axis, keepdims=keepdims)
    if order == 1:
        return ops.sum(size, axis=axis, keepdims=keepdims)
    total = ops.sum(ops.power(reduce.single(size), float(order)), axis=axis, keepdims=keepdims)
    return cast(ops.power(total, 1 / order), x.dtype)


def _of_matrices(x: ndarray, order: Any, axes: tuple[int, ...], keepdims: bool) -> ndarray:
    rows, columns = [k % x.ndim for k in axes]
    if rows == columns:
        raise ArgumentError(f"axis={axes} names an axis twice")
    constants(ord=order)
    if order in (None, "fro", "f"):
        return ops.norm(x, ord=2, axis=(rows, columns), keepdims=keepdims)
    if order in (1, -1, inf, -inf):
        along, across = (rows, columns) if abs(order) == 1 else (columns, rows)
        sums = ops.sum(ops.abs(x), axis=along, keepdims=True)
        found = (_largest if order > 0 else ops.min)(sums, axis=across, keepdims=True)
    elif order in ("nuc", 2, -2):
        rest = [k for k in range(x.ndim) if k not in (rows, columns)]
        values = ops.svd(ops.transpose(x, axes=[*rest, rows, columns]))[1]
        op = {"nuc": ops.sum, 2: _largest, -2: ops.min}[order]
        found = op(values, axis=-1, keepdims=False)
        for k in sorted((rows, columns)):
            found = ops.expand_dims(found, axis=k)
    else:
        raise ArgumentError(
            f"ord={order!r} is not a norm of matrices; give 'fro', 'nuc', 1, -1, 2, -2, inf or -inf"
        )
    return found if keepdims else ops.squeeze(found, axis=(rows, columns))


@explained
def norm(
    x: ArrayLike, ord: Any = None, axis: int | Sequence[int] | None = None, keepdims: bool = False
) -> ndarray:
    """The norm of vectors or matrices; at 0 its gradient is 0.

    Parameters
    ----------
    ord : number or str, optional
        As for `vector_norm` or `matrix_norm`; 2 or 'fro' by default. 'inf' and '-inf' are text for
        the numbers; without `axis`, they are the largest and the smallest absolute value.
    axis : int or tuple of int, optional
        One axis of vectors, or two of matrices; all by default.

    Returns
    -------
    ndarray of the shape without the axes of the norm, floating

    Raises
    ------
    ArgumentError
        If the norm is unknown, or the axes do not fit.

    Examples
    --------
    >>> from gluon import np
    >>> np.linalg.norm(np.array([3, 4]))
    array(5.)
    """
    x, keepdims = floating(x), bool(keepdims)
    ndim = x.ndim
    axes = as_axis(axis)
    axes = (axes,) if isinstance(axes, int) else axes
    if axes is None:
        if ord is None:
            return ops.norm(x, ord=2, axis=None, keepdims=keepdims)
        axes = tuple(range(ndim))
    if isinstance(ord, str) and ord in NAMED:
        ord = NAMED[ord]
        if axis is None or len(axes) != 2:
            return _of_vectors(x, ord, axes, keepdims)
    if any(not -ndim <= k < ndim for k in axes):
        raise IndexError(f"axis={axis} is out of range for shape {x.shape}")
    if len(axes) == 1:
        return _of_vectors(x, 2 if ord == "fro" else ord, axes[0], keepdims)
    if len(axes) == 2:
        return _of_matrices(x, ord, axes, keepdims)
    raise ArgumentError(f"axis={axis} of shape {x.shape}: a norm takes one axis or two")


@explained
def vector_norm(
    x: ArrayLike, *, axis: int | Sequence[int] | None = None, keepdims: bool = False, ord: Any = 2
) -> ndarray:
    """The norm of vectors, over one or more axes.

    Parameters
    ----------
    axis : int or tuple of int, optional
        All axes by default, as one vector.
    ord : number, or inf or -inf
        The power of the absolute values; 0 counts the nonzero values.

    Returns
    -------
    ndarray of the shape without the axes of the norm, floating

    Raises
    ------
    ArgumentError
        If the norm is unknown, or the axes do not fit.

    Examples
    --------
    >>> from gluon import np
    >>> np.linalg.vector_norm(np.array([[3, 4], [6, 8]]), axis=1)
    array([ 5., 10.])
    """
    return _of_vectors(floating(x), ord, as_axis(axis), bool(keepdims))


@explained
def matrix_norm(x: ArrayLike, *, keepdims: bool = False, ord: str = "fro") -> ndarray:
    """The norm of matrices in the last two axes.

    Parameters
    ----------
    x : array_like of shape (..., m, n), of any dtype
    ord : {'fro', 'nuc', 1, -1, 2, -2, inf, -inf}
        The root of the sum of squares, the sum of the
        singular values, the largest or least sum of a column (1, -1) or row (inf, -inf), or
        singular value (2, -2).

    Returns
    -------
    ndarray of the other axes, floating

    Raises
    ------
    ArgumentError
        If the norm is unknown, or the axes do not fit.

    Examples
    --------
    >>> from gluon import np
    >>> np.linalg.matrix_norm(np.array([[1, 2], [2, 4]]))
    array(5.)
    """
    x = floating(x)
    if x.ndim < 2:
        raise ArgumentError(f"shape {x.shape} must have at least two axes")
    return _of_matrices(x, ord, (-2, -1), bool(keepdims))


@explained
def cond(x: ArrayLike, p: Any = None) -> ndarray:
    """The condition number of a matrix; infinite for singular matrices.

    Parameters
    ----------
    x : array_like of shape (..., m, n), of any dtype but float16
    p : number or str, optional
        The norm, as for `matrix_norm`; 2 by default.

    Returns
    -------
    ndarray of the other axes, floating

    Raises
    ------
    ArgumentError
        If the norm is unknown, or the axes do not fit.

    Examples
    --------
    >>> from gluon import np
    >>> np.linalg.cond(np.array([[1, 0], [0, 4]]))
    array(4.)
    """
    constants(p=p)
    x = floating(x)
    if not x.size or x.ndim < 2:
        raise ArgumentError(f"shape {x.shape} must have at least two axes, and values")
    if p in (None, 2, -2):
        values = ops.svd(x)[1]
        first, last = [
            ops.squeeze(ops.getitem(values, key=(..., slice(*k))), axis=-1)
            for k in ((1,), (-1, None))
        ]
        return last / first if p == -2 else first / last
    if x.shape[-1] != x.shape[-2]:
        raise ArgumentError(f"matrices of shape {x.shape} are not square; use p=2 or p=-2")
    try:
        inverse = inv(x)
    except GluonError:
        return as_array(numpy.linalg.cond(x.raw, p), x.dtype)
    return matrix_norm(x, ord=p) * matrix_norm(inverse, ord=p)
