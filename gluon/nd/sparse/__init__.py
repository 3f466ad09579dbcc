"""`nd.sparse`: arrays that store only some of their values, and functions of them.

Most functions are those of `nd`: what they give for sparse arrays is in a table of the page on
sparse arrays.
"""

import typing as _typing

from ..._core.faces.names import public_names as _public_names
from .._array import NDArray as NDArray
from ..absent import missing as _missing
from ..activation import gamma as gamma
from ..activation import gammaln as gammaln
from ..adaptive import adam_update as adam_update
from ..adaptive import ftrl_update as ftrl_update
from ..contrib import round_ste as _contrib_round_ste  # noqa: F401  (a name of MXNet's)
from ..contrib import sign_ste as _contrib_sign_ste  # noqa: F401
from ..elementwise import ElementWiseSum as ElementWiseSum
from ..elementwise import abs as abs
from ..elementwise import add as add
from ..elementwise import add_n as add_n
from ..elementwise import arccos as arccos
from ..elementwise import arccosh as arccosh
from ..elementwise import arcsin as arcsin
from ..elementwise import arcsinh as arcsinh
from ..elementwise import arctan as arctan
from ..elementwise import arctanh as arctanh
from ..elementwise import broadcast_add as broadcast_add
from ..elementwise import broadcast_div as broadcast_div
from ..elementwise import broadcast_minus as broadcast_minus
from ..elementwise import broadcast_mul as broadcast_mul
from ..elementwise import broadcast_plus as broadcast_plus
from ..elementwise import broadcast_sub as broadcast_sub
from ..elementwise import cast_storage as cast_storage
from ..elementwise import cbrt as cbrt
from ..elementwise import ceil as ceil
from ..elementwise import clip as clip
from ..elementwise import cos as cos
from ..elementwise import cosh as cosh
from ..elementwise import degrees as degrees
from ..elementwise import divide as divide
from ..elementwise import elemwise_add as elemwise_add
from ..elementwise import elemwise_div as elemwise_div
from ..elementwise import elemwise_mul as elemwise_mul
from ..elementwise import elemwise_sub as elemwise_sub
from ..elementwise import exp as exp
from ..elementwise import expm1 as expm1
from ..elementwise import fix as fix
from ..elementwise import floor as floor
from ..elementwise import log as log
from ..elementwise import log1p as log1p
from ..elementwise import log2 as log2
from ..elementwise import log10 as log10
from ..elementwise import multiply as multiply
from ..elementwise import negative as negative
from ..elementwise import radians as radians
from ..elementwise import relu as relu
from ..elementwise import rint as rint
from ..elementwise import round as round
from ..elementwise import rsqrt as rsqrt
from ..elementwise import sigmoid as sigmoid
from ..elementwise import sign as sign
from ..elementwise import sin as sin
from ..elementwise import sinh as sinh
from ..elementwise import sqrt as sqrt
from ..elementwise import square as square
from ..elementwise import stop_gradient as stop_gradient
from ..elementwise import subtract as subtract
from ..elementwise import tan as tan
from ..elementwise import tanh as tanh
from ..elementwise import trunc as trunc
from ..elementwise import where as where
from ..elementwise import zeros_like as zeros_like
from ..join import concat as concat
from ..join import slice as slice
from ..matrix import dot as dot
from ..nn import Embedding as Embedding
from ..nn import FullyConnected as FullyConnected
from ..optimizer import sgd_mom_update as sgd_mom_update
from ..optimizer import sgd_update as sgd_update
from ..outputs import LinearRegressionOutput as LinearRegressionOutput
from ..outputs import LogisticRegressionOutput as LogisticRegressionOutput
from ..outputs import MAERegressionOutput as MAERegressionOutput
from ..outputs import make_loss as make_loss
from ..reduce import mean as mean
from ..reduce import norm as norm
from ..reduce import sum as sum
from ._array import BaseSparseNDArray as BaseSparseNDArray
from ._array import CSRNDArray as CSRNDArray
from ._array import RowSparseNDArray as RowSparseNDArray
from .creation import array as array
from .creation import csr_matrix as csr_matrix
from .creation import empty as empty
from .creation import row_sparse_array as row_sparse_array
from .creation import zeros as zeros
from .functions import adagrad_update as adagrad_update
from .functions import retain as retain

if not _typing.TYPE_CHECKING:  # type checkers use the imports above and report wrong names
    __all__ = _public_names(__name__)

    def __dir__() -> list[str]:
        return __all__

    def __getattr__(name: str) -> _typing.Any:
        raise _missing("nd.sparse", name, __all__)
