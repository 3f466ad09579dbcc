# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from collections.abc import Callable
from gluon.symbol.np_symbol import NpSymbol
from gluon.symbol.symbol import Symbol
from typing import Any

from ._declared_linalg import cholesky as cholesky, det as det, eig as eig, eigh as eigh, eigvals as eigvals, eigvalsh as eigvalsh, inv as inv, pinv as pinv, slogdet as slogdet, solve as solve, svd as svd, tensorinv as tensorinv, tensorsolve as tensorsolve
Function = Callable[..., NpSymbol]
def norm(x: Symbol, ord: Any=None, axis: Any=None, keepdims: bool=False) -> NpSymbol: ...
