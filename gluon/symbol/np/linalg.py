"""`gluon.symbol.np.linalg`: linear algebra on symbols; see `gluon.np.linalg`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..._core.errors import ArgumentError
from ..np_methods import function, on
from ..np_symbol import NpSymbol
from ..symbol import Symbol

Function = Callable[..., NpSymbol]

cholesky: Function = function("_npi_cholesky")
det: Function = function("_linalg_det")
eig: Function = function("_npi_eig")
eigh: Function = function("_npi_eigh", UPLO="L")
eigvals: Function = function("_npi_eigvals")
eigvalsh: Function = function("_npi_eigvalsh", UPLO="L")
inv: Function = function("_linalg_inverse")
pinv: Function = function("_npi_pinv", hermitian=False)
slogdet: Function = function("_linalg_slogdet")
solve: Function = function("_npi_solve")
svd: Function = function("_npi_svd")
tensorinv: Function = function("_npi_tensorinv", ind=2)
tensorsolve: Function = function("_npi_tensorsolve")


def norm(x: Symbol, ord: Any = None, axis: Any = None, keepdims: bool = False) -> NpSymbol:
    """As ``gluon.np.linalg.norm``, of a symbol.

    Raises
    ------
    ArgumentError
        If `ord` is a string other than 'fro' and 'nuc'.
    """
    if isinstance(ord, str) and ord not in ("fro", "nuc"):
        raise ArgumentError(f"norm: ord={ord!r} must be a number, None, 'fro' or 'nuc'")
    axes = (axis,) if isinstance(axis, int) else axis
    if ord is None and axes is None:
        flag = -2
    elif ord in (None, "fro"):
        flag = 1
    elif ord == "nuc":
        flag = 2
    else:
        flag = 0 if ord in (2, -2) and axes is not None and len(axes) == 2 else -1
    number = ord if isinstance(ord, (int, float)) else 2
    return on("_npi_norm", "norm", x, ord=number, axis=axes, keepdims=keepdims, flag=flag)
