"""`nd`: products of matrices."""

from __future__ import annotations

from ..engine.op import RECORDED as F
from ..ndarray import NDArray
from ._public import choice, public


@public
def dot(
    lhs: NDArray,
    rhs: NDArray,
    transpose_a: bool = False,
    transpose_b: bool = False,
    forward_stype: str | None = None,
) -> NDArray:
    """The sum of products over the last axis of `lhs` and the first of `rhs`.

    Parameters
    ----------
    lhs, rhs : NDArray
        Vectors, matrices, or arrays with more axes.
    transpose_a, transpose_b : bool, default False
        Sum over the first axis of `lhs`, over the last of `rhs`.
    forward_stype : {None, 'default'}

    Returns
    -------
    NDArray of the other axes of `lhs`, then of `rhs`; of shape (1,) for two vectors
    """
    if forward_stype is not None:
        choice("dot", "forward_stype", forward_stype, (None, "default"))
    if transpose_a or transpose_b:
        return F.dot(lhs, rhs, transpose_a=bool(transpose_a), transpose_b=bool(transpose_b))
    return F.dot(lhs, rhs)


@public
def batch_dot(
    lhs: NDArray,
    rhs: NDArray,
    transpose_a: bool = False,
    transpose_b: bool = False,
    forward_stype: str | None = None,
) -> NDArray:
    """The products of two stacks of matrices.

    Parameters
    ----------
    lhs : NDArray of shape (..., n, k), or (..., k, n) for ``transpose_a=True``
    rhs : NDArray of shape (..., k, m), or (..., m, k) for ``transpose_b=True``
    transpose_a, transpose_b : bool, default False
    forward_stype : {None, 'default'}

    Returns
    -------
    NDArray of shape (..., n, m)
    """
    choice("batch_dot", "forward_stype", forward_stype, (None, "default"))
    return F.batch_dot(lhs, rhs, transpose_a=bool(transpose_a), transpose_b=bool(transpose_b))


@public
def khatri_rao(*args: NDArray) -> NDArray:
    """The Kronecker product of each column of the first matrix with that of the second, and on.

    Parameters
    ----------
    *args : NDArray of shape (rows, columns)
        All with as many columns.

    Returns
    -------
    NDArray of shape (product of the rows, columns)
    """
    total, *rest = args
    for matrix in rest:
        left = F.expand_dims(total, axis=1)
        total = F.reshape(F.multiply(left, matrix), shape=(-1, matrix.shape[-1]))
    return total
