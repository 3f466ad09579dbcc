"""Kernels that decompose, invert and solve stacks of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

#: The block size for solving triangular systems.
BLOCK = 32


def check(x: Any, square: bool = True) -> None:
    """`x` must be a stack of matrices of floats that LAPACK takes."""
    if x.dtype not in (np.float32, np.float64):
        raise TypeError(f"the matrices have dtype {x.dtype}; use astype('float32') or 'float64'")
    if x.ndim < 2 or (square and x.shape[-2] != x.shape[-1]):
        raise ValueError(
            f"shape {x.shape} is not that of {'square ' * square}matrices,"
            f" (..., n, {'n' if square else 'm'})"
        )


def tril(x: Any, *, k: int = 0) -> Any:
    return np.tril(x, k)


def triu(x: Any, *, k: int = 0) -> Any:
    return np.triu(x, k)


def cholesky(x: Any) -> Any:
    """The lower triangular factor; only the lower triangle of x is read."""
    check(x)
    return np.linalg.cholesky(x)


def solve_triangular(a: Any, b: Any, *, lower: bool = True) -> Any:
    """X where a X = b; only the lower or upper triangle of a is read."""
    check(a)
    if b.shape[:-1] != a.shape[:-1]:
        raise ValueError(f"b has shape {b.shape}; a of shape {a.shape} takes {a.shape[:-1]} and m")
    if not np.diagonal(a, 0, -2, -1).all():
        raise np.linalg.LinAlgError("Singular matrix")
    kind, n = np.result_type(a, b), a.shape[-1]
    size = min(BLOCK, 1 << max(n - 1, 0).bit_length())
    count = -(-n // size)
    # flipping makes an upper triangle a lower one
    turn = slice(None) if lower else slice(None, None, -1)
    whole = np.zeros((*a.shape[:-2], count * size, count * size), kind)
    whole[..., range(n, count * size), range(n, count * size)] = 1
    whole[..., :n, :n] = a[..., turn, turn]
    x = np.zeros((*b.shape[:-2], count * size, b.shape[-1]), kind)
    x[..., :n, :] = b[..., turn, :]
    blocks = np.tril(_diagonal_blocks(whole, size))
    inverses = _invert_lower(blocks)
    for k in range(count):
        here = slice(k * size, (k + 1) * size)
        right = x[..., here, :]
        if k:
            right = right - whole[..., here, : k * size] @ x[..., : k * size, :]
        first = inverses[..., k, :, :] @ right
        # Substitution is more accurate than an inverse; one step of refinement makes up for that.
        first += inverses[..., k, :, :] @ (right - blocks[..., k, :, :] @ first)
        x[..., here, :] = first
    return x[..., :n, :] if lower else np.ascontiguousarray(x[..., :n, :][..., ::-1, :])


def _diagonal_blocks(x: Any, size: int) -> Any:
    """The view (..., n / size, size, size) of the blocks on the diagonal of matrices."""
    count = x.shape[-1] // size
    return np.einsum("...kikj->...kij", x.reshape(*x.shape[:-2], count, size, count, size))


def _invert_lower(x: Any) -> Any:
    """Invert lower triangular matrices with a power of two rows, from blocks of half the size.

    The inverse of [[a, 0], [c, b]] is [[1 / a, 0], [-1 / b c 1 / a, 1 / b]].
    """
    y = np.zeros_like(x)
    every = range(x.shape[-1])
    y[..., every, every] = 1 / x[..., every, every]
    half = 1
    while half < x.shape[-1]:
        old, new = _diagonal_blocks(x, 2 * half), _diagonal_blocks(y, 2 * half)
        low = old[..., half:, :half]
        above, below = new[..., :half, :half], new[..., half:, half:]
        if half == 1:
            new[..., half:, :half] = -below * low * above
        else:
            new[..., half:, :half] = -(below @ low @ above)
        half *= 2
    return y


def solve(a: Any, b: Any) -> Any:
    """X where a X = b; stacks of matrices broadcast."""
    check(a)
    if b.ndim < 2 or b.shape[-2] != a.shape[-1]:
        raise ValueError(
            f"b has shape {b.shape}; a of shape {a.shape} takes (..., {a.shape[-1]}, m)"
        )
    b = b.reshape((1,) * (a.ndim - b.ndim) + b.shape)  # NumPy 1 would treat b as vectors
    return np.linalg.solve(a, b)


def inverse(x: Any) -> Any:
    check(x)
    return np.linalg.inv(x)


def pinv(x: Any, *, rcond: Any = 1e-15) -> Any:
    """The pseudo-inverse; singular values up to `rcond` times the largest one count as 0."""
    check(x, square=False)
    return np.linalg.pinv(x, rcond)


def det(x: Any) -> Any:
    check(x)
    with np.errstate(invalid="ignore"):
        return np.linalg.det(x)


def cofactors(x: Any) -> Any:
    """The derivative of the determinant: products of all singular values but one, turned back."""
    check(x)
    finite = np.isfinite(x).all((-2, -1), keepdims=True)
    if not finite.all():  # infinite matrices have no decomposition
        return np.where(finite, cofactors(np.where(finite, x, 0)), x.dtype.type(np.nan))
    u, s, v = np.linalg.svd(x)
    n = s.shape[-1]
    others = np.where(np.eye(n, dtype=bool), 1, s[..., None, :]).prod(-1)
    sign = np.linalg.det(u) * np.linalg.det(v)
    return (u * (others * sign[..., None])[..., None, :]) @ v


def slogdet(x: Any) -> tuple[Any, Any]:
    """The sign of the determinant and the logarithm of its absolute value."""
    check(x)
    with np.errstate(divide="ignore", invalid="ignore"):
        sign, logarithm = np.linalg.slogdet(x)
    return sign, logarithm


def lq(x: Any) -> tuple[Any, Any]:
    """(Q, L): x = L Q, L lower triangular and the rows of Q orthonormal."""
    check(x, square=False)
    if x.shape[-2] > x.shape[-1]:
        raise ValueError(f"x of shape {x.shape} has more rows than columns")
    q, r = np.linalg.qr(x.swapaxes(-1, -2))
    return q.swapaxes(-1, -2), r.swapaxes(-1, -2)


def eigh(x: Any) -> tuple[Any, Any]:
    """(U, w): x = U' diag(w) U for symmetric x, w ascending; only the lower triangle is read.

    The largest component of each row of U is positive.
    """
    check(x)
    values, vectors = np.linalg.eigh(x)
    if not x.size:
        return vectors, values
    largest = np.take_along_axis(vectors, np.abs(vectors).argmax(-2)[..., None, :], -2)
    return (vectors * np.sign(largest)).swapaxes(-1, -2), values


def inverse_gaps(w: Any) -> Any:
    """1 / (w[j] - w[i]) at [i, j], 0 on the diagonal."""
    gaps = w[..., None, :] - w[..., :, None]
    gaps[..., np.arange(w.shape[-1]), np.arange(w.shape[-1])] = np.inf
    return 1 / gaps


def svd(x: Any) -> tuple[Any, Any, Any]:
    """(U, s, V): x = U diag(s) V, s falling, with as few columns as can be."""
    check(x, square=False)
    u, s, v = np.linalg.svd(x, full_matrices=False)
    return u, s, v


def eig(x: Any) -> tuple[Any, Any]:
    """(w, V): x V = V diag(w), the columns of V of length 1; an error where w is not real."""
    check(x)
    values, vectors = np.linalg.eig(x)
    if values.dtype.kind == "c":
        if values.imag.any():
            raise TypeError(
                f"eigenvalues are complex, such as {values[values.imag != 0][0]:.4g}, and arrays"
                " hold real numbers only; of symmetric matrices they are real: use eigh"
            )
        values, vectors = values.real, vectors.real
    return values, vectors
