"""Distributions in NumPy's parameterization: a parameter-free draw, and its transformation.

What they make of it is written with operators, so that a gradient reaches the parameters. Those of
the draw itself, such as the shape of a gamma distribution, have none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .generator import draws
from .random import MOST
from .reduce import of_all

if TYPE_CHECKING:
    from numpy.random import Generator


class Distribution(NamedTuple):
    """How to draw from a distribution.

    Attributes
    ----------
    draw : callable
        ``draw(rng, size, *shapes)``; the shapes are the parameters that have no gradient, raw.
    made : callable or None
        ``made(F, z, *others)``: samples from what was drawn and the other parameters, raw or
        recorded, by the operators `F`.
    shapes : tuple of str
        The names of the parameters of `draw`.
    rules : tuple of (str, str)
        A parameter, and which of `RULES` must hold for it.
    """

    draw: Callable[..., Any]
    made: Callable[..., Any] | None = None
    shapes: tuple[str, ...] = ()
    rules: tuple[tuple[str, str], ...] = ()


#: The condition on a parameter, as text and as a function.
RULES: dict[str, tuple[str, Callable[..., Any]]] = {
    "positive": ("must be above 0", lambda value: value > 0),
    "scale": ("must be 0 or more", lambda value: value >= 0),
    "share": ("must lie between 0 and 1", lambda value: (value >= 0) & (value <= 1)),
    "chance": ("must be above 0 and at most 1", lambda value: (value > 0) & (value <= 1)),
    "below": ("must be 0 or more and below 1", lambda value: (value >= 0) & (value < 1)),
    "steep": ("must be above 1", lambda value: value > 1),
    "count": ("must be 0 or more", lambda value: value >= 0),
    "mean": (f"must lie between 0 and {MOST:g}", lambda value: (value >= 0) & (value <= MOST)),
    "finite": ("must be finite", np.isfinite),
}


def _located(name: str) -> Distribution:
    """A distribution with a location and a scale."""
    return Distribution(
        lambda rng, size: getattr(rng, name)(size=size),
        lambda F, z, loc, scale: loc + scale * z,
        rules=(("scale", "scale"),),
    )


def _triangular(F: Any, u: Any, left: Any, mode: Any, right: Any) -> Any:
    """The inverse of the distribution function at `u`, in two branches."""
    width = right - left
    is_low = u * width <= mode - left
    low = left + F.sqrt(F.where(is_low, u * width * (mode - left), 1.0))
    high = right - F.sqrt(F.where(is_low, 1.0, (1 - u) * width * (right - mode)))
    return F.where(is_low, low, high)


DISTRIBUTIONS = {
    "uniform": Distribution(
        lambda rng, size: rng.random(size),
        lambda F, z, low, high: low + (high - low) * z,
        rules=(("low", "finite"), ("high", "finite")),
    ),
    **{name: _located(name) for name in ("normal", "gumbel", "logistic", "laplace")},
    "lognormal": Distribution(
        lambda rng, size: rng.standard_normal(size),
        lambda F, z, mean, sigma: F.exp(mean + sigma * z),
        rules=(("sigma", "scale"),),
    ),
    "exponential": Distribution(
        lambda rng, size: rng.standard_exponential(size),
        lambda F, z, scale: scale * z,
        rules=(("scale", "scale"),),
    ),
    "rayleigh": Distribution(
        lambda rng, size: rng.rayleigh(size=size),
        lambda F, z, scale: scale * z,
        rules=(("scale", "scale"),),
    ),
    "weibull": Distribution(
        lambda rng, size: rng.standard_exponential(size),
        lambda F, z, a: F.power(z, 1 / a),
        rules=(("a", "positive"),),
    ),
    "pareto": Distribution(
        lambda rng, size: rng.standard_exponential(size),
        lambda F, z, a: F.expm1(z / a),
        rules=(("a", "positive"),),
    ),
    "power": Distribution(
        lambda rng, size: -np.expm1(-rng.standard_exponential(size)),
        lambda F, z, a: F.power(z, 1 / a),
        rules=(("a", "positive"),),
    ),
    "triangular": Distribution(lambda rng, size: rng.random(size), _triangular),
    "gamma": Distribution(
        lambda rng, size, shape: rng.standard_gamma(shape, size),
        lambda F, z, scale: scale * z,
        ("shape",),
        (("shape", "scale"), ("scale", "scale")),
    ),
    "cauchy": Distribution(lambda rng, size: rng.standard_cauchy(size)),
    "beta": Distribution(
        lambda rng, size, a, b: rng.beta(a, b, size),
        None,
        ("a", "b"),
        (("a", "positive"), ("b", "positive")),
    ),
    "chisquare": Distribution(
        lambda rng, size, df: rng.chisquare(df, size), None, ("df",), (("df", "positive"),)
    ),
    "f": Distribution(
        lambda rng, size, dfnum, dfden: rng.f(dfnum, dfden, size),
        None,
        ("dfnum", "dfden"),
        (("dfnum", "positive"), ("dfden", "positive")),
    ),
    "t": Distribution(
        lambda rng, size, df: rng.standard_t(df, size), None, ("df",), (("df", "positive"),)
    ),
    "poisson": Distribution(
        lambda rng, size, lam: rng.poisson(lam, size), None, ("lam",), (("lam", "mean"),)
    ),
    "binomial": Distribution(
        lambda rng, size, n, p: rng.binomial(n.astype(np.int64), p, size),
        None,
        ("n", "p"),
        (("n", "count"), ("p", "share")),
    ),
    "negative_binomial": Distribution(
        lambda rng, size, n, p: rng.negative_binomial(n, p, size),
        None,
        ("n", "p"),
        (("n", "positive"), ("p", "chance")),
    ),
    "geometric": Distribution(
        lambda rng, size, p: rng.geometric(p, size), None, ("p",), (("p", "chance"),)
    ),
    "vonmises": Distribution(
        lambda rng, size, kappa: rng.vonmises(0, kappa, size),
        lambda F, z, mu: F.mod(mu + z + np.pi, 2 * np.pi) - np.pi,
        ("kappa",),
        (("kappa", "scale"),),
    ),
    "wald": Distribution(
        lambda rng, size, mean, scale: rng.wald(mean, scale, size),
        None,
        ("mean", "scale"),
        (("mean", "positive"), ("scale", "positive")),
    ),
    "noncentral_chisquare": Distribution(
        lambda rng, size, df, nonc: rng.noncentral_chisquare(df, nonc, size),
        None,
        ("df", "nonc"),
        (("df", "positive"), ("nonc", "scale")),
    ),
    "noncentral_f": Distribution(
        lambda rng, size, dfnum, dfden, nonc: rng.noncentral_f(dfnum, dfden, nonc, size),
        None,
        ("dfnum", "dfden", "nonc"),
        (("dfnum", "positive"), ("dfden", "positive"), ("nonc", "scale")),
    ),
    "zipf": Distribution(lambda rng, size, a: rng.zipf(a, size), None, ("a",), (("a", "steep"),)),
    "logseries": Distribution(
        lambda rng, size, p: rng.logseries(p, size), None, ("p",), (("p", "below"),)
    ),
    "hypergeometric": Distribution(
        lambda rng, size, *counts: rng.hypergeometric(*[n.astype(np.int64) for n in counts], size),
        None,
        ("ngood", "nbad", "nsample"),
        (("ngood", "count"), ("nbad", "count"), ("nsample", "count")),
    ),
}


def check(distribution: str, parameters: dict[str, Any]) -> None:
    """Raise ValueError where parameters, numbers or raw arrays, break a rule."""
    for name, rule in DISTRIBUTIONS[distribution].rules:
        text, holds = RULES[rule]
        values = np.asarray(of_all(parameters[name]), np.float64)
        good = np.asarray(holds(values))
        if not good.all():
            first = values.ravel()[np.ravel(~good)][0]
            raise ValueError(f"{name} {text}; got {name}={first:g}")


@draws
def draw(distribution: str, shapes: list[Any], *, size: tuple[int, ...], rng: Generator) -> Any:
    """What is drawn, as float64 or int64, before the other parameters make samples of it."""
    raws = [np.asarray(one, np.float64) for one in shapes]
    return np.asarray(DISTRIBUTIONS[distribution].draw(rng, size, *raws))
