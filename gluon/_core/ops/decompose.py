"""Operators that decompose, invert and solve stacks of matrices."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..engine.op import define
from ..errors import ArgumentError
from ..kernels import decompose as kernels
from ..kernels.memory import beside
from ..kernels.reduce import surely
from .linalg import transposed


def _spread(F: Any, x: Any, axes: int) -> Any:
    """Append `axes` axes of length 1 to `x`."""
    return F.reshape(x, shape=(*x.shape, *(1,) * axes))


tril: Final = define(
    "tril", kernels.tril, "The values up to the k-th diagonal", x=lambda F, g, k: F.tril(g, k=k)
)
triu: Final = define(
    "triu", kernels.triu, "The values from the k-th diagonal on", x=lambda F, g, k: F.triu(g, k=k)
)


def _cholesky(F: Any, g: Any, y: Any) -> Any:
    """Symmetric: half of L^-T (phi + phi') L^-1, phi the lower half of L'g."""
    product = F.matmul(transposed(F, y), F.tril(g))
    phi = F.tril(product, k=-1) + F.tril(product)
    both = (phi + transposed(F, phi)) * 0.25
    upper = transposed(F, y)
    half = F.solve_triangular(upper, both, lower=False)
    return transposed(F, F.solve_triangular(upper, transposed(F, half), lower=False))


cholesky: Final = define(
    "cholesky", kernels.cholesky, "The lower factor L of x = L L'", x=_cholesky
)


def _solve_b(F: Any, g: Any, a: Any, lower: bool) -> Any:
    return F.solve_triangular(transposed(F, a), g, lower=not lower)


def _solve_a(F: Any, g: Any, y: Any, a: Any, lower: bool) -> Any:
    grad = F.matmul(-_solve_b(F, g, a, lower), transposed(F, y))
    return F.tril(grad) if lower else F.triu(grad)


def _general_a(F: Any, g: Any, y: Any, a: Any) -> Any:
    return -F.matmul(F.solve(transposed(F, a), g), transposed(F, y))


solve: Final = define(
    "solve",
    kernels.solve,
    "X where a X = b; stacks of matrices broadcast",
    broadcasts=True,
    a=_general_a,
    b=lambda F, g, a: F.solve(transposed(F, a), g),
)
solve_triangular: Final = define(
    "solve_triangular",
    kernels.solve_triangular,
    "X where a X = b, a lower or upper triangular",
    a=_solve_a,
    b=_solve_b,
)


def _inverse(F: Any, g: Any, y: Any) -> Any:
    turned = transposed(F, y)
    return -F.matmul(F.matmul(turned, g), turned)


inverse: Final = define("inverse", kernels.inverse, "The inverse", x=_inverse)


def _three(F: Any, a: Any, b: Any, c: Any) -> Any:
    """Return a b c, multiplied in the cheaper order."""
    (m, n), p, q = a.shape[-2:], c.shape[-2], c.shape[-1]
    if m * p * (n + q) <= n * q * (m + p):
        return F.matmul(F.matmul(a, b), c)
    return F.matmul(a, F.matmul(b, c))


def _pinv(F: Any, g: Any, x: Any, y: Any) -> Any:
    """-y'g y' + (1 - x y) g' y y' + y' y g' (1 - y x).

    See "The differentiation of pseudo-inverses", 1973.
    """
    turned, g_turned = transposed(F, y), transposed(F, g)
    left = _three(F, g_turned, y, turned)
    right = _three(F, turned, y, g_turned)
    left = left - _three(F, x, y, left)
    right = right - _three(F, right, y, x)
    return left + right - _three(F, turned, g, turned)


pinv: Final = define(
    "pinv", kernels.pinv, "The pseudo-inverse; its gradient is that at constant rank", x=_pinv
)


def minors(n: int) -> tuple[Any, Any]:
    """The key of all minors of n x n matrices (without row i, column j), and where i + j is odd."""
    rest = np.array([[k for k in range(n) if k != i] for i in range(n)], int)
    rest = rest.reshape(n, max(n - 1, 0))
    key = (..., rest[:, None, :, None], rest[None, :, None, :])
    return key, np.add.outer(range(n), range(n)) % 2 == 1


def _cofactors(F: Any, g: Any, x: Any) -> Any:
    """Return the cofactors: each element's minor without row i and column j."""
    key, is_odd = minors(x.shape[-1])
    signed = _spread(F, F.where(beside(x, is_odd), -g, g), 2)
    return F.scatter_add(signed * F.cofactors(F.getitem(x, key=key)), key=key, shape=x.shape)


cofactors: Final = define(
    "cofactors", kernels.cofactors, "det(x) x^-T, for singular x too", x=_cofactors
)


def _det(F: Any, g: Any, x: Any, y: Any) -> Any:
    """Return g times the cofactors; via the inverse, which is faster, if there is one."""
    if 0 in y.shape or surely(F.min(F.abs(y)) > 0):
        return _spread(F, g * y, 2) * transposed(F, F.inverse(x))
    return _spread(F, g, 2) * F.cofactors(x)


det: Final = define("det", kernels.det, "The determinant", x=_det)


def _slogdet(F: Any, g: Any, x: Any, y: Any) -> Any:
    if g[1] is None:
        return None
    if 0 not in y[0].shape and not surely(F.min(F.abs(y[0])) != 0):
        raise ArgumentError(
            "slogdet: the matrix is singular, and the gradient there infinite; differentiate det,"
            " or add a small multiple of the identity"
        )
    return _spread(F, g[1], 2) * transposed(F, F.inverse(x))


slogdet: Final = define(
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
        product = F.matmul(transposed(F, lower), F.tril(g_l))
    if g_q is not None:
        product = product - F.matmul(g_q, transposed(F, q))
    total = F.matmul(F.tril(product) + transposed(F, F.tril(product, k=-1)), q)
    if g_q is not None:
        total = g_q + total
    return F.solve_triangular(transposed(F, lower), total, lower=False)


lq: Final = define(
    "lq", kernels.lq, "(Q, L): x = L Q, L lower triangular, Q orthonormal", many=True, x=_lq
)


def _eigh(F: Any, g: Any, y: Any) -> Any:
    """U' (diag(gw) + symmetric part of (U gU') over the gaps of w) U."""
    (g_u, g_w), (u, w) = g, y
    inner = 0.0
    if g_u is not None:
        product = F.matmul(u, transposed(F, g_u)) * F.inverse_gaps(w)
        inner = (product + transposed(F, product)) * 0.5
    if g_w is not None:
        inner = F.place_diagonal(g_w, shape=u.shape, axis1=-2, axis2=-1) + inner
    return F.matmul(F.matmul(transposed(F, u), inner), u)


eigh: Final = define(
    "eigh", kernels.eigh, "(U, w): x = U' diag(w) U for symmetric x", many=True, x=_eigh
)
inverse_gaps: Final = define(
    "inverse_gaps",
    kernels.inverse_gaps,
    "1 / (w[j] - w[i]) at [i, j], 0 on the diagonal",
    w=lambda F, g, y: F.sum(g * y * y, axis=-1) - F.sum(g * y * y, axis=-2),
)


def _svd(F: Any, g: Any, y: Any) -> Any:
    """U (diag(gs) + skew parts of U'gU and V'gV over the gaps of s^2) V, and what leaves the spans.

    With the rows of V as in x = U diag(s) V; Townsend, Differentiating the SVD (2016).
    """
    (g_u, g_s, g_v), (u, s, v) = g, y
    row, column = F.expand_dims(s, axis=s.ndim - 1), F.expand_dims(s, axis=s.ndim)
    inner: Any = 0.0
    if g_s is not None:
        inner = F.place_diagonal(g_s, shape=(*s.shape, s.shape[-1]), axis1=-2, axis2=-1)
    total: Any = 0.0
    if g_u is not None:
        inner = inner + _skew(F, F.matmul(transposed(F, u), g_u), s) * row
        outside = g_u - F.matmul(u, F.matmul(transposed(F, u), g_u))
        if u.shape[-2] > u.shape[-1]:
            total = total + F.matmul(outside / row, v)
    if g_v is not None:
        inner = inner + _skew(F, F.matmul(v, transposed(F, g_v)), s) * column
        outside = g_v - F.matmul(F.matmul(g_v, transposed(F, v)), v)
        if v.shape[-1] > v.shape[-2]:
            total = total + F.matmul(u, outside / column)
    return F.matmul(F.matmul(u, inner), v) + total


def _skew(F: Any, product: Any, s: Any) -> Any:
    """The skew part of a product, over the gaps of s^2."""
    return (product - transposed(F, product)) * F.inverse_gaps(s * s)


svd: Final = define(
    "svd",
    kernels.svd,
    "(U, s, V): x = U diag(s) V, s falling, with as few columns as can be",
    many=True,
    x=_svd,
)


def _eig(F: Any, g: Any, y: Any) -> Any:
    """V^-T (diag(gw) + (V'gV, less what changes lengths) over the gaps of w) V'."""
    (g_w, g_v), (w, v) = g, y
    turned, inner = transposed(F, v), 0.0
    if g_v is not None:
        product = F.matmul(turned, g_v)
        along = F.diagonal(product, k=0, axis1=-2, axis2=-1)
        lengths = F.matmul(turned, v) * F.expand_dims(along, axis=along.ndim - 1)
        inner = (product - lengths) * F.inverse_gaps(w)
    if g_w is not None:
        inner = F.place_diagonal(g_w, shape=v.shape, axis1=-2, axis2=-1) + inner
    return F.solve(turned, F.matmul(inner, turned))


eig: Final = define("eig", kernels.eig, "(w, V): x V = V diag(w), for real w", many=True, x=_eig)
