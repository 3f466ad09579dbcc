"""`np.random`: samples of distributions of floating-point numbers.

A gradient reaches the parameters through the samples, except for those that a docstring excludes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..._core.arrays import Context
from .._array import ndarray
from .drawing import draw, sampler

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike


@sampler
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
    """Samples of the uniform distribution on ``[low, high)``.

    Parameters
    ----------
    low : array_like of any shape and dtype
        The lower bound.
    high : array_like of any shape and dtype
        The upper bound, which is excluded.

    Examples
    --------
    >>> from gluon import np
    >>> np.random.uniform(-1, 1, size=(2, 3)).shape
    (2, 3)
    """
    return draw("uniform", {"low": low, "high": high}, size, dtype, ctx, out, device)


@sampler
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
    """Samples of the normal distribution.

    Parameters
    ----------
    loc : array_like of any shape and dtype
        The mean.
    scale : array_like of any shape and dtype
        The standard deviation, 0 or more.

    Examples
    --------
    >>> from gluon import np
    >>> np.random.normal(np.zeros(3), 2.0, size=(2, 3)).shape
    (2, 3)
    """
    return draw("normal", {"loc": loc, "scale": scale}, size, dtype, ctx, out, device)


@sampler
def gumbel(
    loc: ArrayLike = 0.0,
    scale: ArrayLike = 1.0,
    size: int | Sequence[int] | None = None,
    ctx: Context | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Samples of the Gumbel distribution, the limit for the maximum of many.

    Parameters
    ----------
    loc : array_like of any shape and dtype
        The location.
    scale : array_like of any shape and dtype
        The scale, 0 or more.

    Examples
    --------
    >>> from gluon import np
    >>> np.random.gumbel(0, 2, size=3).shape
    (3,)
    """
    return draw("gumbel", {"loc": loc, "scale": scale}, size, None, ctx, out)


@sampler
def logistic(
    loc: ArrayLike = 0.0,
    scale: ArrayLike = 1.0,
    size: int | Sequence[int] | None = None,
    ctx: Context | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Samples of the logistic distribution.

    Parameters
    ----------
    loc : array_like of any shape and dtype
        The location.
    scale : array_like of any shape and dtype
        The scale, 0 or more.

    Examples
    --------
    >>> from gluon import np
    >>> np.random.logistic(0, 2, size=3).shape
    (3,)
    """
    return draw("logistic", {"loc": loc, "scale": scale}, size, None, ctx, out)


@sampler
def laplace(
    loc: ArrayLike = 0.0,
    scale: ArrayLike = 1.0,
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Samples of the Laplace distribution.

    Parameters
    ----------
    loc : array_like of any shape and dtype
        The location.
    scale : array_like of any shape and dtype
        The scale, 0 or more.

    Examples
    --------
    >>> from gluon import np
    >>> np.random.laplace(0, 2, size=3).shape
    (3,)
    """
    return draw("laplace", {"loc": loc, "scale": scale}, size, dtype, ctx, out)


@sampler
def lognormal(
    mean: ArrayLike = 0.0,
    sigma: ArrayLike = 1.0,
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Samples of the log-normal distribution.

    Parameters
    ----------
    mean : array_like of any shape and dtype
        The mean of the logarithm.
    sigma : array_like of any shape and dtype
        The standard deviation of the logarithm, 0 or more.

    Examples
    --------
    >>> from gluon import np
    >>> np.random.lognormal(0, 0.5, size=3).shape
    (3,)
    """
    return draw("lognormal", {"mean": mean, "sigma": sigma}, size, dtype, ctx, out)


@sampler
def exponential(
    scale: ArrayLike = 1.0,
    size: int | Sequence[int] | None = None,
    ctx: Context | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Samples of the exponential distribution, `scale` its mean.

    Parameters
    ----------
    scale : array_like of any shape and dtype
        The scale, 0 or more.

    Examples
    --------
    >>> from gluon import np
    >>> np.random.exponential(2.0, size=3).shape
    (3,)
    """
    return draw("exponential", {"scale": scale}, size, None, ctx, out)


@sampler
def rayleigh(
    scale: ArrayLike = 1.0,
    size: int | Sequence[int] | None = None,
    ctx: Context | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Samples of the Rayleigh distribution, lengths of normal pairs.

    Parameters
    ----------
    scale : array_like of any shape and dtype
        The scale, 0 or more.

    Examples
    --------
    >>> from gluon import np
    >>> np.random.rayleigh(2.0, size=3).shape
    (3,)
    """
    return draw("rayleigh", {"scale": scale}, size, None, ctx, out)


@sampler
def weibull(
    a: ArrayLike,
    size: int | Sequence[int] | None = None,
    ctx: Context | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Samples of the Weibull distribution of shape `a`.

    Parameters
    ----------
    a : array_like of any shape and dtype
        Above 0.

    Examples
    --------
    >>> from gluon import np
    >>> np.random.weibull(2.0, size=3).shape
    (3,)
    """
    return draw("weibull", {"a": a}, size, None, ctx, out)


@sampler
def pareto(
    a: ArrayLike,
    size: int | Sequence[int] | None = None,
    ctx: Context | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Samples of the Pareto distribution of the second kind, starting at 0.

    Parameters
    ----------
    a : array_like of any shape and dtype
        Above 0.

    Examples
    --------
    >>> from gluon import np
    >>> np.random.pareto(2.0, size=3).shape
    (3,)
    """
    return draw("pareto", {"a": a}, size, None, ctx, out)


@sampler
def power(
    a: ArrayLike,
    size: int | Sequence[int] | None = None,
    ctx: Context | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Samples between 0 and 1 of the density ``a * x ** (a - 1)``.

    Parameters
    ----------
    a : array_like of any shape and dtype
        Above 0.

    Examples
    --------
    >>> from gluon import np
    >>> np.random.power(2.0, size=3).shape
    (3,)
    """
    return draw("power", {"a": a}, size, None, ctx, out)


@sampler
def triangular(
    left: ArrayLike, mode: ArrayLike, right: ArrayLike, size: int | Sequence[int] | None = None
) -> ndarray:
    """Samples of the triangular distribution.

    Parameters
    ----------
    left : array_like of any shape and dtype
        The lower bound.
    mode : array_like of any shape and dtype
        Where the density is highest.
    right : array_like of any shape and dtype
        The upper bound.

    Examples
    --------
    >>> from gluon import np
    >>> np.random.triangular(0, 1, 3, size=3).shape
    (3,)
    """
    parameters = {"left": left, "mode": mode, "right": right}
    return draw("triangular", parameters, size)


@sampler
def gamma(
    shape: ArrayLike,
    scale: ArrayLike = 1.0,
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Samples of the gamma distribution.

    Parameters
    ----------
    shape : array_like of any shape and dtype
        0 or more. No gradient reaches it.
    scale : array_like of any shape and dtype
        The scale, 0 or more.

    Examples
    --------
    >>> from gluon import np
    >>> np.random.gamma(2.0, size=3).shape
    (3,)
    """
    return draw("gamma", {"shape": shape, "scale": scale}, size, dtype, ctx, out)


@sampler
def beta(
    a: ArrayLike,
    b: ArrayLike,
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> ndarray:
    """Samples of the beta distribution, between 0 and 1.

    Parameters
    ----------
    a : array_like of any shape and dtype
        Above 0. No gradient reaches it.
    b : array_like of any shape and dtype
        Above 0. No gradient reaches it.

    Examples
    --------
    >>> from gluon import np
    >>> np.random.beta(2.0, 3.0, size=3).shape
    (3,)
    """
    return draw("beta", {"a": a, "b": b}, size, dtype, ctx)


@sampler
def chisquare(
    df: ArrayLike,
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> ndarray:
    """Samples of the chi-square distribution with `df` degrees of freedom.

    Parameters
    ----------
    df : array_like of any shape and dtype
        Above 0. No gradient reaches it.

    Examples
    --------
    >>> from gluon import np
    >>> np.random.chisquare(3, size=3).shape
    (3,)
    """
    return draw("chisquare", {"df": df}, size, dtype, ctx)


@sampler
def f(
    dfnum: ArrayLike,
    dfden: ArrayLike,
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> ndarray:
    """Samples of the F distribution with `dfnum` and `dfden` degrees of freedom.

    Parameters
    ----------
    dfnum : array_like of any shape and dtype
        Above 0. No gradient reaches it.
    dfden : array_like of any shape and dtype
        Above 0. No gradient reaches it.

    Examples
    --------
    >>> from gluon import np
    >>> np.random.f(3, 5, size=3).shape
    (3,)
    """
    return draw("f", {"dfnum": dfnum, "dfden": dfden}, size, dtype, ctx)


@sampler
def vonmises(
    mu: ArrayLike,
    kappa: ArrayLike,
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> ndarray:
    """Samples of the von Mises distribution: angles from -pi to pi.

    Parameters
    ----------
    mu : array_like of any shape and dtype
        The mean direction, in radians.
    kappa : array_like of any shape and dtype
        The concentration, 0 or more. No gradient reaches it.

    Examples
    --------
    >>> from gluon import np
    >>> np.random.vonmises(0, 2.0, size=3).shape
    (3,)
    """
    return draw("vonmises", {"mu": mu, "kappa": kappa}, size, dtype, ctx)


@sampler
def wald(
    mean: ArrayLike,
    scale: ArrayLike,
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> ndarray:
    """Samples of the Wald (inverse Gaussian) distribution.

    Parameters
    ----------
    mean : array_like of any shape and dtype
        Above 0. No gradient reaches it.
    scale : array_like of any shape and dtype
        Above 0. No gradient reaches it.

    Examples
    --------
    >>> from gluon import np
    >>> np.random.wald(2.0, 3.0, size=3).shape
    (3,)
    """
    return draw("wald", {"mean": mean, "scale": scale}, size, dtype, ctx)


@sampler
def noncentral_chisquare(
    df: ArrayLike,
    nonc: ArrayLike,
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> ndarray:
    """Samples of the noncentral chi-square distribution.

    Parameters
    ----------
    df : array_like of any shape and dtype
        Above 0. No gradient reaches it.
    nonc : array_like of any shape and dtype
        0 or more. No gradient reaches it.

    Examples
    --------
    >>> from gluon import np
    >>> np.random.noncentral_chisquare(3, 1.0, size=3).shape
    (3,)
    """
    return draw("noncentral_chisquare", {"df": df, "nonc": nonc}, size, dtype, ctx)


@sampler
def noncentral_f(
    dfnum: ArrayLike,
    dfden: ArrayLike,
    nonc: ArrayLike,
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> ndarray:
    """Samples of the noncentral F distribution.

    Parameters
    ----------
    dfnum : array_like of any shape and dtype
        Above 0. No gradient reaches it.
    dfden : array_like of any shape and dtype
        Above 0. No gradient reaches it.
    nonc : array_like of any shape and dtype
        0 or more. No gradient reaches it.

    Examples
    --------
    >>> from gluon import np
    >>> np.random.noncentral_f(3, 5, 1.0, size=3).shape
    (3,)
    """
    return draw("noncentral_f", {"dfnum": dfnum, "dfden": dfden, "nonc": nonc}, size, dtype, ctx)


# ------------------------------------------------------------------------------- standard


@sampler
def rand(*size: int, **kwargs: Any) -> ndarray:
    """Samples of the uniform distribution on ``[0, 1)``; the shape is given as integers.

    Parameters
    ----------
    *size : int
        The shape; a single number by default.
    **kwargs : object
        `dtype`, `ctx` and `out`, as for `uniform`.

    Examples
    --------
    >>> from gluon import np
    >>> np.random.rand(2, 3).shape
    (2, 3)
    """
    return uniform(size=size, **kwargs)


@sampler
def randn(*size: int, **kwargs: Any) -> ndarray:
    """Samples of the standard normal distribution; the shape is given as integers.

    Parameters
    ----------
    *size : int
        The shape; a single number by default.
    **kwargs : object
        `dtype`, `ctx` and `out`, as for `normal`.

    Examples
    --------
    >>> from gluon import np
    >>> np.random.randn(2, 3).shape
    (2, 3)
    """
    return normal(size=size, **kwargs)


@sampler
def random(
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> ndarray:
    """Samples of the uniform distribution on ``[0, 1)``.

    Examples
    --------
    >>> from gluon import np
    >>> np.random.random((2, 3)).shape
    (2, 3)
    """
    return uniform(size=size, dtype=dtype, ctx=ctx)


random_sample = random
ranf = random
sample = random


@sampler
def standard_normal(
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> ndarray:
    """Samples of the normal distribution of mean 0 and deviation 1.

    Examples
    --------
    >>> from gluon import np
    >>> np.random.standard_normal(3).shape
    (3,)
    """
    return normal(size=size, dtype=dtype, ctx=ctx)


@sampler
def standard_exponential(
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> ndarray:
    """Samples of the exponential distribution of mean 1.

    Examples
    --------
    >>> from gluon import np
    >>> np.random.standard_exponential(3).shape
    (3,)
    """
    return draw("exponential", {"scale": 1.0}, size, dtype, ctx)


@sampler
def standard_gamma(
    shape: ArrayLike,
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> ndarray:
    """Samples of the gamma distribution of scale 1.

    Parameters
    ----------
    shape : array_like of any shape and dtype
        No gradient reaches it.

    Examples
    --------
    >>> from gluon import np
    >>> np.random.standard_gamma(2.0, 3).shape
    (3,)
    """
    return gamma(shape, 1.0, size, dtype, ctx)


@sampler
def standard_cauchy(
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> ndarray:
    """Samples of the Cauchy distribution, the ratio of two normal numbers.

    Examples
    --------
    >>> from gluon import np
    >>> np.random.standard_cauchy(3).shape
    (3,)
    """
    return draw("cauchy", {}, size, dtype, ctx)


@sampler
def standard_t(
    df: ArrayLike,
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> ndarray:
    """Samples of Student's t distribution with `df` degrees of freedom.

    Parameters
    ----------
    df : array_like of any shape and dtype
        Above 0. No gradient reaches it.

    Examples
    --------
    >>> from gluon import np
    >>> np.random.standard_t(5, 3).shape
    (3,)
    """
    return draw("t", {"df": df}, size, dtype, ctx)
