"""`np.random`: integers, choices, permutations and multivariate samples."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING, Any

import numpy

from ..._core.arrays import Context
from ..._core.arrays.context import device as at
from ..._core.arrays.dtypes import as_numpy_dtype
from ..._core.arrays.rebind import is_recorded
from ..._core.arrays.switch import default_float
from ..._core.engine.array import Array, as_raw, wrap
from ..._core.engine.op import RECORDED as ops
from ..._core.errors import ArgumentError, DTypeError, GluonError
from ..._core.kernels import generator as state
from ..._core.kernels.generator import generator
from ..._core.kernels.memory import on_host
from ...nd._draw import DRAWN
from ...nd.sampling import mixed
from .._array import ndarray
from .._explained import explained
from .._public import as_array, as_shape, cast, into
from ..linalg.solvers import floatings
from .drawing import draw, final, sampler

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike


COUNT = "array_like of any shape, of integers\nHow many trials."


def _drawn(raw: Any, ctx: Any = None, out: Any = None) -> ndarray:
    return into(out, wrap(ndarray, as_raw(raw), ctx, DRAWN))


@explained
def seed(seed: Any = None, ctx: Context | str = "all") -> None:
    """Seed the random number generator, which `gluon.random` shares.

    Parameters
    ----------
    seed : int, optional
        Any integer; None takes fresh entropy.
    ctx : Context or 'all'
        All devices share one generator.

    Returns
    -------
    None

    Raises
    ------
    DTypeError
        If the seed is not an integer.

    Examples
    --------
    >>> from gluon import np
    >>> np.random.seed(3)
    >>> first = np.random.rand()
    >>> np.random.seed(3)
    >>> first == np.random.rand()
    array(True)
    """
    try:
        state.seed(None if seed is None else index(seed))
    except TypeError:
        raise DTypeError(f"a seed is an integer, not {seed!r}") from None


@sampler
def randint(
    low: Any,
    high: Any = None,
    size: Any = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
    out: ndarray | None = None,
    *,
    device: Context | None = None,
) -> ndarray:
    """Samples of the discrete uniform distribution on ``[low, high)``.

    Parameters
    ----------
    low : array_like of int, of any shape
        The smallest number, or the upper bound if `high` is not given.
    high : array_like of int, of any shape, optional
        The upper bound, which is excluded.
    dtype : str or numpy type, optional
        int64 by default.

    Returns
    -------
    ndarray of int64, of shape `size`

    Examples
    --------
    >>> from gluon import np
    >>> np.random.randint(5, size=3).dtype
    dtype('int64')
    """
    low, high = (0, low) if high is None else (low, high)
    kind = as_numpy_dtype("int64" if dtype is None else dtype)
    if kind.kind not in "iu":
        raise DTypeError(f"samples are integers and cannot have the dtype {kind.name}")
    low, high = (on_host(as_array(one, "int64").raw) for one in (low, high))
    limits = numpy.iinfo(kind)
    if not (low < high).all():
        raise ArgumentError(f"low={low.max()} must be below high={high.min()}")
    if low.min(initial=0) < limits.min or int(high.max(initial=0)) - 1 > int(limits.max):
        raise ArgumentError(f"low={low.min()}, high={high.max()} are out of range for {kind.name}")
    raw = generator().integers(low, high, final(size, low.shape, high.shape))
    return _drawn(as_raw(raw).astype(kind), at(device if ctx is None else ctx), out)


@sampler
def poisson(
    lam: ArrayLike = 1.0, size: int | Sequence[int] | None = None, ctx: Context | None = None
) -> ndarray:
    """Samples of the Poisson distribution.

    Parameters
    ----------
    lam : array_like of any shape and dtype
        The mean, 0 or more.

    Returns
    -------
    ndarray of int64, of shape `size`

    Examples
    --------
    >>> from gluon import np
    >>> np.random.poisson(3.0, size=3).dtype
    dtype('int64')
    """
    return draw("poisson", {"lam": lam}, size, "int64", ctx)


@sampler
def binomial(
    n: ArrayLike, p: ArrayLike, size: int | Sequence[int] | None = None, ctx: Context | None = None
) -> ndarray:
    """Samples of the binomial distribution: the number of successes in `n` trials.

    Parameters
    ----------
    n : array_like of any shape, of integers
        How many trials.
    p : array_like of any shape and dtype
        The probability of success.

    Returns
    -------
    ndarray of int64, of shape `size`

    Examples
    --------
    >>> from gluon import np
    >>> np.random.binomial(5, 1.0, size=3)
    array([5, 5, 5], dtype=int64)
    """
    return draw("binomial", {"n": n, "p": p}, size, "int64", ctx)


@sampler
def negative_binomial(
    n: ArrayLike, p: ArrayLike, size: int | Sequence[int] | None = None, ctx: Context | None = None
) -> ndarray:
    """Samples of the negative binomial distribution: failures before `n` successes.

    Parameters
    ----------
    n : array_like of any shape and dtype
        How many successes, above 0.
    p : array_like of any shape and dtype
        The probability of success.

    Returns
    -------
    ndarray of int64, of shape `size`

    Examples
    --------
    >>> from gluon import np
    >>> np.random.negative_binomial(5, 1.0, size=2)
    array([0, 0], dtype=int64)
    """
    return draw("negative_binomial", {"n": n, "p": p}, size, "int64", ctx)


@sampler
def geometric(
    p: ArrayLike, size: int | Sequence[int] | None = None, ctx: Context | None = None
) -> ndarray:
    """Samples of the geometric distribution: the number of trials up to the first success.

    Parameters
    ----------
    p : array_like of any shape and dtype
        The probability of success.

    Returns
    -------
    ndarray of int64, of shape `size`

    Examples
    --------
    >>> from gluon import np
    >>> np.random.geometric(1.0, size=2)
    array([1, 1], dtype=int64)
    """
    return draw("geometric", {"p": p}, size, "int64", ctx)


@sampler
def zipf(
    a: ArrayLike, size: int | Sequence[int] | None = None, ctx: Context | None = None
) -> ndarray:
    """Samples of Zipf's law: the probability of k is proportional to ``k ** -a``.

    Parameters
    ----------
    a : array_like of any shape and dtype
        The exponent, above 1.

    Returns
    -------
    ndarray of int64, of shape `size`

    Examples
    --------
    >>> from gluon import np
    >>> np.random.zipf(100.0, size=2)
    array([1, 1], dtype=int64)
    """
    return draw("zipf", {"a": a}, size, "int64", ctx)


@sampler
def logseries(
    p: ArrayLike, size: int | Sequence[int] | None = None, ctx: Context | None = None
) -> ndarray:
    """Samples of the logarithmic series: the probability of k is proportional to ``p ** k / k``.

    Parameters
    ----------
    p : array_like of any shape and dtype
        0 or more and below 1.

    Returns
    -------
    ndarray of int64, of shape `size`

    Examples
    --------
    >>> from gluon import np
    >>> np.random.logseries(0.0, size=2)
    array([1, 1], dtype=int64)
    """
    return draw("logseries", {"p": p}, size, "int64", ctx)


@sampler
def hypergeometric(
    ngood: ArrayLike,
    nbad: ArrayLike,
    nsample: ArrayLike,
    size: int | Sequence[int] | None = None,
    ctx: Context | None = None,
) -> ndarray:
    """Samples of the hypergeometric distribution: the number of good ones among `nsample` drawn.

    Parameters
    ----------
    ngood : array_like of any shape, of integers
        How many trials.
    nbad : array_like of any shape, of integers
        How many trials.
    nsample : array_like of any shape and dtype
        The number drawn; at most `ngood` + `nbad`.

    Returns
    -------
    ndarray of int64, of shape `size`

    Examples
    --------
    >>> from gluon import np
    >>> np.random.hypergeometric(5, 0, 3, size=2)
    array([3, 3], dtype=int64)
    """
    counts = {"ngood": ngood, "nbad": nbad, "nsample": nsample}
    return draw("hypergeometric", counts, size, "int64", ctx)


# -------------------------------------------------------------------------------- choices


@sampler
def choice(
    a: Any,
    size: int | Sequence[int] | None = None,
    replace: bool = True,
    p: Any = None,
    ctx: Context | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Choose elements at random; gradients reach the chosen elements.

    Parameters
    ----------
    a : array_like of one axis or more, of any dtype, or int
        The elements, along the first axis; a number n is ``arange(n)``.
    size : int or tuple of int, optional
        How many; one by default.
    replace : bool, default True
        Whether an element may be chosen several times.
    p : array_like of one axis, of any dtype, optional
        The probabilities; uniform by default.

    Returns
    -------
    ndarray of shape `size` and then the other axes of `a`, of its dtype
        int64 where `a` is a number.

    Examples
    --------
    >>> from gluon import np
    >>> np.random.choice(np.array([3, 5]), 4, p=[0, 1])
    array([5., 5., 5., 5.])
    """
    is_number = not isinstance(a, Array) and numpy.ndim(a) == 0
    n = index(a) if is_number else len(as_array(a))
    shape = None if size is None else as_shape(size)
    if p is not None:
        p = as_array(p).raw.astype("float64")
        if abs(p.sum() - 1) > 1e-3:
            raise ArgumentError(f"probabilities must add up to 1, not to {p.sum():g}")
        p = p / p.sum()
    places = as_raw(generator().choice(n, shape, replace, p))
    if is_number:
        return _drawn(places, at(ctx), out)
    return into(out, ops.getitem(as_array(a), key=places))


@sampler
def permutation(x: Any) -> ndarray:
    """Return a copy with the slices along the first axis in random order.

    Parameters
    ----------
    x : array_like of one axis or more, of any dtype, or int
        A number n is ``arange(n)``.

    Returns
    -------
    ndarray of the shape and dtype of `x`
        int64 where `x` is a number.

    Examples
    --------
    >>> from gluon import np
    >>> np.sort(np.random.permutation(3))
    array([0, 1, 2], dtype=int64)
    """
    if not isinstance(x, Array) and numpy.ndim(x) == 0:
        return _drawn(generator().permutation(index(x)))
    x = as_array(x)
    return ops.getitem(x, key=generator().permutation(len(x)))


@sampler
def shuffle(x: Any) -> None:
    """Shuffle the slices along the first axis in place.

    Parameters
    ----------
    x : ndarray of one axis or more, of any dtype
        The array to write to.

    Returns
    -------
    None

    Examples
    --------
    >>> from gluon import np
    >>> x = np.arange(3)
    >>> np.random.shuffle(x)
    >>> np.sort(x)
    array([0., 1., 2.])
    """
    if not isinstance(x, Array):
        raise DTypeError(f"only arrays of gluon can be shuffled, not {type(x).__name__}")
    x[...] = mixed(x)  # type: ignore[index, type-var]


@sampler
def multinomial(
    n: Any, pvals: ArrayLike, size: int | Sequence[int] | None = None, **kwargs: Any
) -> ndarray:
    """Samples of the multinomial distribution: how often each outcome occurs in `n` trials.

    Parameters
    ----------
    n : int
        How many trials.
    pvals : array_like of shape (k,), of any dtype
        The probabilities of the outcomes.
    size : int or tuple of int, optional
        How many samples; one by default.
    **kwargs : object
        Ignored.

    Returns
    -------
    ndarray of int64, of shape size + (k,)

    Examples
    --------
    >>> from gluon import np
    >>> np.random.multinomial(3, [0, 1])
    array([0, 3], dtype=int64)
    """
    p = as_array(pvals).raw.astype("float64")
    if (p < 0).any() or p.sum() > 1 + 1e-5:
        raise ArgumentError(f"probabilities must be 0 or more and add up to 1, not to {p.sum():g}")
    shape = None if size is None else as_shape(size)
    if not p.size:
        return _drawn(numpy.zeros((*(shape or ()), 0), "int64"))
    p = p / p.sum() if p.sum() > 1 else p
    return _drawn(generator().multinomial(index(n), p, shape))


# ------------------------------------------------------------------ several numbers at once


@sampler
def multivariate_normal(
    mean: ArrayLike,
    cov: ArrayLike,
    size: int | Sequence[int] | None = None,
    check_valid: str | None = None,
    tol: float | None = None,
) -> ndarray:
    """Samples of the multivariate normal distribution; both parameters have gradients.

    Parameters
    ----------
    mean : array_like of shape (..., n), of any dtype
    cov : array_like of shape (..., n, n), of any dtype
        Symmetric, with no negative eigenvalue.
    size : int or tuple of int, optional
        How many samples; one by default.
    check_valid : str, optional
        Ignored: an eigenvalue below 0 is an error.
    tol : float, optional
        How far below 0 an eigenvalue may be.

    Returns
    -------
    ndarray of shape size + (..., n), floating

    Examples
    --------
    >>> from gluon import np
    >>> np.random.multivariate_normal(np.zeros(2), np.eye(2), size=3).shape
    (3, 2)
    """
    mean, cov = floatings(mean, cov)
    n = mean.shape[-1] if mean.ndim else 0
    if cov.ndim < 2 or cov.shape[-2:] != (n, n) or not n:
        raise ArgumentError(f"mean has shape {mean.shape} and cov {cov.shape}, not (n,) and (n, n)")
    batch = numpy.broadcast_shapes(mean.shape[:-1], cov.shape[:-2])
    shape = (*(() if size is None else as_shape(size)), *batch, n)
    kind = mean.dtype
    z = generator().standard_normal(shape).astype(kind)
    if kind == "float16":  # decompositions do not support float16
        root = cast(_root(cast(cov, "float32"), 1e-6 if tol is None else tol), kind)
    else:
        root = _root(cov, 1e-6 if tol is None else tol)
    column = wrap(ndarray, as_raw(z)[..., None], mean._ctx)
    return mean + ops.squeeze(ops.matmul(root, column), axis=-1)


def _root(cov: ndarray, tol: float) -> ndarray:
    """Return a matrix whose product with its transpose is the covariance."""
    try:
        return ops.cholesky(cov)
    except GluonError:
        if is_recorded(cov):
            raise ArgumentError(
                "cov has an eigenvalue of 0 or less, where the gradient is undefined"
            ) from None
    values, vectors = numpy.linalg.eigh(on_host(cov.raw))
    if (values < -tol * numpy.abs(values).max(initial=1)).any():
        raise ArgumentError(f"cov has the negative eigenvalue {values.min():g}")
    return wrap(ndarray, vectors * numpy.sqrt(values.clip(0))[..., None, :], cov._ctx)


@sampler
def dirichlet(alpha: ArrayLike, size: int | Sequence[int] | None = None) -> ndarray:
    """Samples of the Dirichlet distribution: shares that add up to 1.

    Parameters
    ----------
    alpha : array_like of shape (k,), of any dtype
        Above 0. No gradient reaches it.
    size : int or tuple of int, optional
        How many samples; one by default.

    Returns
    -------
    ndarray of shape size + (k,), floating

    Examples
    --------
    >>> from gluon import np
    >>> np.random.dirichlet(np.ones(3), size=2).sum(1).round(4)
    array([1., 1.])
    """
    alpha = as_array(alpha)
    if alpha.ndim != 1 or not (alpha.raw > 0).all():
        raise ArgumentError(f"alpha must be numbers above 0 in one axis, not {alpha.raw!s}")
    shape = None if size is None else as_shape(size)
    raw = generator().dirichlet(alpha.raw.astype("float64"), shape)
    kind = alpha.dtype if alpha.dtype.kind in "fV" else default_float()
    return _drawn(raw.astype(kind), alpha._ctx)
