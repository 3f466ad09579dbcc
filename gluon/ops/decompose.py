"""Operators that decompose, invert and solve stacks of square matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.errors import ArgumentError
from ..engine.op import define
from ..kernels import decompose as kernels


def _swap(F: Any, x: Any) -> Any:
    return F.transpose(x, axes=[*range(x.ndim - 2), x.ndim - 1, x.ndim - 2])


def _spread(F: Any, x: Any, axes: int) -> Any:
    """`x` with that many new last axes."""
    return F.reshape(x, shape=(*x.shape, *(1,) * axes))


tril = define(
    "tril", kernels.tril, "The values up to the k-th diagonal", x=lambda F, g, k: F.tril(g, k=k)
)
triu = define(
    "triu", kernels.triu, "The values from the k-th diagonal on", x=lambda F, g, k: F.triu(g, k=k)
)


def _cholesky(F: Any, g: Any, y: Any) -> Any:
    """Symmetric: half of L^-T (phi + phi') L^-1, phi the lower half of L'g."""
    product = F.matmul(_swap(F, y), F.tril(g))
    phi = F.tril(product, k=-1) + F.tril(product)
    both = (phi + _swap(F, phi)) * 0.25
    upper = _swap(F, y)
    half = F.solve_triangular(upper, both, lower=False)
    return _swap(F, F.solve_triangular(upper, _swap(F, half), lower=False))


cholesky = define("cholesky", kernels.cholesky, "The lower factor L of x = L L'", x=_cholesky)


def _solve_b(F: Any, g: Any, a: Any, lower: bool) -> Any:
    return F.solve_triangular(_swap(F, a), g, lower=not lower)


def _solve_a(F: Any, g: Any, y: Any, a: Any, lower: bool) -> Any:
    grad = F.matmul(-_solve_b(F, g, a, lower), _swap(F, y))
    return F.tril(grad) if lower else F.triu(grad)


solve_triangular = define(
    "solve_triangular",
    kernels.solve_triangular,
    "X where a X = b, a lower or upper triangular",
    a=_solve_a,
    b=_solve_b,
)


def _inverse(F: Any, g: Any, y: Any) -> Any:
    turned = _swap(F, y)
    return -F.matmul(F.matmul(turned, g), turned)


inverse = define("inverse", kernels.inverse, "The inverse", x=_inverse)


def _cofactors(F: Any, g: Any, x: Any) -> Any:
    """The cofactors of each matrix that lacks row i and column j, where these stood."""
    n = x.shape[-1]
    rest = np.array([[k for k in range(n) if k != i] for i in range(n)], int)
    rest = rest.reshape(n, max(n - 1, 0))
    key = (..., rest[:, None, :, None], rest[None, :, None, :])
    is_odd = np.add.outer(range(n), range(n)) % 2 == 1
    signed = _spread(F, F.where(is_odd, -g, g), 2)
    return F.scatter_add(signed * F.cofactors(F.getitem(x, key=key)), key=key, shape=x.shape)


cofactors = define("cofactors", kernels.cofactors, "det(x) x^-T, for singular x too", x=_cofactors)


def _det(F: Any, g: Any, x: Any, y: Any) -> Any:
    """g times the cofactors; the inverse gives them faster where there is one."""
    if F.min(F.abs(y)) > 0:
        return _spread(F, g * y, 2) * _swap(F, F.inverse(x))
    return _spread(F, g, 2) * F.cofactors(x)


det = define("det", kernels.det, "The determinant", x=_det)


def _slogdet(F: Any, g: Any, x: Any, y: Any) -> Any:
    if g[1] is None:
        return None
    if F.min(F.abs(y[0])) == 0:
        raise ArgumentError(
            "slogdet: the matrix is singular, and the gradient there infinite; differentiate det,"
            " or add a small multiple of the identity"
        )
    return _spread(F, g[1], 2) * _swap(F, F.inverse(x))


slogdet = define(
    "slogdet",
    kernels.slogdet,
    "The sign of the determinant and the logarithm of its absolute value",
    many=True,
    x=_slogdet,
)


def _lq(F: Any, g: Any, y: Any) -> Any:
    """L^-T (gQ + S Q), S the symmetric matrix with the lower half of L'gL - gQ Q'."""
    (g_q, g_l), (q, lower) = g, y
    product = 0.0
    if g_l is not None:
        product = F.matmul(_swap(F, lower), F.tril(g_l))
    if g_q is not None:
        product = product - F.matmul(g_q, _swap(F, q))
    total = F.matmul(F.tril(product) + _swap(F, F.tril(product, k=-1)), q)
    if g_q is not None:
        total = g_q + total
    return F.solve_triangular(_swap(F, lower), total, lower=False)


lq = define(
    "lq", kernels.lq, "(Q, L): x = L Q, L lower triangular, Q orthonormal", many=True, x=_lq
)


def _eigh(F: Any, g: Any, y: Any) -> Any:
    """U' (diag(gw) + symmetric part of (U gU') over the gaps of w) U."""
    (g_u, g_w), (u, w) = g, y
    inner = 0.0
    if g_u is not None:
        product = F.matmul(u, _swap(F, g_u)) * F.inverse_gaps(w)
        inner = (product + _swap(F, product)) * 0.5
    if g_w is not None:
        inner = F.place_diagonal(g_w, shape=u.shape, axis1=-2, axis2=-1) + inner
    return F.matmul(F.matmul(_swap(F, u), inner), u)


eigh = define("eigh", kernels.eigh, "(U, w): x = U' diag(w) U for symmetric x", many=True, x=_eigh)
inverse_gaps = define(
    "inverse_gaps",
    kernels.inverse_gaps,
    "1 / (w[j] - w[i]) at [i, j], 0 on the diagonal",
    w=lambda F, g, y: F.sum(g * y * y, axis=-1) - F.sum(g * y * y, axis=-2),
)
