"""Functions of symbols that select one of several operators, or rename arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Number
from typing import Any

from .._core.errors import DTypeError
from .calls import Outputs, called, operator
from .methods import SYMBOL, parts
from .symbol import Symbol, like

Binary = Callable[..., Symbol]


def call(operation: str, hint: str, /, *args: Any, **kwargs: Any) -> Symbol:
    """The operator with that name in files, on `args`; arguments that are None are omitted."""
    given = {key: value for key, value in kwargs.items() if value is not None}
    return like(called(operator(operation), hint, args, given), *args, *given.values())


def zeros(shape: int | Sequence[int], dtype: Any = None, **kwargs: Any) -> Symbol:
    """An array of zeros.

    Parameters
    ----------
    shape : int or tuple of int
        Lengths of 0 are inferred.
    dtype : dtype, default float32
    **kwargs
        ``name`` and ``attr``.

    Returns
    -------
    Symbol
    """
    return call("_zeros", "_zeros", shape=shape, dtype=dtype or "float32", **kwargs)


def ones(shape: int | Sequence[int], dtype: Any = None, **kwargs: Any) -> Symbol:
    """An array of ones; see `zeros`."""
    return call("_ones", "_ones", shape=shape, dtype=dtype or "float32", **kwargs)


def full(shape: int | Sequence[int], val: float, dtype: Any = None, **kwargs: Any) -> Symbol:
    """An array of the value `val`; see `zeros`."""
    spec = {"shape": shape, "dtype": dtype or "float32", "value": float(val)}
    return call("_full", "_full", **spec, **kwargs)


def arange(
    start: float,
    stop: float | None = None,
    step: float = 1.0,
    repeat: int = 1,
    infer_range: bool = False,
    name: str | None = None,
    dtype: Any = None,
) -> Symbol:
    """Numbers at equal steps; see `nd.arange`.

    Parameters
    ----------
    start, stop, step : float
        A single number is `stop`.
    repeat : int, default 1
        How many times to repeat each.
    infer_range : bool, default False
        Deprecated in MXNet; it must be False.
    name : str, optional
    dtype : dtype, default float32

    Returns
    -------
    Symbol
    """
    spec = {"start": start, "stop": str(stop), "step": step, "repeat": repeat}
    more = {"infer_range": infer_range, "dtype": dtype or "float32", "name": name}
    return call("_arange", "_arange", **spec, **more)


def linspace(
    start: float,
    stop: float,
    num: int,
    endpoint: bool = True,
    name: str | None = None,
    dtype: Any = None,
) -> Symbol:
    """`num` numbers from `start` to `stop`; see `nd.linspace`."""
    spec = {"start": start, "stop": stop, "num": num, "endpoint": endpoint}
    return call("_linspace", "_linspace", **spec, dtype=dtype or "float32", name=name)


def eye(N: int, M: int = 0, k: int = 0, dtype: Any = None, **kwargs: Any) -> Symbol:
    """A matrix with ones on a diagonal; see `nd.eye`."""
    return call("_eye", "_eye", N=N, M=M, k=k, dtype=dtype or "float32", **kwargs)


def histogram(a: Symbol, bins: Any = 10, range: Any = None, **kwargs: Any) -> Symbol:
    """Count the values in each bin; see `nd.histogram`.

    Raises
    ------
    DTypeError
        If `bins` is a number and `range` is missing.
    """
    if isinstance(bins, Outputs):
        return call("_histogram", "_histogram", data=a, bins=bins, **kwargs)
    if range is None:
        raise DTypeError("histogram: with a number of bins, give their range")
    return call("_histogram", "_histogram", data=a, bin_cnt=bins, range=range, **kwargs)


def split_v2(
    ary: Symbol, indices_or_sections: Any, axis: int = 0, squeeze_axis: bool = False
) -> Symbol:
    """The parts of an array; see `nd.split_v2`."""
    spec = parts(indices_or_sections)
    return call("_split_v2", "_split_v2", ary, axis=axis, squeeze_axis=squeeze_axis, **spec)


def _of_two(pair: str, left: Any, right: Any, turned: str | None = None) -> Any:
    """Apply the operator to two symbols, or to a symbol and a number."""
    hint = pair.replace("_", "")
    if isinstance(left, Outputs) and isinstance(right, Outputs):
        return call(pair, pair, left, right)
    if isinstance(left, Outputs) and isinstance(right, Number):
        return call(f"{pair}_scalar", f"_{hint}scalar", left, scalar=right)
    if isinstance(left, Number) and isinstance(right, Outputs):
        own = turned or hint
        return call(f"_{own}_scalar", f"_{own}scalar", right, scalar=left)
    kinds = f"{type(left).__name__} and {type(right).__name__}"
    raise DTypeError(f"{hint}: give symbols, or a symbol and a number, not {kinds}")


def maximum(left: Symbol | float, right: Symbol | float) -> Symbol:
    """The larger of two symbols, or of a symbol and a number."""
    return _of_two("_maximum", left, right)


def minimum(left: Symbol | float, right: Symbol | float) -> Symbol:
    """The smaller of two symbols, or of a symbol and a number."""
    return _of_two("_minimum", left, right)


def power(base: Symbol | float, exp: Symbol | float) -> Symbol:
    """A power of two symbols, or of a symbol and a number."""
    return _of_two("_power", base, exp, "rpower")


pow = power


def hypot(left: Symbol | float, right: Symbol | float) -> Symbol:
    """The hypotenuse of two symbols, or of a symbol and a number."""
    return _of_two("_hypot", left, right)


def _broadcast(name: str, pair: str, number: str, turned: str = "") -> Any:
    """Create a function of two symbols that broadcast, or of a symbol and a number."""

    def of_two(lhs: Any, rhs: Any, name: str | None = None) -> Symbol:
        if isinstance(lhs, Outputs) and isinstance(rhs, Outputs):
            return call(pair, pair, lhs, rhs, name=name)
        if isinstance(lhs, Outputs) and isinstance(rhs, Number):
            return call(number, number, lhs, scalar=rhs, name=name)
        if isinstance(lhs, Number) and isinstance(rhs, Outputs):
            return call(turned or number, turned or number, rhs, scalar=lhs, name=name)
        kinds = f"{type(lhs).__name__} and {type(rhs).__name__}"
        raise DTypeError(f"{of_two.__name__}: give symbols, or a symbol and a number, not {kinds}")

    doc = f"As ``gluon.nd.{name}``, of two symbols, or of a symbol and a number."
    return SYMBOL.named(of_two, name, doc)


add: Binary = _broadcast("add", "broadcast_add", "_plus_scalar")
subtract: Binary = _broadcast("subtract", "broadcast_sub", "_minus_scalar", "_rminus_scalar")
multiply: Binary = _broadcast("multiply", "broadcast_mul", "_mul_scalar")
divide: Binary = _broadcast("divide", "broadcast_div", "_div_scalar", "_rdiv_scalar")
true_divide: Binary = divide
modulo: Binary = _broadcast("modulo", "broadcast_mod", "_mod_scalar", "_rmod_scalar")
equal: Binary = _broadcast("equal", "broadcast_equal", "_equal_scalar")
not_equal: Binary = _broadcast("not_equal", "broadcast_not_equal", "_not_equal_scalar")
greater: Binary = _broadcast("greater", "broadcast_greater", "_greater_scalar", "_lesser_scalar")
greater_equal: Binary = _broadcast(
    "greater_equal", "broadcast_greater_equal", "_greater_equal_scalar", "_lesser_equal_scalar"
)
lesser: Binary = _broadcast("lesser", "broadcast_lesser", "_lesser_scalar", "_greater_scalar")
lesser_equal: Binary = _broadcast(
    "lesser_equal", "broadcast_lesser_equal", "_lesser_equal_scalar", "_greater_equal_scalar"
)
logical_and: Binary = _broadcast("logical_and", "broadcast_logical_and", "_logical_and_scalar")
logical_or: Binary = _broadcast("logical_or", "broadcast_logical_or", "_logical_or_scalar")
logical_xor: Binary = _broadcast("logical_xor", "broadcast_logical_xor", "_logical_xor_scalar")


def concatenate(
    arrays: Sequence[Symbol], axis: int = 0, always_copy: bool = True, name: str | None = None
) -> Symbol:
    """As ``gluon.nd.concatenate``, of a sequence of symbols."""
    return call("Concat", "concat", *arrays, dim=axis, name=name)


def full_like(data: Symbol, fill_value: float, name: str | None = None) -> Symbol:
    """As ``gluon.nd.full_like``, of a symbol."""
    return call("_npi_full_like", "full_like", data, fill_value=fill_value, name=name)
