"""Derivatives as transformations of functions: each takes a function and returns another one."""

import typing as _typing

from .._core.hints.lookup import hinting as _hinting
from . import tree
from .call import functional_call
from .custom import custom_jvp, custom_vjp
from .forward import hessian, jacfwd, jvp, linearize, make_jvp
from .reverse import elementwise_grad, grad, jacrev, make_vjp, value_and_grad, vjp
from .vmap import vmap

__all__ = [
    "custom_jvp",
    "custom_vjp",
    "elementwise_grad",
    "functional_call",
    "grad",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "make_jvp",
    "make_vjp",
    "tree",
    "value_and_grad",
    "vjp",
    "vmap",
]
if not _typing.TYPE_CHECKING:  # so that type checkers report wrong names
    __getattr__ = _hinting(__name__, __all__)
