"""`nd.random`: random arrays, all drawn from one generator; see `gluon.random.seed`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._core.hints.lookup import hinted
from ._array import NDArray
from ._draw import Shape, draw, draw_integers
from .absent import missing
from .sampling import (
    exponential_like,
    gamma_like,
    generalized_negative_binomial_like,
    negative_binomial_like,
    normal_like,
    poisson_like,
    sample_multinomial,
    shuffle,
    uniform_like,
)

__all__ = [
    "exponential",
    "exponential_like",
    "gamma",
    "gamma_like",
    "generalized_negative_binomial",
    "generalized_negative_binomial_like",
    "multinomial",
    "negative_binomial",
    "negative_binomial_like",
    "normal",
    "normal_like",
    "poisson",
    "poisson_like",
    "randint",
    "randn",
    "shuffle",
    "uniform",
    "uniform_like",
]


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:  # so that type checkers report wrong names

    def __getattr__(name: str) -> Any:
        raise missing("nd.random", name, __all__)


Parameter = float | NDArray


@hinted
def uniform(
    low: Parameter = 0,
    high: Parameter = 1,
    shape: Shape = None,
    dtype: Any = None,
    ctx: Any = None,
    out: Any = None,
    name: Any = None,
) -> NDArray:
    """Samples of the uniform distribution on ``[low, high)``.

    Parameters
    ----------
    low, high : float, or NDArray of shape s
        The bounds. Arrays must have one shape s; numbers have s = ().
    shape : int or tuple of int, optional
        For numbers, the shape of the result, by default that of `out` or (1,); for arrays, the
        shape of the block to draw for each of their values, by default one sample.
    dtype : {'float16', 'float32', 'float64'}, optional
        That of `out`, or float32, by default.
    ctx : Context, optional
        The device, for numbers; the samples for arrays are on the device of the arrays.
    out : NDArray, optional
        Where to write the samples, which have its shape and dtype.
    name : str, optional
        Ignored.

    Returns
    -------
    NDArray of shape s + shape

    Raises
    ------
    ArgumentError
        If `low` is above `high`, or a shape does not fit.
    DTypeError
        If an argument has the wrong type, or the dtype is not of floating-point numbers.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.random.uniform(-1, 1, shape=(2, 3)).shape
    (2, 3)
    >>> nd.random.uniform(nd.zeros((2,)), nd.ones((2,)), shape=5).shape
    (2, 5)
    """
    return draw("uniform", "uniform", {"low": low, "high": high}, shape, dtype, ctx, out)


@hinted
def normal(
    loc: Parameter = 0,
    scale: Parameter = 1,
    shape: Shape = None,
    dtype: Any = None,
    ctx: Any = None,
    out: Any = None,
    name: Any = None,
) -> NDArray:
    """Samples of the normal distribution.

    Parameters
    ----------
    loc : float, or NDArray of shape s
        The mean.
    scale : float, or NDArray of shape s
        The standard deviation, 0 or more.
    shape, dtype, ctx, out, name
        See `uniform`.

    Returns
    -------
    NDArray of shape s + shape

    Raises
    ------
    ArgumentError
        If `scale` is negative, or a shape does not fit.
    DTypeError
        If an argument has the wrong type, or the dtype is not of floating-point numbers.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.random.normal(0, 2, shape=(2, 3)).shape
    (2, 3)
    """
    return draw("normal", "normal", {"loc": loc, "scale": scale}, shape, dtype, ctx, out)


@hinted
def randn(
    *shape: int,
    loc: Parameter = 0,
    scale: Parameter = 1,
    dtype: Any = None,
    ctx: Any = None,
    out: Any = None,
    name: Any = None,
) -> NDArray:
    """Samples of the normal distribution; the shape is given as integers. See `normal`.

    Parameters
    ----------
    *shape : int
    loc, scale, dtype, ctx, out, name
        See `normal`.

    Returns
    -------
    NDArray of shape s + shape

    Raises
    ------
    ArgumentError
        If `scale` is negative, or a shape does not fit.
    DTypeError
        If an argument has the wrong type, or the dtype is not of floating-point numbers.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.random.randn(2, 3).shape
    (2, 3)
    """
    return draw("randn", "normal", {"loc": loc, "scale": scale}, shape or None, dtype, ctx, out)


@hinted
def randint(
    low: int,
    high: int,
    shape: Shape = None,
    dtype: Any = None,
    ctx: Any = None,
    out: Any = None,
    name: Any = None,
) -> NDArray:
    """Samples of the discrete uniform distribution on ``[low, high)``.

    Parameters
    ----------
    low, high : int
    shape : int or tuple of int, optional
        That of `out`, or (1,), by default.
    dtype : {'int32', 'int64'}, optional
        That of `out`, or int32, by default.
    ctx, out, name
        See `uniform`.

    Returns
    -------
    NDArray of shape `shape`

    Raises
    ------
    ArgumentError
        If `low` is not less than `high`, or the dtype cannot hold them.
    DTypeError
        If `low` or `high` is not an integer, or the dtype is not of integers.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.random.randint(5, 6, shape=3)
    <BLANKLINE>
    [5 5 5]
    <NDArray 3 @cpu(0)>
    """
    return draw_integers("randint", low, high, shape, dtype, ctx, out)


@hinted
def exponential(
    scale: Parameter = 1,
    shape: Shape = None,
    dtype: Any = None,
    ctx: Any = None,
    out: Any = None,
    name: Any = None,
) -> NDArray:
    """Samples of the exponential distribution.

    Parameters
    ----------
    scale : float, or NDArray of shape s
        The mean, 0 or more; ``1 / scale`` is the rate.
    shape, dtype, ctx, out, name
        See `uniform`.

    Returns
    -------
    NDArray of shape s + shape

    Raises
    ------
    ArgumentError
        If `scale` is negative, or a shape does not fit.
    DTypeError
        If an argument has the wrong type, or the dtype is not of floating-point numbers.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.random.exponential(nd.array([1, 100]), shape=3).shape
    (2, 3)
    """
    parameters = {"scale": scale}
    return draw("exponential", "exponential by scale", parameters, shape, dtype, ctx, out)


@hinted
def gamma(
    alpha: Parameter = 1,
    beta: Parameter = 1,
    shape: Shape = None,
    dtype: Any = None,
    ctx: Any = None,
    out: Any = None,
    name: Any = None,
) -> NDArray:
    """Samples of the gamma distribution, whose mean is ``alpha * beta``.

    Parameters
    ----------
    alpha : float, or NDArray of shape s
        The shape of the distribution, 0 or more.
    beta : float, or NDArray of shape s
        Its scale, 0 or more.
    shape, dtype, ctx, out, name
        See `uniform`.

    Returns
    -------
    NDArray of shape s + shape

    Raises
    ------
    ArgumentError
        If a parameter is negative, or a shape does not fit.
    DTypeError
        If an argument has the wrong type, or the dtype is not of floating-point numbers.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.random.gamma(9, 0.5, shape=(2, 3)).shape
    (2, 3)
    """
    return draw("gamma", "gamma", {"alpha": alpha, "beta": beta}, shape, dtype, ctx, out)


@hinted
def poisson(
    lam: Parameter = 1,
    shape: Shape = None,
    dtype: Any = None,
    ctx: Any = None,
    out: Any = None,
    name: Any = None,
) -> NDArray:
    """Samples of the Poisson distribution, as floating-point numbers.

    Parameters
    ----------
    lam : float, or NDArray of shape s
        The mean, 0 or more.
    shape, dtype, ctx, out, name
        See `uniform`.

    Returns
    -------
    NDArray of shape s + shape

    Raises
    ------
    ArgumentError
        If `lam` is negative, or a shape does not fit.
    DTypeError
        If an argument has the wrong type, or the dtype is not of floating-point numbers.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.random.poisson(4, shape=(2, 3)).dtype
    <class 'numpy.float32'>
    """
    return draw("poisson", "poisson", {"lam": lam}, shape, dtype, ctx, out)


@hinted
def negative_binomial(
    k: Parameter = 1,
    p: Parameter = 1,
    shape: Shape = None,
    dtype: Any = None,
    ctx: Any = None,
    out: Any = None,
    name: Any = None,
) -> NDArray:
    """Samples of the negative binomial distribution: the number of successes before failure k.

    Parameters
    ----------
    k : float, or NDArray of shape s
        The number of failures, 0 or more; it may have a fraction.
    p : float, or NDArray of shape s
        The probability of a failure, above 0 and at most 1.
    shape, dtype, ctx, out, name
        See `uniform`.

    Returns
    -------
    NDArray of shape s + shape
        Whole numbers of a floating-point dtype.

    Raises
    ------
    ArgumentError
        If a parameter is out of range, or a shape does not fit.
    DTypeError
        If an argument has the wrong type, or the dtype is not of floating-point numbers.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.random.negative_binomial(10, 0.5, shape=(2, 3)).shape
    (2, 3)
    """
    parameters = {"k": k, "p": p}
    return draw("negative_binomial", "negative_binomial", parameters, shape, dtype, ctx, out)


@hinted
def generalized_negative_binomial(
    mu: Parameter = 1,
    alpha: Parameter = 1,
    shape: Shape = None,
    dtype: Any = None,
    ctx: Any = None,
    out: Any = None,
    name: Any = None,
) -> NDArray:
    """Samples of the negative binomial distribution with the variance ``mu + alpha * mu**2``.

    It is `negative_binomial` with ``k = 1 / alpha`` and ``p = 1 / (1 + mu * alpha)``.

    Parameters
    ----------
    mu : float, or NDArray of shape s
        The mean, 0 or more.
    alpha : float, or NDArray of shape s
        The dispersion, 0 or more; 0 is the Poisson distribution.
    shape, dtype, ctx, out, name
        See `uniform`.

    Returns
    -------
    NDArray of shape s + shape
        Whole numbers of a floating-point dtype.

    Raises
    ------
    ArgumentError
        If a parameter is negative, or a shape does not fit.
    DTypeError
        If an argument has the wrong type, or the dtype is not of floating-point numbers.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.random.generalized_negative_binomial(10, 0.5, shape=(2, 3)).shape
    (2, 3)
    """
    operator = "generalized_negative_binomial"
    return draw(operator, operator, {"mu": mu, "alpha": alpha}, shape, dtype, ctx, out)


@hinted
def multinomial(
    data: NDArray,
    shape: Any = None,
    get_prob: bool = False,
    out: Any = None,
    dtype: Any = "int32",
    name: str | None = None,
) -> NDArray | Any:
    """`nd.sample_multinomial` with `out` before `dtype`.

    Parameters
    ----------
    data : NDArray of shape s + (k,), of floating-point numbers
    shape : int or tuple of int, optional
    get_prob : bool, default False
    out : NDArray or list of NDArray, of the shape of the result, optional
    dtype : str, default 'int32'
    name : str, optional
        Ignored; symbols use it in MXNet.

    Returns
    -------
    NDArray of shape s + shape, or list of two

    Raises
    ------
    DTypeError
        If `data` is not an NDArray of floating-point numbers.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.random.multinomial(nd.array([[0, 1, 0], [0, 0, 1]]), shape=4).asnumpy().tolist()
    [[1, 1, 1, 1], [2, 2, 2, 2]]
    """
    return sample_multinomial(data, shape, get_prob, dtype, out=out)
