"""Functions of `nd.sparse` that dense arrays do not have."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._core.arrays import storage
from ..._core.arrays.base import A
from ..._core.engine.op import RECORDED as ops
from ..._core.ops import optimizer as steps
from ..._core.ops.sparse import takes_rows
from .. import elementwise, reduce
from .._array import NDArray
from .._public import public
from .._update import update
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


@update(steps.adagrad)
def adagrad_update(
    weight: A,
    grad: A,
    history: A,
    lr: float,
    epsilon: float = 1e-7,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Gradient descent, divided by the root of the sum of the squares of all gradients.

    Rows that a row_sparse gradient does not store stay as they are.

    Examples
    --------
    >>> from gluon import nd
    >>> weight, history = nd.ones((3, 1)), nd.zeros((3, 1))
    >>> grad = nd.sparse.row_sparse_array(([[2]], [1]), shape=(3, 1))
    >>> new = nd.sparse.adagrad_update(weight, grad, history, lr=0.5, out=weight)
    >>> new.asnumpy().ravel().round(4).tolist()
    [1.0, 0.5, 1.0]
    """
    raise NotImplementedError


@public
def square_sum(
    data: A,
    axis: Any = None,
    keepdims: bool = False,
    exclude: bool = False,
    out: Any = None,
    name: str | None = None,
) -> Any:
    """The sum of squares, of each row of a row_sparse matrix as a row_sparse column."""
    by_rows = takes_rows(data)
    plain = axis in (1, (1,), [1]) and keepdims and not exclude and data.ndim == 2
    if plain and (by_rows or data.stype == "row_sparse"):
        return ops.row_squares(data, by_rows=by_rows)
    return reduce.sum(elementwise.square(data), axis, keepdims, exclude)


def scatter_plus(data: Any, number: float) -> Any:
    """`data` plus a number; of a sparse array, of the stored values only."""
    return data + number * _stored(data)


def scatter_minus(data: Any, number: float) -> Any:
    """`data` minus a number; of a sparse array, of the stored values only."""
    return data - number * _stored(data)


def scatter_quotient(lhs: Any, rhs: Any) -> Any:
    """``lhs / rhs``; of a row_sparse `lhs`, in the stored rows only."""
    if lhs.stype != "row_sparse":
        return lhs / rhs
    quotient = lhs.tostype("default") / rhs.tostype("default")
    return retained("scatter_quotient", quotient.tostype("row_sparse"), lhs.indices)


def _stored(x: Any) -> Any:
    """One where a value is stored."""
    if x.stype == "default":
        return 1
    return storage.seat(x.held.with_data(np.ones_like(x.held.data)), x._ctx)
