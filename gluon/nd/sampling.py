"""`nd`: samplers under MXNet's flat names, such as ``nd.random_uniform``.

There are three for each distribution: ``random_*`` takes numbers as parameters, ``sample_*``
arrays, and ``*_like``, which is in `nd.random`, numbers and an array that gives shape and dtype.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from .._core.arrays.base import A, DeviceArray
from .._core.arrays.context import Context, device
from .._core.arrays.dtypes import as_dtype
from .._core.arrays.laxness import TRUSTED
from .._core.engine.array import Array, wrap
from .._core.engine.mode import mode
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, DTypeError, warn_caller
from .._core.faces.kinds import keeps_shape
from .._core.kernels import random as kernels
from .._core.kernels.generator import generator
from .._core.kernels.indexing import shuffled
from ._array import NDArray
from ._draw import DRAWN, Shape, dimensions, is_default
from ._public import public, with_zero_gradients
from ._samplers import by_arrays, by_numbers, like_array, of_integers, require


@by_numbers("uniform")
def random_uniform(
    low: float = 0,
    high: float = 1,
    shape: Shape = None,
    ctx: Context | None = None,
    dtype: Any = None,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the uniform distribution on ``[low, high)``."""
    raise NotImplementedError


@by_numbers("normal")
def random_normal(
    loc: float = 0,
    scale: float = 1,
    shape: Shape = None,
    ctx: Context | None = None,
    dtype: Any = None,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the normal distribution."""
    raise NotImplementedError


@by_numbers("gamma")
def random_gamma(
    alpha: float = 1,
    beta: float = 1,
    shape: Shape = None,
    ctx: Context | None = None,
    dtype: Any = None,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the gamma distribution, whose mean is ``alpha * beta``."""
    raise NotImplementedError


@by_numbers("exponential")
def random_exponential(
    lam: float = 1,
    shape: Shape = None,
    ctx: Context | None = None,
    dtype: Any = None,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the exponential distribution, whose mean is ``1 / lam``."""
    raise NotImplementedError


@by_numbers("poisson")
def random_poisson(
    lam: float = 1,
    shape: Shape = None,
    ctx: Context | None = None,
    dtype: Any = None,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the Poisson distribution."""
    raise NotImplementedError


@by_numbers("negative_binomial")
def random_negative_binomial(
    k: float = 1,
    p: float = 1,
    shape: Shape = None,
    ctx: Context | None = None,
    dtype: Any = None,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the negative binomial distribution: how many successes come before failure k."""
    raise NotImplementedError


@by_numbers("generalized_negative_binomial")
def random_generalized_negative_binomial(
    mu: float = 1,
    alpha: float = 1,
    shape: Shape = None,
    ctx: Context | None = None,
    dtype: Any = None,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the negative binomial distribution with the variance ``mu + alpha * mu**2``."""
    raise NotImplementedError


@by_arrays("uniform")
def sample_uniform(
    low: NDArray,
    high: NDArray,
    shape: Shape = None,
    dtype: Any = None,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the uniform distribution on ``[low, high)``, for each of many parameters."""
    raise NotImplementedError


@by_arrays("normal")
def sample_normal(
    mu: NDArray,
    sigma: NDArray,
    shape: Shape = None,
    dtype: Any = None,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the normal distribution, for each of many parameters."""
    raise NotImplementedError


@by_arrays("gamma")
def sample_gamma(
    alpha: NDArray,
    beta: NDArray,
    shape: Shape = None,
    dtype: Any = None,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the gamma distribution, for each of many parameters."""
    raise NotImplementedError


@by_arrays("exponential")
def sample_exponential(
    lam: NDArray,
    shape: Shape = None,
    dtype: Any = None,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the exponential distribution, for each of many parameters."""
    raise NotImplementedError


@by_arrays("poisson")
def sample_poisson(
    lam: NDArray,
    shape: Shape = None,
    dtype: Any = None,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the Poisson distribution, for each of many parameters."""
    raise NotImplementedError


@by_arrays("negative_binomial")
def sample_negative_binomial(
    k: NDArray,
    p: NDArray,
    shape: Shape = None,
    dtype: Any = None,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the negative binomial distribution, for each of many parameters."""
    raise NotImplementedError


@by_arrays("generalized_negative_binomial")
def sample_generalized_negative_binomial(
    mu: NDArray,
    alpha: NDArray,
    shape: Shape = None,
    dtype: Any = None,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the generalized negative binomial distribution, for each of many parameters."""
    raise NotImplementedError


@like_array("uniform")
def uniform_like(
    data: NDArray,
    low: float = 0,
    high: float = 1,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the uniform distribution on ``[low, high)``, in the shape of an array."""
    raise NotImplementedError


@like_array("normal")
def normal_like(
    data: NDArray,
    loc: float = 0,
    scale: float = 1,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the normal distribution, in the shape of an array."""
    raise NotImplementedError


@like_array("gamma")
def gamma_like(
    data: NDArray,
    alpha: float = 1,
    beta: float = 1,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the gamma distribution, in the shape of an array."""
    raise NotImplementedError


@like_array("exponential")
def exponential_like(
    data: NDArray,
    lam: float = 1,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the exponential distribution, in the shape of an array."""
    raise NotImplementedError


@like_array("poisson")
def poisson_like(
    data: NDArray,
    lam: float = 1,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the Poisson distribution, in the shape of an array."""
    raise NotImplementedError


@like_array("negative_binomial")
def negative_binomial_like(
    data: NDArray,
    k: float = 1,
    p: float = 1,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the negative binomial distribution, in the shape of an array."""
    raise NotImplementedError


@like_array("generalized_negative_binomial")
def generalized_negative_binomial_like(
    data: NDArray,
    mu: float = 1,
    alpha: float = 1,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the generalized negative binomial distribution, in the shape of an array."""
    raise NotImplementedError


uniform: Final = random_uniform
normal: Final = random_normal


@of_integers
def random_randint(
    low: int,
    high: int,
    shape: Shape = None,
    ctx: Context | None = None,
    dtype: Any = None,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the discrete uniform distribution on ``[low, high)``."""
    raise NotImplementedError


def _warn_unless_probabilities(rows: Any) -> None:
    """Warn if values are below 0, or a row does not add up to 1, until a call has been right."""
    if "sample_multinomial" in TRUSTED or not isinstance(rows, np.ndarray) or not rows.size:
        return
    totals, least = rows.sum(1, dtype=np.float64), rows.min(1)
    wrong = (abs(totals - 1) > 0.01) | (least < 0)
    if not wrong.any():
        TRUSTED.add("sample_multinomial")
    else:
        row = wrong.argmax()
        warn_caller(
            f"sample_multinomial: distribution {row} has the sum {totals[row]:.4g} and the least"
            f" value {least[row]:.4g}; give probabilities, which are 0 or more with the sum 1, such"
            " as nd.softmax(scores)"
        )


@public
def sample_multinomial(
    data: A,
    shape: Any = None,
    get_prob: bool = False,
    dtype: Any = "int32",
    out: A | Sequence[A] | None = None,
    name: str | None = None,
) -> A | Any:
    """Samples of categorical distributions: indices drawn with the probabilities in `data`.

    Parameters
    ----------
    data : NDArray of shape s + (k,), of floating-point numbers
        Probabilities, whose sum along the last axis is 1 within 1 %.
    shape : int or tuple of int, optional
        How many to draw from each distribution; one by default.
    get_prob : bool, default False
        Also return the logarithm of the probability of each drawn index. Its gradient estimates
        that of an expected reward (REINFORCE).
    dtype : str, default 'int32'
        Of the indices.

    Returns
    -------
    NDArray of shape s + shape, or list of two
        The indices, from 0 to k - 1, and the logarithms, of the dtype of `data`.

    Raises
    ------
    ArgumentError
        If `data` holds no probabilities, or `dtype` cannot hold k - 1.
    DTypeError
        If `data` is not an array of floating-point numbers.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.sample_multinomial(nd.array([[0, 1, 0], [0, 0, 1]]), shape=4)
    <BLANKLINE>
    [[1 1 1 1]
     [2 2 2 2]]
    <NDArray 2x4 @cpu(0)>
    """
    size = dimensions("sample_multinomial", shape)
    kind = as_dtype("int32" if is_default(dtype) else dtype)
    start, classes = data.shape[:-1], data.shape[-1]
    if data.form.dtype.kind not in "fV":
        raise DTypeError(
            f"sample_multinomial: data has the dtype {data.form.dtype.name}; probabilities are"
            " floating-point numbers"
        )
    with np.errstate(over="ignore"):
        last = np.asarray(classes - 1).astype(kind)
    if float(last) != classes - 1:
        raise ArgumentError(
            f"sample_multinomial: {kind.name} cannot hold the index {classes - 1}; pass a wider"
            " dtype"
        )
    rows = data.raw.reshape(math.prod(start), classes)
    try:
        drawn = kernels.categorical(rows, count=math.prod(size), rng=generator())
    except ValueError as error:
        raise ArgumentError(f"sample_multinomial: {error}") from None
    _warn_unless_probabilities(rows)
    wanted = start + size or (1,)
    indices = with_zero_gradients(
        wrap(NDArray, drawn.reshape(wanted).astype(kind), data._ctx, DRAWN), data
    )
    if not get_prob:
        return indices
    places = (np.arange(len(rows))[:, None], drawn)
    chosen = ops.getitem(ops.reshape(data, shape=rows.shape), key=places)
    return [indices, ops.reshape(ops.log(chosen), shape=wanted)]


@keeps_shape
@public
def shuffle(data: A, out: A | None = None, name: str | None = None) -> A:
    """Shuffle the rows of `data`.

    Parameters
    ----------
    data : NDArray of shape (n, ...)

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    DTypeError
        If `data` is not an array.

    Examples
    --------
    >>> from gluon import nd
    >>> int(nd.shuffle(nd.arange(5)).sum())
    10
    """
    return mixed(data)


def mixed(x: A) -> A:
    """`x` with its rows in a random order."""
    now = mode()
    if x.ndim == 1 and not now.tapes:
        return wrap(type(x), shuffled(x.raw, rng=generator()), x._ctx, now.blank)
    return ops.getitem(x, key=generator().permutation(x.shape[0]))


def rand_zipfian(
    true_classes: DeviceArray, num_sampled: int, range_max: int, ctx: Context | None = None
) -> tuple[NDArray, NDArray, NDArray]:
    """Draw candidate classes for sampled losses; low class indices are more frequent.

    Class c has the probability ``log((c + 2) / (c + 1)) / log(range_max + 1)``, which approximates
    Zipf's law for classes ordered by frequency.

    Parameters
    ----------
    true_classes : NDArray of integers, of any dtype and shape s
        From 0 to range_max - 1.
    num_sampled : int
        How many to draw.
    range_max : int
        The number of classes.
    ctx : Context, optional

    Returns
    -------
    tuple of three NDArrays
        The drawn classes, int64 of shape (num_sampled,); the expected count of each true class,
        float64 of shape s; and that of each drawn class, float64 of shape (num_sampled,).

    Raises
    ------
    ArgumentError
        If there is no class, or a true class is out of range.
    DTypeError
        If `true_classes` is not an array, or a number is not an integer.

    Examples
    --------
    >>> from gluon import nd
    >>> drawn, expected_true, expected = nd.contrib.rand_zipfian(nd.array([0, 1]), 6, 8)
    >>> drawn.shape
    (6,)
    >>> expected_true
    <BLANKLINE>
    [1.89278926 1.10721074]
    <NDArray 2 @cpu(0)>
    """
    require("rand_zipfian", Array, "an NDArray", {"true_classes": true_classes})
    numbers = {"num_sampled": num_sampled, "range_max": range_max}
    require("rand_zipfian", (int, np.integer), "an integer", numbers)
    count, stop = int(num_sampled), int(range_max)
    if count < 0 or stop < 1:
        raise ArgumentError(
            f"rand_zipfian: num_sampled={count} must be 0 or more, and range_max={stop} 1 or more"
        )
    true = true_classes.raw.astype(np.float64)
    if not ((true >= 0) & (true < stop)).all():
        raise ArgumentError(
            f"rand_zipfian: true_classes are {true.min():g} to {true.max():g}; for"
            f" range_max={stop} they must be 0 to {stop - 1}"
        )
    drawn = kernels.zipfian(count=count, stop=stop, rng=generator())
    expected = (count * kernels.zipfian_share(classes, stop) for classes in (true, drawn))
    where = device(ctx)
    true_count, drawn_count = (wrap(NDArray, raw, where, DRAWN) for raw in expected)
    return wrap(NDArray, drawn, where, DRAWN), true_count, drawn_count
