"""The functions of `gluon.nd.random` on symbols."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import nd
from .._core.errors import DTypeError
from .calls import Outputs
from .compose import composed as _composed
from .functions import call
from .symbol import Symbol

_NAMES = {"shuffle": "_shuffle"}
globals().update(_composed(nd.random, "_random_", _NAMES))
if TYPE_CHECKING:
    from ._declared_random import *  # noqa: F403


def _drawn(name: str, parameters: dict[str, Any], more: dict[str, Any]) -> Symbol:
    """Create a sampling operator: one form with numbers, one with symbols."""
    symbols = [isinstance(one, Outputs) for one in parameters.values()]
    if any(symbols) and not all(symbols):
        raise DTypeError(f"{name}: give symbols for all of {', '.join(parameters)}, or for none")
    own = f"_{'sample' if any(symbols) else 'random'}_{name}"
    return call(own, own, **parameters, **more)


def uniform(low: Any = 0, high: Any = 1, shape: Any = None, dtype: Any = None, **kw: Any) -> Symbol:
    """Values between two bounds, which may be symbols; see `nd.random.uniform`."""
    return _drawn("uniform", {"low": low, "high": high}, {"shape": shape, "dtype": dtype, **kw})


def normal(loc: Any = 0, scale: Any = 1, shape: Any = None, dtype: Any = None, **kw: Any) -> Symbol:
    """Values of a normal distribution; see `nd.random.normal`."""
    names = ("mu", "sigma") if isinstance(loc, Outputs) else ("loc", "scale")
    return _drawn("normal", dict(zip(names, (loc, scale))), {"shape": shape, "dtype": dtype, **kw})


def randn(*shape: int, loc: Any = 0, scale: Any = 1, dtype: Any = None, **kw: Any) -> Symbol:
    """As `normal`, with the shape as separate integers."""
    return normal(loc, scale, shape, dtype, **kw)


def poisson(lam: Any = 1, shape: Any = None, dtype: Any = None, **kw: Any) -> Symbol:
    """Values of a Poisson distribution; see `nd.random.poisson`."""
    return _drawn("poisson", {"lam": lam}, {"shape": shape, "dtype": dtype, **kw})


def exponential(scale: Any = 1, shape: Any = None, dtype: Any = None, **kw: Any) -> Symbol:
    """Values of an exponential distribution; see `nd.random.exponential`."""
    return _drawn("exponential", {"lam": 1.0 / scale}, {"shape": shape, "dtype": dtype, **kw})


def gamma(alpha: Any = 1, beta: Any = 1, shape: Any = None, dtype: Any = None, **kw: Any) -> Symbol:
    """Values of a gamma distribution; see `nd.random.gamma`."""
    return _drawn("gamma", {"alpha": alpha, "beta": beta}, {"shape": shape, "dtype": dtype, **kw})


def negative_binomial(
    k: Any = 1, p: Any = 1, shape: Any = None, dtype: Any = None, **kw: Any
) -> Symbol:
    """Values of a negative binomial distribution; see `nd.random.negative_binomial`."""
    return _drawn("negative_binomial", {"k": k, "p": p}, {"shape": shape, "dtype": dtype, **kw})


def generalized_negative_binomial(
    mu: Any = 1, alpha: Any = 1, shape: Any = None, dtype: Any = None, **kw: Any
) -> Symbol:
    """See `nd.random.generalized_negative_binomial`."""
    more = {"shape": shape, "dtype": dtype, **kw}
    return _drawn("generalized_negative_binomial", {"mu": mu, "alpha": alpha}, more)


def randint(low: int, high: int, shape: Any = None, dtype: Any = None, **kw: Any) -> Symbol:
    """Integers from ``[low, high)``; see `nd.random.randint`."""
    return _drawn("randint", {"low": low, "high": high}, {"shape": shape, "dtype": dtype, **kw})


def multinomial(
    data: Symbol, shape: Any = None, get_prob: bool = True, dtype: Any = "int32", **kw: Any
) -> Symbol:
    """Class indices, by default with the logarithms of their probabilities."""
    own = "_sample_multinomial"
    return call(own, own, data, shape=shape, get_prob=get_prob, dtype=dtype, **kw)
