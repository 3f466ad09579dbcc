# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from gluon.symbol.symbol import Symbol

def det(A: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The determinant of each matrix."""
def extractdiag(A: Symbol | None = None, offset: int = 0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Extract a diagonal of each matrix."""
def extracttrian(A: Symbol | None = None, offset: int = 0, lower: bool = True, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Extract a triangle of each matrix as a vector (the upper one column by column)."""
def gelqf(A: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The factors Q and L of ``A = L @ Q``, L lower triangular and the rows of Q orthonormal."""
def gemm(A: Symbol | None = None, B: Symbol | None = None, C: Symbol | None = None, transpose_a: bool = False, transpose_b: bool = False, alpha: float = 1.0, beta: float = 1.0, axis: int = -2, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The products of two stacks of matrices and a third one, ``alpha * A @ B + beta * C``."""
def gemm2(A: Symbol | None = None, B: Symbol | None = None, transpose_a: bool = False, transpose_b: bool = False, alpha: float = 1.0, axis: int = -2, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The products of two stacks of matrices, ``alpha * A @ B``."""
def inverse(A: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The inverse of each matrix."""
def makediag(A: Symbol | None = None, offset: int = 0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Create matrices with given diagonals; the inverse of `extractdiag`."""
def maketrian(A: Symbol | None = None, offset: int = 0, lower: bool = True, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Create triangular matrices from vectors; the inverse of `extracttrian`."""
def potrf(A: Symbol | None = None, *, lower: bool = True, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The lower triangular L of the Cholesky factorization ``A = L @ L.T``."""
def potri(A: Symbol | None = None, *, lower: bool = True, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The inverse of ``A @ A.T``, `A` a lower triangular factor from `potrf`."""
def slogdet(A: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The sign of the determinant of each matrix, and the logarithm of its absolute value."""
def sumlogdiag(A: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The sum of the logarithms of the diagonal of each matrix."""
def syevd(A: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The eigenvectors U and eigenvalues w of symmetric matrices, ``A = U.T @ diag(w) @ U``."""
def syrk(A: Symbol | None = None, transpose: bool = False, alpha: float = 1.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Matrices times their own transposes, ``alpha * A @ A.T``."""
def trmm(A: Symbol | None = None, B: Symbol | None = None, transpose: bool = False, rightside: bool = False, lower: bool = True, alpha: float = 1.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The products of triangular matrices with others, ``alpha * A @ B``."""
def trsm(A: Symbol | None = None, B: Symbol | None = None, transpose: bool = False, rightside: bool = False, lower: bool = True, alpha: float = 1.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Solve ``A @ X = alpha * B`` for triangular matrices A; the inverse of `trmm`."""
