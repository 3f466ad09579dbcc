"""`gluon.symbol.np.random`: draws on symbols; see `gluon.np.random`."""

from __future__ import annotations

from typing import Any

from ..calls import Outputs
from ..np_methods import on
from ..np_symbol import NpSymbol


def _drawn(name: str, parameters: dict[str, Any], size: Any, ctx: Any, **more: Any) -> NpSymbol:
    """Create a sampling operator: parameters are numbers or symbols."""
    symbols = [one for one in parameters.values() if isinstance(one, Outputs)]
    numbers = {k: None if isinstance(one, Outputs) else one for k, one in parameters.items()}
    return on(f"_npi_{name}", name, *symbols, **numbers, size=size, ctx=ctx or "cpu(0)", **more)


def uniform(
    low: Any = 0.0, high: Any = 1.0, size: Any = None, dtype: Any = None, ctx: Any = None
) -> NpSymbol:
    """As ``gluon.np.random.uniform``; bounds may be symbols."""
    return _drawn("uniform", {"low": low, "high": high}, size, ctx, dtype=dtype or "float32")


def normal(
    loc: Any = 0.0, scale: Any = 1.0, size: Any = None, dtype: Any = None, ctx: Any = None
) -> NpSymbol:
    """As ``gluon.np.random.normal``; parameters may be symbols."""
    return _drawn("normal", {"loc": loc, "scale": scale}, size, ctx, dtype=dtype or "float32")


def rand(*size: int, **kwargs: Any) -> NpSymbol:
    """As ``gluon.np.random.rand``."""
    return uniform(0, 1, size=size, **kwargs)


def gamma(
    shape: Any, scale: Any = 1.0, size: Any = None, dtype: Any = None, ctx: Any = None
) -> NpSymbol:
    """As ``gluon.np.random.gamma``; parameters may be symbols."""
    return _drawn("gamma", {"shape": shape, "scale": scale}, size, ctx, dtype=dtype or "float32")


def exponential(scale: Any = 1.0, size: Any = None, ctx: Any = None) -> NpSymbol:
    """As ``gluon.np.random.exponential``; the scale may be a symbol."""
    return _drawn("exponential", {"scale": scale}, size, ctx)


def gumbel(loc: Any = 0.0, scale: Any = 1.0, size: Any = None, ctx: Any = None) -> NpSymbol:
    """As ``gluon.np.random.gumbel``; parameters may be symbols."""
    return _drawn("gumbel", {"loc": loc, "scale": scale}, size, ctx)


def logistic(loc: Any = 0.0, scale: Any = 1.0, size: Any = None, ctx: Any = None) -> NpSymbol:
    """As ``gluon.np.random.logistic``; parameters may be symbols."""
    return _drawn("logistic", {"loc": loc, "scale": scale}, size, ctx)


def pareto(a: Any, size: Any = None, ctx: Any = None) -> NpSymbol:
    """As ``gluon.np.random.pareto``; the parameter may be a symbol."""
    return _drawn("pareto", {"a": a}, size, ctx)


def rayleigh(scale: Any = 1.0, size: Any = None, ctx: Any = None) -> NpSymbol:
    """As ``gluon.np.random.rayleigh``; the scale may be a symbol."""
    return _drawn("rayleigh", {"scale": scale}, size, ctx)


def weibull(a: Any, size: Any = None, ctx: Any = None) -> NpSymbol:
    """As ``gluon.np.random.weibull``; the parameter may be a symbol."""
    return _drawn("weibull", {"a": a}, size, ctx)


def randint(
    low: int, high: int | None = None, size: Any = None, dtype: Any = None, ctx: Any = None
) -> NpSymbol:
    """As ``gluon.np.random.randint``."""
    first, last = (0, low) if high is None else (low, high)
    spec = {"low": first, "high": last, "shape": size or (), "dtype": dtype or "int64"}
    return on("_random_randint", "random_randint", ctx=ctx or "cpu(0)", **spec)
