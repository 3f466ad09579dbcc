"""The gamma and error functions, computed in double precision, and probability densities."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ..._core.kernels import special
from ...nd.density import DENSITIES, SMALL
from .builder import CONVERTERS, Call, Graph
from .formula import Value


def _polynomial(coefficients: Sequence[float], t: Value) -> Value:
    """Evaluate the polynomial with `coefficients`, the constant first."""
    y: Any = float(coefficients[-1])
    for c in coefficients[-2::-1]:
        y = t * y + float(c)
    return y


def _log(x: Any) -> Value:
    return x.call("Log")


def _near(x: Value) -> Value:
    """Return gammaln(x) for x in [0, 2.5]: see the kernel."""
    two, one = x < 0.5, x < 1.5
    y = _polynomial(special.AT_TWO, x + one.where(two.where(2.0, x.like(1)), 0.0) - 2)
    y = y - one.where(_log(two.where(x + 1, x)), 0.0)
    return y - two.where(_log(x), 0.0)


def _far(x: Value) -> Value:
    """Return gammaln(x) for x >= 2.5."""
    product, z = x.like(1.0), x
    for _ in range(6):
        low = z < 8
        product = product * low.where(z, 1.0)
        z = z + low.cast("float64")
    inverse = 1 / z
    series = [b / (2 * k * (2 * k - 1)) for k, b in enumerate(special.BERNOULLI, 1)]
    y = (z - 0.5) * _log(z) - z + 0.5 * math.log(2 * math.pi)
    return y + inverse * _polynomial(series, inverse * inverse) - _log(product)


def _off_integer(x: Value) -> Value:
    return x - x.call("Round")


def gammaln(x: Value) -> Value:
    """The logarithm of the absolute value of the gamma function."""
    below = x < 0
    z = below.where(1 - x, x)
    y = (z < 2.5).where(_near(z.call("Clip", 0.0, 2.5)), _far(z.call("Max", 2.5)))
    sine = (_off_integer(x) * math.pi).call("Sin").call("Abs")
    y = below.where(_log(math.pi / sine) - y, y)
    return x.call("IsInf", to=bool).where(math.inf, y)


def _gamma(x: Value) -> Value:
    whole = x.call("Floor")
    half = whole * 0.5
    odd = (half.call("Floor") < half) & (x < 0)
    sign = (odd | ((1 / x) < -1e308)).where(-1.0, x.like(1))
    y = gammaln(x).call("Exp")
    y = (whole.equals(x) & (x < 19)).where(y.call("Round"), y)
    return (whole.equals(x) & (x < 0)).where(math.nan, sign * y)


def _digamma(x: Value) -> Value:
    below = x < 0
    z = below.where(1 - x, x)
    y = z * 0
    for _ in range(10):
        low = z < 10
        y = y + low.where(1 / low.where(z, 1.0), 0.0)
        z = z + low.cast("float64")
    inverse = 1 / z
    square = inverse * inverse
    series = [b / (2 * k) for k, b in enumerate(special.BERNOULLI, 1)]
    y = -(y + inverse * 0.5 - _log(z) + square * _polynomial(series, square))
    angle = _off_integer(x) * math.pi
    y = below.where(y - angle.call("Cos") / angle.call("Sin") * math.pi, y)
    return (below & x.call("Floor").equals(x)).where(math.nan, y)


def _erfinv(x: Value) -> Value:
    """Start from an approximation, and apply Halley's method: see the kernel."""
    size = x.call("Abs")
    rest = _log(1 - x * x)
    half = rest * 0.5 + 2 / (math.pi * 0.147)
    y = ((half * half - rest * (1 / 0.147)).call("Sqrt") - half).call("Sqrt")
    y = (size < 1).where(y, 0.0)
    far = numpy.polynomial.chebyshev.cheb2poly(special._far()).tolist()
    first, last = special.FIRST, special.LAST
    for _ in range(2):
        low, high = y.call("Min", 1.0), y.call("Max", 1.0)
        t = ((high - 4) / (high + 4) - first) * (2 / (last - first)) - 1
        beyond = (1 - size) - (-(high * high)).call("Exp") * _polynomial(far, t)
        inside = low * _polynomial(special._near(), low * low * 2 - 1) - size
        step = (y < 1).where(inside, beyond) * (special.SQRT_PI / 2) * (y * y).call("Exp")
        y = y - step / (y * step + 1)
    y = size.equals(1).where(math.inf, y)
    return (size > 1).where(math.nan, x.call("Sign") * y)


def _in_double(compute: Callable[[Value], Value]) -> Callable[[Graph, Call], str]:
    def convert(g: Graph, call: Call) -> str:
        x = Value(g, call.inputs[0], call.dtype()).cast("float64")
        return compute(x).cast(call.out_dtypes[0] or call.dtype()).name

    return convert


CONVERTERS.update(
    {
        "digamma": _in_double(_digamma),
        "erfinv": _in_double(_erfinv),
        "gamma": _in_double(_gamma),
        "gammaln": _in_double(gammaln),
    }
)


def _times_log(a: Value, x: Value) -> Value:
    """Return ``a * log(x)``, or 0 where both are 0."""
    return a * _log((a.equals(0) & x.equals(0)).where(1.0, x))


def _poisson(x: Value, lam: Value) -> Value:
    return _times_log(x, lam) - lam - gammaln(x + 1)


def _ways(x: Value, k: Value) -> Value:
    """Return the logarithm of the binomial coefficient ``x + k - 1`` over ``x``."""
    return x.equals(0).where(0.0, gammaln(x + k) - gammaln(k)) - gammaln(x + 1)


def _generalized(x: Value, mu: Value, alpha: Value) -> Value:
    small = alpha < SMALL
    near = _poisson(x, mu) + alpha * ((x - mu) * (x - mu) - x) * 0.5
    alpha = small.where(1.0, alpha)
    k, odds = 1 / alpha, mu * alpha
    far = _ways(x, k) + _times_log(x, odds) - (x + k) * _log(odds + 1)
    return small.where(near, far)


def _dirichlet(x: Value, alpha: Value) -> Value:
    terms = _times_log(alpha - 1, x) - gammaln(alpha)
    total = gammaln(alpha.reduce("ReduceSum", [-1], False))
    return terms.reduce("ReduceSum", [-1], False) + total


def _normal(x: Value, mu: Value, sigma: Value) -> Value:
    z = (x - mu) / sigma
    return z * z * -0.5 - _log(sigma) - math.log(2 * math.pi) / 2


def _negative_binomial(x: Value, k: Value, p: Value) -> Value:
    return _ways(x, k) + _times_log(k, p) + _times_log(x, 1 - p)


#: Log densities, as in `gluon.nd`.
LOGS: dict[str, Callable[..., Value]] = {
    "dirichlet": _dirichlet,
    "exponential": lambda x, lam: _log(lam) - lam * x,
    "gamma": lambda x, alpha, beta: (
        alpha * _log(beta) + _times_log(alpha - 1, x) - beta * x - gammaln(alpha)
    ),
    "generalized_negative_binomial": _generalized,
    "negative_binomial": _negative_binomial,
    "normal": _normal,
    "poisson": _poisson,
    "uniform": lambda x, low, high: x * 0 - _log(high - low),
}


def _density(name: str) -> Callable[[Graph, Call], str]:
    density, width = DENSITIES[name], int(name == "dirichlet")

    def convert(g: Graph, call: Call) -> str:
        kinds = [call.dtype(k) for k in range(len(call.inputs))]
        x, *parameters = (
            Value(g, one, kind).cast("float64") for one, kind in zip(call.inputs, kinds)
        )
        own = call.ndim(1) - width
        if spread := range(own, own + call.ndim() - call.ndim(1)):
            parameters = [one.unsqueeze(*spread) for one in parameters]
        valid = density.valid(*parameters)
        if name == "normal":  # defined everywhere
            y = LOGS[name](x, *parameters)
        else:
            outside = density.outside(x, *parameters)
            y = LOGS[name](outside.where(1.0, x), *parameters)
            outside = Value(g, g.squeeze(outside.name, -1), bool) if width else outside
            y = outside.where(-math.inf, y)
        valid = Value(g, g.squeeze(valid.name, -1), bool) if width else valid
        y = valid.where(y, math.nan)
        y = y if call["is_log"] else y.call("Exp")
        return g.with_axis(y.cast(numpy.result_type(*kinds)).name, call.ndim() - width)

    return convert


CONVERTERS.update({f"_random_pdf_{name}": _density(name) for name in LOGS})
