"""Operators whose arguments or results are sparse."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..engine.mode import mode
from ..engine.node import Variable
from ..engine.op import define
from ..engine.pull import same
from ..kernels import sparse as kernels
from ..kernels.memory import Buffer, on_host

#: Raw cotangents, which nobody watches. Their rows are on the host, as all sparse values.
RAW = (np.ndarray, Buffer)

cast_storage: Final = define(
    "cast_storage", kernels.cast_storage, "The values in another storage type", x=same
)


def _retain_grad(F: Any, g: Any, indices: Any, x_shape: Any) -> Any:
    if type(g) is kernels.Rows:
        return kernels.retain(g, indices=indices)
    return F.scatter_add(F.getitem(g, key=indices), key=indices, shape=x_shape)


def _lookup_grad(F: Any, g: Any, indices: Any, x_shape: Any, by_rows: bool) -> Any:
    if by_rows and isinstance(g, RAW):
        return kernels.sum_by_row(on_host(g), on_host(indices), x_shape)
    return F.take_grad(g, indices, axis=0, mode="clip", size=x_shape[0])


retain: Final = define(
    "retain",
    kernels.retain,
    "The rows of a row_sparse array at the indices, and no others",
    x=_retain_grad,
)
lookup: Final = define(
    "lookup",
    kernels.lookup,
    "The rows at the indices; with `by_rows`, for an array that `takes_rows`, so is the gradient",
    x=_lookup_grad,
)


def _dense(F: Any, x: Any) -> Any:
    """An array or a raw value as a dense one."""
    is_sparse = kernels.is_sparse(getattr(x, "held", x))
    return F.cast_storage(x, stype="default") if is_sparse else x


def _csr_dot_a(F: Any, g: Any, b: Any, transpose_a: bool) -> Any:
    b = _dense(F, b)
    return F.dot(b, g, transpose_b=True) if transpose_a else F.dot(g, b, transpose_b=True)


def _csr_dot_b(F: Any, g: Any, a: Any, transpose_a: bool, by_rows: bool) -> Any:
    if by_rows and isinstance(g, RAW):
        return kernels.csr_dot_rows(a, on_host(g))
    return F.csr_dot(a, g, transpose_a=not transpose_a)


csr_dot: Final = define(
    "csr_dot",
    kernels.csr_dot,
    "The product of a csr matrix, transposed or not, and a dense or row_sparse one",
    a=_csr_dot_a,
    b=_csr_dot_b,
)


def _row_squares_grad(F: Any, g: Any, x: Any, by_rows: bool) -> Any:
    plain = by_rows and kernels.is_sparse(x) and isinstance(g, RAW)
    if plain or type(g) is kernels.Rows:
        return kernels.row_squares_grad(on_host(g), x)
    return F.multiply(F.multiply(g, 2), _dense(F, x))


row_squares: Final = define(
    "row_squares",
    kernels.row_squares,
    "The sum of the squares of each row of a matrix, as a column",
    x=_row_squares_grad,
)
#: Operators through which a cotangent may go as `Rows`.
THROUGH = ("retain", "cast_storage", "row_squares")


def takes_rows(x: Any) -> bool:
    """Whether a cotangent of `x` may be `Rows`: its way to a row_sparse gradient is plain."""
    node = x._node
    while node.edges and len(node.edges) == 1 and node.op.name in THROUGH:
        (node,) = node.edges
    return (
        type(node) is Variable
        and len(node.tapes) == 1
        and node.tapes[0].by_rows
        and mode().tapes == node.tapes
        and not node.edges
        and node.grad is not None
        and kernels.is_sparse(node.grad.held)
    )


def has_dense_gradient(x: Any) -> bool:
    """Whether `x` is a variable whose gradient is dense."""
    node = x._node
    if type(node) is not Variable:
        return False
    return node.grad is None or not kernels.is_sparse(node.grad.held)
