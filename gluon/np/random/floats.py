"""`np.random`: samples of distributions of floating-point numbers.

A gradient reaches the parameters through the samples, except for those that a docstring excludes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from ...face.prototype import T, typed
from ...ndarray import Context
from .._array import ndarray
from .drawing import draw, sampler

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike


LOC = "array_like of any shape and dtype\nThe location."
SCALE = "array_like of any shape and dtype\nThe scale, 0 or more."
RATE = "array_like of any shape and dtype\nAbove 0."
NO_GRADIENT = "array_like of any shape and dtype\nAbove 0. No gradient reaches it."
UNIT = """
    >>> np.random.{0}.shape
    {1}
    """


@sampler(
    UNIT.format("uniform(-1, 1, size=(2, 3))", (2, 3)),
    low="array_like of any shape and dtype\nThe lower bound.",
    high="array_like of any shape and dtype\nThe upper bound, which is excluded.",
)
def uniform(
    low: ArrayLike = 0.0,
    high: ArrayLike = 1.0,
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
    out: ndarray | None = None,
    *,
    device: Context | None = None,
) -> ndarray:
    """Samples of the uniform distribution on ``[low, high)``."""
    return draw("uniform", {"low": low, "high": high}, size, dtype, ctx, out, device)


@sampler(
    UNIT.format("normal(np.zeros(3), 2.0, size=(2, 3))", (2, 3)),
    loc="array_like of any shape and dtype\nThe mean.",
    scale="array_like of any shape and dtype\nThe standard deviation, 0 or more.",
)
def normal(
    loc: ArrayLike = 0.0,
    scale: ArrayLike = 1.0,
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
    out: ndarray | None = None,
    *,
    device: Context | None = None,
) -> ndarray:
    """Samples of the normal distribution."""
    return draw("normal", {"loc": loc, "scale": scale}, size, dtype, ctx, out, device)


def located(
    loc: ArrayLike = 0.0,
    scale: ArrayLike = 1.0,
    size: int | Sequence[int] | None = None,
    ctx: Context | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Samples of a distribution with a location and a scale."""
    raise NotImplementedError


def _located(like: T, name: str, doc: str) -> T:
    def call(
        loc: Any = 0.0, scale: Any = 1.0, size: Any = None, ctx: Any = None, out: Any = None
    ) -> ndarray:
        return draw(name, {"loc": loc, "scale": scale}, size, None, ctx, out)

    call.__doc__, call.__name__, call.__qualname__ = doc, name, name
    return typed(
        like, sampler(UNIT.format(f"{name}(0, 2, size=3)", (3,)), loc=LOC, scale=SCALE)(call)
    )


gumbel: Final = _located(
    located,
    "gumbel",
    "Samples of the Gumbel distribution, the limit for the maximum of many.",
)
logistic: Final = _located(located, "logistic", "Samples of the logistic distribution.")


@sampler(UNIT.format("laplace(0, 2, size=3)", (3,)), loc=LOC, scale=SCALE)
def laplace(
    loc: ArrayLike = 0.0,
    scale: ArrayLike = 1.0,
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Samples of the Laplace distribution."""
    return draw("laplace", {"loc": loc, "scale": scale}, size, dtype, ctx, out)


@sampler(
    UNIT.format("lognormal(0, 0.5, size=3)", (3,)),
    mean="array_like of any shape and dtype\nThe mean of the logarithm.",
    sigma="array_like of any shape and dtype\nThe standard deviation of the logarithm, 0 or more.",
)
def lognormal(
    mean: ArrayLike = 0.0,
    sigma: ArrayLike = 1.0,
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Samples of the log-normal distribution."""
    return draw("lognormal", {"mean": mean, "sigma": sigma}, size, dtype, ctx, out)


def scaled(
    scale: ArrayLike = 1.0,
    size: int | Sequence[int] | None = None,
    ctx: Context | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Samples of a distribution with a scale."""
    raise NotImplementedError


def _scaled(like: T, name: str, doc: str) -> T:
    def call(scale: Any = 1.0, size: Any = None, ctx: Any = None, out: Any = None) -> ndarray:
        return draw(name, {"scale": scale}, size, None, ctx, out)

    call.__doc__, call.__name__, call.__qualname__ = doc, name, name
    return typed(like, sampler(UNIT.format(f"{name}(2.0, size=3)", (3,)), scale=SCALE)(call))


exponential: Final = _scaled(
    scaled, "exponential", "Samples of the exponential distribution, `scale` its mean."
)
rayleigh: Final = _scaled(
    scaled, "rayleigh", "Samples of the Rayleigh distribution, lengths of normal pairs."
)


def powered(
    a: ArrayLike,
    size: int | Sequence[int] | None = None,
    ctx: Context | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Samples of a distribution with an exponent."""
    raise NotImplementedError


def _powered(like: T, name: str, doc: str) -> T:
    def call(a: Any, size: Any = None, ctx: Any = None, out: Any = None) -> ndarray:
        return draw(name, {"a": a}, size, None, ctx, out)

    call.__doc__, call.__name__, call.__qualname__ = doc, name, name
    return typed(like, sampler(UNIT.format(f"{name}(2.0, size=3)", (3,)), a=RATE)(call))


weibull: Final = _powered(powered, "weibull", "Samples of the Weibull distribution of shape `a`.")
pareto: Final = _powered(
    powered,
    "pareto",
    "Samples of the Pareto distribution of the second kind, starting at 0.",
)
power: Final = _powered(
    powered, "power", "Samples between 0 and 1 of the density ``a * x ** (a - 1)``."
)


@sampler(
    UNIT.format("triangular(0, 1, 3, size=3)", (3,)),
    left="array_like of any shape and dtype\nThe lower bound.",
    mode="array_like of any shape and dtype\nWhere the density is highest.",
    right="array_like of any shape and dtype\nThe upper bound.",
)
def triangular(
    left: ArrayLike, mode: ArrayLike, right: ArrayLike, size: int | Sequence[int] | None = None
) -> ndarray:
    """Samples of the triangular distribution."""
    parameters = {"left": left, "mode": mode, "right": right}
    return draw("triangular", parameters, size)


@sampler(
    UNIT.format("gamma(2.0, size=3)", (3,)),
    shape="array_like of any shape and dtype\n0 or more. No gradient reaches it.",
    scale=SCALE,
)
def gamma(
    shape: ArrayLike,
    scale: ArrayLike = 1.0,
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Samples of the gamma distribution."""
    return draw("gamma", {"shape": shape, "scale": scale}, size, dtype, ctx, out)


@sampler(UNIT.format("beta(2.0, 3.0, size=3)", (3,)), a=NO_GRADIENT, b=NO_GRADIENT)
def beta(
    a: ArrayLike,
    b: ArrayLike,
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> ndarray:
    """Samples of the beta distribution, between 0 and 1."""
    return draw("beta", {"a": a, "b": b}, size, dtype, ctx)


@sampler(UNIT.format("chisquare(3, size=3)", (3,)), df=NO_GRADIENT)
def chisquare(
    df: ArrayLike,
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> ndarray:
    """Samples of the chi-square distribution with `df` degrees of freedom."""
    return draw("chisquare", {"df": df}, size, dtype, ctx)


@sampler(UNIT.format("f(3, 5, size=3)", (3,)), dfnum=NO_GRADIENT, dfden=NO_GRADIENT)
def f(
    dfnum: ArrayLike,
    dfden: ArrayLike,
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> ndarray:
    """Samples of the F distribution with `dfnum` and `dfden` degrees of freedom."""
    return draw("f", {"dfnum": dfnum, "dfden": dfden}, size, dtype, ctx)


@sampler(
    UNIT.format("vonmises(0, 2.0, size=3)", (3,)),
    mu="array_like of any shape and dtype\nThe mean direction, in radians.",
    kappa=(
        "array_like of any shape and dtype\nThe concentration, 0 or more. No gradient reaches it."
    ),
)
def vonmises(
    mu: ArrayLike,
    kappa: ArrayLike,
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> ndarray:
    """Samples of the von Mises distribution: angles from -pi to pi."""
    return draw("vonmises", {"mu": mu, "kappa": kappa}, size, dtype, ctx)


@sampler(UNIT.format("wald(2.0, 3.0, size=3)", (3,)), mean=NO_GRADIENT, scale=NO_GRADIENT)
def wald(
    mean: ArrayLike,
    scale: ArrayLike,
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> ndarray:
    """Samples of the Wald (inverse Gaussian) distribution."""
    return draw("wald", {"mean": mean, "scale": scale}, size, dtype, ctx)


NONC = "array_like of any shape and dtype\n0 or more. No gradient reaches it."


@sampler(UNIT.format("noncentral_chisquare(3, 1.0, size=3)", (3,)), df=NO_GRADIENT, nonc=NONC)
def noncentral_chisquare(
    df: ArrayLike,
    nonc: ArrayLike,
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> ndarray:
    """Samples of the noncentral chi-square distribution."""
    return draw("noncentral_chisquare", {"df": df, "nonc": nonc}, size, dtype, ctx)


@sampler(
    UNIT.format("noncentral_f(3, 5, 1.0, size=3)", (3,)),
    dfnum=NO_GRADIENT,
    dfden=NO_GRADIENT,
    nonc=NONC,
)
def noncentral_f(
    dfnum: ArrayLike,
    dfden: ArrayLike,
    nonc: ArrayLike,
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> ndarray:
    """Samples of the noncentral F distribution."""
    return draw("noncentral_f", {"dfnum": dfnum, "dfden": dfden, "nonc": nonc}, size, dtype, ctx)


# ------------------------------------------------------------------------------- standard

LENGTHS = "int\nThe shape; a single number by default."


@sampler(
    UNIT.format("rand(2, 3)", (2, 3)),
    size=LENGTHS,
    kwargs="object\n`dtype`, `ctx` and `out`, as for `uniform`.",
)
def rand(*size: int, **kwargs: Any) -> ndarray:
    """Samples of the uniform distribution on ``[0, 1)``; the shape is given as integers."""
    return uniform(size=size, **kwargs)


@sampler(
    UNIT.format("randn(2, 3)", (2, 3)),
    size=LENGTHS,
    kwargs="object\n`dtype`, `ctx` and `out`, as for `normal`.",
)
def randn(*size: int, **kwargs: Any) -> ndarray:
    """Samples of the standard normal distribution; the shape is given as integers."""
    return normal(size=size, **kwargs)


@sampler(UNIT.format("random((2, 3))", (2, 3)))
def random(
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> ndarray:
    """Samples of the uniform distribution on ``[0, 1)``."""
    return uniform(size=size, dtype=dtype, ctx=ctx)


random_sample = random
ranf = random
sample = random


@sampler(UNIT.format("standard_normal(3)", (3,)))
def standard_normal(
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> ndarray:
    """Samples of the normal distribution of mean 0 and deviation 1."""
    return normal(size=size, dtype=dtype, ctx=ctx)


@sampler(UNIT.format("standard_exponential(3)", (3,)))
def standard_exponential(
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> ndarray:
    """Samples of the exponential distribution of mean 1."""
    return draw("exponential", {"scale": 1.0}, size, dtype, ctx)


@sampler(
    UNIT.format("standard_gamma(2.0, 3)", (3,)),
    shape="array_like of any shape and dtype\nNo gradient reaches it.",
)
def standard_gamma(
    shape: ArrayLike,
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> ndarray:
    """Samples of the gamma distribution of scale 1."""
    return gamma(shape, 1.0, size, dtype, ctx)


@sampler(UNIT.format("standard_cauchy(3)", (3,)))
def standard_cauchy(
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> ndarray:
    """Samples of the Cauchy distribution, the ratio of two normal numbers."""
    return draw("cauchy", {}, size, dtype, ctx)


@sampler(UNIT.format("standard_t(5, 3)", (3,)), df=NO_GRADIENT)
def standard_t(
    df: ArrayLike,
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> ndarray:
    """Samples of Student's t distribution with `df` degrees of freedom."""
    return draw("t", {"df": df}, size, dtype, ctx)
