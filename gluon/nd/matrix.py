"""`nd`: products of matrices."""

from __future__ import annotations

from typing import Any

from .._core.arrays import storage
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
    forward_stype : {'default', 'csr', 'row_sparse'}, optional
        The storage type of the result. By default, the product of a transposed csr matrix is
        row_sparse, the product of a dense matrix and a csr matrix is csr, and any other product
        is dense.

    Returns
    -------
    NDArray of the other axes of `lhs`, then of `rhs`; of shape (1,) for two vectors
        In the dtype that NumPy promotes theirs to.

    Raises
    ------
    ArgumentError
        If the axes to sum over differ in length, `transpose_a` or `transpose_b` is True for two
        vectors, or a sparse array is multiplied by an array that is not a matrix.
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
    is_sparse = getattr(lhs, "_is_sparse", False) or getattr(rhs, "_is_sparse", False)
    if forward_stype is not None or is_sparse:
        return _stored_dot(lhs, rhs, bool(transpose_a), bool(transpose_b), forward_stype)
    if transpose_a or transpose_b:
        return ops.dot(lhs, rhs, transpose_a=bool(transpose_a), transpose_b=bool(transpose_b))
    return ops.dot(lhs, rhs)


def _stored_dot(
    lhs: Any, rhs: Any, transpose_a: bool, transpose_b: bool, forward_stype: str | None
) -> Any:
    """Return a product of sparse arrays, or one that is to be stored as such."""
    if forward_stype is not None:
        check_choice("dot", "forward_stype", forward_stype, storage.STYPES)
    for name, x in (("lhs", lhs), ("rhs", rhs)):
        if x._is_sparse and (lhs.ndim != 2 or rhs.ndim != 2):
            raise ArgumentError(
                f"dot: {name} is stored as {x.stype}, so both must be matrices, but the shapes are"
                f" {lhs.shape} and {rhs.shape}; use reshape((-1, 1)) of a vector, or"
                " tostype('default')"
            )
    wanted = forward_stype or _storage_of_dot(lhs.stype, rhs.stype, transpose_a)
    by_rows = wanted == "row_sparse" and lhs.stype == "csr" and transpose_a
    found = storage.dot(lhs, rhs, transpose_a, transpose_b, gives_rows=by_rows)
    if found is None:
        found = ops.dot(lhs, rhs, transpose_a=transpose_a, transpose_b=transpose_b)
    return found if found.stype == wanted else storage.cast(found, wanted)


def _storage_of_dot(left: str, right: str, transposed: bool) -> str:
    if left == "csr" and transposed and right != "csr":
        return "row_sparse"
    return "csr" if (left, right) == ("default", "csr") and not transposed else "default"


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
