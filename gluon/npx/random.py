"""`npx.random`: samplers whose parameters broadcast, and the seed."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING, Any

import numpy

from .._core.arrays import Context
from .._core.arrays.context import device
from .._core.arrays.dtypes import as_numpy_dtype
from .._core.devices import available
from .._core.engine.array import Array, wrap
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, DTypeError
from .._core.hints.lookup import hinting
from .._core.kernels import generator as _generator
from ..nd._draw import DRAWN
from ..np import ndarray
from ..np._public import as_array, as_shape, cast, into, public
from ..np.random.drawing import final

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike


__all__ = ["bernoulli", "normal_n", "seed", "uniform_n"]


def __dir__() -> list[str]:
    return __all__


def _noise(distribution: str, like: tuple, batch: Any, dtype: Any, ctx: Any) -> ndarray:
    """Draw from a standard distribution, for parameters `like` and the shape `batch`."""
    kind = as_numpy_dtype(dtype or "float32")
    if kind.kind not in "fV":
        raise DTypeError(f"samples are floating-point numbers and cannot be of {kind}")
    arrays = [x for x in like if isinstance(x, Array)]
    shape = numpy.broadcast_shapes(*[x.shape for x in arrays])
    size = (() if batch is None else as_shape(batch)) + shape
    bounds = {"low": 0.0, "high": 1.0} if distribution == "uniform" else {"loc": 0.0, "scale": 1.0}
    where = arrays[0]._ctx if arrays else device(ctx)
    raw = available.sample(where, distribution, bounds, size, kind, _generator.generator())
    return wrap(ndarray, raw, where, DRAWN)


def _as_kind(value: Any, noise: ndarray) -> Any:
    """Cast a parameter to the dtype of the samples."""
    if isinstance(value, (int, float, numpy.generic)):
        return float(value)
    return cast(as_array(value), noise.dtype)


@public
def uniform_n(
    low: Any = 0.0,
    high: Any = 1.0,
    batch_shape: int | Sequence[int] | None = None,
    dtype: str | None = None,
    ctx: Context | None = None,
) -> ndarray:
    """Samples of the uniform distribution on ``[low, high)``, with gradients of the bounds.

    Parameters
    ----------
    low, high : number, or ndarray of any dtype, of shapes that broadcast
    batch_shape : int or tuple of int, optional
        The axes to add before those of the parameters.
    dtype : {'float32', 'float16', 'float64'}
    ctx : Context, optional
        The device, where no parameter is an array.

    Returns
    -------
    ndarray of shape (*batch_shape, *shape of the parameters), of `dtype`

    Raises
    ------
    ArgumentError
        If the parameters do not broadcast.
    DTypeError
        If `dtype` is not a floating one.

    Examples
    --------
    >>> from gluon import np, npx
    >>> npx.random.uniform_n(np.zeros(3), np.ones((2, 1)), batch_shape=4).shape
    (4, 2, 3)
    """
    unit = _noise("uniform", (low, high), batch_shape, dtype, ctx)
    low, high = _as_kind(low, unit), _as_kind(high, unit)
    return low + (high - low) * unit


@public
def normal_n(
    loc: ArrayLike = 0.0,
    scale: ArrayLike = 1.0,
    batch_shape: int | Sequence[int] | None = None,
    dtype: str | None = None,
    ctx: Context | None = None,
) -> ndarray:
    """Samples of the normal distribution, with gradients of the mean and standard deviation.

    Parameters
    ----------
    loc, scale : number, or ndarray of any dtype, of shapes that broadcast
        Mean and standard deviation; they broadcast.
    batch_shape : int or tuple of int, optional
        The axes to add before those of the parameters.
    dtype : {'float32', 'float16', 'float64'}
    ctx : Context, optional
        The device, where no parameter is an array.

    Returns
    -------
    ndarray of shape (*batch_shape, *shape of the parameters), of `dtype`

    Raises
    ------
    ArgumentError
        If the parameters do not broadcast, or a deviation is negative.
    DTypeError
        If `dtype` is not a floating one.

    Examples
    --------
    >>> from gluon import np, npx
    >>> npx.random.normal_n(np.zeros(3), 2.0, batch_shape=(4, 2)).shape
    (4, 2, 3)
    """
    if numpy.any((scale.raw if isinstance(scale, Array) else numpy.asarray(scale)) < 0):
        raise ArgumentError("scale must not be negative")
    unit = _noise("normal", (loc, scale), batch_shape, dtype, ctx)
    return _as_kind(loc, unit) + _as_kind(scale, unit) * unit


@public
def bernoulli(
    prob: Any = None,
    logit: Any = None,
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Samples of the Bernoulli distribution, without gradient.

    Parameters
    ----------
    prob : number, or ndarray of any shape and dtype, optional
        The probabilities.
    logit : number, or ndarray of any shape and dtype, optional
        The log-odds instead, ``log(prob / (1 - prob))``.
    size : int or tuple of int, optional
        The shape of the result, to which the parameters broadcast; by default their shape.
    dtype : str or numpy type, default 'float32'
    ctx : Context, optional
        The device, where the parameter is not an array.
    out : ndarray of the shape of the result, optional
        Where to write it.

    Returns
    -------
    ndarray of shape `size`, of `dtype`

    Raises
    ------
    ArgumentError
        If both or none of `prob` and `logit` are given, or a probability is not between 0 and 1.

    Examples
    --------
    >>> from gluon import np, npx
    >>> npx.random.bernoulli(np.array([0, 1]), size=(2, 2))
    array([[0., 1.],
           [0., 1.]])
    """
    if (prob is None) == (logit is None):
        raise ArgumentError(
            f"give one of prob and logit, and not both; got prob={prob}, logit={logit}"
        )
    given = as_array(prob if logit is None else logit)
    chance = given if logit is None else ops.sigmoid(given)
    if not ((chance.raw >= 0) & (chance.raw <= 1)).all():
        raise ArgumentError("prob must be between 0 and 1")
    shape = final(size, chance.shape)
    where = given._ctx if isinstance(prob if logit is None else logit, Array) else device(ctx)
    drawn = wrap(ndarray, _generator.generator().random(shape), where, DRAWN)
    # An operator instead of a comparison of raw values, so that the gradient is zero.
    return into(out, ops.cast(ops.less(drawn, chance), dtype=as_numpy_dtype(dtype or "float32")))


@public
def seed(seed: int, ctx: Context | str = "all") -> None:
    """Seed the random number generator; see `gluon.random.seed`.

    Parameters
    ----------
    seed : int
        Any integer; it may be negative.
    ctx : Context or 'all'
        Ignored: all contexts share one generator.

    Returns
    -------
    None

    Raises
    ------
    DTypeError
        If the seed is not an integer.

    Examples
    --------
    >>> from gluon import npx
    >>> npx.random.seed(1)
    >>> first = npx.random.normal_n(batch_shape=2)
    >>> npx.random.seed(1)
    >>> bool((npx.random.normal_n(batch_shape=2) == first).all())
    True
    """
    try:
        value = index(seed)
    except TypeError:
        raise DTypeError(f"seed must be an integer, not {type(seed).__name__}") from None
    _generator.seed(value)


if not TYPE_CHECKING:  # where a wrong name is to be reported
    __getattr__ = hinting(__name__, __all__)
