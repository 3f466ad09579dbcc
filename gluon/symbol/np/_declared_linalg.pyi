# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from collections.abc import Sequence
from gluon.symbol.np_symbol import NpSymbol
from gluon.symbol.symbol import Symbol
from typing import Any

def cholesky(a: Symbol, *, upper: bool = False, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Cholesky decomposition: the lower triangular L with ``a = L @ L.T``."""
def det(A: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The determinant of each matrix."""
def eig(a: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The eigenvalues and eigenvectors of matrices whose eigenvalues are real."""
def eigh(a: Symbol, UPLO: str = 'L', *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The eigenvalues and eigenvectors of symmetric matrices; the gradient is symmetric, too."""
def eigvals(a: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The eigenvalues of matrices, where they are real."""
def eigvalsh(a: Symbol, UPLO: str = 'L', *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The eigenvalues of symmetric matrices, in ascending order."""
def inv(A: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The inverse of each matrix."""
def pinv(a: Symbol, rcond: Any = None, hermitian: bool = False, *, rtol: Any = None, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The pseudo-inverse of matrices; the gradient assumes a constant rank."""
def slogdet(A: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The sign of the determinant of each matrix, and the logarithm of its absolute value."""
def solve(a: Symbol, b: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Solve the linear equations ``a @ x = b``."""
def svd(a: Symbol, full_matrices: bool = False, compute_uv: bool = True, hermitian: bool = False, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Singular value decomposition of matrices, with singular values in descending order."""
def tensorinv(a: Symbol, ind: int = 2, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The inverse of a tensor as a linear map."""
def tensorsolve(a: Symbol, b: Symbol, axes: Sequence[int] | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Solve ``tensordot(a, x, x.ndim) = b`` for x."""
