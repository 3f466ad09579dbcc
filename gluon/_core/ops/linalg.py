"""Operators that multiply matrices: dot, batch_dot, matmul, fully_connected."""

from __future__ import annotations

from math import prod
from typing import Any, Final

from ..engine.op import define
from ..kernels import linalg as kernels


def _dot_a(F: Any, g: Any, a: Any, b: Any, transpose_a: bool, transpose_b: bool) -> Any:
    if a.ndim == b.ndim == 2:
        if transpose_a:
            return F.dot(b, g, transpose_a=transpose_b, transpose_b=True)
        return F.dot(g, b, transpose_b=not transpose_b)
    if a.ndim == b.ndim == 1:
        return g * b
    g2, a2, b2 = _matrices(F, g, a, b, transpose_a, transpose_b)
    return F.reshape(_dot_a(F, g2, a2, b2, transpose_a, transpose_b), shape=a.shape)


def _dot_b(F: Any, g: Any, a: Any, b: Any, transpose_a: bool, transpose_b: bool) -> Any:
    if a.ndim == b.ndim == 2:
        if transpose_b:
            return F.dot(g, a, transpose_a=True, transpose_b=transpose_a)
        return F.dot(a, g, transpose_a=not transpose_a)
    if a.ndim == b.ndim == 1:
        return g * a
    g2, a2, b2 = _matrices(F, g, a, b, transpose_a, transpose_b)
    return F.reshape(_dot_b(F, g2, a2, b2, transpose_a, transpose_b), shape=b.shape)


def _matrices(F: Any, g: Any, a: Any, b: Any, transpose_a: bool, transpose_b: bool) -> tuple:
    """Return the cotangent and both inputs of `dot` as matrices."""
    inner = a.shape[0] if transpose_a else a.shape[-1]
    n = prod(a.shape[1:] if transpose_a else a.shape[:-1])
    m = prod(b.shape[:-1] if transpose_b else b.shape[1:])
    return (
        F.reshape(g, shape=(n, m)),
        F.reshape(a, shape=(inner, n) if transpose_a else (n, inner)),
        F.reshape(b, shape=(m, inner) if transpose_b else (inner, m)),
    )


dot: Final = define(
    "dot",
    kernels.dot,
    "The sum over the last axis of a and the first of b; transposed: the first and the last",
    a=_dot_a,
    b=_dot_b,
)


def _batch_dot_a(F: Any, g: Any, b: Any, transpose_a: bool, transpose_b: bool) -> Any:
    if transpose_a:
        return F.batch_dot(b, g, transpose_a=transpose_b, transpose_b=True)
    return F.batch_dot(g, b, transpose_b=not transpose_b)


def _batch_dot_b(F: Any, g: Any, a: Any, transpose_a: bool, transpose_b: bool) -> Any:
    if transpose_b:
        return F.batch_dot(g, a, transpose_a=True, transpose_b=transpose_a)
    return F.batch_dot(a, g, transpose_a=not transpose_a)


batch_dot: Final = define(
    "batch_dot",
    kernels.batch_dot,
    "The matrix products of two stacks of matrices",
    a=_batch_dot_a,
    b=_batch_dot_b,
)


def transposed(F: Any, x: Any) -> Any:
    """The transposes of a stack of matrices."""
    return F.transpose(x, axes=[*range(x.ndim - 2), x.ndim - 1, x.ndim - 2])


def _matmul_matrices(F: Any, g: Any, a: Any, b: Any) -> tuple:
    """Return the cotangent and both inputs of `matmul`; vectors become rows (a) or columns (b)."""
    if b.ndim == 1:
        g, b = F.expand_dims(g, axis=g.ndim), F.expand_dims(b, axis=1)
    if a.ndim == 1:
        g, a = F.expand_dims(g, axis=g.ndim - 1), F.expand_dims(a, axis=0)
    return g, a, b


def _matmul_a(F: Any, g: Any, a: Any, b: Any) -> Any:
    vector = a.ndim == 1
    if b.ndim == 1:  # an outer product, or a number times a row
        return F.multiply(g if vector else F.expand_dims(g, axis=g.ndim), b)
    g, _, b = _matmul_matrices(F, g, a, b)
    grad = F.matmul(g, transposed(F, b))
    return F.reshape(grad, shape=(*grad.shape[:-2], grad.shape[-1])) if vector else grad


def _matmul_b(F: Any, g: Any, a: Any, b: Any) -> Any:
    vector = b.ndim == 1
    if vector and a.ndim == 1:
        return F.multiply(g, a)
    g, a, _ = _matmul_matrices(F, g, a, b)
    if b.ndim <= 2 < a.ndim:  # a single product for the whole stack, which shares b
        g, a = (F.reshape(x, shape=(prod(x.shape[:-1]), x.shape[-1])) for x in (g, a))
    grad = F.matmul(transposed(F, a), g)
    return F.reshape(grad, shape=grad.shape[:-1]) if vector else grad


matmul: Final = define(
    "matmul",
    kernels.matmul,
    "NumPy's a @ b; stacks of matrices broadcast",
    broadcasts=True,
    a=_matmul_a,
    b=_matmul_b,
)


def _fully_connected_weight(F: Any, g: Any, x: Any, weight_shape: Any) -> Any:
    units, features = weight_shape
    n = prod(g.shape[:-1])
    return F.dot(
        F.reshape(g, shape=(n, units)), F.reshape(x, shape=(n, features)), transpose_a=True
    )


fully_connected: Final = define(
    "fully_connected",
    kernels.fully_connected,
    "x @ weight.T + bias over the last axis of x; `flatten`: over all but the first",
    x=lambda F, g, x_shape, weight: F.reshape(F.dot(g, weight), shape=x_shape),
    weight=_fully_connected_weight,
    bias=lambda F, g: F.sum(g, axis=tuple(range(g.ndim - 1))) if g.ndim > 1 else g,
)
