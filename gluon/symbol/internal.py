"""Operators that exist only in files and in MXNet's ``sym._internal``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import nd
from .._core.arrays.base import A
from .._core.faces.kinds import keeps_shape, reduces
from ..nd.sparse.functions import scatter_minus, scatter_plus, scatter_quotient, square_sum
from . import contrib, image, linalg, nd_functions, numbers, random, sparse  # noqa: F401  (operators)
from .calls import called
from .methods import SYMBOL
from .numbers import _zeros
from .old import CANONICAL
from .operator import OPERATORS, Operator
from .symbol import Symbol, like

Steps = tuple[int | None, ...]


@keeps_shape
def _copyto(data: A) -> Any:
    return nd.identity(data)


@keeps_shape
def _identity_with_attr_like_rhs(lhs: A, rhs: A) -> Any:
    return nd.identity(lhs)


@keeps_shape
def _scatter_elemwise_div(lhs: A, rhs: A) -> Any:
    return scatter_quotient(lhs, rhs)


@keeps_shape
def _scatter_plus_scalar(data: A, scalar: float = 1.0, is_int: bool = True) -> Any:
    return scatter_plus(data, scalar)


@keeps_shape
def _scatter_minus_scalar(data: A, scalar: float = 1.0, is_int: bool = True) -> Any:
    return scatter_minus(data, scalar)


@reduces
def _square_sum(
    data: A,
    axis: tuple[int, ...] | int | None = None,
    keepdims: bool = False,
    exclude: bool = False,
) -> Any:
    return square_sum(data, axis, keepdims, exclude)


def _slice_assign(lhs: A, rhs: A, begin: Steps = (), end: Steps = (), step: Steps = ()) -> Any:
    return assigned(lhs, rhs, begin, end, step)


@keeps_shape
def _slice_assign_scalar(
    data: A, scalar: float = 0.0, begin: Steps = (), end: Steps = (), step: Steps = ()
) -> Any:
    return assigned(data, scalar, begin, end, step)


def _scatter_set_nd(lhs: A, rhs: A, indices: A, shape: tuple[int, ...] = ()) -> Any:
    value: Any = nd.identity(lhs)
    value[tuple(indices)] = rhs
    return value


def assigned(array: A, value: Any, begin: Any, end: Any, step: Any = ()) -> Any:
    """A copy of `array` with a slice set to `value`."""
    steps = [*(step or ()), *[None] * len(begin)]
    copy: Any = nd.identity(array)
    copy[tuple(map(slice, begin, end, steps))] = value
    return copy


OPERATORS.update(
    (one.__name__, Operator(one.__name__, one))
    for one in (
        _copyto,
        _identity_with_attr_like_rhs,
        _scatter_elemwise_div,
        _scatter_minus_scalar,
        _scatter_plus_scalar,
        _scatter_set_nd,
        _slice_assign,
        _slice_assign_scalar,
        _square_sum,
    )
)
OPERATORS["_CrossDeviceCopy"] = Operator("_CrossDeviceCopy", _copyto)
OPERATORS["_zeros_without_dtype"] = Operator("_zeros_without_dtype", _zeros)


def by_name(name: str) -> Callable[..., Symbol] | None:
    """The operator that a file calls `name`, or an alias of it, as a function of symbols.

    Parameters
    ----------
    name : str

    Returns
    -------
    callable or None
        None if there is no such operator.
    """
    operator = OPERATORS.get(CANONICAL.get(name, name))
    if operator is None:
        return None
    hint = name.lower()

    def call(*args: Any, **kwargs: Any) -> Symbol:
        return like(called(operator, hint, args, kwargs), *args, *kwargs.values())

    return SYMBOL.named(call, name, operator.function.__doc__)
