# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"


from ._declared import matmul as matmul, tensordot as tensordot, vecdot as vecdot
from numpy.linalg import LinAlgError as LinAlgError
from gluon.np.shape import matrix_transpose as matrix_transpose
from gluon.np.linalg.factors import cholesky as cholesky
from gluon.np.linalg.factors import eig as eig
from gluon.np.linalg.factors import eigh as eigh
from gluon.np.linalg.factors import eigvals as eigvals
from gluon.np.linalg.factors import eigvalsh as eigvalsh
from gluon.np.linalg.factors import qr as qr
from gluon.np.linalg.factors import svd as svd
from gluon.np.linalg.factors import svdvals as svdvals
from gluon.np.linalg.norms import cond as cond
from gluon.np.linalg.norms import matrix_norm as matrix_norm
from gluon.np.linalg.norms import norm as norm
from gluon.np.linalg.norms import vector_norm as vector_norm
from gluon.np.linalg.products import cross as cross
from gluon.np.linalg.products import diagonal as diagonal
from gluon.np.linalg.products import outer as outer
from gluon.np.linalg.products import trace as trace
from gluon.np.linalg.solvers import det as det
from gluon.np.linalg.solvers import inv as inv
from gluon.np.linalg.solvers import lstsq as lstsq
from gluon.np.linalg.solvers import matrix_power as matrix_power
from gluon.np.linalg.solvers import matrix_rank as matrix_rank
from gluon.np.linalg.solvers import multi_dot as multi_dot
from gluon.np.linalg.solvers import pinv as pinv
from gluon.np.linalg.solvers import slogdet as slogdet
from gluon.np.linalg.solvers import solve as solve
from gluon.np.linalg.solvers import tensorinv as tensorinv
from gluon.np.linalg.solvers import tensorsolve as tensorsolve
