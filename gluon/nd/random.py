"""`nd.random`: random arrays. Parameters are numbers, or arrays of one sample row each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..engine.array import Array, wrap
from ..engine.errors import ArgumentError
from ..kernels.generator import generator
from ..ndarray import NDArray
from ..ndarray.context import device
from ..ndarray.dtypes import as_dtype
from ._public import write

__all__ = [
    "exponential",
    "gamma",
    "multinomial",
    "normal",
    "poisson",
    "randint",
    "randn",
    "shuffle",
    "uniform",
]


def __dir__() -> list[str]:
    return __all__


Shape = int | tuple[int, ...] | None


def _sample(
    draw: Callable, parameters: tuple, shape: Shape, dtype: Any, ctx: Any, out: Any
) -> NDArray:
    """Draw with numbers as parameters, or a block of `shape` for each value of array ones."""
    arrays: list[Any] = [p for p in parameters if isinstance(p, Array)]
    size = () if shape is None else (shape,) if isinstance(shape, int) else tuple(shape)
    if out is not None:
        size = out.shape if shape is None else size
        dtype = out.dtype if dtype is None else dtype
    if arrays:
        size = arrays[0].shape + size
        extra = len(size) - arrays[0].ndim
        parameters = tuple(
            p._raw.reshape(p.shape + (1,) * extra) if isinstance(p, Array) else p
            for p in parameters
        )
        ctx = arrays[0].context if ctx is None else ctx
    elif not size:
        size = (1,)
    raw = np.asarray(draw(*parameters, size)).astype(as_dtype(dtype))
    result = wrap(NDArray, raw, device(ctx))
    return result if out is None else write(out, result, "random")


def uniform(
    low: Any = 0,
    high: Any = 1,
    shape: Shape = None,
    dtype: Any = None,
    ctx: Any = None,
    out: Any = None,
) -> NDArray:
    """Samples of the uniform distribution on ``[low, high)``.

    Parameters
    ----------
    low, high : float or NDArray
    shape : int or tuple of int, optional
        Of the result, or of the block for each value of array parameters; (1,) by default.
    dtype : str, default 'float32'
    ctx : Context, optional
    out : NDArray, optional

    Returns
    -------
    NDArray
    """
    return _sample(generator().uniform, (low, high), shape, dtype, ctx, out)


def normal(
    loc: Any = 0,
    scale: Any = 1,
    shape: Shape = None,
    dtype: Any = None,
    ctx: Any = None,
    out: Any = None,
) -> NDArray:
    """Samples of the normal distribution with mean `loc` and standard deviation `scale`.

    The parameters are those of `uniform`.
    """
    return _sample(generator().normal, (loc, scale), shape, dtype, ctx, out)


def randn(*shape: int, **kwargs: Any) -> NDArray:
    """Samples of the normal distribution, of the shape given as numbers; see `normal`."""
    return normal(kwargs.pop("loc", 0), kwargs.pop("scale", 1), shape=shape or None, **kwargs)


def randint(
    low: int, high: int, shape: Shape = None, dtype: Any = "int32", ctx: Any = None, out: Any = None
) -> NDArray:
    """Integers from ``[low, high)``, each as likely, of dtype int32 by default."""
    if not low < high:
        raise ArgumentError(f"randint: low={low} must be below high={high}")
    return _sample(generator().integers, (low, high), shape, dtype, ctx, out)


def exponential(
    scale: Any = 1, shape: Shape = None, dtype: Any = None, ctx: Any = None, out: Any = None
) -> NDArray:
    """Samples of the exponential distribution with mean `scale`."""
    return _sample(generator().exponential, (scale,), shape, dtype, ctx, out)


def gamma(
    alpha: Any = 1,
    beta: Any = 1,
    shape: Shape = None,
    dtype: Any = None,
    ctx: Any = None,
    out: Any = None,
) -> NDArray:
    """Samples of the gamma distribution with shape `alpha` and scale `beta`."""
    return _sample(generator().gamma, (alpha, beta), shape, dtype, ctx, out)


def poisson(
    lam: Any = 1, shape: Shape = None, dtype: Any = None, ctx: Any = None, out: Any = None
) -> NDArray:
    """Samples of the Poisson distribution with mean `lam`, float32 by default."""
    return _sample(generator().poisson, (lam,), shape, dtype, ctx, out)


def multinomial(
    data: NDArray,
    shape: Shape = None,
    get_prob: bool = False,
    out: Any = None,
    dtype: Any = "int32",
) -> Any:
    """Indices drawn with the probabilities in `data`.

    Parameters
    ----------
    data : NDArray of shape (k,) or (n, k)
        Probabilities that sum to 1 along the last axis.
    shape : int or tuple of int, optional
        How many to draw from each distribution; one by default.
    get_prob : bool, default False
        Also return the log of the probability of each drawn index; it has a gradient.
    dtype : str, default 'int32'

    Returns
    -------
    NDArray of int, or list of two NDArrays
    """
    size = () if shape is None else (shape,) if isinstance(shape, int) else tuple(shape)
    rows = data._raw.reshape(-1, data.shape[-1])
    count = int(np.prod(size, dtype=np.int64))
    edges = np.cumsum(rows.astype(np.float64), axis=1)
    points = generator().random((len(rows), count)) * edges[:, -1:]
    drawn = (points[:, :, None] >= edges[:, None, :]).sum(axis=2)
    raw = drawn.reshape(data.shape[:-1] + size)
    result = wrap(NDArray, (raw if raw.ndim else raw.reshape(1)).astype(as_dtype(dtype)), data._ctx)
    result = result if out is None else write(out, result, "multinomial")
    if not get_prob:
        return result
    place = np.arange(len(rows)).repeat(count).reshape(raw.shape)
    chosen = data.reshape((-1, data.shape[-1]))[place, raw]
    return [result, chosen.log().reshape(result.shape)]


def shuffle(data: NDArray, out: Any = None) -> NDArray:
    """The rows of `data` in random order."""
    raw = data._raw[generator().permutation(len(data))]
    result = wrap(NDArray, raw, data._ctx)
    return result if out is None else write(out, result, "shuffle")
