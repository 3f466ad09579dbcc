"""`np`: the cross product, and products of stacks of matrices with stacks of vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError
from ._explained import explained
from ._promote import alike
from ._public import as_array, into, whole
from .shape import moveaxis

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._array import ndarray


@explained
def cross(
    a: ArrayLike,
    b: ArrayLike,
    axisa: int = -1,
    axisb: int = -1,
    axisc: int = -1,
    axis: int | None = None,
) -> ndarray:
    """The cross product of vectors of 3 components, or 2.

    Parameters
    ----------
    a : array_like of shape (..., 2) or (..., 3), of a floating or an integer dtype
    b : array_like of shape (..., 2) or (..., 3), of a floating or an integer dtype
    axisa : int, default -1
        The axis of the components of `a`.
    axisb : int, default -1
        The axis of the components of `b`.
    axisc : int, default -1
        The axis of the components of the result.
    axis : int, optional
        Sets `axisa`, `axisb` and `axisc`.

    Returns
    -------
    ndarray of shape (..., 3), or (...) for vectors of length 2
        Of the dtype that the inputs promote to.

    Raises
    ------
    ArgumentError
        If vectors have neither 2 nor 3 components.

    Examples
    --------
    >>> from gluon import np
    >>> np.cross(np.array([1, 0, 0]), np.array([0, 1, 0]))
    array([0., 0., 1.])
    """
    if axis is not None:
        axisa = axisb = axisc = whole(axis, "axis")
    a, b = alike([a, b])
    a, b = moveaxis(a, axisa, -1), moveaxis(b, axisb, -1)
    lengths = a.shape[-1:], b.shape[-1:]
    if not set(lengths) <= {(2,), (3,)}:
        raise ArgumentError(f"vectors of shapes {a.shape} and {b.shape} need 2 or 3 components")
    parts = [[ops.getitem(x, key=(..., k)) for k in range(x.shape[-1])] for x in (a, b)]
    (a0, a1, *a2), (b0, b1, *b2) = parts
    last = a0 * b1 - a1 * b0
    if not a2 and not b2:
        return last
    first = (a1 * b2[0] if b2 else 0) - (a2[0] * b1 if a2 else 0)
    second = (a2[0] * b0 if a2 else 0) - (a0 * b2[0] if b2 else 0)
    return moveaxis(ops.stack(first, second, last, axis=last.ndim), -1, axisc)


@explained
def matvec(x1: ArrayLike, x2: ArrayLike, /, out: ndarray | None = None) -> ndarray:
    """The products of matrices and vectors; stacks broadcast.

    Parameters
    ----------
    x1 : array_like of shape (..., m, n), of any dtype
    x2 : array_like of shape (..., n), of any dtype

    Returns
    -------
    ndarray of shape (..., m), of the dtype that the inputs promote to

    Raises
    ------
    ArgumentError
        If the shapes do not fit.

    Examples
    --------
    >>> from gluon import np
    >>> np.matvec(np.array([[1, 2], [3, 4]]), np.array([1, 1]))
    array([3., 7.])
    """
    x1, x2 = alike([x1, x2])
    _check(x1, x2)
    return into(out, ops.squeeze(ops.matmul(x1, ops.expand_dims(x2, axis=x2.ndim)), axis=-1))


@explained
def vecmat(x1: ArrayLike, x2: ArrayLike, /, out: ndarray | None = None) -> ndarray:
    """The products of vectors and matrices; stacks broadcast.

    Parameters
    ----------
    x1 : array_like of shape (..., n), of any dtype
    x2 : array_like of shape (..., n, m), of any dtype

    Returns
    -------
    ndarray of shape (..., m), of the dtype that the inputs promote to

    Raises
    ------
    ArgumentError
        If the shapes do not fit.

    Examples
    --------
    >>> from gluon import np
    >>> np.vecmat(np.array([1, 1]), np.array([[1, 2], [3, 4]]))
    array([4., 6.])
    """
    x1, x2 = alike([x1, x2])
    _check(x2, x1)
    return into(out, ops.squeeze(ops.matmul(ops.expand_dims(x1, axis=x1.ndim - 1), x2), axis=-2))


def _check(matrices: ndarray, vectors: ndarray) -> None:
    if matrices.ndim < 2 or not vectors.ndim:
        raise ArgumentError(
            f"shapes {matrices.shape} and {vectors.shape} are not matrices and vectors"
        )


@explained
def einsum_path(*operands: str, optimize: str = "greedy", einsum_call: bool = False) -> Any:
    """The cheapest order of multiplication for `einsum`, and its cost.

    Parameters
    ----------
    *operands : str, then array_like of any dtype
        As for `einsum`: the subscripts, then the arrays.
    optimize : {'greedy', 'optimal'} or bool
        How to search for the order.
    einsum_call : bool
        Only False.

    Returns
    -------
    tuple of a list and a str

    Raises
    ------
    ArgumentError
        If the shapes do not fit.

    Examples
    --------
    >>> from gluon import np
    >>> np.einsum_path("ij,jk,kl->il", np.ones((2, 2)), np.ones((2, 5)), np.ones((5, 2)))[0]
    ['einsum_path', (1, 2), (0, 1)]
    """
    plain: Any = [one if isinstance(one, (str, list)) else as_array(one).raw for one in operands]
    return numpy.einsum_path(*plain, optimize=optimize)
