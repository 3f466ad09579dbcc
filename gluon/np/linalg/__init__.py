"""`gluon.np.linalg`: linear algebra over stacks of matrices, the last two axes; differentiable."""

import typing as _typing

from numpy.linalg import LinAlgError as LinAlgError

from ..._core.faces.names import public_names as _public_names
from ..absent import missing as _missing
from ..shape import matrix_transpose as matrix_transpose
from .factors import cholesky as cholesky
from .factors import eig as eig
from .factors import eigh as eigh
from .factors import eigvals as eigvals
from .factors import eigvalsh as eigvalsh
from .factors import qr as qr
from .factors import svd as svd
from .factors import svdvals as svdvals
from .norms import cond as cond
from .norms import matrix_norm as matrix_norm
from .norms import norm as norm
from .norms import vector_norm as vector_norm
from .products import cross as cross
from .products import diagonal as diagonal
from .products import matmul as matmul
from .products import outer as outer
from .products import tensordot as tensordot
from .products import trace as trace
from .products import vecdot as vecdot
from .solvers import det as det
from .solvers import inv as inv
from .solvers import lstsq as lstsq
from .solvers import matrix_power as matrix_power
from .solvers import matrix_rank as matrix_rank
from .solvers import multi_dot as multi_dot
from .solvers import pinv as pinv
from .solvers import slogdet as slogdet
from .solvers import solve as solve
from .solvers import tensorinv as tensorinv
from .solvers import tensorsolve as tensorsolve

if not _typing.TYPE_CHECKING:  # type checkers use the imports above and report wrong names
    __all__ = _public_names(__name__)

    def __dir__() -> list[str]:
        return __all__

    def __getattr__(name: str) -> _typing.Any:
        raise _missing("np.linalg", name, __all__)
