"""Functions of `nd.sparse` that dense arrays do not have."""

from __future__ import annotations

from typing import Any

from .._array import NDArray
from .._public import public
from ._array import retained


@public
def retain(data: NDArray, indices: NDArray, out: Any = None, name: str | None = None) -> Any:
    """Keep the rows of a row_sparse array at `indices`, and no others.

    Parameters
    ----------
    data : RowSparseNDArray of any shape and dtype
    indices : NDArray of shape (n,) and any dtype
        Row numbers, in any order. No gradient reaches them.

    Returns
    -------
    RowSparseNDArray of the same shape and dtype
        It stores all these rows, zeros where `data` has none, in ascending order.

    Raises
    ------
    ArgumentError
        If an index is out of range.
    DTypeError
        If `data` is not a row_sparse array.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.sparse.row_sparse_array([[1, 1], [2, 2], [3, 3]])
    >>> nd.sparse.retain(x, nd.array([0, 2])).asnumpy().tolist()
    [[1.0, 1.0], [0.0, 0.0], [3.0, 3.0]]
    """
    return retained("retain", data, indices)
