"""Functions of symbols that stand for several operators, or for one with other arguments."""

from __future__ import annotations

from numbers import Number
from typing import Any

from ..engine.errors import DTypeError
from .calls import Outputs, called, operator
from .methods import parts
from .symbol import Symbol, like


def call(operation: str, hint: str, /, *args: Any, **kwargs: Any) -> Symbol:
    """The operator of that name in files, on `args`; what is None is left out."""
    given = {key: value for key, value in kwargs.items() if value is not None}
    return like(called(operator(operation), hint, args, given), *args, *given.values())


def zeros(shape: Any, dtype: Any = None, **kwargs: Any) -> Symbol:
    """An array of zeros.

    Parameters
    ----------
    shape : int or tuple of int
        Lengths of 0 are found by inference.
    dtype : dtype, default float32
    **kwargs
        ``name`` and ``attr``.

    Returns
    -------
    Symbol
    """
    return call("_zeros", "_zeros", shape=shape, dtype=dtype or "float32", **kwargs)


def ones(shape: Any, dtype: Any = None, **kwargs: Any) -> Symbol:
    """An array of ones; see `zeros`."""
    return call("_ones", "_ones", shape=shape, dtype=dtype or "float32", **kwargs)


def full(shape: Any, val: float, dtype: Any = None, **kwargs: Any) -> Symbol:
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
        A single number is where they stop.
    repeat : int, default 1
        How often each comes.
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
    """How many values fall into each bin; see `nd.histogram`.

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
    """The operator on two symbols, or on a symbol and a number."""
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


def maximum(left: Any, right: Any) -> Symbol:
    """The larger of two symbols, or of a symbol and a number."""
    return _of_two("_maximum", left, right)


def minimum(left: Any, right: Any) -> Symbol:
    """The smaller of two symbols, or of a symbol and a number."""
    return _of_two("_minimum", left, right)


def power(base: Any, exp: Any) -> Symbol:
    """A power of two symbols, or of a symbol and a number."""
    return _of_two("_power", base, exp, "rpower")


pow = power


def hypot(left: Any, right: Any) -> Symbol:
    """The hypotenuse of two symbols, or of a symbol and a number."""
    return _of_two("_hypot", left, right)
