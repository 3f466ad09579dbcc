"""`nd`: products of matrices."""

from __future__ import annotations

from .._core.arrays.base import A
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError
from ._checks import check_choice
from ._public import public


@public
def dot(
    lhs: A,
    rhs: A,
    transpose_a: bool = False,
    transpose_b: bool = False,
    forward_stype: str | None = None,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """The sum of products over the last axis of `lhs` and the first of `rhs`.

    Parameters
    ----------
    lhs, rhs : NDArray
        Vectors, matrices, or arrays with more axes.
    transpose_a, transpose_b : bool, default False
        Sum over the first axis of `lhs`, or the last axis of `rhs`, instead.
    forward_stype : {None, 'default'}
        How the result is stored: always densely.

    Returns
    -------
    NDArray of the other axes of `lhs`, then of `rhs`; of shape (1,) for two vectors
        In the dtype that NumPy promotes theirs to.

    Raises
    ------
    ArgumentError
        If the axes to sum over differ in length, or two vectors are to be transposed.
    DTypeError
        If an argument is not an NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[1, 2], [3, 4]])
    >>> nd.dot(x, nd.array([10, 1])).asnumpy()
    array([12., 34.], dtype=float32)
    >>> nd.dot(x, x, transpose_b=True).asnumpy()
    array([[ 5., 11.],
           [11., 25.]], dtype=float32)
    """
    if forward_stype is not None:
        check_choice("dot", "forward_stype", forward_stype, (None, "default"))
    if transpose_a or transpose_b:
        return ops.dot(lhs, rhs, transpose_a=bool(transpose_a), transpose_b=bool(transpose_b))
    return ops.dot(lhs, rhs)


@public
def batch_dot(
    lhs: A,
    rhs: A,
    transpose_a: bool = False,
    transpose_b: bool = False,
    forward_stype: str | None = None,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """The products of two stacks of matrices.

    Parameters
    ----------
    lhs : NDArray of shape (..., n, k), or (..., k, n) for ``transpose_a=True``
    rhs : NDArray of shape (..., k, m), or (..., m, k) for ``transpose_b=True``
    transpose_a, transpose_b : bool, default False
    forward_stype : {None, 'default'}
        How the result is stored: always densely.

    Returns
    -------
    NDArray of shape (..., n, m)
        In the dtype that NumPy promotes theirs to.

    Raises
    ------
    ArgumentError
        If the leading axes differ, there are none, or the matrices do not multiply.
    DTypeError
        If an argument is not an NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> x, y = nd.array([[[1, 2]], [[3, 4]]]), nd.array([[[10], [1]], [[10], [1]]])
    >>> nd.batch_dot(x, y).asnumpy()
    array([[[12.]],
    <BLANKLINE>
           [[34.]]], dtype=float32)
    """
    check_choice("batch_dot", "forward_stype", forward_stype, (None, "default"))
    return ops.batch_dot(lhs, rhs, transpose_a=bool(transpose_a), transpose_b=bool(transpose_b))


@public
def khatri_rao(
    *args: A, num_args: int | None = None, out: A | None = None, name: str | None = None
) -> A:
    """Khatri-Rao product: the Kronecker product of each column of the matrices.

    Parameters
    ----------
    *args : NDArray of shape (rows, columns)
        One or more, all with the same number of columns.

    Returns
    -------
    NDArray of shape (product of the rows, columns)
        In the dtype that NumPy promotes theirs to.

    Raises
    ------
    ArgumentError
        If there is no array, an array is not a matrix, or their numbers of columns differ.
    DTypeError
        If an argument is not an NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.khatri_rao(nd.array([[1, 2], [3, 4]]), nd.array([[1, 10], [1, 100]])).asnumpy()
    array([[  1.,  20.],
           [  1., 200.],
           [  3.,  40.],
           [  3., 400.]], dtype=float32)
    """
    shapes = [matrix.shape for matrix in args]
    if {len(shape) for shape in shapes} != {2} or len({columns for _, columns in shapes}) > 1:
        raise ArgumentError(
            f"khatri_rao: shapes {shapes}; give one or more matrices with as many columns"
        )
    total, *rest = args
    for matrix in rest:
        rows = total.shape[0] * matrix.shape[0]
        product = ops.multiply(ops.expand_dims(total, axis=1), matrix)
        total = ops.reshape(product, shape=(rows, matrix.shape[1]))
    return total if rest else ops.copy(total)
