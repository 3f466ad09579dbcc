"""`gluon.np.linalg`: linear algebra over stacks of matrices, the last two axes; differentiable."""

import typing as _typing

from numpy.linalg import LinAlgError

from ..absent import missing as _missing
from ..shape import matrix_transpose
from .factors import (
    cholesky,
    eig,
    eigh,
    eigvals,
    eigvalsh,
    qr,
    svd,
    svdvals,
)
from .norms import (
    cond,
    matrix_norm,
    norm,
    vector_norm,
)
from .products import (
    cross,
    diagonal,
    matmul,
    outer,
    tensordot,
    trace,
    vecdot,
)
from .solvers import (
    det,
    inv,
    lstsq,
    matrix_power,
    matrix_rank,
    multi_dot,
    pinv,
    slogdet,
    solve,
    tensorinv,
    tensorsolve,
)

__all__ = [
    "LinAlgError",
    "cholesky",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "lstsq",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "multi_dot",
    "norm",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "tensorinv",
    "tensorsolve",
    "trace",
    "vecdot",
    "vector_norm",
]


def __dir__() -> list[str]:
    return sorted(__all__)


if not _typing.TYPE_CHECKING:  # where a wrong name is to be reported

    def __getattr__(name: str) -> _typing.Any:
        raise _missing("np.linalg", name, __all__)
