"""`nd`: probability densities, ``random_pdf_*``.

The logarithm of each density is an expression of operators, so that its gradients of every order
are theirs. It is computed in float64 and rounded at the end.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .._core.engine.array import Array, wrap
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, DTypeError
from .._core.faces.prototype import T
from .._core.kernels.memory import Buffer
from .._core.kernels.reduce import surely
from ._array import NDArray
from ._function import function, listed
from ._public import at_least_1d, write

# --------------------------------------------- the logarithms; parameters broadcast to samples


def _times_log(a: Any, x: Any) -> Any:
    """Return ``a * log(x)``, or 0 where both are 0."""
    both = ops.logical_and(ops.equal(a, 0), ops.equal(x, 0))
    return a * ops.log(ops.where(both, 1, x))


def _uniform(x: Any, low: Any, high: Any) -> Any:
    return ops.zeros_like(x) - ops.log(high - low)


def _normal(x: Any, mu: Any, sigma: Any) -> Any:
    z = (x - mu) / sigma
    return z * z * -0.5 - ops.log(sigma) - math.log(2 * math.pi) / 2


def _gamma(x: Any, alpha: Any, beta: Any) -> Any:
    return alpha * ops.log(beta) + _times_log(alpha - 1, x) - beta * x - ops.gammaln(alpha)


def _exponential(x: Any, lam: Any) -> Any:
    return ops.log(lam) - lam * x


def _log_factorial(x: Any) -> Any:
    """Return ``gammaln(x + 1)`` of constants, computed once per value because counts repeat."""
    counts = x.raw
    if isinstance(counts, Buffer):  # on a device, where each look at values is waited for
        return ops.gammaln(x + 1)
    if not (counts.size and counts.min() >= 0 and counts.max() < counts.size):
        return ops.gammaln(x + 1)
    places = counts.astype(np.intp)
    if (places != counts).any():
        return ops.gammaln(x + 1)
    ways = ops.gammaln(wrap(NDArray, np.arange(1.0, places.max() + 2), x._ctx))
    return wrap(NDArray, ways.raw[places], x._ctx)


def _poisson(x: Any, lam: Any) -> Any:
    x = ops.stop_gradient(x)
    return _times_log(x, lam) - lam - _log_factorial(x)


def _ways(x: Any, k: Any) -> Any:
    """Return the logarithm of the binomial coefficient ``x + k - 1`` over ``x``, any k >= 0."""
    rising = ops.gammaln(x + k) - ops.gammaln(k)
    return ops.where(ops.equal(x, 0), 0, rising) - _log_factorial(x)


def _negative_binomial(x: Any, k: Any, p: Any) -> Any:
    x = ops.stop_gradient(x)
    return _ways(x, k) + _times_log(k, p) + _times_log(x, 1 - p)


#: Up to this alpha, the generalized negative binomial distribution uses a series in alpha: the
#: difference of two large numbers would lose digits.
SMALL = 1e-6


def _generalized(x: Any, mu: Any, alpha: Any) -> Any:
    x = ops.stop_gradient(x)
    small = ops.less(alpha, SMALL)
    near = _poisson(x, mu) + alpha * (ops.square(x - mu) - x) * 0.5
    alpha = ops.where(small, 1, alpha)
    k, odds = 1 / alpha, mu * alpha
    far = _ways(x, k) + _times_log(x, odds) - (x + k) * ops.log1p(odds)
    return ops.where(small, near, far)


def _dirichlet(x: Any, alpha: Any) -> Any:
    terms = ops.sum(_times_log(alpha - 1, x) - ops.gammaln(alpha), axis=-1)
    return terms + ops.gammaln(ops.sum(alpha, axis=-1))


# ------------------------------------------------------------------------------- the table


COUNTS = "Counts, with the gradient 0; below 0 the density is 0. They need not be whole."
ABOVE_0 = "Below 0 the density is 0."


def _negative(x: Any, *parameters: Any) -> Any:
    return x < 0


def _nowhere(x: Any, *parameters: Any) -> Any:
    return np.zeros(x.shape, bool)


class Density(NamedTuple):
    """One density.

    Attributes
    ----------
    log : callable
        Its logarithm, a function of the samples and the parameters.
    valid : callable
        For which parameters, raw arrays, there is a distribution.
    outside : callable
        At which samples, given with the parameters, the density is 0.
    parameters : dict
        What each parameter means.
    sample : str
        What the samples may be.
    formula : str
    example : tuple of tuple and str
        The arguments, and the values that they give.
    """

    log: Callable[..., Any]
    valid: Callable[..., Any]
    outside: Callable[..., Any]
    parameters: dict[str, str]
    sample: str
    formula: str
    example: tuple[tuple[str, ...], str]


DENSITIES = {
    "uniform": Density(
        _uniform,
        lambda low, high: low < high,
        lambda x, low, high: (x < low) | (x > high),
        {"low": "The lower bounds.", "high": "The upper bounds, above `low`."},
        "Outside the bounds, which belong to the distribution, the density is 0.",
        "1 / (high - low)",
        (("[[1, 2, 9]]", "[0]", "[4]"), "[[0.25, 0.25, 0.  ]]"),
    ),
    "normal": Density(
        _normal,
        lambda mu, sigma: sigma > 0,
        _nowhere,
        {"mu": "The means.", "sigma": "The standard deviations, above 0."},
        "Any numbers.",
        "exp(-(x - mu)**2 / (2 * sigma**2)) / (sigma * sqrt(2 * pi))",
        (("[[0, 1, 2]]", "[1]", "[1]"), "[[0.24197072, 0.3989423 , 0.24197072]]"),
    ),
    "gamma": Density(
        _gamma,
        lambda alpha, beta: (alpha > 0) & (beta > 0),
        _negative,
        {
            "alpha": "The shapes, above 0.",
            "beta": "The rates, above 0; the samplers take ``1 / beta``, the scale.",
        },
        ABOVE_0,
        "beta**alpha * x**(alpha - 1) * exp(-beta * x) / gamma(alpha)",
        (("[[1, 2]]", "[5]", "[1]"), "[[0.01532831, 0.09022352]]"),
    ),
    "exponential": Density(
        _exponential,
        lambda lam: lam > 0,
        _negative,
        {"lam": "The rates, above 0."},
        ABOVE_0,
        "lam * exp(-lam * x)",
        (("[[0, 1]]", "[2]"), "[[2.        , 0.27067056]]"),
    ),
    "poisson": Density(
        _poisson,
        lambda lam: lam >= 0,
        _negative,
        {"lam": "The means, 0 or more."},
        COUNTS,
        "lam**x * exp(-lam) / x!",
        (("[[0, 1]]", "[1]"), "[[0.36787945, 0.36787945]]"),
    ),
    "negative_binomial": Density(
        _negative_binomial,
        lambda k, p: (k >= 0) & (p > 0) & (p <= 1),
        _negative,
        {
            "k": "The failures that end the counts, 0 or more.",
            "p": "The probabilities of a failure, above 0 and at most 1.",
        },
        COUNTS,
        "gamma(x + k) / (x! * gamma(k)) * p**k * (1 - p)**x",
        (("[[1, 2, 3]]", "[1]", "[0.5]"), "[[0.25  , 0.125 , 0.0625]]"),
    ),
    "generalized_negative_binomial": Density(
        _generalized,
        lambda mu, alpha: (mu >= 0) & (alpha >= 0),
        _negative,
        {"mu": "The means, 0 or more.", "alpha": "The dispersions, 0 or more."},
        COUNTS,
        "gamma(x + k) / (x! * gamma(k)) * p**k * (1 - p)**x",
        (("[[1, 2, 3]]", "[1]", "[1]"), "[[0.25  , 0.125 , 0.0625]]"),
    ),
    "dirichlet": Density(
        _dirichlet,
        lambda alpha: (alpha > 0).all(-1, keepdims=True),
        lambda x, alpha: (x < 0).any(-1, keepdims=True),
        {"alpha": "The concentrations, above 0."},
        "Numbers below 0 have the density 0; gluon does not check that the sum is 1.",
        "prod(x**(alpha - 1)) * gamma(sum(alpha)) / prod(gamma(alpha))",
        (("[[0.25, 0.75]]", "[2, 2]"), "[1.125]"),
    ),
}


def _aligned(name: str, sample: Any, parameters: dict[str, Any], width: int) -> tuple[int, ...]:
    """Return the shape in which the parameters broadcast to `sample`.

    The last `width` axes make up one sample.
    """
    for key, value in {"sample": sample, **parameters}.items():
        if not isinstance(value, Array):
            raise DTypeError(
                f"{name}: {key} must be an NDArray, not {type(value).__name__}; use nd.array(...)"
            )
    shapes = [value.shape for value in parameters.values()]
    shape, own = shapes[0], len(shapes[0]) - width
    spread = sample.ndim - len(shape)
    between = sample.shape[own : own + spread]
    fits = spread >= 0 and sample.shape == shape[:own] + between + shape[own:]
    if not fits or len(set(shapes)) > 1:
        given = ", ".join(f"{key} {value.shape}" for key, value in parameters.items())
        raise ArgumentError(
            f"{name}: sample {sample.shape} does not go with {given}: the parameters need one"
            " shape, with which that of the sample begins"
        )
    return shape[:own] + (1,) * spread + shape[own:]


def _dtype(name: str, arrays: list[NDArray]) -> Any:
    """Return the dtype of the result."""
    found = np.result_type(*[x.form.dtype for x in arrays])
    if found.kind not in "fV":
        raise DTypeError(f"{name}: {found.name} arrays; one must be of floating-point numbers")
    return found


def _wide(x: NDArray) -> NDArray:
    return x if x.form.dtype == np.float64 else ops.cast(x, dtype="float64")


def _where(mask: Any, x: Any, other: Any, ctx: Any) -> NDArray:
    return ops.where(wrap(NDArray, mask, ctx), x, other)


def _log_density(density: Density, x: NDArray, parameters: list[NDArray]) -> NDArray:
    """Return the log density of broadcast float64 arrays: -inf outside, NaN for invalid parameters.

    What is outside is replaced before the formula, which might make NaN of it in the gradient.
    """
    ctx = x._ctx
    valid = density.valid(*[p.raw for p in parameters])
    if not surely(valid.all()):
        parameters = [_where(valid, p, math.nan, ctx) for p in parameters]
    outside = valid & density.outside(x.raw, *[p.raw for p in parameters])
    if surely(~outside.any()):
        return density.log(x, *parameters)
    found = density.log(_where(outside, 1.0, x, ctx), *parameters)
    return _where(outside.reshape(found.shape), -math.inf, found, ctx)


def _density(like: T) -> T:
    """Create the public function with the name and the signature of `like`."""
    name = like.__name__
    distribution = name.removeprefix("random_pdf_")
    density = DENSITIES[distribution]
    width = int(distribution == "dirichlet")

    def call(sample: Any, is_log: bool, out: Any, **parameters: Any) -> NDArray:
        shape = _aligned(name, sample, parameters, width)
        arrays = list(parameters.values())
        dtype = _dtype(name, [sample, *arrays])
        arrays = [ops.reshape(_wide(p), shape=shape) for p in arrays]
        with np.errstate(all="ignore"):
            found = _log_density(density, _wide(sample), arrays)
            found = ops.cast(found if is_log else ops.exp(found), dtype=dtype)
        result = at_least_1d(found)
        return result if out is None else write(out, result, name)

    own = " + (k,)" * width
    inputs = (
        f"sample : NDArray of shape s + t{own}\n        {density.sample}\n    "
        + listed(density.parameters, f"NDArray of shape s{own}")
        + "\n    is_log : bool, default False\n        Give the logarithm of the density."
    )
    given, printed = density.example
    values = ", ".join(f"nd.array({value})" for value in given)
    returns = RETURNS.format(density.formula, f"nd.{name}({values})", printed)
    return function(like, call, inputs, returns)


RETURNS = """NDArray of shape s + t
        ``{0}``; NaN where there is no distribution.

    Raises
    ------
    ArgumentError
        If the parameters do not have one shape, or that of the sample does not begin with it.
    DTypeError
        If an argument is not an array, or none is of floating-point numbers.

    Examples
    --------
    >>> from gluon import nd
    >>> {1}.asnumpy()
    array({2}, dtype=float32)
"""


@_density
def random_pdf_uniform(
    sample: NDArray,
    low: NDArray,
    high: NDArray,
    is_log: bool = False,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Probability density of uniform distributions."""
    raise NotImplementedError


@_density
def random_pdf_normal(
    sample: NDArray,
    mu: NDArray,
    sigma: NDArray,
    is_log: bool = False,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Probability density of normal distributions."""
    raise NotImplementedError


@_density
def random_pdf_gamma(
    sample: NDArray,
    alpha: NDArray,
    beta: NDArray,
    is_log: bool = False,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Probability density of gamma distributions."""
    raise NotImplementedError


@_density
def random_pdf_exponential(
    sample: NDArray,
    lam: NDArray,
    is_log: bool = False,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Probability density of exponential distributions."""
    raise NotImplementedError


@_density
def random_pdf_poisson(
    sample: NDArray,
    lam: NDArray,
    is_log: bool = False,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Probability mass of Poisson distributions."""
    raise NotImplementedError


@_density
def random_pdf_negative_binomial(
    sample: NDArray,
    k: NDArray,
    p: NDArray,
    is_log: bool = False,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Probability mass of negative binomial distributions."""
    raise NotImplementedError


@_density
def random_pdf_generalized_negative_binomial(
    sample: NDArray,
    mu: NDArray,
    alpha: NDArray,
    is_log: bool = False,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Probability mass of generalized negative binomial distributions."""
    raise NotImplementedError


@_density
def random_pdf_dirichlet(
    sample: NDArray,
    alpha: NDArray,
    is_log: bool = False,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Probability density of Dirichlet distributions."""
    raise NotImplementedError
